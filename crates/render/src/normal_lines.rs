//! Normals as lines, from their skinned vertices.

use glam::Vec3;

use super::buffers::InstanceBuffer;
use super::geometry::{SetInstances, influence_sets, influences_of};
use super::picture::{PictureTargets, SET_NAMES};
use super::program::Layer;
use super::program_cache::SkinProgram;

/// Length of a normal, over the height of the picture.
const LENGTH: f32 = 0.055;

impl PictureTargets<'_> {
    /// A flat drawing's normals point at the reader: none of it is drawn.
    pub(super) fn draw_normals(&self, program: &SkinProgram) {
        if self.mesh.flat {
            return;
        }
        let shown = self.mesh.with_normals();
        if shown.is_empty() {
            return;
        }
        let context = &self.programs.context;
        let instances = |values: &[Vec3]| {
            let values: Vec<[f32; 3]> =
                shown.iter().map(|&vertex| values[vertex].to_array()).collect();
            InstanceBuffer::new_with_data(context, &values)
        };
        let (positions, normals) =
            (instances(self.scene.stored_positions()), instances(self.scene.stored_normals()));
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
