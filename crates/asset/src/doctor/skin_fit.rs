//! Meshes beside the bones that they hang on: how far vertices are from the bone of
//! their strongest joint, as stored, and as they would be if the numbers were something
//! else.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DVec3};

use super::bind::{self, SkinRead, known_factor, size_of, transform_words};
use super::catalog::{self as fault, DoctorFault};
use super::doc::{Doc, Graph};
use super::findings::Findings;
use super::skinned_vertices::{LaneOrder, SampledVertex, SkinnedSample};

/// Fewer vertices tell nothing of where a mesh is.
const LEAST_VERTICES: usize = 16;
/// Fewer joints, with a bone or none, tell so only by what is exact.
const LEAST_JOINTS: usize = 3;
/// From here on vertices may be far from their bones, on average and in parts of the size
/// of the skeleton: those of sound models are up to 0.4 away.
const FAR: f64 = 0.3;
/// From here on a mesh is said to be elsewhere.
const ELSEWHERE: f64 = 0.5;
/// What explains a distance leaves so much of it at most.
const EXPLAINED: f64 = 0.5;
/// Numbers of joints that are read as they are meant leave so much at most.
const READ: f64 = 0.4;
/// What brings a mesh to its skeleton leaves it this large beside it: in a point, every
/// vertex would be near a bone.
const SIZES: std::ops::Range<f64> = 0.4..5.0;

/// What a mesh and its skeleton lack, with what speaks for it.
pub(super) struct SkinFault {
    skin: usize,
    fault: DoctorFault,
    /// Behind that of the skin.
    at: &'static str,
    expected: &'static str,
    shown: String,
    /// Absent where the program does not know how to mend it.
    repair: Option<SkinRepair>,
}

/// What is to be done to the numbers of a skin, or of its meshes.
pub(super) enum SkinRepair {
    /// These are its inverse bind matrices, `joint_from_bind`.
    Binds(Vec<DMat4>),
    /// The numbers in `JOINTS_n` are something else.
    Joints(JointReading),
}

/// What the numbers in `JOINTS_n` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointReading {
    /// Nodes.
    Nodes,
    /// Joints, counted from 1.
    FromOne,
    /// Joints, in another order than their weights.
    Lanes(LaneOrder),
}

impl JointReading {
    /// The joint that the strongest weight of a vertex means. `of_node`: joints by their
    /// nodes.
    fn strongest(self, vertex: &SampledVertex, of_node: &BTreeMap<usize, usize>) -> Option<usize> {
        let order = if let Self::Lanes(order) = self { order } else { LaneOrder::AsStored };
        self.joint(vertex.strongest(order)?, of_node)
    }

    /// The joint that a stored number means.
    pub(super) fn joint(self, stored: usize, of_node: &BTreeMap<usize, usize>) -> Option<usize> {
        match self {
            Self::Nodes => of_node.get(&stored).copied(),
            Self::FromOne => stored.checked_sub(1),
            Self::Lanes(_) => Some(stored),
        }
    }
}

/// All skins.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    for skin_fault in faults(doc, graph) {
        let SkinFault { skin, fault, at, expected, shown, repair } = skin_fault;
        let fault = DoctorFault { mendable: repair.is_some(), ..fault };
        found.add(&fault, format_args!("/skins/{skin}{at}")).expected(expected, shown);
    }
}

/// What is to be done, by skin.
pub(super) fn repairs(doc: &Doc<'_>, graph: &Graph) -> Vec<(usize, SkinRepair)> {
    let all = faults(doc, graph).into_iter();
    all.filter_map(|fault| Some((fault.skin, fault.repair?))).collect()
}

/// At most one a skin.
fn faults(doc: &Doc<'_>, graph: &Graph) -> Vec<SkinFault> {
    bind::skins(doc, graph).filter_map(|skin| SkinFit::of(doc, &skin)?.fault()).collect()
}

/// Do the vertices of a skin without inverse bind matrices need some?
pub(super) fn needs_binds(doc: &Doc<'_>, graph: &Graph, skin: usize) -> bool {
    let read = bind::skin(doc, graph, skin);
    read.is_some_and(|read| SkinFit::of(doc, &read).is_some_and(|fit| fit.no_binds().is_some()))
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
        vertices: &[SampledVertex],
        place: impl Fn(DVec3) -> DVec3,
        joint: impl Fn(&SampledVertex) -> Option<usize>,
    ) -> Option<f64> {
        let mut sum = 0.0;
        for vertex in vertices {
            let at = place(vertex.place);
            let bones = self.of.get(joint(vertex)?)?;
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

/// One skin, its vertices, and how far these are from their bones.
struct SkinFit<'a> {
    skin: &'a SkinRead,
    vertices: Vec<SampledVertex>,
}

/// The strongest joint as it is stored.
fn stored(vertex: &SampledVertex) -> Option<usize> {
    vertex.strongest(LaneOrder::AsStored)
}

impl<'a> SkinFit<'a> {
    /// `None` where matrices are explained, or there is too little to tell anything.
    fn of(doc: &Doc<'_>, skin: &'a SkinRead) -> Option<Self> {
        let sample = SkinnedSample::of_skin(doc, skin.index);
        let vertices = sample.vertices().filter(|vertex| stored(vertex).is_some());
        let vertices: Vec<SampledVertex> = vertices.copied().collect();
        (vertices.len() >= LEAST_VERTICES && !skin.at_rest.is_explained())
            .then_some(Self { skin, vertices })
    }

    fn fault(&self) -> Option<SkinFault> {
        if let Some(fault) = self.no_binds() {
            return Some(fault);
        }
        let frames: Vec<DMat4> = self.skin.at_rest.stored.iter().map(DMat4::inverse).collect();
        let bones = Bones::new(&frames, &self.skin.at_rest.parents)?;
        let distance = bones.distance(&self.vertices, |at| at, stored)?;
        let bound = BoundMesh { fit: self, bones, distance };
        if distance <= FAR {
            return None;
        }
        let numbers = bound.other_numbers();
        if numbers.is_some() {
            return numbers;
        }
        match self.only_joint(stored) {
            Some(joint) => bound.all_on_one(joint),
            None => bound.without_transform().or_else(|| bound.elsewhere()),
        }
    }

    /// The joint that all vertices follow, if there is just one.
    fn only_joint(&self, joint: impl Fn(&SampledVertex) -> Option<usize>) -> Option<usize> {
        let first = joint(self.vertices.first()?)?;
        self.vertices.iter().all(|vertex| joint(vertex) == Some(first)).then_some(first)
    }

    /// All inverse bind matrices are the identity, and vertices lie around the nodes, not
    /// each in the frame of its joint.
    fn no_binds(&self) -> Option<SkinFault> {
        let rest = &self.skin.at_rest;
        let is_identity = |matrix: &DMat4| matrix.abs_diff_eq(DMat4::IDENTITY, 1e-6);
        if !rest.stored.iter().all(is_identity) {
            return None;
        }
        let bones = Bones::new(&rest.world, &rest.parents)?;
        let in_bind_space = bones.distance(&self.vertices, |at| at, stored)?;
        let mut sum = 0.0;
        for vertex in &self.vertices {
            let joint = stored(vertex)?;
            let at = rest.world.get(joint)?.transform_point3(vertex.place);
            let nearest = bones.of[joint].iter().map(|&bone| distance(at, bone));
            sum += nearest.fold(f64::INFINITY, f64::min);
        }
        let in_joint_space = sum / self.vertices.len() as f64 / bones.size;
        (in_bind_space < FAR && in_bind_space < EXPLAINED * in_joint_space).then(|| SkinFault {
            shown: format!(
                "identity matrices; with the inverses of the nodes’ world matrices, vertices are \
                 {in_bind_space:.2} of the skeleton’s size from their bones on average, as it is \
                 {in_joint_space:.2}"
            ),
            repair: Some(SkinRepair::Binds(rest.world.iter().map(DMat4::inverse).collect())),
            ..self.found(fault::IBM_MISSING, "inverse bind matrices")
        })
    }

    fn found(&self, fault: DoctorFault, expected: &'static str) -> SkinFault {
        let skin = self.skin.index;
        SkinFault { skin, fault, at: "", expected, shown: String::new(), repair: None }
    }
}

/// A mesh that is far from its bones in bind space.
struct BoundMesh<'a> {
    fit: &'a SkinFit<'a>,
    bones: Bones,
    /// From the bone of the strongest joint, on average, over the size of the skeleton.
    distance: f64,
}

impl BoundMesh<'_> {
    fn explains(&self, distance: f64) -> bool {
        distance < EXPLAINED * self.distance
    }

    /// As stored, in words.
    fn told(&self) -> String {
        format!(
            "vertices are {:.2} of the skeleton’s size from the bone of their strongest joint, \
             on average",
            self.distance
        )
    }

    /// No vertex follows any joint but one.
    fn all_on_one(&self, joint: usize) -> Option<SkinFault> {
        let others = self.fit.skin.joints.len().checked_sub(1).filter(|&others| others > 0)?;
        let expected = "vertices that follow the joints near them";
        Some(SkinFault {
            shown: format!(
                "all vertices on joint {joint}, though they are {:.2} of the skeleton’s size from \
                 its bone on average; the other {others} joints move none",
                self.distance
            ),
            ..self.fit.found(fault::ALL_ON_ONE_JOINT, expected)
        })
    }

    /// `JOINTS_n` holds numbers of nodes, counts from 1, or stands in another order than
    /// the weights.
    fn other_numbers(&self) -> Option<SkinFault> {
        let of_node = self.fit.skin.joint_of_node();
        let lanes = JointReading::Lanes;
        let readings = [
            (JointReading::Nodes, fault::JOINTS_ARE_NODES, "read as numbers of nodes"),
            (JointReading::FromOne, fault::JOINTS_FROM_ONE, "with every number one lower"),
            (
                lanes(LaneOrder::Reversed),
                fault::JOINTS_OTHER_LANES,
                "with the lanes of joints reversed",
            ),
            (
                lanes(LaneOrder::SetsSwapped),
                fault::JOINTS_OTHER_LANES,
                "with the two sets of joints swapped",
            ),
        ];
        readings.into_iter().find_map(|(reading, fault, words)| {
            let joint = |vertex: &SampledVertex| reading.strongest(vertex, &of_node);
            let distance = self.bones.distance(&self.fit.vertices, |at| at, joint)?;
            let expected =
                "JOINTS_0 that counts from 0 in skin.joints, each number in the lane of its weight";
            let is_read =
                self.explains(distance) && distance < READ && self.fit.only_joint(joint).is_none();
            is_read.then(|| SkinFault {
                shown: format!("{}; {words}, {distance:.2}", self.told()),
                repair: Some(SkinRepair::Joints(reading)),
                ..self.fit.found(fault, expected)
            })
        })
    }

    /// The matrices lack a transform that mesh and nodes have.
    fn without_transform(&self) -> Option<SkinFault> {
        let rest = &self.fit.skin.at_rest;
        let common = rest.common()?;
        let bones = Bones::new(&rest.world, &rest.parents)?;
        let distance = bones.distance(&self.fit.vertices, |at| at, stored)?;
        self.explains(distance).then(|| SkinFault {
            at: "/inverseBindMatrices",
            shown: format!(
                "all joint matrices are one transform, {}; {}, and {distance:.2} from the nodes",
                transform_words(common),
                self.told()
            ),
            repair: Some(SkinRepair::Binds(rest.world.iter().map(DMat4::inverse).collect())),
            ..self.fit.found(
                fault::IBM_WITHOUT_TRANSFORM,
                "inverse bind matrices of the nodes as they rest",
            )
        })
    }

    /// Mesh and skeleton are apart, in whatever way brings them together.
    fn elsewhere(&self) -> Option<SkinFault> {
        if self.distance < ELSEWHERE {
            return None;
        }
        // A single bone may well stand beside what it moves, or be much shorter.
        let is_single = self.fit.skin.joints.len() < LEAST_JOINTS;
        let plain = self.nearest(turns().chain(units().filter(|_| !is_single)));
        // Of one that is not plain the program knows too little to mend it.
        let is_plain = plain.is_some();
        if !is_plain && is_single {
            return None;
        }
        let fitted = || {
            let all = std::iter::once((String::new(), Apart::default())).chain(turns());
            self.nearest(all.filter_map(|(words, turned)| {
                let apart = self.fitted(turned.turn)?;
                Some((apart.told(&words), apart))
            }))
        };
        let (shown, repair) = match plain.or_else(fitted) {
            Some((words, apart, distance)) => {
                let matrix = apart.matrix();
                // Mirrored by its matrices, the mesh would be inside out.
                let is_plain = is_plain && matrix.determinant() > 0.0;
                let stored = self.fit.skin.at_rest.stored.iter();
                let binds = stored.map(|&joint_from_bind| joint_from_bind * matrix).collect();
                let shown = format!("{}; {words}, the mesh is {distance:.2} away", self.told());
                (shown, is_plain.then_some(SkinRepair::Binds(binds)))
            }
            None if self.distance > 2.0 * ELSEWHERE => (self.told(), None),
            None => return None,
        };
        let expected = "a mesh around its bones";
        Some(SkinFault { shown, repair, ..self.fit.found(fault::MESH_OFF_SKELETON, expected) })
    }

    /// What explains best that mesh and skeleton are apart, with the distance that it
    /// leaves.
    fn nearest(&self, all: impl Iterator<Item = (String, Apart)>) -> Option<(String, Apart, f64)> {
        let vertices = &self.fit.vertices;
        let center =
            vertices.iter().map(|vertex| vertex.place).sum::<DVec3>() / vertices.len() as f64;
        let extent = vertices.iter().map(|vertex| vertex.place.distance(center));
        let extent = extent.fold(0.0, f64::max) / self.bones.size;
        let near = |(words, apart): (String, Apart)| {
            if !SIZES.contains(&(apart.scale * extent)) {
                return None;
            }
            let distance = self.bones.distance(vertices, |at| apart.apply(at), stored)?;
            self.explains(distance).then_some((words, apart, distance))
        };
        all.filter_map(near).min_by(|a, b| a.2.total_cmp(&b.2))
    }

    /// The scale and the move that bring vertices nearest to the middles of their bones,
    /// after a turn; by least squares.
    fn fitted(&self, turn: DMat3) -> Option<Apart> {
        let middle = |joint: usize| {
            let bones = &self.bones.of[joint];
            bones.iter().map(|[from, to]| from.midpoint(*to)).sum::<DVec3>() / bones.len() as f64
        };
        let vertices = self.fit.vertices.iter();
        let joint = |vertex| stored(vertex).filter(|&joint| joint < self.bones.of.len());
        let pairs: Vec<(DVec3, DVec3)> = vertices
            .filter_map(|vertex| Some((turn * vertex.place, middle(joint(vertex)?))))
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

/// What brings a mesh to its skeleton: turned or mirrored, scaled, moved, in this order.
struct Apart {
    turn: DMat3,
    scale: f64,
    shift: DVec3,
}

impl Default for Apart {
    fn default() -> Self {
        Self { turn: DMat3::IDENTITY, scale: 1.0, shift: DVec3::ZERO }
    }
}

impl Apart {
    fn apply(&self, place: DVec3) -> DVec3 {
        self.scale * (self.turn * place) + self.shift
    }

    fn matrix(&self) -> DMat4 {
        let linear = DMat4::from_mat3(self.scale * self.turn);
        DMat4::from_translation(self.shift) * linear
    }

    fn told(&self, turned: &str) -> String {
        let DVec3 { x, y, z } = self.shift;
        let comma = if turned.is_empty() { "" } else { ", " };
        format!("{turned}{comma}scaled by {:.2} and moved by ({x:.2}, {y:.2}, {z:.2})", self.scale)
    }
}

const AXES: [(&str, DVec3); 3] = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];

/// By quarters and halves about one axis, as programs with other axes have it.
pub(super) fn quarter_turns() -> impl Iterator<Item = (String, DMat3)> {
    AXES.into_iter().flat_map(|(name, axis)| {
        [-90.0, 90.0, 180.0].map(|degrees: f64| {
            let turn = DMat3::from_axis_angle(axis, degrees.to_radians());
            (format!("turned by {degrees}° about {name}").replace('-', "−"), turn)
        })
    })
}

/// These, and mirrored in one axis.
fn turns() -> impl Iterator<Item = (String, Apart)> {
    let mirror = |(name, axis)| {
        (format!("mirrored in {name}"), DMat3::from_diagonal(DVec3::ONE - 2.0 * axis))
    };
    let all = quarter_turns().chain(AXES.into_iter().map(mirror));
    all.map(|(words, turn)| (words, Apart { turn, ..Apart::default() }))
}

/// Scaled as programs do that mistake one unit for another.
fn units() -> impl Iterator<Item = (String, Apart)> {
    [100.0, 0.01, 1000.0, 0.001, 39.370_08, 0.0254].into_iter().map(|scale| {
        let into = known_factor(scale).map_or("", |(_, words)| words);
        (format!("scaled by {scale} ({into})"), Apart { scale, ..Apart::default() })
    })
}
