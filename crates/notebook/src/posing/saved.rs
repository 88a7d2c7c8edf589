//! Poses that readers keep by name: what of a document poses the model, put back,
//! blended, and written into links.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bindpose_asset::{ParamKind, Rig};
use bindpose_lesson::MAX_PARAM_ABS;
use bindpose_skin::{JointIndex, Pose, Trs};
use glam::{Quat, Vec3};

/// Poses that a page keeps, at most.
pub const MOST_POSES: usize = 64;
/// Characters of the name of a pose.
pub const MOST_NAME_CHARS: usize = 40;

/// What poses a model: on top of its clip, below a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedPose {
    /// Parameters of the rig that pose it and differ from their defaults; radians for
    /// angles.
    pub params: BTreeMap<String, f64>,
    /// What is done to joints by hand.
    pub moves: BTreeMap<JointIndex, JointMove>,
}

/// Does such a parameter pose the model? Others move what it is bound to.
pub(super) fn is_posing(kind: &ParamKind) -> bool {
    match kind {
        ParamKind::Angle { .. }
        | ParamKind::Angles { .. }
        | ParamKind::Scale { .. }
        | ParamKind::Morph { .. }
        | ParamKind::RestToPose => true,
        ParamKind::BindAngle { .. }
        | ParamKind::BindShift { .. }
        | ParamKind::StoredShift { .. }
        | ParamKind::BindShape { .. }
        | ParamKind::MeshNode(_) => false,
    }
}

impl SavedPose {
    /// Without what this rig does not have, and without numbers that are absurd or
    /// none.
    #[must_use]
    pub fn fitting(&self, rig: &Rig) -> Self {
        let limit = MAX_PARAM_ABS as f32;
        let is_sound = |by: &JointMove| {
            by.rotation.is_normalized() && by.translation.abs().max_element() <= limit
        };
        let params = self.params.iter().filter(|(name, value)| {
            let param = rig.param(name);
            param.is_some_and(|param| is_posing(&param.kind)) && value.abs() <= MAX_PARAM_ABS
        });
        let joints = rig.skeleton.len();
        let moves = self.moves.iter();
        let moves = moves.filter(|(joint, by)| joint.index() < joints && is_sound(by));
        Self {
            params: params.map(|(name, value)| (name.clone(), *value)).collect(),
            moves: moves.map(|(joint, by)| (*joint, *by)).collect(),
        }
    }

    /// On the way to another pose, 0 is this one and 1 the other: parameters and moves
    /// straight, turns by slerp the short way round.
    #[must_use]
    pub fn blended(&self, other: &Self, amount: f64, rig: &Rig) -> Self {
        let mut params = BTreeMap::new();
        for name in self.params.keys().chain(other.params.keys()) {
            let default = rig.param(name).map_or(0.0, |param| param.default);
            let of = |pose: &Self| pose.params.get(name).copied().unwrap_or(default);
            let value = of(self) + (of(other) - of(self)) * amount;
            if value != default {
                params.insert(name.clone(), value);
            }
        }
        let mut moves = BTreeMap::new();
        for joint in self.moves.keys().chain(other.moves.keys()) {
            let of = |pose: &Self| pose.moves.get(joint).copied().unwrap_or_default();
            let by = of(self).towards(of(other), amount as f32);
            if by != JointMove::default() {
                moves.insert(*joint, by);
            }
        }
        Self { params, moves }
    }

    /// The local transforms of all joints in it, where no clip plays.
    pub fn local_transforms(&self, rig: &Rig) -> Pose {
        let mut pose = rig.posed(|name| self.params.get(name).copied()).pose;
        for (joint, by) in &self.moves {
            if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
                *trs = by.on(*trs);
            }
        }
        pose
    }

    /// As links write it: `b0:0.5,turn.1:0:0:0:1,shift.1:0:2:0`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut comma = "";
        for (name, value) in &self.params {
            let _ = write!(text, "{comma}{name}:{value}");
            comma = ",";
        }
        for (joint, by) in &self.moves {
            let [x, y, z, w] = by.rotation.to_array();
            let _ = write!(text, "{comma}turn.{}:{x}:{y}:{z}:{w}", joint.0);
            let [x, y, z] = by.translation.to_array();
            let _ = write!(text, ",shift.{}:{x}:{y}:{z}", joint.0);
            comma = ",";
        }
        text
    }

    /// What [`Self::text`] writes; `None` for anything else.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut pose = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, numbers) = part.split_once(':')?;
            let joint = |number: &str| Some(JointIndex(number.parse().ok()?));
            if let Some(number) = key.strip_prefix("turn.") {
                let rotation = Quat::from_array(floats(numbers)?);
                let rotation = rotation.is_normalized().then_some(rotation)?;
                pose.moves.entry(joint(number)?).or_default().rotation = rotation;
            } else if let Some(number) = key.strip_prefix("shift.") {
                let translation = Vec3::from_array(floats(numbers)?);
                pose.moves.entry(joint(number)?).or_default().translation = translation;
            } else {
                let value: f64 = numbers.parse().ok()?;
                let value = value.is_finite().then_some(value)?;
                pose.params.insert(key.to_owned(), value);
            }
        }
        Some(pose)
    }
}

fn floats<const N: usize>(text: &str) -> Option<[f32; N]> {
    let numbers = text.split(':').map(|number| number.parse::<f32>().ok());
    let numbers: Option<Vec<f32>> = numbers.collect();
    let numbers: [f32; N] = numbers?.try_into().ok()?;
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}

/// Is it a name for a pose?
pub fn is_pose_name(name: &str) -> bool {
    let count = name.chars().count();
    (1..=MOST_NAME_CHARS).contains(&count)
        && name.trim() == name
        && !name.chars().any(char::is_control)
}

/// Poses as JSON: one object a pose, its joints with their local transforms, rotations
/// as x, y, z, w.
///
/// Fails when a number has no JSON.
pub fn poses_json<'a>(
    rig: &Rig,
    poses: impl Iterator<Item = (&'a str, &'a Pose)>,
) -> Result<String, serde_json::Error> {
    let mut text = format!(
        "{{\"rig\":{},\n\"transforms\":\"parent_from_joint\",\n\"poses\":[",
        serde_json::to_string(&rig.id)?
    );
    for (nth, (name, pose)) in poses.enumerate() {
        let comma = if nth == 0 { "\n" } else { ",\n" };
        let _ = write!(text, "{comma}{{\"name\":{},\"joints\":[", serde_json::to_string(name)?);
        let joints = rig.skeleton.joints().iter().zip(&pose.parent_from_joint);
        for (index, (joint, trs)) in joints.enumerate() {
            let comma = if index == 0 { "\n" } else { ",\n" };
            let _ = write!(
                text,
                "{comma}{{\"joint\":{index},\"name\":{},\"translation\":{},\"rotation\":{},\"scale\":{}}}",
                serde_json::to_string(&joint.name)?,
                serde_json::to_string(&trs.translation.to_array())?,
                serde_json::to_string(&trs.rotation.to_array())?,
                serde_json::to_string(&trs.scale.to_array())?,
            );
        }
        text.push_str("\n]}");
    }
    text.push_str("\n]}\n");
    Ok(text)
}

/// Parameters, and the second joint turned and moved by hand.
#[cfg(test)]
pub(super) fn pose_for_tests(params: &[(&str, f64)], turn_rad: f32) -> SavedPose {
    let by = JointMove {
        rotation: Quat::from_rotation_y(turn_rad),
        translation: Vec3::new(turn_rad, 0.0, 0.25),
    };
    SavedPose {
        params: params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        moves: [(JointIndex(1), by)].into(),
    }
}

// What a reader does to a joint by hand, on top of all that poses it.

/// A turn and a move of one joint, after its clip and its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMove {
    /// About the joint's own axes; of unit length.
    pub rotation: Quat,
    /// In the parent's frame and its units.
    pub translation: Vec3,
}

impl JointMove {
    /// On the way to another, 0 is this one and 1 the other: turns by slerp, the short
    /// way round.
    #[must_use]
    pub fn towards(self, other: Self, amount: f32) -> Self {
        Self {
            rotation: self.rotation.slerp(other.rotation, amount).normalize(),
            translation: self.translation.lerp(other.translation, amount),
        }
    }

    /// The local transform with this done to it.
    pub fn on(self, parent_from_joint: Trs) -> Trs {
        let mut moved = parent_from_joint;
        if self.rotation != Quat::IDENTITY {
            moved = moved.turned(self.rotation);
        }
        moved.translation += self.translation;
        moved
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::pose_for_tests as pose;
    use super::*;

    #[test]
    fn a_pose_is_read_as_it_is_written() {
        let saved = pose(&[("b0", 0.5), ("b2", -1.25)], 0.3);
        assert_eq!(SavedPose::from_text(&saved.text()), Some(saved.clone()));
        for text in ["b0", "b0:x", "turn.1:0:0:0:0", "turn.1:0:0:1", "shift.x:0:0:0", "b0:NaN"] {
            assert_eq!(SavedPose::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_blend_ends_at_both_and_goes_half_way_between() {
        let rig = builtin("bone_grid").unwrap();
        let (a, b) = (pose(&[("b0", 0.5)], 0.2), pose(&[("b1", 1.0)], 0.6));
        assert_eq!(a.blended(&b, 0.0, &rig), a);
        let end = a.blended(&b, 1.0, &rig);
        assert_eq!(end.params, b.params);
        let half = a.blended(&b, 0.5, &rig);
        assert_eq!((half.params["b0"], half.params["b1"]), (0.25, 0.5));
        let by = half.moves[&JointIndex(1)];
        assert!(by.rotation.angle_between(Quat::from_rotation_y(0.4)) < 1e-3);
        assert!((by.translation.x - 0.4).abs() < 1e-6);
    }

    #[test]
    fn poses_are_written_as_json_with_local_transforms() {
        let rig = builtin("bone_grid").unwrap();
        let saved = pose(&[("b0", 0.5)], 0.0);
        let pose = saved.local_transforms(&rig);
        let text = poses_json(&rig, std::iter::once(("a \"b\"", &pose))).unwrap();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["poses"][0]["name"], "a \"b\"");
        let w = read["poses"][0]["joints"][0]["rotation"][3].as_f64().unwrap();
        assert!((w - 0.25_f64.cos()).abs() < 1e-6);
        assert_eq!(read["poses"][0]["joints"].as_array().unwrap().len(), 3);
    }
}
