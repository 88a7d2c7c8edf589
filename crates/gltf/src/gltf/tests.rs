//! Tests of the glTF reader with valid and invalid files.

mod faults;
mod features;
mod lenient;
mod limits;

use bindpose_skin::{JointIndex, Trs};
use glam::{Mat4, Quat, Vec3};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::committed_model;
use crate::gltf_file::data_uri;
use crate::open;

/// A rectangle with two joints. The buffer is a data URI, so that tests can change the JSON.
fn minimal_json() -> Value {
    let positions: [f32; 12] = [-1., 0., 0., 1., 0., 0., -1., 2., 0., 1., 2., 0.];
    let weights: [f32; 16] = [1., 0., 0., 0., 1., 0., 0., 0., 0.5, 0.5, 0., 0., 0.5, 0.5, 0., 0.];
    let joints: [u8; 16] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0];
    let indices: [u16; 6] = [0, 1, 3, 0, 3, 2];
    let mut bytes: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(weights.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(joints);
    bytes.extend(indices.iter().flat_map(|x| x.to_le_bytes()));
    json!({
        "asset": { "version": "2.0" },
        "nodes": [
            { "mesh": 0, "skin": 0 },
            { "name": "root", "children": [2] },
            { "name": "tip", "translation": [0.0, 1.0, 0.0] },
        ],
        "skins": [{ "joints": [1, 2] }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 2 }, "indices": 3,
        }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC4" },
            { "bufferView": 2, "componentType": 5121, "count": 4, "type": "VEC4" },
            { "bufferView": 3, "componentType": 5123, "count": 6, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 64 },
            { "buffer": 0, "byteOffset": 112, "byteLength": 16 },
            { "buffer": 0, "byteOffset": 128, "byteLength": 12 },
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": data_uri(&bytes) }],
    })
}

fn read_json(json: &Value) -> Result<Rig, Diagnostic> {
    read_bytes(json.to_string().as_bytes())
}

fn read_bytes(bytes: &[u8]) -> Result<Rig, Diagnostic> {
    read_gltf(&ModelSource::alone("model", bytes))
}

/// Returns [`minimal_json`] with the value at a JSON pointer replaced.
fn with_value(pointer: &str, value: Value) -> Value {
    let mut json = minimal_json();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = json.pointer_mut(parent).unwrap();
    match key.parse::<usize>() {
        Ok(index) => parent[index] = value,
        Err(_) => parent[key] = value,
    }
    json
}

/// Opens the JSON as a file, so that the rig has an origin with notes.
fn open_json(json: &Value) -> Rig {
    let source = ModelSource::alone("small.gltf", json.to_string().into_bytes());
    open(&source, &TaskProgress::default()).unwrap()
}

/// Returns the codes of all notes.
fn note_codes(rig: &Rig) -> Vec<&'static str> {
    let origin = rig.origin.as_ref().unwrap();
    origin.notes.iter().map(|note| note.code).collect()
}

/// Adds an accessor with its own buffer. Returns its index.
fn add_accessor(json: &mut Value, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
    fn push(json: &mut Value, key: &str, value: Value) -> usize {
        let list = json[key].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }
    let length = bytes.len();
    let buffer = push(json, "buffers", json!({ "byteLength": length, "uri": data_uri(bytes) }));
    let view = push(json, "bufferViews", json!({ "buffer": buffer, "byteLength": length }));
    let accessor = json!({
        "bufferView": view, "componentType": component, "count": count, "type": kind,
    });
    push(json, "accessors", accessor)
}

/// Adds an accessor of floats. Returns its index.
fn add_floats(json: &mut Value, kind: &str, count: usize, values: &[f32]) -> usize {
    let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    add_accessor(json, 5126, kind, count, &bytes)
}

/// Returns `world_from_joint` of every joint at rest.
fn rest_world_matrices(rig: &Rig) -> Vec<Mat4> {
    rig.skeleton.world_from_joint(&rig.skeleton.rest_pose())
}

#[test]
fn absent_attributes_get_defaults() {
    let rig = read_json(&minimal_json()).unwrap();
    assert_eq!(rig.mesh.positions.len(), 4);
    assert_eq!(rig.mesh.triangles, [[0, 1, 3], [0, 3, 2]]);
    assert_eq!(rig.mesh.normals, [Vec3::Z; 4]);
    assert!(rig.mesh.uvs.is_empty() && rig.mesh.tangents.is_empty());
    assert_eq!(rig.skeleton.joint_from_bind(), [Mat4::IDENTITY; 2]);
    let names: Vec<&str> = rig.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["root", "tip"]);
}

#[test]
fn joints_keep_the_order_of_the_skin() {
    let rig = read_json(&with_value("/skins/0/joints", json!([2, 1]))).unwrap();
    let [tip, root] = rig.skeleton.joints() else {
        panic!("two joints");
    };
    assert_eq!((&*tip.name, &*root.name), ("tip", "root"));
    assert_eq!(tip.parent, Some(JointIndex(1)));
    assert_eq!(rig.mesh.influences[0].joints[0], JointIndex(0));
    assert_eq!(rest_world_matrices(&rig)[0], Mat4::from_translation(Vec3::Y));
}

#[test]
fn nodes_above_and_between_joints_are_helpers() {
    let mut json = minimal_json();
    json["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "name": "root", "translation": [1.0, 0.0, 0.0], "children": [4] },
        { "name": "tip", "translation": [0.0, 1.0, 0.0] },
        { "name": "armature", "rotation": [0.0, 0.0, 1.0, 1.0], "children": [1] },
        { "name": "between", "translation": [0.0, 5.0, 0.0], "children": [2] },
    ]);
    let rig = open_json(&json);
    let names: Vec<&str> = rig.skeleton.joints().iter().map(|j| &*j.name).collect();
    assert_eq!(names, ["root", "tip", "armature", "between"]);
    let angles: Vec<&str> = rig.angles().map(|param| &*param.name).collect();
    assert_eq!(angles, ["root", "tip"]);
    let world = rest_world_matrices(&rig);
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let root = Mat4::from_quat(quarter) * Mat4::from_translation(Vec3::X);
    assert!(world[0].abs_diff_eq(root, 1e-6), "{}", world[0]);
    let tip = root * Mat4::from_translation(Vec3::Y * 6.0);
    assert!(world[1].abs_diff_eq(tip, 1e-6), "{}", world[1]);
    let nodes = &rig.origin.unwrap().graph.nodes;
    let joints: Vec<_> = nodes.iter().map(|node| node.joint.map(|joint| joint.0)).collect();
    assert_eq!(joints, [None, Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn matrices_with_shear_become_two_joints() {
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::new(1.0, 2.0, 3.0),
        Quat::from_rotation_x(0.5),
        Vec3::new(4.0, 5.0, 6.0),
    );
    let node = json!({ "name": "tip", "matrix": matrix.to_cols_array() });
    let rig = read_json(&with_value("/nodes/2", node)).unwrap();
    assert_eq!(rig.skeleton.len(), 2);
    assert!(rest_world_matrices(&rig)[1].abs_diff_eq(matrix, 1e-5));

    let mut sheared = matrix;
    sheared.y_axis.x = 0.7;
    for matrix in [sheared, sheared * Mat4::from_scale(Vec3::new(-1.0, 1.0, 0.0))] {
        let node = json!({ "name": "tip", "matrix": matrix.to_cols_array() });
        let rig = read_json(&with_value("/nodes/2", node)).unwrap();
        let names: Vec<&str> = rig.skeleton.joints().iter().map(|j| &*j.name).collect();
        assert_eq!(names, ["root", "tip", "tip (stretched)"]);
        let world = rest_world_matrices(&rig)[1];
        assert!(world.abs_diff_eq(matrix, 1e-5), "{world} for {matrix}");
    }
}

#[test]
fn accessors_without_a_view_are_zero_except_sparse_values() {
    let mut json = minimal_json();
    json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(read_json(&json).unwrap().mesh.positions, [Vec3::ZERO; 4]);

    // Element 2, which is the last number of the index buffer, becomes the first position.
    json["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": 3, "byteOffset": 10, "componentType": 5123 },
        "values": { "bufferView": 0 },
    });
    let positions = read_json(&json).unwrap().mesh.positions.clone();
    assert_eq!(positions[2], Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(positions[3], Vec3::ZERO);
}

#[test]
fn weights_and_positions_may_be_integers() {
    let mut json = minimal_json();
    json["accessors"][1] = json!({
        "bufferView": 2, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC4",
    });
    let rig = read_json(&json).unwrap();
    assert_eq!(rig.mesh.influences[0].weights[..4], [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(rig.mesh.stored_sums[0], 1.0 / 255.0);

    json["accessors"][0] = json!({
        "bufferView": 3, "componentType": 5122, "count": 2, "type": "VEC3",
    });
    json["accessors"][1]["count"] = json!(2);
    json["accessors"][2]["count"] = json!(2);
    json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    assert_eq!(read_json(&json).unwrap().mesh.positions[0], Vec3::new(0.0, 1.0, 3.0));
}

#[test]
fn strides_are_respected() {
    let mut json = with_value("/bufferViews/0/byteStride", json!(24));
    json["accessors"][0]["count"] = json!(2);
    json["accessors"][1]["count"] = json!(2);
    json["accessors"][2]["count"] = json!(2);
    json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    let rig = read_json(&json).unwrap();
    assert_eq!(rig.mesh.positions[1], Vec3::new(-1.0, 2.0, 0.0));
}

#[test]
fn strips_and_fans_keep_their_winding() {
    let mut json = with_value("/meshes/0/primitives/0/mode", json!(5));
    json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    assert_eq!(read_json(&json).unwrap().mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
    json["meshes"][0]["primitives"][0]["mode"] = json!(6);
    assert_eq!(read_json(&json).unwrap().mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn a_truncated_glb_is_an_error() {
    let glb = &committed_model("simple_skin/simple_skin.glb");
    for length in 0..glb.len() {
        assert!(read_bytes(&glb[..length]).is_err(), "{length}");
    }
}

#[test]
fn rotations_are_normalized() {
    let rig = read_json(&with_value("/nodes/2/rotation", json!([0.0, 0.0, 3.0, 3.0]))).unwrap();
    let Trs { rotation, .. } = rig.skeleton.joints()[1].parent_from_joint_at_rest;
    assert!((rotation.length() - 1.0).abs() < 1e-6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_of_the_whale_never_panic(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        in_json in any::<bool>(), cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut glb = committed_model("whale/whale.glb");
        let length = glb.len();
        // The JSON is a small part of the file, but errors in it are the most diverse.
        let json_bytes = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
        let reach = if in_json { 20 + json_bytes } else { glb.len() };
        for (place, value) in flips {
            glb[place.index(reach)] = value;
        }
        if let Some(cut) = cut {
            glb.truncate(cut.index(length));
        }
        if let Ok(rig) = read_bytes(&glb) {
            let count = rig.mesh.positions.len();
            prop_assert_eq!(rig.mesh.influences.len(), count);
            prop_assert!(rig.mesh.triangles.iter().flatten().all(|&i| (i as usize) < count));
        }
    }

    #[test]
    fn digits_changed_in_the_json_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..10_u8), 1..4),
    ) {
        let mut text = minimal_json().to_string().into_bytes();
        let digits: Vec<usize> = (0..text.len()).filter(|&i| text[i].is_ascii_digit()).collect();
        for (place, digit) in changes {
            text[digits[place.index(digits.len())]] = b'0' + digit;
        }
        if let Ok(rig) = read_bytes(&text) {
            prop_assert_eq!(rig.mesh.influences.len(), rig.mesh.positions.len());
        }
    }
}
