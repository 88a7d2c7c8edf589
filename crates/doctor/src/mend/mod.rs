//! Mending: writes a copy of a file in which the faults with a safe repair are corrected.
//!
//! All other data is copied unchanged. The copy is examined again to find out what mending
//! achieved.

mod draft;
mod evidence;
mod fit;
mod influences;
mod keys;
mod layout;
mod reinterpret;

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, Place, Severity};
use bindpose_gltf::decoding::glb_in_text;
use bindpose_gltf::decoding::values::{get_numbers, get_str, get_usize};
use bindpose_gltf::{Cancelled, Component, ModelSource, Pace, Paced, TaskProgress, UriTarget};
use glam::{DMat4, DVec4};
use serde_json::{Value, json};

use super::catalog::mended_text;
use super::document::RawDocument;
use super::elements::read_elements;
use super::findings::Findings;
use super::nodes::is_by_rows;
use super::surfaces;
use super::{DoctorReport, byte_order, examine_paced, open_document};
use draft::{AccessorData, Draft, accessor_index, attribute_accessors};
use evidence::LENGTH_TOLERANCE;

pub use draft::{Container, MendError};
pub use evidence::WithheldRepair;
pub(super) use fit::ModelFit;

/// Difference of a matrix's last row from 0 0 0 1 below which it counts as rounding.
const LAST_ROW_TOLERANCE: f64 = 1e-3;

/// Text about faults that writing a file anew corrects.
const REWRITTEN: &str = "The file was put together anew, with lengths and chunks as they must be.";

/// A mended file with a comparison of the findings before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Mended {
    /// The new file.
    pub bytes: Vec<u8>,
    /// Findings of the old file that the new one no longer has.
    pub mended: Vec<Diagnostic>,
    /// Sentences about the repairs, one for each kind.
    pub words: Vec<&'static str>,
    /// Sentences about how much better the copy fits, with numbers before and after.
    pub measured: Vec<String>,
    /// Numbers that were left as they are, although a finding concerns them.
    pub withheld: Vec<WithheldRepair>,
    /// The findings of the new file.
    pub report: DoctorReport,
}

impl Mended {
    /// Iterates over the errors and warnings of the new file.
    pub fn left(&self) -> impl Iterator<Item = &Diagnostic> {
        self.report.findings.iter().filter(|finding| finding.severity != Severity::Note)
    }

    /// Iterates over the notes of the new file.
    pub fn notes(&self) -> impl Iterator<Item = &Diagnostic> {
        self.report.findings.iter().filter(|finding| finding.severity == Severity::Note)
    }
}

/// Returns a name for the mended copy of a file: `whale-mended.glb`.
pub fn mended_name(name: &str) -> String {
    let (stem, extension) = match (Container::from_file_name(name), name.rsplit_once('.')) {
        (Some(Container::Gltf), Some((stem, _))) => (stem, "gltf"),
        (Some(Container::Glb), Some((stem, _))) => (stem, "glb"),
        _ => (name, "glb"),
    };
    format!("{stem}-mended.{extension}")
}

/// Creates a mended copy of a file.
///
/// # Errors
///
/// Fails if nothing can be mended, or if too much of the file is unreadable. See
/// [`MendError`].
pub fn mend(
    source: &ModelSource,
    container: Container,
    progress: &TaskProgress,
) -> Result<Mended, MendError> {
    mending(source, container, progress).finish()
}

/// Creates a mended copy in pieces. See [`mend`].
pub fn mending(
    source: &ModelSource,
    container: Container,
    progress: &TaskProgress,
) -> Paced<Result<Mended, MendError>> {
    let source = source.clone();
    Paced::new(progress, async move |pace| mend_paced(&source, container, &pace).await)
}

async fn mend_paced(
    source: &ModelSource,
    container: Container,
    pace: &Pace,
) -> Result<Mended, MendError> {
    let before = examine_paced(source, pace).await;
    if !before.is_mendable() {
        return Err(MendError::Nothing);
    }
    let MendedCopy { bytes, withheld } = write_mended(source, container, pace).await?;
    pace.pause().await?;
    let mended_source = ModelSource {
        name: source.name.clone(),
        main: bytes.clone().into(),
        beside: source.beside.clone(),
    };
    let after = examine_paced(&mended_source, pace).await;
    let mended = mended_findings(before, &after);
    if mended.is_empty() {
        return Err(MendError::Unsound);
    }
    let fit_before = measure_fit(source, pace);
    let fit_after = measure_fit(&mended_source, pace);
    if let Some(measure) = fit_after.worse_than(&fit_before) {
        return Err(MendError::Worse { measure });
    }
    let measured = fit_after.improvements(&fit_before);
    let mut words = Vec::new();
    for finding in &mended {
        let text = mended_text(finding.code).unwrap_or(REWRITTEN);
        if !words.contains(&text) {
            words.push(text);
        }
    }
    Ok(Mended { bytes, mended, words, measured, withheld, report: after })
}

/// Measures how well the skins of a file fit. Empty if the file cannot be read.
fn measure_fit(source: &ModelSource, pace: &Pace) -> ModelFit {
    // The examinations have reported these findings.
    let mut ignored = Findings::default();
    let doc = open_document(source, pace.progress(), &mut ignored);
    doc.map(|doc| ModelFit::of_document(&doc)).unwrap_or_default()
}

/// A mended file before it is examined.
struct MendedCopy {
    bytes: Vec<u8>,
    withheld: Vec<WithheldRepair>,
}

async fn write_mended(
    source: &ModelSource,
    container: Container,
    pace: &Pace,
) -> Result<MendedCopy, MendError> {
    pace.pause().await?;
    let decoded =
        glb_in_text(&source.main).map(|glb| ModelSource { main: glb.into(), ..source.clone() });
    let source = decoded.as_ref().unwrap_or(source);
    // The examination before has reported these findings.
    let mut ignored = Findings::default();
    let mut doc =
        open_document(source, pace.progress(), &mut ignored).ok_or(MendError::Unreadable)?;
    if byte_order::count_reversed_accessors(&doc).is_some() {
        byte_order::reverse_numbers(&mut doc);
    }
    let mut draft = Draft::new(doc)?;
    // Bounds come last because they depend on the final data.
    let steps: [fn(&mut Draft); 6] = [
        layout::mend_layout,
        mend_vectors_and_matrices,
        influences::mend_influences,
        keys::mend_keys,
        reinterpret::mend_clips,
        mend_bounds,
    ];
    for step in steps {
        pace.pause().await?;
        step(&mut draft);
    }
    embed_images(&mut draft, source);
    pace.pause().await?;
    let withheld = std::mem::take(&mut draft.withheld);
    Ok(MendedCopy { bytes: draft.write(container)?, withheld })
}

impl From<Cancelled> for MendError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Returns the mendable findings that are gone. A fault with a remaining place does not count,
/// except for those of single primitives.
fn mended_findings(before: DoctorReport, after: &DoctorReport) -> Vec<Diagnostic> {
    let left: BTreeSet<(&str, Severity, &Place)> = after
        .findings
        .iter()
        .map(|finding| (finding.code, finding.severity, &finding.at))
        .collect();
    let codes_left: BTreeSet<&str> = after.findings.iter().map(|finding| finding.code).collect();
    before
        .findings
        .into_iter()
        .filter(|finding| {
            finding.mendable
                && !left.contains(&(finding.code, finding.severity, &finding.at))
                && (finding.at.pointer().contains("/attributes/")
                    || !codes_left.contains(finding.code))
        })
        .collect()
}

/// First bytes of image formats with their media types.
const IMAGE_TYPES: [(&[u8], &str); 4] = [
    (b"\x89PNG", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"\xABKTX 20", "image/ktx2"),
    (b"RIFF", "image/webp"),
];

/// Moves the files of images into the buffer. Keeps the URI of images that are missing or of an
/// unknown format.
fn embed_images(draft: &mut Draft, source: &ModelSource) {
    for index in 0..draft.doc.list("images").len() {
        let Some(image) = draft.doc.get("images", index) else {
            continue;
        };
        let Some(uri) = get_str(image, "uri") else {
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
        if get_usize(image, "bufferView").is_some() {
            continue;
        }
        let Some((_, media_type)) = IMAGE_TYPES.iter().find(|(start, _)| bytes.starts_with(start))
        else {
            continue;
        };
        let view = draft.push_view(bytes, None);
        if let Some(image) = draft.get_mut("images", index) {
            image.remove("uri");
            image.insert("mimeType".to_owned(), json!(media_type));
            image.insert("bufferView".to_owned(), json!(view));
        }
    }
}

/// Computes the bounds of all accessors that declare or need some, unless the declared ones
/// speak against the data.
fn mend_bounds(draft: &mut Draft) {
    let required = accessors_with_required_bounds(&draft.doc);
    let mut computed = Vec::new();
    let mut declared_count = 0;
    let mut wrong_count = 0;
    for index in 0..draft.doc.list("accessors").len() {
        let Some(accessor) = draft.doc.get("accessors", index) else {
            continue;
        };
        let has_bounds = accessor.get("min").is_some() || accessor.get("max").is_some();
        if !has_bounds && !required.contains(&index) {
            continue;
        }
        let Some(bounds) = compute_bounds(&draft.doc, index) else {
            continue;
        };
        declared_count += usize::from(has_bounds);
        wrong_count += usize::from(has_bounds && are_bounds_wrong(accessor, &bounds));
        computed.push((index, bounds));
    }
    if wrong_count > 1 && wrong_count == declared_count {
        draft.withhold("/accessors".to_owned(), evidence::BOUNDS_KEPT);
        return;
    }
    for (index, (min, max)) in computed {
        if let Some(accessor) = draft.get_mut("accessors", index) {
            accessor.insert("min".to_owned(), min);
            accessor.insert("max".to_owned(), max);
        }
    }
}

fn bound_numbers(bound: &Value) -> Vec<f64> {
    bound.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Returns whether declared bounds differ from those of the data by more than rounding.
fn are_bounds_wrong(accessor: &Value, (min, max): &(Value, Value)) -> bool {
    let min = bound_numbers(min);
    let max = bound_numbers(max);
    let size = min.iter().chain(&max).fold(0.0_f64, |size, number| size.max(number.abs()));
    [("min", &min), ("max", &max)].into_iter().any(|(name, of_data)| {
        let declared = accessor.get(name).map(bound_numbers).unwrap_or_default();
        let mut pairs = declared.iter().zip(of_data);
        pairs.any(|(declared, of_data)| (declared - of_data).abs() > 1e-2 * size)
    })
}

/// Returns the accessors of positions and times.
fn accessors_with_required_bounds(doc: &RawDocument<'_>) -> BTreeSet<usize> {
    let times = doc.samplers().filter_map(|sampler| accessor_index(doc, sampler, "input"));
    attribute_accessors(doc, "POSITION").chain(times).collect()
}

/// Computes minimum and maximum of each component as stored. Returns `None` if the data is not
/// available or not finite.
fn compute_bounds(doc: &RawDocument<'_>, index: usize) -> Option<(Value, Value)> {
    let elements = read_elements(doc, index)?;
    if elements.count == 0 {
        return None;
    }
    let width = elements.format.kind.components;
    let mut min = vec![f64::INFINITY; width];
    let mut max = vec![f64::NEG_INFINITY; width];
    for element in 0..elements.count {
        for lane in 0..width {
            let number = elements.stored(element, lane);
            if !number.is_finite() {
                return None;
            }
            min[lane] = min[lane].min(number);
            max[lane] = max[lane].max(number);
        }
    }
    if elements.format.component == Component::F32 {
        return Some((json!(min), json!(max)));
    }
    let min: Vec<i64> = min.into_iter().map(|number| number as i64).collect();
    let max: Vec<i64> = max.into_iter().map(|number| number as i64).collect();
    Some((json!(min), json!(max)))
}

fn mend_vectors_and_matrices(draft: &mut Draft) {
    transpose_node_matrices(draft);
    // Before lengths are corrected, because a rotation of another length may be what explains it.
    reinterpret::mend_skins(draft);
    normalize_node_rotations(draft);
    normalize_normals(draft);
    correct_last_rows(draft);
    reinterpret::mend_surfaces(draft);
}

/// Transposes the matrices of all nodes if any of them is written by rows.
fn transpose_node_matrices(draft: &mut Draft) {
    let mut matrices = Vec::new();
    for (index, node) in draft.doc.list("nodes").iter().enumerate() {
        if let Some(matrix) = get_numbers::<16>(node, "matrix") {
            matrices.push((index, DMat4::from_cols_array(&matrix)));
        }
    }
    if !matrices.iter().any(|(_, matrix)| is_by_rows(*matrix)) {
        return;
    }
    for (index, matrix) in matrices {
        // Only a rotation is the same in both ways, up to its inverse.
        if matrix.w_axis == DVec4::W
            && let Some(node) = draft.get_mut("nodes", index)
        {
            node.insert("matrix".to_owned(), json!(matrix.transpose().to_cols_array()));
        }
    }
}

/// Normalizes the rotations of nodes that are quaternions, and removes those of length 0.
fn normalize_node_rotations(draft: &mut Draft) {
    let mut rotations = Vec::new();
    for (index, node) in draft.doc.list("nodes").iter().enumerate() {
        if let Some(rotation) = get_numbers::<4>(node, "rotation")
            && (evidence::length(&rotation) - 1.0).abs() > LENGTH_TOLERANCE
        {
            rotations.push((index, rotation));
        }
    }
    let (zeros, scaled): (Vec<_>, Vec<_>) =
        rotations.into_iter().partition(|(_, rotation)| evidence::length(rotation) <= 1e-12);
    for (index, _) in zeros {
        if let Some(node) = draft.get_mut("nodes", index) {
            node.remove("rotation");
        }
    }
    let Some(&(first, _)) = scaled.first() else {
        return;
    };
    let nodes = scaled.iter().map(|&(node, _)| node).collect();
    let numbers: Vec<[f64; 4]> = scaled.iter().map(|&(_, rotation)| rotation).collect();
    let are_quaternions = evidence::are_near_unit(&numbers)
        || evidence::are_confirmed_by_binds(&draft.doc, &nodes)
            .unwrap_or_else(|| evidence::are_scaled_quaternions(&numbers));
    if !are_quaternions {
        let at = format!("/nodes/{first}/rotation");
        draft.withhold(at, evidence::ROTATIONS_KEPT);
        return;
    }
    for (index, rotation) in scaled {
        let length = evidence::length(&rotation);
        if let Some(node) = draft.get_mut("nodes", index) {
            node.insert("rotation".to_owned(), json!(rotation.map(|x| x / length)));
        }
    }
}

/// Normalizes the normals of primitives whose faces do not speak against them.
fn normalize_normals(draft: &mut Draft) {
    let accessors: BTreeSet<usize> = attribute_accessors(&draft.doc, "NORMAL").collect();
    for index in accessors {
        let Some(data) = unit_normals(&draft.doc, index) else {
            continue;
        };
        let is_wrong = draft
            .doc
            .primitives()
            .filter(|primitive| {
                primitive.get("attributes").and_then(|of| get_usize(of, "NORMAL")) == Some(index)
            })
            .any(|primitive| surfaces::has_unexplained_normals(&draft.doc, primitive));
        if is_wrong {
            draft.withhold(format!("/accessors/{index}"), evidence::NORMALS_KEPT);
        } else {
            draft.write_accessor(index, data);
        }
    }
}

/// Returns normalized normals, or `None` if there are none to normalize.
fn unit_normals(doc: &RawDocument<'_>, index: usize) -> Option<AccessorData> {
    let elements = read_elements(doc, index)?;
    if elements.format.kind.components != 3 {
        return None;
    }
    let mut numbers = Vec::with_capacity(3 * elements.count);
    let mut has_changed = false;
    for vertex in 0..elements.count {
        let normal = elements.vector::<3>(vertex);
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 1e-12 && (length - 1.0).abs() > LENGTH_TOLERANCE {
            numbers.extend(normal.map(|x| x / length));
            has_changed = true;
        } else {
            numbers.extend(normal);
        }
    }
    has_changed.then(|| AccessorData::floats("VEC3", elements.count, numbers.into_iter()))
}

fn correct_last_rows(draft: &mut Draft) {
    let accessors: BTreeSet<usize> = draft
        .doc
        .list("skins")
        .iter()
        .filter_map(|skin| accessor_index(&draft.doc, skin, "inverseBindMatrices"))
        .collect();
    for index in accessors {
        if let Some(data) = with_exact_last_rows(&draft.doc, index) {
            draft.write_accessor(index, data);
        }
    }
}

/// Returns matrices with last rows of exactly 0 0 0 1. `None` if all are exact already, or if
/// one differs by more than rounding.
fn with_exact_last_rows(doc: &RawDocument<'_>, index: usize) -> Option<AccessorData> {
    let elements = read_elements(doc, index)?;
    if elements.format.kind.components != 16 || elements.format.component != Component::F32 {
        return None;
    }
    let mut numbers = Vec::with_capacity(16 * elements.count);
    let mut max_error = 0.0_f64;
    for element in 0..elements.count {
        let mut matrix = elements.vector::<16>(element);
        // Matrices are stored column by column.
        for (lane, expected) in [(3, 0.0), (7, 0.0), (11, 0.0), (15, 1.0)] {
            max_error = max_error.max((matrix[lane] - expected).abs());
            matrix[lane] = expected;
        }
        numbers.extend(matrix);
    }
    let is_rounding = max_error > 0.0 && max_error <= LAST_ROW_TOLERANCE;
    is_rounding.then(|| AccessorData::floats("MAT4", elements.count, numbers.into_iter()))
}
