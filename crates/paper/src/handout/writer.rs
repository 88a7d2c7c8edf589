//! The steps of lessons as HTML, and the whole of a handout: head, steps, solutions,
//! glossary.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::{Rig, base64_text};
use bindpose_diagnostic::counted;
use bindpose_lesson::{Cell, Lesson, LessonBlock, LessonSet, PictureFormat, find_lesson_from};
use bindpose_notebook::export::HandoutRequest;
use bindpose_notebook::inventory::questions_of;

use super::formulas::Formulas;
use super::html::escaped;
use super::look::{HandoutLook, style};
use super::pages::{HandoutForm, HandoutPage, HandoutPages, OpenedStep};
use super::pictures::Pictures;
use super::place::HtmlPlace;

/// What is gathered while the steps are written.
pub(super) struct HandoutWriter<'a> {
    pub(super) set: &'a LessonSet,
    pub(super) pages: HandoutPages,
    pub(super) request: HandoutRequest,
    pub(super) pictures: &'a mut dyn Pictures,
    /// Gives the address under which the file of a picture is found.
    pub(super) address: &'a mut dyn FnMut(PictureFormat, &[u8]) -> String,
    pub(super) place: HtmlPlace,
    pub(super) formulas: Formulas,
    /// Slugs of the terms that the text explains.
    pub(super) terms: BTreeSet<String>,
    /// Solutions, each as HTML.
    pub(super) solutions: Vec<String>,
}

/// The handout as one HTML file. `rigs` looks up a built-in rig by its id; `own`
/// is the reader's model, where there is one. A step whose rig is not there is left
/// out.
pub fn write(
    set: &LessonSet,
    pages: &HandoutPages,
    request: HandoutRequest,
    look: &HandoutLook,
    rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    own: Option<&Arc<Rig>>,
    pictures: &mut dyn Pictures,
) -> String {
    let mut writer = HandoutWriter {
        set,
        pages: pages.clone(),
        request,
        pictures,
        address: &mut |format, bytes| {
            format!("data:{};base64,{}", format.media_type(), base64_text(bytes))
        },
        place: HtmlPlace::Paper,
        formulas: Formulas::new(look.face),
        terms: BTreeSet::new(),
        solutions: Vec::new(),
    };
    let mut body = String::new();
    writer.head(&mut body);
    match pages.form {
        Some(form) => writer.form(&mut body, form, rigs),
        None => writer.steps(&mut body, rigs, own),
    }
    writer.solutions(&mut body);
    writer.glossary(&mut body);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Bindpose {}\">\n<title>{}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n{}\n<main>\n{body}</main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(&pages.title),
        style(look, request.paper.key()),
        writer.formulas.outlines(),
    )
}

impl HandoutWriter<'_> {
    fn head(&mut self, out: &mut String) {
        let _ = writeln!(out, "<header>\n<h1>{}</h1>", escaped(&self.pages.title));
        if let Some(form) = self.pages.form {
            self.about_form(out, form);
            return;
        }
        let mut about = Vec::new();
        let lesson = self.pages.pages.first();
        let lesson = lesson.and_then(|page| self.set.lessons.get(page.lesson));
        if let Some(lesson) = lesson.filter(|_| self.pages.is_lesson) {
            about.push(format!("Lesson {}", lesson.number));
        }
        about.push(format!("about {} minutes", self.pages.minutes));
        about.push(counted(self.pages.pages.len(), "step"));
        let _ = writeln!(out, "<p class=\"about\">{}</p>", about.join(" · "));
        let needs = lesson.filter(|_| self.pages.is_lesson);
        let needs = needs.map(|lesson| self.needs(lesson)).unwrap_or_default();
        if !needs.is_empty() {
            let _ = writeln!(out, "<p class=\"about\">Comes after {needs}.</p>");
        }
        out.push_str("</header>\n");
    }

    /// `Lesson 20 · 4 questions before it`
    fn about_form(&self, out: &mut String, form: HandoutForm) {
        if let Some(lesson) = self.set.lessons.get(form.lesson) {
            let questions = questions_of(lesson, form.form).len();
            let _ = writeln!(
                out,
                "<p class=\"about\">Lesson {} · {} {} it</p>",
                lesson.number,
                counted(questions, "question"),
                form.form.key()
            );
        }
        out.push_str("</header>\n");
    }

    /// `lesson 20, The bind-pose problem`
    fn needs(&self, lesson: &Lesson) -> String {
        let found = lesson.needs.iter().filter_map(|need| {
            let index = find_lesson_from(&self.set.lessons, need, &lesson.slug).ok()?;
            let lesson = &self.set.lessons[index];
            Some(format!("lesson {}, {}", lesson.number, escaped(&lesson.title)))
        });
        found.collect::<Vec<_>>().join("; ")
    }

    /// Writes the steps of all pages; one whose rig is not there says so in its place.
    pub(super) fn steps(
        &mut self,
        out: &mut String,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
        own: Option<&Arc<Rig>>,
    ) {
        let mut before = None;
        for (index, page) in self.pages.pages.clone().into_iter().enumerate() {
            if let Some(opened) = OpenedStep::new(self.set, page, rigs, own) {
                let begins = before != Some(page.lesson);
                before = Some(page.lesson);
                self.step(out, index, &opened, begins);
            } else {
                self.step_not_here(out, index, page);
            }
        }
    }

    fn step_not_here(&self, out: &mut String, index: usize, page: HandoutPage) {
        let lesson = self.set.lessons.get(page.lesson);
        let Some((lesson, step)) = lesson.zip(lesson.and_then(|one| one.steps.get(page.step)))
        else {
            return;
        };
        let id = self.place.step_id(lesson, page.step);
        let id = escaped(&id);
        let (level, title) = (self.step_level(), escaped(&step.title));
        let (number, rig) = (index + 1, escaped(lesson.rig_at(page.step)));
        let _ = writeln!(
            out,
            "<section id=\"{id}\">\n<h{level}><span class=\"step\">{number}</span> {title}</h{level}>\n\
             <p class=\"wrong\">This step is not here: it stands on the model `{rig}`, which could \
             not be read. Make this sheet again when it can be.</p>\n</section>"
        );
    }

    /// Writes a step; `index` is that of its page.
    pub(super) fn step(
        &mut self,
        out: &mut String,
        index: usize,
        opened: &OpenedStep<'_>,
        begins: bool,
    ) {
        let (lesson, step) = (opened.lesson, opened.step);
        let id = self.place.step_id(lesson, opened.document.step);
        let _ = writeln!(out, "<section id=\"{}\">", escaped(&id));
        if begins && !self.pages.is_lesson && self.place == HtmlPlace::Paper {
            let (number, title) = (lesson.number, escaped(&lesson.title));
            let _ = writeln!(out, "<p class=\"lesson-name\">Lesson {number} · {title}</p>");
        }
        let minutes = self.pages.pages[index].minutes;
        let minutes = minutes.map_or_else(String::new, |minutes| {
            format!(" <span class=\"minutes\">{minutes} min</span>")
        });
        let number = match self.place {
            HtmlPlace::OneFile => opened.document.step + 1,
            HtmlPlace::Paper | HtmlPlace::Pages => index + 1,
        };
        let (level, title) = (self.step_level(), escaped(&step.title));
        // On paper, heading, pictures and first words stay together.
        let _ = writeln!(
            out,
            "<div class=\"opening\">\n<h{level}><span class=\"step\">{number}</span> \
             {title}{minutes}</h{level}>"
        );
        if opened.document.step == 0 {
            self.blocks(out, &lesson.intro, Some(opened));
        }
        let (pictures, others): (Vec<&Cell>, Vec<&Cell>) =
            lesson.on_stage(opened.document.step).partition(|cell| cell.kind.draws_scene());
        for picture in pictures {
            self.cell(out, picture, opened);
        }
        let first = usize::from(matches!(step.blocks.first(), Some(LessonBlock::Paragraph(_))));
        let (first, rest) = step.blocks.split_at(first);
        self.blocks(out, first, Some(opened));
        out.push_str("</div>\n");
        self.blocks(out, rest, Some(opened));
        for other in others {
            self.cell(out, other, opened);
        }
        out.push_str("</section>\n");
    }

    /// Of the headings of steps; those in their text stand below.
    pub(super) fn step_level(&self) -> u8 {
        match self.place {
            HtmlPlace::Paper | HtmlPlace::Pages => 2,
            HtmlPlace::OneFile => 3,
        }
    }

    fn solutions(&mut self, out: &mut String) {
        if self.solutions.is_empty() || !self.request.solutions {
            return;
        }
        // A teacher keeps those of a form, and hands out the rest.
        let class = if self.pages.form.is_some() { "end apart" } else { "end" };
        let _ =
            writeln!(out, "<section class=\"{class}\" id=\"solutions\">\n<h2>Solutions</h2>\n<dl>");
        for solution in &self.solutions {
            out.push_str(solution);
        }
        out.push_str("</dl>\n</section>\n");
    }
}
