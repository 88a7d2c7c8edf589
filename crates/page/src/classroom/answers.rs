//! Cells whose question is the current one of the class: students hand in answers, the
//! teacher sees the tally.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bindpose_class_protocol::{AnswerTally, QuestionAddress, QuestionPhase, Round};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{Emphasis, Tip as _, paragraph_ui, small_button};
use bindpose_lesson::Lesson;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::Document;
use bindpose_notebook::exercise::handed_in_place;
use eframe::egui::{
    Align2, Button, FontId, Label, Rect, RichText, Sense, Ui, WidgetInfo, accesskit::Role, vec2,
};

use crate::PageContext;
use crate::view::classroom::{ClassRole, ClassroomView};

/// State of a cell's question in the class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClassQuestionState {
    /// The class has another question or none.
    No,
    /// The student can hand in an answer. Contains the one already handed in.
    Open(Option<String>),
    Closed,
    /// The correct answer is shown.
    Revealed,
}

impl ClassQuestionState {
    /// Returns true if the reader can answer.
    pub(crate) fn takes_answers(&self) -> bool {
        matches!(self, Self::No | Self::Open(_))
    }

    /// Returns true if the correct answer must not be shown yet.
    pub(crate) fn hides_truth(&self) -> bool {
        matches!(self, Self::Open(_) | Self::Closed)
    }
}

/// Returns the address of a cell's question on a page.
pub fn question_address(lesson: &Lesson, document: &Document, cell: &str) -> QuestionAddress {
    let draw = u32::try_from(document.draw_of(cell)).unwrap_or(u32::MAX);
    QuestionAddress { lesson: lesson.slug.clone(), cell: cell.to_owned(), draw }
}

pub(super) fn address(page: &PageContext<'_>, cell: &str) -> QuestionAddress {
    question_address(page.lesson, page.document, cell)
}

/// Returns the state of a cell's question in the class. The teacher's page hands in nothing.
pub(crate) fn class_question_state(page: &PageContext<'_>, cell: &str) -> ClassQuestionState {
    let class = &page.view.classroom;
    if matches!(class.role, ClassRole::None) {
        return ClassQuestionState::No;
    }
    match (class.phase_of(&address(page, cell)), &class.role) {
        (None, _) => ClassQuestionState::No,
        (Some(QuestionPhase::Revealed), _) => ClassQuestionState::Revealed,
        (Some(phase), ClassRole::Student(student)) if phase.round().is_some() => {
            let is_open = student.question().is_some_and(|question| !question.is_locked);
            let handed_in = student.handed_in().map(str::to_owned);
            if is_open { ClassQuestionState::Open(handed_in) } else { ClassQuestionState::Closed }
        }
        (Some(_), _) => ClassQuestionState::Closed,
    }
}

/// Draws the student's button that hands in the answer, and a note once it is handed in.
pub(crate) fn hand_in_ui(
    ui: &mut Ui,
    cell: &str,
    answer: Option<&str>,
    page: &mut PageContext<'_>,
) {
    let ClassQuestionState::Open(handed_in) = class_question_state(page, cell) else { return };
    let is_new = answer.is_some() && answer != handed_in.as_deref();
    let label = if handed_in.is_some() { "Hand in instead" } else { "Hand in" };
    let button = ui.add_enabled(is_new, Button::new(label));
    let disabled_tip = if answer.is_none() { "Answer first" } else { "This is handed in" };
    if button.tip_disabled(disabled_tip).clicked()
        && let Some(answer) = answer
    {
        let address = address(page, cell);
        if let Some(student) = page.view.classroom.student() {
            student.answer(&address, answer);
        }
        ui.ctx().request_repaint();
    }
    if handed_in.is_some() && !is_new {
        ui.label(page.theme.label("Handed in. You can change it until the class goes on."));
    }
}

/// Draws the teacher's button, in the heading of a cell, that asks the class its question.
/// Returns true if it was clicked.
pub(crate) fn ask_class_ui(ui: &mut Ui, cell: &str, page: &mut PageContext<'_>) -> bool {
    if !page.view.classroom.is_teacher() {
        return false;
    }
    let address = address(page, cell);
    let is_asked = page.view.classroom.phase_of(&address).is_some();
    let Some(teacher) = page.view.classroom.teacher() else { return false };
    if is_asked || teacher.state().is_over {
        return false;
    }
    let tip = "Everyone gets this question and answers it alone";
    let is_clicked = ui.add(small_button("Ask the class")).tip(tip).clicked();
    if is_clicked {
        teacher.ask(address);
        ui.ctx().request_repaint();
    }
    is_clicked
}

/// Returns the tally of a cell's question and whether the answer is revealed. Returns
/// `None` if the teacher may not see the answers now.
fn visible_tally(page: &PageContext<'_>, cell: &str) -> Option<(AnswerTally, bool)> {
    let class = &page.view.classroom;
    let ClassRole::Teacher(teacher) = &class.role else { return None };
    let address = address(page, cell);
    let phase = class.phase_of(&address)?;
    let is_revealed = phase == QuestionPhase::Revealed;
    (class.shows_answers_early || is_revealed).then(|| (teacher.tally(&address), is_revealed))
}

/// Draws the answers of both rounds as bars, with a row per answer. Many numbers are drawn
/// as a histogram.
pub(crate) fn tally_ui(
    ui: &mut Ui,
    cell: &str,
    page: &PageContext<'_>,
    meaning: &AnswerMeaning<'_>,
) {
    let Some((tally, is_revealed)) = visible_tally(page, cell) else { return };
    let theme = page.theme;
    let mut rows = answer_rows(&tally, meaning);
    let max_count = rows.iter().flat_map(|row| row.counts).max().unwrap_or(0);
    if max_count == 0 {
        ui.label(theme.label("Nobody has answered yet."));
        return;
    }
    if is_revealed
        && !rows.iter().any(|row| row.is_right)
        && let Some(text) = (meaning.right)()
    {
        rows.push(AnswerRow { text, counts: [0, 0], is_right: true, rank: 0 });
    }
    let has_second = tally.answers(Round::Second).next().is_some();
    ui.label(theme.label(if has_second { "Alone (pale), and after talking" } else { "Alone" }));
    let round_count = if has_second { 2 } else { 1 };
    for row in &rows {
        row_ui(ui, theme, row, round_count, max_count);
    }
    if has_second {
        ui.label(theme.label(format_shifts(&tally, meaning)));
    }
    if is_revealed && let Some(reply) = commonest_mistake(&tally, meaning) {
        paragraph_ui(ui, theme, &reply, SMALL_SIZE, Emphasis::Quiet);
    }
}

/// Counts the changes from a wrong to the right answer and back, for people.
fn format_shifts(tally: &AnswerTally, meaning: &AnswerMeaning<'_>) -> String {
    let mut to_right = 0;
    let mut to_wrong = 0;
    for ((from, to), count) in tally.shifts() {
        match ((meaning.is_right)(from), (meaning.is_right)(to)) {
            (false, true) => to_right += count,
            (true, false) => to_wrong += count,
            _ => {}
        }
    }
    format!("{to_right} changed to the right answer, {to_wrong} away from it.")
}

/// Wrong answers of the first round that get the same reply.
#[derive(Default)]
struct Mistake<'a> {
    answers: Vec<&'a str>,
    count: usize,
}

/// Returns a sentence about the mistake that was made most often in the first round.
/// Returns `None` if no mistake was made twice.
fn commonest_mistake(tally: &AnswerTally, meaning: &AnswerMeaning<'_>) -> Option<String> {
    let mut mistakes: BTreeMap<String, Mistake<'_>> = BTreeMap::new();
    for (answer, count) in tally.counts(Round::First) {
        if !(meaning.is_right)(answer)
            && let Some(reply) = (meaning.reply)(answer)
        {
            let mistake = mistakes.entry(reply).or_default();
            mistake.answers.push(answer);
            mistake.count += count;
        }
    }
    let (reply, mistake) = mistakes.into_iter().max_by_key(|(_, mistake)| mistake.count)?;
    let count = mistake.count;
    if count < 2 {
        return None;
    }
    Some(match *mistake.answers {
        [answer] => format!("{count} said “{}”. {reply}", (meaning.words)(answer)),
        _ => format!("{count} made the same mistake: {reply}"),
    })
}

/// Draws an answer and its bars, one per round. `max_count` is the count of the longest bar.
fn row_ui(ui: &mut Ui, theme: &Theme, row: &AnswerRow, round_count: usize, max_count: usize) {
    let (text, color) = if row.is_right {
        let text = RichText::new(&row.text).font(font::strong(SMALL_SIZE)).color(theme.right);
        (text, theme.right)
    } else {
        (RichText::new(&row.text).size(SMALL_SIZE), theme.accent)
    };
    ui.add(Label::new(text).wrap());
    let counts = &row.counts[..round_count];
    let numbers: Vec<String> = counts.iter().map(usize::to_string).collect();
    let name = format!("{}: {}", row.text, numbers.join(", then "));
    let height = 12.0 * counts.len() as f32;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    for (index, &count) in counts.iter().enumerate() {
        let max_length = rect.width() - 30.0;
        let length = max_length * count as f32 / max_count.max(1) as f32;
        let top = rect.min + vec2(0.0, 12.0 * index as f32 + 1.0);
        let bar = Rect::from_min_size(top, vec2(length.max(1.0), 10.0));
        let fill = if index == 0 { color.gamma_multiply(0.45) } else { color };
        ui.painter().rect_filled(bar, 2.0, fill);
        ui.painter().text(
            bar.right_center() + vec2(6.0, 0.0),
            Align2::LEFT_CENTER,
            count,
            FontId::proportional(CAPTION_SIZE),
            theme.ink,
        );
    }
}

/// Returns the positions that the class guessed in a cell, if the teacher may see them.
/// A guess of the second round replaces that of the first.
pub(crate) fn class_guesses_in_world(page: &PageContext<'_>, cell: &str) -> Vec<[f32; 3]> {
    let Some((tally, _)) = visible_tally(page, cell) else { return Vec::new() };
    let mut positions = BTreeMap::new();
    for round in [Round::First, Round::Second] {
        for (student, answer) in tally.answers(round) {
            if let Some(position) = handed_in_place(answer) {
                positions.insert(student, position.into());
            }
        }
    }
    positions.into_values().collect()
}

impl ClassroomView {
    /// Starts the next phase of the question, or asks `first` if there is none. Does nothing
    /// on other pages than the teacher's.
    pub fn start_next_phase(&mut self, first: Option<QuestionAddress>) {
        let Some(teacher) = self.teacher() else { return };
        if teacher.state().question.is_some() {
            teacher.go_on();
            self.shows_answers_early = false;
        } else if let Some(address) = first {
            teacher.ask(address);
        }
    }
}

// Rows of the tally: one per common answer, or the bins of a histogram of many numbers.

/// Maximum number of answers with a row of their own. Rarer ones share a row.
const MAX_ANSWER_ROWS: usize = 6;
const HISTOGRAM_BINS: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
struct AnswerRow {
    text: String,
    /// Numbers of answers in the first and the second round.
    counts: [usize; 2],
    /// True if an answer of the row is right.
    is_right: bool,
    /// Sort key. Lower ranks come first.
    rank: usize,
}

impl AnswerRow {
    fn add(&mut self, counts: [usize; 2], is_right: bool) {
        self.counts[0] += counts[0];
        self.counts[1] += counts[1];
        self.is_right |= is_right;
    }
}

/// Interpretation of the answers to a question.
pub(crate) struct AnswerMeaning<'a> {
    /// Returns the text of an answer. Answers with the same text share a row.
    pub words: &'a dyn Fn(&str) -> String,
    /// Returns the sort key of an answer. Answers with the same key are sorted by frequency.
    pub rank: &'a dyn Fn(&str) -> usize,
    /// Returns true if an answer is right.
    pub is_right: &'a dyn Fn(&str) -> bool,
    /// Returns the text of the right answer, or `None` if the page shows it otherwise.
    pub right: &'a dyn Fn() -> Option<String>,
    /// Parses an answer that is a number.
    pub number: &'a dyn Fn(&str) -> Option<f64>,
    /// Explains the mistake behind a wrong answer. Returns `None` if it is unknown.
    pub reply: &'a dyn Fn(&str) -> Option<String>,
}

/// Returns the rows of the tally, with the counts of both rounds.
fn answer_rows(tally: &AnswerTally, meaning: &AnswerMeaning<'_>) -> Vec<AnswerRow> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (index, round) in [Round::First, Round::Second].into_iter().enumerate() {
        for (answer, count) in tally.counts(round) {
            counts.entry(answer).or_default()[index] = count;
        }
    }
    if counts.len() > MAX_ANSWER_ROWS
        && let Some(rows) = histogram_rows(&counts, meaning)
    {
        return rows;
    }
    let mut rows: Vec<AnswerRow> = Vec::new();
    for (answer, counts) in counts {
        let text = (meaning.words)(answer);
        let is_right = (meaning.is_right)(answer);
        if let Some(row) = rows.iter_mut().find(|row| row.text == text) {
            row.add(counts, is_right);
        } else {
            let rank = (meaning.rank)(answer);
            rows.push(AnswerRow { text, counts, is_right, rank });
        }
    }
    rows.sort_by_key(|row| (row.rank, Reverse((row.counts[1], row.counts[0]))));
    let rare_rows = rows.split_off(rows.len().min(MAX_ANSWER_ROWS));
    if !rare_rows.is_empty() {
        let text = "other answers".to_owned();
        let mut others = AnswerRow { text, counts: [0, 0], is_right: false, rank: 0 };
        for row in &rare_rows {
            others.add(row.counts, row.is_right);
        }
        rows.push(others);
    }
    rows
}

/// Returns the bins of a histogram, from the smallest numbers to the largest. Returns
/// `None` if an answer is not a number.
fn histogram_rows(
    counts: &BTreeMap<&str, [usize; 2]>,
    meaning: &AnswerMeaning<'_>,
) -> Option<Vec<AnswerRow>> {
    let mut numbers = Vec::new();
    for answer in counts.keys() {
        let number = (meaning.number)(answer)?;
        if number.is_nan() || number.abs() >= 1e9 {
            return None;
        }
        numbers.push(number);
    }
    let min = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let max = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bin_width = (max - min) / HISTOGRAM_BINS as f64;
    let mut rows: Vec<AnswerRow> = (0..HISTOGRAM_BINS)
        .map(|bin| {
            let from = min + bin_width * bin as f64;
            let to = min + bin_width * (bin + 1) as f64;
            let text = format!("{} to {}", fixed(from, 2), fixed(to, 2));
            AnswerRow { text, counts: [0, 0], is_right: false, rank: 0 }
        })
        .collect();
    for ((answer, counts), number) in counts.iter().zip(numbers) {
        let bin = (((number - min) / bin_width) as usize).min(HISTOGRAM_BINS - 1);
        rows[bin].add(*counts, (meaning.is_right)(answer));
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_class_protocol::{
        AnswerKey, RoomCode, ServerMessage, StudentId, StudentRecord, StudentView, TeacherClient,
        TeacherSecret,
    };

    use super::*;

    fn tally(answers: &[&str]) -> AnswerTally {
        let question = QuestionAddress { lesson: "l".into(), cell: "c".into(), draw: 0 };
        let mut teacher =
            TeacherClient::new(RoomCode::from_random(1), TeacherSecret::from_random(2));
        let mut changed = Vec::new();
        for (index, answer) in answers.iter().enumerate() {
            let key = AnswerKey { question: question.clone(), round: Round::First };
            let mut student = StudentView {
                id: StudentId(index as u32),
                is_here: true,
                record: StudentRecord::default(),
            };
            Arc::make_mut(&mut student.record.answers).insert(key, (*answer).to_owned());
            changed.push(student);
        }
        teacher.hear(ServerMessage::Students { changed });
        teacher.tally(&question)
    }

    fn rows(answers: &[&str]) -> Vec<(String, usize, bool)> {
        let meaning = AnswerMeaning {
            words: &str::to_owned,
            rank: &|_| 0,
            is_right: &|text| text == "3",
            right: &|| None,
            number: &|text| text.parse().ok(),
            reply: &|_| None,
        };
        let rows = answer_rows(&tally(answers), &meaning);
        rows.into_iter().map(|row| (row.text, row.counts[0], row.is_right)).collect()
    }

    #[test]
    fn few_answers_are_sorted_by_frequency() {
        assert_eq!(rows(&["3", "b", "3"]), [("3".to_owned(), 2, true), ("b".to_owned(), 1, false)]);
        assert_eq!(rows(&[]), []);
        let many = rows(&["a", "a", "b", "b", "c", "d", "e", "f", "3"]);
        assert_eq!(many.len(), MAX_ANSWER_ROWS + 1);
        assert_eq!(many.last(), Some(&("other answers".to_owned(), 1, false)));
        assert_eq!(many.iter().map(|row| row.1).sum::<usize>(), 9);
    }

    #[test]
    fn answers_with_the_same_text_share_a_row() {
        let meaning = AnswerMeaning {
            words: &|text| if text.starts_with('3') { "close" } else { "far" }.to_owned(),
            rank: &|text| usize::from(!text.starts_with('9')),
            is_right: &|text| text.starts_with('3'),
            right: &|| None,
            number: &|_| None,
            reply: &|_| None,
        };
        let rows = answer_rows(&tally(&["3.1", "3.2", "9", "3.3"]), &meaning);
        let rows: Vec<_> = rows.iter().map(|row| (&*row.text, row.counts, row.is_right)).collect();
        assert_eq!(rows, [("far", [1, 0], false), ("close", [3, 0], true)]);
    }

    #[test]
    fn many_numbers_are_binned() {
        let rows = rows(&["0", "1", "2", "3", "4", "5", "6", "8", "8"]);
        assert_eq!(rows.len(), HISTOGRAM_BINS);
        assert_eq!(rows[0], ("0.00 to 1.00".to_owned(), 1, false));
        assert_eq!(rows[3], ("3.00 to 4.00".to_owned(), 1, true));
        assert_eq!(rows[7].1, 2, "the largest number belongs to the last bin");
    }
}
