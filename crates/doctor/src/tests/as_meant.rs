//! Unambiguous mistakes, which are reported, mended, and read as intended, and files of other
//! formats. Doctor and reader agree on whether a file opens.

use std::cell::Cell;

use bindpose_gltf::{base64_text, load, open};
use serde_json::json;

use super::faults::{CASES, containers};
use super::made::{Model, TURNS, glb};
use super::shared::{examined, models};
use super::*;

/// Returns the codes of all findings.
fn codes(report: &DoctorReport) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.code).collect()
}

fn opens(source: &ModelSource) -> bool {
    open(source, &TaskProgress::default()).is_ok()
}

/// Asserts that a file opens, that `code` is its only finding, and that mending removes it.
#[track_caller]
fn opens_and_is_mended(source: &ModelSource, code: &str) {
    assert!(opens(source), "{code}");
    assert_eq!(codes(&report(source)), [code]);
    let mended = mend(source, Container::Glb, &TaskProgress::default()).unwrap();
    let mended_codes: Vec<_> = mended.mended.iter().map(|finding| finding.code).collect();
    assert_eq!((mended_codes, mended.report.findings), (vec![code], Vec::new()));
    assert!(!mended.words[0].contains("put together anew"), "{code}");
}

/// Returns the sound model with its buffer in a file called `name`, to which `uri` refers.
fn beside(uri: &str, name: &str) -> ModelSource {
    let mut model = Model::sound();
    model.put("/buffers/0/uri", json!(uri));
    model.put("/buffers/0/byteLength", json!(model.bin.len()));
    let source = model.source();
    ModelSource { beside: [(name.to_owned(), model.bin.into())].into(), ..source }
}

#[test]
fn mistakes_in_file_names_are_read_as_intended() {
    for (uri, name, code) in [
        ("arm 10%.bin", "arm 10%.bin", "URI_WITH_BARE_PERCENT"),
        ("data\\arm.bin", "data/arm.bin", "URI_WITH_BACKSLASH"),
        ("K\u{f6}rper.bin", "Ko\u{308}rper.bin", "FILE_NAME_DIFFERS"),
        ("K%C3%B6rper.bin", "Ko\u{308}rper.bin", "FILE_NAME_DIFFERS"),
        ("Arm.bin", "arm.BIN", "FILE_NAME_DIFFERS"),
    ] {
        opens_and_is_mended(&beside(uri, name), code);
    }
    for (uri, name) in [("arm%2010%25.bin", "arm 10%.bin"), ("a/./b.bin", "a/b.bin")] {
        assert_eq!(codes(&report(&beside(uri, name))), [""; 0], "{uri}");
    }
    let lost = beside("arm.bin", "leg.bin");
    assert_eq!((opens(&lost), codes(&report(&lost))), (false, vec!["IO_ERROR"]));
}

#[test]
fn minus_ones_byte_order_marks_and_zeros_are_read_as_intended() {
    for at in [
        "/skins/0/skeleton",
        "/nodes/0/mesh",
        "/nodes/0/skin",
        "/nodes/2/camera",
        "/meshes/0/primitives/0/material",
    ] {
        let mut model = Model::sound();
        model.put(at, json!(-1));
        opens_and_is_mended(&model.source(), "MINUS_ONE_FOR_NONE");
    }
    let text = Model::sound().source().main;
    let marked = [b"\xEF\xBB\xBF", &text[..]].concat();
    opens_and_is_mended(&ModelSource::alone("a.gltf", marked), "BYTE_ORDER_MARK");
    let mut padded = [&text[..], b"\0"].concat();
    padded.resize(padded.len().next_multiple_of(4), 0);
    let padded = glb(&[(b"JSON", &padded)]);
    let found = report(&ModelSource::alone("a.glb", padded.clone()));
    // Its buffer is embedded, which is unusual in a GLB.
    assert_eq!(codes(&found), ["JSON_PADDED_WITH_ZEROS", "DATA_URI_GLB"]);
    assert!(opens(&ModelSource::alone("a.glb", padded)));
}

#[test]
fn a_glb_encoded_as_text_is_mended() {
    let mut model = Model::sound();
    model.put("/skins/0/skeleton", json!(-1));
    let sound = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap().bytes;
    for text in [
        base64_text(&sound),
        format!("data:model/gltf-binary;base64,{}", base64_text(&sound)),
        sound.iter().map(|&byte| char::from(byte)).collect(),
    ] {
        let source = ModelSource::alone("a.glb", text.into_bytes());
        assert_eq!((opens(&source), codes(&report(&source))), (false, vec!["GLB_AS_TEXT"]));
        let mended = mend(&source, Container::Glb, &TaskProgress::default()).unwrap();
        assert_eq!((mended.bytes, mended.report.findings), (sound.clone(), Vec::new()));
    }
    let lost = String::from_utf8_lossy(&sound).into_owned().into_bytes();
    let report = report(&ModelSource::alone("a.glb", lost));
    assert_eq!(codes(&report), ["NOT_GLTF"]);
    assert!(report.findings[0].help.contains("binary"), "{report:?}");
}

#[test]
fn other_formats_are_recognized_with_a_remedy() {
    for (bytes, found, help) in [
        (&b"Kaydara FBX Binary  \0"[..], "FBX", "Blender"),
        (b"version https://git-lfs.github.com/spec/v1", "Git LFS", "git lfs pull"),
        (b" <!DOCTYPE html><html>", "web page", "download the model"),
        (b"<COLLADA>", "COLLADA", "Blender"),
        (b"\x1F\x8B\x08", "gzip", "npack it"),
    ] {
        let source = ModelSource::alone("a.glb", bytes);
        let report = report(&source);
        assert_eq!(codes(&report), ["NOT_GLTF"], "{found}");
        let error = Diagnostic::from(open(&source, &TaskProgress::default()).unwrap_err());
        for error in [&error, &report.findings[0]] {
            assert!(error.found.contains(found) && error.help.contains(help), "{error:?}");
        }
    }
    let mut buffer = beside("arm.bin", "arm.bin");
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid".as_slice();
    buffer.beside.insert("arm.bin".to_owned(), pointer.into());
    let report = report(&buffer);
    let short = finding(&report, "BUFFER_BYTE_LENGTH_MISMATCH");
    assert!(short.found.contains("Git LFS") && short.help.contains("git lfs pull"), "{short:?}");
}

#[test]
fn gltf_1_has_a_single_finding() {
    let json = br#"{"nodes": {"a": {"meshes": ["m"]}}, "meshes": {"m": {"primitives": []}}}"#;
    for file in [&json[..], b"glTF\x01\0\0\0\x18\0\0\0\x04\0\0\0\0\0\0\0{}  "] {
        let report = report(&ModelSource::alone("a", file));
        assert_eq!((report.findings.len(), report.errors), (1, 1), "{report:?}");
        assert!(report.findings[0].help.contains("gltf-pipeline"), "{report:?}");
    }
}

#[test]
fn unread_extensions_are_notes_about_their_effect() {
    for (name, lacks) in [
        ("EXT_texture_webp", "pictures"),
        ("KHR_texture_basisu", "pictures"),
        ("KHR_node_visibility", "hides"),
        ("EXT_mesh_gpu_instancing", "once"),
        ("VRMC_vrm", "nothing"),
    ] {
        let mut model = Model::sound();
        model.put("/extensionsUsed", json!([name]));
        model.put("/extensionsRequired", json!([name]));
        let report = report(&model.source());
        assert_eq!((codes(&report), report.is_sound()), (vec!["UNSUPPORTED_EXTENSION"], true));
        assert!(report.findings[0].found.contains(lacks), "{report:?}");
    }
    let mut model = Model::sound();
    let target = json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/1/rotation"}}});
    model.put("/animations/0/channels/0/target", target);
    model.put("/extensionsUsed", json!(["KHR_animation_pointer"]));
    model.put("/extensionsRequired", json!(["KHR_animation_pointer"]));
    assert_eq!(codes(&report(&model.source())), [""; 0]);
    // The animation pointer is examined as a rotation.
    model.write(TURNS, 3, &[2.0]);
    let off = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    assert_eq!(codes(&report(&model.source())), [off]);
}

#[test]
fn rotation_keys_of_length_zero_are_removed() {
    let mut model = Model::sound();
    model.floats("SCALAR", &[0.0, 0.5, 1.0]);
    model.put("/accessors/8/min", json!([0.0]));
    model.put("/accessors/8/max", json!([1.0]));
    model.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    model.put("/animations/0/samplers/0", json!({"input": 8, "output": 9}));
    model.put("/nodes/0/rotation", json!([0, 0, 0, 0]));
    let source = model.source();
    let before = report(&source);
    assert_eq!(codes(&before), ["ROTATION_OF_LENGTH_ZERO"; 2]);
    assert!(before.findings.iter().any(|finding| finding.found.contains("key 1")), "{before:?}");
    let mended = mend(&source, Container::Glb, &TaskProgress::default()).unwrap();
    assert_eq!(mended.report.findings, []);
    let rig = open(&ModelSource::alone("a.glb", mended.bytes), &TaskProgress::default()).unwrap();
    let track = &rig.clips[0].channels[0].track;
    assert_eq!(track.times_secs, [0.0, 1.0]);
    assert_eq!(track.values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    // A clip without other keys is not mended.
    model.write(9, 0, &[0.0; 12]);
    assert_eq!(report(&model.source()).errors, 2);
}

/// The reader also opens files with errors, but every file that it rejects has one.
#[test]
fn rejected_files_have_an_error() {
    let opened = Cell::new(0);
    let check = |name: &str, source: &ModelSource, report: &DoctorReport| {
        let opens = opens(source);
        // A sound file without meshes, for example of materials alone, does not open.
        let is_empty = codes(report).contains(&"NOTHING_TO_SHOW");
        assert!(opens || is_empty || report.errors > 0, "{name} does not open: {report:?}");
        opened.set(opened.get() + usize::from(opens));
    };
    for (code, at, break_it) in CASES {
        let mut model = Model::sound();
        break_it(&mut model);
        let source = model.source();
        check(&format!("{code} at {at}"), &source, &report(&source));
    }
    for (code, bytes) in containers() {
        let source = ModelSource::alone("made.glb", bytes);
        check(code, &source, &report(&source));
    }
    for folder in ["invalid", "reports", "synthetic"].into_iter().filter_map(models) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let end = path.extension().and_then(|end| end.to_str());
            if matches!(end, Some("gltf" | "glb")) {
                let source = load(&path, &TaskProgress::default()).unwrap();
                check(&path.display().to_string(), &source, &examined(&path));
            }
        }
    }
    assert!(opened.get() > 50, "{opened:?}");
}

#[test]
fn extensions_that_change_what_is_judged_have_no_findings_that_follow() {
    let mut instanced = Model::sound();
    instanced.put("/extensionsUsed", json!(["EXT_mesh_gpu_instancing"]));
    instanced.put("/nodes/2/extensions", json!({"EXT_mesh_gpu_instancing": {}}));
    assert_eq!(codes(&report(&instanced.source())), ["NODE_SKIN_INSTANCED"]);

    let mut levels = Model::sound();
    levels.put("/extensionsUsed", json!(["MSFT_lod"]));
    levels.put("/nodes/2/extensions", json!({"MSFT_lod": {"ids": [3]}}));
    levels.list("nodes").push(json!({"name": "far", "mesh": 0, "skin": 0}));
    assert_eq!(codes(&report(&levels.source())), ["UNSUPPORTED_EXTENSION"]);
    levels.remove("/nodes/2/extensions");
    assert!(codes(&report(&levels.source())).contains(&"MESH_IN_NO_SCENE"));

    let mut compressed = Model::sound();
    compressed.put("/extensionsUsed", json!(["KHR_draco_mesh_compression"]));
    compressed.put("/extensionsRequired", json!(["KHR_draco_mesh_compression"]));
    for accessor in 0..4 {
        compressed.remove(&format!("/accessors/{accessor}/bufferView"));
    }
    let found = report(&compressed.source());
    let problems = found.findings.iter().filter(|finding| finding.severity != Severity::Note);
    let problems: Vec<&str> = problems.map(|finding| finding.code).collect();
    assert_eq!(problems, ["UNSUPPORTED_REQUIRED_EXTENSION"]);
}
