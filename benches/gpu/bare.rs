//! The least GL that draws a skinned mesh: what ours is held against.

#![expect(unsafe_code, reason = "bare GL is the point")]

use std::sync::Arc;

use bindpose_gltf::Mesh;
use bindpose_lesson::Transport;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::scene::Scene;
use eframe::glow::{self, HasContext as _};
use glam::Mat4;

use super::shaders::{BACKDROP, BACKDROP_VERTEX, LOOK, PLAIN, vertex_shader};

const SAMPLES: i32 = 4;

/// What the bare draw does beyond the least.
#[derive(Clone, Copy)]
pub(crate) struct BareExtras {
    /// Our light, rim and background, normals by the cofactor matrix, and images
    /// that do not glitter.
    look: bool,
}

impl BareExtras {
    pub(crate) const NONE: Self = Self { look: false };
    pub(crate) const ALL: Self = Self { look: true };
}

/// A mesh, ready to be drawn any number of times.
pub(crate) struct Bare {
    gl: Arc<glow::Context>,
    program: glow::Program,
    backdrop: Option<glow::Program>,
    vertices: glow::VertexArray,
    palette: BarePaletteStore,
    base_color: glow::Texture,
    multisampled: glow::Framebuffer,
    resolved: glow::Framebuffer,
    size: [u32; 2],
    indices: i32,
    instances: i32,
}

enum BarePaletteStore {
    Uniforms(Option<glow::UniformLocation>),
    Block(glow::Buffer),
    Texture(glow::Texture),
}

impl BarePaletteStore {
    /// # Safety
    /// The context and the program are current.
    unsafe fn upload(&self, gl: &glow::Context, world_from_bind: &[Mat4]) {
        let columns: Vec<f32> = world_from_bind.iter().flat_map(|m| m.to_cols_array()).collect();
        // SAFETY: the caller's; the uploads are as long as the slice.
        unsafe {
            match self {
                Self::Uniforms(location) => {
                    gl.uniform_4_f32_slice(location.as_ref(), &columns);
                }
                Self::Block(block) => {
                    gl.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(*block));
                    gl.buffer_data_u8_slice(
                        glow::UNIFORM_BUFFER,
                        bytemuck::cast_slice(&columns),
                        glow::DYNAMIC_DRAW,
                    );
                }
                Self::Texture(texture) => {
                    gl.active_texture(glow::TEXTURE0);
                    gl.bind_texture(glow::TEXTURE_2D, Some(*texture));
                    gl.bind_sampler(0, None);
                    gl.tex_image_2d(
                        glow::TEXTURE_2D,
                        0,
                        glow::RGBA32F as i32,
                        4,
                        world_from_bind.len() as i32,
                        0,
                        glow::RGBA,
                        glow::FLOAT,
                        glow::PixelUnpackData::Slice(Some(bytemuck::cast_slice(&columns))),
                    );
                }
            }
        }
    }
}

impl Bare {
    pub(crate) fn new(
        gl: &Arc<glow::Context>,
        mesh: &Mesh,
        transport: Transport,
        world_from_instance: &[Mat4],
        size: [u32; 2],
        extras: BareExtras,
    ) -> Result<Self, String> {
        let joints = mesh
            .influences
            .iter()
            .flat_map(|influences| influences.used().map(|(_, joint, _)| joint.index() + 1))
            .max()
            .unwrap_or(1);
        let float_indices = transport.has_float_indices();
        // SAFETY: plain GL on a current context; every slice is as long as the
        // call says.
        unsafe {
            let program = program(
                gl,
                &vertex_shader(transport, joints, extras.look),
                if extras.look { LOOK } else { PLAIN },
            )?;
            gl.use_program(Some(program));
            let vertices = vertex_array(gl, mesh, float_indices, world_from_instance)?;
            let indices = 3 * mesh.triangles.len() as i32;
            let base_color = base_color(gl, mesh, extras)?;
            let location = |name: &str| gl.get_uniform_location(program, name);
            gl.uniform_1_i32(location("base_color").as_ref(), 1);
            gl.uniform_1_i32(location("palette").as_ref(), 0);
            gl.uniform_1_f32(location("joint_count").as_ref(), joints as f32);
            let light = Scene::light();
            gl.uniform_3_f32(location("light_in_world").as_ref(), light.x, light.y, light.z);
            let palette = match transport {
                Transport::UniformArray => {
                    BarePaletteStore::Uniforms(location("palette_columns[0]"))
                }
                Transport::UniformBlock => {
                    let block = gl.create_buffer()?;
                    let index = gl.get_uniform_block_index(program, "Palette").ok_or("no block")?;
                    gl.uniform_block_binding(program, index, 0);
                    BarePaletteStore::Block(block)
                }
                _ => BarePaletteStore::Texture(palette_texture(gl)?),
            };
            let [multisampled, resolved] = framebuffers(gl, size)?;
            Ok(Self {
                gl: Arc::clone(gl),
                program,
                backdrop: extras
                    .look
                    .then(|| crate::bare::program(gl, BACKDROP_VERTEX, BACKDROP))
                    .transpose()?,
                vertices,
                palette,
                base_color,
                multisampled,
                resolved,
                size,
                indices,
                instances: world_from_instance.len() as i32,
            })
        }
    }

    pub(crate) fn draw(&self, world_from_bind: &[Mat4], camera: &Camera) -> Result<(), String> {
        let gl = &self.gl;
        let [width, height] = self.size.map(|side| side as i32);
        // SAFETY: our own objects; the uploads are as long as the slices.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.multisampled));
            gl.viewport(0, 0, width, height);
            gl.disable(glow::SCISSOR_TEST);
            gl.disable(glow::CULL_FACE);
            gl.disable(glow::BLEND);
            gl.depth_mask(true);
            gl.clear_color(0.98, 0.98, 0.97, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            gl.bind_vertex_array(Some(self.vertices));
            if let Some(backdrop) = self.backdrop {
                gl.disable(glow::DEPTH_TEST);
                gl.use_program(Some(backdrop));
                gl.draw_arrays(glow::TRIANGLES, 0, 3);
            }
            gl.enable(glow::DEPTH_TEST);
            // The whale's material has one side.
            gl.enable(glow::CULL_FACE);
            gl.cull_face(glow::BACK);
            gl.depth_func(glow::LESS);
            gl.use_program(Some(self.program));
            let clip_from_world = camera.clip_from_world(width as f32 / height as f32);
            let location = gl.get_uniform_location(self.program, "clip_from_world");
            gl.uniform_matrix_4_f32_slice(
                location.as_ref(),
                false,
                &clip_from_world.to_cols_array(),
            );
            let eye = camera.view_from_world().inverse().w_axis;
            let location = gl.get_uniform_location(self.program, "eye_in_world");
            gl.uniform_3_f32(location.as_ref(), eye.x, eye.y, eye.z);
            self.palette.upload(gl, world_from_bind);
            gl.active_texture(glow::TEXTURE1);
            gl.bind_sampler(1, None);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.base_color));
            gl.draw_elements_instanced(
                glow::TRIANGLES,
                self.indices,
                glow::UNSIGNED_INT,
                0,
                self.instances,
            );
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.multisampled));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved));
            gl.blit_framebuffer(
                0,
                0,
                width,
                height,
                0,
                0,
                width,
                height,
                glow::COLOR_BUFFER_BIT,
                glow::NEAREST,
            );
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            match gl.get_error() {
                glow::NO_ERROR => Ok(()),
                error => Err(format!("the bare draw: GL error 0x{error:04X}")),
            }
        }
    }
}

/// Waits until everything is drawn.
pub(crate) fn finish(gl: &glow::Context) {
    // SAFETY: the context is current.
    unsafe { gl.finish() }
}

/// All attributes and corners; on the array, so that a draw need not set them.
///
/// # Safety
/// The context is current.
unsafe fn vertex_array(
    gl: &glow::Context,
    mesh: &Mesh,
    float_indices: bool,
    world_from_instance: &[Mat4],
) -> Result<glow::VertexArray, String> {
    // SAFETY: the caller's; every slice is as long as the call says.
    unsafe {
        let vertices = gl.create_vertex_array()?;
        gl.bind_vertex_array(Some(vertices));
        let positions: Vec<f32> = mesh.positions.iter().flat_map(|p| p.to_array()).collect();
        let normals: Vec<f32> = mesh.normals.iter().flat_map(|n| n.to_array()).collect();
        let uvs: Vec<f32> = mesh.uvs.iter().flat_map(|uv| uv.to_array()).collect();
        let weights: Vec<f32> =
            mesh.influences.iter().flat_map(|i| i.weights[..4].to_vec()).collect();
        for (index, size, data) in
            [(0, 3, &positions), (1, 3, &normals), (3, 4, &weights), (4, 2, &uvs)]
        {
            attribute(gl, index, size, data)?;
        }
        if float_indices {
            let joints: Vec<f32> = mesh
                .influences
                .iter()
                .flat_map(|i| i.joints[..4].iter().map(|j| f32::from(j.0)).collect::<Vec<_>>())
                .collect();
            attribute(gl, 2, 4, &joints)?;
        } else {
            let joints: Vec<u16> = mesh
                .influences
                .iter()
                .flat_map(|i| i.joints[..4].iter().map(|j| j.0).collect::<Vec<_>>())
                .collect();
            buffer(gl, glow::ARRAY_BUFFER, bytemuck::cast_slice(&joints))?;
            gl.enable_vertex_attrib_array(2);
            gl.vertex_attrib_pointer_i32(2, 4, glow::UNSIGNED_SHORT, 0, 0);
        }
        let instances: Vec<f32> =
            world_from_instance.iter().flat_map(|m| m.to_cols_array()).collect();
        buffer(gl, glow::ARRAY_BUFFER, bytemuck::cast_slice(&instances))?;
        for column in 0..4 {
            gl.enable_vertex_attrib_array(5 + column);
            gl.vertex_attrib_pointer_f32(5 + column, 4, glow::FLOAT, false, 64, 16 * column as i32);
            gl.vertex_attrib_divisor(5 + column, 1);
        }
        let corners: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
        buffer(gl, glow::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&corners))?;
        Ok(vertices)
    }
}

/// # Safety
/// The context is current.
unsafe fn program(
    gl: &glow::Context,
    vertex: &str,
    fragment: &str,
) -> Result<glow::Program, String> {
    // SAFETY: the caller's.
    unsafe {
        let program = gl.create_program()?;
        for (kind, source) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
            let shader = gl.create_shader(kind)?;
            gl.shader_source(shader, source);
            gl.compile_shader(shader);
            if !gl.get_shader_compile_status(shader) {
                return Err(format!("{}\n{source}", gl.get_shader_info_log(shader)));
            }
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        if gl.get_program_link_status(program) {
            Ok(program)
        } else {
            Err(gl.get_program_info_log(program))
        }
    }
}

/// # Safety
/// The context is current and a vertex array bound.
unsafe fn buffer(gl: &glow::Context, target: u32, bytes: &[u8]) -> Result<(), String> {
    // SAFETY: the caller's.
    unsafe {
        let buffer = gl.create_buffer()?;
        gl.bind_buffer(target, Some(buffer));
        gl.buffer_data_u8_slice(target, bytes, glow::STATIC_DRAW);
    }
    Ok(())
}

/// # Safety
/// The context is current and a vertex array bound.
unsafe fn attribute(gl: &glow::Context, index: u32, size: i32, data: &[f32]) -> Result<(), String> {
    // SAFETY: the caller's.
    unsafe {
        buffer(gl, glow::ARRAY_BUFFER, bytemuck::cast_slice(data))?;
        gl.enable_vertex_attrib_array(index);
        gl.vertex_attrib_pointer_f32(index, size, glow::FLOAT, false, 0, 0);
    }
    Ok(())
}

/// # Safety
/// The context is current.
unsafe fn palette_texture(gl: &glow::Context) -> Result<glow::Texture, String> {
    // SAFETY: the caller's.
    unsafe {
        let texture = gl.create_texture()?;
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
            (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
        ] {
            gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
        }
        Ok(texture)
    }
}

/// On unit 1, where nothing else goes.
///
/// # Safety
/// The context is current.
unsafe fn base_color(
    gl: &glow::Context,
    mesh: &Mesh,
    extras: BareExtras,
) -> Result<glow::Texture, String> {
    let image = mesh.images.first().and_then(|image| image.pixels());
    let image = image.ok_or("no base colour")?;
    // SAFETY: the caller's; the image has as many bytes as its size says.
    unsafe {
        let texture = gl.create_texture()?;
        gl.active_texture(glow::TEXTURE1);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            glow::RGBA8 as i32,
            image.width as i32,
            image.height as i32,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(Some(&image.rgba)),
        );
        gl.generate_mipmap(glow::TEXTURE_2D);
        if extras.look {
            let filter = glow::LINEAR_MIPMAP_LINEAR as i32;
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, filter);
        }
        Ok(texture)
    }
}

/// One with four samples and depth, one that they are averaged into.
///
/// # Safety
/// The context is current.
unsafe fn framebuffers(
    gl: &glow::Context,
    size: [u32; 2],
) -> Result<[glow::Framebuffer; 2], String> {
    let [width, height] = size.map(|side| side as i32);
    // SAFETY: the caller's.
    unsafe {
        let multisampled = gl.create_framebuffer()?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(multisampled));
        for (format, attachment) in [
            (glow::RGBA8, glow::COLOR_ATTACHMENT0),
            (glow::DEPTH_COMPONENT24, glow::DEPTH_ATTACHMENT),
        ] {
            let buffer = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, SAMPLES, format, width, height);
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                attachment,
                glow::RENDERBUFFER,
                Some(buffer),
            );
        }
        let resolved = gl.create_framebuffer()?;
        let texture = gl.create_texture()?;
        gl.active_texture(glow::TEXTURE2);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            glow::RGBA8 as i32,
            width,
            height,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(None),
        );
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(resolved));
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        Ok([multisampled, resolved])
    }
}
