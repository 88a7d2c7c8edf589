//! How large the model is: its coordinates in the frames that numbers are written in, and
//! its surface in the picture and as stored, with what that encloses.

use std::sync::Arc;

use bindpose_asset::{SurfaceEdges, bounds_of};
use bindpose_skin::{CoordinateFrame, Surface};
use glam::{Mat4, Vec3};

use super::Derived;
use super::significant_digits::{longest_axis, size_in_bind, size_in_world};

impl Derived {
    /// About how large coordinates of the model are in this frame: in the world, by
    /// its rest pose; in others, by how much they scale what they hold. 0 if that is
    /// not known.
    pub fn size_in(&self, frame: CoordinateFrame) -> f64 {
        let scale = |matrices: &[Mat4], at: usize| matrices.get(at).map_or(0.0, longest_axis);
        let scale = match frame {
            CoordinateFrame::World => 1.0,
            CoordinateFrame::Bind => return size_in_bind(&self.rig),
            CoordinateFrame::Joint(joint) => scale(&self.joints.world_from_joint, joint.index()),
            CoordinateFrame::Parent(joint) => {
                scale(&self.joints.world_from_joint, joint.index())
                    / scale(&self.joints.parent_from_joint, joint.index())
            }
            CoordinateFrame::MeshNode => longest_axis(&self.world_from_mesh_node),
        };
        let size = size_in_world(&self.rig) / scale;
        if size.is_finite() { size } else { 0.0 }
    }

    /// The surface of the skinned mesh, where the picture shows it; `None` where there are
    /// no triangles.
    pub fn surface(&self) -> Option<Surface> {
        let measured = || self.edges().measure(&self.rig.mesh, self.positions());
        *self.caches.shape.shown_surface.get_or_init(measured)
    }

    /// That of the mesh as stored, with morph targets added.
    pub fn stored_surface(&self) -> Option<Surface> {
        let measured = || self.edges().measure(&self.rig.mesh, self.stored_positions());
        *self.caches.shape.stored_surface.get_or_init(measured)
    }

    /// Smallest box around the vertices where the picture shows them: (min, max).
    pub fn shown_bounds(&self) -> (Vec3, Vec3) {
        let measured = || bounds_of(self.positions());
        *self.caches.shape.shown_bounds.get_or_init(measured)
    }

    fn edges(&self) -> &SurfaceEdges {
        let edges = || SurfaceEdges::of(&self.rig.mesh);
        self.caches.shape.edges.get_or_init(edges)
    }

    /// Takes over what is the same for all poses of a mesh.
    pub(super) fn keep_edges(&mut self, previous: &Self) {
        if Arc::ptr_eq(&self.rig.mesh, &previous.rig.mesh) {
            self.caches.shape.edges = Arc::clone(&previous.caches.shape.edges);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use bindpose_asset::{Mesh, Rig, builtin};
    use bindpose_lesson::Expr;

    use super::*;
    use crate::Document;

    fn value(rig: &str, params: &[(&str, f64)], formula: &str) -> Result<f64, String> {
        of_rig(&builtin(rig).unwrap(), params, formula)
    }

    fn of_rig(rig: &Arc<Rig>, params: &[(&str, f64)], formula: &str) -> Result<f64, String> {
        let mut document = Document::default();
        for (name, value) in params {
            document.state.params.insert((*name).to_owned(), *value);
        }
        document.state.stage = bindpose_skin::SkinStage::Blended;
        let influences = Derived::edited_influences(&document, rig);
        let derived = Derived::new(&document, None, rig, influences);
        let expr = Expr::parse(formula).unwrap();
        expr.eval(&derived).map_err(|error| error.to_string())
    }

    #[test]
    fn a_squashed_ball_holds_less_by_the_determinant_and_a_mirrored_one_less_than_nothing() {
        let [whole, area] =
            ["volume()", "area()"].map(|formula| value("ball", &[], formula).unwrap());
        // On its plate: a squash to nothing leaves that alone.
        let plate = value("ball", &[("squash", 0.0)], "volume()").unwrap();
        let ball = whole - plate;
        // A sphere of many flat sides, from within; the plate a disc of 1.1 and 0.1.
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
    fn what_has_no_triangles_has_no_surface() {
        let mut rig = (*builtin("ball").unwrap()).clone();
        rig.mesh = Arc::new(Mesh { triangles: Vec::new(), ..(*rig.mesh).clone() });
        let wrong = of_rig(&Arc::new(rig), &[], "area()").unwrap_err();
        assert_eq!(wrong, "the rig has no triangles, and so no surface");
        let wrong = value("ball", &[], "det(7)").unwrap_err();
        assert!(wrong.contains("no joint 7"), "{wrong}");
    }
}
