//! Poses: the local transforms of all joints.

use std::collections::BTreeMap;

use glam::{DMat3, Mat3, Mat4, Quat, Vec3};

use super::{JointIndex, RotationInterpolation};

/// Translation, rotation and scale, applied in the order scale, rotate,
/// translate (glTF 2.0, section 3.6.2).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trs {
    /// The position of the origin in the parent's frame.
    pub translation: Vec3,
    /// The rotation, as a unit quaternion.
    pub rotation: Quat,
    /// The scale factors along the joint's own axes.
    pub scale: Vec3,
}

impl Trs {
    /// The identity transform.
    pub const IDENTITY: Self =
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Creates a translation without rotation and scale.
    pub fn at(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Rotates further about the joint's own axes.
    #[must_use]
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation: (self.rotation * rotation).normalize(), ..self }
    }

    /// Interpolates to another transform. An `amount` of 0 returns `self`, 1 or more `other`.
    ///
    /// Translation and scale are interpolated linearly, the rotation by `interpolation`.
    #[must_use]
    pub fn blended(self, other: Self, amount: f64, interpolation: RotationInterpolation) -> Self {
        if amount >= 1.0 {
            return other;
        }
        let rotation =
            interpolation.rotation(self.rotation.as_dquat(), other.rotation.as_dquat(), amount);
        Self {
            translation: self.translation.lerp(other.translation, amount as f32),
            rotation: rotation.as_quat(),
            scale: self.scale.lerp(other.scale, amount as f32),
        }
    }

    /// Converts to the matrix `parent_from_joint`.
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
    /// The local transform of each joint.
    pub parent_from_joint: Vec<Trs>,
    /// Additional linear transforms that apply after a joint's rotation, in the axes of its
    /// parent. Only [`RotationInterpolation::Matrix`] creates them, because a lerp of two
    /// rotation matrices is not a rotation. Joints without an entry have none.
    pub stretch_in_parent: BTreeMap<JointIndex, Mat3>,
}

impl Pose {
    /// Computes the matrix `parent_from_joint` of one joint. Returns `None` if the pose has
    /// no such joint.
    pub fn matrix(&self, joint: JointIndex) -> Option<Mat4> {
        let trs = self.parent_from_joint.get(joint.index())?;
        let matrix = trs.matrix();
        Some(match self.stretch_in_parent.get(&joint) {
            None => matrix,
            Some(&stretch) => {
                let translation = Mat4::from_translation(trs.translation);
                translation * Mat4::from_mat3(stretch) * translation.inverse() * matrix
            }
        })
    }

    /// Sets the stretch of a joint so that rotation and stretch together are `linear`.
    ///
    /// The rotation itself does not change: later rotations apply to it. Does nothing if the
    /// pose has no such joint.
    pub fn stretch_to(&mut self, joint: JointIndex, linear: DMat3) {
        if let Some(trs) = self.parent_from_joint.get(joint.index()) {
            let rotation = DMat3::from_quat(trs.rotation.as_dquat());
            let stretch = (linear * rotation.transpose()).as_mat3();
            self.stretch_in_parent.insert(joint, stretch);
        }
    }

    /// Interpolates towards another pose. An `amount` of 0 changes nothing, 1 results in
    /// `other`.
    pub fn blend(&mut self, other: &Self, amount: f64, interpolation: RotationInterpolation) {
        let lerped = if interpolation == RotationInterpolation::Matrix {
            self.lerp_matrices(other, amount)
        } else {
            Vec::new()
        };
        for (trs, other) in self.parent_from_joint.iter_mut().zip(&other.parent_from_joint) {
            *trs = trs.blended(*other, amount, interpolation);
        }
        for (joint, linear) in lerped {
            self.stretch_to(joint, linear);
        }
    }

    /// Lerps the rotation matrix of every joint that both poses have.
    fn lerp_matrices(&self, other: &Self, amount: f64) -> Vec<(JointIndex, DMat3)> {
        (0..=u16::MAX)
            .map(JointIndex)
            .take(self.parent_from_joint.len())
            .filter_map(|joint| {
                let from = self.stretched_rotation(joint)?;
                let to = other.stretched_rotation(joint)?;
                Some((joint, from * (1.0 - amount) + to * amount))
            })
            .collect()
    }

    /// Computes rotation and stretch of a joint, without its scale.
    fn stretched_rotation(&self, joint: JointIndex) -> Option<DMat3> {
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
    fn blending_matrices_shrinks_about_the_joint_but_slerp_does_not() {
        let angle_rad = std::f32::consts::FRAC_PI_3;
        for (interpolation, length) in
            [(RotationInterpolation::Slerp, 1.0), (RotationInterpolation::Matrix, 0.5)]
        {
            let mut blended = pose(-angle_rad);
            blended.blend(&pose(angle_rad), 0.5, interpolation);
            let matrix = blended.matrix(JointIndex(0)).unwrap();
            assert!((matrix.x_axis.length() - length).abs() < 1e-6, "{interpolation:?}");
            let origin = matrix.w_axis.truncate();
            assert!(origin.abs_diff_eq(Vec3::X * 2.0, 1e-6), "{origin}");
        }
        assert_eq!(pose(0.0).matrix(JointIndex(1)), None);
    }
}
