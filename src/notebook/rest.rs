//! Where a model is when nobody poses it.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use glam::Vec3;

use crate::asset::{Rig, bounds_of};
use crate::skin::Method;

type Bounds = (Vec3, Vec3);

/// Models whose box is remembered.
const KEPT: usize = 8;

thread_local! {
    /// Skinning a large model once a frame would be too much.
    static KNOWN: RefCell<Vec<(Weak<Rig>, Bounds)>> = const { RefCell::new(Vec::new()) };
}

/// Smallest box around the vertices as skinned in the rest pose: (min, max), in
/// world space. Stored vertices may lie elsewhere and in another size: only the
/// skinned ones are what a picture shows. Vertices that are not finite are left
/// out; without any, all is zero.
#[must_use]
pub fn rest_bounds(rig: &Arc<Rig>) -> Bounds {
    let this = Arc::downgrade(rig);
    let known = KNOWN.with_borrow(|known| {
        let mut found = known.iter().filter(|(other, _)| other.ptr_eq(&this));
        found.next().map(|&(_, bounds)| bounds)
    });
    known.unwrap_or_else(|| {
        let bounds = computed(rig);
        KNOWN.with_borrow_mut(|known| {
            known.retain(|(other, _)| other.strong_count() > 0);
            known.truncate(KEPT - 1);
            known.insert(0, (this, bounds));
        });
        bounds
    })
}

fn computed(rig: &Rig) -> Bounds {
    let world_from_bind = rig.world_from_bind(|_| None);
    let moved = rig
        .mesh
        .moved(&world_from_bind, &rig.morph_weights, Method::Linear);
    let finite: Vec<Vec3> = moved
        .positions
        .into_iter()
        .filter(|p| p.is_finite())
        .collect();
    bounds_of(&finite)
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
        }
        assert_eq!(rest_bounds(&builtin("head").unwrap()), {
            let (low, high) = builtin("head").unwrap().mesh.bounds();
            (low, high)
        });
    }
}
