//! What a skin's inverse bind matrices, or the rotations of its joints, may be instead of
//! what they should be: each kind as a repair of the file's own numbers, tried on all
//! joints at once.
//!
//! A skin whose joint matrices (world matrix times inverse bind matrix) are all the
//! same at rest rests in its bind pose. A repair that makes them all the same, where
//! they are far from it as stored, explains the numbers: no pose does so by chance.

use glam::{DMat3, DMat4, DQuat, DVec3, EulerRot};

/// Up to here joint matrices are the same, for the size of the skeleton: floats of 32
/// bits, written and read by several programs.
pub(super) const SAME: f64 = 2e-3;
/// From here on they are not, beside ones that are.
pub(super) const APART: f64 = 0.02;

/// One skin at rest, in the order of its joints: lists of one length.
#[derive(Clone, Copy, Debug)]
pub struct BindData<'a> {
    /// `world_from_joint`.
    pub world: &'a [DMat4],
    /// The joint above each, among these: a forest.
    pub parents: &'a [Option<usize>],
    /// `joint_from_bind`, as stored.
    pub stored: &'a [DMat4],
}

/// What is to be done to the stored matrices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BindRepair {
    /// The matrix of joint j is the stored one at `.0[j]`.
    Reordered(Vec<usize>),
    /// They are bind matrices.
    Inverted,
    /// They are inverses of local matrices, without those above.
    Accumulated,
    /// They are written row by row.
    Transposed,
    /// They are of the other handedness: this axis is mirrored.
    Mirrored(MirrorAxis),
    /// They are of axes that are turned by so many quarters about x.
    Turned(i8),
    /// Their translations are in another unit, and to be multiplied by this.
    Scaled(f64),
    /// What is common to all, a bind shape matrix, stands on their left.
    OtherSide,
}

/// An axis of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorAxis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl MirrorAxis {
    /// Those that programs turn round most often first.
    pub const ALL: [Self; 3] = [Self::Z, Self::X, Self::Y];

    /// `z`
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// Turns its sign round.
    pub fn mirror(self) -> DMat4 {
        let mut scale = DVec3::ONE;
        scale[self as usize] = -1.0;
        DMat4::from_scale(scale)
    }
}

/// A repair that explains the stored numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct BindExplanation {
    /// What is to be done.
    pub repair: BindRepair,
    /// How far joint matrices are apart at rest as stored, in parts of the skeleton's
    /// size; of linear parts as it is.
    pub stored_residual: f64,
    /// The same after the repair.
    pub residual: f64,
}

impl BindRepair {
    /// What is repaired by it: matrices that are right, as somebody wrote them who made
    /// the mistake. `parents`: the joint above each. `None` where one has no inverse, and
    /// for a transform on the other side, of which only the file says what it is.
    pub fn undone(&self, right: &[DMat4], parents: &[Option<usize>]) -> Option<Vec<DMat4>> {
        // A repair is its own opposite, but for these.
        let opposite = match self {
            Self::Reordered(order) => {
                let mut wrong = right.to_vec();
                for (joint, &at) in order.iter().enumerate() {
                    *wrong.get_mut(at)? = *right.get(joint)?;
                }
                return Some(wrong);
            }
            Self::Accumulated => {
                let local = right.iter().zip(parents).map(|(&matrix, parent)| match *parent {
                    Some(parent) => Some(matrix * right.get(parent)?.inverse()),
                    None => Some(matrix),
                });
                return local.collect();
            }
            Self::OtherSide => return None,
            Self::Turned(quarters) => Self::Turned(-quarters),
            Self::Scaled(factor) => Self::Scaled(1.0 / factor),
            other => other.clone(),
        };
        BindData { world: &[], parents, stored: right }.repaired(&opposite)
    }
}

impl BindData<'_> {
    /// The plainest repair after which all joint matrices are the same; `None` where
    /// they are as stored, where no repair does it, and where lists are not as long.
    pub fn explained(&self) -> Option<BindExplanation> {
        let count = self.stored.len();
        if self.world.len() != count || self.parents.len() != count {
            return None;
        }
        let stored_residual = self.residual(self.stored)?;
        if stored_residual < APART {
            return None;
        }
        let kept = |repair: BindRepair| {
            let residual = self.residual(&self.repaired(&repair)?)?;
            (residual < SAME).then_some(BindExplanation { repair, stored_residual, residual })
        };
        let plain = [BindRepair::Transposed, BindRepair::Inverted, BindRepair::Accumulated];
        let mirrored = MirrorAxis::ALL.map(BindRepair::Mirrored);
        let turned = [BindRepair::Turned(1), BindRepair::Turned(-1)];
        let fixed = plain.into_iter().chain(mirrored).chain(turned);
        fixed
            .chain(self.unit().map(BindRepair::Scaled))
            .chain([BindRepair::OtherSide])
            .find_map(kept)
            .or_else(|| self.order().map(BindRepair::Reordered).and_then(kept))
    }

    /// The matrices after a repair; `None` where one has no inverse.
    pub fn repaired(&self, repair: &BindRepair) -> Option<Vec<DMat4>> {
        let each = |change: &dyn Fn(DMat4) -> DMat4| {
            self.stored.iter().map(|&matrix| change(matrix)).collect::<Vec<_>>()
        };
        let repaired = match repair {
            BindRepair::Reordered(order) => {
                order.iter().map(|&at| self.stored.get(at).copied()).collect::<Option<_>>()?
            }
            BindRepair::Inverted => each(&|matrix| matrix.inverse()),
            BindRepair::Accumulated => self.accumulated()?,
            BindRepair::Transposed => each(&|matrix| matrix.transpose()),
            BindRepair::Mirrored(axis) => {
                let mirror = axis.mirror();
                each(&|matrix| mirror * matrix * mirror)
            }
            BindRepair::Turned(quarters) => {
                let turn = quarter_turn(*quarters);
                each(&|matrix| turn * matrix * turn.inverse())
            }
            BindRepair::OtherSide => {
                let joints = self.world.iter().zip(self.stored);
                joints.map(|(world, &matrix)| world.inverse() * matrix * *world).collect()
            }
            BindRepair::Scaled(factor) => each(&|mut matrix| {
                matrix.w_axis *= DVec3::splat(*factor).extend(1.0);
                matrix
            }),
        };
        repaired.iter().all(|matrix| matrix.is_finite()).then_some(repaired)
    }

    /// How far joint matrices are apart: of linear parts the largest difference of a
    /// cell, of places the distance over the size of the skeleton. `None` for a joint
    /// alone, and where a matrix has no inverse.
    pub(super) fn residual(&self, joint_from_bind: &[DMat4]) -> Option<f64> {
        let mut joints = self.world.iter().zip(joint_from_bind);
        let (&world, &first) = joints.next()?;
        let bind_from_world = (world * first).inverse();
        let size = size_of(self.world);
        let mut worst: Option<f64> = None;
        for (&world, &matrix) in joints {
            let moved = world * matrix * bind_from_world;
            let at = world.w_axis.truncate();
            let linear = DMat3::from_mat4(moved) - DMat3::IDENTITY;
            let cells = linear.to_cols_array().into_iter().map(f64::abs);
            let off = cells.fold((moved.transform_point3(at) - at).length() / size, f64::max);
            if !off.is_finite() {
                return None;
            }
            worst = Some(worst.map_or(off, |worst| worst.max(off)));
        }
        worst
    }

    /// Products down the chain of the stored matrices, inverted.
    fn accumulated(&self) -> Option<Vec<DMat4>> {
        let mut bind: Vec<Option<DMat4>> = vec![None; self.stored.len()];
        if self.parents.len() != bind.len() {
            return None;
        }
        for joint in 0..bind.len() {
            // Up to one that is known, and down again.
            let mut above = vec![joint];
            while let Some(parent) = self.parents[above[above.len() - 1]]
                && bind[parent].is_none()
                && above.len() <= bind.len()
            {
                above.push(parent);
            }
            for &joint in above.iter().rev() {
                let parent = self.parents[joint].map_or(Some(DMat4::IDENTITY), |up| bind[up])?;
                bind[joint] = Some(parent * self.stored[joint].inverse());
            }
        }
        bind.into_iter().map(|matrix| Some(matrix?.inverse())).collect()
    }

    /// The factor of all translations that brings the joints nearest to one transform,
    /// by least squares.
    fn unit(&self) -> Option<f64> {
        let linear = |joint: usize| DMat3::from_mat4(self.world[joint]);
        let moved = |joint: usize| linear(joint) * self.stored[joint].w_axis.truncate();
        let place = |joint: usize| self.world[joint].w_axis.truncate();
        let (mut along, mut square) = (0.0, 0.0);
        for joint in 1..self.stored.len() {
            let (a, b) = (moved(joint) - moved(0), place(joint) - place(0));
            along -= a.dot(b);
            square += a.length_squared();
        }
        let factor = along / square;
        // Of few joints any factor may be a bone that was made longer at rest.
        let is_plain = self.stored.len() >= MANY || known_factor(factor).is_some();
        (is_plain && factor > 0.0 && (factor - 1.0).abs() > 0.05).then_some(factor)
    }

    /// Which stored matrix fits which joint, each once; `None` where they do not, or
    /// all are in their places.
    fn order(&self) -> Option<Vec<usize>> {
        let count = self.stored.len();
        if !(2..=MOST_REORDERED).contains(&count) {
            return None;
        }
        let size = size_of(self.world);
        let joint_from_world: Vec<DMat4> = self.world.iter().map(DMat4::inverse).collect();
        let order = (0..count).find_map(|first| {
            let common = self.world[0] * self.stored[first];
            let mut taken = vec![false; count];
            taken[first] = true;
            let mut order = vec![first];
            for from_world in &joint_from_world[1..] {
                let wanted = *from_world * common;
                let fits = |&at: &usize| !taken[at] && are_near(wanted, self.stored[at], size);
                // Its own, where several are alike.
                let own = Some(order.len()).filter(fits);
                let at = own.or_else(|| (0..count).find(fits))?;
                taken[at] = true;
                order.push(at);
            }
            Some(order)
        })?;
        (!order.iter().copied().eq(0..count)).then_some(order)
    }
}

/// From so many joints on nobody has lengthened all bones alike by chance.
const MANY: usize = 4;

/// Factors by which programs mistake one unit for another, and what they turn into what.
const FACTORS: [(f64, &str); 6] = [
    (0.01, "centimetres into metres"),
    (100.0, "metres into centimetres"),
    (0.001, "millimetres into metres"),
    (1000.0, "metres into millimetres"),
    (0.0254, "inches into metres"),
    (39.370_08, "metres into inches"),
];

/// The factor by which programs mistake one unit for another that this one is, but for
/// rounding, and what it turns into what: `centimetres into metres`. `None`: it is none.
pub fn known_factor(factor: f64) -> Option<(f64, &'static str)> {
    FACTORS.into_iter().find(|(known, _)| (factor / known - 1.0).abs() < SAME)
}

/// Joints whose matrices are put into another order at most.
const MOST_REORDERED: usize = 256;

fn are_near(a: DMat4, b: DMat4, size: f64) -> bool {
    let off = a - b;
    let place = off.w_axis.truncate().length() <= SAME * size;
    place && DMat3::from_mat4(off).to_cols_array().iter().all(|cell| cell.abs() <= SAME)
}

/// About x.
fn quarter_turn(quarters: i8) -> DMat4 {
    DMat4::from_rotation_x(f64::from(quarters) * std::f64::consts::FRAC_PI_2)
}

/// From the middle of all joints to the farthest; never 0.
pub(in crate::doctor) fn size_of(world: &[DMat4]) -> f64 {
    let places = || world.iter().map(|matrix| matrix.w_axis.truncate());
    let middle = places().sum::<DVec3>() / world.len().max(1) as f64;
    let size = places().map(|place| place.distance(middle)).fold(0.0, f64::max);
    if size > 1e-9 { size } else { 1.0 }
}

// Rotations of joints instead of what their inverse bind matrices ask for: w first, the
// other way round, degrees taken for radians or radians for degrees.

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
        let is_rigid = (scale - DVec3::ONE).abs().max_element() < 0.01;
        (is_rigid && rotation.is_finite() && self.is_direct[joint]).then_some(rotation)
    }
}

/// The angle between two rotations.
fn apart_rad(a: DQuat, b: DQuat) -> f64 {
    let cosine = a.dot(b).abs() / (a.length() * b.length());
    if cosine.is_finite() { 2.0 * cosine.min(1.0).acos() } else { std::f64::consts::PI }
}
