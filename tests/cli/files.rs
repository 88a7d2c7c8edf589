//! Files that are written, examined and mended.

use super::*;

#[test]
fn export_writes_what_skin_prints_and_never_over_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let file = out.to_str().unwrap();
    let export = ["export", "bone_grid", "--set", "all=0.8", "--as"];
    let args = |what: &'static str| [&export[..], &[what, "--out", file]].concat();
    assert_eq!(printed(&args("positions-csv")), "");
    let text = std::fs::read_to_string(&out).unwrap();
    let skin = ["skin", "bone_grid", "--set", "all=0.8", "--format", "json"];
    let report: Value = serde_json::from_str(&printed(&skin)).unwrap();
    let vertices = report["vertices"].as_array().unwrap();
    assert_eq!(text.lines().count(), 1 + vertices.len());
    for (line, vertex) in text.lines().skip(1).zip(vertices) {
        let found: Vec<f64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        let position = numbers(&vertex["position_in_world"]);
        assert_eq!(found[1..4], position[..], "to the last digit");
    }

    let complaint = refused(&args("palette-json"), 1);
    assert!(complaint.contains("--force"), "{complaint}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text, "still there");
    printed(&[&args("palette-json")[..], &["--force"]].concat());
    let palette: Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    for (found, joint) in palette["joints"]
        .as_array()
        .unwrap()
        .iter()
        .zip(report["joints"].as_array().unwrap())
    {
        assert_eq!(found["world_from_bind"], joint["world_from_bind"]);
    }

    let again = [&args("palette-npy")[..], &["--force"]].concat();
    let told = String::from_utf8(bindpose(&again).stderr).unwrap();
    assert!(told.contains("note: It has no names"), "{told}");

    let other = folder.path().join("other");
    let other = other.to_str().unwrap();
    let wrong = |args: &[&str], words: &str| {
        let complaint = refused(&[&["export"], args, &["--out", other]].concat(), 2);
        assert!(complaint.contains(words), "{complaint}");
    };
    wrong(&["whael", "--as", "obj"], "whale");
    wrong(&["whale", "--as", "palette-npi"], "palette-npy");
    wrong(&["whale", "--as", "obj", "--method", "lineer"], "linear");
    wrong(
        &["whale", "--as", "obj", "--animation", "99"],
        "numbered 0 to",
    );
    assert!(!std::path::Path::new(other).exists());
}

#[test]
fn the_doctor_finds_mends_and_never_writes_over_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (model, mended) = (path("model.gltf"), path("mended.glb"));
    let root = r#"{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, 0, 0.5]}]}"#;
    std::fs::write(&model, root).expect("it is written");

    let output = bindpose(&["doctor", &model, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["errors"], 1);
    assert_eq!(report["file"], model.as_str());
    assert_eq!(report["findings"][0]["code"], "ROTATION_NON_UNIT");
    assert_eq!(report["findings"][0]["at"], "/nodes/0/rotation");

    let text = printed(&["doctor", &model, "--mend", &mended]);
    assert!(text.contains("Nothing is left to mend."), "{text}");
    assert!(printed(&["doctor", &mended]).contains("The file is sound."));
    assert_eq!(std::fs::read_to_string(&model).expect("it is there"), root);

    for out in [&mended, &model] {
        let complaint = refused(&["doctor", &model, "--mend", out], 2);
        assert!(complaint.contains("exists already"), "{complaint}");
    }
    let complaint = refused(&["doctor", &model, "--mend", &path("a.obj")], 2);
    assert!(complaint.contains(".glb or .gltf"), "{complaint}");
    let complaint = refused(&["doctor", &path("none.gltf")], 1);
    assert!(complaint.contains("none.gltf"), "{complaint}");
    refused(&["doctor", &folder.path().to_string_lossy()], 1);
}

/// What a file says of itself must not decide how much memory is taken.
#[cfg(target_os = "linux")]
#[test]
fn a_small_file_is_told_at_once_and_in_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let accessor = r#""componentType": 5126, "count": 4294967295, "type": "MAT4""#;
    let sparse = r#""sparse": {"count": 4294967295, "indices": {"bufferView": 0,
        "componentType": 5125}, "values": {"bufferView": 0}}"#;
    let whole = r#""asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "skin": 0}, {}], "skins": [{"joints": [1], "inverseBindMatrices": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 0, "WEIGHTS_0": 0}}]}],
        "buffers": [{"byteLength": 4294967295, "uri": "data:,"}],
        "bufferViews": [{"buffer": 0, "byteLength": 4294967295}]"#;
    for (name, accessor) in [
        ("empty", accessor.to_owned()),
        ("sparse", format!("{accessor}, {sparse}")),
        ("viewed", format!(r#"{accessor}, "bufferView": 0"#)),
    ] {
        let file = folder.path().join(format!("{name}.gltf"));
        let text = format!(r#"{{{whole}, "accessors": [{{{accessor}}}]}}"#);
        std::fs::write(&file, text).expect("it is written");
        for command in ["doctor", "skin"] {
            let begun = std::time::Instant::now();
            // 200 MB for everything, the program itself among it.
            let output = Command::new("sh")
                .args(["-c", r#"ulimit -v 200000; exec "$@""#, "sh"])
                .args([env!("CARGO_BIN_EXE_bindpose"), command])
                .arg(&file)
                .output()
                .expect("a shell starts");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{command} {name}: {complaint}"
            );
            assert!(
                !complaint.contains("panicked"),
                "{command} {name}: {complaint}"
            );
            assert!(begun.elapsed().as_secs_f64() < 5.0, "{command} {name}");
        }
    }
}
