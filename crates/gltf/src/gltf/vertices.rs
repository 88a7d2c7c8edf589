//! Reads the attributes of a primitive into the mesh.

use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{Influences, JointIndex, LANES, SET_LANES, keep_strongest};
use glam::{Vec2, Vec3, Vec4};
use gltf::json::accessor::Type;
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{Accessor, BLOCK_LENGTH, blocks};
use super::document::GltfDocument;
use super::error::{ReadingNotes, dangling, gltf_error, missing, over_budget};
use super::joints::SkinJoints;
use crate::Mesh;
use crate::budget::FileBudget;
use crate::progress::Pace;
use crate::read_error::code;

/// Reads the vertices of one primitive.
pub(super) struct VertexReader<'a, 'n> {
    pub(super) document: &'a GltfDocument<'a>,
    pub(super) part: &'n PrimitiveUse<'a>,
    pub(super) path: &'n str,
    /// Index in the mesh of the primitive's first vertex.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) notes: &'n mut ReadingNotes,
    pub(super) pace: &'n Pace,
}

impl<'a> VertexReader<'a, '_> {
    /// Appends joints and weights of all vertices.
    pub(super) async fn read_influences(
        &mut self,
        mesh: &mut Mesh,
        binding: Binding,
        joints: &SkinJoints,
    ) -> Result<(), Diagnostic> {
        let first = mesh.influences.len();
        let skin = match binding {
            Binding::Joint(joint) => {
                let full = Influences::new(&[(joint, 1.0)]);
                mesh.influences.resize(first + self.count, full);
                mesh.stored_sums.resize(first + self.count, 1.0);
                return Ok(());
            }
            Binding::Skin(skin) => skin,
        };
        let skin = joints.skins.get(skin).ok_or_else(|| {
            let path = format_args!("/nodes/{}/skin", self.part.node);
            dangling(path, "skins", joints.skins.len(), skin)
        })?;
        let sets = self.influence_sets()?;
        let collector = InfluenceCollector::new(sets, &skin.ours, &self.document.budget);
        collector.add_to(mesh, self.count, self.pace).await
    }

    /// Returns all pairs of `JOINTS_n` and `WEIGHTS_n`. An incomplete first pair is an error.
    /// Incomplete later pairs are skipped, with a note.
    fn influence_sets(&mut self) -> Result<Vec<InfluenceAccessors<'a>>, Diagnostic> {
        let mut sets = Vec::new();
        let attribute_count = self.part.primitive.attributes.len() as u32;
        for number in 0..attribute_count {
            let joints = self.accessor(&Semantic::Joints(number))?;
            let weights = self.accessor(&Semantic::Weights(number))?;
            match (joints, weights) {
                (Some(joints), Some(weights)) => {
                    self.check_weight_type(&weights);
                    sets.push(InfluenceAccessors { joints, weights });
                }
                (None, None) => {}
                _ => {
                    let error = missing(
                        format_args!("{}/attributes", self.path),
                        &format!("JOINTS_{number} and WEIGHTS_{number}"),
                    )
                    .help("bind the mesh to its armature and export it again");
                    if number == 0 {
                        return Err(error);
                    }
                    self.notes.left_out(
                        "INFLUENCES_LEFT_OUT",
                        error,
                        "the other half moves nothing",
                    );
                }
            }
        }
        Ok(sets)
    }

    fn check_weight_type(&mut self, weights: &Accessor<'_>) {
        if !weights.holds_fractions() {
            let error = gltf_error(
                code::GLTF_INVALID,
                format_args!("{}/normalized", weights.path()),
                "true, as weights are fractions",
                "whole numbers",
            );
            self.notes.left_out(
                "WEIGHTS_NOT_NORMALIZED",
                error,
                "none, as weights are divided by their sum",
            );
        }
    }

    /// Appends normals, tangents, texture coordinates and colours. Attributes that cannot be
    /// read are skipped, with a note. Returns whether there are normals.
    pub(super) async fn read_appearance(
        &mut self,
        mesh: &mut Mesh,
        uv_set: u32,
        has_morphs: bool,
    ) -> Result<bool, Diagnostic> {
        let has_normals = self
            .read_optional(Semantic::Normals, &mut mesh.normals, Vec3::ZERO, |normal| {
                let normal = Vec3::from_array(normal);
                // Morph targets are added to normals before normalization.
                if has_morphs { normal } else { normalized(normal) }
            })
            .await?;
        if !has_normals {
            let count = mesh.positions.len();
            mesh.normals.resize(count, Vec3::ZERO);
        }
        self.read_optional(Semantic::Tangents, &mut mesh.tangents, Vec4::ZERO, Vec4::from_array)
            .await?;
        self.read_optional(
            Semantic::TexCoords(uv_set),
            &mut mesh.uvs,
            Vec2::ZERO,
            Vec2::from_array,
        )
        .await?;
        let colors = self
            .part
            .accessor(Semantic::Colors(0))
            .and_then(|accessor| self.document.root.accessors.get(accessor));
        if colors.is_some_and(|colors| colors.type_ == Checked::Valid(Type::Vec3)) {
            self.read_optional(Semantic::Colors(0), &mut mesh.colors, Vec4::ONE, |rgb| {
                Vec3::from_array(rgb).extend(1.0)
            })
            .await?;
        } else {
            self.read_optional(Semantic::Colors(0), &mut mesh.colors, Vec4::ONE, Vec4::from_array)
                .await?;
        }
        Ok(has_normals)
    }

    /// Appends the values of an attribute that nothing else depends on. Vertices of preceding
    /// parts without the attribute get `default`. Returns whether there are values.
    async fn read_optional<const N: usize, T: Copy>(
        &mut self,
        semantic: Semantic,
        out: &mut Vec<T>,
        default: T,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<bool, Diagnostic> {
        let length = out.len();
        let result = match self.accessor(&semantic) {
            Ok(None) => return Ok(false),
            Ok(Some(accessor)) => {
                out.reserve(self.first + self.count - length);
                out.resize(self.first, default);
                self.append(&accessor, out, make).await
            }
            Err(error) => Err(error),
        };
        match result {
            Ok(()) => Ok(true),
            Err(error) if error.code == code::GLTF_CANCELLED => Err(error),
            Err(error) => {
                out.truncate(length);
                let effect = format!("{} is left out", semantic.to_string());
                self.notes.left_out("ATTRIBUTE_LEFT_OUT", error, &effect);
                Ok(false)
            }
        }
    }

    /// Appends all elements of an accessor, converted by `make`.
    pub(super) async fn append<const N: usize, T>(
        &self,
        accessor: &Accessor<'_>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), Diagnostic> {
        for range in blocks(accessor.count(), BLOCK_LENGTH) {
            self.pace.spend(range.len() * N).await?;
            accessor.append_finite(range, out, &make)?;
        }
        Ok(())
    }

    /// Returns the accessor of an attribute, if it has one. It must have as many elements as
    /// there are positions.
    fn accessor(&self, semantic: &Semantic) -> Result<Option<Accessor<'a>>, Diagnostic> {
        let Some(accessor) = self.part.accessor(semantic.clone()) else {
            return Ok(None);
        };
        let path = format_args!("{}/attributes/{}", self.path, semantic.to_string());
        let accessor = Accessor::new(self.document, accessor, &path)?;
        accessor.expect_count(self.count).map(Some)
    }
}

/// Pads attributes that the last parts do not have to the number of positions.
pub(super) fn pad_attributes(mesh: &mut Mesh) {
    let count = mesh.positions.len();
    if !mesh.tangents.is_empty() {
        mesh.tangents.resize(count, Vec4::ZERO);
    }
    if !mesh.uvs.is_empty() {
        mesh.uvs.resize(count, Vec2::ZERO);
    }
    if !mesh.colors.is_empty() {
        mesh.colors.resize(count, Vec4::ONE);
    }
}

/// Normalizes a vector, except if its length is 1 to four digits. Returns zero if it has no
/// direction.
fn normalized(normal: Vec3) -> Vec3 {
    if (normal.length() - 1.0).abs() < 1e-4 { normal } else { normal.normalize_or_zero() }
}

// Conversion of `JOINTS_n` and `WEIGHTS_n` to influences with normalized weights.

/// A pair of `JOINTS_n` and `WEIGHTS_n`.
struct InfluenceAccessors<'a> {
    /// Indices into the skin's list of joints.
    joints: Accessor<'a>,
    weights: Accessor<'a>,
}

/// Combines the influence sets of each vertex.
struct InfluenceCollector<'a> {
    sets: Vec<InfluenceAccessors<'a>>,
    /// Joint of the rig for each joint of the skin.
    rig_joints: &'a [JointIndex],
    budget: &'a FileBudget,
    /// Joints of a run of vertices, one set after the other.
    joints: Vec<[u32; SET_LANES]>,
    /// Weights of a run of vertices, one set after the other.
    weights: Vec<[f32; SET_LANES]>,
    /// Influences of one vertex. Kept to reuse the allocation.
    pairs: Vec<(JointIndex, f32)>,
}

impl<'a> InfluenceCollector<'a> {
    fn new(
        sets: Vec<InfluenceAccessors<'a>>,
        rig_joints: &'a [JointIndex],
        budget: &'a FileBudget,
    ) -> Self {
        Self {
            pairs: Vec::with_capacity(sets.len() * SET_LANES),
            sets,
            rig_joints,
            budget,
            joints: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Appends the influences of `count` vertices to the mesh. Up to two sets keep their
    /// lanes. Of more, those without weight are dropped.
    async fn add_to(
        mut self,
        mesh: &mut Mesh,
        count: usize,
        pace: &Pace,
    ) -> Result<(), Diagnostic> {
        mesh.influences.reserve(count);
        mesh.stored_sums.reserve(count);
        // All sets together should not exceed the size of a block by much.
        let run_length = (BLOCK_LENGTH / self.sets.len().max(1)).max(1);
        for range in blocks(count, run_length) {
            pace.spend(range.len() * self.sets.len() * 2 * SET_LANES).await?;
            self.load_run(&range)?;
            match self.sets.len() {
                1 => self.add_sets::<1>(&range, mesh)?,
                2 => self.add_sets::<2>(&range, mesh)?,
                _ => self.add_many_sets(&range, mesh)?,
            }
        }
        Ok(())
    }

    fn load_run(&mut self, range: &Range<usize>) -> Result<(), Diagnostic> {
        self.joints.clear();
        self.weights.clear();
        for InfluenceAccessors { joints, weights } in &self.sets {
            joints.append_whole(range.clone(), &mut self.joints, |joints| joints)?;
            weights.append_finite(range.clone(), &mut self.weights, |weights| weights)?;
        }
        Ok(())
    }

    /// Appends the influences of a run of vertices with no more sets than [`Influences`] has
    /// lanes for.
    fn add_sets<const SETS: usize>(
        &self,
        range: &Range<usize>,
        mesh: &mut Mesh,
    ) -> Result<(), Diagnostic> {
        let run_length = range.len();
        let sets: [_; SETS] = std::array::from_fn(|set| {
            let set_range = set * run_length..(set + 1) * run_length;
            (&self.joints[set_range.clone()], &self.weights[set_range])
        });
        for vertex in 0..run_length {
            let mut influences = Influences::default();
            for (set, (joints, weights)) in sets.iter().enumerate() {
                let joints = joints[vertex];
                let weights = weights[vertex];
                for lane in 0..SET_LANES {
                    let number = joints[lane];
                    let weight = weights[lane];
                    let Some(joint) = self.rig_joint(number, weight) else {
                        return Err(self.joint_out_of_bounds(set, number, range.start + vertex));
                    };
                    influences.joints[set * SET_LANES + lane] = joint;
                    influences.weights[set * SET_LANES + lane] = weight;
                }
            }
            mesh.stored_sums.push(normalize(&mut influences.weights[..SETS * SET_LANES]));
            mesh.influences.push(influences);
        }
        Ok(())
    }

    fn add_many_sets(&mut self, range: &Range<usize>, mesh: &mut Mesh) -> Result<(), Diagnostic> {
        let run_length = range.len();
        for vertex in 0..run_length {
            let mut pairs = std::mem::take(&mut self.pairs);
            pairs.clear();
            for set in 0..self.sets.len() {
                let index = set * run_length + vertex;
                for (number, weight) in self.joints[index].into_iter().zip(self.weights[index]) {
                    let Some(joint) = self.rig_joint(number, weight) else {
                        return Err(self.joint_out_of_bounds(set, number, range.start + vertex));
                    };
                    pairs.push((joint, weight));
                }
            }
            let mut weights: Vec<f32> = pairs.iter().map(|&(_, weight)| weight).collect();
            mesh.stored_sums.push(normalize(&mut weights));
            for ((_, weight), normalized) in pairs.iter_mut().zip(weights) {
                *weight = normalized;
            }
            pairs.retain(|&(_, weight)| weight != 0.0);
            if pairs.len() > LANES {
                merge_equal_joints(&mut pairs);
            }
            if pairs.len() <= LANES {
                mesh.influences.push(Influences::new(&pairs));
            } else {
                let vertex = mesh.influences.len() as u32;
                self.budget
                    .hold(pairs.len(), size_of::<(JointIndex, f32)>())
                    .map_err(|over| over_budget(over, self.sets[0].joints.path()))?;
                let strongest = keep_strongest(&pairs, LANES);
                mesh.influences.push(Influences::new(&strongest));
                mesh.many.insert(vertex, pairs.clone());
            }
            self.pairs = pairs;
        }
        Ok(())
    }

    /// Returns the rig's joint for an index in the skin. An index with weight 0 may be out of
    /// bounds, because some exporters do not initialize it.
    #[inline]
    fn rig_joint(&self, number: u32, weight: f32) -> Option<JointIndex> {
        match self.rig_joints.get(number as usize) {
            Some(&joint) => Some(joint),
            None if weight == 0.0 => Some(self.rig_joints.first().copied().unwrap_or_default()),
            None => None,
        }
    }

    #[cold]
    fn joint_out_of_bounds(&self, set: usize, number: u32, vertex: usize) -> Diagnostic {
        gltf_error(
            code::GLTF_OUT_OF_BOUNDS,
            self.sets[set].joints.path(),
            format_args!("joints below {}", self.rig_joints.len()),
            format_args!("joint {number} at vertex {vertex}"),
        )
        .help("JOINTS_0 counts in the skin's list of joints, not in the nodes")
    }
}

/// Divides weights by their sum and returns the sum. Weights with a sum of 0 are unchanged.
#[inline]
fn normalize(weights: &mut [f32]) -> f32 {
    let stored: f32 = weights.iter().sum();
    if stored != 1.0 {
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        if sum != 0.0 {
            for weight in weights {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        }
    }
    stored
}

/// Merges pairs with the same joint into the first of them.
fn merge_equal_joints(pairs: &mut Vec<(JointIndex, f32)>) {
    let mut sums: BTreeMap<JointIndex, f32> = BTreeMap::new();
    for &(joint, weight) in &*pairs {
        *sums.entry(joint).or_default() += weight;
    }
    pairs.retain_mut(|(joint, weight)| match sums.remove(joint) {
        Some(sum) => {
            *weight = sum;
            true
        }
        None => false,
    });
}

// Primitives and their binding.

/// Binding of a primitive to joints.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// The vertices have influences of the joints of a skin.
    Skin(usize),
    /// All vertices follow one joint.
    Joint(JointIndex),
}

/// A primitive as instantiated by one node.
pub(super) struct PrimitiveUse<'a> {
    pub(super) node: usize,
    pub(super) mesh: usize,
    pub(super) index: usize,
    pub(super) primitive: &'a Primitive,
}

impl PrimitiveUse<'_> {
    pub(super) fn path(&self) -> String {
        format!("/meshes/{}/primitives/{}", self.mesh, self.index)
    }

    pub(super) fn accessor(&self, semantic: Semantic) -> Option<usize> {
        let attributes = &self.primitive.attributes;
        attributes.get(&Checked::Valid(semantic)).map(|accessor| accessor.value())
    }

    /// Returns whether the primitive has joints or weights.
    pub(super) fn has_influences(&self) -> bool {
        self.accessor(Semantic::Joints(0)).is_some()
            || self.accessor(Semantic::Weights(0)).is_some()
    }
}
