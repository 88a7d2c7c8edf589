//! Commands that write files.

use super::*;

#[test]
fn export_writes_the_numbers_of_skin_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (out, json) = (path("out.csv"), path("out.json"));
    let export = ["export", "bone_grid", "--set", "all=0.8", "--as"];
    assert_eq!(stdout_of(&[&export[..], &["positions-csv", "--out", &out]].concat()), "");
    let text = std::fs::read_to_string(&out).unwrap();
    let skin = ["skin", "bone_grid", "--set", "all=0.8", "--format", "json"];
    let report: Value = serde_json::from_str(&stdout_of(&skin)).unwrap();
    let vertices = report["vertices"].as_array().unwrap();
    assert_eq!(text.lines().count(), 1 + vertices.len());
    for (line, vertex) in text.lines().skip(1).zip(vertices) {
        let found: Vec<f64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        let position = numbers(&vertex["position_in_world"]);
        assert_eq!(found[1..4], position[..], "to the last digit");
    }

    std::fs::write(&json, "mine").unwrap();
    let args = [&export[..], &["palette-json", "--out", &json]].concat();
    let complaint = error_of(&args);
    assert!(complaint.contains("--force"), "{complaint}");
    assert_eq!(std::fs::read_to_string(&json).unwrap(), "mine");
    stdout_of(&[&args[..], &["--force"]].concat());
    let palette: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    for (found, joint) in
        palette["joints"].as_array().unwrap().iter().zip(report["joints"].as_array().unwrap())
    {
        assert_eq!(found["world_from_bind"], joint["world_from_bind"]);
    }

    let arrays = path("palette.npy");
    let again = [&export[..], &["palette-npy", "--out", &arrays]].concat();
    let message = String::from_utf8(bindpose(&again).stderr).unwrap();
    assert!(message.contains("note: It has no names"), "{message}");

    let other = path("other.obj");
    let wrong = |args: &[&str], words: &str| {
        let complaint = error_of(&[&["export"], args, &["--out", &other]].concat());
        assert!(complaint.contains(words), "{complaint}");
    };
    wrong(&["whael", "--as", "obj"], "whale");
    wrong(&["whale", "--as", "palette-npi"], "palette-npy");
    wrong(&["whale", "--as", "obj", "--method", "lineer"], "linear");
    wrong(&["whale", "--as", "obj", "--animation", "99"], "0 `swim`");
    wrong(&["legs", "--as", "obj", "--weights", "heat"], "bone-heat");
    assert!(!std::path::Path::new(&other).exists());
}

/// A model with two skins. The parent of the first skin's root is not a joint.
const TWO_SKINS: &str = r#"{"asset": {"version": "2.0"}, "nodes": [
    {"name": "above", "translation": [0, 0, 3], "children": [1]},
    {"name": "a", "children": [2]}, {"name": "b", "translation": [0, 1, 0]},
    {"name": "c", "translation": [5, 0, 0]}],
    "skins": [{"joints": [1, 2]}, {"joints": [3]}]}"#;

#[test]
fn match_reads_the_exported_palette_of_one_skin() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = path("two.gltf");
    std::fs::write(&model, TWO_SKINS).unwrap();
    let names_in = |out: &str| -> Vec<String> {
        let json: Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
        let joints = json["joints"].as_array().unwrap().iter();
        joints.map(|joint| joint["name"].as_str().unwrap().to_owned()).collect()
    };
    let export = ["export", &model, "--as"];
    for (skin, names) in
        [(&[][..], &["a", "b"][..]), (&["--skin", "0"], &["a", "b"]), (&["--skin", "1"], &["c"])]
    {
        for (content, ending) in [
            ("palette", "json"),
            ("matrices", "json"),
            ("palette", "csv"),
            ("matrices", "csv"),
            ("palette", "npy"),
            ("matrices", "npy"),
        ] {
            let (key, out) = (format!("{content}-{ending}"), path(&format!("out.{ending}")));
            stdout_of(&[&export[..], &[&key, "--out", &out, "--force"], skin].concat());
            if ending == "json" {
                assert_eq!(names_in(&out), names, "{key} {skin:?}");
            }
            let message = stdout_of(&["match", &model, &out]);
            assert!(message.contains("joint matri"), "{key} {skin:?}: {message}");
        }
    }
    let out = path("refused.csv");
    let wrong = |args: &[&str], words: &str| {
        let complaint = error_of(&[&export[..], args, &["--out", &out]].concat());
        assert!(complaint.contains(words), "{complaint}");
    };
    wrong(&["palette-csv", "--skin", "2"], "numbered 0 to 1");
    wrong(&["palette-csv", "--skin", "-1"], "whole number");
    wrong(&["positions-csv", "--skin", "1"], "palette-csv");
    let skin = error_of(&["skin", &model, "--skin", "2"]);
    assert!(skin.contains("numbered 0 to 1"), "{skin}");
    let weights = path("weights.json");
    stdout_of(&["export", "bone_grid", "--as", "weights-json", "--out", &weights]);
    let complaint = error_of(&["match", "bone_grid", &weights]);
    assert!(complaint.contains("export --as palette-json"), "{complaint}");
}

#[test]
fn commands_reject_existing_files_missing_folders_and_wrong_extensions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let model = path("model.gltf");
    let root = r#"{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, 0, 0.5]}]}"#;
    std::fs::write(&model, root).expect("it is written");
    for (args, name) in [
        (&["export", "whale", "--as", "obj", "--out"][..], "a.obj"),
        (&["shot", "40", "--out"], "a.png"),
        (&["doctor", &model, "--mend"], "a.glb"),
        (&["record", "--out"], "a.md"),
    ] {
        let to = |out: &str| error_of(&[args, &[out]].concat());
        std::fs::write(path(name), "mine").expect("it is written");
        let complaint = to(&path(name));
        assert!(complaint.contains("is there already"), "{complaint}");
        assert!(complaint.contains("--force"), "{complaint}");
        let complaint = to(&path(&format!("no/{name}")));
        assert!(complaint.contains("there is no folder"), "{complaint}");
        for other in ["a.txt", "a"] {
            let complaint = to(&path(other));
            assert!(complaint.contains("a name that ends in ."), "{complaint}");
        }
        let kept = std::fs::read_to_string(path(name)).expect("it is there");
        assert_eq!(kept, "mine");
    }
    let complaint = error_of(&["tour", "--out", &path("no/tour")]);
    assert!(complaint.contains("no/tour was not made"), "{complaint}");
    let lesson = folder.path().join("lessons/10-a");
    std::fs::create_dir_all(&lesson).expect("a folder");
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\nWords.\n";
    std::fs::write(lesson.join("lesson.md"), text).expect("it is written");
    std::fs::write(path("10-a-01-one-dark.png"), "mine").expect("it is written");
    let (lessons, here) = (path("lessons"), path(""));
    let complaint = error_of(&["tour", "--lessons", &lessons, "--out", &here]);
    assert!(complaint.contains("one-dark.png is there already"), "{complaint}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 7);
}

#[cfg(target_os = "linux")]
#[test]
fn output_can_go_to_pipes_and_devices() {
    let export = ["export", "bone_grid", "--as", "positions-csv", "--out"];
    let text = stdout_of(&[&export[..], &["/dev/stdout"]].concat());
    assert!(text.starts_with("vertex,"), "{text}");
    let complaint = error_of(&[&export[..], &["/dev/full"]].concat());
    assert!(complaint.contains("No space left"), "{complaint}");
    // `>>` appends to an existing file.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.txt");
    let script = r#"echo first >"$0"; "$@" >>"$0"; echo last >>"$0""#;
    let ended = Command::new("sh")
        .args(["-c", script])
        .arg(&file)
        .arg(env!("CARGO_BIN_EXE_bindpose"))
        .args(export)
        .arg("/dev/stdout")
        .status();
    assert!(ended.expect("a shell starts").success());
    let found = std::fs::read_to_string(&file).expect("it is there");
    assert_eq!(found, format!("first\n{text}last\n"));
}

#[test]
fn the_doctor_reports_mends_and_overwrites_nothing() {
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

    let text = stdout_of(&["doctor", &model, "--mend", &mended]);
    // The copy has a note, so something is left.
    assert!(!text.contains("Nothing is left to mend."), "{text}");
    assert!(text.contains("Notes on the copy:"), "{text}");
    let of_copy = stdout_of(&["doctor", &mended]);
    assert!(of_copy.contains("0 errors, 0 warnings, 1 note"), "{of_copy}");
    assert!(!of_copy.contains("Nothing wrong was found."), "{of_copy}");
    assert_eq!(std::fs::read_to_string(&model).expect("it is there"), root);

    for out in [&mended, &model] {
        let complaint = error_of(&["doctor", &model, "--mend", out]);
        assert!(complaint.contains("is there already"), "{complaint}");
    }
    stdout_of(&["doctor", &model, "--mend", &mended, "--force"]);
    // A sound model is not written again, and a message says so.
    let output = bindpose(&["doctor", &mended, "--mend", &path("again.glb")]);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}");
    assert!(words.contains("there is nothing to mend"), "{words}");
    assert!(!folder.path().join("again.glb").exists());
    let complaint = error_of(&["doctor", &model, "--mend", &path("a.obj")]);
    assert!(complaint.contains(".glb or .gltf"), "{complaint}");
    let complaint = error_of(&["doctor", &path("none.gltf")]);
    assert!(complaint.contains("none.gltf"), "{complaint}");
    error_of(&["doctor", &folder.path().to_string_lossy(), "--mend", &path("b.glb")]);
}

/// Counts in a file must not determine how much memory is allocated.
#[cfg(target_os = "linux")]
#[test]
fn small_files_with_huge_counts_take_little_time_and_memory() {
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
        for (command, code) in [("doctor", 1), ("skin", 2)] {
            let begun = std::time::Instant::now();
            // 200 MB of address space, including the program itself.
            let output = Command::new("sh")
                .args(["-c", r#"ulimit -v 200000; exec "$@""#, "sh"])
                .args([env!("CARGO_BIN_EXE_bindpose"), command])
                .arg(&file)
                .output()
                .expect("a shell starts");
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{command} {name}: {complaint}");
            assert!(!complaint.contains("panicked"), "{command} {name}: {complaint}");
            assert!(begun.elapsed().as_secs_f64() < 5.0, "{command} {name}");
        }
    }
}

#[test]
fn the_record_contains_the_progress_of_the_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let settings = r#"{"progress": {"bone-grid": {"reach-for-it": {"seen": true, "answers":
        {"reach": {"2": {"solved": true, "link": "bindpose://bone-grid"}}}}}},
        "bookmarks": {"bone-grid": ["reach-for-it"]},
        "notes": {"bone-grid": {"reach-for-it": "Look at w."}}}"#;
    std::fs::write(path("settings.json"), settings).expect("it is written");
    let write = |name: &str| {
        let status = Command::new(env!("CARGO_BIN_EXE_bindpose"))
            .args(["record", "--out", &path(name)])
            .env("BINDPOSE_SETTINGS", folder.path())
            .status();
        assert!(status.expect("the program starts").success(), "{name}");
        std::fs::read_to_string(path(name)).expect("it is there")
    };
    let text = write("record.md");
    let line = "| Reach for it | solved, bookmarked |  | Bring v9 to (6.00, 2.46).";
    assert!(text.contains(line), "{text}");
    let note = "\nNote on “Reach for it”:\n\n> Look at w.\n";
    assert!(text.contains(note), "{text}");
    let record: Value = serde_json::from_str(&write("record.json")).expect("JSON");
    assert_eq!(record["version"], 1);
    let lessons = record["lessons"].as_array().expect("a list").iter();
    let mut steps = lessons.flat_map(|lesson| lesson["steps"].as_array().expect("a list"));
    let reach = steps.find(|step| step["step"] == "reach-for-it");
    let answer = &reach.expect("the step")["exercises"][0]["answers"][0];
    assert_eq!((&answer["draw"], &answer["solved"]), (&2.into(), &true.into()));
    let turn = answer["numbers"]["turn"].as_f64().expect("a number");
    assert!((turn.to_degrees() - 60.0).abs() < 1e-9);
}
