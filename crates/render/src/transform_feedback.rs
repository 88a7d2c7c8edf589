//! Reads back where the GPU put each vertex: what is held against the CPU.

#![expect(unsafe_code, reason = "transform feedback is not in three-d")]

use bindpose_notebook::ShaderFinding;
use bindpose_notebook::gpu_proof::GpuVertices;
use bindpose_notebook::scene::Scene;
use bindpose_skin::Blend;
use eframe::glow::{self, HasContext as _};
use glam::{Vec3, Vec4};

use super::gl_program::GlProgram;
use super::gl_state::SavedState;
use super::picture::{PictureTargets, SkinPrograms};
use super::program::Layer;
use super::render_target::RenderTarget;
use super::{RenderError, Renderer};

/// One vertex as the vertex shader of the surface leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpuVertex {
    /// World space.
    pub position_in_world: Vec3,
    /// World space, unit length; zero where the mesh has collapsed.
    pub normal_in_world: Vec3,
    /// Clip space of the scene's camera.
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
    /// Skins the scene's mesh on the GPU, with the buffers, the palette and the
    /// vertex shader that pictures are drawn with, and reads the result back.
    ///
    /// Fails when the palette does not fit, the reader's shader does not compile, or
    /// GL has no memory for the result.
    pub fn read_skinned(&mut self, scene: &Scene) -> Result<Vec<GpuVertex>, RenderError> {
        let saved = SavedState::save(&self.gl);
        // Of a crowd, the first: it stands where it would stand alone.
        let alone = Scene { crowd: None, ..scene.clone() };
        let vertices = self.refused(&alone).and_then(|refused| match refused {
            Some(finding) => Err(RenderError::ReadersShader {
                line: finding.line.unwrap_or(1),
                message: finding.message,
            }),
            None => self.skin_and_read(&alone),
        });
        saved.restore(&self.gl);
        vertices
    }

    /// What is wrong with the reader's shader, if the scene has one.
    fn refused(&mut self, scene: &Scene) -> Result<Option<ShaderFinding>, RenderError> {
        let variant = self.prepare(scene)?;
        let (_, report) = self.surface_program(None, variant, scene)?;
        Ok(report.and_then(|report| report.findings.into_iter().next()))
    }

    /// As far as a picture can be drawn: with our shader where the reader's is
    /// refused.
    pub(super) fn skin_and_read(&mut self, scene: &Scene) -> Result<Vec<GpuVertex>, RenderError> {
        let count = scene.mesh.positions.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let variant = self.prepare(scene)?;
        let (surface, report) = self.surface_program(None, variant, scene)?;
        let body = scene
            .skinning
            .shader
            .as_ref()
            .filter(|_| report.is_some_and(|report| report.findings.is_empty()));
        let capturing = self.programs.capturing(&self.context, variant, body)?;
        // three-d checks that something can be drawn into, though nothing is.
        let target = RenderTarget::new(&self.gl, [1, 1], self.limits.texture_size, false, 1)?;
        target.begin(false);
        let (mesh, influences) =
            self.geometry.get(&self.context, scene, false, self.limits.texture_size);
        let picture = PictureTargets {
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
        picture.use_surface(&surface);
        // A reader may declare what we set otherwise than we do; three-d would
        // take that error for its own and panic in debug builds.
        if surface.is_custom() {
            super::gl_state::drain_errors(&self.gl);
        }
        let mut read = Ok(Vec::new());
        surface.program.draw_with(Layer::Solid, [1, 1], || {
            // Attributes have the same locations in both programs: the layout in
            // the shader says so.
            read = capture(&self.gl, &capturing, &picture, count);
        });
        read
    }
}

fn capture(
    gl: &glow::Context,
    program: &GlProgram,
    picture: &PictureTargets<'_>,
    count: usize,
) -> Result<Vec<GpuVertex>, RenderError> {
    let no_memory =
        |reason: String| RenderError::OutOfMemory { what: format!("{count} vertices"), reason };
    let mut positions = vec![Vec3::ZERO; count];
    let mut normals = vec![Vec3::ZERO; count];
    let mut clips = vec![Vec4::ZERO; count];
    let outputs: [&mut [u8]; 3] = [
        bytemuck::cast_slice_mut(&mut positions),
        bytemuck::cast_slice_mut(&mut normals),
        bytemuck::cast_slice_mut(&mut clips),
    ];
    let scene = picture.scene;
    let [width, height] = scene.size.map(|side| side.max(1) as f32);
    let clip_from_world = scene.camera.clip_from_world(width / height);
    // SAFETY: each buffer has room for `count` vectors, which is what
    // `draw_arrays` writes, and the slices read have as many bytes.
    unsafe {
        let buffers = [
            gl.create_buffer().map_err(no_memory)?,
            gl.create_buffer().map_err(no_memory)?,
            gl.create_buffer().map_err(no_memory)?,
        ];
        for (index, (&buffer, output)) in buffers.iter().zip(&outputs).enumerate() {
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index as u32, Some(buffer));
            gl.buffer_data_size(
                glow::TRANSFORM_FEEDBACK_BUFFER,
                output.len() as i32,
                glow::STREAM_READ,
            );
        }
        gl.use_program(Some(program.key()));
        picture.palette.bind_again(gl, program.key());
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
            position_in_clip: clips[index],
        })
        .collect())
}

/// Reads the buffer bound for copying, which has at least as many bytes.
#[cfg(target_arch = "wasm32")]
unsafe fn read_buffer(gl: &glow::Context, bytes: &mut [u8]) {
    // SAFETY: the caller has bound the buffer.
    unsafe { gl.get_buffer_sub_data(glow::COPY_READ_BUFFER, 0, bytes) }
}

/// Reads the buffer bound for copying, which has at least as many bytes. By
/// mapping: OpenGL ES has no other way, browsers have no mapping.
#[cfg(not(target_arch = "wasm32"))]
unsafe fn read_buffer(gl: &glow::Context, bytes: &mut [u8]) {
    let count = bytes.len();
    // SAFETY: the caller has bound a buffer of that many bytes; they are
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
