//! Files with mistakes in parts that skinning does not need.

use bindpose_diagnostic::Severity;

use super::*;

#[test]
fn required_extensions_are_errors_and_used_ones_notes() {
    let error =
        read_json(&with_value("/extensionsRequired", json!(["KHR_draco_mesh_compression"])));
    let error = error.unwrap_err();
    assert!(error.found.contains("KHR_draco") && error.help.contains("Draco"), "{error}");
    let used = json!(["KHR_draco_mesh_compression", "KHR_mesh_quantization", "ACME_x"]);
    let rig = open_json(&with_value("/extensionsUsed", used));
    let notes = &rig.origin.as_ref().unwrap().notes;
    let places: Vec<&str> = notes.iter().map(|note| note.at.pointer()).collect();
    assert_eq!(places, ["/extensionsUsed/0", "/extensionsUsed/2"]);
    assert!(notes.iter().all(|note| note.severity == Severity::Note));
}

#[test]
fn harmless_extensions_are_only_noted() {
    for name in ["EXT_texture_webp", "KHR_texture_basisu", "KHR_node_visibility", "MSFT_lod"] {
        let mut json = with_value("/extensionsRequired", json!([name]));
        json["extensionsUsed"] = json!([name]);
        let rig = open_json(&json);
        assert_eq!(
            (rig.mesh.positions.len(), note_codes(&rig)),
            (4, vec!["UNSUPPORTED_EXTENSION"])
        );
    }
    let picture = json!([{ "extensions": { "EXT_texture_webp": { "source": 0 } } }]);
    let mut json = with_value("/textures", picture);
    json["images"] = json!([{ "uri": "data:image/webp;base64,UklGRg==" }]);
    json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    json["meshes"][0]["primitives"][0]["material"] = json!(0);
    json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    let rig = open_json(&json);
    let note = &rig.origin.as_ref().unwrap().notes[0];
    assert_eq!(rig.mesh.materials[0].texture, None);
    assert!(note.effect.contains("pictures"), "{note:?}");
}

#[test]
fn minus_one_counts_as_an_absent_index() {
    let sound = open_json(&minimal_json());
    for at in ["/skins/0/skeleton", "/scene", "/nodes/1/mesh", "/nodes/1/skin", "/nodes/1/camera"] {
        let rig = open_json(&with_value(at, json!(-1)));
        assert_eq!(
            (&rig.mesh, note_codes(&rig)),
            (&sound.mesh, vec!["MINUS_ONE_FOR_NONE"]),
            "{at}"
        );
    }
    let at = "/meshes/0/primitives/0/indices";
    assert!(open_json(&with_value(at, json!(-1.0))).mesh.triangles.len() == 1);
    assert!(read_json(&with_value("/skins/0/joints", json!([1, -1]))).is_err());
    assert!(read_json(&with_value("/accessors/0/count", json!(-1))).is_err());
}

#[test]
fn empty_meshes_and_primitives_are_skipped() {
    for empty in [json!({}), json!({ "primitives": [] })] {
        let mut json = minimal_json();
        json["meshes"].as_array_mut().unwrap().push(empty);
        json["nodes"][2]["mesh"] = json!(1);
        let rig = open_json(&json);
        assert_eq!((rig.mesh.positions.len(), note_codes(&rig)), (4, vec!["MESH_LEFT_OUT"]));
    }
    for primitive in
        [json!({}), json!({ "attributes": {} }), json!({ "attributes": { "JOINTS_0": 2 } })]
    {
        let mut json = minimal_json();
        json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
        let rig = open_json(&json);
        assert_eq!((rig.mesh.positions.len(), note_codes(&rig)), (4, vec!["PRIMITIVE_LEFT_OUT"]));
    }
}

#[test]
fn byte_order_mark_and_padding_are_ignored() {
    let text = [b"\xEF\xBB\xBF", minimal_json().to_string().as_bytes(), b"\0\0\0"].concat();
    assert_eq!(read_bytes(&text).unwrap().mesh, open_json(&minimal_json()).mesh);
}

#[test]
fn gltf_1_is_recognized() {
    let json = json!({ "asset": { "version": "1.0" }, "nodes": { "a": {} }, "meshes": {} });
    let error = read_json(&json).unwrap_err();
    assert_eq!((&*error.found, error.code), ("glTF 1.0", "GLTF_UNSUPPORTED"));
    assert!(error.help.contains("gltf-pipeline"), "{error}");
    let error = read_bytes(b"glTF\x01\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!(error.found, "glTF 1.0");
}

fn pointer_channel(sampler: usize, pointer: &str) -> Value {
    let extension = json!({ "KHR_animation_pointer": { "pointer": pointer } });
    json!({ "sampler": sampler, "target": { "path": "pointer", "extensions": extension } })
}

#[test]
fn pointer_channels_to_nodes_are_read_and_others_noted() {
    let mut json = minimal_json();
    let times = add_floats(&mut json, "SCALAR", 2, &[0.0, 1.0]);
    let places = add_floats(&mut json, "VEC3", 2, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let turns = add_floats(&mut json, "VEC4", 2, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    json["animations"] = json!([{
        "samplers": [{ "input": times, "output": places }, { "input": times, "output": turns }],
        "channels": [
            { "sampler": 0, "target": { "node": 2, "path": "translation" } },
            { "sampler": 1, "target": { "node": 2, "path": "rotation" } },
            { "sampler": 0, "target": { "node": 2, "path": "scale" } },
        ],
    }]);
    let by_node = open_json(&json).clips;
    json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    json["animations"][0]["channels"] = json!([
        pointer_channel(0, "/nodes/2/translation"),
        pointer_channel(1, "/nodes/2/rotation"),
        pointer_channel(0, "/nodes/2/scale"),
    ]);
    let rig = open_json(&json);
    assert_eq!((&rig.clips, note_codes(&rig)), (&by_node, Vec::new()));
    assert_eq!(rig.clips[0].channels.len(), 3);
    let elsewhere = pointer_channel(0, "/materials/0/emissiveFactor");
    json["animations"][0]["channels"].as_array_mut().unwrap().push(elsewhere);
    let rig = open_json(&json);
    assert_eq!((&rig.clips, note_codes(&rig)), (&by_node, vec!["CHANNEL_LEFT_OUT"]));
    let note = &rig.origin.as_ref().unwrap().notes[0];
    assert!(note.found.contains("/materials/0/emissiveFactor"), "{note:?}");
    assert_eq!(note.severity, Severity::Note);
}

#[test]
fn a_mesh_without_influences_ignores_the_skin() {
    let mut json = minimal_json();
    json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    let rig = open_json(&json);
    assert_eq!(note_codes(&rig), ["NODE_SKIN_WITH_NON_SKINNED_MESH"]);
    assert_eq!(rig.mesh.parts[0].skin, None);
}

#[test]
fn invalid_channels_are_skipped() {
    let mut json = minimal_json();
    let times = add_floats(&mut json, "SCALAR", 2, &[0.0, 1.0]);
    let back = add_floats(&mut json, "SCALAR", 2, &[1.0, 0.0]);
    let wild = add_floats(&mut json, "VEC3", 2, &[f32::NAN; 6]);
    let places = add_floats(&mut json, "VEC3", 2, &[0.0; 6]);
    let samplers = json!([
        { "input": times, "output": places },
        { "input": times, "output": places, "interpolation": "CUBICSPLINE" },
        { "input": back, "output": places },
        { "input": 3, "output": places },
        { "input": times, "output": wild },
        { "input": times, "output": 99 },
        { "input": times, "output": places, "interpolation": "WAVY" },
        { "input": "x" },
    ]);
    let mut channels: Vec<Value> = (0..9)
        .map(|at| json!({ "sampler": at, "target": { "node": 2, "path": "translation" } }))
        .collect();
    channels.push(json!({ "sampler": 0, "target": { "node": 9, "path": "scale" } }));
    channels.push(json!({ "sampler": 0, "target": { "node": 2, "path": "colour" } }));
    channels.push(json!({ "sampler": 0, "target": { "node": 2, "path": "rotation" } }));
    channels.push(json!({ "sampler": 0, "target": { "path": "scale" } }));
    json["animations"] = json!([{ "samplers": samplers, "channels": channels }]);
    let rig = open_json(&json);
    assert_eq!(rig.clips[0].channels.len(), 1);
    let notes = note_codes(&rig);
    assert!(notes.len() >= 11, "{notes:?}");
    assert!(notes.contains(&"JSON_LEFT_OUT") && notes.contains(&"CHANNEL_LEFT_OUT"));
}

#[test]
fn invalid_optional_parts_are_skipped() {
    for (key, value) in [
        ("/animations", json!({})),
        ("/images", json!([7])),
        ("/samplers", json!([{ "wrapS": "x" }])),
        ("/scene", json!(4)),
    ] {
        let mut json = with_value(key, value);
        json["meshes"][0]["primitives"][0]["material"] = json!(0);
        json["materials"] = json!([
            { "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } },
        ]);
        json["textures"] = json!([{ "source": 0 }]);
        json["scenes"] = json!([{ "nodes": [0] }]);
        let rig = open_json(&json);
        assert_eq!(rig.mesh.parts[0].material, Some(0), "{key}");
        assert_eq!(rig.mesh.materials[0].texture, None, "{key}");
        assert!(note_codes(&rig).contains(&"TEXTURE_LEFT_OUT"), "{key}");
    }
}

#[test]
fn a_scene_may_be_empty() {
    let mut json = minimal_json();
    json["scenes"] = json!([{ "name": "of nothing" }, { "nodes": [0] }]);
    json["scene"] = json!(1);
    let rig = open_json(&json);
    assert_eq!((rig.mesh.positions.len(), note_codes(&rig)), (4, Vec::new()));
    assert_eq!(rig.origin.unwrap().graph.scenes[0].roots, []);
}

#[test]
fn invalid_attributes_and_targets_are_skipped() {
    let mut json = minimal_json();
    let short = add_floats(&mut json, "VEC3", 1, &[0.0; 3]);
    let primitive = &mut json["meshes"][0]["primitives"][0];
    for name in ["NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0", "WEIGHTS_1"] {
        primitive["attributes"][name] = json!(if name == "WEIGHTS_1" { 1 } else { short });
    }
    primitive["targets"] = json!([{ "POSITION": short }]);
    let rig = open_json(&json);
    let notes = note_codes(&rig);
    let count = |code| notes.iter().filter(|&&note| note == code).count();
    assert_eq!(count("ATTRIBUTE_LEFT_OUT"), 4);
    assert_eq!((count("MORPH_TARGET_LEFT_OUT"), count("INFLUENCES_LEFT_OUT")), (1, 1));
    assert_eq!(rig.mesh.normals, [Vec3::Z; 4]);
    assert_eq!((rig.mesh.targets.len(), rig.morph_weights.len()), (0, 1));
}

#[test]
fn invalid_skins_that_nothing_uses_are_skipped() {
    let skins = json!([{ "joints": [1, 2] }, { "joints": [2, 77] }, { "joints": [] }]);
    let rig = open_json(&with_value("/skins", skins));
    assert_eq!(note_codes(&rig), ["SKIN_LEFT_OUT", "SKIN_LEFT_OUT"]);
    assert_eq!(rig.skeleton.len(), 2);
}

#[test]
fn integer_weights_are_divided_by_their_sum() {
    let mut json = minimal_json();
    let weights = add_accessor(&mut json, 5121, "VEC4", 4, &[30, 10, 0, 0].repeat(4));
    json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let rig = open_json(&json);
    assert_eq!(rig.mesh.influences[0].weights[..2], [0.75, 0.25]);
    assert_eq!((rig.mesh.stored_sums[0], note_codes(&rig)), (40.0, vec!["WEIGHTS_NOT_NORMALIZED"]));
}

#[test]
fn integers_may_be_written_as_floats() {
    let mut json = with_value("/skins/0/joints", json!([1.0, 2.0]));
    json["nodes"][0]["mesh"] = json!(0.0);
    json["accessors"][0]["count"] = json!(4e0);
    json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(1.0);
    let rig = open_json(&json);
    assert_eq!((rig.skeleton.len(), note_codes(&rig)), (2, vec![]));
    assert_eq!(rig.mesh, open_json(&minimal_json()).mesh);
}

#[test]
fn json_errors_name_the_expected_type() {
    for (pointer, value, expected, found) in [
        ("/skins/0/joints", json!([1, 2.5]), "whole number", "2.5"),
        ("/skins/0/joints", json!([1, "x"]), "whole number", "x"),
        ("/nodes/1/children", json!([-1]), "whole number", "-1"),
        ("/bufferViews/0/byteLength", json!("48"), "whole number", "48"),
        ("/meshes/0/primitives", json!({}), "list", "object"),
    ] {
        let error = read_json(&with_value(pointer, value)).unwrap_err();
        assert!(error.at.pointer().starts_with(pointer), "{error}");
        assert!(error.expected.contains(expected), "{error}");
        assert!(error.found.replace('−', "-").contains(found), "{error}");
    }
}

#[test]
fn repeated_notes_are_counted() {
    let broken = vec![json!(7); 10_000];
    let rig = open_json(&with_value("/images", json!(broken)));
    let notes = &rig.origin.as_ref().unwrap().notes;
    assert!(notes.len() <= 60, "{} notes", notes.len());
    assert_eq!(notes.iter().map(|note| note.count).sum::<usize>(), 10_000);
}
