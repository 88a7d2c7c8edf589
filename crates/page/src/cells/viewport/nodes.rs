//! Accessibility nodes for the joints and vertices of a picture, with name and position. Screen
//! readers can choose them. The pointer and the Tab key skip them.

use bindpose_lesson::number_text;
use bindpose_lesson::significant_digits::{self, USUAL_DECIMALS};
use bindpose_notebook::{Derived, Entity, joint_label, size_in_world};
use eframe::egui::{Id, Pos2, Rect, Sense, Ui, Vec2, WidgetInfo, accesskit};

use super::overlay::Overlay;
use crate::PageContext;

/// Maximum number of joints with nodes. For larger rigs, lists of joints are easier to use.
const MAX_JOINT_NODES: usize = 200;

/// Maximum number of vertices of a rig whose vertices have nodes.
const MAX_VERTEX_NODES: usize = 60;

const NODE_SIDE_PTS: f32 = 20.0;

/// Adds the nodes of the picture `id` in `rect`. Marks outside the picture have their nodes at
/// its edge. `described` has the positions that the names contain, which do not change during an
/// animation.
pub(super) fn ui(
    ui: &Ui,
    id: &str,
    rect: Rect,
    overlay: &Overlay<'_>,
    described: &Derived,
    page: &mut PageContext<'_>,
) {
    let centers = rect.shrink(NODE_SIDE_PTS / 2.0);
    for (joint, at) in overlay.visible_joints().take(MAX_JOINT_NODES) {
        let is_chosen = page.document.state.joint == joint;
        let name = joint_label(joint.index(), &page.derived.rig);
        add_node(ui, id, centers.clamp(at), Entity::Joint(joint), &name, is_chosen, page);
    }
    let vertices = overlay.marked_vertices();
    if vertices.len() > MAX_VERTEX_NODES {
        return;
    }
    for &(vertex, at) in vertices {
        let is_chosen = page.document.state.vertex == vertex;
        let position = format_vertex_position(described, vertex).unwrap_or_default();
        let name = format!("vertex {vertex} at {position}");
        add_node(ui, id, centers.clamp(at), Entity::Vertex(vertex), &name, is_chosen, page);
    }
}

fn add_node(
    ui: &Ui,
    picture: &str,
    center: Pos2,
    entity: Entity,
    name: &str,
    is_chosen: bool,
    page: &mut PageContext<'_>,
) {
    let rect = Rect::from_center_size(center, Vec2::splat(NODE_SIDE_PTS));
    let id = Id::unique(("mark in a picture", picture, entity));
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::selected(accesskit::Role::Button, true, is_chosen, name));
    ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
    if ui.input(|input| input.has_accesskit_action_request(id, accesskit::Action::Click)) {
        page.choose_entity(entity);
    }
}

/// Formats the world position of a vertex, such as `0.217, 2.125, 0.000`. Returns `None` if the
/// vertex does not exist.
pub(super) fn format_vertex_position(derived: &Derived, vertex: u32) -> Option<String> {
    let position = derived.position(vertex as usize)?;
    let size = size_in_world(&derived.rig).max(significant_digits::largest(position));
    let decimals = significant_digits::decimals(size, USUAL_DECIMALS);
    let coordinates = position.to_array().map(|x| number_text::fixed(x.into(), decimals));
    Some(coordinates.join(", "))
}
