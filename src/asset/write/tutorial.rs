//! Attributes packed as the glTF tutorial's “Simple Skin” has them.

use super::{ARRAY_BUFFER, Writer, json};
use crate::asset::Component;
use crate::skin::{Influences, SET_LANES};

impl Writer {
    /// `JOINTS_0` and `WEIGHTS_0` in one view; see [`super::Packing::Tutorial`].
    pub(super) fn tutorial_attributes(
        &mut self,
        position: usize,
        influences: &[Influences],
    ) -> json::Attributes {
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
        json::Attributes {
            position,
            joints_0: Some(accessor(Component::U16, None)),
            weights_0: Some(accessor(Component::F32, Some(weights_at))),
            ..json::Attributes::default()
        }
    }
}
