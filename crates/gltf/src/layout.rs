//! Byte layout of a glTF file: the location of each accessor's elements, and the uses of
//! each accessor. The reader validates everything and keeps only what a rig needs. The
//! layout keeps all that can be shown of a file.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use gltf::json::Root;
use gltf::json::accessor::Accessor;
use gltf::json::accessor::sparse::Sparse;
use gltf::json::animation::Property;
use gltf::json::buffer;
use gltf::json::validation::{Checked, USize64};

use super::gltf_file::{Component, ElementFormat, Glb, UriTarget};
use super::{ModelSource, RigOrigin};

/// Byte layout of a glTF file and the files beside it.
#[derive(Clone, Debug)]
pub struct FileLayout {
    /// Chunks of the file. `None` if the file consists of JSON only.
    pub glb: Option<Glb>,
    /// Byte range of the JSON in the file.
    pub json: Range<usize>,
    /// Buffers, in the file's order.
    pub buffers: Vec<BufferLayout>,
    /// Buffer views, in the file's order.
    pub views: Vec<ViewLayout>,
    /// Accessors, in the file's order.
    pub accessors: Vec<AccessorLayout>,
    /// Primitives of all meshes, in the file's order.
    pub primitives: Vec<PrimitiveLayout>,
    /// Accessor of the inverse bind matrices of each skin. `None` for skins without.
    pub inverse_binds: Vec<Option<usize>>,
}

/// A buffer: a run of bytes that buffer views are slices of.
#[derive(Clone, Debug)]
pub struct BufferLayout {
    /// Storage of the buffer's bytes.
    pub place: BufferPlace,
    /// Length in bytes as declared in the JSON.
    pub byte_length: usize,
    /// File that holds the buffer.
    data: Arc<[u8]>,
    /// Byte range of the buffer in `data`.
    range: Range<usize>,
}

/// Storage of a buffer's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferPlace {
    /// The binary chunk of a GLB.
    Chunk,
    /// A file beside the model, by relative path.
    Beside(String),
    /// A data URI in the JSON.
    Embedded,
    /// Absent: the file is missing or the URI cannot be resolved.
    Missing,
}

/// A buffer view: a slice of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLayout {
    /// Index of the buffer.
    pub buffer: usize,
    /// Offset in the buffer, in bytes. `None` if not written, which means 0.
    pub byte_offset: Option<usize>,
    /// Length of the slice, in bytes.
    pub byte_length: usize,
    /// Distance between elements, in bytes. `None` if not written, which means that elements
    /// are tightly packed.
    pub byte_stride: Option<usize>,
}

/// An accessor: a list of elements of one format.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessorLayout {
    /// Index of the buffer view. `None` if all elements are zero.
    pub view: Option<usize>,
    /// Offset in the view, in bytes. `None` if not written, which means 0.
    pub byte_offset: Option<usize>,
    /// Encoding of one element.
    pub format: ElementFormat,
    /// Number of elements.
    pub count: usize,
    /// Whether integers represent fractions of their largest value.
    pub normalized: bool,
    /// Elements that replace some of the others.
    pub sparse: Option<SparseLayout>,
    /// Uses of the accessor, as shown to the user: `POSITION of mesh 0`.
    pub uses: Vec<String>,
}

/// The sparse part of an accessor: elements that replace some of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseLayout {
    /// Index of the view with the indices of the replaced elements.
    pub indices_view: usize,
    /// Index of the view with the new values, and the byte offset in it.
    pub values: (usize, usize),
    /// Indices of the replaced elements, in the order of the values.
    pub indices: Vec<u32>,
}

/// Attributes of a primitive, by semantic.
#[derive(Clone, Debug, PartialEq)]
pub struct PrimitiveLayout {
    /// Index of the mesh in the file.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Index of the accessor of each attribute semantic.
    pub attributes: BTreeMap<String, usize>,
}

/// Location of one element in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementPlace {
    /// Index of the buffer.
    pub buffer: usize,
    /// Offset of its first byte in the buffer.
    pub start: usize,
    /// Size of the element in bytes.
    pub size: usize,
    /// Whether the element is part of the sparse values.
    pub sparse: bool,
}

impl BufferLayout {
    /// Returns the bytes as stored. Empty if the buffer is missing.
    pub fn bytes(&self) -> &[u8] {
        self.data.get(self.range.clone()).unwrap_or_default()
    }

    /// Returns the offset of the buffer in the file that holds it.
    pub fn start(&self) -> usize {
        self.range.start
    }
}

impl FileLayout {
    /// Parses the layout of a file. Returns `None` if the file is not valid glTF.
    pub fn from_source(source: &ModelSource) -> Option<Self> {
        let main = &source.main;
        let glb = Glb::of(main);
        let json = match &glb {
            Some(glb) => glb.json()?.range(main.len()),
            None => 0..main.len(),
        };
        let root = super::gltf::root(main.get(json.clone())?)?;
        let views: Vec<ViewLayout> = root.buffer_views.iter().map(view_layout).collect();
        let buffers: Vec<BufferLayout> =
            root.buffers.iter().map(|stored| buffer_layout(stored, source, glb.as_ref())).collect();
        let mut accessors = Vec::new();
        for stored in &root.accessors {
            accessors.push(accessor_layout(stored, &views, &buffers)?);
        }
        add_uses(&root, &mut accessors);
        Some(Self {
            glb,
            json,
            buffers,
            views,
            accessors,
            primitives: primitive_layouts(&root),
            inverse_binds: root
                .skins
                .iter()
                .map(|skin| skin.inverse_bind_matrices.map(|accessor| accessor.value()))
                .collect(),
        })
    }

    /// Returns the layout of a rig's file. The layouts of the last few files are cached.
    /// Returns `None` if the file is not valid glTF.
    pub fn of_origin(origin: &Arc<RigOrigin>) -> Option<Arc<Self>> {
        const MAX_CACHED_LAYOUTS: usize = 4;
        type CachedLayout = (Arc<RigOrigin>, Option<Arc<FileLayout>>);
        static CACHE: Mutex<VecDeque<CachedLayout>> = Mutex::new(VecDeque::new());
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, layout)) = cache.iter().find(|(other, _)| Arc::ptr_eq(other, origin)) {
            return layout.clone();
        }
        let layout = Self::from_source(&origin.source).map(Arc::new);
        cache.push_front((Arc::clone(origin), layout.clone()));
        cache.truncate(MAX_CACHED_LAYOUTS);
        layout
    }

    /// Returns the distance between two elements in bytes: the stride of the view, or the
    /// size of an element if the view has none or `ignore_stride` is set.
    pub fn stride(&self, accessor: &AccessorLayout, ignore_stride: bool) -> usize {
        let stored = accessor.view.and_then(|view| self.views.get(view)?.byte_stride);
        stored.filter(|_| !ignore_stride).unwrap_or(accessor.format.size())
    }

    /// Locates an element. Returns `None` if there is no such element, or if the accessor
    /// has no bytes for it.
    pub fn element(
        &self,
        accessor: usize,
        index: usize,
        ignore_stride: bool,
    ) -> Option<ElementPlace> {
        let accessor = self.accessors.get(accessor)?;
        if index >= accessor.count {
            return None;
        }
        let size = accessor.format.size();
        let replaced = accessor.sparse.as_ref().and_then(|sparse| {
            let place = sparse.indices.iter().position(|&i| i as usize == index)?;
            let (view, offset) = sparse.values;
            Some((view, offset.checked_add(place.checked_mul(size)?)?))
        });
        let (view, from_view) = if let Some(replaced) = replaced {
            replaced
        } else {
            let offset = accessor.byte_offset.unwrap_or(0);
            let stride = self.stride(accessor, ignore_stride);
            (accessor.view?, offset.checked_add(index.checked_mul(stride)?)?)
        };
        let view = self.views.get(view)?;
        let start = view.byte_offset.unwrap_or(0).checked_add(from_view)?;
        let end = start.checked_add(size)?;
        self.buffers.get(view.buffer)?.bytes().get(start..end)?;
        Some(ElementPlace { buffer: view.buffer, start, size, sparse: replaced.is_some() })
    }
}

fn view_layout(stored: &buffer::View) -> ViewLayout {
    ViewLayout {
        buffer: stored.buffer.value(),
        byte_offset: stored.byte_offset.map(to_usize),
        byte_length: to_usize(stored.byte_length),
        byte_stride: stored.byte_stride.map(|stride| stride.0),
    }
}

/// Saturates on 32-bit platforms, where such a size exceeds any buffer.
fn to_usize(size: USize64) -> usize {
    usize::try_from(size.0).unwrap_or(usize::MAX)
}

fn buffer_layout(stored: &buffer::Buffer, source: &ModelSource, glb: Option<&Glb>) -> BufferLayout {
    let missing = || (BufferPlace::Missing, Arc::from([]));
    let (place, data) = match &stored.uri {
        None => match glb.and_then(Glb::bin) {
            Some(chunk) => {
                return BufferLayout {
                    place: BufferPlace::Chunk,
                    byte_length: to_usize(stored.byte_length),
                    data: Arc::clone(&source.main),
                    range: chunk.range(source.main.len()),
                };
            }
            None => missing(),
        },
        Some(uri) => match UriTarget::of(uri) {
            UriTarget::Data(bytes) => (BufferPlace::Embedded, bytes.into()),
            UriTarget::File(path) => match source.beside(&path) {
                Some(bytes) => (BufferPlace::Beside(path), Arc::clone(bytes)),
                None => missing(),
            },
            UriTarget::Elsewhere | UriTarget::Broken(_) => missing(),
        },
    };
    let byte_length = to_usize(stored.byte_length);
    BufferLayout { place, byte_length, range: 0..data.len(), data }
}

fn accessor_layout(
    stored: &Accessor,
    views: &[ViewLayout],
    buffers: &[BufferLayout],
) -> Option<AccessorLayout> {
    Some(AccessorLayout {
        view: stored.buffer_view.map(|view| view.value()),
        byte_offset: stored.byte_offset.map(to_usize),
        format: super::gltf::format_of(stored)?,
        count: to_usize(stored.count),
        normalized: stored.normalized,
        sparse: stored.sparse.as_ref().and_then(|sparse| sparse_layout(sparse, views, buffers)),
        uses: Vec::new(),
    })
}

fn sparse_layout(
    stored: &Sparse,
    views: &[ViewLayout],
    buffers: &[BufferLayout],
) -> Option<SparseLayout> {
    let indices_view = stored.indices.buffer_view.value();
    let view = views.get(indices_view)?;
    let Checked::Valid(component) = stored.indices.component_type else {
        return None;
    };
    let component = Component::from_code(component.0.as_gl_enum())?;
    let offset_in_view = to_usize(stored.indices.byte_offset);
    let start = view.byte_offset.unwrap_or(0).checked_add(offset_in_view)?;
    let length = to_usize(stored.count).checked_mul(component.size())?;
    let buffer = buffers.get(view.buffer)?.bytes();
    let bytes = buffer.get(start..start.checked_add(length)?)?;
    Some(SparseLayout {
        indices_view,
        values: (stored.values.buffer_view.value(), to_usize(stored.values.byte_offset)),
        indices: bytes
            .chunks_exact(component.size())
            .map(|index| component.decode(index, false) as u32)
            .collect(),
    })
}

/// Fills in [`AccessorLayout::uses`] of all accessors.
fn add_uses(root: &Root, accessors: &mut [AccessorLayout]) {
    let mut add = |accessor: usize, text: String| {
        if let Some(accessor) = accessors.get_mut(accessor)
            && !accessor.uses.contains(&text)
        {
            accessor.uses.push(text);
        }
    };
    for (index, mesh) in root.meshes.iter().enumerate() {
        let has_several = mesh.primitives.len() > 1;
        for (primitive_index, primitive) in mesh.primitives.iter().enumerate() {
            for (semantic, accessor) in &primitive.attributes {
                let semantic = semantic.to_string();
                add(accessor.value(), format!("{semantic} of mesh {index}"));
            }
            for (target, stored) in primitive.targets.iter().flatten().enumerate() {
                for (semantic, accessor) in [
                    ("POSITION", &stored.positions),
                    ("NORMAL", &stored.normals),
                    ("TANGENT", &stored.tangents),
                ] {
                    if let Some(accessor) = accessor {
                        let text = format!("{semantic} of mesh {index}, target {target}");
                        add(accessor.value(), text);
                    }
                }
            }
            if let Some(accessor) = primitive.indices {
                let suffix = if has_several {
                    format!(", primitive {primitive_index}")
                } else {
                    String::new()
                };
                add(accessor.value(), format!("indices of mesh {index}{suffix}"));
            }
        }
    }
    for (index, skin) in root.skins.iter().enumerate() {
        if let Some(accessor) = skin.inverse_bind_matrices {
            add(accessor.value(), format!("inverse bind matrices of skin {index}"));
        }
    }
    for (index, animation) in root.animations.iter().enumerate() {
        for channel in &animation.channels {
            if let Some(sampler) = animation.samplers.get(channel.sampler.value()) {
                let path = match channel.target.path {
                    Checked::Valid(Property::Translation) => "translation",
                    Checked::Valid(Property::Rotation) => "rotation",
                    Checked::Valid(Property::Scale) => "scale",
                    Checked::Valid(Property::MorphTargetWeights) => "weights",
                    Checked::Invalid => "unknown",
                };
                add(sampler.input.value(), format!("times of animation {index}"));
                add(sampler.output.value(), format!("{path} keys of animation {index}"));
            }
        }
    }
}

fn primitive_layouts(root: &Root) -> Vec<PrimitiveLayout> {
    let mut layouts = Vec::new();
    for (mesh, stored) in root.meshes.iter().enumerate() {
        for (primitive, stored) in stored.primitives.iter().enumerate() {
            layouts.push(PrimitiveLayout {
                mesh,
                primitive,
                attributes: stored
                    .attributes
                    .iter()
                    .map(|(semantic, accessor)| (semantic.to_string(), accessor.value()))
                    .collect(),
            });
        }
    }
    layouts
}
