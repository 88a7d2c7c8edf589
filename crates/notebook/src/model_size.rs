//! Size of the model in different frames, and the area and volume of its
//! surface in the picture and as stored.

use std::sync::Arc;

use bindpose_gltf::{Rig, SurfaceEdges, bounds_of};
use bindpose_lesson::significant_digits::{largest, longest_axis};
use bindpose_skin::{CoordinateFrame, JointIndex, Surface};
use glam::{Mat4, Vec3};

use super::Derived;
use super::model_bounds::{rest_bounds, stored_bounds};

impl Derived {
    /// Approximate magnitude of the model's coordinates in this frame. In the
    /// world from its rest pose, in other frames from their scale. 0 if it is
    /// unknown.
    pub fn size_in(&self, frame: CoordinateFrame) -> f64 {
        let joints = &self.joints;
        let scale = match frame {
            CoordinateFrame::World => 1.0,
            CoordinateFrame::Bind => return size_in_bind(&self.rig),
            CoordinateFrame::Joint(joint) => axis_length(&joints.world_from_joint, joint),
            CoordinateFrame::Parent(joint) => {
                axis_length(&joints.world_from_joint, joint)
                    / axis_length(&joints.parent_from_joint, joint)
            }
            CoordinateFrame::MeshNode => longest_axis(&self.world_from_mesh_node),
        };
        let size = size_in_world(&self.rig) / scale;
        if size.is_finite() { size } else { 0.0 }
    }

    /// Area and volume of the skinned mesh in the picture. Returns `None` if it
    /// has no triangles.
    pub fn surface(&self) -> Option<Surface> {
        *self
            .caches
            .shape
            .shown_surface
            .get_or_init(|| self.edges().measure(&self.rig.mesh, self.positions()))
    }

    /// Area and volume of the stored mesh with morph targets applied.
    pub fn stored_surface(&self) -> Option<Surface> {
        *self
            .caches
            .shape
            .stored_surface
            .get_or_init(|| self.edges().measure(&self.rig.mesh, self.stored_positions()))
    }

    /// Bounding box of the vertices in the picture: (min, max).
    pub fn shown_bounds(&self) -> (Vec3, Vec3) {
        *self.caches.shape.shown_bounds.get_or_init(|| bounds_of(self.positions()))
    }

    fn edges(&self) -> &SurfaceEdges {
        self.caches.shape.edges.get_or_init(|| SurfaceEdges::of(&self.rig.mesh))
    }

    /// Takes over values that are the same for all poses of a mesh.
    pub(super) fn reuse_edges(&mut self, previous: &Self) {
        if Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh) {
            self.caches.shape.edges = Arc::clone(&previous.caches.shape.edges);
        }
    }
}

/// Returns the largest coordinate of the model in its rest pose, in world units.
pub fn size_in_world(rig: &Arc<Rig>) -> f64 {
    let (low, high) = rest_bounds(rig);
    largest(low).max(largest(high))
}

/// Returns the largest coordinate of the stored model, in units of bind space.
fn size_in_bind(rig: &Arc<Rig>) -> f64 {
    let (low, high) = stored_bounds(rig);
    largest(low).max(largest(high))
}

fn axis_length(matrices: &[Mat4], joint: JointIndex) -> f64 {
    matrices.get(joint.index()).map_or(0.0, longest_axis)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use bindpose_gltf::{Mesh, Rig};
    use bindpose_lesson::Expr;
    use bindpose_lesson::significant_digits::{Magnitude, decimals};
    use bindpose_rigs::{builtin, builtin_ids};
    use bindpose_skin::Skeleton;

    use super::*;
    use crate::Document;
    use crate::test_sample::{self, document_with};

    fn value(rig: &str, params: &[(&str, f64)], formula: &str) -> Result<f64, String> {
        of_rig(&builtin(rig).unwrap(), params, formula)
    }

    fn of_rig(rig: &Arc<Rig>, params: &[(&str, f64)], formula: &str) -> Result<f64, String> {
        let mut document = document_with(params);
        document.state.stage = bindpose_skin::SkinStage::Blended;
        let derived = Derived::of_document(&document, None, rig);
        let expr = Expr::parse(formula).unwrap();
        expr.eval(&derived).map_err(|error| error.to_string())
    }

    #[test]
    fn volume_scales_with_determinant() {
        let [whole, area] =
            ["volume()", "area()"].map(|formula| value("ball", &[], formula).unwrap());
        // On its plate: squashing it to nothing leaves the plate only.
        let plate = value("ball", &[("squash", 0.0)], "volume()").unwrap();
        let ball = whole - plate;
        // A faceted sphere inscribed in the true one, and a plate of 1.1 × 0.1.
        let (sphere, disc) = (4.0 / 3.0 * PI, 1.1 * 1.1 * 0.1 * PI);
        assert!(ball < sphere && ball > 0.97 * sphere, "{ball} of {sphere}");
        assert!(plate < disc && plate > 0.9 * disc, "{plate} of {disc}");
        let round = 4.0 * PI + 2.0 * PI * 1.1 * (1.1 + 0.1);
        assert!(area < round && area > 0.95 * round, "{area} of {round}");
        for factor in [0.5, 2.0, -1.0] {
            let squash = [("squash", factor)];
            let volume = value("ball", &squash, "volume()").unwrap() - plate;
            assert!((volume / ball - factor).abs() < 1e-5, "{factor}: {volume}");
            assert_eq!(value("ball", &squash, "bind_volume()"), Ok(whole));
            assert_eq!(value("ball", &squash, "bind_area()"), Ok(area));
            let det = value("ball", &squash, "det(1)").unwrap();
            assert!((det - factor).abs() < 1e-6, "{factor}: {det}");
        }
    }

    #[test]
    fn meshes_without_triangles_have_no_surface() {
        let mut rig = (*builtin("ball").unwrap()).clone();
        rig.mesh = Arc::new(Mesh { triangles: Vec::new(), ..(*rig.mesh).clone() });
        let wrong = of_rig(&Arc::new(rig), &[], "area()").unwrap_err();
        assert_eq!(wrong, "the rig has no triangles, and so no surface");
        let wrong = value("ball", &[], "det(7)").unwrap_err();
        assert!(wrong.contains("no joint 7"), "{wrong}");
    }

    #[test]
    fn built_in_rigs_have_the_usual_decimals() {
        for id in builtin_ids() {
            let rig = builtin(id).unwrap();
            let derived = Derived::of_document(&Document::default(), None, &rig);
            assert_eq!(decimals(size_in_world(&rig), 3), 3, "{id}");
            for (at, joint) in rig.skeleton.joints().iter().enumerate() {
                let index = JointIndex(at as u16);
                let above = joint.parent.map_or(CoordinateFrame::World, CoordinateFrame::Joint);
                for (frame, matrix) in [
                    (CoordinateFrame::World, &derived.joints.world_from_joint[at]),
                    (CoordinateFrame::World, &derived.joints.world_from_bind[at]),
                    (CoordinateFrame::Joint(index), &derived.joints.joint_from_bind[at]),
                    (above, &derived.joints.parent_from_joint[at]),
                    (CoordinateFrame::Parent(index), &derived.joints.parent_from_joint[at]),
                ] {
                    let magnitude = Magnitude::from_matrix(matrix, derived.size_in(frame));
                    assert_eq!(magnitude.decimals(3), [3; 4], "{id}, {frame} of joint {at}");
                }
            }
        }
    }

    #[test]
    fn frames_below_a_scaled_root_have_their_own_size() {
        let small = test_sample::rig();
        let mut joints = small.skeleton.joints().to_vec();
        joints[0].parent_from_joint_at_rest.scale = Vec3::splat(1e-3);
        let rig = Arc::new(Rig { skeleton: Skeleton::new(joints).unwrap(), ..small });
        let derived = Derived::of_document(&Document::default(), None, &rig);
        let assert_size = |frame, expected: f64| {
            let size = derived.size_in(frame);
            assert!((size - expected).abs() < 1e-3 * expected, "{frame}: {size}");
        };
        assert_size(CoordinateFrame::World, 2e-3);
        assert_size(CoordinateFrame::Bind, 2.0);
        assert_size(CoordinateFrame::Joint(JointIndex(1)), 2.0);
        assert_size(CoordinateFrame::Parent(JointIndex(1)), 2.0);
        assert_size(CoordinateFrame::Parent(JointIndex(0)), 2e-3);
    }
}
