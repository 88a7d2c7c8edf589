//! Vertices that a lesson may want to name: the farthest out, those at joints, those
//! that joints share, and rings around limbs.

use bindpose_asset::Rig;
use glam::Vec3;
use serde::Serialize;

/// A ring has as many vertices at least.
const RING: usize = 6;
/// And as many at most.
const MOST_AROUND: usize = 512;
/// Further rings are left out.
const MOST_RINGS: usize = 100;
/// Places that differ by less are one.
pub(super) const SAME: f32 = 1e-4;

/// A vertex, and why it is named.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Notable {
    pub(super) vertex: usize,
    pub(super) position_in_bind: [f32; 3],
    /// `most y`, `nearest to joint 1`, `shared most by joints 0 and 1`.
    pub(super) why: String,
}

/// Vertices from the first to the last by number that lie in one plane across an axis.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct VertexRing {
    pub(super) first: usize,
    pub(super) last: usize,
    /// `x`, `y` or `z`.
    pub(super) axis: char,
    /// Where on the axis.
    pub(super) at: f32,
}

pub(super) const AXES: [char; 3] = ['x', 'y', 'z'];

pub(super) fn notable(rig: &Rig) -> Vec<Notable> {
    let positions = &rig.mesh.positions;
    let entry = |vertex: usize, why: String| Notable {
        vertex,
        position_in_bind: positions.get(vertex).copied().unwrap_or_default().to_array(),
        why,
    };
    let mut found = Vec::new();
    for (axis, name) in AXES.into_iter().enumerate() {
        for (most, word) in [(false, "least"), (true, "most")] {
            let out = |p: Vec3| if most { -p[axis] } else { p[axis] };
            found.extend(
                least(positions, out).map(|vertex| entry(vertex, format!("{word} {name}"))),
            );
        }
    }
    for (index, joint) in rig.skeleton.joints().iter().enumerate() {
        let at = position_in_bind(joint.joint_from_bind);
        let nearest = least(positions, |p| p.distance(at));
        found.extend(nearest.map(|vertex| entry(vertex, format!("nearest to joint {index}"))));
    }
    // The two strongest, as near to halves as can be.
    let second = |vertex: &usize| {
        let influences = rig.mesh.influences.get(*vertex);
        let mut used: Vec<(f32, u16)> = influences
            .into_iter()
            .flat_map(|influences| influences.used())
            .map(|(_, joint, weight)| (weight, joint.0))
            .collect();
        used.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some((used.get(1)?.0, used.first()?.1, used.get(1)?.1))
    };
    let shared = (0..positions.len()).filter_map(|vertex| Some((vertex, second(&vertex)?)));
    // The first of equals.
    let most = shared.fold(None, |most: Option<(usize, (f32, u16, u16))>, next| match most {
        Some(most) if most.1.0 >= next.1.0 => Some(most),
        _ => Some(next),
    });
    found.extend(most.map(|(vertex, (_, a, b))| {
        entry(vertex, format!("shared most, by joints {} and {}", a.min(b), a.max(b)))
    }));
    found
}

/// The origin where the matrix cannot be inverted.
pub(super) fn position_in_bind(joint_from_bind: glam::Mat4) -> Vec3 {
    let position = joint_from_bind.inverse().w_axis.truncate();
    if position.is_finite() { position } else { Vec3::ZERO }
}

/// The first of those for which `of` is least.
fn least(positions: &[Vec3], of: impl Fn(Vec3) -> f32) -> Option<usize> {
    let all = positions.iter().enumerate();
    all.min_by(|a, b| of(*a.1).total_cmp(&of(*b.1))).map(|(vertex, _)| vertex)
}

/// Longest runs of numbers that share a coordinate and go around: no two of them in
/// one place, and not along a line.
pub(super) fn rings(positions: &[Vec3]) -> Vec<VertexRing> {
    let mut rings = Vec::new();
    let mut first = 0;
    while first < positions.len() && rings.len() < MOST_RINGS {
        let run = |axis: usize| {
            let at = positions[first][axis];
            let same = positions[first..].iter().take(MOST_AROUND + 1);
            same.take_while(|p| (p[axis] - at).abs() < SAME).count()
        };
        let longest = (0..3).map(|axis| (run(axis), axis)).max();
        let (count, axis) = longest.unwrap_or((1, 0));
        let vertices = &positions[first..first + count];
        let around = (RING..=MOST_AROUND).contains(&count) && goes_around(vertices, axis);
        if around {
            rings.push(VertexRing {
                first,
                last: first + count - 1,
                axis: AXES[axis],
                at: vertices[0][axis],
            });
        }
        first += if around { count } else { 1 };
    }
    rings
}

fn goes_around(vertices: &[Vec3], axis: usize) -> bool {
    let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f32;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let angle = |p: &Vec3| (p[v] - middle[v]).atan2(p[u] - middle[u]);
    let turns = vertices.windows(2).map(|pair| {
        let turn = angle(&pair[1]) - angle(&pair[0]);
        turn - (turn / std::f32::consts::TAU).round() * std::f32::consts::TAU
    });
    // Once around, but for the step that closes it.
    let whole: f32 = turns.sum();
    let missing = std::f32::consts::TAU / vertices.len() as f32;
    (whole.abs() + missing - std::f32::consts::TAU).abs() < 0.5 * missing + 0.2
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;

    use super::*;

    #[test]
    fn the_arm_has_its_rings_along_x_and_its_shared_ring_in_the_middle() {
        let arm = builtin("arm").unwrap();
        let rings = rings(&arm.mesh.positions);
        assert!(rings.len() > 30, "{}", rings.len());
        assert!(rings.iter().all(|ring| ring.axis == 'x' && ring.last - ring.first == 23));
        assert!(rings.iter().any(|ring| (ring.at - 2.0).abs() < 1e-6));
        let notable = notable(&arm);
        let shared = notable.last().unwrap();
        assert_eq!(shared.why, "shared most, by joints 0 and 1");
        assert_eq!(shared.position_in_bind[0], 2.0);
        let names: Vec<&str> = notable.iter().map(|one| one.why.as_str()).collect();
        assert!(names.contains(&"most x") && names.contains(&"nearest to joint 1"));
    }

    #[test]
    fn a_grid_has_no_rings_and_nothing_has_nothing() {
        let grid = builtin("bone_grid").unwrap();
        assert_eq!(rings(&grid.mesh.positions), []);
        assert_eq!(rings(&[]), []);
        assert_eq!(rings(&[Vec3::ZERO; 50]), [], "a heap");
    }
}
