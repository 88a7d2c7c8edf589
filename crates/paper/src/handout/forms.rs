//! A form of a lesson's inventory on paper: its questions with boxes to tick, and at the
//! end which answer is right, with the reason for each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{FormulaValue, InventoryQuestion, Lesson, inlines_of};
use bindpose_notebook::inventory::{
    OptionValue, option_letter, option_words, question_values, questions_of, shown_options,
};
use bindpose_notebook::number_text::fixed;
use glam::Mat4;

use super::html::escaped;
use super::pages::HandoutForm;
use super::pictures::{PicturedPart, WantedPicture};
use super::writer::HandoutWriter;

/// Parts of a row that a picture of an answer takes.
const BESIDE: u32 = 2;

impl HandoutWriter<'_> {
    /// Writes all questions; one whose rig is not there says so in its place.
    pub(super) fn form(
        &mut self,
        out: &mut String,
        form: HandoutForm,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    ) {
        let set = self.set;
        let Some(lesson) = set.lessons.get(form.lesson) else {
            return;
        };
        out.push_str(
            "<p class=\"guess\">Name: <span class=\"line\"></span> \
             Date: <span class=\"blank\"></span></p>\n",
        );
        for (index, question) in questions_of(lesson, form.form).into_iter().enumerate() {
            match question_values(set, lesson, question, rigs) {
                Some(values) => self.question(out, (index + 1, question), &values, lesson),
                None => self.question_not_here(out, (index + 1, question), question.rig_in(lesson)),
            }
        }
        let questions = questions_of(lesson, form.form);
        let beliefs = self.beliefs(&questions);
        self.solutions.push(beliefs);
    }

    fn asked(&mut self, out: &mut String, (number, question): (usize, &InventoryQuestion)) {
        let id = escaped(&question.id);
        let asked = self.short(&question.ask);
        let _ = writeln!(
            out,
            "<section class=\"card task question\" id=\"{id}\">\n\
             <h2><span class=\"step\">{number}</span> {asked}</h2>"
        );
    }

    fn question_not_here(
        &mut self,
        out: &mut String,
        (number, question): (usize, &InventoryQuestion),
        rig: &str,
    ) {
        self.asked(out, (number, question));
        let rig = escaped(rig);
        let _ = writeln!(
            out,
            "<p class=\"wrong\">Its answers are not here: they follow from the model `{rig}`, which \
             could not be read. Make this sheet again when it can be.</p>\n</section>"
        );
    }

    fn question(
        &mut self,
        out: &mut String,
        (number, question): (usize, &InventoryQuestion),
        values: &[OptionValue],
        lesson: &Lesson,
    ) {
        self.asked(out, (number, question));
        let id = escaped(&question.id);
        if question.viewport.is_some() && !question.pictures {
            let wanted = self.wanted(lesson, question, None);
            self.figure(out, &wanted, "picture side");
        }
        let order = shown_options(question);
        // Wide answers stand across; matrices need less than pictures.
        let class = values.iter().find_map(|value| match value {
            OptionValue::Picture(_) => Some("choices across"),
            OptionValue::Value(FormulaValue::Mat4(_)) => Some("choices across narrow"),
            OptionValue::Value(_) | OptionValue::Words(_) => None,
        });
        let class = class.unwrap_or("choices");
        let _ = write!(out, "<ul class=\"{class}\">");
        for &place in &order {
            let (Some(option), Some(value)) = (question.options.get(place), values.get(place))
            else {
                continue;
            };
            let letter = option_letter(&order, place);
            let _ = write!(out, "<li><span class=\"box\"></span> <b>{letter}</b> ");
            match value {
                OptionValue::Picture(_) => {
                    let wanted = self.wanted(lesson, question, Some(place));
                    self.figure(out, &wanted, "picture");
                }
                OptionValue::Value(FormulaValue::Mat4(matrix)) => {
                    plain_matrix(out, &matrix.mat.as_mat4(), question.decimals);
                }
                OptionValue::Value(_) => {
                    let words = option_words(question, place, Some(value)).unwrap_or_default();
                    out.push_str(&escaped(&words));
                }
                OptionValue::Words(_) => out.push_str(&self.short(&option.text)),
            }
            out.push_str("</li>");
        }
        out.push_str("</ul>\n</section>\n");
        let key = self.answers(question, &order);
        let key = format!("<dt><a href=\"#{id}\">Question {number}</a></dt>\n{key}");
        self.solutions.push(key);
    }

    fn wanted(
        &self,
        lesson: &Lesson,
        question: &InventoryQuestion,
        option: Option<usize>,
    ) -> WantedPicture {
        let [width, height] = self.request.picture.map(|side| side.div_ceil(BESIDE));
        WantedPicture {
            lesson: lesson.slug.clone(),
            part: PicturedPart::Question { question: question.id.clone(), option },
            width,
            height: Some(height),
        }
    }

    /// Which is right and why, then why not the others, each with the name of what is
    /// believed by somebody who chooses it.
    fn answers(&mut self, question: &InventoryQuestion, order: &[usize]) -> String {
        let option = |place: &usize| Some((*place, question.options.get(*place)?));
        let (right, wrong): (Vec<_>, Vec<_>) =
            order.iter().filter_map(option).partition(|(_, option)| option.right);
        let mut out = String::new();
        for (place, option) in right.into_iter().chain(wrong) {
            let letter = option_letter(order, place);
            let believed = option.misconception.as_deref().unwrap_or("wrong");
            let verdict = if option.right { "right" } else { believed };
            let (verdict, why) = (escaped(verdict), self.short(&option.why));
            let _ = writeln!(out, "<dd><b>{letter}</b>, {verdict}: {why}</dd>");
        }
        out
    }

    /// What somebody believes who chooses the wrong answers, by the names they have
    /// there.
    fn beliefs(&mut self, questions: &[&InventoryQuestion]) -> String {
        let options = questions.iter().flat_map(|question| &question.options);
        let names: BTreeSet<&str> =
            options.filter_map(|option| option.misconception.as_deref()).collect();
        let set = self.set;
        let known = set.lessons.iter();
        let known = known.flat_map(|lesson| &lesson.inventory.misconceptions);
        let mut out = String::from("<dt>What wrong answers show</dt>\n");
        for name in names {
            if let Some(one) = known.clone().find(|one| one.id == name) {
                let (name, belief) = (escaped(name), self.short(&one.belief));
                let _ = writeln!(out, "<dd><b>{name}</b>: {belief}</dd>");
            }
        }
        out
    }

    fn short(&mut self, text: &str) -> String {
        let mut out = String::new();
        self.inlines(&mut out, &inlines_of(text), None);
        out
    }
}

/// Without its frames and without what tells axes, which would say which one it is: with
/// numbers for heads.
fn plain_matrix(out: &mut String, matrix: &Mat4, decimals: usize) {
    out.push_str("<table class=\"matrix\"><thead><tr>");
    for column in 1..=4 {
        let _ = write!(out, "<th>{column}</th>");
    }
    out.push_str("</tr></thead><tbody>");
    for row in 0..4 {
        out.push_str("<tr>");
        for column in 0..4 {
            let number = fixed(f64::from(matrix.col(column)[row]), decimals);
            let _ = write!(out, "<td>{number}</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
}
