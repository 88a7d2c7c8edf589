//! Decomposition of affine matrices into translation, rotation and scale.

use bindpose_skin::Trs;
use glam::{DMat3, DQuat, DVec3, Mat4};

/// Cosine of the angle between two columns below which they count as orthogonal.
const ORTHOGONAL_COSINE: f64 = 2e-6;
/// Limit of sweeps over the three pairs of columns. Each sweep squares the error.
const MAX_SWEEPS: usize = 16;

/// Decomposes an affine matrix into transforms of which it is the product: one if it has no
/// shear, otherwise two, of which the second is a rotation. The matrix may be singular or
/// mirroring.
///
/// With the singular value decomposition `M = U Σ Vᵀ`, the first transform is `T U Σ` and the
/// second `Vᵀ`. One-sided Jacobi rotations make the columns of `M V = U Σ` orthogonal
/// (Hestenes, "Inversion of matrices by biorthogonalization", 1958).
pub(crate) fn decompose_affine(parent_from_node: Mat4) -> (Trs, Option<Trs>) {
    let translation = parent_from_node.w_axis.truncate();
    let mut columns = [parent_from_node.x_axis, parent_from_node.y_axis, parent_from_node.z_axis]
        .map(|column| column.truncate().as_dvec3());
    let mut v = DMat3::IDENTITY.to_cols_array_2d().map(DVec3::from_array);
    let mut has_shear = false;
    for _ in 0..MAX_SWEEPS {
        let mut has_rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let a = columns[p];
            let b = columns[q];
            let dot = a.dot(b);
            if dot.abs() <= ORTHOGONAL_COSINE * a.length() * b.length() {
                continue;
            }
            let zeta = (b.length_squared() - a.length_squared()) / (2.0 * dot);
            let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cos = (1.0 + t * t).sqrt().recip();
            let sin = cos * t;
            for list in [&mut columns, &mut v] {
                let x = list[p];
                let y = list[q];
                list[p] = x * cos - y * sin;
                list[q] = x * sin + y * cos;
            }
            has_rotated = true;
        }
        has_shear |= has_rotated;
        if !has_rotated {
            break;
        }
    }
    let (rotation, scale) = rotation_and_scale(columns);
    let first = Trs { translation, rotation: rotation.as_quat(), scale: scale.as_vec3() };
    let second = has_shear.then(|| Trs {
        rotation: DQuat::from_mat3(&DMat3::from_cols(v[0], v[1], v[2]).transpose())
            .normalize()
            .as_quat(),
        ..Trs::IDENTITY
    });
    (first, second)
}

/// Splits a matrix with orthogonal columns, some of which may be zero. A mirroring matrix gets
/// a negative x scale.
fn rotation_and_scale(columns: [DVec3; 3]) -> (DQuat, DVec3) {
    let mut scale = DVec3::from_array(columns.map(DVec3::length));
    let min_scale = 1e-9 * scale.max_element();
    let mut axes = [DVec3::ZERO; 3];
    for i in 0..3 {
        if scale[i] > min_scale {
            axes[i] = columns[i] / scale[i];
        } else {
            scale[i] = 0.0;
        }
    }
    // The axis of a zero column is arbitrary as long as it is orthogonal to the others.
    for i in 0..3 {
        if axes[i] == DVec3::ZERO {
            let next = axes[(i + 1) % 3];
            let last = axes[(i + 2) % 3];
            axes[i] = match (next == DVec3::ZERO, last == DVec3::ZERO) {
                (false, false) => next.cross(last),
                (false, true) => next.any_orthonormal_vector(),
                (true, false) => last.any_orthonormal_vector(),
                (true, true) => DVec3::X,
            };
        }
    }
    if axes[0].cross(axes[1]).dot(axes[2]) < 0.0 {
        axes[0] = -axes[0];
        scale.x = -scale.x;
    }
    let rotation = DMat3::from_cols(axes[0], axes[1], axes[2]);
    (DQuat::from_mat3(&rotation).normalize(), scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    /// Checks that the transforms multiply to the matrix, and returns the second one.
    #[track_caller]
    fn assert_product(matrix: Mat4) -> Option<Trs> {
        let (first, second) = decompose_affine(matrix);
        let product = first.matrix() * second.unwrap_or_default().matrix();
        let size = matrix.to_cols_array().iter().fold(1.0_f32, |a, x| a.max(x.abs()));
        assert!(product.abs_diff_eq(matrix, 1e-5 * size), "{product} for {matrix}");
        second
    }

    #[test]
    fn matrices_without_shear_are_one_transform() {
        let rotation = Quat::from_rotation_x(0.5) * Quat::from_rotation_z(2.0);
        for scale in [
            Vec3::new(1.0, 2.0, 3.0),
            Vec3::new(1.0, -2.0, 3.0),
            Vec3::new(-1e-3, -2e3, -1.0),
            Vec3::new(0.0, 1.0, 2.0),
            Vec3::new(0.0, 0.0, -2.0),
            Vec3::ZERO,
        ] {
            let matrix = Mat4::from_scale_rotation_translation(scale, rotation, Vec3::ONE);
            assert_eq!(assert_product(matrix), None, "{scale}");
        }
    }

    #[test]
    fn matrices_with_shear_are_a_scale_after_a_rotation() {
        let mut sheared = Mat4::from_translation(Vec3::new(4.0, 5.0, 6.0));
        sheared.y_axis.x = 0.7;
        let second = assert_product(sheared).expect("two transforms");
        assert_eq!((second.translation, second.scale), (Vec3::ZERO, Vec3::ONE));
        let mut flat = Mat4::from_cols_array(&[1.0; 16]);
        for column in 0..3 {
            flat.col_mut(column).w = 0.0;
        }
        assert!(assert_product(flat).is_some());
    }

    proptest! {
        #[test]
        fn any_affine_matrix_is_the_product(numbers in prop::array::uniform12(-3.0..3.0_f32)) {
            let [a, b, c, d, e, f, g, h, i, x, y, z] = numbers;
            assert_product(Mat4::from_cols_array(&[
                a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0, x, y, z, 1.0,
            ]));
        }
    }
}
