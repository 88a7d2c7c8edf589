//! What stands in the pages of a site until the notebook runs there, and instead of
//! it where it cannot.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::counted;
use bindpose_lesson::{Lesson, LessonSet, PictureFormat};
use bindpose_notebook::export::HandoutRequest;

use super::formulas::Formulas;
use super::html::escaped;
use super::look::HandoutLook;
use super::pages::HandoutPages;
use super::pictures::Pictures;
use super::place::HtmlPlace;
use super::writer::HandoutWriter;

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
