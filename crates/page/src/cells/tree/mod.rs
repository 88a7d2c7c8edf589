//! The scene graph: nodes below nodes, where each is now, and which are joints.

mod row;
#[cfg(test)]
mod tests;

use bindpose_asset::{NodeIndex, NodeSkin, SceneGraph};
use bindpose_lesson::TreeCell;
use bindpose_notebook::scene_graph::{TreeRow, node_of, rows};
use bindpose_notebook::{Entity, number_text};
use bindpose_skin::JointIndex;
use eframe::egui::{
    ComboBox, FontId, Id, Key, Rect, RichText, Sense, Stroke, Ui, Vec2, WidgetInfo,
    accesskit::Role, pos2, vec2,
};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::{
    Arrows, PaintText, Tip as _, combo, keep_arrows, lit_shape, pressed, scroll_box, small_button,
};
use row::{ROW, TreeCellState, choose};

/// Rows in the box where the lesson does not say.
const ROWS: usize = 10;

/// From this width on, in points, the chosen node stands beside the rows.
const TWO_COLUMNS: f32 = 680.0;

/// From this width on, in points, the buttons stand beside the name of the file.
const ONE_LINE: f32 = 400.0;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &TreeCell, id: &str, page: &mut PageContext<'_>) {
    let graph = page.derived.graph();
    page.with_state(id, |memory: &mut TreeCellState, page| {
        let columns = if ui.available_width() >= TWO_COLUMNS { 2 } else { 1 };
        ui.columns(columns, |columns| {
            nodes(&mut columns[0], cell, id, page, graph, memory);
            let Some((chosen, beside)) = memory.chosen.zip(columns.last_mut()) else { return };
            beside.add_space(6.0);
            row::detail_ui(beside, cell, id, page, graph, chosen);
        });
    });
    if cell.mapping {
        ui.add_space(6.0);
        mapping_ui(ui, page, graph);
    }
}

/// The rows, in a box that scrolls.
fn nodes(
    ui: &mut Ui,
    cell: &TreeCell,
    id: &str,
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    memory: &mut TreeCellState,
) {
    let rig = &page.derived.rig;
    let roles = graph.joint_roles(rig.skeleton.len());
    let key = Id::unique(("tree cell", &page.document.lesson, id, &rig.id));
    title(ui, page, graph, memory);
    let jump = follow_joint(page, graph, memory);
    let mut tree = rows(graph, memory.scene, |node| memory.folded.contains(&node));
    let moved = keys(ui, key, &tree, graph, memory, page);
    if moved {
        tree = rows(graph, memory.scene, |node| memory.folded.contains(&node));
    }
    let visible = cell.rows.unwrap_or(ROWS).clamp(1, 40).min(tree.len().max(1));
    let scrolls = visible < tree.len();
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = ROW * (visible as f32 + if scrolls { 0.5 } else { 0.0 });
        let jump = offset(&tree, memory, visible, jump || moved);
        let area = scroll_box((id, "nodes"), height, jump);
        let output = area.show_rows(ui, ROW, tree.len(), |ui, range| {
            ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                node.set_role(Role::Tree);
                node.set_label("scene graph");
            });
            for &shown in &tree[range] {
                row::ui(ui, page, (graph, &roles), shown, key, memory);
            }
        });
        memory.offset = output.state.clamped_offset().y;
    });
}

/// Which file this is, its scenes, and buttons for the whole tree.
fn title(ui: &mut Ui, page: &PageContext<'_>, graph: &SceneGraph, memory: &mut TreeCellState) {
    let rig = &page.derived.rig;
    let name = match &rig.origin {
        Some(origin) => origin.source.name.clone(),
        None => format!("{}, made in memory", rig.title),
    };
    let count = |count: usize, what: &str| {
        let s = if count == 1 { "" } else { "s" };
        format!("{count} {what}{s}")
    };
    // Both buttons go to a line of their own, or neither.
    let wide = ui.available_width() >= ONE_LINE;
    ui.horizontal_wrapped(|ui| {
        let words = format!("{name}: {}", count(graph.nodes.len(), "node"));
        ui.label(page.theme.label(words));
        scenes(ui, page, graph, memory);
        if wide {
            fold_buttons(ui, graph, memory);
        }
    });
    if !wide {
        ui.horizontal(|ui| fold_buttons(ui, graph, memory));
    }
}

fn fold_buttons(ui: &mut Ui, graph: &SceneGraph, memory: &mut TreeCellState) {
    if graph.nodes.iter().all(|node| node.children.is_empty()) {
        return;
    }
    if ui.add(small_button("Fold all")).clicked() {
        memory.folded = (0..graph.nodes.len() as u32).map(NodeIndex).collect();
    }
    if ui.add(small_button("Unfold all")).clicked() {
        memory.folded.clear();
    }
}

/// A scene is a list of roots.
fn scenes(ui: &mut Ui, page: &PageContext<'_>, graph: &SceneGraph, memory: &mut TreeCellState) {
    let words = |index: usize| {
        let scene = &graph.scenes[index];
        let roots: Vec<String> = scene.roots.iter().take(6).map(|n| n.0.to_string()).collect();
        let more = if scene.roots.len() > 6 { ", …" } else { "" };
        let name = scene.name.as_deref().map(|name| format!(" “{name}”"));
        let s = if roots.len() == 1 { "" } else { "s" };
        let (name, roots) = (name.unwrap_or_default(), roots.join(", "));
        format!("scene {index}{name}: root{s} {roots}{more}")
    };
    match graph.scenes.len() {
        0 => {}
        1 => {
            ui.label(page.theme.label(words(0)));
        }
        count => {
            memory.scene = memory.scene.min(count - 1);
            let list = ComboBox::from_id_salt("scene");
            let words = |&index: &usize| words(index);
            let chosen = combo(ui, list, "the scene shown", &memory.scene, 0..count, words);
            memory.scene = chosen.unwrap_or(memory.scene);
        }
    }
}

/// The node of the joint that was chosen elsewhere becomes the chosen one, and
/// what hides it is unfolded. True when the tree must scroll to it.
fn follow_joint(page: &PageContext<'_>, graph: &SceneGraph, memory: &mut TreeCellState) -> bool {
    let joint = page.document.state.joint;
    if memory.joint == Some(joint) {
        return false;
    }
    memory.joint = Some(joint);
    let Some(node) = node_of(graph, joint) else {
        return false;
    };
    memory.chosen = Some(node);
    for above in graph.ancestors(node) {
        memory.folded.remove(&above);
    }
    true
}

/// Where to scroll, so that the chosen row is seen.
fn offset(tree: &[TreeRow], memory: &TreeCellState, visible: usize, moved: bool) -> Option<f32> {
    if !moved || visible >= tree.len() {
        return None;
    }
    let chosen = memory.chosen?;
    let at = tree.iter().position(|row| row.node == chosen)? as f32;
    let now = memory.offset;
    let (first, last) = (now / ROW, now / ROW + visible as f32 - 1.0);
    let to = if at < first {
        at
    } else if at > last {
        at - visible as f32 + 1.0
    } else {
        return None;
    };
    Some(to * ROW)
}

/// Arrow keys while a row has the focus. True when another row is chosen.
fn keys(
    ui: &Ui,
    key: Id,
    tree: &[TreeRow],
    graph: &SceneGraph,
    memory: &mut TreeCellState,
    page: &mut PageContext<'_>,
) -> bool {
    let Some(chosen) = memory.chosen else {
        return false;
    };
    let row = row::id(key, chosen);
    if !ui.memory(|all| all.has_focus(row)) {
        return false;
    }
    keep_arrows(ui, row, Arrows::All);
    let pressed = |key: Key| pressed(ui, key);
    let at = tree.iter().position(|row| row.node == chosen);
    let step =
        |by: isize| -> Option<NodeIndex> { Some(tree.get(at?.checked_add_signed(by)?)?.node) };
    let Some(node) = graph.nodes.get(chosen.index()) else {
        return false;
    };
    let open = !node.children.is_empty() && !memory.folded.contains(&chosen);
    let next = if pressed(Key::ArrowDown) {
        step(1)
    } else if pressed(Key::ArrowUp) {
        step(-1)
    } else if pressed(Key::Home) {
        tree.first().map(|row| row.node)
    } else if pressed(Key::End) {
        tree.last().map(|row| row.node)
    } else if pressed(Key::ArrowLeft) {
        if open {
            memory.folded.insert(chosen);
            return false;
        }
        node.parent
    } else if pressed(Key::ArrowRight) {
        if memory.folded.remove(&chosen) {
            return false;
        }
        node.children.first().copied()
    } else {
        None
    };
    let Some(next) = next else {
        return false;
    };
    choose(page, graph, memory, next);
    memory.focus = true;
    true
}

// From a number that a vertex stores to the node that moves it: `JOINTS_0`
// counts in `skin.joints`, and that names nodes.

const LINE: f32 = 24.0;

/// One path: a number of the vertex, its weight, and where it leads.
struct InfluencePath {
    stored: usize,
    weight: f32,
    node: NodeIndex,
    joint: JointIndex,
}

fn mapping_ui(ui: &mut Ui, page: &mut PageContext<'_>, graph: &SceneGraph) {
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
