//! What a clip's numbers may be instead of what they should be: another unit, changes
//! from the rest pose, quaternions with w first, frames for seconds; and what in them
//! moves nothing.

use glam::{DQuat, DVec3};
use serde_json::Value;

use super::bind::known_factor;
use super::catalog::{self as fault, DoctorFault};
use super::doc::{Doc, Graph, list, local, numbers, text, turn, whole};
use super::elements::{AccessorElements, stored_elements};
use super::findings::Findings;

/// Two numbers are the same up to here, in parts of their size.
const SAME: f64 = 2e-3;
/// Of the channels that a belief about a clip is about, so many must agree with it.
const MOST_OF: f64 = 0.6;
/// Clips of fewer keys may well have one at each second.
const LEAST_FRAMES: usize = 24;
/// Seconds after which a clip begins late, if it also waits longer than it lasts.
const LATE_SECS: f64 = 1.0;
/// A key that is as near to the rest pose as this, in radians or parts of its size, changes
/// nothing.
const STILL: f64 = 1e-4;
/// A scale of a whole skeleton beyond these is another unit.
const SCALES: std::ops::Range<f64> = 0.1..10.0;
/// Keys of a channel that may be meant as a full turn.
const FEW_KEYS: usize = 5;

/// One channel and the numbers of its sampler.
pub(super) struct ClipChannel<'a> {
    node: &'a Value,
    /// Its number.
    pub(super) node_index: usize,
    pub(super) path: &'a str,
    times: AccessorElements<'a>,
    values: AccessorElements<'a>,
    is_spline: bool,
    /// Its place among the samplers of the clip.
    pub(super) sampler: usize,
}

/// What is to be done to the numbers of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClipRepair {
    /// Translations are to be divided by this.
    Divided(f64),
    /// Keys come after the rest pose.
    Composed,
    /// The first number of each rotation belongs last.
    WLast,
    /// Times are to be divided by 1000.
    Seconds,
    /// Keys of splines take the nearer sign.
    NearerSigns,
    /// Scales of this node are to be multiplied by the second.
    Rescaled(usize, f64),
    /// Tangents of splines are to be computed from the keys around them.
    Tangents,
}

/// A repair, or a remark where there is none, with what speaks for it.
pub(super) struct ClipFinding {
    fault: DoctorFault,
    repair: Option<ClipRepair>,
    expected: &'static str,
    shown: String,
}

/// All clips.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    for (index, animation) in doc.each("animations") {
        let pointer = format!("/animations/{index}");
        let channels = channels(doc, animation);
        for finding in findings(doc, graph, &channels) {
            let ClipFinding { fault, expected, shown, .. } = finding;
            found.add(&fault, pointer.as_str()).expected(expected, shown);
        }
    }
}

/// What is to be done to the clips of a file, by their numbers.
pub(super) fn repairs(doc: &Doc<'_>, graph: &Graph) -> Vec<(usize, ClipRepair)> {
    let of = |(index, animation): (usize, &Value)| {
        let found = findings(doc, graph, &channels(doc, animation)).into_iter();
        found.filter_map(|one| one.repair).map(|repair| (index, repair)).collect::<Vec<_>>()
    };
    doc.each("animations").flat_map(of).collect()
}

/// Those of one clip whose numbers can be read.
pub(super) fn channels<'a>(doc: &'a Doc<'_>, animation: &'a Value) -> Vec<ClipChannel<'a>> {
    let each = doc.work.each(list(animation, "channels"));
    each.filter_map(|(_, channel)| ClipChannel::of(doc, animation, channel)).collect()
}

fn findings(doc: &Doc<'_>, graph: &Graph, channels: &[ClipChannel<'_>]) -> Vec<ClipFinding> {
    let of = |path: &str| -> Vec<&ClipChannel<'_>> {
        channels.iter().filter(|channel| channel.path == path).collect()
    };
    let (places, turns) = (of("translation"), of("rotation"));
    let unit = unit(&places);
    let changes = if unit.is_none() { changes(&places, &turns) } else { None };
    let mut found: Vec<ClipFinding> =
        [unit, changes, w_first(&turns)].into_iter().flatten().collect();
    found.extend(not_seconds(channels));
    found.extend(begins_late(channels));
    found.extend(sign_flips(&turns));
    found.extend(tangents(channels));
    found.extend(scaled_whole(doc, graph, channels));
    found.extend(full_turn(channels));
    found
}

impl<'a> ClipChannel<'a> {
    fn of(doc: &'a Doc<'_>, animation: &'a Value, channel: &'a Value) -> Option<Self> {
        let target = channel.get("target")?;
        let place = whole(channel, "sampler")?;
        let sampler = list(animation, "samplers").get(place)?;
        let is_spline = text(sampler, "interpolation") == Some("CUBICSPLINE");
        let times = stored_elements(doc, whole(sampler, "input")?)?;
        let values = stored_elements(doc, whole(sampler, "output")?)?;
        let path = text(target, "path")?;
        let width = match path {
            "translation" | "scale" => 3,
            "rotation" => 4,
            _ => return None,
        };
        let each = if is_spline { 3 } else { 1 };
        let fits = times.format.kind.components == 1
            && values.format.kind.components == width
            && times.count > 0
            && values.count == times.count * each;
        let node_index = whole(target, "node")?;
        let node = doc.one("nodes", node_index)?;
        fits.then_some(Self { node, node_index, path, times, values, is_spline, sampler: place })
    }

    /// Is any key another than the node at rest?
    pub(super) fn changes(&self) -> bool {
        let is_rest = |key: usize| match self.path {
            "rotation" => apart(self.turn(key), self.rest_turn()) < STILL,
            path => {
                let rest = if path == "scale" { self.rest_scale() } else { self.rest_place() };
                self.place(key).distance(rest) < STILL * (1e-3 + rest.length())
            }
        };
        !(0..self.keys()).all(is_rest)
    }

    pub(super) fn keys(&self) -> usize {
        self.times.count
    }

    fn time(&self, key: usize) -> f64 {
        self.times.number(key, 0)
    }

    /// As stored, of a spline the middle one of three.
    fn key<const N: usize>(&self, key: usize) -> [f64; N] {
        self.values.vector(if self.is_spline { 3 * key + 1 } else { key })
    }

    fn place(&self, key: usize) -> DVec3 {
        DVec3::from_array(self.key(key))
    }

    fn turn(&self, key: usize) -> DQuat {
        DQuat::from_array(self.key(key))
    }

    /// Its times after a repair; absent: they stay.
    pub(super) fn repaired_times(&self, repair: ClipRepair) -> Option<Vec<f64>> {
        let seconds = || (0..self.keys()).map(|key| self.time(key) / 1000.0).collect();
        (repair == ClipRepair::Seconds).then(seconds)
    }

    /// Its values after a repair, one after the other as they are stored; absent: they
    /// stay.
    pub(super) fn repaired_values(&self, repair: ClipRepair) -> Option<Vec<f64>> {
        let all = 0..self.values.count;
        let is_key = |at: &usize| !self.is_spline || at % 3 == 1;
        match (repair, self.path) {
            (ClipRepair::Divided(by), "translation") => {
                Some(all.flat_map(|at| self.values.vector::<3>(at).map(|x| x / by)).collect())
            }
            (ClipRepair::Composed, "translation") => {
                let rest = self.rest_place().to_array();
                let place = |at: usize| {
                    let change = self.values.vector::<3>(at);
                    let rest = if is_key(&at) { rest } else { [0.0; 3] };
                    std::array::from_fn::<f64, 3, _>(|lane| rest[lane] + change[lane])
                };
                Some(all.flat_map(place).collect())
            }
            (ClipRepair::Composed, "rotation") => {
                let rest = self.rest_turn();
                let turn =
                    |at: usize| (rest * DQuat::from_array(self.values.vector(at))).to_array();
                Some(all.flat_map(turn).collect())
            }
            (ClipRepair::WLast, "rotation") => {
                let turned = |at: usize| {
                    let [w, x, y, z] = self.values.vector::<4>(at);
                    [x, y, z, w]
                };
                Some(all.flat_map(turned).collect())
            }
            (ClipRepair::Rescaled(node, by), "scale") if node == self.node_index => {
                Some(all.flat_map(|at| self.values.vector::<3>(at).map(|x| x * by)).collect())
            }
            (ClipRepair::Tangents, "rotation") if self.is_spline => Some(self.smooth::<4>()),
            (ClipRepair::Tangents, _) if self.is_spline => Some(self.smooth::<3>()),
            (ClipRepair::NearerSigns, "rotation") if self.is_spline => {
                let mut sign = 1.0;
                let signs: Vec<f64> = (0..self.keys())
                    .map(|key| {
                        if key > 0 && self.turn(key - 1).dot(self.turn(key)) < 0.0 {
                            sign = -sign;
                        }
                        sign
                    })
                    .collect();
                let signed = |at: usize| self.values.vector::<4>(at).map(|x| x * signs[at / 3]);
                Some(all.flat_map(signed).collect())
            }
            _ => None,
        }
    }

    /// Keys with the tangents of a Catmull-Rom spline: from the key before to the key after,
    /// over the time between them.
    fn smooth<const N: usize>(&self) -> Vec<f64> {
        let last = self.keys() - 1;
        let tangent = |key: usize| -> [f64; N] {
            let (before, after) = (key.saturating_sub(1), (key + 1).min(last));
            let (from, to) = (self.key::<N>(before), self.key::<N>(after));
            let time = self.time(after) - self.time(before);
            std::array::from_fn(
                |lane| if time > 0.0 { (to[lane] - from[lane]) / time } else { 0.0 },
            )
        };
        (0..=last).flat_map(|key| [tangent(key), self.key(key), tangent(key)]).flatten().collect()
    }

    /// Do its tangents hold the key itself?
    fn has_keys_for_tangents(&self) -> bool {
        let vector = |at: usize| self.values.vector::<3>(at);
        let is_key = |key: usize| {
            let [into, value, out] =
                [0, 1, 2].map(|part| DVec3::from_array(vector(3 * key + part)));
            let near = |tangent: DVec3| tangent.distance(value) <= 1e-5 * value.length();
            value.length() > 1e-6 && near(into) && near(out)
        };
        let is_zero = |key: usize| DVec3::from_array(vector(3 * key + 1)).length() <= 1e-6;
        let keys = || 0..self.keys();
        self.is_spline && keys().any(is_key) && keys().all(|key| is_key(key) || is_zero(key))
    }

    /// Where the node rests, as its parent sees it.
    fn rest_place(&self) -> DVec3 {
        local(self.node).w_axis.truncate()
    }

    fn rest_scale(&self) -> DVec3 {
        numbers(self.node, "scale").map_or(DVec3::ONE, DVec3::from_array)
    }

    fn rest_turn(&self) -> DQuat {
        turn(self.node)
    }
}

/// Do most of these agree?
fn most(fits: usize, all: usize) -> bool {
    fits > 0 && fits as f64 >= MOST_OF * all as f64
}

/// Translations in another unit: those of bones, which do not change their lengths,
/// are exactly so many times those at rest.
fn unit(places: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let far: Vec<_> = places.iter().filter(|one| one.rest_place().length() > 1e-6).collect();
    let ratio = |channel: &&&ClipChannel<'_>| {
        let (rest, first) = (channel.rest_place(), channel.place(0));
        let factor = first.dot(rest) / rest.length_squared();
        let same = (first - factor * rest).length() <= SAME * first.length();
        same.then_some(factor)
    };
    let factors: Vec<f64> = far.iter().filter_map(ratio).collect();
    let (factor, into) = factors.iter().find_map(|&factor| known_factor(factor))?;
    let fits = factors.iter().filter(|&&one| (one / factor - 1.0).abs() < SAME).count();
    most(fits, far.len()).then(|| ClipFinding {
        fault: fault::CLIP_OTHER_UNIT,
        repair: Some(ClipRepair::Divided(factor)),
        expected: "translations in the unit of the nodes",
        shown: format!(
            "translations of {fits} of {} nodes are exactly {factor} times those at rest, as by \
             turning {into}",
            far.len()
        ),
    })
}

/// Keys that are changes from the rest pose: no way from the parent, where the node
/// rests away from it.
fn changes(places: &[&ClipChannel<'_>], turns: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let rests: Vec<_> = places.iter().map(|one| (one, one.rest_place().length())).collect();
    let far = || rests.iter().filter(|(_, rest)| *rest > 1e-6);
    let at_parent = || far().filter(|(one, rest)| one.place(0).length() <= SAME * rest);
    let (fits, all) = (at_parent().count(), far().count());
    let unturned = turns.iter().any(|channel| {
        let rests_turned = apart(channel.rest_turn(), DQuat::IDENTITY) > 0.05;
        rests_turned && apart(channel.turn(0), DQuat::IDENTITY) < 1e-3
    });
    let enough = fits >= 2 || unturned;
    (enough && most(fits, all)).then(|| ClipFinding {
        fault: fault::CLIP_OF_CHANGES,
        repair: Some(ClipRepair::Composed),
        expected: "whole translations, rotations and scales",
        shown: format!(
            "translations of 0 for {fits} of {all} nodes that rest up to {:.3} from their parents",
            at_parent().map(|(_, rest)| *rest).fold(0.0, f64::max)
        ),
    })
}

/// The angle between two rotations, whatever their signs and lengths; π where one is
/// none.
fn apart(a: DQuat, b: DQuat) -> f64 {
    let cosine = a.dot(b).abs() / (a.length() * b.length());
    if cosine.is_finite() { 2.0 * cosine.min(1.0).acos() } else { std::f64::consts::PI }
}

/// Quaternions written w, x, y, z: read so, nodes are near their rest.
fn w_first(turns: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let mean = |of: &dyn Fn(&ClipChannel<'_>) -> f64| {
        let sum: f64 = turns.iter().map(|channel| of(channel)).sum();
        (sum / turns.len().max(1) as f64).to_degrees()
    };
    let stored = mean(&|channel| apart(channel.turn(0), channel.rest_turn()));
    let read = mean(&|channel| {
        let [w, x, y, z] = channel.key::<4>(0);
        apart(DQuat::from_xyzw(x, y, z, w), channel.rest_turn())
    });
    // Of one or two nodes only what is exact tells anything.
    let limit = if turns.len() < 3 { 0.5 } else { 0.3 * stored };
    (stored > 60.0 && read < limit).then(|| ClipFinding {
        fault: fault::CLIP_W_FIRST,
        repair: Some(ClipRepair::WLast),
        expected: "rotations as x, y, z, w",
        shown: format!(
            "in the first keys {} nodes are turned {stored:.0}° from rest on average; read as w, \
             x, y, z, {read:.1}°",
            turns.len()
        ),
    })
}

/// Times that are frames or milliseconds.
fn not_seconds(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let longest = channels.iter().max_by_key(|channel| channel.keys())?;
    let keys = longest.keys();
    let steps = || (1..keys).map(|key| longest.time(key) - longest.time(key - 1));
    let (first, last) = (longest.time(0), longest.time(keys - 1));
    let is_whole = (0..keys).all(|key| longest.time(key).fract() == 0.0);
    let expected = "times in seconds";
    if is_whole && keys >= LEAST_FRAMES && steps().all(|step| step == 1.0) {
        let shown = format!("{keys} keys exactly 1 apart, from {first} to {last}");
        let fault = fault::CLIP_TIMES_ARE_FRAMES;
        Some(ClipFinding { fault, repair: None, expected, shown })
    } else if keys >= 3
        && last - first > 300.0
        && steps().all(|step| (8.0..=1000.0).contains(&step))
    {
        let shown =
            format!("{keys} keys from {first} to {last}, none nearer than 8 to the one before");
        let fault = fault::CLIP_TIMES_ARE_MILLISECONDS;
        Some(ClipFinding { fault, repair: Some(ClipRepair::Seconds), expected, shown })
    } else {
        None
    }
}

fn begins_late(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let begins = channels.iter().map(|channel| channel.time(0)).fold(f64::INFINITY, f64::min);
    let end = |channel: &ClipChannel<'_>| channel.time(channel.keys() - 1);
    let ends = channels.iter().map(end).fold(0.0, f64::max);
    (begins.is_finite() && begins > LATE_SECS && begins > ends - begins).then(|| ClipFinding {
        fault: fault::CLIP_BEGINS_LATE,
        repair: None,
        expected: "a first key at 0 s",
        shown: format!("the first key at {begins} s, the last at {ends} s"),
    })
}

/// In splines signs of quaternions matter.
fn sign_flips(turns: &[&ClipChannel<'_>]) -> Option<ClipFinding> {
    let flips = turns.iter().filter(|channel| channel.is_spline).flat_map(|channel| {
        let dot = |key: usize| channel.turn(key - 1).dot(channel.turn(key));
        (1..channel.keys()).map(move |key| (dot(key), key)).filter(|(dot, _)| *dot < 0.0)
    });
    let all: Vec<(f64, usize)> = flips.collect();
    let (dot, key) = *all.first()?;
    Some(ClipFinding {
        fault: fault::SPLINE_SIGN_FLIPS,
        repair: Some(ClipRepair::NearerSigns),
        expected: "each key with the sign that is nearer to the key before",
        shown: format!(
            "{} flips, the first between keys {} and {key}, whose dot product is {dot:.2}",
            all.len(),
            key - 1
        ),
    })
}

/// Splines whose tangents are the keys.
fn tangents(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let splines = || channels.iter().filter(|channel| channel.is_spline && channel.keys() > 1);
    let fits = splines().filter(|channel| channel.has_keys_for_tangents()).count();
    most(fits, splines().count()).then(|| ClipFinding {
        fault: fault::SPLINE_TANGENTS_ARE_KEYS,
        repair: Some(ClipRepair::Tangents),
        expected: "tangents: changes a second, before and after each key",
        shown: format!("the key itself in both, in {fits} of {} splines", splines().count()),
    })
}

/// A node with a skeleton below it that the clip holds at another scale than it rests at.
fn scaled_whole(doc: &Doc<'_>, graph: &Graph, channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    let joints = || doc.list("skins").iter().map(|skin| list(skin, "joints").iter());
    let is_above = |node: usize| {
        let below = |joint: &Value| {
            super::doc::as_whole(joint).is_some_and(|joint| {
                joint < graph.roots.len() && graph.forest.is_below(joint, node)
            })
        };
        joints().any(|mut joints| joints.len() > 1 && joints.all(below))
    };
    channels.iter().filter(|channel| channel.path == "scale").find_map(|channel| {
        let (rest, held) = (channel.rest_scale(), channel.place(0));
        let factor = held.dot(rest) / rest.length_squared();
        let is_one = (held - factor * rest).length() <= SAME * held.length();
        let is_held = (0..channel.keys())
            .all(|key| channel.place(key).distance(held) <= SAME * held.length());
        let is_other = factor > 0.0 && factor.is_finite() && !SCALES.contains(&factor);
        (is_one && is_held && is_other && is_above(channel.node_index)).then(|| ClipFinding {
            fault: fault::CLIP_SCALES_SKELETON,
            repair: Some(ClipRepair::Rescaled(channel.node_index, 1.0 / factor)),
            expected: "the scale at rest",
            shown: format!(
                "node {}, with all joints below it, held at {factor:.4} times its scale at rest",
                channel.node_index
            ),
        })
    })
}

/// A turn of 360° in two keys is none.
pub(super) fn full_turn(channels: &[ClipChannel<'_>]) -> Option<ClipFinding> {
    channels.iter().filter(|channel| channel.path == "rotation").find_map(full_turn_of)
}

fn full_turn_of(channel: &ClipChannel<'_>) -> Option<ClipFinding> {
    let dot = |key: usize| channel.turn(key - 1).dot(channel.turn(key));
    let keys = channel.keys();
    let is_one =
        !channel.is_spline && keys <= FEW_KEYS && (1..keys).all(|key| dot(key).abs() > 0.999_999);
    let key = (1..keys).filter(|_| is_one).find(|&key| dot(key) < 0.0)?;
    Some(ClipFinding {
        fault: fault::FULL_TURN_BETWEEN_KEYS,
        repair: None,
        expected: "keys less than 180° apart",
        shown: format!(
            "keys {} and {key} are one orientation with opposite signs, and so are all others",
            key - 1
        ),
    })
}
