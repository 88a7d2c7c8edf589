//! Selects the vertices of a mesh whose normals are drawn.

use std::collections::BTreeSet;

use bindpose_gltf::{Mesh, bounds_of};

/// Number of vertices up to which a mesh shows all its normals.
const MAX_NORMALS_WITHOUT_SAMPLING: usize = 300;

/// Number of grid cells along the diagonal of a denser mesh. Each cell shows one normal.
const CELLS_ALONG_DIAGONAL: f32 = 11.0;

/// Returns the vertices whose normals are drawn: all of a small mesh, and of a dense one the
/// first in each cell of a grid, so that the lines are evenly distributed.
pub(super) fn select_normals(mesh: &Mesh) -> Vec<usize> {
    let count = mesh.positions.len().min(mesh.normals.len());
    if count <= MAX_NORMALS_WITHOUT_SAMPLING {
        return (0..count).collect();
    }
    let (min, max) = bounds_of(&mesh.positions);
    let cell_size = ((max - min).length() / CELLS_ALONG_DIAGONAL).max(f32::MIN_POSITIVE);
    let mut occupied_cells = BTreeSet::new();
    (0..count)
        .filter(|&vertex| {
            let cell = ((mesh.positions[vertex] - min) / cell_size).floor();
            occupied_cells.insert(cell.to_array().map(|x| x as i32))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;

    #[test]
    fn normals_of_a_dense_mesh_are_sampled_evenly_and_deterministically() {
        let small = builtin("simple_skin").unwrap();
        assert_eq!(select_normals(&small.mesh).len(), small.mesh.positions.len());
        let whale = builtin("whale").unwrap();
        let selected = select_normals(&whale.mesh);
        let vertex_count = whale.mesh.positions.len();
        assert!(
            selected.len() > 50 && selected.len() < vertex_count / 2,
            "{} of {vertex_count}",
            selected.len()
        );
        assert_eq!(selected, select_normals(&whale.mesh));
        let (min, max) = whale.mesh.bounds();
        let max_distance = (max - min).length() * 2.0 / CELLS_ALONG_DIAGONAL;
        for position in &whale.mesh.positions {
            let has_normal_nearby = selected
                .iter()
                .any(|&other| whale.mesh.positions[other].distance(*position) < max_distance);
            assert!(has_normal_nearby, "no normal near {position}");
        }
    }
}
