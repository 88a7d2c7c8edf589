//! The symbols of a formula, read off the tree that it is typeset from, as the
//! values that it serializes to: there every kind of node has its children,
//! whatever it is.

use ratex_parser::{ParseNode, parse};
use serde_json::{Value, json};

use crate::WrittenSymbol;

/// In a formula with more commands, groups and scripts no symbols are looked for:
/// the walk below goes as deep as they nest.
const MOST_NESTING: usize = 200;
/// Greek letters, but for the constant `\pi`.
const GREEK: &str = "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa \
    lambda mu nu xi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi \
    Sigma Upsilon Phi Psi Omega ell";

/// The tree of a formula in which each symbol has a colour of its own, `color` of
/// its number from 0, and the symbols by these numbers. `None` where it cannot be
/// read.
pub(super) fn marked(
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
