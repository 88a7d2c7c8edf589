//! Meshes of a rig: vertices in bind space, what moves them, and morph targets.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bindpose_skin::JointIndex;
use glam::Vec3;

use super::groups::PartGroup;
use super::influences::BoundVertices;
use super::json;
use super::materials::PartMaterial;
use super::morphs::Morphs;
use super::nodes::Skin;
use super::primitives::{SharedCorners, mesh_name, places};
use super::shown::OpenRig;
use super::writer::{Floats, GltfWriter};

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
