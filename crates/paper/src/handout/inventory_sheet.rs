//! A form of a lesson's inventory on paper: its questions with boxes to tick, and at the end the
//! right answers with a reason for every option.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{FormulaValue, InventoryQuestion, Lesson, Text, short_text};
use bindpose_notebook::inventory::{
    OptionValue, option_letter, option_words, question_values, questions_of, shown_options,
};
use glam::Mat4;

use super::exercises::write_checkboxes;
use super::html::escaped;
use super::pages::HandoutForm;
use super::pictures::{PictureRequest, PictureSubject};
use super::writer::HandoutWriter;

/// Number of answer pictures beside each other.
const PICTURES_PER_ROW: u32 = 2;

impl HandoutWriter<'_> {
    /// Writes all questions of a form, with a note in place of the answers of a question whose rig
    /// is missing.
    pub(super) fn write_inventory_sheet(
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
        let questions = questions_of(lesson, form.form);
        for (index, question) in questions.iter().enumerate() {
            let number = index + 1;
            self.write_question_heading(out, number, question);
            if let Some(values) = question_values(set, lesson, question, rigs) {
                self.write_options(out, number, question, &values, lesson);
            } else {
                let rig = escaped(question.rig_in(lesson));
                let _ = writeln!(
                    out,
                    "<p class=\"wrong\">Its answers are not here: they follow from the model \
                     `{rig}`, which could not be read. Make this sheet again when it can be.</p>"
                );
            }
            out.push_str("</section>\n");
        }
        let misconceptions = self.misconceptions_html(&questions);
        self.solutions.push(misconceptions);
    }

    /// Writes the start of a question's section, which the caller closes.
    fn write_question_heading(
        &mut self,
        out: &mut String,
        number: usize,
        question: &InventoryQuestion,
    ) {
        let id = escaped(&question.id);
        let ask = self.label_html(&question.ask.ask);
        let _ = writeln!(
            out,
            "<section class=\"card task question\" id=\"{id}\">\n\
             <h2><span class=\"step\">{number}</span> {ask}</h2>"
        );
    }

    /// Writes the figure of a question and its options, and adds its solution to the end.
    fn write_options(
        &mut self,
        out: &mut String,
        number: usize,
        question: &InventoryQuestion,
        values: &[OptionValue],
        lesson: &Lesson,
    ) {
        if question.viewport.is_some() && !question.pictures {
            let figure = self.question_picture(lesson, question, None);
            self.write_picture(out, &figure, "picture side");
        }
        let order = shown_options(question);
        // Pictures and matrices are wide, so their options are placed in rows.
        let class = values.iter().find_map(|value| match value {
            OptionValue::Picture(_) => Some("choices across"),
            OptionValue::Value(FormulaValue::Mat4(_)) => Some("choices across narrow"),
            OptionValue::Value(_) | OptionValue::Words(_) => None,
        });
        let mut options = Vec::new();
        for &index in &order {
            let Some(value) = values.get(index) else { continue };
            let mut option = format!("<b>{}</b> ", option_letter(&order, index));
            match value {
                OptionValue::Picture(_) => {
                    let picture = self.question_picture(lesson, question, Some(index));
                    self.write_picture(&mut option, &picture, "picture");
                }
                OptionValue::Value(FormulaValue::Mat4(matrix)) => {
                    let matrix = matrix.mat.as_mat4();
                    write_unlabelled_matrix(&mut option, &matrix, question.decimals.0);
                }
                OptionValue::Value(_) => {
                    let words = option_words(question, index, Some(value)).unwrap_or_default();
                    option.push_str(&escaped(&words));
                }
                OptionValue::Words(_) => {
                    let choice = question.ask.choices.get(index);
                    option.extend(choice.map(|choice| self.label_html(&choice.text)));
                }
            }
            options.push(option);
        }
        write_checkboxes(out, class.unwrap_or("choices"), options);
        let id = escaped(&question.id);
        let answers = self.answer_key_html(question, &order);
        self.solutions.push(format!("<dt><a href=\"#{id}\">Question {number}</a></dt>\n{answers}"));
    }

    /// Returns the request for a question's figure, or for the picture of one of its options.
    fn question_picture(
        &self,
        lesson: &Lesson,
        question: &InventoryQuestion,
        option: Option<usize>,
    ) -> PictureRequest {
        let [width, height] = self.request.picture.map(|side| side.div_ceil(PICTURES_PER_ROW));
        PictureRequest {
            lesson: lesson.slug.clone(),
            part: PictureSubject::Question { question: question.id.clone(), option },
            width,
            height: Some(height),
        }
    }

    /// Lists the right option first, then the wrong ones, each with its reason. A wrong option has
    /// the id of the misconception behind it.
    fn answer_key_html(&mut self, question: &InventoryQuestion, order: &[usize]) -> String {
        let mut out = String::new();
        for is_right in [true, false] {
            for &index in order {
                let Some((choice, origin)) = question.choices().nth(index) else { continue };
                if choice.right != is_right {
                    continue;
                }
                let letter = option_letter(order, index);
                let misconception = origin.misconception.as_deref().unwrap_or("wrong");
                let verdict = escaped(if is_right { "right" } else { misconception });
                let why = self.label_html(question.reason(choice));
                let _ = writeln!(out, "<dd><b>{letter}</b>, {verdict}: {why}</dd>");
            }
        }
        out
    }

    /// Explains the misconception ids of the answer keys.
    fn misconceptions_html(&mut self, questions: &[&InventoryQuestion]) -> String {
        let set = self.set;
        let ids: BTreeSet<&str> = questions
            .iter()
            .flat_map(|question| &question.origins)
            .filter_map(|origin| origin.misconception.as_deref())
            .collect();
        let mut out = String::from("<dt>What wrong answers show</dt>\n");
        for id in ids {
            let misconception = set
                .lessons
                .iter()
                .flat_map(|lesson| &lesson.inventory.misconceptions)
                .find(|misconception| misconception.id == id);
            if let Some(misconception) = misconception {
                let belief = self.label_html(&short_text(&misconception.belief));
                let _ = writeln!(out, "<dd><b>{}</b>: {belief}</dd>", escaped(id));
            }
        }
        out
    }

    /// Returns a text of one line, without live numbers, as HTML.
    fn label_html(&mut self, text: &Text) -> String {
        let mut out = String::new();
        self.write_inlines(&mut out, text.line(), None);
        out
    }
}

/// Writes a matrix with numbers as column headings. The frames and axes that other matrices are
/// labelled with would give the answer away.
fn write_unlabelled_matrix(out: &mut String, matrix: &Mat4, decimals: usize) {
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
