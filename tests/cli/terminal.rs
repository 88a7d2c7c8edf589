//! Text from files must not send control sequences to the terminal.

use super::*;

/// Clears the screen, rings the bell, changes the direction of text and starts a new line.
const EVIL: &str = "\u{1b}[2J\u{7}\u{202e}gnp\u{9b}31m\u{8}\r\nbindpose: all is well";

#[test]
fn text_from_files_cannot_control_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("evil.gltf");
    let name = file.to_string_lossy().into_owned();
    let sound = serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": EVIL}],
        "meshes": [{"name": EVIL, "primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"componentType": 5126, "type": "VEC3", "count": 3,
            "min": [0, 0, 0], "max": [0, 0, 0]}],
    });
    let changes: [(&str, Value); 6] = [
        ("/nodes/0/name", EVIL.into()),
        ("/nodes/0/name", "name ".repeat(200_000).into()),
        ("/asset/version", EVIL.into()),
        ("/extensionsRequired", serde_json::json!([EVIL])),
        ("/buffers", serde_json::json!([{"byteLength": 4, "uri": EVIL}])),
        ("/meshes/0/primitives/0/attributes/POSITION", EVIL.into()),
    ];
    for (at, value) in changes {
        let mut model = sound.clone();
        match model.pointer_mut(at) {
            Some(place) => *place = value,
            None => model[&at[1..]] = value,
        }
        model[EVIL] = 1.into();
        std::fs::write(&file, model.to_string()).expect("it is written");
        for args in [
            &["doctor"][..],
            &["doctor", "--format", "json"],
            &["skin"],
            &["skin", "--format", "json"],
            &["skin", "--set", "nope=1"],
            &["export", "--as", "obj", "--out", "/dev/null"],
            &["gpu-check"],
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_bindpose"))
                .args([args, &[&name]].concat())
                .env("RUST_LOG", "info")
                .output()
                .expect("the program starts");
            for text in [output.stdout, output.stderr] {
                let text = String::from_utf8(text).expect("UTF-8");
                let commands =
                    |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}';
                assert!(!text.contains(commands), "{args:?} {at}: {text:?}");
                assert!(!text.contains("\nbindpose: all is"), "{args:?} {at}: {text}");
                let long = text.lines().map(str::len).max().unwrap_or_default();
                let is_json = args.contains(&"json");
                assert!(is_json || long < 20_000, "{args:?} {at}: {long}");
                if is_json && text.starts_with('{') {
                    serde_json::from_str::<Value>(&text).expect("JSON");
                }
            }
        }
    }
    let complaint = error_of(&["skin", "bone_grid", "evil\u{1b}[2J\u{202e}.glb"]);
    assert!(complaint.contains(r"evil\u{202e}.glb"), "{complaint}");
    // CSV for other programs has names unescaped.
    std::fs::write(&file, sound.to_string()).expect("it is written");
    let csv = stdout_of(&["skin", &name, "--format", "csv"]);
    assert!(csv.contains("\u{1b}[2J"), "{csv}");
}
