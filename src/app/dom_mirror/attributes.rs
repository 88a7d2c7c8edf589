//! Properties of a node as attributes of its element, and differences between elements.

use std::collections::{BTreeMap, HashMap};

use eframe::egui::accesskit::{HasPopup, Live, Node, NodeId, Orientation, Toggled};

use super::{Element, FieldValue, dom_id};

/// Roles that support `aria-expanded`.
const EXPANDABLE_ROLES: &[&str] = &["button", "combobox", "link", "row", "treeitem"];
/// Roles that support `aria-selected`.
const SELECTABLE_ROLES: &[&str] = &["option", "treeitem", "row", "cell"];
/// Roles that support `aria-checked`.
const CHECKABLE_ROLES: &[&str] = &["checkbox", "radio", "switch"];
/// Roles of controls, which can be used or disabled.
const INTERACTIVE_ROLES: &[&str] = &[
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

/// Adds states, positions in a set and relations of a node. `role` is the role of its element.
/// `is_field` is true if text is typed, or a value dragged, in it. `has_element` returns
/// whether a node has an element that others can refer to.
pub(super) fn add_states(
    node: &Node,
    role: &str,
    is_field: bool,
    has_element: &dyn Fn(NodeId) -> bool,
    attributes: &mut Attributes,
) {
    let is_interactive = is_field || INTERACTIVE_ROLES.contains(&role);
    if is_interactive {
        // Reachable by screen readers, but not by Tab, which the notebook handles itself.
        attributes.insert("tabindex", "-1".to_owned());
        if node.is_disabled() {
            attributes.insert("aria-disabled", "true".to_owned());
        }
    }
    add_toggled(node, role, attributes);
    if EXPANDABLE_ROLES.contains(&role)
        && let Some(is_open) = node.is_expanded().or((role == "combobox").then_some(false))
    {
        attributes.insert("aria-expanded", is_open.to_string());
    }
    if let Some(popup) = node.has_popup().filter(|_| is_interactive) {
        attributes.insert("aria-haspopup", popup_value(popup).to_owned());
    }
    if node.is_modal() {
        attributes.insert("aria-modal", "true".to_owned());
    }
    if let Some(description) = node.description().filter(|text| !text.is_empty()) {
        attributes.insert("aria-description", description.to_owned());
    }
    if let Some(live) = node.live() {
        let value = match live {
            Live::Off => "off",
            Live::Polite => "polite",
            Live::Assertive => "assertive",
        };
        attributes.insert("aria-live", value.to_owned());
    }
    if node.is_busy() {
        attributes.insert("aria-busy", "true".to_owned());
    }
    // `links.js` makes it a link of the browser while the pointer is over it.
    if let Some(link) = node.url() {
        attributes.insert("data-link", link.to_owned());
    }
    add_set_position(node, role, attributes);
    for (name, related) in
        [("aria-controls", node.controls()), ("aria-describedby", node.described_by())]
    {
        let mut ids: Vec<String> = Vec::new();
        for &id in related {
            if has_element(id) {
                ids.push(dom_id(id.0));
            }
        }
        if !ids.is_empty() {
            attributes.insert(name, ids.join(" "));
        }
    }
}

/// Adds limits, step and value text of a slider or a number field.
pub(super) fn add_range(node: &Node, attributes: &mut Attributes) {
    for (name, limit) in [("min", node.min_numeric_value()), ("max", node.max_numeric_value())] {
        if let Some(limit) = limit.filter(|limit| limit.is_finite()) {
            attributes.insert(name, limit.to_string());
        }
    }
    // The notebook has its own steps, to which a browser would round.
    attributes.insert("step", "any".to_owned());
    add_value_text(node, attributes);
    if node.orientation() == Some(Orientation::Vertical) {
        attributes.insert("aria-orientation", "vertical".to_owned());
    }
}

/// Adds value and limits of a progress bar, a meter or a separator.
pub(super) fn add_progress(node: &Node, attributes: &mut Attributes) {
    for (name, number) in [
        ("aria-valuenow", node.numeric_value()),
        ("aria-valuemin", node.min_numeric_value()),
        ("aria-valuemax", node.max_numeric_value()),
    ] {
        if let Some(number) = number.filter(|number| number.is_finite()) {
            attributes.insert(name, number.to_string());
        }
    }
    add_value_text(node, attributes);
}

fn add_value_text(node: &Node, attributes: &mut Attributes) {
    if let Some(text) = node.value().filter(|text| !text.is_empty()) {
        attributes.insert("aria-valuetext", text.to_owned());
    }
}

fn add_toggled(node: &Node, role: &str, attributes: &mut Attributes) {
    let toggled = node.toggled();
    if CHECKABLE_ROLES.contains(&role) {
        let toggled = toggled.unwrap_or(Toggled::False);
        attributes.insert("aria-checked", toggled_value(toggled).to_owned());
    } else if SELECTABLE_ROLES.contains(&role) {
        let is_toggled = toggled.map(|toggled| toggled == Toggled::True);
        if let Some(is_selected) = node.is_selected().or(is_toggled) {
            attributes.insert("aria-selected", is_selected.to_string());
        }
    } else if role == "button" {
        if let Some(toggled) = toggled {
            attributes.insert("aria-pressed", toggled_value(toggled).to_owned());
        }
    } else if role == "link" && toggled == Some(Toggled::True) {
        attributes.insert("aria-current", "true".to_owned());
    }
}

fn toggled_value(toggled: Toggled) -> &'static str {
    match toggled {
        Toggled::False => "false",
        Toggled::True => "true",
        Toggled::Mixed => "mixed",
    }
}

fn add_set_position(node: &Node, role: &str, attributes: &mut Attributes) {
    if matches!(role, "heading" | "treeitem")
        && let Some(level) = node.level()
    {
        attributes.insert("aria-level", level.to_string());
    }
    if matches!(role, "option" | "radio" | "treeitem" | "listitem")
        && let (Some(position), Some(size)) = (node.position_in_set(), node.size_of_set())
    {
        attributes.insert("aria-posinset", position.to_string());
        attributes.insert("aria-setsize", size.to_string());
    }
}

fn popup_value(popup: HasPopup) -> &'static str {
    match popup {
        HasPopup::Menu => "menu",
        HasPopup::Listbox => "listbox",
        HasPopup::Tree => "tree",
        HasPopup::Grid => "grid",
        HasPopup::Dialog => "dialog",
    }
}

// Differences between the elements of two frames.

/// A change of the element of the node `id`. Removals are ordered first, so that no `id` exists
/// twice.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum DomChange {
    /// Removes an element with its descendants.
    Remove { id: u64 },
    /// Inserts an element with its descendants.
    Insert {
        parent: u64,
        /// The next sibling. `None` at the end.
        before: Option<u64>,
        element: Element,
    },
    /// Moves an element among its siblings.
    Move {
        id: u64,
        parent: u64,
        /// The next sibling. `None` at the end.
        before: Option<u64>,
    },
    /// Sets an attribute, or removes it for `None`.
    Attribute { id: u64, name: &'static str, value: Option<String> },
    /// Sets the text content.
    Text { id: u64, text: String },
    /// Sets the value of a field.
    Value { id: u64, value: FieldValue },
}

/// Returns the changes that turn `old` into `new`, which have the same root.
pub(in crate::app) fn diff_elements(old: &Element, new: &Element) -> Vec<DomChange> {
    let mut diff = ElementDiff::default();
    diff.compare(old, new);
    diff.removals.append(&mut diff.others);
    diff.removals
}

/// Changes found so far.
#[derive(Default)]
struct ElementDiff {
    /// Removed elements and changed texts, which are applied first.
    removals: Vec<DomChange>,
    others: Vec<DomChange>,
}

impl ElementDiff {
    fn compare(&mut self, old: &Element, new: &Element) {
        let id = new.id;
        for (&name, value) in &new.attributes {
            if old.attributes.get(name) != Some(value) {
                let value = Some(value.clone());
                self.others.push(DomChange::Attribute { id, name, value });
            }
        }
        for &name in old.attributes.keys() {
            if !new.attributes.contains_key(name) {
                self.others.push(DomChange::Attribute { id, name, value: None });
            }
        }
        if let Some(value) = new.value.as_ref().filter(|_| old.value != new.value) {
            self.others.push(DomChange::Value { id, value: value.clone() });
        }
        self.compare_children(old, new);
        // After removed children and before inserted ones, because an element never has both
        // text and children.
        if old.text != new.text {
            self.removals.push(DomChange::Text { id, text: new.text.clone() });
        }
    }

    fn compare_children(&mut self, old: &Element, new: &Element) {
        let parent = new.id;
        let new_by_id: HashMap<u64, &Element> =
            new.children.iter().map(|new| (new.id, new)).collect();
        let mut kept: Vec<&Element> = Vec::new();
        for old in &old.children {
            if new_by_id.get(&old.id).is_some_and(|new| is_same_element(old, new)) {
                kept.push(old);
            } else {
                self.removals.push(DomChange::Remove { id: old.id });
            }
        }
        let kept_by_id: HashMap<u64, &Element> = kept.iter().map(|old| (old.id, *old)).collect();
        // Elements that stay in place, between which the others are inserted.
        let mut fixed = kept.iter().map(|old| old.id).peekable();
        let mut moved: Vec<u64> = Vec::new();
        for child in &new.children {
            while fixed.peek().is_some_and(|id| moved.contains(id)) {
                fixed.next();
            }
            let next = fixed.peek().copied();
            let Some(old) = kept_by_id.get(&child.id) else {
                self.others.push(DomChange::Insert {
                    parent,
                    before: next,
                    element: child.clone(),
                });
                continue;
            };
            if next == Some(child.id) {
                fixed.next();
            } else {
                moved.push(child.id);
                self.others.push(DomChange::Move { id: child.id, parent, before: next });
            }
            self.compare(old, child);
        }
    }
}

/// Returns true if an element can be changed into the other. A field of another type is another
/// element, like one with another tag.
fn is_same_element(old: &Element, new: &Element) -> bool {
    old.tag == new.tag && old.attributes.get("type") == new.attributes.get("type")
}
