//! Files of the strip of the glTF tutorial: packed as in the tutorial, with weights as bytes, with
//! a sparse accessor, and as GLB.

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::decoding::glb_of;
use bindpose_gltf::encoding::{AttributePacking, encode_gltf};
use bindpose_gltf::{ModelSource, Rig};
use serde_json::{Value, json};

const VERTICES: usize = 10;
/// Bytes of the positions, which come first in the buffer.
const POSITION_BYTES: usize = 12 * VERTICES;
/// Stride of joints and weights in the packing of the tutorial.
const STRIDE: usize = 16;

/// The JSON of a `.gltf` and its only buffer.
struct GltfParts {
    root: Value,
    bin: Vec<u8>,
}

/// Creates a `.gltf` with the packing of the tutorial.
pub(crate) fn tutorial(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let mut files = encode_gltf(rig, AttributePacking::Tutorial)?;
    let (name, main) = files.pop().unwrap_or_default();
    Ok(ModelSource::with(name, main, files))
}

/// Creates a `.gltf` with tightly packed joints and with weights as normalized bytes.
pub(crate) fn byte_weights(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let GltfParts { mut root, bin } = GltfParts::of(rig)?;
    let joints_end = POSITION_BYTES + STRIDE * VERTICES;
    let weights_end = joints_end + STRIDE * VERTICES;
    let mut packed = bin[..POSITION_BYTES].to_vec();
    for joints in bin[POSITION_BYTES..joints_end].chunks_exact(STRIDE) {
        packed.extend_from_slice(&joints[..8]);
    }
    let weights_offset = packed.len();
    for weights in bin[joints_end..weights_end].chunks_exact(STRIDE) {
        packed.extend(bytes_summing_to_255(weights));
    }
    let saved_bytes = weights_end - packed.len();
    packed.extend_from_slice(&bin[weights_end..]);

    let views = list_mut(&mut root, "bufferViews");
    for view in views.iter_mut().skip(2) {
        view["byteOffset"] = (view["byteOffset"].as_u64().unwrap_or(0) - saved_bytes as u64).into();
    }
    views[1] = json!({ "buffer": 0, "byteOffset": POSITION_BYTES, "byteLength": 8 * VERTICES,
        "target": 34962 });
    let weights_view = views.len();
    views.push(json!({ "buffer": 0, "byteOffset": weights_offset, "byteLength": 4 * VERTICES,
        "target": 34962 }));
    list_mut(&mut root, "accessors")[2] = json!({ "bufferView": weights_view,
        "componentType": 5121, "normalized": true, "count": VERTICES, "type": "VEC4" });
    Ok(GltfParts { root, bin: packed }.into_source("strip_bytes"))
}

/// Creates a `.gltf` in which sparse values move the upper corners, v8 and v9, outwards.
pub(crate) fn sparse(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let GltfParts { mut root, mut bin } = GltfParts::of(rig)?;
    let indices: [u8; 4] = [8, 0, 9, 0];
    let corners = [-0.8, 2.2, 0.0, 0.8, 2.2, 0.0_f32].map(f32::to_le_bytes).concat();
    let views = list_mut(&mut root, "bufferViews");
    let first_view = views.len();
    for bytes in [&indices[..], &corners] {
        views.push(json!({ "buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len() }));
        bin.extend_from_slice(bytes);
    }
    let positions = &mut list_mut(&mut root, "accessors")[0];
    positions["min"] = json!([-0.8, 0.0, 0.0]);
    positions["max"] = json!([0.8, 2.2, 0.0]);
    positions["sparse"] = json!({ "count": 2,
        "indices": { "bufferView": first_view, "componentType": 5123 },
        "values": { "bufferView": first_view + 1 } });
    Ok(GltfParts { root, bin }.into_source("strip_sparse"))
}

/// Creates a GLB with the packing of the tutorial.
pub(crate) fn glb(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let GltfParts { mut root, bin } = GltfParts::of(rig)?;
    root["buffers"] = json!([{ "byteLength": bin.len() }]);
    let glb = glb_of(root.to_string().into_bytes(), bin);
    Ok(ModelSource::alone("simple_skin.glb", glb))
}

impl GltfParts {
    fn of(rig: &Rig) -> Result<Self, Diagnostic> {
        let source = tutorial(rig)?;
        let root = serde_json::from_slice(&source.main).unwrap_or_default();
        let bin = source.beside.values().next();
        Ok(Self { root, bin: bin.map(|bytes| bytes.to_vec()).unwrap_or_default() })
    }

    /// Returns the source of `name.gltf` with `name.bin`.
    fn into_source(mut self, name: &str) -> ModelSource {
        let uri = format!("{name}.bin");
        self.root["buffers"] = json!([{ "uri": uri, "byteLength": self.bin.len() }]);
        ModelSource {
            name: format!("{name}.gltf"),
            main: self.root.to_string().into_bytes().into(),
            beside: [(uri, self.bin.into())].into(),
        }
    }
}

fn list_mut<'a>(root: &'a mut Value, key: &str) -> &'a mut Vec<Value> {
    let list = &mut root[key];
    if !list.is_array() {
        *list = json!([]);
    }
    list.as_array_mut().expect("it was made one")
}

/// Converts four floats with the sum 1 to bytes with the sum 255. The largest compensates for the
/// rounding.
fn bytes_summing_to_255(weights: &[u8]) -> [u8; 4] {
    let mut bytes: [u8; 4] = std::array::from_fn(|lane| {
        let weight: [u8; 4] = std::array::from_fn(|byte| weights[4 * lane + byte]);
        (f32::from_le_bytes(weight) * 255.0).round() as u8
    });
    let sum: u16 = bytes.iter().map(|&byte| u16::from(byte)).sum();
    if let Some(largest) = bytes.iter_mut().max() {
        *largest = (u16::from(*largest) + 255).saturating_sub(sum).min(255) as u8;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_gltf::FileLayout;
    use glam::Vec3;

    use crate::builtin;

    #[test]
    fn all_files_contain_the_same_strip_except_for_their_differences() {
        let usual = builtin("simple_skin_file").unwrap();
        let bytes = builtin("simple_skin_bytes").unwrap();
        let glb = builtin("simple_skin_glb").unwrap();
        assert_eq!(glb.mesh, usual.mesh);
        assert_eq!(bytes.mesh.positions, usual.mesh.positions);
        for (read, stored) in bytes.mesh.influences.iter().zip(&usual.mesh.influences) {
            for lane in 0..4 {
                assert!((read.weights[lane] - stored.weights[lane]).abs() < 0.51 / 255.0);
            }
        }
        let sparse = builtin("simple_skin_sparse").unwrap();
        let mut expected = usual.mesh.positions.clone();
        expected[8] = Vec3::new(-0.8, 2.2, 0.0);
        expected[9] = Vec3::new(0.8, 2.2, 0.0);
        assert_eq!(sparse.mesh.positions, expected);
        for rig in [bytes, sparse, glb] {
            assert_eq!(rig.skeleton, usual.skeleton, "{}", rig.id);
            assert_eq!(rig.clips, usual.clips, "{}", rig.id);
            assert_eq!(rig.params, usual.params, "{}", rig.id);
        }
    }

    #[test]
    fn bytes_are_at_the_offsets_that_lessons_name() {
        fn layout(id: &str) -> Arc<FileLayout> {
            let rig = builtin(id).unwrap();
            FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap()
        }
        let bytes = layout("simple_skin_bytes");
        let v6 = bytes.element(2, 6, false).unwrap();
        assert_eq!((v6.start, v6.size), (224, 4));
        assert_eq!(bytes.buffers[0].bytes()[224..228], [64, 191, 0, 0]);
        assert_eq!(bytes.buffers[0].byte_length, 708);
        let sparse = layout("simple_skin_sparse");
        let v8 = sparse.element(0, 8, false).unwrap();
        assert!(v8.sparse);
        assert_eq!(v8.start, 912);
        assert_eq!(sparse.buffers[0].bytes()[908..912], [8, 0, 9, 0]);
        assert_eq!(layout("simple_skin_glb").glb.as_ref().unwrap().chunks.len(), 2);
    }
}
