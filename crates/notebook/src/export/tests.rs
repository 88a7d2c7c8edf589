//! Exported files, parsed again.

mod whole_numbers;

use std::sync::Arc;

use bindpose_gltf::{Image, Mesh, ModelSource, MorphTarget, Rig, TaskProgress, open, read_gltf};
use bindpose_lesson::Lesson;
use bindpose_rigs::builtin;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, Interpolation, JointIndex, Track, TrackProperty,
    WeightSource, moved_tangent, skin_positions,
};
use glam::{Mat4, Vec3};

use super::*;
use crate::test_sample::{exported, exported_text, parse_npy};
use crate::{Document, Edit, apply};

/// The rig in a pose that is not the rest pose.
fn posed(id: &str) -> Derived {
    let rig = builtin(id).unwrap();
    let mut document = Document::default();
    for (at, param) in rig.angles().enumerate() {
        document.state.params.insert(param.name.clone(), 0.3 + 0.1 * at as f64);
    }
    Derived::of_document(&document, None, &rig)
}

#[test]
fn a_pose_is_written_as_local_transforms() {
    let derived = posed("bone_grid");
    let read: serde_json::Value =
        serde_json::from_str(&exported_text("pose-json", &derived)).unwrap();
    let [pose] = &read["poses"].as_array().unwrap()[..] else { panic!("{read}") };
    let joints = pose["joints"].as_array().unwrap();
    assert_eq!(joints.len(), derived.rig.skeleton.len());
    for (joint, local) in joints.iter().zip(&derived.joints.pose.parent_from_joint) {
        let rotation: Vec<f32> = serde_json::from_value(joint["rotation"].clone()).unwrap();
        assert_eq!(rotation, local.rotation.to_array());
        let translation: Vec<f32> = serde_json::from_value(joint["translation"].clone()).unwrap();
        assert_eq!(translation, local.translation.to_array());
    }
}

#[test]
fn npy_contains_row_major_matrices() {
    let derived = posed("bone_grid");
    let (shape, values) = parse_npy(&exported("palette-npy", &derived));
    assert_eq!(shape, [3, 4, 4]);
    for (joint, matrix) in derived.joints.world_from_bind.iter().enumerate() {
        for row in 0..4 {
            for column in 0..4 {
                let found = values[(joint * 4 + row) * 4 + column];
                assert_eq!(found, matrix.col(column)[row]);
            }
        }
    }
    let (shape, values) = parse_npy(&exported("matrices-npy", &derived));
    assert_eq!(shape, [4, 3, 4, 4]);
    let inverse = Mat4::from_cols_slice(&values[2 * 48 + 16..2 * 48 + 32]).transpose();
    assert_eq!(inverse, derived.joints.joint_from_bind[1]);
    let (shape, values) = parse_npy(&exported("positions-npy", &derived));
    assert_eq!(shape, [10, 3]);
    assert_eq!(values[27..], derived.positions()[9].to_array());
    let (shape, values) = parse_npy(&exported("normals-npy", &derived));
    assert_eq!(shape, [10, 3]);
    assert_eq!(values[..3], derived.normal(0).unwrap().to_array());
}

#[test]
fn csv_and_json_contain_the_matrices_of_the_page() {
    let derived = posed("tentacle");
    let csv = exported_text("matrices-csv", &derived);
    let mut lines = csv.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("joint,name,parent,matrix,r0c0,r1c0,r2c0,r3c0,r0c1"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4 * 12);
    let numbers: Vec<f32> = rows[4 * 5 + 3][4..].iter().map(|n| n.parse().unwrap()).collect();
    assert_eq!(rows[23][..4], ["5", "segment 5", "4", "world_from_bind"]);
    assert_eq!(numbers, derived.joints.world_from_bind[5].to_cols_array());
    assert_eq!(exported_text("palette-csv", &derived).lines().count(), 1 + 12);

    let json: serde_json::Value =
        serde_json::from_str(&exported_text("matrices-json", &derived)).unwrap();
    assert_eq!(json["joints"][5]["parent"], 4);
    for (key, list) in tables::matrices_table(&derived) {
        let found: Vec<f32> = serde_json::from_value(json["joints"][5][key].clone()).unwrap();
        assert_eq!(found, list[5].to_cols_array(), "{key}");
    }
    let palette: serde_json::Value =
        serde_json::from_str(&exported_text("palette-json", &derived)).unwrap();
    assert!(palette["joints"][0]["world_from_bind"].is_array());
    assert!(palette["joints"][0]["joint_from_bind"].is_null());

    let csv = exported_text("positions-csv", &derived);
    let line: Vec<f32> =
        csv.lines().nth(8).unwrap().split(',').map(|n| n.parse().unwrap()).collect();
    assert_eq!(line[0], 7.0);
    assert_eq!(line[1..4], derived.positions()[7].to_array());
    assert_eq!(line[4..], derived.normals()[7].to_array());
}

#[test]
fn obj_has_every_vertex_and_corner() {
    for id in ["whale", "bone_grid"] {
        let derived = posed(id);
        let obj = exported_text("obj", &derived);
        let numbers = |start: &str| -> Vec<Vec<f32>> {
            let lines = obj.lines().filter_map(|line| line.strip_prefix(start));
            lines.map(|line| line.split(' ').map(|n| n.parse().unwrap()).collect()).collect()
        };
        let mesh = &derived.rig.mesh;
        let positions = numbers("v ");
        assert_eq!(positions.len(), mesh.positions.len(), "{id}");
        for (read, position) in positions.iter().zip(derived.positions().iter()) {
            assert_eq!(read[..], position.to_array());
        }
        assert_eq!(numbers("vn ").len(), positions.len());
        for (read, uv) in numbers("vt ").iter().zip(&mesh.uvs) {
            assert!((read[1] - (1.0 - uv.y)).abs() < 1e-6);
        }
        let corner = |corner: &str| corner.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
        let faces: Vec<Vec<u32>> = obj
            .lines()
            .filter_map(|line| line.strip_prefix("f "))
            .map(|line| line.split(' ').map(corner).collect())
            .collect();
        assert_eq!(faces.len(), mesh.triangles.len());
        assert!(faces.iter().zip(&mesh.triangles).all(|(face, triangle)| face[..] == triangle[..]));
        let lines = obj.lines().filter(|line| line.starts_with("l ")).count();
        assert_eq!(lines, mesh.lines.len());
    }
}

fn reopened(key: &str, derived: &Derived) -> Rig {
    read_gltf(&ModelSource::alone("read.glb", exported(key, derived)))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn at_rest(rig: &Rig) -> Vec<Vec3> {
    let palette = rig.world_from_bind(|_| None);
    skin_positions(&rig.mesh.positions, &rig.mesh.influences, &palette)
}

#[test]
fn posed_mesh_can_be_opened() {
    for id in ["whale", "tentacle", "bone_grid"] {
        let derived = posed(id);
        let read = reopened("glb", &derived);
        let mesh = &derived.rig.mesh;
        assert_eq!(read.mesh.triangles, mesh.triangles, "{id}");
        assert_eq!(read.mesh.lines, mesh.lines, "{id}");
        assert_eq!(read.mesh.uvs, mesh.uvs, "{id}");
        let pixels = |mesh: &Mesh| -> Vec<Option<Image>> {
            let images = mesh.images.iter();
            images.map(|image| image.pixels().cloned()).collect()
        };
        assert_eq!(pixels(&read.mesh), pixels(mesh), "{id}");
        for (found, expected) in at_rest(&read).iter().zip(derived.positions().iter()) {
            assert_eq!(found, expected, "{id}");
        }
        for (vertex, normal) in read.mesh.normals.iter().enumerate() {
            assert!(normal.abs_diff_eq(derived.normal(vertex).unwrap(), 1e-4), "{id}");
        }
        assert_eq!(read.mesh.tangents.len(), mesh.tangents.len(), "{id}");
        for (vertex, found) in read.mesh.tangents.iter().enumerate() {
            let expected = moved_tangent(&derived.vertex_matrix(vertex), mesh.tangents[vertex]);
            assert!(found.abs_diff_eq(expected, 1e-4), "{id}: {found} {expected}");
        }
    }
}

#[test]
fn tangents_are_left_out_after_morphing() {
    let target = MorphTarget {
        name: "swollen".to_owned(),
        slot: 0,
        first_vertex: 0,
        positions: vec![Vec3::X],
        normals: Vec::new(),
    };
    for (weight, expected) in [(0.0, true), (0.5, false)] {
        let mut rig = Rig::clone(&builtin("whale").unwrap());
        Arc::make_mut(&mut rig.mesh).targets = vec![target.clone()];
        rig.morph_weights = vec![weight];
        let (document, rig) = (Document::default(), Arc::new(rig));
        let derived = Derived::of_document(&document, None, &rig);
        let read = reopened("glb", &derived);
        assert_eq!(!read.mesh.tangents.is_empty(), expected, "{weight}");
    }
}

#[test]
fn exported_rig_opens_in_its_pose_and_bends() {
    for id in ["whale", "tentacle", "arm"] {
        let derived = posed(id);
        let read = reopened("rig-glb", &derived);
        let joints = read.skeleton.joints();
        for (found, expected) in joints.iter().zip(derived.rig.skeleton.joints()) {
            assert_eq!((&found.name, found.parent), (&expected.name, expected.parent));
            assert_eq!(found.joint_from_bind, expected.joint_from_bind);
        }
        for (found, expected) in at_rest(&read).iter().zip(derived.positions().iter()) {
            assert!(found.abs_diff_eq(*expected, 1e-4), "{id}: {found} {expected}");
        }
        assert_eq!(read.clips.len(), derived.rig.clips.len(), "{id}");
        let param = read.angles().next().unwrap().name.clone();
        let bent = read.world_from_bind(|name| (name == param).then_some(0.5));
        assert_ne!(bent, read.world_from_bind(|_| None));
    }
}

#[test]
fn node_above_the_skin_is_no_joint_of_it() {
    let file = builtin("simple_skin_file").unwrap();
    let source = &file.origin.as_ref().unwrap().source;
    let mut root: serde_json::Value = serde_json::from_slice(&source.main).unwrap();
    let nodes = root["nodes"].as_array_mut().unwrap();
    let above = nodes.len();
    nodes.push(serde_json::json!({ "name": "above", "translation": [1, 2, 3], "children": [1] }));
    root["scenes"] = serde_json::json!([{ "nodes": [0, above] }]);
    let source = ModelSource { main: root.to_string().into_bytes().into(), ..source.clone() };
    let rig = open(&source, &TaskProgress::default()).unwrap();
    assert_eq!((rig.skeleton.len(), rig.joint_count()), (3, 2));

    let rig = Arc::new(rig);
    let derived = Derived::of_document(&Document::default(), None, &rig);
    let written = ModelSource::alone("again.glb", exported("rig-glb", &derived));
    let again = open(&written, &TaskProgress::default()).unwrap();
    assert_eq!((again.skeleton.len(), again.joint_count()), (3, 2));
    for (found, expected) in at_rest(&again).iter().zip(at_rest(&rig)) {
        assert!(found.abs_diff_eq(expected, 1e-6), "{found} {expected}");
    }
}

#[test]
fn edits_are_exported() {
    let rig = builtin("arm").unwrap();
    let mut document = Document::default();
    let moved = Mat4::from_translation(Vec3::new(0.0, 1.0, 0.0));
    let edit = crate::InverseBindEdit(moved.to_cols_array());
    document.state.inverse_binds.insert(JointIndex(1), edit);
    let derived = Derived::of_document(&document, None, &rig);
    assert_eq!(reopened("rig-glb", &derived).skeleton.joints()[1].joint_from_bind, moved);
    let (_, values) = parse_npy(&exported("palette-npy", &derived));
    assert_eq!(
        Mat4::from_cols_slice(&values[16..32]).transpose(),
        derived.joints.world_from_bind[1]
    );
}

#[test]
fn more_than_four_influences_are_exported() {
    let rig = builtin("tentacle").unwrap();
    let mut document = Document::default();
    let pairs = [(7, 0.4), (0, 0.2), (9, 0.15), (11, 0.1), (2, 0.1), (5, 0.05)];
    let pairs = pairs.map(|(joint, weight)| (JointIndex(joint), weight));
    let painted = Influences::new(&pairs);
    let edit = Edit::Paint(vec![(505, painted)]);
    apply(&mut document, &edit, &Lesson::default(), &rig).unwrap();
    let derived = Derived::of_document(&document, None, &rig);
    let read = reopened("rig-glb", &derived);
    let position = derived.rig.mesh.positions[505];
    let vertex = read.mesh.positions.iter().position(|at| *at == position);
    let mut found: Vec<_> = read.mesh.influences[vertex.unwrap()].used().collect();
    found.sort_by(|a, b| b.2.total_cmp(&a.2));
    let name = |rig: &Rig, joint: JointIndex| rig.skeleton.joints()[joint.index()].name.clone();
    assert_eq!(found.len(), pairs.len());
    let mut expected = pairs.to_vec();
    expected.sort_by(|a, b| b.1.total_cmp(&a.1));
    for ((_, joint, weight), (painted, by)) in found.into_iter().zip(expected) {
        assert!((weight - by).abs() < 1e-6);
        if !(0.09..=0.11).contains(&by) {
            assert_eq!(name(&read, joint), name(&rig, painted));
        }
    }
    let json: serde_json::Value =
        serde_json::from_str(&exported_text("weights-json", &derived)).unwrap();
    assert_eq!(json["joints"][5], "segment 5");
    let vertices = json["vertices"].as_array().unwrap();
    assert_eq!(vertices.len(), derived.influences.len());
    let joints: Vec<u16> = serde_json::from_value(vertices[505]["joints"].clone()).unwrap();
    let weights: Vec<f32> = serde_json::from_value(vertices[505]["weights"].clone()).unwrap();
    assert_eq!(joints, [7, 0, 9, 11, 2, 5]);
    assert_eq!(weights, [0.4, 0.2, 0.15, 0.1, 0.1, 0.05]);
    let csv = exported_text("weights-csv", &derived);
    assert!(csv.contains("\n505,3,11,segment 11,0.1\n"), "{csv}");
}

#[test]
fn notes_on_left_out_parts() {
    let codes = |key: &str, derived: &Derived| -> Vec<&'static str> {
        let notes = Export::from_key(key).unwrap().left_out(derived, 0);
        notes.iter().map(|note| note.code).collect()
    };
    let arm = posed("arm");
    assert!(codes("rig-glb", &arm).is_empty(), "all of it is in the file");
    assert_eq!(codes("obj", &posed("head")), ["ONE_POSE", "NO_MATERIALS"]);
    let whole = [ExportContent::Rig, ExportContent::Weights];
    for export in Export::of_numbers().filter(|export| !whole.contains(&export.content)) {
        assert!(codes(&export.key(), &arm).contains(&"ONE_POSE"));
    }
    assert_eq!(codes("weights-json", &arm), ["WEIGHTS_ALONE"]);
    assert!(codes("palette-npy", &arm).contains(&"NO_NAMES"));
    assert_eq!(codes("rig-glb", &posed("whale")), ["NOT_READ"]);

    let rig = builtin("arm").unwrap();
    let mut document = Document::default();
    document.state.weights.insert(0, [0.0; 8].into());
    document.state.weights.insert(1, [0.5; 8].into());
    let edit = crate::InverseBindEdit([1.0; 16]);
    document.state.inverse_binds.insert(JointIndex(1), edit);
    let derived = Derived::of_document(&document, None, &rig);
    let expected = ["WEIGHTS_CHANGED", "WEIGHTS_CHANGED", "INVERSE_BIND_CHANGED"];
    assert_eq!(codes("rig-glb", &derived), expected);
    let read = reopened("rig-glb", &derived);
    let used = |vertex: usize| -> Vec<_> { read.mesh.influences[vertex].used().collect() };
    assert_eq!(used(0), [(0, JointIndex(0), 1.0)]);
    assert!((read.mesh.stored_sums[1] - 1.0).abs() < 1e-6);
    let matrix = read.skeleton.joints()[1].joint_from_bind;
    assert_eq!(matrix.row(3), glam::Vec4::W);
}

#[test]
fn computed_weights_are_exported() {
    for source in WeightSource::ALL {
        let rig = builtin("legs").unwrap();
        let mut document = Document::default();
        document.state.weights_by.source = source;
        document.state.weights_by.most = 4;
        let derived = Derived::of_document(&document, None, &rig);
        let read = reopened("rig-glb", &derived);
        for (read, shown) in read.mesh.influences.iter().zip(&derived.influences) {
            for (_, joint, weight) in shown.used() {
                let in_file = read.used().filter(|&(_, other, _)| other == joint);
                let in_file: f32 = in_file.map(|(_, _, weight)| weight).sum();
                assert!((in_file - weight).abs() < 1e-5, "{source:?}: {read:?} {shown:?}");
            }
        }
    }
}

#[test]
fn clip_without_targets_is_left_out_with_a_note() {
    let track = Track {
        property: TrackProperty::Weights,
        interpolation: Interpolation::Linear,
        times_secs: vec![0.0, 1.0],
        values: vec![0.0, 1.0],
        width: 1,
    };
    let clip = Clip {
        name: "smile".to_owned(),
        duration_secs: 1.0,
        frame_secs: None,
        channels: vec![Channel { target: ChannelTarget::Morphs(0), track: Arc::new(track) }],
    };
    let target = MorphTarget {
        name: "mouth".to_owned(),
        slot: 0,
        first_vertex: 0,
        positions: Vec::new(),
        normals: Vec::new(),
    };
    let mut rig = (*builtin("bone_grid").unwrap()).clone();
    (rig.clips, rig.morph_weights) = (vec![clip], vec![0.25]);
    // A target whose changes are not read exists nevertheless.
    for targets in [vec![], vec![target]] {
        let is_there = !targets.is_empty();
        Arc::make_mut(&mut rig.mesh).targets = targets;
        let rig = Arc::new(rig.clone());
        let derived = Derived::of_document(&Document::default(), None, &rig);
        let export = Export::from_key("rig-glb").unwrap();
        let notes = export.left_out(&derived, 0);
        let is_noted = notes.iter().any(|note| note.code == "CLIP_LEFT_OUT");
        let again = reopened("rig-glb", &derived);
        assert_eq!((is_noted, again.clips.len()), (!is_there, is_there.into()));
        // Each part of a mesh lists all of its targets.
        let mut targets = again.mesh.targets.iter();
        assert!(targets.all(|target| (&*target.name, target.slot) == ("mouth", 0)));
        assert_eq!(again.mesh.targets.is_empty(), !is_there);
        let weights: &[f32] = if is_there { &[0.25] } else { &[] };
        assert_eq!(again.morph_weights, weights);
    }
}

#[test]
fn unoffered_format_lists_the_offered_ones() {
    let wrong = Export { content: ExportContent::Rig, format: ExportFormat::Obj, weights: None };
    let error = wrong.bytes(&posed("arm"), 0).unwrap_err();
    assert_eq!(error.code, "NOT_OFFERED");
    assert_eq!(error.to_string(), "expected glTF (.glb), found OBJ");
    let picture = Export::default().bytes(&posed("arm"), 0);
    assert_eq!(picture.unwrap_err().code, "NOT_COMPUTED");
    assert!(ExportContent::ALL.iter().all(|content| !content.formats().is_empty()));
}

#[test]
fn keys_and_file_names_are_unique() {
    let mut seen = std::collections::BTreeSet::new();
    for export in Export::of_numbers() {
        let key = export.key();
        assert_eq!(Export::from_key(&key), Some(export));
        assert!(seen.insert(export.file_name("x")), "{key}");
        let about = export.about(&posed("arm"), 0);
        assert!(!about.is_empty() && !about.contains('{'), "{key}: {about}");
    }
    // The fifth joint belongs to no skin. It is part of the pose, but of no palette.
    let about = |key: &str| Export::from_key(key).unwrap().about(&posed("gimbal"), 0);
    assert!(about("rig-glb").starts_with("4 joints"));
    assert!(about("pose-json").starts_with("5 joints"));
    assert!(about("palette-npy").contains("(4, 4, 4)"));
    assert_eq!(Export::from_key("page-png"), None, "a picture is no number");
    let palette = Export::from_key("palette-npy").unwrap();
    assert_eq!(palette.file_name("My model/v2.glb"), "My_model_v2_glb-palette.npy");
    assert_eq!(palette.file_name("…"), "model-palette.npy");
}
