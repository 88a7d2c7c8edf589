//! What a viewport draws in GL: a plain value, made by
//! [`ViewportFrame::scene`](super::viewport::ViewportFrame::scene), read by the
//! renderer. Two equal scenes give the same picture, so an equal one is not
//! drawn again.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bindpose_asset::{Mesh, Morphed, MovedVertices, SurfaceEdges};
use bindpose_lesson::{Projection, SkinningFault, Tint, Transport, View};
use bindpose_skin::{Blend, JointIndex, JointMotion, NormalRule, SharedInfluences, Surface};
use glam::{Mat4, Vec3};

use super::GpuLimits;
use super::camera::Camera;

/// One picture. Joints, axes, numbers and markers are not in it: the page draws
/// them over it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// In pixels.
    pub size: [u32; 2],
    /// Where it is seen from.
    pub camera: Camera,
    /// Vertices as stored.
    pub mesh: Arc<Mesh>,
    /// The same with morph targets added; absent where none is at work.
    pub morphed: Option<Arc<Morphed>>,
    /// One per vertex, with the learner's edits.
    pub influences: SharedInfluences,
    /// What vertices are moved with, one per joint.
    pub palette: Arc<[Mat4]>,
    /// Which of a vertex's joints move it.
    pub blend: Blend,
    /// How that is computed.
    pub skinning: SkinningOptions,
    /// How many times, and in which poses.
    pub crowd: Option<Arc<CrowdScene>>,
    /// Draw the lit surface.
    pub surface: bool,
    /// Draw the mesh's lines, or the edges of its triangles.
    pub lines: bool,
    /// Draw the mesh as stored, faint.
    pub ghost: bool,
    /// Draw the mesh in the rest pose, faint.
    pub rest_ghost: Option<Arc<MovedVertices>>,
    /// Draw the ground: spacing of its lines in world units.
    pub grid: Option<SceneGrid>,
    /// Draw the normals as lines.
    pub normals: bool,
    /// What colours the surface.
    pub tint: Tint,
    /// What gets the brightest colour of `scalars`, of [`Tint::SumError`] or
    /// [`Tint::Displacement`]: a difference of weights, or world units.
    pub tint_most: f32,
    /// A number a vertex that colours the surface instead of the tint.
    pub scalars: Option<Arc<Scalars>>,
    /// The joint whose weight [`Tint::Weight`] shows.
    pub tint_joint: JointIndex,
    /// Images of the mesh that cannot be shown yet.
    pub awaited_images: usize,
    /// Colours of the theme.
    pub colors: SceneColors,
}

/// How vertices and normals are moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinningOptions {
    /// How the palette reaches the shader.
    pub transport: Transport,
    /// What is done wrong on the way.
    pub faults: BTreeSet<SkinningFault>,
    /// What moves normals.
    pub normals: NormalRule,
    /// A lesser machine that is played: nothing is used that it lacks. Absent:
    /// the limits of this one.
    pub limits: Option<Arc<GpuLimits>>,
    /// The reader's text in the place of the vertex shader's body; see
    /// [`super::VertexShader`].
    pub shader: Option<Arc<str>>,
}

/// The same skin many times.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdScene {
    /// Where each stands.
    pub world_from_instance: Vec<Mat4>,
    /// One palette after the other, as many as there are instances; empty: all
    /// share the scene's.
    pub palettes: Vec<Mat4>,
}

impl CrowdScene {
    /// Palettes of its own: as many as there are instances, or none.
    pub fn count_palettes(&self) -> usize {
        if self.palettes.is_empty() { 0 } else { self.world_from_instance.len() }
    }
}

/// A number a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalars {
    /// One per vertex.
    pub values: Vec<f32>,
    /// What gets the scale's brightest colour; 0 gets its darkest.
    pub most: f32,
}

/// Lines in a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneGrid {
    /// Distance between lines, in world units.
    pub spacing: f32,
    /// Lines reach this far from the origin.
    pub extent: f32,
    /// The plane: `true` is the ground (xz), `false` the picture plane (xy).
    pub ground: bool,
    /// Height of the ground, or depth of the picture plane.
    pub at: f32,
}

/// sRGB, 0 to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneColors {
    /// Top of the background.
    pub background_top: [u8; 3],
    /// Bottom of the background.
    pub background_bottom: [u8; 3],
    /// A surface without a colour of its own.
    pub surface: [u8; 3],
    /// Lines of the mesh.
    pub line: [u8; 3],
    /// The bind-pose ghost.
    pub ghost: [u8; 3],
    /// The rest-pose ghost.
    pub rest_ghost: [u8; 3],
    /// Normals drawn as lines.
    pub normal: [u8; 3],
    /// Lines of the ground.
    pub grid: [u8; 3],
    /// A weight of more than 1, past the end of its scale.
    pub over: [u8; 3],
    /// Joint colours, in order, then again from the start.
    pub joints: [[u8; 3]; 6],
}

fn same<T: PartialEq>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
        (None, None) => true,
        _ => false,
    }
}

/// Of one mesh: its targets and their weights decide.
fn same_morph(a: Option<&Arc<Morphed>>, b: Option<&Arc<Morphed>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.weights == b.weights,
        (None, None) => true,
        _ => false,
    }
}

impl PartialEq for Scene {
    /// Shared data is compared by pointer first, then by value: a mesh of a
    /// million vertices must not be walked each frame.
    fn eq(&self, other: &Self) -> bool {
        let Self {
            size,
            camera,
            mesh,
            morphed,
            influences,
            palette,
            blend,
            skinning,
            crowd,
            surface,
            lines,
            ghost,
            rest_ghost,
            grid,
            normals,
            tint,
            tint_most,
            scalars,
            tint_joint,
            awaited_images,
            colors,
        } = self;
        *size == other.size
            && *camera == other.camera
            && Arc::ptr_eq(mesh, &other.mesh)
            && same_morph(morphed.as_ref(), other.morphed.as_ref())
            && influences.is_same(&other.influences)
            && (Arc::ptr_eq(palette, &other.palette) || palette == &other.palette)
            && *blend == other.blend
            && *skinning == other.skinning
            && same(crowd.as_ref(), other.crowd.as_ref())
            && *surface == other.surface
            && *lines == other.lines
            && *ghost == other.ghost
            && same(rest_ghost.as_ref(), other.rest_ghost.as_ref())
            && *grid == other.grid
            && *normals == other.normals
            && *tint == other.tint
            && *tint_most == other.tint_most
            && same(scalars.as_ref(), other.scalars.as_ref())
            && *tint_joint == other.tint_joint
            && *awaited_images == other.awaited_images
            && *colors == other.colors
    }
}

impl Scene {
    /// The same in a picture of other sides, in pixels: all that was in it still
    /// is, with more around it where the proportion is another.
    #[must_use]
    pub fn resized(&self, size: [u32; 2]) -> Self {
        let aspect = |[width, height]: [u32; 2]| width.max(1) as f32 / height.max(1) as f32;
        let mut scene = self.clone();
        scene.size = size;
        let narrower = aspect(self.size) / aspect(size);
        if narrower > 1.0 {
            scene.camera.zoom(narrower);
        }
        scene
    }

    /// The lit surface of a mesh with its own influences, and nothing else: seen
    /// from the front in one pixel, all colours black, default options. What
    /// should be otherwise is set over it.
    pub fn plain(mesh: &Arc<Mesh>, palette: impl Into<Arc<[Mat4]>>) -> Self {
        Self {
            size: [1, 1],
            camera: Camera::framing(mesh.bounds(), View::Front, Projection::Orthographic, 1.0),
            mesh: Arc::clone(mesh),
            morphed: None,
            influences: mesh.influences.clone(),
            palette: palette.into(),
            blend: Blend::Linear,
            skinning: SkinningOptions::default(),
            crowd: None,
            surface: true,
            lines: false,
            ghost: false,
            rest_ghost: None,
            grid: None,
            normals: false,
            tint: Tint::Base,
            tint_most: 1.0,
            scalars: None,
            tint_joint: JointIndex(0),
            awaited_images: mesh.awaited_images(),
            colors: SceneColors::default(),
        }
    }

    /// Where vertices stand before any joint moves them, in bind space.
    pub fn stored_positions(&self) -> &[Vec3] {
        let morphed = self.morphed.as_ref();
        morphed.map_or(&self.mesh.positions, |morphed| &morphed.positions)
    }

    /// Normals to [`Self::stored_positions`].
    pub fn stored_normals(&self) -> &[Vec3] {
        let morphed = self.morphed.as_ref();
        morphed.map_or(&self.mesh.normals, |morphed| &morphed.normals)
    }

    /// Does some joint, of this pose or of the crowd's, scale, shear or mirror?
    /// Dual quaternions then carry more.
    pub fn is_stretched(&self) -> bool {
        let crowd = self.crowd.iter().flat_map(|crowd| &crowd.palettes);
        let mut all = self.palette.iter().chain(crowd);
        all.any(|&matrix| !JointMotion::from_matrix(matrix).is_rigid())
    }

    /// Direction towards the light, in world space.
    pub fn light() -> Vec3 {
        Vec3::new(-1.0, 3.0, 5.0).normalize_or_zero()
    }
}

// What was measured of the mesh in one pose, kept until that changes.

/// Worked out when somebody asks.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeCache {
    /// The same for all poses of a mesh.
    pub(super) edges: Arc<OnceLock<SurfaceEdges>>,
    /// In the picture.
    pub(super) shown_surface: OnceCell<Option<Surface>>,
    pub(super) stored_surface: OnceCell<Option<Surface>>,
    /// Smallest box around the vertices in the picture: (min, max).
    pub(super) shown_bounds: OnceCell<(Vec3, Vec3)>,
    /// The longest way of a vertex from where it is stored, in world units.
    pub(super) largest_displacement: OnceCell<f32>,
    /// How far each vertex is from where the weights of the file would put it.
    pub(super) weight_errors: OnceCell<Arc<Scalars>>,
}

/// The mesh in the rest pose, and what it was made of.
#[derive(Clone, Debug)]
pub(super) struct RestGhost {
    pub(super) mesh: Arc<Mesh>,
    pub(super) world_from_bind: Vec<Mat4>,
    pub(super) morph_weights: Vec<f32>,
    pub(super) moved: Arc<MovedVertices>,
}
