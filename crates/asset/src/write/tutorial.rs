//! Attributes packed as the glTF tutorial's “Simple Skin” has them.

use bindpose_skin::{Influences, SET_LANES};

use super::json;
use super::writer::{ARRAY_BUFFER, GltfWriter};
use crate::Component;

impl GltfWriter {
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
        let weights = influences.iter().flat_map(|one| &one.weights[..SET_LANES]);
        bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
        let buffer_view = self.view(&bytes, Some(ARRAY_BUFFER));
        self.views[buffer_view].byte_stride = Some(STRIDE);
        for (name, component, byte_offset) in
            [("JOINTS_0", Component::U16, None), ("WEIGHTS_0", Component::F32, Some(weights_at))]
        {
            attributes.put(name, self.accessors.len());
            self.accessors.push(json::Accessor {
                buffer_view,
                byte_offset,
                component_type: component.code(),
                count: influences.len(),
                kind: "VEC4",
                ..json::Accessor::default()
            });
        }
    }
}
