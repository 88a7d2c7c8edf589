//! The steps of lessons as HTML, and the whole of a handout: head, steps, solutions,
//! glossary.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use bindpose_asset::{Rig, base64_text};
use bindpose_diagnostic::counted;
use bindpose_lesson::{
    Cell, FormulaSetting, Lesson, LessonBlock, LessonSet, PictureFormat, Unset, find_lesson_from,
    laid_out,
};
use bindpose_notebook::export::HandoutRequest;
use bindpose_notebook::inventory::questions_of;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider as _};

use super::html::{
    HandoutForm, HandoutLook, HandoutPage, HandoutPages, HtmlPlace, OpenedStep, Pictures, escaped,
    style,
};

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
    let class = if pages.is_summary(set) { " class=\"sheet\"" } else { "" };
    let style = style(look, request.paper.key());
    let body = format!("<body{class}>\n{}\n<main>\n{body}</main>\n", writer.formulas.outlines());
    html_file(&pages.title, &style, &body)
}

/// A page that is one file. `body`: from its opening tag on, without the closing one.
pub(crate) fn html_file(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Bindpose {}\">\n<title>{}</title>\n\
         <style>\n{style}</style>\n</head>\n{body}</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title),
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

// Formulas as pictures of lines: laid out once, by the layout that the page uses,
// with the outlines of our faces, so that they look the same everywhere and no
// reader needs TeX.
//
// Each glyph stands once in the file, and formulas point to it.

/// Units of the drawings to the em.
const UNITS: f64 = 1000.0;
/// Em of inline formulas over the size of the text around: the mathematics faces
/// have a smaller x-height.
const INLINE: f64 = 1.12;
/// The same of formulas on lines of their own.
const DISPLAY: f64 = 1.25;

/// The glyphs that formulas use so far.
pub(super) struct Formulas {
    face: fn(&str) -> Option<&'static [u8]>,
    /// Number of a glyph's outline, by face and character; absent: it has none.
    numbers: HashMap<(String, u32), Option<usize>>,
    /// SVG path data, by number.
    outlines: Vec<String>,
}

impl Formulas {
    pub(super) fn new(face: fn(&str) -> Option<&'static [u8]>) -> Self {
        Self { face, numbers: HashMap::new(), outlines: Vec::new() }
    }

    /// A formula as SVG, named by its TeX; TeX that cannot be laid out stays as it
    /// is.
    pub(super) fn svg(&mut self, tex: &str, display: bool) -> String {
        let setting = if display { FormulaSetting::Display } else { FormulaSetting::Inline };
        match laid_out(tex, setting) {
            Ok(list) => self.drawing(tex, &list, display),
            Err(Unset::Wrong(_)) => format!("<code class=\"wrong\">{}</code>", escaped(tex)),
            Err(Unset::Unknown) => format!("<code>{}</code>", escaped(tex)),
        }
    }

    /// The outlines of all glyphs, hidden; formulas need it somewhere in the file.
    pub(super) fn outlines(&self) -> String {
        let mut out = String::from("<svg class=\"glyphs\" aria-hidden=\"true\"><defs>");
        for (number, path) in self.outlines.iter().enumerate() {
            let _ = write!(out, "<path id=\"g{number}\" d=\"{path}\"/>");
        }
        out.push_str("</defs></svg>");
        out
    }

    fn drawing(&mut self, tex: &str, list: &DisplayList, display: bool) -> String {
        let em = if display { DISPLAY } else { INLINE };
        // What hangs over the edge of its box stays in the picture.
        let (width, height) = (list.width, list.height + list.depth);
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg class=\"formula\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" \
             style=\"width:{:.3}em;height:{:.3}em;vertical-align:{:.3}em\">",
            escaped(tex),
            units(width),
            units(height),
            width * em,
            height * em,
            -list.depth * em
        );
        for item in &list.items {
            self.item(&mut out, item);
        }
        out.push_str("</svg>");
        out
    }

    fn item(&mut self, out: &mut String, item: &DisplayItem) {
        match item {
            DisplayItem::GlyphPath { x, y, scale, font, char_code, .. } => {
                let Some(number) = self.number(font, *char_code) else {
                    return;
                };
                let (x, y) = (units(*x), units(*y));
                let place = if (scale - 1.0).abs() < 1e-6 {
                    format!("x=\"{x}\" y=\"{y}\"")
                } else {
                    format!("transform=\"translate({x} {y}) scale({scale:.3})\"")
                };
                let _ = write!(out, "<use href=\"#g{number}\" {place}/>");
            }
            DisplayItem::Line { x, y, width, thickness, .. } => {
                rect(out, *x, y - thickness / 2.0, *width, *thickness);
            }
            DisplayItem::Rect { x, y, width, height, .. } => rect(out, *x, *y, *width, *height),
            DisplayItem::Path { x, y, commands, fill, .. } => {
                let look = if *fill { "" } else { " class=\"line\"" };
                let _ = write!(out, "<path{look} d=\"{}\"/>", path(commands, *x, *y));
            }
        }
    }

    /// The number of a glyph's outline, which is made when it is first asked for.
    fn number(&mut self, font: &str, char_code: u32) -> Option<usize> {
        let key = (font.to_owned(), char_code);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        // Whatever a face lacks comes from the text faces, as on the page.
        let faces = [font, "Main-Regular", "regular"];
        let outline = faces.into_iter().find_map(|name| outline((self.face)(name)?, char_code));
        let number = outline.map(|outline| {
            self.outlines.push(outline);
            self.outlines.len() - 1
        });
        self.numbers.insert(key, number);
        number
    }
}

fn units(em: f64) -> i64 {
    (em * UNITS).round() as i64
}

fn rect(out: &mut String, x: f64, y: f64, width: f64, height: f64) {
    // A rule that is thinner than a hair would be left out by some.
    let height = height.max(0.02);
    let (x, y, width, height) = (units(x), units(y), units(width), units(height));
    let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>");
}

fn path(commands: &[PathCommand], x: f64, y: f64) -> String {
    let mut out = String::new();
    let (x0, y0) = (x, y);
    let mut add = |letter: char, points: &[(f64, f64)]| {
        out.push(letter);
        for (at, (x, y)) in points.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            let _ = write!(out, "{space}{} {}", units(x0 + x), units(y0 + y));
        }
    };
    for command in commands {
        match *command {
            PathCommand::MoveTo { x, y } => add('M', &[(x, y)]),
            PathCommand::LineTo { x, y } => add('L', &[(x, y)]),
            PathCommand::QuadTo { x1, y1, x, y } => add('Q', &[(x1, y1), (x, y)]),
            PathCommand::CubicTo { x1, y1, x2, y2, x, y } => {
                add('C', &[(x1, y1), (x2, y2), (x, y)]);
            }
            PathCommand::Close => add('Z', &[]),
        }
    }
    out
}

/// The outline of a character in a face, in units of ours; `None` when the face
/// lacks it.
fn outline(face: &[u8], char_code: u32) -> Option<String> {
    let font = FontRef::new(face).ok()?;
    let glyph = font.charmap().map(char::from_u32(char_code)?)?;
    let outline = font.outline_glyphs().get(glyph)?;
    let size = Size::new(UNITS as f32);
    let mut pen = PathPen(String::new());
    let settings = DrawSettings::unhinted(size, LocationRef::default());
    outline.draw(settings, &mut pen).ok()?;
    Some(pen.0)
}

/// Writes SVG path data, in which y points down.
struct PathPen(String);

impl PathPen {
    fn add(&mut self, letter: char, numbers: &[f32]) {
        self.0.push(letter);
        for (at, pair) in numbers.chunks(2).enumerate() {
            let space = if at == 0 { "" } else { " " };
            let [x, y] = [pair[0].round() as i32, -(pair[1].round() as i32)];
            let _ = write!(self.0, "{space}{x} {y}");
        }
    }
}

impl OutlinePen for PathPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add('M', &[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add('L', &[x, y]);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.add('Q', &[cx0, cy0, x, y]);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.add('C', &[cx0, cy0, cx1, cy1, x, y]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}
