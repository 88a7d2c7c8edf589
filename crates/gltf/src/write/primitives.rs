//! Writes primitives, vertex attributes and morph targets, and the model files of built-in rigs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{JointIndex, Trs};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::animations::ChannelTargets;
use super::influences::WrittenInfluences;
use super::json;
use super::materials::{encode_smallest_png, json_material};
use super::writer::{AttributePacking, FloatFormat, GltfWriter};
use crate::{
    GraphNode, Material, MaterialImage, Mesh, MeshPart, MorphTarget, NodeIndex, NodeSkin,
    NodeTransform, Rig, SceneGraph,
};

pub(super) fn to_usize_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Returns the parts of a rig's mesh that have vertices. A mesh without parts is a single part.
/// In a rig made in memory, all parts are on node 0 and in skin 0.
pub(super) fn written_parts(rig: &Rig) -> Vec<Cow<'_, MeshPart>> {
    let mesh = &*rig.mesh;
    let mut parts: Vec<Cow<'_, MeshPart>> = if mesh.parts.is_empty() {
        vec![Cow::Owned(MeshPart {
            name: rig.id.clone(),
            skin: Some(0),
            vertices: 0..mesh.positions.len() as u32,
            triangles: 0..mesh.triangles.len() as u32,
            lines: 0..mesh.lines.len() as u32,
            material: Some(0),
            ..MeshPart::default()
        })]
    } else {
        mesh.parts.iter().map(Cow::Borrowed).collect()
    };
    if rig.origin.is_none() {
        for part in &mut parts {
            let part = part.to_mut();
            part.node = NodeIndex(0);
            part.mesh = 0;
            part.skin = Some(0);
        }
    }
    parts.retain(|part| !part.vertices.is_empty());
    parts
}

/// Vertex data that several primitives share.
pub(super) struct SharedVertices {
    pub(super) attributes: json::Attributes,
    pub(super) targets: Vec<BTreeMap<&'static str, usize>>,
}

impl GltfWriter {
    /// Adds the indices of a part. Returns a primitive of triangles and one of lines if there
    /// are any, otherwise one of points, so that the vertices are not lost.
    pub(super) fn add_primitives(
        &mut self,
        mesh: &Mesh,
        part: &MeshPart,
        shared: &SharedVertices,
        material: usize,
    ) -> Vec<json::Primitive> {
        let triangles = mesh.triangles.get(to_usize_range(&part.triangles)).unwrap_or_default();
        let lines = mesh.lines.get(to_usize_range(&part.lines)).unwrap_or_default();
        let mut indices_and_modes = Vec::new();
        for (corners, mode) in [(triangles.as_flattened(), 4), (lines.as_flattened(), 1)] {
            if !corners.is_empty() {
                let first = part.vertices.start;
                let corners = corners.iter().map(|corner| corner - first);
                let indices = self.add_indices(corners, part.vertices.len());
                indices_and_modes.push((Some(indices), mode));
            }
        }
        if indices_and_modes.is_empty() {
            indices_and_modes.push((None, 0));
        }
        indices_and_modes
            .into_iter()
            .map(|(indices, mode)| json::Primitive {
                attributes: shared.attributes.clone(),
                indices,
                material,
                mode,
                targets: shared.targets.clone(),
            })
            .collect()
    }

    /// Adds texture coordinates and colours, unless all of them have default values.
    pub(super) fn add_appearance(
        &mut self,
        attributes: &mut json::Attributes,
        mesh: &Mesh,
        vertices: &Range<u32>,
        has_texture: bool,
    ) {
        let uvs = mesh.uvs.get(to_usize_range(vertices)).unwrap_or_default();
        if uvs.iter().any(|&uv| uv != Vec2::ZERO) {
            attributes.insert("TEXCOORD_0", self.add_floats(uvs, FloatFormat::VERTEX_VEC2));
        } else if has_texture {
            // A texture requires coordinates.
            let zeros = vec![Vec2::ZERO; vertices.len()];
            attributes.insert("TEXCOORD_0", self.add_floats(&zeros, FloatFormat::VERTEX_VEC2));
        }
        let colors = mesh.colors.get(to_usize_range(vertices)).unwrap_or_default();
        if colors.iter().any(|&color| color != Vec4::ONE) {
            let clamped: Vec<Vec4> =
                colors.iter().map(|color| color.clamp(Vec4::ZERO, Vec4::ONE)).collect();
            attributes.insert("COLOR_0", self.add_floats(&clamped, FloatFormat::VERTEX_VEC4));
        }
    }
}

/// Returns the name of a part's mesh, which is the part's name without its number.
pub(super) fn mesh_name(part: &MeshPart) -> String {
    let suffix = format!(", part {}", part.primitive);
    part.name.strip_suffix(&suffix).unwrap_or(&part.name).to_owned()
}

// Model files of built-in rigs.

/// Encodes a rig as `.gltf` with a `.bin` and possibly a `.png`. Returns the name and content of
/// each file, the `.gltf` last.
pub fn encode_gltf(
    rig: &Rig,
    packing: AttributePacking,
) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let png_name = format!("{}.png", rig.id);
    let bin_name = format!("{}.bin", rig.id);
    let mut writer = GltfWriter::new(packing);
    let mut files = Vec::new();
    let image = encode_base_color(rig)?.map(|(image, png)| {
        files.push((png_name.clone(), png));
        json::Image { uri: Some(png_name), ..image }
    });
    let root = writer.build_root(rig, image);
    let (mut root, bytes) = writer.finish(root)?;
    for buffer in &mut root.buffers {
        buffer.uri = Some(bin_name.clone());
    }
    let mut text = serde_json::to_vec_pretty(&root)?;
    text.push(b'\n');
    files.push((bin_name, bytes));
    files.push((format!("{}.gltf", rig.id), text));
    Ok(files)
}

/// Encodes a rig as GLB.
pub fn encode_glb(rig: &Rig) -> Result<Vec<u8>, Diagnostic> {
    let mut writer = GltfWriter::default();
    let image = encode_base_color(rig)?.map(|(image, png)| json::Image {
        buffer_view: Some(writer.add_view(&png, None)),
        ..image
    });
    let root = writer.build_root(rig, image);
    writer.into_glb(root)
}

/// Encodes the first image of a rig as PNG. Returns it with its JSON, which does not refer to
/// the bytes yet.
fn encode_base_color(rig: &Rig) -> Result<Option<(json::Image, Vec<u8>)>, Diagnostic> {
    let Some(pixels) = rig.mesh.images.first().and_then(MaterialImage::pixels) else {
        return Ok(None);
    };
    let image = json::Image {
        name: format!("{}_base_color", rig.id),
        mime_type: "image/png",
        ..json::Image::default()
    };
    Ok(Some((image, encode_smallest_png(pixels, 0)?)))
}

impl GltfWriter {
    fn build_root(&mut self, rig: &Rig, image: Option<json::Image>) -> json::Root {
        let joint_count = rig.skeleton.len();
        let (nodes, root) = build_nodes(rig);
        let attributes = self.add_attributes(&rig.mesh, joint_count);
        let (targets, mut mesh) = self.add_morph_targets(rig);
        let shared = SharedVertices { attributes, targets };
        for part in written_parts(rig) {
            mesh.primitives.extend(self.add_primitives(&rig.mesh, &part, &shared, 0));
        }
        let node_of_joint: Vec<usize> = (FIRST_JOINT_NODE..=joint_count).collect();
        let inverse_binds = rig.skeleton.joint_from_bind();
        let skin = json::Skin {
            name: Some(rig.id.clone()),
            inverse_bind_matrices: Some(self.add_inverse_binds(inverse_binds.into_iter())),
            // Only if the root is a joint.
            skeleton: (root <= joint_count).then_some(root),
            joints: node_of_joint.clone(),
        };
        let targets = ChannelTargets { node_of_joint: &node_of_joint, ..ChannelTargets::default() };
        let animations = self.add_animations(&rig.clips, &targets);
        let material = Material { name: rig.id.clone(), ..Material::default() };
        let texture = image.is_some().then(json::TextureInfo::default);
        let textures = texture.iter().map(|_| json::Texture::default()).collect();
        json::Root {
            asset: json::Asset {
                version: "2.0",
                generator: "Bindpose, cargo xtask assets",
                copyright: Some("the authors of Bindpose, MIT OR Apache-2.0"),
            },
            scenes: vec![json::Scene { name: None, nodes: vec![0, root] }],
            nodes,
            meshes: vec![mesh],
            skins: vec![skin],
            materials: vec![json_material(&material, texture, rig.flat)],
            textures,
            images: image.into_iter().collect(),
            animations,
            ..json::Root::default()
        }
    }

    /// Adds the morph targets of a rig. Returns them, and a mesh without primitives that has
    /// their names and weights.
    fn add_morph_targets(&mut self, rig: &Rig) -> (Vec<BTreeMap<&'static str, usize>>, json::Mesh) {
        let mut mesh = json::Mesh { name: rig.id.clone(), ..json::Mesh::default() };
        if rig.mesh.targets.is_empty() {
            return (Vec::new(), mesh);
        }
        let morphs = MorphTargets::new(&rig.mesh.targets);
        let vertices = 0..rig.mesh.positions.len() as u32;
        let slots: Vec<usize> = morphs.slots(&vertices).into_iter().collect();
        mesh.weights.clone_from(&rig.morph_weights);
        mesh.extras = Some(json::MeshExtras {
            target_names: slots.iter().map(|&slot| morphs.target_name(slot)).collect(),
        });
        // Normals of built-in rigs are not normalized when they are written.
        let lengths = vec![1.0; rig.mesh.positions.len()];
        (morphs.write(self, &vertices, &slots, &lengths), mesh)
    }

    fn add_attributes(&mut self, mesh: &Mesh, joint_count: usize) -> json::Attributes {
        let mut attributes = json::Attributes::default();
        attributes.insert("POSITION", self.add_positions(&mesh.positions));
        if self.packing == AttributePacking::Tutorial {
            self.add_tutorial_influences(&mut attributes, &mesh.influences);
            return attributes;
        }
        attributes.insert("NORMAL", self.add_floats(&mesh.normals, FloatFormat::VERTEX_VEC3));
        let influences = WrittenInfluences::from_stored(&mesh.influences);
        // Added before tangents, because the committed files have them in this order.
        let joints = self.add_joints(&influences, 0, joint_count);
        if !mesh.tangents.is_empty() {
            attributes.insert("TANGENT", self.add_floats(&mesh.tangents, FloatFormat::VERTEX_VEC4));
        }
        if !mesh.uvs.is_empty() {
            attributes.insert("TEXCOORD_0", self.add_floats(&mesh.uvs, FloatFormat::VERTEX_VEC2));
        }
        attributes.insert("JOINTS_0", joints);
        attributes.insert("WEIGHTS_0", self.add_weights(&influences, 0));
        self.add_influences(&mut attributes, &influences, 1, joint_count);
        attributes
    }
}

/// Builds the nodes of a rig made in memory. Returns them with the index of the root of all
/// joints, which is added if they have no common one.
fn build_nodes(rig: &Rig) -> (Vec<json::Node>, usize) {
    let graph = scene_graph(rig);
    let mut nodes: Vec<json::Node> = graph
        .nodes
        .iter()
        .map(|node| json::Node {
            name: node.name.clone(),
            mesh: node.mesh,
            skin: node.skin,
            children: node.children.iter().map(|child| child.index()).collect(),
            ..json_node(node.local)
        })
        .collect();
    let roots: Vec<usize> =
        graph.scenes.iter().flat_map(|scene| &scene.roots).map(|root| root.index()).collect();
    // The first root is the node of the mesh.
    if let [_, root] = roots[..] {
        return (nodes, root);
    }
    let root = nodes.len();
    nodes.push(json::Node {
        name: Some(rig.id.clone()),
        children: roots[1..].to_vec(),
        ..json::Node::default()
    });
    (nodes, root)
}

/// Creates a node with a transform. Properties with default values are left out.
pub(super) fn json_node(local: NodeTransform) -> json::Node {
    let mut node = json::Node::default();
    match local {
        NodeTransform::Trs(Trs { translation, rotation, scale }) => {
            node.translation = (translation != Vec3::ZERO).then(|| translation.to_array());
            node.rotation = (rotation != Quat::IDENTITY).then(|| rotation.to_array());
            node.scale = (scale != Vec3::ONE).then(|| scale.to_array());
        }
        NodeTransform::Matrix(matrix) => {
            let numbers = (matrix != Mat4::IDENTITY).then(|| matrix.to_cols_array());
            node.matrix = numbers.map(|numbers| numbers.map(round_to_millionths));
        }
    }
    node
}

/// Rounds to multiples of 1e-6, because the last digits differ between machines. Never returns
/// −0.
pub fn round_to_millionths(x: f32) -> f32 {
    ((f64::from(x) * 1e6).round() / 1e6 + 0.0) as f32
}

// Morph targets.

/// The morph targets of a rig, by their first vertex.
pub(super) struct MorphTargets<'a> {
    by_first_vertex: BTreeMap<u32, Vec<&'a MorphTarget>>,
    /// Length of the longest target, in vertices.
    max_length: u32,
}

impl<'a> MorphTargets<'a> {
    pub(super) fn new(targets: &'a [MorphTarget]) -> Self {
        let mut by_first_vertex: BTreeMap<u32, Vec<&MorphTarget>> = BTreeMap::new();
        for target in targets {
            by_first_vertex.entry(target.first_vertex).or_default().push(target);
        }
        let max_length = targets.iter().map(target_length).max().unwrap_or(0);
        Self { by_first_vertex, max_length }
    }

    /// Iterates over the targets that move vertices in a range.
    fn overlapping(&self, range: &Range<u32>) -> impl Iterator<Item = &'a MorphTarget> {
        let start = range.start;
        self.by_first_vertex
            .range(start.saturating_sub(self.max_length)..range.end)
            .flat_map(|(_, targets)| targets.iter().copied())
            .filter(move |target| target.first_vertex + target_length(target) > start)
    }

    /// Returns the slots of all targets that move vertices in a range.
    pub(super) fn slots(&self, range: &Range<u32>) -> BTreeSet<usize> {
        self.overlapping(range).map(|target| target.slot).collect()
    }

    /// Returns the name of the first target of a slot.
    pub(super) fn target_name(&self, slot: usize) -> String {
        let mut targets = self.by_first_vertex.values().flatten();
        match targets.find(|target| target.slot == slot) {
            Some(target) => target.name.clone(),
            None => String::new(),
        }
    }

    /// Writes a target for each slot. Vertices that it does not move have differences of 0.
    /// `lengths` are the lengths of the normals, by which their differences are divided because
    /// the normals are written normalized.
    pub(super) fn write(
        &self,
        writer: &mut GltfWriter,
        range: &Range<u32>,
        slots: &[usize],
        lengths: &[f32],
    ) -> Vec<BTreeMap<&'static str, usize>> {
        let has_normals = self.overlapping(range).any(|target| !target.normals.is_empty());
        let mut written = Vec::new();
        for &slot in slots {
            let mut positions = vec![Vec3::ZERO; range.len()];
            let mut normals = vec![Vec3::ZERO; range.len()];
            for target in self.overlapping(range).filter(|target| target.slot == slot) {
                let first_vertex = target.first_vertex;
                add_differences(&mut positions, range, first_vertex, &target.positions);
                add_differences(&mut normals, range, first_vertex, &target.normals);
            }
            let mut target = BTreeMap::from([("POSITION", writer.add_positions(&positions))]);
            if has_normals {
                for (normal, &length) in normals.iter_mut().zip(lengths) {
                    if length > 0.0 {
                        *normal /= length;
                    }
                }
                target.insert("NORMAL", writer.add_floats(&normals, FloatFormat::VERTEX_VEC3));
            }
            written.push(target);
        }
        written
    }
}

/// Returns the number of vertices of a target, at least 1, so that an empty target still
/// belongs to its first vertex and its name and weight are not lost.
fn target_length(target: &MorphTarget) -> u32 {
    target.positions.len().max(target.normals.len()).max(1) as u32
}

/// Adds differences to the sums of the vertices in a range.
fn add_differences(sums: &mut [Vec3], range: &Range<u32>, first_vertex: u32, differences: &[Vec3]) {
    for (&difference, vertex) in differences.iter().zip(first_vertex..) {
        if let Some(index) = vertex.checked_sub(range.start)
            && let Some(sum) = sums.get_mut(index as usize)
        {
            *sum += difference;
        }
    }
}

// The scene graph of a rig.

/// Node of the first joint in the file of a rig made in memory. Node 0 carries the mesh.
const FIRST_JOINT_NODE: usize = 1;

/// Returns the node of a joint in the file of a rig made in memory.
pub(crate) fn node_of_joint(joint: JointIndex) -> NodeIndex {
    NodeIndex((FIRST_JOINT_NODE + joint.index()) as u32)
}

/// Returns the graph of the rig's file. The graph of a rig made in memory has the node of the
/// mesh, followed by the joints, and one skin.
pub(super) fn scene_graph(rig: &Rig) -> Cow<'_, SceneGraph> {
    match &rig.origin {
        Some(origin) => Cow::Borrowed(&origin.graph),
        None => Cow::Owned(build_graph(rig)),
    }
}

fn build_graph(rig: &Rig) -> SceneGraph {
    let mesh_node = GraphNode {
        name: Some(format!("{}_mesh", rig.id)),
        parent: None,
        children: Vec::new(),
        local: NodeTransform::Matrix(rig.world_from_mesh_node),
        mesh: Some(0),
        skin: Some(0),
        joint: None,
    };
    let mut nodes = vec![mesh_node];
    for (index, joint) in rig.skeleton.indices().zip(rig.skeleton.joints()) {
        nodes.push(GraphNode {
            parent: joint.parent.map(node_of_joint),
            ..GraphNode::of_joint(index, joint)
        });
    }
    let skin = NodeSkin {
        name: Some(rig.id.clone()),
        joints: rig.skeleton.indices().map(node_of_joint).collect(),
        ours: rig.skeleton.indices().collect(),
        has_inverse_binds: true,
    };
    SceneGraph::of_nodes(nodes, vec![skin])
}
