//! Files with faults where skinning does not need what is wrong.

use bindpose_diagnostic::Severity;

use super::*;

#[test]
fn extensions_are_refused_by_name_if_required_and_noted_if_not() {
    let error = read(&with("/extensionsRequired", json!(["KHR_draco_mesh_compression"])));
    let error = error.unwrap_err();
    assert!(error.found.contains("KHR_draco") && error.remedy.contains("Draco"), "{error}");
    let used = json!(["KHR_draco_mesh_compression", "KHR_mesh_quantization", "ACME_x"]);
    let rig = opened(&with("/extensionsUsed", used));
    let notes = &rig.origin.as_ref().unwrap().notes;
    let places: Vec<&str> = notes.iter().map(|note| note.at.pointer()).collect();
    assert_eq!(places, ["/extensionsUsed/0", "/extensionsUsed/2"]);
    assert!(notes.iter().all(|note| note.severity == Severity::Note));
}

#[test]
fn what_is_beside_geometry_skins_and_clips_refuses_no_file() {
    for name in ["EXT_texture_webp", "KHR_texture_basisu", "KHR_node_visibility", "MSFT_lod"] {
        let mut json = with("/extensionsRequired", json!([name]));
        json["extensionsUsed"] = json!([name]);
        let rig = opened(&json);
        assert_eq!((rig.mesh.positions.len(), notes(&rig)), (4, vec!["UNSUPPORTED_EXTENSION"]));
    }
    let picture = json!([{ "extensions": { "EXT_texture_webp": { "source": 0 } } }]);
    let mut json = with("/textures", picture);
    json["images"] = json!([{ "uri": "data:image/webp;base64,UklGRg==" }]);
    json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    json["meshes"][0]["primitives"][0]["material"] = json!(0);
    json["extensionsUsed"] = json!(["EXT_texture_webp"]);
    let rig = opened(&json);
    let note = &rig.origin.as_ref().unwrap().notes[0];
    assert_eq!(rig.mesh.materials[0].texture, None);
    assert!(note.effect.contains("pictures"), "{note:?}");
}

#[test]
fn minus_one_is_none_where_there_may_be_none() {
    let sound = opened(&small());
    for at in ["/skins/0/skeleton", "/scene", "/nodes/1/mesh", "/nodes/1/skin", "/nodes/1/camera"] {
        let rig = opened(&with(at, json!(-1)));
        assert_eq!((&rig.mesh, notes(&rig)), (&sound.mesh, vec!["MINUS_ONE_FOR_NONE"]), "{at}");
    }
    let at = "/meshes/0/primitives/0/indices";
    assert!(opened(&with(at, json!(-1.0))).mesh.triangles.len() == 1);
    assert!(read(&with("/skins/0/joints", json!([1, -1]))).is_err());
    assert!(read(&with("/accessors/0/count", json!(-1))).is_err());
}

#[test]
fn meshes_and_primitives_with_nothing_in_them_are_left_out() {
    for empty in [json!({}), json!({ "primitives": [] })] {
        let mut json = small();
        json["meshes"].as_array_mut().unwrap().push(empty);
        json["nodes"][2]["mesh"] = json!(1);
        let rig = opened(&json);
        assert_eq!((rig.mesh.positions.len(), notes(&rig)), (4, vec!["MESH_LEFT_OUT"]));
    }
    for primitive in
        [json!({}), json!({ "attributes": {} }), json!({ "attributes": { "JOINTS_0": 2 } })]
    {
        let mut json = small();
        json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
        let rig = opened(&json);
        assert_eq!((rig.mesh.positions.len(), notes(&rig)), (4, vec!["PRIMITIVE_LEFT_OUT"]));
    }
}

#[test]
fn marks_and_zeros_around_the_json_are_overlooked() {
    let text = [b"\xEF\xBB\xBF", small().to_string().as_bytes(), b"\0\0\0"].concat();
    assert_eq!(read_bytes(&text).unwrap().mesh, opened(&small()).mesh);
}

#[test]
fn the_first_version_of_gltf_is_named() {
    let json = json!({ "asset": { "version": "1.0" }, "nodes": { "a": {} }, "meshes": {} });
    let error = read(&json).unwrap_err();
    assert_eq!((&*error.found, error.kind), ("glTF 1.0", GltfErrorKind::Unsupported));
    assert!(error.remedy.contains("gltf-pipeline"), "{error}");
    let error = read_bytes(b"glTF\x01\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!(error.found, "glTF 1.0");
}

#[test]
fn channels_that_point_to_nodes_play_and_others_are_noted() {
    let mut json = small();
    let times = add_floats(&mut json, "SCALAR", 2, &[0.0, 1.0]);
    let places = add_floats(&mut json, "VEC3", 2, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let turns = add_floats(&mut json, "VEC4", 2, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    let point = |sampler: usize, pointer: &str| {
        let extension = json!({ "KHR_animation_pointer": { "pointer": pointer } });
        json!({ "sampler": sampler, "target": { "path": "pointer", "extensions": extension } })
    };
    let plain = |sampler: usize, path: &str| json!({ "sampler": sampler, "target": { "node": 2, "path": path } });
    json["animations"] = json!([{
        "samplers": [{ "input": times, "output": places }, { "input": times, "output": turns }],
        "channels": [plain(0, "translation"), plain(1, "rotation"), plain(0, "scale")],
    }]);
    let by_node = opened(&json).clips;
    json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    json["extensionsRequired"] = json!(["KHR_animation_pointer"]);
    let node = |path: &str| format!("/nodes/2/{path}");
    json["animations"][0]["channels"] = json!([
        point(0, &node("translation")),
        point(1, &node("rotation")),
        point(0, &node("scale")),
    ]);
    let rig = opened(&json);
    assert_eq!((&rig.clips, notes(&rig)), (&by_node, Vec::new()));
    assert_eq!(rig.clips[0].channels.len(), 3);
    let elsewhere = point(0, "/materials/0/emissiveFactor");
    json["animations"][0]["channels"].as_array_mut().unwrap().push(elsewhere);
    let rig = opened(&json);
    assert_eq!((&rig.clips, notes(&rig)), (&by_node, vec!["CHANNEL_LEFT_OUT"]));
    let note = &rig.origin.as_ref().unwrap().notes[0];
    assert!(note.found.contains("/materials/0/emissiveFactor"), "{note:?}");
    assert_eq!(note.severity, Severity::Note);
}

#[test]
fn a_skin_without_influences_leaves_the_mesh_to_its_node() {
    let mut json = small();
    json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    let rig = opened(&json);
    assert_eq!(notes(&rig), ["NODE_SKIN_WITH_NON_SKINNED_MESH"]);
    assert_eq!(rig.mesh.parts[0].skin, None);
}

#[test]
fn broken_channels_are_left_out_and_the_others_play() {
    let mut json = small();
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
    let rig = opened(&json);
    assert_eq!(rig.clips[0].channels.len(), 1);
    let notes = notes(&rig);
    assert!(notes.len() >= 11, "{notes:?}");
    assert!(notes.contains(&"JSON_LEFT_OUT") && notes.contains(&"CHANNEL_LEFT_OUT"));
}

#[test]
fn lesser_parts_may_be_missing_or_wrong() {
    for (key, value) in [
        ("/animations", json!({})),
        ("/images", json!([7])),
        ("/samplers", json!([{ "wrapS": "x" }])),
        ("/scene", json!(4)),
    ] {
        let mut json = with(key, value);
        json["meshes"][0]["primitives"][0]["material"] = json!(0);
        json["materials"] = json!([
            { "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } },
        ]);
        json["textures"] = json!([{ "source": 0 }]);
        json["scenes"] = json!([{ "nodes": [0] }]);
        let rig = opened(&json);
        assert_eq!(rig.mesh.parts[0].material, Some(0), "{key}");
        assert_eq!(rig.mesh.materials[0].texture, None, "{key}");
        assert!(notes(&rig).contains(&"TEXTURE_LEFT_OUT"), "{key}");
    }
}

#[test]
fn a_scene_may_be_empty() {
    let mut json = small();
    json["scenes"] = json!([{ "name": "of nothing" }, { "nodes": [0] }]);
    json["scene"] = json!(1);
    let rig = opened(&json);
    assert_eq!((rig.mesh.positions.len(), notes(&rig)), (4, Vec::new()));
    assert_eq!(rig.origin.unwrap().graph.scenes[0].roots, []);
}

#[test]
fn attributes_and_targets_that_are_wrong_are_left_out() {
    let mut json = small();
    let short = add_floats(&mut json, "VEC3", 1, &[0.0; 3]);
    let primitive = &mut json["meshes"][0]["primitives"][0];
    for name in ["NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0", "WEIGHTS_1"] {
        primitive["attributes"][name] = json!(if name == "WEIGHTS_1" { 1 } else { short });
    }
    primitive["targets"] = json!([{ "POSITION": short }]);
    let rig = opened(&json);
    let notes = notes(&rig);
    let count = |code| notes.iter().filter(|&&note| note == code).count();
    assert_eq!(count("ATTRIBUTE_LEFT_OUT"), 4);
    assert_eq!((count("MORPH_TARGET_LEFT_OUT"), count("INFLUENCES_LEFT_OUT")), (1, 1));
    assert_eq!(rig.mesh.normals, [Vec3::Z; 4]);
    assert_eq!((rig.mesh.targets.len(), rig.morph_weights.len()), (0, 1));
}

#[test]
fn a_broken_skin_that_nothing_uses_is_no_obstacle() {
    let skins = json!([{ "joints": [1, 2] }, { "joints": [2, 77] }, { "joints": [] }]);
    let rig = opened(&with("/skins", skins));
    assert_eq!(notes(&rig), ["SKIN_LEFT_OUT", "SKIN_LEFT_OUT"]);
    assert_eq!(rig.skeleton.len(), 2);
}

#[test]
fn weights_that_are_plain_whole_numbers_are_divided_by_their_sum() {
    let mut json = small();
    let weights = add(&mut json, 5121, "VEC4", 4, &[30, 10, 0, 0].repeat(4));
    json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let rig = opened(&json);
    assert_eq!(rig.mesh.influences[0].weights[..2], [0.75, 0.25]);
    assert_eq!((rig.mesh.stored_sums[0], notes(&rig)), (40.0, vec!["WEIGHTS_NOT_NORMALIZED"]));
}

#[test]
fn whole_numbers_may_be_written_as_floats() {
    let mut json = with("/skins/0/joints", json!([1.0, 2.0]));
    json["nodes"][0]["mesh"] = json!(0.0);
    json["accessors"][0]["count"] = json!(4e0);
    json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(1.0);
    let rig = opened(&json);
    assert_eq!((rig.skeleton.len(), notes(&rig)), (2, vec![]));
    assert_eq!(rig.mesh, opened(&small()).mesh);
}

#[test]
fn what_is_wrong_is_told_in_words_of_the_format() {
    for (pointer, value, expected, found) in [
        ("/skins/0/joints", json!([1, 2.5]), "whole number", "2.5"),
        ("/skins/0/joints", json!([1, "x"]), "whole number", "x"),
        ("/nodes/1/children", json!([-1]), "whole number", "-1"),
        ("/bufferViews/0/byteLength", json!("48"), "whole number", "48"),
        ("/meshes/0/primitives", json!({}), "list", "object"),
    ] {
        let error = read(&with(pointer, value)).unwrap_err();
        assert!(error.path.starts_with(pointer), "{error}");
        assert!(error.expected.contains(expected), "{error}");
        assert!(error.found.replace('−', "-").contains(found), "{error}");
    }
}

#[test]
fn many_faults_of_a_kind_are_counted() {
    let broken = vec![json!(7); 10_000];
    let rig = opened(&with("/images", json!(broken)));
    let notes = &rig.origin.as_ref().unwrap().notes;
    assert!(notes.len() <= 60, "{} notes", notes.len());
    assert_eq!(notes.iter().map(|note| note.count).sum::<usize>(), 10_000);
}
