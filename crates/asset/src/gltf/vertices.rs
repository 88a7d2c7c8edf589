//! Attributes of one primitive, added to the mesh.

use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_skin::{Influences, JointIndex, LANES, SET_LANES, keep_strongest};
use glam::{Vec2, Vec3, Vec4};
use gltf::json::accessor::Type;
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{Accessor, BLOCK, blocks};
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
use super::joints::SkinJoints;
use crate::Mesh;
use crate::budget::FileBudget;
use crate::progress::Pace;

/// One primitive, of which so many vertices are to be added.
pub(super) struct VertexReader<'a, 'n> {
    pub(super) document: &'a GltfDocument<'a>,
    pub(super) part: &'n PrimitiveUse<'a>,
    pub(super) path: &'n str,
    /// The first of them in the mesh.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) notes: &'n mut ReadingNotes,
    pub(super) pace: &'n Pace,
}

impl<'a> VertexReader<'a, '_> {
    /// Joints and weights of every vertex.
    pub(super) async fn influences(
        &mut self,
        mesh: &mut Mesh,
        bound: BoundPart,
        joints: &SkinJoints,
    ) -> Result<(), GltfError> {
        let first = mesh.influences.len();
        let skin = match bound {
            BoundPart::Joint(joint) => {
                let whole = Influences::new(&[(joint, 1.0)]);
                mesh.influences.resize(first + self.count, whole);
                mesh.stored_sums.resize(first + self.count, 1.0);
                return Ok(());
            }
            BoundPart::Skin(skin) => skin,
        };
        let path = format_args!("/nodes/{}/skin", self.part.node);
        let found = joints.skins.get(skin);
        let skin =
            found.ok_or_else(|| GltfError::dangling(path, "skins", joints.skins.len(), skin))?;
        let sets = self.sets()?;
        let collector = InfluenceCollector::new(sets, &skin.ours, &self.document.budget);
        collector.add(self.count, mesh, self.pace).await
    }

    /// Every pair of `JOINTS_n` and `WEIGHTS_n`. Of the first, both must be
    /// there; of a later one, half a pair moves nothing.
    fn sets(&mut self) -> Result<Vec<AccessorPair<'a>>, GltfError> {
        let mut sets = Vec::new();
        let attributes = self.part.primitive.attributes.len() as u32;
        for number in 0..attributes {
            let joints = self.accessor(&Semantic::Joints(number))?;
            let weights = self.accessor(&Semantic::Weights(number))?;
            match (joints, weights) {
                (Some(joints), Some(weights)) => {
                    self.expect_fractions(&weights);
                    sets.push(AccessorPair { joints, weights });
                }
                (None, None) => {}
                _ => {
                    let error = GltfError::missing(
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

    fn expect_fractions(&mut self, weights: &Accessor<'_>) {
        if !weights.holds_fractions() {
            let error =
                GltfError::new(Kind::Invalid, format_args!("{}/normalized", weights.path()))
                    .expected("true, as weights are fractions", "whole numbers");
            self.notes.left_out(
                "WEIGHTS_NOT_NORMALIZED",
                error,
                "none, as weights are divided by their sum",
            );
        }
    }

    /// Normals, tangents, texture coordinates and colours: what cannot be read
    /// is left out. Answers whether there are normals.
    pub(super) async fn looks(
        &mut self,
        mesh: &mut Mesh,
        uv_set: u32,
        morphed: bool,
    ) -> Result<bool, GltfError> {
        // Morph targets change normals before they are made unit.
        let normal = |stored: [f32; 3]| {
            let stored = Vec3::from(stored);
            if morphed { stored } else { unit(stored) }
        };
        let normals = Semantic::Normals;
        let has_normals = self.optional(normals, &mut mesh.normals, Vec3::ZERO, normal).await?;
        if !has_normals {
            let count = mesh.positions.len();
            mesh.normals.resize(count, Vec3::ZERO);
        }
        self.optional(Semantic::Tangents, &mut mesh.tangents, Vec4::ZERO, Vec4::from_array).await?;
        self.optional(Semantic::TexCoords(uv_set), &mut mesh.uvs, Vec2::ZERO, Vec2::from_array)
            .await?;
        let (colors, out) = (Semantic::Colors(0), &mut mesh.colors);
        let stored = self.part.accessor(colors.clone());
        let stored = stored.and_then(|accessor| self.document.root.accessors.get(accessor));
        let vec3 = Checked::Valid(Type::Vec3);
        if stored.is_some_and(|accessor| accessor.type_ == vec3) {
            let opaque = |color| Vec3::from_array(color).extend(1.0);
            self.optional(colors, out, Vec4::ONE, opaque).await?;
        } else {
            self.optional(colors, out, Vec4::ONE, Vec4::from_array).await?;
        }
        Ok(has_normals)
    }

    /// The values of an attribute that nothing else depends on, behind those of
    /// other parts, which have `absent` where they have none. Answers whether
    /// there are any.
    async fn optional<const N: usize, T: Copy>(
        &mut self,
        semantic: Semantic,
        out: &mut Vec<T>,
        absent: T,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<bool, GltfError> {
        let before = out.len();
        let name = semantic.to_string();
        let read = match self.accessor(&semantic) {
            Ok(None) => return Ok(false),
            Ok(Some(accessor)) => {
                out.reserve(self.first + self.count - before);
                out.resize(self.first, absent);
                self.append(&accessor, out, make).await
            }
            Err(error) => Err(error),
        };
        match read {
            Ok(()) => Ok(true),
            Err(error) if error.kind == Kind::Cancelled => Err(error),
            Err(error) => {
                out.truncate(before);
                let effect = format!("{name} is left out");
                self.notes.left_out("ATTRIBUTE_LEFT_OUT", error, &effect);
                Ok(false)
            }
        }
    }

    /// All elements, each as `make` says.
    pub(super) async fn append<const N: usize, T>(
        &self,
        accessor: &Accessor<'_>,
        out: &mut Vec<T>,
        make: impl Fn([f32; N]) -> T,
    ) -> Result<(), GltfError> {
        for range in blocks(accessor.count(), BLOCK) {
            self.pace.spend(range.len() * N).await?;
            accessor.append_finite(range, out, &make)?;
        }
        Ok(())
    }

    /// An attribute with as many elements as there are positions.
    fn accessor(&self, semantic: &Semantic) -> Result<Option<Accessor<'a>>, GltfError> {
        let Some(accessor) = self.part.accessor(semantic.clone()) else {
            return Ok(None);
        };
        let path = format_args!("{}/attributes/{}", self.path, semantic.to_string());
        let accessor = Accessor::new(self.document, accessor, &path)?;
        accessor.expect_count(self.count).map(Some)
    }
}

/// Fills up what only some of the parts have.
pub(super) fn pad(mesh: &mut Mesh) {
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

/// As stored if it is a unit vector to four digits, else made one; zero if that
/// cannot be.
fn unit(normal: Vec3) -> Vec3 {
    if (normal.length() - 1.0).abs() < 1e-4 { normal } else { normal.normalize_or_zero() }
}

// `JOINTS_n` and `WEIGHTS_n` as influences: weights divided by their sum.

/// One pair of accessors, as many elements as there are vertices.
pub(super) struct AccessorPair<'a> {
    /// Numbers in the skin's list.
    pub(super) joints: Accessor<'a>,
    pub(super) weights: Accessor<'a>,
}

/// Puts the sets of every vertex together.
pub(super) struct InfluenceCollector<'a> {
    sets: Vec<AccessorPair<'a>>,
    /// Our joint for each of the skin's.
    ours: &'a [JointIndex],
    budget: &'a FileBudget,
    /// Of a run of vertices: one set of all of them after the other.
    joints: Vec<[u32; SET_LANES]>,
    weights: Vec<[f32; SET_LANES]>,
    /// The influences of one vertex.
    pairs: Vec<(JointIndex, f32)>,
}

impl<'a> InfluenceCollector<'a> {
    pub(super) fn new(
        sets: Vec<AccessorPair<'a>>,
        ours: &'a [JointIndex],
        budget: &'a FileBudget,
    ) -> Self {
        Self {
            pairs: Vec::with_capacity(sets.len() * SET_LANES),
            sets,
            ours,
            budget,
            joints: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds the influences of `count` vertices to those of the mesh. Up to two
    /// sets keep their lanes; of more, the unused ones are dropped.
    pub(super) async fn add(
        mut self,
        count: usize,
        mesh: &mut Mesh,
        pace: &Pace,
    ) -> Result<(), GltfError> {
        mesh.influences.reserve(count);
        mesh.stored_sums.reserve(count);
        // So that a run of all sets stays about as large as that of one.
        let run = (BLOCK / self.sets.len().max(1)).max(1);
        for range in blocks(count, run) {
            pace.spend(range.len() * self.sets.len() * 2 * SET_LANES).await?;
            self.load(&range)?;
            match self.sets.len() {
                1 => self.add_few::<1>(&range, mesh)?,
                2 => self.add_few::<2>(&range, mesh)?,
                _ => self.add_many(&range, mesh)?,
            }
        }
        Ok(())
    }

    fn load(&mut self, range: &Range<usize>) -> Result<(), GltfError> {
        self.joints.clear();
        self.weights.clear();
        for AccessorPair { joints, weights } in &self.sets {
            joints.append_whole(range.clone(), &mut self.joints, |joints| joints)?;
            weights.append_finite(range.clone(), &mut self.weights, |weights| weights)?;
        }
        Ok(())
    }

    /// Of as many sets as [`Influences`] has lanes for, or less.
    fn add_few<const SETS: usize>(
        &self,
        range: &Range<usize>,
        mesh: &mut Mesh,
    ) -> Result<(), GltfError> {
        let run = range.len();
        let sets: [_; SETS] = std::array::from_fn(|set| {
            let of_set = set * run..(set + 1) * run;
            (&self.joints[of_set.clone()], &self.weights[of_set])
        });
        for vertex in 0..run {
            let mut influences = Influences::default();
            for (set, (joints, weights)) in sets.iter().enumerate() {
                let (joints, weights) = (joints[vertex], weights[vertex]);
                for lane in 0..SET_LANES {
                    let (number, weight) = (joints[lane], weights[lane]);
                    let Some(joint) = self.joint(number, weight) else {
                        return Err(self.no_joint(set, number, range.start + vertex));
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

    fn add_many(&mut self, range: &Range<usize>, mesh: &mut Mesh) -> Result<(), GltfError> {
        let run = range.len();
        for vertex in 0..run {
            let mut pairs = std::mem::take(&mut self.pairs);
            pairs.clear();
            for set in 0..self.sets.len() {
                let at = set * run + vertex;
                for (number, weight) in self.joints[at].into_iter().zip(self.weights[at]) {
                    let Some(joint) = self.joint(number, weight) else {
                        return Err(self.no_joint(set, number, range.start + vertex));
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
                merge(&mut pairs);
            }
            if pairs.len() <= LANES {
                mesh.influences.push(Influences::new(&pairs));
            } else {
                let number = mesh.influences.len() as u32;
                let held = self.budget.hold(pairs.len(), size_of::<(JointIndex, f32)>());
                held.map_err(|over| GltfError::over_budget(over, self.sets[0].joints.path()))?;
                let strongest = keep_strongest(&pairs, LANES);
                mesh.influences.push(Influences::new(&strongest));
                mesh.many.insert(number, pairs.clone());
            }
            self.pairs = pairs;
        }
        Ok(())
    }

    /// Our joint for a number. That of a joint of weight 0 is not looked at: some
    /// exporters leave rubbish there.
    #[inline]
    fn joint(&self, number: u32, weight: f32) -> Option<JointIndex> {
        match self.ours.get(number as usize) {
            Some(&joint) => Some(joint),
            None if weight == 0.0 => Some(self.ours.first().copied().unwrap_or_default()),
            None => None,
        }
    }

    #[cold]
    fn no_joint(&self, set: usize, number: u32, vertex: usize) -> GltfError {
        GltfError::new(Kind::OutOfBounds, self.sets[set].joints.path())
            .expected(
                format_args!("joints below {}", self.ours.len()),
                format_args!("joint {number} at vertex {vertex}"),
            )
            .help("JOINTS_0 counts in the skin's list of joints, not in the nodes")
    }
}

/// Divides by the sum, and answers with it. A sum of 1 or 0 changes nothing.
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

/// Makes one of all pairs with the same joint, where the first of them stands.
fn merge(pairs: &mut Vec<(JointIndex, f32)>) {
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

// One primitive, and what moves it.

/// What moves the vertices of a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BoundPart {
    /// The joints of this skin.
    Skin(usize),
    /// One joint alone.
    Joint(JointIndex),
}

/// One primitive as one node shows it.
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

    /// Does it say which joints move its vertices?
    pub(super) fn has_influences(&self) -> bool {
        self.accessor(Semantic::Joints(0)).is_some()
            || self.accessor(Semantic::Weights(0)).is_some()
    }
}
