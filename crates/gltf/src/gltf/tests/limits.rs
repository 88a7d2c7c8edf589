//! Limits of memory and work, and opening in pieces.

use super::*;
use crate::{ModelOpening, OpenError};

/// Elements that an accessor without a view may claim.
const ZEROS: usize = 1 << 20;

#[test]
fn small_files_cannot_claim_much_memory() {
    let mut json = minimal_json();
    let count = ZEROS;
    json["accessors"] = json!([
        { "componentType": 5126, "count": count, "type": "VEC3" },
        { "componentType": 5126, "count": count, "type": "VEC4" },
        { "componentType": 5121, "count": count, "type": "VEC4" },
    ]);
    let primitive = json["meshes"][0]["primitives"][0].as_object_mut().unwrap();
    primitive.remove("indices");
    let targets: Vec<Value> = (0..1000).map(|_| json!({ "POSITION": 0 })).collect();
    primitive.insert("targets".to_owned(), json!(targets));
    let nodes: Vec<Value> = (0..1000).map(|_| json!({ "mesh": 0 })).collect();
    json["nodes"] = json!(nodes);
    assert_eq!(read_json(&json).unwrap_err().code, "GLTF_TOO_LARGE");
}

#[test]
fn influence_sets_are_charged_before_they_are_read() {
    let mut json = minimal_json();
    json["accessors"] = json!([
        { "componentType": 5126, "count": ZEROS, "type": "VEC3" },
        { "componentType": 5126, "count": ZEROS, "type": "VEC4" },
        { "componentType": 5121, "count": ZEROS, "type": "VEC4" },
    ]);
    let primitive = json["meshes"][0]["primitives"][0].as_object_mut().unwrap();
    primitive.remove("indices");
    let attributes = primitive["attributes"].as_object_mut().unwrap();
    for set in 1..200 {
        attributes.insert(format!("WEIGHTS_{set}"), json!(1));
        attributes.insert(format!("JOINTS_{set}"), json!(2));
    }
    let error = read_json(&json).unwrap_err();
    assert_eq!(error.code, "GLTF_TOO_LARGE", "{error}");
    for text in [&error.expected, &error.found] {
        assert!(text.contains(|c: char| c.is_ascii_digit()), "{error}");
    }
}

#[test]
fn inverse_bind_matrices_beyond_the_joints_are_not_read() {
    let mut json = minimal_json();
    let zeros = json!({ "componentType": 5126, "count": ZEROS, "type": "MAT4" });
    let accessors = json["accessors"].as_array_mut().unwrap();
    accessors.push(zeros);
    let zeros = accessors.len() - 1;
    let skin = json!({ "joints": [1, 2], "inverseBindMatrices": zeros });
    json["skins"] = json!(vec![skin; 1000]);
    assert_eq!(open_json(&json).skeleton.len(), 2000);
}

#[test]
fn opening_in_pieces_gives_the_same_model() {
    let source = ModelSource::alone("whale.glb", committed_model("whale/whale.glb"));
    let mut opening = ModelOpening::new(&source, &TaskProgress::default());
    let mut pieces = 1;
    let rig = loop {
        match opening.advance(1000) {
            Some(rig) => break rig.unwrap(),
            None => pieces += 1,
        }
    };
    assert!(pieces > 20, "{pieces} pieces");
    assert_eq!(rig, open(&source, &TaskProgress::default()).unwrap());

    let progress = TaskProgress::default();
    let mut opening = ModelOpening::new(&source, &progress);
    assert!(opening.advance(1000).is_none());
    progress.cancel();
    let stopped = opening.advance(1000);
    assert!(matches!(stopped, Some(Err(OpenError::Cancelled { .. }))));
}

#[test]
fn damaged_and_large_images_do_not_prevent_opening() {
    let mut json = minimal_json();
    // Only a header, for 8,000 × 8,000 pixels.
    let mut png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec();
    png.extend([8000_u32.to_be_bytes(), 8000_u32.to_be_bytes()].concat());
    png.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
    json["images"] = json!([{ "uri": data_uri(&png) }]);
    json["textures"] = json!([{ "source": 0 }]);
    json["materials"] = json!([
        { "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } },
    ]);
    json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let rig = open_json(&json);
    assert_eq!(rig.mesh.images.len(), 1);
    assert_eq!(rig.mesh.images[0].pixels(), None, "it cannot be decoded");
}
