//! Reads back the vertices that the GPU has skinned, for comparison with those of the CPU.

#![expect(unsafe_code, reason = "three-d does not support transform feedback")]

use bindpose_notebook::ShaderFinding;
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_skin::Blend;
use eframe::glow::{self, HasContext as _};
use glam::{Vec3, Vec4};

use super::gl_program::GlProgram;
use super::gl_state::SavedState;
use super::picture::{PicturePass, SkinPrograms};
use super::program::Layer;
use super::render_target::RenderTarget;
use super::{RenderError, Renderer};

/// Outputs of the surface's vertex shader for one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuVertex {
    pub position_in_world: Vec3,
    /// Has unit length, or is zero if the skin matrix is singular there.
    pub normal_in_world: Vec3,
    /// Position in the clip space of the scene's camera.
    pub position_in_clip: Vec4,
}

impl FromIterator<GpuVertex> for GpuVertices {
    fn from_iter<I: IntoIterator<Item = GpuVertex>>(vertices: I) -> Self {
        let (positions, normals) = vertices
            .into_iter()
            .map(|vertex| (vertex.position_in_world, vertex.normal_in_world))
            .unzip();
        Self { positions, normals }
    }
}

impl Renderer {
    /// Skins the mesh of a scene on the GPU, with the same buffers, palette and vertex shader as
    /// for drawing, and reads the result back. Ignores the crowd of the scene.
    ///
    /// # Errors
    /// If the palette does not fit, the reader's shader does not compile, or GL has not enough
    /// memory for the result.
    pub fn read_skinned(&mut self, scene: &Scene) -> Result<Vec<GpuVertex>, RenderError> {
        let saved = SavedState::save(&self.gl);
        // The first member of a crowd has the position that it would have alone.
        let alone = Scene { crowd: None, ..scene.clone() };
        let vertices = match self.first_shader_finding(&alone) {
            Ok(Some(finding)) => Err(RenderError::ReadersShader {
                line: finding.line.unwrap_or(1),
                message: finding.message,
            }),
            Ok(None) => self.skin_and_read(&alone),
            Err(error) => Err(error),
        };
        saved.restore(&self.gl);
        vertices
    }

    /// Returns the first finding on the reader's shader, if any.
    fn first_shader_finding(
        &mut self,
        scene: &Scene,
    ) -> Result<Option<ShaderFinding>, RenderError> {
        let variant = self.prepare_palette(scene)?;
        let (_, report) = self.compile_surface_program(None, variant, scene)?;
        Ok(report.and_then(|report| report.findings.into_iter().next()))
    }

    /// Skins the mesh and reads the result back. Uses the built-in shader if the reader's is
    /// rejected.
    pub(super) fn skin_and_read(&mut self, scene: &Scene) -> Result<Vec<GpuVertex>, RenderError> {
        let count = scene.mesh.positions.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let variant = self.prepare_palette(scene)?;
        let (surface, report) = self.compile_surface_program(None, variant, scene)?;
        let body = scene
            .skinning
            .shader
            .as_ref()
            .filter(|_| report.is_some_and(|report| report.findings.is_empty()));
        let capturing = self.programs.capturing(&self.context, variant, body)?;
        // three-d requires a complete framebuffer, although rasterization is off.
        let target = RenderTarget::new(&self.gl, [1, 1], self.limits.texture_size, false, 1)?;
        target.begin(false);
        let (mesh, influences) =
            self.geometry.get(&self.context, scene, false, self.limits.texture_size);
        let pass = PicturePass {
            programs: &self.programs,
            skinned: &SkinPrograms::default(),
            scene,
            mesh,
            influences,
            crowd: None,
            uploads: &self.uploads,
            palette: &self.palette,
            size_px: [1, 1],
        };
        pass.use_surface(&surface);
        // The reader's shader may declare a uniform with another type. three-d would panic
        // over that GL error in debug builds.
        if surface.is_custom() {
            super::gl_state::drain_errors(&self.gl);
        }
        let mut vertices = Ok(Vec::new());
        surface.program.draw_with(Layer::Solid, [1, 1], || {
            // The bound attributes are valid for both programs, because the shader text
            // declares their locations.
            vertices = capture_vertices(&self.gl, &capturing, &pass, count);
        });
        vertices
    }
}

/// Draws the vertices as points with transform feedback. The attributes must be bound.
fn capture_vertices(
    gl: &glow::Context,
    program: &GlProgram,
    pass: &PicturePass<'_>,
    count: usize,
) -> Result<Vec<GpuVertex>, RenderError> {
    let mut positions = vec![Vec3::ZERO; count];
    let mut normals = vec![Vec3::ZERO; count];
    let mut clip_positions = vec![Vec4::ZERO; count];
    // In the order of `program_cache::CAPTURED_OUTPUTS`.
    let outputs: [&mut [u8]; 3] = [
        bytemuck::cast_slice_mut(&mut positions),
        bytemuck::cast_slice_mut(&mut normals),
        bytemuck::cast_slice_mut(&mut clip_positions),
    ];
    let scene = pass.scene;
    let [width, height] = scene.size.map(|side| side.max(1) as f32);
    let clip_from_world = scene.camera.clip_from_world(width / height);
    // SAFETY: each buffer has room for the `count` vectors that `draw_arrays` writes, and the
    // slices have as many bytes.
    unsafe {
        let mut buffers = Vec::new();
        for _ in &outputs {
            let buffer = gl.create_buffer().map_err(|reason| RenderError::OutOfMemory {
                what: format!("{count} vertices"),
                reason,
            })?;
            buffers.push(buffer);
        }
        for (index, (&buffer, output)) in buffers.iter().zip(&outputs).enumerate() {
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index as u32, Some(buffer));
            gl.buffer_data_size(
                glow::TRANSFORM_FEEDBACK_BUFFER,
                output.len() as i32,
                glow::STREAM_READ,
            );
        }
        gl.use_program(Some(program.key()));
        pass.palette.bind_in_raw_program(gl, program.key());
        let location = gl.get_uniform_location(program.key(), "clip_from_world");
        let columns = clip_from_world.to_cols_array();
        gl.uniform_matrix_4_f32_slice(location.as_ref(), false, &columns);
        if let Blend::Only(joint) = scene.blend {
            let location = gl.get_uniform_location(program.key(), "only_joint");
            gl.uniform_1_i32(location.as_ref(), i32::from(joint.0));
        }
        gl.enable(glow::RASTERIZER_DISCARD);
        gl.begin_transform_feedback(glow::POINTS);
        gl.draw_arrays(glow::POINTS, 0, count as i32);
        gl.end_transform_feedback();
        gl.disable(glow::RASTERIZER_DISCARD);
        for (index, (&buffer, output)) in buffers.iter().zip(outputs).enumerate() {
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index as u32, None);
            gl.bind_buffer(glow::COPY_READ_BUFFER, Some(buffer));
            read_buffer(gl, output);
            gl.bind_buffer(glow::COPY_READ_BUFFER, None);
            gl.delete_buffer(buffer);
        }
    }
    Ok((0..count)
        .map(|index| GpuVertex {
            position_in_world: positions[index],
            normal_in_world: normals[index],
            position_in_clip: clip_positions[index],
        })
        .collect())
}

/// Reads the buffer bound to `COPY_READ_BUFFER`, which must have at least as many bytes.
#[cfg(target_arch = "wasm32")]
unsafe fn read_buffer(gl: &glow::Context, bytes: &mut [u8]) {
    // SAFETY: the caller has bound the buffer.
    unsafe { gl.get_buffer_sub_data(glow::COPY_READ_BUFFER, 0, bytes) }
}

/// Reads the buffer bound to `COPY_READ_BUFFER`, which must have at least as many bytes. Maps the
/// buffer, because OpenGL ES has no other way to read it. WebGL cannot map buffers.
#[cfg(not(target_arch = "wasm32"))]
unsafe fn read_buffer(gl: &glow::Context, bytes: &mut [u8]) {
    let count = bytes.len();
    // SAFETY: the caller has bound a buffer of that many bytes, and they are
    // copied before it is unmapped.
    unsafe {
        let mapped =
            gl.map_buffer_range(glow::COPY_READ_BUFFER, 0, count as i32, glow::MAP_READ_BIT);
        if !mapped.is_null() {
            bytes.copy_from_slice(std::slice::from_raw_parts(mapped, count));
            gl.unmap_buffer(glow::COPY_READ_BUFFER);
        }
    }
}
