//! Examines skinned models for faults, explains them, and repairs many of them.
//!
//! [`examine`] accepts any bytes. It works on the JSON and the bytes themselves, so that it can
//! examine files that do not open. An examination ends with a bounded list of findings, each
//! with a code, a location and a remedy. [`mend`] repairs the mistakes that have only one
//! possible correction.
//!
//! ```
//! use bindpose_gltf::{ModelSource, TaskProgress};
//! use bindpose_doctor::examine;
//!
//! let json = br#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 7}]}"#;
//! let source = ModelSource::alone("model.gltf", &json[..]);
//! let report = examine(&source, &TaskProgress::default());
//! for finding in &report.findings {
//!     println!("{} {finding}", finding.severity);
//! }
//! assert_eq!(report.findings[0].at.pointer(), "/nodes/0/mesh");
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod animations;
mod attributes;
mod bind;
mod bones;
mod buffers;
mod byte_order;
mod catalog;
mod clip_reach;
mod clips;
mod consequences;
mod container;
mod document;
mod elements;
mod examined;
mod extensions;
mod findings;
mod influences;
mod mend;
mod meshes;
mod nodes;
mod rest_shape;
mod schema;
mod seams;
mod skin_fit;
mod skinned_vertices;
mod skins;
mod surfaces;
#[cfg(test)]
mod tests;
mod usage;
mod vertex_order;

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity, counted};
use bindpose_gltf::decoding::values::{as_usize, get_list, get_usize};
use bindpose_gltf::decoding::{CONVERT_GLTF_1, foreign, glb_in_text, is_gltf_1, json};
use bindpose_gltf::{ModelOpening, ModelSource, OpenError, Pace, Paced, TaskProgress};
use serde::Serialize;

use catalog::{CANNOT_OPEN, EXAMINED_IN_PART, INVALID_JSON, NOT_GLTF, NOTHING_TO_SHOW};
use document::{NodeGraph, RawDocument, WorkTracker};
use findings::Findings;

pub use bind::{BindData, BindExplanation, BindRepair, MirrorAxis, known_factor};
pub use examined::{ExaminedModel, RestOffset, SkinnedSize};
pub use findings::kind_of_place;
pub use mend::{Container, MendError, Mended, WithheldRepair, mend, mended_name, mending};

const NOTHING_WRONG: &str = "Nothing wrong was found.";
/// The verdict on a sound file with one of [`PICTURE_NOTES`].
const NOTE_IS_VISIBLE: &str =
    "No rule of the format is broken, but what a note describes can be seen.";
/// Codes of notes about what is seen, or not seen, in the picture.
const PICTURE_NOTES: [&str; 6] = [
    NOTHING_TO_SHOW.code,
    catalog::IBM_MIRRORED.code,
    catalog::SURFACE_TRANSPARENT.code,
    catalog::CLIP_MOVES_NOTHING.code,
    catalog::CLIP_IN_WORLD.code,
    catalog::CLIP_OTHER_BONES.code,
];

/// Examines a file of any format. Returns the findings so far if `progress` is cancelled.
pub fn examine(source: &ModelSource, progress: &TaskProgress) -> DoctorReport {
    examination(source, progress).finish()
}

/// Examines a file in pieces. See [`examine`].
pub fn examination(source: &ModelSource, progress: &TaskProgress) -> Paced<DoctorReport> {
    let source = source.clone();
    Paced::new(progress, async move |pace| examine_paced(&source, &pace).await)
}

async fn examine_paced(source: &ModelSource, pace: &Pace) -> DoctorReport {
    let mut findings = Findings::default();
    let progress = pace.progress();
    // The only place that distinguishes formats: XML goes to the reader of that format,
    // everything else is treated as glTF.
    if first_non_space(&source.main) == Some(b'<') && foreign(&source.main).is_none() {
        examine_xml(source, progress, &mut findings);
    } else if let Some(doc) = open_document(source, progress, &mut findings) {
        if let Some(accessor_count) = byte_order::count_reversed_accessors(&doc) {
            findings = Findings::default();
            findings.examined = Some(count_contents(&doc));
            findings.add(&catalog::BYTES_REVERSED, "/buffers").expected(
                "little-endian numbers",
                format_args!(
                    "big-endian ones: with the bytes of each number reversed, the data of \
                     {accessor_count} accessors lie within their min and max; as stored, of none"
                ),
            );
        } else {
            let graph = NodeGraph::new(&doc, &mut findings);
            examine_gltf(&doc, &graph, source, pace, &mut findings).await;
        }
    }
    progress.set(1.0);
    let examined = findings.examined;
    DoctorReport::from_findings(findings.into_sorted(), examined)
}

/// Iterates over the catalogue of faults. Each diagnostic has its texts but no place in a file.
pub fn known_faults() -> impl Iterator<Item = Diagnostic> {
    catalog::ALL_FAULTS.iter().map(|fault| fault.complete(Diagnostic::said(fault.code, "")))
}

/// Returns whether findings with this code concern the meaning of numbers and not their form.
/// No rule of the format covers these faults, and a faithful copy of a model has them too.
pub fn is_about_meaning(code: &str) -> bool {
    catalog::ALL_FAULTS.iter().any(|fault| fault.code == code && fault.is_semantic)
}

/// Returns the first byte after a byte order mark and white space.
fn first_non_space(bytes: &[u8]) -> Option<u8> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Parses the JSON and loads the buffers. Returns `None`, with a finding that explains it, if
/// there is no glTF 2.0 JSON to examine.
fn open_document<'a>(
    source: &'a ModelSource,
    progress: &TaskProgress,
    findings: &mut Findings,
) -> Option<RawDocument<'a>> {
    if glb_in_text(&source.main).is_some() {
        findings.add(&catalog::GLB_AS_TEXT, "").expected("the bytes of a GLB", "letters for them");
        return None;
    }
    let chunks = container::split_chunks(&source.main, findings);
    let parsed = match json::parse(container::json_text(chunks.json?, findings)) {
        Ok(parsed) => parsed,
        Err(why) => {
            findings.add(&INVALID_JSON, "").expected("JSON", why);
            return None;
        }
    };
    for pointer in &parsed.too_large {
        findings.add(&catalog::VALUE_NOT_IN_RANGE, pointer.as_str()).expected(
            "a number that fits a 32-bit float",
            "a number beyond 1.8e308, which reads as infinity",
        );
    }
    let mut root = parsed.value;
    if !root.is_object() {
        findings.add(&catalog::TYPE_MISMATCH, "").expected("an object", "JSON of another kind");
        return None;
    }
    if is_gltf_1(&root) {
        findings
            .add(&catalog::UNKNOWN_ASSET_MAJOR_VERSION, "/asset/version")
            .help(CONVERT_GLTF_1)
            .expected("glTF 2.0", "glTF 1.0");
        return None;
    }
    container::normalize_json(&mut root, findings);
    let buffers = buffers::fetch_buffers(&root, chunks.bin, chunks.is_glb, source, findings);
    Some(RawDocument {
        root,
        buffers,
        has_replaced_numbers: !parsed.too_large.is_empty(),
        is_truncated: parsed.cut,
        work: WorkTracker::new(progress),
    })
}

async fn examine_gltf(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    source: &ModelSource,
    pace: &Pace,
    findings: &mut Findings,
) {
    findings.examined = Some(count_contents(doc));
    let stages: [&dyn Fn(&mut Findings); 8] = [
        &|findings| {
            extensions::examine(doc, findings);
            schema::examine(doc, findings);
        },
        &|findings| {
            buffers::examine_views(doc, findings);
            buffers::examine_images(doc, source, findings);
            usage::examine(doc, findings);
        },
        &|findings| nodes::examine(doc, graph, findings),
        &|findings| elements::examine_accessors(doc, findings),
        &|findings| skins::examine(doc, graph, findings),
        &|findings| {
            meshes::examine(doc, findings);
            surfaces::examine(doc, findings);
            skin_fit::examine(doc, graph, findings);
            rest_shape::examine(doc, graph, findings);
            vertex_order::examine(doc, findings);
        },
        &|findings| {
            animations::examine(doc, findings);
            clips::examine(doc, graph, findings);
            clip_reach::examine(doc, graph, findings);
        },
        &|findings| rest_shape::examine_overflow(doc, graph, findings),
    ];
    let stage_count = stages.len() as f32;
    for (index, stage) in stages.iter().enumerate() {
        let start = index as f32 / stage_count;
        let end = (index + 1) as f32 / stage_count;
        if !doc.work.begin_stage(start, end) || pace.pause().await.is_err() {
            return;
        }
        stage(findings);
    }
    consequences::remove(findings);
    examine_visibility(doc, source, pace, findings).await;
    let skipped_count = doc.work.skipped_count();
    if skipped_count > 0 {
        findings.add(&EXAMINED_IN_PART, "").expected(
            "data of a size that is examined in about a second",
            format_args!("{skipped_count} parts were left out"),
        );
    }
}

/// Checks that the file has something to show, and that the reader opens it.
async fn examine_visibility(
    doc: &RawDocument<'_>,
    source: &ModelSource,
    pace: &Pace,
    findings: &mut Findings,
) {
    let has_shown_mesh = doc.list("nodes").iter().any(|node| node.get("mesh").is_some());
    let has_skins = !doc.list("skins").is_empty();
    if !has_shown_mesh {
        let shown = if has_skins { "none" } else { "none, and no skin: it does not open here" };
        findings.add(&NOTHING_TO_SHOW, "").expected("a node with a mesh", shown);
    }
    if has_shown_mesh || has_skins {
        examine_opening(source, pace, findings).await;
    }
}

/// Counts the contents of the JSON, without any check.
fn count_contents(doc: &RawDocument<'_>) -> ExaminedModel {
    // Primitives may share positions.
    let positions: BTreeSet<usize> = doc
        .primitives()
        .filter_map(|primitive| get_usize(primitive.get("attributes")?, "POSITION"))
        .collect();
    let joints: BTreeSet<usize> = doc
        .list("skins")
        .iter()
        .flat_map(|skin| get_list(skin, "joints"))
        .filter_map(as_usize)
        .collect();
    ExaminedModel {
        meshes: doc.list("meshes").len(),
        vertices: positions
            .into_iter()
            .filter_map(|accessor| get_usize(doc.get("accessors", accessor)?, "count"))
            .fold(0, usize::saturating_add),
        skins: doc.list("skins").len(),
        joints: joints.len(),
        clips: doc.list("animations").len(),
        ..ExaminedModel::default()
    }
}

/// Opens a glTF file with the reader. Adds its error, or notes about parts that it skipped,
/// unless an earlier finding already explains them.
async fn examine_opening(source: &ModelSource, pace: &Pace, findings: &mut Findings) {
    if findings.has_errors() {
        return;
    }
    let mut opening = ModelOpening::new(source, &pace.progress().part(0.9, 1.0));
    let opened = loop {
        // A cancelled opening ends by itself, in one last piece.
        let piece = pace.whole_piece().await.unwrap_or(usize::MAX);
        if let Some(opened) = opening.advance(piece) {
            break opened;
        }
    };
    match opened {
        Ok(rig) => {
            if let Some(examined) = &mut findings.examined {
                examined.size = SkinnedSize::of(&rig);
            }
            seams::examine(&rig, findings);
            for note in rig.left_out() {
                if note.severity != Severity::Note && !findings.has_problem_near(note.at.pointer())
                {
                    findings.add_diagnostic(note.clone());
                }
            }
        }
        Err(error) => add_open_error(error, findings),
    }
}

/// Opens a file of an XML format and adds the findings of its reader.
fn examine_xml(source: &ModelSource, progress: &TaskProgress, findings: &mut Findings) {
    match bindpose_gltf::open(source, progress) {
        Ok(rig) => {
            findings.examined = Some(ExaminedModel::of_rig(&rig));
            for note in rig.origin.iter().flat_map(|origin| &origin.notes) {
                findings.add_diagnostic(note.clone());
            }
        }
        Err(error) => add_open_error(error, findings),
    }
}

fn add_open_error(error: OpenError, findings: &mut Findings) {
    match error {
        OpenError::Gltf { error, .. } => {
            // Paths of the reader outside of the JSON, such as “GLB header”, are no pointers.
            let pointer = Some(error.at.pointer()).filter(|path| path.starts_with('/'));
            let place = Place::Model(ModelPlace::at(pointer.unwrap_or_default()));
            findings.add_diagnostic(CANNOT_OPEN.complete(error.at(place)));
        }
        OpenError::Ezm { errors, .. } => {
            for error in errors {
                findings.add_diagnostic(CANNOT_OPEN.complete(error));
            }
        }
        OpenError::UnknownFormat { found, help, .. } => {
            findings
                .add(&NOT_GLTF, "")
                .help(help.unwrap_or_default())
                .expected("a glTF model", found);
        }
        OpenError::Cancelled { .. } => {}
    }
}

/// The findings of one examination.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DoctorReport {
    /// Number of findings that are errors.
    pub errors: usize,
    /// Number of findings that are warnings.
    pub warnings: usize,
    /// Number of findings that are notes.
    pub notes: usize,
    /// The contents of the file. `None` if it could not be read at all.
    pub examined: Option<ExaminedModel>,
    /// Errors first, then warnings, then notes.
    pub findings: Vec<Diagnostic>,
}

impl DoctorReport {
    fn from_findings(findings: Vec<Diagnostic>, examined: Option<ExaminedModel>) -> Self {
        let mut report = Self { examined, ..Self::default() };
        for finding in &findings {
            match finding.severity {
                Severity::Error => report.errors += 1,
                Severity::Warning => report.warnings += 1,
                Severity::Note => report.notes += 1,
            }
        }
        Self { findings, ..report }
    }

    /// Keeps only the findings for which `keep` returns `true`, and counts them anew.
    #[must_use]
    pub fn retaining(self, keep: impl FnMut(&Diagnostic) -> bool) -> Self {
        let kept = self.findings.into_iter().filter(keep).collect();
        Self::from_findings(kept, self.examined)
    }

    /// Formats the report as JSON for other programs, with the keys `file`, `errors`,
    /// `warnings`, `notes`, `examined` and `findings`.
    pub fn to_json(&self, file: &str) -> String {
        #[derive(Serialize)]
        struct FileReport<'a> {
            file: &'a str,
            #[serde(flatten)]
            report: &'a DoctorReport,
        }
        // Serializing texts and numbers cannot fail.
        serde_json::to_string_pretty(&FileReport { file, report: self }).unwrap_or_default()
    }

    /// Returns whether there are neither errors nor warnings.
    pub fn is_sound(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// Summarizes a sound file in a sentence or two. Returns `None` if there are errors or
    /// warnings.
    pub fn verdict(&self) -> Option<String> {
        if !self.is_sound() {
            return None;
        }
        let verdict = self.sound_verdict();
        Some(match self.rest_sentence() {
            Some(rest) => format!("{verdict} {rest}"),
            None => verdict.to_owned(),
        })
    }

    /// Returns the verdict on a file without errors and warnings.
    fn sound_verdict(&self) -> &'static str {
        if self.findings.iter().any(|finding| PICTURE_NOTES.contains(&finding.code)) {
            NOTE_IS_VISIBLE
        } else {
            NOTHING_WRONG
        }
    }

    /// Summarizes the contents of the file and the findings in a few sentences.
    pub fn summary(&self) -> String {
        let mut sentences = Vec::new();
        if let Some(examined) = self.examined {
            sentences.push(format!("Examined: {}.", examined.describe()));
            sentences.extend(examined.size.map(SkinnedSize::sentence));
        }
        sentences.push(match (self.errors, self.warnings) {
            (0, 0) => self.sound_verdict().to_owned(),
            (0, warnings) => format!(
                "{}: allowed, but likely not meant, or shown differently elsewhere.",
                counted(warnings, "warning")
            ),
            (errors, _) => format!(
                "{}: a rule of the format is broken, or the picture is wrong.",
                counted(errors, "error")
            ),
        });
        let mendable = self.findings.iter().filter(|finding| finding.mendable).count();
        if mendable > 0 {
            sentences.push(format!("{} can be mended.", counted(mendable, "finding")));
        }
        sentences.extend(self.rest_sentence());
        sentences.join(" ")
    }

    fn rest_sentence(&self) -> Option<String> {
        Some(format!("It rests {}.", self.examined?.rest?.describe()))
    }

    /// Returns whether [`mend`](fn@self::mend) can repair any of the findings.
    pub fn is_mendable(&self) -> bool {
        self.findings.iter().any(|finding| finding.mendable)
    }
}

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
