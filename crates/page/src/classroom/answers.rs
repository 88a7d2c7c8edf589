//! What cells do while their question is before the class: a student's answer is handed in,
//! and the teacher sees the answers of all.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bindpose_classroom::{AnswerTally, QuestionAddress, QuestionPhase, Round};
use bindpose_lesson::Lesson;
use bindpose_notebook::Document;
use bindpose_notebook::exercise::handed_in_place;
use bindpose_notebook::number_text::fixed;
use eframe::egui::{Button, Label, Rect, RichText, Sense, Ui, WidgetInfo, accesskit::Role, vec2};

use super::class_view::{ClassPart, ClassroomView};
use crate::PageContext;
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::{Emphasis, Tip as _, note, small_button};

/// A cell's question in the class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AskedInClass {
    /// It is not before the class.
    No,
    /// The student can hand in; and has: that.
    Open(Option<String>),
    /// Nobody can answer now.
    Closed,
    /// The answer is shown.
    Revealed,
}

impl AskedInClass {
    /// Can the reader answer?
    pub(crate) fn takes_answers(&self) -> bool {
        matches!(self, Self::No | Self::Open(_))
    }

    /// Is what is right kept back?
    pub(crate) fn hides_truth(&self) -> bool {
        matches!(self, Self::Open(_) | Self::Closed)
    }
}

/// The question of a cell, as a page has it.
pub fn question_address(lesson: &Lesson, document: &Document, cell: &str) -> QuestionAddress {
    let draw = u32::try_from(document.draw_of(cell)).unwrap_or(u32::MAX);
    QuestionAddress { lesson: lesson.slug.clone(), cell: cell.to_owned(), draw }
}

pub(super) fn address(page: &PageContext<'_>, cell: &str) -> QuestionAddress {
    question_address(page.lesson, page.document, cell)
}

/// How it is with that cell's question. On the teacher's page nothing is handed in.
pub(crate) fn in_class(page: &PageContext<'_>, cell: &str) -> AskedInClass {
    let class = &page.view.classroom;
    if matches!(class.part, ClassPart::None) {
        return AskedInClass::No;
    }
    match (class.phase_of(&address(page, cell)), &class.part) {
        (None, _) => AskedInClass::No,
        (Some(QuestionPhase::Revealed), _) => AskedInClass::Revealed,
        (Some(phase), ClassPart::Student(student)) if phase.round().is_some() => {
            let is_open = student.question().is_some_and(|question| !question.is_locked);
            let handed_in = student.handed_in().map(str::to_owned);
            if is_open { AskedInClass::Open(handed_in) } else { AskedInClass::Closed }
        }
        (Some(_), _) => AskedInClass::Closed,
    }
}

/// The student's button that hands in, and what became of it.
pub(crate) fn hand_in_ui(
    ui: &mut Ui,
    cell: &str,
    answer: Option<&str>,
    page: &mut PageContext<'_>,
) {
    let AskedInClass::Open(handed_in) = in_class(page, cell) else { return };
    let is_new = answer.is_some() && answer != handed_in.as_deref();
    let words = if handed_in.is_some() { "Hand in instead" } else { "Hand in" };
    let button = ui.add_enabled(is_new, Button::new(words));
    let why_not = if answer.is_none() { "Answer first" } else { "This is handed in" };
    if button.tip_disabled(why_not).clicked()
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

/// The teacher's button that puts the question of a cell to the class, in its heading. Was
/// it pressed?
pub(crate) fn ask_class_ui(ui: &mut Ui, cell: &str, page: &mut PageContext<'_>) -> bool {
    if !page.view.classroom.leads() {
        return false;
    }
    let address = address(page, cell);
    let is_asked = page.view.classroom.phase_of(&address).is_some();
    let Some(teacher) = page.view.classroom.teacher() else { return false };
    if is_asked || teacher.state().is_over {
        return false;
    }
    let tip = "Everyone gets this question and answers it alone";
    let is_pressed = ui.add(small_button("Ask the class")).tip(tip).clicked();
    if is_pressed {
        teacher.ask(address);
        ui.ctx().request_repaint();
    }
    is_pressed
}

/// What the class answered, where the teacher may see it now, and is it revealed to all?
fn tally(page: &PageContext<'_>, cell: &str) -> Option<(AnswerTally, bool)> {
    let class = &page.view.classroom;
    let ClassPart::Teacher(teacher) = &class.part else { return None };
    let address = address(page, cell);
    let phase = class.phase_of(&address)?;
    let is_revealed = phase == QuestionPhase::Revealed;
    (class.peeks || is_revealed).then(|| (teacher.tally(&address), is_revealed))
}

/// Both rounds as bars, an answer a row; many numbers by how large they are.
pub(crate) fn tally_ui(
    ui: &mut Ui,
    cell: &str,
    page: &PageContext<'_>,
    meaning: &AnswerMeaning<'_>,
) {
    let Some((tally, is_revealed)) = tally(page, cell) else { return };
    let theme = page.theme;
    let mut rows = answer_rows(&tally, meaning);
    let most = rows.iter().flat_map(|row| row.counts).max().unwrap_or(0);
    if most == 0 {
        ui.label(theme.label("Nobody has answered yet."));
        return;
    }
    if is_revealed && !rows.iter().any(|row| row.right) {
        let right = |words| AnswerRow { words, counts: [0, 0], right: true, rank: 0 };
        rows.extend((meaning.right)().map(right));
    }
    let has_second = tally.answers(Round::Second).next().is_some();
    ui.label(theme.label(if has_second { "Alone (pale), and after talking" } else { "Alone" }));
    for row in &rows {
        let [alone, after] = row.counts;
        row_ui(ui, theme, &row.words, [Some(alone), has_second.then_some(after)], most, row.right);
    }
    if has_second {
        ui.label(theme.label(shift_words(&tally, meaning)));
    }
    if let Some(reply) = typical_mistake(&tally, meaning).filter(|_| is_revealed) {
        note(ui, theme, &reply, SMALL, Emphasis::Quiet);
    }
}

/// How many went from wrong to right, and back.
fn shift_words(tally: &AnswerTally, meaning: &AnswerMeaning<'_>) -> String {
    let (mut to_right, mut to_wrong) = (0, 0);
    for ((from, to), count) in tally.shifts() {
        match ((meaning.is_right)(from), (meaning.is_right)(to)) {
            (false, true) => to_right += count,
            (true, false) => to_wrong += count,
            _ => {}
        }
    }
    format!("{to_right} changed to the right answer, {to_wrong} away from it.")
}

/// What led most to a wrong answer, in the first round.
fn typical_mistake(tally: &AnswerTally, meaning: &AnswerMeaning<'_>) -> Option<String> {
    let counts = tally.counts(Round::First);
    let mut mistakes: BTreeMap<String, Vec<(&str, usize)>> = BTreeMap::new();
    for (answer, count) in counts {
        if !(meaning.is_right)(answer)
            && let Some(reply) = (meaning.reply)(answer)
        {
            mistakes.entry(reply).or_default().push((answer, count));
        }
    }
    let count = |answers: &[(&str, usize)]| answers.iter().map(|(_, count)| count).sum::<usize>();
    let commonest = mistakes.into_iter().max_by_key(|(_, answers)| count(answers));
    let (reply, answers) = commonest.filter(|(_, answers)| count(answers) > 1)?;
    Some(match *answers {
        [(answer, count)] => format!("{count} said “{}”. {reply}", (meaning.words)(answer)),
        _ => format!("{} made the same mistake: {reply}", count(&answers)),
    })
}

fn row_ui(
    ui: &mut Ui,
    theme: &Theme,
    words: &str,
    bars: [Option<usize>; 2],
    most: usize,
    is_right: bool,
) {
    let color = if is_right { theme.right } else { theme.accent };
    let text = RichText::new(words);
    let text =
        if is_right { text.font(font::strong(SMALL)).color(theme.right) } else { text.size(SMALL) };
    ui.add(Label::new(text).wrap());
    let spoken: Vec<String> = bars.iter().flatten().map(usize::to_string).collect();
    let spoken = format!("{words}: {}", spoken.join(", then "));
    let height = 12.0 * bars.iter().flatten().count() as f32;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &spoken));
    for (index, count) in bars.into_iter().flatten().enumerate() {
        let room = rect.width() - 30.0;
        let length = room * count as f32 / most.max(1) as f32;
        let top = rect.min + vec2(0.0, 12.0 * index as f32 + 1.0);
        let bar = Rect::from_min_size(top, vec2(length.max(1.0), 10.0));
        let fill = if index == 0 { color.gamma_multiply(0.45) } else { color };
        ui.painter().rect_filled(bar, 2.0, fill);
        let at = bar.right_center() + vec2(6.0, 0.0);
        let number = theme.label(count.to_string()).text().to_owned();
        let size = eframe::egui::FontId::proportional(CAPTION);
        ui.painter().text(at, eframe::egui::Align2::LEFT_CENTER, number, size, theme.ink);
    }
}

/// The places that the class guessed for that cell, where the teacher may see them: of the
/// second round for those who answered in it.
pub(crate) fn cloud(page: &PageContext<'_>, cell: &str) -> Vec<[f32; 3]> {
    let Some((tally, _)) = tally(page, cell) else { return Vec::new() };
    let mut places = BTreeMap::new();
    for round in [Round::First, Round::Second] {
        let answers = tally.answers(round);
        places.extend(answers.filter_map(|(id, text)| Some((id, handed_in_place(text)?.into()))));
    }
    places.into_values().collect()
}

impl ClassroomView {
    /// As the teacher: the question goes on, or that of a cell is put to the class.
    pub fn ask_or_go_on(&mut self, first: Option<QuestionAddress>) {
        let Some(teacher) = self.teacher() else { return };
        if teacher.state().question.is_some() {
            teacher.go_on();
            self.peeks = false;
        } else if let Some(address) = first {
            teacher.ask(address);
        }
    }
}

// The answers of a class as rows: the commonest each in one of its own, many numbers by
// how large they are.

/// Answers in rows of their own, at most; what is rarer is counted together.
const ROWS: usize = 6;
/// Rows of numbers.
const BINS: usize = 8;

/// One row of the tally.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AnswerRow {
    /// What the answer says.
    words: String,
    /// How often it was given in the first round and in the second.
    counts: [usize; 2],
    /// Is it right, or the right one among them?
    right: bool,
    /// Those with the least come first.
    rank: usize,
}

impl AnswerRow {
    fn add(&mut self, counts: [usize; 2], right: bool) {
        self.counts[0] += counts[0];
        self.counts[1] += counts[1];
        self.right |= right;
    }
}

/// What answers to a question are.
pub(crate) struct AnswerMeaning<'a> {
    /// What an answer says; answers that say the same are one row.
    pub words: &'a dyn Fn(&str) -> String,
    /// Which come first: those with the least rank, of these the commonest.
    pub rank: &'a dyn Fn(&str) -> usize,
    /// Is it right?
    pub is_right: &'a dyn Fn(&str) -> bool,
    /// What is right says that; `None`: the page shows it in another way.
    pub right: &'a dyn Fn() -> Option<String>,
    /// The number that it is; `None`: it is none.
    pub number: &'a dyn Fn(&str) -> Option<f64>,
    /// What led to a wrong answer; `None`: nobody knows.
    pub reply: &'a dyn Fn(&str) -> Option<String>,
}

/// The rows of both rounds.
fn answer_rows(tally: &AnswerTally, meaning: &AnswerMeaning<'_>) -> Vec<AnswerRow> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (place, round) in [Round::First, Round::Second].into_iter().enumerate() {
        for (answer, count) in tally.counts(round) {
            counts.entry(answer).or_default()[place] = count;
        }
    }
    if counts.len() > ROWS
        && let Some(rows) = by_size(&counts, meaning)
    {
        return rows;
    }
    let mut rows: Vec<AnswerRow> = Vec::new();
    for (answer, counts) in counts {
        let (words, right) = ((meaning.words)(answer), (meaning.is_right)(answer));
        if let Some(row) = rows.iter_mut().find(|row| row.words == words) {
            row.add(counts, right);
        } else {
            let rank = (meaning.rank)(answer);
            rows.push(AnswerRow { words, counts, right, rank });
        }
    }
    rows.sort_by_key(|row| (row.rank, Reverse((row.counts[1], row.counts[0]))));
    let rare = rows.split_off(rows.len().min(ROWS));
    if !rare.is_empty() {
        let sum = |place: usize| rare.iter().map(|row| row.counts[place]).sum();
        rows.push(AnswerRow {
            words: "other answers".to_owned(),
            counts: [sum(0), sum(1)],
            right: rare.iter().any(|row| row.right),
            rank: 0,
        });
    }
    rows
}

/// Numbers by how large they are, from the smallest; `None`: not all are numbers.
fn by_size(
    counts: &BTreeMap<&str, [usize; 2]>,
    meaning: &AnswerMeaning<'_>,
) -> Option<Vec<AnswerRow>> {
    let number = |text: &&str| (meaning.number)(text).filter(|number| number.abs() < 1e9);
    let numbers: Vec<f64> = counts.keys().map(number).collect::<Option<_>>()?;
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = (most - least) / BINS as f64;
    let mut rows: Vec<AnswerRow> = (0..BINS)
        .map(|bin| {
            let [from, to] = [bin, bin + 1].map(|edge| least + width * edge as f64);
            let words = format!("{} to {}", fixed(from, 2), fixed(to, 2));
            AnswerRow { words, counts: [0, 0], right: false, rank: 0 }
        })
        .collect();
    for ((answer, counts), number) in counts.iter().zip(numbers) {
        let bin = (((number - least) / width) as usize).min(BINS - 1);
        rows[bin].add(*counts, (meaning.is_right)(answer));
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_classroom::{
        RoomCode, ServerMessage, StudentId, StudentView, TeacherClient, TeacherSecret,
    };

    use super::*;

    fn tally(answers: &[&str]) -> AnswerTally {
        let question = QuestionAddress { lesson: "l".into(), cell: "c".into(), draw: 0 };
        let (code, secret) = (RoomCode::from_random(1), TeacherSecret::from_random(2));
        let mut teacher = TeacherClient::new(code, secret);
        let student = |(id, answer): (usize, &&str)| {
            let key =
                bindpose_classroom::AnswerKey { question: question.clone(), round: Round::First };
            let mut student = StudentView {
                id: StudentId(id as u32),
                is_here: true,
                record: bindpose_classroom::StudentRecord::default(),
            };
            Arc::make_mut(&mut student.record.answers).insert(key, (*answer).to_owned());
            student
        };
        let changed = answers.iter().enumerate().map(student).collect();
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
        rows.into_iter().map(|row| (row.words, row.counts[0], row.right)).collect()
    }

    #[test]
    fn few_answers_stand_by_how_often_they_were_given() {
        let row = |words: &str, count, right| (words.to_owned(), count, right);
        assert_eq!(rows(&["3", "b", "3"]), [row("3", 2, true), row("b", 1, false)]);
        assert_eq!(rows(&[]), []);
        let many = rows(&["a", "a", "b", "b", "c", "d", "e", "f", "3"]);
        assert_eq!(many.len(), ROWS + 1);
        assert_eq!(many.last(), Some(&row("other answers", 1, false)));
        assert_eq!(many.iter().map(|row| row.1).sum::<usize>(), 9);
    }

    #[test]
    fn answers_that_say_the_same_are_one_row() {
        let meaning = AnswerMeaning {
            words: &|text| if text.starts_with('3') { "close" } else { "far" }.to_owned(),
            rank: &|text| usize::from(!text.starts_with('9')),
            is_right: &|text| text.starts_with('3'),
            right: &|| None,
            number: &|_| None,
            reply: &|_| None,
        };
        let rows = answer_rows(&tally(&["3.1", "3.2", "9", "3.3"]), &meaning);
        let rows: Vec<_> = rows.iter().map(|row| (&*row.words, row.counts, row.right)).collect();
        assert_eq!(rows, [("far", [1, 0], false), ("close", [3, 0], true)]);
    }

    #[test]
    fn many_numbers_stand_by_how_large_they_are() {
        let rows = rows(&["0", "1", "2", "3", "4", "5", "6", "8", "8"]);
        assert_eq!(rows.len(), BINS);
        assert_eq!(rows[0], ("0.00 to 1.00".to_owned(), 1, false));
        assert_eq!(rows[3], ("3.00 to 4.00".to_owned(), 1, true));
        assert_eq!(rows[7].1, 2, "the largest is no bin of its own");
    }
}
