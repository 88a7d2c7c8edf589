//! Exported models are valid and equal the original when they are opened again.

use bindpose_doctor::{examine, is_about_meaning};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bindpose_gltf::{ClipAt, ModelSource, Rig, TaskProgress, bounds_of, open};
use bindpose_notebook::export::Export;
use bindpose_notebook::{Derived, Document};
use bindpose_rigs::{builtin, builtin_ids};
use bindpose_skin::Method;
use glam::{Mat4, Vec3};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::random;
use super::{folder, models, opened};

/// Tolerance relative to the size of the model.
const TOLERANCE: f32 = 1e-6;

/// Returns the exported file of a rig in its initial state.
pub(super) fn exported(rig: &Arc<Rig>, key: &str) -> Result<Vec<u8>, String> {
    let document = Document::default();
    let derived = Derived::of_document(&document, None, rig);
    let export = Export::from_key(key).unwrap();
    export.bytes(&derived, 0).map_err(|error| error.to_string())
}

/// Returns the errors that the doctor finds, and the rig if it opens.
pub(super) fn reopened(bytes: Vec<u8>) -> Result<Arc<Rig>, String> {
    let source = ModelSource::alone("again.glb", bytes);
    let report = examine(&source, &TaskProgress::default());
    let errors = report.findings.iter();
    // Findings about the meaning of the data, such as torn seams, are those of the model.
    let is_format = |code: &str| !is_about_meaning(code);
    let errors = errors.filter(|f| f.severity.key() == "error" && is_format(f.code));
    let errors: Vec<String> = errors.map(|f| format!("{} {f}", f.code)).collect();
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let rig = open(&source, &TaskProgress::default());
    rig.map(Arc::new).map_err(|error| error.to_string())
}

/// Vertices and joint matrices of a rig at a time of a clip.
struct Seen {
    positions: Vec<Vec3>,
    /// Vertices of each part.
    parts: Vec<Vec<Vec3>>,
    /// Matrices by skin and index in it.
    joints: BTreeMap<(usize, usize), Mat4>,
}

impl Seen {
    fn new(rig: &Rig, at: &[ClipAt]) -> Self {
        let posed = rig.posed_in(at, |_| None);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        let mut joints = BTreeMap::new();
        let skins = rig.origin.iter().flat_map(|origin| &origin.graph.skins);
        for (skin, stored) in skins.filter(|skin| !skin.ours.is_empty()).enumerate() {
            for (place, joint) in stored.ours.iter().enumerate() {
                joints.insert((skin, place), world_from_bind[joint.index()]);
            }
        }
        if rig.origin.is_none() {
            let all = world_from_bind.into_iter().enumerate();
            joints.extend(all.map(|(joint, matrix)| ((0, joint), matrix)));
        }
        let parts = rig.mesh.parts.iter().map(|part| {
            let range = part.vertices.start as usize..part.vertices.end as usize;
            moved.positions[range].to_vec()
        });
        let mut parts: Vec<Vec<Vec3>> = parts.collect();
        if parts.is_empty() {
            parts.push(moved.positions.clone());
        }
        Self { positions: moved.positions, parts, joints }
    }

    /// Describes the differences from another snapshot. `size` is the size of the model.
    fn differs(&self, other: &Self, size: f32, tolerance: f32) -> Option<String> {
        // A node with parts in two skins is split into two. The second is added at the end.
        let mut left: Vec<&Vec<Vec3>> = other.parts.iter().collect();
        for part in &self.parts {
            let off: Vec<f32> = left.iter().map(|found| apart(part, found)).collect();
            let nearest = (0..left.len()).min_by(|&a, &b| off[a].total_cmp(&off[b]));
            match nearest {
                Some(nearest) if off[nearest] <= tolerance * size => {
                    left.remove(nearest);
                }
                _ => {
                    let off = nearest.map_or(f32::INFINITY, |nearest| off[nearest]);
                    return Some(format!("positions off by {} of its size", off / size));
                }
            }
        }
        for (place, matrix) in &self.joints {
            let Some(found) = other.joints.get(place) else {
                return Some(format!("no joint {place:?}"));
            };
            let most = |m: Mat4| m.to_cols_array().iter().fold(0.0, |a: f32, x| a.max(x.abs()));
            let linear = |m: &Mat4| Mat4::from_cols(m.x_axis, m.y_axis, m.z_axis, glam::Vec4::ZERO);
            let off = most(linear(&(*found - *matrix)));
            let moved = (found.w_axis - matrix.w_axis).length();
            let scale = most(linear(matrix)).max(1.0);
            if !(off <= tolerance * scale && moved <= tolerance * size) {
                return Some(format!("joint {place:?} off by {off} and {moved}"));
            }
        }
        None
    }
}

/// Returns the largest distance between corresponding vertices. It is infinite if their counts differ
/// or one is not finite.
fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    if a.len() != b.len() {
        return f32::INFINITY;
    }
    let pairs = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    pairs.fold(0.0, |most, off| if off.is_nan() { f32::INFINITY } else { most.max(off) })
}

/// Clips with channels. Others are not exported.
fn moving(rig: &Rig) -> Vec<usize> {
    let clips = 0..rig.clips.len();
    clips.filter(|&clip| rig.is_moved_by(&rig.clips[clip])).collect()
}

/// The rest pose and three times of each clip.
pub(super) fn differences(rig: &Rig, again: &Rig, tolerance: f32) -> Vec<String> {
    let (low, high) = bounds_of(&Seen::new(rig, &[]).positions);
    let size = (high - low).length().max(f32::MIN_POSITIVE);
    let mut found = Vec::new();
    let mut compare = |at: &[ClipAt], same: &[ClipAt]| {
        let difference = Seen::new(rig, at).differs(&Seen::new(again, same), size, tolerance);
        found.extend(difference.map(|words| format!("{at:?}: {words}")));
    };
    compare(&[], &[]);
    let (clips, same) = (moving(rig), moving(again));
    for (&clip, &other) in clips.iter().zip(&same) {
        for part in [0.0, 0.37, 1.0] {
            let length_secs = f64::from(rig.clips[clip].duration_secs.max(0.1));
            let at = |clip: usize| ClipAt { clip, time_secs: length_secs * part, share: 1.0 };
            compare(&[at(clip)], &[at(other)]);
        }
    }
    if clips.len() != same.len() {
        found.push(format!("{} clips of {}", same.len(), clips.len()));
    }
    found
}

/// The official glTF validator, run with node. `None` if one of the two is not installed.
pub(super) struct Validator(OsString);

impl Validator {
    /// `GLTF_VALIDATOR` is the folder of the package. Without it node looks the package up.
    #[expect(clippy::print_stdout, reason = "a skip must be seen")]
    pub(super) fn find(test: &str) -> Option<Self> {
        let named = std::env::var_os("GLTF_VALIDATOR").unwrap_or_else(|| "gltf-validator".into());
        let asked = Command::new("node")
            .args(["-e", "require(process.argv[1])"])
            .arg(&named)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output();
        if asked.is_ok_and(|output| output.status.success()) {
            return Some(Self(named));
        }
        println!("SKIPPED {test}: no gltf-validator; set GLTF_VALIDATOR to the package's folder");
        None
    }

    /// Returns a line for each error in these files.
    pub(super) fn errors(&self, files: &[PathBuf]) -> String {
        const ASK: &str = "
            const [, name, ...files] = process.argv;
            const validator = require(name);
            (async () => {
                for (const file of files) {
                    const bytes = new Uint8Array(require('fs').readFileSync(file));
                    const report = await validator.validateBytes(bytes, { maxIssues: 1000 });
                    const errors = report.issues.messages.filter(one => one.severity === 0);
                    for (const one of errors.slice(0, 5))
                        console.log(file, one.code, one.pointer, one.message);
                }
                console.log('seen', files.length);
            })();";
        let output = Command::new("node")
            .args(["-e", ASK])
            .arg(&self.0)
            .args(files)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let seen = format!("seen {}\n", files.len());
        let failed = String::from_utf8_lossy(&output.stderr);
        let errors = text.strip_suffix(&seen).map(str::to_owned);
        errors.unwrap_or_else(|| format!("it stopped: {text}{failed}"))
    }
}

/// Exports a rig, opens it and exports it again. Returns all problems.
fn survives(name: &str, rig: &Arc<Rig>, out: &Path, files: &mut Vec<PathBuf>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut keep = |key: &str, round: usize, bytes: &[u8]| {
        let file = out.join(format!("{name}.{round}.{key}.glb"));
        fs::write(&file, bytes).unwrap();
        files.push(file);
    };
    let posed = exported(rig, "glb").and_then(|bytes| {
        keep("posed", 0, &bytes);
        reopened(bytes)
    });
    match posed {
        Ok(again) => {
            let at_rest = Seen::new(rig, &[]).positions;
            let found = Seen::new(&again, &[]).positions;
            if found != at_rest {
                problems.push(format!("{name}: the posed mesh is not the same"));
            }
        }
        Err(error) => problems.push(format!("{name}, posed: {error}")),
    }
    let mut before = Arc::clone(rig);
    for round in 0..2 {
        let again = exported(&before, "rig-glb").and_then(|bytes| {
            keep("rig", round, &bytes);
            reopened(bytes)
        });
        let Ok(again) = again.map_err(|error| problems.push(format!("{name}, rig: {error}")))
        else {
            break;
        };
        let found = differences(rig, &again, TOLERANCE);
        problems.extend(found.iter().map(|words| format!("{name}, round {round}: {words}")));
        problems.extend(other_names(&before, &again).map(|words| format!("{name}: {words}")));
        before = again;
    }
    problems
}

/// Describes all changed names and materials.
fn other_names(before: &Rig, again: &Rig) -> impl Iterator<Item = String> {
    let names = |rig: &Rig| -> Vec<String> {
        let joints = rig.skeleton.joints().iter().zip(rig.joint_roles());
        let joints = joints.map(|(joint, role)| format!("{role:?} {}", joint.name));
        let morphs = rig.mesh.targets.iter().map(|target| target.name.clone());
        let skins = rig.origin.iter().flat_map(|origin| &origin.graph.skins);
        let skins = skins.map(|skin| format!("{:?} {:?}", skin.name, skin.joints));
        joints.chain(morphs).chain(skins).collect()
    };
    // A rig made in memory has no names of a file.
    let from_file = before.origin.is_some();
    let (were, are) = (names(before), names(again));
    let lost = from_file && were != are;
    let painted = from_file && !before.mesh.materials.is_empty() && {
        let known = before.mesh.materials.iter().zip(&again.mesh.materials);
        known.clone().any(|(a, b)| a != b) || before.mesh.images != again.mesh.images
    };
    let lost = lost.then(|| format!("other names: {were:?}, {are:?}"));
    lost.into_iter().chain(painted.then(|| "other materials".to_owned()))
}

#[test]
fn every_export_of_every_model_is_sound_and_comes_back_the_same() {
    let test = "every_export_of_every_model_is_sound_and_comes_back_the_same";
    let mut rigs: Vec<(String, Arc<Rig>)> = Vec::new();
    for &id in builtin_ids() {
        rigs.push((id.to_owned(), builtin(id).unwrap()));
    }
    let ezm = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/models/arm/arm.ezm");
    rigs.push(("arm.ezm".to_owned(), Arc::new(opened(&ezm).unwrap())));
    for folder in folder(test).into_iter().flat_map(|folder| [folder.join("synthetic"), folder]) {
        for path in models(&folder) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            rigs.push((name, Arc::new(opened(&path).unwrap())));
        }
    }
    let out = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let mut problems: Vec<String> = Vec::new();
    for (name, rig) in &rigs {
        problems.extend(survives(name, rig, out.path(), &mut files));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    if let Some(validator) = Validator::find(test) {
        let errors = validator.errors(&files);
        assert!(errors.is_empty(), "{errors}");
    }
}

#[test]
fn random_models_are_sound_when_exported_and_come_back_the_same() {
    let test = "random_models_are_sound_when_exported_and_come_back_the_same";
    let out = tempfile::tempdir().unwrap();
    let files = std::cell::RefCell::new(Vec::new());
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let survived = runner.run(&random::model(), |bytes| {
        let source = ModelSource::alone("random.glb", bytes);
        let rig = open(&source, &TaskProgress::default());
        let rig = Arc::new(rig.map_err(|error| TestCaseError::fail(error.to_string()))?);
        for key in ["glb", "rig-glb"] {
            let bytes = exported(&rig, key).map_err(TestCaseError::fail)?;
            let mut files = files.borrow_mut();
            let file = out.path().join(format!("{}.glb", files.len()));
            fs::write(&file, &bytes).unwrap();
            files.push(file);
            let again = reopened(bytes).map_err(TestCaseError::fail)?;
            if key == "rig-glb" {
                let found = differences(&rig, &again, TOLERANCE);
                prop_assert!(found.is_empty(), "{}", found.join("\n"));
            }
        }
        Ok(())
    });
    if let Err(error) = survived {
        panic!("{error}");
    }
    if let Some(validator) = Validator::find(test) {
        let errors = validator.errors(&files.borrow());
        assert!(errors.is_empty(), "{errors}");
    }
}
