//! Poses: one translation, rotation and scale per joint.

use std::collections::BTreeMap;

use glam::{DMat3, Mat3, Mat4, Quat, Vec3};

use super::{JointIndex, RotationInterpolation};

/// Translation, rotation and scale, applied in the order scale, rotate,
/// translate (glTF 2.0, section 3.6.2).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trs {
    /// In the parent's frame.
    pub translation: Vec3,
    /// Unit length.
    pub rotation: Quat,
    /// Along the joint's own axes.
    pub scale: Vec3,
}

impl Trs {
    /// No change at all.
    pub const IDENTITY: Self =
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A pure translation.
    pub fn at(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// The same transform after a further turn about the joint's own axes.
    #[must_use]
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation: (self.rotation * rotation).normalize(), ..self }
    }

    /// On the way to another transform, 0 is this one and 1 the other: positions
    /// and factors straight, the rotation as asked for.
    #[must_use]
    pub fn blended(self, other: Self, amount: f64, between: RotationInterpolation) -> Self {
        if amount >= 1.0 {
            return other;
        }
        let (from, to) = (self.rotation.as_dquat(), other.rotation.as_dquat());
        let rotation = between.rotation(from, to, amount);
        Self {
            translation: self.translation.lerp(other.translation, amount as f32),
            rotation: rotation.as_quat(),
            scale: self.scale.lerp(other.scale, amount as f32),
        }
    }

    /// `parent_from_joint` as a matrix.
    pub fn matrix(self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The local transform of every joint, in the skeleton's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// One entry per joint.
    pub parent_from_joint: Vec<Trs>,
    /// What is applied after a joint's rotation, in its parent's axes. Only
    /// matrices that were lerped leave such a thing; joints that are not here
    /// have none.
    pub stretch_in_parent: BTreeMap<JointIndex, Mat3>,
}

impl Pose {
    /// `parent_from_joint` as a matrix; `None` when the pose is too short.
    pub fn matrix(&self, joint: JointIndex) -> Option<Mat4> {
        let trs = self.parent_from_joint.get(joint.index())?;
        let matrix = trs.matrix();
        Some(match self.stretch_in_parent.get(&joint) {
            None => matrix,
            Some(&stretch) => {
                let at = Mat4::from_translation(trs.translation);
                at * Mat4::from_mat3(stretch) * at.inverse() * matrix
            }
        })
    }

    /// Puts a matrix in the place of a joint's rotation, which stays what other
    /// rotations are put on.
    pub fn stretch_to(&mut self, joint: JointIndex, linear: DMat3) {
        if let Some(trs) = self.parent_from_joint.get(joint.index()) {
            let rotation = DMat3::from_quat(trs.rotation.as_dquat());
            let stretch = (linear * rotation.transpose()).as_mat3();
            self.stretch_in_parent.insert(joint, stretch);
        }
    }

    /// Goes some of the way to another pose, 0 none and 1 all of it.
    pub fn blend(&mut self, other: &Self, amount: f64, between: RotationInterpolation) {
        let lerped = (between == RotationInterpolation::Matrix).then(|| self.lerped(other, amount));
        let pairs = self.parent_from_joint.iter_mut();
        for (mine, theirs) in pairs.zip(&other.parent_from_joint) {
            *mine = mine.blended(*theirs, amount, between);
        }
        for (joint, linear) in lerped.into_iter().flatten() {
            self.stretch_to(joint, linear);
        }
    }

    /// What stands in the place of each joint's rotation if matrices are lerped.
    fn lerped(&self, other: &Self, amount: f64) -> Vec<(JointIndex, DMat3)> {
        let count = self.parent_from_joint.len();
        let joints = (0..=u16::MAX).map(JointIndex).take(count);
        joints
            .filter_map(|joint| {
                let (mine, theirs) = (self.turned(joint)?, other.turned(joint)?);
                Some((joint, mine * (1.0 - amount) + theirs * amount))
            })
            .collect()
    }

    fn turned(&self, joint: JointIndex) -> Option<DMat3> {
        let trs = self.parent_from_joint.get(joint.index())?;
        let rotation = DMat3::from_quat(trs.rotation.as_dquat());
        Some(match self.stretch_in_parent.get(&joint) {
            None => rotation,
            Some(stretch) => stretch.as_dmat3() * rotation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(angle_rad: f32) -> Pose {
        Pose {
            parent_from_joint: vec![Trs {
                translation: Vec3::new(2.0, 0.0, 0.0),
                rotation: Quat::from_rotation_z(angle_rad),
                scale: Vec3::ONE,
            }],
            ..Pose::default()
        }
    }

    #[test]
    fn a_fade_of_matrices_shrinks_about_the_joint_and_one_of_rotations_does_not() {
        let third = std::f32::consts::FRAC_PI_3;
        for (between, length) in
            [(RotationInterpolation::Slerp, 1.0), (RotationInterpolation::Matrix, 0.5)]
        {
            let mut faded = pose(-third);
            faded.blend(&pose(third), 0.5, between);
            let matrix = faded.matrix(JointIndex(0)).unwrap();
            assert!((matrix.x_axis.length() - length).abs() < 1e-6, "{between:?}");
            let origin = matrix.w_axis.truncate();
            assert!(origin.abs_diff_eq(Vec3::X * 2.0, 1e-6), "{origin}");
        }
        assert_eq!(pose(0.0).matrix(JointIndex(1)), None);
    }
}
