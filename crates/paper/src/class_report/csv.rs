//! The class report as CSV. The table is long rather than wide, so that pivot tables and filters
//! work on it unchanged. `right` is 1 or 0, so that its mean is the share of right answers.

use bindpose_lesson::number_text::fixed;
use bindpose_notebook::export::csv_field;
use bindpose_notebook::inventory::InventoryForm;

use super::report::{ClassReport, JudgedAnswer, LessonSummary, QuestionSummary, StudentLesson};

const COLUMNS: [&str; 12] = [
    "student",
    "lesson",
    "lesson title",
    "step",
    "step title",
    "kind",
    "question",
    "round",
    "answer",
    "right",
    "off",
    "misconception",
];

impl ClassReport {
    /// Returns the report as CSV. For each student it has a row per step, per question and round,
    /// and per answer to the inventories before and after a lesson.
    pub fn csv(&self) -> Vec<u8> {
        // Without a byte-order mark some spreadsheets do not read the file as UTF-8.
        let mut table = CsvTable { text: "\u{feff}".to_owned() };
        table.push_fields(COLUMNS);
        for student in &self.students {
            for lesson in &self.lessons {
                let student_lesson =
                    student.lessons.iter().find(|entry| entry.lesson == lesson.lesson);
                let lesson_number = lesson.number.to_string();
                let row = Row {
                    student: &student.name,
                    lesson_number: &lesson_number,
                    lesson_title: &lesson.title,
                    ..Row::default()
                };
                table.push_steps(row, lesson, student_lesson);
                if let Some(student_lesson) = student_lesson {
                    table.push_answers(row, lesson, student_lesson);
                    table.push_inventory(row, student_lesson);
                }
            }
        }
        table.text.into_bytes()
    }
}

/// The fields of a row. Empty where a column does not apply.
#[derive(Clone, Copy, Default)]
struct Row<'a> {
    student: &'a str,
    lesson_number: &'a str,
    lesson_title: &'a str,
    step_number: &'a str,
    step_title: &'a str,
    kind: &'a str,
    question: &'a str,
    round: &'a str,
    answer: &'a str,
    right: &'a str,
    /// Distance of a guess from the right position, in world units.
    off: &'a str,
    /// Id of the misconception behind a wrong answer.
    misconception: &'a str,
}

struct CsvTable {
    text: String,
}

impl CsvTable {
    /// Adds a row per step of the lesson. `student_lesson` is `None` if the student did not open
    /// the lesson.
    fn push_steps(
        &mut self,
        row: Row<'_>,
        lesson: &LessonSummary,
        student_lesson: Option<&StudentLesson>,
    ) {
        for step in &lesson.steps {
            let is_seen = student_lesson.is_some_and(|entry| entry.seen.contains(&step.number));
            let is_solved = student_lesson.is_some_and(|entry| entry.solved.contains(&step.number));
            let answer = if is_solved {
                "solved"
            } else if is_seen {
                "seen"
            } else {
                "not seen"
            };
            self.push(Row {
                step_number: &step.number.to_string(),
                step_title: &step.title,
                kind: "step",
                answer,
                right: if step.has_exercise { right_field(Some(is_solved)) } else { "" },
                ..row
            });
        }
    }

    fn push_answers(
        &mut self,
        row: Row<'_>,
        lesson: &LessonSummary,
        student_lesson: &StudentLesson,
    ) {
        for answer in &student_lesson.answers {
            let Some(question) =
                lesson.questions.iter().find(|question| question.number == answer.question)
            else {
                continue;
            };
            if let Some(alone) = &answer.alone {
                self.push_answer(Row { round: "alone", ..row }, lesson, question, alone);
            }
            if let Some(after) = &answer.after_talking {
                self.push_answer(Row { round: "after talking", ..row }, lesson, question, after);
            }
        }
    }

    fn push_answer(
        &mut self,
        row: Row<'_>,
        lesson: &LessonSummary,
        question: &QuestionSummary,
        answer: &JudgedAnswer,
    ) {
        let step = lesson.steps.iter().find(|step| step.number == question.step);
        self.push(Row {
            step_number: &question.step.to_string(),
            step_title: step.map_or("", |step| &step.title),
            kind: "question",
            question: &question.ask,
            answer: &answer.answer,
            right: right_field(answer.right),
            off: &answer.off.map(|off| fixed(off.into(), 3)).unwrap_or_default(),
            ..row
        });
    }

    fn push_inventory(&mut self, row: Row<'_>, student_lesson: &StudentLesson) {
        let Some(inventory) = &student_lesson.inventory else { return };
        for answer in &inventory.answers {
            self.push(Row {
                kind: "inventory",
                question: &answer.ask,
                round: match answer.form {
                    InventoryForm::Before => "before the lesson",
                    InventoryForm::After => "after the lesson",
                },
                answer: &answer.words,
                right: right_field(Some(answer.right)),
                misconception: answer.misconception.as_deref().unwrap_or_default(),
                ..row
            });
        }
    }

    fn push(&mut self, row: Row<'_>) {
        self.push_fields([
            row.student,
            row.lesson_number,
            row.lesson_title,
            row.step_number,
            row.step_title,
            row.kind,
            row.question,
            row.round,
            row.answer,
            row.right,
            row.off,
            row.misconception,
        ]);
    }

    /// Adds one row, ended by CR LF as RFC 4180 requires.
    fn push_fields(&mut self, fields: [&str; COLUMNS.len()]) {
        for (index, field) in fields.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            // A leading apostrophe keeps spreadsheets from evaluating the field.
            let quote = if is_formula(field) { "'" } else { "" };
            self.text.push_str(&csv_field(&[quote, field].concat()));
        }
        self.text.push_str("\r\n");
    }
}

/// Returns whether a spreadsheet would evaluate the field as a formula.
fn is_formula(field: &str) -> bool {
    let mut chars = field.trim_start().chars();
    match chars.next() {
        // A signed number is not a formula.
        Some('+' | '-') => !chars.all(|c| c.is_ascii_digit() || ".,°%".contains(c)),
        // In some languages spreadsheets read full-width characters as their ASCII forms.
        Some('=' | '@' | '＝' | '＋' | '－' | '＠') => true,
        _ => false,
    }
}

fn right_field(right: Option<bool>) -> &'static str {
    match right {
        Some(true) => "1",
        Some(false) => "0",
        None => "",
    }
}
