//! Where in a formula its symbols stand. The formula is laid out twice: as it is,
//! and with a colour of its own for each symbol. Colours move nothing, so both have
//! the same glyphs in the same order.

use eframe::egui::{Rect, pos2};
use ratex_font::{FontId, get_char_metrics_with_fallback};
use ratex_types::{
    color::Color,
    display_item::{DisplayItem, DisplayList},
};

use crate::lesson::{Written, marked};

/// A symbol and the room it takes, in em, from the left end of the baseline, y
/// down.
#[derive(Debug)]
pub struct SymbolPlace {
    /// In em.
    pub rect: Rect,
    /// As the formula has it.
    pub written: Written,
}

/// Red of every colour that stands for a symbol; green and blue are its number.
const MARK: u8 = 0x80;

/// The symbols of a formula that `list` shows, by its text; `lay_out` lays out the
/// coloured one.
pub(super) fn places(
    tex: &str,
    list: &DisplayList,
    lay_out: impl Fn(&[ratex_parser::ParseNode]) -> DisplayList,
) -> Vec<SymbolPlace> {
    let color =
        |number: usize| format!("#{MARK:02x}{:02x}{:02x}", number >> 8 & 0xff, number & 0xff);
    let Some((nodes, written)) = marked(tex, color) else {
        return Vec::new();
    };
    let coloured = lay_out(&nodes);
    if coloured.items.len() != list.items.len() {
        return Vec::new();
    }
    let mut rects = vec![Rect::NOTHING; written.len()];
    for (coloured, item) in coloured.items.iter().zip(&list.items) {
        if let Some(rect) = number_of(coloured).and_then(|number| rects.get_mut(number))
            && let Some(glyph) = glyph_rect(item, list.height)
        {
            *rect |= glyph;
        }
    }
    let found = rects.into_iter().zip(written);
    found
        .filter(|(rect, _)| rect.is_positive())
        .map(|(rect, written)| SymbolPlace { rect, written })
        .collect()
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

fn glyph_rect(item: &DisplayItem, baseline: f64) -> Option<Rect> {
    let DisplayItem::GlyphPath {
        x,
        y,
        scale,
        font,
        char_code,
        ..
    } = item
    else {
        return None;
    };
    let metrics = get_char_metrics_with_fallback(FontId::parse(font)?, *char_code)?;
    let (x, y) = (*x as f32, (y - baseline) as f32);
    let [width, height, depth] =
        [metrics.width, metrics.height, metrics.depth].map(|part| (part * scale) as f32);
    Some(Rect::from_min_max(
        pos2(x, y - height),
        pos2(x + width, y + depth),
    ))
}

#[cfg(test)]
mod tests {
    use crate::ui::math::{Formula, Setting};

    fn places(tex: &str) -> Vec<(String, eframe::egui::Rect)> {
        let formula = Formula::new(tex, Setting::Display).expect(tex);
        let places = formula.symbols().iter();
        places
            .map(|place| (place.written.tex(), place.rect))
            .collect()
    }

    #[test]
    fn symbols_stand_side_by_side_within_their_formula() {
        let tex = r"p' = \sum_j w_j \, W_1 \, B_1^{-1} \, p";
        let formula = Formula::new(tex, Setting::Display).expect(tex);
        let mut found = places(tex);
        found.sort_by(|a, b| a.1.left().total_cmp(&b.1.left()));
        let names: Vec<&str> = found.iter().map(|(tex, _)| tex.as_str()).collect();
        assert_eq!(names, ["p'", "j", "w_j", "W_1", "B_1^{-1}", "p"]);
        for pair in found.windows(2) {
            assert!(pair[0].1.right() <= pair[1].1.left() + 0.15, "{pair:?}");
        }
        for (tex, rect) in &found {
            assert!(
                rect.left() >= -0.01 && rect.right() <= formula.width + 0.01,
                "{tex}"
            );
            assert!(-rect.top() <= formula.height + 0.05, "{tex}: {rect}");
            assert!(rect.bottom() <= formula.depth + 0.05, "{tex}: {rect}");
        }
        let (_, inverse) = &found[4];
        assert!(inverse.width() > 1.2, "with its index and −1: {inverse}");
    }

    #[test]
    fn symbols_in_fractions_brackets_and_accents_are_found() {
        let tex = r"q' = \frac{\sum_j w_j \, q_j}{\left|\sum_j w_j \, q_j\right|}, \quad \vec t, \quad \left(S^{-1}\right)^{\mathsf T}";
        let names: Vec<String> = places(tex).into_iter().map(|(tex, _)| tex).collect();
        for name in ["q'", "q_j", "w_j", r"\vec t", "S^{-1}"] {
            assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
        }
    }
}
