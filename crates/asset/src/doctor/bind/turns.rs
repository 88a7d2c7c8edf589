//! What the rotations of joints may be instead of what they should be, by the rotations
//! that their inverse bind matrices ask for: w first, the other way round, degrees taken
//! for radians or radians for degrees.

use glam::{DMat4, DQuat, EulerRot};

/// Rotations are the same up to here, in radians: of 32-bit floats, taken apart into
/// angles and multiplied by 57.
const SAME_RAD: f64 = 0.02;
/// From here on they are not.
const APART_RAD: f64 = 0.1;
/// So many joints that are apart tell what has been done to them.
const LEAST_JOINTS: usize = 2;
/// Orders of three angles: six, about axes that turn along; those about fixed axes are the
/// same backwards.
const ORDERS: [EulerRot; 6] =
    [EulerRot::XYZ, EulerRot::XZY, EulerRot::YXZ, EulerRot::YZX, EulerRot::ZXY, EulerRot::ZYX];

/// What was done to rotations before they were stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TurnFault {
    WFirst,
    Inverse,
    DegreesAsRadians(EulerRot),
    RadiansAsDegrees(EulerRot),
}

/// A fault that makes what is stored of what inverse bind matrices ask for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TurnExplanation {
    pub(super) fault: TurnFault,
    /// Joints whose rotation is another than the one that is asked for.
    pub(super) joints: usize,
    /// How far these are apart on average, in degrees.
    pub(super) apart_deg: f64,
    /// By joint: the rotation that is asked for, `parent_from_joint`; absent where the
    /// stored one is right, or nothing is known.
    pub(super) wanted: Vec<Option<DQuat>>,
}

impl TurnFault {
    /// What it makes of a rotation.
    fn of(self, wanted: DQuat) -> DQuat {
        let angles = |order: EulerRot, by: fn(f64) -> f64| {
            let (a, b, c) = wanted.to_euler(order);
            DQuat::from_euler(order, by(a), by(b), by(c))
        };
        match self {
            Self::WFirst => DQuat::from_xyzw(wanted.w, wanted.x, wanted.y, wanted.z),
            Self::Inverse => wanted.inverse(),
            Self::DegreesAsRadians(order) => angles(order, f64::to_degrees),
            Self::RadiansAsDegrees(order) => angles(order, f64::to_radians),
        }
    }
}

/// The rotations of one skin’s joints, and what their matrices ask for.
pub(super) struct TurnData<'a> {
    /// As stored, `above_from_joint`, where above is whatever node is there.
    pub(super) turns: &'a [DQuat],
    /// Of that node.
    pub(super) world_from_above: &'a [DMat4],
    /// The joint above each.
    pub(super) parents: &'a [Option<usize>],
    /// Is that the node above, or is there none?
    pub(super) is_direct: &'a [bool],
    /// `joint_from_bind`, as stored.
    pub(super) stored: &'a [DMat4],
}

impl TurnData<'_> {
    /// What was done to the rotations of the joints, if one thing explains all of them.
    pub(super) fn explained(&self) -> Option<TurnExplanation> {
        let wanted: Vec<Option<DQuat>> = (0..self.turns.len()).map(|at| self.wanted(at)).collect();
        let pairs =
            || wanted.iter().zip(self.turns).filter_map(|(wanted, &turn)| Some(((*wanted)?, turn)));
        let is_apart = |(wanted, turn): &(DQuat, DQuat)| apart_rad(*wanted, *turn) > APART_RAD;
        let joints = pairs().filter(is_apart).count();
        if joints < LEAST_JOINTS {
            return None;
        }
        let with_orders = ORDERS.into_iter().flat_map(|order| {
            [TurnFault::DegreesAsRadians(order), TurnFault::RadiansAsDegrees(order)]
        });
        let mut all = [TurnFault::WFirst, TurnFault::Inverse].into_iter().chain(with_orders);
        let fault = all.find(|fault| {
            pairs().all(|(wanted, turn)| apart_rad(fault.of(wanted), turn) < SAME_RAD)
        })?;
        let sum: f64 = pairs().filter(is_apart).map(|(wanted, turn)| apart_rad(wanted, turn)).sum();
        let wanted = wanted
            .into_iter()
            .zip(self.turns)
            .map(|(wanted, &turn)| wanted.filter(|&wanted| apart_rad(wanted, turn) > SAME_RAD));
        let wanted = wanted.collect();
        Some(TurnExplanation {
            fault,
            joints,
            apart_deg: (sum / joints as f64).to_degrees(),
            wanted,
        })
    }

    /// The rotation of a joint in its parent’s frame, by their inverse bind matrices; of
    /// one with no joint above it, in that of the scene. `None` where they have no inverse,
    /// or where more than the rotation is off.
    fn wanted(&self, joint: usize) -> Option<DQuat> {
        let bind = self.stored[joint].inverse();
        let above = match self.parents[joint] {
            Some(parent) => self.stored[parent],
            None => self.world_from_above[joint].inverse(),
        };
        let local: DMat4 = above * bind;
        let (scale, rotation, _) = local.to_scale_rotation_translation();
        let is_rigid = (scale - glam::DVec3::ONE).abs().max_element() < 0.01;
        (is_rigid && rotation.is_finite() && self.is_direct[joint]).then_some(rotation)
    }
}

/// The angle between two rotations.
fn apart_rad(a: DQuat, b: DQuat) -> f64 {
    let cosine = a.dot(b).abs() / (a.length() * b.length());
    if cosine.is_finite() { 2.0 * cosine.min(1.0).acos() } else { std::f64::consts::PI }
}
