//! Two models, what differs, and B as it can stand beside A.

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_asset::{Cancelled, Pace, Paced, Rig, TaskProgress};
use bindpose_lesson::Rewriting;
use bindpose_skin::{Joint, Skeleton};

use super::in_space::in_space;
use super::rewritten::rewritten;
use super::{ModelDifference, compared};

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
