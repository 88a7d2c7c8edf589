//! Where a model is when nobody poses it.

use std::cell::RefCell;
use std::f32::consts::TAU;
use std::sync::{Arc, Weak};

use glam::{Vec2, Vec3};

use crate::asset::{Rig, bounds_of};
use crate::skin::Method;

type Bounds = (Vec3, Vec3);

/// Models that are remembered.
const KEPT: usize = 8;

/// Directions in which the outermost vertices are looked for.
const DIRECTIONS: u32 = 96;

/// A model in its rest pose.
#[derive(Clone)]
struct Rest {
    bounds: Bounds,
    outline: Arc<[Vec3]>,
}

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

/// Vertices of the rest pose that lie farthest out, to all sides, in world
/// space: a picture that holds these holds the model, but for a hair.
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
    let moved = rig
        .mesh
        .moved(&world_from_bind, &rig.morph_weights, Method::Linear);
    let mut finite = moved.positions;
    finite.retain(|position| position.is_finite());
    let farthest = |direction: Vec3| {
        let along = |point: &Vec3| point.dot(direction);
        let mut points = finite.iter().copied();
        let first = points.next()?;
        Some(points.fold(first, |far, point| {
            if along(&point) > along(&far) {
                point
            } else {
                far
            }
        }))
    };
    Rest {
        bounds: bounds_of(&finite),
        outline: directions().filter_map(farthest).collect(),
    }
}

/// Spread evenly, like the seeds of a sunflower over a ball.
fn directions() -> impl Iterator<Item = Vec3> {
    (0..DIRECTIONS).map(|index| {
        let y = 1.0 - (2 * index + 1) as f32 / DIRECTIONS as f32;
        let around = Vec2::from_angle(index as f32 * TAU * 0.381_966) * (1.0 - y * y).sqrt();
        Vec3::new(around.x, y, around.y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;
    use crate::notebook::sample;
    use crate::skin::{Skeleton, Trs};
    use glam::Mat4;

    #[test]
    fn the_outline_reaches_almost_as_far_as_the_box_and_beyond_none_of_it() {
        let whale = builtin("whale").unwrap();
        let (low, high) = rest_bounds(&whale);
        let outline = rest_outline(&whale);
        let (least, most) = bounds_of(&outline);
        assert!(outline.len() <= DIRECTIONS as usize);
        assert!(least.cmpge(low).all() && most.cmple(high).all());
        assert!(((most - least) / (high - low)).min_element() > 0.98);
    }

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
        }
        assert_eq!(rest_bounds(&builtin("head").unwrap()), {
            let (low, high) = builtin("head").unwrap().mesh.bounds();
            (low, high)
        });
    }
}
