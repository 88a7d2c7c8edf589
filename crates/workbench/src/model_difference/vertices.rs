//! Pairs of vertices at the same position, and the differences of their weights.

use std::hash::{DefaultHasher, Hash, Hasher};

use bindpose_diagnostic::{counted, grouped};
use bindpose_gltf::{Cancelled, Pace};
use bindpose_lesson::number_text::fixed;
use bindpose_skin::{Influences, JointIndex, LANES};
use glam::Vec3;
use serde::Serialize;

use super::space::ComparedModels;
use super::space::{FoundPoint, PointGrid, RestModel, Space, find_mesh_change};

/// Differences of the vertices of two models. Arrays are for A and for B.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VertexDifference {
    /// Numbers of vertices.
    pub counts: [usize; 2],
    /// Numbers of triangles.
    pub triangles: [usize; 2],
    /// Number of vertices of A at whose position B has one.
    pub in_one_place: usize,
    /// Numbers of vertices without a partner of their own, at whose position the other model
    /// has a vertex with another partner.
    pub sharing: [usize; 2],
    /// Numbers of vertices at whose position the other model has none.
    pub alone: [usize; 2],
    /// Number of vertices of A with other weights than their partner.
    pub other_weights: usize,
    /// The largest difference of weights.
    pub most: Option<WeightDifference>,
    /// Largest numbers of influences of a vertex.
    pub most_influences: [usize; 2],
}

/// A weight that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeightDifference {
    /// The vertex in A.
    pub a: u32,
    /// The vertex in B.
    pub b: u32,
    /// Name of the joint.
    pub joint: String,
    /// The weights in A and in B.
    pub weights: [f32; 2],
}

pub(super) struct ComparedVertices {
    pub(super) found: VertexDifference,
    /// The vertex of B for each vertex of A.
    pub(super) in_b: Vec<Option<u32>>,
    /// Findings as sentences.
    pub(super) findings: Vec<String>,
    /// Is the mesh of B mirrored, but not its joints?
    pub(super) mirrored: bool,
}

/// Pairs vertices by their rest positions, or by their stored positions if that pairs more,
/// or by their stored positions after a change of the whole mesh.
pub(super) async fn compare_vertices(
    models: &ComparedModels<'_>,
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<ComparedVertices, Cancelled> {
    let ComparedModels { a, b, space, .. } = *models;
    let max_distance = models.max_distance();
    let weights = WeightComparison::new(a, b, pairs);
    let stored_a = &a.rig.mesh.positions;
    let stored_b = &b.rig.mesh.positions;
    let mut vertices =
        pair_vertices(&a.positions, &b.positions, space, max_distance, &weights, pace).await?;
    if vertices.alone != [0; 2] {
        let by_stored =
            pair_vertices(stored_a, stored_b, space, max_distance, &weights, pace).await?;
        if by_stored.pairs > vertices.pairs {
            vertices = by_stored;
        }
    }
    let mut change = None;
    let are_in_order = vertices
        .in_b
        .iter()
        .enumerate()
        .all(|(number, partner)| *partner == u32::try_from(number).ok());
    if !are_in_order {
        change = find_mesh_change(models, pace).await?;
        if let Some(change) = &change {
            vertices =
                pair_vertices(stored_a, stored_b, &change.space, max_distance, &weights, pace)
                    .await?;
        }
    }
    let found = compare_weights(&vertices, &weights, pace).await?;
    let mut findings = Vec::new();
    if let Some(change) = &change {
        findings.push(format!("The mesh of B is that of A, {}; its joints are not.", change.words));
    }
    findings.extend(describe_vertex_difference(&found));
    let mirrored = change.is_some_and(|change| change.mirrors);
    Ok(ComparedVertices { found, in_b: vertices.in_b, findings, mirrored })
}

async fn compare_weights(
    vertices: &VertexPairs,
    weights: &WeightComparison<'_>,
    pace: &Pace,
) -> Result<VertexDifference, Cancelled> {
    let both = [weights.a, weights.b];
    let mut found = VertexDifference {
        counts: both.map(|at| at.positions.len()),
        triangles: both.map(|at| at.rig.mesh.triangles.len()),
        in_one_place: vertices.pairs + vertices.sharing[0],
        sharing: vertices.sharing,
        alone: vertices.alone,
        most_influences: both.map(max_influence_count),
        ..VertexDifference::default()
    };
    let mut largest = 0.0;
    for (vertex, other) in (0..).zip(&vertices.in_b) {
        pace.spend(LANES).await?;
        let Some(other) = *other else { continue };
        let gap = weights.largest_gap(vertex, other);
        if gap.size() > WEIGHT_TOLERANCE {
            found.other_weights += 1;
            if gap.size() > largest {
                largest = gap.size();
                let joint = weights.a.rig.skeleton.joints().get(gap.joint.index());
                found.most = Some(WeightDifference {
                    a: vertex,
                    b: other,
                    joint: joint.map_or_else(String::new, |joint| joint.name.clone()),
                    weights: gap.weights,
                });
            }
        }
    }
    Ok(found)
}

fn describe_vertex_difference(found: &VertexDifference) -> Vec<String> {
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
    // A surplus of only one model is already described by the counts, or by vertices alone.
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

fn max_influence_count(at: &RestModel<'_>) -> usize {
    let counts = at.rig.mesh.influences.iter().map(|of| of.used().count());
    let many = at.rig.mesh.many.values().map(Vec::len);
    counts.chain(many).max().unwrap_or(0)
}

/// Maximum number of vertices at one position whose weights are compared.
const MAX_WEIGHT_COMPARISONS: usize = 32;

/// Vertices at the same position. Each vertex of A has a partner of its own as long as there
/// are enough vertices in B.
struct VertexPairs {
    /// The vertex of B at the position of each vertex of A, if any.
    in_b: Vec<Option<u32>>,
    /// Number of vertices of A with a partner of their own.
    pairs: usize,
    /// Numbers of vertices in A and in B that share the partner of another vertex.
    sharing: [usize; 2],
    /// Numbers of vertices in A and in B at whose position the other model has none.
    alone: [usize; 2],
}

/// Pairs vertices at these positions of A and of B. Prefers vertices with the same number and
/// weights, then with the same weights, then with the most similar weights.
async fn pair_vertices(
    positions_a: &[Vec3],
    positions_b: &[Vec3],
    space: &Space,
    max_distance: f32,
    weights: &WeightComparison<'_>,
    pace: &Pace,
) -> Result<VertexPairs, Cancelled> {
    pace.spend(positions_a.len() + positions_b.len()).await?;
    let scale = space.scale();
    let mut pairing = Pairing {
        of_a: positions_a
            .iter()
            .map(|position| space.b_from_a.transform_point3(*position) / scale)
            .collect(),
        of_b: positions_b.iter().map(|position| *position / scale).collect(),
        max_distance,
        weights,
        in_b: vec![None; positions_a.len()],
        is_used: vec![false; positions_b.len()],
    };
    pairing.pair_by_number(pace).await?;
    pairing.pair_by_position(true, pace).await?;
    pairing.pair_by_position(false, pace).await?;
    pairing.finish_pairs(pace).await
}

/// Vertices that are being paired.
struct Pairing<'a> {
    /// Positions of A in the axes of B and the unit of A.
    of_a: Vec<Vec3>,
    /// Positions of B in the same space.
    of_b: Vec<Vec3>,
    /// Largest distance of positions that count as equal.
    max_distance: f32,
    weights: &'a WeightComparison<'a>,
    /// The vertex of B for each vertex of A, so far.
    in_b: Vec<Option<u32>>,
    /// Whether each vertex of B has a partner.
    is_used: Vec<bool>,
}

impl Pairing<'_> {
    async fn pair_by_number(&mut self, pace: &Pace) -> Result<(), Cancelled> {
        for index in 0..self.of_a.len().min(self.of_b.len()) {
            pace.spend(LANES).await?;
            let vertex = index as u32;
            let is_near = self.of_a[index].distance(self.of_b[index]) <= self.max_distance;
            if is_near && self.weights.largest_gap(vertex, vertex).size() <= WEIGHT_TOLERANCE {
                self.in_b[index] = Some(vertex);
                self.is_used[index] = true;
            }
        }
        Ok(())
    }

    /// Pairs the remaining vertices, or only those with the same weights.
    async fn pair_by_position(&mut self, same_weights: bool, pace: &Pace) -> Result<(), Cancelled> {
        let mut free: Vec<(u32, Vec3, u64)> = Vec::new();
        for ((vertex, position), is_used) in (0_u32..).zip(&self.of_b).zip(&self.is_used) {
            if !is_used {
                let class = if same_weights { self.weights.class_in_b(vertex) } else { 0 };
                free.push((vertex, *position, class));
            }
        }
        pace.spend(self.of_b.len() + free.len() * LANES).await?;
        if free.is_empty() {
            return Ok(());
        }
        let mut free = PointGrid::new(free.into_iter(), self.max_distance);
        for ((vertex, position), partner) in (0_u32..).zip(&self.of_a).zip(&mut self.in_b) {
            if partner.is_some() {
                pace.spend(1).await?;
                continue;
            }
            let class = if same_weights { self.weights.class_in_a(vertex) } else { 0 };
            let (found, work) = find_most_similar(
                free.near(*position, class),
                *position,
                &self.of_b,
                self.max_distance,
                |other| self.weights.largest_gap(vertex, other).size(),
            );
            pace.spend(LANES + work).await?;
            let Some(found) = found else { continue };
            free.take(found);
            *partner = Some(found.number);
            if let Some(is_used) = self.is_used.get_mut(found.number as usize) {
                *is_used = true;
            }
        }
        Ok(())
    }

    /// Lets the remaining vertices share a partner, if there is one at their position.
    async fn finish_pairs(mut self, pace: &Pace) -> Result<VertexPairs, Cancelled> {
        let pairs = self.in_b.iter().flatten().count();
        let mut sharing = [0; 2];
        let mut alone = [0; 2];
        if pairs < self.of_a.len() {
            pace.spend(self.of_b.len()).await?;
            let all = PointGrid::new(number_points(&self.of_b), self.max_distance);
            for ((vertex, position), partner) in (0_u32..).zip(&self.of_a).zip(&mut self.in_b) {
                if partner.is_some() {
                    pace.spend(1).await?;
                    continue;
                }
                let (found, work) = find_most_similar(
                    all.near(*position, 0),
                    *position,
                    &self.of_b,
                    self.max_distance,
                    |other| self.weights.largest_gap(vertex, other).size(),
                );
                pace.spend(LANES + work).await?;
                *partner = found.map(|found| found.number);
                let counts = if found.is_some() { &mut sharing } else { &mut alone };
                counts[0] += 1;
            }
        }
        if pairs < self.of_b.len() {
            pace.spend(self.of_a.len()).await?;
            let all = PointGrid::new(number_points(&self.of_a), self.max_distance);
            for (position, _) in self.of_b.iter().zip(&self.is_used).filter(|(_, used)| !**used) {
                let (found, work) = find_most_similar(
                    all.near(*position, 0),
                    *position,
                    &self.of_a,
                    self.max_distance,
                    |_| 0.0,
                );
                pace.spend(LANES + work).await?;
                let counts = if found.is_some() { &mut sharing } else { &mut alone };
                counts[1] += 1;
            }
        }
        Ok(VertexPairs { in_b: self.in_b, pairs, sharing, alone })
    }
}

/// Returns points of a single class.
fn number_points(positions: &[Vec3]) -> impl DoubleEndedIterator<Item = (u32, Vec3, u64)> {
    positions.iter().enumerate().map(|(number, position)| (number as u32, *position, 0))
}

/// Returns the point within `max_distance` of a position whose weights differ least, and the
/// work done to find it.
fn find_most_similar(
    candidates: impl Iterator<Item = FoundPoint>,
    position: Vec3,
    positions: &[Vec3],
    max_distance: f32,
    weight_gap: impl Fn(u32) -> f32,
) -> (Option<FoundPoint>, usize) {
    let mut candidate_count = 0;
    let mut compared_count = 0;
    let mut best: Option<(FoundPoint, f32)> = None;
    for found in candidates {
        candidate_count += 1;
        let is_near = positions
            .get(found.number as usize)
            .is_some_and(|other| position.distance(*other) <= max_distance);
        if !is_near {
            continue;
        }
        compared_count += 1;
        let gap = weight_gap(found.number);
        if best.is_none_or(|best| gap < best.1) {
            best = Some((found, gap));
        }
        if gap <= WEIGHT_TOLERANCE || compared_count == MAX_WEIGHT_COMPARISONS {
            break;
        }
    }
    (best.map(|best| best.0), candidate_count + compared_count * LANES)
}

/// Rounding error of a weight stored as a byte.
const WEIGHT_TOLERANCE: f32 = 1.0 / 254.0;

/// The weights of both models, and the partners of their joints.
struct WeightComparison<'a> {
    a: &'a RestModel<'a>,
    b: &'a RestModel<'a>,
    b_of_a: Vec<Option<JointIndex>>,
    a_of_b: Vec<Option<JointIndex>>,
}

/// The weights of two vertices for the joint at which they differ most.
struct WeightGap {
    /// The joint in A.
    joint: JointIndex,
    /// The weights in A and in B.
    weights: [f32; 2],
}

impl WeightGap {
    fn size(&self) -> f32 {
        let [a, b] = self.weights;
        (a - b).abs()
    }
}

impl<'a> WeightComparison<'a> {
    fn new(a: &'a RestModel<'a>, b: &'a RestModel<'a>, pairs: &[(JointIndex, JointIndex)]) -> Self {
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

    /// Returns the weight that differs most, by joints of A. Influences of joints without a
    /// partner in A are missing from the other weights, and need not be compared.
    fn largest_gap(&self, in_a: u32, in_b: u32) -> WeightGap {
        let of_a = influences(self.a, in_a);
        let of_b = influences(self.b, in_b);
        let in_b_only = of_b.used().filter_map(|(_, joint, _)| {
            let joint = partner(&self.a_of_b, joint)?;
            (weight_of(&of_a, joint) == 0.0).then_some(joint)
        });
        of_a.used()
            .map(|(_, joint, _)| joint)
            .chain(in_b_only)
            .map(|joint| WeightGap {
                joint,
                weights: [
                    weight_of(&of_a, joint),
                    partner(&self.b_of_a, joint).map_or(0.0, |joint| weight_of(&of_b, joint)),
                ],
            })
            .max_by(|x, y| x.size().total_cmp(&y.size()))
            .unwrap_or(WeightGap { joint: JointIndex(0), weights: [0.0, 0.0] })
    }

    /// Returns the class of a vertex of A. Vertices of one class follow the same joints by
    /// about the same weights. Similar weights may still round to different classes.
    fn class_in_a(&self, vertex: u32) -> u64 {
        weight_class(&influences(self.a, vertex), Some)
    }

    /// Returns the class of a vertex of B among those of A.
    fn class_in_b(&self, vertex: u32) -> u64 {
        weight_class(&influences(self.b, vertex), |joint| partner(&self.a_of_b, joint))
    }
}

fn influences(at: &RestModel<'_>, vertex: u32) -> Influences {
    let of = at.rig.mesh.influences.get(vertex as usize);
    of.copied().unwrap_or_default()
}

fn partner(partners: &[Option<JointIndex>], joint: JointIndex) -> Option<JointIndex> {
    partners.get(joint.index()).copied().flatten()
}

fn weight_of(influences: &Influences, joint: JointIndex) -> f32 {
    influences.used().filter(|&(_, of, _)| of == joint).map(|(_, _, weight)| weight).sum()
}

fn weight_class(
    influences: &Influences,
    joint_in_a: impl Fn(JointIndex) -> Option<JointIndex>,
) -> u64 {
    let mut steps: Vec<(JointIndex, i32)> = influences
        .used()
        .filter_map(|(_, joint, weight)| {
            let step = (weight / WEIGHT_TOLERANCE).round() as i32;
            (step != 0).then_some((joint_in_a(joint)?, step))
        })
        .collect();
    steps.sort_unstable();
    let mut hasher = DefaultHasher::new();
    steps.hash(&mut hasher);
    hasher.finish()
}
