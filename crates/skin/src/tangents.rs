//! What moves tangents.

#![expect(clippy::inline_always, reason = "as in linear_blend.rs")]

use glam::{Mat4, Vec4};

use super::normals::{cofactor_columns, columns_of_ordinary_size};

/// A tangent as glTF stores it, xyz and the handedness in w, moved by the linear part
/// of `world_from_bind`: it lies along the surface, so it goes where the surface
/// goes. Unit length; zero where the mesh has collapsed along it. It stays at right
/// angles to the normal of [`moved_normal`](super::moved_normal), if it was.
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
    use glam::{Quat, Vec3};

    use super::*;
    use crate::moved_normal;

    fn bitangent(normal: Vec3, tangent: Vec4) -> Vec3 {
        normal.cross(tangent.truncate()) * tangent.w
    }

    #[test]
    fn the_bitangent_goes_with_the_surface_also_where_that_is_mirrored() {
        let turned = Mat4::from_quat(Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0));
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
