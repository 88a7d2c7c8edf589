//! Lays out TeX with `RaTeX`, and finds the symbols of a formula in its syntax tree.

use ratex_font::{FontId, get_char_metrics_with_fallback};
use ratex_parser::{ParseNode, parse};
use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::math_style::MathStyle;
use serde_json::{Value, json};

use super::{FormulaError, FormulaSetting, LayoutError, SymbolBox};
use crate::SymbolForm;

/// Red component of the colours that mark symbols. Green and blue encode the index.
const MARK_RED: u8 = 0x80;
/// Maximum number of commands, groups and scripts in a formula whose symbols are searched,
/// because the search recurses as deeply as these nest.
const MAX_NESTING: usize = 200;
/// Commands of letters that are symbols: the Greek ones except the constant `\pi`, and `\ell`.
const GREEK: &str = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa \
    lambda mu nu xi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi \
    Sigma Upsilon Phi Psi Omega ell";

/// Lays out a formula.
///
/// # Errors
/// If the TeX has an error or the layout exceeds the limits of the engine.
pub fn laid_out(tex: &str, setting: FormulaSetting) -> Result<DisplayList, LayoutError> {
    let nodes = parse(tex).map_err(|error| LayoutError::Wrong(error.message))?;
    let layout = ratex_layout::layout(&nodes, &options(setting));
    ratex_layout::validate_layout(&layout).map_err(LayoutError::Wrong)?;
    Ok(ratex_layout::to_display_list(&layout))
}

/// Returns the error in the TeX of a formula, if there is one.
pub fn formula_error(tex: &str) -> Option<FormulaError> {
    let error = parse(tex).err()?;
    Some(FormulaError { at: error.loc.map_or(0, |loc| loc.start), message: error.message })
}

/// Finds all symbols of a formula, in the order of its text. Empty if the TeX has an error.
pub fn written_in(tex: &str) -> Vec<SymbolForm> {
    let mut written =
        mark_symbols(tex, |_| String::new()).map_or(Vec::new(), |(_, written)| written);
    written.sort_by_key(|written| written.at);
    written
}

/// Finds the positions of the symbols in a formula. The formula is laid out twice: as it is,
/// and with a distinct colour for each symbol. Colours do not affect the layout, so both
/// have the same glyphs in the same order.
pub fn symbol_places(tex: &str, setting: FormulaSetting) -> Vec<SymbolBox> {
    let Ok(nodes) = parse(tex) else {
        return Vec::new();
    };
    let Some((marked, written)) = mark_symbols(tex, |index| {
        format!("#{MARK_RED:02x}{:02x}{:02x}", index >> 8 & 0xff, index & 0xff)
    }) else {
        return Vec::new();
    };
    let list = display_list(&nodes, setting);
    let coloured = display_list(&marked, setting);
    if coloured.items.len() != list.items.len() {
        return Vec::new();
    }
    let mut boxes: Vec<Option<GlyphBox>> = vec![None; written.len()];
    for (coloured, item) in coloured.items.iter().zip(&list.items) {
        if let Some(place) = symbol_index(coloured).and_then(|index| boxes.get_mut(index))
            && let Some(glyph) = glyph_box(item, list.height)
        {
            *place = Some(place.map_or(glyph, |place| place.union(glyph)));
        }
    }
    boxes
        .into_iter()
        .zip(written)
        .filter_map(|(place, written)| {
            let GlyphBox { low, high } = place?;
            let is_positive = high[0] > low[0] && high[1] > low[1];
            is_positive.then_some(SymbolBox { low, high, written })
        })
        .collect()
}

/// Bounding box of glyphs, in em from the left end of the baseline, y down.
#[derive(Clone, Copy)]
struct GlyphBox {
    /// Left and top.
    low: [f32; 2],
    /// Right and bottom.
    high: [f32; 2],
}

impl GlyphBox {
    fn union(self, other: Self) -> Self {
        Self {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }
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

fn display_list(nodes: &[ParseNode], setting: FormulaSetting) -> DisplayList {
    let layout = ratex_layout::layout(nodes, &options(setting));
    ratex_layout::to_display_list(&layout)
}

/// Index of the symbol that a marked glyph belongs to.
fn symbol_index(item: &DisplayItem) -> Option<usize> {
    let DisplayItem::GlyphPath { color, .. } = item else {
        return None;
    };
    let Color { r, g, b, .. } = *color;
    let [red, high, low] = [r, g, b].map(|part| (part * 255.0).round() as usize);
    (red == usize::from(MARK_RED)).then_some(high << 8 | low)
}

fn glyph_box(item: &DisplayItem, baseline: f64) -> Option<GlyphBox> {
    let DisplayItem::GlyphPath { x, y, scale, font, char_code, .. } = item else {
        return None;
    };
    let metrics = get_char_metrics_with_fallback(FontId::parse(font)?, *char_code)?;
    let x = *x as f32;
    let y = (y - baseline) as f32;
    let [width, height, depth] =
        [metrics.width, metrics.height, metrics.depth].map(|part| (part * scale) as f32);
    Some(GlyphBox { low: [x, y - height], high: [x + width, y + depth] })
}

/// Does nothing: the engine lays out all formulas itself.
pub(crate) fn add_formulas(_text: &str) {}

// The search works on the serialized tree, in which the children of every kind of node are
// found alike.

/// Gives each symbol of a formula the colour returned for its index. Returns the coloured
/// tree and the symbols, or `None` if the TeX has an error or nests too deeply.
fn mark_symbols(
    tex: &str,
    color: impl Fn(usize) -> String,
) -> Option<(Vec<ParseNode>, Vec<SymbolForm>)> {
    let nesting = tex.matches(['\\', '{', '^', '_']).count();
    if nesting > MAX_NESTING {
        return None;
    }
    let nodes = parse(tex).ok()?;
    let mut tree = serde_json::to_value(nodes).ok()?;
    let mut written = Vec::new();
    mark_node(&mut tree, &mut written, &color);
    // The parser skips the space before a formula.
    let before = tex.len() - tex.trim_start().len();
    for written in &mut written {
        written.at += before;
    }
    Some((serde_json::from_value(tree).ok()?, written))
}

fn mark_node(node: &mut Value, written: &mut Vec<SymbolForm>, color: &dyn Fn(usize) -> String) {
    if let Some(nodes) = node.as_array_mut() {
        return nodes.iter_mut().for_each(|node| mark_node(node, written, color));
    }
    if matches!(node_kind(node), "text" | "operatorname") {
        return;
    }
    if let Some(found) = node_symbol(node) {
        if let Some(above) = node.get_mut("sup").filter(|above| !is_known_power(above)) {
            mark_node(above, written, color);
        }
        let whole = node.take();
        *node = json!({
            "type": "color", "mode": "math", "color": color(written.len()), "body": [whole],
        });
        written.push(found);
    } else if let Some(fields) = node.as_object_mut() {
        for (name, node) in fields {
            if name != "sup" || !is_known_power(node) {
                mark_node(node, written, color);
            }
        }
    }
}

fn node_kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the symbol that a node consists of, if it is one.
fn node_symbol(node: &Value) -> Option<SymbolForm> {
    match node_kind(node) {
        "mathord" | "textord" => {
            let base = node.get("text")?.as_str().filter(|text| is_letter(text))?;
            Some(SymbolForm {
                base: base.to_owned(),
                at: node_offset(node).unwrap_or(0),
                ..SymbolForm::default()
            })
        }
        "accent" => {
            let inner = node_symbol(node.get("base")?)?;
            let label = node.get("label")?.as_str()?;
            Some(SymbolForm { base: format!("{label} {}", inner.base), ..inner })
        }
        "font" => {
            let font = node.get("font")?.as_str()?;
            let body = node.get("body")?;
            let word = node_text(body);
            (!word.is_empty() && word.chars().all(char::is_alphabetic)).then(|| SymbolForm {
                base: format!("\\{font}{{{word}}}"),
                at: node_offset(body).unwrap_or(0),
                ..SymbolForm::default()
            })
        }
        "ordgroup" => match node.get("body")?.as_array()?.as_slice() {
            [one] => node_symbol(one),
            _ => None,
        },
        "supsub" => Some(with_scripts(node_symbol(node.get("base")?)?, node)),
        _ => None,
    }
}

fn with_scripts(mut written: SymbolForm, node: &Value) -> SymbolForm {
    if let Some(below) = node.get("sub") {
        let text = node_text(below);
        let is_index = !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, 'i' | 'j' | 'k' | '+' | '-' | ','));
        if is_index {
            written.index = Some(text);
        } else {
            written.label = Some(text);
        }
    }
    if let Some(above) = node.get("sup") {
        let text = node_text(above);
        written.primes += text.matches('′').count();
        written.inverse = matches!(text.trim_start_matches('′'), "-1" | "-T" | "-⊤");
    }
    written
}

/// Whether a superscript is an operation on the symbol: primes, −1, a transpose or a number.
fn is_known_power(above: &Value) -> bool {
    let text = node_text(above);
    let power = text.trim_start_matches('′').trim_start_matches('-');
    matches!(power, "" | "T" | "⊤") || power.chars().all(|c| c.is_ascii_digit())
}

/// Text of a node, without fonts and groups.
fn node_text(node: &Value) -> String {
    if let Some(nodes) = node.as_array() {
        return nodes.iter().map(node_text).collect();
    }
    match node.get("text").and_then(Value::as_str) {
        Some("\\prime") => "′".to_owned(),
        Some("\\top") => "⊤".to_owned(),
        Some(text) => text.to_owned(),
        None => node.get("body").map(node_text).unwrap_or_default(),
    }
}

fn is_letter(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) => letter.is_alphabetic(),
        (Some('\\'), Some(_)) => GREEK.split_whitespace().any(|name| name == &text[1..]),
        _ => false,
    }
}

/// Byte offset of the first character of a node.
fn node_offset(node: &Value) -> Option<usize> {
    if let Some(nodes) = node.as_array() {
        return nodes.iter().find_map(node_offset);
    }
    if node.get("text").is_some() {
        let start = node.get("loc")?.get("start")?.as_u64()?;
        return usize::try_from(start).ok();
    }
    node.get("body").and_then(node_offset)
}
