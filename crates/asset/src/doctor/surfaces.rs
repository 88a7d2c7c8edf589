//! Surfaces that come out wrong or not at all: faces and normals that look apart, colours
//! of black, nothing but transparency, morph targets that hold places.

use bindpose_diagnostic::ModelPlace;
use glam::{DMat3, DVec3};
use serde_json::Value;

use super::catalog as fault;
use super::doc::{Doc, list, named, numbers, text, whole};
use super::elements::{AccessorElements, sampled_elements};
use super::findings::Findings;
use super::skin_fit::quarter_turns;
use super::skinned_vertices::sampled_triangles;

/// Triangles of one primitive that are looked at.
const MOST_TRIANGLES: usize = 5000;
/// Vertices of one primitive that are looked at.
const MOST_VERTICES: usize = 5000;
/// Fewer triangles or vertices tell nothing.
const LEAST: usize = 8;
/// Triangles with a smaller sine at a corner have no direction.
const FLAT: f64 = 1e-4;
/// So large a part of the faces looks against its normals where all do.
const INSIDE_OUT: f64 = 0.95;
/// The mean cosine between faces and normals where these are of other axes, at most.
const ASTRAY: f64 = 0.75;
/// The same where a turn explains them, at least.
const ALONG: f64 = 0.85;
/// How much a turn must bring to explain anything.
const GAIN: f64 = 0.3;
/// How far what a target holds may be from the positions to be taken for them: squares of
/// a fifth.
const POSITIONS: f64 = 0.04;
/// Nothing is seen of less.
const LEAST_SHARE: f64 = 1.0 / 255.0;

/// What is to be done to a primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SurfaceRepair {
    /// The corners of all triangles are to be in the other order.
    TurnFaces,
    /// Normals are to be turned.
    TurnNormals(DMat3),
    /// The positions are to be taken off this target.
    SubtractPositions(usize),
}

/// All primitives and materials.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    for (index, mesh) in doc.each("meshes") {
        for (part, primitive) in list(mesh, "primitives").iter().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{part}");
            look_at_normals(doc, primitive, &pointer, found);
            targets(doc, primitive, &pointer, found);
            colors(doc, primitive, &pointer, found);
        }
    }
    materials(doc, found);
}

/// What is to be done to one primitive.
pub(super) fn repairs(doc: &Doc<'_>, primitive: &Value) -> Vec<SurfaceRepair> {
    let normals = Facing::of(doc, primitive).and_then(|facing| facing.repair());
    let targets = (0..list(primitive, "targets").len())
        .filter(|&target| holds_positions(doc, primitive, target).is_some())
        .map(SurfaceRepair::SubtractPositions);
    normals.map(|(repair, _)| repair).into_iter().chain(targets).collect()
}

/// An attribute of a primitive, with so many numbers each, for who reads some of them.
fn attribute<'a>(
    doc: &'a Doc<'_>,
    attributes: &Value,
    name: &str,
    width: usize,
) -> Option<AccessorElements<'a>> {
    let elements = sampled_elements(doc, whole(attributes, name)?, 3 * MOST_TRIANGLES)?;
    (elements.format.kind.components >= width).then_some(elements)
}

// Faces and normals.

/// Faces beside the normals of their corners, both of unit length.
struct Facing(Vec<(DVec3, DVec3)>);

impl Facing {
    fn of(doc: &Doc<'_>, primitive: &Value) -> Option<Self> {
        let attributes = primitive.get("attributes")?;
        if whole(primitive, "mode").unwrap_or(4) < 4 {
            return None;
        }
        let places = attribute(doc, attributes, "POSITION", 3)?;
        let normals = attribute(doc, attributes, "NORMAL", 3)?;
        let vertices = places.count.min(normals.count);
        let triangles = sampled_triangles(doc, primitive, vertices, MOST_TRIANGLES);
        let pairs = triangles.into_iter().filter_map(|corners| {
            let [a, b, c] = corners.map(|at| DVec3::from_array(places.vector(at)));
            let normal: DVec3 =
                corners.iter().map(|&at| DVec3::from_array(normals.vector(at))).sum();
            let (ab, ac) = (b - a, c - a);
            let face = ab.cross(ac);
            let is_flat = face.length() < FLAT * ab.length() * ac.length();
            Some((face.try_normalize().filter(|_| !is_flat)?, normal.try_normalize()?))
        });
        let pairs: Vec<_> = pairs.collect();
        (pairs.len() >= LEAST).then_some(Self(pairs))
    }

    /// The mean cosine between faces and normals that are turned.
    fn cosine(&self, turn: DMat3) -> f64 {
        let sum: f64 = self.0.iter().map(|(face, normal)| face.dot(turn * *normal)).sum();
        sum / self.0.len() as f64
    }

    fn against(&self) -> usize {
        self.0.iter().filter(|(face, normal)| face.dot(*normal) < 0.0).count()
    }

    /// What explains that faces and normals look apart, in words.
    fn repair(&self) -> Option<(SurfaceRepair, String)> {
        let stored = self.cosine(DMat3::IDENTITY);
        if stored < -ASTRAY && self.against() as f64 > INSIDE_OUT * self.0.len() as f64 {
            return Some((SurfaceRepair::TurnFaces, String::new()));
        }
        if stored > ASTRAY {
            return None;
        }
        let turned = quarter_turns().map(|(words, turn)| (words, turn, self.cosine(turn)));
        let (words, turn, cosine) = turned.max_by(|a, b| a.2.total_cmp(&b.2))?;
        let explains = cosine > ALONG && cosine > stored + GAIN;
        explains.then(|| (SurfaceRepair::TurnNormals(turn), format!("{words}, {cosine:.2}")))
    }
}

fn look_at_normals(doc: &Doc<'_>, primitive: &Value, pointer: &str, found: &mut Findings) {
    let Some(facing) = Facing::of(doc, primitive) else {
        return;
    };
    let cosine = facing.cosine(DMat3::IDENTITY);
    match facing.repair() {
        Some((SurfaceRepair::TurnFaces, _)) => {
            found.add(&fault::FACES_INSIDE_OUT, format_args!("{pointer}/indices")).expected(
                "faces that look where their normals do",
                format_args!(
                    "{} of {} faces against their normals; the mean cosine is {cosine:.2}",
                    facing.against(),
                    facing.0.len()
                ),
            );
        }
        Some((_, words)) => {
            let at = format!("{pointer}/attributes/NORMAL");
            found.add(&fault::NORMALS_OTHER_AXES, at).expected(
                "normals that look where their faces do",
                format_args!("a mean cosine of {cosine:.2} between faces and normals; {words}"),
            );
        }
        None => {}
    }
}

// Morph targets.

fn targets(doc: &Doc<'_>, primitive: &Value, pointer: &str, found: &mut Findings) {
    for target in 0..list(primitive, "targets").len() {
        if let Some(off) = holds_positions(doc, primitive, target) {
            let at = format!("{pointer}/targets/{target}/POSITION");
            found.add(&fault::MORPH_TARGET_HOLDS_POSITIONS, at).expected(
                "differences from the stored positions",
                format_args!("the positions themselves, but for {:.0}%", 100.0 * off),
            );
        }
    }
}

/// How far what a target holds is from the positions, beside these, if it is so near that
/// it holds positions.
fn holds_positions(doc: &Doc<'_>, primitive: &Value, target: usize) -> Option<f64> {
    let places = attribute(doc, primitive.get("attributes")?, "POSITION", 3)?;
    let held = attribute(doc, list(primitive, "targets").get(target)?, "POSITION", 3)?;
    let vertices = places.count.min(held.count);
    let (mut off, mut whole) = (0.0, 0.0);
    for vertex in (0..vertices).step_by(vertices.div_ceil(MOST_VERTICES).max(1)) {
        let place = DVec3::from_array(places.vector(vertex));
        off += place.distance_squared(DVec3::from_array(held.vector(vertex)));
        whole += place.length_squared();
    }
    let part = off / whole;
    (vertices >= LEAST && part <= POSITIONS).then(|| part.sqrt())
}

// Colours and transparency.

fn colors(doc: &Doc<'_>, primitive: &Value, pointer: &str, found: &mut Findings) {
    let colors = primitive.get("attributes").and_then(|all| attribute(doc, all, "COLOR_0", 3));
    let Some(colors) = colors.filter(|colors| colors.count >= 3) else {
        return;
    };
    let most = |lanes: std::ops::Range<usize>| {
        let all =
            (0..colors.count).flat_map(|vertex| lanes.clone().map(move |lane| (vertex, lane)));
        all.map(|(vertex, lane)| colors.number(vertex, lane)).fold(0.0, f64::max)
    };
    let at = format!("{pointer}/attributes/COLOR_0");
    if most(0..3) < LEAST_SHARE {
        let expected = "colours that the base colour is multiplied by";
        found.add(&fault::COLORS_BLACK, at).expected(expected, "0 0 0 at all vertices");
    } else if colors.format.kind.components == 4 && most(3..4) < LEAST_SHARE {
        let material = doc.referred(primitive, "material", "materials");
        if material.is_some_and(|material| text(material, "alphaMode") == Some("BLEND")) {
            let expected = "an alpha above 0";
            found
                .add(&fault::SURFACE_TRANSPARENT, at)
                .expected(expected, "alpha 0 at all vertices");
        }
    }
}

fn materials(doc: &Doc<'_>, found: &mut Findings) {
    let used = || doc.primitives().map(|primitive| whole(primitive, "material"));
    for (index, material) in doc.each("materials") {
        let Some(words) = transparent(material) else { continue };
        let is_whole = used().all(|used| used == Some(index));
        let fault = fault::SURFACE_TRANSPARENT;
        let fault = if is_whole { fault } else { fault.as_note() };
        if used().any(|used| used == Some(index)) {
            let shown = format!("{} has {words}", named("material", index, Some(material)));
            let at = ModelPlace::at(format!("/materials/{index}"));
            found.add(&fault, at).expected("an alpha above 0", shown);
        }
    }
}

/// Why nothing is seen of a material.
fn transparent(material: &Value) -> Option<String> {
    let factor = material.get("pbrMetallicRoughness");
    let alpha =
        factor.and_then(|all| numbers::<4>(all, "baseColorFactor")).map_or(1.0, |all| all[3]);
    let cutoff = material.get("alphaCutoff").and_then(Value::as_f64).unwrap_or(0.5);
    match text(material, "alphaMode")? {
        "BLEND" if alpha < LEAST_SHARE => Some(format!("alpha {alpha} and alphaMode BLEND")),
        "MASK" if alpha < cutoff => Some(format!("alpha {alpha} below its alphaCutoff {cutoff}")),
        _ => None,
    }
}
