//! How a rotation between two others is found.

use glam::{DMat3, DQuat};

use crate::keyed;

keyed! {
    /// How a rotation between two others is found: between keys, and in a
    /// cross-fade.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum RotationInterpolation {
        /// Along the arc at constant speed, the short way round: what glTF asks for.
        #[default]
        Slerp = "slerp" => "slerp",
        /// Straight through the arc and then back to length 1: the short way, not at
        /// constant speed.
        Nlerp = "nlerp" => "nlerp",
        /// Along the arc, but with the signs as they are stored: the long way round
        /// where they differ.
        SignsAsStored = "signs-as-stored" => "slerp, signs as stored",
        /// The cells of the two matrices, each on its own: in general no rotation.
        Matrix = "matrix" => "lerp of matrices",
    }
}

impl RotationInterpolation {
    /// One sentence.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Slerp => "Along the arc at constant speed, the short way: as glTF asks",
            Self::Nlerp => "Straight between the quaternions, then made unit; the short way",
            Self::SignsAsStored => "Along the arc, the long way where the signs differ",
            Self::Matrix => "Each cell of the matrices on its own: shrinks on the way",
        }
    }

    /// The rotation at `t`, from 0 to 1, between two of unit length. Lerped
    /// matrices are not one: they have [`lerped_matrix`], and slerp stands here.
    pub fn rotation(self, from: DQuat, to: DQuat, t: f64) -> DQuat {
        match self {
            Self::Slerp | Self::Matrix => slerp(from, to, t),
            Self::SignsAsStored => along_arc(from, to, t),
            Self::Nlerp => unit(from + (nearer(from, to) - from) * t),
        }
    }
}

/// From one unit quaternion to another at constant speed, the short way round
/// (Shoemake, “Animating rotation with quaternion curves”, SIGGRAPH 1985).
pub fn slerp(from: DQuat, to: DQuat, t: f64) -> DQuat {
    along_arc(from, nearer(from, to), t)
}

/// Each cell of the two rotation matrices straight.
pub fn lerped_matrix(from: DQuat, to: DQuat, t: f64) -> DMat3 {
    DMat3::from_quat(from) * (1.0 - t) + DMat3::from_quat(to) * t
}

/// Of `to` and `−to`, which are the same rotation, the one on the side of `from`.
fn nearer(from: DQuat, to: DQuat) -> DQuat {
    if from.dot(to) < 0.0 { -to } else { to }
}

fn along_arc(from: DQuat, to: DQuat, t: f64) -> DQuat {
    let cos = from.dot(to).clamp(-1.0, 1.0);
    let (angle_rad, sin) = (cos.acos(), (1.0 - cos * cos).sqrt());
    if sin < 1e-6 {
        // As good as equal; or as good as opposite, which no arc joins.
        return unit(from + (nearer(from, to) - from) * t);
    }
    unit(from * (((1.0 - t) * angle_rad).sin() / sin) + to * ((t * angle_rad).sin() / sin))
}

/// Of unit length; no rotation where there is no direction.
pub(super) fn unit(quaternion: DQuat) -> DQuat {
    let length = quaternion.length();
    if length.is_finite() && length > 1e-12 { quaternion / length } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn turn(angle_rad: f64) -> DQuat {
        DQuat::from_axis_angle(DVec3::Z, angle_rad)
    }

    fn unit_quaternion() -> impl Strategy<Value = DQuat> {
        prop::array::uniform4(-1.0..1.0f64)
            .prop_map(DQuat::from_array)
            .prop_filter("has a direction", |q| q.length() > 0.1)
            .prop_map(DQuat::normalize)
    }

    #[test]
    fn the_four_ways_between_two_turns_far_apart() {
        let angle = |between: RotationInterpolation, to: DQuat| {
            let q = between.rotation(turn(0.0), to, 0.25);
            2.0 * q.z.atan2(q.w).to_degrees()
        };
        let to = turn(160_f64.to_radians());
        assert!((angle(RotationInterpolation::Slerp, to) - 40.0).abs() < 1e-9);
        assert!((angle(RotationInterpolation::SignsAsStored, to) - 40.0).abs() < 1e-9);
        // The point a quarter along the chord of the half angle, 80°.
        let (sin, cos) = 80_f64.to_radians().sin_cos();
        let straight = 2.0 * (0.25 * sin).atan2(0.75 + 0.25 * cos).to_degrees();
        assert!(
            (angle(RotationInterpolation::Nlerp, to) - straight).abs() < 1e-9 && straight < 35.0
        );
        // The other sign of the same turn: 200° the other way.
        assert!((angle(RotationInterpolation::Slerp, -to) - 40.0).abs() < 1e-9);
        assert!((angle(RotationInterpolation::Nlerp, -to) - straight).abs() < 1e-9);
        assert!((angle(RotationInterpolation::SignsAsStored, -to) + 50.0).abs() < 1e-9);

        let half = lerped_matrix(turn(0.0), to, 0.5);
        let shrunk = 80_f64.to_radians().cos();
        assert!((half.x_axis.length() - shrunk).abs() < 1e-12, "cos θ/2");
        assert!((half.z_axis.length() - 1.0).abs() < 1e-12, "the axis stays");
    }

    #[test]
    fn keys_name_ways_and_back() {
        for between in RotationInterpolation::ALL {
            assert_eq!(RotationInterpolation::from_key(between.key()), Some(between));
        }
        assert_eq!(RotationInterpolation::from_key("lerp"), None);
    }

    proptest! {
        #[test]
        fn what_stands_between_is_of_unit_length_and_ends_where_it_should(
            from in unit_quaternion(),
            to in unit_quaternion(),
            t in 0.0..1.0f64,
        ) {
            for between in RotationInterpolation::ALL {
                let q = between.rotation(from, to, t);
                prop_assert!((q.length() - 1.0).abs() < 1e-9);
                prop_assert!(between.rotation(from, to, 0.0).dot(from).abs() > 1.0 - 1e-9);
                prop_assert!(between.rotation(from, to, 1.0).dot(to).abs() > 1.0 - 1e-9);
            }
            prop_assert!(lerped_matrix(from, to, t).is_finite());
        }

        #[test]
        fn slerp_goes_the_short_way_whatever_the_signs(
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
