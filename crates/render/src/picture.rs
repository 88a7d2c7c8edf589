//! The passes of one picture, back to front in what they may cover.

use std::rc::Rc;

use bindpose_lesson::Projection;
use bindpose_notebook::scene::{Scene, SceneGrid};
use bindpose_skin::Blend;
use glam::{Vec2, Vec4};

use super::crowd_places::CrowdPlaces;
use super::geometry::{InfluenceBuffers, LineEnds, MeshBuffers};
use super::kept_uploads::KeptUploads;
use super::palette::PaletteUpload;
use super::program::{Layer, NamedProgram};
use super::program_cache::{ProgramCache, SkinProgram};

/// Grid lines to either side of the origin, at most.
const MAX_GRID_LINES: f32 = 200.0;

/// Attributes of one set of four influences, as in glTF.
pub(super) const SET_NAMES: [[&str; 2]; 2] = [["joints", "weights"], ["joints_1", "weights_1"]];

/// What one picture is drawn with.
pub(super) struct PictureTargets<'a> {
    pub(super) programs: &'a ProgramCache,
    pub(super) skinned: &'a SkinPrograms,
    pub(super) scene: &'a Scene,
    pub(super) mesh: &'a MeshBuffers,
    pub(super) influences: &'a InfluenceBuffers,
    /// Absent: drawn once.
    pub(super) crowd: Option<&'a CrowdPlaces>,
    pub(super) uploads: &'a KeptUploads,
    pub(super) palette: &'a PaletteUpload,
    pub(super) size_px: [u32; 2],
}

/// The skinned programs of one picture; absent what is not drawn.
#[derive(Default)]
pub(super) struct SkinPrograms {
    pub(super) surface: Option<Rc<SkinProgram>>,
    pub(super) ghost: Option<Rc<SkinProgram>>,
    pub(super) lines: Option<Rc<SkinProgram>>,
    pub(super) ghost_lines: Option<Rc<SkinProgram>>,
    pub(super) normals: Option<Rc<SkinProgram>>,
}

/// Which of the lines' looks.
struct LineLook {
    color: ([u8; 3], f32),
    width_px: f32,
    dash_every_px: f32,
    tinted: bool,
}

impl PictureTargets<'_> {
    /// Draws into the bound framebuffer, over what is there.
    pub(super) fn draw(&self) {
        self.draw_background();
        if let Some(program) = &self.skinned.ghost {
            self.draw_ghosts(program);
        }
        if let Some(program) = &self.skinned.surface {
            self.draw_surface(program);
        }
        if let Some(grid) = self.scene.grid {
            self.draw_grid(grid);
        }
        if let Some(program) = &self.skinned.ghost_lines {
            self.draw_lines_of_ghosts(program);
        }
        if let Some(program) = &self.skinned.lines {
            self.draw_lines(program);
        }
        if let Some(program) = &self.skinned.normals {
            self.draw_normals(program);
        }
    }

    fn draw_background(&self) {
        let pass = &self.programs.background;
        let colors = &self.scene.colors;
        pass.uniform("background_top", colors.background_top);
        pass.uniform("background_bottom", colors.background_bottom);
        pass.uniform("size_px", self.size_vector());
        let vertex_array = &self.programs.vertex_array;
        pass.draw_made(Layer::Background, self.size_px, vertex_array, (3, 1));
    }

    pub(super) fn draw_ghost_lines(
        &self,
        program: &SkinProgram,
        ends: Option<&LineEnds>,
        color: [u8; 3],
    ) {
        let look = LineLook {
            color: (color, 0.9),
            width_px: 1.2 * self.scale(),
            dash_every_px: 9.0 * self.scale(),
            tinted: false,
        };
        self.draw_line_pass(program, &look, ends);
    }

    fn draw_lines(&self, program: &SkinProgram) {
        let own = self.mesh.has_own_lines();
        // Without a surface to carry it, the tint goes to the lines.
        let carries_tint = !self.scene.surface || self.mesh.groups.is_empty();
        let edges_alone = !own && !self.scene.surface;
        let look = LineLook {
            color: (
                self.scene.colors.line,
                match (own, edges_alone) {
                    (true, _) => 1.0,
                    (false, true) => 0.6,
                    (false, false) => 0.28,
                },
            ),
            width_px: if own { 2.0 } else { 1.0 } * self.scale(),
            dash_every_px: 0.0,
            tinted: carries_tint,
        };
        self.draw_line_pass(program, &look, None);
    }

    /// `ends`: other positions than those of the mesh.
    fn draw_line_pass(&self, program: &SkinProgram, look: &LineLook, ends: Option<&LineEnds>) {
        let (Some([a, b]), Some([a_influences, b_influences])) =
            (ends.or_else(|| self.mesh.points().line_ends()), self.influences.line_ends())
        else {
            return;
        };
        let count = self.mesh.lines().len();
        if count == 0 {
            return;
        }
        let pass = &program.program;
        self.use_skin(program);
        self.use_view(pass);
        self.use_tint(pass, look.tinted);
        pass.uniform("nudge_in_world", self.nudge_in_world());
        pass.uniform("line_color", look.color);
        pass.uniform("width_px", look.width_px);
        pass.uniform("dash_every_px", look.dash_every_px);
        pass.instances("position_in_bind_a", a);
        pass.instances("position_in_bind_b", b);
        for (sets, end) in [(a_influences, "a"), (b_influences, "b")] {
            for (set, [joints, weights]) in sets.iter().zip(SET_NAMES) {
                pass.joint_instances(&format!("{joints}_{end}"), &set.joints);
                pass.instances(&format!("{weights}_{end}"), &set.weights);
            }
        }
        let scalars = self.scalars_of_line_ends();
        if let Some([a, b]) = scalars.as_deref() {
            pass.instances("scalar_a", a);
            pass.instances("scalar_b", b);
        }
        pass.draw_strips(Layer::Blended, self.size_px, count);
    }

    fn draw_grid(&self, grid: SceneGrid) {
        if !(grid.spacing > 0.0 && grid.extent > 0.0) {
            return;
        }
        let per_side = (grid.extent / grid.spacing).floor().min(MAX_GRID_LINES) as i32;
        let pass = &self.programs.grid;
        self.use_view(pass);
        pass.uniform("spacing", grid.spacing);
        pass.uniform("extent", grid.extent);
        pass.uniform("grid_extent", grid.extent);
        pass.uniform("at", grid.at);
        pass.uniform("ground", grid.ground);
        pass.uniform("lines_per_side", per_side);
        pass.uniform("nudge_in_world", -self.nudge_in_world());
        pass.uniform("grid_color", self.scene.colors.grid);
        pass.uniform("width_px", self.scale());
        let instances = 2 * (2 * per_side + 1);
        let vertex_array = &self.programs.vertex_array;
        pass.draw_made(Layer::Blended, self.size_px, vertex_array, (4, instances));
    }

    pub(super) fn use_view(&self, pass: &NamedProgram) {
        let camera = &self.scene.camera;
        let [width, height] = self.scene.size.map(|side| side.max(1) as f32);
        let world_from_view = camera.view_from_world().inverse();
        let eye_in_world = match camera.projection {
            Projection::Perspective => world_from_view * Vec4::W,
            Projection::Orthographic => world_from_view * Vec4::Z,
        };
        pass.uniform("clip_from_world", camera.clip_from_world(width / height));
        pass.uniform("eye_in_world", eye_in_world);
        pass.uniform("size_px", self.size_vector());
    }

    fn size_vector(&self) -> Vec2 {
        let [width_px, height_px] = self.size_px;
        Vec2::new(width_px as f32, height_px as f32)
    }

    pub(super) fn use_skin(&self, program: &SkinProgram) {
        if program.variant.still {
            return;
        }
        self.palette.bind(program);
        if let Blend::Only(joint) = self.scene.blend {
            program.program.uniform("only_joint", i32::from(joint.0));
        }
    }

    /// Thickness of a thin line in pixels. Grows with the picture, so that the
    /// last row of a class sees it too, and a dense display shows the same.
    pub(super) fn scale(&self) -> f32 {
        let [width, height] = self.size_px.map(|side| side as f32);
        (width.min(height) / 520.0).clamp(1.0, 4.0)
    }

    /// How far lines lie before the surface they run on.
    pub(super) fn nudge_in_world(&self) -> f32 {
        self.scene.camera.height * 0.004
    }
}
