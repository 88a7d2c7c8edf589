//! Meshes: vertex data in bind space, and its transformation into world space by morph
//! targets and skinning.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_skin::{
    BindVertices, Influences, JointIndex, JointMotion, Method, SharedInfluences, VertexGroups,
    WorldVertices, with_skinner,
};
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

use super::{Image, MaterialImage, NodeIndex};

/// A skinned mesh as stored. All vertex data is in bind space, with one entry per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertex positions (`POSITION`) in bind space.
    pub positions: Vec<Vec3>,
    /// Vertex normals (`NORMAL`), as many as positions. Of unit length, except that they are
    /// zero where the file gives no direction, and as stored where morph targets change them.
    pub normals: Vec<Vec3>,
    /// Vertex tangents (`TANGENT`): xyz of unit length, w the handedness ±1. Zero in parts
    /// without tangents. Empty if no part has any.
    pub tangents: Vec<Vec4>,
    /// Texture coordinates: the set `TEXCOORD_n` that the base colour uses, with the origin
    /// at the top left of the image. Empty if absent.
    pub uvs: Vec<Vec2>,
    /// Vertex colours (`COLOR_0`), linear RGBA, multiplied with the base colour. Empty if
    /// absent.
    pub colors: Vec<Vec4>,
    /// Joints and weights (`JOINTS_n`, `WEIGHTS_n`), as many as positions. Weights are
    /// normalized to a sum of 1. Of more than eight influences, the strongest eight.
    pub influences: SharedInfluences,
    /// Sum of the weights of each vertex before normalization. Empty if the influences
    /// were never normalized.
    pub stored_sums: Vec<f32>,
    /// All influences of vertices with more than eight, with normalized weights.
    pub many: BTreeMap<u32, Vec<(JointIndex, f32)>>,
    /// Influences of the file, if `influences` holds computed ones instead.
    pub file_influences: Option<SharedInfluences>,
    /// Morph targets, which are added to positions and normals before skinning.
    pub targets: Vec<MorphTarget>,
    /// Vertex indices of the triangles, counter-clockwise seen from outside. Empty for some
    /// flat rigs.
    pub triangles: Vec<[u32; 3]>,
    /// Vertex indices of lines that are part of the drawing, as in the bone grid. Empty for
    /// solid models.
    pub lines: Vec<[u32; 2]>,
    /// Parts of the mesh, one for each node and primitive of the file, in order. If empty,
    /// the mesh is a single part with the first material, if any.
    pub parts: Vec<MeshPart>,
    /// Materials of the parts, in the file's order.
    pub materials: Vec<Material>,
    /// Images of the materials, in the file's order.
    pub images: Vec<MaterialImage>,
}

impl Mesh {
    /// Returns the influences of the file, even if computed ones have replaced them.
    pub fn of_file(&self) -> &SharedInfluences {
        self.file_influences.as_ref().unwrap_or(&self.influences)
    }
}

/// The vertices and triangles of one primitive, as instantiated by one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPart {
    /// Label shown to the user: name of the mesh, and the primitive's number if it has
    /// several.
    pub name: String,
    /// Node that carries the mesh.
    pub node: NodeIndex,
    /// Index of the mesh in the file.
    pub mesh: usize,
    /// Index of the primitive in its mesh.
    pub primitive: usize,
    /// Index of the skin in the file. `None` if the part moves with its node.
    pub skin: Option<usize>,
    /// Range of vertices in [`Mesh`]. Primitives that share attributes share vertices.
    pub vertices: Range<u32>,
    /// Range in [`Mesh::triangles`], possibly empty.
    pub triangles: Range<u32>,
    /// Range in [`Mesh::lines`], possibly empty.
    pub lines: Range<u32>,
    /// Index into [`Mesh::materials`]. `None` for the default material.
    pub material: Option<usize>,
}

/// Appearance of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name shown to the user.
    pub name: String,
    /// Base colour, linear RGBA, multiplied with the image and the vertex colours.
    pub base_color: Vec4,
    /// Image of the base colour and its mapping. `None` if it has no image.
    pub texture: Option<TextureUse>,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether the surface shows its base colour without lighting
    /// (`KHR_materials_unlit`).
    pub unlit: bool,
    /// Alpha below which a fragment is discarded. `None` if alpha is ignored. There is no
    /// blending: materials that ask for it have a cutoff of 0.5.
    pub alpha_cutoff: Option<f32>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            texture: None,
            double_sided: false,
            unlit: false,
            alpha_cutoff: None,
        }
    }
}

/// Mapping of an image onto a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureUse {
    /// Index into [`Mesh::images`].
    pub image: usize,
    /// Transform of texture coordinates (`KHR_texture_transform`), applied to `(u, v, 1)`.
    pub image_from_uv: Mat3,
    /// Wrapping mode in u and in v.
    pub wrap: [Wrap; 2],
    /// Whether pixels are magnified without interpolation.
    pub nearest: bool,
}

/// Wrapping mode of texture coordinates outside 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The image repeats in every direction.
    #[default]
    Repeat,
    /// The image repeats, mirrored every other time.
    MirroredRepeat,
    /// The outermost pixels continue outwards.
    ClampToEdge,
}

/// Differences that are added to a run of vertices, multiplied by a morph weight.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTarget {
    /// Name shown to the user.
    pub name: String,
    /// Index of its weight in the rig's morph weights.
    pub slot: usize,
    /// Index of the first vertex that the target moves.
    pub first_vertex: u32,
    /// Differences of positions, in bind space, from `first_vertex` on.
    pub positions: Vec<Vec3>,
    /// Differences of normals. Empty if the target leaves normals unchanged.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// Replaces all materials by one that shows `image` in its own colours.
    pub fn paint(&mut self, image: Image) {
        self.materials =
            vec![Material { texture: Some(TextureUse::default()), ..Material::default() }];
        self.images = vec![MaterialImage::of_pixels(image)];
    }

    /// Returns the number of images that a worker has yet to decode. Their materials are
    /// drawn without an image until then.
    pub fn awaited_images(&self) -> usize {
        self.images.iter().filter(|image| image.is_awaited()).count()
    }

    /// Returns the largest number of influences of any vertex: 0 to 8.
    pub fn lanes(&self) -> usize {
        self.influences.iter().map(Influences::lanes).max().unwrap_or(0)
    }

    /// Computes the bounding box of the stored positions, as minimum and maximum. Both are
    /// zero if there are no vertices.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        bounds_of(&self.positions)
    }
}

/// Computes the bounding box of points, as minimum and maximum. Both are zero if there are
/// no points.
pub fn bounds_of(points: &[Vec3]) -> (Vec3, Vec3) {
    let Some(&first) = points.first() else {
        return (Vec3::ZERO, Vec3::ZERO);
    };
    points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p)))
}

// Skinning.

/// Skinned vertices in world space.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedVertices {
    /// Positions in world space.
    pub positions: Vec<Vec3>,
    /// Normals in world space, of unit length. Zero where the mesh has collapsed.
    pub normals: Vec<Vec3>,
    /// Tangents in world space, with the handedness in w. Empty if the mesh has none, or if
    /// it is morphed: morph targets for tangents are not read.
    pub tangents: Vec<Vec4>,
}

impl Mesh {
    /// Computes all vertices in world space: morphed, then skinned with every influence,
    /// including those beyond eight. Normals are transformed by the inverse transpose.
    pub fn moved(
        &self,
        world_from_bind: &[Mat4],
        morph_weights: &[f32],
        method: Method,
    ) -> MovedVertices {
        let groups = self.groups(method);
        self.moved_by(&groups, world_from_bind, morph_weights, method)
    }

    /// Prepares the influences that a method uses for [`Self::moved_by`].
    pub fn groups(&self, method: Method) -> VertexGroups {
        match method {
            Method::Rigid => VertexGroups::strongest(&self.influences),
            Method::Linear | Method::DualQuaternion => {
                VertexGroups::new(&self.influences, &self.many)
            }
        }
    }

    /// Like [`Self::moved`], with the result of [`Self::groups`], which can be reused
    /// between frames.
    pub fn moved_by(
        &self,
        groups: &VertexGroups,
        world_from_bind: &[Mat4],
        morph_weights: &[f32],
        method: Method,
    ) -> MovedVertices {
        let morphed = self.morphed(morph_weights);
        let (positions, normals) = match &morphed {
            Some(morphed) => (&morphed.positions, &morphed.normals),
            None => (&self.positions, &self.normals),
        };
        let count = groups.vertices();
        let mut moved = MovedVertices {
            positions: vec![Vec3::ZERO; count],
            normals: vec![Vec3::ZERO; count],
            tangents: match morphed {
                Some(_) => Vec::new(),
                None => vec![Vec4::ZERO; count.min(self.tangents.len())],
            },
        };
        let bind = BindVertices {
            positions: &padded_to(positions, count),
            normals: &padded_to(normals, count),
            tangents: &self.tangents,
        };
        let world = WorldVertices {
            positions: &mut moved.positions,
            normals: &mut moved.normals,
            tangents: &mut moved.tangents,
        };
        with_skinner(|skinner| match method {
            Method::Rigid | Method::Linear => skinner.linear(groups, world_from_bind, bind, world),
            Method::DualQuaternion => {
                let motions: Vec<JointMotion> = world_from_bind
                    .iter()
                    .map(|&matrix| JointMotion::from_matrix(matrix))
                    .collect();
                skinner.dual_quaternion(groups, &motions, bind, world);
            }
        });
        moved
    }
}

/// Returns `count` vectors, with zeros in place of missing ones.
fn padded_to(vectors: &[Vec3], count: usize) -> Cow<'_, [Vec3]> {
    if let Some(vectors) = vectors.get(..count) {
        return Cow::Borrowed(vectors);
    }
    let mut padded = vectors.to_vec();
    padded.resize(count, Vec3::ZERO);
    Cow::Owned(padded)
}

// Morph targets.

/// Vertices in bind space after morph targets have been added.
#[derive(Clone, Debug, PartialEq)]
pub struct Morphed {
    /// Weight of each slot that was applied.
    pub weights: Vec<f32>,
    /// Positions of all vertices of the mesh.
    pub positions: Vec<Vec3>,
    /// Normals of all vertices of the mesh. Those that a target moves are normalized again,
    /// or zero if nothing is left of them.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// Adds the weighted differences of all morph targets to the stored vertices (glTF 2.0,
    /// section 3.7.2.2). A missing weight counts as 0.
    ///
    /// Returns `None` if no target has a weight, so that the vertices are as stored.
    pub fn morphed(&self, weights: &[f32]) -> Option<Morphed> {
        let active: Vec<(&MorphTarget, f32)> = self
            .targets
            .iter()
            .map(|target| (target, weights.get(target.slot).copied().unwrap_or(0.0)))
            .filter(|&(_, weight)| weight != 0.0)
            .collect();
        if active.is_empty() {
            return None;
        }
        let mut positions = self.positions.clone();
        let mut normals = self.normals.clone();
        for &(target, weight) in &active {
            let first = target.first_vertex as usize;
            add_weighted(&mut positions, first, &target.positions, weight);
            add_weighted(&mut normals, first, &target.normals, weight);
        }
        for (target, _) in active {
            let moved = normals.iter_mut().skip(target.first_vertex as usize);
            for normal in moved.take(target.normals.len()) {
                *normal = normal.normalize_or_zero();
            }
        }
        Some(Morphed { weights: weights.to_vec(), positions, normals })
    }
}

fn add_weighted(vectors: &mut [Vec3], first: usize, differences: &[Vec3], weight: f32) {
    for (vector, &difference) in vectors.iter_mut().skip(first).zip(differences) {
        *vector += difference * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(slot: usize, first_vertex: u32, by: Vec3, turned: Option<Vec3>) -> MorphTarget {
        MorphTarget {
            name: String::new(),
            slot,
            first_vertex,
            positions: vec![by; 2],
            normals: turned.map_or_else(Vec::new, |by| vec![by; 2]),
        }
    }

    #[test]
    fn targets_are_added_and_normals_stay_normalized() {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            targets: vec![
                target(0, 0, Vec3::X, None),
                target(1, 1, Vec3::Y, Some(Vec3::X)),
                // Reaches past the last vertex, and has no weight of its own.
                target(7, 2, Vec3::Z, Some(Vec3::ONE)),
            ],
            ..Mesh::default()
        };
        assert_eq!(mesh.morphed(&[]), None);
        assert_eq!(mesh.morphed(&[0.0, 0.0]), None);
        let morphed = mesh.morphed(&[0.5, 1.0]).unwrap();
        let expected =
            [Vec3::new(0.5, 0.0, 0.0), Vec3::new(1.5, 1.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
        assert_eq!(morphed.positions, expected);
        let aslant = Vec3::new(1.0, 0.0, 1.0).normalize_or_zero();
        for (found, expected) in morphed.normals.iter().zip([Vec3::Z, aslant, aslant]) {
            assert!(found.abs_diff_eq(expected, 1e-6), "{found}");
        }
        let weights = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
        let past = mesh.morphed(&weights).unwrap();
        assert_eq!(past.positions[2], Vec3::new(0.0, 1.0, 2.0));
        assert_eq!(past.positions[..2], mesh.positions[..2]);
    }
}
