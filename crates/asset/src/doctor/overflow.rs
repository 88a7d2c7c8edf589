//! Numbers that are sound one by one, and too large together: the matrices and
//! positions that 32-bit floats make of them.

use bindpose_diagnostic::ModelPlace;
use glam::DMat4;
use serde_json::Value;

use super::catalog::NUMBERS_OVERFLOW;
use super::doc::{Doc, Graph, as_whole, list, named, whole};
use super::elements::elements;
use super::findings::Findings;

const MOST: f64 = f32::MAX as f64;
const EXPECTED: &str = "numbers that fit 32-bit floats, up to 3.4e38";

/// Every node, and every mesh where it is shown.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    let mut meshes = vec![None; doc.list("meshes").len()];
    for (index, node) in doc.each("nodes") {
        let pointer = format!("/nodes/{index}");
        let world_from_node = &graph.world_from_node[index];
        if largest(world_from_node) > MOST {
            // What stands below overflows for the same reason.
            let parent = graph.parent(index).map(|parent| &graph.world_from_node[parent]);
            if parent.is_none_or(|parent| largest(parent) <= MOST) {
                let shown = format!("{:.1e} in its world matrix", largest(world_from_node));
                found.add(&NUMBERS_OVERFLOW, pointer).expected(EXPECTED, shown);
            }
            continue;
        }
        let Some(mesh) = whole(node, "mesh").filter(|&mesh| mesh < meshes.len()) else {
            continue;
        };
        let size = *meshes[mesh].get_or_insert_with(|| size(doc, &doc.list("meshes")[mesh]));
        let skin = doc.referred(node, "skin", "skins");
        let (place, reach) = match skin {
            Some(skin) => joints_reach(doc, graph, skin, size),
            None => (None, reach(world_from_node, size)),
        };
        if reach > MOST {
            let at = ModelPlace::at(pointer);
            let at = place.map_or(at.clone(), |joint| at.joint(joint));
            let mesh = named("mesh", mesh, doc.one("meshes", mesh));
            let shown = format!("positions of {mesh} up to {reach:.1e}");
            found.add(&NUMBERS_OVERFLOW, at).expected(EXPECTED, shown);
        }
    }
}

/// The largest number of a matrix; infinite where one is none.
fn largest(matrix: &DMat4) -> f64 {
    let largest = matrix.abs().to_cols_array().into_iter().fold(0.0, f64::max);
    if matrix.is_finite() { largest } else { f64::INFINITY }
}

/// The largest number that comes up when points of `size` are multiplied.
fn reach(matrix: &DMat4, size: f64) -> f64 {
    let rows = matrix.abs() * glam::DVec4::new(size, size, size, 1.0);
    rows.max_element()
}

/// The joint that reaches farthest at rest, and how far.
fn joints_reach(doc: &Doc<'_>, graph: &Graph, skin: &Value, size: f64) -> (Option<usize>, f64) {
    let binds = whole(skin, "inverseBindMatrices");
    let binds = binds.and_then(|index| elements(doc, index));
    let binds = binds.filter(|binds| binds.format.kind.components == 16);
    let joints = list(skin, "joints");
    if !doc.work.take(joints.len()) {
        return (None, 0.0);
    }
    let mut worst = (None, 0.0);
    for (place, joint) in joints.iter().enumerate() {
        let world = as_whole(joint).and_then(|joint| graph.world_from_node.get(joint));
        // A joint whose own place overflows is reported there.
        let Some(world) = world.filter(|world| largest(world) <= MOST) else {
            continue;
        };
        let bind = binds.as_ref().filter(|binds| place < binds.count);
        let bind =
            bind.map_or(DMat4::IDENTITY, |binds| DMat4::from_cols_array(&binds.vector(place)));
        let reach = reach(&(world.abs() * bind.abs()), size);
        if reach > worst.1 {
            worst = (Some(place), reach);
        }
    }
    worst
}

/// The largest number among the positions of a mesh, as its bounds declare it.
/// That they are those of the data is looked at with the accessors.
fn size(doc: &Doc<'_>, mesh: &Value) -> f64 {
    let positions = list(mesh, "primitives").iter().filter_map(|primitive| {
        doc.referred(primitive.get("attributes")?, "POSITION", "accessors")
    });
    let bounds =
        positions.flat_map(|accessor| list(accessor, "min").iter().chain(list(accessor, "max")));
    bounds.filter_map(Value::as_f64).map(f64::abs).fold(0.0, f64::max)
}
