//! Where a model is when nobody poses it.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use glam::Vec3;

use crate::asset::{Rig, bounds_of};
use crate::skin::skin_positions;

type Bounds = (Vec3, Vec3);

/// What is known of a model at rest.
#[derive(Clone)]
struct Rest {
    bounds: Bounds,
    outline: Arc<[Vec3]>,
}

/// Models that are remembered.
const KEPT: usize = 8;

thread_local! {
    /// Skinning a large model once a frame would be too much.
    static KNOWN: RefCell<Vec<(Weak<Rig>, Rest)>> = const { RefCell::new(Vec::new()) };
}

/// Smallest box around the vertices as skinned in the rest pose: (min, max), in
/// world space. Stored vertices may lie elsewhere and in another size: only the
/// skinned ones are what a picture shows. Vertices that are not finite are left
/// out; without any, all is zero.
#[must_use]
pub fn rest_bounds(rig: &Arc<Rig>) -> Bounds {
    rest(rig).bounds
}

/// The vertices that reach furthest in 26 directions, as skinned in the rest
/// pose, in world space: what a picture must hold so that it holds nearly all.
/// Empty without finite vertices.
#[must_use]
pub fn rest_outline(rig: &Arc<Rig>) -> Arc<[Vec3]> {
    rest(rig).outline
}

fn rest(rig: &Arc<Rig>) -> Rest {
    let this = Arc::downgrade(rig);
    let known = KNOWN.with_borrow(|known| {
        let mut found = known.iter().filter(|(other, _)| other.ptr_eq(&this));
        found.next().map(|(_, rest)| rest.clone())
    });
    known.unwrap_or_else(|| {
        let rest = computed(rig);
        KNOWN.with_borrow_mut(|known| {
            known.retain(|(other, _)| other.strong_count() > 0);
            known.truncate(KEPT - 1);
            known.insert(0, (this, rest.clone()));
        });
        rest
    })
}

fn computed(rig: &Rig) -> Rest {
    let world_from_bind = rig.world_from_bind(|_| None);
    let mesh = &rig.mesh;
    let morphed = mesh.morphed(&rig.morph_weights);
    let stored = morphed.map_or_else(|| mesh.positions.clone(), |morphed| morphed.positions);
    let skinned = skin_positions(&stored, &mesh.influences, &world_from_bind);
    let finite: Vec<Vec3> = skinned.into_iter().filter(|p| p.is_finite()).collect();
    let furthest = |direction: Vec3| {
        let along = |point: &Vec3| point.dot(direction);
        let points = finite.iter().copied();
        points.max_by(|a, b| along(a).total_cmp(&along(b)))
    };
    Rest {
        bounds: bounds_of(&finite),
        outline: directions().filter_map(furthest).collect(),
    }
}

/// From the middle of a cube to its faces, edges and corners.
fn directions() -> impl Iterator<Item = Vec3> {
    let part = |place: i8, three: i8| f32::from(place / three % 3 - 1);
    (0..27_i8)
        .map(move |place| Vec3::new(part(place, 1), part(place, 3), part(place, 9)))
        .filter(|direction| *direction != Vec3::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;
    use crate::notebook::sample;
    use crate::skin::{Skeleton, Trs};
    use glam::Mat4;

    #[test]
    fn the_box_is_around_what_is_shown_and_not_around_what_is_stored() {
        // Stored a hundred times too large, as exporters in centimetres do.
        let small = sample::rig();
        let mut mesh = (*small.mesh).clone();
        for position in &mut mesh.positions {
            *position *= 100.0;
        }
        let mut joints = small.skeleton.joints().to_vec();
        for joint in &mut joints {
            joint.joint_from_bind *= Mat4::from_scale(Vec3::splat(0.01));
        }
        joints[0].parent_from_joint_at_rest = Trs::at(Vec3::Y * 5.0);
        let rig = Arc::new(Rig {
            skeleton: Skeleton::new(joints).unwrap(),
            mesh: Arc::new(mesh),
            ..small
        });
        for _ in 0..2 {
            let (low, high) = rest_bounds(&rig);
            assert!(low.abs_diff_eq(Vec3::Y * 5.0, 1e-5), "{low}");
            assert!(high.abs_diff_eq(Vec3::new(0.25, 7.0, 0.0), 1e-5), "{high}");
            let outline = rest_outline(&rig);
            assert_eq!(outline.len(), 26);
            for corner in [low, high] {
                let near = outline.iter().any(|p| p.abs_diff_eq(corner, 1e-5));
                assert!(near, "{corner} is a vertex of the sample");
            }
        }
        assert_eq!(rest_bounds(&builtin("head").unwrap()), {
            let (low, high) = builtin("head").unwrap().mesh.bounds();
            (low, high)
        });
    }
}
