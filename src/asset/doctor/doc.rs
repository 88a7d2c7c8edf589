//! A file as the examination sees it: JSON that may say anything, and the bytes
//! of its buffers.

use std::borrow::Cow;
use std::cell::Cell;

use serde_json::Value;

/// Numbers read out of buffers during one examination. Accessors may overlap
/// without end; the time that this takes must not.
const MOST_READ: usize = 48_000_000;

/// JSON and buffers.
pub(super) struct Doc<'a> {
    pub(super) root: Value,
    /// By index; `None` where the bytes are not to be had.
    pub(super) buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Were numbers replaced that are too large for floats?
    pub(super) patched: bool,
    pub(super) work: Work,
}

/// How much of the data has been read.
#[derive(Debug, Default)]
pub(super) struct Work {
    read: Cell<usize>,
    left_out: Cell<usize>,
}

impl Work {
    /// May `numbers` more be read? Counts them if so.
    pub(super) fn take(&self, numbers: usize) -> bool {
        let read = self.read.get().saturating_add(numbers);
        if read > MOST_READ {
            self.left_out.set(self.left_out.get() + 1);
            return false;
        }
        self.read.set(read);
        true
    }

    /// How many times it was too much.
    pub(super) fn left_out(&self) -> usize {
        self.left_out.get()
    }
}

impl Doc<'_> {
    /// A top-level list; empty where there is none.
    pub(super) fn list(&self, name: &str) -> &[Value] {
        list(&self.root, name)
    }

    /// One thing of a top-level list.
    pub(super) fn one(&self, name: &str, index: usize) -> Option<&Value> {
        self.list(name).get(index)
    }

    /// What `object` refers to under `name`: the number of an entry of `list`.
    pub(super) fn referred(&self, object: &Value, name: &str, list: &str) -> Option<&Value> {
        self.one(list, whole(object, name)?)
    }

    /// Those of all meshes.
    pub(super) fn primitives(&self) -> impl Iterator<Item = &Value> {
        let meshes = self.list("meshes").iter();
        meshes.flat_map(|mesh| list(mesh, "primitives"))
    }

    /// Those of all animations.
    pub(super) fn samplers(&self) -> impl Iterator<Item = &Value> {
        let animations = self.list("animations").iter();
        animations.flat_map(|animation| list(animation, "samplers"))
    }

    /// Is the extension declared as used?
    pub(super) fn uses(&self, extension: &str) -> bool {
        self.list("extensionsUsed")
            .iter()
            .any(|name| name.as_str() == Some(extension))
    }
}

/// A list in an object; empty where there is none.
pub(super) fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// An index or a count in an object.
pub(super) fn whole(object: &Value, name: &str) -> Option<usize> {
    object.get(name).and_then(as_whole)
}

/// A value as an index or a count.
pub(super) fn as_whole(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// Text in an object.
pub(super) fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get(name).and_then(Value::as_str)
}

/// Exactly `N` finite numbers in an object.
pub(super) fn numbers<const N: usize>(object: &Value, name: &str) -> Option<[f64; N]> {
    let found = object.get(name)?.as_array()?;
    let found: Vec<f64> = found.iter().filter_map(Value::as_f64).collect();
    found.try_into().ok()
}

/// A name in quotes behind a word: `node 3 (“hip”)`.
pub(super) fn named(what: &str, index: usize, object: Option<&Value>) -> String {
    match object.and_then(|object| text(object, "name")) {
        Some(name) if !name.is_empty() => {
            format!("{what} {index} ({})", super::findings::quoted(name))
        }
        _ => format!("{what} {index}"),
    }
}
