//! Whom vertices of two models follow.

use std::hash::{DefaultHasher, Hash, Hasher};

use bindpose_skin::{Influences, JointIndex};

use super::at_rest::AtRest;

/// Less is what bytes and shorts do to a weight.
pub(super) const WEIGHT: f32 = 1.0 / 254.0;

/// Weights of both models, and which joint of one is which of the other.
pub(super) struct Weights<'a> {
    pub(super) a: &'a AtRest<'a>,
    pub(super) b: &'a AtRest<'a>,
    b_of_a: Vec<Option<JointIndex>>,
    a_of_b: Vec<Option<JointIndex>>,
}

/// The weight that differs most.
pub(super) struct Off {
    /// In A.
    pub(super) joint: JointIndex,
    /// In A, and in B.
    pub(super) weights: [f32; 2],
}

impl Off {
    pub(super) fn by(&self) -> f32 {
        let [a, b] = self.weights;
        (a - b).abs()
    }
}

impl<'a> Weights<'a> {
    /// `pairs`: joints of A and of B.
    pub(super) fn new(
        a: &'a AtRest<'a>,
        b: &'a AtRest<'a>,
        pairs: &[(JointIndex, JointIndex)],
    ) -> Self {
        let mut b_of_a = vec![None; a.rig.skeleton.len()];
        let mut a_of_b = vec![None; b.rig.skeleton.len()];
        for &(of_a, of_b) in pairs {
            if let Some(partner) = b_of_a.get_mut(of_a.index()) {
                *partner = Some(of_b);
            }
            if let Some(partner) = a_of_b.get_mut(of_b.index()) {
                *partner = Some(of_a);
            }
        }
        Self { a, b, b_of_a, a_of_b }
    }

    /// The weight that differs most, by joints of A. What follows a joint that A has not
    /// counts as missing from those it has.
    pub(super) fn off(&self, in_a: u32, in_b: u32) -> Off {
        let (of_a, of_b) = (influences(self.a, in_a), influences(self.b, in_b));
        let in_b_only = of_b.used().filter_map(|(_, joint, _)| {
            let joint = partner(&self.a_of_b, joint)?;
            (weight_of(&of_a, joint) == 0.0).then_some(joint)
        });
        let all = of_a.used().map(|(_, joint, _)| joint).chain(in_b_only);
        let offs = all.map(|joint| Off {
            joint,
            weights: [
                weight_of(&of_a, joint),
                partner(&self.b_of_a, joint).map_or(0.0, |joint| weight_of(&of_b, joint)),
            ],
        });
        let most = offs.max_by(|x, y| x.by().total_cmp(&y.by()));
        most.unwrap_or(Off { joint: JointIndex(0), weights: [0.0, 0.0] })
    }

    /// Vertices of one class follow the same joints by about the same weights; near the
    /// end of a class, not all that do are in it.
    pub(super) fn class_in_a(&self, vertex: u32) -> u64 {
        class(&influences(self.a, vertex), Some)
    }

    /// The class that a vertex of B has in A.
    pub(super) fn class_in_b(&self, vertex: u32) -> u64 {
        class(&influences(self.b, vertex), |joint| partner(&self.a_of_b, joint))
    }
}

fn influences(at: &AtRest<'_>, vertex: u32) -> Influences {
    let of = at.rig.mesh.influences.get(vertex as usize);
    of.copied().unwrap_or_default()
}

fn partner(partners: &[Option<JointIndex>], joint: JointIndex) -> Option<JointIndex> {
    partners.get(joint.index()).copied().flatten()
}

fn weight_of(influences: &Influences, joint: JointIndex) -> f32 {
    let own = influences.used().filter(|&(_, of, _)| of == joint);
    own.map(|(_, _, weight)| weight).sum()
}

fn class(influences: &Influences, in_a: impl Fn(JointIndex) -> Option<JointIndex>) -> u64 {
    let steps = |weight: f32| (weight / WEIGHT).round() as i32;
    let known =
        influences.used().filter_map(|(_, joint, weight)| Some((in_a(joint)?, steps(weight))));
    let mut known: Vec<(JointIndex, i32)> = known.filter(|of| of.1 != 0).collect();
    known.sort_unstable();
    let mut hasher = DefaultHasher::new();
    known.hash(&mut hasher);
    hasher.finish()
}
