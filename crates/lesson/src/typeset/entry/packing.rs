//! From what the engine laid out to whole numbers.

use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::path_command::PathCommand;

use super::{TypesetEntry, TypesetItem, UNITS};
use crate::SymbolPlace;

impl TypesetEntry {
    pub(in crate::typeset) fn new(list: &DisplayList, symbols: Vec<SymbolPlace>) -> Self {
        let size = [list.width, list.height, list.depth].map(units);
        let symbols = symbols.into_iter().map(|place| {
            let SymbolPlace { low, high, written } = place;
            let sides = [low[0], low[1], high[0], high[1]].map(|side| units(side.into()));
            (sides, written)
        });
        Self(size, list.items.iter().map(packed).collect(), symbols.collect())
    }

    /// Names of the faces that its glyphs are of.
    pub(in crate::typeset) fn faces(self) -> impl Iterator<Item = String> {
        self.1.into_iter().filter_map(|item| match item {
            TypesetItem::G(_, face, ..) => Some(face),
            _ => None,
        })
    }
}

fn units(em: f64) -> i32 {
    (em * UNITS).round() as i32
}

/// `0xrrggbb`; `None`: that of the text around.
fn number(color: Color) -> Option<u32> {
    let [r, g, b] = [color.r, color.g, color.b].map(|part| (part * 255.0).round() as u32);
    let number = r << 16 | g << 8 | b;
    (number != 0).then_some(number)
}

fn packed(item: &DisplayItem) -> TypesetItem {
    match item {
        DisplayItem::GlyphPath { x, y, scale, font, char_code, color } => {
            TypesetItem::G([*x, *y, *scale].map(units), font.clone(), *char_code, number(*color))
        }
        DisplayItem::Line {
            x,
            y,
            width,
            thickness,
            color,
            // We have no dashed lines: neither page nor handout draws them so.
            dashed: _,
        } => TypesetItem::L([*x, *y, *width, *thickness].map(units), number(*color)),
        DisplayItem::Rect { x, y, width, height, color } => {
            TypesetItem::R([*x, *y, *width, *height].map(units), number(*color))
        }
        DisplayItem::Path { x, y, commands, fill, color } => {
            let (mut letters, mut points) = (String::new(), Vec::new());
            for command in commands {
                let (letter, numbers) = written(*command);
                letters.push(letter);
                points.extend(numbers.into_iter().map(units));
            }
            TypesetItem::P([*x, *y].map(units), *fill, letters, points, number(*color))
        }
    }
}

fn written(command: PathCommand) -> (char, Vec<f64>) {
    match command {
        PathCommand::MoveTo { x, y } => ('M', vec![x, y]),
        PathCommand::LineTo { x, y } => ('L', vec![x, y]),
        PathCommand::QuadTo { x1, y1, x, y } => ('Q', vec![x1, y1, x, y]),
        PathCommand::CubicTo { x1, y1, x2, y2, x, y } => ('C', vec![x1, y1, x2, y2, x, y]),
        PathCommand::Close => ('Z', Vec::new()),
    }
}
