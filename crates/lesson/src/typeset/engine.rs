//! TeX read and laid out by `RaTeX`, here and now, and its symbols, read off the tree
//! that it is typeset from.

use ratex_font::{FontId, get_char_metrics_with_fallback};
use ratex_parser::{ParseNode, parse};
use ratex_types::color::Color;
use ratex_types::display_item::{DisplayItem, DisplayList};
use ratex_types::math_style::MathStyle;
use serde_json::{Value, json};

use super::{FormulaError, FormulaSetting, SymbolPlace, Unset};
use crate::WrittenSymbol;

/// Red of every colour that stands for a symbol; green and blue are its number.
const MARK: u8 = 0x80;
/// In a formula with more commands, groups and scripts no symbols are looked for:
/// the walk below goes as deep as they nest.
const MOST_NESTING: usize = 200;
/// Greek letters, but for the constant `\pi`.
const GREEK: &str = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa \
    lambda mu nu xi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi \
    Sigma Upsilon Phi Psi Omega ell";

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

// The tree is searched as the values that it serializes to: there every kind of node has
// its children, whatever it is.

/// The tree of a formula in which each symbol has a colour of its own, `color` of
/// its number from 0, and the symbols by these numbers. `None` where it cannot be
/// read.
fn marked(
    tex: &str,
    color: impl Fn(usize) -> String,
) -> Option<(Vec<ParseNode>, Vec<WrittenSymbol>)> {
    let nesting = tex.matches(['\\', '{', '^', '_']).count();
    if nesting > MOST_NESTING {
        return None;
    }
    let nodes = parse(tex).ok()?;
    let mut tree = serde_json::to_value(nodes).ok()?;
    let mut written = Vec::new();
    visit(&mut tree, &mut written, &color);
    // The parser leaves out the space before a formula.
    let before = tex.len() - tex.trim_start().len();
    for written in &mut written {
        written.at += before;
    }
    Some((serde_json::from_value(tree).ok()?, written))
}

fn visit(node: &mut Value, written: &mut Vec<WrittenSymbol>, color: &dyn Fn(usize) -> String) {
    if let Some(nodes) = node.as_array_mut() {
        return nodes.iter_mut().for_each(|node| visit(node, written, color));
    }
    if matches!(kind(node), "text" | "operatorname") {
        return;
    }
    if let Some(found) = symbol(node) {
        if let Some(above) = node.get_mut("sup").filter(|above| !is_known_power(above)) {
            visit(above, written, color);
        }
        let whole = node.take();
        *node = json!({
            "type": "color", "mode": "math", "color": color(written.len()), "body": [whole],
        });
        written.push(found);
    } else if let Some(fields) = node.as_object_mut() {
        for (name, node) in fields {
            if name != "sup" || !is_known_power(node) {
                visit(node, written, color);
            }
        }
    }
}

fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The node as a symbol, if it is one.
fn symbol(node: &Value) -> Option<WrittenSymbol> {
    match kind(node) {
        "mathord" | "textord" => {
            let base = node.get("text")?.as_str().filter(|text| is_letter(text))?;
            Some(WrittenSymbol {
                base: base.to_owned(),
                at: place(node).unwrap_or(0),
                ..WrittenSymbol::default()
            })
        }
        "accent" => {
            let inner = symbol(node.get("base")?)?;
            let label = node.get("label")?.as_str()?;
            Some(WrittenSymbol { base: format!("{label} {}", inner.base), ..inner })
        }
        "font" => {
            let (font, body) = (node.get("font")?.as_str()?, node.get("body")?);
            let word = plain(body);
            (!word.is_empty() && word.chars().all(char::is_alphabetic)).then(|| WrittenSymbol {
                base: format!("\\{font}{{{word}}}"),
                at: place(body).unwrap_or(0),
                ..WrittenSymbol::default()
            })
        }
        "ordgroup" => match node.get("body")?.as_array()?.as_slice() {
            [one] => symbol(one),
            _ => None,
        },
        "supsub" => Some(with_scripts(symbol(node.get("base")?)?, node)),
        _ => None,
    }
}

fn with_scripts(mut written: WrittenSymbol, node: &Value) -> WrittenSymbol {
    if let Some(below) = node.get("sub") {
        let text = plain(below);
        let counts = |c: char| c.is_ascii_digit() || matches!(c, 'i' | 'j' | 'k' | '+' | '-' | ',');
        if !text.is_empty() && text.chars().all(counts) {
            written.index = Some(text);
        } else {
            written.label = Some(text);
        }
    }
    if let Some(above) = node.get("sup") {
        let text = plain(above);
        written.primes += text.matches('′').count();
        written.inverse = matches!(text.trim_start_matches('′'), "-1" | "-T" | "-⊤");
    }
    written
}

/// Primes, −1, the T of a transpose and numbers say what is done with a symbol.
fn is_known_power(above: &Value) -> bool {
    let text = plain(above);
    let power = text.trim_start_matches('′').trim_start_matches('-');
    matches!(power, "" | "T" | "⊤") || power.chars().all(|c| c.is_ascii_digit())
}

/// The characters of a node, without fonts and groups.
fn plain(node: &Value) -> String {
    if let Some(nodes) = node.as_array() {
        return nodes.iter().map(plain).collect();
    }
    match node.get("text").and_then(Value::as_str) {
        Some("\\prime") => "′".to_owned(),
        Some("\\top") => "⊤".to_owned(),
        Some(text) => text.to_owned(),
        None => node.get("body").map(plain).unwrap_or_default(),
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

/// Where the first character of a node is written.
fn place(node: &Value) -> Option<usize> {
    if let Some(nodes) = node.as_array() {
        return nodes.iter().find_map(place);
    }
    if node.get("text").is_some() {
        let start = node.get("loc")?.get("start")?.as_u64()?;
        return usize::try_from(start).ok();
    }
    node.get("body").and_then(place)
}
