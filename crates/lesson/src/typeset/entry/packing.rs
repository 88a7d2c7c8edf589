//! Converts the engine's layout to integers.

use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;

use super::{TypesetEntry, TypesetItem, UNITS_PER_EM};
use crate::SymbolBox;

impl TypesetEntry {
    pub(in crate::typeset) fn new(list: &DisplayList, symbols: Vec<SymbolBox>) -> Self {
        let size = [list.width, list.height, list.depth].map(to_units);
        let symbols = symbols
            .into_iter()
            .map(|SymbolBox { low, high, written }| {
                let sides = [low[0], low[1], high[0], high[1]].map(|side| to_units(side.into()));
                (sides, written)
            })
            .collect();
        Self(size, list.items.iter().map(typeset_item).collect(), symbols)
    }

    /// Names of the fonts of its glyphs.
    pub(in crate::typeset) fn faces(self) -> impl Iterator<Item = String> {
        self.1.into_iter().filter_map(|item| match item {
            TypesetItem::G(_, face, ..) => Some(face),
            _ => None,
        })
    }
}

fn to_units(em: f64) -> i32 {
    (em * UNITS_PER_EM).round() as i32
}

/// Converts to `0xrrggbb`. Black, the colour of the surrounding text, is `None`.
fn color_number(color: Color) -> Option<u32> {
    let [r, g, b] = [color.r, color.g, color.b].map(|part| (part * 255.0).round() as u32);
    let number = r << 16 | g << 8 | b;
    (number != 0).then_some(number)
}

fn typeset_item(item: &DisplayItem) -> TypesetItem {
    match item {
        DisplayItem::GlyphPath { x, y, scale, font, char_code, color } => TypesetItem::G(
            [*x, *y, *scale].map(to_units),
            font.clone(),
            *char_code,
            color_number(*color),
        ),
        DisplayItem::Line {
            x,
            y,
            width,
            thickness,
            color,
            // Neither the page nor handouts draw dashed lines.
            dashed: _,
        } => TypesetItem::L([*x, *y, *width, *thickness].map(to_units), color_number(*color)),
        DisplayItem::Rect { x, y, width, height, color } => {
            TypesetItem::R([*x, *y, *width, *height].map(to_units), color_number(*color))
        }
        DisplayItem::Path { x, y, commands, fill, color } => {
            let mut letters = String::new();
            let mut points = Vec::new();
            for command in commands {
                let (letter, numbers) = letter_and_points(*command);
                letters.push(letter);
                points.extend(numbers.into_iter().map(to_units));
            }
            TypesetItem::P([*x, *y].map(to_units), *fill, letters, points, color_number(*color))
        }
    }
}

fn letter_and_points(command: PathCommand) -> (char, Vec<f64>) {
    match command {
        PathCommand::MoveTo { x, y } => ('M', vec![x, y]),
        PathCommand::LineTo { x, y } => ('L', vec![x, y]),
        PathCommand::QuadTo { x1, y1, x, y } => ('Q', vec![x1, y1, x, y]),
        PathCommand::CubicTo { x1, y1, x2, y2, x, y } => ('C', vec![x1, y1, x2, y2, x, y]),
        PathCommand::Close => ('Z', Vec::new()),
    }
}
