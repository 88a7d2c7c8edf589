//! What is clear though it is not as it should be: it opens, it is said, it is mended.
//! What cannot be read is named. Doctor and reader say the same of whether a file opens.

use std::cell::Cell;

use serde_json::json;

use super::faults::{CASES, containers};
use super::made::{Model, TURNS, glb};
use super::shared::{examined, models};
use super::*;
use crate::{base64_text, load, open};

/// Codes of all that is said.
fn codes(report: &DoctorReport) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.code).collect()
}

fn opens(source: &ModelSource) -> bool {
    open(source, &TaskProgress::default()).is_ok()
}

/// It opens, this alone is said, and the mended file has nothing.
#[track_caller]
fn opens_and_is_mended(source: &ModelSource, code: &str) {
    assert!(opens(source), "{code}");
    assert_eq!(codes(&report(source)), [code]);
    let mended = mend(source, Container::Glb, &TaskProgress::default()).unwrap();
    let told: Vec<_> = mended.mended.iter().map(|finding| finding.code).collect();
    assert_eq!((told, mended.report.findings), (vec![code], Vec::new()));
    assert!(!mended.words[0].contains("put together anew"), "{code}");
}

/// The sound model with its buffer in a file of this name, which the JSON calls `uri`.
fn beside(uri: &str, name: &str) -> ModelSource {
    let mut model = Model::sound();
    model.put("/buffers/0/uri", json!(uri));
    model.put("/buffers/0/byteLength", json!(model.bin.len()));
    let source = model.source();
    ModelSource { beside: [(name.to_owned(), model.bin.into())].into(), ..source }
}

#[test]
fn names_of_files_are_read_as_they_are_meant() {
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
fn minus_one_marks_and_zeros_are_read_as_they_are_meant() {
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
    // Its buffer is embedded, which a GLB does not need.
    assert_eq!(codes(&found), ["JSON_PADDED_WITH_ZEROS", "DATA_URI_GLB"]);
    assert!(opens(&ModelSource::alone("a.glb", padded)));
}

#[test]
fn a_glb_that_was_sent_as_text_is_mended() {
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
fn what_is_no_gltf_is_named_once_with_the_way_to_one() {
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
        let told = Diagnostic::from(open(&source, &TaskProgress::default()).unwrap_err());
        for told in [&told, &report.findings[0]] {
            assert!(told.found.contains(found) && told.help.contains(help), "{told:?}");
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
fn of_the_first_version_nothing_else_is_said() {
    let json = br#"{"nodes": {"a": {"meshes": ["m"]}}, "meshes": {"m": {"primitives": []}}}"#;
    for file in [&json[..], b"glTF\x01\0\0\0\x18\0\0\0\x04\0\0\0\0\0\0\0{}  "] {
        let report = report(&ModelSource::alone("a", file));
        assert_eq!((report.findings.len(), report.errors), (1, 1), "{report:?}");
        assert!(report.findings[0].help.contains("gltf-pipeline"), "{report:?}");
    }
}

#[test]
fn side_matters_are_notes_with_what_the_picture_lacks() {
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
    // Examined as the rotation that it is.
    model.write(TURNS, 3, &[2.0]);
    let off = "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION";
    assert_eq!(codes(&report(&model.source())), [off]);
}

#[test]
fn keys_of_length_zero_are_taken_out() {
    let mut model = Model::sound();
    model.floats("SCALAR", &[0.0, 0.5, 1.0]);
    model.put("/accessors/8/min", json!([0.0]));
    model.put("/accessors/8/max", json!([1.0]));
    model.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    model.put("/animations/0/samplers/0", json!({"input": 8, "output": 9}));
    model.put("/nodes/0/rotation", json!([0, 0, 0, 0]));
    let source = model.source();
    let said = report(&source);
    assert_eq!(codes(&said), ["ROTATION_OF_LENGTH_ZERO"; 2]);
    assert!(said.findings.iter().any(|finding| finding.found.contains("key 1")), "{said:?}");
    let mended = mend(&source, Container::Glb, &TaskProgress::default()).unwrap();
    assert_eq!(mended.report.findings, []);
    let rig = open(&ModelSource::alone("a.glb", mended.bytes), &TaskProgress::default()).unwrap();
    let track = &rig.clips[0].channels[0].track;
    assert_eq!(track.times_secs, [0.0, 1.0]);
    assert_eq!(track.values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    // Nothing is left of a clip that has no other keys: it stays as it is.
    model.write(9, 0, &[0.0; 12]);
    assert_eq!(report(&model.source()).errors, 2);
}

/// What the reader passes over is an error by the format all the same; but a file of
/// which the doctor finds none opens.
#[test]
fn a_file_without_errors_opens_and_one_that_does_not_open_has_one() {
    let opened = Cell::new(0);
    let hold = |name: &str, source: &ModelSource, report: &DoctorReport| {
        let opens = opens(source);
        // A file of materials alone is sound, and there is nothing to be opened.
        let is_empty = codes(report).contains(&"NOTHING_TO_SHOW");
        assert!(opens || is_empty || report.errors > 0, "{name} does not open: {report:?}");
        opened.set(opened.get() + usize::from(opens));
    };
    for (code, at, break_it) in CASES {
        let mut model = Model::sound();
        break_it(&mut model);
        let source = model.source();
        hold(&format!("{code} at {at}"), &source, &report(&source));
    }
    for (code, bytes) in containers() {
        let source = ModelSource::alone("made.glb", bytes);
        hold(code, &source, &report(&source));
    }
    for folder in ["invalid", "reports", "synthetic"].into_iter().filter_map(models) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let end = path.extension().and_then(|end| end.to_str());
            if matches!(end, Some("gltf" | "glb")) {
                let source = load(&path, &TaskProgress::default()).unwrap();
                hold(&path.display().to_string(), &source, &examined(&path));
            }
        }
    }
    assert!(opened.get() > 50, "{opened:?}");
}
