//! Comparison of two models: how a program that wrote one from the other changed its joints,
//! vertices and clips.

mod binds;
mod clip_change;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod hard_tests;
mod joints;
mod rewriting;
mod space;
mod surface;
#[cfg(test)]
mod tests;
mod vertices;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use bindpose_gltf::{Cancelled, JointRole, Pace, Paced, Rig, TaskProgress};
use bindpose_lesson::Rewriting;
use bindpose_lesson::number_text::{fixed, scientific};
use bindpose_skin::{Joint, JointIndex, Skeleton};
use glam::Mat4;
use serde::Serialize;

use self::space::RestModel;
use crate::differences::{AXIS_TOLERANCE, axis_difference, exceeds};
use joints::{list_names, unpaired_joints};
use rewriting::in_space;
use space::{ComparedModels, MATRIX_WORK};

pub use joints::{JointPair, PairingCriterion};
pub use rewriting::rewrite_model;
pub use vertices::{VertexDifference, WeightDifference};

/// The differences of model B from model A. Lengths are in units of A.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelDifference {
    /// Are the models equal up to rounding, with everything in the same order?
    pub equal: bool,
    /// Description of the space of B, seen from A. `None` if it is the same, or unknown.
    pub space: Option<String>,
    /// The longest side of A at rest, or of its skeleton if that is larger. Never 0.
    pub size: f32,
    /// Joints that both models have, and the nodes above them.
    pub joints: Vec<JointPair>,
    /// Names of joints that only A has.
    pub only_in_a: Vec<String>,
    /// Names of joints that only B has.
    pub only_in_b: Vec<String>,
    /// Differences of rest positions and weights.
    pub vertices: VertexDifference,
    /// Clips that both models have.
    pub clips: Vec<ClipDifference>,
    /// Names of clips that only A has.
    pub clips_only_in_a: Vec<String>,
    /// Names of clips that only B has.
    pub clips_only_in_b: Vec<String>,
    /// Findings as sentences, the most informative one first.
    pub findings: Vec<String>,
}

/// Compares two models at rest and in their clips, blocking until the result is known.
pub fn model_difference(a: &Arc<Rig>, b: &Arc<Rig>) -> ModelDifference {
    let a = Arc::clone(a);
    let b = Arc::clone(b);
    let found = Paced::new(&TaskProgress::default(), async move |pace: Rc<Pace>| {
        compare(&a, &b, &pace).await
    })
    .finish();
    found.map(|found| found.0).unwrap_or_default()
}

/// The parts of B that correspond to those of A.
struct Correspondence {
    /// Maps positions of A to those of B.
    b_from_a: Mat4,
    /// The vertex of B at the position of each vertex of A, if any.
    vertex_in_b: Vec<Option<u32>>,
}

async fn compare(
    a: &Rig,
    b: &Rig,
    pace: &Pace,
) -> Result<(ModelDifference, Correspondence), Cancelled> {
    pace.pause().await?;
    let a = RestModel::new(a);
    pace.pause().await?;
    let b = RestModel::new(b);
    pace.progress().set(0.2);
    let size = a.size();
    let mut paired = joints::pair_by_name(&a, &b);
    let named: Vec<_> = paired.iter().map(|pair| pair.0).collect();
    pace.pause().await?;
    let space = space::find_space(&a, &b, &named, size, pace).await?;
    let models = ComparedModels { a: &a, b: &b, space: &space, size };
    paired.extend(joints::pair_by_position(&models, &paired, pace).await?);
    paired.sort_unstable_by_key(|pair| pair.0);
    let pairs: Vec<(JointIndex, JointIndex)> = paired.iter().map(|pair| pair.0).collect();
    pace.progress().set(0.3);
    pace.pause().await?;
    let (joints, mut findings) = joints::compare_joints(&models, &paired);
    let vertices = vertices::compare_vertices(&models, &pairs, pace).await?;
    pace.progress().set(0.6);
    let surface_findings =
        surface::compare_surfaces(&models, &vertices.in_b, vertices.mirrored, pace).await?;
    let clips = compare_clips(&models, &pairs, pace).await?;
    pace.progress().set(0.9);
    if let Some(words) = &space.words {
        let words = match words.strip_prefix("with ") {
            Some(what) => format!("B has {what}"),
            None => format!("B is {words}"),
        };
        findings.insert(0, format!("{words}. What follows allows for that."));
    }
    findings.extend(vertices.findings);
    findings.extend(surface_findings);
    findings.extend(clips.findings);
    let equal = findings.is_empty();
    if equal {
        findings.push(
            "They are the same: joints, inverse bind matrices, vertices, weights, triangles, morph \
             targets, materials and clips."
                .to_owned(),
        );
    }
    let only_in_a = unpaired_names(&a, pairs.iter().map(|pair| pair.0));
    let only_in_b = unpaired_names(&b, pairs.iter().map(|pair| pair.1));
    let found = ModelDifference {
        equal,
        space: space.words,
        size,
        only_in_a,
        only_in_b,
        joints,
        vertices: vertices.found,
        clips: clips.both,
        clips_only_in_a: clips.only_in_a,
        clips_only_in_b: clips.only_in_b,
        findings,
    };
    let correspondence = Correspondence { b_from_a: space.b_from_a, vertex_in_b: vertices.in_b };
    Ok((found, correspondence))
}

/// Returns the names of joints of skins that have no partner.
fn unpaired_names(model: &RestModel<'_>, paired: impl Iterator<Item = JointIndex>) -> Vec<String> {
    let joints = model.rig.skeleton.joints();
    let roles = model.rig.joint_roles();
    unpaired_joints(model, paired)
        .into_iter()
        .filter(|joint| roles.get(joint.index()) != Some(&JointRole::Helper))
        .filter_map(|joint| Some(joints.get(joint.index())?.name.clone()))
        .collect()
}

/// Number of moments at which a clip is compared.
const CLIP_SAMPLES: usize = 17;

/// A clip that both models have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipDifference {
    /// Name in A, or its index there if it has none.
    pub name: String,
    /// Durations in A and in B.
    pub durations_secs: [f32; 2],
    /// Numbers of tracks in A and in B.
    pub tracks: [usize; 2],
    /// Numbers of keys in A and in B.
    pub keys: [usize; 2],
    /// Largest distance of a joint from its position in A at the same time.
    pub farthest: f32,
    /// The joint of A with the largest distance, and the time in seconds.
    pub at: Option<(String, f64)>,
    /// Largest difference of the axes of a joint at the same time.
    pub turned: f32,
}

#[derive(Default)]
struct ClipFindings {
    both: Vec<ClipDifference>,
    only_in_a: Vec<String>,
    only_in_b: Vec<String>,
    findings: Vec<String>,
}

/// Compares clips with the same name. If no names match, compares those with the same index.
async fn compare_clips(
    models: &ComparedModels<'_>,
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<ClipFindings, Cancelled> {
    let clips_a = &models.a.rig.clips;
    let clips_b = &models.b.rig.clips;
    let mut clips = ClipFindings::default();
    // Clips of B by name, in reverse order for `Vec::pop`.
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, clip) in clips_b.iter().enumerate().rev() {
        by_name.entry(&clip.name).or_default().push(index);
    }
    let pair_by_index = clips_a.len() == clips_b.len()
        && !clips_a.iter().any(|clip| by_name.contains_key(clip.name.as_str()));
    let mut used = vec![false; clips_b.len()];
    for (index, clip) in clips_a.iter().enumerate() {
        let partner = if pair_by_index {
            Some(index)
        } else {
            by_name.get_mut(clip.name.as_str()).and_then(Vec::pop)
        };
        let name = if clip.name.is_empty() { index.to_string() } else { clip.name.clone() };
        let Some(partner) = partner else {
            clips.only_in_a.push(name);
            continue;
        };
        used[partner] = true;
        let found = compare_clip(models, pairs, name, index, partner, pace).await?;
        let findings = describe_clip_difference(&found, models.max_distance());
        // In other axes, all keys differ.
        if !findings.is_empty() && models.space.words.is_none() {
            pace.pause().await?;
            let change = clip_change::find_clip_change(models, clip, &clips_b[partner], pairs);
            clips.findings.extend(
                change.map(|change| {
                    format!("Clip “{}” of B has the keys of A, {change}.", found.name)
                }),
            );
        }
        clips.findings.extend(findings);
        clips.both.push(found);
    }
    for (clip, used) in clips_b.iter().zip(used) {
        if !used {
            clips.only_in_b.push(clip.name.clone());
        }
    }
    for (only, names) in [("A", &clips.only_in_a), ("B", &clips.only_in_b)] {
        if !names.is_empty() {
            let names = list_names(names.iter().map(String::as_str));
            clips.findings.push(format!("Clips that only {only} has: {names}."));
        }
    }
    Ok(clips)
}

async fn compare_clip(
    models: &ComparedModels<'_>,
    pairs: &[(JointIndex, JointIndex)],
    name: String,
    clip_a: usize,
    clip_b: usize,
    pace: &Pace,
) -> Result<ClipDifference, Cancelled> {
    let ComparedModels { a, b, space, .. } = *models;
    let clips = [&a.rig.clips[clip_a], &b.rig.clips[clip_b]];
    let durations_secs = clips.map(|clip| clip.duration_secs);
    let shared_secs = f64::from(durations_secs[0].min(durations_secs[1]));
    let mut found = ClipDifference {
        name,
        durations_secs,
        tracks: clips.map(|clip| clip.channels.len()),
        keys: clips
            .map(|clip| clip.channels.iter().map(|channel| channel.track.key_times().len()).sum()),
        farthest: 0.0,
        at: None,
        turned: 0.0,
    };
    let joint_count = a.world_from_joint.len() + b.world_from_joint.len();
    for sample in 0..CLIP_SAMPLES {
        pace.spend((joint_count + pairs.len()) * MATRIX_WORK).await?;
        let time_secs = shared_secs * sample as f64 / (CLIP_SAMPLES - 1) as f64;
        let worlds_a = a.world_from_joint_at(clip_a, time_secs);
        let worlds_b = b.world_from_joint_at(clip_b, time_secs);
        for &(joint_a, joint_b) in pairs {
            let worlds = worlds_a.get(joint_a.index()).zip(worlds_b.get(joint_b.index()));
            let Some((in_a, in_b)) = worlds else { continue };
            let turned = axis_difference(&space.convert_matrix(in_a), in_b);
            if exceeds(turned, found.turned) {
                found.turned = turned;
            }
            let distance = space.distance(in_a.w_axis.truncate(), in_b.w_axis.truncate());
            if exceeds(distance, found.farthest) {
                found.farthest = distance;
                let joint = a.rig.skeleton.joints().get(joint_a.index());
                found.at = joint.map(|joint| (joint.name.clone(), time_secs));
            }
        }
    }
    Ok(found)
}

fn describe_clip_difference(found: &ClipDifference, max_distance: f32) -> Vec<String> {
    let name = &found.name;
    let mut findings = Vec::new();
    let [a, b] = found.durations_secs;
    if (a - b).abs() > 1e-3 {
        let [a, b] = [a, b].map(|secs| fixed(secs.into(), 3));
        findings.push(format!("Clip “{name}” lasts {a} s in A and {b} s in B."));
    }
    let farthest = found.at.as_ref().filter(|_| exceeds(found.farthest, max_distance));
    if let Some((joint, time_secs)) = farthest {
        findings.push(format!(
            "Clip “{name}” takes joints elsewhere, by {} units of A at most: “{joint}” at {} s.",
            scientific(found.farthest.into()),
            fixed(*time_secs, 3)
        ));
    } else if exceeds(found.turned, AXIS_TOLERANCE) {
        findings.push(format!("Clip “{name}” turns or scales joints differently."));
    }
    findings
}

/// Two models and their differences.
#[derive(Clone, Debug)]
pub struct ModelComparison {
    /// The model of the page, as stored.
    pub a: Arc<Rig>,
    /// The other model, as stored.
    pub b: Arc<Rig>,
    /// B in the unit and axes of A, with the names of A for paired joints. It can take the
    /// pose of A and be drawn with the camera of A.
    pub b_beside_a: Arc<Rig>,
    /// The vertex of B at the position of each vertex of A, if any.
    pub vertex_in_b: Vec<Option<u32>>,
    pub found: ModelDifference,
}

/// The model that another one is compared with.
#[derive(Clone, Debug)]
pub enum OtherModel {
    Given(Arc<Rig>),
    /// The model itself, rewritten with all of these changes.
    Written(BTreeSet<Rewriting>),
}

impl OtherModel {
    /// Returns whether both are the same model. Rigs are compared by address, not by content.
    pub fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Given(one), Self::Given(other)) => Arc::ptr_eq(one, other),
            (Self::Written(one), Self::Written(other)) => one == other,
            _ => false,
        }
    }
}

/// Compares two models in pieces. Does not convert B to the space of A if that gives numbers
/// that are not finite. Returns `None` if the task was cancelled.
pub fn comparing(
    a: Arc<Rig>,
    b: OtherModel,
    progress: &TaskProgress,
) -> Paced<Option<ModelComparison>> {
    Paced::new(progress, async move |pace| {
        let b = match b {
            OtherModel::Given(b) => b,
            OtherModel::Written(changes) => {
                let mut written = Arc::clone(&a);
                for change in changes {
                    pace.pause().await.ok()?;
                    written = rewrite_model(&written, &[change].into());
                }
                written
            }
        };
        let (found, correspondence) = compare(&a, &b, &pace).await.ok()?;
        pace.pause().await.ok()?;
        let converted = if found.space.is_some() {
            in_space(&b, correspondence.b_from_a.inverse())
        } else {
            None
        };
        let b_in_a = converted.unwrap_or_else(|| (*b).clone());
        let skeleton =
            rename_paired_joints(&b_in_a, &found).unwrap_or_else(|| b_in_a.skeleton.clone());
        let b_beside_a = Rig { skeleton, flat: a.flat, ..b_in_a };
        Some(ModelComparison {
            a,
            b,
            b_beside_a: Arc::new(b_beside_a),
            vertex_in_b: correspondence.vertex_in_b,
            found,
        })
    })
}

/// Gives paired joints of B their names in A. Renames other joints of B with such a name.
fn rename_paired_joints(b: &Rig, found: &ModelDifference) -> Option<Skeleton> {
    let mut joints: Vec<Joint> = b.skeleton.joints().to_vec();
    let names: BTreeSet<&str> = found.joints.iter().map(|pair| pair.name.as_str()).collect();
    for joint in &mut joints {
        if names.contains(joint.name.as_str()) {
            joint.name.push_str(" (B)");
        }
    }
    for pair in &found.joints {
        joints.get_mut(usize::from(pair.b))?.name.clone_from(&pair.name);
    }
    Skeleton::in_any_order(joints).ok()
}
