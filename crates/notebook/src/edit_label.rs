//! Descriptions of changes for undo and redo: `weight of v4`, `reset of all
//! weights`.

use bindpose_asset::{ParamKind, Rig};
use bindpose_lesson::{CellKind, DataEdit, JointName, Lesson, Setting};
use bindpose_skin::JointIndex;

use super::{Edit, PageSnapshot, playback_param};

/// Describes an edit in a few words that fit after "Undo: ". `lesson` and `rig`
/// are those after the edit. Names that they do not contain are used as they
/// are.
pub(super) fn edit_label(edit: &Edit, lesson: &Lesson, rig: &Rig) -> String {
    match edit {
        Edit::PlayTo { .. } => "playing".to_owned(),
        Edit::Data(edit) => data_label(edit, rig),
        Edit::Weight { vertex, .. } => format!("weight of v{vertex}"),
        Edit::LaneJoint { vertex, .. } => format!("joints of v{vertex}"),
        Edit::NormalizeWeights(Some(vertex)) => format!("normalizing the weights of v{vertex}"),
        Edit::NormalizeWeights(None) => "normalizing all weights".to_owned(),
        Edit::Paint(_) => "painted weights".to_owned(),
        Edit::OpenWeights(_) => "weights from a file".to_owned(),
        Edit::ResetWeights(Some(vertex)) => reset_label(&format!("the weights of v{vertex}")),
        Edit::ResetWeights(None) => reset_label("all weights"),
        Edit::InverseBindCell { joint, .. } => {
            format!("inverse bind matrix of {}", joint_label(*joint, rig))
        }
        Edit::ResetInverseBind(Some(joint)) => {
            reset_label(&format!("the inverse bind matrix of {}", joint_label(*joint, rig)))
        }
        Edit::ResetInverseBind(None) => reset_label("all inverse bind matrices"),
        Edit::Texel { joint, column, .. } => {
            format!("texel {column} of {}", joint_label(*joint, rig))
        }
        Edit::ResetTexel(joint, column) => {
            reset_label(&format!("texel {column} of {}", joint_label(*joint, rig)))
        }
        Edit::ResetTexels(Some(joint)) => {
            reset_label(&format!("the texels of {}", joint_label(*joint, rig)))
        }
        Edit::ResetTexels(None) => reset_label("all texels"),
        Edit::ResetJointMove(Some(joint)) => {
            reset_label(&format!("what is done to {} by hand", joint_label(*joint, rig)))
        }
        Edit::ResetJointMove(None) => reset_label("what is done to joints by hand"),
        Edit::Shader { text: Some(_), .. } => "vertex shader".to_owned(),
        Edit::Shader { text: None, .. } => reset_label("the vertex shader"),
        Edit::Text { cell, text, .. } => {
            let what = text_label(cell, lesson);
            match text {
                Some(_) => what.to_owned(),
                None => reset_label(&format!("the {what}")),
            }
        }
        Edit::GiveFile(_, Some(_)) => ENGINE_NUMBERS.to_owned(),
        Edit::GiveFile(_, None) => reset_label(&format!("the {ENGINE_NUMBERS}")),
        Edit::ResetBytes { offset, length, .. } => {
            reset_label(&bytes_label(*offset, *length as usize))
        }
        Edit::ResetAllBytes => reset_label("all bytes"),
        Edit::Predict(..) => "guess".to_owned(),
        Edit::KeepGuess(_) => "keeping the guess".to_owned(),
        Edit::Reveal(_) => "revealing the answer".to_owned(),
        Edit::ForgetPrediction(_) => "forgetting the guess".to_owned(),
        Edit::Answer(..) => "answer".to_owned(),
        Edit::ForgetAnswer(_) => "forgetting the answer".to_owned(),
        Edit::Chain(..) => "product".to_owned(),
        Edit::ForgetChain(_) => reset_label("the product"),
        Edit::Draw { .. } => "numbers of the exercise".to_owned(),
        Edit::Settings(settings) => settings_label(settings, lesson, rig),
        Edit::ResetSettings(settings) => reset_label(&settings_label(settings, lesson, rig)),
        Edit::Solve(..) => "showing the solution".to_owned(),
        Edit::Restore(_) => "going back to your own values".to_owned(),
        Edit::ResetStep => reset_label("the step"),
        Edit::Recall(PageSnapshot::A, _) => "going to snapshot A".to_owned(),
        Edit::Recall(PageSnapshot::B, _) => "going to snapshot B".to_owned(),
        Edit::Recall(PageSnapshot::Before, _) => "going back from the snapshots".to_owned(),
    }
}

fn reset_label(what: &str) -> String {
    format!("reset of {what}")
}

/// Names the first setting and counts the others.
fn settings_label(settings: &[Setting], lesson: &Lesson, rig: &Rig) -> String {
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

/// Label of an engine's numbers, given to a cell as text or file.
pub(super) const ENGINE_NUMBERS: &str = "numbers of an engine";

/// Label of the text of a cell.
pub(super) fn text_label(cell: &str, lesson: &Lesson) -> &'static str {
    let mut cells = lesson.cells();
    match cells.find(|other| other.id == cell).map(|cell| &cell.kind) {
        Some(CellKind::Pose(_)) => "program of the pose",
        Some(CellKind::EngineNumbers(_)) => ENGINE_NUMBERS,
        _ => "formula",
    }
}

fn data_label(edit: &DataEdit, rig: &Rig) -> String {
    match edit {
        DataEdit::Weights(vertex, _) => format!("weight of v{vertex}"),
        DataEdit::Joints(vertex, _) => format!("joints of v{vertex}"),
        DataEdit::InverseBind(joint, _) => {
            format!("inverse bind matrix of {}", named_label(joint, rig))
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
    label == joint_label(joint, rig) || label == format!("joint {}", joint.0)
}

/// Name of a joint, or its number if it has no name.
pub(super) fn joint_label(joint: JointIndex, rig: &Rig) -> String {
    match rig.skeleton.joints().get(joint.index()) {
        Some(known) if !known.name.is_empty() => known.name.clone(),
        _ => format!("joint {}", joint.0),
    }
}

/// Like [`joint_label`]. A name that the rig does not have is used as it is.
fn named_label(joint: &JointName, rig: &Rig) -> String {
    match joint {
        JointName::Index(joint) => joint_label(*joint, rig),
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
    use bindpose_skin::{NormalRule, SkinStage};

    use super::*;
    use crate::TIME_PARAM;
    use crate::glsl::{ShaderBlending, ShaderKind};
    use crate::test_sample::{lesson, rig};

    const HEAD: JointIndex = JointIndex(1);

    fn label(edit: &Edit) -> String {
        edit_label(edit, &lesson(), &rig())
    }

    #[test]
    fn every_edit_has_a_label() {
        let nod = || Setting::Param("nod".to_owned(), 0.5);
        let stage = || Setting::Stage(SkinStage::Posed);
        let shader = |text: Option<&str>| Edit::Shader {
            kind: ShaderKind {
                transport: bindpose_lesson::Transport::TexelFetch,
                blending: ShaderBlending::Linear,
                normals: NormalRule::InverseTranspose,
                at_edges: false,
            },
            text: text.map(str::to_owned),
            typed: true,
        };
        let bytes =
            |count| Edit::Data(DataEdit::Bytes { buffer: 0, offset: 28, bytes: vec![0; count] });
        let reset_bytes = |length| Edit::ResetBytes { buffer: 0, offset: 28, length };
        for (edit, expected) in [
            (Edit::param("nod", 0.5), "nod"),
            (Edit::reset_param("vec4s"), "reset of vec4 uniforms"),
            (Edit::PlayTo { time_secs: 1.0, begins: true }, "playing"),
            (Edit::Weight { vertex: 4, lane: 0, weight: 0.5 }, "weight of v4"),
            (Edit::NormalizeWeights(Some(4)), "normalizing the weights of v4"),
            (Edit::NormalizeWeights(None), "normalizing all weights"),
            (Edit::ResetWeights(Some(4)), "reset of the weights of v4"),
            (Edit::ResetWeights(None), "reset of all weights"),
            (
                Edit::InverseBindCell { joint: HEAD, row: 0, column: 3, value: 1.0 },
                "inverse bind matrix of head",
            ),
            (
                Edit::Data(DataEdit::InverseBind(JointIndex(7).into(), [0.0; 16])),
                "inverse bind matrix of joint 7",
            ),
            (Edit::ResetInverseBind(Some(HEAD)), "reset of the inverse bind matrix of head"),
            (Edit::ResetInverseBind(None), "reset of all inverse bind matrices"),
            (Edit::Texel { joint: HEAD, column: 3, part: 0, value: 1.0 }, "texel 3 of head"),
            (Edit::LaneJoint { vertex: 4, lane: 2, joint: HEAD }, "joints of v4"),
            (Edit::ResetTexel(HEAD, 3), "reset of texel 3 of head"),
            (Edit::ResetTexels(Some(HEAD)), "reset of the texels of head"),
            (Edit::ResetTexels(None), "reset of all texels"),
            (Edit::ResetJointMove(Some(HEAD)), "reset of what is done to head by hand"),
            (Edit::ResetJointMove(None), "reset of what is done to joints by hand"),
            (shader(Some("void main() {}")), "vertex shader"),
            (shader(None), "reset of the vertex shader"),
            (bytes(1), "byte 28 of the file"),
            (bytes(4), "4 bytes of the file from 28"),
            (reset_bytes(1), "reset of byte 28 of the file"),
            (Edit::ResetAllBytes, "reset of all bytes"),
            (Edit::Predict("aim".to_owned(), [0.0; 3]), "guess"),
            (Edit::KeepGuess("aim".to_owned()), "keeping the guess"),
            (Edit::Reveal("aim".to_owned()), "revealing the answer"),
            (Edit::Answer("which".to_owned(), crate::Answer::default()), "answer"),
            (Edit::ForgetAnswer("which".to_owned()), "forgetting the answer"),
            (Edit::ForgetPrediction("aim".to_owned()), "forgetting the guess"),
            (
                Edit::Draw { cell: "aim".to_owned(), draw: 1, afresh: true },
                "numbers of the exercise",
            ),
            (Edit::Settings(vec![stage()]), "stage"),
            (Edit::Settings(vec![nod(), stage(), stage()]), "nod and 2 more"),
            (Edit::ResetSettings(vec![stage()]), "reset of stage"),
            (Edit::Solve(vec![nod()], Vec::new()), "showing the solution"),
            (Edit::Restore(Box::default()), "going back to your own values"),
            (Edit::ResetStep, "reset of the step"),
            (Edit::Recall(PageSnapshot::B, Box::default()), "going to snapshot B"),
            (Edit::Recall(PageSnapshot::Before, Box::default()), "going back from the snapshots"),
        ] {
            assert_eq!(label(&edit), expected);
        }
    }

    #[test]
    fn angle_named_like_its_joint_is_labelled_as_angle() {
        let of = |rig: &str, name: &str| {
            let rig = builtin(rig).expect("built in");
            edit_label(&Edit::param(name, 1.0), &lesson(), &rig)
        };
        assert_eq!(of("bone_grid", "b1"), "angle of joint 1");
        assert_eq!(of("bone_grid", "all"), "all angles");
        assert_eq!(of("head", "bind_tilt"), "bind tilt");
        assert_eq!(of("whale", TIME_PARAM), "time");
        assert_eq!(of("head", "nowhere"), "nowhere");
    }
}
