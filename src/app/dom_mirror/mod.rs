//! Elements of a web page that mirror the page's AccessKit tree, and the changes between those of
//! two frames. Plain values; `src/app/host/browser/accessibility/` applies them in a browser.
//!
//! # What screen readers see in a browser
//!
//! egui describes each frame as a tree of roles, names, values and positions (AccessKit), which
//! windows pass to the system. A browser has no such interface. `src/app/dom_mirror/` converts
//! the tree to the elements that a web page would have, with ARIA roles and states, and computes
//! the smallest set of changes between two such pages, all as plain values.
//! `src/app/host/browser/accessibility/` applies them to an invisible overlay that no pointer
//! reaches, at most ten times a second and once a second during a drag, and turns clicks, values
//! and focus into egui actions. The canvas keeps the focus and refers to the element that has
//! the page's focus; a field that a screen reader types in is the browser's own, because its
//! caret is read best. A test that visits all steps fails for roles without an element. Content
//! painted as a table, such as a matrix, is also a table here: `kit/widgets/table_nodes.rs`.

mod attributes;
mod page;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) use attributes::{DomChange, diff_elements};
pub(super) use page::MirroredPage;

/// An element with its descendants.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Element {
    /// Number of the node in the tree.
    pub(in crate::app) id: u64,
    /// Tag. Elements with different tags are different elements.
    pub(in crate::app) tag: &'static str,
    /// Values by name, without `id`.
    pub(in crate::app) attributes: BTreeMap<&'static str, String>,
    /// Text content. Empty if there are children.
    pub(in crate::app) text: String,
    /// Value of a field.
    pub(in crate::app) value: Option<FieldValue>,
    /// Children in reading order.
    pub(in crate::app) children: Vec<Self>,
}

/// Value of a field. A property in a browser, because an attribute would not change typed
/// content.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum FieldValue {
    /// Value of a slider or a number field.
    Number(f64),
    /// Content of a text field.
    Text(String),
}

impl Element {
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

    /// Finds the element of a node, which may be this one.
    pub(in crate::app) fn find(&self, id: u64) -> Option<&Self> {
        if self.id == id {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(id))
    }
}

impl FieldValue {
    /// Formats the value for a browser.
    pub(in crate::app) fn to_text(&self) -> String {
        match self {
            // Degrees are converted from radians, so further digits are rounding noise. Adding
            // zero turns -0 into 0.
            Self::Number(number) => ((number * 1e9).round() / 1e9 + 0.0).to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// Returns the `id` of the element of a node.
pub(in crate::app) fn dom_id(id: u64) -> String {
    format!("node-{id:x}")
}

/// Returns the node of the element with this `id`, or `None` if it mirrors no node.
pub(in crate::app) fn node_id(dom_id: &str) -> Option<u64> {
    u64::from_str_radix(dom_id.strip_prefix("node-")?, 16).ok()
}

/// Formats an element and its descendants as HTML.
pub(in crate::app) fn element_html(element: &Element) -> String {
    let mut html = String::new();
    write_element(element, &mut html);
    html
}

fn write_element(element: &Element, out: &mut String) {
    let tag = element.tag;
    let _ = write!(out, "<{tag} id=\"{}\"", dom_id(element.id));
    for (name, value) in &element.attributes {
        write_attribute(name, value, out);
    }
    if tag == "input" {
        if let Some(value) = &element.value {
            write_attribute("value", &value.to_text(), out);
        }
        out.push('>');
        return;
    }
    out.push('>');
    match &element.value {
        // HTML ignores the first line break of a text area.
        Some(FieldValue::Text(text)) => {
            out.push('\n');
            write_escaped(text, out);
        }
        _ => write_escaped(&element.text, out),
    }
    for child in &element.children {
        write_element(child, out);
    }
    let _ = write!(out, "</{tag}>");
}

fn write_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    write_escaped(value, out);
    out.push('"');
}

fn write_escaped(text: &str, out: &mut String) {
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
