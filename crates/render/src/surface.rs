//! The surface and its ghost: one draw for each material. And what colours a surface or a
//! line: the views of `tint.glsl` are handed what they read.

#![expect(unsafe_code, reason = "depth is cleared with GL directly")]

use std::rc::Rc;

use bindpose_lesson::Tint;
use bindpose_notebook::scene::Scene;
use bindpose_skin::{LANES, SET_LANES};
use eframe::glow::{self, HasContext as _};

use super::buffers::{InstanceBuffer, VertexBuffer};
use super::gl_state::drain_errors;
use super::material::{GpuMaterial, MaterialNeeds, Sides};
use super::picture::{GhostBuffers, PictureTargets, SET_NAMES};
use super::program::{Layer, NamedProgram};
use super::program_cache::SkinProgram;

/// Attributes of one of a crowd: the columns of its place.
const INSTANCE_NAMES: [&str; 4] = ["instance_x", "instance_y", "instance_z", "instance_origin"];

impl PictureTargets<'_> {
    pub(super) fn draw_surface(&self, program: &SkinProgram) {
        let pass = &program.program;
        let sides = MaterialNeeds::from_scene(self.scene).sides;
        let scalars = self.scalars_of_vertices();
        for group in &self.mesh.groups {
            self.use_surface(program);
            self.use_material(pass, &group.material, sides);
            if let Some(scalars) = &scalars {
                pass.vertices("scalar", scalars);
            }
            if program.is_custom() {
                // A reader may declare what we set otherwise than we set it. GL
                // leaves that unset; three-d would not draw.
                drain_errors(&self.programs.context);
            }
            let layer = if group.material.one_sided && sides == Sides::Front {
                Layer::SolidFront
            } else {
                Layer::Solid
            };
            let count = self.crowd.map(|crowd| {
                for (name, column) in INSTANCE_NAMES.into_iter().zip(&crowd.columns) {
                    pass.instances(name, column);
                }
                crowd.count
            });
            pass.draw_triangles(layer, self.size_px, &group.triangles, count);
        }
    }

    /// Sets everything that the surface's vertex shader reads, and what does not
    /// depend on a material.
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
        pass.uniform("lit", !mesh.flat);
        pass.uniform("rim_color", scene.colors.line);
        pass.uniform("ghost_color", scene.colors.ghost);
    }

    /// Sets what the fragment shader reads of a material.
    fn use_material(&self, pass: &NamedProgram, material: &GpuMaterial, sides: Sides) {
        let plain = if material.plain { self.scene.colors.surface } else { [u8::MAX; 3] };
        pass.uniform("surface_color", plain);
        pass.uniform("has_base_color", material.texture.is_some());
        if let Some(texture) = &material.texture {
            pass.texture("base_color", texture);
        }
        pass.uniform("base_factor", material.base_color);
        pass.uniform("image_from_uv", material.image_from_uv);
        pass.uniform("alpha_cutoff", material.alpha_cutoff);
        pass.uniform("unlit", material.unlit);
        let front_alone = material.one_sided && sides == Sides::FrontByShader;
        pass.uniform("front_alone", front_alone);
    }

    /// Its depth first, so that only what is nearest shows through, once. Then
    /// the depth is forgotten: the posed mesh stands before its ghost, without
    /// patches where the two pass through each other. Without a shape, the mesh as
    /// stored.
    pub(super) fn draw_ghost(
        &self,
        program: &SkinProgram,
        shape: Option<&GhostBuffers>,
        color_of_ghost: [u8; 3],
    ) {
        let pass = &program.program;
        for layer in [Layer::DepthAlone, Layer::Blended] {
            for group in &self.mesh.groups {
                self.use_surface(program);
                pass.uniform("ghost_color", color_of_ghost);
                if let Some(shape) = shape {
                    pass.vertices("position_in_bind", &shape.positions);
                    pass.vertices("normal_in_bind", &shape.normals);
                }
                pass.draw_triangles(layer, self.size_px, &group.triangles, None);
            }
        }
        let gl = &self.programs.context;
        // SAFETY: clears the bound framebuffer, which is ours.
        unsafe {
            gl.depth_mask(true);
            gl.clear(glow::DEPTH_BUFFER_BIT);
        }
    }
}

// What colours a surface or a line: the modes of `tint.glsl`.

/// Viridis from 0 to 1: the scale of weights and of all that is measured, here
/// and in the page's tables and legends.
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

/// The mode of `tint.glsl` for numbers a vertex.
const SCALAR: i32 = 10;

/// The mode of `tint.glsl`.
fn mode(tint: Tint) -> i32 {
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
        Tint::WeightError => SCALAR,
    }
}

impl PictureTargets<'_> {
    /// `on`: false for what keeps its own colour whatever the view.
    pub(super) fn use_tint(&self, pass: &NamedProgram, on: bool) {
        let scene = self.scene;
        let (mode, most) = match &scene.scalars {
            _ if !on => (mode(Tint::Base), 1.0),
            Some(_) => (SCALAR, scene.tint_most),
            None => (mode(scene.tint), scene.tint_most),
        };
        pass.uniform("tint_mode", mode);
        pass.uniform("tint_joint", i32::from(scene.tint_joint.0));
        // The scale must not divide by zero.
        pass.uniform("tint_most", most.max(f32::MIN_POSITIVE));
        pass.uniforms("joint_colors", scene.colors.joints);
        pass.uniforms("weight_stops", WEIGHT_STOPS);
        pass.uniform("solid_color", scene.colors.ghost);
        pass.uniform("over_color", scene.colors.over);
        pass.uniform("unused_color", scene.colors.surface);
        let lanes = if self.influences.sets.len() > 1 { LANES } else { SET_LANES };
        pass.uniform("lane_count", lanes as i32);
        pass.uniform("stripe_px", 7.0 * self.scale());
    }

    /// The scene's numbers, one per vertex; 0 where there are too few.
    fn scalars_of_vertices(&self) -> Option<Rc<VertexBuffer<f32>>> {
        let (mesh, scalars) = (&self.scene.mesh, self.scene.scalars.as_ref()?);
        let upload = || {
            let mut values = scalars.values.clone();
            values.resize(mesh.positions.len(), 0.0);
            VertexBuffer::new_with_data(&self.programs.context, &values)
        };
        Some(self.uploads.scalars.get(mesh, scalars, upload))
    }

    /// The scene's numbers at both ends of every line.
    pub(super) fn scalars_of_line_ends(&self) -> Option<Rc<[InstanceBuffer<f32>; 2]>> {
        let scalars = self.scene.scalars.as_ref()?;
        let of = |vertex: u32| scalars.values.get(vertex as usize).copied().unwrap_or(0.0);
        let end = |end: usize| {
            let values: Vec<f32> = self.mesh.lines().iter().map(|line| of(line[end])).collect();
            InstanceBuffer::new_with_data(&self.programs.context, &values)
        };
        let kept = &self.uploads.line_scalars;
        Some(kept.get(&self.scene.mesh, scalars, || [end(0), end(1)]))
    }
}
