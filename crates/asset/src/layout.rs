//! A glTF file laid open: which bytes each accessor is made of, and what it is
//! for. The reader trusts nothing and keeps what it needs; this keeps what
//! there is to see.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use gltf::json::Root;
use gltf::json::accessor::Accessor;
use gltf::json::animation::Property;
use gltf::json::buffer;
use gltf::json::validation::{Checked, USize64};

use super::gltf_file::{Component, ElementFormat, Glb, UriTarget};
use super::{ModelSource, RigOrigin};

/// Where everything lies in a file and the files beside it.
#[derive(Clone, Debug)]
pub struct FileLayout {
    /// `None`: the file is JSON alone.
    pub glb: Option<Glb>,
    /// Where the JSON stands in the file.
    pub json: Range<usize>,
    /// In the file's order, as the accessors and views below.
    pub buffers: Vec<BufferLayout>,
    /// See [`FileLayout::buffers`].
    pub views: Vec<ViewLayout>,
    /// See [`FileLayout::buffers`].
    pub accessors: Vec<AccessorLayout>,
    /// Of all meshes, in order.
    pub primitives: Vec<PrimitiveLayout>,
    /// The accessor with the inverse bind matrices of each skin.
    pub inverse_binds: Vec<Option<usize>>,
}

/// A run of bytes that views cut pieces from.
#[derive(Clone, Debug)]
pub struct BufferLayout {
    /// Where its bytes are kept.
    pub place: BufferPlace,
    /// As the JSON says.
    pub byte_length: usize,
    data: Arc<[u8]>,
    range: Range<usize>,
}

/// Where the bytes of a buffer are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BufferPlace {
    /// The binary chunk of a GLB.
    Chunk,
    /// A file beside the model, by relative path.
    Beside(String),
    /// Base64 within the JSON.
    Embedded,
    /// Nowhere that we know of.
    Missing,
}

/// A piece of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLayout {
    /// Which buffer.
    pub buffer: usize,
    /// `None`: not written, which means 0.
    pub byte_offset: Option<usize>,
    /// In bytes.
    pub byte_length: usize,
    /// `None`: not written, which means that elements follow each other.
    pub byte_stride: Option<usize>,
}

/// A list of elements of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessorLayout {
    /// `None`: all zeros.
    pub view: Option<usize>,
    /// `None`: not written, which means 0.
    pub byte_offset: Option<usize>,
    /// How an element lies in its bytes.
    pub format: ElementFormat,
    /// How many elements.
    pub count: usize,
    /// Whole numbers stand for fractions.
    pub normalized: bool,
    /// Elements that are replaced.
    pub sparse: Option<SparseLayout>,
    /// What it is used as, for people: `POSITION of mesh 0`.
    pub uses: Vec<String>,
}

/// Elements that replace some of an accessor's.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseLayout {
    /// The view with the numbers of the elements.
    pub indices_view: usize,
    /// The view with their new values, and an offset into it.
    pub values: (usize, usize),
    /// Which elements, in the order of their values.
    pub indices: Vec<u32>,
}

/// Attributes of a primitive, by semantic.
#[derive(Clone, Debug, PartialEq)]
pub struct PrimitiveLayout {
    /// Index of its mesh.
    pub mesh: usize,
    /// Its index in the mesh.
    pub primitive: usize,
    /// Semantic and accessor.
    pub attributes: BTreeMap<String, usize>,
}

/// Bytes of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementPlace {
    /// Which buffer.
    pub buffer: usize,
    /// Offset of its first byte in the buffer.
    pub start: usize,
    /// In bytes.
    pub size: usize,
    /// Comes from the sparse part.
    pub sparse: bool,
}

impl BufferLayout {
    /// As stored.
    pub fn bytes(&self) -> &[u8] {
        self.data.get(self.range.clone()).unwrap_or_default()
    }

    /// Where the buffer begins in the file that holds it.
    pub fn start(&self) -> usize {
        self.range.start
    }
}

impl FileLayout {
    /// Takes a file apart; `None` when it is not glTF.
    pub fn from_source(source: &ModelSource) -> Option<Self> {
        let main = &source.main;
        let glb = Glb::of(main);
        let json = match &glb {
            Some(glb) => glb.json()?.range(main.len()),
            None => 0..main.len(),
        };
        let root = super::gltf::root(main.get(json.clone())?)?;
        let views: Vec<ViewLayout> = root.buffer_views.iter().map(view).collect();
        let buffers: Vec<BufferLayout> =
            root.buffers.iter().map(|stored| buffer(stored, source, glb.as_ref())).collect();
        let mut accessors = Vec::new();
        for stored in &root.accessors {
            accessors.push(accessor(stored, &views, &buffers)?);
        }
        name_uses(&root, &mut accessors);
        Some(Self {
            glb,
            json,
            buffers,
            views,
            accessors,
            primitives: primitives(&root),
            inverse_binds: root
                .skins
                .iter()
                .map(|skin| skin.inverse_bind_matrices.map(|accessor| accessor.value()))
                .collect(),
        })
    }

    /// The layout of a rig's file, taken apart once and kept for a while.
    pub fn of_origin(origin: &Arc<RigOrigin>) -> Option<Arc<Self>> {
        const KEPT: usize = 4;
        static LAYOUTS: Mutex<Layouts> = Mutex::new(VecDeque::new());
        let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, layout)) = layouts.iter().find(|(other, _)| Arc::ptr_eq(other, origin)) {
            return layout.clone();
        }
        let layout = Self::from_source(&origin.source).map(Arc::new);
        layouts.push_front((Arc::clone(origin), layout.clone()));
        layouts.truncate(KEPT);
        layout
    }

    /// From one element to the next, in bytes: what the view says, or, without
    /// that or if it is ignored, the size of an element.
    pub fn stride(&self, accessor: &AccessorLayout, ignore_stride: bool) -> usize {
        let stored = accessor.view.and_then(|view| self.views.get(view)?.byte_stride);
        stored.filter(|_| !ignore_stride).unwrap_or(accessor.format.size())
    }

    /// Where an element lies; `None` when there is no such element or it has no
    /// bytes.
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

type Layouts = VecDeque<(Arc<RigOrigin>, Option<Arc<FileLayout>>)>;

fn view(stored: &buffer::View) -> ViewLayout {
    ViewLayout {
        buffer: stored.buffer.value(),
        byte_offset: stored.byte_offset.map(size),
        byte_length: size(stored.byte_length),
        byte_stride: stored.byte_stride.map(|stride| stride.0),
    }
}

/// More than fits is more than there is.
fn size(stored: USize64) -> usize {
    usize::try_from(stored.0).unwrap_or(usize::MAX)
}

fn buffer(stored: &buffer::Buffer, source: &ModelSource, glb: Option<&Glb>) -> BufferLayout {
    let whole = |place, data: Arc<[u8]>| BufferLayout {
        place,
        byte_length: size(stored.byte_length),
        range: 0..data.len(),
        data,
    };
    let Some(uri) = &stored.uri else {
        return match glb.and_then(Glb::bin) {
            Some(chunk) => BufferLayout {
                place: BufferPlace::Chunk,
                byte_length: size(stored.byte_length),
                data: Arc::clone(&source.main),
                range: chunk.range(source.main.len()),
            },
            None => whole(BufferPlace::Missing, Arc::from([])),
        };
    };
    match UriTarget::of(uri) {
        UriTarget::Data(bytes) => whole(BufferPlace::Embedded, bytes.into()),
        UriTarget::File(path) => match source.beside(&path) {
            Some(bytes) => whole(BufferPlace::Beside(path), Arc::clone(bytes)),
            None => whole(BufferPlace::Missing, Arc::from([])),
        },
        UriTarget::Elsewhere | UriTarget::Broken(_) => whole(BufferPlace::Missing, Arc::from([])),
    }
}

fn accessor(
    stored: &Accessor,
    views: &[ViewLayout],
    buffers: &[BufferLayout],
) -> Option<AccessorLayout> {
    let sparse = stored.sparse.as_ref().and_then(|sparse| {
        let indices = &sparse.indices;
        let indices_view = indices.buffer_view.value();
        let view = views.get(indices_view)?;
        let Checked::Valid(component) = indices.component_type else {
            return None;
        };
        let component = Component::from_code(component.0.as_gl_enum())?;
        let from = view.byte_offset.unwrap_or(0);
        let from = from.checked_add(size(indices.byte_offset))?;
        let length = size(sparse.count).checked_mul(component.size())?;
        let bytes = buffers.get(view.buffer)?.bytes();
        let bytes = bytes.get(from..from.checked_add(length)?)?;
        let values = &sparse.values;
        Some(SparseLayout {
            indices_view,
            values: (values.buffer_view.value(), size(values.byte_offset)),
            indices: bytes
                .chunks_exact(component.size())
                .map(|index| component.decode(index, false) as u32)
                .collect(),
        })
    });
    Some(AccessorLayout {
        view: stored.buffer_view.map(|view| view.value()),
        byte_offset: stored.byte_offset.map(size),
        format: super::gltf::format_of(stored)?,
        count: size(stored.count),
        normalized: stored.normalized,
        sparse,
        uses: Vec::new(),
    })
}

/// Says of each accessor what it is used as.
fn name_uses(root: &Root, accessors: &mut [AccessorLayout]) {
    let mut note = |accessor: usize, words: String| {
        if let Some(accessor) = accessors.get_mut(accessor)
            && !accessor.uses.contains(&words)
        {
            accessor.uses.push(words);
        }
    };
    for (index, mesh) in root.meshes.iter().enumerate() {
        let several = mesh.primitives.len() > 1;
        for (nth, primitive) in mesh.primitives.iter().enumerate() {
            for (semantic, accessor) in &primitive.attributes {
                let semantic = semantic.to_string();
                note(accessor.value(), format!("{semantic} of mesh {index}"));
            }
            for (target, stored) in primitive.targets.iter().flatten().enumerate() {
                for (semantic, accessor) in [
                    ("POSITION", &stored.positions),
                    ("NORMAL", &stored.normals),
                    ("TANGENT", &stored.tangents),
                ] {
                    if let Some(accessor) = accessor {
                        let words = format!("{semantic} of mesh {index}, target {target}");
                        note(accessor.value(), words);
                    }
                }
            }
            if let Some(accessor) = primitive.indices {
                let which = if several { format!(", primitive {nth}") } else { String::new() };
                note(accessor.value(), format!("indices of mesh {index}{which}"));
            }
        }
    }
    for (index, skin) in root.skins.iter().enumerate() {
        if let Some(accessor) = skin.inverse_bind_matrices {
            let words = format!("inverse bind matrices of skin {index}");
            note(accessor.value(), words);
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
                note(sampler.input.value(), format!("times of animation {index}"));
                let words = format!("{path} keys of animation {index}");
                note(sampler.output.value(), words);
            }
        }
    }
}

fn primitives(root: &Root) -> Vec<PrimitiveLayout> {
    let meshes = root.meshes.iter().enumerate();
    meshes
        .flat_map(|(mesh, stored)| {
            let primitives = stored.primitives.iter().enumerate();
            primitives.map(move |(primitive, stored)| PrimitiveLayout {
                mesh,
                primitive,
                attributes: stored
                    .attributes
                    .iter()
                    .map(|(semantic, accessor)| (semantic.to_string(), accessor.value()))
                    .collect(),
            })
        })
        .collect()
}
