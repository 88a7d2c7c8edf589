//! What a class did, as HTML.

use bindpose_diagnostic::counted;
use bindpose_notebook::number_text::fixed;

use super::html_parts::ReportPage;
use super::report::{
    AnswerCount, ByRound, ClassReport, GuessDistance, LessonOfClass, MisconceptionOfClass,
    QuestionOfClass,
};
use crate::handout::note;

impl ReportPage {
    pub(super) fn head(&mut self, report: &ClassReport) {
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

    pub(super) fn lesson(&mut self, lesson: &LessonOfClass, students: usize) {
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
