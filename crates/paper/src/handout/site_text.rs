//! The lessons as text for the pages of a site, shown until the notebook runs and in its place
//! where it cannot run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_diagnostic::counted;
use bindpose_gltf::Rig;
use bindpose_lesson::{Lesson, LessonSet, PictureFormat};
use bindpose_notebook::export::HandoutRequest;

use super::formulas::Formulas;
use super::html::{HandoutLook, HtmlTarget, escaped};
use super::pages::HandoutPages;
use super::pictures::PictureSource;
use super::writer::HandoutWriter;

/// The inputs from which the text of a site is written.
pub struct SiteTextSources<'a> {
    pub set: &'a LessonSet,
    pub look: &'a HandoutLook,
    /// Looks up a built-in rig by its id.
    pub rigs: &'a dyn Fn(&str) -> Option<Arc<Rig>>,
    pub pictures: &'a mut dyn PictureSource,
    /// Stores a picture and returns its URL relative to the page.
    pub picture_url: &'a mut dyn FnMut(PictureFormat, &[u8]) -> String,
}

/// Returns a lesson for its own page: heading, list of steps, the steps, and the glossary terms
/// that it uses.
pub fn lesson_html(sources: SiteTextSources<'_>, lesson_index: usize) -> String {
    let rigs = sources.rigs;
    let lesson = &sources.set.lessons[lesson_index];
    let pages = HandoutPages::of_lesson(sources.set, lesson_index);
    let mut writer = site_writer(sources, pages, HtmlTarget::SitePages);
    let title = escaped(&lesson.title);
    let mut body = format!("<header>\n<h1>{title}</h1>\n{}</header>\n", about_html(lesson));
    body.push_str("<nav class=\"steps\" aria-label=\"Steps\"><ol>\n");
    for (step_index, step) in lesson.steps.iter().enumerate() {
        let id = HtmlTarget::SitePages.step_id(lesson, step_index);
        let _ =
            writeln!(body, "<li><a href=\"#{}\">{}</a></li>", escaped(&id), escaped(&step.title));
    }
    body.push_str("</ol></nav>\n");
    writer.write_steps(&mut body, rigs, None);
    writer.write_glossary(&mut body);
    body.push_str(&writer.formulas.glyph_definitions());
    body
}

/// Returns all lessons and the glossary terms that they use, for a site in a single file.
pub fn all_lessons_html(sources: SiteTextSources<'_>) -> String {
    let set = sources.set;
    let rigs = sources.rigs;
    let mut writer = site_writer(sources, HandoutPages::default(), HtmlTarget::SingleFile);
    let mut body = String::new();
    for (index, lesson) in set.lessons.iter().enumerate() {
        let _ = writeln!(
            body,
            "<article id=\"lesson={}\">\n<h2>{}</h2>\n{}",
            escaped(&lesson.slug),
            escaped(&lesson.title),
            about_html(lesson)
        );
        writer.pages = HandoutPages::of_lesson(set, index);
        writer.write_steps(&mut body, rigs, None);
        body.push_str("</article>\n");
    }
    writer.write_glossary(&mut body);
    body.push_str(&writer.formulas.glyph_definitions());
    body
}

fn site_writer(
    sources: SiteTextSources<'_>,
    pages: HandoutPages,
    target: HtmlTarget,
) -> HandoutWriter<'_> {
    let SiteTextSources { set, look, pictures, picture_url, .. } = sources;
    HandoutWriter {
        set,
        pages,
        request: HandoutRequest::default(),
        pictures,
        picture_url,
        target,
        formulas: Formulas::new(look.face),
        terms: BTreeSet::new(),
        solutions: Vec::new(),
    }
}

/// Returns a lesson's description, if it has one, and `Lesson 20 · about 45 minutes · 9 steps`.
fn about_html(lesson: &Lesson) -> String {
    let mut out = String::new();
    if !lesson.about.is_empty() {
        let _ = writeln!(out, "<p class=\"lead\">{}</p>", escaped(&lesson.about));
    }
    let _ = writeln!(
        out,
        "<p class=\"about\">Lesson {} · about {} minutes · {}</p>",
        lesson.number,
        lesson.minutes,
        counted(lesson.steps.len(), "step")
    );
    out
}
