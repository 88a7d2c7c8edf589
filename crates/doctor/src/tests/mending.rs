//! Mended files: claimed repairs are real, and all other data is unchanged.

use serde_json::{Value, json};

use bindpose_gltf::load;
use glam::{DMat4, DQuat, DVec3, EulerRot};

use super::made::{BINDS, JOINTS, Model, NORMALS, TIMES, TURNS, WEIGHTS};
use super::shared::models;
use super::skeletons::{Numbers, Skeleton};
use super::skin_fit::{fitting, model};
use super::*;
use crate::mend::ModelFit;

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

fn fit_of(source: &ModelSource) -> ModelFit {
    open_document(source, &TaskProgress::default(), &mut Findings::default())
        .map(|doc| ModelFit::of_document(&doc))
        .unwrap_or_default()
}

/// Mends a file. Returns what is wrong with the copy: a worse fit, or a claim that nothing is
/// left of a file that still has findings. `None` if nothing is, or if there is no copy.
fn problem_of_copy(source: &ModelSource) -> Option<String> {
    let mended = mend(source, Container::Glb, &TaskProgress::default()).ok()?;
    let copy = ModelSource::alone("copy.glb", mended.bytes);
    fit_of(&copy).worse_than(&fit_of(source))
}

#[test]
fn no_copy_of_a_reported_model_fits_worse() {
    let Some(folder) = models("reports") else {
        return;
    };
    let mut problems = Vec::new();
    let mut mended_count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let end = path.extension().and_then(|end| end.to_str());
        if !matches!(end, Some("gltf" | "glb")) {
            continue;
        }
        let source = load(&path, &TaskProgress::default()).unwrap();
        mended_count +=
            usize::from(mend(&source, Container::Glb, &TaskProgress::default()).is_ok());
        if let Some(problem) = problem_of_copy(&source) {
            problems.push(format!("{}: {problem}", path.display()));
        }
    }
    assert!(mended_count > 20, "{mended_count}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A fault of nodes or inverse bind matrices, put into a sound model.
type BindFault = fn(&mut Model, &Skeleton, &mut Numbers);

fn put_rotations(model: &mut Model, skeleton: &Skeleton, rotation: impl Fn(DQuat) -> [f64; 4]) {
    for (joint, &turn) in skeleton.turns.iter().enumerate() {
        model.put(&format!("/nodes/{joint}/rotation"), json!(rotation(turn)));
    }
}

fn put_binds(model: &mut Model, binds: &[DMat4]) {
    let numbers: Vec<f32> =
        binds.iter().flat_map(|matrix| matrix.to_cols_array()).map(|x| x as f32).collect();
    model.floats("MAT4", &numbers);
    let accessor = model.list("accessors").len() - 1;
    model.put("/skins/0/inverseBindMatrices", json!(accessor));
}

const BIND_FAULTS: [(&str, BindFault); 8] = [
    ("degrees", |model, skeleton, _| {
        put_rotations(model, skeleton, |turn| {
            let (x, y, z) = turn.to_euler(EulerRot::XYZ);
            [x.to_degrees(), y.to_degrees(), z.to_degrees(), 1.0]
        });
    }),
    ("radians", |model, skeleton, _| {
        put_rotations(model, skeleton, |turn| {
            let (x, y, z) = turn.to_euler(EulerRot::ZYX);
            [x, y, z, 0.0]
        });
    }),
    ("axis and angle", |model, skeleton, _| {
        put_rotations(model, skeleton, |turn| {
            let (axis, angle) = turn.to_axis_angle();
            [axis.x, axis.y, axis.z, angle]
        });
    }),
    ("world in nodes", |model, skeleton, _| {
        for (joint, world) in skeleton.world().iter().enumerate() {
            let (_, turn, place) = world.to_scale_rotation_translation();
            model.put(&format!("/nodes/{joint}/rotation"), json!(turn.to_array()));
            model.put(&format!("/nodes/{joint}/translation"), json!(place.to_array()));
        }
    }),
    ("local binds", |model, skeleton, _| {
        let binds: Vec<DMat4> =
            (0..skeleton.parents.len()).map(|joint| skeleton.local(joint).inverse()).collect();
        put_binds(model, &binds);
    }),
    ("binds by rows", |model, skeleton, _| {
        let binds: Vec<DMat4> = skeleton.inverse_binds().iter().map(DMat4::transpose).collect();
        put_binds(model, &binds);
    }),
    ("another unit", |model, skeleton, numbers| {
        let factor = 10.0_f64.powf(2.0 * numbers.next());
        let binds = skeleton.inverse_binds().into_iter().map(|mut matrix| {
            matrix.w_axis *= DVec3::splat(factor).extend(1.0);
            matrix
        });
        put_binds(model, &binds.collect::<Vec<_>>());
    }),
    ("another pose", |model, skeleton, numbers| {
        let mut resting = skeleton.clone();
        for turn in &mut resting.turns {
            *turn *= numbers.turn(1.5);
        }
        put_rotations(model, &resting, |turn| turn.to_array());
    }),
];

#[test]
fn no_copy_of_a_random_model_fits_worse() {
    let mut problems = Vec::new();
    for (mut numbers, skeleton, vertices) in fitting().take(30) {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        for (name, fault) in BIND_FAULTS {
            let mut broken = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
            // Something that can be mended in any case.
            broken.put("/skins/0/skeleton", json!(-1));
            fault(&mut broken, &skeleton, &mut numbers);
            if let Some(problem) = problem_of_copy(&broken.source()) {
                problems.push(format!("{name}: {problem}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Returns the rotations of the joints as numbers of a file.
fn stored_rotations(bytes: &[u8], joint_count: usize) -> Vec<DQuat> {
    let root: Value = serde_json::from_slice(bytes).unwrap();
    let rotation = |joint: usize| {
        let numbers: [f64; 4] =
            serde_json::from_value(root["nodes"][joint]["rotation"].clone()).unwrap();
        DQuat::from_array(numbers)
    };
    (0..joint_count).map(rotation).collect()
}

#[test]
fn rotations_that_are_angles_are_not_divided_by_their_lengths() {
    for (mut numbers, skeleton, vertices) in fitting().take(30) {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        for (name, fault) in &BIND_FAULTS[..3] {
            let mut broken = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
            broken.put("/skins/0/skeleton", json!(-1));
            fault(&mut broken, &skeleton, &mut numbers);
            let before = stored_rotations(&broken.source().main, own.len());
            let mended = mended(&broken, Container::Gltf);
            let after = stored_rotations(&mended.bytes, own.len());
            // Either the cause is known and the rotation that was meant is there, or the numbers
            // are untouched.
            let is_meant = after
                .iter()
                .zip(&skeleton.turns)
                .all(|(after, meant)| after.dot(*meant).abs() > 1.0 - 1e-3);
            assert!(is_meant || before == after, "{name}: {before:?} {after:?}");
            if before == after {
                assert!(!mended.withheld.is_empty(), "{name}");
                assert!(mended.withheld[0].at.ends_with("/rotation"), "{:?}", mended.withheld);
            }
        }
    }
}

#[test]
fn scaled_quaternions_are_divided_by_their_lengths() {
    for (mut numbers, skeleton, vertices) in fitting().take(30) {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let mut broken = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
        let factor = 3.0 + numbers.next();
        put_rotations(&mut broken, &skeleton, |turn| (turn * factor).to_array());
        let mended = mended(&broken, Container::Gltf);
        let after = stored_rotations(&mended.bytes, own.len());
        for (after, meant) in after.iter().zip(&skeleton.turns) {
            assert!(after.dot(*meant) > 1.0 - 1e-6, "{after} {meant}");
        }
        assert_eq!(mended.withheld, []);
    }
}

#[test]
fn systematic_faults_of_vertices_and_bounds_are_kept() {
    for (mut numbers, skeleton, vertices) in fitting().take(30) {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let count = own.len();
        let mut broken = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
        broken.put("/skins/0/skeleton", json!(-1));
        // Most vertices name joints that do not exist.
        let first = count + numbers.below(9);
        let attributes = &broken.root["meshes"][0]["primitives"][0]["attributes"];
        let joints = attributes["JOINTS_0"].as_u64().unwrap() as usize;
        let stored: Vec<u8> = vertices
            .iter()
            .flat_map(|&(_, joint)| [(joint + first) as u16, 0, 0, 0])
            .flat_map(u16::to_le_bytes)
            .collect();
        broken.write_bytes(joints, 0, &stored);
        // Bounds of all accessors speak against their data.
        let positions =
            broken.root["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
        for accessor in [0, 6, positions] {
            for bound in ["min", "max"] {
                let pointer = format!("/accessors/{accessor}/{bound}");
                let width = broken.root.pointer(&pointer).unwrap().as_array().unwrap().len();
                let far = (1e6 * (1.5 + numbers.next())).round();
                broken.put(&pointer, json!(vec![far; width]));
            }
        }
        let mended = mended(&broken, Container::Gltf);
        let root: Value = serde_json::from_slice(&mended.bytes).unwrap();
        for accessor in [0, positions] {
            let pointer = format!("/accessors/{accessor}/min");
            assert_eq!(root.pointer(&pointer), broken.root.pointer(&pointer));
        }
        let kept: Vec<&str> = mended.withheld.iter().map(|kept| kept.at.as_str()).collect();
        assert!(kept.contains(&"/accessors"), "{kept:?}");
        // Either the numbers of joints are untouched, or the mistake in them is named.
        let codes: Vec<&str> = mended.mended.iter().map(|finding| finding.code).collect();
        let is_named = codes.iter().any(|code| code.starts_with("JOINTS_"));
        let is_kept = kept.contains(&"/meshes/0/primitives/0/attributes");
        assert!(is_named != is_kept, "{codes:?} {kept:?}");
    }
}
