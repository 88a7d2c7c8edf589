//! Which bytes of the file hold an attribute of a vertex or the matrix of a
//! joint, and the other way round.

use bindpose_asset::{FileLayout, PrimitiveLayout, Rig};
use bindpose_skin::JointIndex;

/// An accessor and one of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementOf {
    /// Index of the accessor.
    pub accessor: usize,
    /// Index of the element.
    pub element: usize,
}

/// Vertices that come from one primitive.
struct VertexRun<'a> {
    first: usize,
    count: usize,
    primitive: &'a PrimitiveLayout,
}

/// The element that holds an attribute, such as `POSITION`, of a vertex.
pub fn attribute_of(
    rig: &Rig,
    layout: &FileLayout,
    vertex: u32,
    semantic: &str,
) -> Option<ElementOf> {
    let vertex = vertex as usize;
    let runs = runs(rig, layout);
    let run = runs.iter().find(|run| (run.first..run.first + run.count).contains(&vertex))?;
    Some(ElementOf {
        accessor: *run.primitive.attributes.get(semantic)?,
        element: vertex - run.first,
    })
}

/// The element of this accessor that belongs to a vertex.
pub fn element_of_vertex(
    rig: &Rig,
    layout: &FileLayout,
    accessor: usize,
    vertex: u32,
) -> Option<usize> {
    let vertex = vertex as usize;
    runs(rig, layout)
        .iter()
        .filter(|run| uses(run.primitive, accessor))
        .find(|run| (run.first..run.first + run.count).contains(&vertex))
        .map(|run| vertex - run.first)
}

/// The vertex that an element is an attribute of.
pub fn vertex_of(rig: &Rig, layout: &FileLayout, place: ElementOf) -> Option<u32> {
    runs(rig, layout)
        .iter()
        .find(|run| uses(run.primitive, place.accessor) && place.element < run.count)
        .and_then(|run| u32::try_from(run.first + place.element).ok())
}

/// The element with the inverse bind matrix of a joint.
pub fn inverse_bind_of(rig: &Rig, layout: &FileLayout, joint: JointIndex) -> Option<ElementOf> {
    let skins = &rig.origin.as_ref()?.graph.skins;
    let mut pairs = skins.iter().zip(&layout.inverse_binds);
    pairs.find_map(|(skin, &accessor)| {
        let element = skin.ours.iter().position(|&ours| ours == joint)?;
        Some(ElementOf { accessor: accessor?, element })
    })
}

/// The joint whose inverse bind matrix an element is.
pub fn joint_of(rig: &Rig, layout: &FileLayout, place: ElementOf) -> Option<JointIndex> {
    let skins = &rig.origin.as_ref()?.graph.skins;
    let mut pairs = skins.iter().zip(&layout.inverse_binds);
    pairs
        .find(|(_, accessor)| **accessor == Some(place.accessor))
        .and_then(|(skin, _)| skin.ours.get(place.element).copied())
}

fn uses(primitive: &PrimitiveLayout, accessor: usize) -> bool {
    primitive.attributes.values().any(|&used| used == accessor)
}

/// Where the vertices of the rig come from: as its parts say, or, without parts,
/// the primitives of the skinned mesh in their order, of which those with the
/// same attributes share their vertices.
fn runs<'a>(rig: &Rig, layout: &'a FileLayout) -> Vec<VertexRun<'a>> {
    if !rig.mesh.parts.is_empty() {
        let parts = rig.mesh.parts.iter();
        return parts
            .filter_map(|part| {
                let primitive = layout.primitives.iter().find(|primitive| {
                    (primitive.mesh, primitive.primitive) == (part.mesh, part.primitive)
                })?;
                Some(VertexRun {
                    first: part.vertices.start as usize,
                    count: part.vertices.len(),
                    primitive,
                })
            })
            .collect();
    }
    let nodes = rig.origin.iter().flat_map(|origin| &origin.graph.nodes);
    let mut skinned = nodes.filter(|node| node.skin.is_some());
    let mesh = skinned.find_map(|node| node.mesh);
    let mut runs: Vec<VertexRun<'a>> = Vec::new();
    let mut first = 0;
    for primitive in layout.primitives.iter().filter(|p| Some(p.mesh) == mesh) {
        let seen = |run: &VertexRun<'_>| run.primitive.attributes == primitive.attributes;
        if runs.iter().any(seen) {
            continue;
        }
        let positions = primitive.attributes.get("POSITION");
        let count = positions
            .and_then(|&accessor| layout.accessors.get(accessor))
            .map_or(0, |accessor| accessor.count);
        runs.push(VertexRun { first, count, primitive });
        first += count;
    }
    runs
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;

    #[test]
    fn attributes_and_matrices_are_found_and_lead_back() {
        for id in ["simple_skin_file", "whale", "gimbal"] {
            let rig = builtin(id).unwrap();
            let layout = FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap();
            let place = attribute_of(&rig, &layout, 6, "POSITION").unwrap();
            assert_eq!(place.element, 6);
            assert_eq!(vertex_of(&rig, &layout, place), Some(6), "{id}");
            let element = element_of_vertex(&rig, &layout, place.accessor, 6);
            assert_eq!(element, Some(6), "{id}");
            let bytes = layout.element(place.accessor, 6, false).unwrap();
            let buffer = layout.buffers[bytes.buffer].bytes();
            let component = layout.accessors[place.accessor].format.component;
            let x = component.decode(&buffer[bytes.start..], false) as f32;
            assert_eq!(x, rig.mesh.positions[6].x, "{id}");

            let joint = JointIndex(1);
            let place = inverse_bind_of(&rig, &layout, joint).unwrap();
            assert_eq!(joint_of(&rig, &layout, place), Some(joint), "{id}");
            assert_eq!(vertex_of(&rig, &layout, place), None, "{id}");
            assert!(attribute_of(&rig, &layout, u32::MAX, "POSITION").is_none());
        }
    }
}
