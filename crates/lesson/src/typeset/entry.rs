//! A formula that is laid out, as a line of text: whole numbers of a ten-thousandth
//! of an em, which no eye tells from what the engine gave.

#[cfg(not(target_arch = "wasm32"))]
mod packing;

use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;
use serde::{Deserialize, Serialize};

use super::SymbolPlace;
use crate::WrittenSymbol;

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
