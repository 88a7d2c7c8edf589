//! Which normals of a mesh are drawn as lines.

use std::collections::BTreeSet;

use bindpose_asset::{Mesh, bounds_of};

/// Up to this many vertices, every normal is drawn.
const ALL: usize = 300;

/// Else one in each cell of a grid this many cells along the mesh's diagonal.
const CELLS: f32 = 11.0;

/// Vertices whose normals are drawn: all of a small mesh; of a dense one the
/// first in each cell of space, so that the lines stand evenly.
pub(super) fn shown(mesh: &Mesh) -> Vec<usize> {
    let count = mesh.positions.len().min(mesh.normals.len());
    if count <= ALL {
        return (0..count).collect();
    }
    let (low, high) = bounds_of(&mesh.positions);
    let cell = ((high - low).length() / CELLS).max(f32::MIN_POSITIVE);
    let mut taken = BTreeSet::new();
    (0..count)
        .filter(|&vertex| {
            let at = ((mesh.positions[vertex] - low) / cell).floor();
            taken.insert(at.to_array().map(|x| x as i32))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;

    #[test]
    fn a_dense_mesh_shows_fewer_normals_evenly_and_always_the_same() {
        let small = builtin("simple_skin").unwrap();
        assert_eq!(shown(&small.mesh).len(), small.mesh.positions.len());
        let whale = builtin("whale").unwrap();
        let some = shown(&whale.mesh);
        let all = whale.mesh.positions.len();
        assert!(some.len() > 50 && some.len() < all / 2, "{} of {all}", some.len());
        assert_eq!(some, shown(&whale.mesh));
        // No part of the mesh is left bare.
        let (low, high) = whale.mesh.bounds();
        let far = (high - low).length() * 2.0 / CELLS;
        for position in &whale.mesh.positions {
            let near =
                some.iter().any(|&other| whale.mesh.positions[other].distance(*position) < far);
            assert!(near, "nothing near {position}");
        }
    }
}
