//! What a node says of itself, as attributes of its element.

use std::collections::BTreeMap;

use eframe::egui::accesskit::{HasPopup, Live, Node, NodeId, Orientation, Toggled};

use super::dom_id;

/// Roles that know `aria-expanded`, and those that know `aria-selected`.
const EXPAND: &[&str] = &["button", "combobox", "link", "row", "treeitem"];
const SELECT: &[&str] = &["option", "treeitem", "row", "cell"];
const CHECK: &[&str] = &["checkbox", "radio", "switch"];
/// Those that can be switched off and be used.
const USE: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "link",
    "listbox",
    "option",
    "radio",
    "separator",
    "switch",
    "tree",
    "treeitem",
];

/// Attributes by name.
pub(super) type Attributes = BTreeMap<&'static str, String>;

/// States, places in a set and relations; `role` is that of the element, and a
/// `field` is one that is typed or dragged in. `is_there` says whether a node has an
/// element that can be pointed at.
pub(super) fn states(
    node: &Node,
    role: &str,
    field: bool,
    is_there: &dyn Fn(NodeId) -> bool,
    to: &mut Attributes,
) {
    let used = field || USE.contains(&role);
    if used {
        // Reached by screen readers, not by Tab: that is the notebook's own.
        to.insert("tabindex", "-1".to_owned());
        if node.is_disabled() {
            to.insert("aria-disabled", "true".to_owned());
        }
    }
    toggled(node, role, to);
    if EXPAND.contains(&role)
        && let Some(open) = node.is_expanded().or((role == "combobox").then_some(false))
    {
        to.insert("aria-expanded", open.to_string());
    }
    if let Some(popup) = node.has_popup().filter(|_| used) {
        to.insert("aria-haspopup", popup_word(popup).to_owned());
    }
    if node.is_modal() {
        to.insert("aria-modal", "true".to_owned());
    }
    if let Some(description) = node.description().filter(|words| !words.is_empty()) {
        to.insert("aria-description", description.to_owned());
    }
    if let Some(live) = node.live() {
        let word = match live {
            Live::Off => "off",
            Live::Polite => "polite",
            Live::Assertive => "assertive",
        };
        to.insert("aria-live", word.to_owned());
    }
    if node.is_busy() {
        to.insert("aria-busy", "true".to_owned());
    }
    place_in_set(node, role, to);
    let ids = |ids: &[NodeId]| {
        let there = ids.iter().filter(|id| is_there(**id));
        let words: Vec<String> = there.map(|id| dom_id(id.0)).collect();
        words.join(" ")
    };
    for (name, text) in
        [("aria-controls", ids(node.controls())), ("aria-describedby", ids(node.described_by()))]
    {
        if !text.is_empty() {
            to.insert(name, text);
        }
    }
}

/// Ends, step and words of a slider or a number.
pub(super) fn range(node: &Node, to: &mut Attributes) {
    for (name, end) in [("min", node.min_numeric_value()), ("max", node.max_numeric_value())] {
        if let Some(end) = end.filter(|end| end.is_finite()) {
            to.insert(name, end.to_string());
        }
    }
    // Steps are the notebook's; a browser would round to them.
    to.insert("step", "any".to_owned());
    if let Some(text) = node.value().filter(|text| !text.is_empty()) {
        to.insert("aria-valuetext", text.to_owned());
    }
    if node.orientation() == Some(Orientation::Vertical) {
        to.insert("aria-orientation", "vertical".to_owned());
    }
}

/// How far a bar, a meter or a separator is.
pub(super) fn progress(node: &Node, to: &mut Attributes) {
    for (name, number) in [
        ("aria-valuenow", node.numeric_value()),
        ("aria-valuemin", node.min_numeric_value()),
        ("aria-valuemax", node.max_numeric_value()),
    ] {
        if let Some(number) = number.filter(|number| number.is_finite()) {
            to.insert(name, number.to_string());
        }
    }
    if let Some(text) = node.value().filter(|text| !text.is_empty()) {
        to.insert("aria-valuetext", text.to_owned());
    }
}

fn toggled(node: &Node, role: &str, to: &mut Attributes) {
    let word = |toggled| match toggled {
        Toggled::False => "false",
        Toggled::True => "true",
        Toggled::Mixed => "mixed",
    };
    let on = node.toggled();
    if CHECK.contains(&role) {
        let on = on.unwrap_or(Toggled::False);
        to.insert("aria-checked", word(on).to_owned());
    } else if SELECT.contains(&role) {
        let on = node.is_selected().or(on.map(|on| on == Toggled::True));
        if let Some(on) = on {
            to.insert("aria-selected", on.to_string());
        }
    } else if role == "button" {
        if let Some(on) = on {
            to.insert("aria-pressed", word(on).to_owned());
        }
    } else if role == "link" && on == Some(Toggled::True) {
        to.insert("aria-current", "true".to_owned());
    }
}

fn place_in_set(node: &Node, role: &str, to: &mut Attributes) {
    if matches!(role, "heading" | "treeitem")
        && let Some(level) = node.level()
    {
        to.insert("aria-level", level.to_string());
    }
    if matches!(role, "option" | "radio" | "treeitem" | "listitem")
        && let (Some(place), Some(size)) = (node.position_in_set(), node.size_of_set())
    {
        to.insert("aria-posinset", place.to_string());
        to.insert("aria-setsize", size.to_string());
    }
}

fn popup_word(popup: HasPopup) -> &'static str {
    match popup {
        HasPopup::Menu => "menu",
        HasPopup::Listbox => "listbox",
        HasPopup::Tree => "tree",
        HasPopup::Grid => "grid",
        HasPopup::Dialog => "dialog",
    }
}
