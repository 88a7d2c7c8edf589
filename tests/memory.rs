//! Measures the memory that opening a model takes, with a counting allocator. The only test of its
//! binary, so that nothing else allocates.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as loudly as tests")]

use std::fs;
use std::path::{Path, PathBuf};

use bindpose_diagnostic::Severity;
use bindpose_doctor::examine;
use bindpose_gltf::{Rig, TaskProgress, load, open};
use peak_alloc::PeakAlloc;

#[path = "../benches/load/generated.rs"]
mod generated;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Memory limit for opening and examining a malicious file, in bytes.
const MAX_ATTACK_BYTES: usize = 200_000_000;

#[test]
fn opening_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (vertices, joints) in [(20_000, 64), (100_000, 300)] {
        let path = folder.path().join(format!("{vertices}.glb"));
        fs::write(&path, &generated::model(vertices, joints).unwrap().main).unwrap();
        let (rig, kept, peak) = measured(|| opened(&path));
        assert_eq!(rig.mesh.positions.len(), vertices);
        println!("{vertices} vertices: {kept} bytes kept, {peak} at the peak");
        assert!(peak <= 2 * kept, "{peak} bytes at the peak for {kept} kept");
    }
    let Some(attacks) = attacks() else {
        println!("SKIPPED attacks: no folder with models");
        return;
    };
    for path in attacks {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let ((), _, peak) = measured(|| attacked(&path));
        println!("{name}: {peak} bytes at the peak");
        assert!(peak <= MAX_ATTACK_BYTES, "{name}: {peak} bytes");
    }
}

fn opened(path: &Path) -> Rig {
    let progress = TaskProgress::default();
    open(&load(path, &progress).unwrap(), &progress).unwrap()
}

/// Opens and examines a malicious file. A rejected file must have a finding.
fn attacked(path: &Path) {
    let progress = TaskProgress::default();
    let source = load(path, &progress).unwrap();
    let report = examine(&source, &progress);
    if let Err(error) = open(&source, &progress) {
        let told = report.findings.iter().any(|finding| {
            finding.severity == Severity::Error || finding.code == "NOTHING_TO_SHOW"
        });
        assert!(told, "{}: {error}", path.display());
    }
}

/// Returns the result of `work`, the bytes that it still holds, and its peak.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let answer = work();
    let kept = ALLOCATOR.current_usage().saturating_sub(before);
    let peak = ALLOCATOR.peak_usage().saturating_sub(before);
    (answer, kept, peak)
}

/// Lists the files that broke an earlier version, in this folder and its subfolders.
fn attacks() -> Option<Vec<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("BINDPOSE_SHARED").map_or(beside, PathBuf::from);
    let mut files = Vec::new();
    let mut folders = vec![shared.join("models/attacks")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).ok()? {
            let path = entry.unwrap().path();
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("glb" | "gltf") => files.push(path),
                None if path.is_dir() => folders.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    Some(files)
}
