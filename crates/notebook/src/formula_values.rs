//! Values of the page for formulas in lessons.

use bindpose_lesson::{MatrixKind, Values};
use bindpose_skin::{JointIndex, Surface, skin_matrix};
use glam::{Mat4, Vec3};

use super::joint_name::joint_in_formula;
use super::{Derived, TIME_PARAM};

/// Cheap for a sweep, because positions are computed per vertex on demand.
impl Values for Derived {
    /// `all` has the value of the first angle that it sets, as its slider does.
    fn param(&self, name: &str) -> Option<f64> {
        match name {
            "all" => Self::param(self, &self.free_angles().next()?.name),
            // Programs call the time `t`.
            "t" => Self::param(self, name).or_else(|| Self::param(self, TIME_PARAM)),
            _ => Self::param(self, name),
        }
    }

    fn position(&self, vertex: usize) -> Option<Vec3> {
        Self::position(self, vertex)
    }

    fn bind_position(&self, vertex: usize) -> Option<Vec3> {
        self.stored_positions().get(vertex).copied()
    }

    fn normal(&self, vertex: usize) -> Option<Vec3> {
        Self::normal(self, vertex)
    }

    fn stored_normal(&self, vertex: usize) -> Option<Vec3> {
        self.stored_normals().get(vertex).copied()
    }

    fn weight(&self, vertex: usize, joint: JointIndex) -> Option<f64> {
        let influences = self.influences.get(vertex)?;
        let weights = influences
            .used()
            .filter(|&(_, other, _)| other == joint)
            .map(|(_, _, weight)| f64::from(weight));
        Some(weights.sum())
    }

    fn sum(&self, vertex: usize) -> Option<f64> {
        self.influences.get(vertex).map(|i| f64::from(i.sum()))
    }

    fn matrix(&self, kind: MatrixKind, joint: JointIndex) -> Option<Mat4> {
        let matrices = match kind {
            MatrixKind::ParentFromJoint => &self.joints.parent_from_joint,
            MatrixKind::WorldFromJoint => &self.joints.world_from_joint,
            MatrixKind::JointFromBind => &self.joints.joint_from_bind,
            MatrixKind::WorldFromBind => &self.joints.world_from_bind,
            MatrixKind::StoredJointFromBind => {
                match self.joints.replaced_joint_from_bind.get(&joint) {
                    Some(stored) => return Some(*stored),
                    None => &self.joints.joint_from_bind,
                }
            }
        };
        matrices.get(joint.index()).copied()
    }

    fn surface(&self) -> Option<Surface> {
        Self::surface(self)
    }

    fn stored_surface(&self) -> Option<Surface> {
        Self::stored_surface(self)
    }

    fn joint_named(&self, name: &str) -> Option<JointIndex> {
        joint_in_formula(name, &self.rig)
    }

    fn joints(&self) -> usize {
        self.rig.joint_count()
    }

    fn rows(&self) -> usize {
        self.joints.world_from_bind.len()
    }

    fn vertices(&self) -> usize {
        self.rig.mesh.positions.len()
    }

    fn crowd(&self) -> u32 {
        self.instances
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.rig.skeleton.joints().get(joint.index())?.parent
    }

    fn skin_matrix(&self, vertex: usize) -> Option<Mat4> {
        let influences = self.influences.get(vertex)?;
        Some(skin_matrix(influences, &self.joints.world_from_bind))
    }

    fn world_from_mesh_node(&self) -> Option<Mat4> {
        Some(self.world_from_mesh_node)
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;
    use bindpose_skin::{NormalRule, SkinStage};

    use super::*;
    use crate::{Document, StepState};

    #[test]
    fn normals_of_squashed_ball_follow_active_rule() {
        let rig = builtin("ball").unwrap();
        let vertex = (0..rig.mesh.normals.len())
            .find(|&vertex| {
                let n = rig.mesh.normals[vertex];
                n.y > 0.5 && n.y < 0.8 && rig.mesh.positions[vertex].y > 0.2
            })
            .unwrap();
        let n = rig.mesh.normals[vertex];
        for factor in [0.4_f32, -1.0] {
            for (rule, expected) in [
                // Of the ellipsoid (x, y / s, z) with |·| = 1, outward.
                (NormalRule::InverseTranspose, Vec3::new(n.x, n.y / factor, n.z)),
                (NormalRule::SkinMatrix, Vec3::new(n.x, n.y * factor, n.z)),
                (NormalRule::LeftAlone, n),
            ] {
                let mut document = Document {
                    state: StepState {
                        stage: SkinStage::Blended,
                        normals: rule,
                        ..StepState::default()
                    },
                    ..Document::default()
                };
                document.state.params.insert("squash".to_owned(), f64::from(factor));
                let derived = Derived::of_document(&document, None, &rig);
                let found = Values::normal(&derived, vertex).unwrap();
                assert!(
                    found.abs_diff_eq(expected.normalize_or_zero(), 1e-5),
                    "{factor} {rule:?}: {found}, {expected}"
                );
                assert_eq!(derived.stored_normal(vertex), Some(n));
            }
        }
        let document = Document::default();
        let derived = Derived::of_document(&document, None, &rig);
        assert_eq!(Values::normal(&derived, rig.mesh.positions.len()), None);
    }
}
