//! Clips of two models: how long they are, and where they take the joints.

use std::collections::HashMap;

use bindpose_asset::{Cancelled, Pace};
use bindpose_skin::JointIndex;
use serde::Serialize;

use super::at_rest::AtRest;
use super::joints::some_names;
use super::space::{MATRIX, Space};
use crate::differences::{SAME, axes_differ, exceeds};
use crate::number_text::{fixed, scientific};

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
pub(super) struct Clips {
    pub(super) both: Vec<ClipDifference>,
    pub(super) only_in_a: Vec<String>,
    pub(super) only_in_b: Vec<String>,
    pub(super) findings: Vec<String>,
}

/// Pairs of one name, or of one number where names say nothing.
pub(super) async fn compared(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
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
                clips.findings.extend(findings(&found, most));
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
            "Clip “{name}” takes joints elsewhere, by {} at most: “{joint}” at {} s.",
            scientific(found.farthest.into()),
            fixed(*time_secs, 3)
        ));
    } else if exceeds(found.turned, SAME) {
        findings.push(format!("Clip “{name}” turns or scales joints otherwise."));
    }
    findings
}
