//! The report as a table for spreadsheets: long rather than wide, so that pivot tables and
//! filters take it as it is. `right` is 1 or 0, so that its mean is the share.

use bindpose_notebook::export::csv_field;
use bindpose_notebook::inventory::InventoryForm;
use bindpose_notebook::number_text::fixed;

use super::report::{ClassReport, JudgedAnswer, LessonOfClass, LessonOfStudent, QuestionOfClass};

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
    /// A table for spreadsheets: a row for each student with each step, with each question
    /// in each round, and with each question before and after a lesson.
    pub fn csv(&self) -> Vec<u8> {
        // Without this mark some spreadsheets take the file for one of another encoding.
        let mut rows = Rows { text: "\u{feff}".to_owned() };
        rows.add(COLUMNS);
        for student in &self.students {
            for lesson in &self.lessons {
                let done = student.lessons.iter().find(|done| done.lesson == lesson.lesson);
                let number = lesson.number.to_string();
                let head = [&*student.name, &*number, &*lesson.title];
                rows.steps(head, lesson, done);
                if let Some(done) = done {
                    rows.questions(head, lesson, done);
                    rows.inventory(head, done);
                }
            }
        }
        rows.text.into_bytes()
    }
}

struct Rows {
    text: String,
}

impl Rows {
    fn steps(&mut self, head: [&str; 3], lesson: &LessonOfClass, done: Option<&LessonOfStudent>) {
        let [student, number, title] = head;
        for step in &lesson.steps {
            let is_in = |steps: fn(&LessonOfStudent) -> &[usize]| {
                done.is_some_and(|done| steps(done).contains(&step.number))
            };
            let (seen, solved) = (is_in(|done| &done.seen), is_in(|done| &done.solved));
            let words = match (solved, seen) {
                (true, _) => "solved",
                (_, true) => "seen",
                _ => "not seen",
            };
            let right = if step.has_exercise { mark(Some(solved)) } else { "" };
            let at = step.number.to_string();
            let step = &*step.title;
            self.add([student, number, title, &at, step, "step", "", "", words, right, "", ""]);
        }
    }

    fn questions(&mut self, head: [&str; 3], lesson: &LessonOfClass, done: &LessonOfStudent) {
        for answer in &done.answers {
            let mut questions = lesson.questions.iter();
            let question = questions.find(|question| question.number == answer.question);
            let Some(question) = question else { continue };
            let (alone, after) = (&answer.alone, &answer.after_talking);
            for (round, given) in [("alone", alone), ("after talking", after)] {
                if let Some(given) = given {
                    self.answer(head, lesson, question, round, given);
                }
            }
        }
    }

    fn answer(
        &mut self,
        [student, number, title]: [&str; 3],
        lesson: &LessonOfClass,
        question: &QuestionOfClass,
        round: &str,
        given: &JudgedAnswer,
    ) {
        let step = lesson.steps.iter().find(|step| step.number == question.step);
        let step_title = step.map_or("", |step| &step.title);
        let at = question.step.to_string();
        let off = given.off.map(|off| fixed(off.into(), 3)).unwrap_or_default();
        let (ask, right) = (&*question.ask, mark(given.right));
        let answer = &*given.answer;
        self.add([
            student, number, title, &at, step_title, "question", ask, round, answer, right, &off,
            "",
        ]);
    }

    fn inventory(&mut self, [student, number, title]: [&str; 3], done: &LessonOfStudent) {
        for given in done.inventory.iter().flat_map(|inventory| &inventory.answers) {
            let round = match given.form {
                InventoryForm::Before => "before the lesson",
                InventoryForm::After => "after the lesson",
            };
            let answer = &*given.words;
            let (ask, right) = (&*given.ask, mark(Some(given.right)));
            let misconception = given.misconception.as_deref().unwrap_or_default();
            self.add([
                student,
                number,
                title,
                "",
                "",
                "inventory",
                ask,
                round,
                answer,
                right,
                "",
                misconception,
            ]);
        }
    }

    /// One row, ended as the standard asks (RFC 4180).
    fn add(&mut self, fields: [&str; COLUMNS.len()]) {
        for (index, field) in fields.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            let quote = if is_formula(field) { "'" } else { "" };
            self.text.push_str(&csv_field(&[quote, field].concat()));
        }
        self.text.push_str("\r\n");
    }
}

/// Would a spreadsheet run the text? A number with a sign is none.
fn is_formula(field: &str) -> bool {
    let text = field.trim_start();
    let Some(first) = text.chars().next() else { return false };
    let is_number = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || ".,°%".contains(c));
    match first {
        '+' | '-' => !is_number(&text[1..]),
        // Wide letters are read as the narrow ones in some languages.
        '=' | '@' | '＝' | '＋' | '－' | '＠' => true,
        _ => false,
    }
}

fn mark(right: Option<bool>) -> &'static str {
    match right {
        Some(true) => "1",
        Some(false) => "0",
        None => "",
    }
}
