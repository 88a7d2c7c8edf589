//! Parameters for what a file's joints and morph targets do.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

use bindpose_skin::JointIndex;
use glam::Vec3;

use super::joints::SkinJoints;
use super::morphs::Slots;
use crate::{Param, ParamKind};

/// One angle a joint of a skin, of every joint where there are no skins, and
/// one number a morph target. Names are made fit for links and unique.
pub(super) fn params(
    joints: &SkinJoints,
    slots: &BTreeMap<usize, Slots>,
    morph_weights: &[f32],
) -> Vec<Param> {
    let mut names = Names::default();
    let mut params = Vec::new();
    for joint in turned(joints) {
        let label = &joints.skeleton.joints()[joint.index()].name;
        params.push(Param {
            name: names.take(label, joint.index()),
            label: label.clone(),
            kind: ParamKind::Angle { joint, axis: Vec3::X },
            default: 0.0,
            range: (-PI, PI),
        });
    }
    for slots in slots.values() {
        for (slot, label) in (slots.first..).zip(&slots.names) {
            let at_rest = morph_weights.get(slot).copied().unwrap_or(0.0);
            params.push(Param {
                name: names.take(label, slot),
                label: label.clone(),
                kind: ParamKind::Morph { slot },
                default: 0.0,
                range: (-f64::from(at_rest), 1.0 - f64::from(at_rest)),
            });
        }
    }
    params
}

/// Joints of skins, each once: an alias turns with the first one.
fn turned(joints: &SkinJoints) -> Vec<JointIndex> {
    let of_skins: BTreeSet<JointIndex> = joints
        .skins
        .iter()
        .flat_map(|skin| &skin.joints)
        .filter_map(|node| joints.of_node[node.index()])
        .collect();
    if of_skins.is_empty() {
        return joints.skeleton.indices().collect();
    }
    of_skins.into_iter().collect()
}

/// Names in use. `all` means every angle at once.
pub(crate) struct Names(BTreeSet<String>);

impl Default for Names {
    fn default() -> Self {
        Self(BTreeSet::from(["all".to_owned()]))
    }
}

impl Names {
    /// A name for a label, different from all taken before.
    pub(crate) fn take(&mut self, label: &str, number: usize) -> String {
        let fit = |c: char| {
            if c.is_alphanumeric() || c == '-' { c } else { '_' }
        };
        let mut name: String = label.chars().map(fit).collect();
        if name.is_empty() || self.0.contains(&name) {
            name = format!("{name}_{number}");
        }
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
