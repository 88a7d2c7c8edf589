//! Files as they should be, and files as they should not.

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::GltfErrorKind::{Invalid, Json, Missing, NotATree, OutOfBounds, TooLarge, Unsupported};
use super::*;
use crate::asset::builtin::{WHALE, builtin, builtin_ids};
use crate::asset::{AssetFile, asset_files};
use crate::skin::{JointIndex, Trs, skin_positions};

fn files() -> BTreeMap<String, Vec<u8>> {
    let files = asset_files().unwrap().into_iter();
    files
        .map(|AssetFile { path, bytes }| (path, bytes))
        .collect()
}

/// A rectangle of two joints as `.gltf`, its buffer as a `data:` URI, so that
/// tests can change the JSON.
fn small() -> Value {
    let positions: [f32; 12] = [-1., 0., 0., 1., 0., 0., -1., 2., 0., 1., 2., 0.];
    let weights: [f32; 16] = [
        1., 0., 0., 0., 1., 0., 0., 0., 0.5, 0.5, 0., 0., 0.5, 0.5, 0., 0.,
    ];
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

fn data_uri(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = "data:application/octet-stream;base64,".to_owned();
    for three in bytes.chunks(3) {
        let held = three
            .iter()
            .fold(0_usize, |held, &byte| held << 8 | usize::from(byte))
            << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            text.push(char::from(LETTERS[held >> (18 - 6 * place) & 63]));
        }
    }
    text
}

fn read(json: &Value) -> Result<Rig, GltfError> {
    read_gltf(json.to_string().as_bytes(), &|_| None)
}

/// `small` with one value replaced, by JSON pointer.
fn with(pointer: &str, value: Value) -> Value {
    let mut json = small();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = json.pointer_mut(parent).unwrap();
    match key.parse::<usize>() {
        Ok(index) => parent[index] = value,
        Err(_) => parent[key] = value,
    }
    json
}

#[test]
fn every_written_rig_reads_back_as_it_was() {
    let files = files();
    for &id in builtin_ids() {
        let bytes = &files[&format!("{id}/{id}.glb")];
        let read = read_gltf(bytes, &|_| None).unwrap();
        let made = builtin(id).unwrap();
        assert_eq!(read.skeleton, made.skeleton, "{id}");
        assert!(read.mesh == made.mesh, "{id}");
        assert_eq!(read.world_from_mesh_node, made.world_from_mesh_node, "{id}");
    }
}

#[test]
fn the_whale_is_the_same_from_gltf_and_from_glb() {
    let files = files();
    let beside = |name: &str| files.get(&format!("whale/{name}")).cloned();
    let read = read_gltf(&files["whale/whale.gltf"], &beside).unwrap();
    let whale = builtin("whale").unwrap();
    assert!(read.mesh == whale.mesh);
    assert_eq!(read.skeleton, whale.skeleton);
}

#[test]
fn the_whale_is_what_its_lesson_says() {
    let whale = builtin("whale").unwrap();
    let mesh = &whale.mesh;
    let count = mesh.positions.len();
    assert!((3000..=6000).contains(&count), "{count} vertices");
    assert!((18..=24).contains(&whale.skeleton.len()));
    assert_eq!((mesh.tangents.len(), mesh.uvs.len()), (count, count));
    assert!(mesh.images.len() == 1 && mesh.materials[0].texture.is_some());
    for name in [
        "root", "spine_1", "head", "jaw", "dorsal_1", "fin_l_1", "fluke_r",
    ] {
        assert!(whale.skeleton.find(name).is_some(), "{name}");
        assert!(whale.param(name).is_some(), "{name}");
    }
    assert_ne!(whale.world_from_mesh_node, Mat4::IDENTITY);

    let world_from_joint = whale.skeleton.world_from_joint(&whale.skeleton.rest_pose());
    let palette: Vec<Mat4> = world_from_joint
        .iter()
        .zip(whale.skeleton.joint_from_bind())
        .map(|(&world_from_joint, joint_from_bind)| world_from_joint * joint_from_bind)
        .collect();
    let at_rest = skin_positions(&mesh.positions, &mesh.influences, &palette);
    let most = at_rest
        .iter()
        .zip(&mesh.positions)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max);
    assert!(most > 0.3, "rest and bind pose look alike: {most}");
}

#[test]
fn a_turn_about_x_lifts_the_whales_tail_without_swaying_it() {
    let whale = builtin("whale").unwrap();
    let fluke = whale.skeleton.find("fluke_l").unwrap();
    let height = |angle: f64| {
        let posed = whale.posed(|name| name.starts_with("tail").then_some(angle));
        let world_from_joint = whale.skeleton.world_from_joint(&posed.pose);
        world_from_joint[fluke.at()].w_axis
    };
    let (down, up) = (height(-0.3), height(0.3));
    assert!(up.y - down.y > 0.5, "{down} {up}");
    assert!((up.x - down.x).abs() < 1e-4, "{down} {up}");
}

#[test]
fn a_file_without_extras_is_filled_in() {
    let rig = read(&small()).unwrap();
    assert_eq!(rig.mesh.positions.len(), 4);
    assert_eq!(rig.mesh.triangles, [[0, 1, 3], [0, 3, 2]]);
    assert_eq!(rig.mesh.normals, [Vec3::Z; 4]);
    assert!(rig.mesh.uvs.is_empty() && rig.mesh.tangents.is_empty());
    assert_eq!(rig.skeleton.joint_from_bind(), [Mat4::IDENTITY; 2]);
    let names: Vec<&str> = rig.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["root", "tip"]);
}

#[test]
fn joints_listed_before_their_parents_are_sorted_and_renumbered() {
    let rig = read(&with("/skins/0/joints", json!([2, 1]))).unwrap();
    assert_eq!(rig.skeleton.joints()[0].name, "root");
    assert_eq!(rig.skeleton.joints()[1].parent, Some(JointIndex(0)));
    // The file's joint 0 is the tip, which is ours number 1.
    assert_eq!(rig.mesh.influences[0].joints[0], JointIndex(1));
    assert_eq!(rig.mesh.influences[0].weights[0], 1.0);
}

#[test]
fn nodes_above_and_between_joints_count() {
    let mut json = small();
    json["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "name": "root", "translation": [1.0, 0.0, 0.0], "children": [4] },
        { "name": "tip", "translation": [0.0, 1.0, 0.0] },
        { "name": "armature", "rotation": [0.0, 0.0, 1.0, 1.0], "children": [1] },
        { "name": "between", "translation": [0.0, 5.0, 0.0], "children": [2] },
    ]);
    let rig = read(&json).unwrap();
    let [root, tip] = rig.skeleton.joints() else {
        panic!("two joints");
    };
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let expected = Mat4::from_rotation_translation(quarter, Vec3::Y);
    let found = root.parent_from_joint_at_rest.matrix();
    assert!(found.abs_diff_eq(expected, 1e-6), "{found}");
    let tip = tip.parent_from_joint_at_rest;
    assert!(tip.translation.abs_diff_eq(Vec3::Y * 6.0, 1e-6), "{tip:?}");
}

#[test]
fn a_node_may_have_a_matrix() {
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::new(1.0, 2.0, 3.0),
        Quat::from_rotation_x(0.5),
        Vec3::new(4.0, 5.0, 6.0),
    );
    let node = json!({ "name": "tip", "matrix": matrix.to_cols_array() });
    let rig = read(&with("/nodes/2", node)).unwrap();
    let found = rig.skeleton.joints()[1].parent_from_joint_at_rest.matrix();
    assert!(found.abs_diff_eq(matrix, 1e-5), "{found}");

    let mut sheared = Mat4::IDENTITY;
    sheared.y_axis.x = 0.7;
    let node = json!({ "matrix": sheared.to_cols_array() });
    let error = read(&with("/nodes/2", node)).unwrap_err();
    assert_eq!((error.kind, &*error.path), (Unsupported, "/nodes/2"));
}

#[test]
fn an_accessor_without_a_view_is_zero_and_sparse_values_replace() {
    let mut json = small();
    json["accessors"][0]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    assert_eq!(read(&json).unwrap().mesh.positions, [Vec3::ZERO; 4]);

    // The last index (2) as the place, the first position as the value.
    json["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": 3, "byteOffset": 10, "componentType": 5123 },
        "values": { "bufferView": 0 },
    });
    let positions = read(&json).unwrap().mesh.positions.clone();
    assert_eq!(positions[2], Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(positions[3], Vec3::ZERO);
}

#[test]
fn weights_and_positions_may_be_whole_numbers() {
    let mut json = small();
    json["accessors"][1] = json!({
        "bufferView": 2, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC4",
    });
    let rig = read(&json).unwrap();
    assert_eq!(
        rig.mesh.influences[0].weights[..4],
        [0.0, 1.0 / 255.0, 0.0, 0.0]
    );

    json["accessors"][0] = json!({
        "bufferView": 3, "componentType": 5122, "count": 2, "type": "VEC3",
    });
    json["accessors"][1]["count"] = json!(2);
    json["accessors"][2]["count"] = json!(2);
    json["meshes"][0]["primitives"][0]
        .as_object_mut()
        .unwrap()
        .remove("indices");
    assert_eq!(
        read(&json).unwrap().mesh.positions[0],
        Vec3::new(0.0, 1.0, 3.0)
    );
}

#[test]
fn a_stride_skips_what_lies_between() {
    let mut json = with("/bufferViews/0/byteStride", json!(24));
    json["accessors"][0]["count"] = json!(2);
    json["accessors"][1]["count"] = json!(2);
    json["accessors"][2]["count"] = json!(2);
    json["meshes"][0]["primitives"][0]
        .as_object_mut()
        .unwrap()
        .remove("indices");
    let rig = read(&json).unwrap();
    assert_eq!(rig.mesh.positions[1], Vec3::new(-1.0, 2.0, 0.0));
}

#[test]
fn strips_and_fans_keep_their_sense_of_rotation() {
    let mut json = with("/meshes/0/primitives/0/mode", json!(5));
    json["meshes"][0]["primitives"][0]
        .as_object_mut()
        .unwrap()
        .remove("indices");
    assert_eq!(read(&json).unwrap().mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
    json["meshes"][0]["primitives"][0]["mode"] = json!(6);
    assert_eq!(read(&json).unwrap().mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
}

/// What is changed in `small`, to what, and the kind and place of the fault.
const FAULTS: &[(&str, &str, GltfErrorKind, &str)] = &[
    ("/asset/version", r#""1.0""#, Unsupported, "/asset/version"),
    (
        "/extensionsRequired",
        r#"["KHR_draco_mesh_compression"]"#,
        Unsupported,
        "/extensionsRequired/0",
    ),
    ("/accessors", "7", Json, "the JSON"),
    ("/buffers/0/uri", r#""gone.bin""#, Missing, "/buffers/0/uri"),
    (
        "/buffers/0/uri",
        r#""../up.bin""#,
        Unsupported,
        "/buffers/0/uri",
    ),
    (
        "/buffers/0/byteLength",
        "9000",
        OutOfBounds,
        "/buffers/0/byteLength",
    ),
    (
        "/bufferViews/0/buffer",
        "5",
        OutOfBounds,
        "/bufferViews/0/buffer",
    ),
    (
        "/bufferViews/0/byteOffset",
        "18446744073709551615",
        OutOfBounds,
        "/bufferViews/0",
    ),
    (
        "/bufferViews/0/byteStride",
        "4",
        Invalid,
        "/bufferViews/0/byteStride",
    ),
    (
        "/accessors/3/bufferView",
        "99",
        OutOfBounds,
        "/accessors/3/bufferView",
    ),
    ("/accessors/3/bufferView", "1", OutOfBounds, "/accessors/3"),
    (
        "/accessors/0/count",
        "18446744073709551615",
        OutOfBounds,
        "/accessors/0",
    ),
    (
        "/accessors/0/byteOffset",
        "18446744073709551615",
        OutOfBounds,
        "/accessors/0",
    ),
    (
        "/accessors/0/type",
        r#""VEC2""#,
        Invalid,
        "/accessors/0/type",
    ),
    (
        "/accessors/0/componentType",
        "1",
        Invalid,
        "/accessors/0/componentType",
    ),
    ("/accessors/1/count", "3", Invalid, "/accessors/1/count"),
    (
        "/accessors/2/componentType",
        "5120",
        Invalid,
        "/accessors/2/componentType",
    ),
    (
        "/accessors/0",
        r#"{ "componentType": 5126, "count": 4294967295, "type": "VEC3" }"#,
        TooLarge,
        "/accessors/0/count",
    ),
    ("/skins/0/joints", "[]", Invalid, "/skins/0/joints"),
    ("/skins/0/joints", "[1, 1]", Invalid, "/skins/0/joints/1"),
    (
        "/skins/0/joints",
        "[1, 77]",
        OutOfBounds,
        "/skins/0/joints/1",
    ),
    ("/skins/0/joints", "[1]", OutOfBounds, "/accessors/2"),
    (
        "/skins/0/inverseBindMatrices",
        "0",
        Invalid,
        "/accessors/0/type",
    ),
    ("/nodes/0/skin", "4", OutOfBounds, "/skins/4"),
    ("/nodes/0", "{}", Missing, "/nodes"),
    ("/nodes/0/children", "[2]", NotATree, "/nodes/1/children/0"),
    (
        "/nodes/1/children",
        "[9]",
        OutOfBounds,
        "/nodes/1/children/0",
    ),
    ("/nodes/2/children", "[1]", NotATree, "/nodes/1"),
    (
        "/nodes/1/scale",
        "[1e39, 1.0, 1.0]",
        Invalid,
        "/skins/0/joints",
    ),
    (
        "/meshes/0/primitives/0/attributes",
        r#"{ "POSITION": 0 }"#,
        Missing,
        "/meshes/0/primitives/0/attributes",
    ),
    (
        "/meshes/0/primitives/0/mode",
        "9",
        Invalid,
        "/meshes/0/primitives/0/mode",
    ),
];

#[test]
fn faults_are_named_by_their_place() {
    for &(pointer, value, kind, path) in FAULTS {
        let value = serde_json::from_str(value).unwrap();
        let Err(error) = read(&with(pointer, value)) else {
            panic!("{pointer} passed");
        };
        assert_eq!((error.kind, &*error.path), (kind, path), "{error}");
        assert!(!error.expected.is_empty() && !error.remedy.is_empty());
    }
}

#[test]
fn a_glb_cut_anywhere_is_an_error_and_no_more() {
    let glb = &files()["simple_skin/simple_skin.glb"];
    for length in 0..glb.len() {
        assert!(read_gltf(&glb[..length], &|_| None).is_err(), "{length}");
    }
}

#[test]
fn a_quaternion_of_any_length_becomes_a_unit_one() {
    let rig = read(&with("/nodes/2/rotation", json!([0.0, 0.0, 3.0, 3.0]))).unwrap();
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
        let mut glb = WHALE.to_vec();
        // The JSON is a small part of the file, and most faults are there.
        let json_bytes = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
        let reach = if in_json { 20 + json_bytes } else { glb.len() };
        for (place, value) in flips {
            glb[place.index(reach)] = value;
        }
        if let Some(cut) = cut {
            glb.truncate(cut.index(WHALE.len()));
        }
        if let Ok(rig) = read_gltf(&glb, &|_| None) {
            let count = rig.mesh.positions.len();
            prop_assert_eq!(rig.mesh.influences.len(), count);
            prop_assert!(rig.mesh.triangles.iter().flatten().all(|&i| (i as usize) < count));
        }
    }

    #[test]
    fn digits_changed_in_the_json_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..10_u8), 1..4),
    ) {
        let mut text = small().to_string().into_bytes();
        let digits: Vec<usize> = (0..text.len()).filter(|&i| text[i].is_ascii_digit()).collect();
        for (place, digit) in changes {
            text[digits[place.index(digits.len())]] = b'0' + digit;
        }
        if let Ok(rig) = read_gltf(&text, &|_| None) {
            prop_assert_eq!(rig.mesh.influences.len(), rig.mesh.positions.len());
        }
    }
}
