//! Exercises: what is asked, with hints and room for a guess; the solutions stand
//! at the end.

use std::fmt::Write as _;

use bindpose_lesson::{
    AskCell, AskedFor, ChainCell, CheckCell, Condition, DataEdit, JointName, MatrixCell,
    PredictCell, Setting, Text,
};
use bindpose_notebook::PageState;
use bindpose_notebook::exercise::{MeasuredCondition, position_with};
use bindpose_notebook::number_text::{fixed, point};
use bindpose_notebook::page_state::page_param;
use bindpose_notebook::question::{answer_words, right_answer, shown_order};
use bindpose_skin::{JointIndex, LANES, SET_LANES};

use super::html::{HtmlPlace, OpenedStep, PARAGRAPH, QUIET, escaped};
use super::live_cells::{matrices, value_words};
use super::writer::HandoutWriter;

/// Digits after the point, where a condition says none.
const DECIMALS: usize = 2;

impl HandoutWriter<'_> {
    /// Writes an exercise whose numbers are to be brought to a goal.
    pub(super) fn check(&mut self, out: &mut String, cell: &CheckCell, opened: &OpenedStep<'_>) {
        out.push_str("<div class=\"card task\"><h3>Exercise</h3>\n");
        self.text(out, &cell.ask, PARAGRAPH, opened);
        let open: Vec<&Condition> = cell.conditions.iter().filter(|one| !one.secret).collect();
        if !open.is_empty() {
            out.push_str("<ul>");
            for condition in open {
                let label = self.line(&condition.label, opened);
                write_condition(out, condition, &label, opened.state());
            }
            out.push_str("</ul>\n");
        }
        if !cell.hints.is_empty() {
            let mut list = String::from("<ol class=\"hints\">");
            for hint in &cell.hints {
                list.push_str("<li>");
                self.text(&mut list, &hint.led_by("Hint: "), ("", ""), opened);
                list.truncate(list.trim_end().len());
                list.push_str("</li>");
            }
            list.push_str("</ol>");
            let _ = match self.place {
                HtmlPlace::Paper => writeln!(out, "{list}"),
                HtmlPlace::Pages | HtmlPlace::OneFile => folded(out, "Hints", &list),
            };
        }
        let page = opened.state();
        let settings = cell.solution.0.iter();
        let mut words: Vec<String> = settings.map(|one| setting_words(one, page)).collect();
        let edits = cell.solution_edits.0.iter();
        words.extend(edits.map(edit_words));
        let mut solution = format!("<p>{}</p>", words.join(", ")).replace("<p></p>", "");
        let solved = opened.after(&cell.solution.0, &cell.solution_edits.0);
        self.text(&mut solution, &cell.solved, PARAGRAPH, &solved);
        self.solution(out, opened, &cell.ask, &solution);
        out.push_str("</div>\n");
    }

    /// Writes a product that is put together, or what one that is given comes to.
    pub(super) fn chain(&mut self, out: &mut String, cell: &ChainCell, opened: &OpenedStep<'_>) {
        let Some(ask) = &cell.ask else {
            let factors = cell.product.filled().unwrap_or_default();
            let show = factors.iter().map(|factor| factor.matrix.clone());
            let plain = factors.iter().all(|f| !f.inverted && !f.transposed);
            let whole = MatrixCell {
                show: show.collect(),
                product: plain && factors.len() == 2,
                decimals: cell.decimals,
                ..MatrixCell::default()
            };
            return matrices(out, &whole, opened.state());
        };
        out.push_str("<div class=\"card task\"><h3>Exercise</h3>\n");
        self.text(out, ask, PARAGRAPH, opened);
        // Of a ladder on paper: the empty line.
        let open = cell.at_rung(*cell.rungs().end());
        let blank = "<span class=\"blank\"></span>";
        let open = if open.0.is_empty() {
            vec![blank; cell.solution().0.len()].join(" · ")
        } else {
            escaped(&open.to_string()).replace('?', blank)
        };
        let _ = writeln!(out, "<p class=\"guess\">{open}</p>");
        let solution = escaped(&cell.solution().to_string()).replace(" * ", " · ");
        let mut solution = format!("<p><code>{solution}</code></p>");
        if let Some(solved) = &cell.solved {
            self.text(&mut solution, solved, PARAGRAPH, opened);
        }
        self.solution(out, opened, ask, &solution);
        out.push_str("</div>\n");
    }

    /// Writes a question about a place.
    pub(super) fn predict(
        &mut self,
        out: &mut String,
        cell: &PredictCell,
        opened: &OpenedStep<'_>,
    ) {
        let axes = if opened.derived.rig.flat { 2 } else { 3 };
        let mut blanks = String::new();
        for axis in ["x", "y", "z"].iter().take(axes) {
            let _ = write!(blanks, "{axis} <span class=\"blank\"></span> ");
        }
        out.push_str("<div class=\"card task\"><h3>Guess first</h3>\n");
        self.text(out, &cell.ask, PARAGRAPH, opened);
        let _ = writeln!(out, "<p class=\"guess\">Your guess: {blanks}</p>");
        let place = position_with(
            &cell.set.0,
            cell.vertex,
            &opened.document,
            opened.lesson,
            &opened.derived,
        );
        let place = place.ok().flatten().map_or_else(String::new, |place| {
            let place = point(&place.to_array()[..axes], 2);
            format!("<p>v{} comes to {place}.</p>", cell.vertex)
        });
        let mut solution = place;
        let revealed = opened.after(&cell.set.0, &[]);
        self.text(&mut solution, &cell.why, PARAGRAPH, &revealed);
        self.solution(out, opened, &cell.ask, &solution);
        out.push_str("</div>\n");
    }

    /// Writes a question: boxes before what can be chosen, else room to write.
    pub(super) fn ask(
        &mut self,
        out: &mut String,
        cell: &AskCell,
        id: &str,
        opened: &OpenedStep<'_>,
    ) {
        out.push_str("<div class=\"card task\"><h3>Question</h3>\n");
        self.text(out, &cell.ask, PARAGRAPH, opened);
        let order = shown_order(cell, id, 0);
        let blank = "<span class=\"blank\"></span>";
        match cell.asked_for() {
            Some(AskedFor::Choice(choices)) => {
                out.push_str("<ul class=\"choices\">");
                for choice in order.iter().filter_map(|&place| choices.get(place)) {
                    let text = self.line(&choice.text, opened);
                    let _ = write!(out, "<li><span class=\"box\"></span> {text}</li>");
                }
                out.push_str("</ul>\n");
            }
            Some(AskedFor::Order(items)) => {
                out.push_str("<ul class=\"choices\">");
                for item in order.iter().filter_map(|&place| items.get(place)) {
                    let text = self.line(&item.text, opened);
                    let _ = write!(out, "<li><span class=\"box\"></span> {text}</li>");
                }
                out.push_str("</ul>\n<p class=\"guess\">Number them in their order.</p>\n");
            }
            _ => {
                let unit = escaped(&cell.unit);
                let _ = writeln!(out, "<p class=\"guess\">Your answer: {blank} {unit}</p>");
            }
        }
        let right = right_answer(cell, &opened.derived).unwrap_or_default();
        let right = match cell.asked_for() {
            Some(AskedFor::Choice(choices)) => {
                let right = choices.iter().filter(|choice| choice.right);
                let right: Vec<String> =
                    right.map(|choice| self.line(&choice.text, opened)).collect();
                right.join("; ")
            }
            Some(AskedFor::Order(items)) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.line(&item.text, opened)).collect();
                items.join(", ")
            }
            _ => escaped(&answer_words(cell, &right)).into_owned(),
        };
        let mut solution = format!("<p>{right}</p>");
        self.text(&mut solution, &cell.why, PARAGRAPH, opened);
        self.solution(out, opened, &cell.ask, &solution);
        out.push_str("</div>\n");
    }

    /// Keeps a solution for the end of a handout; in a site it stands in its card,
    /// folded.
    fn solution(&mut self, out: &mut String, opened: &OpenedStep<'_>, ask: &Text, solution: &str) {
        if self.place != HtmlPlace::Paper {
            let _ = folded(out, "Solution", solution);
            return;
        }
        let id = self.place.step_id(opened.lesson, opened.document.step);
        let title = escaped(&opened.step.title);
        let mut asked = String::new();
        self.text(&mut asked, ask, QUIET, opened);
        self.solutions
            .push(format!("<dt><a href=\"#{id}\">{title}</a></dt>\n<dd>{asked}{solution}</dd>\n"));
    }
}

fn folded(out: &mut String, title: &str, html: &str) -> std::fmt::Result {
    writeln!(out, "<details><summary>{title}</summary>{html}</details>")
}

/// `height of v0: 2.00 at the start, 2.75 is the goal`
fn write_condition(out: &mut String, condition: &Condition, label: &str, page: PageState<'_>) {
    // Degrees already, where they are shown.
    let number = |value: f64| {
        let decimals = condition.decimals.unwrap_or(DECIMALS);
        format!("{}{}", fixed(value, decimals), escaped(&condition.unit))
    };
    let Ok(measured) = MeasuredCondition::from_condition(condition, page.derived) else {
        return;
    };
    let _ = write!(
        out,
        "<li>{label}: <span class=\"number\">{}</span> at the start, \
         <span class=\"number\">{}</span> is the goal</li>",
        number(measured.value),
        number(measured.goal)
    );
}

// What solves an exercise, in words and tables.

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
