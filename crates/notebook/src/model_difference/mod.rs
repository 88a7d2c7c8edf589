//! Two models, held against each other joint by joint, vertex by vertex and clip by clip:
//! what a program that wrote one from the other has changed.

mod at_rest;
mod clips;
mod comparison;
mod grid;
#[cfg(test)]
mod hard_tests;
mod in_space;
mod joints;
mod rewritten;
mod space;
#[cfg(test)]
mod tests;
mod vertex_pairs;
mod vertices;
mod weights;

use std::rc::Rc;
use std::sync::Arc;

use bindpose_asset::{Cancelled, Pace, Paced, Rig, TaskProgress};
use bindpose_skin::JointIndex;
use glam::Mat4;
use serde::Serialize;

use self::at_rest::AtRest;
use crate::differences::PART;
pub use clips::ClipDifference;
pub use comparison::{ModelComparison, OtherModel, comparing};
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
    /// Joints that both have.
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
    let space = space::found(&a, &b, &named, most, pace).await?;
    paired.extend(joints::by_place(&a, &b, (&space, most), &paired, pace).await?);
    paired.sort_unstable_by_key(|pair| pair.0);
    let (pairs, by): (Vec<_>, Vec<_>) = paired.into_iter().unzip();
    pace.progress().set(0.3);
    pace.pause().await?;
    let (joints, mut findings) = joints::compared(&a, &b, (&space, size), (&pairs, &by));
    let (vertices, vertex_in_b, of_vertices) =
        vertices::compared(&a, &b, (&space, most), &pairs, pace).await?;
    pace.progress().set(0.6);
    let clips = clips::compared(&a, &b, (&space, most), &pairs, pace).await?;
    pace.progress().set(0.9);
    if let Some(words) = &space.words {
        let words = match words.strip_prefix("with ") {
            Some(what) => format!("B has {what}"),
            None => format!("B is {words}"),
        };
        findings.insert(0, format!("{words}. What follows allows for that."));
    }
    findings.extend(of_vertices);
    findings.extend(clips.findings);
    let equal = findings.is_empty();
    if equal {
        findings.push(
            "They are the same: joints, inverse bind matrices, vertices, weights and clips."
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
        let joints = at.rig.skeleton.joints().iter().zip(alone);
        let alone = joints.filter(|(_, alone)| *alone);
        alone.map(|(joint, _)| joint.name.clone()).collect()
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
