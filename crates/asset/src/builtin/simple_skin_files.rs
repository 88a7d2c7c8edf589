//! The strip of the glTF tutorial in files of several kinds: as the tutorial
//! packs it, with weights as bytes, with a sparse accessor, as `.glb`.

use bindpose_diagnostic::Diagnostic;
use serde_json::{Value, json};

use crate::write::{self, Packing};
use crate::{ModelSource, Rig};

/// Vertices in the strip.
const VERTICES: usize = 10;
/// Bytes of its positions, which come first.
const POSITIONS: usize = 12 * VERTICES;
/// From one vertex's joints to the next ones', as the tutorial packs them.
const STRIDE: usize = 16;

/// A `.gltf` and its one buffer, to be changed.
struct GltfParts {
    root: Value,
    bin: Vec<u8>,
}

/// As `.gltf`, packed as the glTF tutorial's “Simple Skin”.
pub(super) fn tutorial(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let mut files = write::gltf(rig, Packing::Tutorial)?;
    let (name, main) = files.pop().unwrap_or_default();
    let beside = files.into_iter();
    Ok(ModelSource {
        name,
        main: main.into(),
        beside: beside.map(|(name, bytes)| (name, bytes.into())).collect(),
    })
}

/// Joints without gaps between them, then weights as normalised bytes.
pub(super) fn byte_weights(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let GltfParts { mut root, bin } = GltfParts::of(rig)?;
    let (joints_end, weights_end) = (POSITIONS + STRIDE * VERTICES, POSITIONS + 32 * VERTICES);
    let mut packed = bin[..POSITIONS].to_vec();
    for vertex in bin[POSITIONS..joints_end].chunks_exact(STRIDE) {
        packed.extend_from_slice(&vertex[..8]);
    }
    let weights_at = packed.len();
    for weights in bin[joints_end..weights_end].chunks_exact(16) {
        packed.extend(bytes_summing_to_255(weights));
    }
    let saved = weights_end - packed.len();
    packed.extend_from_slice(&bin[weights_end..]);

    let views = list(&mut root, "bufferViews");
    for view in views.iter_mut().skip(2) {
        view["byteOffset"] = (view["byteOffset"].as_u64().unwrap_or(0) - saved as u64).into();
    }
    views[1] = json!({ "buffer": 0, "byteOffset": POSITIONS, "byteLength": 8 * VERTICES,
        "target": 34962 });
    let weights_view = views.len();
    views.push(json!({ "buffer": 0, "byteOffset": weights_at, "byteLength": 4 * VERTICES,
        "target": 34962 }));
    list(&mut root, "accessors")[2] = json!({ "bufferView": weights_view,
        "componentType": 5121, "normalized": true, "count": VERTICES, "type": "VEC4" });
    Ok(GltfParts { root, bin: packed }.beside_each_other("strip_bytes"))
}

/// The upper corners, v8 and v9, are replaced: they lie farther out.
pub(super) fn sparse(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let GltfParts { mut root, mut bin } = GltfParts::of(rig)?;
    let views = list(&mut root, "bufferViews");
    let first = views.len();
    let mut put = |bytes: &[u8]| {
        views.push(json!({ "buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len() }));
        bin.extend_from_slice(bytes);
    };
    put(&[8, 0, 9, 0]);
    let corners = [-0.8, 2.2, 0.0, 0.8, 2.2, 0.0_f32];
    put(&corners.map(f32::to_le_bytes).concat());
    let positions = &mut list(&mut root, "accessors")[0];
    positions["min"] = json!([-0.8, 0.0, 0.0]);
    positions["max"] = json!([0.8, 2.2, 0.0]);
    positions["sparse"] = json!({ "count": 2,
        "indices": { "bufferView": first, "componentType": 5123 },
        "values": { "bufferView": first + 1 } });
    Ok(GltfParts { root, bin }.beside_each_other("strip_sparse"))
}

/// The tutorial's JSON and numbers in one file.
pub(super) fn glb(rig: &Rig) -> Result<ModelSource, Diagnostic> {
    let GltfParts { mut root, bin } = GltfParts::of(rig)?;
    root["buffers"] = json!([{ "byteLength": bin.len() }]);
    let glb = write::glb_of(root.to_string().into_bytes(), bin);
    Ok(ModelSource::alone("simple_skin.glb", glb))
}

impl GltfParts {
    fn of(rig: &Rig) -> Result<Self, Diagnostic> {
        let source = tutorial(rig)?;
        let root = serde_json::from_slice(&source.main).unwrap_or_default();
        let bin = source.beside.values().next();
        Ok(Self { root, bin: bin.map(|bytes| bytes.to_vec()).unwrap_or_default() })
    }

    /// `name.gltf` with `name.bin`.
    fn beside_each_other(mut self, name: &str) -> ModelSource {
        let uri = format!("{name}.bin");
        self.root["buffers"] = json!([{ "uri": uri, "byteLength": self.bin.len() }]);
        ModelSource {
            name: format!("{name}.gltf"),
            main: self.root.to_string().into_bytes().into(),
            beside: [(uri, self.bin.into())].into(),
        }
    }
}

fn list<'a>(root: &'a mut Value, key: &str) -> &'a mut Vec<Value> {
    let list = &mut root[key];
    if !list.is_array() {
        *list = json!([]);
    }
    list.as_array_mut().expect("it was made one")
}

/// Four floats with the sum 1 as bytes with the sum 255: what rounding leaves
/// over goes to the largest.
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
    use glam::Vec3;

    use crate::{FileLayout, builtin};

    #[test]
    fn the_same_strip_is_read_from_every_file_but_for_what_is_told_of_it() {
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
    fn the_lesson_finds_its_bytes_where_it_says() {
        let layout = |id| {
            let rig = builtin(id).unwrap();
            FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap()
        };
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
