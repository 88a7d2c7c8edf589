//! Surfaces that look wrong or are invisible: faces and normals that disagree, black vertex
//! colours, transparent materials, morph targets that hold positions instead of differences.

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{get_list, get_numbers, get_str, get_usize};
use glam::{DMat3, DVec3};
use serde_json::Value;

use super::catalog as fault;
use super::document::RawDocument;
use super::elements::read_sampled_attribute;
use super::findings::Findings;
use super::skin_fit::quarter_turns;
use super::skinned_vertices::sampled_triangles;

/// Maximum number of triangles that are sampled from one primitive.
const MAX_TRIANGLES: usize = 5000;
/// Maximum number of vertices that are sampled from one morph target.
const MAX_VERTICES: usize = 5000;
/// Minimum number of triangles or vertices from which conclusions are drawn.
const MIN_SAMPLES: usize = 8;
/// Minimum sine at a corner of a triangle that has a direction.
const MIN_CORNER_SINE: f64 = 1e-4;
/// Minimum fraction of faces against their normals in an inside-out primitive.
const MIN_INSIDE_OUT_FRACTION: f64 = 0.95;
/// Mean cosine between faces and normals below which they disagree.
const MAX_WRONG_COSINE: f64 = 0.75;
/// Mean cosine between faces and normals below which normals have nothing to do with the faces.
const MAX_UNRELATED_COSINE: f64 = 0.3;
/// Minimum mean cosine after a rotation that explains wrong normals.
const MIN_EXPLAINED_COSINE: f64 = 0.85;
/// Minimum gain in mean cosine by a rotation that explains wrong normals.
const MIN_COSINE_GAIN: f64 = 0.3;
/// Maximum difference between a morph target and the positions that it holds, as a fraction of
/// squared lengths: the square of a fifth.
const MAX_POSITION_DIFFERENCE: f64 = 0.04;
/// Smallest colour or alpha that 8 bits can show.
const MIN_VISIBLE: f64 = 1.0 / 255.0;

/// A repair of one primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SurfaceRepair {
    /// Reverses the corners of all triangles.
    FlipFaces,
    RotateNormals(DMat3),
    /// Subtracts the stored positions from the morph target of this index.
    SubtractPositions(usize),
}

pub(super) fn examine(doc: &RawDocument<'_>, findings: &mut Findings) {
    for (index, mesh) in doc.entries("meshes") {
        for (part, primitive) in get_list(mesh, "primitives").iter().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{part}");
            examine_normals(doc, primitive, &pointer, findings);
            examine_targets(doc, primitive, &pointer, findings);
            examine_colors(doc, primitive, &pointer, findings);
        }
    }
    examine_materials(doc, findings);
}

/// Returns the repairs that one primitive needs.
pub(super) fn find_repairs(doc: &RawDocument<'_>, primitive: &Value) -> Vec<SurfaceRepair> {
    let mut repairs = Vec::new();
    if let Some(normals) = FaceNormals::of(doc, primitive)
        && let Some((repair, _)) = normals.find_repair()
    {
        repairs.push(repair);
    }
    for target in 0..get_list(primitive, "targets").len() {
        if position_difference(doc, primitive, target).is_some() {
            repairs.push(SurfaceRepair::SubtractPositions(target));
        }
    }
    repairs
}

/// Returns whether normals disagree with their faces in a way that no repair explains.
pub(super) fn has_unexplained_normals(doc: &RawDocument<'_>, primitive: &Value) -> bool {
    FaceNormals::of(doc, primitive).is_some_and(|normals| {
        let agrees = normals.mean_cosine(DMat3::IDENTITY) > MAX_UNRELATED_COSINE;
        !agrees && normals.find_repair().is_none()
    })
}

/// Pairs of a face's geometric normal and the mean normal of its corners, both of unit length.
struct FaceNormals(Vec<(DVec3, DVec3)>);

impl FaceNormals {
    /// Samples a primitive of triangles. Returns `None` if there are too few of them.
    fn of(doc: &RawDocument<'_>, primitive: &Value) -> Option<Self> {
        let attributes = primitive.get("attributes")?;
        if get_usize(primitive, "mode").unwrap_or(4) < 4 {
            return None;
        }
        let positions = read_sampled_attribute(doc, attributes, "POSITION", 3.., MAX_TRIANGLES)?;
        let normals = read_sampled_attribute(doc, attributes, "NORMAL", 3.., MAX_TRIANGLES)?;
        let vertex_count = positions.count.min(normals.count);
        let mut pairs = Vec::new();
        for corners in sampled_triangles(doc, primitive, vertex_count, MAX_TRIANGLES) {
            let [a, b, c] = corners.map(|at| DVec3::from_array(positions.vector(at)));
            let normal: DVec3 =
                corners.iter().map(|&at| DVec3::from_array(normals.vector(at))).sum();
            let ab = b - a;
            let ac = c - a;
            let face = ab.cross(ac);
            if face.length() < MIN_CORNER_SINE * ab.length() * ac.length() {
                continue;
            }
            pairs.extend(face.try_normalize().zip(normal.try_normalize()));
        }
        (pairs.len() >= MIN_SAMPLES).then_some(Self(pairs))
    }

    /// Returns the mean cosine between faces and rotated normals.
    fn mean_cosine(&self, rotation: DMat3) -> f64 {
        let sum: f64 = self.0.iter().map(|(face, normal)| face.dot(rotation * *normal)).sum();
        sum / self.0.len() as f64
    }

    /// Returns the number of faces whose normals point to the other side.
    fn reversed_count(&self) -> usize {
        self.0.iter().filter(|(face, normal)| face.dot(*normal) < 0.0).count()
    }

    /// Finds a repair after which faces and normals agree, with its description. Returns `None`
    /// if they agree as stored, or if no repair helps.
    fn find_repair(&self) -> Option<(SurfaceRepair, String)> {
        let stored_cosine = self.mean_cosine(DMat3::IDENTITY);
        let min_reversed = MIN_INSIDE_OUT_FRACTION * self.0.len() as f64;
        if stored_cosine < -MAX_WRONG_COSINE && self.reversed_count() as f64 > min_reversed {
            return Some((SurfaceRepair::FlipFaces, String::new()));
        }
        if stored_cosine > MAX_WRONG_COSINE {
            return None;
        }
        let (name, rotation, cosine) = quarter_turns()
            .map(|(name, rotation)| (name, rotation, self.mean_cosine(rotation)))
            .max_by(|a, b| a.2.total_cmp(&b.2))?;
        let is_explained =
            cosine > MIN_EXPLAINED_COSINE && cosine > stored_cosine + MIN_COSINE_GAIN;
        is_explained
            .then(|| (SurfaceRepair::RotateNormals(rotation), format!("{name}, {cosine:.2}")))
    }
}

fn examine_normals(
    doc: &RawDocument<'_>,
    primitive: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(normals) = FaceNormals::of(doc, primitive) else {
        return;
    };
    let Some((repair, description)) = normals.find_repair() else {
        return;
    };
    let cosine = normals.mean_cosine(DMat3::IDENTITY);
    if repair == SurfaceRepair::FlipFaces {
        findings.add(&fault::FACES_INSIDE_OUT, format_args!("{pointer}/indices")).expected(
            "faces that look where their normals do",
            format_args!(
                "{} of {} faces against their normals; the mean cosine is {cosine:.2}",
                normals.reversed_count(),
                normals.0.len()
            ),
        );
    } else {
        findings
            .add(&fault::NORMALS_OTHER_AXES, format_args!("{pointer}/attributes/NORMAL"))
            .expected(
                "normals that look where their faces do",
                format_args!(
                    "a mean cosine of {cosine:.2} between faces and normals; {description}"
                ),
            );
    }
}

fn examine_targets(
    doc: &RawDocument<'_>,
    primitive: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    for target in 0..get_list(primitive, "targets").len() {
        if let Some(difference) = position_difference(doc, primitive, target) {
            findings
                .add(
                    &fault::MORPH_TARGET_HOLDS_POSITIONS,
                    format_args!("{pointer}/targets/{target}/POSITION"),
                )
                .expected(
                    "differences from the stored positions",
                    format_args!("the positions themselves, but for {:.0}%", 100.0 * difference),
                );
        }
    }
}

/// Returns the relative difference between a morph target's data and the stored positions, if
/// it is so small that the target must hold positions.
fn position_difference(doc: &RawDocument<'_>, primitive: &Value, target: usize) -> Option<f64> {
    let positions =
        read_sampled_attribute(doc, primitive.get("attributes")?, "POSITION", 3.., MAX_TRIANGLES)?;
    let target = get_list(primitive, "targets").get(target)?;
    let targets = read_sampled_attribute(doc, target, "POSITION", 3.., MAX_TRIANGLES)?;
    let vertex_count = positions.count.min(targets.count);
    let mut squared_difference = 0.0;
    let mut squared_length = 0.0;
    for vertex in (0..vertex_count).step_by(vertex_count.div_ceil(MAX_VERTICES).max(1)) {
        let position = DVec3::from_array(positions.vector(vertex));
        squared_difference += position.distance_squared(DVec3::from_array(targets.vector(vertex)));
        squared_length += position.length_squared();
    }
    let fraction = squared_difference / squared_length;
    let holds_positions = vertex_count >= MIN_SAMPLES && fraction <= MAX_POSITION_DIFFERENCE;
    holds_positions.then(|| fraction.sqrt())
}

/// Reports vertex colours that are black or transparent at all vertices.
fn examine_colors(
    doc: &RawDocument<'_>,
    primitive: &Value,
    pointer: &str,
    findings: &mut Findings,
) {
    let Some(attributes) = primitive.get("attributes") else {
        return;
    };
    let Some(colors) = read_sampled_attribute(doc, attributes, "COLOR_0", 3.., MAX_TRIANGLES)
    else {
        return;
    };
    if colors.count < 3 {
        return;
    }
    let pointer = format!("{pointer}/attributes/COLOR_0");
    if max_component(&colors, 0..3) < MIN_VISIBLE {
        findings
            .add(&fault::COLORS_BLACK, pointer)
            .expected("colours that the base colour is multiplied by", "0 0 0 at all vertices");
    } else if colors.format.kind.components == 4 && max_component(&colors, 3..4) < MIN_VISIBLE {
        let material = doc.resolve(primitive, "material", "materials");
        if material.is_some_and(|material| get_str(material, "alphaMode") == Some("BLEND")) {
            findings
                .add(&fault::SURFACE_TRANSPARENT, pointer)
                .expected("an alpha above 0", "alpha 0 at all vertices");
        }
    }
}

/// Returns the largest number among some components of all elements, or 0 if all are negative.
fn max_component(elements: &AccessorElements<'_>, lanes: std::ops::Range<usize>) -> f64 {
    let mut max = 0.0_f64;
    for index in 0..elements.count {
        for lane in lanes.clone() {
            max = max.max(elements.number(index, lane));
        }
    }
    max
}

/// Reports transparent materials: a warning if all primitives use one, else a note.
fn examine_materials(doc: &RawDocument<'_>, findings: &mut Findings) {
    for (index, material) in doc.entries("materials") {
        let Some(reason) = explain_transparent(material) else {
            continue;
        };
        let mut is_used = false;
        let mut is_everywhere = true;
        for primitive in doc.primitives() {
            let uses_it = get_usize(primitive, "material") == Some(index);
            is_used |= uses_it;
            is_everywhere &= uses_it;
        }
        if is_used {
            let fault = if is_everywhere {
                fault::SURFACE_TRANSPARENT
            } else {
                fault::SURFACE_TRANSPARENT.as_note()
            };
            let name = doc.describe("material", "materials", index);
            findings
                .add(&fault, ModelPlace::at(format!("/materials/{index}")))
                .expected("an alpha above 0", format_args!("{name} has {reason}"));
        }
    }
}

/// Explains why a material is invisible. Returns `None` if it is visible.
fn explain_transparent(material: &Value) -> Option<String> {
    let alpha = material
        .get("pbrMetallicRoughness")
        .and_then(|roughness| get_numbers::<4>(roughness, "baseColorFactor"))
        .map_or(1.0, |color| color[3]);
    let cutoff = material.get("alphaCutoff").and_then(Value::as_f64).unwrap_or(0.5);
    match get_str(material, "alphaMode")? {
        "BLEND" if alpha < MIN_VISIBLE => Some(format!("alpha {alpha} and alphaMode BLEND")),
        "MASK" if alpha < cutoff => Some(format!("alpha {alpha} below its alphaCutoff {cutoff}")),
        _ => None,
    }
}
