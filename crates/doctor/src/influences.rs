//! Joints and weights, vertex by vertex.

use std::collections::BTreeSet;

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::Component;
use bindpose_gltf::decoding::AccessorElements;
use bindpose_gltf::decoding::values::as_usize;
use serde_json::{Map, Value};

use super::attributes::Tally;
use super::catalog as fault;
use super::document::RawDocument;
use super::elements::read_elements;
use super::findings::Findings;

/// Difference of Σw from 1 above which it is visible: a point one unit from the origin moves
/// by as much. Smaller differences count as rounding.
const VISIBLE_SUM_ERROR: f64 = 1e-3;
/// Error that rounding to 32-bit floats adds to a sum, for each weight that is not 0. As in
/// the validator.
const FLOAT_ROUNDING: f64 = 2e-7;
/// The same for weights in 8 or 16 bits, which must sum to exactly 255 or 65 535.
const INTEGER_ROUNDING: f64 = 1e-9;
/// Difference of consecutive weights in 8 bits.
const BYTE_STEP: f64 = 1.0 / 255.0;
/// Minimum number of vertices from which a wrong normalization is concluded.
const MIN_UNIT_VERTICES: usize = 8;
/// Maximum number of influences per vertex on the GPU.
const MAX_INFLUENCES: usize = 8;
/// Maximum number of sets of influences that are examined.
const MAX_EXAMINED_SETS: usize = 16;
/// Maximum number of sets of influences that is usual.
const MAX_USUAL_SETS: usize = 4;

/// Accessors of all sets with the number of joints, for every primitive that was examined.
pub(super) type ExaminedInfluences = BTreeSet<(Vec<usize>, Option<usize>)>;

/// Examines the influences of a primitive, all of its sets together. `joint_count` is the
/// number of joints of its skin, if it has one.
pub(super) fn examine_influences(
    doc: &RawDocument<'_>,
    attributes: &Map<String, Value>,
    joint_count: Option<usize>,
    examined: &mut ExaminedInfluences,
    pointer: &str,
    findings: &mut Findings,
) {
    let mut accessors: Vec<usize> = Vec::new();
    for set in 0..MAX_EXAMINED_SETS {
        let joints = attributes.get(&format!("JOINTS_{set}")).and_then(as_usize);
        let weights = attributes.get(&format!("WEIGHTS_{set}")).and_then(as_usize);
        let Some((joints, weights)) = joints.zip(weights) else {
            break;
        };
        accessors.extend([joints, weights]);
    }
    if accessors.is_empty() || !examined.insert((accessors.clone(), joint_count)) {
        return;
    }
    let sets: Vec<InfluenceSet<'_>> = accessors
        .chunks_exact(2)
        .filter_map(|set| {
            let joints = read_elements(doc, set[0])?;
            let weights = read_elements(doc, set[1])?;
            let has_four =
                joints.format.kind.components == 4 && weights.format.kind.components == 4;
            has_four.then_some(InfluenceSet { joints, weights })
        })
        .collect();
    let declared_sets = attributes.keys().filter(|name| name.starts_with("JOINTS_")).count();
    if declared_sets > MAX_USUAL_SETS {
        findings
            .add(&fault::MANY_INFLUENCE_SETS, pointer)
            .expected("at most 4 sets of four", declared_sets);
    }
    let vertex_count = sets.iter().map(|set| set.joints.count.min(set.weights.count)).min();
    let Some(vertex_count) = vertex_count else {
        return;
    };
    let has_float_weights = sets.iter().any(|set| set.weights.format.component == Component::F32);
    let rounding = if has_float_weights { FLOAT_ROUNDING } else { INTEGER_ROUNDING };
    let mut tallies = InfluenceTallies::default();
    let mut influences = Vec::new();
    for vertex in 0..vertex_count {
        influences.clear();
        for set in &sets {
            influences.extend((0..4).map(|lane| StoredInfluence {
                joint: set.joints.stored(vertex, lane) as usize,
                weight: set.weights.number(vertex, lane),
            }));
        }
        tallies.examine_vertex(vertex, &influences, joint_count, rounding);
    }
    tallies.report(joint_count, pointer, findings);
}

struct InfluenceSet<'a> {
    joints: AccessorElements<'a>,
    weights: AccessorElements<'a>,
}

/// One influence as stored.
#[derive(Clone, Copy)]
struct StoredInfluence {
    joint: usize,
    weight: f64,
}

#[derive(Default)]
struct InfluenceTallies {
    outside: Tally,
    outside_without_weight: Tally,
    negative: Tally,
    wrong_sum: Tally,
    rounded_sum: Tally,
    zero_sum: Tally,
    joint_without_weight: Tally,
    duplicate_joint: Tally,
    beyond_gpu: Tally,
    beyond_first_set: Tally,
    first_sets: FirstSets,
    squared_sums: SquaredSums,
}

/// Sums of squared weights, which are 1 if a program made the weights of each vertex a vector of
/// length 1.
#[derive(Default)]
struct SquaredSums {
    /// Number of vertices with a wrong sum and with squares that sum to 1.
    unit_count: usize,
    /// Number of vertices whose squares do not sum to 1.
    other_count: usize,
}

impl SquaredSums {
    fn add_vertex(&mut self, sum: f64, squared_sum: f64) {
        if (squared_sum - 1.0).abs() > VISIBLE_SUM_ERROR {
            self.other_count += 1;
        } else if (sum - 1.0).abs() > VISIBLE_SUM_ERROR {
            self.unit_count += 1;
        }
    }

    /// Formats the conclusion as an addition to the worst sum. Returns an empty text if there is
    /// none.
    fn describe(&self) -> String {
        if self.unit_count < MIN_UNIT_VERTICES || self.other_count > 0 {
            return String::new();
        }
        "; their squares sum to 1 at every vertex: they were made a vector of length 1, instead \
         of being divided by their sum"
            .to_owned()
    }
}

/// Vertices that programs show wrong if they read only the first set or the first two.
#[derive(Default)]
struct FirstSets {
    /// Number of vertices without weight in the first set, and in the first two.
    empty_counts: [usize; 2],
    /// Number of vertices whose largest weight is in a later set.
    unsorted_count: usize,
}

impl FirstSets {
    fn add_vertex(&mut self, influences: &[StoredInfluence]) {
        for (set_count, empty_count) in (1..).zip(&mut self.empty_counts) {
            let first = &influences[..influences.len().min(4 * set_count)];
            let sum: f64 = first.iter().map(|influence| influence.weight).sum();
            *empty_count += usize::from(sum.abs() < 1e-6);
        }
        let (first, later) = influences.split_at(4);
        self.unsorted_count += usize::from(max_weight(later) > max_weight(first));
    }

    /// Formats the counts as an addition to the worst vertex.
    fn describe(&self) -> String {
        let [in_first, in_two] = self.empty_counts;
        if in_first == 0 && self.unsorted_count == 0 {
            String::new()
        } else if in_first == 0 {
            let unsorted = self.unsorted_count;
            format!("; the largest weight of {unsorted} vertices stands in a later set")
        } else {
            let of_two =
                if in_two > 0 { format!(", of the first two at {in_two}") } else { String::new() };
            format!(
                "; Σw of the first set is 0 at {in_first} vertices, which collapse into the \
                 origin there{of_two}"
            )
        }
    }
}

fn max_weight(influences: &[StoredInfluence]) -> f64 {
    influences.iter().map(|influence| influence.weight).fold(0.0, f64::max)
}

impl InfluenceTallies {
    fn examine_vertex(
        &mut self,
        vertex: usize,
        influences: &[StoredInfluence],
        joint_count: Option<usize>,
        rounding: f64,
    ) {
        let mut sum = 0.0;
        let mut used_count = 0_usize;
        let mut later_count = 0_usize;
        for (index, &StoredInfluence { joint, weight }) in influences.iter().enumerate() {
            let set = index / 4;
            let joints_place =
                || ModelPlace::at(format!("/JOINTS_{set}")).vertex(vertex).joint(joint);
            sum += weight;
            used_count += usize::from(weight != 0.0);
            later_count += usize::from(weight != 0.0 && set > 0);
            if joint_count.is_some_and(|count| joint >= count) {
                let tally = if weight == 0.0 {
                    &mut self.outside_without_weight
                } else {
                    &mut self.outside
                };
                tally.record(joint as f64, joints_place, || {
                    format!("joint {joint} with weight {weight:.3} at vertex {vertex}")
                });
            } else if weight == 0.0 && joint != 0 {
                self.joint_without_weight.record(0.0, joints_place, || {
                    format!("joint {joint} with weight 0 at vertex {vertex}")
                });
            }
            if weight < 0.0 {
                self.negative.record(
                    -weight,
                    || ModelPlace::at(format!("/WEIGHTS_{set}")).vertex(vertex).joint(joint),
                    || format!("{weight:.4} for joint {joint} at vertex {vertex}, the worst"),
                );
            }
            let is_duplicate = weight != 0.0
                && influences[..index]
                    .iter()
                    .any(|other| other.joint == joint && other.weight != 0.0);
            if is_duplicate {
                self.duplicate_joint.record(0.0, joints_place, || {
                    format!("joint {joint} twice at vertex {vertex}")
                });
            }
        }
        self.examine_sum(vertex, sum, used_count, rounding);
        self.squared_sums
            .add_vertex(sum, influences.iter().map(|one| one.weight * one.weight).sum());
        if later_count > 0 {
            self.first_sets.add_vertex(influences);
        }
        let place = || ModelPlace::at("/WEIGHTS_0").vertex(vertex);
        if used_count > MAX_INFLUENCES {
            self.beyond_gpu.record(used_count as f64, place, || {
                format!("{used_count} influences at vertex {vertex}, the most")
            });
        } else if later_count > 0 {
            let first_sum: f64 = influences.iter().take(4).map(|one| one.weight).sum();
            self.beyond_first_set.record(-first_sum, place, || {
                format!("Σw of the first set is {first_sum:.3} at vertex {vertex}, the least")
            });
        }
    }

    /// `rounding`: error of the sum that the type of the weights explains, for each weight.
    fn examine_sum(&mut self, vertex: usize, sum: f64, used_count: usize, rounding: f64) {
        let place = || ModelPlace::at("/WEIGHTS_0").vertex(vertex);
        let error = (sum - 1.0).abs();
        if used_count == 0 {
            self.zero_sum.record(0.0, place, || format!("Σw = 0 at vertex {vertex}"));
        } else if error > VISIBLE_SUM_ERROR {
            let reason = if rounding < FLOAT_ROUNDING && error < used_count as f64 * BYTE_STEP {
                "; each weight was rounded to 8 bits by itself"
            } else {
                ""
            };
            self.wrong_sum.record(error, place, || {
                format!("Σw = {sum:.3} at vertex {vertex}, the worst{reason}")
            });
        } else if error > rounding * used_count as f64 {
            self.rounded_sum.record(error, place, || {
                format!("Σw off by {error:.1e} at vertex {vertex}, the worst")
            });
        }
    }

    fn report(mut self, joint_count: Option<usize>, pointer: &str, findings: &mut Findings) {
        let range = match joint_count {
            Some(count) => format!("joints 0 to {}", count.saturating_sub(1)),
            None => String::new(),
        };
        self.beyond_first_set.append(&self.first_sets.describe());
        self.wrong_sum.append(&self.squared_sums.describe());
        let beyond_first_set = if self.first_sets.empty_counts[0] > 0 {
            fault::INFLUENCES_BEYOND_FIRST_SET.as_warning()
        } else {
            fault::INFLUENCES_BEYOND_FIRST_SET
        };
        let wrong_sum = fault::ACCESSOR_WEIGHTS_NON_NORMALIZED;
        for (tally, fault, expected) in [
            (self.zero_sum, fault::WEIGHTS_ZERO, "Σw = 1"),
            (self.outside, fault::ACCESSOR_JOINTS_INDEX_OOB, range.as_str()),
            (self.outside_without_weight, fault::JOINTS_INDEX_OOB_WITHOUT_WEIGHT, range.as_str()),
            (self.wrong_sum, wrong_sum, "Σw = 1"),
            (self.rounded_sum, wrong_sum.as_note(), "Σw = 1"),
            (self.negative, fault::ACCESSOR_WEIGHTS_NEGATIVE, "0 or more"),
            (
                self.duplicate_joint,
                fault::ACCESSOR_JOINTS_INDEX_DUPLICATE,
                "each joint once a vertex",
            ),
            (
                self.joint_without_weight,
                fault::ACCESSOR_JOINTS_USED_ZERO_WEIGHT,
                "joint 0 where the weight is 0",
            ),
            (self.beyond_gpu, fault::INFLUENCES_BEYOND_SHOWN, "at most 8 a vertex"),
            (self.beyond_first_set, beyond_first_set, "all influences in JOINTS_0 and WEIGHTS_0"),
        ] {
            tally.report(&fault, pointer, expected, findings);
        }
    }
}
