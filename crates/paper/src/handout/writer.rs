//! The parts of a handout around the content of its steps: header, steps, solutions and glossary.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_diagnostic::counted;
use bindpose_gltf::{Rig, base64_text};
use bindpose_lesson::{Cell, Lesson, LessonBlock, LessonSet, PictureFormat, find_lesson_from};
use bindpose_notebook::export::HandoutRequest;
use bindpose_notebook::inventory::questions_of;

use super::formulas::Formulas;
use super::html::{HandoutLook, HtmlTarget, escaped, handout_style, html_file};
use super::pages::{HandoutForm, HandoutPage, HandoutPages, OpenedStep};
use super::pictures::PictureSource;

/// Writes lessons as HTML. Collects what follows at the end of the document: solutions, glossary
/// terms and the glyphs of formulas.
pub(super) struct HandoutWriter<'a> {
    pub(super) set: &'a LessonSet,
    pub(super) pages: HandoutPages,
    pub(super) request: HandoutRequest,
    pub(super) pictures: &'a mut dyn PictureSource,
    /// Stores a picture and returns its URL in the document.
    pub(super) picture_url: &'a mut dyn FnMut(PictureFormat, &[u8]) -> String,
    pub(super) target: HtmlTarget,
    pub(super) formulas: Formulas,
    /// Slugs of the glossary terms that the text refers to.
    pub(super) terms: BTreeSet<String>,
    /// Solutions as HTML, in the order of their exercises.
    pub(super) solutions: Vec<String>,
}

/// Writes a handout as a self-contained HTML file.
///
/// `rigs` looks up a built-in rig by its id. `own` is the reader's own model, if any. In place of a
/// step whose rig is missing, the handout has a note about it.
pub fn write(
    set: &LessonSet,
    pages: &HandoutPages,
    request: HandoutRequest,
    look: &HandoutLook,
    rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    own: Option<&Arc<Rig>>,
    pictures: &mut dyn PictureSource,
) -> String {
    let mut writer = HandoutWriter {
        set,
        pages: pages.clone(),
        request,
        pictures,
        picture_url: &mut |format, bytes| {
            format!("data:{};base64,{}", format.media_type(), base64_text(bytes))
        },
        target: HtmlTarget::Paper,
        formulas: Formulas::new(look.face),
        terms: BTreeSet::new(),
        solutions: Vec::new(),
    };
    let mut content = String::new();
    writer.write_header(&mut content);
    match pages.form {
        Some(form) => writer.write_inventory_sheet(&mut content, form, rigs),
        None => writer.write_steps(&mut content, rigs, own),
    }
    writer.write_solutions(&mut content);
    writer.write_glossary(&mut content);
    let class = if pages.is_summary(set) { " class=\"sheet\"" } else { "" };
    let glyphs = writer.formulas.glyph_definitions();
    let body = format!("<body{class}>\n{glyphs}\n<main>\n{content}</main>\n");
    html_file(&pages.title, &handout_style(look, request.paper.key()), &body)
}

impl HandoutWriter<'_> {
    fn write_header(&self, out: &mut String) {
        let _ = writeln!(out, "<header>\n<h1>{}</h1>", escaped(&self.pages.title));
        match self.pages.form {
            Some(form) => self.write_about_form(out, form),
            None => self.write_about_steps(out),
        }
        out.push_str("</header>\n");
    }

    /// Writes `Lesson 20 · about 45 minutes · 9 steps` and the lessons to read before.
    fn write_about_steps(&self, out: &mut String) {
        let first_page = self.pages.pages.first().filter(|_| self.pages.is_lesson);
        let lesson = first_page.and_then(|page| self.set.lessons.get(page.lesson));
        let mut about = Vec::new();
        if let Some(lesson) = lesson {
            about.push(format!("Lesson {}", lesson.number));
        }
        about.push(format!("about {} minutes", self.pages.minutes));
        about.push(counted(self.pages.pages.len(), "step"));
        let _ = writeln!(out, "<p class=\"about\">{}</p>", about.join(" · "));
        let prerequisites = lesson.map(|lesson| self.format_prerequisites(lesson));
        if let Some(prerequisites) = prerequisites.filter(|text| !text.is_empty()) {
            let _ = writeln!(out, "<p class=\"about\">Comes after {prerequisites}.</p>");
        }
    }

    /// Writes `Lesson 20 · 4 questions before it`.
    fn write_about_form(&self, out: &mut String, form: HandoutForm) {
        if let Some(lesson) = self.set.lessons.get(form.lesson) {
            let question_count = questions_of(lesson, form.form).len();
            let _ = writeln!(
                out,
                "<p class=\"about\">Lesson {} · {} {} it</p>",
                lesson.number,
                counted(question_count, "question"),
                form.form.key()
            );
        }
    }

    /// Lists the lessons that a lesson builds on as `lesson 20, The bind-pose problem; …`.
    fn format_prerequisites(&self, lesson: &Lesson) -> String {
        let mut prerequisites = Vec::new();
        for slug in &lesson.needs {
            if let Ok(index) = find_lesson_from(&self.set.lessons, slug, &lesson.slug) {
                let needed = &self.set.lessons[index];
                prerequisites.push(format!("lesson {}, {}", needed.number, escaped(&needed.title)));
            }
        }
        prerequisites.join("; ")
    }

    /// Writes all steps, with a note in place of a step whose rig is missing.
    pub(super) fn write_steps(
        &mut self,
        out: &mut String,
        rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
        own: Option<&Arc<Rig>>,
    ) {
        let mut previous_lesson = None;
        for (index, page) in self.pages.pages.clone().into_iter().enumerate() {
            if let Some(opened) = OpenedStep::new(self.set, page, rigs, own) {
                let is_first_of_lesson = previous_lesson != Some(page.lesson);
                previous_lesson = Some(page.lesson);
                self.write_step(out, index, &opened, is_first_of_lesson);
            } else {
                self.write_missing_step(out, index, page);
            }
        }
    }

    fn write_missing_step(&self, out: &mut String, page_index: usize, page: HandoutPage) {
        let Some(lesson) = self.set.lessons.get(page.lesson) else { return };
        let Some(step) = lesson.steps.get(page.step) else { return };
        let _ = writeln!(
            out,
            "<section id=\"{id}\">\n<h{level}><span class=\"step\">{number}</span> {title}</h{level}>\n\
             <p class=\"wrong\">This step is not here: it stands on the model `{rig}`, which could \
             not be read. Make this sheet again when it can be.</p>\n</section>",
            id = escaped(&self.target.step_id(lesson, page.step)),
            level = self.step_heading_level(),
            number = page_index + 1,
            title = escaped(&step.title),
            rig = escaped(lesson.rig_at(page.step)),
        );
    }

    fn write_step(
        &mut self,
        out: &mut String,
        page_index: usize,
        opened: &OpenedStep<'_>,
        is_first_of_lesson: bool,
    ) {
        let lesson = opened.lesson;
        let step = opened.step;
        let step_index = opened.document.step;
        let id = self.target.step_id(lesson, step_index);
        let _ = writeln!(out, "<section id=\"{}\">", escaped(&id));
        if is_first_of_lesson && !self.pages.is_lesson && self.target == HtmlTarget::Paper {
            let _ = writeln!(
                out,
                "<p class=\"lesson-name\">Lesson {} · {}</p>",
                lesson.number,
                escaped(&lesson.title)
            );
        }
        let minutes = match self.pages.pages[page_index].minutes {
            Some(minutes) => format!(" <span class=\"minutes\">{minutes} min</span>"),
            None => String::new(),
        };
        let number = match self.target {
            HtmlTarget::SingleFile => step_index + 1,
            HtmlTarget::Paper | HtmlTarget::SitePages => page_index + 1,
        };
        let level = self.step_heading_level();
        let title = escaped(&step.title);
        // The `opening` div keeps heading, pictures and first paragraph on one sheet of paper.
        let _ = writeln!(
            out,
            "<div class=\"opening\">\n<h{level}><span class=\"step\">{number}</span> \
             {title}{minutes}</h{level}>"
        );
        if step_index == 0 {
            self.write_blocks(out, &lesson.intro, Some(opened));
        }
        let (scene_cells, other_cells): (Vec<&Cell>, Vec<&Cell>) =
            lesson.on_stage(step_index).partition(|cell| cell.kind.draws_scene());
        for cell in scene_cells {
            self.write_cell(out, cell, opened);
        }
        let opening_length =
            usize::from(matches!(step.blocks.first(), Some(LessonBlock::Paragraph(_))));
        let (opening, rest) = step.blocks.split_at(opening_length);
        self.write_blocks(out, opening, Some(opened));
        out.push_str("</div>\n");
        self.write_blocks(out, rest, Some(opened));
        for cell in other_cells {
            self.write_cell(out, cell, opened);
        }
        out.push_str("</section>\n");
    }

    /// Returns the level of step headings. Headings inside a step are below it.
    pub(super) fn step_heading_level(&self) -> u8 {
        match self.target {
            HtmlTarget::Paper | HtmlTarget::SitePages => 2,
            HtmlTarget::SingleFile => 3,
        }
    }

    fn write_solutions(&self, out: &mut String) {
        if self.solutions.is_empty() || !self.request.solutions {
            return;
        }
        // Solutions of an inventory start a new sheet, which the teacher keeps.
        let class = if self.pages.form.is_some() { "end apart" } else { "end" };
        let _ =
            writeln!(out, "<section class=\"{class}\" id=\"solutions\">\n<h2>Solutions</h2>\n<dl>");
        for solution in &self.solutions {
            out.push_str(solution);
        }
        out.push_str("</dl>\n</section>\n");
    }

    /// Adds a term to the glossary at the end. Returns `false` if the glossary has no such term.
    pub(super) fn use_term(&mut self, slug: &str) -> bool {
        let is_known = self.set.term(slug).is_some();
        if is_known {
            self.terms.insert(slug.to_owned());
        }
        is_known
    }

    /// Writes the glossary entries of all used terms, and of the terms that these entries use.
    pub(super) fn write_glossary(&mut self, out: &mut String) {
        if self.terms.is_empty() {
            return;
        }
        // Writing an entry may add further terms, so repeat until their number is stable.
        let mut entries = String::new();
        let mut written_count = 0;
        while written_count < self.terms.len() {
            written_count = self.terms.len();
            entries = self.glossary_entries();
        }
        let _ = write!(
            out,
            "<section class=\"end\" id=\"glossary\">\n<h2>Glossary</h2>\n<dl>\n{entries}</dl>\n\
             </section>\n"
        );
    }

    fn glossary_entries(&mut self) -> String {
        let set = self.set;
        let terms = self.terms.clone();
        let mut out = String::new();
        for term in set.glossary.iter().filter(|term| terms.contains(&term.slug)) {
            let _ =
                write!(out, "<dt id=\"term={}\">{}</dt>\n<dd>", term.slug, escaped(&term.title));
            self.write_blocks(&mut out, &term.blocks, None);
            out.push_str("</dd>\n");
        }
        out
    }
}
