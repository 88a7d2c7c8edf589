//! Exercises: the question, its hints and space for an answer. Solutions are collected at the end
//! of a handout.

use std::fmt::Write as _;

use bindpose_lesson::matrix_names::INVERSE_BIND_MATRIX;
use bindpose_lesson::number_text::{fixed, point};
use bindpose_lesson::{
    AnswerKind, AskCell, ChainCell, CheckCell, Condition, DataEdit, JointName, MatrixCell,
    PredictCell, Setting, Text,
};
use bindpose_notebook::PageState;
use bindpose_notebook::exercise::{MeasuredCondition, position_with};
use bindpose_notebook::page_state::page_param;
use bindpose_notebook::question::{answer_words, right_answer, shown_order};
use bindpose_skin::{JointIndex, LANES, SET_LANES};

use super::html::{HtmlTarget, escaped};
use super::live_cells::{format_param_value, write_matrices};
use super::pages::OpenedStep;
use super::prose::ParagraphStyle;
use super::writer::HandoutWriter;

/// Decimals of the numbers of a condition that does not specify them.
const DEFAULT_DECIMALS: usize = 2;

/// A gap to write into.
const BLANK: &str = "<span class=\"blank\"></span>";

impl HandoutWriter<'_> {
    /// Writes an exercise in which the reader brings numbers to a goal.
    pub(super) fn write_check(
        &mut self,
        out: &mut String,
        cell: &CheckCell,
        opened: &OpenedStep<'_>,
    ) {
        out.push_str("<div class=\"card task\"><h3>Exercise</h3>\n");
        self.write_text(out, &cell.ask, ParagraphStyle::Plain, opened);
        if cell.conditions.iter().any(|condition| !condition.secret) {
            out.push_str("<ul>");
            for condition in cell.conditions.iter().filter(|condition| !condition.secret) {
                let label = self.line_html(&condition.label, opened);
                write_condition(out, condition, &label, opened.page_state());
            }
            out.push_str("</ul>\n");
        }
        if !cell.hints.is_empty() {
            let mut hints = String::from("<ol class=\"hints\">");
            for hint in &cell.hints {
                hints.push_str("<li>");
                let hint = hint.led_by("Hint: ");
                self.write_text(&mut hints, &hint, ParagraphStyle::Bare, opened);
                hints.truncate(hints.trim_end().len());
                hints.push_str("</li>");
            }
            hints.push_str("</ol>");
            match self.target {
                HtmlTarget::Paper => {
                    let _ = writeln!(out, "{hints}");
                }
                HtmlTarget::SitePages | HtmlTarget::SingleFile => {
                    write_folded(out, "Hints", &hints);
                }
            }
        }
        let page = opened.page_state();
        let mut changes: Vec<String> =
            cell.solution.0.iter().map(|setting| setting_html(setting, page)).collect();
        changes.extend(cell.solution_edits.0.iter().map(data_edit_html));
        // A solution without settings, or with a matrix last, leaves an empty paragraph.
        let mut solution = format!("<p>{}</p>", changes.join(", ")).replace("<p></p>", "");
        let solved = opened.after_edits(&cell.solution.0, &cell.solution_edits.0);
        self.write_text(&mut solution, &cell.solved, ParagraphStyle::Plain, &solved);
        self.write_solution(out, opened, &cell.ask, &solution);
        out.push_str("</div>\n");
    }

    /// Writes an exercise in which the reader composes a matrix product, or the matrices of a
    /// product that is given.
    pub(super) fn write_chain(
        &mut self,
        out: &mut String,
        cell: &ChainCell,
        opened: &OpenedStep<'_>,
    ) {
        let Some(ask) = &cell.ask else {
            let factors = cell.product.filled().unwrap_or_default();
            let is_plain = factors.iter().all(|factor| !factor.inverted && !factor.transposed);
            let matrices = MatrixCell {
                show: factors.iter().map(|factor| factor.matrix.clone()).collect(),
                product: is_plain && factors.len() == 2,
                decimals: cell.decimals,
                ..MatrixCell::default()
            };
            return write_matrices(out, &matrices, opened.page_state());
        };
        out.push_str("<div class=\"card task\"><h3>Exercise</h3>\n");
        self.write_text(out, ask, ParagraphStyle::Plain, opened);
        // The last rung of a ladder starts with an empty product, so it has only blanks.
        let unsolved = cell.at_rung(*cell.rungs().end());
        let unsolved = if unsolved.0.is_empty() {
            vec![BLANK; cell.solution().0.len()].join(" · ")
        } else {
            escaped(&unsolved.to_string()).replace('?', BLANK)
        };
        let _ = writeln!(out, "<p class=\"guess\">{unsolved}</p>");
        let product = escaped(&cell.solution().to_string()).replace(" * ", " · ");
        let mut solution = format!("<p><code>{product}</code></p>");
        if let Some(solved) = &cell.solved {
            self.write_text(&mut solution, solved, ParagraphStyle::Plain, opened);
        }
        self.write_solution(out, opened, ask, &solution);
        out.push_str("</div>\n");
    }

    /// Writes an exercise in which the reader guesses a position.
    pub(super) fn write_predict(
        &mut self,
        out: &mut String,
        cell: &PredictCell,
        opened: &OpenedStep<'_>,
    ) {
        let axes = if opened.derived.rig.flat { 2 } else { 3 };
        out.push_str("<div class=\"card task\"><h3>Guess first</h3>\n");
        self.write_text(out, &cell.ask, ParagraphStyle::Plain, opened);
        out.push_str("<p class=\"guess\">Your guess: ");
        for axis in ["x", "y", "z"].iter().take(axes) {
            let _ = write!(out, "{axis} {BLANK} ");
        }
        out.push_str("</p>\n");
        let position = position_with(
            &cell.set.0,
            cell.vertex,
            &opened.document,
            opened.lesson,
            &opened.derived,
        );
        let mut solution = String::new();
        if let Ok(Some(position)) = position {
            let position = point(&position.to_array()[..axes], 2);
            let _ = write!(solution, "<p>v{} comes to {position}.</p>", cell.vertex);
        }
        let revealed = opened.after_edits(&cell.set.0, &[]);
        self.write_text(&mut solution, &cell.why, ParagraphStyle::Plain, &revealed);
        self.write_solution(out, opened, &cell.ask, &solution);
        out.push_str("</div>\n");
    }

    /// Writes a question: options to tick or to number, else a blank.
    pub(super) fn write_ask(
        &mut self,
        out: &mut String,
        cell: &AskCell,
        id: &str,
        opened: &OpenedStep<'_>,
    ) {
        out.push_str("<div class=\"card task\"><h3>Question</h3>\n");
        self.write_text(out, &cell.ask, ParagraphStyle::Plain, opened);
        let order = shown_order(cell, id, 0);
        match cell.answer_kind() {
            Some(AnswerKind::Choice(choices)) => {
                let texts = order
                    .iter()
                    .filter_map(|&index| choices.get(index))
                    .map(|choice| self.line_html(&choice.text, opened));
                write_checkboxes(out, "choices", texts);
            }
            Some(AnswerKind::Order(items)) => {
                let texts = order
                    .iter()
                    .filter_map(|&index| items.get(index))
                    .map(|item| self.line_html(&item.text, opened));
                write_checkboxes(out, "choices", texts);
                out.push_str("<p class=\"guess\">Number them in their order.</p>\n");
            }
            _ => {
                let unit = escaped(&cell.unit);
                let _ = writeln!(out, "<p class=\"guess\">Your answer: {BLANK} {unit}</p>");
            }
        }
        let right = match cell.answer_kind() {
            Some(AnswerKind::Choice(choices)) => {
                let right: Vec<String> = choices
                    .iter()
                    .filter(|choice| choice.right)
                    .map(|choice| self.line_html(&choice.text, opened))
                    .collect();
                right.join("; ")
            }
            Some(AnswerKind::Order(items)) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.line_html(&item.text, opened)).collect();
                items.join(", ")
            }
            _ => {
                let right = right_answer(cell, &opened.derived).unwrap_or_default();
                escaped(&answer_words(cell, &right)).into_owned()
            }
        };
        let mut solution = format!("<p>{right}</p>");
        self.write_text(&mut solution, &cell.why, ParagraphStyle::Plain, opened);
        self.write_solution(out, opened, &cell.ask, &solution);
        out.push_str("</div>\n");
    }

    /// Adds a solution to the end of a handout. In a site it is written in place, folded.
    fn write_solution(
        &mut self,
        out: &mut String,
        opened: &OpenedStep<'_>,
        ask: &Text,
        solution: &str,
    ) {
        if self.target != HtmlTarget::Paper {
            write_folded(out, "Solution", solution);
            return;
        }
        let id = self.target.step_id(opened.lesson, opened.document.step);
        let title = escaped(&opened.step.title);
        let mut question = String::new();
        self.write_text(&mut question, ask, ParagraphStyle::Quiet, opened);
        self.solutions.push(format!(
            "<dt><a href=\"#{id}\">{title}</a></dt>\n<dd>{question}{solution}</dd>\n"
        ));
    }
}

/// Writes a list of options, given as HTML, with a box to tick before each.
pub(super) fn write_checkboxes(
    out: &mut String,
    class: &str,
    options: impl IntoIterator<Item = String>,
) {
    let _ = write!(out, "<ul class=\"{class}\">");
    for option in options {
        let _ = write!(out, "<li><span class=\"box\"></span> {option}</li>");
    }
    out.push_str("</ul>\n");
}

fn write_folded(out: &mut String, title: &str, html: &str) {
    let _ = writeln!(out, "<details><summary>{title}</summary>{html}</details>");
}

/// Writes `height of v0: 2.00 at the start, 2.75 is the goal`, or nothing if the condition cannot
/// be evaluated.
fn write_condition(out: &mut String, condition: &Condition, label: &str, page: PageState<'_>) {
    let Ok(measured) = MeasuredCondition::from_condition(condition, page.derived) else {
        return;
    };
    // Angles are measured in degrees if the condition is shown in degrees.
    let decimals = condition.decimals.map_or(DEFAULT_DECIMALS, |decimals| decimals.0);
    let value = fixed(measured.value, decimals);
    let goal = fixed(measured.goal, decimals);
    let unit = escaped(&condition.unit);
    let _ = write!(
        out,
        "<li>{label}: <span class=\"number\">{value}{unit}</span> at the start, \
         <span class=\"number\">{goal}{unit}</span> is the goal</li>"
    );
}

// ----------------------------------------------------------------------------
// Settings and edits that solve an exercise.

/// Returns a setting as HTML, such as `nod 90°`.
fn setting_html(setting: &Setting, page: PageState<'_>) -> String {
    match setting {
        Setting::Param(name, value) => {
            let (label, value) = match page_param(name, page) {
                Some(param) => (param.label.clone(), format_param_value(&param, *value)),
                None => (name.clone(), value.to_string()),
            };
            format!("{} <span class=\"number\">{}</span>", escaped(&label), escaped(&value))
        }
        Setting::Data(edit) => data_edit_html(edit),
        other => format!("{}: <strong>{}</strong>", escaped(other.label()), escaped(&other.text())),
    }
}

/// Returns an edit of the rig's data as HTML, such as `weights of v3: 0.00, 1.00, 0.00, 0.00`.
fn data_edit_html(edit: &DataEdit) -> String {
    match edit {
        DataEdit::Weights(vertex, weights) => {
            format!("weights of v{vertex}: {}", format_row(used_lanes(weights)))
        }
        DataEdit::Joints(vertex, joints) => {
            let no_joint = JointName::Index(JointIndex(0));
            let has_second_set = joints[SET_LANES..].iter().any(|joint| *joint != no_joint);
            let lanes = if has_second_set { LANES } else { SET_LANES };
            let joints: Vec<String> = joints[..lanes].iter().map(JointName::to_string).collect();
            format!("joints of v{vertex}: {}", escaped(&joints.join(", ")))
        }
        DataEdit::InverseBind(joint, cells) => {
            let mut rows = String::new();
            for row in 0..4 {
                rows.push_str("<tr>");
                for column in 0..4 {
                    let number = fixed(cells[4 * column + row].into(), 2);
                    let _ = write!(rows, "<td>{number}</td>");
                }
                rows.push_str("</tr>");
            }
            // A table cannot be inside a paragraph, so the paragraph around it is interrupted.
            format!(
                "{INVERSE_BIND_MATRIX} of {}:</p><table class=\"matrix\"><tbody>{rows}</tbody></table><p>",
                joint_html(joint)
            )
        }
        DataEdit::Texel(joint, column, texel) => {
            format!("texel {column} of {}: {}", joint_html(joint), format_row(texel))
        }
        DataEdit::Bytes { offset, bytes, .. } => {
            let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("bytes from {offset} on: <code>{}</code>", bytes.join(" "))
        }
        DataEdit::Turn(joint, turn) => {
            format!("{} turned by hand: {}", joint_html(joint), format_row(turn))
        }
        DataEdit::Shift(joint, by) => {
            format!("{} moved by hand: {}", joint_html(joint), format_row(by))
        }
    }
}

/// Returns a joint as HTML: its name, or `joint 1`.
fn joint_html(joint: &JointName) -> String {
    match joint {
        JointName::Index(joint) => format!("joint {}", joint.0),
        JointName::Name(name) => escaped(name).into_owned(),
    }
}

/// Returns the lanes without the second set if that is all zeros.
fn used_lanes(lanes: &[f32]) -> &[f32] {
    let (first_set, second_set) = lanes.split_at(SET_LANES.min(lanes.len()));
    if second_set.iter().all(|&lane| lane == 0.0) { first_set } else { lanes }
}

fn format_row(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|&number| fixed(number.into(), 2)).collect();
    numbers.join(", ")
}
