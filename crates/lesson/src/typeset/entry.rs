//! Formulas that were laid out in advance, stored as text. Lengths are integers in units of
//! 1/10,000 em, which differs from the engine's output by less than is visible.

#[cfg(not(target_arch = "wasm32"))]
mod packing;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use serde::{Deserialize, Serialize};

use super::{FormulaSetting, SymbolBox};
use crate::SymbolForm;

#[cfg(not(target_arch = "wasm32"))]
use std::collections::BTreeSet;

const UNITS_PER_EM: f64 = 10_000.0;

/// Layout of a formula in one setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TypesetEntry(
    /// Width, height and depth.
    [i32; 3],
    Vec<TypesetItem>,
    /// Symbols with their boxes: left, top, right, bottom.
    Vec<([i32; 4], SymbolForm)>,
);

/// Drawn item. The variant names are the tags in the stored text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum TypesetItem {
    /// A glyph: x, y and scale; face; character; colour.
    G([i32; 3], String, u32, Option<u32>),
    /// A line: x, y, width and thickness; colour.
    L([i32; 4], Option<u32>),
    /// A rectangle: x, y, width and height; colour.
    R([i32; 4], Option<u32>),
    /// An outline: x and y; whether it is filled; its SVG commands; their points in order;
    /// colour.
    P([i32; 2], bool, String, Vec<i32>, Option<u32>),
}

impl TypesetEntry {
    pub(super) fn list(&self) -> DisplayList {
        let Self(size, items, _) = self;
        let [width, height, depth] = size.map(to_em);
        DisplayList { items: items.iter().map(display_item).collect(), width, height, depth }
    }

    pub(super) fn symbols(self) -> Vec<SymbolBox> {
        self.2
            .into_iter()
            .map(|(sides, written)| {
                let [left, top, right, bottom] = sides.map(|side| to_em(side) as f32);
                SymbolBox { low: [left, top], high: [right, bottom], written }
            })
            .collect()
    }
}

fn to_em(units: i32) -> f64 {
    f64::from(units) / UNITS_PER_EM
}

/// Converts `0xrrggbb`. `None` is black, the colour of the surrounding text.
fn to_color(number: Option<u32>) -> Color {
    number.map_or(Color::BLACK, |number| {
        let [_, r, g, b] = number.to_be_bytes().map(|part| f32::from(part) / 255.0);
        Color::rgb(r, g, b)
    })
}

fn display_item(item: &TypesetItem) -> DisplayItem {
    match item {
        TypesetItem::G(place, font, char_code, own) => {
            let [x, y, scale] = place.map(to_em);
            DisplayItem::GlyphPath {
                x,
                y,
                scale,
                font: font.clone(),
                char_code: *char_code,
                color: to_color(*own),
            }
        }
        TypesetItem::L(place, own) => {
            let [x, y, width, thickness] = place.map(to_em);
            DisplayItem::Line { x, y, width, thickness, color: to_color(*own), dashed: false }
        }
        TypesetItem::R(place, own) => {
            let [x, y, width, height] = place.map(to_em);
            DisplayItem::Rect { x, y, width, height, color: to_color(*own) }
        }
        TypesetItem::P(place, fill, letters, points, own) => {
            let [x, y] = place.map(to_em);
            DisplayItem::Path {
                x,
                y,
                commands: path_commands(letters, points),
                fill: *fill,
                color: to_color(*own),
            }
        }
    }
}

/// Builds the commands of a path. Skips a command without enough points.
fn path_commands(letters: &str, points: &[i32]) -> Vec<PathCommand> {
    let mut points = points.iter().map(|&units| to_em(units));
    letters.chars().filter_map(|letter| path_command(letter, &mut points)).collect()
}

fn path_command(letter: char, points: &mut impl Iterator<Item = f64>) -> Option<PathCommand> {
    Some(match letter {
        'M' => PathCommand::MoveTo { x: points.next()?, y: points.next()? },
        'L' => PathCommand::LineTo { x: points.next()?, y: points.next()? },
        'Q' => PathCommand::QuadTo {
            x1: points.next()?,
            y1: points.next()?,
            x: points.next()?,
            y: points.next()?,
        },
        'C' => PathCommand::CubicTo {
            x1: points.next()?,
            y1: points.next()?,
            x2: points.next()?,
            y2: points.next()?,
            x: points.next()?,
            y: points.next()?,
        },
        _ => PathCommand::Close,
    })
}

// The table of formulas as text. Each line has the TeX as a JSON string, and the layout in
// both settings.

/// Separates the TeX from its layout. A JSON string contains no tab.
const SEPARATOR: char = '\t';

/// Laid out formulas by their TeX. Each line is parsed only when the formula is needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormulaTable {
    /// Layouts by the TeX as a JSON string.
    lines: BTreeMap<String, String>,
}

/// Layout of a displayed formula, and of the inline one if it differs.
type LayoutPair = (TypesetEntry, Option<TypesetEntry>);

impl FormulaTable {
    /// Reads a table from text, skipping malformed lines.
    pub fn from_text(text: &str) -> Self {
        let lines = text
            .lines()
            .filter_map(|line| line.split_once(SEPARATOR))
            .map(|(tex, layout)| (tex.to_owned(), layout.to_owned()))
            .collect();
        Self { lines }
    }

    /// Writes the table as text for [`FormulaTable::from_text`].
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (tex, layout) in &self.lines {
            let _ = writeln!(out, "{tex}{SEPARATOR}{layout}");
        }
        out
    }

    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Names of all fonts in the table.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn faces(&self) -> BTreeSet<String> {
        self.lines
            .values()
            .filter_map(|line| serde_json::from_str::<LayoutPair>(line).ok())
            .flat_map(|(display, inline)| [Some(display), inline].into_iter().flatten())
            .flat_map(TypesetEntry::faces)
            .collect()
    }

    /// Adds the layouts of a formula as a displayed and as an inline formula.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn add(&mut self, tex: &str, display: &TypesetEntry, inline: &TypesetEntry) {
        // Most formulas look the same in both settings.
        let other = (inline != display).then_some(inline);
        if let Ok(line) = serde_json::to_string(&(display, other)) {
            self.lines.insert(key(tex), line);
        }
    }

    /// Whether the table has the formula.
    pub fn has(&self, tex: &str) -> bool {
        self.lines.contains_key(&key(tex))
    }

    /// Returns the layout of a formula, or `None` if the table does not have it.
    pub fn laid_out(&self, tex: &str, setting: FormulaSetting) -> Option<DisplayList> {
        Some(self.find(tex, setting)?.list())
    }

    /// Positions of the symbols of a formula. Empty if the table does not have it.
    pub fn symbol_places(&self, tex: &str, setting: FormulaSetting) -> Vec<SymbolBox> {
        let found = self.find(tex, setting);
        found.map_or_else(Vec::new, TypesetEntry::symbols)
    }

    pub(super) fn find(&self, tex: &str, setting: FormulaSetting) -> Option<TypesetEntry> {
        let line = self.lines.get(&key(tex))?;
        let (display, inline) = serde_json::from_str::<LayoutPair>(line).ok()?;
        Some(match setting {
            FormulaSetting::Display => display,
            FormulaSetting::Inline => inline.unwrap_or(display),
        })
    }
}

fn key(tex: &str) -> String {
    serde_json::Value::from(tex).to_string()
}
