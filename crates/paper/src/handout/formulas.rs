//! Formulas as pictures of lines: laid out once, by the layout that the page uses,
//! with the outlines of our faces, so that they look the same everywhere and no
//! reader needs TeX.
//!
//! Each glyph stands once in the file, and formulas point to it.

use std::collections::HashMap;
use std::fmt::Write as _;

use bindpose_lesson::{FormulaSetting, Unset, laid_out};
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider as _};

use super::html::escaped;

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
