//! A formula that is laid out, as a line of text: whole numbers of a ten-thousandth
//! of an em, which no eye tells from what the engine gave.

#[cfg(not(target_arch = "wasm32"))]
mod packing;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use serde::{Deserialize, Serialize};

use super::{FormulaSetting, SymbolPlace};
use crate::WrittenSymbol;

#[cfg(not(target_arch = "wasm32"))]
use std::collections::BTreeSet;

const UNITS: f64 = 10_000.0;

/// A formula in one setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TypesetEntry(
    /// Width, height, depth.
    [i32; 3],
    Vec<TypesetItem>,
    /// Left, top, right, bottom.
    Vec<([i32; 4], WrittenSymbol)>,
);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum TypesetItem {
    /// A glyph: place, scale, face, character, colour.
    G([i32; 3], String, u32, Option<u32>),
    /// A line: place, width, thickness.
    L([i32; 4], Option<u32>),
    /// A rectangle: place, width, height.
    R([i32; 4], Option<u32>),
    /// An outline: place, is it filled, letters of SVG, their points in order.
    P([i32; 2], bool, String, Vec<i32>, Option<u32>),
}

impl TypesetEntry {
    pub(super) fn list(&self) -> DisplayList {
        let Self(size, items, _) = self;
        let [width, height, depth] = size.map(em);
        DisplayList { items: items.iter().map(unpacked).collect(), width, height, depth }
    }

    pub(super) fn symbols(self) -> Vec<SymbolPlace> {
        let places = self.2.into_iter().map(|(sides, written)| {
            let [left, top, right, bottom] = sides.map(|side| em(side) as f32);
            SymbolPlace { low: [left, top], high: [right, bottom], written }
        });
        places.collect()
    }
}

fn em(units: i32) -> f64 {
    f64::from(units) / UNITS
}

/// Of `0xrrggbb`; `None`: that of the text around.
fn color(number: Option<u32>) -> Color {
    number.map_or(Color::BLACK, |number| {
        let [_, r, g, b] = number.to_be_bytes().map(|part| f32::from(part) / 255.0);
        Color::rgb(r, g, b)
    })
}

fn unpacked(item: &TypesetItem) -> DisplayItem {
    match item {
        TypesetItem::G(place, font, char_code, own) => {
            let [x, y, scale] = place.map(em);
            DisplayItem::GlyphPath {
                x,
                y,
                scale,
                font: font.clone(),
                char_code: *char_code,
                color: color(*own),
            }
        }
        TypesetItem::L(place, own) => {
            let [x, y, width, thickness] = place.map(em);
            DisplayItem::Line { x, y, width, thickness, color: color(*own), dashed: false }
        }
        TypesetItem::R(place, own) => {
            let [x, y, width, height] = place.map(em);
            DisplayItem::Rect { x, y, width, height, color: color(*own) }
        }
        TypesetItem::P(place, fill, letters, points, own) => {
            let [x, y] = place.map(em);
            DisplayItem::Path {
                x,
                y,
                commands: commands(letters, points),
                fill: *fill,
                color: color(*own),
            }
        }
    }
}

/// What has too few points is left out.
fn commands(letters: &str, points: &[i32]) -> Vec<PathCommand> {
    let mut points = points.iter().map(|&units| em(units));
    let mut point = || points.next();
    let commands = letters.chars().filter_map(|letter| {
        Some(match letter {
            'M' => PathCommand::MoveTo { x: point()?, y: point()? },
            'L' => PathCommand::LineTo { x: point()?, y: point()? },
            'Q' => PathCommand::QuadTo { x1: point()?, y1: point()?, x: point()?, y: point()? },
            'C' => PathCommand::CubicTo {
                x1: point()?,
                y1: point()?,
                x2: point()?,
                y2: point()?,
                x: point()?,
                y: point()?,
            },
            _ => PathCommand::Close,
        })
    });
    commands.collect()
}

// Formulas that were laid out ahead, as text: a line each, of its TeX as a JSON
// string, and what it looks like in either setting.

/// Between the TeX and what it looks like; JSON has none within its strings.
const TAB: char = '\t';

/// Formulas by their TeX. Lines are read when they are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormulaTable {
    /// By the TeX as JSON has it.
    lines: BTreeMap<String, String>,
}

impl FormulaTable {
    /// From its text. A line that is none is left out.
    pub fn from_text(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once(TAB));
        let lines = lines.map(|(tex, laid_out)| (tex.to_owned(), laid_out.to_owned()));
        Self { lines: lines.collect() }
    }

    /// As text, for [`FormulaTable::from_text`].
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (tex, laid_out) in &self.lines {
            let _ = writeln!(out, "{tex}{TAB}{laid_out}");
        }
        out
    }

    /// How many formulas it has.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Names of the faces that its formulas are set in.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn faces(&self) -> BTreeSet<String> {
        let lines = self.lines.values();
        let entries = lines.filter_map(|line| serde_json::from_str(line).ok());
        let settings =
            entries.flat_map(|(display, inline): (TypesetEntry, Option<TypesetEntry>)| {
                [Some(display), inline].into_iter().flatten()
            });
        settings.flat_map(|entry| entry.faces()).collect()
    }

    /// Adds a formula as it looks on a line of its own and within one.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn add(&mut self, tex: &str, display: &TypesetEntry, inline: &TypesetEntry) {
        // Most look the same.
        let other = (inline != display).then_some(inline);
        if let Ok(line) = serde_json::to_string(&(display, other)) {
            self.lines.insert(key(tex), line);
        }
    }

    /// Is it in the table?
    pub fn has(&self, tex: &str) -> bool {
        self.lines.contains_key(&key(tex))
    }

    /// Where the parts of a formula stand; `None`: it is not in the table.
    pub fn laid_out(&self, tex: &str, setting: FormulaSetting) -> Option<DisplayList> {
        Some(self.find(tex, setting)?.list())
    }

    /// Where its symbols stand; none where it is not in the table.
    pub fn symbol_places(&self, tex: &str, setting: FormulaSetting) -> Vec<SymbolPlace> {
        let found = self.find(tex, setting);
        found.map_or_else(Vec::new, TypesetEntry::symbols)
    }

    pub(super) fn find(&self, tex: &str, setting: FormulaSetting) -> Option<TypesetEntry> {
        let line = self.lines.get(&key(tex))?;
        let (display, inline): (TypesetEntry, Option<TypesetEntry>) =
            serde_json::from_str(line).ok()?;
        Some(match setting {
            FormulaSetting::Display => display,
            FormulaSetting::Inline => inline.unwrap_or(display),
        })
    }
}

fn key(tex: &str) -> String {
    serde_json::Value::from(tex).to_string()
}
