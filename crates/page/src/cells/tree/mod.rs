//! The scene graph: nodes below nodes, where each is now, and which are joints.

mod detail;
mod mapping;
mod row;
mod selection;
#[cfg(test)]
mod tests;

use bindpose_asset::{NodeIndex, SceneGraph};
use bindpose_lesson::TreeCell;
use bindpose_notebook::scene_graph::{TreeRow, node_of, rows};
use eframe::egui::{ComboBox, Id, Key, Ui, accesskit::Role};

use crate::PageContext;
use crate::widgets::{Arrows, combo, keep_arrows, pressed, scroll_box, small_button};
use row::ROW;
use selection::{TreeCellState, choose};

/// Rows in the box where the lesson does not say.
const ROWS: usize = 10;

/// From this width on, in points, the buttons stand beside the name of the file.
const ONE_LINE: f32 = 440.0;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &TreeCell, id: &str, page: &mut PageContext<'_>) {
    let graph = page.derived.graph();
    page.with_state(id, |memory: &mut TreeCellState, page| {
        nodes(ui, cell, id, page, graph, memory);
        if let Some(chosen) = memory.chosen {
            ui.add_space(6.0);
            detail::ui(ui, cell, id, page, graph, chosen);
        }
    });
    if cell.mapping {
        ui.add_space(6.0);
        mapping::ui(ui, page, graph);
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
    let mut above = graph.nodes.get(node.index()).and_then(|node| node.parent);
    for _ in 0..graph.nodes.len() {
        let Some(parent) = above else { break };
        memory.folded.remove(&parent);
        above = graph.nodes.get(parent.index()).and_then(|node| node.parent);
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
