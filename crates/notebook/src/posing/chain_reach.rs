//! A chain of joints that brings a point of the model to a place: cyclic coordinate
//! descent (Wang and Chen, “A combined optimization method for solving the inverse
//! kinematics problems of mechanical manipulators”, 1991). Each joint turns a part of the
//! way only, so that the bend is spread over all of them.

use bindpose_lesson::Setting;
use bindpose_skin::JointIndex;
use glam::{DQuat, DVec3};

use super::HeldJoint;
use super::held_joint::orthogonal;
use crate::{Derived, Document};

const ROUNDS: usize = 60;
/// Of the turn that would bring the point nearest.
const PART_OF_TURN: f64 = 0.5;

/// A chain as a drag finds it.
#[derive(Clone, Debug)]
pub struct ChainReach {
    /// From the one that moves the point upwards.
    links: Vec<ChainLink>,
    world_from_root: DQuat,
    point_in_world: DVec3,
}

#[derive(Clone, Debug)]
struct ChainLink {
    held: HeldJoint,
    at_in_world: DVec3,
    world_from_joint: DQuat,
}

impl ChainReach {
    /// `end` and joints above it, `length` in all; the root of the skeleton is never one
    /// of them. `point_in_world`: of the model, moved by `end`.
    ///
    /// `None`: there are not so many, or a matrix among theirs does not only turn and move.
    pub fn new(
        (document, derived): (&Document, &Derived),
        end: JointIndex,
        length: usize,
        point_in_world: DVec3,
    ) -> Option<Self> {
        let parent = |joint: JointIndex| derived.rig.skeleton.joints().get(joint.index())?.parent;
        let mut links = Vec::new();
        let mut next = Some(end);
        let mut world_from_root = DQuat::IDENTITY;
        while links.len() < length {
            let joint = next?;
            next = Some(parent(joint)?);
            let held = HeldJoint::new(document, derived, joint)?;
            let parent = orthogonal(held.world_from_parent())?;
            world_from_root = DQuat::from_mat3(&parent);
            let world_from_joint = world_from_root * held.rotation();
            links.push(ChainLink { at_in_world: held.origin_in_world, held, world_from_joint });
        }
        Some(Self { links, world_from_root, point_in_world })
    }

    /// What brings the point to that place in the world, or as near as the chain comes:
    /// a setting for each joint. All of a drag counts from how the chain was found.
    pub fn reach(&self, place: DVec3) -> Vec<Setting> {
        let mut links = self.links.clone();
        let mut point = self.point_in_world;
        for _ in 0..ROUNDS {
            for index in 0..links.len() {
                let about = links[index].at_in_world;
                let (from, to) = (point - about, place - about);
                let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else {
                    continue;
                };
                let whole = DQuat::from_rotation_arc(from, to);
                let turn = DQuat::IDENTITY.slerp(whole, PART_OF_TURN);
                point = about + turn * (point - about);
                for link in &mut links[..=index] {
                    link.at_in_world = about + turn * (link.at_in_world - about);
                    link.world_from_joint = turn * link.world_from_joint;
                }
            }
        }
        let parents = links.iter().skip(1).map(|link| link.world_from_joint);
        let parents = parents.chain([self.world_from_root]);
        let turned = links
            .iter()
            .zip(parents)
            .map(|(link, parent)| link.held.turned_to(parent.inverse() * link.world_from_joint));
        turned.collect()
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use glam::Vec3;

    use super::*;
    use crate::{Edit, apply, test_sample};

    #[test]
    fn a_point_of_the_whale_comes_to_where_it_is_pulled() {
        let (rig, lesson) = (builtin("whale").unwrap(), test_sample::lesson());
        let mut document = Document::default();
        let positions = rig.mesh.positions.iter().enumerate();
        let (end, _) = positions.min_by(|(_, a), (_, b)| a.z.total_cmp(&b.z)).unwrap();
        let derived = |document: &Document| {
            let influences = Derived::edited_influences(document, &rig);
            Derived::new(document, Some(&lesson), &rig, influences)
        };
        let start = derived(&document);
        let joint = start.influences[end].strongest();
        let from = start.position(end).unwrap();
        let chain = ChainReach::new((&document, &start), joint, 3, from.as_dvec3()).unwrap();
        for by in [Vec3::ZERO, Vec3::new(0.0, 0.2, 0.05), Vec3::new(0.1, -0.15, 0.0)] {
            let place = from + by;
            let settings = chain.reach(place.as_dvec3());
            assert_eq!(settings.len(), 3);
            apply(&mut document, &Edit::Settings(settings), &lesson, &rig).unwrap();
            let missed = derived(&document).position(end).unwrap().distance(place);
            assert!(missed <= 0.2 * by.length() + 1e-4, "{by}: {missed}");
        }
        let root = JointIndex(0);
        assert!(ChainReach::new((&document, &start), root, 3, DVec3::ZERO).is_none());
    }
}
