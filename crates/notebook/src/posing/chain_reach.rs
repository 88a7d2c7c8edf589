//! Inverse kinematics of a joint chain by cyclic coordinate descent (Wang and
//! Chen, “A combined optimization method for solving the inverse kinematics
//! problems of mechanical manipulators”, 1991). Each joint turns only part of
//! the way, which spreads the bend over all of them.

use bindpose_lesson::Setting;
use bindpose_skin::JointIndex;
use glam::{DQuat, DVec3};

use super::HeldJoint;
use super::held_joint::orthogonal_part;
use crate::{Derived, Document};

const ITERATIONS: usize = 60;
/// Fraction of the turn that would bring the point nearest to the target.
const TURN_FRACTION: f64 = 0.5;

/// A chain at the start of a drag.
#[derive(Clone, Debug)]
pub struct ChainReach {
    /// Links from the joint that moves the point upwards.
    links: Vec<ChainLink>,
    world_from_root: DQuat,
    point_in_world: DVec3,
}

#[derive(Clone, Debug)]
struct ChainLink {
    held: HeldJoint,
    origin_in_world: DVec3,
    world_from_joint: DQuat,
}

impl ChainReach {
    /// Creates a chain of `length` joints: `end` and its ancestors, except the
    /// root of the skeleton. `point_in_world` is the point of the model to be
    /// moved, which follows `end`.
    ///
    /// Returns `None` if there are not enough joints, or a matrix on the way is
    /// singular.
    pub fn new(
        (document, derived): (&Document, &Derived),
        end: JointIndex,
        length: usize,
        point_in_world: DVec3,
    ) -> Option<Self> {
        let mut links = Vec::new();
        let mut next = Some(end);
        let mut world_from_root = DQuat::IDENTITY;
        while links.len() < length {
            let joint = next?;
            next = Some(derived.rig.skeleton.joints().get(joint.index())?.parent?);
            let held = HeldJoint::new(document, derived, joint)?;
            let parent = orthogonal_part(held.world_from_parent())?;
            world_from_root = DQuat::from_mat3(&parent);
            let world_from_joint = world_from_root * held.rotation();
            links.push(ChainLink { origin_in_world: held.origin_in_world, held, world_from_joint });
        }
        Some(Self { links, world_from_root, point_in_world })
    }

    /// Brings the point to a world position, or as near as possible. Returns a
    /// setting for each joint, relative to the chain at the start of the drag.
    pub fn reach(&self, place: DVec3) -> Vec<Setting> {
        let mut links = self.links.clone();
        let mut point = self.point_in_world;
        for _ in 0..ITERATIONS {
            for index in 0..links.len() {
                let about = links[index].origin_in_world;
                let from = (point - about).try_normalize();
                let to = (place - about).try_normalize();
                let (Some(from), Some(to)) = (from, to) else {
                    continue;
                };
                let turn = DQuat::IDENTITY.slerp(DQuat::from_rotation_arc(from, to), TURN_FRACTION);
                point = about + turn * (point - about);
                for link in &mut links[..=index] {
                    link.origin_in_world = about + turn * (link.origin_in_world - about);
                    link.world_from_joint = turn * link.world_from_joint;
                }
            }
        }
        let mut settings = Vec::new();
        for (index, link) in links.iter().enumerate() {
            let world_from_parent =
                links.get(index + 1).map_or(self.world_from_root, |parent| parent.world_from_joint);
            settings.push(
                link.held.rotated_by_hand(world_from_parent.inverse() * link.world_from_joint),
            );
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;
    use glam::Vec3;

    use super::*;
    use crate::{Edit, apply, test_sample};

    #[test]
    fn point_reaches_the_target() {
        let (rig, lesson) = (builtin("whale").unwrap(), test_sample::lesson());
        let mut document = Document::default();
        let positions = rig.mesh.positions.iter().enumerate();
        let (end, _) = positions.min_by(|(_, a), (_, b)| a.z.total_cmp(&b.z)).unwrap();
        let start = Derived::of_document(&document, Some(&lesson), &rig);
        let joint = start.influences[end].strongest();
        let from = start.position(end).unwrap();
        let chain = ChainReach::new((&document, &start), joint, 3, from.as_dvec3()).unwrap();
        for by in [Vec3::ZERO, Vec3::new(0.0, 0.2, 0.05), Vec3::new(0.1, -0.15, 0.0)] {
            let place = from + by;
            let settings = chain.reach(place.as_dvec3());
            assert_eq!(settings.len(), 3);
            apply(&mut document, &Edit::Settings(settings), &lesson, &rig).unwrap();
            let missed = Derived::of_document(&document, Some(&lesson), &rig)
                .position(end)
                .unwrap()
                .distance(place);
            assert!(missed <= 0.2 * by.length() + 1e-4, "{by}: {missed}");
        }
        let root = JointIndex(0);
        assert!(ChainReach::new((&document, &start), root, 3, DVec3::ZERO).is_none());
    }
}
