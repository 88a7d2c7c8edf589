//! The source bytes of a model.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::gltf_file::same_letters;

/// A model's file and the files beside it that the model references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSource {
    /// File name without folders, such as `whale.gltf`.
    pub name: String,
    /// Content of the model's file.
    pub main: Arc<[u8]>,
    /// Files beside the model. Keys are relative paths with `/`, with percent codes decoded,
    /// such as `textures/skin.png`.
    pub beside: BTreeMap<String, Arc<[u8]>>,
}

impl ModelSource {
    /// Creates the source of a model that references no other file.
    pub fn alone(name: impl Into<String>, main: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), main: main.into(), beside: BTreeMap::new() }
    }

    /// Creates the source of a model with files beside it.
    pub fn with(name: String, main: Vec<u8>, beside: Vec<(String, Vec<u8>)>) -> Self {
        Self {
            name,
            main: main.into(),
            beside: beside.into_iter().map(|(name, bytes)| (name, bytes.into())).collect(),
        }
    }

    /// Returns `bytes` as a range of the file that contains them, without a copy. Bytes of
    /// no file are copied into an allocation of their own.
    pub(super) fn shared(&self, bytes: &[u8]) -> (Arc<[u8]>, Range<usize>) {
        let part = bytes.as_ptr_range();
        for file in std::iter::once(&self.main).chain(self.beside.values()) {
            let whole = file.as_ptr_range();
            if whole.start <= part.start && part.end <= whole.end {
                let start = part.start.addr() - whole.start.addr();
                return (Arc::clone(file), start..start + bytes.len());
            }
        }
        (bytes.into(), 0..bytes.len())
    }

    /// Returns the content of a file beside the model. If no name matches exactly, one that
    /// differs only in case or Unicode composition is accepted, unless there are several.
    /// Returns `None` if there is no such file.
    pub fn beside(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.beside_as(path).map(|(_, bytes)| bytes)
    }

    /// Returns the content of a file beside the model, together with its key in
    /// [`Self::beside`](field@Self::beside), which may differ from `path` in case or Unicode
    /// composition. Returns `None` where [`Self::beside`](Self::beside()) does.
    pub fn beside_as(&self, path: &str) -> Option<(&str, &Arc<[u8]>)> {
        let (name, bytes) = self.beside.get_key_value(path).or_else(|| {
            let mut matches = self.beside.iter().filter(|(name, _)| same_letters(name, path));
            matches.next().filter(|_| matches.next().is_none())
        })?;
        Some((name, bytes))
    }
}
