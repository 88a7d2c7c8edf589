//! Linear blend skinning: the weighted sum of joint matrices moves the vertex.
//!
//! Magnenat-Thalmann, Laperrière, Thalmann, "Joint-dependent local deformations
//! for hand animation and object grasping", Graphics Interface 1988; in the
//! form of glTF 2.0, section 3.7.3.

use std::ops::RangeInclusive;

use glam::{Mat3, Mat4, Vec3};

use super::{Influences, JointIndex, NormalRule};

/// `world_from_bind`: what moves the vertices that follow a joint, one matrix a
/// joint, from where the joints are now and their inverse bind matrices. glTF
/// 2.0, section 3.7.3.1.
#[must_use]
pub fn joint_matrices(world_from_joint: &[Mat4], joint_from_bind: &[Mat4]) -> Vec<Mat4> {
    let pairs = world_from_joint.iter().zip(joint_from_bind);
    pairs
        .map(|(&world_from_joint, &joint_from_bind)| world_from_joint * joint_from_bind)
        .collect()
}

/// The skin matrix of one vertex: `Σ wᵢ · world_from_bind[jᵢ]`.
///
/// An index past the palette counts as the identity, as if that joint had not
/// moved; loaders refuse such data, but a learner may type it.
#[must_use]
pub fn skin_matrix(influences: &Influences, world_from_bind: &[Mat4]) -> Mat4 {
    let used = influences.used();
    skin_matrix_of(
        used.map(|(_, joint, weight)| (joint, weight)),
        world_from_bind,
    )
}

/// [`skin_matrix`] of any number of influences.
#[must_use]
pub fn skin_matrix_of(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    world_from_bind: &[Mat4],
) -> Mat4 {
    let mut sum = Mat4::ZERO;
    for (joint, weight) in influences {
        let joint_matrix = world_from_bind
            .get(joint.index())
            .copied()
            .unwrap_or(Mat4::IDENTITY);
        sum += joint_matrix * weight;
    }
    sum
}

/// One position, in world space. Not divided by Σw: a sum other than 1 shows.
#[must_use]
pub fn skin_position(
    position_in_bind: Vec3,
    influences: &Influences,
    world_from_bind: &[Mat4],
) -> Vec3 {
    (skin_matrix(influences, world_from_bind) * position_in_bind.extend(1.0)).truncate()
}

/// All positions, in world space.
#[must_use]
pub fn skin_positions(
    positions_in_bind: &[Vec3],
    influences: &[Influences],
    world_from_bind: &[Mat4],
) -> Vec<Vec3> {
    positions_in_bind
        .iter()
        .zip(influences)
        .map(|(&position, influences)| skin_position(position, influences, world_from_bind))
        .collect()
}

/// The matrix that moves normals along with `world_from_bind`.
///
/// The inverse transpose up to a positive factor: the cofactor matrix times the
/// sign of the determinant, so that a mirrored joint does not turn normals
/// inward and a flattened one does not divide by zero.
#[must_use]
pub fn normal_from_bind(world_from_bind: Mat4) -> Mat3 {
    let of_ordinary_size = of_ordinary_size(world_from_bind);
    let cofactors = cofactors(of_ordinary_size);
    if Mat3::from_mat4(of_ordinary_size).determinant() < 0.0 {
        cofactors * -1.0
    } else {
        cofactors
    }
}

/// With the largest element of the linear part made 1, where products of three
/// elements would overflow or vanish. Directions stay.
fn of_ordinary_size(world_from_bind: Mat4) -> Mat4 {
    const ORDINARY: RangeInclusive<f32> = 1e-8..=1e8;
    let m = Mat3::from_mat4(world_from_bind);
    let largest = m
        .to_cols_array()
        .map(f32::abs)
        .into_iter()
        .fold(0.0, f32::max);
    if ORDINARY.contains(&largest) || largest == 0.0 || !largest.is_finite() {
        return world_from_bind;
    }
    // In two steps: one over the smallest floats is infinite.
    let root = largest.sqrt().recip();
    Mat4::from_mat3(m * root * root)
}

/// The cofactor matrix of the linear part: the inverse transpose times the
/// determinant, without a division.
#[must_use]
pub fn cofactors(world_from_bind: Mat4) -> Mat3 {
    let m = Mat3::from_mat4(world_from_bind);
    Mat3::from_cols(
        m.y_axis.cross(m.z_axis),
        m.z_axis.cross(m.x_axis),
        m.x_axis.cross(m.y_axis),
    )
}

/// What moves normals by a rule; the result need not have unit length.
#[must_use]
pub fn normal_matrix(rule: NormalRule, world_from_bind: Mat4) -> Mat3 {
    match rule {
        NormalRule::InverseTranspose => normal_from_bind(world_from_bind),
        NormalRule::SkinMatrix => Mat3::from_mat4(of_ordinary_size(world_from_bind)),
        NormalRule::Cofactor => cofactors(of_ordinary_size(world_from_bind)),
        NormalRule::LeftAlone => Mat3::IDENTITY,
    }
}

/// One normal, in world space, of unit length; zero where the mesh has
/// collapsed to nothing.
#[must_use]
pub fn skin_normal(
    normal_in_bind: Vec3,
    influences: &Influences,
    world_from_bind: &[Mat4],
) -> Vec3 {
    let normal_from_bind = normal_from_bind(skin_matrix(influences, world_from_bind));
    (normal_from_bind * normal_in_bind).normalize_or_zero()
}

/// All normals, in world space.
#[must_use]
pub fn skin_normals(
    normals_in_bind: &[Vec3],
    influences: &[Influences],
    world_from_bind: &[Mat4],
) -> Vec<Vec3> {
    normals_in_bind
        .iter()
        .zip(influences)
        .map(|(&normal, influences)| skin_normal(normal, influences, world_from_bind))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_have_their_direction_at_any_size() {
        let normal = Vec3::new(1.0, 2.0, -0.5).normalize_or_zero();
        let turned = Mat4::from_rotation_z(0.7) * Mat4::from_scale(Vec3::new(1.0, -3.0, 0.5));
        for rule in NormalRule::ALL {
            let moved = |matrix| (normal_matrix(rule, matrix) * normal).normalize_or_zero();
            let expected = moved(turned);
            for scale in [1e-36, 1e-20, 1e-13, 1e-9, 1e9, 1e10, 1e18, 1e36] {
                let found = moved(turned * Mat4::from_scale(Vec3::splat(scale)));
                assert!(
                    found.distance(expected) < 1e-5,
                    "{rule:?} × {scale}: {found}"
                );
            }
        }
        assert_eq!(normal_matrix(NormalRule::Cofactor, Mat4::ZERO), Mat3::ZERO);
    }
}
