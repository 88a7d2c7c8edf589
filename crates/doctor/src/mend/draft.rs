//! The file that mending builds: its JSON and buffers, its container, and the errors that
//! prevent it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place};
use bindpose_gltf::decoding::values::{as_usize, get_usize};
use bindpose_gltf::decoding::{data_uri, glb_of};
use bindpose_gltf::{Component, TaskProgress};
use serde_json::{Map, Value, json};

use super::evidence::WithheldRepair;
use crate::document::{RawDocument, WorkTracker};
use crate::elements::view_bytes;

/// Maximum size of a mended file's buffer.
const MAX_BUFFER_BYTES: usize = 1 << 30;

/// A file in the making. Changed data gets new buffers. [`Draft::write`] packs all buffers
/// into one.
pub(super) struct Draft {
    pub(super) doc: RawDocument<'static>,
    /// The contents of accessors that must not be overwritten: the key given to
    /// [`Draft::assign`], or an empty text for the original data.
    contents: BTreeMap<usize, String>,
    /// Numbers that were left as they are, although a finding concerns them.
    pub(super) withheld: Vec<WithheldRepair>,
}

/// New data of an accessor.
pub(super) struct AccessorData {
    pub(super) component: Component,
    /// Name of the element type, such as `VEC4`.
    pub(super) type_name: String,
    pub(super) normalized: bool,
    pub(super) count: usize,
    pub(super) bytes: Vec<u8>,
    /// Distance between elements in bytes. `None` if they are tightly packed.
    pub(super) stride: Option<usize>,
}

impl AccessorData {
    /// Creates tightly packed 32-bit floats.
    pub(super) fn floats(
        type_name: &str,
        count: usize,
        numbers: impl Iterator<Item = f64>,
    ) -> Self {
        Self {
            component: Component::F32,
            type_name: type_name.to_owned(),
            normalized: false,
            count,
            bytes: numbers.flat_map(|number| (number as f32).to_le_bytes()).collect(),
            stride: None,
        }
    }
}

impl Draft {
    /// Copies a document.
    ///
    /// # Errors
    ///
    /// Fails if parts of the document are missing, or if an extension stores data in buffer
    /// views in a way that cannot be copied.
    pub(super) fn new(doc: RawDocument<'_>) -> Result<Self, MendError> {
        if doc.is_truncated {
            return Err(MendError::TooDeep);
        }
        for (index, view) in doc.list("bufferViews").iter().enumerate() {
            let at = format!("/bufferViews/{index}");
            if view.get("extensions").is_some() {
                return Err(MendError::Extension { at });
            }
            if view_bytes(&doc, index).is_none() {
                return Err(MendError::Missing { at });
            }
        }
        let buffers = doc
            .buffers
            .into_iter()
            .map(|bytes| bytes.map(|bytes| Cow::Owned(bytes.into_owned())))
            .collect();
        Ok(Self {
            doc: RawDocument {
                root: doc.root,
                buffers,
                has_replaced_numbers: doc.has_replaced_numbers,
                is_truncated: doc.is_truncated,
                work: WorkTracker::new(&TaskProgress::default()),
            },
            contents: BTreeMap::new(),
            withheld: Vec::new(),
        })
    }

    /// Records numbers that are left as they are. Counts places with the same reason.
    pub(super) fn withhold(&mut self, at: String, reason: &'static str) {
        match self.withheld.iter_mut().find(|withheld| withheld.reason == reason) {
            Some(withheld) => withheld.count += 1,
            None => self.withheld.push(WithheldRepair { at, count: 1, reason }),
        }
    }

    /// Marks the original data of an accessor as needed.
    pub(super) fn keep(&mut self, accessor: usize) {
        self.contents.insert(accessor, String::new());
    }

    /// Stores `data` for one user of an accessor. Returns the index of the accessor with the
    /// data: the same, or a copy if others need other contents. Equal `key`s for one accessor
    /// mean equal data.
    pub(super) fn assign(&mut self, accessor: usize, key: &str, data: AccessorData) -> usize {
        let Some(content) = self.contents.get(&accessor) else {
            self.contents.insert(accessor, key.to_owned());
            self.write_accessor(accessor, data);
            return accessor;
        };
        if content == key {
            return accessor;
        }
        let copy_key = format!("{accessor} {key}");
        let existing = self.contents.iter().find(|(_, content)| **content == copy_key);
        if let Some((&copy, _)) = existing {
            return copy;
        }
        let original = self.doc.get("accessors", accessor).cloned().unwrap_or_default();
        let copy = push_entry(&mut self.doc.root, "accessors", original);
        self.contents.insert(copy, copy_key);
        self.write_accessor(copy, data);
        copy
    }

    /// Replaces the data of an accessor for all of its users.
    pub(super) fn write_accessor(&mut self, accessor: usize, data: AccessorData) {
        let component = data.component.code();
        let view = self.push_view(data.bytes, data.stride);
        let Some(accessor) = self.get_mut("accessors", accessor) else {
            return;
        };
        accessor.remove("byteOffset");
        accessor.remove("sparse");
        accessor.insert("bufferView".to_owned(), json!(view));
        accessor.insert("componentType".to_owned(), json!(component));
        accessor.insert("type".to_owned(), json!(data.type_name));
        accessor.insert("count".to_owned(), json!(data.count));
        if data.normalized {
            accessor.insert("normalized".to_owned(), json!(true));
        } else {
            accessor.remove("normalized");
        }
    }

    /// Adds an accessor with `data`. Returns its index.
    pub(super) fn push_accessor(&mut self, data: AccessorData) -> usize {
        let accessor = push_entry(&mut self.doc.root, "accessors", json!({}));
        self.write_accessor(accessor, data);
        self.keep(accessor);
        accessor
    }

    /// Adds a buffer with one view of it. Returns the index of the view.
    pub(super) fn push_view(&mut self, bytes: Vec<u8>, stride: Option<usize>) -> usize {
        let length = bytes.len();
        self.doc.buffers.push(Some(Cow::Owned(bytes)));
        let buffer = push_entry(&mut self.doc.root, "buffers", json!({"byteLength": length}));
        let mut view = json!({"buffer": buffer, "byteLength": length});
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        push_entry(&mut self.doc.root, "bufferViews", view)
    }

    /// Returns an entry of a top-level list.
    pub(super) fn get_mut(&mut self, list: &str, index: usize) -> Option<&mut Map<String, Value>> {
        self.doc.root.get_mut(list)?.get_mut(index)?.as_object_mut()
    }

    /// Returns the object at a JSON pointer.
    pub(super) fn object_mut(&mut self, pointer: &str) -> Option<&mut Map<String, Value>> {
        self.doc.root.pointer_mut(pointer)?.as_object_mut()
    }

    /// Writes the file with one buffer.
    ///
    /// # Errors
    ///
    /// Fails if the buffer would be larger than [`MAX_BUFFER_BYTES`].
    pub(super) fn write(mut self, container: Container) -> Result<Vec<u8>, MendError> {
        let bin = self.pack_views()?;
        let mut buffer = json!({"byteLength": bin.len()});
        if container == Container::Gltf {
            buffer["uri"] = Value::String(data_uri(&bin));
        }
        if let Some(root) = self.doc.root.as_object_mut() {
            if bin.is_empty() {
                root.remove("buffers");
                root.remove("bufferViews");
            } else {
                root.insert("buffers".to_owned(), json!([buffer]));
            }
        }
        let text = match container {
            Container::Gltf => serde_json::to_vec_pretty(&self.doc.root),
            Container::Glb => serde_json::to_vec(&self.doc.root),
        };
        // Serializing a value that was parsed cannot fail.
        let text = text.map_err(|_impossible| MendError::Unreadable)?;
        Ok(match container {
            Container::Gltf => text,
            Container::Glb => glb_of(text, bin),
        })
    }

    /// Concatenates all buffer views that are in use, and renumbers them.
    fn pack_views(&mut self) -> Result<Vec<u8>, MendError> {
        // New indices by old ones.
        let mut indices = BTreeMap::new();
        for_each_view_index(&mut self.doc.root, &mut |view| {
            indices.insert(*view, 0);
        });
        let mut bin = Vec::new();
        let mut views = Vec::new();
        for (&old_index, new_index) in &mut indices {
            let Some(bytes) = view_bytes(&self.doc, old_index) else {
                continue;
            };
            if bin.len() + bytes.len() > MAX_BUFFER_BYTES {
                return Err(MendError::TooLarge(MAX_BUFFER_BYTES));
            }
            *new_index = views.len();
            let mut view = self.doc.get("bufferViews", old_index).cloned();
            if let Some(view) = view.as_mut().and_then(Value::as_object_mut) {
                view.insert("buffer".to_owned(), json!(0));
                view.insert("byteOffset".to_owned(), json!(bin.len()));
            }
            views.extend(view);
            bin.extend_from_slice(bytes);
            bin.resize(bin.len().next_multiple_of(4), 0);
        }
        for_each_view_index(&mut self.doc.root, &mut |view| {
            *view = indices.get(view).copied().unwrap_or(*view);
        });
        if let Some(root) = self.doc.root.as_object_mut() {
            root.insert("bufferViews".to_owned(), Value::Array(views));
        }
        Ok(bin)
    }
}

/// Calls `visit` for every `bufferView` property at any depth, which the parser limits. Skips
/// `extras`.
fn for_each_view_index(value: &mut Value, visit: &mut dyn FnMut(&mut usize)) {
    match value {
        Value::Array(items) => {
            for item in items {
                for_each_view_index(item, visit);
            }
        }
        Value::Object(entries) => {
            for (name, item) in entries {
                if name == "extras" {
                    continue;
                }
                match as_usize(item).filter(|_| name == "bufferView") {
                    Some(mut view) => {
                        visit(&mut view);
                        *item = json!(view);
                    }
                    None => for_each_view_index(item, visit),
                }
            }
        }
        _ => {}
    }
}

/// Appends an entry to a top-level list, which is created if necessary. Returns its index.
fn push_entry(root: &mut Value, list: &str, value: Value) -> usize {
    let Some(root) = root.as_object_mut() else {
        return 0;
    };
    let list = root.entry(list).or_insert_with(|| Value::Array(Vec::new())).as_array_mut();
    list.map_or(0, |list| {
        list.push(value);
        list.len() - 1
    })
}

/// Returns the index of the accessor under `name`, if that accessor exists.
pub(super) fn accessor_index(doc: &RawDocument<'_>, object: &Value, name: &str) -> Option<usize> {
    let index = get_usize(object, name)?;
    doc.get("accessors", index).map(|_| index)
}

/// Iterates over the accessors of an attribute in all primitives.
pub(super) fn attribute_accessors(
    doc: &RawDocument<'_>,
    name: &str,
) -> impl Iterator<Item = usize> {
    doc.primitives()
        .filter_map(move |primitive| accessor_index(doc, primitive.get("attributes")?, name))
}

/// The container of a glTF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// `.glb`: JSON, buffers and images in one binary file.
    Glb,
    /// `.gltf`: JSON with buffers and images embedded as text.
    Gltf,
}

impl Container {
    /// Recognizes the container by the extension of a file name. Returns `None` for other
    /// extensions than `.glb` and `.gltf`.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        if extension.eq_ignore_ascii_case("glb") {
            Some(Self::Glb)
        } else if extension.eq_ignore_ascii_case("gltf") {
            Some(Self::Gltf)
        } else {
            None
        }
    }
}

/// A reason why mending produced no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MendError {
    /// The examination found nothing that can be mended.
    Nothing,
    /// The file cannot be parsed.
    Unreadable,
    /// A part of the JSON is nested too deeply to be copied.
    TooDeep,
    /// Bytes of a buffer view are not available.
    Missing {
        /// JSON pointer to the buffer view.
        at: String,
    },
    /// An extension stores the data of a buffer view in an unknown way.
    Extension {
        /// JSON pointer to the buffer view.
        at: String,
    },
    /// The mended file would exceed this number of bytes.
    TooLarge(usize),
    /// None of the faults could be mended without a guess.
    Unsound,
    /// The mended file would fit its skeleton worse than the present one.
    Worse {
        /// The measure before and after, as a phrase.
        measure: String,
    },
    /// The task was cancelled.
    Cancelled,
}

impl From<MendError> for Diagnostic {
    fn from(error: MendError) -> Self {
        match error {
            MendError::Nothing => Self::said(
                "MEND_NOTHING",
                "there is nothing to mend that this program knows how to mend",
            ),
            MendError::Unreadable => Self::said(
                "MEND_UNREADABLE",
                "the file cannot be read far enough to be mended; see the errors above",
            ),
            MendError::TooDeep => Self::said(
                "MEND_TOO_DEEP",
                "something in the file is nested too deeply to be copied",
            ),
            MendError::Missing { at } => Self::said(
                "MEND_MISSING",
                "its bytes are not there, so a new file would not be whole",
            )
            .at(Place::Model(ModelPlace::at(at))),
            MendError::Extension { at } => Self::said(
                "MEND_EXTENSION",
                "an extension keeps data here in a way that this program cannot copy",
            )
            .at(Place::Model(ModelPlace::at(at))),
            MendError::TooLarge(max_bytes) => Self::said(
                "MEND_TOO_LARGE",
                format!("the new file would be larger than {max_bytes} bytes"),
            ),
            MendError::Unsound => Self::said(
                "MEND_UNSOUND",
                "none of the faults can be mended without guessing; see their remedies",
            ),
            MendError::Worse { measure } => Self::said(
                "MEND_WORSE",
                format!("the copy would fit worse than the file: {measure}"),
            )
            .help("mend what the findings name by hand, the cause first"),
            MendError::Cancelled => Self::said("CANCELLED", "mending was stopped"),
        }
    }
}

impl fmt::Display for MendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for MendError {}
