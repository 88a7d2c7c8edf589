//! Draws the surface and its ghosts, one draw call per material, and sets the uniforms of
//! `tint.glsl` for surfaces and lines.

#![expect(unsafe_code, reason = "clears the depth buffer with GL directly")]

use std::rc::Rc;

use bindpose_lesson::Tint;
use bindpose_notebook::scene::Scene;
use bindpose_skin::{LANES, SET_LANES};
use eframe::glow::{self, HasContext as _};

use super::buffers::{InstanceBuffer, VertexBuffer};
use super::gl_state::drain_errors;
use super::material::{GpuMaterial, MaterialFeatures, Sides};
use super::picture::{PicturePass, SET_NAMES};
use super::program::{Layer, NamedProgram};
use super::program_cache::SkinProgram;
use super::upload_cache::GhostBuffers;

/// Names of the attributes that hold the columns of `world_from_instance`.
const INSTANCE_COLUMN_NAMES: [&str; 4] =
    ["instance_x", "instance_y", "instance_z", "instance_origin"];

impl PicturePass<'_> {
    pub(super) fn draw_surface(&self, program: &SkinProgram) {
        let pass = &program.program;
        let sides = MaterialFeatures::from_scene(self.scene).sides;
        let scalars = self.upload_vertex_scalars();
        for group in &self.mesh.groups {
            self.use_surface(program);
            self.use_material(pass, &group.material, sides);
            if let Some(scalars) = &scalars {
                pass.vertices("scalar", scalars);
            }
            if program.is_custom() {
                // The reader's shader may declare a uniform with another type. GL reports an
                // error and ignores the value, but three-d would not draw.
                drain_errors(&self.programs.context);
            }
            let layer = if group.material.one_sided && sides == Sides::Front {
                Layer::SolidFront
            } else {
                Layer::Solid
            };
            let count = self.crowd.map(|crowd| {
                for (name, column) in INSTANCE_COLUMN_NAMES.into_iter().zip(&crowd.columns) {
                    pass.instances(name, column);
                }
                crowd.count
            });
            pass.draw_triangles(layer, self.size_px, &group.triangles, count);
        }
    }

    /// Sets all inputs of the surface shaders that do not depend on a material.
    pub(super) fn use_surface(&self, program: &SkinProgram) {
        let pass = &program.program;
        self.use_skin(program);
        self.use_view(pass);
        let Self { scene, mesh, .. } = self;
        let points = mesh.points();
        pass.vertices("position_in_bind", &points.positions);
        pass.vertices("normal_in_bind", &points.normals);
        pass.vertices("uv", &mesh.uvs);
        pass.vertices("vertex_color", &mesh.colors);
        for (set, names) in self.influences.sets.iter().zip(SET_NAMES) {
            pass.joints(names[0], &set.joints);
            pass.vertices(names[1], &set.weights);
        }
        self.use_tint(pass, true);
        pass.uniform("light_in_world", Scene::light());
        pass.uniform("lit", !mesh.is_flat);
        pass.uniform("rim_color", scene.colors.line);
        pass.uniform("ghost_color", scene.colors.ghost);
    }

    fn use_material(&self, pass: &NamedProgram, material: &GpuMaterial, sides: Sides) {
        let color = if material.has_theme_color { self.scene.colors.surface } else { [u8::MAX; 3] };
        pass.uniform("surface_color", color);
        pass.uniform("has_base_color", material.texture.is_some());
        if let Some(texture) = &material.texture {
            pass.texture("base_color", texture);
        }
        pass.uniform("base_factor", material.base_color);
        pass.uniform("image_from_uv", material.image_from_uv);
        pass.uniform("alpha_cutoff", material.alpha_cutoff);
        pass.uniform("unlit", material.unlit);
        let is_front_only = material.one_sided && sides == Sides::FrontByShader;
        pass.uniform("front_alone", is_front_only);
    }

    /// Draws a ghost of the given shape, or of the mesh as stored if there is no shape.
    ///
    /// The first pass writes only depth, so that the second blends only the nearest surface.
    /// Afterwards the depth buffer is cleared: the posed mesh covers its ghost completely,
    /// instead of intersecting it.
    pub(super) fn draw_ghost(
        &self,
        program: &SkinProgram,
        shape: Option<&GhostBuffers>,
        color: [u8; 3],
    ) {
        let pass = &program.program;
        for layer in [Layer::DepthOnly, Layer::Blended] {
            for group in &self.mesh.groups {
                self.use_surface(program);
                pass.uniform("ghost_color", color);
                if let Some(shape) = shape {
                    pass.vertices("position_in_bind", &shape.positions);
                    pass.vertices("normal_in_bind", &shape.normals);
                }
                pass.draw_triangles(layer, self.size_px, &group.triangles, None);
            }
        }
        let gl = &self.programs.context;
        // SAFETY: clears the bound framebuffer, which belongs to the renderer.
        unsafe {
            gl.depth_mask(true);
            gl.clear(glow::DEPTH_BUFFER_BIT);
        }
    }
}

/// Stops of the Viridis color map from 0 to 1, as sRGB. Shows weights and all other measured
/// values, here and in the tables and legends of the page.
pub const WEIGHT_STOPS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2D, 0x7B],
    [0x3B, 0x52, 0x8B],
    [0x2C, 0x72, 0x8E],
    [0x21, 0x91, 0x8C],
    [0x28, 0xAE, 0x80],
    [0x5E, 0xC9, 0x62],
    [0xAD, 0xDC, 0x30],
    [0xFD, 0xE7, 0x25],
];

/// `TINT_SCALAR` in `tint.glsl`.
const SCALAR_MODE: i32 = 10;

/// Returns the value of `tint_mode` in `tint.glsl`.
fn tint_mode(tint: Tint) -> i32 {
    match tint {
        Tint::Base => 0,
        Tint::Joints => 1,
        Tint::Weight => 2,
        Tint::Solid => 3,
        Tint::Normals => 4,
        Tint::Strongest => 5,
        Tint::JointIndices => 6,
        Tint::Weights => 7,
        Tint::SumError => 8,
        Tint::Displacement => 9,
        Tint::WeightError => SCALAR_MODE,
    }
}

impl PicturePass<'_> {
    /// Sets the uniforms of `tint.glsl`. With `is_tinted` unset, the base color is drawn whatever
    /// the tint of the scene.
    pub(super) fn use_tint(&self, pass: &NamedProgram, is_tinted: bool) {
        let scene = self.scene;
        let mode = if !is_tinted {
            tint_mode(Tint::Base)
        } else if scene.scalars.is_some() {
            SCALAR_MODE
        } else {
            tint_mode(scene.tint)
        };
        let max_value = if is_tinted { scene.tint_most } else { 1.0 };
        pass.uniform("tint_mode", mode);
        pass.uniform("tint_joint", i32::from(scene.tint_joint.0));
        // The shader divides by it.
        pass.uniform("tint_most", max_value.max(f32::MIN_POSITIVE));
        pass.uniforms("joint_colors", scene.colors.joints);
        pass.uniforms("weight_stops", WEIGHT_STOPS);
        pass.uniform("solid_color", scene.colors.ghost);
        pass.uniform("over_color", scene.colors.over);
        pass.uniform("unused_color", scene.colors.surface);
        let lanes = if self.influences.sets.len() > 1 { LANES } else { SET_LANES };
        pass.uniform("lane_count", lanes as i32);
        pass.uniform("stripe_px", 7.0 * self.scale());
    }

    /// Uploads the scalars of the scene, one per vertex, padded with 0. Returns `None` if the
    /// scene has none.
    fn upload_vertex_scalars(&self) -> Option<Rc<VertexBuffer<f32>>> {
        let mesh = &self.scene.mesh;
        let scalars = self.scene.scalars.as_ref()?;
        Some(self.uploads.scalars.get_or_upload(mesh, scalars, || {
            let mut values = scalars.values.clone();
            values.resize(mesh.positions.len(), 0.0);
            VertexBuffer::new_with_data(&self.programs.context, &values)
        }))
    }

    /// Uploads the scalars at both ends of every line. Returns `None` if the scene has none.
    pub(super) fn upload_line_scalars(&self) -> Option<Rc<[InstanceBuffer<f32>; 2]>> {
        let scalars = self.scene.scalars.as_ref()?;
        Some(self.uploads.line_scalars.get_or_upload(&self.scene.mesh, scalars, || {
            [0, 1].map(|end| {
                let values: Vec<f32> = self
                    .mesh
                    .lines()
                    .iter()
                    .map(|line| scalars.values.get(line[end] as usize).copied().unwrap_or(0.0))
                    .collect();
                InstanceBuffer::new_with_data(&self.programs.context, &values)
            })
        }))
    }
}
