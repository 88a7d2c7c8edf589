//! Mended files: claimed repairs are real, and all other data is unchanged.

use serde_json::{Value, json};

use super::made::{BINDS, JOINTS, Model, NORMALS, TIMES, TURNS, WEIGHTS};
use super::*;

fn mended(model: &Model, container: Container) -> Mended {
    let progress = TaskProgress::default();
    mend(&model.source(), container, &progress).unwrap_or_else(|why| panic!("{why}"))
}

/// Returns a model with many mendable faults.
fn broken() -> Model {
    let mut model = Model::sound();
    model.write(WEIGHTS, 0, &[0.5]);
    model.write(WEIGHTS, 8, &[0.0]);
    model.write_bytes(JOINTS, 8, &[9]);
    model.write_bytes(JOINTS, 1, &[1]);
    model.write_bytes(JOINTS, 5, &[0]);
    model.write(NORMALS, 2, &[4.0]);
    model.write(BINDS, 3, &[1e-5]);
    model.put("/nodes/0/rotation", json!([0, 0, 0, 0.5]));
    model.put("/accessors/0/min", json!([9, 9, 9]));
    model.remove("/accessors/6/max");
    model.put("/bufferViews/5/byteStride", json!(64));
    model.write(TIMES, 1, &[0.0]);
    model.write(TURNS, 3, &[2.0]);
    model
}

#[test]
fn the_mended_file_no_longer_has_the_mended_faults() {
    for container in [Container::Glb, Container::Gltf] {
        let mended = mended(&broken(), container);
        for finding in &mended.mended {
            let left = mended.report.findings.iter();
            assert!(left.clone().all(|other| other.code != finding.code), "{}", finding.code);
        }
        assert_eq!(mended.report.findings, [], "{container:?}");
        assert_eq!(mended.left().count(), 0);
        let codes: Vec<_> = mended.mended.iter().map(|finding| finding.code).collect();
        for code in [
            "ACCESSOR_WEIGHTS_NON_NORMALIZED",
            "WEIGHTS_ZERO",
            "ACCESSOR_JOINTS_INDEX_DUPLICATE",
            "ACCESSOR_VECTOR3_NON_UNIT",
            "ACCESSOR_ANIMATION_INPUT_NON_INCREASING",
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            "ROTATION_NON_UNIT",
            "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE",
        ] {
            assert!(codes.contains(&code), "{code}: {codes:?}");
        }
        assert!(mended.words.len() > 6);
        let rig = bindpose_gltf::open(
            &ModelSource::alone("mended", mended.bytes.clone()),
            &TaskProgress::default(),
        )
        .unwrap();
        assert_eq!(rig.mesh.positions.len(), 3);
    }
}

#[test]
fn sound_data_is_kept_and_other_faults_remain() {
    let nothing = mend(&Model::sound().source(), Container::Glb, &TaskProgress::default());
    assert_eq!(nothing.unwrap_err(), MendError::Nothing);

    let mut model = Model::sound();
    model.write(WEIGHTS, 8, &[0.25]);
    // The file does not reveal the intended matrix.
    model.put("/skins/0/skeleton", json!(1));
    let mended = mended(&model, Container::Gltf);
    let left: Vec<_> = mended.left().map(|finding| finding.code).collect();
    assert_eq!(left, ["SKIN_SKELETON_INVALID"]);
    let root: Value = serde_json::from_slice(&mended.bytes).unwrap();
    assert_eq!(root["nodes"], model.root["nodes"]);
    assert_eq!(root["accessors"][0]["max"], model.root["accessors"][0]["max"]);

    let mut model = Model::sound();
    model.write(WEIGHTS, 8, &[0.25]);
    model.put("/buffers/0/uri", json!("lost.bin"));
    model.put("/buffers/0/byteLength", json!(model.bin.len()));
    model.put("/nodes/0/rotation", json!([0, 0, 0, 0.5]));
    let lost = mend(&model.source(), Container::Glb, &TaskProgress::default());
    assert!(matches!(lost, Err(MendError::Missing { .. })), "{lost:?}");
}

#[test]
fn data_shared_with_a_sound_primitive_is_kept() {
    let mut model = Model::sound();
    // The second primitive has the same weights, and repeated joints.
    let from = model.list("accessors").len();
    model.accessor(5121, "VEC4", 3, &[0; 12]);
    let mut second = model.root["meshes"][0]["primitives"][0].clone();
    second["attributes"]["JOINTS_0"] = json!(from);
    let primitives = model.root.pointer_mut("/meshes/0/primitives").unwrap();
    primitives.as_array_mut().unwrap().push(second);
    let mended = mended(&model, Container::Gltf);
    let root: Value = serde_json::from_slice(&mended.bytes).unwrap();
    let weights = |part: usize| &root["meshes"][0]["primitives"][part]["attributes"]["WEIGHTS_0"];
    assert_eq!(weights(0), &json!(WEIGHTS));
    assert_ne!(weights(1), &json!(WEIGHTS));
    assert_eq!(mended.report.findings, []);
}

#[test]
fn names_of_copies_keep_the_extension() {
    assert_eq!(mended_name("a.b.gltf"), "a.b-mended.gltf");
    assert_eq!(mended_name("A.GLB"), "A-mended.glb");
    assert_eq!(mended_name("model"), "model-mended.glb");
}

#[test]
fn images_beside_the_model_are_embedded() {
    let png = b"\x89PNG\r\n\x1A\n and so on";
    let mut model = Model::sound();
    model.write(WEIGHTS, 8, &[0.25]);
    let images = ["skin%20a.png", "lost.png", "odd.txt"].map(|uri| json!({"uri": uri}));
    model.put("/images", json!(images));
    let mut source = model.source();
    let beside = [("skin a.png", &png[..]), ("odd.txt", b"text")];
    source.beside =
        beside.map(|(name, bytes)| (name.to_owned(), bytes.to_vec().into())).into_iter().collect();
    for container in [Container::Glb, Container::Gltf] {
        let mended = mend(&source, container, &TaskProgress::default()).unwrap();
        let alone = ModelSource::alone("a", mended.bytes);
        let doc =
            open_document(&alone, &TaskProgress::default(), &mut Findings::default()).unwrap();
        let images = doc.list("images");
        assert_eq!(images[0].get("uri"), None);
        assert_eq!(images[0]["mimeType"], "image/png");
        let view = get_usize(&images[0], "bufferView").unwrap();
        assert_eq!(elements::view_bytes(&doc, view).unwrap(), png);
        assert_eq!(images[1]["uri"], "lost.png");
        assert_eq!(images[2]["uri"], "odd.txt");
    }
}

#[test]
fn files_that_cannot_be_copied_completely_are_not_mended() {
    let mut model = Model::sound();
    model.write(WEIGHTS, 8, &[0.25]);
    model.put("/nodes/0/extras", json!("DEEP"));
    let text = String::from_utf8(model.source().main.to_vec()).unwrap();
    let text = text.replace("\"DEEP\"", &("[".repeat(500) + &"]".repeat(500)));
    let source = ModelSource::alone("deep.gltf", text.into_bytes());
    let refused = mend(&source, Container::Glb, &TaskProgress::default()).unwrap_err();
    assert_eq!(refused, MendError::TooDeep);
    let error = Diagnostic::from(MendError::Missing { at: "/buffers/0".into() });
    assert_eq!((error.code, error.at.pointer()), ("MEND_MISSING", "/buffers/0"));
}
