//! Scene drawn by the renderer for one viewport. A plain value, created by
//! [`ViewportFrame::scene`](super::viewport::ViewportFrame::scene). Equal
//! scenes give equal pictures, so an unchanged scene is not drawn again.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bindpose_gltf::{Mesh, Morphed, MovedVertices, SurfaceEdges};
use bindpose_lesson::{Projection, SkinningFault, Tint, Transport, View};
use bindpose_skin::{Blend, JointIndex, JointMotion, NormalRule, SharedInfluences, Surface};
use glam::{Mat4, Vec3};

use super::camera::Camera;
use super::{GpuLimits, GroundShadow};

/// One rendered picture. Joints, axes, numbers and markers are not part of it:
/// the page draws them on top.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Size of the picture, in pixels.
    pub size: [u32; 2],
    pub camera: Camera,
    /// Mesh with vertices as stored.
    pub mesh: Arc<Mesh>,
    /// Vertices with morph targets applied. `None` if no target is active.
    pub morphed: Option<Arc<Morphed>>,
    /// Influences with the reader's edits, one per vertex.
    pub influences: SharedInfluences,
    /// Matrices that move the vertices, one per joint.
    pub palette: Arc<[Mat4]>,
    /// How a vertex combines its joints.
    pub blend: Blend,
    pub skinning: SkinningOptions,
    /// Instances and their poses. `None` if the mesh is drawn once.
    pub crowd: Option<Arc<CrowdScene>>,
    /// Whether the lit surface is drawn.
    pub surface: bool,
    /// Whether the mesh's lines or its triangle edges are drawn.
    pub lines: bool,
    /// Whether the stored mesh is drawn faintly.
    pub ghost: bool,
    /// Mesh in the rest pose, drawn faintly.
    pub rest_ghost: Option<Arc<MovedVertices>>,
    pub grid: Option<SceneGrid>,
    /// Shadow below the model. `None` if the ground is not seen from above.
    pub shadow: Option<GroundShadow>,
    /// Whether normals are drawn as lines.
    pub normals: bool,
    /// Colouring of the surface.
    pub tint: Tint,
    /// Value of `scalars`, [`Tint::SumError`] or [`Tint::Displacement`] that
    /// gets the brightest colour: a difference of weights, or world units.
    pub tint_most: f32,
    /// Numbers per vertex that colour the surface in place of `tint`.
    pub scalars: Option<Arc<Scalars>>,
    /// Joint whose weight [`Tint::Weight`] shows.
    pub tint_joint: JointIndex,
    /// Number of images of the mesh that are not loaded yet.
    pub awaited_images: usize,
    pub colors: SceneColors,
}

/// How vertices and normals are transformed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinningOptions {
    /// How the palette is passed to the shader.
    pub transport: Transport,
    /// Skinning mistakes that are switched on.
    pub faults: BTreeSet<SkinningFault>,
    pub normals: NormalRule,
    /// Limits of a weaker device to emulate. If `None`, those of this device
    /// apply.
    pub limits: Option<Arc<GpuLimits>>,
    /// Body of the vertex shader written by the reader; see
    /// [`super::VertexShader`].
    pub shader: Option<Arc<str>>,
}

/// Instances of the same skin.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdScene {
    pub world_from_instance: Vec<Mat4>,
    /// Palettes of all instances, one after the other. If empty, all instances
    /// share the scene's palette.
    pub palettes: Vec<Mat4>,
}

impl CrowdScene {
    /// Number of palettes of the instances. 0 if they share the scene's.
    pub fn count_palettes(&self) -> usize {
        if self.palettes.is_empty() { 0 } else { self.world_from_instance.len() }
    }
}

/// One number per vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalars {
    pub values: Vec<f32>,
    /// Value that gets the brightest colour of the scale. 0 gets the darkest.
    pub most: f32,
}

/// Grid lines in a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneGrid {
    /// Distance between lines, in world units.
    pub spacing: f32,
    /// Distance from the origin to the ends of the lines, in world units.
    pub extent: f32,
    /// Whether the plane is the ground (xz) or the picture plane (xy).
    pub ground: bool,
    /// Height of the ground, or depth of the picture plane, in world units.
    pub at: f32,
}

/// Colours of a scene. sRGB, 0 to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneColors {
    pub background_top: [u8; 3],
    pub background_bottom: [u8; 3],
    /// Surface without a material colour.
    pub surface: [u8; 3],
    pub line: [u8; 3],
    /// Ghost of the bind pose.
    pub ghost: [u8; 3],
    /// Ghost of the rest pose.
    pub rest_ghost: [u8; 3],
    pub normal: [u8; 3],
    pub grid: [u8; 3],
    /// Shadow on the ground.
    pub shadow: [u8; 3],
    /// Weights of more than 1, beyond the end of their scale.
    pub over: [u8; 3],
    /// Joint colours, repeated if there are more joints.
    pub joints: [[u8; 3]; 6],
}

fn is_same<T: PartialEq>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
        (None, None) => true,
        _ => false,
    }
}

/// Compares morphs of the same mesh, for which equal weights suffice.
fn is_same_morph(a: Option<&Arc<Morphed>>, b: Option<&Arc<Morphed>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.weights == b.weights,
        (None, None) => true,
        _ => false,
    }
}

impl PartialEq for Scene {
    /// Compares shared data by pointer first, then by value, so that a mesh of
    /// a million vertices is not compared in every frame.
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
            shadow,
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
            && is_same_morph(morphed.as_ref(), other.morphed.as_ref())
            && influences.is_same(&other.influences)
            && (Arc::ptr_eq(palette, &other.palette) || palette == &other.palette)
            && *blend == other.blend
            && *skinning == other.skinning
            && is_same(crowd.as_ref(), other.crowd.as_ref())
            && *surface == other.surface
            && *lines == other.lines
            && *ghost == other.ghost
            && is_same(rest_ghost.as_ref(), other.rest_ghost.as_ref())
            && *grid == other.grid
            && *shadow == other.shadow
            && *normals == other.normals
            && *tint == other.tint
            && *tint_most == other.tint_most
            && is_same(scalars.as_ref(), other.scalars.as_ref())
            && *tint_joint == other.tint_joint
            && *awaited_images == other.awaited_images
            && *colors == other.colors
    }
}

impl Scene {
    /// Returns the scene at another picture size, in pixels. The visible region
    /// stays visible; if the aspect ratio differs, more around it is shown.
    #[must_use]
    pub fn resized(&self, size: [u32; 2]) -> Self {
        let mut scene = self.clone();
        scene.size = size;
        // Zoom out if the picture is narrower in proportion.
        let narrowing = aspect_ratio(self.size) / aspect_ratio(size);
        if narrowing > 1.0 {
            scene.camera.zoom(narrowing);
        }
        scene
    }

    /// Creates a scene of the lit surface of a mesh with its own influences:
    /// front view, one pixel, all colours black, default options. Callers
    /// override fields as needed.
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
            shadow: None,
            normals: false,
            tint: Tint::Base,
            tint_most: 1.0,
            scalars: None,
            tint_joint: JointIndex(0),
            awaited_images: mesh.awaited_images(),
            colors: SceneColors::default(),
        }
    }

    /// Vertex positions before any joint moves them, in bind space.
    pub fn stored_positions(&self) -> &[Vec3] {
        let morphed = self.morphed.as_ref();
        morphed.map_or(&self.mesh.positions, |morphed| &morphed.positions)
    }

    /// Normals of [`Self::stored_positions`].
    pub fn stored_normals(&self) -> &[Vec3] {
        let morphed = self.morphed.as_ref();
        morphed.map_or(&self.mesh.normals, |morphed| &morphed.normals)
    }

    /// Returns true if some joint, of this pose or of the crowd's, scales,
    /// shears or mirrors. Dual quaternions then carry additional data.
    pub fn is_stretched(&self) -> bool {
        let crowd = self.crowd.iter().flat_map(|crowd| &crowd.palettes);
        let mut all = self.palette.iter().chain(crowd);
        all.any(|&matrix| !JointMotion::from_matrix(matrix).is_rigid())
    }

    /// Direction to the light, in world space.
    pub fn light() -> Vec3 {
        Vec3::new(-1.0, 3.0, 5.0).normalize_or_zero()
    }
}

fn aspect_ratio([width, height]: [u32; 2]) -> f32 {
    width.max(1) as f32 / height.max(1) as f32
}

/// Measurements of the mesh in one pose, computed on first use.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeCache {
    /// Edges, the same for all poses of a mesh.
    pub(super) edges: Arc<OnceLock<SurfaceEdges>>,
    pub(super) shown_surface: OnceCell<Option<Surface>>,
    pub(super) stored_surface: OnceCell<Option<Surface>>,
    /// Bounding box of the vertices in the picture: (min, max).
    pub(super) shown_bounds: OnceCell<(Vec3, Vec3)>,
    /// Maximum distance of a vertex from its stored position, in world units.
    pub(super) largest_displacement: OnceCell<f32>,
    /// Distance of each vertex from its position with the file's weights.
    pub(super) weight_errors: OnceCell<Arc<Scalars>>,
}

/// The mesh in the rest pose, and the inputs that it was computed from.
#[derive(Clone, Debug)]
pub(super) struct RestGhost {
    pub(super) mesh: Arc<Mesh>,
    pub(super) world_from_bind: Vec<Mat4>,
    pub(super) morph_weights: Vec<f32>,
    pub(super) moved: Arc<MovedVertices>,
}
