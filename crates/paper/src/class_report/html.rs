//! The report as a page to print: first the class, lesson by lesson, then each student.

use bindpose_diagnostic::counted;
use bindpose_notebook::InventoryEntry;
use bindpose_notebook::inventory::Holding;
use bindpose_notebook::number_text::fixed;

use super::report::{
    AnswerCount, ByRound, ClassReport, GuessDistance, JudgedAnswer, LessonOfClass, LessonOfStudent,
    MisconceptionOfClass, QuestionOfClass, ReportedStudent,
};
use crate::handout::{HandoutLook, escaped, html_file, note, style};

const STYLE: &str = include_str!("report.css");

impl ClassReport {
    /// A page to print on A4, in one file.
    pub fn html(&self, look: &HandoutLook) -> Vec<u8> {
        let mut page = ReportPage { out: "<body>\n<main>\n".to_owned() };
        page.head(self);
        for lesson in &self.lessons {
            page.lesson(lesson, self.students.len());
        }
        if !self.students.is_empty() {
            page.out.push_str("<section class=\"apart\">");
            page.element("h2", "By person");
            for student in &self.students {
                page.person(student, &self.lessons);
            }
            page.out.push_str("</section>\n");
        }
        page.out.push_str("</main>\n");
        let style = style(look, "a4") + STYLE;
        html_file("Class report", &style, &page.out).into_bytes()
    }
}

/// What is written so far.
struct ReportPage {
    out: String,
}

// What the class did.

impl ReportPage {
    fn head(&mut self, report: &ClassReport) {
        self.out.push_str("<header>");
        self.element("h1", "Class report");
        let mut about = vec![counted(report.students.len(), "student")];
        about.extend(report.written.clone());
        about.push(["room ", &report.room].concat());
        self.element("p class=\"about\"", &about.join(" · "));
        if report.lessons.is_empty() {
            self.element("p", "Nobody opened a lesson or answered a question.");
        }
        self.out.push_str("</header>\n");
    }

    fn lesson(&mut self, lesson: &LessonOfClass, students: usize) {
        self.out.push_str("<section>");
        self.element("h2", &[&lesson.number.to_string(), " · ", &*lesson.title].concat());
        let opened = format!("{} of {students} opened it.", lesson.opened);
        self.element("p class=\"about\"", &opened);
        if lesson.opened > 0 {
            self.steps(lesson);
        }
        for question in &lesson.questions {
            self.question(question);
        }
        if !lesson.misconceptions.is_empty() {
            self.misconceptions(&lesson.misconceptions);
        }
        self.out.push_str("</section>\n");
    }

    fn steps(&mut self, lesson: &LessonOfClass) {
        self.table(&["Step", "Seen", "Solved"]);
        for step in &lesson.steps {
            self.out.push_str("<tr><td>");
            self.text(&[&step.number.to_string(), " ", &*step.title].concat());
            self.count(step.seen, lesson.opened, true);
            if step.has_exercise {
                self.count(step.solved, lesson.opened, false);
            } else {
                self.out.push_str("<td class=\"count quiet\">nothing to solve");
            }
        }
        self.out.push_str("</table>\n");
    }

    fn question(&mut self, question: &QuestionOfClass) {
        self.out.push_str("<div class=\"card\">");
        let title = format!("Question {}, at step {}", question.number, question.step);
        self.element("h3", &title);
        self.element("p", &question.ask);
        if !question.answers.is_empty() {
            self.table(&["Answer", "Alone", "After talking"]);
            let most = question.answered.alone.max(question.answered.after_talking);
            for answer in &question.answers {
                self.answer(answer, most);
            }
            self.out.push_str("</table>");
        }
        let is_listed = question.answers.iter().any(|answer| answer.right == Some(true));
        if let Some(right) = question.right_answer.as_deref()
            && (!is_listed || question.distance.is_some())
        {
            self.element("p", &["Right: ", right].concat());
        }
        if let Some(distance) = &question.distance {
            self.element("p", &distance_words(distance));
        }
        let has_wrong = question.answers.iter().any(|answer| answer.right == Some(false));
        if has_wrong && question.answered.alone > 0 && question.answered.after_talking > 0 {
            let (to_right, away) = (question.changed_to_right, question.changed_away);
            let words = format!("{to_right} changed to the right answer, {away} away from it.");
            self.element("p", &words);
        }
        if let Some(mistake) = question.usual_mistake() {
            let words = ["The usual mistake: “", &*mistake.answer, "”. ", &*mistake.reply];
            self.element("p class=\"quiet\"", &words.concat());
        }
        self.out.push_str("</div>\n");
    }

    fn answer(&mut self, answer: &AnswerCount, most: usize) {
        let is_right = answer.right == Some(true);
        self.out.push_str(if is_right { "<tr class=\"right-answer\"><td>" } else { "<tr><td>" });
        self.mark(answer.right);
        self.text(&answer.answer);
        self.count(answer.alone, most, true);
        self.count(answer.after_talking, most, false);
    }

    fn misconceptions(&mut self, all: &[MisconceptionOfClass]) {
        self.element("h3", "Before and after");
        self.table(&["Misconception", "Held before", "Held after", "Remains"]);
        for one in all {
            self.out.push_str("<tr><td>");
            self.out.push_str(&note(&one.belief));
            for (held, of) in
                [(one.held_before, one.answered_before), (one.held_after, one.answered_after)]
            {
                self.out.push_str("<td>");
                self.text(&format!("{held} of {of}"));
            }
            self.out.push_str("<td>");
            self.text(&one.remains.to_string());
        }
        self.out.push_str("</table>\n");
        self.element("p class=\"aside\"", "Remains: with how many it was there before and after.");
    }
}

/// `Median distance from the right place: alone 0.52, after talking 0.10.`, and what counts.
fn distance_words(distance: &GuessDistance) -> String {
    let number = |number: f32| fixed(number.into(), 2);
    let from = if distance.from_right_place { "the right place" } else { "the middle guess" };
    let ByRound { alone, after_talking } = distance.median;
    let rounds = [("alone", alone), ("after talking", after_talking)];
    let medians = rounds
        .iter()
        .filter_map(|(round, median)| Some([round, " ", &*number((*median)?)].concat()));
    let medians = medians.collect::<Vec<_>>().join(", ");
    let close = number(distance.close);
    format!("Median distance from {from}: {medians}. Up to {close} counts as right.")
}

// What one student did.

impl ReportPage {
    fn person(&mut self, student: &ReportedStudent, lessons: &[LessonOfClass]) {
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

// Pieces of HTML. Rows and cells of tables need no closing tags.

impl ReportPage {
    fn text(&mut self, text: &str) {
        self.out.push_str(&escaped(text));
    }

    /// `tag`: with its attributes.
    fn element(&mut self, tag: &str, text: &str) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self.text(text);
        self.out.push_str("</");
        self.out.push_str(tag.split(' ').next().unwrap_or(tag));
        self.out.push_str(">\n");
    }

    fn table(&mut self, columns: &[&str]) {
        self.out.push_str("<table class=\"text class\"><thead><tr><th>");
        self.text(columns[0]);
        for column in &columns[1..] {
            self.out.push_str("<th class=\"count\">");
            self.text(column);
        }
        self.out.push_str("</thead>");
    }

    /// A cell with a bar; without one for nothing.
    fn count(&mut self, count: usize, most: usize, is_pale: bool) {
        let pale = if is_pale { " pale" } else { "" };
        let (share, number) = ((100 * count / most.max(1)).to_string(), count.to_string());
        let bar = ["<span class=\"bar\" style=\"width:", &share, "%\"></span>"].concat();
        let bar = if count > 0 { &bar } else { "" };
        let cell = ["<td class=\"count", pale, "\"><span class=\"bars\">", bar, "</span>", &number];
        self.out.push_str(&cell.concat());
    }

    fn mark(&mut self, right: Option<bool>) {
        self.out.push_str(match right {
            Some(true) => "<span class=\"mark\">✓</span>",
            Some(false) => "<span class=\"mark wrong\">✗</span>",
            None => "",
        });
    }
}
