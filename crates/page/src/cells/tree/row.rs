//! One line of the tree: a node.

use std::fmt::Write as _;

use bindpose_asset::{GraphNode, JointRole, NodeIndex, SceneGraph};
use bindpose_notebook::number_text;
use bindpose_notebook::scene_graph::{TreeRow, world_from_node};
use bindpose_notebook::{Entity, significant_digits};
use bindpose_skin::JointIndex;
use eframe::egui::{FontId, Id, Rect, Sense, Stroke, Ui, WidgetInfo, accesskit::Role, pos2, vec2};

use super::selection::{TreeCellState, choose};
use crate::PageContext;
use crate::icons;
use crate::theme::{CAPTION, INTERFACE, SMALL, font};
use crate::touch;
use crate::widgets::{PaintText, lit_shape, paint_badge_at};

/// Height of a line.
pub(super) const ROW: f32 = 26.0;
const INDENT: f32 = 18.0;
/// Deeper nodes stand no farther in.
const MOST_INDENTS: usize = 12;

/// Stable, so that the focus stays with the node.
pub(super) fn id(key: Id, node: NodeIndex) -> Id {
    key.with(("row", node.0))
}

pub(super) fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    (graph, roles): (&SceneGraph, &[JointRole]),
    shown: TreeRow,
    key: Id,
    memory: &mut TreeCellState,
) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let Some(node) = graph.nodes.get(shown.node.index()) else {
        return;
    };
    let chosen = memory.chosen == Some(shown.node);
    // One stop for the Tab key: the chosen row. The arrow keys lead on.
    let sense = if chosen { Sense::click() } else { Sense::CLICK };
    let response = ui.interact(rect, id(key, shown.node), sense);
    if chosen && std::mem::take(&mut memory.focus) {
        response.request_focus();
    }
    let entity = node.joint.map(Entity::Joint);
    // Other nodes move something too, but no vertex names them by a number.
    let of_skin = |joint: &JointIndex| roles.get(joint.index()) != Some(&JointRole::Helper);
    let joint = node.joint.filter(of_skin);
    let lit = response.hovered() || entity.is_some_and(|entity| page.linked.is_lit(entity));
    let painter = ui.painter();
    if lit {
        painter.add(lit_shape(page.theme, rect, 4.0));
    } else if chosen {
        painter.rect_filled(rect, 4.0, page.theme.accent_wash);
    }
    let indents = shown.depth.min(MOST_INDENTS);
    for level in 0..indents {
        let x = rect.left() + 11.0 + INDENT * level as f32;
        painter.vline(x, rect.y_range(), Stroke::new(1.0, page.theme.rule));
    }
    let left = rect.left() + 4.0 + INDENT * indents as f32;
    let folded = memory.folded.contains(&shown.node);
    // Before its button, which comes after it where they are read.
    ui.ctx().accesskit_node_builder(response.id, |it| {
        it.set_level(shown.depth + 1);
        if !node.children.is_empty() {
            it.set_expanded(!folded);
        }
    });
    if !node.children.is_empty() {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(16.0, ROW));
        caret(ui, page, key, memory, shown.node, place, &name(node, shown.node));
    }
    let end = paint_words(ui, page, node, (shown.node, joint), rect, left + 20.0);
    let place = place(ui, page, graph, shown.node, rect, end);
    let label = label(node, joint, shown, folded, &place);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, chosen, label.clone()));
    if let Some(entity) = entity.filter(|_| touch::is_pointed_at(&response) || response.has_focus())
    {
        page.linked.hover(entity);
    }
    if response.clicked() {
        choose(page, graph, memory, shown.node);
        memory.focus = true;
    }
}

fn caret(
    ui: &mut Ui,
    page: &PageContext<'_>,
    key: Id,
    memory: &mut TreeCellState,
    node: NodeIndex,
    place: Rect,
    name: &str,
) {
    let folded = memory.folded.contains(&node);
    let response = ui.interact(place, key.with(("fold", node.0)), Sense::CLICK);
    let verb = if folded { "unfold" } else { "fold" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} {name}")));
    let middle = place.center();
    // A triangle: to the right when folded, down when open.
    let corners = if folded {
        [vec2(-2.5, -4.5), vec2(3.5, 0.0), vec2(-2.5, 4.5)]
    } else {
        [vec2(-4.5, -2.5), vec2(4.5, -2.5), vec2(0.0, 3.5)]
    };
    let color = if response.hovered() { page.theme.accent } else { page.theme.quiet };
    ui.painter().add(eframe::egui::Shape::convex_polygon(
        corners.map(|corner| middle + corner).to_vec(),
        color,
        Stroke::NONE,
    ));
    if response.clicked() && !memory.folded.remove(&node) {
        memory.folded.insert(node);
    }
}

/// Number, badge, name and what hangs on the node; answers with where they end.
fn paint_words(
    ui: &Ui,
    page: &PageContext<'_>,
    node: &GraphNode,
    (index, joint): (NodeIndex, Option<JointIndex>),
    rect: Rect,
    left: f32,
) -> f32 {
    let painter = ui.painter();
    let quiet = page.theme.quiet;
    let mut x = left;
    let put = |x: f32, text: &str, font: FontId| {
        let at = pos2(x, rect.center().y);
        let put = painter.text_left(at, text, font, quiet);
        put.right() + 7.0
    };
    let mono = FontId::monospace(CAPTION);
    x = put(x, &index.0.to_string(), mono);
    if node.mesh.is_some() {
        x = put(x, icons::CUBE, font::icon(INTERFACE));
    }
    if let Some(joint) = joint {
        x = paint_badge_at(ui, page.theme, pos2(x, rect.center().y), joint) + 7.0;
    }
    let name = name(node, index);
    let font = FontId::proportional(SMALL);
    let at = pos2(x, rect.center().y);
    let text = painter.text_left(at, name, font.clone(), page.theme.ink);
    let at = pos2(text.right() + 8.0, rect.center().y);
    let what = hangs(node);
    painter.text_left(at, what, font, quiet).right()
}

/// Where the node is now, at the right end of the line if there is room.
fn place(
    ui: &Ui,
    page: &PageContext<'_>,
    graph: &SceneGraph,
    node: NodeIndex,
    rect: Rect,
    end: f32,
) -> String {
    let origin = world_from_node(page.derived, graph, node).w_axis.truncate();
    let size = significant_digits::size_in_world(&page.derived.rig)
        .max(significant_digits::largest(origin));
    let decimals = significant_digits::decimals(size, 2);
    let text = number_text::point(&origin.to_array(), decimals);
    let font = FontId::monospace(CAPTION);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, page.theme.quiet);
    let left = rect.right() - 6.0 - galley.size().x;
    if left > end + 8.0 {
        let at = pos2(left, rect.center().y);
        ui.painter().galley_left(at, galley, page.theme.quiet);
    }
    text
}

/// The file's own name, or its number.
pub(super) fn name(node: &GraphNode, index: NodeIndex) -> String {
    match node.name.as_deref() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("node {}", index.0),
    }
}

fn hangs(node: &GraphNode) -> String {
    let mesh = node.mesh.map(|mesh| format!("mesh {mesh}"));
    let skin = node.skin.map(|skin| format!("skin {skin}"));
    let parts: Vec<String> = mesh.into_iter().chain(skin).collect();
    parts.join(", ")
}

fn label(
    node: &GraphNode,
    joint: Option<JointIndex>,
    shown: TreeRow,
    folded: bool,
    place: &str,
) -> String {
    let mut label = format!("node {}: {}", shown.node.0, name(node, shown.node));
    if let Some(joint) = joint {
        let _ = write!(label, ", joint {}", joint.0);
    }
    let hangs = hangs(node);
    if !hangs.is_empty() {
        let _ = write!(label, ", {hangs}");
    }
    let _ = write!(label, ", at {place}, level {}", shown.depth + 1);
    if folded && !node.children.is_empty() {
        label.push_str(", folded");
    }
    label
}
