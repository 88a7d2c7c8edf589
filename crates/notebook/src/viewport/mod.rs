//! What a viewport shows in one frame, from the lesson's cell, the document and
//! what follows from it: no screen is needed to say.

mod framing;
mod legend_room;
mod picture_motion;
mod surface_pick;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_asset::Mesh;
use bindpose_lesson::{Projection, Show, SkinningFault, Tint, View, ViewportCell};
use glam::{Mat4, Vec2, Vec3};

use super::camera::Camera;
use super::scene::{Scene, SceneColors, SkinningOptions};
use super::{Derived, Document, GpuLimits, measures, sum_errors, tint_most, weight_errors};
use crate::crowd::crowd_reach;
use crate::model_bounds::extent;
use crate::palette_plan::PageLoad;
use crate::palette_texture::{INCOMPLETE, PaletteTexture};
use crate::scene::{CrowdScene, SceneGrid};
use crate::{number_text, significant_digits};

pub use framing::{framed_camera, hold_poses};

pub use picture_motion::{PictureMotion, first_not_finite, leave_out_not_finite};
use surface_pick::vertex_at;
pub use surface_pick::{SurfaceHit, hit_at};

/// What is drawn where neither reader, step nor cell says.
const SHOWN: &[Show] = &[Show::Mesh, Show::Joints];

/// What one picture shows in one frame, worked out once: camera, scene, overlay,
/// legend and words all read this.
#[derive(Debug)]
pub struct ViewportFrame<'a> {
    /// What the lesson says of the picture.
    pub cell: &'a ViewportCell,
    /// The state of the page.
    pub document: &'a Document,
    /// What follows from it.
    pub derived: &'a Derived,
    /// What is drawn: the reader's choice, or the step's, or the cell's.
    pub show: &'a [Show],
    /// Where it is seen from until a reader moves the camera, chosen likewise.
    pub view: View,
    /// What colours the surface, chosen likewise.
    pub tint: Tint,
    /// What gets the brightest colour; see [`tint_most`].
    pub tint_most: f32,
    drawn: DrawnSkinning,
}

impl<'a> ViewportFrame<'a> {
    /// `derived` is what follows from `document`; `limits` are this machine's,
    /// `None` without GL.
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
            show: show.unwrap_or(SHOWN),
            view: state.view.unwrap_or(cell.view),
            tint,
            tint_most: cell
                .tint_most
                .filter(|_| measures(tint))
                .unwrap_or_else(|| tint_most(derived, tint)),
            drawn: DrawnSkinning::new(derived.in_force(document), derived, limits),
        }
    }

    /// Is this among what is drawn?
    pub fn shows(&self, what: Show) -> bool {
        self.show.contains(&what)
    }

    /// Are the mesh's lines drawn, or the edges of its triangles? Also unasked where it
    /// has no triangles: nothing else of it is there.
    pub fn draws_lines(&self) -> bool {
        let is_surface = !self.derived.rig.mesh.triangles.is_empty();
        self.shows(Show::Lines) || self.shows(Show::Mesh) && !is_surface
    }

    /// The vertex of the surface that is seen at a place, both in points from the picture's
    /// upper left corner; `None` beside the surface, and where it is not drawn.
    pub fn vertex_at(&self, camera: &Camera, (at, size): (Vec2, Vec2)) -> Option<u32> {
        let triangles =
            Some(&self.derived.rig.mesh.triangles).filter(|_| self.shows(Show::Mesh))?;
        vertex_at(camera, self.derived.positions(), triangles, at, size)
    }

    /// What a reader must know of the way to the picture, in sentences; absent
    /// where it is the one that was asked for.
    pub fn notice(&self) -> Option<&str> {
        self.drawn.notice.as_deref()
    }

    /// The plain value that the renderer draws, in a picture of this many pixels.
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

    /// The numbers of the lines of a flat model's grid, where the frame shows it
    /// and the picture of this size, in points, faces it.
    pub fn grid_numbers(&self, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
        if !self.shows(Show::Grid) {
            return Vec::new();
        }
        let grid = grid(self.document, self.derived, camera);
        grid_numbers(&grid, camera, picture)
    }

    /// [`Self::scene`] in one pixel from anywhere: for what is computed of it and
    /// does not depend on where it is seen from.
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

// The grid under a model, or behind a flat one.

/// Between two numbers along x and along y, at least, in points.
const APART: Vec2 = Vec2::new(30.0, 22.0);
/// Numbers along one axis, at most.
const MOST: usize = 60;

/// A number at the edge of the picture, where a line of the grid ends.
#[derive(Clone, Debug, PartialEq)]
pub struct GridNumber {
    /// 0: of a line with one x, at the lower edge. 1: with one y, at the left.
    pub axis: usize,
    /// From the left of the picture, or from its top, in points.
    pub at: f32,
    /// `−4`
    pub words: String,
}

/// The numbers of a grid in a picture of this size, in points: those of every
/// line, or, where lines stand close, of every second, fifth or tenth. None for a
/// grid on the ground, and where the picture does not face it.
fn grid_numbers(grid: &SceneGrid, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
    if grid.ground || camera.forward().z.abs() < 0.999 || grid.spacing <= 0.0 {
        return Vec::new();
    }
    let along = |axis| numbers_along(axis, grid, camera, picture);
    [0, 1].into_iter().flat_map(along).collect()
}

fn numbers_along(axis: usize, grid: &SceneGrid, camera: &Camera, picture: Vec2) -> Vec<GridNumber> {
    let center = camera.target.with_z(grid.at);
    let step = Vec3::AXES[axis] * grid.spacing;
    let place = |point: Vec3| camera.project(point, picture).map(|at| at[axis]);
    let Some((here, next)) = place(center).zip(place(center + step)) else {
        return Vec::new();
    };
    let apart = (next - here).abs();
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
    let Some(every) = steps.into_iter().find(|every| every * apart >= APART[axis]) else {
        return Vec::new();
    };
    let spacing = every * grid.spacing;
    // Lines that may be in the picture, on both sides of its middle.
    let reach = (picture[axis] / (every * apart) / 2.0).ceil() + 1.0;
    let middle = (center[axis] / spacing).round();
    let decimals = significant_digits::decimals(f64::from(spacing), 0);
    let lines = (0..=2 * reach as usize).take(MOST);
    let numbers = lines.filter_map(|line| {
        let value = (middle - reach + line as f32) * spacing;
        let mut point = center;
        point[axis] = value;
        let at = place(point).filter(|at| (0.0..=picture[axis]).contains(at))?;
        let words = number_text::fixed(f64::from(value), decimals);
        Some(GridNumber { axis, at, words })
    });
    numbers.collect()
}

/// Lines of the ground, or of the picture plane for a flat rig, at a spacing of
/// 1, 2 or 5 times a power of ten.
fn grid(document: &Document, derived: &Derived, camera: &Camera) -> SceneGrid {
    let (low, high) = extent(document, &derived.rig).bounds;
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    // In the plane places are read off it: its lines lie closer.
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

// How the picture is skinned on the device that is played, and the words where
// that is not what was asked for.

/// What is drawn in the end.
#[derive(Debug)]
struct DrawnSkinning {
    /// How; `None`: nothing can be skinned.
    skinning: Option<SkinningOptions>,
    /// Is the texture incomplete, so that all reads are the same?
    incomplete: bool,
    /// Must a crowd share one palette, since the transport carries no more?
    one_pose: bool,
    /// What a reader must know about it.
    notice: Option<String>,
}

impl DrawnSkinning {
    /// As the document asks and the device allows. Without GL nothing is drawn,
    /// and nothing is refused.
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
        let refused = choice.instead_of.map(|_| capital(&format!("{choice}.")));
        let notice = refused.or_else(|| {
            incomplete.then(|| {
                "LINEAR without OES_texture_float_linear: the texture is incomplete, and all \
                 vertices meet in one point."
                    .to_owned()
            })
        });
        let notice = notice.or_else(|| {
            let why = choice.one_pose?;
            Some(capital(&format!("{why}: here all share one pose.")))
        });
        Self { skinning: Some(skinning), incomplete, one_pose: choice.one_pose.is_some(), notice }
    }

    /// Puts it into the scene.
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
            // This machine's GL may well filter: what would be read is sent.
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
            // A text is written for one skin, not for a crowd.
            scene.crowd = None;
            if !scene.mesh.triangles.is_empty() {
                // It draws surfaces; lines by ours, over them, would show what
                // it no longer does.
                scene.surface |= scene.lines;
                scene.lines = false;
            }
        }
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

// Why nothing of a file is to be seen in a picture: an empty one looks like a fault
// of the program.

/// Two vertices that are nearer to each other than this part of the way between them as
/// stored have come together.
const TOGETHER: f32 = 1e-6;
/// The same as a part of the way to the origin: what 32 bits leave of it.
const DIGITS: f32 = 1e-6;

impl ViewportFrame<'_> {
    /// Why nothing of the file is to be seen, in a sentence; absent where something is,
    /// where nothing of it is asked for, and for rigs without a file.
    ///
    /// Vertices are looked at until two of them are apart: of a model that can be seen,
    /// the first few.
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
            return are_together(self.derived).filter(|_| self.draws_lines());
        }
        cut_away(&rig.mesh).or_else(|| are_together(self.derived))
    }
}

/// Where the picture has all vertices in one point.
fn are_together(derived: &Derived) -> Option<String> {
    let stored = derived.stored_positions();
    let (&first_stored, first) = stored.first().zip(derived.position(0))?;
    let together = |(vertex, &one): (usize, &Vec3)| {
        derived.position(vertex).is_some_and(|at| {
            at.distance(first) <= TOGETHER * one.distance(first_stored) + DIGITS * first.length()
        })
    };
    let count = stored.len();
    let all = count > 1 && stored.iter().enumerate().all(together);
    all.then(|| {
        let count = number_text::grouped(count as u32);
        format!("All {count} vertices are in one point: there is nothing to see.")
    })
}

/// Where every material has less alpha than is drawn; images are taken for opaque.
fn cut_away(mesh: &Mesh) -> Option<String> {
    let drawn = mesh.parts.iter().filter(|part| !part.triangles.is_empty());
    let mut alpha: Option<f32> = None;
    for part in drawn {
        let material = part.material.and_then(|material| mesh.materials.get(material))?;
        let cutoff = material.alpha_cutoff?;
        let range = part.triangles.start as usize..part.triangles.end as usize;
        let corners = mesh.triangles.get(range)?.iter().flatten();
        let own = corners.filter_map(|&corner| mesh.colors.get(corner as usize));
        let unless_own = mesh.colors.is_empty().then_some(1.0);
        for of_corner in own.map(|color| color.w).chain(unless_own) {
            let here = material.base_color.w * of_corner;
            if here >= cutoff {
                return None;
            }
            alpha = Some(alpha.unwrap_or(0.0).max(here));
        }
    }
    let alpha = alpha?;
    Some(if alpha > 0.0 {
        format!("No material has an alpha above {alpha:.2}: all of it is cut away.")
    } else {
        "Every material is wholly transparent: there is nothing to see.".to_owned()
    })
}
