//! Vertex data in bind space.

use std::collections::BTreeMap;
use std::ops::Range;

use bindpose_skin::{Influences, JointIndex, SharedInfluences};
use glam::{Mat3, Vec2, Vec3, Vec4};

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
