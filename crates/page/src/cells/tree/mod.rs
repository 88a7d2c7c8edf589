//! The scene graph as a tree of nodes: their transforms, and which of them are joints.

mod node_details;
mod row;
#[cfg(test)]
mod tests;

use bindpose_gltf::{NodeIndex, NodeSkin, SceneGraph};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{
    Arrows, PaintText, RowList, Tip as _, consume_key, drop_down_list, highlight_shape,
    keep_arrows, row_by_arrows, small_button,
};
use bindpose_lesson::{TreeCell, number_text};
use bindpose_notebook::Entity;
use bindpose_notebook::scene_graph::{TreeRow, node_of, rows};
use bindpose_skin::JointIndex;
use eframe::egui::{
    ComboBox, FontId, Id, Key, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, accesskit::Role,
    pos2, vec2,
};

use crate::PageContext;
use row::{ROW_HEIGHT_PTS, TreeCellState, select_node};

/// Number of visible rows if the lesson sets none.
const DEFAULT_ROW_COUNT: usize = 10;
const MAX_ROW_COUNT: usize = 40;

/// Minimum width at which the details of the selected node are beside the rows.
const MIN_TWO_COLUMN_WIDTH_PTS: f32 = 680.0;

/// Minimum width at which the fold buttons are on the line of the file name.
const MIN_SINGLE_LINE_WIDTH_PTS: f32 = 400.0;

pub(super) fn ui(ui: &mut Ui, cell: &TreeCell, id: &str, page: &mut PageContext<'_>) {
    let graph = page.derived.graph();
    page.with_state(id, |state: &mut TreeCellState, page| {
        let column_count = if ui.available_width() >= MIN_TWO_COLUMN_WIDTH_PTS { 2 } else { 1 };
        ui.columns(column_count, |columns| {
            nodes_ui(&mut columns[0], cell, id, page, graph, state);
            if let Some(selected) = state.selected
                && let Some(column) = columns.last_mut()
            {
                column.add_space(6.0);
                node_details::details_ui(column, cell, id, page, graph, selected);
            }
        });
    });
    if cell.mapping {
        ui.add_space(6.0);
        influence_paths_ui(ui, page, graph);
    }
}

/// Draws the heading and the rows in a scroll box.
fn nodes_ui(
    ui: &mut Ui,
    cell: &TreeCell,
    id: &str,
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    state: &mut TreeCellState,
) {
    let rig = &page.derived.rig;
    let roles = graph.joint_roles(rig.skeleton.len());
    let tree_id = Id::unique(("tree cell", &page.document.lesson, id, &rig.id));
    heading_ui(ui, page, graph, state);
    let follows_joint = follow_selected_joint(page, graph, state);
    let mut tree = rows(graph, state.scene, |node| state.folded.contains(&node));
    let moved_by_keys = handle_arrow_keys(ui, tree_id, &tree, graph, state, page);
    if moved_by_keys {
        tree = rows(graph, state.scene, |node| state.folded.contains(&node));
    }
    let mut list = RowList::new((id, "nodes"), ROW_HEIGHT_PTS, tree.len())
        .max_visible_rows(cell.rows.map_or(DEFAULT_ROW_COUNT, |rows| rows.0).min(MAX_ROW_COUNT))
        .accessible(Role::Tree, "scene graph");
    if (follows_joint || moved_by_keys)
        && let Some(row) = tree.iter().position(|row| state.selected == Some(row.node))
    {
        list = list.scroll_into_view(row);
    }
    list.show(ui, |ui, range| {
        for &row in &tree[range] {
            row::row_ui(ui, page, graph, &roles, row, tree_id, state);
        }
    });
}

/// Draws the name of the file, its scenes, and the buttons that fold the whole tree.
fn heading_ui(ui: &mut Ui, page: &PageContext<'_>, graph: &SceneGraph, state: &mut TreeCellState) {
    let rig = &page.derived.rig;
    let name = match &rig.origin {
        Some(origin) => origin.source.name.clone(),
        None => format!("{}, made in memory", rig.title),
    };
    let node_count = match graph.nodes.len() {
        1 => "1 node".to_owned(),
        count => format!("{count} nodes"),
    };
    // Keep both fold buttons on one line.
    let is_single_line = ui.available_width() >= MIN_SINGLE_LINE_WIDTH_PTS;
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label(format!("{name}: {node_count}")));
        scene_choice(ui, page, graph, state);
        if is_single_line {
            fold_buttons(ui, graph, state);
        }
    });
    if !is_single_line {
        ui.horizontal(|ui| fold_buttons(ui, graph, state));
    }
}

fn fold_buttons(ui: &mut Ui, graph: &SceneGraph, state: &mut TreeCellState) {
    if graph.nodes.iter().all(|node| node.children.is_empty()) {
        return;
    }
    if ui.add(small_button("Fold all")).clicked() {
        state.folded = (0..graph.nodes.len() as u32).map(NodeIndex).collect();
    }
    if ui.add(small_button("Unfold all")).clicked() {
        state.folded.clear();
    }
}

/// Draws the only scene as a label, or several as a combo box.
fn scene_choice(
    ui: &mut Ui,
    page: &PageContext<'_>,
    graph: &SceneGraph,
    state: &mut TreeCellState,
) {
    match graph.scenes.len() {
        0 => {}
        1 => {
            ui.label(page.theme.label(describe_scene(graph, 0)));
        }
        count => {
            state.scene = state.scene.min(count - 1);
            let list = ComboBox::from_id_salt("scene");
            let chosen =
                drop_down_list(ui, list, "the scene shown", &state.scene, 0..count, |&index| {
                    describe_scene(graph, index)
                });
            state.scene = chosen.unwrap_or(state.scene);
        }
    }
}

/// Formats the index, name and roots of a scene.
fn describe_scene(graph: &SceneGraph, index: usize) -> String {
    let scene = &graph.scenes[index];
    let name = match &scene.name {
        Some(name) => format!(" “{name}”"),
        None => String::new(),
    };
    let roots: Vec<String> = scene.roots.iter().take(6).map(|node| node.0.to_string()).collect();
    let plural = if roots.len() == 1 { "" } else { "s" };
    let more = if scene.roots.len() > 6 { ", …" } else { "" };
    format!("scene {index}{name}: root{plural} {}{more}", roots.join(", "))
}

/// Selects and unfolds the node of a joint that was selected elsewhere. Returns true if
/// there is such a node, and the tree must scroll to it.
fn follow_selected_joint(
    page: &PageContext<'_>,
    graph: &SceneGraph,
    state: &mut TreeCellState,
) -> bool {
    let joint = page.document.state.joint;
    if state.last_joint == Some(joint) {
        return false;
    }
    state.last_joint = Some(joint);
    let Some(node) = node_of(graph, joint) else {
        return false;
    };
    state.selected = Some(node);
    for ancestor in graph.ancestors(node) {
        state.folded.remove(&ancestor);
    }
    true
}

/// Handles keys while the selected row has the focus. Left and right also fold and unfold.
/// Returns true if another row was selected.
fn handle_arrow_keys(
    ui: &Ui,
    tree_id: Id,
    tree: &[TreeRow],
    graph: &SceneGraph,
    state: &mut TreeCellState,
    page: &mut PageContext<'_>,
) -> bool {
    let Some(selected) = state.selected else {
        return false;
    };
    let row_id = row::row_id(tree_id, selected);
    if !ui.memory(|memory| memory.has_focus(row_id)) {
        return false;
    }
    keep_arrows(ui, row_id, Arrows::All);
    let Some(node) = graph.nodes.get(selected.index()) else {
        return false;
    };
    let is_open = !node.children.is_empty() && !state.folded.contains(&selected);
    let row_index = tree.iter().position(|row| row.node == selected);
    let next_row = row_index.and_then(|row| row_by_arrows(ui, row_id, row, tree.len()));
    let next = if let Some(row) = next_row {
        Some(tree[row].node)
    } else if consume_key(ui, Key::ArrowLeft) {
        if is_open {
            state.folded.insert(selected);
            return false;
        }
        node.parent
    } else if consume_key(ui, Key::ArrowRight) {
        if state.folded.remove(&selected) {
            return false;
        }
        node.children.first().copied()
    } else {
        None
    };
    let Some(next) = next else {
        return false;
    };
    select_node(page, graph, state, next);
    state.requests_focus = true;
    true
}

// Paths from the joint indices of a vertex to nodes: `JOINTS_0` has indices into
// `skin.joints`, which has indices of nodes.

const PATH_HEIGHT_PTS: f32 = 24.0;

/// The path from one influence of a vertex to a node.
struct InfluencePath {
    /// Index into `skin.joints`, as stored in `JOINTS_0`.
    skin_joint_index: usize,
    weight: f32,
    node: NodeIndex,
    joint: JointIndex,
}

fn influence_paths_ui(ui: &mut Ui, page: &mut PageContext<'_>, graph: &SceneGraph) {
    let vertex = page.document.state.vertex;
    let Some(influences) = page.derived.influences.get(vertex as usize).copied() else {
        return;
    };
    let heading = format!("From v{vertex} to nodes");
    ui.label(RichText::new(heading).font(font::strong(SMALL_SIZE)));
    let paths: Vec<InfluencePath> = influences
        .used()
        .filter_map(|(_, joint, weight)| {
            let (skin_joint_index, node) = find_in_skins(&graph.skins, joint)?;
            Some(InfluencePath { skin_joint_index, weight, node, joint })
        })
        .collect();
    if paths.is_empty() {
        let text = "No skin moves it: it follows its node.";
        ui.label(page.theme.label(text));
    }
    for path in paths {
        influence_path_ui(ui, page, graph, &path);
    }
}

/// Returns the joint's index in the first skin that has it, and its node.
fn find_in_skins(skins: &[NodeSkin], joint: JointIndex) -> Option<(usize, NodeIndex)> {
    skins.iter().find_map(|skin| {
        let index = skin.ours.iter().position(|&ours| ours == joint)?;
        Some((index, *skin.joints.get(index)?))
    })
}

fn influence_path_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    path: &InfluencePath,
) {
    let size = vec2(ui.available_width(), PATH_HEIGHT_PTS);
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
    let name = match graph.nodes.get(path.node.index()) {
        Some(node) => row::node_name(node, path.node),
        None => String::new(),
    };
    let parts = [
        format!("JOINTS_0: {}", path.skin_joint_index),
        format!("skin.joints[{}] = {}", path.skin_joint_index, path.node.0),
        format!("node {} {name}", path.node.0),
    ];
    if page.linked.is_lit(Entity::Joint(path.joint)) {
        ui.painter().add(highlight_shape(page.theme, rect, 4.0));
    }
    let weight = number_text::fixed(path.weight.into(), 2);
    let label = format!("{}, weight {weight}", parts.join(" → "));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    draw_influence_path(ui, page, rect, &parts, &weight);
    page.link_response(&response.tip(label), Entity::Joint(path.joint));
}

/// Draws the parts of a path with arrows between them, followed by the weight.
fn draw_influence_path(
    ui: &Ui,
    page: &PageContext<'_>,
    rect: Rect,
    parts: &[String; 3],
    weight: &str,
) {
    let theme = page.theme;
    let painter = ui.painter().with_clip_rect(rect);
    let font = FontId::monospace(CAPTION_SIZE);
    let y = rect.center().y;
    let mut widths = parts
        .each_ref()
        .map(|part| painter.layout_no_wrap(part.clone(), font.clone(), theme.ink).size().x);
    let weight_galley = painter.layout_no_wrap(
        format!("w = {weight}"),
        FontId::proportional(CAPTION_SIZE),
        theme.quiet,
    );
    // Width left for the two arrows and the node, which is truncated if necessary.
    let remaining = rect.width() - widths[0] - widths[1] - weight_galley.size().x - 20.0;
    let arrow_width = ((remaining - widths[2]) / 2.0).clamp(16.0, 56.0);
    widths[2] = widths[2].min(remaining - 2.0 * arrow_width).max(0.0);
    let mut x = rect.left() + 4.0;
    for (index, part) in parts.iter().enumerate() {
        painter.text_cut(pos2(x, y), part, font.clone(), theme.ink, widths[index] + 0.5);
        x += widths[index];
        if index < 2 {
            let start = pos2(x + 4.0, y);
            painter.arrow(start, vec2(arrow_width - 8.0, 0.0), Stroke::new(1.5, theme.accent));
            x += arrow_width;
        }
    }
    painter.galley_left(pos2(x + 12.0, y), weight_galley, theme.quiet);
}
