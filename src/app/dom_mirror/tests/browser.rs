//! A browser's elements, as far as the changes know them.

use std::collections::HashMap;

use super::super::Element;
use super::super::attributes::DomChange;

/// Elements by number, each with the numbers of its children.
pub(super) struct Browser(HashMap<u64, (Element, Vec<u64>)>);

impl Browser {
    pub(super) fn new(root: &Element) -> Self {
        let mut browser = Self(HashMap::new());
        browser.insert(root);
        browser
    }

    pub(super) fn apply(&mut self, change: &DomChange) {
        match change {
            DomChange::Remove { id } => {
                self.take_out(*id);
                self.forget(*id);
            }
            DomChange::Insert { parent, before, element } => {
                self.insert(element);
                self.put(element.id, *parent, *before);
            }
            DomChange::Move { id, parent, before } => {
                self.take_out(*id);
                self.put(*id, *parent, *before);
            }
            DomChange::Attribute { id, name, value } => {
                let attributes = &mut self.at(*id).0.attributes;
                match value {
                    Some(value) => attributes.insert(name, value.clone()),
                    None => attributes.remove(name),
                };
            }
            DomChange::Text { id, text } => {
                let (element, children) = self.at(*id);
                // It takes the place of all that is inside.
                assert!(children.is_empty(), "words over {children:?}");
                element.text.clone_from(text);
            }
            DomChange::Value { id, value } => self.at(*id).0.value = Some(value.clone()),
        }
    }

    /// What is there now.
    pub(super) fn read(&self, id: u64) -> Element {
        let (element, children) = &self.0[&id];
        Element {
            children: children.iter().map(|&child| self.read(child)).collect(),
            ..element.clone()
        }
    }

    fn at(&mut self, id: u64) -> &mut (Element, Vec<u64>) {
        self.0.get_mut(&id).expect("an element that is there")
    }

    fn insert(&mut self, element: &Element) {
        for child in &element.children {
            self.insert(child);
        }
        let children = element.children.iter().map(|child| child.id).collect();
        let alone = Element { children: Vec::new(), ..element.clone() };
        let twice = self.0.insert(element.id, (alone, children));
        assert!(twice.is_none(), "{} is there twice", element.id);
    }

    fn put(&mut self, id: u64, parent: u64, before: Option<u64>) {
        let children = &mut self.at(parent).1;
        let place = before.map_or(children.len(), |before| {
            let found = children.iter().position(|&child| child == before);
            found.expect("a sibling that is there")
        });
        children.insert(place, id);
    }

    fn take_out(&mut self, id: u64) {
        let mut parents = self.0.values_mut();
        let parent = parents.find(|(_, children)| children.contains(&id));
        parent.expect("in something").1.retain(|&child| child != id);
    }

    fn forget(&mut self, id: u64) {
        let (_, children) = self.0.remove(&id).expect("there");
        for child in children {
            self.forget(child);
        }
    }
}
