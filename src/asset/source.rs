//! The bytes that a model came from.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A model's file and the files beside it that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// File name without folders: `whale.gltf`.
    pub name: String,
    /// The file itself.
    pub main: Arc<[u8]>,
    /// By relative path with `/`, decoded: `textures/skin.png`.
    pub beside: BTreeMap<String, Arc<[u8]>>,
}

impl Source {
    /// A file that needs no other.
    #[must_use]
    pub fn alone(name: impl Into<String>, main: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.into(),
            main: main.into(),
            beside: BTreeMap::new(),
        }
    }

    /// The content of a file beside the model; `None` when it is not there.
    #[must_use]
    pub fn beside(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.beside.get(path)
    }
}
