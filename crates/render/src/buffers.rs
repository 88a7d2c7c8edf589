//! Values on the GPU: three-d's buffers, and those of joint indices, which
//! shaders read in one of two types.

use std::sync::Arc;

use eframe::glow;
use three_d::BufferDataType;
pub(super) use three_d::{Context, ElementBuffer, InstanceBuffer, UniformBuffer, VertexBuffer};

use super::RenderError;

/// three-d's view of a context, which is current.
///
/// Fails when GL has no memory for a vertex array.
pub(super) fn context(gl: &Arc<glow::Context>) -> Result<Context, RenderError> {
    Context::from_gl_context(Arc::clone(gl)).map_err(|error| RenderError::OutOfMemory {
        what: "a vertex array".to_owned(),
        reason: error.to_string(),
    })
}

/// A buffer of three-d's: a value a vertex, or a value an instance.
pub(super) trait FilledBuffer<T: BufferDataType> {
    fn filled(context: &Context, values: &[T]) -> Self;
    /// Puts values in the place of those from `at` on; the buffer stays as long.
    fn put(&mut self, at: u32, values: &[T]);
}

impl<T: BufferDataType> FilledBuffer<T> for VertexBuffer<T> {
    fn filled(context: &Context, values: &[T]) -> Self {
        Self::new_with_data(context, values)
    }

    fn put(&mut self, at: u32, values: &[T]) {
        self.fill_subset(bytes_to::<T>(at), values);
    }
}

impl<T: BufferDataType> FilledBuffer<T> for InstanceBuffer<T> {
    fn filled(context: &Context, values: &[T]) -> Self {
        Self::new_with_data(context, values)
    }

    fn put(&mut self, at: u32, values: &[T]) {
        self.fill_subset(bytes_to::<T>(at), values);
    }
}

/// three-d counts an offset into a buffer in bytes, though its length in values.
fn bytes_to<T>(at: u32) -> u32 {
    at * size_of::<T>() as u32
}

/// Four joints each: whole numbers, or floats for WebGL 1.
pub(super) enum JointAttribute<Whole, Float> {
    Whole(Whole),
    Float(Float),
}

/// Of vertices.
pub(super) type JointBuffer = JointAttribute<VertexBuffer<[u16; 4]>, VertexBuffer<[f32; 4]>>;
/// Of instances.
pub(super) type JointInstances = JointAttribute<InstanceBuffer<[u16; 4]>, InstanceBuffer<[f32; 4]>>;

impl<Whole: FilledBuffer<[u16; 4]>, Float: FilledBuffer<[f32; 4]>> JointAttribute<Whole, Float> {
    pub(super) fn new(context: &Context, joints: &[[u16; 4]], as_floats: bool) -> Self {
        if as_floats {
            let joints: Vec<_> = joints.iter().map(|joints| joints.map(f32::from)).collect();
            Self::Float(Float::filled(context, &joints))
        } else {
            Self::Whole(Whole::filled(context, joints))
        }
    }

    pub(super) fn put(&mut self, at: u32, joints: &[[u16; 4]]) {
        match self {
            Self::Whole(whole) => whole.put(at, joints),
            Self::Float(float) => {
                let joints: Vec<_> = joints.iter().map(|joints| joints.map(f32::from)).collect();
                float.put(at, &joints);
            }
        }
    }
}
