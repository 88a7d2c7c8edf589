//! `bindpose match` recognises every exported file.

use std::sync::Arc;

use bindpose_gltf::{ModelSource, NodeIndex, TaskProgress, load, open, write_npy};
use bindpose_notebook::engine_numbers::read_numbers;
use bindpose_notebook::export::{Export, ExportContent, ExportFormat, skin_to_export};
use bindpose_notebook::test_sample::{exported, exported_text, parse_npy};
use bindpose_notebook::{Derived, Document};
use bindpose_rigs::builtin;
use glam::Mat4;
use serde_json::{Value, json};

use super::engine_model::page;
use super::matched;
use super::wrong_palettes::shared_folder;

/// A strip whose skin lists the upper joint first, below two nodes that are no joints of it,
/// one of them between joints.
fn nodes_around_a_skin() -> (Document, Derived) {
    let mut root = strip();
    root["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "name": "lower", "children": [3] },
        { "name": "upper", "translation": [0.0, 0.5, 0.0], "rotation": [0.0, 0.0, 0.6, 0.8] },
        { "name": "between", "translation": [0.1, 0.5, 0.0], "children": [2] },
        { "name": "above", "translation": [1.0, 2.0, 3.0], "children": [1] },
    ]);
    root["scenes"] = json!([{ "nodes": [0, 4] }]);
    root["skins"][0]["joints"] = json!([2, 1]);
    opened(&root)
}

/// The strip twice, with two skins of as many joints, one of them below another node.
fn two_skins() -> (Document, Derived) {
    let mut root = strip();
    root["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "name": "lower", "children": [2] },
        { "name": "upper", "translation": [0.0, 1.0, 0.0], "rotation": [0.0, 0.0, 0.6, 0.8] },
        { "mesh": 0, "skin": 1 },
        { "name": "other lower", "translation": [5.0, 0.0, 0.0], "children": [5] },
        { "name": "other upper", "translation": [0.0, 1.5, 0.0] },
        { "name": "above", "children": [4] },
    ]);
    root["scenes"] = json!([{ "nodes": [0, 1, 3, 6] }]);
    let mut second = root["skins"][0].clone();
    root["skins"][0]["joints"] = json!([1, 2]);
    second["joints"] = json!([4, 5]);
    root["skins"].as_array_mut().unwrap().push(second);
    opened(&root)
}

/// The file of the glTF tutorial without clips.
fn strip() -> Value {
    let file = builtin("simple_skin_file").unwrap();
    let source = &file.origin.as_ref().unwrap().source;
    let mut root: Value = serde_json::from_slice(&source.main).unwrap();
    root.as_object_mut().unwrap().remove("animations");
    root
}

fn opened(root: &Value) -> (Document, Derived) {
    let file = builtin("simple_skin_file").unwrap();
    let source = file.origin.as_ref().unwrap().source.clone();
    let source = ModelSource { main: root.to_string().into_bytes().into(), ..source };
    let rig = Arc::new(open(&source, &TaskProgress::default()).unwrap());
    let document = Document::default();
    let derived = Derived::of_document(&document, None, &rig);
    (document, derived)
}

fn built_in(id: &str) -> (Document, Derived) {
    let rig = builtin(id).unwrap();
    let mut document = Document::default();
    for (at, param) in rig.angles().enumerate() {
        document.state.params.insert(param.name.clone(), 0.3 + 0.1 * at as f64);
    }
    let derived = Derived::of_document(&document, None, &rig);
    (document, derived)
}

#[test]
fn every_export_is_recognised() {
    for (document, derived) in [
        nodes_around_a_skin(),
        two_skins(),
        built_in("gimbal"),
        built_in("bone_grid"),
        built_in("whale"),
    ] {
        let model = &derived.rig.title;
        for export in Export::of_numbers() {
            for skin in 0..derived.rig.skin_count() {
                let key = format!("{} of skin {skin} of {model}", export.key());
                let bytes = export.bytes(&derived, skin).unwrap();
                let read = read_numbers(&bytes);
                let is_model = export.format == ExportFormat::Glb;
                if is_model || export.content == ExportContent::Weights {
                    let wrong = read.expect_err(&key);
                    assert!(wrong.help.contains("export --as palette-json"), "{key}: {wrong}");
                    continue;
                }
                let found = matched(read.expect(&key), &document, &derived);
                assert!(found.equal, "{key}: {}", found.words());
            }
        }
    }
}

/// Models of the shared collection, in a moment of their first clip.
fn shared_models() -> Vec<(Document, Derived)> {
    let mut found = Vec::new();
    for folder in [shared_folder(), shared_folder().join("synthetic")] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("SKIPPED: no models at {}", folder.display());
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let is_model =
                matches!(path.extension().and_then(|end| end.to_str()), Some("gltf" | "glb"));
            let source = is_model.then(|| load(&path, &TaskProgress::default()).ok()).flatten();
            // Some of them are refused by intent.
            if let Some(rig) = source.and_then(|of| open(&of, &TaskProgress::default()).ok()) {
                let time_secs = rig.clips.first().map(|clip| 0.37 * f64::from(clip.duration_secs));
                found.push(page(&Arc::new(rig), time_secs));
            }
        }
    }
    found
}

#[test]
fn every_export_of_the_shared_models_is_recognised() {
    let mut wrongs = Vec::new();
    for (document, derived) in shared_models() {
        for export in Export::of_numbers() {
            let has_numbers =
                export.format != ExportFormat::Glb && export.content != ExportContent::Weights;
            for skin in (0..derived.rig.skin_count()).filter(|_| has_numbers) {
                let key = format!("{} of skin {skin} of {}", export.key(), derived.rig.title);
                // A skin that could not be read has no palette.
                let Ok(bytes) = export.bytes(&derived, skin) else { continue };
                match read_numbers(&bytes) {
                    Ok(numbers) => {
                        let found = matched(numbers, &document, &derived);
                        if !found.equal {
                            wrongs.push(format!("{key}: {}", found.words()));
                        }
                    }
                    Err(wrong) => wrongs.push(format!("{key}: {wrong}")),
                }
            }
        }
    }
    assert!(wrongs.is_empty(), "{}\n{}", wrongs.len(), wrongs.join("\n"));
}

#[test]
fn palette_has_the_order_of_its_skin() {
    for (_, derived) in [nodes_around_a_skin(), two_skins()] {
        let graph = &derived.rig.origin.as_ref().unwrap().graph;
        for (skin, stored) in graph.skins.iter().enumerate() {
            let export = |key: &str| Export::from_key(key).unwrap().bytes(&derived, skin).unwrap();
            let (shape, values) = parse_npy(&export("palette-npy"));
            assert_eq!(shape, [2, 4, 4]);
            let joints = |node: &NodeIndex| graph.nodes[node.index()].joint.unwrap();
            for (place, joint) in stored.joints.iter().map(joints).enumerate() {
                let found = Mat4::from_cols_slice(&values[16 * place..][..16]).transpose();
                assert_eq!(found, derived.joints.world_from_bind[joint.index()], "{place}");
            }
            let (shape, _) = parse_npy(&export("matrices-npy"));
            assert_eq!(shape, [4, 2, 4, 4]);
            let json: Value = serde_json::from_slice(&export("matrices-json")).unwrap();
            let names = json["joints"].as_array().unwrap().iter();
            let names: Vec<&str> = names.map(|joint| joint["name"].as_str().unwrap()).collect();
            let stored = stored.joints.iter().map(|node| &graph.nodes[node.index()]);
            let stored: Vec<&str> = stored.map(|node| node.name.as_deref().unwrap()).collect();
            assert_eq!(names, stored);
            let csv = String::from_utf8(export("palette-csv")).unwrap();
            assert_eq!(csv.lines().count(), 1 + 2);
        }
    }
}

#[test]
fn parents_are_row_indices() {
    let (_, derived) = nodes_around_a_skin();
    let json: Value = serde_json::from_slice(&exported("palette-json", &derived)).unwrap();
    let parents: Vec<&Value> =
        json["joints"].as_array().unwrap().iter().map(|joint| &joint["parent"]).collect();
    assert_eq!(parents, [&json!(1), &Value::Null]);
}

#[test]
fn palette_of_one_of_several_skins() {
    let (_, derived) = two_skins();
    let export = Export::from_key("palette-npy").unwrap();
    let notes = |export: Export| -> Vec<String> {
        let notes = export.left_out(&derived, 1).into_iter();
        notes.filter(|note| note.code == "ONE_SKIN").map(|note| note.title).collect()
    };
    assert_eq!(notes(export).len(), 1);
    assert!(notes(export)[0].contains("skin 1 alone, of 2"), "{:?}", notes(export));
    assert!(notes(Export::from_key("pose-json").unwrap()).is_empty());
    let wrong = export.bytes(&derived, 2).unwrap_err();
    assert!(wrong.help.contains("0 to 1"), "{wrong}");
    assert!(export.about(&derived, 1).contains("(2, 4, 4)"));
    // The skin of the selected joint, or the first.
    let of_second = derived.rig.joints_of_skin(1).unwrap()[0];
    assert_eq!(skin_to_export(&derived.rig, Some(of_second)), 1);
    assert_eq!(skin_to_export(&derived.rig, None), 0);
}

#[test]
fn changed_matrices_are_not_ours() {
    let (document, derived) = nodes_around_a_skin();
    let first = derived.rig.joints_of_skin(0).unwrap()[0].index();
    // The last of four lists, and the local transforms of a pose.
    let mut matrices = parse_npy(&exported("matrices-npy", &derived)).1;
    let last = matrices.len() - 5;
    matrices[last] += 0.25;
    let lists = write_npy(&[4, 2, 4, 4], &matrices);
    let mut pose: Value = serde_json::from_slice(&exported("pose-json", &derived)).unwrap();
    pose["poses"][0]["joints"][first]["translation"][1] = json!(2.5);
    let csv = exported_text("palette-csv", &derived);
    let line = csv.lines().last().unwrap();
    let end = line.rfind(',').unwrap();
    let csv = csv.replace(line, &format!("{},9.0", &line[..end]));
    for (what, bytes) in
        [("lists", lists), ("pose", pose.to_string().into_bytes()), ("csv", csv.into_bytes())]
    {
        let found = matched(read_numbers(&bytes).unwrap(), &document, &derived);
        assert!(!found.equal, "{what}");
        assert!(found.words().contains("differ from ours"), "{what}: {}", found.words());
    }
    // A pose with another number of joints belongs to another model.
    pose["poses"][0]["joints"].as_array_mut().unwrap().pop();
    let found = matched(read_numbers(pose.to_string().as_bytes()).unwrap(), &document, &derived);
    assert!(found.words().contains("of another model"), "{}", found.words());
}
