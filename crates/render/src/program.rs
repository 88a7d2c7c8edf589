//! A wrapper of three-d programs that sets their inputs by name and draws with them. Converts
//! glam types to the cgmath types of three-d.

#![expect(unsafe_code, reason = "three-d cannot draw instanced triangle strips")]

use eframe::glow::{self, HasContext as _};
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};
use three_d::{
    Blend, BufferDataType, Cull, DepthTest, RenderStates, UniformDataType, Viewport, WriteMask,
};

use super::buffers::{
    Context, ElementBuffer, InstanceBuffer, JointBuffer, JointInstances, UniformBuffer,
    VertexBuffer,
};
use super::gl_program::EmptyVertexArray;
use super::material::Texture;

/// A three-d program. Inputs that it does not have are ignored, where three-d would panic.
pub(super) struct NamedProgram {
    program: three_d::Program,
    context: Context,
}

/// Depth, culling and blending of a draw call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// Opaque, with depth test.
    Solid,
    /// Like `Solid`, without back faces.
    SolidFront,
    /// Opaque, without depth test. Its shader writes the maximum depth, so that every later draw
    /// call covers it.
    Background,
    /// Writes depth but no color.
    DepthOnly,
    /// Alpha-blended. Tests depth but does not write it.
    Blended,
}

impl Layer {
    fn render_states(self) -> RenderStates {
        let solid = RenderStates::default();
        match self {
            Self::Solid => solid,
            Self::SolidFront => RenderStates { cull: Cull::Back, ..solid },
            Self::Background => RenderStates { depth_test: DepthTest::Always, ..solid },
            Self::DepthOnly => RenderStates { write_mask: WriteMask::DEPTH, ..solid },
            Self::Blended => RenderStates {
                write_mask: WriteMask::COLOR,
                depth_test: DepthTest::LessOrEqual,
                blend: Blend::TRANSPARENCY,
                ..solid
            },
        }
    }
}

impl NamedProgram {
    /// Compiles and links the program. Returns the driver's log if that fails, in which case
    /// three-d leaks the shaders.
    pub(super) fn new(context: &Context, vertex: &str, fragment: &str) -> Result<Self, String> {
        let program = three_d::Program::from_source(context, vertex, fragment)
            .map_err(|error| error.to_string())?;
        Ok(Self { program, context: context.clone() })
    }

    pub(super) fn uniform(&self, name: &str, value: impl Uniform) {
        self.program.use_uniform_if_required(name, value.into_three_d());
    }

    pub(super) fn uniforms<T: Uniform>(&self, name: &str, values: impl IntoIterator<Item = T>) {
        if self.program.requires_uniform(name) {
            let values: Vec<T::ThreeD> = values.into_iter().map(Uniform::into_three_d).collect();
            self.program.use_uniform_array(name, &values);
        }
    }

    /// Binds a uniform block. Panics if the program does not have it.
    pub(super) fn block(&self, name: &str, buffer: &UniformBuffer) {
        self.program.use_uniform_block(name, buffer);
    }

    pub(super) fn texture(&self, name: &str, texture: &Texture) {
        if self.program.requires_uniform(name) {
            self.program.use_texture(name, texture.get());
        }
    }

    pub(super) fn vertices<T: BufferDataType>(&self, name: &str, buffer: &VertexBuffer<T>) {
        if self.program.requires_attribute(name) {
            self.program.use_vertex_attribute(name, buffer);
        }
    }

    pub(super) fn instances<T: BufferDataType>(&self, name: &str, buffer: &InstanceBuffer<T>) {
        if self.program.requires_attribute(name) {
            self.program.use_instance_attribute(name, buffer);
        }
    }

    pub(super) fn joints(&self, name: &str, buffer: &JointBuffer) {
        match buffer {
            JointBuffer::Integer(buffer) => self.vertices(name, buffer),
            JointBuffer::Float(buffer) => self.vertices(name, buffer),
        }
    }

    pub(super) fn joint_instances(&self, name: &str, buffer: &JointInstances) {
        match buffer {
            JointInstances::Integer(buffer) => self.instances(name, buffer),
            JointInstances::Float(buffer) => self.instances(name, buffer),
        }
    }

    /// Draws the triangles once, or with instancing if there is an `instance_count`.
    pub(super) fn draw_triangles(
        &self,
        layer: Layer,
        size_px: [u32; 2],
        triangles: &ElementBuffer<u32>,
        instance_count: Option<u32>,
    ) {
        let states = layer.render_states();
        let viewport = viewport(size_px);
        match instance_count {
            None => self.program.draw_elements(states, viewport, triangles),
            Some(count) => self.program.draw_elements_instanced(states, viewport, triangles, count),
        }
    }

    /// Draws a strip of four vertices per instance. All instance attributes must be set, with
    /// `count` values each.
    pub(super) fn draw_strips(&self, layer: Layer, size_px: [u32; 2], count: usize) {
        self.draw_with(layer, size_px, || {
            // SAFETY: three-d has bound buffers of `count` values.
            unsafe {
                self.context.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, count as i32);
            }
        });
    }

    /// Draws strips whose vertices the shader computes from `gl_VertexID` and `gl_InstanceID`.
    pub(super) fn draw_generated(
        &self,
        layer: Layer,
        size_px: [u32; 2],
        empty_vertex_array: &EmptyVertexArray,
        vertex_count: i32,
        instance_count: i32,
    ) {
        self.draw_with(layer, size_px, || {
            // SAFETY: the vertex array belongs to the renderer and has no attributes.
            unsafe {
                self.context.bind_vertex_array(Some(empty_vertex_array.key()));
                self.context.draw_arrays_instanced(
                    glow::TRIANGLE_STRIP,
                    0,
                    vertex_count,
                    instance_count,
                );
            }
        });
    }

    /// Calls `draw` with this program in use.
    pub(super) fn draw_with(&self, layer: Layer, size_px: [u32; 2], draw: impl FnOnce()) {
        self.program.draw_with(layer.render_states(), viewport(size_px), draw);
    }
}

fn viewport([width, height]: [u32; 2]) -> Viewport {
    Viewport::new_at_origo(width, height)
}

/// A value that a uniform can be set to.
pub(super) trait Uniform {
    type ThreeD: UniformDataType;
    fn into_three_d(self) -> Self::ThreeD;
}

macro_rules! impl_uniform {
    ($($ours:ty => $three_d:ty, $value:ident: $converted:expr;)*) => {$(
        impl Uniform for $ours {
            type ThreeD = $three_d;
            fn into_three_d(self) -> $three_d {
                let $value = self;
                $converted
            }
        }
    )*};
}

// Matrices are column-major on both sides. A `bool` becomes a float of 1 or 0. `[u8; 3]` is an
// sRGB color and becomes sRGB from 0 to 1; `([u8; 3], f32)` has an opacity from 0 to 1 too.
impl_uniform! {
    f32 => f32, value: value;
    i32 => i32, value: value;
    bool => f32, on: if on { 1.0 } else { 0.0 };
    Vec2 => three_d::Vec2, v: v.to_array().into();
    Vec3 => three_d::Vec3, v: v.to_array().into();
    Vec4 => three_d::Vec4, v: v.to_array().into();
    [f32; 4] => three_d::Vec4, v: v.into();
    Mat3 => three_d::Mat3, m: m.to_cols_array_2d().into();
    Mat4 => three_d::Mat4, m: m.to_cols_array_2d().into();
    [u8; 3] => three_d::Vec3, srgb: srgb.map(|byte| f32::from(byte) / 255.0).into();
    ([u8; 3], f32) => three_d::Vec4, color: color.0.into_three_d().extend(color.1);
}
