//! The file around the data: JSON, buffers and views, files beside it, trees of nodes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;

use bindpose_skin::Trs;
use glam::{Mat4, Quat, Vec3};
use gltf::json::Root;
use gltf::json::scene::Node;
use serde::Deserialize;

use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use super::json;
use crate::budget::FileBudget;
use crate::gltf_file::json::JsonText;
use crate::gltf_file::{
    ChildFaultKind, Glb, GlbChunk, MOST_BUFFER_BYTES, NodeForest, NodeLoop, UnreadExtension,
    UriTarget,
};
use crate::{ModelSource, NodeTransform};

/// The bytes of a buffer. One that cannot be had is an error for those who need
/// it.
type Buffer<'a> = Result<Cow<'a, [u8]>, GltfError>;

/// A file taken apart.
pub(super) struct GltfDocument<'a> {
    pub(super) root: Root,
    pub(super) buffers: Vec<Buffer<'a>>,
    pub(super) budget: FileBudget,
    pub(super) source: &'a ModelSource,
}

impl<'a> GltfDocument<'a> {
    pub(super) fn parse(
        source: &'a ModelSource,
        notes: &mut ReadingNotes,
    ) -> Result<Self, GltfError> {
        let beside = source.beside.values();
        let bytes = beside.fold(source.main.len(), |sum, file| sum.saturating_add(file.len()));
        let budget = FileBudget::new(bytes);
        let (text, bin) = json_and_bin(&source.main)?;
        let root = json::root(text, notes)?;
        check_version(&root)?;
        check_extension(&root, notes)?;
        Ok(Self { buffers: buffers(&root, bin, source)?, root, budget, source })
    }

    /// The bytes of a buffer view. `user` names who asks.
    pub(super) fn view(&self, index: usize, user: &dyn Display) -> Result<&[u8], GltfError> {
        let views = &self.root.buffer_views;
        let view = views
            .get(index)
            .ok_or_else(|| GltfError::dangling(user, "buffer views", views.len(), index))?;
        let buffer = self.buffers.get(view.buffer.value()).ok_or_else(|| {
            GltfError::dangling(
                format_args!("/bufferViews/{index}/buffer"),
                "buffers",
                self.buffers.len(),
                view.buffer.value(),
            )
        })?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?;
        let from = view.byte_offset.map_or(0, |offset| offset.0);
        slice(buffer, from, view.byte_length.0).ok_or_else(|| {
            GltfError::new(Kind::OutOfBounds, format_args!("/bufferViews/{index}"))
                .expected(
                    format_args!("a range within the buffer's {} bytes", buffer.len()),
                    format_args!("{} bytes from {from}", view.byte_length.0),
                )
                .help("the buffer is cut off or the view is wrong; export the file again")
        })
    }
}

/// `length` bytes from `from`, if they are all there.
pub(super) fn slice(bytes: &[u8], from: u64, length: u64) -> Option<&[u8]> {
    let from = usize::try_from(from).ok()?;
    let end = from.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(from..end)
}

/// The JSON and, of a GLB, the binary chunk.
fn json_and_bin(file: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    let Some(glb) = Glb::of(file) else {
        return Ok((file, None));
    };
    let cut = |path: &str, expected: String| {
        GltfError::new(Kind::Container, path)
            .expected(expected, format_args!("a file of {} bytes", file.len()))
            .help("the file is cut off or damaged; copy or export it again")
    };
    let header = || cut("GLB header", "12 bytes".to_owned());
    let version = glb.version.ok_or_else(header)?;
    if version == 1 {
        return Err(json::first_version("GLB header"));
    }
    if version != 2 {
        return Err(GltfError::new(Kind::Unsupported, "GLB header")
            .expected("version 2", format_args!("version {version}"))
            .help("convert the file to glTF 2.0"));
    }
    let length = glb.length.ok_or_else(header)?;
    let body = file
        .get(..length as usize)
        .ok_or_else(|| cut("GLB header", format!("a length of {length} bytes")))?;
    let content = |chunk: &GlbChunk| {
        let end = chunk.start.checked_add(chunk.length);
        end.and_then(|end| body.get(chunk.start..end)).ok_or_else(|| {
            let (length, start) = (chunk.length, chunk.start);
            cut("GLB chunk", format!("{length} bytes from {start}"))
        })
    };
    let json = glb.json().ok_or_else(|| cut("GLB chunk", "a JSON chunk first".to_owned()))?;
    // The binary chunk is the second, if there is one.
    let bin = glb.chunks.get(1).filter(|chunk| chunk.kind == *b"BIN\0");
    Ok((content(json)?, bin.map(content).transpose()?))
}

/// Relative paths of the buffers and images that a glTF file names, each once;
/// those that lead out of the model's folder are not among them. Empty where the
/// JSON cannot be read.
pub fn named_files(bytes: &[u8]) -> BTreeSet<String> {
    let json = json_and_bin(bytes).map_or(&[][..], |(json, _)| json);
    let json = JsonText::of(json).text;
    // Most files hold everything, and need not be parsed for this.
    if !json.windows(5).any(|five| five == b"\"uri\"") {
        return BTreeSet::new();
    }
    let root: NamingLists = serde_json::from_slice(json).unwrap_or_default();
    let named = root.buffers.into_iter().chain(root.images);
    named
        .filter_map(|named| match UriTarget::of_file(&named.uri?) {
            Some(UriTarget::File(path)) => Some(path),
            _ => None,
        })
        .collect()
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamingLists {
    buffers: Vec<NamedFile>,
    images: Vec<NamedFile>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedFile {
    uri: Option<String>,
}

fn check_version(root: &Root) -> Result<(), GltfError> {
    if !root.asset.version.starts_with("2.") {
        return Err(GltfError::new(Kind::Unsupported, "/asset/version")
            .expected("2.0", format_args!("“{}”", root.asset.version))
            .help("convert the file to glTF 2.0"));
    }
    Ok(())
}

/// Every buffer, or why it cannot be had. All together are kept within limits.
fn buffers<'a>(
    root: &Root,
    bin: Option<&'a [u8]>,
    source: &'a ModelSource,
) -> Result<Vec<Buffer<'a>>, GltfError> {
    let mut total = 0_usize;
    let mut buffers = Vec::new();
    for index in 0..root.buffers.len() {
        let bytes = buffer(root, index, bin, source);
        total = total.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        if total > MOST_BUFFER_BYTES {
            return Err(GltfError::new(Kind::TooLarge, format_args!("/buffers/{index}"))
                .expected(
                    format_args!("at most {} MiB in all buffers", MOST_BUFFER_BYTES >> 20),
                    format_args!("{} MiB with this", total >> 20),
                )
                .help("open a smaller model"));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn buffer<'a>(
    root: &Root,
    index: usize,
    bin: Option<&'a [u8]>,
    source: &'a ModelSource,
) -> Buffer<'a> {
    let path = format_args!("/buffers/{index}");
    let buffer = &root.buffers[index];
    let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
        (Some(uri), _) => from_uri(uri, &format_args!("{path}/uri"), source)?,
        (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
        (None, _) => {
            return Err(GltfError::missing(
                format_args!("{path}/uri"),
                "a URI, or the binary chunk of a GLB",
            )
            .help("put the .bin file beside the .gltf and name it here"));
        }
    };
    let declared = buffer.byte_length.0;
    if (bytes.len() as u64) < declared {
        return Err(GltfError::new(Kind::OutOfBounds, format_args!("{path}/byteLength"))
            .expected(format_args!("{declared} bytes"), format_args!("{} bytes", bytes.len()))
            .help("the binary part is cut off; copy or export it again"));
    }
    Ok(bytes)
}

/// The bytes behind a URI: in itself, or in a file at or below the model's own
/// folder.
pub(super) fn from_uri<'a>(
    uri: &str,
    path: &dyn Display,
    source: &'a ModelSource,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let error = |kind, expected: &str, why: &str, remedy: &str| {
        let shown: String = uri.chars().take(80).collect();
        GltfError::new(kind, path).expected(expected, format_args!("“{shown}”{why}")).help(remedy)
    };
    match UriTarget::of(uri) {
        UriTarget::Data(bytes) => Ok(Cow::Owned(bytes)),
        UriTarget::File(relative) => match source.beside(&relative) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => Err(error(
                Kind::Missing,
                "a file that can be read",
                "",
                "put the file beside the model, or open a .glb, which holds everything",
            )),
        },
        UriTarget::Elsewhere => Err(error(
            Kind::Unsupported,
            "a file in the model's own folder",
            "",
            "put the file beside the model and name it by a relative path",
        )),
        UriTarget::Broken(why) => Err(error(
            Kind::Invalid,
            "embedded data, or the name of a file",
            &format!(": {why}"),
            "the URI is damaged; export the file again",
        )),
    }
}

/// Refuses what is required and needed for the data, and is not read; notes what is used
/// and not read.
fn check_extension(root: &Root, notes: &mut ReadingNotes) -> Result<(), GltfError> {
    let not_read = |at: String, name: &str| {
        let unread = UnreadExtension::of(name)?;
        let error = GltfError::new(Kind::Unsupported, at)
            .expected("an extension that this program can read", format_args!("“{name}”"))
            .help(unread.remedy);
        Some((unread, error))
    };
    for (index, name) in root.extensions_required.iter().enumerate() {
        let at = format!("/extensionsRequired/{index}");
        if let Some((UnreadExtension { lacks: None, .. }, error)) = not_read(at, name) {
            return Err(error);
        }
    }
    for (index, name) in root.extensions_used.iter().enumerate() {
        let at = format!("/extensionsUsed/{index}");
        if let Some((unread, error)) = not_read(at, name) {
            let effect = unread.lacks.unwrap_or("the model is shown without it");
            notes.good_to_know("UNSUPPORTED_EXTENSION", error, effect);
        }
    }
    Ok(())
}

// The nodes of a file: who stands below whom, where, and which are shown.

/// The trees of all nodes.
pub(super) struct Tree {
    /// Transform of every node in its parent's frame; all finite.
    pub(super) locals: Vec<NodeTransform>,
    forest: NodeForest,
}

impl Tree {
    /// Checks that every node has one parent at most and none contains itself.
    pub(super) fn new(nodes: &[Node]) -> Result<Self, GltfError> {
        let forest = NodeForest::new(nodes.len(), |node| {
            let children = nodes[node].children.iter().flatten();
            children.map(|child| child.value())
        });
        if let Some(entry) = forest.faults.first() {
            let (parent, child) = (entry.parent, entry.child);
            let path = format!("/nodes/{parent}/children/{}", entry.place);
            return Err(match entry.kind {
                ChildFaultKind::Missing => GltfError::dangling(path, "nodes", nodes.len(), child),
                ChildFaultKind::Own => {
                    not_a_tree(path, format!("node {child} among its own children"))
                }
                ChildFaultKind::Named(first) => {
                    let found = format!("node {child} under {first} and under {parent}");
                    not_a_tree(path, found)
                }
            });
        }
        if let Some(NodeLoop { lowest, .. }) = forest.loops.first() {
            let found = format!("node {lowest} among its own ancestors");
            return Err(not_a_tree(format!("/nodes/{lowest}"), found));
        }
        let locals = nodes.iter().enumerate().map(|(at, node)| local(node, at));
        Ok(Self { locals: locals.collect::<Result<_, _>>()?, forest })
    }

    /// The node that `node` is a child of.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.forest.parent(node)
    }

    /// Every node once, parents before children.
    pub(super) fn parents_first(&self) -> impl Iterator<Item = usize> + '_ {
        self.forest.order.iter().copied()
    }

    /// `world_from_node`.
    pub(super) fn world_from_node(&self, node: usize) -> Mat4 {
        let above = self.forest.ancestors(node);
        above.fold(self.locals[node].matrix(), |product, node| self.locals[node].matrix() * product)
    }

    /// Marks these nodes and all above them.
    pub(super) fn with_ancestors(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<bool> {
        self.forest.with_ancestors(nodes)
    }
}

/// Which nodes are shown: those of the scene that the file names, of the first
/// if it names none, all if it has no scenes.
pub(super) fn shown_nodes(root: &Root, tree: &Tree, notes: &mut ReadingNotes) -> Vec<bool> {
    let count = root.nodes.len();
    let named = root.scene.map(|scene| scene.value());
    if let Some(scene) = named.filter(|&scene| scene >= root.scenes.len()) {
        let error = GltfError::dangling("/scene", "scenes", root.scenes.len(), scene);
        notes.left_out("SCENE_LEFT_OUT", error, "another scene is shown");
    }
    let scene = named.and_then(|scene| root.scenes.get(scene)).or(root.scenes.first());
    let Some(scene) = scene else {
        return vec![true; count];
    };
    let mut shown = vec![false; count];
    for root in &scene.nodes {
        if let Some(shown) = shown.get_mut(root.value()) {
            *shown = true;
        }
    }
    for node in tree.parents_first() {
        shown[node] |= tree.parent(node).is_some_and(|parent| shown[parent]);
    }
    let has_mesh = |node: usize| root.nodes[node].mesh.is_some();
    if (0..count).any(has_mesh) && !(0..count).any(|node| shown[node] && has_mesh(node)) {
        let error = GltfError::missing("/scenes", "a node with a mesh in the scene that is shown")
            .help("put the model into the scene and export it again");
        notes.left_out("EMPTY_SCENE", error, "all nodes are shown");
        return vec![true; count];
    }
    shown
}

/// As stored; a rotation is made a unit quaternion.
fn local(node: &Node, index: usize) -> Result<NodeTransform, GltfError> {
    let finite = |key: &str, numbers: &[f32]| {
        if numbers.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(GltfError::new(Kind::Invalid, format_args!("/nodes/{index}/{key}"))
            .expected("finite numbers", "numbers too large for 32-bit floats"))
    };
    if let Some(matrix) = &node.matrix {
        finite("matrix", matrix)?;
        let mut matrix = Mat4::from_cols_array(matrix);
        // The last row of an affine matrix says nothing.
        for column in 0..4 {
            matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
        }
        return Ok(NodeTransform::Matrix(matrix));
    }
    let translation = node.translation.unwrap_or_default();
    let scale = node.scale.unwrap_or([1.0; 3]);
    let rotation = node.rotation.map_or(Quat::IDENTITY.to_array(), |rotation| rotation.0);
    finite("translation", &translation)?;
    finite("scale", &scale)?;
    finite("rotation", &rotation)?;
    Ok(NodeTransform::Trs(Trs {
        translation: Vec3::from_array(translation),
        rotation: unit(Quat::from_array(rotation)),
        scale: Vec3::from_array(scale),
    }))
}

/// Of unit length; no rotation where there is no direction.
fn unit(rotation: Quat) -> Quat {
    let wide = rotation.as_dquat();
    if wide.length() > 1e-12 { wide.normalize().as_quat() } else { Quat::IDENTITY }
}

fn not_a_tree(path: String, found: String) -> GltfError {
    GltfError::new(Kind::NotATree, path)
        .expected("nodes that form trees", found)
        .help("the hierarchy is damaged; export the file again")
}
