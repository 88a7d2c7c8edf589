//! Exports of every model that opens. The doctor must find no error in them, and opening them must
//! give the same rig. Changes that an export reports are not compared. Numbers that overflow 32-bit
//! floats may be refused with an error, and are not compared either.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::Severity;
use bindpose_doctor::{examine, is_about_meaning};
use bindpose_gltf::{ClipAt, ModelSource, Rig, TaskProgress, open};
use bindpose_notebook::export::Export;
use bindpose_notebook::{Derived, Document};
use bindpose_skin::Method;
use glam::{Mat4, Vec3};

use super::reach::MagnitudeSum;

/// Maximum number of clips that are compared.
const MAX_COMPARED_CLIPS: usize = 3;

/// Exports the rig of a file, reopens it, and exports that rig again.
pub(super) fn check_exports(source: &ModelSource) {
    let Ok(rig) = open(source, &TaskProgress::default()) else {
        return;
    };
    let rig = Arc::new(rig);
    let overflows = MagnitudeSum::new(&rig, None).is_none_or(|reach| reach.overflows(&rig));
    if let Some((again, _)) = export_and_reopen(&rig, "glb", overflows) {
        let (before, after) = (PosedModel::new(&rig, &[]), PosedModel::new(&again, &[]));
        for (part, positions) in before.parts.iter().enumerate() {
            let found = after.parts.get(part).map(|part| &part.positions);
            assert!(found == Some(&positions.positions), "posed part {part}");
        }
    }
    let mut before = Arc::clone(&rig);
    for _ in 0..2 {
        let Some((again, changed)) = export_and_reopen(&before, "rig-glb", overflows) else {
            return;
        };
        compare(&before, &again, &changed);
        before = again;
    }
}

/// Exports a rig and opens the file. Returns the reopened rig and the codes of reported changes.
/// Returns `None` if the export is refused.
fn export_and_reopen(
    rig: &Arc<Rig>,
    key: &str,
    overflows: bool,
) -> Option<(Arc<Rig>, Vec<&'static str>)> {
    let document = Document::default();
    let derived = Derived::of_document(&document, None, rig);
    let export = Export::from_key(key).expect("an export of that name");
    let bytes = match export.bytes(&derived, 0) {
        Ok(bytes) => bytes,
        Err(error) => {
            let is_right = match error.code {
                "NO_VERTICES" => true,
                "NOT_FINITE" => overflows || error.title.contains("key") || !is_finite(&derived),
                _ => false,
            };
            assert!(is_right, "{key}: {error}");
            return None;
        }
    };
    let source = ModelSource::alone("again.glb", bytes);
    let report = examine(&source, &TaskProgress::default());
    for finding in &report.findings {
        let is_error = finding.severity == Severity::Error;
        // Writing a file repairs neither numbers that overflow nor a wrong meaning of its numbers.
        let is_known =
            overflows && finding.code == "NUMBERS_OVERFLOW" || is_about_meaning(finding.code);
        assert!(!is_error || is_known, "{key}: {} {finding}", finding.code);
    }
    let again = open(&source, &TaskProgress::default());
    let again = again.unwrap_or_else(|error| panic!("{key}: {error}"));
    let notes = export.left_out(&derived, 0);
    Some((Arc::new(again), notes.iter().map(|note| note.code).collect()))
}

/// Returns whether all positions and normals of the posed mesh are finite.
fn is_finite(derived: &Derived) -> bool {
    let normal = |vertex| derived.normal(vertex).is_none_or(Vec3::is_finite);
    let mut vertices = derived.positions().iter().enumerate();
    vertices.all(|(vertex, position)| position.is_finite() && normal(vertex))
}

/// Compares two rigs at rest and in the middle of some clips.
fn compare(before: &Rig, after: &Rig, changed: &[&str]) {
    assert_same_pose(before, after, None);
    let (clips, others) = (moving_clips(before), moving_clips(after));
    assert_eq!(clips.len(), others.len(), "clips");
    if changed.contains(&"KEYS_CHANGED") {
        return;
    }
    for pair in clips.into_iter().zip(others).take(MAX_COMPARED_CLIPS) {
        assert_same_pose(before, after, Some(pair));
    }
}

fn assert_same_pose(before: &Rig, after: &Rig, clips: Option<(usize, usize)>) {
    let Some(reach) = MagnitudeSum::new(before, clips.map(|(clip, _)| clip)) else {
        return;
    };
    let middle = clips.map(|(clip, other)| {
        let time_secs = f64::from(before.clips[clip].duration_secs) / 2.0;
        [clip, other].map(|clip| ClipAt { clip, time_secs, share: 1.0 })
    });
    let left = PosedModel::new(before, middle.map(|[clip, _]| clip).as_slice());
    let right = PosedModel::new(after, middle.map(|[_, other]| other).as_slice());
    for (place, &(joint, matrix)) in &left.joints {
        let found = right.joints.get(place);
        let (_, found) = found.unwrap_or_else(|| panic!("no joint {place:?}"));
        let Some(magnitudes) = reach.world_from_bind[joint].map(|matrix| matrix.to_cols_array())
        else {
            continue;
        };
        let cells = matrix.to_cols_array().into_iter();
        for (cell, (a, b)) in cells.zip(found.to_cols_array()).enumerate() {
            let is_close = reach.is_close(a, b, magnitudes[cell]);
            assert!(is_close, "{clips:?}, joint {place:?}: {matrix} became {found}");
        }
    }
    // A node with parts in two skins has become two nodes, the second after all others.
    let mut others: Vec<&Vec<Vec3>> = right.parts.iter().map(|part| &part.positions).collect();
    for (number, part) in left.parts.iter().enumerate() {
        let is_like = |other: &&Vec<Vec3>| {
            other.len() == part.positions.len()
                && (0..other.len())
                    .all(|at| reach.is_vertex_close(part.first + at, part.positions[at], other[at]))
        };
        let found = others.iter().position(is_like);
        let found = found.unwrap_or_else(|| {
            panic!("{clips:?}, part {number}: {:?} not among {others:?}", part.positions)
        });
        others.remove(found);
    }
    assert!(others.is_empty(), "{clips:?}: parts came in: {others:?}");
}

/// Returns the indices of clips that move something. Others are not exported.
fn moving_clips(rig: &Rig) -> Vec<usize> {
    let clips = 0..rig.clips.len();
    clips.filter(|&clip| rig.is_moved_by(&rig.clips[clip])).collect()
}

/// A rig at a time of a clip.
struct PosedModel {
    /// Parts with vertices.
    parts: Vec<PosedPart>,
    /// Joints of the rig with their joint matrices, by skin and position in the skin.
    joints: BTreeMap<(usize, usize), (usize, Mat4)>,
}

struct PosedPart {
    /// Index of the first vertex.
    first: usize,
    positions: Vec<Vec3>,
}

impl PosedModel {
    fn new(rig: &Rig, at: &[ClipAt]) -> Self {
        let posed = rig.posed_in(at, |_| None);
        let world_from_bind = posed.world_from_bind(&rig.skeleton);
        let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
        let parts = rig.mesh.parts.iter().filter(|part| !part.vertices.is_empty());
        let parts = parts.map(|part| {
            let first = part.vertices.start as usize;
            PosedPart {
                first,
                positions: moved.positions[first..part.vertices.end as usize].to_vec(),
            }
        });
        let mut joints = BTreeMap::new();
        let skins = rig.origin.iter().flat_map(|origin| &origin.graph.skins);
        for (skin, stored) in skins.filter(|skin| !skin.ours.is_empty()).enumerate() {
            for (place, joint) in stored.ours.iter().map(|joint| joint.index()).enumerate() {
                joints.insert((skin, place), (joint, world_from_bind[joint]));
            }
        }
        Self { parts: parts.collect(), joints }
    }
}
