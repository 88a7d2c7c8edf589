//! Interpolation between two rotations.

use glam::{DMat3, DQuat};

use crate::keyed;

keyed! {
    /// The interpolation between two rotations: between keys, and in a cross-fade.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum RotationInterpolation {
        /// Along the shorter arc at constant speed, as required by glTF.
        #[default]
        Slerp = "slerp" => "slerp",
        /// Linear interpolation of the quaternions, then normalization: along the shorter
        /// arc, but not at constant speed.
        Nlerp = "nlerp" => "nlerp",
        /// Slerp without choosing the shorter arc: takes the longer one if the signs of the
        /// quaternions differ.
        SignsAsStored = "signs-as-stored" => "slerp, signs as stored",
        /// Linear interpolation of the matrices, which is not a rotation in general.
        Matrix = "matrix" => "lerp of matrices",
    }
}

impl RotationInterpolation {
    /// Returns a description in one sentence, for tooltips.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Slerp => "Along the arc at constant speed, the short way: as glTF asks",
            Self::Nlerp => "Straight between the quaternions, then made unit; the short way",
            Self::SignsAsStored => "Along the arc, the long way where the signs differ",
            Self::Matrix => "Each cell of the matrices on its own: shrinks on the way",
        }
    }

    /// Interpolates two unit quaternions at `t`, from 0 to 1.
    ///
    /// [`Self::Matrix`] is computed by slerp here, because a lerp of matrices is not a
    /// rotation: [`lerped_matrix`] computes it.
    pub fn rotation(self, from: DQuat, to: DQuat, t: f64) -> DQuat {
        match self {
            Self::Slerp | Self::Matrix => slerp(from, to, t),
            Self::SignsAsStored => slerp_with_signs(from, to, t),
            Self::Nlerp => nlerp(from, to, t),
        }
    }
}

/// Interpolates two unit quaternions along the shorter arc at constant speed (Shoemake,
/// “Animating rotation with quaternion curves”, SIGGRAPH 1985).
pub fn slerp(from: DQuat, to: DQuat, t: f64) -> DQuat {
    slerp_with_signs(from, in_same_hemisphere(from, to), t)
}

/// Interpolates the rotation matrices of two unit quaternions linearly, cell by cell.
pub fn lerped_matrix(from: DQuat, to: DQuat, t: f64) -> DMat3 {
    DMat3::from_quat(from) * (1.0 - t) + DMat3::from_quat(to) * t
}

/// Returns `to` or `−to`, which are the same rotation: the one in the hemisphere of `from`.
fn in_same_hemisphere(from: DQuat, to: DQuat) -> DQuat {
    if from.dot(to) < 0.0 { -to } else { to }
}

fn nlerp(from: DQuat, to: DQuat, t: f64) -> DQuat {
    normalize_or_identity(from + (in_same_hemisphere(from, to) - from) * t)
}

fn slerp_with_signs(from: DQuat, to: DQuat, t: f64) -> DQuat {
    let cos = from.dot(to).clamp(-1.0, 1.0);
    let angle_rad = cos.acos();
    let sin = (1.0 - cos * cos).sqrt();
    if sin < 1e-6 {
        // The two are nearly equal, or nearly opposite, where the arc is not unique.
        return nlerp(from, to, t);
    }
    normalize_or_identity(
        from * (((1.0 - t) * angle_rad).sin() / sin) + to * ((t * angle_rad).sin() / sin),
    )
}

/// Normalizes a quaternion. Returns the identity if its length is almost 0 or not finite.
pub(super) fn normalize_or_identity(quaternion: DQuat) -> DQuat {
    let length = quaternion.length();
    if length.is_finite() && length > 1e-12 { quaternion / length } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn rotation_z(angle_rad: f64) -> DQuat {
        DQuat::from_axis_angle(DVec3::Z, angle_rad)
    }

    fn unit_quaternion() -> impl Strategy<Value = DQuat> {
        prop::array::uniform4(-1.0..1.0f64)
            .prop_map(DQuat::from_array)
            .prop_filter("has a direction", |q| q.length() > 0.1)
            .prop_map(DQuat::normalize)
    }

    #[test]
    fn interpolations_of_distant_rotations_differ() {
        let angle = |interpolation: RotationInterpolation, to: DQuat| {
            let q = interpolation.rotation(rotation_z(0.0), to, 0.25);
            2.0 * q.z.atan2(q.w).to_degrees()
        };
        let to = rotation_z(160_f64.to_radians());
        assert!((angle(RotationInterpolation::Slerp, to) - 40.0).abs() < 1e-9);
        assert!((angle(RotationInterpolation::SignsAsStored, to) - 40.0).abs() < 1e-9);
        // The point at a quarter of the chord of the half angle, 80°.
        let (sin, cos) = 80_f64.to_radians().sin_cos();
        let straight = 2.0 * (0.25 * sin).atan2(0.75 + 0.25 * cos).to_degrees();
        assert!(
            (angle(RotationInterpolation::Nlerp, to) - straight).abs() < 1e-9 && straight < 35.0
        );
        // The negated quaternion is the same rotation, 200° in the other direction.
        assert!((angle(RotationInterpolation::Slerp, -to) - 40.0).abs() < 1e-9);
        assert!((angle(RotationInterpolation::Nlerp, -to) - straight).abs() < 1e-9);
        assert!((angle(RotationInterpolation::SignsAsStored, -to) + 50.0).abs() < 1e-9);

        let half = lerped_matrix(rotation_z(0.0), to, 0.5);
        let shrunk = 80_f64.to_radians().cos();
        assert!((half.x_axis.length() - shrunk).abs() < 1e-12, "cos θ/2");
        assert!((half.z_axis.length() - 1.0).abs() < 1e-12, "the axis stays");
    }

    #[test]
    fn keys_are_read_back() {
        for interpolation in RotationInterpolation::ALL {
            let read = RotationInterpolation::from_key(interpolation.key());
            assert_eq!(read, Some(interpolation));
        }
        assert_eq!(RotationInterpolation::from_key("lerp"), None);
    }

    proptest! {
        #[test]
        fn interpolated_rotations_are_of_unit_length_and_reach_both_ends(
            from in unit_quaternion(),
            to in unit_quaternion(),
            t in 0.0..1.0f64,
        ) {
            for interpolation in RotationInterpolation::ALL {
                let q = interpolation.rotation(from, to, t);
                prop_assert!((q.length() - 1.0).abs() < 1e-9);
                let start = interpolation.rotation(from, to, 0.0);
                prop_assert!(start.dot(from).abs() > 1.0 - 1e-9);
                let end = interpolation.rotation(from, to, 1.0);
                prop_assert!(end.dot(to).abs() > 1.0 - 1e-9);
            }
            prop_assert!(lerped_matrix(from, to, t).is_finite());
        }

        #[test]
        fn slerp_takes_the_shorter_arc_for_any_signs(
            from in unit_quaternion(),
            to in unit_quaternion(),
            t in 0.0..1.0f64,
        ) {
            let q = slerp(from, to, t);
            let whole = from.angle_between(to).min(from.angle_between(-to));
            let angle = |a: DQuat, b: DQuat| a.angle_between(b).min(a.angle_between(-b));
            prop_assert!((angle(from, q) - t * whole).abs() < 1e-5);
            prop_assert!((angle(q, to) - (1.0 - t) * whole).abs() < 1e-5);
            prop_assert!(q.dot(slerp(from, -to, t)).abs() > 1.0 - 1e-9);
        }
    }
}
