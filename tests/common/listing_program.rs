//! Runs the shader listings of lessons with OpenGL ES 3, which compiles the shading languages of
//! WebGL 1 and 2. Reads back vertex outputs and pixels.

#![expect(unsafe_code, reason = "GL is asked directly")]

use std::sync::Arc;

use bindpose_render::headless::HeadlessGl;
use eframe::glow::{self, HasContext as _};
use glam::Mat4;

/// A shader program made of listings. Its OpenGL objects are freed with the context at the end of
/// the test.
pub(crate) struct ListingProgram {
    gl: Arc<glow::Context>,
    program: glow::Program,
    vertices: glow::VertexArray,
    /// Vertex outputs to read back, with their number of components.
    outputs: Vec<(&'static str, usize)>,
    textures: u32,
}

/// Width and height of pictures in pixels.
pub(crate) const SIDE: i32 = 64;

impl ListingProgram {
    /// Compiles and links the program. `outputs` are the vertex outputs to read back, with their
    /// number of components: `("gl_Position", 4)`.
    ///
    /// # Panics
    ///
    /// Panics with the compiler's log and the numbered listing if it does not compile.
    pub(crate) fn new(
        gl: &HeadlessGl,
        vertex: &str,
        fragment: &str,
        outputs: &[(&'static str, usize)],
    ) -> Self {
        let gl = gl.gl();
        // SAFETY: plain calls, with objects of this context.
        let (program, vertices) = unsafe {
            let program = gl.create_program().expect("a program");
            for (kind, source) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)]
            {
                let shader = gl.create_shader(kind).expect("a shader");
                gl.shader_source(shader, source);
                gl.compile_shader(shader);
                let log = gl.get_shader_info_log(shader);
                assert!(gl.get_shader_compile_status(shader), "{log}\n{}", numbered(source));
                gl.attach_shader(program, shader);
            }
            let names: Vec<&str> = outputs.iter().map(|&(name, _)| name).collect();
            gl.transform_feedback_varyings(program, &names, glow::INTERLEAVED_ATTRIBS);
            gl.link_program(program);
            assert!(gl.get_program_link_status(program), "{}", gl.get_program_info_log(program));
            gl.use_program(Some(program));
            let vertices = gl.create_vertex_array().expect("a vertex array");
            gl.bind_vertex_array(Some(vertices));
            bind_picture(&gl);
            (program, vertices)
        };
        Self { gl, program, vertices, outputs: outputs.to_vec(), textures: 0 }
    }

    /// For the OpenGL calls that a listing makes itself.
    pub(crate) fn program(&self) -> glow::Program {
        self.program
    }

    /// The vertex array of the attributes and, after `draw`, the index buffer.
    pub(crate) fn vertices(&self) -> glow::VertexArray {
        self.vertices
    }

    /// Sets an attribute of `lanes` floats per vertex.
    pub(crate) fn floats(&self, name: &str, lanes: i32, values: &[f32]) {
        self.attribute(name, &bytes(values, |value| value.to_ne_bytes()), |at| {
            // SAFETY: the buffer bound holds as many floats.
            unsafe {
                self.gl.vertex_attrib_pointer_f32(at, lanes, glow::FLOAT, false, 0, 0);
            }
        });
    }

    /// Sets an attribute of `lanes` integers per vertex, for types such as `uvec4`.
    pub(crate) fn integers(&self, name: &str, lanes: i32, values: &[u32]) {
        self.attribute(name, &bytes(values, |value| value.to_ne_bytes()), |at| {
            // SAFETY: the buffer bound holds as many numbers.
            unsafe {
                self.gl.vertex_attrib_pointer_i32(at, lanes, glow::UNSIGNED_INT, 0, 0);
            }
        });
    }

    fn attribute(&self, name: &str, bytes: &[u8], point: impl FnOnce(u32)) {
        // SAFETY: plain calls, with objects of this context.
        unsafe {
            let at = self.gl.get_attrib_location(self.program, name);
            let at = at.unwrap_or_else(|| panic!("the shader uses no attribute `{name}`"));
            let buffer = self.gl.create_buffer().expect("a buffer");
            self.gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            self.gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
            self.gl.enable_vertex_attrib_array(at);
            point(at);
        }
    }

    fn uniform(&self, name: &str) -> glow::UniformLocation {
        // SAFETY: a plain query.
        let at = unsafe { self.gl.get_uniform_location(self.program, name) };
        at.unwrap_or_else(|| panic!("the shader uses no uniform `{name}`"))
    }

    /// Sets a `mat4` or an array of them.
    pub(crate) fn matrices(&self, name: &str, values: &[Mat4]) {
        let values: Vec<f32> = values.iter().flat_map(Mat4::to_cols_array).collect();
        // SAFETY: sixteen numbers for each matrix.
        unsafe {
            self.gl.uniform_matrix_4_f32_slice(Some(&self.uniform(name)), false, &values);
        }
    }

    /// Sets a `float` or a `vec` with as many components.
    pub(crate) fn vector(&self, name: &str, values: &[f32]) {
        let at = Some(self.uniform(name));
        // SAFETY: as many numbers as are said.
        unsafe {
            match values {
                [x] => self.gl.uniform_1_f32(at.as_ref(), *x),
                [x, y] => self.gl.uniform_2_f32(at.as_ref(), *x, *y),
                [x, y, z] => self.gl.uniform_3_f32(at.as_ref(), *x, *y, *z),
                [x, y, z, w] => self.gl.uniform_4_f32(at.as_ref(), *x, *y, *z, *w),
                _ => panic!("a vector of {} numbers", values.len()),
            }
        }
    }

    /// Sets a sampler with RGBA32F texels, first row first. Uses `NEAREST` and `CLAMP_TO_EDGE` as in
    /// the lessons about textures.
    pub(crate) fn texture(&mut self, name: &str, size: [i32; 2], texels: &[[f32; 4]]) {
        let texels: Vec<f32> = texels.iter().flatten().copied().collect();
        let texels = bytes(&texels, |value| value.to_ne_bytes());
        let at = self.uniform(name);
        let unit = self.textures;
        self.textures += 1;
        // SAFETY: as many texels as the size says.
        unsafe {
            self.gl.active_texture(glow::TEXTURE0 + unit);
            let texture = self.gl.create_texture().expect("a texture");
            self.gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            assert_eq!(texels.len() as i32, size[0] * size[1] * 16);
            self.gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                glow::RGBA32F as i32,
                size[0],
                size[1],
                0,
                glow::RGBA,
                glow::FLOAT,
                glow::PixelUnpackData::Slice(Some(&texels)),
            );
            for (key, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
                (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                self.gl.tex_parameter_i32(glow::TEXTURE_2D, key, value as i32);
            }
            self.gl.uniform_1_i32(Some(&at), unit as i32);
        }
    }

    /// Sets a uniform block in the std140 layout.
    pub(crate) fn block(&self, name: &str, vec4s: &[[f32; 4]]) {
        let values: Vec<f32> = vec4s.iter().flatten().copied().collect();
        let bytes = bytes(&values, |value| value.to_ne_bytes());
        // SAFETY: plain calls, with objects of this context.
        unsafe {
            let index = self.gl.get_uniform_block_index(self.program, name);
            let index = index.unwrap_or_else(|| panic!("the shader has no block `{name}`"));
            self.gl.uniform_block_binding(self.program, index, 0);
            let buffer = self.gl.create_buffer().expect("a buffer");
            self.gl.bind_buffer(glow::UNIFORM_BUFFER, Some(buffer));
            self.gl.buffer_data_u8_slice(glow::UNIFORM_BUFFER, &bytes, glow::STATIC_DRAW);
            self.gl.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(buffer));
        }
    }

    /// Runs the vertex shader for `count` vertices. Returns the outputs of each vertex, in the order
    /// of `outputs`.
    pub(crate) fn read(&self, count: usize) -> Vec<Vec<f32>> {
        let each: usize = self.outputs.iter().map(|&(_, numbers)| numbers).sum();
        let mut found = vec![0; count * each * 4];
        // SAFETY: the buffer is as large as what is written and read.
        unsafe {
            let buffer = self.gl.create_buffer().expect("a buffer");
            let kind = glow::TRANSFORM_FEEDBACK_BUFFER;
            self.gl.bind_buffer_base(kind, 0, Some(buffer));
            self.gl.buffer_data_size(kind, found.len() as i32, glow::STREAM_READ);
            self.gl.enable(glow::RASTERIZER_DISCARD);
            self.gl.begin_transform_feedback(glow::POINTS);
            self.gl.draw_arrays(glow::POINTS, 0, count as i32);
            self.gl.end_transform_feedback();
            self.gl.disable(glow::RASTERIZER_DISCARD);
            // OpenGL ES has no other way to read a buffer.
            let length = found.len();
            let mapped = self.gl.map_buffer_range(kind, 0, length as i32, glow::MAP_READ_BIT);
            assert!(!mapped.is_null());
            found.copy_from_slice(std::slice::from_raw_parts(mapped, length));
            self.gl.unmap_buffer(kind);
            self.gl.bind_buffer_base(kind, 0, None);
            assert_eq!(self.gl.get_error(), glow::NO_ERROR);
        }
        let numbers = found.chunks_exact(4);
        let numbers: Vec<f32> =
            numbers.map(|four| f32::from_ne_bytes([four[0], four[1], four[2], four[3]])).collect();
        numbers.chunks(each).map(<[f32]>::to_vec).collect()
    }

    /// Draws triangles into an empty picture of [`SIDE`] × [`SIDE`] pixels with a depth buffer.
    /// Returns RGBA pixels, bottom row first.
    pub(crate) fn draw(&self, triangles: &[[u32; 3]]) -> Vec<[u8; 4]> {
        let indices: Vec<u32> = triangles.iter().flatten().copied().collect();
        // SAFETY: plain calls, with objects of this context; the indices are those
        // of the mesh whose attributes are set.
        unsafe {
            let gl = &self.gl;
            gl.viewport(0, 0, SIDE, SIDE);
            gl.enable(glow::DEPTH_TEST);
            gl.clear_color(0.0, 0.0, 0.0, 0.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            let buffer = gl.create_buffer().expect("a buffer");
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer));
            gl.buffer_data_u8_slice(
                glow::ELEMENT_ARRAY_BUFFER,
                &bytes(&indices, |index| index.to_ne_bytes()),
                glow::STATIC_DRAW,
            );
            gl.draw_elements(glow::TRIANGLES, indices.len() as i32, glow::UNSIGNED_INT, 0);
        }
        self.pixels()
    }

    /// Returns the current picture as RGBA pixels, bottom row first.
    pub(crate) fn pixels(&self) -> Vec<[u8; 4]> {
        let mut pixels = vec![0; (SIDE * SIDE * 4) as usize];
        // SAFETY: there is room for as many pixels.
        unsafe {
            let gl = &self.gl;
            let into = glow::PixelPackData::Slice(Some(&mut pixels));
            gl.read_pixels(0, 0, SIDE, SIDE, glow::RGBA, glow::UNSIGNED_BYTE, into);
            assert_eq!(gl.get_error(), glow::NO_ERROR);
        }
        let four = pixels.chunks_exact(4);
        four.map(|four| [four[0], four[1], four[2], four[3]]).collect()
    }
}

/// Creates a framebuffer to draw into. A context without a window has none, and draws nothing
/// without it, even for transform feedback.
fn bind_picture(gl: &glow::Context) {
    // SAFETY: plain calls, with objects of this context.
    unsafe {
        let framebuffer = gl.create_framebuffer().expect("a framebuffer");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        for (attachment, format) in [
            (glow::COLOR_ATTACHMENT0, glow::RGBA8),
            (glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT16),
        ] {
            let buffer = gl.create_renderbuffer().expect("a renderbuffer");
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, format, SIDE, SIDE);
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                attachment,
                glow::RENDERBUFFER,
                Some(buffer),
            );
        }
    }
}

fn bytes<T: Copy>(values: &[T], each: impl Fn(T) -> [u8; 4]) -> Vec<u8> {
    values.iter().flat_map(|&value| each(value)).collect()
}

fn numbered(source: &str) -> String {
    let lines = source.lines().enumerate();
    let numbered = lines.map(|(index, line)| format!("{:3} {line}", index + 1));
    numbered.collect::<Vec<_>>().join("\n")
}
