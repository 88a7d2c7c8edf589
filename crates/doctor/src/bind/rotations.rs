//! Mistakes in the rotations of joints, found from the rotations that their inverse bind
//! matrices imply: other orders of numbers, units and orders of angles, whole angles for halves.

use glam::{DMat4, DQuat, DVec3, EulerRot};

use super::repair::MirrorAxis;

/// Distance below which rotations count as equal: the error of 32-bit floats that were
/// converted to Euler angles and multiplied by 57.
const MAX_EQUAL_DISTANCE_RAD: f64 = 0.02;
/// Distance above which a rotation counts as wrong.
const MIN_WRONG_DISTANCE_RAD: f64 = 0.1;
/// Minimum number of wrong joints from which a mistake is concluded.
const MIN_WRONG_JOINTS: usize = 2;
/// Orders of Euler angles about rotating axes, each with the indices of its axes. Those about
/// fixed axes are the same backwards.
const EULER_ORDERS: [(EulerRot, [usize; 3]); 6] = [
    (EulerRot::XYZ, [0, 1, 2]),
    (EulerRot::XZY, [0, 2, 1]),
    (EulerRot::YXZ, [1, 0, 2]),
    (EulerRot::YZX, [1, 2, 0]),
    (EulerRot::ZXY, [2, 0, 1]),
    (EulerRot::ZYX, [2, 1, 0]),
];

/// A mistake that an exporter made with all rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RotationMistake {
    /// Quaternions are stored as w, x, y, z.
    WFirst,
    Inverted,
    /// Sine and cosine of the whole angle in place of its half.
    WholeAngle,
    /// Rotations of a coordinate system with this axis mirrored.
    OtherHand(MirrorAxis),
    /// Rotations of a coordinate system turned about x by this many quarter turns.
    OtherAxes(i8),
    DegreesAsRadians(EulerRot),
    RadiansAsDegrees(EulerRot),
    /// Angles of one order that were put together in another.
    OtherOrder {
        meant: EulerRot,
        used: EulerRot,
    },
    /// Angles about x, y and z in place of the first three numbers.
    Angles {
        order: EulerRot,
        unit: AngleUnit,
    },
    /// An axis in place of the first three numbers, and an angle in place of the last one.
    AxisAndAngle(AngleUnit),
}

/// Unit of an angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AngleUnit {
    Degrees,
    Radians,
}

impl AngleUnit {
    const ALL: [Self; 2] = [Self::Degrees, Self::Radians];

    fn name(self) -> &'static str {
        match self {
            Self::Degrees => "degrees",
            Self::Radians => "radians",
        }
    }

    fn convert_radians(self, angle_rad: f64) -> f64 {
        match self {
            Self::Degrees => angle_rad.to_degrees(),
            Self::Radians => angle_rad,
        }
    }
}

impl RotationMistake {
    /// Returns all mistakes, simple ones first.
    pub(crate) fn all() -> Vec<Self> {
        let mut mistakes = vec![Self::WFirst, Self::Inverted, Self::WholeAngle];
        mistakes.extend(MirrorAxis::ALL.map(Self::OtherHand));
        mistakes.extend([Self::OtherAxes(1), Self::OtherAxes(-1)]);
        mistakes.extend(AngleUnit::ALL.map(Self::AxisAndAngle));
        for (order, _) in EULER_ORDERS {
            mistakes.extend(AngleUnit::ALL.map(|unit| Self::Angles { order, unit }));
            mistakes.push(Self::DegreesAsRadians(order));
            mistakes.push(Self::RadiansAsDegrees(order));
        }
        for (meant, _) in EULER_ORDERS {
            for (used, _) in EULER_ORDERS.into_iter().filter(|(used, _)| *used != meant) {
                mistakes.push(Self::OtherOrder { meant, used });
            }
        }
        mistakes
    }

    /// Returns the numbers that the mistake may make of a correct rotation: two for most Euler
    /// angles, of which two triples mean the same rotation.
    fn predictions(self, correct: DQuat) -> Vec<[f64; 4]> {
        let [x, y, z, w] = correct.to_array();
        match self {
            Self::WFirst => vec![[w, x, y, z]],
            Self::Inverted => vec![[-x, -y, -z, w]],
            Self::WholeAngle => vec![(correct * correct).to_array()],
            // A mirror turns the axis as a pseudovector.
            Self::OtherHand(axis) => {
                let mut mirrored = DVec3::new(-x, -y, -z);
                mirrored[axis as usize] *= -1.0;
                vec![mirrored.extend(w).to_array()]
            }
            Self::OtherAxes(quarters) => {
                let turn =
                    DQuat::from_rotation_x(f64::from(quarters) * -std::f64::consts::FRAC_PI_2);
                vec![(turn * correct * turn.inverse()).to_array()]
            }
            Self::DegreesAsRadians(order) => euler_triples(correct, order)
                .into_iter()
                .map(|angles| rotation_of(order, angles.map(f64::to_degrees)))
                .collect(),
            Self::RadiansAsDegrees(order) => euler_triples(correct, order)
                .into_iter()
                .map(|angles| rotation_of(order, angles.map(f64::to_radians)))
                .collect(),
            Self::OtherOrder { meant, used } => euler_triples(correct, meant)
                .into_iter()
                .map(|angles| rotation_of(used, in_order(used, by_axis(meant, angles))))
                .collect(),
            Self::Angles { order, unit } => euler_triples(correct, order)
                .into_iter()
                .flat_map(|angles| {
                    let [x, y, z] = by_axis(order, angles).map(|angle| unit.convert_radians(angle));
                    [[x, y, z, 1.0], [x, y, z, 0.0]]
                })
                .collect(),
            Self::AxisAndAngle(unit) => {
                let (axis, angle_rad) = correct.to_axis_angle();
                let turned = std::f64::consts::TAU - angle_rad;
                vec![
                    axis.extend(unit.convert_radians(angle_rad)).to_array(),
                    (-axis).extend(unit.convert_radians(turned)).to_array(),
                ]
            }
        }
    }

    /// Returns whether a correct rotation distinguishes the mistake from a joint that was posed:
    /// the axis of a rotation by 0 may be any.
    fn is_told_by(self, correct: DQuat) -> bool {
        !matches!(self, Self::AxisAndAngle(_)) || correct.xyz().length() > 0.05
    }

    /// Formats the correction, such as `turned by half the angle`.
    pub(crate) fn describe_correction(self) -> String {
        match self {
            Self::WFirst => "read as w, x, y, z".to_owned(),
            Self::Inverted => "the other way round".to_owned(),
            Self::WholeAngle => "turned by half the angle".to_owned(),
            Self::OtherHand(axis) => format!("with {} mirrored", axis.name()),
            Self::OtherAxes(quarters) => {
                format!("with axes turned by {}° about x", 90 * i32::from(quarters))
            }
            Self::DegreesAsRadians(order) => {
                format!("with angles in degrees for radians, {order:?}")
            }
            Self::RadiansAsDegrees(order) => {
                format!("with angles in radians for degrees, {order:?}")
            }
            Self::OtherOrder { meant, used } => {
                format!("with the angles of {used:?} put together as {meant:?}")
            }
            Self::Angles { order, unit } => {
                format!("read as angles about x, y and z in {}, {order:?}", unit.name())
            }
            Self::AxisAndAngle(unit) => {
                format!("read as an axis and an angle in {}", unit.name())
            }
        }
    }

    /// Returns whether the mistake makes the stored numbers of a correct rotation.
    pub(crate) fn explains(self, correct: DQuat, stored: [f64; 4]) -> bool {
        // A rotation by 0 has no axis.
        if matches!(self, Self::AxisAndAngle(_)) && correct.xyz().length() < 1e-3 {
            let is_unrotated = DQuat::from_array(stored).xyz().length() < 1e-3;
            return is_unrotated || (stored[3].abs() < 1e-3 && correct.w.abs() > 0.0);
        }
        self.predictions(correct).into_iter().any(|predicted| {
            // Directions of these numbers alone would fit too much.
            if matches!(self, Self::Angles { .. } | Self::AxisAndAngle(_)) {
                let size = predicted.iter().fold(1.0_f64, |size, number| size.max(number.abs()));
                predicted.iter().zip(stored).all(|(predicted, stored)| {
                    (predicted - stored).abs() < MAX_EQUAL_DISTANCE_RAD * size
                })
            } else {
                let distance_rad =
                    rotation_distance_rad(DQuat::from_array(predicted), DQuat::from_array(stored));
                distance_rad < MAX_EQUAL_DISTANCE_RAD
            }
        })
    }
}

/// Returns both triples of angles in `order` that make a rotation, in radians.
fn euler_triples(rotation: DQuat, order: EulerRot) -> [[f64; 3]; 2] {
    let (first, second, third) = rotation.to_euler(order);
    let pi = std::f64::consts::PI;
    [
        [first, second, third],
        [first - pi * first.signum(), pi - second, third - pi * third.signum()],
    ]
}

fn rotation_of(order: EulerRot, [first, second, third]: [f64; 3]) -> [f64; 4] {
    DQuat::from_euler(order, first, second, third).to_array()
}

fn axes_of(order: EulerRot) -> [usize; 3] {
    EULER_ORDERS.into_iter().find(|(known, _)| *known == order).map_or([0, 1, 2], |(_, axes)| axes)
}

/// Converts angles in an order into those about x, y and z.
fn by_axis(order: EulerRot, angles: [f64; 3]) -> [f64; 3] {
    let mut sorted = [0.0; 3];
    for (axis, angle) in axes_of(order).into_iter().zip(angles) {
        sorted[axis] = angle;
    }
    sorted
}

/// Converts angles about x, y and z into those of an order.
fn in_order(order: EulerRot, angles: [f64; 3]) -> [f64; 3] {
    axes_of(order).map(|axis| angles[axis])
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
    /// Local rotations as stored, relative to the parent node. `None` for nodes with a matrix.
    pub(super) rotations: &'a [Option<[f64; 4]>],
    /// `world_from_parent` of the parent node.
    pub(super) world_from_parent_node: &'a [DMat4],
    /// The parent joint of each joint.
    pub(super) parents: &'a [Option<usize>],
    /// Whether the parent node is the parent joint. `true` for joints without a parent joint.
    pub(super) is_child_of_parent_joint: &'a [bool],
    /// `joint_from_bind`, as stored.
    pub(super) stored: &'a [DMat4],
}

/// A joint whose inverse bind matrix implies a rotation.
struct ImpliedRotation {
    joint: usize,
    implied: DQuat,
    stored: [f64; 4],
    /// Angle between the two.
    distance_rad: f64,
}

impl JointRotations<'_> {
    /// Finds a mistake that explains the rotations of all joints below others. Roots may be
    /// bound in another space than that of the scene, and are corrected only if they fit.
    pub(super) fn explain(&self) -> Option<RotationExplanation> {
        let mut implied = Vec::new();
        for (joint, stored) in self.rotations.iter().enumerate() {
            if let Some(stored) = *stored
                && let Some(rotation) = self.implied_rotation(joint)
            {
                let distance_rad = rotation_distance_rad(rotation, DQuat::from_array(stored));
                implied.push(ImpliedRotation { joint, implied: rotation, stored, distance_rad });
            }
        }
        let wrong_count =
            implied.iter().filter(|one| one.distance_rad > MIN_WRONG_DISTANCE_RAD).count();
        if wrong_count < MIN_WRONG_JOINTS {
            return None;
        }
        RotationMistake::all().into_iter().find_map(|mistake| self.try_mistake(mistake, &implied))
    }

    fn try_mistake(
        &self,
        mistake: RotationMistake,
        implied: &[ImpliedRotation],
    ) -> Option<RotationExplanation> {
        let mut corrected = vec![None; self.rotations.len()];
        let mut joint_count = 0;
        let mut distance_sum_rad = 0.0;
        for ImpliedRotation { joint, implied, stored, distance_rad } in implied {
            if !mistake.explains(*implied, *stored) {
                if self.parents[*joint].is_some() {
                    return None;
                }
                continue;
            }
            if *distance_rad > MIN_WRONG_DISTANCE_RAD && mistake.is_told_by(*implied) {
                joint_count += 1;
                distance_sum_rad += distance_rad;
            }
            let length = DQuat::from_array(*stored).length();
            if *distance_rad > MAX_EQUAL_DISTANCE_RAD || (length - 1.0).abs() > 1e-3 {
                corrected[*joint] = Some(*implied);
            }
        }
        (joint_count >= MIN_WRONG_JOINTS).then_some(RotationExplanation {
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
