//! Resolution of joints that settings, links and cells name.

use bindpose_diagnostic::did_you_mean;
use bindpose_gltf::{ParamKind, Rig};
use bindpose_lesson::{DataEdit, JointName, Setting};
use bindpose_skin::JointIndex;

use super::EditError;
use super::refused::known_joint;

/// Returns the joint of that number or name.
///
/// # Errors
///
/// Fails if the rig has no such joint, and lists existing ones.
pub fn joint_index(name: &JointName, rig: &Rig) -> Result<JointIndex, EditError> {
    let joint = joint_number(name, rig)?;
    known_joint(joint, rig)?;
    Ok(joint)
}

/// Like [`joint_index`], but accepts numbers that the rig does not have,
/// because unused lanes of a vertex may contain them.
///
/// # Errors
///
/// Fails if the rig has no joint of that name.
pub(super) fn joint_number(name: &JointName, rig: &Rig) -> Result<JointIndex, EditError> {
    match name {
        JointName::Index(joint) => Ok(*joint),
        JointName::Name(name) => rig.skeleton.find(name).ok_or_else(|| {
            let help = did_you_mean(name, &joint_names(rig));
            let name = name.clone();
            EditError::NoJointNamed { name, help }
        }),
    }
}

/// Returns the joint that a formula names, either by its own name or by that of
/// its angle, such as `b1` of `bone_grid`.
pub(super) fn joint_in_formula(name: &str, rig: &Rig) -> Option<JointIndex> {
    rig.skeleton.find(name).or_else(|| match rig.param(name)?.kind {
        ParamKind::Angle { joint, .. } => Some(joint),
        _ => None,
    })
}

/// Returns the names of all joints in order. A joint without a name has an
/// empty one.
pub fn joint_names(rig: &Rig) -> Vec<&str> {
    let joints = rig.skeleton.joints().iter();
    joints.map(|joint| joint.name.as_str()).collect()
}

/// Formats a joint for a sentence: `joint 9 “tail_2”`, or `joint 9` if it has
/// no name of its own.
pub fn joint_words(joint: usize, rig: &Rig) -> String {
    match own_name(joint, rig) {
        Some(name) => format!("joint {joint} “{name}”"),
        None => format!("joint {joint}"),
    }
}

/// Formats a joint for a button or a readout: `joint 9: tail_2`, or `joint 9`
/// if it has no name of its own.
pub fn joint_label(joint: usize, rig: &Rig) -> String {
    match own_name(joint, rig) {
        Some(name) => format!("joint {joint}: {name}"),
        None => format!("joint {joint}"),
    }
}

/// Name of a joint, or its number if it has no name.
pub(super) fn joint_name_or_number(joint: JointIndex, rig: &Rig) -> String {
    match rig.skeleton.joints().get(joint.index()) {
        Some(known) if !known.name.is_empty() => known.name.clone(),
        _ => format!("joint {}", joint.0),
    }
}

/// Returns the name unless it only repeats the number.
fn own_name(joint: usize, rig: &Rig) -> Option<&str> {
    let name = &rig.skeleton.joints().get(joint)?.name;
    let is_informative = !name.is_empty() && *name != format!("joint {joint}");
    is_informative.then_some(name.as_str())
}

/// Returns true if both name the same joint of the rig.
pub fn is_same_joint(a: &JointName, b: &JointName, rig: &Rig) -> bool {
    if a == b {
        return true;
    }
    match (joint_index(a, rig), joint_index(b, rig)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Returns true if both set the same value.
pub fn is_same_setting(a: &Setting, b: &Setting, rig: &Rig) -> bool {
    match (a, b) {
        (Setting::Joint(a), Setting::Joint(b))
        | (Setting::Through(Some(a)), Setting::Through(Some(b))) => is_same_joint(a, b, rig),
        (Setting::Data(a), Setting::Data(b)) => is_same_edit(a, b, rig),
        _ => a == b,
    }
}

/// Returns true if both write the same numbers or bytes to the same location.
pub fn is_same_edit(a: &DataEdit, b: &DataEdit, rig: &Rig) -> bool {
    match (a, b) {
        (DataEdit::InverseBind(a, cells), DataEdit::InverseBind(b, others)) => {
            is_same_joint(a, b, rig) && cells == others
        }
        (DataEdit::Texel(a, column, texel), DataEdit::Texel(b, place, other)) => {
            is_same_joint(a, b, rig) && (column, texel) == (place, other)
        }
        (DataEdit::Turn(a, turn), DataEdit::Turn(b, other)) => {
            is_same_joint(a, b, rig) && turn == other
        }
        (DataEdit::Shift(a, by), DataEdit::Shift(b, other)) => {
            is_same_joint(a, b, rig) && by == other
        }
        (DataEdit::Joints(vertex, joints), DataEdit::Joints(other, others)) => {
            vertex == other && joints.iter().zip(others).all(|(a, b)| is_same_joint(a, b, rig))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sample::rig;

    fn named(text: &str) -> JointName {
        JointName::from_text(text).unwrap()
    }

    #[test]
    fn joints_are_found_by_number_and_by_name() {
        let rig = rig();
        let found = |text: &str| joint_index(&named(text), &rig);
        assert_eq!(found("1"), Ok(JointIndex(1)));
        assert_eq!(found("head"), Ok(JointIndex(1)));
        assert_eq!(found("'head'"), Ok(JointIndex(1)));
        let unknown = found("haed").unwrap_err().to_string();
        assert!(unknown.contains("“haed”") && unknown.contains("head"), "{unknown}");
        assert!(found("2").is_err() && found("'1'").is_err());
        assert_eq!(joint_number(&named("2"), &rig), Ok(JointIndex(2)));
    }

    #[test]
    fn joint_words_omit_uninformative_names() {
        let mut rig = rig();
        assert_eq!(joint_words(1, &rig), "joint 1 “head”");
        assert_eq!(joint_label(1, &rig), "joint 1: head");
        let mut joints = rig.skeleton.joints().to_vec();
        joints[1].name = "joint 1".to_owned();
        rig.skeleton = bindpose_skin::Skeleton::new(joints).unwrap();
        for joint in [1, 2] {
            let number = format!("joint {joint}");
            assert_eq!(joint_words(joint, &rig), number);
            assert_eq!(joint_label(joint, &rig), number);
        }
    }

    #[test]
    fn a_name_and_its_number_are_the_same_joint() {
        let rig = rig();
        let same = |a: &str, b: &str| is_same_joint(&named(a), &named(b), &rig);
        assert!(same("head", "1") && same("1", "1"));
        assert!(!same("head", "0") && !same("nobody", "nothing"));
        let edit = |key: &str| {
            let cells = "1,0,0,0,0,1,0,0,0,0,1,0,0,-2,0,1";
            DataEdit::from_link(key, cells).unwrap().unwrap()
        };
        let (by_name, by_number) = (edit("inverse-bind.head"), edit("inverse-bind.1"));
        assert!(is_same_edit(&by_name, &by_number, &rig));
        assert!(!is_same_edit(&by_name, &edit("inverse-bind.0"), &rig));
        let same = |a: &str, b: &str| {
            let set = |text: &str| bindpose_lesson::parse_settings(text).unwrap().remove(0);
            is_same_setting(&set(a), &set(b), &rig)
        };
        assert!(same("through=head", "through=1") && same("joint=1", "joint='head'"));
        assert!(!same("through=head", "joint=head") && !same("through=head", "through=body"));
    }
}
