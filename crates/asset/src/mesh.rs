//! Vertex data in bind space, and its way into the world: morph targets, then all
//! influences.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_skin::{
    BindVertices, Influences, JointIndex, JointMotion, Method, SharedInfluences, VertexGroups,
    WorldVertices, with_skinner,
};
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

use super::{Image, MaterialImage, NodeIndex};

/// A skinned mesh as stored: everything in bind space, one entry per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// `POSITION`.
    pub positions: Vec<Vec3>,
    /// `NORMAL`, unit length; zero where the file has no direction, and as stored
    /// where morph targets change them. As many as positions.
    pub normals: Vec<Vec3>,
    /// `TANGENT`: xyz unit length, w the handedness ±1; zero in parts that have
    /// none. Empty when absent.
    pub tangents: Vec<Vec4>,
    /// `TEXCOORD_n`, the set that the base colour asks for, origin at the top left
    /// of the image. Empty when absent.
    pub uvs: Vec<Vec2>,
    /// `COLOR_0`, linear RGBA, multiplied with the base colour. Empty when absent.
    pub colors: Vec<Vec4>,
    /// `JOINTS_n` and `WEIGHTS_n`, weights divided by their sum. As many as
    /// positions. Of more than eight, the strongest eight.
    pub influences: SharedInfluences,
    /// Σw of each vertex as the file has it, before the division. Empty when the
    /// influences stand as they were made.
    pub stored_sums: Vec<f32>,
    /// All influences of vertices that have more than eight, weights divided by
    /// their sum.
    pub many: BTreeMap<u32, Vec<(JointIndex, f32)>>,
    /// What the file has, where `influences` were worked out in its place.
    pub file_influences: Option<SharedInfluences>,
    /// Shapes that are added to the positions before skinning.
    pub targets: Vec<MorphTarget>,
    /// Indices of the corners, counter-clockwise seen from outside. A flat rig
    /// may have none.
    pub triangles: Vec<[u32; 3]>,
    /// Lines that belong to the drawing itself, as in the bone grid. Empty for
    /// solid models.
    pub lines: Vec<[u32; 2]>,
    /// What belongs together: one a node and primitive of a file, in order.
    /// Empty: all is one part, painted with the first material if there is one.
    pub parts: Vec<MeshPart>,
    /// What the parts are painted with.
    pub materials: Vec<Material>,
    /// Images of the materials.
    pub images: Vec<MaterialImage>,
}

impl Mesh {
    /// The influences that the file has, whatever was worked out in their place.
    pub fn of_file(&self) -> &SharedInfluences {
        self.file_influences.as_ref().unwrap_or(&self.influences)
    }
}

/// The vertices and triangles of one primitive, as one node shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPart {
    /// For people: name of the mesh, and the primitive's number if it has several.
    pub name: String,
    /// The node that carries it.
    pub node: NodeIndex,
    /// Index of its mesh in the file.
    pub mesh: usize,
    /// Index of the primitive in its mesh.
    pub primitive: usize,
    /// Index of its skin in the file; `None`: it moves with its node.
    pub skin: Option<usize>,
    /// Its vertices. Primitives that share attributes share vertices.
    pub vertices: Range<u32>,
    /// Its place in [`Mesh::triangles`].
    pub triangles: Range<u32>,
    /// Its place in [`Mesh::lines`].
    pub lines: Range<u32>,
    /// Its place in [`Mesh::materials`]; `None`: plain.
    pub material: Option<usize>,
}

/// What a surface is painted with.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// For people.
    pub name: String,
    /// Linear RGBA, multiplied with image and vertex colours.
    pub base_color: Vec4,
    /// Its place in [`Mesh::images`], and how it is laid on.
    pub texture: Option<TextureUse>,
    /// Seen from both sides.
    pub double_sided: bool,
    /// `KHR_materials_unlit`: shown in its own colour, without light.
    pub unlit: bool,
    /// What is under this alpha is not drawn; `None`: alpha is ignored. Nothing is
    /// blended: materials that should be are cut at half.
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

/// An image laid on a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureUse {
    /// Its place in [`Mesh::images`].
    pub image: usize,
    /// `KHR_texture_transform`: image coordinates from `(u, v, 1)`.
    pub image_from_uv: Mat3,
    /// What happens past the edges, in u and in v.
    pub wrap: [Wrap; 2],
    /// Sharp pixels instead of smooth ones.
    pub nearest: bool,
}

/// What an image shows past its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// Itself again.
    #[default]
    Repeat,
    /// Its mirror image.
    MirroredRepeat,
    /// Its last pixels.
    ClampToEdge,
}

/// A shape that is added to some vertices, times its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTarget {
    /// For people.
    pub name: String,
    /// Which of the rig's morph weights it takes.
    pub slot: usize,
    /// The first vertex it moves; the others follow.
    pub first_vertex: u32,
    /// Differences of positions, in bind space.
    pub positions: Vec<Vec3>,
    /// Differences of normals; empty: normals stay.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// Lays one image over everything, in its own colours.
    pub fn paint(&mut self, image: Image) {
        self.materials =
            vec![Material { texture: Some(TextureUse::default()), ..Material::default() }];
        self.images = vec![MaterialImage::of_pixels(image)];
    }

    /// Images that a worker is still to decode: what they paint is plain until
    /// then.
    pub fn awaited_images(&self) -> usize {
        self.images.iter().filter(|image| image.is_awaited()).count()
    }

    /// Lanes that some vertex uses: 0 to 8.
    pub fn lanes(&self) -> usize {
        self.influences.iter().map(Influences::lanes).max().unwrap_or(0)
    }

    /// Smallest box around the stored positions: (min, max). Zero when empty.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        bounds_of(&self.positions)
    }
}

/// Smallest box around points: (min, max). Zero when there are none.
pub fn bounds_of(points: &[Vec3]) -> (Vec3, Vec3) {
    let Some(&first) = points.first() else {
        return (Vec3::ZERO, Vec3::ZERO);
    };
    points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p)))
}

// Vertices on their way into the world.

/// Where vertices are, and where they face.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedVertices {
    /// In world space.
    pub positions: Vec<Vec3>,
    /// In world space, of unit length; zero where the mesh has collapsed.
    pub normals: Vec<Vec3>,
    /// As normals, the handedness in w. None where the mesh has none, and where morph
    /// targets have changed it: theirs are not read.
    pub tangents: Vec<Vec4>,
}

impl Mesh {
    /// All vertices in the world: morphed, then skinned with every influence,
    /// also where a vertex has more than eight. Normals by the inverse
    /// transpose.
    pub fn moved(
        &self,
        world_from_bind: &[Mat4],
        morph_weights: &[f32],
        method: Method,
    ) -> MovedVertices {
        let groups = self.groups(method);
        self.moved_by(&groups, world_from_bind, morph_weights, method)
    }

    /// The influences that a method uses, laid out for [`Self::moved_by`].
    pub fn groups(&self, method: Method) -> VertexGroups {
        match method {
            Method::Rigid => VertexGroups::strongest(&self.influences),
            Method::Linear | Method::DualQuaternion => {
                VertexGroups::new(&self.influences, &self.many)
            }
        }
    }

    /// As [`Self::moved`], with groups that were made before.
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
        let stored = BindVertices {
            positions: &as_many(positions, count),
            normals: &as_many(normals, count),
            tangents: &self.tangents,
        };
        let to = WorldVertices {
            positions: &mut moved.positions,
            normals: &mut moved.normals,
            tangents: &mut moved.tangents,
        };
        with_skinner(|skinner| match method {
            Method::Rigid | Method::Linear => skinner.linear(groups, world_from_bind, stored, to),
            Method::DualQuaternion => {
                let matrices = world_from_bind.iter();
                let motions: Vec<JointMotion> =
                    matrices.map(|&matrix| JointMotion::from_matrix(matrix)).collect();
                skinner.dual_quaternion(groups, &motions, stored, to);
            }
        });
        moved
    }
}

/// What is missing is zero.
fn as_many(vectors: &[Vec3], count: usize) -> Cow<'_, [Vec3]> {
    if let Some(vectors) = vectors.get(..count) {
        return Cow::Borrowed(vectors);
    }
    let mut all = vectors.to_vec();
    all.resize(count, Vec3::ZERO);
    Cow::Owned(all)
}

// Morph targets: shapes that are added to the stored vertices before skinning.

/// Stored vertices with shapes added, in bind space.
#[derive(Clone, Debug, PartialEq)]
pub struct Morphed {
    /// By slot: what each target was multiplied with.
    pub weights: Vec<f32>,
    /// As many as the mesh has.
    pub positions: Vec<Vec3>,
    /// As many as the mesh has; those that a target moves are of unit length
    /// again, or zero where nothing is left.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// Each vertex plus the differences of all targets, times their weights;
    /// glTF 2.0, section 3.7.2.2. A weight that is missing counts as 0. `None`
    /// when no target has a weight: the vertices are as stored.
    pub fn morphed(&self, weights: &[f32]) -> Option<Morphed> {
        let weight_of = |target: &MorphTarget| weights.get(target.slot).copied().unwrap_or(0.0);
        let at_work = || {
            let all = self.targets.iter();
            all.map(|target| (target, weight_of(target))).filter(|&(_, weight)| weight != 0.0)
        };
        at_work().next()?;
        let mut positions = self.positions.clone();
        let mut normals = self.normals.clone();
        for (target, weight) in at_work() {
            let first = target.first_vertex as usize;
            add(&mut positions, first, &target.positions, weight);
            add(&mut normals, first, &target.normals, weight);
        }
        for (target, _) in at_work() {
            let moved = normals.iter_mut().skip(target.first_vertex as usize);
            for normal in moved.take(target.normals.len()) {
                *normal = normal.normalize_or_zero();
            }
        }
        Some(Morphed { weights: weights.to_vec(), positions, normals })
    }
}

fn add(stored: &mut [Vec3], first: usize, differences: &[Vec3], weight: f32) {
    let moved = stored.iter_mut().skip(first);
    for (value, &difference) in moved.zip(differences) {
        *value += difference * weight;
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
    fn targets_add_up_where_they_reach_and_normals_keep_their_length() {
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
