//! An element as HTML: a browser makes many elements faster from one text than
//! one by one.

use std::fmt::Write as _;

use super::element::{Element, Value};

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
        Some(Value::Text(text)) => {
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
