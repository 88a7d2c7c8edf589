//! The joints and vertices of a picture for those who do not see it: each a node
//! with its name and place, which can be chosen. The pointer and the Tab key pass
//! them by.

use bindpose_notebook::significant_digits::USUAL_DECIMALS;
use bindpose_notebook::{Derived, Entity, joint_label, number_text, significant_digits};
use eframe::egui::{Id, Pos2, Rect, Sense, Ui, Vec2, WidgetInfo, accesskit};

use super::overlay::Overlay;
use crate::PageContext;

/// Joints that have nodes; with more, the lists of joints are the better way.
const MOST_JOINTS: usize = 200;
/// Vertices that have nodes: those of small rigs.
const MOST_VERTICES: usize = 60;
/// Side of a node, in points.
const SIDE: f32 = 20.0;

/// `rect` is where the picture `id` stands: what lies outside has its node at the
/// edge. `said_of`: whose places are told, while the picture moves.
pub(super) fn ui(
    ui: &Ui,
    (id, rect): (&str, Rect),
    overlay: &Overlay<'_>,
    said_of: &Derived,
    page: &mut PageContext<'_>,
) {
    let within = rect.shrink(SIDE / 2.0);
    let place = |at: Pos2| (id, within.clamp(at));
    for (joint, at) in overlay.joint_places().take(MOST_JOINTS) {
        let chosen = page.document.state.joint == joint;
        let name = joint_label(joint.index(), &page.derived.rig);
        node(ui, place(at), page, Entity::Joint(joint), (name, chosen));
    }
    let vertices = overlay.vertex_places();
    if vertices.len() > MOST_VERTICES {
        return;
    }
    for &(vertex, at) in vertices {
        let chosen = page.document.state.vertex == vertex;
        let words = vertex_place(said_of, vertex).unwrap_or_default();
        let name = format!("vertex {vertex} at {words}");
        node(ui, place(at), page, Entity::Vertex(vertex), (name, chosen));
    }
}

fn node(
    ui: &Ui,
    (picture, at): (&str, Pos2),
    page: &mut PageContext<'_>,
    entity: Entity,
    (name, chosen): (String, bool),
) {
    let rect = Rect::from_center_size(at, Vec2::splat(SIDE));
    let id = Id::unique(("mark in a picture", picture, entity));
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::selected(accesskit::Role::Button, true, chosen, &name));
    ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
    let is_asked =
        ui.input(|input| input.has_accesskit_action_request(id, accesskit::Action::Click));
    if is_asked {
        page.choose_entity(entity);
    }
}

// The place of a vertex in words.

/// Where a vertex is in the world: `0.217, 2.125, 0.000`. `None` where there is no
/// such vertex.
pub(super) fn vertex_place(derived: &Derived, vertex: u32) -> Option<String> {
    let position = derived.position(vertex as usize)?;
    let size =
        significant_digits::size_in_world(&derived.rig).max(significant_digits::largest(position));
    let decimals = significant_digits::decimals(size, USUAL_DECIMALS);
    let place = position.to_array().map(|x| number_text::fixed(x.into(), decimals));
    Some(place.join(", "))
}
