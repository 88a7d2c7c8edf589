//! The class report as HTML to print: first the class, lesson by lesson, then each student.

use bindpose_diagnostic::counted;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::InventoryEntry;
use bindpose_notebook::inventory::Holding;

use super::report::{
    AnswerCount, ClassReport, GuessDistance, JudgedAnswer, LessonSummary, MisconceptionSummary,
    QuestionSummary, ReportedStudent, StudentLesson,
};
use crate::handout::{HandoutLook, code_spans_html, escaped, handout_style, html_file};

const STYLE: &str = include_str!("report.css");

impl ClassReport {
    /// Returns the report as a self-contained HTML file, laid out for A4.
    pub fn html(&self, look: &HandoutLook) -> Vec<u8> {
        let mut page = ReportPage { out: "<body>\n<main>\n".to_owned() };
        page.write_header(self);
        for lesson in &self.lessons {
            page.write_lesson(lesson, self.students.len());
        }
        if !self.students.is_empty() {
            page.out.push_str("<section class=\"apart\">");
            page.write_element("h2", "By person");
            for student in &self.students {
                page.write_student(student, &self.lessons);
            }
            page.out.push_str("</section>\n");
        }
        page.out.push_str("</main>\n");
        let style = handout_style(look, "a4") + STYLE;
        html_file("Class report", &style, &page.out).into_bytes()
    }
}

/// The HTML of a report while it is written.
///
/// Rows and cells of tables are not closed, which HTML permits.
struct ReportPage {
    out: String,
}

// ----------------------------------------------------------------------------
// Results of the class.

impl ReportPage {
    fn write_header(&mut self, report: &ClassReport) {
        self.out.push_str("<header>");
        self.write_element("h1", "Class report");
        let mut about = vec![counted(report.students.len(), "student")];
        about.extend(report.written.clone());
        about.push(["room ", &report.room].concat());
        self.write_element("p class=\"about\"", &about.join(" · "));
        if report.lessons.is_empty() {
            self.write_element("p", "Nobody opened a lesson or answered a question.");
        }
        self.out.push_str("</header>\n");
    }

    fn write_lesson(&mut self, lesson: &LessonSummary, student_count: usize) {
        self.out.push_str("<section>");
        self.write_element("h2", &[&lesson.number.to_string(), " · ", &*lesson.title].concat());
        let opened = format!("{} of {student_count} opened it.", lesson.opened);
        self.write_element("p class=\"about\"", &opened);
        if lesson.opened > 0 {
            self.write_steps(lesson);
        }
        for question in &lesson.questions {
            self.write_question(question);
        }
        if !lesson.misconceptions.is_empty() {
            self.write_misconceptions(&lesson.misconceptions);
        }
        self.out.push_str("</section>\n");
    }

    fn write_steps(&mut self, lesson: &LessonSummary) {
        self.begin_table(&["Step", "Seen", "Solved"]);
        for step in &lesson.steps {
            self.out.push_str("<tr><td>");
            self.write_text(&[&step.number.to_string(), " ", &*step.title].concat());
            self.write_bar_cell(step.seen, lesson.opened, true);
            if step.has_exercise {
                self.write_bar_cell(step.solved, lesson.opened, false);
            } else {
                self.out.push_str("<td class=\"count quiet\">nothing to solve");
            }
        }
        self.out.push_str("</table>\n");
    }

    fn write_question(&mut self, question: &QuestionSummary) {
        self.out.push_str("<div class=\"card\">");
        let title = format!("Question {}, at step {}", question.number, question.step);
        self.write_element("h3", &title);
        self.write_element("p", &question.ask);
        if !question.answers.is_empty() {
            self.begin_table(&["Answer", "Alone", "After talking"]);
            let max_count = question.answered.alone.max(question.answered.after_talking);
            for answer in &question.answers {
                self.write_answer_count(answer, max_count);
            }
            self.out.push_str("</table>");
        }
        let is_right_listed = question.answers.iter().any(|answer| answer.right == Some(true));
        if let Some(right) = question.right_answer.as_deref()
            && (!is_right_listed || question.distance.is_some())
        {
            self.write_element("p", &["Right: ", right].concat());
        }
        if let Some(distance) = &question.distance {
            self.write_element("p", &format_guess_distance(distance));
        }
        let has_wrong = question.answers.iter().any(|answer| answer.right == Some(false));
        if has_wrong && question.answered.alone > 0 && question.answered.after_talking > 0 {
            let words = format!(
                "{} changed to the right answer, {} away from it.",
                question.changed_to_right, question.changed_away
            );
            self.write_element("p", &words);
        }
        if let Some(mistake) = question.usual_mistake() {
            let words = ["The usual mistake: “", &*mistake.answer, "”. ", &*mistake.reply];
            self.write_element("p class=\"quiet\"", &words.concat());
        }
        self.out.push_str("</div>\n");
    }

    fn write_answer_count(&mut self, answer: &AnswerCount, max_count: usize) {
        let is_right = answer.right == Some(true);
        self.out.push_str(if is_right { "<tr class=\"right-answer\"><td>" } else { "<tr><td>" });
        self.write_right_mark(answer.right);
        self.write_text(&answer.answer);
        self.write_bar_cell(answer.alone, max_count, true);
        self.write_bar_cell(answer.after_talking, max_count, false);
    }

    fn write_misconceptions(&mut self, misconceptions: &[MisconceptionSummary]) {
        self.write_element("h3", "Before and after");
        self.begin_table(&["Misconception", "Held before", "Held after", "Remains"]);
        for misconception in misconceptions {
            let before =
                format!("{} of {}", misconception.held_before, misconception.answered_before);
            let after = format!("{} of {}", misconception.held_after, misconception.answered_after);
            self.out.push_str("<tr><td>");
            self.out.push_str(&code_spans_html(&misconception.belief));
            for text in [before, after, misconception.remains.to_string()] {
                self.out.push_str("<td>");
                self.write_text(&text);
            }
        }
        self.out.push_str("</table>\n");
        self.write_element(
            "p class=\"aside\"",
            "Remains: with how many it was there before and after.",
        );
    }
}

/// Formats the median distance of each round and the distance that counts as right, as
/// `Median distance from the right place: alone 0.52, after talking 0.10. …`.
fn format_guess_distance(distance: &GuessDistance) -> String {
    let from = if distance.from_right_place { "the right place" } else { "the middle guess" };
    let mut medians = Vec::new();
    for (round, median) in
        [("alone", distance.median.alone), ("after talking", distance.median.after_talking)]
    {
        if let Some(median) = median {
            medians.push([round, " ", &*fixed(median.into(), 2)].concat());
        }
    }
    let medians = medians.join(", ");
    let close = fixed(distance.close.into(), 2);
    format!("Median distance from {from}: {medians}. Up to {close} counts as right.")
}

// ----------------------------------------------------------------------------
// Results of one student.

impl ReportPage {
    fn write_student(&mut self, student: &ReportedStudent, lessons: &[LessonSummary]) {
        self.out.push_str("<div class=\"person\"><h3><bdi>");
        self.write_text(&student.name);
        self.out.push_str("</bdi></h3>");
        if student.lessons.is_empty() {
            self.write_element("p class=\"quiet\"", "Opened no lesson.");
        }
        for student_lesson in &student.lessons {
            let lesson = lessons.iter().find(|lesson| lesson.lesson == student_lesson.lesson);
            if let Some(lesson) = lesson {
                self.write_student_lesson(lesson.number, student_lesson);
            }
        }
        self.out.push_str("</div>\n");
    }

    fn write_student_lesson(&mut self, lesson_number: u32, student_lesson: &StudentLesson) {
        let steps = [
            "Lesson ",
            &*lesson_number.to_string(),
            ": steps seen ",
            &*format_ranges(&student_lesson.seen),
            "; solved ",
            &*format_ranges(&student_lesson.solved),
            ".",
        ];
        self.write_element("p", &steps.concat());
        if !student_lesson.answers.is_empty() {
            self.begin_table(&["Question", "Alone", "After talking"]);
            for answer in &student_lesson.answers {
                self.out.push_str("<tr><td>");
                self.write_text(&answer.question.to_string());
                self.write_answer_cell(answer.alone.as_ref());
                self.write_answer_cell(answer.after_talking.as_ref());
            }
            self.out.push_str("</table>");
        }
        if let Some(inventory) = &student_lesson.inventory {
            self.write_held_misconceptions(inventory);
        }
    }

    /// Writes the misconceptions that the student held before or after the lesson, a paragraph per
    /// outcome.
    fn write_held_misconceptions(&mut self, inventory: &InventoryEntry) {
        for label in [REMAINS, HELD_AFTER, NO_LONGER_HELD, NOT_ASKED_AFTER] {
            let beliefs: Vec<&str> = inventory
                .misconceptions
                .iter()
                .filter(|held| outcome_label(held.before, held.after) == Some(label))
                .map(|held| &*held.belief)
                .collect();
            if !beliefs.is_empty() {
                self.out.push_str("<p>");
                self.write_text(label);
                self.out.push_str(&code_spans_html(&beliefs.join(" ")));
                self.out.push_str("</p>");
            }
        }
    }

    fn write_answer_cell(&mut self, answer: Option<&JudgedAnswer>) {
        self.out.push_str("<td class=\"count\">");
        let Some(answer) = answer else {
            self.out.push('–');
            return;
        };
        self.write_right_mark(answer.right);
        self.write_text(&answer.answer);
        if let Some(distance) = answer.off {
            self.write_text(&[", ", &*fixed(distance.into(), 2), " off"].concat());
        }
    }
}

const REMAINS: &str = "Remains: ";
const HELD_AFTER: &str = "Held after the lesson: ";
const NO_LONGER_HELD: &str = "Held before, no longer after: ";
const NOT_ASKED_AFTER: &str = "Held before, not asked after: ";

/// Returns `None` if the misconception was not held at either time.
fn outcome_label(before: Holding, after: Holding) -> Option<&'static str> {
    match (before, after) {
        (Holding::Held, Holding::Held) => Some(REMAINS),
        (_, Holding::Held) => Some(HELD_AFTER),
        (Holding::Held, Holding::NotAnswered) => Some(NOT_ASKED_AFTER),
        (Holding::Held, _) => Some(NO_LONGER_HELD),
        _ => None,
    }
}

/// Formats ascending numbers as `1–3, 5`, or `none`.
fn format_ranges(numbers: &[usize]) -> String {
    if numbers.is_empty() {
        return "none".to_owned();
    }
    let ranges: Vec<String> = numbers
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| match run {
            [first, .., last] => format!("{first}–{last}"),
            _ => run.iter().map(usize::to_string).collect(),
        })
        .collect();
    ranges.join(", ")
}

// ----------------------------------------------------------------------------
// HTML.

impl ReportPage {
    fn write_text(&mut self, text: &str) {
        self.out.push_str(&escaped(text));
    }

    /// Writes an element. `tag` may have attributes: `p class="about"`.
    fn write_element(&mut self, tag: &str, text: &str) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self.write_text(text);
        self.out.push_str("</");
        self.out.push_str(tag.split(' ').next().unwrap_or(tag));
        self.out.push_str(">\n");
    }

    /// Writes the start of a table and its header row.
    fn begin_table(&mut self, columns: &[&str]) {
        self.out.push_str("<table class=\"text class\"><thead><tr><th>");
        self.write_text(columns[0]);
        for column in &columns[1..] {
            self.out.push_str("<th class=\"count\">");
            self.write_text(column);
        }
        self.out.push_str("</thead>");
    }

    /// Writes a table cell with a count and, unless it is 0, a bar of the width `count / max_count`.
    fn write_bar_cell(&mut self, count: usize, max_count: usize, is_pale: bool) {
        self.out.push_str(if is_pale {
            "<td class=\"count pale\">"
        } else {
            "<td class=\"count\">"
        });
        self.out.push_str("<span class=\"bars\">");
        if count > 0 {
            let percent = (100 * count / max_count.max(1)).to_string();
            self.out.push_str("<span class=\"bar\" style=\"width:");
            self.out.push_str(&percent);
            self.out.push_str("%\"></span>");
        }
        self.out.push_str("</span>");
        self.out.push_str(&count.to_string());
    }

    fn write_right_mark(&mut self, right: Option<bool>) {
        self.out.push_str(match right {
            Some(true) => "<span class=\"mark\">✓</span>",
            Some(false) => "<span class=\"mark wrong\">✗</span>",
            None => "",
        });
    }
}
