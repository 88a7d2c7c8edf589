//! Dual quaternion skinning, which blends rigid motions instead of matrices, so that a
//! twisted limb keeps its width.
//!
//! Kavan, Collins, Žára, O'Sullivan, "Geometric skinning with approximate dual
//! quaternion blending", ACM Transactions on Graphics 27(4), 2008. Dual quaternions cannot
//! represent scale and shear. As in section 4.2 there, these are split off first, blended
//! linearly, and applied before the blended rigid motion.

use glam::{DMat3, Mat3, Mat4, Quat, Vec3};

use super::{Influences, JointIndex};

/// Maximum number of Newton steps in a polar decomposition. Each step doubles the correct
/// digits.
const MAX_POLAR_STEPS: usize = 40;

/// A joint matrix in two factors: `stretch`, applied first, and the rigid motion
/// `real + ε dual`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// The rotation, as a unit quaternion.
    pub real: Quat,
    /// `½ t real`, with the translation t as a pure quaternion.
    pub dual: Quat,
    /// Scale, shear and reflection. The identity for a rigid joint.
    pub stretch: Mat3,
}

impl JointMotion {
    /// Decomposes an affine matrix by polar decomposition.
    ///
    /// The rotation of a singular matrix is undefined: its linear part becomes `stretch`
    /// and its rotation the identity.
    pub fn from_matrix(world_from_bind: Mat4) -> Self {
        let linear = Mat3::from_mat4(world_from_bind);
        let rotation = nearest_rotation(linear.as_dmat3()).unwrap_or(DMat3::IDENTITY);
        let q = glam::DQuat::from_mat3(&rotation).normalize();
        let stretch = (rotation.transpose() * linear.as_dmat3()).as_mat3();
        let real = q.as_quat();
        let t = world_from_bind.w_axis.truncate();
        Self {
            real,
            dual: Quat::from_xyzw(t.x, t.y, t.z, 0.0) * real * 0.5,
            stretch: if stretch.abs_diff_eq(Mat3::IDENTITY, 1e-6) {
                Mat3::IDENTITY
            } else {
                stretch
            },
        }
    }

    /// Returns whether the matrix is only a rotation and a translation.
    pub fn is_rigid(&self) -> bool {
        self.stretch == Mat3::IDENTITY
    }

    /// Multiplies the factors back into a matrix.
    pub fn matrix(&self) -> Mat4 {
        let conjugate = self.real.conjugate();
        let t = self.dual * conjugate * 2.0;
        let linear = Mat3::from_quat(self.real) * self.stretch;
        Mat4::from_cols(
            linear.x_axis.extend(0.0),
            linear.y_axis.extend(0.0),
            linear.z_axis.extend(0.0),
            Vec3::new(t.x, t.y, t.z).extend(1.0),
        )
    }
}

/// Computes the rotation nearest to a matrix. Leaves a reflection to the stretch. Returns
/// `None` if the matrix is singular.
fn nearest_rotation(linear: DMat3) -> Option<DMat3> {
    // Normalizing the size keeps the matrix of a tiny model from counting as singular.
    let scale = linear.to_cols_array().into_iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    let mut nearest = linear * scale.recip();
    for _ in 0..MAX_POLAR_STEPS {
        let determinant = nearest.determinant();
        if !determinant.is_finite() || determinant.abs() <= 1e-12 {
            return None;
        }
        let next = (nearest + nearest.inverse().transpose()) * 0.5;
        let change = (next - nearest).to_cols_array();
        nearest = next;
        if change.iter().all(|x| x.abs() < 1e-14) {
            break;
        }
    }
    nearest.is_finite().then(|| if nearest.determinant() < 0.0 { -nearest } else { nearest })
}

/// Computes the skin matrix of one vertex by dual quaternion blending.
///
/// q and −q are the same rotation: each influence contributes the one in the hemisphere of
/// the first influence. The sum is normalized, so that Σw cancels. If it is too small to
/// normalize, the result is the zero matrix. A joint index past the list counts as the
/// identity.
pub fn dual_quaternion_matrix(influences: &Influences, motions: &[JointMotion]) -> Mat4 {
    let used = influences.used();
    dual_quaternion_matrix_of(used.map(|(_, joint, weight)| (joint, weight)), motions)
}

/// Computes [`dual_quaternion_matrix`] for any number of influences.
pub fn dual_quaternion_matrix_of(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    motions: &[JointMotion],
) -> Mat4 {
    blended_matrix(influences, motions, true)
}

/// Computes [`dual_quaternion_matrix_of`] with a classic bug, for demonstration: sums the
/// quaternions with their signs as stored, without moving them into one hemisphere.
pub fn one_sided_dual_quaternion_matrix(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    motions: &[JointMotion],
) -> Mat4 {
    blended_matrix(influences, motions, false)
}

fn blended_matrix(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    motions: &[JointMotion],
    is_aligned: bool,
) -> Mat4 {
    let identity = JointMotion {
        real: Quat::IDENTITY,
        dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        stretch: Mat3::IDENTITY,
    };
    let mut pivot = None;
    let mut real = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut dual = real;
    let mut stretch = Mat3::ZERO;
    let mut weight_sum = 0.0;
    for (joint, weight) in influences {
        let motion = motions.get(joint.index()).unwrap_or(&identity);
        let pivot = *pivot.get_or_insert(motion.real);
        let signed_weight =
            if is_aligned && motion.real.dot(pivot) < 0.0 { -weight } else { weight };
        real += motion.real * signed_weight;
        dual += motion.dual * signed_weight;
        stretch += motion.stretch * weight;
        weight_sum += weight;
    }
    let length = real.length();
    if length < 1e-12 || weight_sum == 0.0 {
        return Mat4::ZERO;
    }
    JointMotion {
        real: real * length.recip(),
        dual: dual * length.recip(),
        stretch: stretch * weight_sum.recip(),
    }
    .matrix()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JointIndex;

    #[test]
    fn a_single_influence_reproduces_its_matrix_with_scale_and_reflection() {
        let rotation = Mat4::from_rotation_x(0.4) * Mat4::from_rotation_z(2.9);
        let translation = Mat4::from_translation(Vec3::new(1.0, -2.0, 0.5));
        for scale in
            [Vec3::ONE, Vec3::splat(2.0), Vec3::new(1.0, 0.2, 3.0), Vec3::new(-1.0, 1.0, 1.0)]
        {
            let matrix = translation
                * rotation
                * Mat4::from_scale(scale)
                * rotation.inverse()
                * Mat4::from_rotation_y(1.0);
            let motion = JointMotion::from_matrix(matrix);
            assert!(motion.matrix().abs_diff_eq(matrix, 1e-5), "{scale}");
            assert_eq!(motion.is_rigid(), scale == Vec3::ONE);
            let single = Influences::new(&[(JointIndex(0), 0.25)]);
            let blended = dual_quaternion_matrix(&single, &[motion]);
            assert!(blended.abs_diff_eq(matrix, 1e-5), "{scale}");
        }
    }

    #[test]
    fn a_singular_matrix_is_all_stretch() {
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(JointMotion::from_matrix(flat).real, Quat::IDENTITY);
        assert!(JointMotion::from_matrix(flat).matrix().abs_diff_eq(flat, 1e-6));
        assert!(JointMotion::from_matrix(Mat4::ZERO).matrix().is_finite());
    }

    #[test]
    fn blending_a_half_turn_keeps_the_width() {
        let motions =
            [0.0, 3.0].map(|angle| JointMotion::from_matrix(Mat4::from_rotation_x(angle)));
        let half = Influences::new(&[(JointIndex(0), 0.5), (JointIndex(1), 0.5)]);
        let point = dual_quaternion_matrix(&half, &motions) * Vec3::Y.extend(1.0);
        let expected = Mat4::from_rotation_x(1.5) * Vec3::Y.extend(1.0);
        assert!(point.abs_diff_eq(expected, 1e-6), "{point}");
        let unweighted = Influences::default();
        assert_eq!(dual_quaternion_matrix(&unweighted, &motions), Mat4::ZERO);
    }

    #[test]
    fn one_sided_blending_of_a_large_turn_rotates_the_other_way() {
        let motions =
            [0.0, -2.6].map(|angle| JointMotion::from_matrix(Mat4::from_rotation_x(angle)));
        let half = [(JointIndex(0), 0.5), (JointIndex(1), 0.5)];
        let transform_y = |matrix: Mat4| matrix.transform_point3(Vec3::Y);
        let right = transform_y(dual_quaternion_matrix_of(half, &motions));
        let wrong = transform_y(one_sided_dual_quaternion_matrix(half, &motions));
        let rotate_y = |angle| transform_y(Mat4::from_rotation_x(angle));
        assert!(right.abs_diff_eq(rotate_y(-1.3), 1e-6), "{right}");
        assert!(wrong.abs_diff_eq(rotate_y(std::f32::consts::PI - 1.3), 1e-6), "{wrong}");
    }
}
