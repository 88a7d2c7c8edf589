//! What stands in the pages of a site until the notebook runs there, and instead of
//! it where it cannot.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::counted;
use bindpose_lesson::{
    FormulaValue, InventoryQuestion, Lesson, LessonSet, PictureFormat, inlines_of,
};
use bindpose_notebook::export::HandoutRequest;
use bindpose_notebook::inventory::{
    OptionValue, option_letter, option_words, question_values, questions_of, shown_options,
};
use bindpose_notebook::number_text::fixed;
use glam::Mat4;

use super::html::{
    HandoutForm, HandoutLook, HandoutPages, HtmlPlace, PicturedPart, Pictures, WantedPicture,
    escaped,
};
use super::writer::{Formulas, HandoutWriter};

/// What texts are made of.
pub struct SiteText<'a> {
    /// The lessons.
    pub set: &'a LessonSet,
    /// Faces of the formulas.
    pub look: &'a HandoutLook,
    /// Looks up a built-in rig by its id. A step whose rig is not there is left out.
    pub rigs: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    /// Where pictures come from.
    pub pictures: &'a mut dyn Pictures,
    /// Gives the address under which the page finds the file of a picture.
    pub address: &'a mut dyn FnMut(PictureFormat, &[u8]) -> String,
}

/// A lesson, by its index, with its heading, a list of its steps and the terms that
/// it names, as HTML for the folder of its page.
pub fn lesson_text(text: SiteText<'_>, index: usize) -> String {
    let (rigs, lesson) = (text.rigs, &text.set.lessons[index]);
    let pages = HandoutPages::of_lesson(text.set, index);
    let mut writer = writer(text, pages, HtmlPlace::Pages);
    let mut body =
        format!("<header>\n<h1>{}</h1>\n{}</header>\n", escaped(&lesson.title), about(lesson));
    body.push_str("<nav class=\"steps\" aria-label=\"Steps\"><ol>\n");
    for (index, step) in lesson.steps.iter().enumerate() {
        let id = HtmlPlace::Pages.step_id(lesson, index);
        let (id, title) = (escaped(&id), escaped(&step.title));
        let _ = writeln!(body, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    body.push_str("</ol></nav>\n");
    writer.steps(&mut body, rigs, None);
    writer.glossary(&mut body);
    body.push_str(&writer.formulas.outlines());
    body
}

/// All lessons one below the other, with the terms that they name, as HTML for a
/// site that is one file.
pub fn all_texts(text: SiteText<'_>) -> String {
    let (set, rigs) = (text.set, text.rigs);
    let mut writer = writer(text, HandoutPages::default(), HtmlPlace::OneFile);
    let mut body = String::new();
    for (index, lesson) in set.lessons.iter().enumerate() {
        let (id, title) = (escaped(&lesson.slug), escaped(&lesson.title));
        let _ = writeln!(body, "<article id=\"lesson={id}\">\n<h2>{title}</h2>\n{}", about(lesson));
        writer.pages = HandoutPages::of_lesson(set, index);
        writer.steps(&mut body, rigs, None);
        body.push_str("</article>\n");
    }
    writer.glossary(&mut body);
    body.push_str(&writer.formulas.outlines());
    body
}

fn writer(text: SiteText<'_>, pages: HandoutPages, place: HtmlPlace) -> HandoutWriter<'_> {
    let SiteText { set, look, pictures, address, .. } = text;
    HandoutWriter {
        set,
        pages,
        request: HandoutRequest::default(),
        pictures,
        address,
        place,
        formulas: Formulas::new(look.face),
        terms: BTreeSet::new(),
        solutions: Vec::new(),
    }
}

fn about(lesson: &Lesson) -> String {
    let about = match &*lesson.about {
        "" => String::new(),
        about => format!("<p class=\"lead\">{}</p>\n", escaped(about)),
    };
    format!(
        "{about}<p class=\"about\">Lesson {} · about {} minutes · {}</p>\n",
        lesson.number,
        lesson.minutes,
        counted(lesson.steps.len(), "step")
    )
}

// The terms that the text explains, at its end.

impl HandoutWriter<'_> {
    /// Notes that the text names a term; false when the glossary has none of that
    /// name.
    pub(super) fn use_term(&mut self, slug: &str) -> bool {
        let known = self.set.term(slug).is_some();
        if known {
            self.terms.insert(slug.to_owned());
        }
        known
    }

    /// Writes the entries of all terms that are named, in the glossary's order, and
    /// of those that these name.
    pub(super) fn glossary(&mut self, out: &mut String) {
        // An entry may name others.
        let mut entries = Vec::new();
        let mut written = 0;
        while written < self.terms.len() {
            written = self.terms.len();
            entries = self.entries();
        }
        if entries.is_empty() {
            return;
        }
        out.push_str("<section class=\"end\" id=\"glossary\">\n<h2>Glossary</h2>\n<dl>\n");
        for entry in entries {
            out.push_str(&entry);
        }
        out.push_str("</dl>\n</section>\n");
    }

    fn entries(&mut self) -> Vec<String> {
        let set = self.set;
        let named = self.terms.clone();
        let terms = set.glossary.iter().filter(|term| named.contains(&term.slug));
        let entry = |term: &bindpose_lesson::Term| {
            let mut out = String::new();
            let (slug, title) = (&term.slug, escaped(&term.title));
            let _ = write!(out, "<dt id=\"term={slug}\">{title}</dt>\n<dd>");
            self.blocks(&mut out, &term.blocks, None);
            out.push_str("</dd>\n");
            out
        };
        terms.map(entry).collect()
    }
}

// A form of a lesson's inventory on paper: its questions with boxes to tick, and at the
// end which answer is right, with the reason for each.

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
