//! Animations whose numbers do not mean what they should: another unit, differences from the
//! rest pose, quaternions with w first, frames instead of seconds, and the like.

use std::collections::BTreeMap;

use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_numbers, get_str, get_usize};
use glam::{DQuat, DVec3};
use serde_json::Value;

use super::animations::values_per_key;
use super::bind::{self, RotationMistake, known_factor, rotation_distance_rad};
use super::catalog::{self as fault, DoctorFault};
use super::document::{NodeGraph, RawDocument, parent_from_node, unit_rotation};
use super::elements::read_elements;
use super::findings::Findings;

/// Relative difference below which two numbers count as equal.
const EQUAL_TOLERANCE: f64 = 2e-3;
/// Minimum fraction of the relevant channels that must fit an explanation.
const MIN_FITTING_FRACTION: f64 = 0.6;
/// Minimum number of keys one unit apart in a clip whose times count as frames. A shorter one
/// may well have a key at each second.
const MIN_FRAME_KEYS: usize = 24;
/// Minimum time before the first key of a clip that begins late, in seconds.
const MIN_LATE_SECS: f64 = 1.0;
/// Difference of a key from the rest pose below which it changes nothing, in radians or
/// relative to its size.
const REST_TOLERANCE: f64 = 1e-4;
/// Scales of a whole skeleton that are not another unit.
const USUAL_SCALES: std::ops::Range<f64> = 0.1..10.0;
/// Minimum angle at which a rotation distinguishes poses, in radians.
const MIN_TURNED_RAD: f64 = 0.1;
/// Minimum relative difference of a bone's length that another body has.
const MIN_BONE_DIFFERENCE: f64 = 0.03;
/// Angle below which a key is an exact rotation, in radians.
const EXACT_ROTATION_RAD: f64 = 0.02;
/// Minimum number of channels from which the meaning of rotation keys is concluded.
const MIN_ROTATIONS: usize = 3;
/// Maximum number of skins whose bind poses are compared with clips.
const MAX_BOUND_SKINS: usize = 64;
/// Ticks of a second that programs count in, common ones first.
const TICKS: [f64; 5] = [4800.0, 160.0, 3000.0, 48_000.0, 46_186_158_000.0];
/// Frames of a second.
const FRAME_RATES: [f64; 5] = [30.0, 24.0, 60.0, 25.0, 50.0];
/// Minimum time between keys that count ticks.
const MIN_TICK_STEP: f64 = 80.0;
/// Minimum number of keys from which ticks are concluded.
const MIN_TICK_KEYS: usize = 3;
/// Maximum number of keys in a channel that may be meant as a full turn.
const MAX_FULL_TURN_KEYS: usize = 5;

/// A channel with the numbers of its sampler.
pub(super) struct ClipChannel<'a> {
    node: &'a Value,
    pub(super) node_index: usize,
    pub(super) path: &'a str,
    times: AccessorElements<'a>,
    values: AccessorElements<'a>,
    is_spline: bool,
    /// Index of the sampler in its animation.
    pub(super) sampler: usize,
}

/// A repair of the numbers of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClipRepair {
    DivideTranslations(f64),
    /// Applies keys on top of the rest pose.
    ComposeWithRest,
    /// Moves the first component of each quaternion to the end.
    MoveWLast,
    /// Divides times by the ticks of a second.
    DivideTimes(f64),
    /// Flips the signs of a spline's quaternions to that nearest to the key before.
    AlignSigns,
    RescaleNode {
        node: usize,
        factor: f64,
    },
    /// Computes tangents of splines from the surrounding keys.
    RecomputeTangents,
}

/// A fault of a clip, with its repair if there is one.
pub(super) struct ClipFinding {
    fault: DoctorFault,
    repair: Option<ClipRepair>,
    expected: &'static str,
    shown: String,
}

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    let bound = BoundRotations::new(doc, graph);
    for (index, animation) in doc.entries("animations") {
        let channels = load_channels(doc, animation);
        for finding in find_faults(doc, graph, &bound, &channels) {
            let ClipFinding { fault, expected, shown, repair } = finding;
            let mendable = fault.mendable && repair.is_some();
            let fault = DoctorFault { mendable, ..fault };
            findings.add(&fault, format_args!("/animations/{index}")).expected(expected, shown);
        }
    }
}

/// Returns the repairs that the clips of a file need, each with the index of its animation.
pub(super) fn find_repairs(doc: &RawDocument<'_>, graph: &NodeGraph) -> Vec<(usize, ClipRepair)> {
    let mut repairs = Vec::new();
    let bound = BoundRotations::new(doc, graph);
    for (index, animation) in doc.entries("animations") {
        let faults = find_faults(doc, graph, &bound, &load_channels(doc, animation));
        repairs.extend(faults.into_iter().filter_map(|fault| Some((index, fault.repair?))));
    }
    repairs
}

/// Returns the channels of an animation that move, rotate or scale a node and can be read.
pub(super) fn load_channels<'a>(
    doc: &'a RawDocument<'_>,
    animation: &'a Value,
) -> Vec<ClipChannel<'a>> {
    doc.work
        .entries(get_list(animation, "channels"))
        .filter_map(|(_, channel)| ClipChannel::load(doc, animation, channel))
        .collect()
}

/// The local rotations of joints in the bind pose, by node.
struct BoundRotations(BTreeMap<usize, DQuat>);

impl BoundRotations {
    /// Returns an empty map for files without animations.
    fn new(doc: &RawDocument<'_>, graph: &NodeGraph) -> Self {
        let mut rotations = BTreeMap::new();
        if doc.list("animations").is_empty() {
            return Self(rotations);
        }
        for skin in bind::load_skins(doc, graph).take(MAX_BOUND_SKINS) {
            for (joint, &node) in skin.joints.iter().enumerate() {
                if let Some(rotation) = skin.at_rest.implied_rotation(joint) {
                    rotations.entry(node).or_insert(rotation);
                }
            }
        }
        Self(rotations)
    }

    /// Returns whether a rotation is that of the bind pose.
    fn is_bound(&self, node: usize, rotation: DQuat) -> bool {
        self.0
            .get(&node)
            .is_some_and(|bound| rotation_distance_rad(*bound, rotation) < MIN_TURNED_RAD)
    }
}

fn find_faults(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    bound: &BoundRotations,
    channels: &[ClipChannel<'_>],
) -> Vec<ClipFinding> {
    let translations: Vec<&ClipChannel<'_>> =
        channels.iter().filter(|channel| channel.path == "translation").collect();
    let rotations: Vec<&ClipChannel<'_>> =
        channels.iter().filter(|channel| channel.path == "rotation").collect();
    let other_unit = find_other_unit(&translations);
    let differences = if other_unit.is_none() {
        find_differences(&translations, &rotations)
            .or_else(|| find_rotation_differences(bound, &translations, &rotations))
    } else {
        None
    };
    let in_world = find_world_keys(graph, bound, &translations, &rotations)
        .filter(|_| other_unit.is_none() && differences.is_none());
    let w_first = find_w_first(&rotations);
    let other_rotations = find_other_rotations(bound, &rotations)
        .filter(|_| w_first.is_none() && differences.is_none() && in_world.is_none());
    let other_bones = find_other_bones(graph, &translations)
        .filter(|_| other_unit.is_none() && differences.is_none() && in_world.is_none());
    [
        other_unit,
        differences,
        other_bones,
        in_world,
        w_first,
        other_rotations,
        find_other_times(channels),
        find_late_begin(channels),
        find_sign_flips(&rotations),
        find_keys_as_tangents(channels),
        find_scaled_skeleton(doc, graph, channels),
        find_full_turn(channels),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl<'a> ClipChannel<'a> {
    fn load(doc: &'a RawDocument<'_>, animation: &'a Value, channel: &'a Value) -> Option<Self> {
        let target = channel.get("target")?;
        let sampler_index = get_usize(channel, "sampler")?;
        let sampler = get_list(animation, "samplers").get(sampler_index)?;
        let times = read_elements(doc, get_usize(sampler, "input")?)?;
        let values = read_elements(doc, get_usize(sampler, "output")?)?;
        // The number of values reveals a spline under another name, which has a finding.
        let is_spline = match values_per_key(times.count, values.count) {
            Some(count) => count == 3,
            None => get_str(sampler, "interpolation") == Some("CUBICSPLINE"),
        };
        let path = get_str(target, "path")?;
        let width = match path {
            "translation" | "scale" => 3,
            "rotation" => 4,
            _ => return None,
        };
        let values_per_key = if is_spline { 3 } else { 1 };
        let is_sound = times.format.kind.components == 1
            && values.format.kind.components == width
            && times.count > 0
            && values.count == times.count * values_per_key;
        let node_index = get_usize(target, "node")?;
        let node = doc.get("nodes", node_index)?;
        is_sound.then_some(Self {
            node,
            node_index,
            path,
            times,
            values,
            is_spline,
            sampler: sampler_index,
        })
    }

    /// Returns whether any key differs from the node at rest.
    pub(super) fn differs_from_rest(&self) -> bool {
        let are_all_at_rest = (0..self.key_count()).all(|key| {
            if self.path == "rotation" {
                let angle = rotation_distance_rad(self.rotation(key), self.rest_rotation());
                return angle < REST_TOLERANCE;
            }
            let rest =
                if self.path == "scale" { self.rest_scale() } else { self.rest_translation() };
            self.vector(key).distance(rest) < REST_TOLERANCE * (1e-3 + rest.length())
        });
        !are_all_at_rest
    }

    pub(super) fn key_count(&self) -> usize {
        self.times.count
    }

    fn time(&self, key: usize) -> f64 {
        self.times.number(key, 0)
    }

    /// Returns the value of a key: the middle one of a spline's three.
    fn value<const N: usize>(&self, key: usize) -> [f64; N] {
        self.values.vector(if self.is_spline { 3 * key + 1 } else { key })
    }

    /// Returns the translation or the scale of a key.
    fn vector(&self, key: usize) -> DVec3 {
        DVec3::from_array(self.value(key))
    }

    /// Returns the rotation of a key as stored.
    fn rotation(&self, key: usize) -> DQuat {
        DQuat::from_array(self.value(key))
    }

    /// Returns the repaired times, or `None` if the repair does not change them.
    pub(super) fn repaired_times(&self, repair: ClipRepair) -> Option<Vec<f64>> {
        let ClipRepair::DivideTimes(ticks) = repair else {
            return None;
        };
        Some((0..self.key_count()).map(|key| self.time(key) / ticks).collect())
    }

    /// Returns the repaired numbers of all stored values, tangents included, or `None` if the
    /// repair does not change them.
    pub(super) fn repaired_values(&self, repair: ClipRepair) -> Option<Vec<f64>> {
        let indices = 0..self.values.count;
        match (repair, self.path) {
            (ClipRepair::DivideTranslations(divisor), "translation") => Some(
                indices.flat_map(|at| self.values.vector::<3>(at).map(|x| x / divisor)).collect(),
            ),
            (ClipRepair::ComposeWithRest, "translation") => {
                let rest = self.rest_translation();
                let translations = indices.flat_map(|at| {
                    let difference = DVec3::from_array(self.values.vector(at));
                    let is_tangent = self.is_spline && at % 3 != 1;
                    // A tangent of a sum with a constant is the tangent itself.
                    let rest = if is_tangent { DVec3::ZERO } else { rest };
                    (rest + difference).to_array()
                });
                Some(translations.collect())
            }
            (ClipRepair::ComposeWithRest, "rotation") => {
                let rest = self.rest_rotation();
                let rotations = indices
                    .flat_map(|at| (rest * DQuat::from_array(self.values.vector(at))).to_array());
                Some(rotations.collect())
            }
            (ClipRepair::MoveWLast, "rotation") => {
                let rotations = indices.flat_map(|at| {
                    let [w, x, y, z] = self.values.vector::<4>(at);
                    [x, y, z, w]
                });
                Some(rotations.collect())
            }
            (ClipRepair::RescaleNode { node, factor }, "scale") if node == self.node_index => Some(
                indices.flat_map(|at| self.values.vector::<3>(at).map(|x| x * factor)).collect(),
            ),
            (ClipRepair::RecomputeTangents, "rotation") if self.is_spline => {
                Some(self.with_smooth_tangents::<4>())
            }
            (ClipRepair::RecomputeTangents, _) if self.is_spline => {
                Some(self.with_smooth_tangents::<3>())
            }
            (ClipRepair::AlignSigns, "rotation") if self.is_spline => {
                let mut sign = 1.0;
                let mut numbers = Vec::new();
                for key in 0..self.key_count() {
                    if key > 0 && self.rotation(key - 1).dot(self.rotation(key)) < 0.0 {
                        sign = -sign;
                    }
                    for at in 3 * key..3 * key + 3 {
                        numbers.extend(self.values.vector::<4>(at).map(|x| x * sign));
                    }
                }
                Some(numbers)
            }
            _ => None,
        }
    }

    /// Returns all values with the tangents of a Catmull-Rom spline: the difference between the
    /// next and the previous key, divided by the time between them.
    fn with_smooth_tangents<const N: usize>(&self) -> Vec<f64> {
        let last = self.key_count() - 1;
        let mut numbers = Vec::new();
        for key in 0..=last {
            let previous = key.saturating_sub(1);
            let next = (key + 1).min(last);
            let from = self.value::<N>(previous);
            let to = self.value::<N>(next);
            let duration = self.time(next) - self.time(previous);
            let tangent: [f64; N] = std::array::from_fn(|lane| {
                if duration > 0.0 { (to[lane] - from[lane]) / duration } else { 0.0 }
            });
            numbers.extend(tangent);
            numbers.extend(self.value::<N>(key));
            numbers.extend(tangent);
        }
        numbers
    }

    /// Returns whether the tangents of a spline repeat the key between them.
    fn has_keys_as_tangents(&self) -> bool {
        if !self.is_spline {
            return false;
        }
        let mut has_repeated_key = false;
        for key in 0..self.key_count() {
            let [in_tangent, value, out_tangent] =
                [0, 1, 2].map(|part| DVec3::from_array(self.values.vector(3 * key + part)));
            // A key of zeros does not distinguish tangents from keys.
            let length = value.length();
            if length <= 1e-6 {
                continue;
            }
            let is_repeated = in_tangent.distance(value) <= 1e-5 * length
                && out_tangent.distance(value) <= 1e-5 * length;
            if !is_repeated {
                return false;
            }
            has_repeated_key = true;
        }
        has_repeated_key
    }

    /// Returns the translation of the node at rest.
    fn rest_translation(&self) -> DVec3 {
        parent_from_node(self.node).w_axis.truncate()
    }

    fn rest_scale(&self) -> DVec3 {
        get_numbers(self.node, "scale").map_or(DVec3::ONE, DVec3::from_array)
    }

    fn rest_rotation(&self) -> DQuat {
        unit_rotation(self.node)
    }
}

fn are_most(fitting: usize, all: usize) -> bool {
    fitting > 0 && fitting as f64 >= MIN_FITTING_FRACTION * all as f64
}

/// Finds translations in another unit. Bones keep their lengths, so that translations of
/// joints are exact multiples of those at rest.
fn find_other_unit(translations: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let mut away_count = 0;
    let mut factors: Vec<f64> = Vec::new();
    for channel in translations {
        let rest = channel.rest_translation();
        if rest.length() > 1e-6 {
            away_count += 1;
            let first = channel.vector(0);
            let factor = first.dot(rest) / rest.length_squared();
            if (first - factor * rest).length() <= EQUAL_TOLERANCE * first.length() {
                factors.push(factor);
            }
        }
    }
    let (factor, conversion) = factors.iter().find_map(|&factor| known_factor(factor))?;
    let fitting =
        factors.iter().filter(|&&one| (one / factor - 1.0).abs() < EQUAL_TOLERANCE).count();
    are_most(fitting, away_count).then(|| ClipFinding {
        fault: fault::CLIP_OTHER_UNIT,
        repair: Some(ClipRepair::DivideTranslations(factor)),
        expected: "translations in the unit of the nodes",
        shown: format!(
            "translations of {fitting} of {away_count} nodes are exactly {factor} times those at \
             rest, as by turning {conversion}"
        ),
    })
}

/// Finds bones of other lengths than at rest: translations held in the directions of the rest
/// pose, each with another factor.
fn find_other_bones(graph: &NodeGraph, translations: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let mut bone_count = 0;
    let mut fitting = 0;
    let mut least = f64::INFINITY;
    let mut most = 0.0_f64;
    for channel in translations {
        let rest = channel.rest_translation();
        if graph.parent(channel.node_index).is_none() || rest.length() < 1e-6 {
            continue;
        }
        bone_count += 1;
        let held = channel.vector(0);
        let tolerance = EQUAL_TOLERANCE * held.length();
        let factor = held.dot(rest) / rest.length_squared();
        let is_multiple = factor > 0.0 && (held - factor * rest).length() <= tolerance;
        let is_constant =
            (0..channel.key_count()).all(|key| channel.vector(key).distance(held) <= tolerance);
        if is_multiple && is_constant && (factor - 1.0).abs() > MIN_BONE_DIFFERENCE {
            fitting += 1;
            least = least.min(factor);
            most = most.max(factor);
        }
    }
    // One factor for all is another unit or size, not another body.
    let is_body = fitting >= MIN_ROTATIONS && most > (1.0 + MIN_BONE_DIFFERENCE) * least;
    (is_body && are_most(fitting, bone_count)).then(|| ClipFinding {
        fault: fault::CLIP_OTHER_BONES,
        repair: None,
        expected: "translations of joints as at rest",
        shown: format!(
            "translations of {fitting} of {bone_count} joints held at {least:.2} to {most:.2} \
             times those at rest, in their directions"
        ),
    })
}

/// Finds keys that are differences from the rest pose: translations of 0 for nodes that rest
/// away from their parents.
fn find_differences(
    translations: &[&ClipChannel<'_>],
    rotations: &[&ClipChannel<'_>],
) -> Option<ClipFinding> {
    let mut away_count = 0;
    let mut fitting = 0;
    let mut max_distance = 0.0_f64;
    for channel in translations {
        let distance = channel.rest_translation().length();
        if distance > 1e-6 {
            away_count += 1;
            if channel.vector(0).length() <= EQUAL_TOLERANCE * distance {
                fitting += 1;
                max_distance = max_distance.max(distance);
            }
        }
    }
    let has_unrotated_key = rotations.iter().any(|channel| {
        rotation_distance_rad(channel.rest_rotation(), DQuat::IDENTITY) > 0.05
            && rotation_distance_rad(channel.rotation(0), DQuat::IDENTITY) < 1e-3
    });
    let is_certain = fitting >= 2 || has_unrotated_key;
    (is_certain && are_most(fitting, away_count)).then(|| ClipFinding {
        fault: fault::CLIP_OF_CHANGES,
        repair: Some(ClipRepair::ComposeWithRest),
        expected: "whole translations, rotations and scales",
        shown: format!(
            "translations of 0 for {fitting} of {away_count} nodes that rest up to \
             {max_distance:.3} from their parents"
        ),
    })
}

/// Finds rotation keys that are changes from the rest pose, in a clip without translations of
/// joints: keys of no rotation for joints that rest turned and were bound turned.
fn find_rotation_differences(
    bound: &BoundRotations,
    translations: &[&ClipChannel<'_>],
    rotations: &[&ClipChannel<'_>],
) -> Option<ClipFinding> {
    // Keys of translations are examined by themselves.
    if translations.iter().any(|channel| channel.rest_translation().length() > 1e-6) {
        return None;
    }
    let mut turned_count = 0;
    let mut fitting = 0;
    let mut max_angle_rad = 0.0_f64;
    for channel in rotations {
        let angle_rad = rotation_distance_rad(channel.rest_rotation(), DQuat::IDENTITY);
        if angle_rad < MIN_TURNED_RAD || bound.is_bound(channel.node_index, DQuat::IDENTITY) {
            continue;
        }
        turned_count += 1;
        let last = channel.key_count() - 1;
        let begins_or_ends_unrotated = [0, last]
            .into_iter()
            .any(|key| rotation_distance_rad(channel.rotation(key), DQuat::IDENTITY) < 1e-3);
        if begins_or_ends_unrotated {
            fitting += 1;
            max_angle_rad = max_angle_rad.max(angle_rad);
        }
    }
    (fitting >= MIN_ROTATIONS && are_most(fitting, turned_count)).then(|| ClipFinding {
        fault: fault::CLIP_OF_CHANGES,
        repair: Some(ClipRepair::ComposeWithRest),
        expected: "whole rotations",
        shown: format!(
            "keys of no rotation for {fitting} of {turned_count} nodes that rest turned by up to \
             {:.0}°",
            max_angle_rad.to_degrees()
        ),
    })
}

/// Finds keys that are world transforms in place of local ones: of all nodes, or of roots alone.
fn find_world_keys(
    graph: &NodeGraph,
    bound: &BoundRotations,
    translations: &[&ClipChannel<'_>],
    rotations: &[&ClipChannel<'_>],
) -> Option<ClipFinding> {
    let mut moved_count = 0;
    let mut fitting: Vec<&ClipChannel<'_>> = Vec::new();
    for channel in translations {
        let rest = channel.rest_translation();
        let world = graph.world_from_node[channel.node_index].w_axis.truncate();
        let first = channel.vector(0);
        let tolerance = EQUAL_TOLERANCE * (world.length() + rest.length());
        if world.distance(rest) > 10.0 * tolerance {
            moved_count += 1;
            if first.distance(world) <= tolerance {
                fitting.push(channel);
            }
        }
    }
    if let Some(channel) = fitting.first()
        && are_most(fitting.len(), moved_count)
    {
        let is_root = fitting.len() == 1;
        let world_from_parent = graph.world_from_parent[channel.node_index];
        let DVec3 { x, y, z } = world_from_parent.w_axis.truncate();
        let fault = if is_root { fault::CLIP_IN_WORLD.as_note() } else { fault::CLIP_IN_WORLD };
        return Some(ClipFinding {
            fault,
            repair: None,
            expected: "translations relative to the parent",
            shown: format!(
                "the first keys of {} of {moved_count} nodes are their places in the world; that \
                 of node {} has its parent’s, ({x:.3}, {y:.3}, {z:.3}), once more",
                fitting.len(),
                channel.node_index
            ),
        });
    }
    let mut turned_count = 0;
    let mut fitting_count = 0;
    for channel in rotations {
        let (_, world, _) =
            graph.world_from_node[channel.node_index].to_scale_rotation_translation();
        if rotation_distance_rad(world, channel.rest_rotation()) > MIN_TURNED_RAD
            && !bound.is_bound(channel.node_index, channel.rotation(0))
        {
            turned_count += 1;
            let distance_rad = rotation_distance_rad(channel.rotation(0), world);
            fitting_count += usize::from(distance_rad < EXACT_ROTATION_RAD);
        }
    }
    (fitting_count >= MIN_ROTATIONS && are_most(fitting_count, turned_count)).then(|| ClipFinding {
        fault: fault::CLIP_IN_WORLD,
        repair: None,
        expected: "rotations relative to the parent",
        shown: format!(
            "the first keys of {fitting_count} of {turned_count} nodes are their rotations in the \
             world at rest"
        ),
    })
}

/// Finds rotations that are written in another way than glTF's: keys at rest are what a known
/// mistake makes of the rest rotations.
fn find_other_rotations(
    bound: &BoundRotations,
    rotations: &[&ClipChannel<'_>],
) -> Option<ClipFinding> {
    RotationMistake::all().into_iter().find_map(|mistake| {
        let mut wrong_count = 0;
        let mut fitting = 0;
        for channel in rotations {
            let rest = channel.rest_rotation();
            let last = channel.key_count() - 1;
            // Keys of the bind pose are right, whatever the nodes hold.
            let is_wrong = [0, last].into_iter().all(|key| {
                let rotation = channel.rotation(key);
                rotation_distance_rad(rotation, rest) > MIN_TURNED_RAD
                    && !bound.is_bound(channel.node_index, rotation)
            });
            if is_wrong && rotation_distance_rad(rest, DQuat::IDENTITY) > MIN_TURNED_RAD {
                wrong_count += 1;
                let explains_any =
                    [0, last].into_iter().any(|key| mistake.explains(rest, channel.value(key)));
                fitting += usize::from(explains_any);
            }
        }
        (fitting >= MIN_ROTATIONS && are_most(fitting, wrong_count)).then(|| ClipFinding {
            fault: fault::CLIP_OTHER_ROTATIONS,
            repair: None,
            expected: "quaternions x, y, z, w, relative to the parent",
            shown: format!(
                "first or last keys of {fitting} of {wrong_count} nodes turned from rest; {}, they \
                 are the rest pose",
                mistake.describe_correction()
            ),
        })
    })
}

/// Finds quaternions written as w, x, y, z: read like that, nodes are near their rest pose.
fn find_w_first(rotations: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let mut stored_sum = 0.0;
    let mut w_first_sum = 0.0;
    for channel in rotations {
        let rest = channel.rest_rotation();
        stored_sum += rotation_distance_rad(channel.rotation(0), rest);
        let [w, x, y, z] = channel.value::<4>(0);
        w_first_sum += rotation_distance_rad(DQuat::from_xyzw(x, y, z, w), rest);
    }
    let count = rotations.len().max(1) as f64;
    let stored_deg = (stored_sum / count).to_degrees();
    let w_first_deg = (w_first_sum / count).to_degrees();
    // One or two nodes may be near their rest pose by chance.
    let max_deg = if rotations.len() < 3 { 0.5 } else { 0.3 * stored_deg };
    (stored_deg > 60.0 && w_first_deg < max_deg).then(|| ClipFinding {
        fault: fault::CLIP_W_FIRST,
        repair: Some(ClipRepair::MoveWLast),
        expected: "rotations as x, y, z, w",
        shown: format!(
            "in the first keys {} nodes are turned {stored_deg:.0}° from rest on average; read as \
             w, x, y, z, {w_first_deg:.1}°",
            rotations.len()
        ),
    })
}

/// Finds times that are frames or milliseconds.
fn find_other_times(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let longest = channels.iter().max_by_key(|channel| channel.key_count())?;
    let key_count = longest.key_count();
    let first = longest.time(0);
    let last = longest.time(key_count - 1);
    let mut are_frames = key_count >= MIN_FRAME_KEYS;
    let mut are_milliseconds = key_count >= 3 && last - first > 300.0;
    for key in 0..key_count {
        are_frames &= longest.time(key).fract() == 0.0;
        if key > 0 {
            let step = longest.time(key) - longest.time(key - 1);
            are_frames &= step == 1.0;
            are_milliseconds &= (8.0..=1000.0).contains(&step);
        }
    }
    let expected = "times in seconds";
    if let Some(TickRate { ticks, frames }) = find_tick_rate(longest) {
        return Some(ClipFinding {
            fault: fault::CLIP_TIMES_ARE_TICKS,
            repair: Some(ClipRepair::DivideTimes(ticks)),
            expected,
            shown: format!(
                "{key_count} keys from {first} to {last}, in steps of {}: {ticks} ticks a second \
                 make {frames} frames of it",
                ticks / frames
            ),
        });
    }
    if are_frames {
        Some(ClipFinding {
            fault: fault::CLIP_TIMES_ARE_FRAMES,
            repair: None,
            expected,
            shown: format!("{key_count} keys exactly 1 apart, from {first} to {last}"),
        })
    } else if are_milliseconds {
        Some(ClipFinding {
            fault: fault::CLIP_TIMES_ARE_MILLISECONDS,
            repair: Some(ClipRepair::DivideTimes(1000.0)),
            expected,
            shown: format!(
                "{key_count} keys from {first} to {last}, none nearer than 8 to the one before"
            ),
        })
    } else {
        None
    }
}

/// The unit of times that count ticks.
struct TickRate {
    /// Ticks of a second.
    ticks: f64,
    /// Frames of a second.
    frames: f64,
}

/// Returns the unit of times that are multiples of a known number of ticks. Returns `None` for
/// times that may be seconds or milliseconds.
fn find_tick_rate(channel: &ClipChannel<'_>) -> Option<TickRate> {
    let key_count = channel.key_count();
    if key_count < MIN_TICK_KEYS {
        return None;
    }
    let mut min_step = f64::INFINITY;
    for key in 1..key_count {
        min_step = min_step.min(channel.time(key) - channel.time(key - 1));
    }
    if !min_step.is_finite() || min_step < MIN_TICK_STEP {
        return None;
    }
    TICKS.into_iter().find_map(|ticks| {
        FRAME_RATES.into_iter().find_map(|frames| {
            let frame = ticks / frames;
            // Steps of milliseconds are not whole numbers of these ticks.
            let is_multiple = (0..key_count).all(|key| {
                let count = (channel.time(key) - channel.time(0)) / frame;
                (count - count.round()).abs() < 1e-3
            });
            let is_usual = min_step < ticks && frame >= MIN_TICK_STEP;
            (is_multiple && is_usual).then_some(TickRate { ticks, frames })
        })
    })
}

/// Finds a clip that waits longer for its first key than it lasts.
fn find_late_begin(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let mut begin = f64::INFINITY;
    let mut end = 0.0_f64;
    for channel in channels {
        begin = begin.min(channel.time(0));
        end = end.max(channel.time(channel.key_count() - 1));
    }
    let is_late = begin.is_finite() && begin > MIN_LATE_SECS && begin > end - begin;
    is_late.then(|| ClipFinding {
        fault: fault::CLIP_BEGINS_LATE,
        repair: None,
        expected: "a first key at 0 s",
        shown: format!("the first key at {begin} s, the last at {end} s"),
    })
}

/// Finds quaternions of splines whose sign changes between keys. Linear interpolation ignores
/// signs, splines do not.
fn find_sign_flips(rotations: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let mut flip_count = 0;
    let mut first = None;
    for channel in rotations.iter().filter(|channel| channel.is_spline) {
        for key in 1..channel.key_count() {
            let dot = channel.rotation(key - 1).dot(channel.rotation(key));
            if dot < 0.0 {
                flip_count += 1;
                first.get_or_insert((key, dot));
            }
        }
    }
    let (key, dot) = first?;
    Some(ClipFinding {
        fault: fault::SPLINE_SIGN_FLIPS,
        repair: Some(ClipRepair::AlignSigns),
        expected: "each key with the sign that is nearer to the key before",
        shown: format!(
            "{flip_count} flips, the first between keys {} and {key}, whose dot product is \
             {dot:.2}",
            key - 1
        ),
    })
}

fn find_keys_as_tangents(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let splines: Vec<&ClipChannel<'_>> =
        channels.iter().filter(|channel| channel.is_spline && channel.key_count() > 1).collect();
    let fitting = splines.iter().filter(|channel| channel.has_keys_as_tangents()).count();
    are_most(fitting, splines.len()).then(|| ClipFinding {
        fault: fault::SPLINE_TANGENTS_ARE_KEYS,
        repair: Some(ClipRepair::RecomputeTangents),
        expected: "tangents: changes a second, before and after each key",
        shown: format!("the key itself in both, in {fitting} of {} splines", splines.len()),
    })
}

/// Finds a node above a whole skeleton that the clip holds at a scale far from that at rest.
fn find_scaled_skeleton(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    channels: &[ClipChannel<'_>],
) -> Option<ClipFinding> {
    channels.iter().filter(|channel| channel.path == "scale").find_map(|channel| {
        let rest = channel.rest_scale();
        let held = channel.vector(0);
        let tolerance = EQUAL_TOLERANCE * held.length();
        let factor = held.dot(rest) / rest.length_squared();
        let is_multiple = (held - factor * rest).length() <= tolerance;
        let is_constant =
            (0..channel.key_count()).all(|key| channel.vector(key).distance(held) <= tolerance);
        let is_other = factor > 0.0 && factor.is_finite() && !USUAL_SCALES.contains(&factor);
        if !is_multiple
            || !is_constant
            || !is_other
            || !is_above_skeleton(doc, graph, channel.node_index)
        {
            return None;
        }
        Some(ClipFinding {
            fault: fault::CLIP_SCALES_SKELETON,
            repair: Some(ClipRepair::RescaleNode {
                node: channel.node_index,
                factor: 1.0 / factor,
            }),
            expected: "the scale at rest",
            shown: format!(
                "node {}, with all joints below it, held at {factor:.4} times its scale at rest",
                channel.node_index
            ),
        })
    })
}

/// Returns whether all joints of some skin with several joints are below a node.
fn is_above_skeleton(doc: &RawDocument<'_>, graph: &NodeGraph, node: usize) -> bool {
    doc.list("skins").iter().any(|skin| {
        let joints = get_list(skin, "joints");
        joints.len() > 1
            && joints.iter().all(|joint| {
                as_usize(joint).is_some_and(|joint| {
                    joint < graph.roots.len() && graph.forest.is_below(joint, node)
                })
            })
    })
}

/// Finds a rotation of 360° in a few keys. Interpolation takes the shorter way, which is none.
pub(super) fn find_full_turn(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    for channel in channels {
        let key_count = channel.key_count();
        if channel.path != "rotation" || channel.is_spline || key_count > MAX_FULL_TURN_KEYS {
            continue;
        }
        let dots: Vec<f64> = (1..key_count)
            .map(|key| channel.rotation(key - 1).dot(channel.rotation(key)))
            .collect();
        if !dots.iter().all(|dot| dot.abs() > 0.999_999) {
            continue;
        }
        if let Some(key) = dots.iter().position(|&dot| dot < 0.0) {
            return Some(ClipFinding {
                fault: fault::FULL_TURN_BETWEEN_KEYS,
                repair: None,
                expected: "keys less than 180° apart",
                shown: format!(
                    "keys {key} and {} are one orientation with opposite signs, and so are all \
                     others",
                    key + 1
                ),
            });
        }
    }
    None
}
