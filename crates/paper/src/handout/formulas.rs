//! Formulas as SVG. They are laid out like those of the notebook and drawn with the outlines of the
//! same fonts, so that they look the same in every browser and need no TeX.
//!
//! The outline of each glyph is written once per file. Formulas refer to it by its number.

use std::collections::HashMap;
use std::fmt::Write as _;

use bindpose_lesson::{FormulaSetting, LayoutError, laid_out};
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider as _};

use super::html::escaped;

const UNITS_PER_EM: f64 = 1000.0;
/// Font size of inline formulas relative to the text around them. Larger than 1 because the math
/// fonts have a smaller x-height.
const INLINE_SCALE: f64 = 1.12;
/// Font size of display formulas relative to the text around them.
const DISPLAY_SCALE: f64 = 1.25;
/// Minimum thickness of a rule in em. Some programs omit thinner ones.
const MIN_RULE_THICKNESS_EM: f64 = 0.02;

/// Writes formulas as SVG and collects the glyphs that they use.
pub(super) struct Formulas {
    /// Returns the font file for a font name.
    face: fn(&str) -> Option<&'static [u8]>,
    /// Index in `outlines`, by font name and character. `None` if no font has the character.
    glyph_numbers: HashMap<(String, u32), Option<usize>>,
    /// Outlines as SVG path data.
    outlines: Vec<String>,
}

impl Formulas {
    pub(super) fn new(face: fn(&str) -> Option<&'static [u8]>) -> Self {
        Self { face, glyph_numbers: HashMap::new(), outlines: Vec::new() }
    }

    /// Returns a formula as SVG, labelled with its TeX source. TeX that cannot be laid out is
    /// returned as code.
    pub(super) fn formula_svg(&mut self, tex: &str, display: bool) -> String {
        let setting = if display { FormulaSetting::Display } else { FormulaSetting::Inline };
        match laid_out(tex, setting) {
            Ok(list) => self.layout_svg(tex, &list, display),
            Err(LayoutError::Wrong(_)) => format!("<code class=\"wrong\">{}</code>", escaped(tex)),
            Err(LayoutError::Unknown) => format!("<code>{}</code>", escaped(tex)),
        }
    }

    /// Returns the outlines of all glyphs used so far, as a hidden SVG element that the file must
    /// contain.
    pub(super) fn glyph_definitions(&self) -> String {
        let mut out = String::from("<svg class=\"glyphs\" aria-hidden=\"true\"><defs>");
        for (number, path) in self.outlines.iter().enumerate() {
            let _ = write!(out, "<path id=\"g{number}\" d=\"{path}\"/>");
        }
        out.push_str("</defs></svg>");
        out
    }

    fn layout_svg(&mut self, tex: &str, list: &DisplayList, display: bool) -> String {
        let em = if display { DISPLAY_SCALE } else { INLINE_SCALE };
        let width = list.width;
        let height = list.height + list.depth;
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg class=\"formula\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" \
             style=\"width:{:.3}em;height:{:.3}em;vertical-align:{:.3}em\">",
            escaped(tex),
            to_units(width),
            to_units(height),
            width * em,
            height * em,
            -list.depth * em
        );
        for item in &list.items {
            self.write_item(&mut out, item);
        }
        out.push_str("</svg>");
        out
    }

    fn write_item(&mut self, out: &mut String, item: &DisplayItem) {
        match item {
            DisplayItem::GlyphPath { x, y, scale, font, char_code, .. } => {
                let Some(number) = self.glyph_number(font, *char_code) else {
                    return;
                };
                let x = to_units(*x);
                let y = to_units(*y);
                let position = if (scale - 1.0).abs() < 1e-6 {
                    format!("x=\"{x}\" y=\"{y}\"")
                } else {
                    format!("transform=\"translate({x} {y}) scale({scale:.3})\"")
                };
                let _ = write!(out, "<use href=\"#g{number}\" {position}/>");
            }
            DisplayItem::Line { x, y, width, thickness, .. } => {
                write_rect(out, *x, y - thickness / 2.0, *width, *thickness);
            }
            DisplayItem::Rect { x, y, width, height, .. } => {
                write_rect(out, *x, *y, *width, *height);
            }
            DisplayItem::Path { x, y, commands, fill, .. } => {
                let class = if *fill { "" } else { " class=\"line\"" };
                let _ = write!(out, "<path{class} d=\"{}\"/>", path_data(commands, *x, *y));
            }
        }
    }

    /// Returns the number of a glyph, adding its outline on first use. Returns `None` if no font
    /// has the character.
    fn glyph_number(&mut self, font: &str, char_code: u32) -> Option<usize> {
        let key = (font.to_owned(), char_code);
        if let Some(&number) = self.glyph_numbers.get(&key) {
            return number;
        }
        // Fall back to the same fonts as the notebook.
        let outline = [font, "Main-Regular", "regular"]
            .into_iter()
            .find_map(|name| glyph_outline((self.face)(name)?, char_code));
        let number = outline.map(|outline| {
            self.outlines.push(outline);
            self.outlines.len() - 1
        });
        self.glyph_numbers.insert(key, number);
        number
    }
}

fn to_units(em: f64) -> i64 {
    (em * UNITS_PER_EM).round() as i64
}

/// Writes a filled rectangle. Coordinates and sizes are in em.
fn write_rect(out: &mut String, x: f64, y: f64, width: f64, height: f64) {
    let _ = write!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
        to_units(x),
        to_units(y),
        to_units(width),
        to_units(height.max(MIN_RULE_THICKNESS_EM))
    );
}

/// Returns a path, moved by (`x`, `y`), as SVG path data. Coordinates are in em.
fn path_data(commands: &[PathCommand], x: f64, y: f64) -> String {
    let mut out = String::new();
    let offset = [x, y];
    for command in commands {
        match *command {
            PathCommand::MoveTo { x, y } => write_path_command(&mut out, 'M', offset, &[[x, y]]),
            PathCommand::LineTo { x, y } => write_path_command(&mut out, 'L', offset, &[[x, y]]),
            PathCommand::QuadTo { x1, y1, x, y } => {
                write_path_command(&mut out, 'Q', offset, &[[x1, y1], [x, y]]);
            }
            PathCommand::CubicTo { x1, y1, x2, y2, x, y } => {
                write_path_command(&mut out, 'C', offset, &[[x1, y1], [x2, y2], [x, y]]);
            }
            PathCommand::Close => out.push('Z'),
        }
    }
    out
}

fn write_path_command(out: &mut String, letter: char, offset: [f64; 2], points: &[[f64; 2]]) {
    out.push(letter);
    for (index, [x, y]) in points.iter().enumerate() {
        let separator = if index == 0 { "" } else { " " };
        let _ = write!(out, "{separator}{} {}", to_units(offset[0] + x), to_units(offset[1] + y));
    }
}

/// Returns the outline of a character as SVG path data, or `None` if the font has no such glyph.
fn glyph_outline(font_file: &[u8], char_code: u32) -> Option<String> {
    let font = FontRef::new(font_file).ok()?;
    let glyph = font.charmap().map(char::from_u32(char_code)?)?;
    let outline = font.outline_glyphs().get(glyph)?;
    let size = Size::new(UNITS_PER_EM as f32);
    let mut pen = PathPen(String::new());
    outline.draw(DrawSettings::unhinted(size, LocationRef::default()), &mut pen).ok()?;
    Some(pen.0)
}

/// Writes outlines as SVG path data. Negates y, which points up in fonts and down in SVG.
struct PathPen(String);

impl PathPen {
    fn write_command(&mut self, letter: char, numbers: &[f32]) {
        self.0.push(letter);
        for (index, pair) in numbers.chunks(2).enumerate() {
            let separator = if index == 0 { "" } else { " " };
            let x = pair[0].round() as i32;
            let y = -(pair[1].round() as i32);
            let _ = write!(self.0, "{separator}{x} {y}");
        }
    }
}

impl OutlinePen for PathPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.write_command('M', &[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.write_command('L', &[x, y]);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        self.write_command('Q', &[cx0, cy0, x, y]);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.write_command('C', &[cx0, cy0, cx1, cy1, x, y]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}
