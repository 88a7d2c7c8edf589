//! Joints and weights, vertex by vertex.

use std::collections::BTreeSet;

use bindpose_diagnostic::ModelPlace;
use serde_json::{Map, Value};

use super::attributes::Tally;
use super::catalog as fault;
use super::doc::{Doc, as_whole};
use super::elements::{AccessorElements, Component, stored_elements};
use super::findings::Findings;

/// From here on, Σw is so far from 1 that a point one unit from the origin is
/// off by as much in the picture; below, it is rounding.
const VISIBLE: f64 = 1e-3;
/// What rounding to 32-bit floats does to a sum, for each weight that is not 0
/// (as the validator has it).
const ROUNDING: f64 = 2e-7;
/// Of weights in 8 bits.
const STEP: f64 = 1.0 / 255.0;
/// Influences a vertex that the GPU is given.
const SHOWN: usize = 8;
/// Sets of influences read here; more are reported without a look at them.
const MOST_SETS: usize = 16;

/// One primitive: all its sets together. `joints`: how many there are; `seen`:
/// the sets that were looked at.
pub(super) fn examine_influences(
    doc: &Doc<'_>,
    attributes: &Map<String, Value>,
    joints: Option<usize>,
    seen: &mut BTreeSet<(Vec<usize>, Option<usize>)>,
    pointer: &str,
    found: &mut Findings,
) {
    let named = |name: String| attributes.get(&name).and_then(as_whole);
    let accessors: Vec<usize> = (0..MOST_SETS)
        .map_while(|set| {
            let joints = named(format!("JOINTS_{set}"))?;
            let weights = named(format!("WEIGHTS_{set}"))?;
            Some([joints, weights])
        })
        .flatten()
        .collect();
    if accessors.is_empty() || !seen.insert((accessors.clone(), joints)) {
        return;
    }
    let sets: Vec<CheckedSet<'_>> = accessors
        .chunks_exact(2)
        .filter_map(|set| {
            let joints = stored_elements(doc, set[0])?;
            let weights = stored_elements(doc, set[1])?;
            let four = joints.format.kind.components == 4 && weights.format.kind.components == 4;
            four.then_some(CheckedSet { joints, weights })
        })
        .collect();
    let declared = attributes.keys().filter(|name| name.starts_with("JOINTS_"));
    let declared = declared.count();
    if declared > 4 {
        found
            .add(&fault::MANY_INFLUENCE_SETS, pointer)
            .expected("at most 4 sets of four", declared);
    }
    let vertices = sets.iter().map(|set| set.joints.count.min(set.weights.count)).min();
    let Some(vertices) = vertices else {
        return;
    };
    let mut tallies = Tallies::default();
    let mut lanes = Vec::new();
    for vertex in 0..vertices {
        lanes.clear();
        for set in &sets {
            lanes.extend((0..4).map(|lane| StoredLane {
                joint: set.joints.stored(vertex, lane) as usize,
                weight: set.weights.number(vertex, lane),
            }));
        }
        tallies.look(vertex, &lanes, joints, rounding(&sets));
    }
    tallies.report(joints, pointer, found);
}

struct CheckedSet<'a> {
    joints: AccessorElements<'a>,
    weights: AccessorElements<'a>,
}

/// One influence as stored.
#[derive(Clone, Copy)]
struct StoredLane {
    joint: usize,
    weight: f64,
}

/// What the stored type of the weights does to a sum, for each weight.
fn rounding(sets: &[CheckedSet<'_>]) -> f64 {
    let float = |set: &CheckedSet<'_>| set.weights.format.component == Component::F32;
    if sets.iter().any(float) {
        ROUNDING
    } else {
        // Whole steps must sum to exactly 255 or 65 535.
        1e-9
    }
}

#[derive(Default)]
struct Tallies {
    outside: Tally,
    outside_unused: Tally,
    negative: Tally,
    sum: Tally,
    sum_rounded: Tally,
    zero: Tally,
    unused: Tally,
    twice: Tally,
    beyond_shown: Tally,
    beyond_first: Tally,
    first_sets: FirstSets,
}

/// What programs see that read one or two sets of several.
#[derive(Default)]
struct FirstSets {
    /// Vertices with no weight in the first set, and in the first two.
    without: [usize; 2],
    /// Vertices whose largest weight stands in a later set.
    unsorted: usize,
}

impl FirstSets {
    fn look(&mut self, lanes: &[StoredLane]) {
        let weights = |lanes: &[StoredLane]| -> f64 { lanes.iter().map(|lane| lane.weight).sum() };
        for (sets, without) in (1..).zip(&mut self.without) {
            let first = &lanes[..lanes.len().min(4 * sets)];
            *without += usize::from(weights(first).abs() < 1e-6);
        }
        let largest =
            |lanes: &[StoredLane]| lanes.iter().map(|lane| lane.weight).fold(0.0, f64::max);
        self.unsorted += usize::from(largest(&lanes[4..]) > largest(&lanes[..4]));
    }

    /// In addition to what is said of the worst vertex.
    fn told(&self) -> String {
        let [one, two] = self.without;
        let two = if two > 0 { format!(", of the first two at {two}") } else { String::new() };
        match (one, self.unsorted) {
            (0, 0) => String::new(),
            (0, unsorted) => {
                format!("; the largest weight of {unsorted} vertices stands in a later set")
            }
            _ => format!(
                "; Σw of the first set is 0 at {one} vertices, which collapse into the origin \
                 there{two}"
            ),
        }
    }
}

impl Tallies {
    fn look(&mut self, vertex: usize, lanes: &[StoredLane], joints: Option<usize>, rounding: f64) {
        let mut sum = 0.0;
        let mut used = 0_usize;
        let mut later = 0_usize;
        for (place, lane) in lanes.iter().enumerate() {
            let &StoredLane { joint, weight } = lane;
            let at = |kind: &str| format!("/{kind}_{}", place / 4);
            let here = |kind: &str| ModelPlace::at(at(kind)).vertex(vertex).joint(joint);
            sum += weight;
            used += usize::from(weight != 0.0);
            later += usize::from(weight != 0.0 && place >= 4);
            if joints.is_some_and(|count| joint >= count) {
                let tally =
                    if weight == 0.0 { &mut self.outside_unused } else { &mut self.outside };
                tally.see(
                    joint as f64,
                    || here("JOINTS"),
                    || format!("joint {joint} with weight {weight:.3} at vertex {vertex}"),
                );
            } else if weight == 0.0 && joint != 0 {
                self.unused.see(
                    0.0,
                    || here("JOINTS"),
                    || format!("joint {joint} with weight 0 at vertex {vertex}"),
                );
            }
            if weight < 0.0 {
                self.negative.see(
                    -weight,
                    || here("WEIGHTS"),
                    || format!("{weight:.4} for joint {joint} at vertex {vertex}, the worst"),
                );
            }
            let again = |other: &StoredLane| other.joint == joint && other.weight != 0.0;
            if weight != 0.0 && lanes[..place].iter().any(again) {
                self.twice.see(
                    0.0,
                    || here("JOINTS"),
                    || format!("joint {joint} twice at vertex {vertex}"),
                );
            }
        }
        self.look_at_sum(vertex, sum, used, rounding);
        if later > 0 {
            self.first_sets.look(lanes);
        }
        let first: f64 = lanes.iter().take(4).map(|lane| lane.weight).sum();
        self.look_at_count(vertex, used, later, first);
    }

    fn look_at_sum(&mut self, vertex: usize, sum: f64, used: usize, rounding: f64) {
        let place = || ModelPlace::at("/WEIGHTS_0").vertex(vertex);
        let off = (sum - 1.0).abs();
        if used == 0 {
            self.zero.see(0.0, place, || format!("Σw = 0 at vertex {vertex}"));
        } else if off > VISIBLE {
            let why = if rounding < ROUNDING && off < used as f64 * STEP {
                "; each weight was rounded to 8 bits by itself"
            } else {
                ""
            };
            let shown = || format!("Σw = {sum:.3} at vertex {vertex}, the worst{why}");
            self.sum.see(off, place, shown);
        } else if off > rounding * used as f64 {
            self.sum_rounded
                .see(off, place, || format!("Σw off by {off:.1e} at vertex {vertex}, the worst"));
        }
    }

    /// `later`: how many of the influences stand beyond the first set; `first`: Σw of that.
    fn look_at_count(&mut self, vertex: usize, used: usize, later: usize, first: f64) {
        let place = || ModelPlace::at("/WEIGHTS_0").vertex(vertex);
        if used > SHOWN {
            let shown = || format!("{used} influences at vertex {vertex}, the most");
            self.beyond_shown.see(used as f64, place, shown);
        } else if later > 0 {
            let shown =
                || format!("Σw of the first set is {first:.3} at vertex {vertex}, the least");
            self.beyond_first.see(-first, place, shown);
        }
    }

    fn report(mut self, joints: Option<usize>, at: &str, found: &mut Findings) {
        let range = match joints {
            Some(count) => format!("joints 0 to {}", count.saturating_sub(1)),
            None => String::new(),
        };
        let (outside, sum) =
            (fault::ACCESSOR_JOINTS_INDEX_OOB, fault::ACCESSOR_WEIGHTS_NON_NORMALIZED);
        self.beyond_first.add_words(&self.first_sets.told());
        let mut beyond_first = fault::INFLUENCES_BEYOND_FIRST_SET;
        if self.first_sets.without[0] > 0 {
            beyond_first = beyond_first.as_warning();
        }
        let joint_0 = "joint 0 where the weight is 0";
        let first_set = "all influences in JOINTS_0 and WEIGHTS_0";
        for (tally, fault, expected) in [
            (self.zero, fault::WEIGHTS_ZERO, "Σw = 1"),
            (self.outside, outside, &*range),
            (self.outside_unused, fault::JOINTS_INDEX_OOB_WITHOUT_WEIGHT, &*range),
            (self.sum, sum, "Σw = 1"),
            (self.sum_rounded, sum.as_note(), "Σw = 1"),
            (self.negative, fault::ACCESSOR_WEIGHTS_NEGATIVE, "0 or more"),
            (self.twice, fault::ACCESSOR_JOINTS_INDEX_DUPLICATE, "each joint once a vertex"),
            (self.unused, fault::ACCESSOR_JOINTS_USED_ZERO_WEIGHT, joint_0),
            (self.beyond_shown, fault::INFLUENCES_BEYOND_SHOWN, "at most 8 a vertex"),
            (self.beyond_first, beyond_first, first_set),
        ] {
            tally.report(&fault, at, expected, found);
        }
    }
}
