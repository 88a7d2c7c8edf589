//! Draws the layers of a picture: background, ghosts, surface, grid, lines and normals.

use std::rc::Rc;

use bindpose_gltf::MovedVertices;
use bindpose_lesson::Projection;
use bindpose_notebook::scene::{Scene, SceneGrid};
use bindpose_notebook::{GroundShadow, MAX_SHADOW_DISCS};
use bindpose_skin::Blend;
use glam::{Vec2, Vec3, Vec4};

use super::buffers::{InstanceBuffer, VertexBuffer};
use super::geometry::{
    InfluenceBuffers, LineEnds, MeshBuffers, SetInstances, influences_of, padded,
    upload_influence_sets,
};
use super::palette::PaletteUpload;
use super::program::{Layer, NamedProgram};
use super::program_cache::{ProgramCache, SkinProgram};
use super::upload_cache::{CrowdBuffers, GhostBuffers, UploadCache};

/// Maximum number of grid lines on either side of the origin.
const MAX_GRID_LINES: f32 = 200.0;

/// Side of the dot for a vertex in a mesh of points, relative to the width of a thin line.
const DOT_SIZE: f32 = 4.0;

/// Length of a drawn normal, relative to the height of the picture.
const NORMAL_LENGTH: f32 = 0.055;

/// Names of the joint and weight attributes of each influence set.
pub(super) const SET_NAMES: [[&str; 2]; 2] = [["joints", "weights"], ["joints_1", "weights_1"]];

/// Resources for drawing one picture.
pub(super) struct PicturePass<'a> {
    pub(super) programs: &'a ProgramCache,
    pub(super) skinned: &'a SkinPrograms,
    pub(super) scene: &'a Scene,
    pub(super) mesh: &'a MeshBuffers,
    pub(super) influences: &'a InfluenceBuffers,
    /// `None` if the mesh is drawn only once.
    pub(super) crowd: Option<&'a CrowdBuffers>,
    pub(super) uploads: &'a UploadCache,
    pub(super) palette: &'a PaletteUpload,
    pub(super) size_px: [u32; 2],
}

/// The skinned programs of one picture. Each is `None` if its layer is not drawn.
#[derive(Default)]
pub(super) struct SkinPrograms {
    pub(super) surface: Option<Rc<SkinProgram>>,
    pub(super) ghost: Option<Rc<SkinProgram>>,
    pub(super) lines: Option<Rc<SkinProgram>>,
    pub(super) ghost_lines: Option<Rc<SkinProgram>>,
    pub(super) normals: Option<Rc<SkinProgram>>,
}

struct LineStyle {
    /// sRGB.
    color: [u8; 3],
    opacity: f32,
    width_px: f32,
    /// Length of a dash together with its gap. 0 for a solid line.
    dash_period_px: f32,
    /// Whether the tint of the scene replaces the color.
    is_tinted: bool,
}

impl PicturePass<'_> {
    /// Draws all layers into the bound framebuffer. The background covers its old contents.
    pub(super) fn draw(&self) {
        self.draw_background();
        if let Some(shadow) = &self.scene.shadow {
            self.draw_ground_shadow(shadow);
        }
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
            self.draw_line_ghosts(program);
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
        pass.draw_generated(Layer::Background, self.size_px, vertex_array, 3, 1);
    }

    fn draw_ground_shadow(&self, shadow: &GroundShadow) {
        let count = shadow.discs.len().min(MAX_SHADOW_DISCS);
        if count == 0 {
            return;
        }
        let pass = &self.programs.ground_shadow;
        self.use_view(pass);
        pass.uniform("ground_y", shadow.ground_y);
        pass.uniforms("discs", shadow.discs.iter().take(count).copied());
        pass.uniform("shadow_color", self.scene.colors.shadow);
        let vertex_array = &self.programs.vertex_array;
        pass.draw_generated(Layer::Blended, self.size_px, vertex_array, 4, count as i32);
    }

    /// Draws the surfaces of all ghosts in the scene.
    fn draw_ghosts(&self, program: &SkinProgram) {
        let scene = self.scene;
        if scene.ghost {
            self.draw_ghost(program, None, scene.colors.ghost);
        }
        if let Some(shape) = &scene.rest_ghost {
            let buffers =
                self.uploads.ghosts.get_or_upload(&scene.mesh, shape, || self.upload_ghost(shape));
            self.draw_ghost(program, Some(&buffers), scene.colors.rest_ghost);
        }
    }

    fn upload_ghost(&self, shape: &MovedVertices) -> GhostBuffers {
        let context = &self.programs.context;
        // The attributes of the mesh that the ghost shares have as many values.
        let count = self.mesh.points().positions.vertex_count() as usize;
        let positions = padded(&shape.positions, count, Vec3::ZERO);
        let normals = padded(&shape.normals, count, Vec3::ZERO);
        GhostBuffers {
            positions: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&positions)),
            normals: VertexBuffer::new_with_data(context, bytemuck::cast_slice(&normals)),
        }
    }

    /// Draws the ghosts of a mesh that consists of lines or points.
    fn draw_line_ghosts(&self, program: &SkinProgram) {
        let scene = self.scene;
        if scene.ghost {
            self.draw_line_ghost(program, None, scene.colors.ghost);
        }
        if let Some(shape) = &scene.rest_ghost {
            let ends = self
                .uploads
                .ghost_lines
                .get_or_upload(&scene.mesh, shape, || self.upload_line_ends(shape));
            self.draw_line_ghost(program, Some(&ends), scene.colors.rest_ghost);
        }
    }

    fn upload_line_ends(&self, shape: &MovedVertices) -> LineEnds {
        [0, 1].map(|end| {
            let positions: Vec<[f32; 3]> = self
                .mesh
                .lines()
                .iter()
                .map(|line| {
                    let position = shape.positions.get(line[end] as usize);
                    position.map_or([0.0; 3], |position| position.to_array())
                })
                .collect();
            InstanceBuffer::new_with_data(&self.programs.context, &positions)
        })
    }

    fn draw_line_ghost(&self, program: &SkinProgram, ends: Option<&LineEnds>, color: [u8; 3]) {
        let style = LineStyle {
            color,
            opacity: 0.9,
            width_px: self.line_width_px(1.2),
            dash_period_px: 9.0 * self.scale(),
            is_tinted: false,
        };
        self.draw_line_pass(program, &style, ends);
    }

    fn draw_lines(&self, program: &SkinProgram) {
        let has_own_lines = self.mesh.has_own_lines();
        let opacity = if has_own_lines {
            1.0
        } else if self.scene.surface {
            0.28
        } else {
            0.6
        };
        let style = LineStyle {
            color: self.scene.colors.line,
            opacity,
            width_px: self.line_width_px(if has_own_lines { 2.0 } else { 1.0 }),
            dash_period_px: 0.0,
            // The lines show the tint if there is no surface to show it.
            is_tinted: !self.scene.surface || self.mesh.groups.is_empty(),
        };
        self.draw_line_pass(program, &style, None);
    }

    /// Scales the width of a line to pixels. The dots of a mesh of points always have the same
    /// size.
    fn line_width_px(&self, width: f32) -> f32 {
        self.scale() * if self.mesh.is_points() { DOT_SIZE } else { width }
    }

    /// Draws the lines of the mesh, or lines between other `ends`.
    fn draw_line_pass(&self, program: &SkinProgram, style: &LineStyle, ends: Option<&LineEnds>) {
        let Some([a, b]) = ends.or_else(|| self.mesh.points().line_ends()) else { return };
        let Some([a_influences, b_influences]) = self.influences.line_ends() else { return };
        let count = self.mesh.lines().len();
        if count == 0 {
            return;
        }
        let pass = &program.program;
        self.use_skin(program);
        self.use_view(pass);
        self.use_tint(pass, style.is_tinted);
        pass.uniform("nudge_in_world", self.nudge_in_world());
        pass.uniform("line_color", (style.color, style.opacity));
        pass.uniform("width_px", style.width_px);
        pass.uniform("dash_every_px", style.dash_period_px);
        pass.instances("position_in_bind_a", a);
        pass.instances("position_in_bind_b", b);
        for (sets, end) in [(a_influences, "a"), (b_influences, "b")] {
            for (set, [joints, weights]) in sets.iter().zip(SET_NAMES) {
                pass.joint_instances(&format!("{joints}_{end}"), &set.joints);
                pass.instances(&format!("{weights}_{end}"), &set.weights);
            }
        }
        let scalars = self.upload_line_scalars();
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
        let lines_per_side = (grid.extent / grid.spacing).floor().min(MAX_GRID_LINES) as i32;
        let pass = &self.programs.grid;
        self.use_view(pass);
        pass.uniform("spacing", grid.spacing);
        pass.uniform("extent", grid.extent);
        pass.uniform("grid_extent", grid.extent);
        pass.uniform("at", grid.at);
        pass.uniform("ground", grid.ground);
        pass.uniform("lines_per_side", lines_per_side);
        pass.uniform("nudge_in_world", -self.nudge_in_world());
        pass.uniform("grid_color", self.scene.colors.grid);
        pass.uniform("width_px", self.scale());
        let instances = 2 * (2 * lines_per_side + 1);
        let vertex_array = &self.programs.vertex_array;
        pass.draw_generated(Layer::Blended, self.size_px, vertex_array, 4, instances);
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

    /// Width of a thin line in pixels. Grows with the picture, so that lines look the same on a
    /// high-density display, and are visible from the last row of a classroom.
    pub(super) fn scale(&self) -> f32 {
        let [width, height] = self.size_px.map(|side| side as f32);
        (width.min(height) / 520.0).clamp(1.0, 4.0)
    }

    /// Distance by which lines are moved towards the camera, so that the surface does not hide
    /// them.
    fn nudge_in_world(&self) -> f32 {
        self.scene.camera.height * 0.004
    }

    /// Draws normals as lines that start at the skinned vertices. Draws none for a flat mesh,
    /// because all its normals point at the camera.
    fn draw_normals(&self, program: &SkinProgram) {
        if self.mesh.is_flat {
            return;
        }
        let vertices = self.mesh.normal_vertices();
        if vertices.is_empty() {
            return;
        }
        let positions = self.upload_instances(vertices, self.scene.stored_positions());
        let normals = self.upload_instances(vertices, self.scene.stored_normals());
        let influences = influences_of(&self.scene.influences, vertices.iter().copied());
        let sets: Vec<SetInstances> = upload_influence_sets(
            &self.programs.context,
            &influences,
            self.influences.summary,
            self.influences.has_float_indices,
        );

        let pass = &program.program;
        self.use_skin(program);
        self.use_view(pass);
        pass.uniform("nudge_in_world", self.nudge_in_world());
        pass.uniform("length_in_world", self.scene.camera.height * NORMAL_LENGTH);
        pass.uniform("width_px", 1.2 * self.scale());
        pass.uniform("normal_color", self.scene.colors.normal);
        pass.instances("position_in_bind", &positions);
        pass.instances("normal_in_bind", &normals);
        for (set, [joints, weights]) in sets.iter().zip(SET_NAMES) {
            pass.joint_instances(joints, &set.joints);
            pass.instances(weights, &set.weights);
        }
        pass.draw_strips(Layer::Blended, self.size_px, vertices.len());
    }

    /// Uploads the values of some vertices, one per instance.
    fn upload_instances(&self, vertices: &[usize], values: &[Vec3]) -> InstanceBuffer<[f32; 3]> {
        let values: Vec<[f32; 3]> =
            vertices.iter().map(|&vertex| values[vertex].to_array()).collect();
        InstanceBuffer::new_with_data(&self.programs.context, &values)
    }
}
