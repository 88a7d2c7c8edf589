//! Mending: a new file without the faults that can be mended soundly.
//!
//! What was stored stays as it is but for what is mended; the examination of
//! the new file says what that came to.

mod draft;
mod influences;
mod layout;
mod meant;

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, Severity};
use serde_json::{Value, json};

use super::catalog::words_of_mended;
use super::{DoctorReport, examined, open};
use crate::doctor::doc::{Doc, numbers, text, whole};
use crate::doctor::elements::{Component, stored_elements};
use crate::doctor::findings::Findings;
use crate::foreign::glb_in_text;
use crate::gltf_file::UriTarget;
use crate::progress::{Cancelled, Pace, Paced};
use crate::{ModelSource, TaskProgress};
use draft::{Data, Draft, accessor, attribute};

pub use draft::{Container, MendError};

/// A new file, and what became of the faults of the old one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mended {
    /// The file.
    pub bytes: Vec<u8>,
    /// Faults of the old file that the new one does not have.
    pub mended: Vec<Diagnostic>,
    /// What was done, in sentences; one for each kind of fault mended.
    pub words: Vec<&'static str>,
    /// What an examination of the new file says.
    pub report: DoctorReport,
}

/// A name for the mended copy of a file: `whale-mended.glb`.
pub fn mended_name(name: &str) -> String {
    let (stem, end) = match (Container::from_file_name(name), name.rsplit_once('.')) {
        (Some(Container::Gltf), Some((stem, _))) => (stem, "gltf"),
        (Some(Container::Glb), Some((stem, _))) => (stem, "glb"),
        _ => (name, "glb"),
    };
    format!("{stem}-mended.{end}")
}

impl Mended {
    /// Errors and warnings that are still there.
    pub fn left(&self) -> impl Iterator<Item = &Diagnostic> {
        let needs = |finding: &&Diagnostic| finding.severity != Severity::Note;
        self.report.findings.iter().filter(needs)
    }
}

/// What was done about faults of the file around the data.
const ANEW: &str = "The file was put together anew, with lengths and chunks as they must be.";

/// Makes a new file. Never touches the old one.
///
/// Fails when nothing can be mended, or too little can be read. See [`MendError`].
pub fn mend(
    source: &ModelSource,
    container: Container,
    progress: &TaskProgress,
) -> Result<Mended, MendError> {
    mending(source, container, progress).finish()
}

/// The same in pieces.
pub fn mending(
    source: &ModelSource,
    container: Container,
    progress: &TaskProgress,
) -> Paced<Result<Mended, MendError>> {
    let source = source.clone();
    Paced::new(progress, async move |pace| make(&source, container, &pace).await)
}

async fn make(
    source: &ModelSource,
    container: Container,
    pace: &Pace,
) -> Result<Mended, MendError> {
    let before = examined(source, pace).await;
    if !before.is_mendable() {
        return Err(MendError::Nothing);
    }
    let bytes = mended_bytes(source, container, pace).await?;
    pace.pause().await?;
    let after = ModelSource {
        name: source.name.clone(),
        main: bytes.clone().into(),
        beside: source.beside.clone(),
    };
    let after = examined(&after, pace).await;
    told(bytes, before, after)
}

async fn mended_bytes(
    source: &ModelSource,
    container: Container,
    pace: &Pace,
) -> Result<Vec<u8>, MendError> {
    pace.pause().await?;
    let mut unheard = Findings::default();
    let decoded =
        glb_in_text(&source.main).map(|glb| ModelSource { main: glb.into(), ..source.clone() });
    let source = decoded.as_ref().unwrap_or(source);
    let doc = open(source, pace.progress(), &mut unheard).ok_or(MendError::Unreadable)?;
    let mut draft = Draft::new(doc)?;
    let parts: [fn(&mut Draft); 6] = [
        layout::mend,
        mend_rotations,
        influences::mend,
        layout::mend_keys,
        meant::mend_clips,
        mend_bounds,
    ];
    for part in parts {
        pace.pause().await?;
        part(&mut draft);
    }
    embed_images(&mut draft, source);
    pace.pause().await?;
    draft.write(container)
}

impl From<Cancelled> for MendError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// What is gone, and what is left.
fn told(bytes: Vec<u8>, before: DoctorReport, after: DoctorReport) -> Result<Mended, MendError> {
    let key = |finding: &Diagnostic| (finding.code, finding.severity, finding.at.clone());
    let left: BTreeSet<_> = after.findings.iter().map(key).collect();
    let codes_left: BTreeSet<_> = after.findings.iter().map(|finding| finding.code).collect();
    let gone = |finding: &Diagnostic| finding.mendable && !left.contains(&key(finding));
    let mended: Vec<Diagnostic> = before.findings.into_iter().filter(gone).collect();
    // A fault of which some places are left is not claimed.
    let mended: Vec<Diagnostic> = mended
        .into_iter()
        .filter(|finding| {
            finding.at.pointer().contains("/attributes/") || !codes_left.contains(finding.code)
        })
        .collect();
    if mended.is_empty() {
        return Err(MendError::Unsound);
    }
    let mut words = Vec::new();
    for finding in &mended {
        let done = words_of_mended(finding.code).unwrap_or(ANEW);
        if !words.contains(&done) {
            words.push(done);
        }
    }
    Ok(Mended { bytes, mended, words, report: after })
}

// Pictures: those in files beside the model are put into the new one.

/// How pictures of a kind begin, and their media type.
const KINDS: [(&[u8], &str); 4] = [
    (b"\x89PNG", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"\xABKTX 20", "image/ktx2"),
    (b"RIFF", "image/webp"),
];

/// A picture that is not there, or of an unknown kind, keeps its URI.
fn embed_images(draft: &mut Draft, source: &ModelSource) {
    for index in 0..draft.doc.list("images").len() {
        let image = draft.doc.one("images", index);
        let Some(uri) = image.and_then(|image| text(image, "uri")) else {
            continue;
        };
        let bytes = match UriTarget::of(uri) {
            UriTarget::Data(bytes) => bytes,
            UriTarget::File(path) => match source.beside(&path) {
                Some(bytes) => bytes.to_vec(),
                None => continue,
            },
            _ => continue,
        };
        let kind = KINDS.iter().find(|(begin, _)| bytes.starts_with(begin));
        let named = image.is_some_and(|image| whole(image, "bufferView").is_some());
        let Some((_, kind)) = kind.filter(|_| !named) else {
            continue;
        };
        let view = draft.push_view(bytes, None);
        if let Some(image) = draft.one_mut("images", index) {
            image.remove("uri");
            image.insert("mimeType".to_owned(), json!(kind));
            image.insert("bufferView".to_owned(), json!(view));
        }
    }
}

// Declared bounds, computed from the data. Last, when the data is final.

fn mend_bounds(draft: &mut Draft) {
    let needed = needed(&draft.doc);
    for index in 0..draft.doc.list("accessors").len() {
        let accessor = draft.doc.one("accessors", index);
        let has = |name: &str| accessor.is_some_and(|one| one.get(name).is_some());
        if !needed.contains(&index) && !has("min") && !has("max") {
            continue;
        }
        let Some((min, max)) = bounds(&draft.doc, index) else {
            continue;
        };
        if let Some(accessor) = draft.one_mut("accessors", index) {
            accessor.insert("min".to_owned(), min);
            accessor.insert("max".to_owned(), max);
        }
    }
}

/// Accessors that must have bounds: positions and times.
fn needed(doc: &Doc<'_>) -> BTreeSet<usize> {
    let positions = attribute(doc, "POSITION");
    let times = doc.samplers().filter_map(|one| accessor(doc, one, "input"));
    positions.chain(times).collect()
}

/// Smallest and largest of each number, as stored; `None` where they are not
/// finite or not there.
fn bounds(doc: &Doc<'_>, index: usize) -> Option<(Value, Value)> {
    let elements = stored_elements(doc, index)?;
    let width = elements.format.kind.components;
    let mut least = vec![f64::INFINITY; width];
    let mut most = vec![f64::NEG_INFINITY; width];
    for element in 0..elements.count {
        for lane in 0..width {
            let number = elements.stored(element, lane);
            if !number.is_finite() {
                return None;
            }
            least[lane] = least[lane].min(number);
            most[lane] = most[lane].max(number);
        }
    }
    let float = elements.format.component == Component::F32;
    let written = |numbers: Vec<f64>| {
        let number = |x: f64| if float { json!(x) } else { json!(x as i64) };
        Value::Array(numbers.into_iter().map(number).collect())
    };
    (elements.count > 0).then(|| (written(least), written(most)))
}

// Rotations of nodes, normals, last rows of inverse bind matrices.

/// How far a length may be from 1 before it is written anew.
const CHANGE: f64 = 5e-5;
/// How far a last row may be from 0 0 0 1 to be taken for rounding.
const ROUNDING: f64 = 1e-3;

fn mend_rotations(draft: &mut Draft) {
    nodes(draft);
    normals(draft);
    inverse_binds(draft);
    meant::mend_surfaces(draft);
}

fn nodes(draft: &mut Draft) {
    for index in 0..draft.doc.list("nodes").len() {
        let Some(node) = draft.one_mut("nodes", index) else {
            continue;
        };
        let stored = node.get("rotation").cloned();
        let rotation =
            stored.and_then(|stored| numbers::<4>(&json!({"rotation": stored}), "rotation"));
        let Some(rotation) = rotation else {
            continue;
        };
        let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() <= CHANGE {
            continue;
        }
        if length > 1e-12 {
            node.insert("rotation".to_owned(), json!(rotation.map(|x| x / length)));
        } else {
            // Four zeros turn nothing.
            node.remove("rotation");
        }
    }
}

fn normals(draft: &mut Draft) {
    let accessors: BTreeSet<usize> = attribute(&draft.doc, "NORMAL").collect();
    for index in accessors {
        if let Some(data) = unit_normals(&draft.doc, index) {
            draft.write_accessor(index, data);
        }
    }
}

fn unit_normals(doc: &Doc<'_>, index: usize) -> Option<Data> {
    let elements = stored_elements(doc, index)?;
    if elements.format.kind.components != 3 {
        return None;
    }
    let normals: Vec<([f64; 3], f64)> = (0..elements.count)
        .map(|vertex| {
            let normal = elements.vector::<3>(vertex);
            (normal, normal.iter().map(|x| x * x).sum::<f64>().sqrt())
        })
        .collect();
    let wrong = |length: f64| length > 1e-12 && (length - 1.0).abs() > CHANGE;
    if !normals.iter().any(|&(_, length)| wrong(length)) {
        return None;
    }
    let numbers = normals.iter().flat_map(|&(normal, length)| {
        let by = if wrong(length) { length } else { 1.0 };
        normal.map(|x| x / by)
    });
    Some(Data::floats("VEC3", elements.count, numbers))
}

fn inverse_binds(draft: &mut Draft) {
    meant::mend_skins(draft);
    let accessors: BTreeSet<usize> = draft
        .doc
        .list("skins")
        .iter()
        .filter_map(|skin| accessor(&draft.doc, skin, "inverseBindMatrices"))
        .collect();
    for index in accessors {
        if let Some(data) = exact_rows(&draft.doc, index) {
            draft.write_accessor(index, data);
        }
    }
}

/// With last rows of exactly 0 0 0 1, if all are so but for rounding.
fn exact_rows(doc: &Doc<'_>, index: usize) -> Option<Data> {
    let elements = stored_elements(doc, index)?;
    if elements.format.kind.components != 16 || elements.format.component != Component::F32 {
        return None;
    }
    let expected = |lane: usize| if lane == 15 { 1.0 } else { 0.0 };
    let last_row = |lane: usize| lane % 4 == 3;
    let off = |element: usize, lane: usize| (elements.number(element, lane) - expected(lane)).abs();
    let mut worst = 0.0_f64;
    for element in 0..elements.count {
        for lane in (0..16).filter(|&lane| last_row(lane)) {
            worst = worst.max(off(element, lane));
        }
    }
    if worst == 0.0 || !worst.is_finite() || worst > ROUNDING {
        return None;
    }
    let numbers =
        (0..elements.count).flat_map(|element| {
            let elements = &elements;
            (0..16).map(move |lane| {
                if last_row(lane) { expected(lane) } else { elements.number(element, lane) }
            })
        });
    Some(Data::floats("MAT4", elements.count, numbers))
}
