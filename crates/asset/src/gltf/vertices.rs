//! Attributes of one primitive, added to the mesh.

use bindpose_skin::Influences;
use glam::{Vec2, Vec3, Vec4};
use gltf::json::accessor::Type;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::{Accessor, BLOCK, blocks};
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind};
use super::influences::{AccessorPair, InfluenceCollector};
use super::joints::SkinJoints;
use super::notes::ReadingNotes;
use super::primitive::{BoundPart, PrimitiveUse};
use crate::Mesh;
use crate::pace::Pace;

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
                        "bind the mesh to its armature and export it again",
                    );
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
            let error = GltfError::new(
                GltfErrorKind::Invalid,
                format_args!("{}/normalized", weights.path()),
                "true, as weights are fractions",
                "whole numbers",
                "export the file again",
            );
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
            Err(error) if error.kind == GltfErrorKind::Cancelled => Err(error),
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
