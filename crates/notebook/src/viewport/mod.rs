//! Contents of a viewport in one frame, derived from the lesson's cell and the
//! document. Independent of a screen.

mod framing;
mod legend_room;
mod picture_motion;
mod surface_pick;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_gltf::Mesh;
use bindpose_lesson::{
    Projection, Show, SkinningFault, Tint, View, ViewportCell, number_text, significant_digits,
};
use bindpose_skin::SkinStage;
use glam::{Mat4, Vec2, Vec3};

use super::camera::Camera;
use super::scene::{Scene, SceneColors, SkinningOptions};
use super::{
    Derived, Document, GpuLimits, GroundShadow, StepReach, measures, sum_errors, tint_most,
    weight_errors,
};
use crate::crowd::crowd_reach;
use crate::model_bounds::extent;
use crate::palette_plan::PageLoad;
use crate::palette_texture::{INCOMPLETE, PaletteTexture};
use crate::scene::{CrowdScene, SceneGrid};

pub use framing::{PictureFill, content_aspect, framed_camera, hold_poses};

pub use picture_motion::{PictureMotion, first_not_finite, leave_out_not_finite};
use surface_pick::vertex_at;
pub use surface_pick::{SurfaceHit, hit_at};

/// Layers drawn if neither reader nor step nor cell chooses any.
const DEFAULT_SHOW: &[Show] = &[Show::Mesh, Show::Joints];

/// Maximum upward part of the view direction with which the ground is seen from above.
const MAX_SHADOW_FORWARD_Y: f32 = -0.1;

/// Contents of a viewport in one frame, computed once. Camera, scene, overlay,
/// legend and text description all use it.
#[derive(Debug)]
pub struct ViewportFrame<'a> {
    pub cell: &'a ViewportCell,
    pub document: &'a Document,
    pub derived: &'a Derived,
    /// Layers drawn: the reader's choice, or the step's, or the cell's.
    pub show: &'a [Show],
    /// View direction until the reader moves the camera, chosen like `show`.
    pub view: View,
    /// Colouring of the surface, chosen like `show`.
    pub tint: Tint,
    /// Value that gets the brightest colour; see [`tint_most`].
    pub tint_most: f32,
    drawn: DrawnSkinning,
    /// Everything that the pictures of the step can show. `None` for a picture outside a lesson, which
    /// frames the model at rest and its clips.
    reach: Option<&'a StepReach>,
}

impl<'a> ViewportFrame<'a> {
    /// `derived` must belong to `document`. `limits` are those of this device,
    /// or `None` without GL.
    pub fn new(
        cell: &'a ViewportCell,
        document: &'a Document,
        derived: &'a Derived,
        limits: Option<&GpuLimits>,
    ) -> Self {
        let state = &document.state;
        let show = state.show.as_deref().or(cell.show.as_deref());
        let tint = state.tint.unwrap_or(cell.tint);
        Self {
            cell,
            document,
            derived,
            show: show.unwrap_or(DEFAULT_SHOW),
            view: state.view.unwrap_or(cell.view),
            tint,
            tint_most: cell
                .tint_most
                .filter(|_| measures(tint))
                .map_or_else(|| tint_most(derived, tint), |brightest| brightest.0),
            drawn: DrawnSkinning::new(derived.in_force(document), derived, limits),
            reach: None,
        }
    }

    /// Frames everything that the step can show.
    #[must_use]
    pub fn with_reach(self, reach: &'a StepReach) -> Self {
        Self { reach: Some(reach), ..self }
    }

    /// Returns true if this layer is drawn.
    pub fn shows(&self, what: Show) -> bool {
        self.show.contains(&what)
    }

    /// Returns true if the mesh's lines or its triangle edges are drawn. A mesh
    /// without triangles always shows its lines, because it has nothing else to
    /// draw.
    pub fn draws_lines(&self) -> bool {
        let is_surface = !self.derived.rig.mesh.triangles.is_empty();
        self.shows(Show::Lines) || self.shows(Show::Mesh) && !is_surface
    }

    /// Returns the vertex of the surface at a position, in points from the
    /// picture's upper left corner. Returns `None` beside the surface or if it
    /// is not drawn.
    pub fn vertex_at(&self, camera: &Camera, (at, size): (Vec2, Vec2)) -> Option<u32> {
        let triangles =
            Some(&self.derived.rig.mesh.triangles).filter(|_| self.shows(Show::Mesh))?;
        vertex_at(camera, self.derived.positions(), triangles, at, size)
    }

    /// Sentences for the reader if skinning on this device differs from the
    /// requested one. `None` if it does not.
    pub fn notice(&self) -> Option<&str> {
        self.drawn.notice.as_deref()
    }

    /// Creates the scene for the renderer. `size` is in pixels.
    pub fn scene(&self, camera: &Camera, size: [u32; 2], colors: SceneColors) -> Scene {
        let derived = self.derived;
        let mut scene = Scene {
            size,
            camera: *camera,
            mesh: Arc::clone(&derived.rig.mesh),
            morphed: derived.morphed().cloned(),
            influences: derived.influences.clone(),
            palette: Arc::clone(&derived.palette),
            blend: derived.blend,
            skinning: SkinningOptions::default(),
            crowd: derived.crowd().cloned(),
            surface: self.shows(Show::Mesh),
            lines: self.draws_lines(),
            ghost: self.shows(Show::Ghost),
            rest_ghost: self.shows(Show::RestGhost).then(|| Arc::clone(derived.at_rest())),
            grid: self.shows(Show::Grid).then(|| grid(self.document, derived, camera)),
            shadow: self.ground_shadow(camera),
            normals: self.shows(Show::Normals),
            tint: self.tint,
            tint_most: self.tint_most,
            scalars: match self.tint {
                Tint::SumError => sum_errors(derived).map(Arc::clone),
                Tint::WeightError => Some(Arc::clone(weight_errors(derived))),
                _ => None,
            },
            tint_joint: self.document.state.joint,
            awaited_images: derived.rig.mesh.awaited_images(),
            colors,
        };
        self.drawn.apply(&mut scene, self.document);
        scene
    }

    /// Returns the shadow of a model in space that is seen from above. Colours that mean numbers
    /// are drawn without.
    fn ground_shadow(&self, camera: &Camera) -> Option<GroundShadow> {
        let derived = self.derived;
        let rig = &derived.rig;
        let is_single = self.document.state.crowd.count <= 1;
        let is_in_world = matches!(derived.stage(), SkinStage::Posed | SkinStage::Blended);
        let is_surface = self.shows(Show::Mesh) && !rig.flat && !rig.mesh.triangles.is_empty();
        let is_from_above = camera.forward().y < MAX_SHADOW_FORWARD_Y;
        let is_drawn =
            is_surface && is_from_above && is_single && is_in_world && self.tint == Tint::Base;
        is_drawn
            .then(|| GroundShadow::new(rig, &derived.palette, extent(self.document, rig).bounds))
    }

    /// Returns the numbers along the grid of a flat model. Empty if the grid is
    /// hidden or not seen face-on. `picture` is the size in points.
    pub fn grid_numbers(&self, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
        if !self.shows(Show::Grid) {
            return Vec::new();
        }
        let grid = grid(self.document, self.derived, camera);
        grid_numbers(&grid, camera, picture)
    }

    /// Creates a scene of one pixel, for computations that do not depend on the
    /// camera.
    pub fn scene_without_view(&self, colors: SceneColors) -> Scene {
        let camera = Camera {
            target: Vec3::ZERO,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 1.0,
            projection: Projection::Orthographic,
        };
        self.scene(&camera, [1, 1], colors)
    }
}

// The grid below a model, or behind a flat one.

/// Minimum distance between two numbers along x and along y, in points.
const MIN_NUMBER_DISTANCE: Vec2 = Vec2::new(30.0, 22.0);
/// Maximum count of numbers along one axis.
const MAX_GRID_NUMBERS: usize = 60;

/// A number at the edge of the picture, at the end of a grid line.
#[derive(Clone, Debug, PartialEq)]
pub struct GridNumber {
    /// 0 for a line of constant x, labelled at the lower edge. 1 for constant
    /// y, labelled at the left edge.
    pub axis: usize,
    /// Distance from the left or top edge of the picture, in points.
    pub at: f32,
    /// Number as shown, such as `−4`.
    pub words: String,
}

/// Returns the numbers of all grid lines, or of every second, fifth, tenth and
/// so on if lines are close. Empty for a grid on the ground or not seen
/// face-on. `picture` is the size in points.
fn grid_numbers(grid: &SceneGrid, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
    if grid.ground || camera.forward().z.abs() < 0.999 || grid.spacing <= 0.0 {
        return Vec::new();
    }
    let mut numbers = numbers_along(0, grid, camera, picture);
    numbers.extend(numbers_along(1, grid, camera, picture));
    numbers
}

fn numbers_along(axis: usize, grid: &SceneGrid, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
    let center = camera.target.with_z(grid.at);
    let step = Vec3::AXES[axis] * grid.spacing;
    let projected = camera.project(center, picture).zip(camera.project(center + step, picture));
    let Some((here, next)) = projected else {
        return Vec::new();
    };
    let apart = (next[axis] - here[axis]).abs();
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    let Some(every) = steps.into_iter().find(|every| every * apart >= MIN_NUMBER_DISTANCE[axis])
    else {
        return Vec::new();
    };
    let spacing = every * grid.spacing;
    // Lines that may be in the picture, on both sides of its centre.
    let reach = (picture[axis] / (every * apart) / 2.0).ceil() + 1.0;
    let middle = (center[axis] / spacing).round();
    let decimals = significant_digits::decimals(f64::from(spacing), 0);
    let mut numbers = Vec::new();
    for line in (0..=2 * reach as usize).take(MAX_GRID_NUMBERS) {
        let value = (middle - reach + line as f32) * spacing;
        let mut point = center;
        point[axis] = value;
        let Some(at) = camera.project(point, picture).map(|at| at[axis]) else {
            continue;
        };
        if (0.0..=picture[axis]).contains(&at) {
            let words = number_text::fixed(f64::from(value), decimals);
            numbers.push(GridNumber { axis, at, words });
        }
    }
    numbers
}

/// Returns the grid on the ground, or in the picture plane for a flat rig. The
/// spacing is 1, 2 or 5 times a power of ten.
fn grid(document: &Document, derived: &Derived, camera: &Camera) -> SceneGrid {
    let (low, high) = extent(document, &derived.rig).bounds;
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    // Coordinates are read off the picture plane, so its lines are closer.
    let lines = if derived.rig.flat { 8.0 } else { 6.0 };
    let spacing = significant_digits::round_up(f64::from(size) / lines) as f32;
    if derived.rig.flat {
        SceneGrid {
            spacing,
            extent: camera.height * 3.0 + camera.target.length(),
            ground: false,
            at: low.z - size * 0.01,
        }
    } else {
        SceneGrid {
            spacing,
            extent: size * 2.0
                + crowd_reach(&derived.rig, document.state.crowd.count).max_element(),
            ground: true,
            at: low.y,
        }
    }
}

/// Skinning as drawn on the current or emulated device, which may differ from
/// the requested one.
#[derive(Debug)]
struct DrawnSkinning {
    /// Options in use. `None` if the device cannot skin this mesh.
    skinning: Option<SkinningOptions>,
    /// Whether the palette texture is incomplete, so that all reads return the
    /// same value.
    incomplete: bool,
    /// Whether a crowd must share one palette, because the transport holds no
    /// more.
    one_pose: bool,
    /// Message for the reader about differences.
    notice: Option<String>,
}

impl DrawnSkinning {
    /// Chooses the options that the document requests and the device allows.
    /// Without GL nothing is drawn, so nothing is rejected.
    fn new(document: &Document, derived: &Derived, limits: Option<&GpuLimits>) -> Self {
        let device = document.state.device;
        let mut skinning = SkinningOptions {
            transport: document.state.transport,
            faults: document.state.faults.clone(),
            normals: document.state.normals,
            limits: GpuLimits::played(device, limits),
            shader: None,
        };
        let Some(limits) = GpuLimits::for_device(device, limits) else {
            return Self {
                skinning: Some(skinning),
                incomplete: false,
                one_pose: false,
                notice: None,
            };
        };
        let load = PageLoad::new(derived);
        let choice = match load.choose(document.state.transport, &limits) {
            Ok(choice) => choice,
            Err(no_transport) => {
                return Self {
                    skinning: None,
                    incomplete: false,
                    one_pose: false,
                    notice: Some(format!("{no_transport} The bind pose is shown.")),
                };
            }
        };
        skinning.transport = choice.plan.transport;
        let palette = PaletteTexture {
            world_from_bind: &derived.palette,
            faults: &skinning.faults,
            transport: skinning.transport,
            float_linear: limits.float_linear,
        };
        let incomplete = palette.is_incomplete();
        let notice = if choice.instead_of.is_some() {
            Some(capitalize(&format!("{choice}.")))
        } else if incomplete {
            Some(
                "LINEAR without OES_texture_float_linear: the texture is incomplete, and all \
                 vertices meet in one point."
                    .to_owned(),
            )
        } else {
            choice.one_pose.map(|why| capitalize(&format!("{why}: here all share one pose.")))
        };
        Self { skinning: Some(skinning), incomplete, one_pose: choice.one_pose.is_some(), notice }
    }

    /// Applies the options to a scene.
    fn apply(&self, scene: &mut Scene, document: &Document) {
        let Some(skinning) = &self.skinning else {
            scene.ghost = true;
            scene.surface = false;
            scene.lines = false;
            scene.normals = false;
            return;
        };
        scene.skinning = skinning.clone();
        if self.incomplete {
            // This device's GL may filter such textures, so send the values
            // that an incomplete texture returns.
            let reads = Mat4::from_cols(INCOMPLETE, INCOMPLETE, INCOMPLETE, INCOMPLETE);
            scene.palette = vec![reads; scene.palette.len()].into();
            scene.skinning.faults.remove(&SkinningFault::Linear);
        }
        if self.one_pose
            && let Some(crowd) = &scene.crowd
        {
            scene.crowd = Some(Arc::new(CrowdScene {
                world_from_instance: crowd.world_from_instance.clone(),
                palettes: Vec::new(),
            }));
        }
        scene.skinning.shader = document.shader_of(scene);
        if scene.skinning.shader.is_some() {
            // The reader's shader is written for one skin, not for a crowd.
            scene.crowd = None;
            if !scene.mesh.triangles.is_empty() {
                // The reader's shader draws surfaces. Lines drawn over them by
                // the built-in shader would show a different result.
                scene.surface |= scene.lines;
                scene.lines = false;
            }
        }
    }
}

fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

// Explanations of an empty picture, which would otherwise look like a bug of
// the program.

/// Vertices closer than this fraction of their stored distance coincide.
const COINCIDENCE_TOLERANCE: f32 = 1e-6;
/// Same as a fraction of the distance to the origin, for the precision of
/// 32-bit numbers.
const COINCIDENCE_PRECISION: f32 = 1e-6;

impl ViewportFrame<'_> {
    /// Explains in a sentence why nothing of the file is visible. Returns
    /// `None` if something is visible, if nothing was requested, and for rigs
    /// without a file.
    ///
    /// Compares vertices until two differ, so a visible model costs only its
    /// first few vertices.
    pub fn nothing_seen(&self) -> Option<String> {
        let rig = &self.derived.rig;
        let origin = rig.origin.as_ref()?;
        if rig.mesh.positions.is_empty() {
            let names_mesh = origin.graph.nodes.iter().any(|node| node.mesh.is_some());
            let lacks = match (names_mesh, origin.graph.skins.is_empty()) {
                (true, _) => "The mesh of this file could not be read",
                (false, true) => "This file has no mesh",
                (false, false) => "This file has a skin but no mesh",
            };
            let rest = if self.shows(Show::Joints) && !origin.graph.skins.is_empty() {
                " but its joints"
            } else {
                ""
            };
            return Some(format!("{lacks}: there is nothing to draw{rest}."));
        }
        if self.draws_lines() || !self.shows(Show::Mesh) {
            return coincident_vertices(self.derived).filter(|_| self.draws_lines());
        }
        transparent_materials(&rig.mesh).or_else(|| coincident_vertices(self.derived))
    }
}

/// Reports that all vertices are in one point of the picture.
fn coincident_vertices(derived: &Derived) -> Option<String> {
    let stored = derived.stored_positions();
    let (&first_stored, first) = stored.first().zip(derived.position(0))?;
    if stored.len() <= 1 {
        return None;
    }
    for (vertex, stored) in stored.iter().enumerate() {
        let tolerance = COINCIDENCE_TOLERANCE * stored.distance(first_stored)
            + COINCIDENCE_PRECISION * first.length();
        let coincides = derived.position(vertex).is_some_and(|at| at.distance(first) <= tolerance);
        if !coincides {
            return None;
        }
    }
    let count = number_text::grouped(stored.len() as u32);
    Some(format!("All {count} vertices are in one point: there is nothing to see."))
}

/// Reports that every material's alpha is below its cutoff. Images count as opaque.
fn transparent_materials(mesh: &Mesh) -> Option<String> {
    let drawn = mesh.parts.iter().filter(|part| !part.triangles.is_empty());
    let mut max_alpha: Option<f32> = None;
    for part in drawn {
        let material = part.material.and_then(|material| mesh.materials.get(material))?;
        let cutoff = material.alpha_cutoff?;
        let range = part.triangles.start as usize..part.triangles.end as usize;
        let corners = mesh.triangles.get(range)?.iter().flatten();
        let own = corners.filter_map(|&corner| mesh.colors.get(corner as usize));
        let default = mesh.colors.is_empty().then_some(1.0);
        for vertex_alpha in own.map(|color| color.w).chain(default) {
            let alpha = material.base_color.w * vertex_alpha;
            if alpha >= cutoff {
                return None;
            }
            max_alpha = Some(max_alpha.unwrap_or(0.0).max(alpha));
        }
    }
    let alpha = max_alpha?;
    Some(if alpha > 0.0 {
        format!("No material has an alpha above {alpha:.2}: all of it is cut away.")
    } else {
        "Every material is wholly transparent: there is nothing to see.".to_owned()
    })
}
