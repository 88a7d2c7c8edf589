//! The structure of a glTF file: JSON, buffers and their views, referenced files, and the
//! node hierarchy.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::Trs;
use glam::{Mat4, Quat, Vec3};
use gltf::json::Root;
use gltf::json::scene::Node;
use serde::Deserialize;

use super::error::{ReadingNotes, dangling, gltf_error, missing};
use super::json;
use crate::budget::FileBudget;
use crate::gltf_file::json::JsonText;
use crate::gltf_file::{
    ChildFaultKind, Glb, GlbChunk, MAX_BUFFER_BYTES, NodeForest, NodeLoop, UnreadExtension,
    UriTarget,
};
use crate::read_error::code;
use crate::{ModelSource, NodeTransform};

/// Bytes of a buffer. A missing buffer is an error only when it is used.
type LoadedBuffer<'a> = Result<Cow<'a, [u8]>, Diagnostic>;

pub(super) struct GltfDocument<'a> {
    pub(super) root: Root,
    pub(super) buffers: Vec<LoadedBuffer<'a>>,
    pub(super) budget: FileBudget,
    pub(super) source: &'a ModelSource,
}

impl<'a> GltfDocument<'a> {
    pub(super) fn parse(
        source: &'a ModelSource,
        notes: &mut ReadingNotes,
    ) -> Result<Self, Diagnostic> {
        let mut source_bytes = source.main.len();
        for file in source.beside.values() {
            source_bytes = source_bytes.saturating_add(file.len());
        }
        let budget = FileBudget::new(source_bytes);
        let (text, bin) = json_and_bin(&source.main)?;
        let root = json::root(text, notes)?;
        check_version(&root)?;
        check_extensions(&root, notes)?;
        Ok(Self { buffers: load_buffers(&root, bin, source)?, root, budget, source })
    }

    /// Returns the bytes of a buffer view. `user` is the JSON pointer of the reference to it.
    pub(super) fn view(&self, index: usize, user: &dyn Display) -> Result<&[u8], Diagnostic> {
        let views = &self.root.buffer_views;
        let view =
            views.get(index).ok_or_else(|| dangling(user, "buffer views", views.len(), index))?;
        let buffer = self
            .buffers
            .get(view.buffer.value())
            .ok_or_else(|| {
                dangling(
                    format_args!("/bufferViews/{index}/buffer"),
                    "buffers",
                    self.buffers.len(),
                    view.buffer.value(),
                )
            })?
            .as_ref()
            .map_err(Clone::clone)?;
        let offset = view.byte_offset.map_or(0, |offset| offset.0);
        slice(buffer, offset, view.byte_length.0).ok_or_else(|| {
            gltf_error(
                code::GLTF_OUT_OF_BOUNDS,
                format_args!("/bufferViews/{index}"),
                format_args!("a range within the buffer's {} bytes", buffer.len()),
                format_args!("{} bytes from {offset}", view.byte_length.0),
            )
            .help("the buffer is cut off or the view is wrong; export the file again")
        })
    }
}

/// Returns `length` bytes from `start`. Returns `None` if they are not all there.
pub(super) fn slice(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(start..end)
}

/// Splits a file into the JSON and the binary chunk of a GLB, if any.
fn json_and_bin(file: &[u8]) -> Result<(&[u8], Option<&[u8]>), Diagnostic> {
    let Some(glb) = Glb::of(file) else {
        return Ok((file, None));
    };
    let Some(version) = glb.version else {
        return Err(damaged_container(file, "GLB header", "12 bytes"));
    };
    if version == 1 {
        return Err(json::unsupported_version_1("GLB header"));
    }
    if version != 2 {
        return Err(gltf_error(
            code::GLTF_UNSUPPORTED,
            "GLB header",
            "version 2",
            format_args!("version {version}"),
        )
        .help("convert the file to glTF 2.0"));
    }
    let Some(length) = glb.length else {
        return Err(damaged_container(file, "GLB header", "12 bytes"));
    };
    // The header may declare less than the whole file.
    let declared = file.get(..length as usize).ok_or_else(|| {
        damaged_container(file, "GLB header", format_args!("a length of {length} bytes"))
    })?;
    let json_chunk =
        glb.json().ok_or_else(|| damaged_container(file, "GLB chunk", "a JSON chunk first"))?;
    let json = chunk_content(file, declared, json_chunk)?;
    let bin = match glb.chunks.get(1) {
        Some(chunk) if chunk.kind == *b"BIN\0" => Some(chunk_content(file, declared, chunk)?),
        _ => None,
    };
    Ok((json, bin))
}

/// Returns the content of a chunk, which must end within the `declared` part of the file.
fn chunk_content<'a>(
    file: &[u8],
    declared: &'a [u8],
    chunk: &GlbChunk,
) -> Result<&'a [u8], Diagnostic> {
    let GlbChunk { start, length, .. } = *chunk;
    start.checked_add(length).and_then(|end| declared.get(start..end)).ok_or_else(|| {
        damaged_container(file, "GLB chunk", format_args!("{length} bytes from {start}"))
    })
}

fn damaged_container(file: &[u8], path: &str, expected: impl Display) -> Diagnostic {
    gltf_error(code::GLTF_CONTAINER, path, expected, format_args!("a file of {} bytes", file.len()))
        .help("the file is cut off or damaged; copy or export it again")
}

/// Returns the relative paths of the buffers and images that a glTF file references. Files
/// outside of the model's folder are left out. Empty if the JSON cannot be parsed.
pub fn named_files(bytes: &[u8]) -> BTreeSet<String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct FileReferences {
        buffers: Vec<FileReference>,
        images: Vec<FileReference>,
    }

    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct FileReference {
        uri: Option<String>,
    }

    let Ok((json, _)) = json_and_bin(bytes) else { return BTreeSet::new() };
    let json = JsonText::of(json).text;
    // Most files reference no others. A search is faster than parsing them.
    if !json.windows(5).any(|window| window == b"\"uri\"") {
        return BTreeSet::new();
    }
    let references: FileReferences = serde_json::from_slice(json).unwrap_or_default();
    references
        .buffers
        .into_iter()
        .chain(references.images)
        .filter_map(|reference| match UriTarget::of_file(&reference.uri?) {
            Some(UriTarget::File(path)) => Some(path),
            _ => None,
        })
        .collect()
}

fn check_version(root: &Root) -> Result<(), Diagnostic> {
    if !root.asset.version.starts_with("2.") {
        return Err(gltf_error(
            code::GLTF_UNSUPPORTED,
            "/asset/version",
            "2.0",
            format_args!("“{}”", root.asset.version),
        )
        .help("convert the file to glTF 2.0"));
    }
    Ok(())
}

/// Loads all buffers, each with its own error. Returns an error if they are too large together.
fn load_buffers<'a>(
    root: &Root,
    bin: Option<&'a [u8]>,
    source: &'a ModelSource,
) -> Result<Vec<LoadedBuffer<'a>>, Diagnostic> {
    let mut total = 0_usize;
    let mut buffers = Vec::new();
    for index in 0..root.buffers.len() {
        let bytes = load_buffer(root, index, bin, source);
        total = total.saturating_add(bytes.as_ref().map_or(0, |bytes| bytes.len()));
        if total > MAX_BUFFER_BYTES {
            return Err(gltf_error(
                code::GLTF_TOO_LARGE,
                format_args!("/buffers/{index}"),
                format_args!("at most {} MiB in all buffers", MAX_BUFFER_BYTES >> 20),
                format_args!("{} MiB with this", total >> 20),
            )
            .help("open a smaller model"));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn load_buffer<'a>(
    root: &Root,
    index: usize,
    bin: Option<&'a [u8]>,
    source: &'a ModelSource,
) -> LoadedBuffer<'a> {
    let path = format_args!("/buffers/{index}");
    let buffer = &root.buffers[index];
    let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
        (Some(uri), _) => load_uri(uri, &format_args!("{path}/uri"), source)?,
        (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
        (None, _) => {
            return Err(missing(format_args!("{path}/uri"), "a URI, or the binary chunk of a GLB")
                .help("put the .bin file beside the .gltf and name it here"));
        }
    };
    let declared = buffer.byte_length.0;
    if (bytes.len() as u64) < declared {
        return Err(gltf_error(
            code::GLTF_OUT_OF_BOUNDS,
            format_args!("{path}/byteLength"),
            format_args!("{declared} bytes"),
            format_args!("{} bytes", bytes.len()),
        )
        .help("the binary part is cut off; copy or export it again"));
    }
    Ok(bytes)
}

/// Returns the bytes behind a URI: embedded data, or a file in the model's folder or below it.
/// `path` is the JSON pointer of the URI.
pub(super) fn load_uri<'a>(
    uri: &str,
    path: &dyn Display,
    source: &'a ModelSource,
) -> Result<Cow<'a, [u8]>, Diagnostic> {
    let target = UriTarget::of(uri);
    let shown: String = uri.chars().take(80).collect();
    match target {
        UriTarget::Data(bytes) => Ok(Cow::Owned(bytes)),
        UriTarget::File(relative) => match source.beside(&relative) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => Err(gltf_error(
                code::GLTF_MISSING,
                path,
                "a file that can be read",
                format_args!("“{shown}”"),
            )
            .help("put the file beside the model, or open a .glb, which holds everything")),
        },
        UriTarget::Elsewhere => Err(gltf_error(
            code::GLTF_UNSUPPORTED,
            path,
            "a file in the model's own folder",
            format_args!("“{shown}”"),
        )
        .help("put the file beside the model and name it by a relative path")),
        UriTarget::Broken(reason) => Err(gltf_error(
            code::GLTF_INVALID,
            path,
            "embedded data, or the name of a file",
            format_args!("“{shown}”: {reason}"),
        )
        .help("the URI is damaged; export the file again")),
    }
}

/// Rejects files that require an unsupported extension for their data. Notes all other
/// unsupported extensions.
fn check_extensions(root: &Root, notes: &mut ReadingNotes) -> Result<(), Diagnostic> {
    for (index, name) in root.extensions_required.iter().enumerate() {
        if let Some(unread) = UnreadExtension::of(name)
            && unread.lacks.is_none()
        {
            let path = format_args!("/extensionsRequired/{index}");
            return Err(unsupported_extension(path, name, unread));
        }
    }
    for (index, name) in root.extensions_used.iter().enumerate() {
        if let Some(unread) = UnreadExtension::of(name) {
            let path = format_args!("/extensionsUsed/{index}");
            let effect = unread.lacks.unwrap_or("the model is shown without it");
            let error = unsupported_extension(path, name, unread);
            notes.good_to_know("UNSUPPORTED_EXTENSION", error, effect);
        }
    }
    Ok(())
}

fn unsupported_extension(path: impl Display, name: &str, unread: UnreadExtension) -> Diagnostic {
    gltf_error(
        code::GLTF_UNSUPPORTED,
        path,
        "an extension that this program can read",
        format_args!("“{name}”"),
    )
    .help(unread.remedy)
}

// The node hierarchy.

/// The trees of all nodes.
pub(super) struct NodeTree {
    /// Local transform of every node. All numbers are finite.
    pub(super) locals: Vec<NodeTransform>,
    forest: NodeForest,
}

impl NodeTree {
    /// Builds the trees. Returns an error if a node has several parents, or is its own
    /// ancestor.
    pub(super) fn new(nodes: &[Node]) -> Result<Self, Diagnostic> {
        let forest = NodeForest::new(nodes.len(), |node| {
            nodes[node].children.iter().flatten().map(|child| child.value())
        });
        if let Some(entry) = forest.faults.first() {
            let parent = entry.parent;
            let child = entry.child;
            let path = format!("/nodes/{parent}/children/{}", entry.place);
            return Err(match entry.kind {
                ChildFaultKind::Missing => dangling(path, "nodes", nodes.len(), child),
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
        let mut locals = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            locals.push(local_transform(node, index)?);
        }
        Ok(Self { locals, forest })
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.forest.parent(node)
    }

    /// Iterates over all nodes, parents before children.
    pub(super) fn parents_first(&self) -> impl Iterator<Item = usize> + '_ {
        self.forest.order.iter().copied()
    }

    pub(super) fn world_from_node(&self, node: usize) -> Mat4 {
        let mut product = self.locals[node].matrix();
        for ancestor in self.forest.ancestors(node) {
            product = self.locals[ancestor].matrix() * product;
        }
        product
    }

    /// Marks the given nodes and all their ancestors.
    pub(super) fn with_ancestors(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<bool> {
        self.forest.with_ancestors(nodes)
    }
}

/// Returns, for each node, whether it is shown: the nodes of the default scene, or of the
/// first if the file names no default. All nodes if the file has no scenes, or if no shown
/// node has a mesh.
pub(super) fn shown_nodes(root: &Root, tree: &NodeTree, notes: &mut ReadingNotes) -> Vec<bool> {
    let count = root.nodes.len();
    let default_scene = root.scene.map(|scene| scene.value());
    if let Some(scene) = default_scene.filter(|&scene| scene >= root.scenes.len()) {
        let error = dangling("/scene", "scenes", root.scenes.len(), scene);
        notes.left_out("SCENE_LEFT_OUT", error, "another scene is shown");
    }
    let Some(scene) =
        default_scene.and_then(|scene| root.scenes.get(scene)).or(root.scenes.first())
    else {
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
        let error = missing("/scenes", "a node with a mesh in the scene that is shown")
            .help("put the model into the scene and export it again");
        notes.left_out("EMPTY_SCENE", error, "all nodes are shown");
        return vec![true; count];
    }
    shown
}

/// Converts the transform of a node. Rotations are normalized.
fn local_transform(node: &Node, index: usize) -> Result<NodeTransform, Diagnostic> {
    if let Some(matrix) = &node.matrix {
        check_finite(index, "matrix", matrix)?;
        let mut matrix = Mat4::from_cols_array(matrix);
        // The last row of an affine matrix is constant, whatever the file has there.
        for column in 0..4 {
            matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
        }
        return Ok(NodeTransform::Matrix(matrix));
    }
    let translation = node.translation.unwrap_or_default();
    let scale = node.scale.unwrap_or([1.0; 3]);
    let rotation = node.rotation.map_or(Quat::IDENTITY.to_array(), |rotation| rotation.0);
    check_finite(index, "translation", &translation)?;
    check_finite(index, "scale", &scale)?;
    check_finite(index, "rotation", &rotation)?;
    Ok(NodeTransform::Trs(Trs {
        translation: Vec3::from_array(translation),
        rotation: normalize_rotation(Quat::from_array(rotation)),
        scale: Vec3::from_array(scale),
    }))
}

fn check_finite(node: usize, key: &str, numbers: &[f32]) -> Result<(), Diagnostic> {
    if numbers.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(gltf_error(
        code::GLTF_INVALID,
        format_args!("/nodes/{node}/{key}"),
        "finite numbers",
        "numbers too large for 32-bit floats",
    ))
}

/// Normalizes a quaternion. Returns the identity if its length is 0.
fn normalize_rotation(rotation: Quat) -> Quat {
    let double = rotation.as_dquat();
    if double.length() > 1e-12 { double.normalize().as_quat() } else { Quat::IDENTITY }
}

fn not_a_tree(path: String, found: String) -> Diagnostic {
    gltf_error(code::GLTF_NOT_A_TREE, path, "nodes that form trees", found)
        .help("the hierarchy is damaged; export the file again")
}
