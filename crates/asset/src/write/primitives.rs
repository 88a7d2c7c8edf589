//! What primitives of a rig's mesh have in common, however they are moved:
//! corners and looks.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{JointIndex, Trs};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::animations::ChannelTargets;
use super::influences::BoundVertices;
use super::json;
use super::materials::{json_material, small_png};
use super::writer::{Floats, GltfWriter, Packing};
use crate::{
    GraphNode, Material, MaterialImage, Mesh, MeshPart, MorphTarget, NodeIndex, NodeSkin,
    NodeTransform, Rig, SceneGraph,
};

/// For indexing slices.
pub(super) fn places(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The parts of a mesh that have vertices; all as one where it has no parts. Of a rig made in memory they stand on one node and in one
/// skin, both the first.
pub(super) fn parts(rig: &Rig) -> Vec<Cow<'_, MeshPart>> {
    let mesh = &*rig.mesh;
    let of_memory =
        |part: &MeshPart| MeshPart { node: NodeIndex(0), mesh: 0, skin: Some(0), ..part.clone() };
    let mut all = if mesh.parts.is_empty() {
        vec![Cow::Owned(of_memory(&MeshPart {
            name: rig.id.clone(),
            vertices: 0..mesh.positions.len() as u32,
            triangles: 0..mesh.triangles.len() as u32,
            lines: 0..mesh.lines.len() as u32,
            material: Some(0),
            ..MeshPart::default()
        }))]
    } else if rig.origin.is_none() {
        let parts = mesh.parts.iter();
        parts.map(|part| Cow::Owned(of_memory(part))).collect()
    } else {
        mesh.parts.iter().map(Cow::Borrowed).collect()
    };
    all.retain(|part| !part.vertices.is_empty());
    all
}

/// Primitives that differ in their corners alone.
pub(super) struct SharedCorners {
    pub(super) attributes: json::Attributes,
    pub(super) targets: Vec<BTreeMap<&'static str, usize>>,
}

impl GltfWriter {
    /// A primitive of triangles and one of lines, where there are any; else one
    /// of points, so that the vertices are there.
    pub(super) fn primitives(
        &mut self,
        mesh: &Mesh,
        part: &MeshPart,
        shared: &SharedCorners,
        material: usize,
    ) -> Vec<json::Primitive> {
        let triangles = mesh.triangles.get(places(&part.triangles)).unwrap_or_default();
        let lines = mesh.lines.get(places(&part.lines)).unwrap_or_default();
        let kinds = [(triangles.as_flattened(), 4), (lines.as_flattened(), 1)];
        let primitive = |indices, mode| json::Primitive {
            attributes: shared.attributes.clone(),
            indices,
            material,
            mode,
            targets: shared.targets.clone(),
        };
        let mut primitives = Vec::new();
        for (corners, mode) in kinds.into_iter().filter(|(corners, _)| !corners.is_empty()) {
            let first = part.vertices.start;
            let corners = corners.iter().map(|corner| corner - first);
            let indices = self.indices(corners, part.vertices.len());
            primitives.push(primitive(Some(indices), mode));
        }
        if primitives.is_empty() {
            primitives.push(primitive(None, 0));
        }
        primitives
    }

    /// Texture coordinates and colours, where they say anything.
    pub(super) fn put_looks(
        &mut self,
        attributes: &mut json::Attributes,
        mesh: &Mesh,
        vertices: &Range<u32>,
        textured: bool,
    ) {
        let uvs = mesh.uvs.get(places(vertices)).unwrap_or_default();
        if uvs.iter().any(|&uv| uv != Vec2::ZERO) {
            attributes.put("TEXCOORD_0", self.floats(uvs, Floats::UV));
        } else if textured {
            // An image must know where it lies.
            let zeros = vec![Vec2::ZERO; vertices.len()];
            attributes.put("TEXCOORD_0", self.floats(&zeros, Floats::UV));
        }
        let colors = mesh.colors.get(places(vertices)).unwrap_or_default();
        if colors.iter().any(|&color| color != Vec4::ONE) {
            let clamped = colors.iter().map(|one| one.clamp(Vec4::ZERO, Vec4::ONE));
            let clamped: Vec<Vec4> = clamped.collect();
            attributes.put("COLOR_0", self.floats(&clamped, Floats::FOUR));
        }
    }
}

/// The name of the mesh that parts are of.
pub(super) fn mesh_name(part: &MeshPart) -> String {
    let suffix = format!(", part {}", part.primitive);
    let name = part.name.strip_suffix(&suffix).unwrap_or(&part.name);
    name.to_owned()
}

// The files of rigs made by code: glTF (`.glb`, or `.gltf` with its `.bin` and
// `.png`).

/// A `.gltf` and the files it names, each with its name.
pub(crate) fn gltf(rig: &Rig, packing: Packing) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let [png_name, bin_name] = ["png", "bin"].map(|ending| format!("{}.{ending}", rig.id));
    let mut writer = GltfWriter::new(packing);
    let mut files = Vec::new();
    let image = base_color(rig)?.map(|(image, png)| {
        files.push((png_name.clone(), png));
        json::Image { uri: Some(png_name), ..image }
    });
    let root = writer.root(rig, image);
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

/// Everything in one file.
pub(crate) fn glb(rig: &Rig) -> Result<Vec<u8>, Diagnostic> {
    let mut writer = GltfWriter::default();
    let image = base_color(rig)?
        .map(|(image, png)| json::Image { buffer_view: Some(writer.view(&png, None)), ..image });
    let root = writer.root(rig, image);
    writer.glb(root)
}

/// The image of the rig, and its file; where that is, is still to be said.
fn base_color(rig: &Rig) -> Result<Option<(json::Image, Vec<u8>)>, Diagnostic> {
    let pixels = rig.mesh.images.first().and_then(MaterialImage::pixels);
    let image = json::Image {
        name: format!("{}_base_color", rig.id),
        mime_type: "image/png",
        ..json::Image::default()
    };
    let written = pixels.map(|pixels| Ok((image, small_png(pixels, 0)?)));
    written.transpose()
}

impl GltfWriter {
    fn root(&mut self, rig: &Rig, image: Option<json::Image>) -> json::Root {
        let joints = rig.skeleton.len();
        let (nodes, root) = nodes(rig);
        let attributes = self.attributes(&rig.mesh, joints);
        let (targets, mut mesh) = self.shapes(rig);
        let shared = SharedCorners { attributes, targets };
        let parts = parts(rig).into_iter();
        let primitives = parts.flat_map(|part| self.primitives(&rig.mesh, &part, &shared, 0));
        mesh.primitives = primitives.collect();
        let node_of_joint: Vec<usize> = (FIRST_JOINT..=joints).collect();
        let skin = json::Skin {
            name: Some(rig.id.clone()),
            inverse_bind_matrices: {
                let matrices = rig.skeleton.joint_from_bind();
                Some(self.inverse_binds(matrices.into_iter()))
            },
            // Where it is a joint.
            skeleton: (root <= joints).then_some(root),
            joints: node_of_joint.clone(),
        };
        let targets = ChannelTargets { node_of_joint: &node_of_joint, ..ChannelTargets::default() };
        let animations = self.animations(&rig.clips, &targets);
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

    /// Morph targets, and the mesh that has them, with their names and weights.
    fn shapes(&mut self, rig: &Rig) -> (Vec<BTreeMap<&'static str, usize>>, json::Mesh) {
        let mut mesh = json::Mesh { name: rig.id.clone(), ..json::Mesh::default() };
        if rig.mesh.targets.is_empty() {
            return (Vec::new(), mesh);
        }
        let morphs = Morphs::new(&rig.mesh.targets);
        let vertices = 0..rig.mesh.positions.len() as u32;
        let slots: Vec<usize> = morphs.slots(&vertices).into_iter().collect();
        mesh.weights.clone_from(&rig.morph_weights);
        mesh.extras = Some(json::MeshExtras {
            target_names: slots.iter().map(|&slot| morphs.name(slot)).collect(),
        });
        // Normals are written as they are.
        let lengths = vec![1.0; rig.mesh.positions.len()];
        (morphs.write(self, &vertices, &slots, &lengths), mesh)
    }

    fn attributes(&mut self, mesh: &Mesh, joints: usize) -> json::Attributes {
        let mut attributes = json::Attributes::default();
        attributes.put("POSITION", self.positions(&mesh.positions));
        if self.packing == Packing::Tutorial {
            self.put_tutorial_influences(&mut attributes, &mesh.influences);
            return attributes;
        }
        attributes.put("NORMAL", self.floats(&mesh.normals, Floats::VECTOR));
        let bound = BoundVertices::as_made(&mesh.influences);
        // Where the shipped files have them: before what follows.
        let joints_0 = self.joints(&bound, 0, joints);
        if !mesh.tangents.is_empty() {
            attributes.put("TANGENT", self.floats(&mesh.tangents, Floats::FOUR));
        }
        if !mesh.uvs.is_empty() {
            attributes.put("TEXCOORD_0", self.floats(&mesh.uvs, Floats::UV));
        }
        attributes.put("JOINTS_0", joints_0);
        attributes.put("WEIGHTS_0", self.weights(&bound, 0));
        self.put_influences(&mut attributes, &bound, 1, joints);
        attributes
    }
}

/// The nodes, and the number of the one above all joints: they must have a
/// common root.
fn nodes(rig: &Rig) -> (Vec<json::Node>, usize) {
    let graph = graph_of(rig);
    let nodes = graph.nodes.iter().map(|node| json::Node {
        name: node.name.clone(),
        mesh: node.mesh,
        skin: node.skin,
        children: node.children.iter().map(|child| child.index()).collect(),
        ..placed(node.local)
    });
    let mut nodes: Vec<json::Node> = nodes.collect();
    let roots = graph.scenes.iter().flat_map(|scene| &scene.roots);
    let roots: Vec<usize> = roots.map(|root| root.index()).collect();
    if let [_, root] = roots[..] {
        return (nodes, root);
    }
    nodes.push(json::Node {
        name: Some(rig.id.clone()),
        children: roots[1..].to_vec(),
        ..json::Node::default()
    });
    let root = nodes.len() - 1;
    (nodes, root)
}

// Nodes at places.

/// A node at a place; what says nothing is left out.
pub(super) fn placed(local: NodeTransform) -> json::Node {
    let mut node = json::Node::default();
    match local {
        NodeTransform::Trs(Trs { translation, rotation, scale }) => {
            node.translation = (translation != Vec3::ZERO).then(|| translation.to_array());
            node.rotation = (rotation != Quat::IDENTITY).then(|| rotation.to_array());
            node.scale = (scale != Vec3::ONE).then(|| scale.to_array());
        }
        NodeTransform::Matrix(matrix) => {
            let numbers = (matrix != Mat4::IDENTITY).then(|| matrix.to_cols_array());
            node.matrix = numbers.map(|numbers| numbers.map(rounded_place));
        }
    }
    node
}

/// To steps of 1e-6, against differences between machines.
pub(crate) fn rounded_place(x: f32) -> f32 {
    ((f64::from(x) * 1e6).round() / 1e6 + 0.0) as f32
}

// Morph targets of ranges of vertices.

/// All targets of a rig, by their first vertex.
pub(super) struct Morphs<'a> {
    by_first: BTreeMap<u32, Vec<&'a MorphTarget>>,
    /// Vertices that the longest of them moves.
    longest: u32,
}

impl<'a> Morphs<'a> {
    pub(super) fn new(targets: &'a [MorphTarget]) -> Self {
        let mut by_first: BTreeMap<u32, Vec<&MorphTarget>> = BTreeMap::new();
        for target in targets {
            by_first.entry(target.first_vertex).or_default().push(target);
        }
        Self { by_first, longest: targets.iter().map(length).max().unwrap_or(0) }
    }

    /// Those that move some of these vertices.
    fn of(&self, range: &Range<u32>) -> impl Iterator<Item = &'a MorphTarget> {
        let start = range.start;
        let near = self.by_first.range(start.saturating_sub(self.longest)..range.end);
        let near = near.flat_map(|(_, targets)| targets.iter().copied());
        near.filter(move |target| target.first_vertex + length(target) > start)
    }

    /// The morph weights they take.
    pub(super) fn slots(&self, range: &Range<u32>) -> BTreeSet<usize> {
        self.of(range).map(|target| target.slot).collect()
    }

    /// What the target of a slot is called.
    pub(super) fn name(&self, slot: usize) -> String {
        let mut all = self.by_first.values().flatten();
        let named = all.find(|target| target.slot == slot);
        named.map_or_else(String::new, |target| target.name.clone())
    }

    /// A target a slot; what it does not move has differences of 0. Normals are
    /// written divided by their `lengths`, and so are their differences.
    pub(super) fn write(
        &self,
        writer: &mut GltfWriter,
        range: &Range<u32>,
        slots: &[usize],
        lengths: &[f32],
    ) -> Vec<BTreeMap<&'static str, usize>> {
        let with_normals = self.of(range).any(|target| !target.normals.is_empty());
        let mut written = Vec::new();
        for &slot in slots {
            let targets = || self.of(range).filter(|target| target.slot == slot);
            let mut positions = vec![Vec3::ZERO; range.len()];
            for target in targets() {
                add(&mut positions, range, target.first_vertex, &target.positions);
            }
            let mut target = BTreeMap::from([("POSITION", writer.positions(&positions))]);
            if with_normals {
                let mut normals = vec![Vec3::ZERO; range.len()];
                for target in targets() {
                    add(&mut normals, range, target.first_vertex, &target.normals);
                }
                for (normal, &length) in normals.iter_mut().zip(lengths) {
                    if length > 0.0 {
                        *normal /= length;
                    }
                }
                target.insert("NORMAL", writer.floats(&normals, Floats::VECTOR));
            }
            written.push(target);
        }
        written
    }
}

/// In vertices. One that moves none still belongs to the first: its name and its
/// weight stay.
fn length(target: &MorphTarget) -> u32 {
    target.positions.len().max(target.normals.len()).max(1) as u32
}

fn add(sums: &mut [Vec3], range: &Range<u32>, first_vertex: u32, differences: &[Vec3]) {
    for (&difference, vertex) in differences.iter().zip(first_vertex..) {
        let place = vertex.checked_sub(range.start);
        if let Some(sum) = place.and_then(|place| sums.get_mut(place as usize)) {
            *sum += difference;
        }
    }
}

// The nodes of a rig, also of one made in memory.

/// The mesh's node comes first, then the joints in their order.
pub(super) const FIRST_JOINT: usize = 1;

/// The node of a joint.
pub(crate) fn node_of(joint: JointIndex) -> NodeIndex {
    NodeIndex((FIRST_JOINT + joint.index()) as u32)
}

/// The graph of the rig's file; of a rig made in memory the mesh's node, then the
/// joints, all of one skin.
pub(super) fn graph_of(rig: &Rig) -> Cow<'_, SceneGraph> {
    match &rig.origin {
        Some(origin) => Cow::Borrowed(&origin.graph),
        None => Cow::Owned(made_graph(rig)),
    }
}

fn made_graph(rig: &Rig) -> SceneGraph {
    let joints = rig.skeleton.indices().zip(rig.skeleton.joints());
    let carrier = GraphNode {
        name: Some(format!("{}_mesh", rig.id)),
        parent: None,
        children: Vec::new(),
        local: NodeTransform::Matrix(rig.world_from_mesh_node),
        mesh: Some(0),
        skin: Some(0),
        joint: None,
    };
    let joints = joints.map(|(index, joint)| GraphNode {
        parent: joint.parent.map(node_of),
        ..GraphNode::of_joint(index, joint)
    });
    let skin = NodeSkin {
        name: Some(rig.id.clone()),
        joints: rig.skeleton.indices().map(node_of).collect(),
        ours: rig.skeleton.indices().collect(),
        has_inverse_binds: true,
    };
    let nodes = std::iter::once(carrier).chain(joints).collect();
    SceneGraph::of_nodes(nodes, vec![skin])
}
