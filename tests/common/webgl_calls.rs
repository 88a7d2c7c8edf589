//! Runs the JavaScript listings of lessons with a WebGL context that records all calls, and replays
//! the calls with OpenGL.

#![expect(unsafe_code, reason = "GL is asked directly")]

use std::collections::BTreeMap;

use eframe::glow::{self, HasContext as _};
use rquickjs::{CatchResultExt as _, Context, Runtime};
use serde_json::{Value, json};

/// Constants that listings use, which have the same values in WebGL and OpenGL.
const CONSTANTS: [(&str, u32); 21] = [
    ("ARRAY_BUFFER", glow::ARRAY_BUFFER),
    ("CLAMP_TO_EDGE", glow::CLAMP_TO_EDGE),
    ("ELEMENT_ARRAY_BUFFER", glow::ELEMENT_ARRAY_BUFFER),
    ("FLOAT", glow::FLOAT),
    ("LINEAR", glow::LINEAR),
    ("LINES", glow::LINES),
    ("MAX_VERTEX_TEXTURE_IMAGE_UNITS", glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS),
    ("NEAREST", glow::NEAREST),
    ("RGBA", glow::RGBA),
    ("RGBA32F", glow::RGBA32F),
    ("STATIC_DRAW", glow::STATIC_DRAW),
    ("TEXTURE0", glow::TEXTURE0),
    ("TEXTURE_2D", glow::TEXTURE_2D),
    ("TEXTURE_MAG_FILTER", glow::TEXTURE_MAG_FILTER),
    ("TEXTURE_MIN_FILTER", glow::TEXTURE_MIN_FILTER),
    ("TEXTURE_WRAP_S", glow::TEXTURE_WRAP_S),
    ("TEXTURE_WRAP_T", glow::TEXTURE_WRAP_T),
    ("TRIANGLES", glow::TRIANGLES),
    ("UNSIGNED_BYTE", glow::UNSIGNED_BYTE),
    ("UNSIGNED_INT", glow::UNSIGNED_INT),
    ("UNSIGNED_SHORT", glow::UNSIGNED_SHORT),
];

/// Answers of the recording context to queries.
pub(crate) struct Device {
    pub(crate) extensions: &'static [&'static str],
    pub(crate) vertex_texture_units: u32,
}

/// Runs `script` and returns the calls that it made.
///
/// # Errors
///
/// Returns the exception if the script throws one.
pub(crate) fn calls_of(script: &str, device: &Device) -> Result<Vec<Value>, String> {
    let constants: BTreeMap<&str, u32> = CONSTANTS.into();
    let units = glow::MAX_VERTEX_TEXTURE_IMAGE_UNITS.to_string();
    let parameters = json!({ units: device.vertex_texture_units });
    let constants = json!(constants);
    let extensions = json!(device.extensions);
    let stand_in = include_str!("webgl_listing.js");
    let whole = format!(
        "const constants = {constants}, extensions = {extensions}, parameters = {parameters};\n\
         {stand_in}\n{script}\nJSON.stringify(calls)"
    );
    let runtime = Runtime::new().expect("memory for QuickJS");
    let context = Context::full(&runtime).expect("memory for QuickJS");
    context.with(|context| {
        let calls: String =
            context.eval(whole).catch(&context).map_err(|error| error.to_string())?;
        Ok(serde_json::from_str(&calls).expect("JSON of our own"))
    })
}

/// The result of a replayed call.
enum Answer {
    Texture(glow::Texture),
    Buffer(glow::Buffer),
    Attribute(u32),
    Uniform(glow::UniformLocation),
    Nothing,
}

/// Replays the calls.
///
/// # Panics
///
/// Panics for an unknown call, or if the program has no attribute or uniform of a name.
pub(crate) fn call_again(gl: &glow::Context, program: glow::Program, calls: &[Value]) {
    let mut answers: Vec<Answer> = Vec::new();
    for call in calls {
        let name = call["name"].as_str().expect("a name");
        let call = Call {
            gl,
            program,
            answers: &answers,
            given: call["given"].as_array().expect("a list"),
        };
        let answer = call.answer(name);
        answers.push(answer);
        // SAFETY: a plain query.
        assert_eq!(unsafe { gl.get_error() }, glow::NO_ERROR, "{name}");
    }
}

struct Call<'a> {
    gl: &'a glow::Context,
    program: glow::Program,
    answers: &'a [Answer],
    given: &'a [Value],
}

impl Call<'_> {
    fn answer(&self, name: &str) -> Answer {
        let gl = self.gl;
        // SAFETY: plain calls with objects of this context; arrays hold as much as
        // the calls say, which `bytes` takes from them.
        unsafe {
            match name {
                "createTexture" => return Answer::Texture(gl.create_texture().expect("one")),
                "createBuffer" => return Answer::Buffer(gl.create_buffer().expect("one")),
                "getAttribLocation" => {
                    let at = gl.get_attrib_location(self.program, self.text(1));
                    return Answer::Attribute(at.expect("the shader uses it"));
                }
                "getUniformLocation" => {
                    let at = gl.get_uniform_location(self.program, self.text(1));
                    return Answer::Uniform(at.expect("the shader uses it"));
                }
                "bindTexture" => gl.bind_texture(self.number(0), Some(self.texture(1))),
                "bindBuffer" => gl.bind_buffer(self.number(0), Some(self.buffer(1))),
                "texParameteri" => {
                    gl.tex_parameter_i32(self.number(0), self.number(1), self.integer(2));
                }
                "texImage2D" => {
                    let texels = self.bytes(8);
                    assert_eq!(texels.len() as i32, 16 * self.integer(3) * self.integer(4));
                    gl.tex_image_2d(
                        self.number(0),
                        self.integer(1),
                        self.integer(2),
                        self.integer(3),
                        self.integer(4),
                        self.integer(5),
                        self.number(6),
                        self.number(7),
                        glow::PixelUnpackData::Slice(Some(&texels)),
                    );
                }
                "bufferData" => {
                    gl.buffer_data_u8_slice(self.number(0), &self.bytes(1), self.number(2));
                }
                "enableVertexAttribArray" => gl.enable_vertex_attrib_array(self.attribute(0)),
                "vertexAttribIPointer" => gl.vertex_attrib_pointer_i32(
                    self.attribute(0),
                    self.integer(1),
                    self.number(2),
                    self.integer(3),
                    self.integer(4),
                ),
                "vertexAttribPointer" => gl.vertex_attrib_pointer_f32(
                    self.attribute(0),
                    self.integer(1),
                    self.number(2),
                    self.given[3].as_bool().expect("true or false"),
                    self.integer(4),
                    self.integer(5),
                ),
                "useProgram" => gl.use_program(Some(self.program)),
                "activeTexture" => gl.active_texture(self.number(0)),
                "uniform1i" => gl.uniform_1_i32(Some(self.uniform(0)), self.integer(1)),
                "uniform1f" => {
                    let number = self.given[1].as_f64().expect("a number");
                    gl.uniform_1_f32(Some(self.uniform(0)), number as f32);
                }
                "uniformMatrix4fv" => {
                    let transpose = self.given[1].as_bool().expect("true or false");
                    let numbers = self.floats(2);
                    gl.uniform_matrix_4_f32_slice(Some(self.uniform(0)), transpose, &numbers);
                }
                "drawElements" => gl.draw_elements(
                    self.number(0),
                    self.integer(1),
                    self.number(2),
                    self.integer(3),
                ),
                _ => panic!("no call `{name}` is known here"),
            }
        }
        Answer::Nothing
    }

    fn text(&self, at: usize) -> &str {
        self.given[at].as_str().expect("a text")
    }

    fn number(&self, at: usize) -> u32 {
        u32::try_from(self.given[at].as_u64().expect("a number")).expect("a constant")
    }

    fn integer(&self, at: usize) -> i32 {
        i32::try_from(self.given[at].as_i64().expect("a number")).expect("a small number")
    }

    fn of_call(&self, at: usize) -> &Answer {
        let handle = self.given[at]["handle"].as_u64().expect("a handle");
        &self.answers[handle as usize]
    }

    fn texture(&self, at: usize) -> glow::Texture {
        match self.of_call(at) {
            Answer::Texture(texture) => *texture,
            _ => panic!("no texture"),
        }
    }

    fn buffer(&self, at: usize) -> glow::Buffer {
        match self.of_call(at) {
            Answer::Buffer(buffer) => *buffer,
            _ => panic!("no buffer"),
        }
    }

    fn attribute(&self, at: usize) -> u32 {
        match self.of_call(at) {
            Answer::Attribute(location) => *location,
            _ => panic!("no attribute"),
        }
    }

    fn uniform(&self, at: usize) -> &glow::UniformLocation {
        match self.of_call(at) {
            Answer::Uniform(location) => location,
            _ => panic!("no uniform"),
        }
    }

    fn floats(&self, at: usize) -> Vec<f32> {
        assert_eq!(self.given[at]["type"], "Float32Array");
        let numbers = self.given[at]["numbers"].as_array().expect("numbers");
        let floats = numbers.iter().map(|number| number.as_f64().expect("finite"));
        floats.map(|number| number as f32).collect()
    }

    /// Of a typed array.
    fn bytes(&self, at: usize) -> Vec<u8> {
        let whole = || {
            let numbers = self.given[at]["numbers"].as_array().expect("numbers");
            numbers.iter().map(|number| number.as_u64().expect("whole"))
        };
        match self.given[at]["type"].as_str() {
            Some("Float32Array") => {
                self.floats(at).into_iter().flat_map(f32::to_ne_bytes).collect()
            }
            Some("Uint16Array") => {
                whole().flat_map(|number| (number as u16).to_ne_bytes()).collect()
            }
            Some("Uint8Array") => whole().map(|number| number as u8).collect(),
            other => panic!("no array of the kind {other:?}"),
        }
    }
}
