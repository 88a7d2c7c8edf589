//! Dual quaternion skinning: rotations and translations are blended, not
//! matrices, so that a twisted limb keeps its width.
//!
//! Kavan, Collins, Žára, O'Sullivan, "Geometric skinning with approximate dual
//! quaternion blending", ACM Transactions on Graphics 27(4), 2008. What a joint
//! scales or shears is not a rotation: as in section 4.2 there, it is taken off
//! first, blended linearly, and applied before the blended rigid motion.

use glam::{DMat3, Mat3, Mat4, Quat, Vec3};

use super::{Influences, JointIndex};

/// Steps of the polar decomposition at most; it doubles its digits with each.
const POLAR_STEPS: usize = 40;

/// What a joint matrix does, taken apart: first `stretch`, then the rigid motion
/// `real + ε dual`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// The rotation; a unit quaternion.
    pub real: Quat,
    /// `½ t real`, with the translation t as a pure quaternion.
    pub dual: Quat,
    /// Scale and shear, and a mirror if there is one: the identity for a rigid
    /// joint.
    pub stretch: Mat3,
}

impl JointMotion {
    /// Takes an affine matrix apart by its polar decomposition.
    ///
    /// A matrix that flattens space has no rotation that could be told: its
    /// rotation is the identity, and all of it is stretch.
    pub fn from_matrix(world_from_bind: Mat4) -> Self {
        let linear = Mat3::from_mat4(world_from_bind);
        let rotation = rotation_of(linear.as_dmat3()).unwrap_or(DMat3::IDENTITY);
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

    /// Is it a rotation and a translation alone?
    pub fn is_rigid(&self) -> bool {
        self.stretch == Mat3::IDENTITY
    }

    /// The matrix again.
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

/// The rotation nearest to a matrix that does not flatten space. A mirror is
/// left to the stretch.
fn rotation_of(linear: DMat3) -> Option<DMat3> {
    // A small model is not a flat one.
    let scale = linear.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut nearest = linear * scale.recip();
    for _ in 0..POLAR_STEPS {
        let determinant = nearest.determinant();
        if !determinant.is_finite() || determinant.abs() <= 1e-12 {
            return None;
        }
        let next = (nearest + nearest.inverse().transpose()) * 0.5;
        let moved = (next - nearest).to_cols_array();
        nearest = next;
        if moved.iter().all(|x| x.abs() < 1e-14) {
            break;
        }
    }
    nearest.is_finite().then(|| if nearest.determinant() < 0.0 { -nearest } else { nearest })
}

/// The matrix that dual quaternion blending gives one vertex.
///
/// Of the two quaternions for one rotation, each influence takes the one on the
/// side of the first influence. The sum is made unit, so that Σw drops out;
/// where nothing is left to make unit, everything falls to the origin. An index
/// past the list counts as the identity.
pub fn dual_quaternion_matrix(influences: &Influences, motions: &[JointMotion]) -> Mat4 {
    let used = influences.used();
    dual_quaternion_matrix_of(used.map(|(_, joint, weight)| (joint, weight)), motions)
}

/// [`dual_quaternion_matrix`] of any number of influences.
pub fn dual_quaternion_matrix_of(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    motions: &[JointMotion],
) -> Mat4 {
    blended_matrix(influences, motions, true)
}

/// As [`dual_quaternion_matrix_of`], wrongly: each quaternion is added as it is,
/// whichever of the two for its rotation that be.
pub fn one_sided_dual_quaternion_matrix(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    motions: &[JointMotion],
) -> Mat4 {
    blended_matrix(influences, motions, false)
}

fn blended_matrix(
    influences: impl IntoIterator<Item = (JointIndex, f32)>,
    motions: &[JointMotion],
    aligned: bool,
) -> Mat4 {
    let rest = JointMotion {
        real: Quat::IDENTITY,
        dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        stretch: Mat3::IDENTITY,
    };
    let mut pivot = None;
    let mut real = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut dual = real;
    let mut stretch = Mat3::ZERO;
    let mut sum = 0.0;
    for (joint, weight) in influences {
        let motion = motions.get(joint.index()).unwrap_or(&rest);
        let pivot = *pivot.get_or_insert(motion.real);
        let side = if aligned && motion.real.dot(pivot) < 0.0 { -weight } else { weight };
        real += motion.real * side;
        dual += motion.dual * side;
        stretch += motion.stretch * weight;
        sum += weight;
    }
    let size = real.length();
    if size < 1e-12 || sum == 0.0 {
        return Mat4::ZERO;
    }
    JointMotion {
        real: real * size.recip(),
        dual: dual * size.recip(),
        stretch: stretch * sum.recip(),
    }
    .matrix()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JointIndex;

    #[test]
    fn one_joint_alone_moves_as_its_matrix_whatever_it_scales_or_mirrors() {
        let turn = Mat4::from_rotation_x(0.4) * Mat4::from_rotation_z(2.9);
        let place = Mat4::from_translation(Vec3::new(1.0, -2.0, 0.5));
        for scale in
            [Vec3::ONE, Vec3::splat(2.0), Vec3::new(1.0, 0.2, 3.0), Vec3::new(-1.0, 1.0, 1.0)]
        {
            let matrix = place
                * turn
                * Mat4::from_scale(scale)
                * turn.inverse()
                * Mat4::from_rotation_y(1.0);
            let motion = JointMotion::from_matrix(matrix);
            assert!(motion.matrix().abs_diff_eq(matrix, 1e-5), "{scale}");
            assert_eq!(motion.is_rigid(), scale == Vec3::ONE);
            let alone = Influences::new(&[(JointIndex(0), 0.25)]);
            let blended = dual_quaternion_matrix(&alone, &[motion]);
            assert!(blended.abs_diff_eq(matrix, 1e-5), "{scale}");
        }
    }

    #[test]
    fn a_matrix_that_flattens_space_is_all_stretch() {
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(JointMotion::from_matrix(flat).real, Quat::IDENTITY);
        assert!(JointMotion::from_matrix(flat).matrix().abs_diff_eq(flat, 1e-6));
        assert!(JointMotion::from_matrix(Mat4::ZERO).matrix().is_finite());
    }

    #[test]
    fn half_of_a_half_turn_keeps_its_width() {
        let motions =
            [0.0, 3.0].map(|angle| JointMotion::from_matrix(Mat4::from_rotation_x(angle)));
        let half = Influences::new(&[(JointIndex(0), 0.5), (JointIndex(1), 0.5)]);
        let point = dual_quaternion_matrix(&half, &motions) * Vec3::Y.extend(1.0);
        let expected = Mat4::from_rotation_x(1.5) * Vec3::Y.extend(1.0);
        assert!(point.abs_diff_eq(expected, 1e-6), "{point}");
        let nothing = Influences::default();
        assert_eq!(dual_quaternion_matrix(&nothing, &motions), Mat4::ZERO);
    }

    #[test]
    fn without_its_sign_half_of_a_large_turn_goes_the_other_way_round() {
        let motions =
            [0.0, -2.6].map(|angle| JointMotion::from_matrix(Mat4::from_rotation_x(angle)));
        let half = [(JointIndex(0), 0.5), (JointIndex(1), 0.5)];
        let moved = |matrix: Mat4| (matrix * Vec3::Y.extend(1.0)).truncate();
        let right = moved(dual_quaternion_matrix_of(half, &motions));
        let wrong = moved(one_sided_dual_quaternion_matrix(half, &motions));
        let turned = |angle| moved(Mat4::from_rotation_x(angle));
        assert!(right.abs_diff_eq(turned(-1.3), 1e-6), "{right}");
        assert!(wrong.abs_diff_eq(turned(std::f32::consts::PI - 1.3), 1e-6), "{wrong}");
    }
}
