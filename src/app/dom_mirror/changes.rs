//! What has to be done to the elements of the last frame so that they are those of
//! this one.

use std::collections::HashMap;

use super::{Element, FieldValue};

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
