//! `bindpose doctor` as in continuous integration: several files and folders, exit codes,
//! baselines, SARIF and the script of the GitHub action. Also the omissions that all commands report
//! when they read a model.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::json;

use super::*;

/// A model with one error, and a note that it has no mesh.
const BROKEN: &str = r#"{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, 0, 0.5]}]}"#;
/// The same model with a node inserted before the broken one.
const MOVED: &str = r#"{"asset": {"version": "2.0"}, "nodes": [{},
    {"rotation": [0, 0, 0, 0.5]}]}"#;
const WORSE: &str = r#"{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, 0, 0.5]},
    {"rotation": [0, 0, 0, 0.5]}]}"#;

/// A temporary folder with models, which is the working directory of the program.
struct Models(tempfile::TempDir);

impl Models {
    fn new(files: &[(&str, &str)]) -> Self {
        let models = Self(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            models.write(name, text);
        }
        models
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("it is written");
    }

    fn doctor(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_bindpose"))
            .current_dir(self.0.path())
            .arg("doctor")
            .args(args)
            .output()
            .expect("the program starts")
    }

    /// Returns exit code and standard output.
    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = self.doctor(args);
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(args).1).expect("JSON")
    }
}

#[test]
fn files_and_folders_are_examined_in_order_and_the_worst_sets_the_exit_code() {
    let models = Models::new(&[
        ("b/a.gltf", BROKEN),
        ("b/c/x.GLTF", BROKEN),
        ("b/.hidden/a.gltf", BROKEN),
        ("b/._a.gltf", BROKEN),
        ("b/notes.txt", "no model"),
        ("empty/notes.txt", "no model"),
    ]);
    fs::copy(WHALE, models.path("b/b.glb")).expect("it is copied");
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", models.path("b/c/up")).expect("a link");
    let args = ["b", "b/a.gltf", "--format", "json"];
    let list = models.json(&args);
    let files = list.as_array().expect("a list").iter();
    let files: Vec<&str> = files.map(|one| one["file"].as_str().expect("a name")).collect();
    assert_eq!(files, ["b/a.gltf", "b/b.glb", "b/c/x.GLTF"]);
    assert_eq!(list[0]["errors"], 1);
    assert_eq!(list[1]["errors"], 0);
    assert!(list[0].get("in_baseline").is_none() && list[0].get("mend").is_none());

    let (code, text) = models.run(&["b"]);
    assert_eq!(code, Some(1));
    assert!(text.ends_with("\n3 files: 2 errors, 1 warning, 3 notes\n"), "{text}");
    assert_eq!(models.run(&["b/b.glb", "b/b.glb"]).0, Some(0));

    // Unreadable files are reported, and the others are still examined.
    let output = models.doctor(&["none.glb", "b", "empty"]);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    for words in ["none.glb", "empty: expected a folder with .glb", "2 of 5 could not be examined"]
    {
        assert!(complaint.contains(words), "{words}: {complaint}");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("3 files: 2 errors"));
    assert_eq!(models.run(&["empty"]).0, Some(2));
}

#[test]
fn denied_warnings_set_the_exit_code() {
    let models = Models::new(&[]);
    fs::copy(WHALE, models.path("a.glb")).expect("it is copied");
    let report = models.json(&["a.glb", "--format", "json"]);
    assert_eq!((&report["errors"], &report["warnings"]), (&0.into(), &1.into()));
    assert_eq!(models.run(&["a.glb"]).0, Some(0));
    assert_eq!(models.run(&["a.glb", "--deny", "warnings"]).0, Some(1));
    assert_eq!(models.run(&["a.glb", "--deny", "notes"]).0, Some(2));
}

#[test]
fn findings_of_the_baseline_are_hidden_until_there_are_more() {
    let models = Models::new(&[("m/a.gltf", BROKEN)]);
    let (code, text) = models.run(&["m", "--write-baseline", "known.json"]);
    assert_eq!(code, Some(0));
    assert_eq!(text, "known.json: 2 findings in 1 file\n");
    let known: Value =
        serde_json::from_slice(&fs::read(models.path("known.json")).expect("it is there"))
            .expect("JSON");
    let rotation = json!({"file": "m/a.gltf", "code": "ROTATION_NON_UNIT",
        "at": "/nodes/*/rotation", "count": 1});
    assert!(known["findings"].as_array().expect("a list").contains(&rotation), "{known}");

    let with = ["--deny", "warnings", "--baseline", "known.json"];
    let on = |file: &str| models.run(&[&[file], &with[..]].concat());
    let whole = models.path("m/a.gltf");
    for file in ["m", "./m/a.gltf", whole.to_str().expect("a name")] {
        let (code, text) = on(file);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("Left out, as the baseline has them: 2 findings."), "{text}");
        assert!(text.contains("Nothing new that is wrong was found."), "{text}");
    }
    let report = models.json(&[&["m/a.gltf", "--format", "json"], &with[..]].concat());
    assert_eq!((&report["errors"], &report["in_baseline"]), (&0.into(), &2.into()));
    models.write("m/a.gltf", MOVED);
    assert_eq!(on("m").0, Some(0), "the same fault at another node");
    models.write("m/a.gltf", WORSE);
    assert_eq!(on("m").0, Some(1));
    models.write("m/b.gltf", BROKEN);
    models.write("m/a.gltf", BROKEN);
    assert_eq!(on("m").0, Some(1), "another file");

    let assert_fails = |args: &[&str], words: &str| {
        let output = models.doctor(args);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(words), "{complaint}");
    };
    assert_fails(&["m", "--write-baseline", "known.json"], "is there already");
    assert_fails(&["m", "--baseline", "none.json"], "none.json");
    assert_fails(&["m", "--baseline", "m/a.gltf"], "--write-baseline");
    assert_eq!(models.run(&["m", "--write-baseline", "known.json", "--force"]).0, Some(0));
    assert_eq!(on("m").0, Some(0));
}

#[test]
fn sarif_follows_its_schema() {
    let models = Models::new(&[("a folder/a.gltf", BROKEN), ("b.glb", "no model at all")]);
    let output = models.doctor(&["a folder", "b.glb", "none.glb", "--format", "sarif"]);
    assert_eq!(output.status.code(), Some(2));
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().expect("an address").contains("sarif-2.1.0"));
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"));
    let levels = ["error", "warning", "note"];
    let has_level = |level: &Value| levels.contains(&level.as_str().expect("a level"));
    let rules = driver["rules"].as_array().expect("rules");
    assert!(rules.len() > 100);
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            let text = rule[text]["text"].as_str().expect("a text");
            assert!(!text.is_empty(), "{rule}");
        }
        assert!(has_level(&rule["defaultConfiguration"]["level"]), "{rule}");
    }
    let mut ids: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), rules.len(), "each has a name of its own");

    let results = run["results"].as_array().expect("results");
    assert!(results.len() >= 3, "{run}");
    for result in results {
        let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(result["ruleId"], rules[rule]["id"]);
        assert!(has_level(&result["level"]));
        assert!(!result["message"]["text"].as_str().expect("a text").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64() >= Some(1));
        let uri = place["artifactLocation"]["uri"].as_str().expect("an address");
        assert!(["a%20folder/a.gltf", "b.glb"].contains(&uri), "{uri}");
        assert!(result["partialFingerprints"]["primaryLocationLineHash"].is_string());
    }
    let rotation = results.iter().find(|result| result["ruleId"] == "ROTATION_NON_UNIT");
    let rotation = rotation.expect("the rotation");
    let logical = &rotation["locations"][0]["logicalLocations"][0];
    assert_eq!(logical["fullyQualifiedName"], "/nodes/0/rotation");
    assert_eq!(rotation["properties"]["at"], "/nodes/0/rotation");

    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let unread = &invocation["toolExecutionNotifications"][0]["message"]["text"];
    assert!(unread.as_str().expect("a text").contains("none.glb"));
    let sound = models.json(&["a folder", "--format", "sarif"]);
    assert_eq!(sound["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn one_model_is_mended_at_a_time() {
    let models = Models::new(&[("a.gltf", BROKEN), ("b.gltf", BROKEN)]);
    for (args, words) in [
        (&["a.gltf", "b.gltf"][..], "expected one model, found 2 files"),
        (&["a.gltf", "--format", "sarif"], "SARIF"),
        (&["a.gltf", "--baseline", "b.json"], "--baseline"),
        (&["a.gltf", "--write-baseline", "b.json"], "--write-baseline"),
        (&["."], "a file"),
    ] {
        let output = models.doctor(&[args, &["--mend", "out.glb"]].concat());
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(words), "{complaint}");
        assert!(!models.path("out.glb").exists());
    }
}

#[test]
fn the_last_lines_summarize_the_report() {
    let text = stdout_of(&["doctor", WHALE]).replace('\n', " ");
    for words in [
        "Examined: 1 mesh (4,968 vertices), 1 skin (21 joints), 3 clips. It is ",
        " 1 warning: allowed, but likely not meant",
        " It rests up to 33° away from its bind pose at 19 joints.",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let models = Models::new(&[("a.gltf", BROKEN), ("b.glb", "no model at all")]);
    let (_, text) = models.run(&["a.gltf"]);
    let words = "Examined: no mesh, no skin, 0 clips. 1 error: a rule of the format is broken, or the \
                 picture is wrong. 1 finding can be mended.";
    assert!(text.replace('\n', " ").contains(words), "{text}");
    let report = models.json(&["a.gltf", "--format", "json"]);
    let counts = json!({"meshes": 0, "vertices": 0, "skins": 0, "joints": 0, "clips": 0});
    assert_eq!(report["examined"], counts);
    assert_eq!(models.json(&["b.glb", "--format", "json"])["examined"], Value::Null);
}

/// Writes the whale with an animation channel that refers to a missing accessor.
fn write_whale_with_broken_channel(folder: &Path) -> String {
    let from = Path::new(WHALE).with_extension("gltf");
    let mut root: Value =
        serde_json::from_slice(&fs::read(&from).expect("it is there")).expect("JSON");
    root["animations"][0]["samplers"][0]["input"] = 9999.into();
    let file = folder.join("lost.gltf");
    fs::write(&file, root.to_string()).expect("it is written");
    for beside in ["whale.bin", "whale.png"] {
        fs::copy(from.with_file_name(beside), folder.join(beside)).expect("it is copied");
    }
    file.to_str().expect("a name").to_owned()
}

#[test]
fn omissions_are_reported_by_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write_whale_with_broken_channel(folder.path());
    let out = folder.path().join("out.obj");
    let out = out.to_str().expect("a name");
    for args in [
        &["skin", &file][..],
        &["rigs", &file],
        &["export", &file, "--as", "obj", "--out", out],
        &["eval", &file, "x(v2)"],
        &["compare", &file, &file],
    ] {
        let output = bindpose(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {stderr}");
        for words in ["lost.gltf: /animations/0/", "what this channel moves stays still"] {
            assert!(stderr.contains(words), "{args:?}: {stderr}");
        }
    }
    for command in ["skin", "rigs"] {
        let json = |file: &str| -> Value {
            serde_json::from_str(&stdout_of(&[command, file, "--format", "json"])).expect("JSON")
        };
        assert_eq!(json(&file)["notes"][0]["code"], "CHANNEL_LEFT_OUT");
        assert_eq!(json(WHALE)["notes"], json!([]));
    }
    assert!(bindpose(&["skin", WHALE]).stderr.is_empty());
}

/// Runs the last script of `action.yml` as GitHub does.
#[cfg(target_os = "linux")]
#[test]
fn the_github_action_passes_its_inputs_to_the_doctor() {
    let text = include_str!("../../action.yml");
    let (_, script) = text.rsplit_once("      run: |\n").expect("a script");
    let models = Models::new(&[("m/a.gltf", BROKEN), ("m/b c.gltf", BROKEN)]);
    assert_eq!(models.run(&["m", "--write-baseline", "known.json"]).0, Some(0));
    let run = |files: &str, deny: &str, baseline: &str| {
        let status = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
            .current_dir(models.0.path())
            .envs([("FILES", files), ("DENY", deny), ("BASELINE", baseline)])
            .envs([("SARIF", "new folder/out.sarif"), ("PROGRAM", env!("CARGO_BIN_EXE_bindpose"))])
            .output();
        let log = fs::read(models.path("new folder/out.sarif")).expect("it is written");
        let log: Value = serde_json::from_slice(&log).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results").len();
        (status.expect("bash starts").status.code(), results)
    };
    assert_eq!(run("m/a.gltf\nm/b c.gltf\n", "", ""), (Some(1), 4));
    assert_eq!(run("m", "warnings", "known.json"), (Some(0), 0));
    assert_eq!(run(".", "", ""), (Some(1), 4));
    models.write("m/a.gltf", WORSE);
    assert_eq!(run(".", "warnings", "known.json"), (Some(1), 1));
    assert_eq!(run("none", "", "").0, Some(2));
}

/// Pins the findings about the built-in models, so that no false finding is added.
#[test]
fn our_own_models_have_only_these_findings() {
    let found = stdout_of(&["doctor", "assets/models", "--format", "json"]);
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let found = found.as_array().expect("a list").iter().flat_map(|file| {
        let name = file["file"].as_str().expect("a name").rsplit('/').next();
        let findings = file["findings"].as_array().expect("a list").iter();
        let codes = findings.map(|finding| finding["code"].as_str().expect("a code").to_owned());
        codes.map(move |code| (name.unwrap_or_default().to_owned(), code)).collect::<Vec<_>>()
    });
    let found: Vec<(String, String)> = found.collect();
    let found: Vec<(&str, &str)> =
        found.iter().map(|(file, code)| (file.as_str(), code.as_str())).collect();
    let rotations = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    let expected = [
        ("simple_skin.glb", rotations),
        ("simple_skin.gltf", "NO_NORMALS"),
        ("simple_skin.gltf", rotations),
        ("tentacle.glb", "INFLUENCES_BEYOND_FIRST_SET"),
        ("whale.glb", "NODE_SKINNED_MESH_LOCAL_TRANSFORMS"),
        ("whale.glb", "REST_IS_NOT_BIND"),
        ("whale.gltf", "NODE_SKINNED_MESH_LOCAL_TRANSFORMS"),
        ("whale.gltf", "REST_IS_NOT_BIND"),
    ];
    assert_eq!(found, expected);
}

/// A cycle of nodes with a joint below it once kept the doctor busy forever. `ulimit` ends the
/// program after 30 s of processor time, which does not depend on the load of the machine.
#[cfg(target_os = "linux")]
#[test]
fn hierarchies_without_a_root_are_examined_in_bounded_processor_time() {
    let skin = r#""skins": [{"joints": [2]}]}"#;
    let begin = r#"{"asset": {"version": "2.0"}, "nodes": ["#;
    for (name, nodes, code) in [
        ("loop", r#"{"children": [1]}, {"children": [0, 2]}, {}"#, "NODE_LOOP"),
        ("own", r#"{"children": [0, 2]}, {}, {}"#, "NODE_LOOP"),
        ("parents", r#"{"children": [2]}, {"children": [2]}, {}"#, "NODE_PARENT_OVERRIDE"),
        ("missing", r#"{"children": [2, 7]}, {}, {}"#, "UNRESOLVED_REFERENCE"),
    ] {
        let file = format!("{name}.gltf");
        let models = Models::new(&[(&file, &format!("{begin}{nodes}], {skin}"))]);
        let output = Command::new("sh")
            .args(["-c", "ulimit -t 30; exec \"$0\" doctor --format json \"$1\""])
            .args([env!("CARGO_BIN_EXE_bindpose"), &file])
            .current_dir(models.0.path())
            .output()
            .expect("a shell starts");
        assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let findings = report["findings"].as_array().expect("a list");
        assert!(findings.iter().any(|finding| finding["code"] == code), "{name}: {report}");
    }
}
