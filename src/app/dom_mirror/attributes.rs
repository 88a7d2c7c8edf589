//! What a node says of itself, as attributes of its element.

use std::collections::{BTreeMap, HashMap};

use eframe::egui::accesskit::{HasPopup, Live, Node, NodeId, Orientation, Toggled};

use super::{Element, FieldValue, dom_id};

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
    // `links.js` makes it one for the browser while it is pointed at.
    if let Some(link) = node.url() {
        to.insert("data-link", link.to_owned());
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

// What has to be done to the elements of the last frame so that they are those of
// this one.

/// One thing to do, to the element of the node `id`. What goes comes first, so that
/// no `id` is ever there twice.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum DomChange {
    /// It goes, with all below it.
    Remove {
        /// Which.
        id: u64,
    },
    /// A new one comes, with all below it.
    Insert {
        /// What it comes into.
        parent: u64,
        /// What it comes before; absent: at the end.
        before: Option<u64>,
        /// What comes.
        element: Element,
    },
    /// It goes elsewhere among its siblings.
    Move {
        /// Which.
        id: u64,
        /// What it is in.
        parent: u64,
        /// What it comes before; absent: to the end.
        before: Option<u64>,
    },
    /// An attribute has another value, or (absent) goes.
    Attribute {
        /// Which.
        id: u64,
        /// Its name.
        name: &'static str,
        /// Its value.
        value: Option<String>,
    },
    /// What stands in it.
    Text {
        /// Which.
        id: u64,
        /// The words.
        text: String,
    },
    /// What the field holds.
    Value {
        /// Which.
        id: u64,
        /// The value.
        value: FieldValue,
    },
}

/// From `old` to `new`, which have the same root.
pub(in crate::app) fn changes(old: &Element, new: &Element) -> Vec<DomChange> {
    let (mut gone, mut rest) = (Vec::new(), Vec::new());
    compare(old, new, &mut gone, &mut rest);
    gone.append(&mut rest);
    gone
}

fn compare(old: &Element, new: &Element, gone: &mut Vec<DomChange>, rest: &mut Vec<DomChange>) {
    let id = new.id;
    for (&name, value) in &new.attributes {
        if old.attributes.get(name) != Some(value) {
            let value = Some(value.clone());
            rest.push(DomChange::Attribute { id, name, value });
        }
    }
    for &name in old.attributes.keys() {
        if !new.attributes.contains_key(name) {
            let value = None;
            rest.push(DomChange::Attribute { id, name, value });
        }
    }
    if let Some(value) = new.value.as_ref().filter(|_| old.value != new.value) {
        let value = value.clone();
        rest.push(DomChange::Value { id, value });
    }
    compare_children(old, new, gone, rest);
    // After what was in it has gone, before something comes: a text and children
    // are never there together.
    if old.text != new.text {
        let text = DomChange::Text { id, text: new.text.clone() };
        gone.push(text);
    }
}

fn compare_children(
    old: &Element,
    new: &Element,
    gone: &mut Vec<DomChange>,
    rest: &mut Vec<DomChange>,
) {
    let coming: HashMap<u64, &Element> = new.children.iter().map(|new| (new.id, new)).collect();
    let stays = |old: &&Element| coming.get(&old.id).is_some_and(|new| is_same_element(old, new));
    let (staying, going): (Vec<&Element>, Vec<&Element>) = old.children.iter().partition(stays);
    gone.extend(going.iter().map(|old| DomChange::Remove { id: old.id }));
    let before: HashMap<u64, &Element> = staying.iter().map(|old| (old.id, *old)).collect();
    // Those that stay where they are, between which the others are put.
    let mut fixed = staying.iter().map(|old| old.id).peekable();
    let mut moved: Vec<u64> = Vec::new();
    let parent = new.id;
    for child in &new.children {
        while fixed.peek().is_some_and(|id| moved.contains(id)) {
            fixed.next();
        }
        let next = fixed.peek().copied();
        match before.get(&child.id) {
            Some(_) if next == Some(child.id) => {
                fixed.next();
            }
            Some(_) => {
                moved.push(child.id);
                rest.push(DomChange::Move { id: child.id, parent, before: next });
            }
            None => rest.push(DomChange::Insert { parent, before: next, element: child.clone() }),
        }
        if let Some(old) = before.get(&child.id) {
            compare(old, child, gone, rest);
        }
    }
}

/// A field of another type is another element, as one with another tag is.
fn is_same_element(old: &Element, new: &Element) -> bool {
    old.tag == new.tag && old.attributes.get("type") == new.attributes.get("type")
}
