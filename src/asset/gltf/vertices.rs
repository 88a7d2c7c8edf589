//! Attributes of one primitive, added to the mesh.

use glam::{Vec2, Vec3, Vec4};
use gltf::json::mesh::Semantic;

use super::accessor::Elements;
use super::container::Document;
use super::error::{GltfError, GltfErrorKind};
use super::influences::{Set, Weigher};
use super::joints::Joints;
use super::notes::Notes;
use super::primitive::{Bound, Use};
use crate::asset::Mesh;
use crate::skin::Influences;

/// One primitive, of which so many vertices are to be added.
pub(super) struct Reader<'a, 'n> {
    pub(super) document: &'a Document<'a>,
    pub(super) part: &'n Use<'a>,
    pub(super) path: &'n str,
    pub(super) count: usize,
    pub(super) notes: &'n mut Notes,
}

impl<'a> Reader<'a, '_> {
    /// Joints and weights of every vertex.
    pub(super) fn influences(
        &mut self,
        mesh: &mut Mesh,
        bound: Bound,
        joints: &Joints,
    ) -> Result<(), GltfError> {
        let first = mesh.influences.len();
        let skin = match bound {
            Bound::Joint(joint) => {
                let whole = Influences::new(&[(joint, 1.0)]);
                mesh.influences.resize(first + self.count, whole);
                mesh.stored_sums.resize(first + self.count, 1.0);
                return Ok(());
            }
            Bound::Skin(skin) => skin,
        };
        let path = format!("/nodes/{}/skin", self.part.node);
        let found = joints.skins.get(skin);
        let skin =
            found.ok_or_else(|| GltfError::dangling(path, "skins", joints.skins.len(), skin))?;
        let sets = self.sets()?;
        Weigher::new(&sets, &skin.ours).add(self.count, mesh)
    }

    /// Every pair of `JOINTS_n` and `WEIGHTS_n`. Of the first, both must be
    /// there; of a later one, half a pair moves nothing.
    fn sets(&mut self) -> Result<Vec<Set>, GltfError> {
        let mut sets = Vec::new();
        let attributes = self.part.primitive.attributes.len() as u32;
        for number in 0..attributes {
            let joints = self.elements(Semantic::Joints(number), &format!("JOINTS_{number}"));
            let weights = self.elements(Semantic::Weights(number), &format!("WEIGHTS_{number}"));
            match (joints?, weights?) {
                (Some(joints), Some(weights)) => sets.push(self.set(&joints, &weights)?),
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

    fn set(&mut self, joints: &Elements<'_>, weights: &Elements<'_>) -> Result<Set, GltfError> {
        let set = Set {
            joints: joints.whole::<4>()?,
            weights: weights.finite::<4>()?,
            path: joints.path().to_owned(),
        };
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
        Ok(set)
    }

    /// Normals, tangents, texture coordinates and colours: what cannot be read
    /// is left out. Answers whether there are normals.
    pub(super) fn looks(&mut self, mesh: &mut Mesh, uv_set: u32, morphed: bool) -> bool {
        let before = mesh.positions.len() - self.count;
        let normals = self.optional::<3>(Semantic::Normals, "NORMAL");
        let has_normals = normals.is_some();
        match normals {
            // Morph targets change normals before they are made unit.
            Some(normals) if morphed => mesh.normals.extend(normals.into_iter().map(Vec3::from)),
            Some(normals) => mesh
                .normals
                .extend(normals.into_iter().map(|normal| unit(normal.into()))),
            None => mesh.normals.resize(before + self.count, Vec3::ZERO),
        }
        if let Some(tangents) = self.optional::<4>(Semantic::Tangents, "TANGENT") {
            mesh.tangents.resize(before, Vec4::ZERO);
            mesh.tangents.extend(tangents.into_iter().map(Vec4::from));
        }
        let name = format!("TEXCOORD_{uv_set}");
        if let Some(uvs) = self.optional::<2>(Semantic::TexCoords(uv_set), &name) {
            mesh.uvs.resize(before, Vec2::ZERO);
            mesh.uvs.extend(uvs.into_iter().map(Vec2::from));
        }
        if let Some(colors) = self.colors() {
            mesh.colors.resize(before, Vec4::ONE);
            mesh.colors.extend(colors);
        }
        has_normals
    }

    /// `COLOR_0`, with or without alpha.
    fn colors(&mut self) -> Option<Vec<Vec4>> {
        let elements = self.elements(Semantic::Colors(0), "COLOR_0");
        if let Ok(Some(elements)) = &elements
            && elements.components() == 3
        {
            let colors = self.optional::<3>(Semantic::Colors(0), "COLOR_0")?;
            let opaque = |color| Vec3::from_array(color).extend(1.0);
            return Some(colors.into_iter().map(opaque).collect());
        }
        let colors = self.optional::<4>(Semantic::Colors(0), "COLOR_0")?;
        Some(colors.into_iter().map(Vec4::from).collect())
    }

    /// The values of an attribute that nothing else depends on.
    fn optional<const N: usize>(
        &mut self,
        semantic: Semantic,
        name: &str,
    ) -> Option<Vec<[f32; N]>> {
        let read = self
            .elements(semantic, name)
            .and_then(|elements| elements.map(|elements| elements.finite::<N>()).transpose());
        read.unwrap_or_else(|error| {
            let effect = format!("{name} is left out");
            self.notes.left_out("ATTRIBUTE_LEFT_OUT", error, &effect);
            None
        })
    }

    /// An attribute with as many elements as there are positions.
    fn elements(&self, semantic: Semantic, name: &str) -> Result<Option<Elements<'a>>, GltfError> {
        let Some(accessor) = self.part.accessor(semantic) else {
            return Ok(None);
        };
        let path = format!("{}/attributes/{name}", self.path);
        let elements = Elements::new(self.document, accessor, &path)?;
        elements.expect_count(self.count).map(Some)
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
    if (normal.length() - 1.0).abs() < 1e-4 {
        normal
    } else {
        normal.normalize_or_zero()
    }
}
