//! A file in the making: its JSON and buffers, the form in which it is written, and what
//! keeps a file from being mended.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place};
use serde_json::{Map, Value, json};

use crate::TaskProgress;
use crate::doctor::doc::{Doc, ExaminationWork, as_whole, whole};
use crate::doctor::elements::{Component, view_bytes};
use crate::gltf_file::data_uri;
use crate::write::glb_of;

/// The new file at most.
const MOST_BYTES: usize = 1 << 30;

/// JSON and buffers; data that changes goes into new buffers, and all are put
/// into one at the end.
pub(super) struct Draft {
    pub(super) doc: Doc<'static>,
    /// What each accessor that was looked at now holds.
    claims: BTreeMap<usize, String>,
}

/// Numbers for an accessor.
pub(super) struct Data {
    pub(super) component: Component,
    /// `VEC4`.
    pub(super) kind: String,
    pub(super) normalized: bool,
    pub(super) count: usize,
    /// Elements, tight or `stride` apart.
    pub(super) bytes: Vec<u8>,
    pub(super) stride: Option<usize>,
}

impl Data {
    /// Floats, one after the other.
    pub(super) fn floats(kind: &str, count: usize, numbers: impl Iterator<Item = f64>) -> Self {
        Self {
            component: Component::F32,
            kind: kind.to_owned(),
            normalized: false,
            count,
            bytes: numbers.flat_map(|number| (number as f32).to_le_bytes()).collect(),
            stride: None,
        }
    }
}

impl Draft {
    pub(super) fn new(doc: Doc<'_>) -> Result<Self, MendError> {
        if doc.cut {
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
        let own = |bytes: Option<Cow<'_, [u8]>>| bytes.map(|bytes| Cow::Owned(bytes.into_owned()));
        Ok(Self {
            doc: Doc {
                root: doc.root,
                buffers: doc.buffers.into_iter().map(own).collect(),
                patched: doc.patched,
                cut: doc.cut,
                work: ExaminationWork::new(&TaskProgress::default()),
            },
            claims: BTreeMap::new(),
        })
    }

    /// Somebody needs this accessor as it is.
    pub(super) fn keep(&mut self, accessor: usize) {
        self.claims.insert(accessor, String::new());
    }

    /// Puts `data` into an accessor and answers with its index: the same, or
    /// that of a new one where others need the old. `key` tells contents apart.
    pub(super) fn put(&mut self, accessor: usize, key: &str, data: Data) -> usize {
        match self.claims.get(&accessor) {
            Some(claimed) if claimed == key => return accessor,
            Some(_) => {
                let twin = self.claims.iter().find_map(|(&other, claimed)| {
                    (claimed == &format!("{accessor} {key}")).then_some(other)
                });
                if let Some(twin) = twin {
                    return twin;
                }
                let copy = self.doc.one("accessors", accessor).cloned();
                let new = push(&mut self.doc.root, "accessors", copy.unwrap_or_default());
                self.claims.insert(new, format!("{accessor} {key}"));
                self.write_accessor(new, data);
                return new;
            }
            None => {}
        }
        self.claims.insert(accessor, key.to_owned());
        self.write_accessor(accessor, data);
        accessor
    }

    /// Puts `data` into an accessor for all who use it.
    pub(super) fn write_accessor(&mut self, accessor: usize, data: Data) {
        let component = data.component.code();
        let view = self.push_view(data.bytes, data.stride);
        let Some(accessor) = self.one_mut("accessors", accessor) else {
            return;
        };
        accessor.remove("byteOffset");
        accessor.remove("sparse");
        accessor.insert("bufferView".to_owned(), json!(view));
        accessor.insert("componentType".to_owned(), json!(component));
        accessor.insert("type".to_owned(), json!(data.kind));
        accessor.insert("count".to_owned(), json!(data.count));
        if data.normalized {
            accessor.insert("normalized".to_owned(), json!(true));
        } else {
            accessor.remove("normalized");
        }
    }

    /// A new accessor for `data`.
    pub(super) fn push_accessor(&mut self, data: Data) -> usize {
        let accessor = push(&mut self.doc.root, "accessors", json!({}));
        self.write_accessor(accessor, data);
        self.keep(accessor);
        accessor
    }

    /// A new buffer view over new bytes.
    pub(super) fn push_view(&mut self, bytes: Vec<u8>, stride: Option<usize>) -> usize {
        let length = bytes.len();
        self.doc.buffers.push(Some(Cow::Owned(bytes)));
        let buffer = push(&mut self.doc.root, "buffers", json!({"byteLength": length}));
        let mut view = json!({"buffer": buffer, "byteLength": length});
        if let (Some(stride), Some(view)) = (stride, view.as_object_mut()) {
            view.insert("byteStride".to_owned(), json!(stride));
        }
        push(&mut self.doc.root, "bufferViews", view)
    }

    /// One thing of a top-level list, to be changed.
    pub(super) fn one_mut(&mut self, list: &str, index: usize) -> Option<&mut Map<String, Value>> {
        self.doc.root.get_mut(list)?.get_mut(index)?.as_object_mut()
    }

    /// The file: one buffer with all views that something uses.
    pub(super) fn write(mut self, container: Container) -> Result<Vec<u8>, MendError> {
        let bin = self.pack()?;
        let mut buffer = json!({"byteLength": bin.len()});
        if container == Container::Gltf
            && let Some(buffer) = buffer.as_object_mut()
        {
            buffer.insert("uri".to_owned(), Value::String(data_uri(&bin)));
        }
        if let Some(root) = self.doc.root.as_object_mut() {
            if bin.is_empty() {
                root.remove("buffers");
                root.remove("bufferViews");
            } else {
                root.insert("buffers".to_owned(), json!([buffer]));
            }
        }
        // Writing a value that was read cannot fail.
        let text = match container {
            Container::Gltf => serde_json::to_vec_pretty(&self.doc.root),
            Container::Glb => serde_json::to_vec(&self.doc.root),
        };
        let text = text.map_err(|_no_such_thing| MendError::Unreadable)?;
        Ok(match container {
            Container::Gltf => text,
            Container::Glb => glb_of(text, bin),
        })
    }

    /// Puts the views that are used one behind the other and renumbers them.
    fn pack(&mut self) -> Result<Vec<u8>, MendError> {
        let mut used = BTreeMap::new();
        each_view(&mut self.doc.root, &mut |view| {
            used.insert(*view, 0);
        });
        let mut bin = Vec::new();
        let mut views = Vec::new();
        for (&old, new) in &mut used {
            let Some(bytes) = view_bytes(&self.doc, old) else {
                continue;
            };
            if bin.len() + bytes.len() > MOST_BYTES {
                return Err(MendError::TooLarge(MOST_BYTES));
            }
            *new = views.len();
            let mut view = self.doc.one("bufferViews", old).cloned();
            if let Some(view) = view.as_mut().and_then(Value::as_object_mut) {
                view.insert("buffer".to_owned(), json!(0));
                view.insert("byteOffset".to_owned(), json!(bin.len()));
            }
            views.extend(view);
            bin.extend_from_slice(bytes);
            bin.resize(bin.len().next_multiple_of(4), 0);
        }
        each_view(&mut self.doc.root, &mut |view| {
            *view = used.get(view).copied().unwrap_or(*view);
        });
        if let Some(root) = self.doc.root.as_object_mut() {
            root.insert("bufferViews".to_owned(), Value::Array(views));
        }
        Ok(bin)
    }
}

/// Calls `each` with every index of a buffer view, wherever it stands. As deep
/// as the parser allows, which is bounded.
fn each_view(value: &mut Value, each: &mut dyn FnMut(&mut usize)) {
    match value {
        Value::Array(items) => {
            for item in items {
                each_view(item, each);
            }
        }
        Value::Object(entries) => {
            for (name, item) in entries {
                if name == "extras" {
                    continue;
                }
                match as_whole(item).filter(|_| name == "bufferView") {
                    Some(mut view) => {
                        each(&mut view);
                        *item = json!(view);
                    }
                    None => each_view(item, each),
                }
            }
        }
        _ => {}
    }
}

fn push(root: &mut Value, list: &str, value: Value) -> usize {
    let Some(root) = root.as_object_mut() else {
        return 0;
    };
    let list = root.entry(list).or_insert_with(|| Value::Array(Vec::new())).as_array_mut();
    list.map_or(0, |list| {
        list.push(value);
        list.len() - 1
    })
}

/// The index of an accessor that a value names, if it is there.
pub(super) fn accessor(doc: &Doc<'_>, object: &Value, name: &str) -> Option<usize> {
    let index = whole(object, name)?;
    doc.one("accessors", index).map(|_| index)
}

/// The accessors that primitives have under `name` among their attributes.
pub(super) fn attribute(doc: &Doc<'_>, name: &str) -> impl Iterator<Item = usize> {
    let attributes = doc.primitives().filter_map(|one| one.get("attributes"));
    attributes.filter_map(move |all| accessor(doc, all, name))
}

/// How the new file holds its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// `.glb`: everything in one binary file.
    Glb,
    /// `.gltf`: text, with buffers and pictures embedded.
    Gltf,
}

impl Container {
    /// By the end of a file's name; `None` for others than `.glb` and `.gltf`.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, end) = name.rsplit_once('.')?;
        if end.eq_ignore_ascii_case("glb") {
            Some(Self::Glb)
        } else if end.eq_ignore_ascii_case("gltf") {
            Some(Self::Gltf)
        } else {
            None
        }
    }
}

// What keeps a file from being mended.

/// Why there is no new file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MendError {
    /// The examination found nothing that the program can mend.
    Nothing,
    /// It cannot be read far enough.
    Unreadable,
    /// Something is nested too deeply to be copied.
    TooDeep,
    /// A buffer, or a part of it, is not there.
    Missing {
        /// JSON pointer.
        at: String,
    },
    /// An extension keeps data in a way that is not known here.
    Extension {
        /// JSON pointer.
        at: String,
    },
    /// Too much for one file: more bytes than this.
    TooLarge(usize),
    /// None of the faults could be mended soundly.
    Unsound,
    /// It was asked to stop.
    Cancelled,
}

impl From<MendError> for Diagnostic {
    fn from(error: MendError) -> Self {
        let whole = |code, title: &str| Self::said(code, title);
        let at = |pointer: String| Place::Model(ModelPlace::at(pointer));
        match error {
            MendError::Nothing => whole(
                "MEND_NOTHING",
                "there is nothing to mend that this program knows how to mend",
            ),
            MendError::Unreadable => whole(
                "MEND_UNREADABLE",
                "the file cannot be read far enough to be mended; see the errors above",
            ),
            MendError::TooDeep => {
                whole("MEND_TOO_DEEP", "something in the file is nested too deeply to be copied")
            }
            MendError::Missing { at: pointer } => {
                whole("MEND_MISSING", "its bytes are not there, so a new file would not be whole")
                    .at(at(pointer))
            }
            MendError::Extension { at: pointer } => whole(
                "MEND_EXTENSION",
                "an extension keeps data here in a way that this program cannot copy",
            )
            .at(at(pointer)),
            MendError::TooLarge(most) => Self::said(
                "MEND_TOO_LARGE",
                format!("the new file would be larger than {most} bytes"),
            ),
            MendError::Unsound => whole(
                "MEND_UNSOUND",
                "none of the faults can be mended without guessing; see their remedies",
            ),
            MendError::Cancelled => whole("CANCELLED", "mending was stopped"),
        }
    }
}

impl fmt::Display for MendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for MendError {}
