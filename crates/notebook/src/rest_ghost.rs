//! The mesh in its rest pose, which pictures show faint behind the posed one.

use std::sync::Arc;

use bindpose_asset::MovedVertices;
use bindpose_skin::{Method, joint_matrices};

use super::shape_cache::RestGhost;
use super::{Derived, vertex_groups};

impl Derived {
    /// The mesh as stored, in the rest pose, with the inverse binds in force. While
    /// joints turn it is the same, by its pointer.
    pub fn at_rest(&self) -> &Arc<MovedVertices> {
        let ghost = self.rest_ghost.get_or_init(|| {
            let rest = self.rig.posed_at_rest(|name| self.param(name));
            let world_from_joint = self.rig.skeleton.world_from_joint(&rest.pose);
            let world_from_bind = joint_matrices(&world_from_joint, &self.used_joint_from_bind);
            let mesh = &self.rig.mesh;
            let last = self.last_rest_ghost.as_ref().filter(|last| {
                Arc::ptr_eq(&last.mesh, mesh)
                    && last.world_from_bind == world_from_bind
                    && last.morph_weights == rest.morph_weights
            });
            last.cloned().unwrap_or_else(|| RestGhost {
                mesh: Arc::clone(mesh),
                moved: Arc::new(mesh.moved_by(
                    &vertex_groups::of_mesh(mesh),
                    &world_from_bind,
                    &rest.morph_weights,
                    Method::Linear,
                )),
                world_from_bind,
                morph_weights: rest.morph_weights,
            })
        });
        &ghost.moved
    }

    /// Takes over the last ghost that was asked for, in case it is still right.
    pub(super) fn keep_rest_ghost(&mut self, previous: &Self) {
        let last = previous.rest_ghost.get();
        let last = last.or(previous.last_rest_ghost.as_ref());
        let last = last.filter(|last| Arc::ptr_eq(&last.mesh, &self.rig.mesh));
        self.last_rest_ghost = last.cloned();
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;
    use crate::Document;
    use glam::Vec3;

    #[test]
    fn the_ghost_at_rest_follows_no_angle_and_every_inverse_bind() {
        let rig = builtin("simple_skin").unwrap();
        let mut document = Document::default();
        document.state.params.insert("bend".to_owned(), 0.8);
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let stored = &derived.rig.mesh.positions;
        assert_eq!(derived.at_rest().positions, *stored);

        document.state.params.insert("bend".to_owned(), 0.9);
        let turned = derived.of_other(&document, None).of_other(&document, None);
        assert!(Arc::ptr_eq(turned.at_rest(), derived.at_rest()), "the same");

        document.state.params.insert("shape_x".to_owned(), 0.25);
        let shifted = turned.of_other(&document, None);
        assert_eq!(shifted.at_rest().positions[3], stored[3] + 0.25 * Vec3::X);
    }
}
