//! Values on the GPU: three-d's buffers, and those of joint indices, which
//! shaders read in one of two types.

use std::sync::Arc;

use eframe::glow;
pub(super) use three_d::{Context, ElementBuffer, InstanceBuffer, UniformBuffer, VertexBuffer};

use super::RenderError;

/// three-d's view of a context, which is current.
///
/// # Errors
/// When GL has no memory for a vertex array.
pub(super) fn context(gl: &Arc<glow::Context>) -> Result<Context, RenderError> {
    Context::from_gl_context(Arc::clone(gl)).map_err(|error| RenderError::OutOfMemory {
        what: "a vertex array".to_owned(),
        reason: error.to_string(),
    })
}

/// Four joints a vertex: whole numbers, or floats for WebGL 1.
pub(super) enum JointBuffer {
    Whole(VertexBuffer<[u16; 4]>),
    Float(VertexBuffer<[f32; 4]>),
}

impl JointBuffer {
    pub(super) fn new(context: &Context, joints: &[[u16; 4]], as_floats: bool) -> Self {
        if as_floats {
            Self::Float(VertexBuffer::new_with_data(context, &floats(joints)))
        } else {
            Self::Whole(VertexBuffer::new_with_data(context, joints))
        }
    }
}

/// The same for instances.
pub(super) enum JointInstances {
    Whole(InstanceBuffer<[u16; 4]>),
    Float(InstanceBuffer<[f32; 4]>),
}

impl JointInstances {
    pub(super) fn new(context: &Context, joints: &[[u16; 4]], as_floats: bool) -> Self {
        if as_floats {
            Self::Float(InstanceBuffer::new_with_data(context, &floats(joints)))
        } else {
            Self::Whole(InstanceBuffer::new_with_data(context, joints))
        }
    }
}

fn floats(joints: &[[u16; 4]]) -> Vec<[f32; 4]> {
    joints.iter().map(|joints| joints.map(f32::from)).collect()
}
