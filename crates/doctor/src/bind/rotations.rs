//! Mistakes in the rotations of joints, found from the rotations that their inverse bind
//! matrices imply: quaternions with w first, inverses, degrees mistaken for radians and vice
//! versa.

use glam::{DMat4, DQuat, DVec3, EulerRot};

/// Distance below which rotations count as equal: the error of 32-bit floats that were
/// converted to Euler angles and multiplied by 57.
const MAX_EQUAL_DISTANCE_RAD: f64 = 0.02;
/// Distance above which a rotation counts as wrong.
const MIN_WRONG_DISTANCE_RAD: f64 = 0.1;
/// Minimum number of wrong joints from which a mistake is concluded.
const MIN_WRONG_JOINTS: usize = 2;
/// Orders of Euler angles about rotating axes. Those about fixed axes are the same backwards.
const EULER_ORDERS: [EulerRot; 6] =
    [EulerRot::XYZ, EulerRot::XZY, EulerRot::YXZ, EulerRot::YZX, EulerRot::ZXY, EulerRot::ZYX];

/// A mistake that an exporter made with all rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RotationMistake {
    /// Quaternions are stored as w, x, y, z.
    WFirst,
    Inverted,
    DegreesAsRadians(EulerRot),
    RadiansAsDegrees(EulerRot),
}

impl RotationMistake {
    /// Makes the mistake with a correct rotation.
    fn apply(self, correct: DQuat) -> DQuat {
        match self {
            Self::WFirst => DQuat::from_xyzw(correct.w, correct.x, correct.y, correct.z),
            Self::Inverted => correct.inverse(),
            Self::DegreesAsRadians(order) => {
                let (a, b, c) = correct.to_euler(order);
                DQuat::from_euler(order, a.to_degrees(), b.to_degrees(), c.to_degrees())
            }
            Self::RadiansAsDegrees(order) => {
                let (a, b, c) = correct.to_euler(order);
                DQuat::from_euler(order, a.to_radians(), b.to_radians(), c.to_radians())
            }
        }
    }
}

/// The mistake that turns the rotations implied by inverse bind matrices into the stored ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RotationExplanation {
    pub(super) mistake: RotationMistake,
    /// Number of joints with a wrong rotation.
    pub(super) joint_count: usize,
    /// Mean distance of wrong rotations from the implied ones, in degrees.
    pub(super) mean_distance_deg: f64,
    /// The implied rotation of each joint, `parent_from_joint`. `None` if the stored one is
    /// correct, or if the matrices imply none.
    pub(super) corrected: Vec<Option<DQuat>>,
}

/// The rotations of one skin's joints with their inverse bind matrices, as lists of one length.
pub(super) struct JointRotations<'a> {
    /// Local rotations, relative to the parent node.
    pub(super) rotations: &'a [DQuat],
    /// `world_from_parent` of the parent node.
    pub(super) world_from_parent_node: &'a [DMat4],
    /// The parent joint of each joint.
    pub(super) parents: &'a [Option<usize>],
    /// Whether the parent node is the parent joint. `true` for joints without a parent joint.
    pub(super) is_child_of_parent_joint: &'a [bool],
    /// `joint_from_bind`, as stored.
    pub(super) stored: &'a [DMat4],
}

impl JointRotations<'_> {
    /// Finds a mistake that explains the rotations of all joints.
    pub(super) fn explain(&self) -> Option<RotationExplanation> {
        let implied: Vec<Option<DQuat>> =
            (0..self.rotations.len()).map(|joint| self.implied_rotation(joint)).collect();
        let mut joint_count = 0;
        let mut distance_sum_rad = 0.0;
        for (implied, &stored) in implied.iter().zip(self.rotations) {
            if let Some(implied) = *implied {
                let distance_rad = rotation_distance_rad(implied, stored);
                if distance_rad > MIN_WRONG_DISTANCE_RAD {
                    joint_count += 1;
                    distance_sum_rad += distance_rad;
                }
            }
        }
        if joint_count < MIN_WRONG_JOINTS {
            return None;
        }
        let mut mistakes = vec![RotationMistake::WFirst, RotationMistake::Inverted];
        for order in EULER_ORDERS {
            mistakes.push(RotationMistake::DegreesAsRadians(order));
            mistakes.push(RotationMistake::RadiansAsDegrees(order));
        }
        let mistake = mistakes.into_iter().find(|mistake| {
            implied.iter().zip(self.rotations).all(|(implied, &stored)| {
                implied.is_none_or(|implied| {
                    rotation_distance_rad(mistake.apply(implied), stored) < MAX_EQUAL_DISTANCE_RAD
                })
            })
        })?;
        let corrected = implied
            .into_iter()
            .zip(self.rotations)
            .map(|(implied, &stored)| {
                implied.filter(|&implied| {
                    rotation_distance_rad(implied, stored) > MAX_EQUAL_DISTANCE_RAD
                })
            })
            .collect();
        Some(RotationExplanation {
            mistake,
            joint_count,
            mean_distance_deg: (distance_sum_rad / joint_count as f64).to_degrees(),
            corrected,
        })
    }

    /// Computes the local rotation of a joint that the inverse bind matrices imply. Uses the
    /// scene for joints without a parent joint. Returns `None` if a matrix is singular, or if
    /// the local transform is not rigid.
    fn implied_rotation(&self, joint: usize) -> Option<DQuat> {
        if !self.is_child_of_parent_joint[joint] {
            return None;
        }
        let bind_from_joint = self.stored[joint].inverse();
        let parent_from_bind = match self.parents[joint] {
            Some(parent) => self.stored[parent],
            None => self.world_from_parent_node[joint].inverse(),
        };
        let parent_from_joint: DMat4 = parent_from_bind * bind_from_joint;
        let (scale, rotation, _) = parent_from_joint.to_scale_rotation_translation();
        let is_rigid = (scale - DVec3::ONE).abs().max_element() < 0.01;
        (is_rigid && rotation.is_finite()).then_some(rotation)
    }
}

/// Returns the angle between two rotations, whatever their signs and lengths, or π if one of
/// them cannot be normalized.
pub(crate) fn rotation_distance_rad(a: DQuat, b: DQuat) -> f64 {
    let cosine = a.dot(b).abs() / (a.length() * b.length());
    if cosine.is_finite() { 2.0 * cosine.min(1.0).acos() } else { std::f64::consts::PI }
}
