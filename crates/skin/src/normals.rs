//! What moves normals, by each of the rules, and tangents.

#![expect(clippy::inline_always, reason = "as in linear_blend.rs")]

use glam::{Mat3, Mat4, Vec3, Vec4, Vec4Swizzles as _};

use super::Influences;
use super::linear_blend::skin_matrix;
use crate::keyed;

keyed! {
    /// What moves normals.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum NormalRule {
        /// The inverse transpose of the skin matrix, up to a positive factor: right.
        #[default]
        InverseTranspose = "inverse-transpose" => "inverse transpose",
        /// The skin matrix itself: right as long as nothing is squashed.
        SkinMatrix = "skin-matrix" => "skin matrix",
        /// The matrix of cofactors: the inverse transpose times the determinant,
        /// whose sign turns normals inward where a joint mirrors.
        Cofactor = "cofactor" => "cofactors alone",
        /// Nothing: normals stay as stored.
        LeftAlone = "left-alone" => "left alone",
    }
}

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
fn columns_of_ordinary_size(world_from_bind: &Mat4) -> [Vec4; 3] {
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
fn cofactor_columns([x, y, z]: [Vec4; 3]) -> ([Vec4; 3], f32) {
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

// Tangents.

/// A tangent as glTF stores it, xyz and the handedness in w, moved by the linear part
/// of `world_from_bind`: it lies along the surface, so it goes where the surface
/// goes. Unit length; zero where the mesh has collapsed along it. It stays at right
/// angles to the normal of [`moved_normal`], if it was.
///
/// The handedness changes its sign under a mirrored matrix: normals keep their side
/// there, and so `cross(normal, tangent)` turns round where the bitangent of the
/// surface does not. glTF 2.0, section 3.7.2.1, says how the three belong together.
#[inline(always)]
pub fn moved_tangent(world_from_bind: &Mat4, tangent_in_bind: Vec4) -> Vec4 {
    let columns = columns_of_ordinary_size(world_from_bind);
    let [x, y, z] = columns;
    let (_, determinant) = cofactor_columns(columns);
    let moved = x * tangent_in_bind.x + y * tangent_in_bind.y + z * tangent_in_bind.z;
    let side = if determinant < 0.0 { -1.0 } else { 1.0 };
    let moved = moved.truncate().normalize_or_zero();
    moved.extend(tangent_in_bind.w * side)
}

#[cfg(test)]
mod tests {
    use glam::{EulerRot, Quat};

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

    fn bitangent(normal: Vec3, tangent: Vec4) -> Vec3 {
        normal.cross(tangent.truncate()) * tangent.w
    }

    #[test]
    fn the_bitangent_goes_with_the_surface_also_where_that_is_mirrored() {
        let turned = Mat4::from_quat(Quat::from_euler(EulerRot::XYZ, 0.4, -1.1, 2.0));
        let (normal, tangent) = (Vec3::Y, Vec4::new(0.6, 0.0, 0.8, -1.0));
        for scale in [
            Vec3::ONE,
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(2.0, 2.0, -2.0),
            Vec3::splat(-1e-12),
            Vec3::splat(1e13),
        ] {
            let matrix = turned * Mat4::from_scale(scale);
            let moved = moved_tangent(&matrix, tangent);
            let moved_normal = moved_normal(&matrix, normal);
            let found = bitangent(moved_normal, moved);
            let expected = matrix.transform_vector3(bitangent(normal, tangent));
            let expected = expected / scale.abs().max_element();
            assert!(found.abs_diff_eq(expected, 1e-5), "{scale}: {found} {expected}");
        }
    }

    #[test]
    fn it_stays_at_right_angles_to_the_normal_under_unequal_scale() {
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
