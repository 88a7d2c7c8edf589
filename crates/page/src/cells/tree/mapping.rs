//! From a number that a vertex stores to the node that moves it: `JOINTS_0`
//! counts in `skin.joints`, and that names nodes.

use bindpose_asset::{NodeIndex, NodeSkin, SceneGraph};
use bindpose_notebook::{Entity, number_text};
use bindpose_skin::JointIndex;
use eframe::egui::{
    FontId, Rect, RichText, Sense, Stroke, Ui, Vec2, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::row;
use crate::PageContext;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::Tip as _;
use crate::widgets::{PaintText, lit_shape};

const LINE: f32 = 24.0;

/// One path: a number of the vertex, its weight, and where it leads.
struct InfluencePath {
    stored: usize,
    weight: f32,
    node: NodeIndex,
    joint: JointIndex,
}

pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, graph: &SceneGraph) {
    let vertex = page.document.state.vertex;
    let Some(influences) = page.derived.influences.get(vertex as usize).copied() else {
        return;
    };
    let heading = format!("From v{vertex} to nodes");
    ui.label(RichText::new(heading).font(font::strong(SMALL)));
    let paths: Vec<InfluencePath> = influences
        .used()
        .filter_map(|(_, joint, weight)| {
            let (stored, node) = in_skin(&graph.skins, joint)?;
            Some(InfluencePath { stored, weight, node, joint })
        })
        .collect();
    if paths.is_empty() {
        let words = "No skin moves it: it follows its node.";
        ui.label(page.theme.label(words));
    }
    for path in paths {
        line(ui, page, graph, &path);
    }
}

/// The joint's place in its skin's list, and the node that stands there.
fn in_skin(skins: &[NodeSkin], joint: JointIndex) -> Option<(usize, NodeIndex)> {
    skins.iter().find_map(|skin| {
        let place = skin.ours.iter().position(|&ours| ours == joint)?;
        Some((place, *skin.joints.get(place)?))
    })
}

fn line(ui: &mut Ui, page: &mut PageContext<'_>, graph: &SceneGraph, path: &InfluencePath) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::CLICK);
    let name = graph
        .nodes
        .get(path.node.index())
        .map(|node| row::name(node, path.node))
        .unwrap_or_default();
    let parts = [
        format!("JOINTS_0: {}", path.stored),
        format!("skin.joints[{}] = {}", path.stored, path.node.0),
        format!("node {} {name}", path.node.0),
    ];
    let lit = page.linked.is_lit(Entity::Joint(path.joint));
    if lit {
        ui.painter().add(lit_shape(page.theme, rect, 4.0));
    }
    let weight = number_text::fixed(path.weight.into(), 2);
    let label = format!("{}, weight {weight}", parts.join(" → "));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    paint(ui, page, rect, &parts, &weight);
    page.link(&response.tip(label), Entity::Joint(path.joint));
}

fn paint(ui: &Ui, page: &PageContext<'_>, rect: Rect, parts: &[String; 3], weight: &str) {
    let theme = page.theme;
    let painter = ui.painter().with_clip_rect(rect);
    let font = FontId::monospace(CAPTION);
    let y = rect.center().y;
    let widths = parts.each_ref().map(|part| {
        let galley = painter.layout_no_wrap(part.clone(), font.clone(), theme.ink);
        galley.size().x
    });
    let (words, plain) = (format!("w = {weight}"), FontId::proportional(CAPTION));
    let galley = painter.layout_no_wrap(words, plain, theme.quiet);
    // For the two arrows and the name of the node, which is cut off if it must.
    let room = rect.width() - widths[0] - widths[1] - galley.size().x - 20.0;
    let arrow = ((room - widths[2]) / 2.0).clamp(16.0, 56.0);
    let widths = [widths[0], widths[1], widths[2].min(room - 2.0 * arrow).max(0.0)];
    let mut x = rect.left() + 4.0;
    for (index, part) in parts.iter().enumerate() {
        painter.text_cut(pos2(x, y), part, font.clone(), theme.ink, widths[index] + 0.5);
        x += widths[index];
        if index < 2 {
            let from = pos2(x + 4.0, y);
            let along: Vec2 = vec2(arrow - 8.0, 0.0);
            painter.arrow(from, along, Stroke::new(1.5, theme.accent));
            x += arrow;
        }
    }
    painter.galley_left(pos2(x + 12.0, y), galley, theme.quiet);
}
