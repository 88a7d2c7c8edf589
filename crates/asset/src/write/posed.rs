//! The posed mesh alone, as one `.glb`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{
    Influences, Joint, JointIndex, Pose, Skeleton, SkeletonError, Trs, WeightFormat,
};
use glam::{Mat4, Vec3};

use super::animations::{ChannelTargets, MorphNode};
use super::influences::BoundVertices;
use super::json;
use super::materials::PartMaterial;
use super::nodes::{Nodes, Skin};
use super::primitives::{Morphs, SharedCorners, graph_of, mesh_name, parts, places};
use super::writer::{Floats, GltfWriter};
use crate::{
    GraphNode, Mesh, MeshPart, ModelSource, MovedVertices, NodeIndex, NodeTransform, Rig,
    RigOrigin, SceneGraph,
};

/// The mesh with its vertices where they have been moved, in world space,
/// without a skeleton: names of nodes and meshes, materials, images, vertex
/// colours and texture coordinates stay.
///
/// As many positions and normals as the mesh has vertices; as many tangents, or none.
///
/// Fails when the mesh has no vertices; else as [`write_rig_glb`].
pub fn write_posed_glb(rig: &Rig, moved: &MovedVertices) -> Result<Vec<u8>, Diagnostic> {
    let (parts, graph) = unmoved(rig);
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
    // A skeleton has a joint at least: the first node is it, and moves nothing.
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

/// The parts of a rig without skins, and the nodes that carry them: all roots,
/// where the world is.
fn unmoved(rig: &Rig) -> (Vec<MeshPart>, SceneGraph) {
    let graph = graph_of(rig);
    let mut nodes = Vec::new();
    let mut known = BTreeMap::new();
    let parts = parts(rig).into_iter().map(|part| {
        let node = *known.entry(part.node).or_insert_with(|| {
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
        MeshPart { node, skin: None, ..part.into_owned() }
    });
    let parts = parts.collect();
    (parts, SceneGraph::of_nodes(nodes, Vec::new()))
}

// What keeps a rig from being written, beside what the writers say themselves.

/// For `map_err`: the joints are no skeleton.
pub(crate) fn skeleton_unsound(error: &SkeletonError) -> Diagnostic {
    Diagnostic::said("SKELETON_UNSOUND", format!("the rig is not sound: {error}"))
}

// The rig as it is open now, as one `.glb`: skeleton, weights, morph targets and
// clips, its nodes in the pose that is shown.

/// The rig with its nodes, scenes, skins, materials and morph targets as they
/// were in its file, in the pose that is shown, and its clips. What glTF forbids
/// is written as what comes closest: weights divided by their sum, inverse bind
/// matrices with their last row, a root above joints that have none in common.
///
/// Fails when some of its numbers are not finite, an image does not become a PNG, or it
/// is more than one file can hold.
pub fn write_rig_glb(shown: &OpenRig<'_>) -> Result<Vec<u8>, Diagnostic> {
    let rig = shown.rig;
    let mut writer = GltfWriter::default();
    let mut root = json::Root {
        asset: json::Asset { version: "2.0", generator: "Bindpose", copyright: None },
        ..json::Root::default()
    };
    let parts = parts(rig);
    let materials = root.add_materials(&mut writer, &rig.mesh, rig.flat, &parts)?;
    let mut nodes = Nodes::new(rig, shown.pose);
    let groups = groups(shown, &parts, &mut nodes);
    let mut meshes = Meshes::new(shown, &nodes.skins);
    let mut morphs = Vec::new();
    for group in &groups {
        let mesh = meshes.add(&mut writer, group, &materials);
        if !mesh.slots.is_empty() {
            morphs.push(MorphNode { node: group.node, slots: mesh.slots });
        }
        let node = &mut nodes.list[group.node];
        (node.mesh, node.skin) = (Some(mesh.number), group.skin);
    }
    root.meshes = meshes.list;
    root.skins = writer.skins(shown, &nodes);
    let targets = ChannelTargets {
        node_of_joint: &nodes.of_joint,
        morphs: &morphs,
        morph_weights: shown.morph_weights,
    };
    root.animations = writer.animations(&rig.clips, &targets);
    (root.nodes, root.scenes, root.scene) = nodes.finish();
    for node in &root.nodes {
        let vectors = [node.translation, node.scale].into_iter().flatten();
        let numbers = vectors.flatten().chain(node.rotation.into_iter().flatten());
        writer.check(&numbers.collect::<Vec<f32>>(), "transforms of nodes");
    }
    writer.glb(root)
}

impl GltfWriter {
    fn skins(&mut self, shown: &OpenRig<'_>, nodes: &Nodes) -> Vec<json::Skin> {
        let skins = nodes.skins.iter().map(|skin| {
            let matrix = |joint: &JointIndex| shown.joint_from_bind.get(joint.index()).copied();
            let matrices = skin.joints.iter().map(|joint| matrix(joint).unwrap_or_default());
            let told = skin.has_inverse_binds || matrices.clone().any(|one| one != Mat4::IDENTITY);
            json::Skin {
                name: skin.name.clone(),
                inverse_bind_matrices: told.then(|| self.inverse_binds(matrices)),
                skeleton: None,
                joints: skin.nodes.clone(),
            }
        });
        skins.collect()
    }
}

// Meshes of a rig: vertices in bind space, what moves them, and morph targets.

/// The meshes written so far; nodes that show the same share one.
pub(super) struct Meshes<'a> {
    pub(super) list: Vec<json::Mesh>,
    shown: &'a OpenRig<'a>,
    skins: &'a [Skin],
    morphs: Morphs<'a>,
    /// Place in each skin of its joints.
    places: Vec<BTreeMap<JointIndex, u16>>,
    vertices: BTreeMap<VerticesKey, SharedCorners>,
    known: BTreeMap<MeshKey, usize>,
}

/// First vertex and end, skin, whether an image needs coordinates, slots of morph
/// weights.
type VerticesKey = (u32, u32, Option<usize>, bool, Vec<usize>);
/// Mesh in the file, skin, and of each primitive its number, vertices and material.
type MeshKey = (usize, Option<usize>, Vec<(usize, u32, u32, Option<usize>)>);

/// A mesh that was written.
pub(super) struct WrittenMesh {
    pub(super) number: usize,
    /// Which of the rig's morph weights it takes, one a target.
    pub(super) slots: Vec<usize>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(shown: &'a OpenRig<'a>, skins: &'a [Skin]) -> Self {
        let places = skins.iter().map(|skin| {
            let mut places = BTreeMap::new();
            for (&joint, place) in skin.joints.iter().zip(0..) {
                places.entry(joint).or_insert(place);
            }
            places
        });
        Self {
            list: Vec::new(),
            shown,
            skins,
            morphs: Morphs::new(&shown.rig.mesh.targets),
            places: places.collect(),
            vertices: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    pub(super) fn add(
        &mut self,
        writer: &mut GltfWriter,
        group: &PartGroup<'_>,
        materials: &[PartMaterial],
    ) -> WrittenMesh {
        let ranges = group.parts.iter().map(|(_, part)| &part.vertices);
        let slots: BTreeSet<usize> = ranges.flat_map(|range| self.morphs.slots(range)).collect();
        let slots: Vec<usize> = slots.into_iter().collect();
        let key = mesh_key(group);
        if let Some(&number) = self.known.get(&key).filter(|_| slots.is_empty()) {
            return WrittenMesh { number, slots };
        }
        let mut mesh = json::Mesh { name: mesh_name(group.parts[0].1), ..json::Mesh::default() };
        for &(place, part) in &group.parts {
            let PartMaterial { number, textured } = materials[place];
            let (start, end) = (part.vertices.start, part.vertices.end);
            let key = (start, end, group.skin, textured, slots.clone());
            if !self.vertices.contains_key(&key) {
                let shared = self.write_vertices(writer, &key);
                self.vertices.insert(key.clone(), shared);
            }
            let (stored, shared) = (&self.shown.rig.mesh, &self.vertices[&key]);
            let primitives = writer.primitives(stored, part, shared, number);
            mesh.primitives.extend(primitives);
        }
        if !slots.is_empty() {
            let weight = |slot: &usize| self.shown.morph_weights.get(*slot).copied();
            mesh.weights = slots.iter().map(|slot| weight(slot).unwrap_or(0.0)).collect();
            let names = slots.iter().map(|&slot| self.morphs.name(slot));
            mesh.extras = Some(json::MeshExtras { target_names: names.collect() });
        }
        self.list.push(mesh);
        self.known.insert(key, self.list.len() - 1);
        WrittenMesh { number: self.list.len() - 1, slots }
    }

    /// All attributes and targets of a range of vertices.
    fn write_vertices(&self, writer: &mut GltfWriter, key: &VerticesKey) -> SharedCorners {
        let &(start, end, skin, textured, ref slots) = key;
        let range = start..end;
        let mesh = &*self.shown.rig.mesh;
        let mut attributes = json::Attributes::default();
        let positions = mesh.positions.get(places(&range)).unwrap_or_default();
        attributes.put("POSITION", writer.positions(positions));
        let normals = mesh.normals.get(places(&range)).unwrap_or_default();
        let lengths: Vec<f32> = normals.iter().map(|normal| normal.length()).collect();
        let unit: Vec<Vec3> = normals.iter().map(|n| n.normalize_or(Vec3::Z)).collect();
        attributes.put("NORMAL", writer.floats(&unit, Floats::VECTOR));
        if slots.is_empty() {
            self.put_tangents(writer, &mut attributes, &range);
        }
        writer.put_looks(&mut attributes, mesh, &range, textured);
        if let Some(skin) = skin {
            let mut bound = BoundVertices::new(self.shown.weights);
            let mut used = Vec::new();
            for vertex in places(&range) {
                self.shown.used(vertex, &mut used);
                bound.push(&used, &self.places[skin]);
            }
            let joints = self.skins[skin].joints.len();
            writer.put_influences(&mut attributes, &bound, 0, joints);
        }
        SharedCorners { attributes, targets: self.morphs.write(writer, &range, slots, &lengths) }
    }

    /// Tangents, if all of them are what glTF wants.
    fn put_tangents(
        &self,
        writer: &mut GltfWriter,
        attributes: &mut json::Attributes,
        range: &Range<u32>,
    ) {
        let tangents = self.shown.rig.mesh.tangents.get(places(range)).unwrap_or_default();
        let sound = tangents.iter().all(|tangent| {
            let unit = (tangent.truncate().length() - 1.0).abs() < 1e-3;
            unit && tangent.w.abs() == 1.0
        });
        if sound && !tangents.is_empty() {
            attributes.put("TANGENT", writer.floats(tangents, Floats::FOUR));
        }
    }
}

fn mesh_key(group: &PartGroup<'_>) -> MeshKey {
    let parts = group.parts.iter();
    let primitives = parts.map(|(_, part)| {
        let vertices = &part.vertices;
        (part.primitive, vertices.start, vertices.end, part.material)
    });
    (group.parts[0].1.mesh, group.skin, primitives.collect())
}

// Which parts of a rig make a mesh of the file, on which node, and in which skin.

/// The parts of one mesh of the file.
pub(super) struct PartGroup<'a> {
    /// The node that carries it.
    pub(super) node: usize,
    /// `None`: it moves with its node.
    pub(super) skin: Option<usize>,
    /// Each with its place among the parts that are written; at least one.
    pub(super) parts: Vec<(usize, &'a MeshPart)>,
}

/// A mesh for each node and skin. Parts that one node carries in different skins
/// come onto nodes of their own.
pub(super) fn groups<'a>(
    shown: &OpenRig<'_>,
    parts: &'a [Cow<'_, MeshPart>],
    nodes: &mut Nodes,
) -> Vec<PartGroup<'a>> {
    let mut binder = Binder { shown, used: BTreeMap::new(), made: BTreeMap::new() };
    let mut groups: Vec<PartGroup<'a>> = Vec::new();
    let mut known = BTreeMap::new();
    for (place, part) in parts.iter().enumerate() {
        let (node, skin) = binder.bind(part, nodes);
        let group = *known.entry((node, skin)).or_insert_with(|| {
            groups.push(PartGroup { node, skin, parts: Vec::new() });
            groups.len() - 1
        });
        groups[group].parts.push((place, part));
    }
    let mut taken = BTreeSet::new();
    for group in &mut groups {
        if !taken.insert(group.node) {
            let name = nodes.list[group.node].name.clone();
            group.node = nodes.push_plain(name, Some(group.node));
        }
    }
    groups
}

/// Finds the skin for each part.
struct Binder<'a> {
    shown: &'a OpenRig<'a>,
    /// Joints at work on a range of vertices: parts may share it.
    used: BTreeMap<(u32, u32), BTreeSet<JointIndex>>,
    /// Skins that the rig's file does not have.
    made: BTreeMap<Vec<JointIndex>, usize>,
}

impl Binder<'_> {
    /// The node for a part, and the skin; none where all vertices follow one
    /// joint, as those of a mesh without a skin do.
    fn bind(&mut self, part: &MeshPart, nodes: &mut Nodes) -> (usize, Option<usize>) {
        let key = (part.vertices.start, part.vertices.end);
        let used = self.used.entry(key).or_insert_with(|| joints_of(self.shown, &part.vertices));
        let node = part.node.index();
        if part.skin.is_none()
            && used.len() == 1
            && let Some(joint) = used.first()
            && self.shown.joint_from_bind.get(joint.index()) == Some(&Mat4::IDENTITY)
        {
            return (nodes.of_joint[joint.index()], None);
        }
        let stored = part.skin.and_then(|skin| nodes.skin_of.get(skin).copied().flatten());
        if let Some(skin) = stored {
            let joints: BTreeSet<JointIndex> = nodes.skins[skin].joints.iter().copied().collect();
            if used.is_subset(&joints) {
                return (node, Some(skin));
            }
        }
        if used.is_empty() {
            return (node, None);
        }
        let joints: Vec<JointIndex> = used.iter().copied().collect();
        let made = self.made.entry(joints);
        let skin = *made.or_insert_with_key(|joints| nodes.push_skin(joints.clone()));
        (node, Some(skin))
    }
}

fn joints_of(shown: &OpenRig<'_>, vertices: &Range<u32>) -> BTreeSet<JointIndex> {
    let mut joints = BTreeSet::new();
    let mut used = Vec::new();
    let mut last = None;
    for vertex in places(vertices) {
        shown.used(vertex, &mut used);
        for &(joint, _) in &used {
            if last != Some(joint) {
                joints.insert(joint);
                last = Some(joint);
            }
        }
    }
    joints
}

// A rig as it is open now, for the file that is written of it.

/// A rig as it is open now.
#[derive(Clone, Copy, Debug)]
pub struct OpenRig<'a> {
    /// The rig as stored.
    pub rig: &'a Rig,
    /// One transform a joint. What stretches a joint in its parent's axes is no
    /// transform that a node could hold, and is left out.
    pub pose: &'a Pose,
    /// Inverse bind matrices, with edits; one a joint.
    pub joint_from_bind: &'a [Mat4],
    /// With edits; one a vertex.
    pub influences: &'a [Influences],
    /// By slot.
    pub morph_weights: &'a [f32],
    /// Weights as whole numbers that keep the sum; `None`: as floats.
    pub weights: Option<WeightFormat>,
}

impl OpenRig<'_> {
    /// The influences at work on a vertex: all of them where it has more than
    /// eight and they were not edited.
    pub(super) fn used(&self, vertex: usize, used: &mut Vec<(JointIndex, f32)>) {
        used.clear();
        let mesh = &self.rig.mesh;
        let eight = self.influences.get(vertex);
        let many = mesh.many.get(&(vertex as u32));
        let many = many.filter(|_| eight == mesh.influences.get(vertex));
        match (many, eight) {
            (Some(many), _) => {
                used.extend(many.iter().filter(|(_, weight)| *weight != 0.0));
            }
            (None, Some(eight)) => {
                used.extend(eight.used().map(|(_, joint, weight)| (joint, weight)));
            }
            (None, None) => {}
        }
    }
}
