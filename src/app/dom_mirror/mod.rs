//! What the page says of itself (its AccessKit tree), as elements of a web page:
//! which elements there are to be, and what has to be done to those of the last
//! frame. Plain values; a browser's part is `src/app/browser/accessibility/`.
//!
//! # What screen readers see in a browser
//!
//! egui says of each frame what is on the page, as a tree of roles, names, values and
//! places (AccessKit); the window hands it to the system. A browser has no such way:
//! `src/app/dom_mirror/` makes of the tree the elements that a web page would have, with
//! roles and states of ARIA, and of two such pages the least that leads from one to the
//! other, all as plain values. `src/app/browser/accessibility/` does that to an overlay
//! which nobody sees and no pointer meets, ten times a second at most and three times
//! while something is dragged, and turns clicks, values and focus into actions for egui.
//! The canvas keeps the focus and names the element that has that of the page; a field
//! in which a screen reader types is the browser's own, since its caret is read best. A
//! role that no element stands for fails a test that walks all steps. What is painted as
//! a table, as matrices are, is one there too: `page/widgets/table_nodes.rs`.

mod attributes;
mod page;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) use attributes::{DomChange, changes};
pub(super) use page::MirroredPage;

/// One element, with all below it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Element {
    /// The number of the node in the tree.
    pub(in crate::app) id: u64,
    /// Its tag; another one makes it another element.
    pub(in crate::app) tag: &'static str,
    /// By name, without `id`.
    pub(in crate::app) attributes: BTreeMap<&'static str, String>,
    /// What stands in it; always empty where there are children.
    pub(in crate::app) text: String,
    /// What a field holds.
    pub(in crate::app) value: Option<FieldValue>,
    /// In the order in which they are read.
    pub(in crate::app) children: Vec<Self>,
}

/// What a field holds: a property in a browser, since an attribute would not change
/// what has been typed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum FieldValue {
    /// Of a slider or a number.
    Number(f64),
    /// Of a text field.
    Text(String),
}

impl Element {
    /// Without anything in it.
    fn new(id: u64, tag: &'static str) -> Self {
        Self {
            id,
            tag,
            attributes: BTreeMap::new(),
            text: String::new(),
            value: None,
            children: Vec::new(),
        }
    }

    /// The element of this node, here or below.
    pub(in crate::app) fn find(&self, id: u64) -> Option<&Self> {
        if self.id == id {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(id))
    }

    /// Can what is typed go into it?
    #[cfg(target_arch = "wasm32")]
    pub(in crate::app) fn is_field(&self) -> bool {
        self.value.is_some()
    }
}

impl FieldValue {
    /// As a browser takes it.
    pub(in crate::app) fn text(&self) -> String {
        match self {
            // Degrees come from radians: what is beyond their last digit is noise.
            // No zero has a minus.
            Self::Number(number) => ((number * 1e9).round() / 1e9 + 0.0).to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The `id` of the element that stands for a node.
pub(in crate::app) fn dom_id(id: u64) -> String {
    format!("node-{id:x}")
}

/// The node that the element with this `id` stands for.
pub(in crate::app) fn node_id(dom_id: &str) -> Option<u64> {
    u64::from_str_radix(dom_id.strip_prefix("node-")?, 16).ok()
}

/// The element and all below it.
pub(in crate::app) fn html(element: &Element) -> String {
    let mut text = String::new();
    put(element, &mut text);
    text
}

fn put(element: &Element, out: &mut String) {
    let tag = element.tag;
    let _ = write!(out, "<{tag} id=\"{}\"", dom_id(element.id));
    for (name, value) in &element.attributes {
        attribute(name, value, out);
    }
    if tag == "input" {
        if let Some(value) = &element.value {
            attribute("value", &value.text(), out);
        }
        out.push('>');
        return;
    }
    out.push('>');
    match &element.value {
        // The first line break of a text area is left out.
        Some(FieldValue::Text(text)) => {
            out.push('\n');
            escape(text, out);
        }
        _ => escape(&element.text, out),
    }
    for child in &element.children {
        put(child, out);
    }
    let _ = write!(out, "</{tag}>");
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(value, out);
    out.push('"');
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
}
