//! Vertex and instance buffers. Wraps those of three-d so that joint indices can be uploaded
//! as integers or as floats.

use std::sync::Arc;

use eframe::glow;
use three_d::BufferDataType;
pub(super) use three_d::{Context, ElementBuffer, InstanceBuffer, UniformBuffer, VertexBuffer};

use super::RenderError;

/// Wraps the current GL context for three-d.
///
/// Returns [`RenderError::OutOfMemory`] if GL cannot create a vertex array.
pub(super) fn wrap_context(gl: &Arc<glow::Context>) -> Result<Context, RenderError> {
    Context::from_gl_context(Arc::clone(gl)).map_err(|error| RenderError::OutOfMemory {
        what: "a vertex array".to_owned(),
        reason: error.to_string(),
    })
}

/// A per-vertex or per-instance buffer of three-d.
pub(super) trait AttributeBuffer<T: BufferDataType> {
    fn from_values(context: &Context, values: &[T]) -> Self;
    /// Overwrites the values from index `start` on. The length of the buffer does not change.
    fn overwrite(&mut self, start: u32, values: &[T]);
}

impl<T: BufferDataType> AttributeBuffer<T> for VertexBuffer<T> {
    fn from_values(context: &Context, values: &[T]) -> Self {
        Self::new_with_data(context, values)
    }

    fn overwrite(&mut self, start: u32, values: &[T]) {
        self.fill_subset(byte_offset::<T>(start), values);
    }
}

impl<T: BufferDataType> AttributeBuffer<T> for InstanceBuffer<T> {
    fn from_values(context: &Context, values: &[T]) -> Self {
        Self::new_with_data(context, values)
    }

    fn overwrite(&mut self, start: u32, values: &[T]) {
        self.fill_subset(byte_offset::<T>(start), values);
    }
}

/// Converts an index to the byte offset that `fill_subset` of three-d expects.
fn byte_offset<T>(index: u32) -> u32 {
    index * size_of::<T>() as u32
}

/// Four joint indices per vertex or instance, as integers or, for WebGL 1, as floats.
pub(super) enum JointAttribute<Integer, Float> {
    Integer(Integer),
    Float(Float),
}

pub(super) type JointBuffer = JointAttribute<VertexBuffer<[u16; 4]>, VertexBuffer<[f32; 4]>>;
pub(super) type JointInstances = JointAttribute<InstanceBuffer<[u16; 4]>, InstanceBuffer<[f32; 4]>>;

impl<Integer: AttributeBuffer<[u16; 4]>, Float: AttributeBuffer<[f32; 4]>>
    JointAttribute<Integer, Float>
{
    pub(super) fn new(context: &Context, joints: &[[u16; 4]], as_floats: bool) -> Self {
        if as_floats {
            let joints: Vec<_> = joints.iter().map(|joints| joints.map(f32::from)).collect();
            Self::Float(Float::from_values(context, &joints))
        } else {
            Self::Integer(Integer::from_values(context, joints))
        }
    }

    pub(super) fn overwrite(&mut self, start: u32, joints: &[[u16; 4]]) {
        match self {
            Self::Integer(buffer) => buffer.overwrite(start, joints),
            Self::Float(buffer) => {
                let joints: Vec<_> = joints.iter().map(|joints| joints.map(f32::from)).collect();
                buffer.overwrite(start, &joints);
            }
        }
    }
}
