//! Transforms of normals, by each of the rules, and of tangents.

#![expect(clippy::inline_always, reason = "as in linear_blend.rs")]

use glam::{Mat3, Mat4, Vec3, Vec4, Vec4Swizzles as _};

use super::Influences;
use super::linear_blend::skin_matrix;
use crate::keyed;

keyed! {
    /// The matrix that transforms normals.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum NormalRule {
        /// The inverse transpose of the skin matrix, up to a positive factor: the correct
        /// rule.
        #[default]
        InverseTranspose = "inverse-transpose" => "inverse transpose",
        /// The skin matrix itself: correct only without non-uniform scale.
        SkinMatrix = "skin-matrix" => "skin matrix",
        /// The cofactor matrix: the inverse transpose times the determinant, whose sign
        /// turns normals inward under a reflection.
        Cofactor = "cofactor" => "cofactors alone",
        /// The identity: normals stay as stored.
        LeftAlone = "left-alone" => "left alone",
    }
}

/// Computes the matrix that transforms normals when `world_from_bind` transforms positions.
///
/// The result is the inverse transpose up to a positive factor. It is computed as the
/// cofactor matrix times the sign of the determinant, so that a reflection does not turn
/// normals inward and a singular matrix does not divide by zero.
pub fn normal_from_bind(world_from_bind: Mat4) -> Mat3 {
    let (cofactors, determinant) = cofactor_columns(rescaled_columns(&world_from_bind));
    mat3_from_columns(cofactors) * if determinant < 0.0 { -1.0 } else { 1.0 }
}

/// Transforms a normal by [`normal_from_bind`] and normalizes it. Returns zero where the
/// matrix collapses the surface.
#[inline(always)]
pub fn moved_normal(world_from_bind: &Mat4, normal_in_bind: Vec3) -> Vec3 {
    let ([x, y, z], determinant) = cofactor_columns(rescaled_columns(world_from_bind));
    let moved = x * normal_in_bind.x + y * normal_in_bind.y + z * normal_in_bind.z;
    let moved = if determinant < 0.0 { -moved } else { moved };
    moved.truncate().normalize_or_zero()
}

/// Returns the columns of the linear part, scaled so that the largest element is 1 if
/// products of three elements would overflow or underflow. Directions do not change.
#[inline(always)]
fn rescaled_columns(world_from_bind: &Mat4) -> [Vec4; 3] {
    let [x, y, z] = linear_columns(world_from_bind);
    let largest_by_row = x.abs().max(y.abs()).max(z.abs());
    let largest = largest_by_row.x.max(largest_by_row.y).max(largest_by_row.z);
    let is_in_range = (1e-8..=1e8).contains(&largest);
    if is_in_range || largest == 0.0 || !largest.is_finite() {
        return [x, y, z];
    }
    // Multiplies twice by a root, because the reciprocal of the smallest floats is infinite.
    let root = largest.sqrt().recip();
    [x * root * root, y * root * root, z * root * root]
}

#[inline(always)]
fn linear_columns(world_from_bind: &Mat4) -> [Vec4; 3] {
    [world_from_bind.x_axis, world_from_bind.y_axis, world_from_bind.z_axis]
}

/// Computes the cofactor matrix and the determinant of three columns. Ignores the fourth
/// lanes.
#[inline(always)]
fn cofactor_columns([x, y, z]: [Vec4; 3]) -> ([Vec4; 3], f32) {
    let x_cross_y = cross(x, y);
    let products = z * x_cross_y;
    let determinant = products.x + products.y + products.z;
    ([cross(y, z), cross(z, x), x_cross_y], determinant)
}

#[inline(always)]
fn cross(a: Vec4, b: Vec4) -> Vec4 {
    (a * b.yzxw() - a.yzxw() * b).yzxw()
}

fn mat3_from_columns([x, y, z]: [Vec4; 3]) -> Mat3 {
    Mat3::from_cols(x.truncate(), y.truncate(), z.truncate())
}

/// Computes the cofactor matrix of the linear part: the inverse transpose times the
/// determinant, without a division.
pub fn cofactors(world_from_bind: Mat4) -> Mat3 {
    mat3_from_columns(cofactor_columns(linear_columns(&world_from_bind)).0)
}

/// Computes the matrix that transforms normals by a rule. Transformed normals are not of
/// unit length in general.
pub fn normal_matrix(rule: NormalRule, world_from_bind: Mat4) -> Mat3 {
    match rule {
        NormalRule::InverseTranspose => normal_from_bind(world_from_bind),
        NormalRule::SkinMatrix => mat3_from_columns(rescaled_columns(&world_from_bind)),
        NormalRule::Cofactor => {
            mat3_from_columns(cofactor_columns(rescaled_columns(&world_from_bind)).0)
        }
        NormalRule::LeftAlone => Mat3::IDENTITY,
    }
}

/// Computes one skinned normal in world space, of unit length. Returns zero where the skin
/// matrix collapses the surface.
pub fn skin_normal(
    normal_in_bind: Vec3,
    influences: &Influences,
    world_from_bind: &[Mat4],
) -> Vec3 {
    moved_normal(&skin_matrix(influences, world_from_bind), normal_in_bind)
}

/// Computes all skinned normals in world space. The result is as long as the shorter of
/// `normals_in_bind` and `influences`.
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

/// Transforms a tangent in glTF's form: the direction in xyz, the handedness in w.
///
/// The linear part of `world_from_bind` transforms the direction, because a tangent lies in
/// the surface. The result is of unit length, or zero where the matrix collapses that
/// direction. A tangent perpendicular to its normal stays perpendicular to the result of
/// [`moved_normal`].
///
/// A reflection negates the handedness: [`moved_normal`] keeps normals on their side of the
/// surface, so `cross(normal, tangent)` changes its sign but the surface's bitangent does
/// not. See glTF 2.0, section 3.7.2.1, for the relation of the three vectors.
#[inline(always)]
pub fn moved_tangent(world_from_bind: &Mat4, tangent_in_bind: Vec4) -> Vec4 {
    let columns = rescaled_columns(world_from_bind);
    let [x, y, z] = columns;
    let (_, determinant) = cofactor_columns(columns);
    let moved = x * tangent_in_bind.x + y * tangent_in_bind.y + z * tangent_in_bind.z;
    let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
    moved.truncate().normalize_or_zero().extend(tangent_in_bind.w * sign)
}

#[cfg(test)]
mod tests {
    use glam::{EulerRot, Quat};

    use super::*;

    #[test]
    fn tiny_and_huge_scales_do_not_change_the_direction_of_normals() {
        let normal = Vec3::new(1.0, 2.0, -0.5).normalize_or_zero();
        let matrix = Mat4::from_rotation_z(0.7) * Mat4::from_scale(Vec3::new(1.0, -3.0, 0.5));
        for rule in NormalRule::ALL {
            let transform = |matrix| (normal_matrix(rule, matrix) * normal).normalize_or_zero();
            let expected = transform(matrix);
            for scale in [1e-36, 1e-20, 1e-13, 1e-9, 1e9, 1e10, 1e18, 1e36] {
                let found = transform(matrix * Mat4::from_scale(Vec3::splat(scale)));
                assert!(found.distance(expected) < 1e-5, "{rule:?} × {scale}: {found}");
            }
        }
        assert_eq!(normal_matrix(NormalRule::Cofactor, Mat4::ZERO), Mat3::ZERO);
    }

    fn bitangent(normal: Vec3, tangent: Vec4) -> Vec3 {
        normal.cross(tangent.truncate()) * tangent.w
    }

    #[test]
    fn the_bitangent_follows_the_surface_under_reflections() {
        let rotation = Mat4::from_quat(Quat::from_euler(EulerRot::XYZ, 0.4, -1.1, 2.0));
        let normal = Vec3::Y;
        let tangent = Vec4::new(0.6, 0.0, 0.8, -1.0);
        for scale in [
            Vec3::ONE,
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(2.0, 2.0, -2.0),
            Vec3::splat(-1e-12),
            Vec3::splat(1e13),
        ] {
            let matrix = rotation * Mat4::from_scale(scale);
            let found = bitangent(moved_normal(&matrix, normal), moved_tangent(&matrix, tangent));
            let expected =
                matrix.transform_vector3(bitangent(normal, tangent)) / scale.abs().max_element();
            assert!(found.abs_diff_eq(expected, 1e-5), "{scale}: {found} {expected}");
        }
    }

    #[test]
    fn tangents_stay_perpendicular_to_normals_under_non_uniform_scale() {
        let matrix = Mat4::from_rotation_x(0.3) * Mat4::from_scale(Vec3::new(1.0, 4.0, 0.5));
        let normal = Vec3::new(0.6, 0.8, 0.0);
        let tangent = Vec4::new(0.8, -0.6, 0.0, 1.0);
        let moved = moved_tangent(&matrix, tangent);
        assert!((moved.truncate().length() - 1.0).abs() < 1e-6);
        assert!(moved.truncate().dot(moved_normal(&matrix, normal)).abs() < 1e-6);
        let flat = Mat4::from_scale(Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(moved_tangent(&flat, Vec4::Z).truncate(), Vec3::ZERO);
    }
}
