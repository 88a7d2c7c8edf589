//! A program of three-d's: what is handed to it by name, and how it draws. The
//! only place where glam meets cgmath.

#![expect(unsafe_code, reason = "instanced strips are GL's")]

use eframe::glow::{self, HasContext as _};
use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};
use three_d::{
    Blend, BufferDataType, Cull, DepthTest, RenderStates, UniformDataType, Viewport, WriteMask,
};

use super::buffers::{
    Context, ElementBuffer, InstanceBuffer, JointBuffer, JointInstances, UniformBuffer,
    VertexBuffer,
};
use super::gl_program::OwnVertexArray;
use super::material::Texture;

/// Names that it does not use are passed over: three-d panics at those.
pub(super) struct NamedProgram {
    program: three_d::Program,
    context: Context,
}

/// What a drawing does to what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// Covers what lies behind it.
    Solid,
    /// The same without back faces.
    SolidFront,
    /// Covers everything, at the largest depth, and is covered by all that follows.
    Background,
    /// Leaves its depth and no colour.
    DepthAlone,
    /// Mixes with what it covers, and leaves no depth.
    Blended,
}

impl Layer {
    fn states(self) -> RenderStates {
        let solid = RenderStates::default();
        match self {
            Self::Solid => solid,
            Self::SolidFront => RenderStates { cull: Cull::Back, ..solid },
            Self::Background => RenderStates { depth_test: DepthTest::Always, ..solid },
            Self::DepthAlone => RenderStates { write_mask: WriteMask::DEPTH, ..solid },
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
    /// Compiles and links.
    ///
    /// Errors: what the driver says. three-d then keeps the pieces for ever.
    pub(super) fn new(context: &Context, vertex: &str, fragment: &str) -> Result<Self, String> {
        let program = three_d::Program::from_source(context, vertex, fragment)
            .map_err(|error| error.to_string())?;
        Ok(Self { program, context: context.clone() })
    }

    pub(super) fn uniform(&self, name: &str, value: impl Uniform) {
        self.program.use_uniform_if_required(name, value.sent());
    }

    pub(super) fn uniforms<T: Uniform>(&self, name: &str, values: impl IntoIterator<Item = T>) {
        if self.program.requires_uniform(name) {
            let values: Vec<T::Sent> = values.into_iter().map(Uniform::sent).collect();
            self.program.use_uniform_array(name, &values);
        }
    }

    /// The block must be one that the program uses.
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
            JointBuffer::Whole(buffer) => self.vertices(name, buffer),
            JointBuffer::Float(buffer) => self.vertices(name, buffer),
        }
    }

    pub(super) fn joint_instances(&self, name: &str, buffer: &JointInstances) {
        match buffer {
            JointInstances::Whole(buffer) => self.instances(name, buffer),
            JointInstances::Float(buffer) => self.instances(name, buffer),
        }
    }

    /// Once, or as many times as there are instances.
    pub(super) fn draw_triangles(
        &self,
        layer: Layer,
        size_px: [u32; 2],
        triangles: &ElementBuffer<u32>,
        instances: Option<u32>,
    ) {
        let (states, viewport) = (layer.states(), viewport(size_px));
        match instances {
            None => self.program.draw_elements(states, viewport, triangles),
            Some(count) => self.program.draw_elements_instanced(states, viewport, triangles, count),
        }
    }

    /// A strip of four corners for each instance; all attributes are set, with
    /// `count` values each.
    pub(super) fn draw_strips(&self, layer: Layer, size_px: [u32; 2], count: usize) {
        self.draw_with(layer, size_px, || {
            // SAFETY: three-d has bound buffers of `count` values.
            unsafe {
                self.context.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, count as i32);
            }
        });
    }

    /// Strips of vertices that the shader makes from their numbers.
    pub(super) fn draw_made(
        &self,
        layer: Layer,
        size_px: [u32; 2],
        without_attributes: &OwnVertexArray,
        (vertices, instances): (i32, i32),
    ) {
        self.draw_with(layer, size_px, || {
            // SAFETY: the vertex array is ours and has no attributes.
            unsafe {
                self.context.bind_vertex_array(Some(without_attributes.key()));
                self.context.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, vertices, instances);
            }
        });
    }

    /// Whatever `draw` draws, with this program in use.
    pub(super) fn draw_with(&self, layer: Layer, size_px: [u32; 2], draw: impl FnOnce()) {
        self.program.draw_with(layer.states(), viewport(size_px), draw);
    }
}

fn viewport([width, height]: [u32; 2]) -> Viewport {
    Viewport::new_at_origo(width, height)
}

/// What a uniform can be set to.
pub(super) trait Uniform {
    type Sent: UniformDataType;
    fn sent(self) -> Self::Sent;
}

macro_rules! sent_as {
    ($($ours:ty => $sent:ty, $value:ident: $made:expr;)*) => {$(
        impl Uniform for $ours {
            type Sent = $sent;
            fn sent(self) -> $sent {
                let $value = self;
                $made
            }
        }
    )*};
}

// Matrices are column-major on both sides. A switch is a float of 1 or 0; three
// bytes are a colour in sRGB, which goes on as sRGB from 0 to 1, alone or with an
// opacity from 0 to 1.
sent_as! {
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
    ([u8; 3], f32) => three_d::Vec4, color: color.0.sent().extend(color.1);
}
