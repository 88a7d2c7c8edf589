//! Writes an open rig, or its posed mesh only, as GLB.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{
    Influences, Joint, JointIndex, Pose, Skeleton, SkeletonError, Trs, WeightFormat,
};
use glam::{Mat4, Vec3, Vec4};

use super::animations::{ChannelTargets, MorphNode};
use super::influences::WrittenInfluences;
use super::json;
use super::materials::PartMaterial;
use super::nodes::{NodeBuilder, WrittenSkin};
use super::primitives::{
    MorphTargets, SharedVertices, mesh_name, scene_graph, to_usize_range, written_parts,
};
use super::writer::{FloatFormat, GltfWriter};
use crate::{
    GraphNode, Mesh, MeshPart, ModelSource, MovedVertices, NodeIndex, NodeTransform, Rig,
    RigOrigin, SceneGraph,
};

/// Writes the mesh of a rig with skinned vertices in world space, without a skeleton. Keeps the
/// names of nodes and meshes, materials, images, vertex colours and texture coordinates.
///
/// `moved` must have one position and normal for each vertex of the mesh, and one tangent for
/// each vertex or none.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the mesh has no vertices, or for the same reasons as
/// [`write_rig_glb`].
pub fn write_posed_glb(rig: &Rig, moved: &MovedVertices) -> Result<Vec<u8>, Diagnostic> {
    let (parts, graph) = unskinned_parts(rig);
    if parts.is_empty() {
        return Err(Diagnostic {
            code: "NO_VERTICES",
            ..Diagnostic::expected("a mesh with vertices", "none")
        });
    }
    let mesh = Mesh {
        positions: moved.positions.clone(),
        normals: moved.normals.clone(),
        tangents: moved.tangents.clone(),
        uvs: rig.mesh.uvs.clone(),
        colors: rig.mesh.colors.clone(),
        triangles: rig.mesh.triangles.clone(),
        lines: rig.mesh.lines.clone(),
        parts,
        materials: rig.mesh.materials.clone(),
        images: rig.mesh.images.clone(),
        ..Mesh::default()
    };
    // A skeleton needs at least one joint. The first node is the joint, and is never moved.
    let joint = Joint {
        name: String::new(),
        parent: None,
        parent_from_joint_at_rest: Trs::IDENTITY,
        joint_from_bind: Mat4::IDENTITY,
    };
    let posed = Rig {
        flat: rig.flat,
        origin: Some(Arc::new(RigOrigin {
            source: ModelSource::default(),
            graph,
            notes: Vec::new(),
        })),
        ..Rig::new(
            &rig.id,
            &rig.title,
            Skeleton::new(vec![joint]).map_err(|error| skeleton_unsound(&error))?,
            mesh,
        )
    };
    write_rig_glb(&OpenRig {
        rig: &posed,
        pose: &posed.skeleton.rest_pose(),
        joint_from_bind: &[Mat4::IDENTITY],
        influences: &[],
        morph_weights: &[],
        weights: None,
    })
}

/// Returns the parts of a rig without skins, and a graph of the nodes that carry them, all of
/// them roots with identity transforms.
fn unskinned_parts(rig: &Rig) -> (Vec<MeshPart>, SceneGraph) {
    let graph = scene_graph(rig);
    let mut nodes = Vec::new();
    let mut new_nodes = BTreeMap::new();
    let mut parts = Vec::new();
    for part in written_parts(rig) {
        let node = *new_nodes.entry(part.node).or_insert_with(|| {
            nodes.push(GraphNode {
                name: graph.nodes[part.node.index()].name.clone(),
                parent: None,
                children: Vec::new(),
                local: NodeTransform::Trs(Trs::IDENTITY),
                mesh: None,
                skin: None,
                joint: nodes.is_empty().then_some(JointIndex(0)),
            });
            NodeIndex(nodes.len() as u32 - 1)
        });
        parts.push(MeshPart { node, skin: None, ..part.into_owned() });
    }
    (parts, SceneGraph::of_nodes(nodes, Vec::new()))
}

/// Creates the error for a rig whose joints form no valid skeleton.
pub fn skeleton_unsound(error: &SkeletonError) -> Diagnostic {
    Diagnostic::said("SKELETON_UNSOUND", format!("the rig is not sound: {error}"))
}

/// Writes a rig as GLB: nodes, scenes, skins, materials and morph targets as in its file, its
/// clips, and the nodes in the current pose. Data that glTF forbids is replaced by the closest
/// valid data: weights are normalized, the last row of inverse bind matrices is restored, and
/// joints without a common root get one.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if numbers are not finite, if an image cannot be encoded as PNG,
/// or if the file would be too large.
pub fn write_rig_glb(shown: &OpenRig<'_>) -> Result<Vec<u8>, Diagnostic> {
    let rig = shown.rig;
    let mut writer = GltfWriter::default();
    let mut root = json::Root {
        asset: json::Asset { version: "2.0", generator: "Bindpose", copyright: None },
        ..json::Root::default()
    };
    let parts = written_parts(rig);
    let materials = root.add_materials(&mut writer, &rig.mesh, rig.flat, &parts)?;
    let mut nodes = NodeBuilder::new(rig, shown.pose);
    let groups = group_parts(shown, &parts, &mut nodes);
    let mut meshes = MeshWriter::new(shown, &nodes.skins);
    let mut morphs = Vec::new();
    for group in &groups {
        let mesh = meshes.add_mesh(&mut writer, group, &materials);
        if !mesh.slots.is_empty() {
            morphs.push(MorphNode { node: group.node, slots: mesh.slots });
        }
        let node = &mut nodes.list[group.node];
        node.mesh = Some(mesh.index);
        node.skin = group.skin;
    }
    root.meshes = meshes.list;
    root.skins = writer.add_skins(shown, &nodes);
    let targets = ChannelTargets {
        node_of_joint: &nodes.of_joint,
        morphs: &morphs,
        morph_weights: shown.morph_weights,
    };
    root.animations = writer.add_animations(&rig.clips, &targets);
    (root.nodes, root.scenes, root.scene) = nodes.finish();
    for node in &root.nodes {
        let mut numbers: Vec<f32> = Vec::new();
        numbers.extend(node.translation.iter().flatten());
        numbers.extend(node.scale.iter().flatten());
        numbers.extend(node.rotation.iter().flatten());
        writer.check_finite(&numbers, "transforms of nodes");
    }
    writer.into_glb(root)
}

impl GltfWriter {
    fn add_skins(&mut self, shown: &OpenRig<'_>, nodes: &NodeBuilder) -> Vec<json::Skin> {
        let mut skins = Vec::new();
        for skin in &nodes.skins {
            let matrices: Vec<Mat4> = skin
                .joints
                .iter()
                .map(|joint| shown.joint_from_bind.get(joint.index()).copied().unwrap_or_default())
                .collect();
            let is_needed =
                skin.has_inverse_binds || matrices.iter().any(|matrix| *matrix != Mat4::IDENTITY);
            skins.push(json::Skin {
                name: skin.name.clone(),
                inverse_bind_matrices: is_needed
                    .then(|| self.add_inverse_binds(matrices.into_iter())),
                skeleton: None,
                joints: skin.nodes.clone(),
            });
        }
        skins
    }
}

// Meshes.

/// Builds the meshes of a file. Nodes with the same mesh share it.
struct MeshWriter<'a> {
    list: Vec<json::Mesh>,
    shown: &'a OpenRig<'a>,
    skins: &'a [WrittenSkin],
    morphs: MorphTargets<'a>,
    /// Index of each joint in each skin.
    skin_indices: Vec<BTreeMap<JointIndex, u16>>,
    /// Vertices written so far.
    vertices: BTreeMap<WrittenVertexKey, SharedVertices>,
    /// Index of each mesh written so far.
    meshes: BTreeMap<WrittenMeshKey, usize>,
}

/// Everything that written vertices depend on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct WrittenVertexKey {
    start: u32,
    end: u32,
    skin: Option<usize>,
    has_texture: bool,
    morph_slots: Vec<usize>,
}

/// Everything that a written mesh without morph targets depends on.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct WrittenMeshKey {
    mesh: usize,
    skin: Option<usize>,
    /// Index, range of vertices and material of each primitive.
    primitives: Vec<(usize, u32, u32, Option<usize>)>,
}

struct WrittenMesh {
    index: usize,
    /// Slot in the rig's morph weights of each target.
    slots: Vec<usize>,
}

impl<'a> MeshWriter<'a> {
    fn new(shown: &'a OpenRig<'a>, skins: &'a [WrittenSkin]) -> Self {
        let mut skin_indices = Vec::with_capacity(skins.len());
        for skin in skins {
            let mut indices = BTreeMap::new();
            for (&joint, index) in skin.joints.iter().zip(0..) {
                indices.entry(joint).or_insert(index);
            }
            skin_indices.push(indices);
        }
        Self {
            list: Vec::new(),
            shown,
            skins,
            morphs: MorphTargets::new(&shown.rig.mesh.targets),
            skin_indices,
            vertices: BTreeMap::new(),
            meshes: BTreeMap::new(),
        }
    }

    fn add_mesh(
        &mut self,
        writer: &mut GltfWriter,
        group: &PartGroup<'_>,
        materials: &[PartMaterial],
    ) -> WrittenMesh {
        let mut slots = BTreeSet::new();
        for (_, part) in &group.parts {
            slots.extend(self.morphs.slots(&part.vertices));
        }
        let slots: Vec<usize> = slots.into_iter().collect();
        let mesh_key = mesh_key(group);
        if slots.is_empty()
            && let Some(&index) = self.meshes.get(&mesh_key)
        {
            return WrittenMesh { index, slots };
        }
        let mut mesh = json::Mesh { name: mesh_name(group.parts[0].1), ..json::Mesh::default() };
        for &(part_index, part) in &group.parts {
            let material = materials[part_index];
            let key = WrittenVertexKey {
                start: part.vertices.start,
                end: part.vertices.end,
                skin: group.skin,
                has_texture: material.has_texture,
                morph_slots: slots.clone(),
            };
            if !self.vertices.contains_key(&key) {
                let shared = self.write_vertices(writer, &key);
                self.vertices.insert(key.clone(), shared);
            }
            let shared = &self.vertices[&key];
            mesh.primitives.extend(writer.add_primitives(
                &self.shown.rig.mesh,
                part,
                shared,
                material.index,
            ));
        }
        if !slots.is_empty() {
            let weights = self.shown.morph_weights;
            mesh.weights =
                slots.iter().map(|&slot| weights.get(slot).copied().unwrap_or(0.0)).collect();
            mesh.extras = Some(json::MeshExtras {
                target_names: slots.iter().map(|&slot| self.morphs.target_name(slot)).collect(),
            });
        }
        let index = self.list.len();
        self.list.push(mesh);
        self.meshes.insert(mesh_key, index);
        WrittenMesh { index, slots }
    }

    /// Writes all attributes and morph targets of a range of vertices.
    fn write_vertices(&self, writer: &mut GltfWriter, key: &WrittenVertexKey) -> SharedVertices {
        let range = key.start..key.end;
        let indices = to_usize_range(&range);
        let mesh = &*self.shown.rig.mesh;
        let mut attributes = json::Attributes::default();
        let positions = mesh.positions.get(indices.clone()).unwrap_or_default();
        attributes.insert("POSITION", writer.add_positions(positions));
        let normals = mesh.normals.get(indices.clone()).unwrap_or_default();
        let lengths: Vec<f32> = normals.iter().map(|normal| normal.length()).collect();
        let unit: Vec<Vec3> = normals.iter().map(|normal| normal.normalize_or(Vec3::Z)).collect();
        attributes.insert("NORMAL", writer.add_floats(&unit, FloatFormat::VERTEX_VEC3));
        let tangents = mesh.tangents.get(indices.clone()).unwrap_or_default();
        if key.morph_slots.is_empty() && are_valid_tangents(tangents) {
            attributes.insert("TANGENT", writer.add_floats(tangents, FloatFormat::VERTEX_VEC4));
        }
        writer.add_appearance(&mut attributes, mesh, &range, key.has_texture);
        if let Some(skin) = key.skin {
            let mut written = WrittenInfluences::new(self.shown.weights);
            let mut influences = Vec::new();
            for vertex in indices {
                self.shown.collect_influences(vertex, &mut influences);
                written.push(&influences, &self.skin_indices[skin]);
            }
            let joint_count = self.skins[skin].joints.len();
            writer.add_influences(&mut attributes, &written, 0, joint_count);
        }
        let targets = self.morphs.write(writer, &range, &key.morph_slots, &lengths);
        SharedVertices { attributes, targets }
    }
}

/// Returns whether there are tangents, and all of them are valid in glTF.
fn are_valid_tangents(tangents: &[Vec4]) -> bool {
    !tangents.is_empty()
        && tangents.iter().all(|tangent| {
            let is_unit = (tangent.truncate().length() - 1.0).abs() < 1e-3;
            is_unit && tangent.w.abs() == 1.0
        })
}

fn mesh_key(group: &PartGroup<'_>) -> WrittenMeshKey {
    let primitives = group
        .parts
        .iter()
        .map(|(_, part)| (part.primitive, part.vertices.start, part.vertices.end, part.material))
        .collect();
    WrittenMeshKey { mesh: group.parts[0].1.mesh, skin: group.skin, primitives }
}

// Grouping of parts into meshes.

/// The parts of one written mesh.
struct PartGroup<'a> {
    /// Node that carries the mesh.
    node: usize,
    /// Skin of the mesh. `None` if it moves with its node.
    skin: Option<usize>,
    /// At least one part, with its index in the list of all written parts.
    parts: Vec<(usize, &'a MeshPart)>,
}

/// Groups parts by node and skin. A node has one mesh only, so that further groups of the same
/// node get child nodes.
fn group_parts<'a>(
    shown: &OpenRig<'_>,
    parts: &'a [Cow<'_, MeshPart>],
    nodes: &mut NodeBuilder,
) -> Vec<PartGroup<'a>> {
    let mut binder = PartBinder { shown, used_joints: BTreeMap::new(), new_skins: BTreeMap::new() };
    let mut groups: Vec<PartGroup<'a>> = Vec::new();
    let mut group_indices = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        let (node, skin) = binder.bind(part, nodes);
        let group = *group_indices.entry((node, skin)).or_insert_with(|| {
            groups.push(PartGroup { node, skin, parts: Vec::new() });
            groups.len() - 1
        });
        groups[group].parts.push((index, part));
    }
    let mut nodes_with_mesh = BTreeSet::new();
    for group in &mut groups {
        if !nodes_with_mesh.insert(group.node) {
            let name = nodes.list[group.node].name.clone();
            group.node = nodes.push_identity(name, Some(group.node));
        }
    }
    groups
}

/// Determines the node and the skin of each part.
struct PartBinder<'a> {
    shown: &'a OpenRig<'a>,
    /// Joints with influence on a range of vertices, which parts may share.
    used_joints: BTreeMap<(u32, u32), BTreeSet<JointIndex>>,
    /// Skins that are added to those of the rig's file.
    new_skins: BTreeMap<Vec<JointIndex>, usize>,
}

impl PartBinder<'_> {
    /// Returns the node and the skin of a part. There is no skin if all vertices follow one
    /// joint, as they do in an unskinned mesh.
    fn bind(&mut self, part: &MeshPart, nodes: &mut NodeBuilder) -> (usize, Option<usize>) {
        let range = (part.vertices.start, part.vertices.end);
        let used = self
            .used_joints
            .entry(range)
            .or_insert_with(|| find_used_joints(self.shown, &part.vertices));
        let node = part.node.index();
        if part.skin.is_none()
            && used.len() == 1
            && let Some(joint) = used.first()
            && self.shown.joint_from_bind.get(joint.index()) == Some(&Mat4::IDENTITY)
        {
            return (nodes.of_joint[joint.index()], None);
        }
        // Edits may have introduced joints that the skin of the file does not have.
        if let Some(skin) = part.skin.and_then(|skin| nodes.skin_of.get(skin).copied().flatten()) {
            let joints: BTreeSet<JointIndex> = nodes.skins[skin].joints.iter().copied().collect();
            if used.is_subset(&joints) {
                return (node, Some(skin));
            }
        }
        if used.is_empty() {
            return (node, None);
        }
        let joints: Vec<JointIndex> = used.iter().copied().collect();
        let skin = *self
            .new_skins
            .entry(joints)
            .or_insert_with_key(|joints| nodes.push_skin(joints.clone()));
        (node, Some(skin))
    }
}

fn find_used_joints(shown: &OpenRig<'_>, vertices: &Range<u32>) -> BTreeSet<JointIndex> {
    let mut joints = BTreeSet::new();
    let mut influences = Vec::new();
    // Adjacent vertices often have the same joint, which need not be inserted again.
    let mut last = None;
    for vertex in to_usize_range(vertices) {
        shown.collect_influences(vertex, &mut influences);
        for &(joint, _) in &influences {
            if last != Some(joint) {
                joints.insert(joint);
                last = Some(joint);
            }
        }
    }
    joints
}

/// An open rig with its current pose and edits, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct OpenRig<'a> {
    /// The rig as stored in its file.
    pub rig: &'a Rig,
    /// Local transform of each joint. A scale in the axes of the parent cannot be stored in a
    /// node, and is not written.
    pub pose: &'a Pose,
    /// Inverse bind matrix of each joint, with edits.
    pub joint_from_bind: &'a [Mat4],
    /// Influences of each vertex, with edits.
    pub influences: &'a [Influences],
    /// Current morph weights, by slot.
    pub morph_weights: &'a [f32],
    /// Integer format of weights, which are rounded with their sum preserved. `None` for
    /// floats.
    pub weights: Option<WeightFormat>,
}

impl OpenRig<'_> {
    /// Replaces `out` by the influences of a vertex with a weight. Includes those beyond eight
    /// unless the vertex was edited.
    fn collect_influences(&self, vertex: usize, out: &mut Vec<(JointIndex, f32)>) {
        out.clear();
        let mesh = &self.rig.mesh;
        let current = self.influences.get(vertex);
        let is_unedited = current == mesh.influences.get(vertex);
        if let Some(many) = mesh.many.get(&(vertex as u32))
            && is_unedited
        {
            out.extend(many.iter().filter(|(_, weight)| *weight != 0.0));
        } else if let Some(current) = current {
            out.extend(current.used().map(|(_, joint, weight)| (joint, weight)));
        }
    }
}
