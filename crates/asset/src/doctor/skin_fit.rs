//! Meshes beside the bones that they hang on: how far vertices are from the bone of
//! their strongest joint, as stored, and as they would be if the numbers were something
//! else.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DVec3};
use serde_json::Value;

use super::bind::{self, SkinAtRest, known_factor, size_of};
use super::catalog as fault;
use super::doc::{Doc, Graph, list, whole};
use super::elements::stored_elements;
use super::findings::Findings;

/// Vertices of one skin that are looked at, evenly among all.
const MOST_VERTICES: usize = 2000;
/// Fewer tell nothing of where a mesh is.
const LEAST_VERTICES: usize = 16;
/// From here on vertices may be far from their bones, on average and in parts of the size
/// of the skeleton: those of sound models are up to 0.4 away.
const FAR: f64 = 0.3;
/// From here on a mesh is said to be elsewhere.
const ELSEWHERE: f64 = 0.5;
/// What explains a distance leaves so much of it at most.
const EXPLAINED: f64 = 0.5;
/// What brings a mesh to its skeleton leaves it this large beside it: in a point, every
/// vertex would be near a bone.
const SIZES: std::ops::Range<f64> = 0.4..5.0;

/// A vertex and its strongest joint.
#[derive(Clone, Copy)]
struct BoundVertex {
    /// In bind space.
    place: DVec3,
    /// As stored.
    joint: usize,
}

/// Lines from joints to those below them.
struct Bones {
    /// By joint.
    of: Vec<Vec<[DVec3; 2]>>,
    /// Of the skeleton.
    size: f64,
}

impl Bones {
    /// With joints at these places; absent where they are all in one.
    fn new(frames: &[DMat4], parents: &[Option<usize>]) -> Option<Self> {
        let place = |joint: usize| frames[joint].w_axis.truncate();
        let mut of: Vec<Vec<[DVec3; 2]>> = vec![Vec::new(); frames.len()];
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                of[parent].push([place(parent), place(joint)]);
            }
        }
        for (joint, parent) in parents.iter().enumerate() {
            if of[joint].is_empty() {
                // It goes on as the bone above it came.
                let along = parent.map_or(DVec3::ZERO, |parent| place(joint) - place(parent));
                of[joint].push([place(joint), place(joint) + along]);
            }
        }
        let size = size_of(frames);
        let spread = parents.iter().enumerate().any(|(joint, parent)| {
            parent.is_some_and(|parent| place(joint).distance(place(parent)) > 1e-3 * size)
        });
        spread.then_some(Self { of, size })
    }

    /// The mean distance of vertices from the bones of these joints, over the size of the
    /// skeleton. `None` where a vertex has no joint.
    fn distance(
        &self,
        vertices: &[BoundVertex],
        place: impl Fn(DVec3) -> DVec3,
        joint: impl Fn(usize) -> Option<usize>,
    ) -> Option<f64> {
        let mut sum = 0.0;
        for vertex in vertices {
            let at = place(vertex.place);
            let bones = self.of.get(joint(vertex.joint)?)?;
            let nearest =
                bones.iter().map(|&bone| distance(at, bone)).fold(f64::INFINITY, f64::min);
            sum += nearest;
        }
        let mean = sum / vertices.len() as f64 / self.size;
        mean.is_finite().then_some(mean)
    }
}

/// Of a place from a line between two.
fn distance(place: DVec3, [from, to]: [DVec3; 2]) -> f64 {
    let along = to - from;
    let part = (place - from).dot(along) / along.length_squared();
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    place.distance(from + part * along)
}

/// All skins.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    for (index, joints, skin) in bind::skins_with_joints(doc, graph) {
        if skin.is_explained() {
            continue;
        }
        let vertices = vertices(doc, index);
        let frames: Vec<DMat4> = skin.stored.iter().map(DMat4::inverse).collect();
        let Some(bones) = Bones::new(&frames, &skin.parents).filter(|_| !vertices.is_empty())
        else {
            continue;
        };
        if vertices.len() < LEAST_VERTICES {
            continue;
        }
        let own = |joint: usize| Some(joint);
        let Some(stored) = bones.distance(&vertices, |at| at, own) else {
            continue;
        };
        let examined = SkinFit { bones, vertices, stored, skin: &skin };
        let pointer = format!("/skins/{index}");
        if stored > FAR
            && !examined.all_on_one(joints.len(), &pointer, found)
            && !examined.other_numbers(&joints, &pointer, found)
            && !examined.without_transform(&pointer, found)
        {
            examined.elsewhere(&pointer, found);
        }
    }
}

/// One skin, its vertices, and how far these are from their bones.
struct SkinFit<'a> {
    bones: Bones,
    vertices: Vec<BoundVertex>,
    /// As they are stored.
    stored: f64,
    skin: &'a SkinAtRest,
}

impl SkinFit<'_> {
    fn explains(&self, distance: f64) -> bool {
        distance < EXPLAINED * self.stored
    }

    /// No vertex follows any joint but one.
    fn all_on_one(&self, joints: usize, pointer: &str, found: &mut Findings) -> bool {
        let joint = self.vertices[0].joint;
        let is_one = self.vertices.iter().all(|vertex| vertex.joint == joint);
        if is_one && joints > 1 {
            found.add(&fault::ALL_ON_ONE_JOINT, pointer).expected(
                "vertices that follow the joints near them",
                format_args!(
                    "all vertices on joint {joint}, though they are {:.2} of the skeleton’s size \
                     from its bone on average; the other {} joints move none",
                    self.stored,
                    joints - 1
                ),
            );
        }
        is_one
    }

    /// `JOINTS_0` holds numbers of nodes, or counts from 1.
    fn other_numbers(&self, joints: &[usize], pointer: &str, found: &mut Findings) -> bool {
        let of_node: BTreeMap<usize, usize> =
            joints.iter().enumerate().map(|(place, &node)| (node, place)).collect();
        let as_nodes = |stored: usize| of_node.get(&stored).copied();
        let from_one = |stored: usize| stored.checked_sub(1);
        let readings: [(_, _, &dyn Fn(usize) -> Option<usize>); 2] = [
            (fault::JOINTS_ARE_NODES, "read as numbers of nodes", &as_nodes),
            (fault::JOINTS_FROM_ONE, "with every number one lower", &from_one),
        ];
        for (fault, words, reading) in readings {
            let distance = self.bones.distance(&self.vertices, |at| at, reading);
            if let Some(distance) = distance.filter(|&distance| self.explains(distance)) {
                found.add(&fault, pointer).expected(
                    "JOINTS_0 that counts from 0 in skin.joints",
                    format_args!("{}; {words}, {distance:.2}", self.told()),
                );
                return true;
            }
        }
        false
    }

    /// As stored, in words.
    fn told(&self) -> String {
        format!(
            "vertices are {:.2} of the skeleton’s size from the bone of their strongest joint, \
             on average",
            self.stored
        )
    }

    /// The matrices lack a transform that mesh and nodes have.
    fn without_transform(&self, pointer: &str, found: &mut Findings) -> bool {
        let Some(common) = self.skin.common() else {
            return false;
        };
        let Some(bones) = Bones::new(&self.skin.world, &self.skin.parents) else {
            return false;
        };
        let distance = bones.distance(&self.vertices, |at| at, Some);
        let Some(distance) = distance.filter(|&distance| self.explains(distance)) else {
            return false;
        };
        found.add(&fault::IBM_WITHOUT_TRANSFORM, format_args!("{pointer}/inverseBindMatrices")).expected(
            "inverse bind matrices of the nodes as they rest",
            format_args!(
                "all joint matrices are one transform, {}; {}, and {distance:.2} from the nodes",
                told(common),
                self.told()
            ),
        );
        true
    }

    /// Mesh and skeleton are apart, in whatever way brings them together.
    fn elsewhere(&self, pointer: &str, found: &mut Findings) {
        if self.stored < ELSEWHERE {
            return;
        }
        let turns = quarter_turns();
        let plain = turns.iter().map(|(words, turn)| (words.clone(), Apart::turned(*turn)));
        let units = [100.0, 0.01, 1000.0, 0.001, 39.370_08, 0.0254];
        let units = units.iter().map(|&by| {
            let into = known_factor(by).map_or("", |(_, words)| words);
            (format!("scaled by {by} ({into})"), Apart::scaled(by))
        });
        let center = self.vertices.iter().map(|vertex| vertex.place).sum::<DVec3>()
            / self.vertices.len() as f64;
        let extent = self.vertices.iter().map(|vertex| vertex.place.distance(center));
        let extent = extent.fold(0.0, f64::max) / self.bones.size;
        let near = |(words, apart): (String, Apart)| {
            if !SIZES.contains(&(apart.scale * extent)) {
                return None;
            }
            let distance = self.bones.distance(&self.vertices, |at| apart.apply(at), Some)?;
            self.explains(distance).then_some((words, distance))
        };
        let fitted = || {
            let of = |(words, turn): &(String, DMat3)| {
                let apart = self.fitted(*turn)?;
                Some((apart.told(words), apart))
            };
            let all =
                std::iter::once((String::new(), DMat3::IDENTITY)).chain(turns.iter().cloned());
            let all: Vec<_> = all.filter_map(|one| of(&one)).filter_map(near).collect();
            all.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let best = plain.chain(units).filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
        let shown = match best.or_else(fitted) {
            Some((words, distance)) => {
                format!("{}; {words}, the mesh is {distance:.2} away", self.told())
            }
            None if self.stored > 2.0 * ELSEWHERE => self.told(),
            None => return,
        };
        found.add(&fault::MESH_OFF_SKELETON, pointer).expected("a mesh around its bones", shown);
    }

    /// The scale and the move that bring vertices nearest to the middles of their bones,
    /// after a turn; by least squares.
    fn fitted(&self, turn: DMat3) -> Option<Apart> {
        let middle = |joint: usize| {
            let bones = &self.bones.of[joint];
            bones.iter().map(|[from, to]| from.midpoint(*to)).sum::<DVec3>() / bones.len() as f64
        };
        let pairs: Vec<(DVec3, DVec3)> = self
            .vertices
            .iter()
            .filter(|vertex| vertex.joint < self.bones.of.len())
            .map(|vertex| (turn * vertex.place, middle(vertex.joint)))
            .collect();
        let count = pairs.len().max(1) as f64;
        let (from, to) = pairs.iter().fold((DVec3::ZERO, DVec3::ZERO), |(a, b), pair| {
            (a + pair.0 / count, b + pair.1 / count)
        });
        let (mut along, mut square) = (0.0, 0.0);
        for (place, bone) in &pairs {
            along += (*place - from).dot(*bone - to);
            square += (*place - from).length_squared();
        }
        let scale = along / square;
        (scale.is_finite() && scale > 0.0).then(|| Apart { turn, scale, shift: to - scale * from })
    }
}

/// What brings a mesh to its skeleton: turned, scaled, moved, in this order.
struct Apart {
    turn: DMat3,
    scale: f64,
    shift: DVec3,
}

impl Apart {
    fn turned(turn: DMat3) -> Self {
        Self { turn, scale: 1.0, shift: DVec3::ZERO }
    }

    fn scaled(scale: f64) -> Self {
        Self { turn: DMat3::IDENTITY, scale, shift: DVec3::ZERO }
    }

    fn apply(&self, place: DVec3) -> DVec3 {
        self.scale * (self.turn * place) + self.shift
    }

    fn told(&self, turned: &str) -> String {
        let DVec3 { x, y, z } = self.shift;
        let comma = if turned.is_empty() { "" } else { ", " };
        format!("{turned}{comma}scaled by {:.2} and moved by ({x:.2}, {y:.2}, {z:.2})", self.scale)
    }
}

/// A transform in words.
fn told(transform: DMat4) -> String {
    let (scale, rotation, shift) = transform.to_scale_rotation_translation();
    let angle = 2.0 * rotation.w.abs().clamp(0.0, 1.0).acos().to_degrees();
    let mut parts = Vec::new();
    if angle > 0.05 {
        parts.push(format!("a turn of {angle:.1}°"));
    }
    if (scale - DVec3::ONE).abs().max_element() > 1e-3 {
        parts.push(format!("a scale of {:.4}", scale.x));
    }
    if shift.length() > 1e-6 {
        parts.push(format!("a move by {:.3}", shift.length()));
    }
    parts.join(", ")
}

/// By quarters and halves about one axis, as programs with other axes have it.
fn quarter_turns() -> Vec<(String, DMat3)> {
    let axes = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];
    let turn = |(name, axis): (&str, DVec3), degrees: f64| {
        let words = format!("turned by {degrees}° about {name}");
        (words, DMat3::from_axis_angle(axis, degrees.to_radians()))
    };
    let each = axes.into_iter().flat_map(|axis| [-90.0, 90.0, 180.0].map(|by| turn(axis, by)));
    each.collect()
}

/// Of all meshes that are shown with a skin.
fn vertices(doc: &Doc<'_>, skin: usize) -> Vec<BoundVertex> {
    let nodes = doc.list("nodes").iter();
    let shown = nodes.filter(|node| whole(node, "skin") == Some(skin));
    let meshes: std::collections::BTreeSet<usize> =
        shown.filter_map(|node| whole(node, "mesh")).collect();
    let mut found = Vec::new();
    for mesh in meshes.into_iter().filter_map(|mesh| doc.one("meshes", mesh)) {
        for primitive in list(mesh, "primitives") {
            of_primitive(doc, primitive, &mut found);
        }
    }
    let step = found.len().div_ceil(MOST_VERTICES).max(1);
    found.into_iter().step_by(step).collect()
}

fn of_primitive(doc: &Doc<'_>, primitive: &Value, found: &mut Vec<BoundVertex>) {
    let stored = |name: &str| stored_elements(doc, whole(primitive.get("attributes")?, name)?);
    let all = [stored("POSITION"), stored("JOINTS_0"), stored("WEIGHTS_0")];
    let [Some(places), Some(joints), Some(weights)] = all else {
        return;
    };
    let widths = [&places, &joints, &weights].map(|one| one.format.kind.components);
    if widths != [3, 4, 4] {
        return;
    }
    let count = places.count.min(joints.count).min(weights.count);
    for vertex in (0..count).step_by(count.div_ceil(MOST_VERTICES).max(1)) {
        let strongest =
            (0..4).max_by(|&a, &b| weights.number(vertex, a).total_cmp(&weights.number(vertex, b)));
        let Some(lane) = strongest.filter(|&lane| weights.number(vertex, lane) > 0.0) else {
            continue;
        };
        found.push(BoundVertex {
            place: DVec3::from_array(places.vector(vertex)),
            joint: joints.stored(vertex, lane) as usize,
        });
    }
}
