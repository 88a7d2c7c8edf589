//! Names of settings, parameters and edited data in descriptions of changes.

use bindpose_gltf::{ParamKind, Rig};
use bindpose_lesson::matrix_names::INVERSE_BIND_MATRIX;
use bindpose_lesson::{DataEdit, JointName, Lesson, Setting};
use bindpose_skin::JointIndex;

use super::joint_name::joint_name_or_number;
use super::playback_param;

/// Names the first setting and counts the others.
pub(super) fn settings_label(settings: &[Setting], lesson: &Lesson, rig: &Rig) -> String {
    let Some((first, others)) = settings.split_first() else {
        return "nothing".to_owned();
    };
    let first = match first {
        Setting::Param(name, _) => param_label(name, lesson, rig),
        Setting::Data(edit) => data_label(edit, rig),
        other => other.label().to_owned(),
    };
    match others.len() {
        0 => first,
        count => format!("{first} and {count} more"),
    }
}

fn data_label(edit: &DataEdit, rig: &Rig) -> String {
    match edit {
        DataEdit::Weights(vertex, _) => format!("weight of v{vertex}"),
        DataEdit::Joints(vertex, _) => format!("joints of v{vertex}"),
        DataEdit::InverseBind(joint, _) => {
            format!("{INVERSE_BIND_MATRIX} of {}", named_label(joint, rig))
        }
        DataEdit::Texel(joint, column, _) => {
            format!("texel {column} of {}", named_label(joint, rig))
        }
        DataEdit::Bytes { offset, bytes, .. } => bytes_label(*offset, bytes.len()),
        DataEdit::Turn(joint, _) => format!("turn of {}", named_label(joint, rig)),
        DataEdit::Shift(joint, _) => format!("move of {}", named_label(joint, rig)),
    }
}

/// Label of a parameter as on its slider. An angle named like its joint is
/// called the angle of that joint.
pub(super) fn param_label(name: &str, lesson: &Lesson, rig: &Rig) -> String {
    if name == "all" {
        return "all angles".to_owned();
    }
    if let Some(param) = rig.param(name) {
        return match &param.kind {
            ParamKind::Angle { joint, .. } if is_name_of(&param.label, *joint, rig) => {
                format!("angle of {}", param.label)
            }
            _ => param.label.clone(),
        };
    }
    if let Some(param) = lesson.params.iter().find(|param| param.name == name) {
        return param.label.clone();
    }
    playback_param(name, rig).map_or_else(|| name.to_owned(), |param| param.label.to_owned())
}

fn is_name_of(label: &str, joint: JointIndex, rig: &Rig) -> bool {
    label == joint_name_or_number(joint, rig) || label == format!("joint {}", joint.0)
}

/// Like [`joint_name_or_number`]. A name that the rig does not have is used as
/// it is.
fn named_label(joint: &JointName, rig: &Rig) -> String {
    match joint {
        JointName::Index(joint) => joint_name_or_number(*joint, rig),
        JointName::Name(name) => name.clone(),
    }
}

pub(super) fn bytes_label(offset: u32, count: usize) -> String {
    match count {
        0 | 1 => format!("byte {offset} of the file"),
        _ => format!("{count} bytes of the file from {offset}"),
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::TIME_PARAM;
    use crate::test_sample::lesson;

    #[test]
    fn angle_named_like_its_joint_is_labelled_as_angle() {
        let of = |rig: &str, name: &str| {
            let rig = builtin(rig).expect("built in");
            param_label(name, &lesson(), &rig)
        };
        assert_eq!(of("bone_grid", "b1"), "angle of joint 1");
        assert_eq!(of("bone_grid", "all"), "all angles");
        assert_eq!(of("head", "bind_tilt"), "bind tilt");
        assert_eq!(of("whale", TIME_PARAM), "time");
        assert_eq!(of("head", "nowhere"), "nowhere");
    }
}
