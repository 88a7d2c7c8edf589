//! Compares models of other authors with the results of independent programs. The models are beside
//! the repository on some machines only.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as loudly as tests")]

#[path = "models/exports.rs"]
mod exports;
#[path = "models/random.rs"]
mod random;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bindpose_gltf::{ClipAt, MeshPart, Rig, TaskProgress, bounds_of, load, open};
use bindpose_skin::Method;
use glam::{DMat4, DVec3, Mat4, Vec3};
use serde_json::Value;

/// Tolerance relative to the size of the model.
const TOLERANCE: f64 = 1e-4;

#[expect(clippy::print_stdout, reason = "a skip must be seen")]
fn folder(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("BINDPOSE_SHARED").map_or(beside, PathBuf::from);
    let folder = shared.join("models");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED {test}: no folder with models");
    None
}

fn opened(path: &Path) -> Result<Rig, String> {
    let progress = TaskProgress::default();
    let source = load(path, &progress).map_err(|error| error.to_string())?;
    open(&source, &progress).map_err(|error| error.to_string())
}

/// The numbers of a posed model.
struct Posed<'a> {
    rig: &'a Rig,
    world_from_bind: Vec<Mat4>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    size: f64,
}

impl<'a> Posed<'a> {
    fn new(rig: &'a Rig, animation: Option<u64>, time_secs: f64) -> Self {
        let at = animation.map(|clip| ClipAt { clip: clip as usize, time_secs, share: 1.0 });
        let posed = rig.posed_in(at.as_slice(), |_| None);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        let (low, high) = bounds_of(&moved.positions);
        Self {
            rig,
            world_from_bind,
            size: f64::from((high - low).length()),
            positions: moved.positions,
            normals: moved.normals,
        }
    }

    fn part(&self, expected: &Value) -> &'a MeshPart {
        let node = expected["node"].as_u64().unwrap();
        let primitive = expected["primitive"].as_u64().unwrap();
        let parts = &self.rig.mesh.parts;
        let found = parts
            .iter()
            .find(|part| u64::from(part.node.0) == node && part.primitive as u64 == primitive);
        found.unwrap_or_else(|| panic!("no part for node {node}, primitive {primitive}"))
    }

    /// Returns the maximum error of each quantity, relative to the tolerance.
    fn differences(&self, expected: &Value) -> Vec<(&'static str, f64)> {
        let part = self.part(expected);
        let first = part.vertices.start as usize;
        assert_eq!(part.vertices.len() as u64, expected["vertex_count"].as_u64().unwrap());
        let numbers: Vec<usize> = read(expected, "vertices").unwrap();
        let mut differences = Vec::new();
        let mut add = |name, allowed: f64, found: Vec<f64>| {
            let most = found.into_iter().fold(0.0, |most: f64, off| {
                if off.is_nan() { f64::INFINITY } else { most.max(off) }
            });
            differences.push((name, most / allowed));
        };
        let vectors = |found: &[Vec3], expected: Vec<DVec3>| -> Vec<f64> {
            assert_eq!(numbers.len(), expected.len());
            let pairs = numbers.iter().zip(expected);
            pairs
                .map(|(&number, expected)| found[first + number].as_dvec3().distance(expected))
                .collect()
        };
        let allowed = TOLERANCE * self.size;
        let positions = read(expected, "positions").unwrap();
        add("positions", allowed, vectors(&self.positions, positions));
        if let Some(normals) = read(expected, "normals") {
            add("normals", TOLERANCE, vectors(&self.normals, normals));
        }
        if let Some([least, most]) = read::<[f64; 2]>(expected, "weight_sums") {
            let range = first..part.vertices.end as usize;
            let stored = self.rig.mesh.stored_sums[range].iter();
            let stored = stored.map(|&sum| f64::from(sum));
            let off = [
                (stored.clone().fold(f64::INFINITY, f64::min) - least).abs(),
                (stored.fold(f64::NEG_INFINITY, f64::max) - most).abs(),
            ];
            add("weight sums", TOLERANCE, off.to_vec());
        }
        let matrices: Vec<[f64; 16]> = read(expected, "joint_matrices").unwrap_or_default();
        let joints: Vec<u32> = read(expected, "joints").unwrap_or_default();
        let graph = &self.rig.origin.as_ref().unwrap().graph;
        let (nodes, ours) = part.skin.map_or((&[][..], &[][..]), |skin| {
            (&*graph.skins[skin].joints, &*graph.skins[skin].ours)
        });
        assert_eq!(nodes.iter().map(|node| node.0).collect::<Vec<_>>(), joints);
        let pairs = ours.iter().zip(matrices);
        let off = pairs.map(|(joint, expected)| {
            let found = self.world_from_bind[joint.index()].as_dmat4();
            let difference = found - DMat4::from_cols_array(&expected);
            let most = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let scale = most(&expected[..12]).max(1.0);
            let [linear @ .., x, y, z, _] = difference.to_cols_array();
            // Only the translation has the unit of the model.
            (most(&linear) / scale / TOLERANCE).max(most(&[x, y, z]) / allowed)
        });
        add("joint matrices", 1.0, off.collect());
        differences
    }
}

fn read<T: serde::de::DeserializeOwned>(value: &Value, key: &str) -> Option<T> {
    value.get(key).and_then(|value| serde_json::from_value(value.clone()).ok())
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb")
        })
        .collect();
    paths.sort();
    paths
}

/// Describes all differences. Returns an empty list if the model agrees at all times.
fn disagreements(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let rig = match opened(path) {
        Ok(rig) => rig,
        Err(error) => return vec![error],
    };
    let reference = path.with_file_name(format!("reference/{name}.json"));
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(reference).unwrap()).unwrap();
    // The keys of the glTF tutorial deviate from unit length by as much.
    let slack = if name == "SimpleSkin.gltf" { 1.5 } else { 1.0 };
    let mut problems = Vec::new();
    for case in &cases {
        let time_secs = case["time"].as_f64().unwrap();
        let posed = Posed::new(&rig, case["animation"].as_u64(), time_secs);
        let meshes = case["meshes"].as_array().unwrap();
        assert_eq!(meshes.len(), rig.mesh.parts.len(), "{name}");
        for mesh in meshes {
            for (what, off) in posed.differences(mesh) {
                if off > slack {
                    problems.push(format!(
                        "{name}: animation {} at {time_secs} s, node {}: {what} off by {off} of what is allowed",
                        case["animation"], mesh["node"]
                    ));
                }
            }
        }
    }
    problems
}

#[test]
fn every_model_agrees_with_independent_programs_at_all_times() {
    let Some(folder) = folder("every_model_agrees_with_independent_programs_at_all_times") else {
        return;
    };
    let mut paths = models(&folder);
    paths.extend(models(&folder.join("synthetic")));
    assert!(paths.len() >= 29, "{}", paths.len());
    let problems: Vec<String> = paths.iter().flat_map(|path| disagreements(path)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn malformed_files_are_rejected_or_read_quickly() {
    let Some(folder) = folder("malformed_files_are_rejected_or_read_quickly") else {
        return;
    };
    let paths = models(&folder.join("invalid"));
    assert!(paths.len() >= 40, "{}", paths.len());
    let mut refused = 0;
    for path in &paths {
        let begun = Instant::now();
        match opened(path) {
            Ok(rig) => assert_eq!(rig.mesh.influences.len(), rig.mesh.positions.len()),
            Err(error) => {
                let name = path.file_name().unwrap().to_string_lossy();
                assert!(error.contains(&*name), "{error}");
                refused += 1;
            }
        }
        assert!(begun.elapsed().as_secs_f64() < 1.0, "{}", path.display());
    }
    assert!(refused >= 20, "{refused}");
}
