//! Supported features of glTF, one per test.

use bindpose_skin::{ChannelTarget, Method};
use glam::{Mat3, Vec2, Vec4};
use image::codecs::jpeg::JpegEncoder;

use super::*;
use crate::{ClipAt, TextureUse, Wrap};

/// Returns the world positions of all vertices, with clips and parameter values applied.
fn world_positions(rig: &Rig, clips: &[ClipAt], values: &[(&str, f64)]) -> Vec<Vec3> {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|v| v.1);
    let posed = rig.posed_in(clips, value);
    let world = rig.skeleton.world_from_joint(&posed.pose);
    let palette: Vec<Mat4> = world
        .iter()
        .zip(&posed.joint_from_bind)
        .map(|(&world, &inverse)| world * inverse)
        .collect();
    rig.mesh.moved(&palette, &posed.morph_weights, Method::Linear).positions
}

fn clip_at(clip: usize, time_secs: f64) -> [ClipAt; 1] {
    [ClipAt { clip, time_secs, share: 1.0 }]
}

#[test]
fn skins_that_share_nodes_have_aliases() {
    let mut json = minimal_json();
    let inverse_bind = Mat4::from_translation(Vec3::X * 3.0).to_cols_array();
    let numbers = [inverse_bind, inverse_bind].concat();
    let inverse_binds = add_floats(&mut json, "MAT4", 2, &numbers);
    json["skins"] = json!([
        { "joints": [1, 2] },
        { "joints": [2, 1], "inverseBindMatrices": inverse_binds },
    ]);
    json["nodes"][0] = json!({ "mesh": 0, "skin": 0 });
    json["nodes"].as_array_mut().unwrap().push(json!({ "mesh": 0, "skin": 1 }));
    let rig = open_json(&json);
    let parents: Vec<_> = rig.skeleton.joints().iter().map(|j| j.parent.map(|p| p.0)).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(0)]);
    let graph = &rig.origin.as_ref().unwrap().graph;
    assert_eq!(graph.skins[1].ours, [JointIndex(2), JointIndex(3)]);
    assert_eq!((graph.skins[0].has_inverse_binds, graph.skins[1].has_inverse_binds), (false, true));
    assert_eq!(rig.angles().count(), 2, "an alias turns with the first joint");
    let parts: Vec<_> =
        rig.mesh.parts.iter().map(|p| (p.node.0, p.skin, p.vertices.clone())).collect();
    assert_eq!(parts, [(0, Some(0), 0..4), (3, Some(1), 4..8)]);
    // Vertex 0 follows the first joint of its skin: the root, or the tip.
    let positions = world_positions(&rig, &[], &[]);
    assert_eq!(positions[0], Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(positions[4], Vec3::new(2.0, 1.0, 0.0));
    assert_eq!(world_positions(&rig, &[], &[("root", 1.0)])[4].x, 2.0);
}

#[test]
fn a_duplicate_joint_is_read_and_noted() {
    let rig = open_json(&with_value("/skins/0/joints", json!([1, 1])));
    assert_eq!((rig.skeleton.len(), note_codes(&rig)), (2, vec!["DUPLICATE_JOINT"]));
}

#[test]
fn unskinned_meshes_move_with_their_node() {
    let mut json = minimal_json();
    json["nodes"][2]["mesh"] = json!(0);
    let nodes = json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "prop", "mesh": 0, "translation": [0.0, 0.0, 7.0] }));
    let rig = open_json(&json);
    let names: Vec<&str> = rig.skeleton.joints().iter().map(|j| &*j.name).collect();
    assert_eq!(names, ["root", "tip", "prop", "tip"]);
    let skins: Vec<_> = rig.mesh.parts.iter().map(|part| part.skin).collect();
    assert_eq!(skins, [Some(0), None, None]);
    let positions = world_positions(&rig, &[], &[]);
    assert_eq!(positions[4], Vec3::new(-1.0, 1.0, 0.0));
    assert_eq!(positions[8], Vec3::new(-1.0, 0.0, 7.0));
    assert_eq!(rig.mesh.stored_sums, [1.0; 12]);
}

#[test]
fn nodes_of_a_file_without_skins_can_be_posed() {
    let mut json = minimal_json();
    json.as_object_mut().unwrap().remove("skins");
    json["nodes"] = json!([
        { "name": "door", "mesh": 0, "rotation": [0.0, 0.0, 0.0, 2.0] },
        { "name": "hinge", "translation": [0.0, 3.0, 0.0], "children": [0] },
        { "name": "nothing" },
    ]);
    let rig = open_json(&json);
    let names: Vec<&str> = rig.angles().map(|param| &*param.name).collect();
    assert_eq!(names, ["hinge", "door"]);
    assert_eq!(world_positions(&rig, &[], &[])[0], Vec3::new(-1.0, 3.0, 0.0));
    let turned = world_positions(&rig, &[], &[("hinge", std::f64::consts::PI)])[3];
    assert!(turned.abs_diff_eq(Vec3::new(1.0, 1.0, 0.0), 1e-5), "{turned}");
}

#[test]
fn skeletons_without_a_mesh_open() {
    let rig = open_json(&with_value("/nodes/0", json!({})));
    assert_eq!((rig.skeleton.len(), rig.mesh.positions.len()), (2, 0));
}

/// Adds two sets of influences: four of ¼ and four of ½.
fn with_three_sets(joints: [[u8; 4]; 2]) -> Value {
    let mut json = minimal_json();
    for ((set, weight), joints) in [(1, 0.25), (2, 0.5)].into_iter().zip(joints) {
        let weights = add_floats(&mut json, "VEC4", 4, &[weight; 16]);
        let joints = add_accessor(&mut json, 5121, "VEC4", 4, &[joints; 4].concat());
        let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
        attributes[format!("WEIGHTS_{set}")] = json!(weights);
        attributes[format!("JOINTS_{set}")] = json!(joints);
    }
    json
}

#[test]
fn all_of_twelve_influences_are_kept() {
    let mut json = with_three_sets([[2, 3, 4, 5], [6, 7, 8, 9]]);
    let nodes = json["nodes"].as_array_mut().unwrap();
    let first = nodes.len();
    nodes.extend((0..8).map(|_| json!({})));
    let skin = json["skins"][0].as_object_mut().unwrap();
    skin.remove("inverseBindMatrices");
    let joints = skin["joints"].as_array_mut().unwrap();
    joints.extend((first..first + 8).map(Value::from));
    let rig = open_json(&json);
    let mesh = &rig.mesh;
    assert_eq!(mesh.stored_sums, [4.0; 4]);
    // Vertex 0 has one influence of 1, four of ¼ and four of ½.
    let all = &mesh.many[&0];
    let weights: Vec<f32> = all.iter().map(|&(_, weight)| weight).collect();
    assert_eq!(weights, [0.25, 0.0625, 0.0625, 0.0625, 0.0625, 0.125, 0.125, 0.125, 0.125]);
    assert_eq!(mesh.influences[0].weights[0], 0.25 / 0.9375);
    assert!((mesh.influences[0].sum() - 1.0).abs() < 1e-6);
}

#[test]
fn influences_of_the_same_joint_are_merged() {
    let rig = open_json(&with_three_sets([[1; 4]; 2]));
    let influences = rig.mesh.influences[0];
    assert_eq!((influences.lanes(), influences.weights[1]), (2, 0.75));
    assert!(rig.mesh.many.is_empty());
    // A quarter follows the root, three quarters follow the tip.
    assert_eq!(world_positions(&rig, &[], &[])[0], Vec3::new(-1.0, 0.75, 0.0));
}

#[test]
fn quantized_attributes_are_normalized_if_declared() {
    let mut json = minimal_json();
    let bytes = [127_u8, 0, 0, 0, 129, 127, 0, 0, 127, 0, 0, 0, 0, 127, 0, 0];
    let normals = add_accessor(&mut json, 5120, "VEC3", 4, &bytes);
    json["accessors"][normals]["normalized"] = json!(true);
    json["bufferViews"][normals]["byteStride"] = json!(4);
    let corners: Vec<u8> =
        [0_u16, 65535, 32768, 0, 1, 2, 3, 4].iter().flat_map(|x| x.to_le_bytes()).collect();
    let uvs = add_accessor(&mut json, 5123, "VEC2", 4, &corners);
    json["accessors"][uvs]["normalized"] = json!(true);
    let colors = add_accessor(&mut json, 5121, "VEC3", 4, &[255; 12]);
    json["accessors"][colors]["normalized"] = json!(true);
    let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
    attributes["NORMAL"] = json!(normals);
    attributes["TEXCOORD_0"] = json!(uvs);
    attributes["COLOR_0"] = json!(colors);
    json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let rig = open_json(&json);
    let diagonal = Vec3::new(-1.0, 1.0, 0.0) * std::f32::consts::FRAC_1_SQRT_2;
    assert!(rig.mesh.normals[1].abs_diff_eq(diagonal, 1e-6));
    assert_eq!(rig.mesh.uvs[0], Vec2::new(0.0, 1.0));
    assert_eq!(rig.mesh.colors, [Vec4::ONE; 4]);
    assert!(note_codes(&rig).is_empty());
}

#[test]
fn morph_targets_have_slots_weights_names_and_parameters() {
    let mut json = minimal_json();
    let up = add_floats(&mut json, "VEC3", 4, &[0.0, 2.0, 0.0].repeat(4));
    let tilt = add_floats(&mut json, "VEC3", 4, &[1.0, 0.0, 0.0].repeat(4));
    json["meshes"][0]["primitives"][0]["targets"] = json!([
        { "POSITION": up }, { "POSITION": up, "NORMAL": tilt },
    ]);
    json["meshes"][0]["weights"] = json!([0.5, 0.0]);
    json["meshes"][0]["extras"] = json!({ "targetNames": ["smile"] });
    json["nodes"].as_array_mut().unwrap().push(json!({ "mesh": 0, "weights": [0.0, 1.0] }));
    let times = add_floats(&mut json, "SCALAR", 2, &[0.0, 1.0]);
    let weights = add_floats(&mut json, "SCALAR", 4, &[0.0, 0.0, 1.0, 3.0]);
    json["animations"] = json!([{
        "samplers": [{ "input": times, "output": weights }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
    }]);
    let rig = open_json(&json);
    assert_eq!(rig.morph_weights, [0.5, 0.0, 0.0, 1.0]);
    let names: Vec<&str> = rig.params.iter().map(|param| &*param.name).collect();
    assert_eq!(names, ["root", "tip", "smile", "morph_1", "smile_2", "morph_1_3"]);
    assert_eq!(
        rig.mesh.targets.iter().map(|t| (t.slot, t.first_vertex)).collect::<Vec<_>>(),
        [(0, 0), (1, 0), (2, 4), (3, 4)]
    );
    assert_eq!(world_positions(&rig, &[], &[])[0].y, 1.0);
    assert_eq!(world_positions(&rig, &[], &[("smile", 0.5)])[0].y, 2.0);
    assert_eq!(world_positions(&rig, &[], &[])[4].y, 2.0);
    assert_eq!(world_positions(&rig, &clip_at(0, 0.5), &[])[0].y, 4.0);
    assert_eq!(rig.clips[0].channels[0].target, ChannelTarget::Morphs(0));
}

#[test]
fn keys_may_be_steps_splines_and_integers() {
    let mut json = minimal_json();
    let times = add_floats(&mut json, "SCALAR", 2, &[1.0, 3.0]);
    let places = add_floats(&mut json, "VEC3", 2, &[0.0, 1.0, 0.0, 0.0, 5.0, 0.0]);
    let flat = [0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0];
    let scales = add_floats(&mut json, "VEC3", 6, &flat.repeat(2));
    let turns: Vec<u8> =
        [0_i16, 0, 0, 32767, 0, 0, 32767, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let turns = add_accessor(&mut json, 5122, "VEC4", 2, &turns);
    json["accessors"][turns]["normalized"] = json!(true);
    json["animations"] = json!([{ "name": "all", "samplers": [
        { "input": times, "output": places, "interpolation": "STEP" },
        { "input": times, "output": scales, "interpolation": "CUBICSPLINE" },
        { "input": times, "output": turns },
    ], "channels": [
        { "sampler": 0, "target": { "node": 2, "path": "translation" } },
        { "sampler": 1, "target": { "node": 1, "path": "scale" } },
        { "sampler": 2, "target": { "node": 2, "path": "rotation" } },
        { "sampler": 0, "target": { "node": 0, "path": "translation" } },
    ] }]);
    let rig = open_json(&json);
    let clip = &rig.clips[0];
    assert_eq!((&*clip.name, clip.duration_secs, clip.channels.len()), ("all", 3.0, 3));
    assert!(note_codes(&rig).is_empty());
    let pose = |time| rig.posed_in(&clip_at(0, time), |_| None).pose.parent_from_joint;
    assert_eq!(pose(2.9)[1].translation, Vec3::Y);
    assert_eq!(pose(3.0)[1].translation, Vec3::Y * 5.0);
    assert_eq!(pose(2.0)[0].scale, Vec3::splat(2.0));
    let half = pose(2.0)[1].rotation;
    assert!(half.abs_diff_eq(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), 1e-6));
}

#[test]
fn the_default_scene_is_shown_unless_it_is_empty() {
    let mut json = minimal_json();
    json["nodes"].as_array_mut().unwrap().push(json!({ "mesh": 0 }));
    json["scenes"] = json!([{ "nodes": [0, 1] }, { "nodes": [3] }, { "nodes": [1] }]);
    for (scene, nodes) in [(json!(null), vec![0]), (json!(1), vec![3]), (json!(2), vec![0, 3])] {
        json["scene"] = scene;
        let rig = open_json(&json);
        let shown: Vec<u32> = rig.mesh.parts.iter().map(|part| part.node.0).collect();
        assert_eq!(shown, nodes);
        assert_eq!(rig.origin.unwrap().graph.scenes.len(), 3);
    }
}

#[test]
fn base_colours_have_an_image_and_its_mapping() {
    let mut jpeg = Vec::new();
    JpegEncoder::new(&mut jpeg).encode(&[200; 12], 2, 2, image::ExtendedColorType::Rgb8).unwrap();
    let mut json = minimal_json();
    let uvs = add_floats(&mut json, "VEC2", 4, &[0.5; 8]);
    json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(uvs);
    json["meshes"][0]["primitives"][0]["material"] = json!(0);
    json["images"] = json!([{ "uri": data_uri(&jpeg) }]);
    json["samplers"] = json!([{ "magFilter": 9728, "wrapS": 33071, "wrapT": 33648 }]);
    json["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    json["materials"] = json!([{
        "name": "paint", "alphaMode": "MASK", "doubleSided": true,
        "extensions": { "KHR_materials_unlit": {} },
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 1.0, 1.0, 1.0],
            "baseColorTexture": { "index": 0, "extensions": { "KHR_texture_transform": {
                "offset": [0.25, 0.0], "scale": [2.0, 4.0], "rotation": 0.0, "texCoord": 1,
            } } },
        },
    }]);
    let rig = open_json(&json);
    let mesh = &rig.mesh;
    assert_eq!((mesh.uvs.clone(), mesh.parts[0].material), (vec![Vec2::splat(0.5); 4], Some(0)));
    let material = &mesh.materials[0];
    assert_eq!((&*material.name, material.alpha_cutoff), ("paint", Some(0.5)));
    assert!(material.unlit && material.double_sided && material.base_color.x == 0.5);
    let expected = TextureUse {
        image: 0,
        image_from_uv: Mat3::from_cols_array(&[2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.25, 0.0, 1.0]),
        wrap: [Wrap::ClampToEdge, Wrap::MirroredRepeat],
        nearest: true,
    };
    assert_eq!(material.texture, Some(expected));
    let image = mesh.images[0].pixels().unwrap();
    assert_eq!((image.width, image.rgba.len()), (2, 16));
    assert!(note_codes(&rig).is_empty());
}

#[test]
fn primitives_that_share_attributes_share_vertices() {
    let mut json = minimal_json();
    let first = json["meshes"][0]["primitives"][0].clone();
    json["meshes"][0]["primitives"] = json!([first, first]);
    let rig = open_json(&json);
    assert_eq!(rig.mesh.positions.len(), 4);
    let triangles: Vec<_> = rig.mesh.parts.iter().map(|part| part.triangles.clone()).collect();
    assert_eq!(triangles, [0..2, 2..4]);
    assert_eq!(rig.mesh.parts[1].name, "mesh 0, part 1");
}
