//! A row of the tree: one node.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bindpose_gltf::{GraphNode, JointRole, NodeIndex, SceneGraph};
use bindpose_kit::theme::{CAPTION_SIZE, INTERFACE_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{PaintText, SelectableRow, paint_badge_at};
use bindpose_kit::{icons, touch};
use bindpose_lesson::{Setting, number_text, significant_digits};
use bindpose_notebook::scene_graph::{TreeRow, world_from_node};
use bindpose_notebook::{Entity, size_in_world};
use bindpose_skin::JointIndex;
use eframe::egui::{
    FontId, Id, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use crate::PageContext;

pub(super) const ROW_HEIGHT_PTS: f32 = 26.0;
const INDENT_PTS: f32 = 18.0;
/// Maximum indentation. Deeper nodes are indented no further.
const MAX_INDENT_LEVELS: usize = 12;

/// State of the tree that the reader controls: selection and folding.
#[derive(Default)]
pub(super) struct TreeCellState {
    pub(super) folded: BTreeSet<NodeIndex>,
    /// Index of the displayed scene.
    pub(super) scene: usize,
    pub(super) selected: Option<NodeIndex>,
    /// The joint that was selected when the tree was last drawn.
    pub(super) last_joint: Option<JointIndex>,
    /// If set, the row of the selected node requests the focus when it is drawn.
    pub(super) requests_focus: bool,
}

/// Selects a node, and its joint if it has one.
pub(super) fn select_node(
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    state: &mut TreeCellState,
    node: NodeIndex,
) {
    state.selected = Some(node);
    let joint = graph.nodes.get(node.index()).and_then(|node| node.joint);
    if let Some(joint) = joint
        && joint != page.document.state.joint
    {
        state.last_joint = Some(joint);
        page.choose(Setting::Joint(joint.into()));
    }
}

/// Returns the id of a node's row. It does not depend on the row's position, so the focus
/// stays with the node.
pub(super) fn row_id(tree_id: Id, node: NodeIndex) -> Id {
    tree_id.with(("row", node.0))
}

/// Draws the row of a node. `roles` has the role of each joint.
pub(super) fn row_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    graph: &SceneGraph,
    roles: &[JointRole],
    row: TreeRow,
    tree_id: Id,
    state: &mut TreeCellState,
) {
    let Some(node) = graph.nodes.get(row.node.index()) else {
        return;
    };
    let is_selected = state.selected == Some(row.node);
    let entity = node.joint.map(Entity::Joint);
    let response = SelectableRow::new(row_id(tree_id, row.node), ROW_HEIGHT_PTS)
        .selected(is_selected)
        .lit(entity.is_some_and(|entity| page.linked.is_lit(entity)))
        .request_focus(is_selected && std::mem::take(&mut state.requests_focus))
        .show(ui, page.theme);
    let rect = response.rect;
    // A helper moves something too, but no vertex refers to it by a joint index.
    let joint = node.joint.filter(|joint| roles.get(joint.index()) != Some(&JointRole::Helper));
    let indent_levels = row.depth.min(MAX_INDENT_LEVELS);
    for level in 0..indent_levels {
        let x = rect.left() + 11.0 + INDENT_PTS * level as f32;
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.0, page.theme.rule));
    }
    let left = rect.left() + 4.0 + INDENT_PTS * indent_levels as f32;
    let is_folded = state.folded.contains(&row.node);
    // Create this accessibility node before that of the fold button, so that screen
    // readers read it first.
    ui.ctx().accesskit_node_builder(response.id, |builder| {
        builder.set_level(row.depth + 1);
        if !node.children.is_empty() {
            builder.set_expanded(!is_folded);
        }
    });
    if !node.children.is_empty() {
        let button_rect = Rect::from_min_size(pos2(left, rect.top()), vec2(16.0, ROW_HEIGHT_PTS));
        let name = node_name(node, row.node);
        fold_button(ui, page, tree_id, state, row.node, button_rect, &name);
    }
    let text_right = draw_node_text(ui, page, node, row.node, joint, rect, left + 20.0);
    let origin = draw_origin(ui, page, graph, row.node, rect, text_right);
    let label = row_label(node, joint, row, is_folded, &origin);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_selected, &label));
    if let Some(entity) = entity
        && (touch::is_pointed_at(&response) || response.has_focus())
    {
        page.linked.hover(entity);
    }
    if response.clicked() {
        select_node(page, graph, state, row.node);
        state.requests_focus = true;
    }
}

fn fold_button(
    ui: &mut Ui,
    page: &PageContext<'_>,
    tree_id: Id,
    state: &mut TreeCellState,
    node: NodeIndex,
    rect: Rect,
    name: &str,
) {
    let is_folded = state.folded.contains(&node);
    let response = ui.interact(rect, tree_id.with(("fold", node.0)), Sense::CLICK);
    let verb = if is_folded { "unfold" } else { "fold" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} {name}")));
    // A triangle that points right if folded, and down otherwise.
    let corners = if is_folded {
        [vec2(-2.5, -4.5), vec2(3.5, 0.0), vec2(-2.5, 4.5)]
    } else {
        [vec2(-4.5, -2.5), vec2(4.5, -2.5), vec2(0.0, 3.5)]
    };
    let triangle = corners.map(|corner| rect.center() + corner).to_vec();
    let color = if response.hovered() { page.theme.accent } else { page.theme.quiet };
    ui.painter().add(Shape::convex_polygon(triangle, color, Stroke::NONE));
    if response.clicked() && !state.folded.remove(&node) {
        state.folded.insert(node);
    }
}

/// Draws the index, mesh icon, joint badge and name of a node, and its mesh and skin.
/// Returns the right end of the text.
fn draw_node_text(
    ui: &Ui,
    page: &PageContext<'_>,
    node: &GraphNode,
    index: NodeIndex,
    joint: Option<JointIndex>,
    rect: Rect,
    left: f32,
) -> f32 {
    let painter = ui.painter();
    let theme = page.theme;
    let y = rect.center().y;
    let index_font = FontId::monospace(CAPTION_SIZE);
    let index_rect = painter.text_left(pos2(left, y), index.0, index_font, theme.quiet);
    let mut x = index_rect.right() + 7.0;
    if node.mesh.is_some() {
        let icon_font = font::icon(INTERFACE_SIZE);
        x = painter.text_left(pos2(x, y), icons::CUBE, icon_font, theme.quiet).right() + 7.0;
    }
    if let Some(joint) = joint {
        x = paint_badge_at(ui, theme, pos2(x, y), joint) + 7.0;
    }
    let font = FontId::proportional(SMALL_SIZE);
    let name_rect = painter.text_left(pos2(x, y), node_name(node, index), font.clone(), theme.ink);
    let attachments_left = pos2(name_rect.right() + 8.0, y);
    painter.text_left(attachments_left, attachments(node), font, theme.quiet).right()
}

/// Draws the node's origin in world space at the right end of the row, if there is room
/// right of `text_right`. Returns the origin as text in any case.
fn draw_origin(
    ui: &Ui,
    page: &PageContext<'_>,
    graph: &SceneGraph,
    node: NodeIndex,
    rect: Rect,
    text_right: f32,
) -> String {
    let origin_in_world = world_from_node(page.derived, graph, node).w_axis.truncate();
    let size = size_in_world(&page.derived.rig).max(significant_digits::largest(origin_in_world));
    let decimals = significant_digits::decimals(size, 2);
    let text = number_text::point(&origin_in_world.to_array(), decimals);
    let font = FontId::monospace(CAPTION_SIZE);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, page.theme.quiet);
    let left = rect.right() - 6.0 - galley.size().x;
    if left > text_right + 8.0 {
        ui.painter().galley_left(pos2(left, rect.center().y), galley, page.theme.quiet);
    }
    text
}

/// Returns the node's name in the file, or its index if it has none.
pub(super) fn node_name(node: &GraphNode, index: NodeIndex) -> String {
    match node.name.as_deref() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("node {}", index.0),
    }
}

/// Formats the indices of the node's mesh and skin. Empty if it has neither.
fn attachments(node: &GraphNode) -> String {
    let mesh = node.mesh.map(|mesh| format!("mesh {mesh}"));
    let skin = node.skin.map(|skin| format!("skin {skin}"));
    let parts: Vec<String> = mesh.into_iter().chain(skin).collect();
    parts.join(", ")
}

/// Formats the accessible name of a row.
fn row_label(
    node: &GraphNode,
    joint: Option<JointIndex>,
    row: TreeRow,
    is_folded: bool,
    origin: &str,
) -> String {
    let mut label = format!("node {}: {}", row.node.0, node_name(node, row.node));
    if let Some(joint) = joint {
        let _ = write!(label, ", joint {}", joint.0);
    }
    let attachments = attachments(node);
    if !attachments.is_empty() {
        let _ = write!(label, ", {attachments}");
    }
    let _ = write!(label, ", at {origin}, level {}", row.depth + 1);
    if is_folded && !node.children.is_empty() {
        label.push_str(", folded");
    }
    label
}
