//! An element of the web page that stands for a node of the tree.

use std::collections::BTreeMap;

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
    pub(in crate::app) value: Option<Value>,
    /// In the order in which they are read.
    pub(in crate::app) children: Vec<Self>,
}

/// What a field holds: a property in a browser, since an attribute would not change
/// what has been typed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum Value {
    /// Of a slider or a number.
    Number(f64),
    /// Of a text field.
    Text(String),
}

impl Element {
    /// Without anything in it.
    pub(super) fn new(id: u64, tag: &'static str) -> Self {
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

impl Value {
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
