//! Two models, held against each other joint by joint, vertex by vertex and clip by clip:
//! what a program that wrote one from the other has changed.

mod binds;
mod clip_change;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod hard_tests;
mod joints;
mod rewritten;
mod space;
mod surface;
#[cfg(test)]
mod tests;
mod vertices;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use bindpose_asset::{Cancelled, JointRole, Pace, Paced, Rig, TaskProgress};
use bindpose_lesson::Rewriting;
use bindpose_skin::{Joint, JointIndex, Skeleton};
use glam::Mat4;
use serde::Serialize;

use self::space::AtRest;
use crate::differences::{PART, SAME, axes_differ, exceeds};
use crate::number_text::{fixed, scientific};
use joints::some_names;
use rewritten::in_space;
use space::{MATRIX, Space};

pub use joints::{JointPair, PairedBy};
pub use rewritten::rewritten;
pub use vertices::{VertexDifference, WeightDifference};

/// How model B differs from model A. Lengths are in units of A.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelDifference {
    /// Nothing differs but by rounding, and the order of things is the same.
    pub equal: bool,
    /// What B’s space is, seen from A; `None`: the same, or none that is known.
    pub space: Option<String>,
    /// The longest side of A at rest, or of its skeleton where that is larger; never 0.
    pub size: f32,
    /// Joints that both have, and nodes above them.
    pub joints: Vec<JointPair>,
    /// Names of joints that only A has.
    pub only_in_a: Vec<String>,
    /// Names of joints that only B has.
    pub only_in_b: Vec<String>,
    /// Where vertices are at rest, and whom they follow.
    pub vertices: VertexDifference,
    /// Clips that both have.
    pub clips: Vec<ClipDifference>,
    /// Names of clips that only A has.
    pub clips_only_in_a: Vec<String>,
    /// Names of clips that only B has.
    pub clips_only_in_b: Vec<String>,
    /// In sentences, the most telling one first.
    pub findings: Vec<String>,
}

/// Compares two models at rest and in their clips, waiting until it is done.
pub fn model_difference(a: &Arc<Rig>, b: &Arc<Rig>) -> ModelDifference {
    let (a, b) = (Arc::clone(a), Arc::clone(b));
    let work = async move |pace: Rc<Pace>| compared(&a, &b, &pace).await;
    let found = Paced::new(&TaskProgress::default(), work).finish();
    found.map(|found| found.0).unwrap_or_default()
}

/// What one model has of the other.
struct Same {
    /// Takes places of A to those of B.
    b_from_a: Mat4,
    /// The vertex of B at the place of each of A.
    vertex_in_b: Vec<Option<u32>>,
}

async fn compared(a: &Rig, b: &Rig, pace: &Pace) -> Result<(ModelDifference, Same), Cancelled> {
    pace.pause().await?;
    let a = AtRest::of(a);
    pace.pause().await?;
    let b = AtRest::of(b);
    pace.progress().set(0.2);
    let size = a.size();
    let most = PART * size;
    let mut paired = joints::by_name(&a, &b);
    let named: Vec<_> = paired.iter().map(|pair| pair.0).collect();
    pace.pause().await?;
    let space = space::space_between(&a, &b, &named, most, pace).await?;
    paired.extend(joints::by_place(&a, &b, (&space, most), &paired, pace).await?);
    paired.sort_unstable_by_key(|pair| pair.0);
    let (pairs, by): (Vec<_>, Vec<_>) = paired.into_iter().unzip();
    pace.progress().set(0.3);
    pace.pause().await?;
    let (joints, mut findings) = joints::compared(&a, &b, (&space, size), (&pairs, &by));
    let of_vertices = vertices::compared(&a, &b, (&space, most), &pairs, pace).await?;
    let vertices::ComparedVertices { found: vertices, in_b: vertex_in_b, mirrored, .. } =
        of_vertices;
    pace.progress().set(0.6);
    let partners = (&vertex_in_b[..], mirrored);
    let of_surface = surface::findings(&a, &b, (&space, size), partners, pace).await?;
    let clips = compared_clips(&a, &b, (&space, size), &pairs, pace).await?;
    pace.progress().set(0.9);
    if let Some(words) = &space.words {
        let words = match words.strip_prefix("with ") {
            Some(what) => format!("B has {what}"),
            None => format!("B is {words}"),
        };
        findings.insert(0, format!("{words}. What follows allows for that."));
    }
    findings.extend(of_vertices.findings);
    findings.extend(of_surface);
    findings.extend(clips.findings);
    let equal = findings.is_empty();
    if equal {
        findings.push(
            "They are the same: joints, inverse bind matrices, vertices, weights, triangles, morph \
             targets, materials and clips."
                .to_owned(),
        );
    }
    let names = |at: &AtRest<'_>, paired: &mut dyn Iterator<Item = JointIndex>| -> Vec<String> {
        let mut alone = vec![true; at.rig.skeleton.len()];
        for joint in paired {
            if let Some(alone) = alone.get_mut(joint.index()) {
                *alone = false;
            }
        }
        let joints = at.rig.skeleton.joints().iter().zip(at.rig.joint_roles()).zip(alone);
        let alone = joints.filter(|((_, role), alone)| *alone && *role != JointRole::Helper);
        alone.map(|((joint, _), _)| joint.name.clone()).collect()
    };
    let found = ModelDifference {
        equal,
        space: space.words,
        size,
        only_in_a: names(&a, &mut pairs.iter().map(|pair| pair.0)),
        only_in_b: names(&b, &mut pairs.iter().map(|pair| pair.1)),
        joints,
        vertices,
        clips: clips.both,
        clips_only_in_a: clips.only_in_a,
        clips_only_in_b: clips.only_in_b,
        findings,
    };
    let same = Same { b_from_a: space.b_from_a, vertex_in_b };
    Ok((found, same))
}

// Clips of two models: how long they are, and where they take the joints.

/// Moments at which a clip is looked at.
const SAMPLES: usize = 17;

/// A clip that both models have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipDifference {
    /// Its name in A; its number where it has none.
    pub name: String,
    /// How long it is in A, and in B.
    pub durations_secs: [f32; 2],
    /// How many tracks it has in A, and in B.
    pub tracks: [usize; 2],
    /// How many keys in A, and in B.
    pub keys: [usize; 2],
    /// How far a joint is from where A has it, at most, at the same time.
    pub farthest: f32,
    /// Which joint of A that is, and when.
    pub at: Option<(String, f64)>,
    /// The largest difference of the axes of a joint at the same time.
    pub turned: f32,
}

/// All that is said of clips.
#[derive(Default)]
struct Clips {
    both: Vec<ClipDifference>,
    only_in_a: Vec<String>,
    only_in_b: Vec<String>,
    findings: Vec<String>,
}

/// Pairs of one name, or of one number where names say nothing.
async fn compared_clips(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, size): (&Space, f32),
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<Clips, Cancelled> {
    let (of_a, of_b) = (&a.rig.clips, &b.rig.clips);
    let mut clips = Clips::default();
    // Those of one name in B, the first one last.
    let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, clip) in of_b.iter().enumerate().rev() {
        named.entry(&clip.name).or_default().push(index);
    }
    let by_number =
        of_a.len() == of_b.len() && !of_a.iter().any(|clip| named.contains_key(clip.name.as_str()));
    let mut used = vec![false; of_b.len()];
    for (index, clip) in of_a.iter().enumerate() {
        let there = if by_number {
            Some(index)
        } else {
            named.get_mut(clip.name.as_str()).and_then(Vec::pop)
        };
        let name = if clip.name.is_empty() { index.to_string() } else { clip.name.clone() };
        match there {
            Some(at) => {
                used[at] = true;
                let found = difference(a, b, space, pairs, (name, (index, at)), pace).await?;
                let said = findings(&found, PART * size);
                // In other axes all keys are others.
                if !said.is_empty() && space.words.is_none() {
                    pace.pause().await?;
                    let done = clip_change::done_to_clip((a, clip), &of_b[at], pairs, size);
                    let words =
                        |done| format!("Clip “{}” of B has the keys of A, {done}.", found.name);
                    clips.findings.extend(done.map(words));
                }
                clips.findings.extend(said);
                clips.both.push(found);
            }
            None => clips.only_in_a.push(name),
        }
    }
    let left = of_b.iter().zip(used).filter(|(_, used)| !used);
    clips.only_in_b = left.map(|(clip, _)| clip.name.clone()).collect();
    for (only, names) in [("A", &clips.only_in_a), ("B", &clips.only_in_b)] {
        if !names.is_empty() {
            let names = some_names(names.iter().map(String::as_str));
            clips.findings.push(format!("Clips that only {only} has: {names}."));
        }
    }
    Ok(clips)
}

async fn difference(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    space: &Space,
    pairs: &[(JointIndex, JointIndex)],
    (name, (of_a, of_b)): (String, (usize, usize)),
    pace: &Pace,
) -> Result<ClipDifference, Cancelled> {
    let clips = [(a, of_a), (b, of_b)].map(|(at, clip)| &at.rig.clips[clip]);
    let durations_secs = clips.map(|clip| clip.duration_secs);
    let both = f64::from(durations_secs[0].min(durations_secs[1]));
    let mut found = ClipDifference {
        name,
        durations_secs,
        tracks: clips.map(|clip| clip.channels.len()),
        keys: clips.map(|clip| {
            let tracks = clip.channels.iter();
            tracks.map(|channel| channel.track.key_times().len()).sum()
        }),
        farthest: 0.0,
        at: None,
        turned: 0.0,
    };
    let joints = a.world_from_joint.len() + b.world_from_joint.len();
    for sample in 0..SAMPLES {
        pace.spend((joints + pairs.len()) * MATRIX).await?;
        let time_secs = both * sample as f64 / (SAMPLES - 1) as f64;
        let worlds =
            [(a, of_a), (b, of_b)].map(|(at, clip)| at.world_from_joint_at(clip, time_secs));
        for &(of_a, of_b) in pairs {
            let places = worlds[0].get(of_a.index()).zip(worlds[1].get(of_b.index()));
            let Some((in_a, in_b)) = places else { continue };
            let turned = axes_differ(&space.of(in_a), in_b);
            if exceeds(turned, found.turned) {
                found.turned = turned;
            }
            let off = space.distance(in_a.w_axis.truncate(), in_b.w_axis.truncate());
            if exceeds(off, found.farthest) {
                found.farthest = off;
                let joint = a.rig.skeleton.joints().get(of_a.index());
                found.at = joint.map(|joint| (joint.name.clone(), time_secs));
            }
        }
    }
    Ok(found)
}

fn findings(found: &ClipDifference, most: f32) -> Vec<String> {
    let name = &found.name;
    let mut findings = Vec::new();
    let [a, b] = found.durations_secs;
    if (a - b).abs() > 1e-3 {
        let [a, b] = [a, b].map(|secs| fixed(secs.into(), 3));
        findings.push(format!("Clip “{name}” lasts {a} s in A and {b} s in B."));
    }
    if let Some((joint, time_secs)) = found.at.as_ref().filter(|_| exceeds(found.farthest, most)) {
        findings.push(format!(
            "Clip “{name}” takes joints elsewhere, by {} units of A at most: “{joint}” at {} s.",
            scientific(found.farthest.into()),
            fixed(*time_secs, 3)
        ));
    } else if exceeds(found.turned, SAME) {
        findings.push(format!("Clip “{name}” turns or scales joints differently."));
    }
    findings
}

// Two models, what differs, and B as it can stand beside A.

/// Two models that were compared.
#[derive(Clone, Debug)]
pub struct ModelComparison {
    /// That of the page, as stored.
    pub a: Arc<Rig>,
    /// The other, as stored.
    pub b: Arc<Rig>,
    /// B in A’s unit and axes, its paired joints with A’s names: what follows A’s pose
    /// and is drawn under A’s camera.
    pub b_beside_a: Arc<Rig>,
    /// The vertex of B at the place of each of A; absent where there is none.
    pub vertex_in_b: Vec<Option<u32>>,
    /// What differs.
    pub found: ModelDifference,
}

/// What a model is held against.
#[derive(Clone, Debug)]
pub enum OtherModel {
    /// That one.
    Given(Arc<Rig>),
    /// Itself, after all of these.
    Written(BTreeSet<Rewriting>),
}

impl OtherModel {
    /// The same one?
    pub fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Given(one), Self::Given(other)) => Arc::ptr_eq(one, other),
            (Self::Written(one), Self::Written(other)) => one == other,
            _ => false,
        }
    }
}

/// Compares them, in pieces. What takes B to A’s space and leaves numbers that are not
/// finite is not done. `None`: it was asked to stop.
pub fn comparing(
    a: Arc<Rig>,
    b: OtherModel,
    progress: &TaskProgress,
) -> Paced<Option<ModelComparison>> {
    Paced::new(progress, async move |pace| {
        let b = match b {
            OtherModel::Given(b) => b,
            OtherModel::Written(changes) => written(&a, &changes, &pace).await.ok()?,
        };
        let (found, same) = compared(&a, &b, &pace).await.ok()?;
        pace.pause().await.ok()?;
        let moved = found.space.is_some();
        let in_a = moved.then(|| in_space(&b, same.b_from_a.inverse())).flatten();
        let in_a = in_a.unwrap_or_else(|| (*b).clone());
        let named = with_names_of_a(&in_a, &found);
        let b_beside_a =
            Rig { skeleton: named.unwrap_or_else(|| in_a.skeleton.clone()), flat: a.flat, ..in_a };
        Some(ModelComparison {
            a,
            b,
            b_beside_a: Arc::new(b_beside_a),
            vertex_in_b: same.vertex_in_b,
            found,
        })
    })
}

async fn written(
    a: &Arc<Rig>,
    changes: &BTreeSet<Rewriting>,
    pace: &Pace,
) -> Result<Arc<Rig>, Cancelled> {
    let mut written = Arc::clone(a);
    for change in changes {
        pace.pause().await?;
        written = rewritten(&written, &[*change].into());
    }
    Ok(written)
}

/// A name that A gives to another joint is taken away from one that has no partner.
fn with_names_of_a(b: &Rig, found: &ModelDifference) -> Option<Skeleton> {
    let mut joints: Vec<Joint> = b.skeleton.joints().to_vec();
    let names = found.joints.iter().map(|pair| pair.name.as_str());
    let names: BTreeSet<&str> = names.collect();
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
