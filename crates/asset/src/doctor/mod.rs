//! The doctor: what is wrong with a model, in words that teach.
//!
//! It looks at the JSON and the bytes themselves, so that it also works on files
//! that do not open. Whatever the bytes, it ends, with a bounded list.

mod attributes;
mod bind;
mod buffers;
mod catalog;
mod clip_reach;
mod clips;
mod container;
mod doc;
mod elements;
mod examined;
mod findings;
mod influences;
mod keys;
mod mend;
mod meshes;
mod nodes;
mod rest_shape;
mod schema;
mod schema_tables;
mod skin_fit;
mod skinned_vertices;
mod skins;
mod surfaces;
#[cfg(test)]
mod tests;
mod usage;

use std::collections::BTreeSet;
use std::iter;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity, counted};
use serde::Serialize;
use serde_json::Value;

use super::progress::{Pace, Paced};
use super::{ModelOpening, ModelSource, OpenError, Rig, TaskProgress};
use crate::foreign::{foreign, glb_in_text};
use crate::gltf_file::{CONVERT_GLTF_1, is_gltf_1, json};
use catalog::{CANNOT_OPEN, EXAMINED_IN_PART, INVALID_JSON, NOT_GLTF, NOTHING_TO_SHOW};
use doc::{Doc, ExaminationWork, Graph, as_whole, list, whole};
use findings::Findings;

pub use bind::{BindData, BindExplanation, BindRepair, MirrorAxis, known_factor};
pub use examined::{ExaminedModel, RestOffset, SkinnedSize};
pub use findings::kind_of_place;
pub use mend::{Container, MendError, Mended, mend, mended_name, mending};

pub(super) use schema::{Schema, leave_out_minus_ones};

/// Examines a file, whatever it is. A cancelled examination answers with what
/// was found until then.
pub fn examine(source: &ModelSource, progress: &TaskProgress) -> DoctorReport {
    examination(source, progress).finish()
}

/// The same in pieces.
pub fn examination(source: &ModelSource, progress: &TaskProgress) -> Paced<DoctorReport> {
    let source = source.clone();
    Paced::new(progress, async move |pace| examined(&source, &pace).await)
}

async fn examined(source: &ModelSource, pace: &Pace) -> DoctorReport {
    let mut found = Findings::default();
    let progress = pace.progress();
    // The one place that tells formats apart: here, what is written in angle
    // brackets from the rest, which is glTF or nothing.
    if first_letter(&source.main) == Some(b'<') && foreign(&source.main).is_none() {
        examine_other(source, progress, &mut found);
    } else if let Some(doc) = open(source, progress, &mut found) {
        let graph = Graph::new(&doc, &mut found);
        examine_gltf(&doc, &graph, source, pace, &mut found).await;
    }
    progress.set(1.0);
    DoctorReport::new(found)
}

/// Every fault that it knows, as it tells of one without a file: what is wrong,
/// what it does to the picture, how to mend it.
pub fn known_faults() -> impl Iterator<Item = Diagnostic> {
    catalog::ALL.iter().map(|fault| fault.of(Diagnostic::said(fault.code, "")))
}

/// Is a finding of this code about what numbers mean, and not about their form? No rule of
/// the format stands behind it, and a faithful copy of the model has it too.
pub fn is_about_meaning(code: &str) -> bool {
    let begins = ["IBM_", "NODES_", "MESH_OFF", "MESH_IN_PIECES", "ALL_", "JOINTS_", "CLIP_"];
    let whole = [
        "SPLINE_SIGN_FLIPS",
        "SPLINE_TANGENTS_ARE_KEYS",
        "FULL_TURN_BETWEEN_KEYS",
        "SIZE_AT_REST",
        "FAR_FROM_ORIGIN",
        "MANY_JOINTS",
        "FACES_INSIDE_OUT",
        "NORMALS_OTHER_AXES",
        "COLORS_BLACK",
        "SURFACE_TRANSPARENT",
        "MORPH_TARGET_HOLDS_POSITIONS",
    ];
    begins.iter().any(|begin| code.starts_with(begin)) || whole.contains(&code)
}

/// Behind a byte order mark and spaces.
fn first_letter(bytes: &[u8]) -> Option<u8> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// JSON and buffers; `None` when there is no JSON to examine.
fn open<'a>(
    source: &'a ModelSource,
    progress: &TaskProgress,
    found: &mut Findings,
) -> Option<Doc<'a>> {
    if glb_in_text(&source.main).is_some() {
        found.add(&catalog::GLB_AS_TEXT, "").expected("the bytes of a GLB", "letters for them");
        return None;
    }
    let chunks = container::chunks(&source.main, found);
    let parsed = match json::parse(container::json_text(chunks.json?, found)) {
        Ok(parsed) => parsed,
        Err(why) => {
            found.add(&INVALID_JSON, "").expected("JSON", why);
            return None;
        }
    };
    for pointer in &parsed.too_large {
        let expected = "a number that fits a 32-bit float";
        let shown = "a number beyond 1.8e308, which reads as infinity";
        found.add(&catalog::VALUE_NOT_IN_RANGE, pointer.as_str()).expected(expected, shown);
    }
    let (mut root, patched, cut) = (parsed.value, !parsed.too_large.is_empty(), parsed.cut);
    if !root.is_object() {
        found.add(&catalog::TYPE_MISMATCH, "").expected("an object", "JSON of another kind");
        return None;
    }
    if is_gltf_1(&root) {
        let first = found.add(&catalog::UNKNOWN_ASSET_MAJOR_VERSION, "/asset/version");
        first.help(CONVERT_GLTF_1).expected("glTF 2.0", "glTF 1.0");
        return None;
    }
    container::read_as_meant(&mut root, found);
    let buffers = buffers::fetch_buffers(&root, chunks.bin, chunks.is_glb, source, found);
    Some(Doc { root, buffers, patched, cut, work: ExaminationWork::new(progress) })
}

async fn examine_gltf(
    doc: &Doc<'_>,
    graph: &Graph,
    source: &ModelSource,
    pace: &Pace,
    found: &mut Findings,
) {
    found.examined = Some(counted_in(doc));
    let stages: [&dyn Fn(&mut Findings); 8] = [
        &|found| {
            usage::examine_extensions(doc, found);
            schema::examine(doc, found);
        },
        &|found| {
            buffers::examine_views(doc, found);
            buffers::examine_pictures(doc, source, found);
            usage::examine(doc, found);
        },
        &|found| nodes::examine(doc, graph, found),
        &|found| elements::examine_accessors(doc, found),
        &|found| skins::examine(doc, graph, found),
        &|found| {
            meshes::examine(doc, found);
            surfaces::examine(doc, found);
            skin_fit::examine(doc, graph, found);
            rest_shape::examine(doc, graph, found);
        },
        &|found| {
            keys::examine_animations(doc, found);
            clips::examine(doc, graph, found);
            clip_reach::examine(doc, graph, found);
        },
        &|found| rest_shape::examine_overflow(doc, graph, found),
    ];
    let part = |stage: usize| stage as f32 / stages.len() as f32;
    for (place, stage) in stages.iter().enumerate() {
        if !doc.work.begin(part(place), part(place + 1)) || pace.pause().await.is_err() {
            return;
        }
        stage(found);
    }
    shown(doc, source, pace, found).await;
    let left_out = doc.work.left_out();
    if left_out > 0 {
        let expected = "data of a size that is examined in about a second";
        let shown = format!("{left_out} parts were left out");
        found.add(&EXAMINED_IN_PART, "").expected(expected, shown);
    }
}

/// Is there something to see, and does it open?
async fn shown(doc: &Doc<'_>, source: &ModelSource, pace: &Pace, found: &mut Findings) {
    let is_shown = doc.list("nodes").iter().any(|node| node.get("mesh").is_some());
    let has_skins = !doc.list("skins").is_empty();
    if !is_shown {
        let shown = if has_skins { "none" } else { "none, and no skin: it does not open here" };
        found.add(&NOTHING_TO_SHOW, "").expected("a node with a mesh", shown);
    }
    if is_shown || has_skins {
        examine_opening(source, pace, found).await;
    }
}

/// Counts what the JSON lists; its numbers may be anything.
fn counted_in(doc: &Doc<'_>) -> ExaminedModel {
    let positions = |primitive: Option<&Value>| whole(primitive?, "POSITION");
    let positions: BTreeSet<usize> =
        doc.primitives().filter_map(|one| positions(one.get("attributes"))).collect();
    let count = |accessor| whole(doc.one("accessors", accessor)?, "count");
    let skins = doc.list("skins").iter();
    let joints = skins.flat_map(|skin| list(skin, "joints")).filter_map(as_whole);
    ExaminedModel {
        meshes: doc.list("meshes").len(),
        vertices: positions.into_iter().filter_map(count).fold(0, usize::saturating_add),
        skins: doc.list("skins").len(),
        joints: joints.collect::<BTreeSet<usize>>().len(),
        clips: doc.list("animations").len(),
        ..ExaminedModel::default()
    }
}

// Does the reader open it? A file that does not open has an error that says why, and
// what was left out of one that opens is told.

/// Adds what the reader stumbles over in a glTF file, unless the examination has
/// found the cause already.
async fn examine_opening(source: &ModelSource, pace: &Pace, found: &mut Findings) {
    if found.any_error() {
        return;
    }
    let mut opening = ModelOpening::new(source, &pace.progress().part(0.9, 1.0));
    let opened = loop {
        // Asked to stop, the opening ends by itself.
        let piece = pace.whole_piece().await.unwrap_or(usize::MAX);
        if let Some(opened) = opening.advance(piece) {
            break opened;
        }
    };
    match opened {
        Ok(rig) => {
            if let Some(examined) = &mut found.examined {
                examined.size = SkinnedSize::of(&rig);
            }
            left_out(&rig, found);
        }
        Err(error) => refused(error, found),
    }
}

/// Files of other formats are as their readers find them.
fn examine_other(source: &ModelSource, progress: &TaskProgress, found: &mut Findings) {
    match crate::open(source, progress) {
        Ok(rig) => {
            found.examined = Some(ExaminedModel::of_rig(&rig));
            for note in rig.origin.iter().flat_map(|origin| &origin.notes) {
                found.adopt(note.clone());
            }
        }
        Err(error) => refused(error, found),
    }
}

/// What was left out for a reason that is not in the list yet.
fn left_out(rig: &Rig, found: &mut Findings) {
    for note in rig.left_out() {
        if note.severity != Severity::Note && !found.speaks_of(note.at.pointer()) {
            found.adopt(note.clone());
        }
    }
}

fn refused(error: OpenError, found: &mut Findings) {
    match error {
        OpenError::Gltf { error, .. } => {
            // The reader also names parts of the file that are not in its JSON.
            let pointer = Some(&*error.path).filter(|path| path.starts_with('/'));
            let at = ModelPlace::at(pointer.unwrap_or_default());
            found.adopt(CANNOT_OPEN.of(Diagnostic::from(*error).at(Place::Model(at))));
        }
        OpenError::Ezm { error, .. } => {
            let last = error.faults.len().saturating_sub(1);
            for (index, fault) in error.faults.into_iter().enumerate() {
                let mut fault = CANNOT_OPEN.of(fault.into());
                if index == last {
                    fault.count += error.more;
                }
                found.adopt(fault);
            }
        }
        OpenError::UnknownFormat { found: begins, help, .. } => {
            let finding = found.add(&NOT_GLTF, "").help(help.unwrap_or_default());
            finding.expected("a glTF model", begins);
        }
        // Nobody asks any more.
        OpenError::Cancelled { .. } => {}
    }
}

// What the doctor answers.

const NOTHING_WRONG: &str = "Nothing wrong was found.";

/// Everything found in one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DoctorReport {
    /// How many of the findings are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// How many are notes.
    pub notes: usize,
    /// What there was to examine; `None` where nothing could be read.
    pub examined: Option<ExaminedModel>,
    /// Errors first.
    pub findings: Vec<Diagnostic>,
}

impl DoctorReport {
    fn new(found: Findings) -> Self {
        let examined = found.examined;
        Self { examined, ..Self::of(found.into_list()) }
    }

    /// Leaves out the findings that `keep` does not want, of which nothing is said or
    /// counted any more.
    #[must_use]
    pub fn retaining(self, keep: impl FnMut(&Diagnostic) -> bool) -> Self {
        let examined = self.examined;
        Self { examined, ..Self::of(self.findings.into_iter().filter(keep).collect()) }
    }

    fn of(findings: Vec<Diagnostic>) -> Self {
        let count = |severity| {
            let of_it = |finding: &&Diagnostic| finding.severity == severity;
            findings.iter().filter(of_it).count()
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            examined: None,
            findings,
        }
    }

    /// As JSON for other programs: `file`, `errors`, `warnings`, `notes`,
    /// `examined`, `findings`.
    pub fn to_json(&self, file: &str) -> String {
        #[derive(Serialize)]
        struct WrittenFinding<'a> {
            file: &'a str,
            #[serde(flatten)]
            report: &'a DoctorReport,
        }
        let written = WrittenFinding { file, report: self };
        // Text and numbers: writing them cannot fail.
        serde_json::to_string_pretty(&written).unwrap_or_default()
    }

    /// Nothing that needs mending: notes alone, or nothing at all.
    pub fn is_sound(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// What a file amounts to that needs no mending; `None` where something is wrong.
    pub fn verdict(&self) -> Option<String> {
        let parts = || iter::once(NOTHING_WRONG.to_owned()).chain(self.rest_words());
        self.is_sound().then(|| parts().collect::<Vec<_>>().join(" "))
    }

    /// What was examined and what it amounts to, in a few sentences.
    pub fn summary(&self) -> String {
        let examined = self.examined.map(|examined| format!("Examined: {}.", examined.words()));
        let size = self.examined.and_then(|examined| Some(examined.size?.words()));
        let wrong = match (self.errors, self.warnings) {
            (0, 0) => NOTHING_WRONG.to_owned(),
            (0, warnings) => format!(
                "{}: allowed, but likely not meant, or shown differently elsewhere.",
                counted(warnings, "warning")
            ),
            (errors, _) => format!(
                "{}: a rule of the format is broken, or the picture is wrong.",
                counted(errors, "error")
            ),
        };
        let mendable = self.findings.iter().filter(|finding| finding.mendable).count();
        let mendable =
            (mendable > 0).then(|| format!("{} can be mended.", counted(mendable, "finding")));
        let parts = examined.into_iter().chain(size).chain([wrong]).chain(mendable);
        parts.chain(self.rest_words()).collect::<Vec<_>>().join(" ")
    }

    fn rest_words(&self) -> Option<String> {
        Some(format!("It rests {}.", self.examined?.rest?.words()))
    }

    /// Is there something that [`mend`](fn@self::mend) can mend?
    pub fn is_mendable(&self) -> bool {
        self.findings.iter().any(|finding| finding.mendable)
    }
}
