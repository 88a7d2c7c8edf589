//! A pose seen in the plane x = 0 of the bind pose: left and right change places.
//!
//! What moves the skin of joint j is D = W·B⁻¹, with W its world matrix and B⁻¹ its
//! inverse bind matrix. In the mirror S = diag(−1, 1, 1) the skin of its partner moves
//! by S·D·S. So W' = S·D·S·B of the partner: however its axes lie.

use bindpose_asset::{ParamKind, Rig};
use bindpose_skin::{JointIndex, Trs};
use glam::{Affine3A, Mat4, Vec3};

use super::{JointMove, SavedPose};

/// Two joints are partners by place if each is this near to where the mirror shows the
/// other, in parts of the skeleton's size.
const SAME_PLACE: f32 = 1e-3;
/// A turn is about a parameter's axis if it is this near to it.
const SAME_AXIS: f32 = 1e-5;

impl SavedPose {
    /// This pose in the mirror. What scales and morphs stays as it is; a joint without
    /// a partner is its own.
    #[must_use]
    pub fn mirrored(&self, rig: &Rig) -> Self {
        let partners = partners(rig);
        let turns = |name: &str| {
            let kind = rig.param(name).map(|param| param.kind);
            matches!(kind, Some(ParamKind::Angle { .. } | ParamKind::Angles { .. }))
        };
        let mut mirrored = Self::default();
        let kept = self.params.iter().filter(|(name, _)| !turns(name));
        mirrored.params = kept.map(|(name, value)| (name.clone(), *value)).collect();
        let base = mirrored.local_transforms(rig);
        let worlds = self.worlds_in_mirror(rig, &partners);
        for (index, joint) in rig.skeleton.joints().iter().enumerate() {
            let parent = joint.parent.and_then(|parent| worlds.get(parent.index()));
            let world_from_parent = parent.copied().unwrap_or(Mat4::IDENTITY);
            let Some((world, base)) = worlds.get(index).zip(base.parent_from_joint.get(index))
            else {
                continue;
            };
            let local = world_from_parent.inverse() * *world;
            if !local.is_finite() {
                continue;
            }
            mirrored.put_local(rig, JointIndex(index as u16), *base, local);
        }
        mirrored
    }

    /// World matrices in the mirror, by joint.
    fn worlds_in_mirror(&self, rig: &Rig, partners: &[usize]) -> Vec<Mat4> {
        let posed = rig.posed(|name| self.params.get(name).copied());
        let worlds = rig.skeleton.world_from_joint(&self.local_transforms(rig));
        let at_rest = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
        let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let moved = |joint: usize| {
            let (world, bind) = (worlds.get(joint)?, posed.joint_from_bind.get(joint)?);
            Some(*world * *bind)
        };
        let of = |(joint, &partner): (usize, &usize)| {
            let bind = posed.joint_from_bind.get(joint)?.inverse();
            let world = mirror * moved(partner)? * mirror * bind;
            world.is_finite().then_some(world)
        };
        let all = partners.iter().enumerate();
        let all = all.map(|pair| of(pair).or_else(|| at_rest.get(pair.0).copied()));
        all.map(Option::unwrap_or_default).collect()
    }

    /// Puts a joint to a local transform: by its parameter where that is all it takes.
    fn put_local(&mut self, rig: &Rig, joint: JointIndex, base: Trs, local: Mat4) {
        let (_, rotation, translation) = Affine3A::from_mat4(local).to_scale_rotation_translation();
        let mut turn = (base.rotation.inverse() * rotation).normalize();
        if turn.w < 0.0 {
            turn = -turn;
        }
        let shift = translation - base.translation;
        let size = base.translation.length().max(1e-3);
        let mut by = JointMove::default();
        if shift.length() > 1e-4 * size {
            by.translation = shift;
        }
        let (axis, angle) = turn.to_axis_angle();
        if angle > 1e-4 {
            match own_param(rig, joint) {
                Some((name, of)) if axis.dot(of).abs() > 1.0 - SAME_AXIS => {
                    let value = f64::from(angle * axis.dot(of).signum());
                    self.params.insert(name.to_owned(), value);
                }
                _ => by.rotation = turn,
            }
        }
        if by != JointMove::default() && by.rotation.is_normalized() {
            self.moves.insert(joint, by);
        }
    }
}

/// The only parameter that turns a joint, and its axis.
fn own_param(rig: &Rig, joint: JointIndex) -> Option<(&str, Vec3)> {
    let mut own = rig.params.iter().filter_map(|param| match param.kind {
        ParamKind::Angle { joint: of, axis } if of == joint => {
            Some(Some((param.name.as_str(), axis)))
        }
        ParamKind::Angles { joints, .. } if joints.contains(&joint) => Some(None),
        ParamKind::RestToPose => Some(None),
        _ => None,
    });
    let first = own.next()?;
    if own.next().is_some() { None } else { first }
}

/// For each joint the one on the other side: by its name, as Blender and Mixamo have
/// it, else by its place in the bind pose; itself where there is none.
pub fn partners(rig: &Rig) -> Vec<usize> {
    let joints = rig.skeleton.joints();
    let places: Vec<Vec3> = rig
        .skeleton
        .joint_from_bind()
        .iter()
        .map(|matrix| matrix.inverse().w_axis.truncate())
        .collect();
    let size = places.iter().filter(|place| place.is_finite());
    let size = size.map(|place| place.length()).fold(0.0, f32::max);
    let by_name = |joint: usize| {
        let other = other_side(&joints.get(joint)?.name)?;
        joints.iter().position(|joint| joint.name == other)
    };
    let by_place = |joint: usize| {
        let wanted = *places.get(joint)? * Vec3::new(-1.0, 1.0, 1.0);
        let near = places.iter().map(|place| place.distance(wanted)).enumerate();
        let near = near.filter(|(_, far)| *far <= SAME_PLACE * size);
        // Of several in one place, the joint itself.
        let best = near
            .min_by(|a, b| a.1.total_cmp(&b.1).then_with(|| (a.0 != joint).cmp(&(b.0 != joint))));
        best.map(|(index, _)| index)
    };
    let found: Vec<usize> = (0..joints.len())
        .map(|joint| by_name(joint).or_else(|| by_place(joint)).unwrap_or(joint))
        .collect();
    let is_mutual =
        |joint: usize| found.get(joint).and_then(|&other| found.get(other)) == Some(&joint);
    let mutual = found.iter().enumerate();
    mutual.map(|(joint, &other)| if is_mutual(joint) { other } else { joint }).collect()
}

/// `hand.L` for `hand.R`, `RightArm` for `LeftArm`; `None` for a name that says no side.
fn other_side(name: &str) -> Option<String> {
    for (left, right) in [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")] {
        if name.contains(left) {
            return Some(name.replacen(left, right, 1));
        }
        if name.contains(right) {
            return Some(name.replacen(right, left, 1));
        }
    }
    // A letter alone between signs.
    let is_sign = |c: char| ['.', '_', '-', ' ', ':'].contains(&c);
    let mut begin = 0;
    for part in name.split_inclusive(is_sign) {
        let letter = part.trim_end_matches(is_sign);
        let other = match letter {
            "L" => "R",
            "R" => "L",
            "l" => "r",
            "r" => "l",
            _ => "",
        };
        if !other.is_empty() && letter.len() < name.len() {
            let (before, after) = (name.get(..begin)?, name.get(begin + letter.len()..)?);
            return Some(format!("{before}{other}{after}"));
        }
        begin += part.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;

    #[test]
    fn names_say_the_other_side_as_tools_write_them() {
        for (name, other) in [
            ("hand.L", Some("hand.R")),
            ("hand.R.001", Some("hand.L.001")),
            ("thumb_l", Some("thumb_r")),
            ("L_arm", Some("R_arm")),
            ("mixamorig:LeftForeArm", Some("mixamorig:RightForeArm")),
            ("right foot", Some("left foot")),
            ("Leg", None),
            ("L", None),
            ("spine", None),
            ("ä_L", Some("ä_R")),
        ] {
            assert_eq!(other_side(name).as_deref(), other, "{name}");
        }
    }

    #[test]
    fn in_the_mirror_every_joint_moves_its_skin_as_its_partner_does() {
        let rig = builtin("legs").unwrap();
        let partners = partners(&rig);
        let names: Vec<&str> = rig.skeleton.joints().iter().map(|joint| &*joint.name).collect();
        assert!(partners.iter().enumerate().any(|(a, &b)| a != b), "{names:?}");
        let mut pose = SavedPose::default();
        pose.params.insert("left_up".to_owned(), 0.8);
        pose.params.insert("left_knee".to_owned(), 0.6);
        pose.params.insert("right_out".to_owned(), 0.3);
        let mirrored = pose.mirrored(&rig);
        let moved = |pose: &SavedPose| {
            let worlds = rig.skeleton.world_from_joint(&pose.local_transforms(&rig));
            let binds = rig.skeleton.joint_from_bind();
            worlds.iter().zip(binds).map(|(w, b)| *w * b).collect::<Vec<Mat4>>()
        };
        let (is, was) = (moved(&mirrored), moved(&pose));
        let flip = Vec3::new(-1.0, 1.0, 1.0);
        for (joint, &partner) in partners.iter().enumerate() {
            for point in [Vec3::ZERO, Vec3::new(0.3, -0.4, 0.2), Vec3::new(-0.5, -1.4, 0.1)] {
                let is = is[joint].transform_point3(point);
                let wanted = was[partner].transform_point3(point * flip) * flip;
                assert!(is.abs_diff_eq(wanted, 1e-4), "{}: {is} {wanted}", names[joint]);
            }
        }
        // Twice is once none.
        let (again, was) = (moved(&mirrored.mirrored(&rig)), moved(&pose));
        for (is, was) in again.iter().zip(&was) {
            assert!(is.abs_diff_eq(*was, 1e-4));
        }
    }

    #[test]
    fn what_bends_in_the_plane_of_the_picture_bends_the_other_way_by_its_parameter() {
        let rig = builtin("tentacle").unwrap();
        let mut pose = SavedPose::default();
        for (name, value) in [("b0", 0.3), ("b5", -0.2)] {
            pose.params.insert(name.to_owned(), value);
        }
        let mirrored = pose.mirrored(&rig);
        assert!(mirrored.moves.is_empty(), "{mirrored:?}");
        assert!((mirrored.params["b0"] + 0.3).abs() < 1e-5);
    }
}
