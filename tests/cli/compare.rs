//! `bindpose compare`, and the option `--compare` of the notebook.

use serde_json::Value;

use super::{WHALE, bindpose, error_of, stdout_of};

fn found(a: &str, b: &str, form: &str) -> (Option<i32>, String) {
    let output = bindpose(&["compare", a, b, "--format", form]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), text)
}

#[test]
fn a_model_equals_its_file() {
    for b in ["whale", WHALE] {
        let (code, text) = found("whale", b, "text");
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("They are the same"), "{text}");
    }
}

#[test]
fn differences_are_reported_with_exit_code_1() {
    let (code, text) = found("arm", "whale", "text");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("Only B has"), "{text}");
    let (code, text) = found("arm", "whale", "json");
    assert_eq!(code, Some(1));
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["equal"], false);
    assert_eq!(json["vertices"]["alone"].as_array().map(Vec::len), Some(2));
    let sentences = json["findings"].as_array().expect("sentences");
    assert!(!sentences.is_empty());
}

#[test]
fn one_moved_vertex_of_a_seam_is_a_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, last: [f32; 3]| {
        let path = folder.path().join(name).with_extension("gltf");
        let (json, bytes) = seam(name, last);
        std::fs::write(&path, json.to_string()).expect("written");
        std::fs::write(path.with_extension("bin"), bytes).expect("written");
        path.to_str().expect("a name").to_owned()
    };
    let (a, b) = (file("a", [0.0, 1.0, 0.0]), file("b", [0.0, 1.0, 0.5]));
    assert_eq!(found(&a, &a, "text").0, Some(0));
    let (code, text) = found(&a, &b, "text");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("1 vertex of B stands where A has none."), "{text}");
}

/// JSON and buffer of two triangles that share an edge but not its vertices.
fn seam(name: &str, last: [f32; 3]) -> (Value, Vec<u8>) {
    let places: [[f32; 3]; 6] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], last];
    let mut bytes: Vec<u8> = Vec::new();
    for number in places.iter().flatten() {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([0_u8; 4 * 6]);
    for weight in [[1.0_f32, 0.0, 0.0, 0.0]; 6].iter().flatten() {
        bytes.extend(weight.to_le_bytes());
    }
    let accessor = |view: usize, component: u32, kind: &str| {
        serde_json::json!({
            "bufferView": view, "componentType": component, "count": 6, "type": kind,
            "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 0.5],
        })
    };
    let mut accessors =
        [accessor(0, 5126, "VEC3"), accessor(1, 5121, "VEC4"), accessor(2, 5126, "VEC4")];
    for accessor in &mut accessors[1..] {
        let accessor = accessor.as_object_mut().expect("an object");
        accessor.remove("min");
        accessor.remove("max");
    }
    let json = serde_json::json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "root"}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0]}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2},
        }]}],
        "accessors": accessors,
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 72},
            {"buffer": 0, "byteOffset": 72, "byteLength": 24},
            {"buffer": 0, "byteOffset": 96, "byteLength": 96},
        ],
        "buffers": [{"byteLength": bytes.len(), "uri": format!("{name}.bin")}],
    });
    (json, bytes)
}

#[test]
fn what_cannot_be_read_is_refused() {
    let complaint = error_of(&["compare", "whale", "wale"]);
    assert!(complaint.contains("whale"), "{complaint}");
    error_of(&["compare", "whale"]);
}

#[test]
fn a_window_accepts_a_second_model() {
    for args in [&[WHALE, "--compare", WHALE][..], &["--compare", WHALE]] {
        let complaint = error_of(args);
        assert!(complaint.contains("display"), "{complaint}");
    }
    let complaint = error_of(&[WHALE, "--compare", "no-such.glb"]);
    assert!(complaint.contains("no-such.glb"), "{complaint}");
    error_of(&[WHALE, "--compare", WHALE, "--lesson", "40"]);
    assert!(stdout_of(&["--help"]).contains("--compare"));
}
