//! Influences as a faulty loader reads them, or as they reach a shader whose
//! attributes are bound wrongly.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use bindpose_asset::Rig;
use bindpose_lesson::SkinningFault;
use bindpose_skin::{Influences, InfluencesName, JointIndex, SET_LANES, SharedInfluences};

/// In the order in which they act.
const OF_INFLUENCES: [SkinningFault; 8] = [
    SkinningFault::ShortsAsBytes,
    SkinningFault::NodeForJoint,
    SkinningFault::JointsOffByOne,
    SkinningFault::WeightsRoundedDown,
    SkinningFault::InfluencesCut,
    SkinningFault::LastJointLost,
    SkinningFault::IndicesAsFloats,
    SkinningFault::WeightsNotBound,
];

/// Lists that were changed and are kept.
const KEPT: usize = 6;

/// The influences with what is wrong with them; the same ones where nothing is, and
/// for the same faults as a moment ago.
pub(crate) fn influences_as_read(
    meant: &SharedInfluences,
    rig: &Rig,
    faults: &BTreeSet<SkinningFault>,
) -> SharedInfluences {
    static KNOWN: Mutex<VecDeque<KnownAttributes>> = Mutex::new(VecDeque::new());
    if faults.is_empty() {
        return meant.clone();
    }
    let on: Vec<SkinningFault> =
        OF_INFLUENCES.into_iter().filter(|one| faults.contains(one)).collect();
    if on.is_empty() {
        return meant.clone();
    }
    let joint_of_node = joint_of_node(rig);
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|known| !known.meant.is_gone());
    let name = meant.name();
    let same = |known: &KnownAttributes| {
        known.meant.is_same(&name) && known.faults == on && known.joint_of_node == joint_of_node
    };
    if let Some(at) = all.iter().position(same)
        && let Some(known) = all.remove(at)
    {
        let read = known.read.clone();
        all.push_front(known);
        return read;
    }
    let last = rig.skeleton.len().saturating_sub(1);
    let changed = meant.iter().map(|influences| {
        on.iter().fold(*influences, |influences, &fault| {
            changed(influences, fault, last, &joint_of_node)
        })
    });
    let read: SharedInfluences = changed.collect();
    all.push_front(KnownAttributes { meant: name, faults: on, joint_of_node, read: read.clone() });
    all.truncate(KEPT);
    read
}

struct KnownAttributes {
    meant: InfluencesName,
    faults: Vec<SkinningFault>,
    joint_of_node: Vec<JointIndex>,
    read: SharedInfluences,
}

/// By the number of a node: its joint. A node that is none gets one past the last,
/// which moves nothing.
fn joint_of_node(rig: &Rig) -> Vec<JointIndex> {
    let past = JointIndex(u16::try_from(rig.skeleton.len()).unwrap_or(u16::MAX));
    match &rig.origin {
        None => rig.skeleton.indices().collect(),
        Some(origin) => {
            let is_joint = |node: usize| {
                let mut skins = origin.graph.skins.iter();
                skins.any(|skin| skin.joints.iter().any(|one| one.index() == node))
            };
            let nodes = origin.graph.nodes.iter().enumerate();
            // Only the first as many as there are joints can be asked for.
            nodes
                .take(rig.skeleton.len())
                .map(|(at, node)| node.joint.filter(|_| is_joint(at)).unwrap_or(past))
                .collect()
        }
    }
}

fn changed(
    mut influences: Influences,
    fault: SkinningFault,
    last: usize,
    joint_of_node: &[JointIndex],
) -> Influences {
    let Influences { joints, weights } = &mut influences;
    match fault {
        SkinningFault::ShortsAsBytes => {
            for set in joints.chunks_exact_mut(SET_LANES) {
                if let [a, b, c, d] = set {
                    let [a_low, a_high] = a.0.to_le_bytes();
                    let [b_low, b_high] = b.0.to_le_bytes();
                    let read = [a_low, a_high, b_low, b_high].map(|byte| JointIndex(byte.into()));
                    [*a, *b, *c, *d] = read;
                }
            }
        }
        SkinningFault::NodeForJoint => {
            for joint in joints {
                *joint = joint_of_node.get(joint.index()).copied().unwrap_or(*joint);
            }
        }
        SkinningFault::JointsOffByOne => {
            for joint in joints {
                joint.0 = joint.0.saturating_sub(1);
            }
        }
        SkinningFault::WeightsRoundedDown => {
            for weight in weights {
                // A weight that is a byte already is that byte.
                *weight = (*weight * 255.0 + 1e-4).floor() / 255.0;
            }
        }
        SkinningFault::InfluencesCut => {
            for weight in weights.iter_mut().skip(2) {
                *weight = 0.0;
            }
        }
        SkinningFault::LastJointLost => {
            for (joint, weight) in joints.iter().zip(weights) {
                if joint.index() == last {
                    *weight = 0.0;
                }
            }
        }
        SkinningFault::IndicesAsFloats => *joints = Default::default(),
        SkinningFault::WeightsNotBound => {
            *weights = Default::default();
            if let Some(fourth) = weights.get_mut(SET_LANES - 1) {
                *fourth = 1.0;
            }
        }
        _ => {}
    }
    influences
}
