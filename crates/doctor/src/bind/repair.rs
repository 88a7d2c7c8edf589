//! Mistakes in a skin's inverse bind matrices, each as a repair of the stored matrices that is
//! tried on all joints at once.
//!
//! A skin rests in its bind pose if its joint matrices (world matrix times inverse bind
//! matrix) are all equal at rest. If they differ widely as stored and are equal after a
//! repair, then the repair explains the stored matrices: no pose makes them equal by chance.

use glam::{DMat3, DMat4, DVec3};

use crate::bones::skeleton_radius;

/// Residual below which joint matrices count as equal: the error of 32-bit floats that several
/// programs wrote and read. See [`BindData::residual`].
pub(super) const MAX_EQUAL_RESIDUAL: f64 = 2e-3;
/// Residual above which joint matrices count as wrong.
pub(super) const MIN_WRONG_RESIDUAL: f64 = 0.02;
/// Minimum number of joints that determine a factor of units. In a smaller skin, all bones may
/// have been lengthened alike.
const MIN_JOINTS_FOR_FACTOR: usize = 4;
/// Maximum number of joints for which other orders are tried.
const MAX_REORDERED_JOINTS: usize = 256;

/// One skin at rest, as lists of one length in the order of its joints.
#[derive(Clone, Copy, Debug)]
pub struct BindData<'a> {
    /// `world_from_joint`.
    pub world: &'a [DMat4],
    /// The parent of each joint, as an index into these lists. Must not contain loops.
    pub parents: &'a [Option<usize>],
    /// `joint_from_bind`, as stored.
    pub stored: &'a [DMat4],
}

/// A repair of the stored inverse bind matrices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BindRepair {
    /// Matrices are in another order: that of joint j is stored at `.0[j]`.
    Reordered(Vec<usize>),
    /// Stored are bind matrices, not their inverses.
    Inverted,
    /// Stored are inverses of local matrices, without those of the ancestors.
    Accumulated,
    /// Matrices are stored row by row.
    Transposed,
    /// Matrices are in a coordinate system with this axis mirrored.
    Mirrored(MirrorAxis),
    /// Matrices are in a coordinate system rotated about x by this many quarter turns.
    Turned(i8),
    /// Translations are in another unit and must be multiplied by this.
    Scaled(f64),
    /// A bind shape matrix was multiplied from the left instead of from the right.
    OtherSide,
}

/// A coordinate axis to mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorAxis {
    /// Negates x coordinates.
    X,
    /// Negates y coordinates.
    Y,
    /// Negates z coordinates.
    Z,
}

impl MirrorAxis {
    /// All axes, with those that programs mirror most often first.
    pub const ALL: [Self; 3] = [Self::Z, Self::X, Self::Y];

    /// Returns the lower-case letter of the axis, such as `z`.
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// Returns the matrix that mirrors this axis.
    pub fn mirror(self) -> DMat4 {
        let mut scale = DVec3::ONE;
        scale[self as usize] = -1.0;
        DMat4::from_scale(scale)
    }
}

/// A repair that explains the stored matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct BindExplanation {
    /// The repair after which all joint matrices are equal at rest.
    pub repair: BindRepair,
    /// Largest difference between joint matrices at rest as stored. Of translations, relative
    /// to the size of the skeleton.
    pub stored_residual: f64,
    /// Largest difference after the repair.
    pub residual: f64,
}

impl BindRepair {
    /// Makes the mistake that this repair corrects with correct matrices. `parents` has the
    /// parent of each joint.
    ///
    /// Returns `None` if a matrix is singular, and for [`BindRepair::OtherSide`], which needs
    /// the bind shape matrix of the file.
    pub fn undone(&self, right: &[DMat4], parents: &[Option<usize>]) -> Option<Vec<DMat4>> {
        // Most repairs are their own inverse.
        let inverse = match self {
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
        BindData { world: &[], parents, stored: right }.repaired(&inverse)
    }
}

impl BindData<'_> {
    /// Finds the simplest repair after which all joint matrices are equal. Returns `None` if
    /// they are equal as stored, if no repair achieves it, or if the lists differ in length.
    pub fn explained(&self) -> Option<BindExplanation> {
        let count = self.stored.len();
        if self.world.len() != count || self.parents.len() != count {
            return None;
        }
        let stored_residual = self.residual(self.stored)?;
        if stored_residual < MIN_WRONG_RESIDUAL {
            return None;
        }
        let simple_repairs = [
            BindRepair::Transposed,
            BindRepair::Inverted,
            BindRepair::Accumulated,
            BindRepair::Mirrored(MirrorAxis::Z),
            BindRepair::Mirrored(MirrorAxis::X),
            BindRepair::Mirrored(MirrorAxis::Y),
            BindRepair::Turned(1),
            BindRepair::Turned(-1),
        ];
        simple_repairs
            .into_iter()
            .chain(self.fit_factor().map(BindRepair::Scaled))
            .chain([BindRepair::OtherSide])
            .find_map(|repair| self.try_repair(repair, stored_residual))
            .or_else(|| self.try_repair(BindRepair::Reordered(self.fit_order()?), stored_residual))
    }

    fn try_repair(&self, repair: BindRepair, stored_residual: f64) -> Option<BindExplanation> {
        let residual = self.residual(&self.repaired(&repair)?)?;
        (residual < MAX_EQUAL_RESIDUAL).then_some(BindExplanation {
            repair,
            stored_residual,
            residual,
        })
    }

    /// Repairs the stored matrices. Returns `None` if one that must be inverted is singular.
    pub fn repaired(&self, repair: &BindRepair) -> Option<Vec<DMat4>> {
        let stored = self.stored.iter().copied();
        let repaired: Vec<DMat4> = match repair {
            BindRepair::Reordered(order) => {
                order.iter().map(|&at| self.stored.get(at).copied()).collect::<Option<_>>()?
            }
            BindRepair::Inverted => stored.map(|matrix| matrix.inverse()).collect(),
            BindRepair::Accumulated => self.accumulated()?,
            BindRepair::Transposed => stored.map(|matrix| matrix.transpose()).collect(),
            BindRepair::Mirrored(axis) => {
                let mirror = axis.mirror();
                stored.map(|matrix| mirror * matrix * mirror).collect()
            }
            BindRepair::Turned(quarters) => {
                let angle = f64::from(*quarters) * std::f64::consts::FRAC_PI_2;
                let turn = DMat4::from_rotation_x(angle);
                stored.map(|matrix| turn * matrix * turn.inverse()).collect()
            }
            BindRepair::OtherSide => self
                .world
                .iter()
                .zip(stored)
                .map(|(world, matrix)| world.inverse() * matrix * *world)
                .collect(),
            BindRepair::Scaled(factor) => stored
                .map(|mut matrix| {
                    matrix.w_axis *= DVec3::splat(*factor).extend(1.0);
                    matrix
                })
                .collect(),
        };
        repaired.iter().all(|matrix| matrix.is_finite()).then_some(repaired)
    }

    /// Computes the largest difference between the joint matrix of the first joint and the
    /// others: of linear parts, the largest difference of an element; of positions, the
    /// distance relative to the skeleton's size. Returns `None` for a single joint, and if a
    /// matrix is singular.
    pub(super) fn residual(&self, joint_from_bind: &[DMat4]) -> Option<f64> {
        let mut joints = self.world.iter().zip(joint_from_bind);
        let (&first_world, &first_bind) = joints.next()?;
        let bind_from_world = (first_world * first_bind).inverse();
        let radius = skeleton_radius(self.world);
        let mut worst: Option<f64> = None;
        for (&world, &matrix) in joints {
            let difference = world * matrix * bind_from_world;
            let position = world.w_axis.truncate();
            let distance = (difference.transform_point3(position) - position).length() / radius;
            let linear = DMat3::from_mat4(difference) - DMat3::IDENTITY;
            let residual =
                linear.to_cols_array().into_iter().map(f64::abs).fold(distance, f64::max);
            if !residual.is_finite() {
                return None;
            }
            worst = Some(worst.map_or(residual, |worst| worst.max(residual)));
        }
        worst
    }

    /// Multiplies the inverses of the stored matrices down the hierarchy, and inverts the
    /// products.
    fn accumulated(&self) -> Option<Vec<DMat4>> {
        let mut bind: Vec<Option<DMat4>> = vec![None; self.stored.len()];
        if self.parents.len() != bind.len() {
            return None;
        }
        for joint in 0..bind.len() {
            // Collects ancestors up to one whose product is known, then multiplies downwards.
            let mut chain = vec![joint];
            while let Some(parent) = self.parents[chain[chain.len() - 1]]
                && bind[parent].is_none()
                && chain.len() <= bind.len()
            {
                chain.push(parent);
            }
            for &joint in chain.iter().rev() {
                let parent_bind = match self.parents[joint] {
                    Some(parent) => bind[parent]?,
                    None => DMat4::IDENTITY,
                };
                bind[joint] = Some(parent_bind * self.stored[joint].inverse());
            }
        }
        bind.into_iter().map(|matrix| Some(matrix?.inverse())).collect()
    }

    /// Computes the factor of all translations that makes joint matrices most equal, by least
    /// squares. Returns `None` if it is close to 1 or not credible.
    fn fit_factor(&self) -> Option<f64> {
        let first_world = self.world.first()?;
        let first_moved = rotated_translation(first_world, self.stored.first()?);
        let first_position = first_world.w_axis.truncate();
        let mut product_sum = 0.0;
        let mut square_sum = 0.0;
        for (world, stored) in self.world.iter().zip(self.stored).skip(1) {
            let moved = rotated_translation(world, stored) - first_moved;
            let position = world.w_axis.truncate() - first_position;
            product_sum -= moved.dot(position);
            square_sum += moved.length_squared();
        }
        let factor = product_sum / square_sum;
        let is_credible =
            self.stored.len() >= MIN_JOINTS_FOR_FACTOR || known_factor(factor).is_some();
        (is_credible && factor > 0.0 && (factor - 1.0).abs() > 0.05).then_some(factor)
    }

    /// Assigns each joint a stored matrix that fits it. Returns `None` if there is no such
    /// assignment, or if all matrices are in place.
    fn fit_order(&self) -> Option<Vec<usize>> {
        let count = self.stored.len();
        if !(2..=MAX_REORDERED_JOINTS).contains(&count) {
            return None;
        }
        let radius = skeleton_radius(self.world);
        let joint_from_world: Vec<DMat4> = self.world.iter().map(DMat4::inverse).collect();
        let order = (0..count).find_map(|first| {
            let common = self.world[0] * self.stored[first];
            let mut is_taken = vec![false; count];
            is_taken[first] = true;
            let mut order = vec![first];
            for joint_from_world in &joint_from_world[1..] {
                let wanted = *joint_from_world * common;
                // Prefers the joint's own matrix where several are equal.
                let joint = order.len();
                let index = std::iter::once(joint).chain(0..count).find(|&index| {
                    !is_taken[index] && are_near(wanted, self.stored[index], radius)
                })?;
                is_taken[index] = true;
                order.push(index);
            }
            Some(order)
        })?;
        (!order.iter().copied().eq(0..count)).then_some(order)
    }
}

/// Returns the translation of an inverse bind matrix in world orientation.
fn rotated_translation(world: &DMat4, joint_from_bind: &DMat4) -> DVec3 {
    DMat3::from_mat4(*world) * joint_from_bind.w_axis.truncate()
}

fn are_near(a: DMat4, b: DMat4, radius: f64) -> bool {
    let difference = a - b;
    difference.w_axis.truncate().length() <= MAX_EQUAL_RESIDUAL * radius
        && DMat3::from_mat4(difference)
            .to_cols_array()
            .iter()
            .all(|element| element.abs() <= MAX_EQUAL_RESIDUAL)
}

/// Factors between units that programs mistake for one another.
const UNIT_FACTORS: [(f64, &str); 6] = [
    (0.01, "centimetres into metres"),
    (100.0, "metres into centimetres"),
    (0.001, "millimetres into metres"),
    (1000.0, "metres into millimetres"),
    (0.0254, "inches into metres"),
    (39.370_08, "metres into inches"),
];

/// Recognizes a factor between units that programs mistake for one another. Returns the exact
/// factor and its conversion, such as `centimetres into metres`, or `None` for other factors.
pub fn known_factor(factor: f64) -> Option<(f64, &'static str)> {
    UNIT_FACTORS.into_iter().find(|(known, _)| (factor / known - 1.0).abs() < MAX_EQUAL_RESIDUAL)
}
