//! What one student did, as HTML.

use bindpose_notebook::InventoryEntry;
use bindpose_notebook::inventory::Holding;
use bindpose_notebook::number_text::fixed;

use super::html_parts::ReportPage;
use super::report::{JudgedAnswer, LessonOfClass, LessonOfStudent, ReportedStudent};
use crate::handout::note;

impl ReportPage {
    pub(super) fn person(&mut self, student: &ReportedStudent, lessons: &[LessonOfClass]) {
        self.out.push_str("<div class=\"person\"><h3><bdi>");
        self.text(&student.name);
        self.out.push_str("</bdi></h3>");
        if student.lessons.is_empty() {
            self.element("p class=\"quiet\"", "Opened no lesson.");
        }
        for done in &student.lessons {
            let lesson = lessons.iter().find(|lesson| lesson.lesson == done.lesson);
            if let Some(lesson) = lesson {
                self.lesson_of_person(lesson, done);
            }
        }
        self.out.push_str("</div>\n");
    }

    fn lesson_of_person(&mut self, lesson: &LessonOfClass, done: &LessonOfStudent) {
        let steps = [
            "Lesson ",
            &*lesson.number.to_string(),
            ": steps seen ",
            &*ranges(&done.seen),
            "; solved ",
            &*ranges(&done.solved),
            ".",
        ];
        self.element("p", &steps.concat());
        if !done.answers.is_empty() {
            self.table(&["Question", "Alone", "After talking"]);
            for answer in &done.answers {
                self.out.push_str("<tr><td>");
                self.text(&answer.question.to_string());
                self.given(answer.alone.as_ref());
                self.given(answer.after_talking.as_ref());
            }
            self.out.push_str("</table>");
        }
        if let Some(inventory) = &done.inventory {
            self.held(inventory);
        }
    }

    /// What became of the misconceptions that were held before the lesson or after it.
    fn held(&mut self, inventory: &InventoryEntry) {
        for words in [REMAINS, CAME, WENT, UNKNOWN] {
            let all = inventory.misconceptions.iter();
            let beliefs: Vec<&str> = all
                .filter(|one| what_became(one.before, one.after) == Some(words))
                .map(|one| &*one.belief)
                .collect();
            if !beliefs.is_empty() {
                self.out.push_str("<p>");
                self.text(words);
                self.out.push_str(&note(&beliefs.join(" ")));
                self.out.push_str("</p>");
            }
        }
    }

    fn given(&mut self, given: Option<&JudgedAnswer>) {
        self.out.push_str("<td class=\"count\">");
        let Some(given) = given else {
            self.out.push('–');
            return;
        };
        self.mark(given.right);
        self.text(&given.answer);
        if let Some(off) = given.off {
            self.text(&[", ", &*fixed(off.into(), 2), " off"].concat());
        }
    }
}

const REMAINS: &str = "Remains: ";
const CAME: &str = "Held after the lesson: ";
const WENT: &str = "Held before, no longer after: ";
const UNKNOWN: &str = "Held before, not asked after: ";

/// Of a misconception; `None`: it was not held.
fn what_became(before: Holding, after: Holding) -> Option<&'static str> {
    match (before, after) {
        (Holding::Held, Holding::Held) => Some(REMAINS),
        (_, Holding::Held) => Some(CAME),
        (Holding::Held, Holding::NotAnswered) => Some(UNKNOWN),
        (Holding::Held, _) => Some(WENT),
        _ => None,
    }
}

/// `1–3, 5`
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => [&*first.to_string(), "–", &*last.to_string()].concat(),
        _ => run.iter().map(usize::to_string).collect(),
    });
    let runs: Vec<String> = runs.collect();
    if runs.is_empty() { "none".to_owned() } else { runs.join(", ") }
}
