//! Vertices of two models that are in one place at rest, and whom they follow.

use bindpose_asset::{Cancelled, Pace};
use bindpose_diagnostic::{counted, grouped};
use bindpose_skin::{JointIndex, LANES};
use serde::Serialize;

use super::at_rest::AtRest;
use super::space::Space;
use super::vertex_pairs::{VertexPairs, paired};
use super::weights::{WEIGHT, Weights};
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

/// Compares them, with the vertex of B for each of A and what is to be said. They are
/// found where they stand at rest, or where they are stored: where more are.
pub(super) async fn compared(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
    pairs: &[(JointIndex, JointIndex)],
    pace: &Pace,
) -> Result<(VertexDifference, Vec<Option<u32>>, Vec<String>), Cancelled> {
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
    let found = difference(&vertices, &weights, pace).await?;
    let findings = findings(&found);
    Ok((found, vertices.in_b, findings))
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
            "Where both have vertices in one place, A has {more_a} more at some places, and B {more_b} more at others."
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
