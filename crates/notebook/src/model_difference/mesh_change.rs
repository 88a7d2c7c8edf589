//! What was done to all vertices of a model alike, where joints and matrices stayed.

use bindpose_asset::{Cancelled, Pace};
use bindpose_skin::LANES;
use glam::{DMat3, DVec3, Mat4, Vec3};

use super::space::{AtRest, Space};
use crate::engine_numbers::{factor_words, plain_turns};
use crate::number_text::fixed;

/// A change of stored positions.
pub(super) struct MeshChange {
    /// `mirrored in z, moved by (0.00, 1.00, 0.00)`.
    pub(super) words: String,
    /// Takes stored positions of A to those of B.
    pub(super) space: Space,
    /// Does it turn what is outside inside, unless corners change their order?
    pub(super) mirrors: bool,
}

/// How B's stored vertices came of A's, vertex by vertex; `None`: there are not as many,
/// they are where they were, or no mirror, turn by quarters, scale and move does it.
/// `most`: how far those in one place are apart, in units of A.
pub(super) async fn found(
    a: &AtRest<'_>,
    b: &AtRest<'_>,
    (space, most): (&Space, f32),
    pace: &Pace,
) -> Result<Option<MeshChange>, Cancelled> {
    let (of_a, of_b) = (&a.rig.mesh.positions, &b.rig.mesh.positions);
    if of_a.len() != of_b.len() || of_a.len() < 4 {
        return Ok(None);
    }
    let most = f64::from(most * space.scale()) * 2.0;
    pace.spend(of_a.len() * LANES).await?;
    let places = |all: &[Vec3], from: Mat4| -> Vec<DVec3> {
        all.iter().map(|place| from.transform_point3(*place).as_dvec3()).collect()
    };
    let (of_a, of_b) = (places(of_a, space.b_from_a), places(of_b, Mat4::IDENTITY));
    let near = |change: &dyn Fn(DVec3) -> DVec3, most: f64| {
        of_a.iter().zip(&of_b).all(|(from, to)| change(*from).distance(*to) <= most)
    };
    if near(&|place| place, most) {
        return Ok(None);
    }
    let turns = plain_turns().into_iter().map(|(words, turn)| (words, turn.as_dmat3()));
    for (turned, turn) in std::iter::once((String::new(), DMat3::IDENTITY)).chain(turns) {
        pace.spend(of_a.len() * LANES).await?;
        let Some((scale, shift)) = fitted(&of_a, &of_b, turn) else { continue };
        // What is scaled up is off by as much more.
        let most = most * scale.max(1.0);
        let scale = if (scale - 1.0).abs() < 1e-4 { 1.0 } else { scale };
        let shift = if shift.length() <= most { DVec3::ZERO } else { shift };
        if !near(&|place| scale * (turn * place) + shift, 2.0 * most) {
            continue;
        }
        let mut words = Vec::new();
        if !turned.is_empty() {
            words.push(turned);
        }
        if scale != 1.0 {
            words.push(factor_words(scale).replace("times ours", "times as large"));
        }
        if shift != DVec3::ZERO {
            let [x, y, z] = shift.to_array().map(|number| fixed(number, 3));
            words.push(format!("moved by ({x}, {y}, {z}) units of B"));
        }
        let change =
            Mat4::from_translation(shift.as_vec3()) * Mat4::from_mat3((turn * scale).as_mat3());
        return Ok(Some(MeshChange {
            words: words.join(", "),
            space: Space { b_from_a: change * space.b_from_a, words: None },
            mirrors: turn.determinant() < 0.0,
        }));
    }
    Ok(None)
}

/// The scale and the move that bring them nearest after a turn, by least squares.
fn fitted(of_a: &[DVec3], of_b: &[DVec3], turn: DMat3) -> Option<(f64, DVec3)> {
    let count = of_a.len().max(1) as f64;
    let from = of_a.iter().map(|place| turn * *place).sum::<DVec3>() / count;
    let to = of_b.iter().sum::<DVec3>() / count;
    let (mut along, mut square) = (0.0, 0.0);
    for (a, b) in of_a.iter().zip(of_b) {
        let (a, b) = (turn * *a - from, *b - to);
        along += a.dot(b);
        square += a.length_squared();
    }
    let scale = along / square;
    (scale.is_finite() && scale > 0.0).then(|| (scale, to - scale * from))
}
