//! Vertices of two models that are in one place at rest, and whom they follow.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};

use bindpose_asset::{Cancelled, Pace};
use bindpose_diagnostic::{counted, grouped};
use bindpose_skin::{Influences, JointIndex, LANES};
use glam::Vec3;
use serde::Serialize;

use super::space::{AtRest, FoundPoint, MeshChange, PointGrid, Space, mesh_change};
use crate::number_text::fixed;

/// Vertices of both models.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VertexDifference {
    /// How many A has, and B.
    pub counts: [usize; 2],
    /// How many triangles A has, and B.
    pub triangles: [usize; 2],
    /// Those of A at whose place B has one.
    pub in_one_place: usize,
    /// Those for which the other model has no vertex of its own, though one in that
    /// place: of A, and of B.
    pub sharing: [usize; 2],
    /// Those at whose place the other model has none: of A, and of B.
    pub alone: [usize; 2],
    /// Those of A in one place with one of B of which a weight differs.
    pub other_weights: usize,
    /// Where weights differ most.
    pub most: Option<WeightDifference>,
    /// Most influences of a vertex in A, and in B.
    pub most_influences: [usize; 2],
}

/// One weight that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightDifference {
    /// The vertex in A.
    pub a: u32,
    /// The vertex in B.
    pub b: u32,
    /// Name of the joint.
    pub joint: String,
    /// Its weight in A, and in B.
    pub weights: [f32; 2],
}

/// Vertices of two models, compared.
pub(super) struct ComparedVertices {
    pub(super) found: VertexDifference,
    /// The vertex of B for each of A.
    pub(super) in_b: Vec<Option<u32>>,
    /// In sentences.
    pub(super) findings: Vec<String>,
    /// Is the mesh of B that of A in a mirror, beside joints that are not?
    pub(super) mirrored: bool,
}

/// Compares them. They are found where they stand at rest, or where they are stored: where
/// more are; or where one change of all stored places puts them.
pub(super) async fn compared(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<ComparedVertices, Cancelled> {
    let weights = Weights::new(a, b, pairs);
    let at_rest = [&a.positions[..], &b.positions];
    let mut vertices = paired(at_rest, (space, most), &weights, pace).await?;
    if vertices.alone != [0; 2] {
        let stored = [&a.rig.mesh.positions[..], &b.rig.mesh.positions];
        let stored = paired(stored, (space, most), &weights, pace).await?;
        if stored.pairs > vertices.pairs {
            vertices = stored;
        }
    }
    let mut change = None;
    let is_own = |(number, partner): (usize, &Option<u32>)| *partner == u32::try_from(number).ok();
    if !vertices.in_b.iter().enumerate().all(is_own) {
        change = mesh_change(a, b, (space, most), pace).await?;
        if let Some(change) = &change {
            let stored = [&a.rig.mesh.positions[..], &b.rig.mesh.positions];
            vertices = paired(stored, (&change.space, most), &weights, pace).await?;
        }
    }
    let found = difference(&vertices, &weights, pace).await?;
    let words = |change: &MeshChange| {
        format!("The mesh of B is that of A, {}; its joints are not.", change.words)
    };
    let mut all: Vec<String> = change.iter().map(words).collect();
    all.extend(findings(&found));
    let mirrored = change.is_some_and(|change| change.mirrors);
    Ok(ComparedVertices { found, in_b: vertices.in_b, findings: all, mirrored })
}

async fn difference(
    vertices: &VertexPairs,
    weights: &Weights<'_>,
    pace: &Pace,
) -> Result<VertexDifference, Cancelled> {
    let both = [weights.a, weights.b];
    let mut found = VertexDifference {
        counts: both.map(|at| at.positions.len()),
        triangles: both.map(|at| at.rig.mesh.triangles.len()),
        in_one_place: vertices.pairs + vertices.sharing[0],
        sharing: vertices.sharing,
        alone: vertices.alone,
        most_influences: both.map(most_influences),
        ..VertexDifference::default()
    };
    let mut largest = 0.0;
    for (vertex, other) in (0..).zip(&vertices.in_b) {
        pace.spend(LANES).await?;
        let Some(other) = *other else { continue };
        let off = weights.off(vertex, other);
        if off.by() > WEIGHT {
            found.other_weights += 1;
            if off.by() > largest {
                largest = off.by();
                let joint = weights.a.rig.skeleton.joints().get(off.joint.index());
                found.most = Some(WeightDifference {
                    a: vertex,
                    b: other,
                    joint: joint.map_or_else(String::new, |joint| joint.name.clone()),
                    weights: off.weights,
                });
            }
        }
    }
    Ok(found)
}

fn findings(found: &VertexDifference) -> Vec<String> {
    let mut findings = Vec::new();
    let [a, b] = found.counts;
    if a != b {
        let way = if b > a {
            "an exporter splits vertices at seams of images and normals"
        } else {
            "an exporter may weld vertices, or leave parts out"
        };
        let [a, b] = [counted(a, "vertex"), grouped(b)];
        findings.push(format!("A has {a} and B {b}: {way}."));
    }
    let [of_a, of_b] = found.triangles;
    if of_a != of_b {
        let [of_a, of_b] = [counted(of_a, "triangle"), grouped(of_b)];
        findings.push(format!("A has {of_a} and B {of_b}."));
    }
    for (count, of, other) in [(found.alone[0], "A", "B"), (found.alone[1], "B", "A")] {
        if count > 0 {
            let stand = if count == 1 { "stands" } else { "stand" };
            let count = counted(count, "vertex");
            findings.push(format!("{count} of {of} {stand} where {other} has none."));
        }
    }
    // Where only one has more, the counts differ, or others stand alone.
    let [more_a, more_b] = found.sharing;
    if more_a > 0 && more_b > 0 {
        let [more_a, more_b] = [counted(more_a, "vertex"), grouped(more_b)];
        findings.push(format!(
            "Where both have vertices in one position, A has {more_a} more at some, and B {more_b} more at others."
        ));
    }
    if let Some(most) = &found.most {
        let has = if found.other_weights == 1 { "has" } else { "have" };
        let count = counted(found.other_weights, "vertex");
        let [in_a, in_b] = most.weights.map(|weight| fixed(weight.into(), 3));
        findings.push(format!(
            "{count} {has} other weights in B; the largest difference is at v{}: {in_a} of “{}” in A, {in_b} in B.",
            most.a, most.joint
        ));
    }
    let [of_a, of_b] = found.most_influences;
    if of_a != of_b {
        let of_a = counted(of_a, "influence");
        findings.push(format!("A vertex has up to {of_a} in A, and up to {of_b} in B."));
    }
    findings
}

fn most_influences(at: &AtRest<'_>) -> usize {
    let counts = at.rig.mesh.influences.iter().map(|of| of.used().count());
    let many = at.rig.mesh.many.values().map(Vec::len);
    counts.chain(many).max().unwrap_or(0)
}

// Which vertex of one model is which of the other.

/// Of so many vertices in one place, the one with the most similar weights is taken.
const WEIGHED: usize = 32;

/// Vertices in one place, each of A with another of B as long as there are others.
pub(super) struct VertexPairs {
    /// The vertex of B at the place of each of A; `None` where there is none.
    pub(super) in_b: Vec<Option<u32>>,
    /// How many of A have a vertex of B for themselves.
    pub(super) pairs: usize,
    /// Those that have to share one, which has a partner already: of A, and of B.
    pub(super) sharing: [usize; 2],
    /// Those where the other model has none: of A, and of B.
    pub(super) alone: [usize; 2],
}

/// Pairs vertices at these places of A and of B. What has the same number and weights
/// comes first, then what has the same weights, then what has the most similar ones.
pub(super) async fn paired(
    [of_a, of_b]: [&[Vec3]; 2],
    (space, most): (&Space, f32),
    weights: &Weights<'_>,
    pace: &Pace,
) -> Result<VertexPairs, Cancelled> {
    pace.spend(of_a.len() + of_b.len()).await?;
    let scale = space.scale();
    let of_a = of_a.iter();
    let of_a = of_a.map(|place| space.b_from_a.transform_point3(*place) / scale);
    let mut pairing = Pairing {
        of_a: of_a.collect(),
        of_b: of_b.iter().map(|place| *place / scale).collect(),
        most,
        weights,
        in_b: Vec::new(),
        used: vec![false; of_b.len()],
    };
    pairing.in_b = vec![None; pairing.of_a.len()];
    pairing.by_number(pace).await?;
    pairing.by_place(true, pace).await?;
    pairing.by_place(false, pace).await?;
    pairing.with_what_is_left(pace).await
}

/// Vertices that are being paired.
struct Pairing<'a> {
    /// In the axes of B and the unit of A, as those of B.
    of_a: Vec<Vec3>,
    of_b: Vec<Vec3>,
    /// How far apart those in one place are at most.
    most: f32,
    weights: &'a Weights<'a>,
    /// The vertex of B for each of A, so far.
    in_b: Vec<Option<u32>>,
    /// Has a vertex of B a partner?
    used: Vec<bool>,
}

impl Pairing<'_> {
    async fn by_number(&mut self, pace: &Pace) -> Result<(), Cancelled> {
        let both = self.of_a.iter().zip(&self.of_b);
        let both = both.zip(self.in_b.iter_mut().zip(&mut self.used));
        for (vertex, ((a, b), (partner, used))) in (0_u32..).zip(both) {
            pace.spend(LANES).await?;
            let is_near = a.distance(*b) <= self.most;
            if is_near && self.weights.off(vertex, vertex).by() <= WEIGHT {
                *partner = Some(vertex);
                *used = true;
            }
        }
        Ok(())
    }

    /// Those that have no partner yet; `same_weights`: only with the same weights.
    async fn by_place(&mut self, same_weights: bool, pace: &Pace) -> Result<(), Cancelled> {
        let free = (0_u32..).zip(&self.of_b).zip(&self.used);
        let free = free.filter(|(_, used)| !**used);
        let free = free.map(|((vertex, place), _)| {
            let class = same_weights.then(|| self.weights.class_in_b(vertex));
            (vertex, *place, class.unwrap_or_default())
        });
        let free: Vec<(u32, Vec3, u64)> = free.collect();
        pace.spend(self.of_b.len() + free.len() * LANES).await?;
        if free.is_empty() {
            return Ok(());
        }
        let mut free = PointGrid::new(free.into_iter(), self.most);
        for ((vertex, place), partner) in (0_u32..).zip(&self.of_a).zip(&mut self.in_b) {
            if partner.is_some() {
                pace.spend(1).await?;
                continue;
            }
            let class = same_weights.then(|| self.weights.class_in_a(vertex));
            let near = free.near(*place, class.unwrap_or_default());
            let there = (*place, &self.of_b[..], self.most);
            let off = |other| self.weights.off(vertex, other).by();
            let (found, looked_at) = nearest_in_weights(near, there, off);
            pace.spend(LANES + looked_at).await?;
            let Some(found) = found else { continue };
            free.take(found);
            *partner = Some(found.number);
            if let Some(used) = self.used.get_mut(found.number as usize) {
                *used = true;
            }
        }
        Ok(())
    }

    /// What has no partner of its own shares one, or stands alone.
    async fn with_what_is_left(mut self, pace: &Pace) -> Result<VertexPairs, Cancelled> {
        let pairs = self.in_b.iter().flatten().count();
        let (mut sharing, mut alone) = ([0; 2], [0; 2]);
        if pairs < self.of_a.len() {
            pace.spend(self.of_b.len()).await?;
            let all = PointGrid::new(all(&self.of_b), self.most);
            for ((vertex, place), partner) in (0_u32..).zip(&self.of_a).zip(&mut self.in_b) {
                if partner.is_some() {
                    pace.spend(1).await?;
                    continue;
                }
                let there = (*place, &self.of_b[..], self.most);
                let off = |other| self.weights.off(vertex, other).by();
                let (found, looked_at) = nearest_in_weights(all.near(*place, 0), there, off);
                pace.spend(LANES + looked_at).await?;
                *partner = found.map(|found| found.number);
                let of_a = if found.is_some() { &mut sharing } else { &mut alone };
                of_a[0] += 1;
            }
        }
        if pairs < self.of_b.len() {
            pace.spend(self.of_a.len()).await?;
            let all = PointGrid::new(all(&self.of_a), self.most);
            for (place, _) in self.of_b.iter().zip(&self.used).filter(|(_, used)| !**used) {
                let there = (*place, &self.of_a[..], self.most);
                let (found, looked_at) = nearest_in_weights(all.near(*place, 0), there, |_| 0.0);
                pace.spend(LANES + looked_at).await?;
                let of_b = if found.is_some() { &mut sharing } else { &mut alone };
                of_b[1] += 1;
            }
        }
        Ok(VertexPairs { in_b: self.in_b, pairs, sharing, alone })
    }
}

fn all(places: &[Vec3]) -> impl DoubleEndedIterator<Item = (u32, Vec3, u64)> {
    let all = places.iter().enumerate();
    all.map(|(number, place)| (number as u32, *place, 0))
}

/// Of those that are within `most` of a place, the one whose weights are off least, and
/// what it took to find it.
fn nearest_in_weights(
    near: impl Iterator<Item = FoundPoint>,
    (place, places, most): (Vec3, &[Vec3], f32),
    off: impl Fn(u32) -> f32,
) -> (Option<FoundPoint>, usize) {
    let (looked_at, weighed) = (Cell::new(0), Cell::new(0));
    let there = near.filter(|found| {
        looked_at.set(looked_at.get() + 1);
        let there = places.get(found.number as usize);
        there.is_some_and(|there| place.distance(*there) <= most)
    });
    let mut best: Option<(FoundPoint, f32)> = None;
    for found in there.take(WEIGHED) {
        weighed.set(weighed.get() + 1);
        let off = off(found.number);
        if best.is_none_or(|best| off < best.1) {
            best = Some((found, off));
        }
        if off <= WEIGHT {
            break;
        }
    }
    let best = best.map(|best| best.0);
    (best, looked_at.get() + weighed.get() * LANES)
}

// Whom vertices of two models follow.

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
