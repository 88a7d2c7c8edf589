//! The surface and its ghost: one draw for each material.

#![expect(unsafe_code, reason = "depth is cleared with GL directly")]

use bindpose_notebook::scene::Scene;
use eframe::glow::{self, HasContext as _};

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
