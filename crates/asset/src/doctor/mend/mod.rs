//! Mending: a new file without the faults that can be mended soundly.
//!
//! What was stored stays as it is but for what is mended; the examination of
//! the new file says what that came to.

mod container;
mod draft;
mod influences;
mod layout;

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, Severity};
use glam::{DMat4, DVec3};
use serde_json::{Value, json};

use super::skin_fit::{self, SkinRepair};
use super::surfaces::{self, SurfaceRepair};
use super::{DoctorReport, bind, clips, examined, open};
use crate::doctor::doc::{Doc, Graph, list, numbers, text, whole};
use crate::doctor::elements::{Component, stored_elements};
use crate::doctor::findings::Findings;
use crate::foreign::glb_in_text;
use crate::gltf_file::UriTarget;
use crate::progress::{Cancelled, Pace, Paced};
use crate::{ModelSource, TaskProgress};
use draft::{Data, Draft, accessor, attribute};

pub use container::Container;

pub use draft::MendError;

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
        mend_clips,
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
        let done = words_of_mended(finding.code);
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

// What mending did, in sentences.

/// What was done about faults of this code.
fn words_of_mended(code: &str) -> &'static str {
    match code {
        "ACCESSOR_WEIGHTS_NON_NORMALIZED" => {
            "The weights of each vertex were divided by their sum."
        }
        "WEIGHTS_ZERO" => {
            "Vertices without weights were bound to the first joint that they name, or to joint 0."
        }
        "ACCESSOR_WEIGHTS_NEGATIVE" => {
            "Negative weights were set to 0, and the others divided by their sum."
        }
        "ACCESSOR_JOINTS_INDEX_OOB" => {
            "Influences of joints that do not exist were dropped, and the others divided by their sum."
        }
        "ACCESSOR_JOINTS_INDEX_DUPLICATE" => "Lanes with the same joint were added up into one.",
        "ACCESSOR_JOINTS_USED_ZERO_WEIGHT" => "Lanes with weight 0 now name joint 0.",
        "GLB_AS_TEXT" => "The GLB was written as the bytes that its letters stand for.",
        "BYTE_ORDER_MARK" => "The byte order mark was left out.",
        "JSON_PADDED_WITH_ZEROS" => "The JSON is padded with spaces.",
        "MINUS_ONE_FOR_NONE" => "Indices of −1, which stood for none, were left out.",
        "URI_WITH_BARE_PERCENT" | "URI_WITH_BACKSLASH" | "FILE_NAME_DIFFERS" => {
            "Files beside the model were put into the new file, which names none."
        }
        "ROTATION_OF_LENGTH_ZERO" => {
            "Rotations 0 0 0 0 were left out, of nodes and among the keys of clips."
        }
        "ROTATION_NON_UNIT" => "The rotations of nodes were divided by their lengths.",
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION" => {
            "Rotation keys were divided by their lengths."
        }
        "ACCESSOR_VECTOR3_NON_UNIT" => "Normals were divided by their lengths.",
        "ACCESSOR_ANIMATION_INPUT_NON_INCREASING" => {
            "Keys that are not later than the one before were dropped, with their values."
        }
        "ACCESSOR_MIN_MISMATCH"
        | "ACCESSOR_MAX_MISMATCH"
        | "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"
        | "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS" => {
            "Bounds (min and max) were computed from the data."
        }
        "ACCESSOR_INVALID_IBM" => {
            "The last rows of inverse bind matrices, which were 0 0 0 1 but for rounding, were made exact."
        }
        "CLIP_OTHER_UNIT" => "Translations of clips were brought to the unit of the nodes.",
        "CLIP_OF_CHANGES" => "Keys of clips were put on top of the rest pose.",
        "CLIP_W_FIRST" => "The first number of each rotation key was put last.",
        "CLIP_TIMES_ARE_MILLISECONDS" => "Times of clips were divided by 1000.",
        "SPLINE_SIGN_FLIPS" => {
            "Keys of splines, with their tangents, took the sign nearer to the key before."
        }
        "SPLINE_TANGENTS_ARE_KEYS" => {
            "Tangents of splines were computed from the keys around them."
        }
        "CLIP_SCALES_SKELETON" => "Clips leave the scale of the skeleton as it rests.",
        "FACES_INSIDE_OUT" => "The corners of triangles were put in the other order.",
        "NORMALS_OTHER_AXES" => "Normals were turned to the axes of the positions.",
        "MORPH_TARGET_HOLDS_POSITIONS" => "The positions were taken off morph targets.",
        "IBM_ORDER" => "Inverse bind matrices were put into the order of the joints.",
        "IBM_NOT_INVERTED" => "Bind matrices were inverted.",
        "IBM_OF_LOCAL" => "Inverse bind matrices were multiplied down the chain.",
        "IBM_TRANSPOSED" => "Inverse bind matrices were transposed.",
        "IBM_OTHER_HAND" => "Inverse bind matrices were mirrored to the axes of the nodes.",
        "IBM_OTHER_AXES" => "Inverse bind matrices were turned to the axes of the nodes.",
        "IBM_OTHER_SIDE" => "The bind shape matrix was put on the right.",
        "IBM_WITHOUT_TRANSFORM" | "IBM_MISSING" => {
            "Inverse bind matrices were computed from the nodes as they rest."
        }
        "MESH_OFF_SKELETON" => {
            "What brings the mesh to its skeleton was put into the inverse bind matrices."
        }
        "JOINTS_ARE_NODES" => "Numbers of nodes in JOINTS became numbers of joints.",
        "JOINTS_FROM_ONE" => "All numbers of joints were made one lower.",
        "JOINTS_OTHER_LANES" => "Joints were put into the lanes of their weights.",
        "NODES_W_FIRST" | "NODES_TURN_BACK" | "NODES_OTHER_ANGLES" => {
            "Rotations of joints were computed from the inverse bind matrices."
        }
        "IBM_OTHER_UNIT" => {
            "Translations of inverse bind matrices were brought to the unit of the nodes."
        }
        "ACCESSOR_SPARSE_INDICES_NON_INCREASING" => {
            "Sparse accessors were written out in full; where an element stood twice, the last counts."
        }
        "ACCESSOR_SMALL_BYTESTRIDE" => {
            "Strides smaller than an element were left out where the data fits without them exactly."
        }
        "BUFFER_VIEW_INVALID_BYTE_STRIDE"
        | "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"
        | "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE"
        | "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE" => {
            "Data that is not of vertices was written without strides."
        }
        "ACCESSOR_TOTAL_OFFSET_ALIGNMENT" | "MESH_PRIMITIVE_ACCESSOR_UNALIGNED" => {
            "Data was moved to multiples of 4 bytes."
        }
        _ => "The file was put together anew, with lengths and chunks as they must be.",
    }
}

// Clips whose numbers are something else.

fn mend_clips(draft: &mut Draft) {
    let graph = Graph::new(&draft.doc, &mut Findings::default());
    for (clip, repair) in clips::repairs(&draft.doc, &graph) {
        let Some(animation) = draft.doc.one("animations", clip) else {
            continue;
        };
        let of =
            |sampler: usize, name: &str| whole(list(animation, "samplers").get(sampler)?, name);
        let mut changed = Vec::new();
        for channel in clips::channels(&draft.doc, animation) {
            let kind = if channel.path == "rotation" { "VEC4" } else { "VEC3" };
            let parts = [
                ("input", "SCALAR", 1, channel.repaired_times(repair)),
                ("output", kind, kind.as_bytes()[3] - b'0', channel.repaired_values(repair)),
            ];
            for (name, kind, width, numbers) in parts {
                if let Some((numbers, accessor)) = numbers.zip(of(channel.sampler, name)) {
                    let count = numbers.len() / usize::from(width);
                    let data = Data::floats(kind, count, numbers.into_iter());
                    changed.push((channel.sampler, name, accessor, data));
                }
            }
        }
        for (sampler, name, accessor, data) in changed {
            // Others may need it as it is.
            draft.keep(accessor);
            let key = format!("{clip} {sampler} {name}");
            let new = draft.put(accessor, &key, data);
            let pointer = format!("/animations/{clip}/samplers/{sampler}/{name}");
            if let Some(stored) = draft.doc.root.pointer_mut(&pointer) {
                *stored = json!(new);
            }
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
    surfaces(draft);
}

/// Faces, normals and morph targets that are something else.
fn surfaces(draft: &mut Draft) {
    let mut changed = Vec::new();
    for (mesh, value) in draft.doc.list("meshes").iter().enumerate() {
        for (part, primitive) in list(value, "primitives").iter().enumerate() {
            for repair in surfaces::repairs(&draft.doc, primitive) {
                let pointer = format!("/meshes/{mesh}/primitives/{part}");
                changed.extend(repaired_surface(&draft.doc, primitive, repair, pointer));
            }
        }
    }
    for RepairedAccessor { object, name, accessor, data } in changed {
        let key = format!("{name} of {object}");
        let accessor = match accessor {
            Some(accessor) => {
                // Others may need it as it is.
                draft.keep(accessor);
                draft.put(accessor, &key, data)
            }
            None => draft.push_accessor(data),
        };
        let object = draft.doc.root.pointer_mut(&object).and_then(Value::as_object_mut);
        if let Some(object) = object {
            object.insert(name.to_owned(), json!(accessor));
        }
    }
}

/// New numbers for an accessor that an object names.
struct RepairedAccessor {
    /// Pointer.
    object: String,
    name: &'static str,
    /// That there was.
    accessor: Option<usize>,
    data: Data,
}

fn repaired_surface(
    doc: &Doc<'_>,
    primitive: &Value,
    repair: SurfaceRepair,
    pointer: String,
) -> Option<RepairedAccessor> {
    let attributes = primitive.get("attributes")?;
    let vectors = |object: &Value, name: &str| -> Option<Vec<DVec3>> {
        let elements = stored_elements(doc, whole(object, name)?)?;
        Some((0..elements.count).map(|at| DVec3::from_array(elements.vector(at))).collect())
    };
    let floats = |all: Vec<DVec3>| {
        Data::floats("VEC3", all.len(), all.into_iter().flat_map(|vector| vector.to_array()))
    };
    match repair {
        SurfaceRepair::TurnFaces => {
            let accessor = whole(primitive, "indices");
            let vertices = accessor_count(doc, whole(attributes, "POSITION")?);
            let mut corners: Vec<u32> = match accessor {
                Some(accessor) => {
                    let indices = stored_elements(doc, accessor)?;
                    (0..indices.count).map(|at| indices.stored(at, 0) as u32).collect()
                }
                None => (0..u32::try_from(vertices).ok()?).collect(),
            };
            if whole(primitive, "mode").unwrap_or(4) != 4 {
                return None;
            }
            corners.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
            let data = Data {
                component: Component::U32,
                kind: "SCALAR".to_owned(),
                normalized: false,
                count: corners.len(),
                bytes: corners.iter().flat_map(|corner| corner.to_le_bytes()).collect(),
                stride: None,
            };
            Some(RepairedAccessor { object: pointer, name: "indices", accessor, data })
        }
        SurfaceRepair::TurnNormals(turn) => {
            let normals = vectors(attributes, "NORMAL")?;
            let data = floats(normals.into_iter().map(|normal| turn * normal).collect());
            let accessor = whole(attributes, "NORMAL");
            let object = pointer + "/attributes";
            Some(RepairedAccessor { object, name: "NORMAL", accessor, data })
        }
        SurfaceRepair::SubtractPositions(target) => {
            let held = list(primitive, "targets").get(target)?;
            let places = vectors(attributes, "POSITION")?;
            let changes = vectors(held, "POSITION")?.into_iter().zip(places);
            let data = floats(changes.map(|(held, place)| held - place).collect());
            let accessor = whole(held, "POSITION");
            let object = format!("{pointer}/targets/{target}");
            Some(RepairedAccessor { object, name: "POSITION", accessor, data })
        }
    }
}

fn accessor_count(doc: &Doc<'_>, index: usize) -> usize {
    doc.one("accessors", index).and_then(|accessor| whole(accessor, "count")).unwrap_or(0)
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
    repair_skins(draft);
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

/// What a repair explains is repaired, skin by skin: rotations of joints, matrices, and
/// numbers of joints.
fn repair_skins(draft: &mut Draft) {
    let graph = Graph::new(&draft.doc, &mut Findings::default());
    let mut binds: Vec<(usize, Vec<DMat4>)> = Vec::new();
    let mut turns = Vec::new();
    for skin in bind::skins(&draft.doc, &graph) {
        let repaired = skin.at_rest.repaired();
        binds.extend(repaired.map(|matrices| (skin.index, matrices)));
        let repaired = skin.at_rest.repaired_turns().unwrap_or_default();
        turns.extend(skin.joints.into_iter().zip(repaired));
    }
    let mut readings = Vec::new();
    for (skin, repair) in skin_fit::repairs(&draft.doc, &graph) {
        match repair {
            SkinRepair::Binds(matrices) => binds.push((skin, matrices)),
            SkinRepair::Joints(reading) => readings.push((skin, reading)),
        }
    }
    for (node, turn) in turns {
        if let Some((node, turn)) = draft.one_mut("nodes", node).zip(turn) {
            node.insert("rotation".to_owned(), json!(turn.to_array()));
        }
    }
    for (skin, matrices) in binds {
        let numbers = matrices.iter().flat_map(DMat4::to_cols_array);
        let data = Data::floats("MAT4", matrices.len(), numbers);
        // Another skin may need the old ones.
        let accessor = draft.push_accessor(data);
        if let Some(skin) = draft.one_mut("skins", skin) {
            skin.insert("inverseBindMatrices".to_owned(), json!(accessor));
        }
    }
    for (skin, reading) in readings {
        influences::read_otherwise(draft, skin, reading);
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
