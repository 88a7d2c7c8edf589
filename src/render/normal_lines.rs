//! Normals as lines, from their skinned vertices.

use std::collections::BTreeSet;

use glam::Vec3;

use super::buffers::InstanceBuffer;
use super::geometry::{SetInstances, influence_sets, influences_of};
use super::picture::{Picture, SET_NAMES};
use super::program::Layer;
use super::program_cache::SkinProgram;
use crate::asset::{Mesh, bounds_of};

/// Up to this many vertices, every normal is drawn.
const ALL: usize = 300;

/// Else one in each cell of a grid this many cells along the mesh's diagonal.
const CELLS: f32 = 20.0;

/// Length of a normal, over the height of the picture.
const LENGTH: f32 = 0.055;

impl Picture<'_> {
    /// A flat drawing's normals point at the reader: none of it is drawn.
    pub(super) fn draw_normals(&self, program: &SkinProgram) {
        if self.mesh.flat {
            return;
        }
        let mesh = &self.scene.mesh;
        let shown = shown(mesh);
        if shown.is_empty() {
            return;
        }
        let context = &self.programs.context;
        let instances = |values: &[Vec3]| {
            let values: Vec<[f32; 3]> = shown
                .iter()
                .map(|&vertex| values[vertex].to_array())
                .collect();
            InstanceBuffer::new_with_data(context, &values)
        };
        let (positions, normals) = (
            instances(self.scene.stored_positions()),
            instances(self.scene.stored_normals()),
        );
        let influences = influences_of(&self.scene.influences, shown.iter().copied());
        let kind = self.influences;
        let sets: Vec<SetInstances> =
            influence_sets(context, &influences, kind.summary, kind.float_indices);

        let pass = &program.program;
        self.use_skin(program);
        self.use_view(pass);
        pass.uniform("nudge_in_world", self.nudge_in_world());
        pass.uniform("length_in_world", self.scene.camera.height * LENGTH);
        pass.uniform("width_px", 1.4 * self.scale());
        pass.uniform("normal_color", self.scene.colors.normal);
        pass.instances("position_in_bind", &positions);
        pass.instances("normal_in_bind", &normals);
        for (set, [joints, weights]) in sets.iter().zip(SET_NAMES) {
            pass.joint_instances(joints, &set.joints);
            pass.instances(weights, &set.weights);
        }
        pass.draw_strips(Layer::Blended, self.size_px, shown.len());
    }
}

/// Vertices whose normals are drawn: all of a small mesh; of a dense one the
/// first in each cell of space, so that the lines stand evenly.
fn shown(mesh: &Mesh) -> Vec<usize> {
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
    use super::*;
    use crate::asset::builtin;

    #[test]
    fn a_dense_mesh_shows_fewer_normals_evenly_and_always_the_same() {
        let small = builtin("simple_skin").unwrap();
        assert_eq!(shown(&small.mesh).len(), small.mesh.positions.len());
        let whale = builtin("whale").unwrap();
        let some = shown(&whale.mesh);
        let all = whale.mesh.positions.len();
        assert!(
            some.len() > 200 && some.len() < all / 2,
            "{} of {all}",
            some.len()
        );
        assert_eq!(some, shown(&whale.mesh));
        // No part of the mesh is left bare.
        let (low, high) = whale.mesh.bounds();
        let far = (high - low).length() * 2.0 / CELLS;
        for position in &whale.mesh.positions {
            let near = some
                .iter()
                .any(|&other| whale.mesh.positions[other].distance(*position) < far);
            assert!(near, "nothing near {position}");
        }
    }
}
