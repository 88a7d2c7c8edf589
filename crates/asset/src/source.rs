//! The bytes that a model came from.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::gltf_file::same_letters;

/// A model's file and the files beside it that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSource {
    /// File name without folders: `whale.gltf`.
    pub name: String,
    /// The file itself.
    pub main: Arc<[u8]>,
    /// By relative path with `/`, decoded: `textures/skin.png`.
    pub beside: BTreeMap<String, Arc<[u8]>>,
}

impl ModelSource {
    /// A file that needs no other.
    pub fn alone(name: impl Into<String>, main: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), main: main.into(), beside: BTreeMap::new() }
    }

    /// A file, and those beside it by their names.
    pub(super) fn with(name: String, main: Vec<u8>, beside: Vec<(String, Vec<u8>)>) -> Self {
        let beside = beside.into_iter();
        Self {
            name,
            main: main.into(),
            beside: beside.map(|(name, bytes)| (name, bytes.into())).collect(),
        }
    }

    /// Bytes of one of the files as a part of it; other bytes as a file of their
    /// own.
    pub(super) fn shared(&self, bytes: &[u8]) -> (Arc<[u8]>, Range<usize>) {
        let wanted = bytes.as_ptr_range();
        let holds = |file: &&Arc<[u8]>| {
            let all = file.as_ptr_range();
            all.start <= wanted.start && wanted.end <= all.end
        };
        let mut files = std::iter::once(&self.main).chain(self.beside.values());
        match files.find(holds) {
            Some(file) => {
                let start = wanted.start.addr() - file.as_ptr().addr();
                (Arc::clone(file), start..start + bytes.len())
            }
            None => (bytes.into(), 0..bytes.len()),
        }
    }

    /// The content of a file beside the model, also of one whose name has the same
    /// letters otherwise written; `None` when it is not there.
    pub fn beside(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.beside_as(path).map(|(_, bytes)| bytes)
    }

    /// The same, with the name that the file has.
    pub(super) fn beside_as(&self, path: &str) -> Option<(&str, &Arc<[u8]>)> {
        let exact = self.beside.get_key_value(path);
        let found = exact.or_else(|| {
            let mut same = self.beside.iter().filter(|(name, _)| same_letters(name, path));
            // Where there are two, neither is meant more than the other.
            same.next().filter(|_| same.next().is_none())
        })?;
        Some((found.0, found.1))
    }
}
