//! What solves an exercise, in words and tables.

use bindpose_lesson::{DataEdit, JointName, Setting};
use bindpose_notebook::PageState;
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::page_param::page_param;
use bindpose_skin::{JointIndex, LANES, SET_LANES};

use super::html::escaped;
use super::live_cells::value_words;

/// `nod 90°`, as HTML.
pub(super) fn setting_words(setting: &Setting, page: PageState<'_>) -> String {
    match setting {
        Setting::Param(name, value) => {
            let (label, value) = match page_param(name, page) {
                Some(param) => (param.label.clone(), value_words(&param, *value)),
                None => (name.clone(), value.to_string()),
            };
            format!("{} <span class=\"number\">{}</span>", escaped(&label), escaped(&value))
        }
        Setting::Data(edit) => edit_words(edit),
        other => format!("{}: <strong>{}</strong>", escaped(other.label()), escaped(&other.text())),
    }
}

/// `weights of v3: 0.00, 1.00, 0.00, 0.00`, as HTML.
pub(super) fn edit_words(edit: &DataEdit) -> String {
    match edit {
        DataEdit::Weights(vertex, weights) => {
            format!("weights of v{vertex}: {}", row(first_set(weights)))
        }
        DataEdit::Joints(vertex, joints) => {
            let none = JointName::Index(JointIndex(0));
            let second = joints[SET_LANES..].iter().any(|joint| *joint != none);
            let lanes = if second { LANES } else { SET_LANES };
            let joints: Vec<String> = joints[..lanes].iter().map(JointName::to_string).collect();
            format!("joints of v{vertex}: {}", escaped(&joints.join(", ")))
        }
        DataEdit::InverseBind(joint, cells) => {
            let rows = (0..4).map(|row_index| {
                let cells = (0..4).map(|column| cells[4 * column + row_index]);
                let cells = cells.map(|cell| format!("<td>{}</td>", fixed(cell.into(), 2)));
                format!("<tr>{}</tr>", cells.collect::<String>())
            });
            format!(
                "inverse bind matrix of {}:</p><table class=\"matrix\"><tbody>{}</tbody></table><p>",
                joint_words(joint),
                rows.collect::<String>()
            )
        }
        DataEdit::Texel(joint, column, texel) => {
            format!("texel {column} of {}: {}", joint_words(joint), row(texel))
        }
        DataEdit::Bytes { offset, bytes, .. } => {
            let bytes = bytes.iter().map(|byte| format!("{byte:02x}"));
            let bytes: Vec<String> = bytes.collect();
            format!("bytes from {offset} on: <code>{}</code>", bytes.join(" "))
        }
        DataEdit::Turn(joint, turn) => {
            format!("{} turned by hand: {}", joint_words(joint), row(turn))
        }
        DataEdit::Shift(joint, by) => {
            format!("{} moved by hand: {}", joint_words(joint), row(by))
        }
    }
}

/// `joint 1`, `neck`, as HTML.
fn joint_words(joint: &JointName) -> String {
    match joint {
        JointName::Index(joint) => format!("joint {}", joint.0),
        JointName::Name(name) => escaped(name).into_owned(),
    }
}

/// The second four only where they say something.
fn first_set(lanes: &[f32]) -> &[f32] {
    let (first, second) = lanes.split_at(SET_LANES.min(lanes.len()));
    if second.iter().all(|&lane| lane == 0.0) { first } else { lanes }
}

fn row(numbers: &[f32]) -> String {
    let numbers = numbers.iter().map(|&number| fixed(number.into(), 2));
    numbers.collect::<Vec<_>>().join(", ")
}
