//! TeX read and laid out by `RaTeX`, here and now.

use ratex_font::{FontId, get_char_metrics_with_fallback};
use ratex_parser::{ParseNode, parse};
use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::math_style::MathStyle;

use super::marked::marked;
use super::{FormulaError, FormulaSetting, SymbolPlace, Unset};
use crate::WrittenSymbol;

/// Red of every colour that stands for a symbol; green and blue are its number.
const MARK: u8 = 0x80;

/// Lays TeX out.
///
/// Errors: of TeX that can't be read or is out of all proportion.
pub fn laid_out(tex: &str, setting: FormulaSetting) -> Result<DisplayList, Unset> {
    let nodes = parse(tex).map_err(|error| Unset::Wrong(error.message))?;
    let layout = ratex_layout::layout(&nodes, &options(setting));
    ratex_layout::validate_layout(&layout).map_err(Unset::Wrong)?;
    Ok(ratex_layout::to_display_list(&layout))
}

/// What is wrong with a formula; `None`: it can be read.
pub fn formula_error(tex: &str) -> Option<FormulaError> {
    let error = parse(tex).err()?;
    Some(FormulaError { at: error.loc.map_or(0, |loc| loc.start), message: error.message })
}

/// All symbols of a formula, in the order of its text; none where it cannot be
/// read.
pub fn written_in(tex: &str) -> Vec<WrittenSymbol> {
    let mut written = marked(tex, |_| String::new()).map_or(Vec::new(), |(_, written)| written);
    written.sort_by_key(|written| written.at);
    written
}

/// Where in a formula its symbols stand. The formula is laid out twice: as it is,
/// and with a colour of its own for each symbol. Colours move nothing, so both have
/// the same glyphs in the same order.
pub fn symbol_places(tex: &str, setting: FormulaSetting) -> Vec<SymbolPlace> {
    let color =
        |number: usize| format!("#{MARK:02x}{:02x}{:02x}", number >> 8 & 0xff, number & 0xff);
    let (Ok(nodes), Some((marked, written))) = (parse(tex), marked(tex, color)) else {
        return Vec::new();
    };
    let (list, coloured) = (list(&nodes, setting), list(&marked, setting));
    if coloured.items.len() != list.items.len() {
        return Vec::new();
    }
    let mut boxes: Vec<Option<Box4>> = vec![None; written.len()];
    for (coloured, item) in coloured.items.iter().zip(&list.items) {
        if let Some(place) = number_of(coloured).and_then(|number| boxes.get_mut(number))
            && let Some(glyph) = glyph_box(item, list.height)
        {
            *place = Some(place.map_or(glyph, |place| around(place, glyph)));
        }
    }
    let found = boxes.into_iter().zip(written);
    let places = found.filter_map(|(place, written)| {
        let (low, high) = place?;
        let positive = high[0] > low[0] && high[1] > low[1];
        positive.then_some(SymbolPlace { low, high, written })
    });
    places.collect()
}

/// Left and top; right and bottom.
type Box4 = ([f32; 2], [f32; 2]);

fn around(a: Box4, b: Box4) -> Box4 {
    let each = |f: fn(f32, f32) -> f32, a: [f32; 2], b: [f32; 2]| [f(a[0], b[0]), f(a[1], b[1])];
    (each(f32::min, a.0, b.0), each(f32::max, a.1, b.1))
}

fn options(setting: FormulaSetting) -> ratex_layout::LayoutOptions {
    ratex_layout::LayoutOptions {
        style: match setting {
            FormulaSetting::Display => MathStyle::Display,
            FormulaSetting::Inline => MathStyle::Text,
        },
        ..Default::default()
    }
}

fn list(nodes: &[ParseNode], setting: FormulaSetting) -> DisplayList {
    let layout = ratex_layout::layout(nodes, &options(setting));
    ratex_layout::to_display_list(&layout)
}

/// The number of the symbol that a glyph belongs to.
fn number_of(item: &DisplayItem) -> Option<usize> {
    let DisplayItem::GlyphPath { color, .. } = item else {
        return None;
    };
    let Color { r, g, b, .. } = *color;
    let [red, high, low] = [r, g, b].map(|part| (part * 255.0).round() as usize);
    (red == usize::from(MARK)).then_some(high << 8 | low)
}

fn glyph_box(item: &DisplayItem, baseline: f64) -> Option<Box4> {
    let DisplayItem::GlyphPath { x, y, scale, font, char_code, .. } = item else {
        return None;
    };
    let metrics = get_char_metrics_with_fallback(FontId::parse(font)?, *char_code)?;
    let (x, y) = (*x as f32, (y - baseline) as f32);
    let [width, height, depth] =
        [metrics.width, metrics.height, metrics.depth].map(|part| (part * scale) as f32);
    Some(([x, y - height], [x + width, y + depth]))
}

/// Those of a course that were laid out when it was packed are not needed here.
pub(crate) fn add_formulas(_text: &str) {}
