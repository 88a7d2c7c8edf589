//! Attributes packed as the glTF tutorial's “Simple Skin” has them.

use super::json;
use super::writer::{ARRAY_BUFFER, Writer};
use crate::asset::Component;
use crate::skin::{Influences, SET_LANES};

impl Writer {
    /// `JOINTS_0` and `WEIGHTS_0` in one view; see
    /// [`Packing::Tutorial`](super::writer::Packing::Tutorial).
    pub(super) fn put_tutorial_influences(
        &mut self,
        attributes: &mut json::Attributes,
        influences: &[Influences],
    ) {
        const STRIDE: usize = 16;
        let mut bytes = Vec::new();
        for influences in influences {
            for lane in 0..SET_LANES {
                let used = influences.weights[lane] != 0.0;
                let joint = if used { influences.joints[lane].0 } else { 0 };
                bytes.extend_from_slice(&joint.to_le_bytes());
            }
            bytes.resize(bytes.len().next_multiple_of(STRIDE), 0);
        }
        let weights_at = bytes.len();
        for influences in influences {
            for weight in &influences.weights[..SET_LANES] {
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
        }
        let view = self.view(&bytes, Some(ARRAY_BUFFER));
        if let Some(view) = self.views.get_mut(view) {
            view.byte_stride = Some(STRIDE);
        }
        let mut accessor = |component: Component, byte_offset| {
            self.accessors.push(json::Accessor {
                buffer_view: view,
                byte_offset,
                component_type: component.code(),
                count: influences.len(),
                kind: "VEC4",
                min: None,
                max: None,
            });
            self.accessors.len() - 1
        };
        attributes.put("JOINTS_0", accessor(Component::U16, None));
        attributes.put("WEIGHTS_0", accessor(Component::F32, Some(weights_at)));
    }
}
