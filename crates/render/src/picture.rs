//! The passes of one picture, back to front in what they may cover.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use bindpose_asset::{Mesh, MovedVertices};
use bindpose_lesson::Projection;
use bindpose_notebook::scene::{CrowdScene, Scalars, Scene, SceneGrid};
use bindpose_skin::Blend;
use glam::{Mat4, Vec2, Vec3, Vec4};

use super::buffers::{Context, InstanceBuffer, VertexBuffer};
use super::geometry::{
    InfluenceBuffers, LineEnds, MeshBuffers, SetInstances, influence_sets, influences_of, padded,
};
use super::palette::PaletteUpload;
use super::program::{Layer, NamedProgram};
use super::program_cache::{ProgramCache, SkinProgram};

/// Grid lines to either side of the origin, at most.
const MAX_GRID_LINES: f32 = 200.0;

/// Side of what stands for a vertex in a mesh of points, as a thin line is 1.
const DOT: f32 = 4.0;

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
            width_px: self.line_width(1.2),
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
            width_px: self.line_width(if own { 2.0 } else { 1.0 }),
            dash_every_px: 0.0,
            tinted: carries_tint,
        };
        self.draw_line_pass(program, &look, None);
    }

    /// In pixels; a dot is as wide in any look.
    fn line_width(&self, of_line: f32) -> f32 {
        self.scale() * if self.mesh.is_points() { DOT } else { of_line }
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

// Where the members of crowds stand, on the GPU: uploaded when they stand elsewhere.

/// Crowds that stay on the GPU at most.
const KEPT: usize = 4;

/// The columns of all `world_from_instance` of one crowd.
pub(super) struct CrowdPlaces {
    crowd: Arc<CrowdScene>,
    pub(super) columns: [InstanceBuffer<[f32; 4]>; 4],
    pub(super) count: u32,
}

/// Least recently used first.
#[derive(Default)]
pub(super) struct KeptPlaces(Vec<CrowdPlaces>);

impl KeptPlaces {
    /// Those of this crowd. Its palettes may be others in every frame: places are
    /// told by what they are.
    pub(super) fn get(&mut self, context: &Context, crowd: &Arc<CrowdScene>) -> &CrowdPlaces {
        let same = |kept: &CrowdPlaces| {
            Arc::ptr_eq(&kept.crowd, crowd)
                || kept.crowd.world_from_instance == crowd.world_from_instance
        };
        let places = match self.0.iter().position(same) {
            Some(index) => self.0.remove(index),
            None => CrowdPlaces::new(context, crowd),
        };
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        self.0.push(places);
        let last = self.0.len() - 1;
        &self.0[last]
    }
}

impl CrowdPlaces {
    fn new(context: &Context, crowd: &Arc<CrowdScene>) -> Self {
        let placed = &crowd.world_from_instance;
        let column = |column: usize| {
            let all: Vec<[f32; 4]> =
                placed.iter().map(|m: &Mat4| m.col(column).to_array()).collect();
            InstanceBuffer::new_with_data(context, &all)
        };
        Self {
            crowd: Arc::clone(crowd),
            columns: std::array::from_fn(column),
            count: placed.len() as u32,
        }
    }
}

// Normals as lines, from their skinned vertices.

/// Length of a normal, over the height of the picture.
const LENGTH: f32 = 0.055;

impl PictureTargets<'_> {
    /// A flat drawing's normals point at the reader: none of it is drawn.
    pub(super) fn draw_normals(&self, program: &SkinProgram) {
        if self.mesh.flat {
            return;
        }
        let shown = self.mesh.with_normals();
        if shown.is_empty() {
            return;
        }
        let context = &self.programs.context;
        let instances = |values: &[Vec3]| {
            let values: Vec<[f32; 3]> =
                shown.iter().map(|&vertex| values[vertex].to_array()).collect();
            InstanceBuffer::new_with_data(context, &values)
        };
        let (positions, normals) =
            (instances(self.scene.stored_positions()), instances(self.scene.stored_normals()));
        let influences = influences_of(&self.scene.influences, shown.iter().copied());
        let kind = self.influences;
        let sets: Vec<SetInstances> =
            influence_sets(context, &influences, kind.summary, kind.float_indices);

        let pass = &program.program;
        self.use_skin(program);
        self.use_view(pass);
        pass.uniform("nudge_in_world", self.nudge_in_world());
        pass.uniform("length_in_world", self.scene.camera.height * LENGTH);
        pass.uniform("width_px", 1.2 * self.scale());
        pass.uniform("normal_color", self.scene.colors.normal);
        pass.instances("position_in_bind", &positions);
        pass.instances("normal_in_bind", &normals);
        for (set, [joints, weights]) in sets.iter().zip(SET_NAMES) {
            pass.joint_instances(joints, &set.joints);
            pass.instances(weights, &set.weights);
        }
        pass.draw_strips(Layer::Blended, self.size_px, shown.len());
    }
}

// Values of all vertices that belong to a picture and not to its mesh: uploaded when
// they are others, and not in every frame.

/// Uploads of one kind that stay on the GPU at most.
const MOST_KEPT_UPLOADS: usize = 2;

/// A shape on its way to the GPU, one value a vertex.
pub(super) struct GhostBuffers {
    pub(super) positions: VertexBuffer<[f32; 3]>,
    pub(super) normals: VertexBuffer<[f32; 3]>,
}

/// What was uploaded for scenes.
#[derive(Default)]
pub(super) struct KeptUploads {
    pub(super) ghosts: KeptUpload<MovedVertices, GhostBuffers>,
    pub(super) ghost_lines: KeptUpload<MovedVertices, LineEnds>,
    pub(super) scalars: KeptUpload<Scalars, VertexBuffer<f32>>,
    pub(super) line_scalars: KeptUpload<Scalars, [InstanceBuffer<f32>; 2]>,
}

/// Told by the pointers of mesh and values, which are held so that they stay their
/// own; least recently used first.
pub(super) struct KeptUpload<Values, Upload> {
    entries: RefCell<Vec<Entry<Values, Upload>>>,
}

type Entry<Values, Upload> = (Arc<Mesh>, Arc<Values>, Rc<Upload>);

impl<Values, Upload> Default for KeptUpload<Values, Upload> {
    fn default() -> Self {
        Self { entries: RefCell::default() }
    }
}

impl<Values, Upload> KeptUpload<Values, Upload> {
    /// What was uploaded for these values, or is now.
    pub(super) fn get(
        &self,
        mesh: &Arc<Mesh>,
        values: &Arc<Values>,
        upload: impl FnOnce() -> Upload,
    ) -> Rc<Upload> {
        let mut kept = self.entries.borrow_mut();
        let same = |(of, known, _): &Entry<Values, Upload>| {
            Arc::ptr_eq(of, mesh) && Arc::ptr_eq(known, values)
        };
        let entry = match kept.iter().position(same) {
            Some(index) => kept.remove(index),
            None => (Arc::clone(mesh), Arc::clone(values), Rc::new(upload())),
        };
        if kept.len() >= MOST_KEPT_UPLOADS {
            kept.remove(0);
        }
        let uploaded = Rc::clone(&entry.2);
        kept.push(entry);
        uploaded
    }
}

// Meshes that stand still beside the posed one: as stored, and in the rest pose.

impl PictureTargets<'_> {
    /// Surfaces of all ghosts that the scene asks for.
    pub(super) fn draw_ghosts(&self, program: &SkinProgram) {
        let scene = self.scene;
        if scene.ghost {
            self.draw_ghost(program, None, scene.colors.ghost);
        }
        if let Some(shape) = &scene.rest_ghost {
            let kept = &self.uploads.ghosts;
            let buffers = kept.get(&scene.mesh, shape, || self.ghost_buffers(shape));
            self.draw_ghost(program, Some(&buffers), scene.colors.rest_ghost);
        }
    }

    /// The same of a mesh that is a drawing of lines.
    pub(super) fn draw_lines_of_ghosts(&self, program: &SkinProgram) {
        let scene = self.scene;
        if scene.ghost {
            self.draw_ghost_lines(program, None, scene.colors.ghost);
        }
        if let Some(shape) = &scene.rest_ghost {
            let kept = &self.uploads.ghost_lines;
            let ends = kept.get(&scene.mesh, shape, || self.line_ends_of(shape));
            self.draw_ghost_lines(program, Some(&ends), scene.colors.rest_ghost);
        }
    }

    /// As many values as the mesh has vertices on the GPU, which are never none.
    fn ghost_buffers(&self, shape: &MovedVertices) -> GhostBuffers {
        let context = &self.programs.context;
        let count = self.mesh.points().positions.vertex_count() as usize;
        let padded = |values: &[Vec3]| {
            let all = padded(values, count, Vec3::ZERO);
            VertexBuffer::new_with_data(context, bytemuck::cast_slice(&all))
        };
        GhostBuffers { positions: padded(&shape.positions), normals: padded(&shape.normals) }
    }

    fn line_ends_of(&self, shape: &MovedVertices) -> LineEnds {
        let end = |end: usize| {
            let at = |line: &[u32; 2]| {
                let position = shape.positions.get(line[end] as usize);
                position.map_or([0.0; 3], |position| position.to_array())
            };
            let ends: Vec<[f32; 3]> = self.mesh.lines().iter().map(at).collect();
            InstanceBuffer::new_with_data(&self.programs.context, &ends)
        };
        [end(0), end(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_values_are_uploaded_once_and_those_of_another_mesh_again() {
        let kept: KeptUpload<Vec<u8>, usize> = KeptUpload::default();
        let meshes = [(); 2].map(|()| Arc::new(Mesh::default()));
        let values = [1, 2, 3].map(|value| Arc::new(vec![value]));
        let mut count = 0;
        let mut get = |mesh: usize, of: usize| {
            let upload = || {
                count += 1;
                of
            };
            assert_eq!(*kept.get(&meshes[mesh], &values[of], upload), of);
            count
        };
        assert_eq!(get(0, 0), 1);
        assert_eq!(get(0, 0), 1);
        assert_eq!(get(0, 1), 2);
        assert_eq!(get(0, 0), 2, "both are kept");
        assert_eq!(get(1, 0), 3);
        assert_eq!(get(0, 0), 3);
        assert_eq!(get(0, 2), 4);
        assert_eq!(get(0, 1), 5, "the one used longest ago is let go of");
    }
}
