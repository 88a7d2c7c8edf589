//! What moves normals, by each of the rules.

#![expect(clippy::inline_always, reason = "as in linear_blend.rs")]

use glam::{Mat3, Mat4, Vec3, Vec4, Vec4Swizzles as _};

use super::linear_blend::skin_matrix;
use super::{Influences, NormalRule};

/// The matrix that moves normals along with `world_from_bind`.
///
/// The inverse transpose up to a positive factor: the cofactor matrix times the
/// sign of the determinant, so that a mirrored joint does not turn normals
/// inward and a flattened one does not divide by zero.
pub fn normal_from_bind(world_from_bind: Mat4) -> Mat3 {
    let (cofactors, determinant) = cofactor_columns(columns_of_ordinary_size(&world_from_bind));
    matrix_of(cofactors) * if determinant < 0.0 { -1.0 } else { 1.0 }
}

/// A normal moved by [`normal_from_bind`], of unit length; zero where the mesh has
/// collapsed to nothing.
#[inline(always)]
pub fn moved_normal(world_from_bind: &Mat4, normal_in_bind: Vec3) -> Vec3 {
    let ([x, y, z], determinant) = cofactor_columns(columns_of_ordinary_size(world_from_bind));
    let moved = x * normal_in_bind.x + y * normal_in_bind.y + z * normal_in_bind.z;
    let moved = if determinant < 0.0 { -moved } else { moved };
    moved.truncate().normalize_or_zero()
}

/// The linear part, with its largest element made 1 where products of three
/// elements would overflow or vanish. Directions stay.
#[inline(always)]
pub(super) fn columns_of_ordinary_size(world_from_bind: &Mat4) -> [Vec4; 3] {
    let [x, y, z] = linear_columns(world_from_bind);
    let largest = x.abs().max(y.abs()).max(z.abs());
    let largest = largest.x.max(largest.y).max(largest.z);
    let is_ordinary = (1e-8..=1e8).contains(&largest);
    if is_ordinary || largest == 0.0 || !largest.is_finite() {
        return [x, y, z];
    }
    // In two steps: one over the smallest floats is infinite.
    let root = largest.sqrt().recip();
    [x * root * root, y * root * root, z * root * root]
}

#[inline(always)]
fn linear_columns(world_from_bind: &Mat4) -> [Vec4; 3] {
    [world_from_bind.x_axis, world_from_bind.y_axis, world_from_bind.z_axis]
}

/// The cofactor matrix and the determinant, of three columns whose fourth lanes mean
/// nothing.
#[inline(always)]
pub(super) fn cofactor_columns([x, y, z]: [Vec4; 3]) -> ([Vec4; 3], f32) {
    let of_z = cross(x, y);
    let products = z * of_z;
    let determinant = products.x + products.y + products.z;
    ([cross(y, z), cross(z, x), of_z], determinant)
}

#[inline(always)]
fn cross(a: Vec4, b: Vec4) -> Vec4 {
    (a * b.yzxw() - a.yzxw() * b).yzxw()
}

fn matrix_of([x, y, z]: [Vec4; 3]) -> Mat3 {
    Mat3::from_cols(x.truncate(), y.truncate(), z.truncate())
}

/// The cofactor matrix of the linear part: the inverse transpose times the
/// determinant, without a division.
pub fn cofactors(world_from_bind: Mat4) -> Mat3 {
    matrix_of(cofactor_columns(linear_columns(&world_from_bind)).0)
}

/// What moves normals by a rule; the result need not have unit length.
pub fn normal_matrix(rule: NormalRule, world_from_bind: Mat4) -> Mat3 {
    match rule {
        NormalRule::InverseTranspose => normal_from_bind(world_from_bind),
        NormalRule::SkinMatrix => matrix_of(columns_of_ordinary_size(&world_from_bind)),
        NormalRule::Cofactor => {
            matrix_of(cofactor_columns(columns_of_ordinary_size(&world_from_bind)).0)
        }
        NormalRule::LeftAlone => Mat3::IDENTITY,
    }
}

/// One normal, in world space, of unit length; zero where the mesh has
/// collapsed to nothing.
pub fn skin_normal(
    normal_in_bind: Vec3,
    influences: &Influences,
    world_from_bind: &[Mat4],
) -> Vec3 {
    moved_normal(&skin_matrix(influences, world_from_bind), normal_in_bind)
}

/// All normals, in world space.
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
                assert!(found.distance(expected) < 1e-5, "{rule:?} × {scale}: {found}");
            }
        }
        assert_eq!(normal_matrix(NormalRule::Cofactor, Mat4::ZERO), Mat3::ZERO);
    }
}
