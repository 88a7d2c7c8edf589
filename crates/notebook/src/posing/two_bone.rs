//! Inverse kinematics of two bones by the law of cosines.
//!
//! The middle joint opens or closes until the end is as far from the root as
//! the target. Then the root rotates towards the target by the shorter way,
//! which also rotates the plane in which the bones bend.

use bindpose_lesson::Setting;
use bindpose_skin::JointIndex;
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::HeldJoint;
use super::held_joint::orthogonal_part;
use crate::{Derived, Document};

/// Fraction of the total length below which a bone has no direction.
const MIN_BONE_FRACTION: f64 = 1e-6;

/// Maximum number of iterations. Under unevenly scaled parents a single
/// solution is not exact.
const MAX_ITERATIONS: usize = 12;

/// Three joints of a chain at the start of a drag: the end and the two above
/// it.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoBones {
    root: HeldJoint,
    middle: HeldJoint,
    end: HeldJoint,
    /// Axis in the world about which straight bones bend.
    bend_across: DVec3,
}

/// Reason why two bones cannot reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    #[error("it needs two joints above it to reach: choose one further down the chain")]
    NoTwoAbove,
    #[error("one of the two bones above it has no length")]
    NoLength,
    /// A matrix on the way is singular or not finite.
    #[error("a matrix on the way to it has no inverse")]
    NoInverse,
}

/// Result of reaching for a target.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachResult {
    /// Settings of the root, then of the middle joint.
    pub settings: [Setting; 2],
    /// Resulting position of the end.
    pub end_in_world: DVec3,
    /// Angle between the bones. π if they are stretched out.
    pub between_rad: f64,
    /// Distance of the end from the target, in the world.
    pub misses_by: f64,
}

/// World positions of the three joints.
#[derive(Clone, Copy, Debug)]
struct Places {
    root: DVec3,
    middle: DVec3,
    end: DVec3,
}

/// World rotations of the two joints. The middle's is applied first.
#[derive(Clone, Copy, Debug)]
struct Turns {
    root: DQuat,
    middle: DQuat,
}

impl TwoBones {
    /// `across` is the world axis about which straight bones bend if the middle
    /// joint has no axis of its own.
    ///
    /// # Errors
    ///
    /// Fails if there are not two joints above `end`, or a bone between them
    /// has no length.
    pub fn new(
        document: &Document,
        derived: &Derived,
        end: JointIndex,
        across: DVec3,
    ) -> Result<Self, ReachError> {
        let middle = parent_joint(derived, end)?;
        let root = parent_joint(derived, middle)?;
        let middle = HeldJoint::new(document, derived, middle).ok_or(ReachError::NoTwoAbove)?;
        let hinge = middle.hinge_in_joint().map(|hinge| {
            let parent = DMat3::from_mat4(middle.world_from_parent());
            (parent * (middle.rotation() * hinge)).normalize_or_zero()
        });
        let bones = Self {
            root: HeldJoint::new(document, derived, root).ok_or(ReachError::NoTwoAbove)?,
            end: HeldJoint::new(document, derived, end).ok_or(ReachError::NoTwoAbove)?,
            middle,
            bend_across: hinge.unwrap_or(across),
        };
        let places = bones.places(bones.root.rotation(), bones.middle.rotation());
        let (upper, lower) = places.lengths();
        if !(upper + lower).is_finite() {
            return Err(ReachError::NoInverse);
        }
        if upper.min(lower) <= MIN_BONE_FRACTION * (upper + lower) {
            return Err(ReachError::NoLength);
        }
        for joint in [&bones.root, &bones.middle] {
            orthogonal_part(joint.world_from_parent()).ok_or(ReachError::NoInverse)?;
        }
        Ok(bones)
    }

    /// Joints that turn: the root, then the middle one.
    pub fn turning(&self) -> [JointIndex; 2] {
        [self.root.joint, self.middle.joint]
    }

    /// Position of the end, in the world.
    pub fn end_in_world(&self) -> DVec3 {
        self.end.origin_in_world
    }

    /// Current angle between the bones. π if they are stretched out.
    pub fn between_rad(&self) -> f64 {
        let places = self.places(self.root.rotation(), self.middle.rotation());
        places.between_rad()
    }

    /// Rotates the bones so that the end comes to `place` in the world, or as
    /// near as possible.
    pub fn reach(&self, place: DVec3) -> ReachResult {
        let mut root = self.root.rotation();
        let mut middle = self.middle.rotation();
        let mut places = self.places(root, middle);
        let mut best = (root, middle, places.end.distance(place));
        for _ in 0..MAX_ITERATIONS {
            let (upper, lower) = places.lengths();
            let Some(turns) = places.solve(place, self.bend_across) else {
                break;
            };
            let world_from_root = self.root.world_from_parent() * self.root.parent_from_joint(root);
            root = rotate_in_world(self.root.world_from_parent(), root, turns.root);
            middle = rotate_in_world(world_from_root, middle, turns.middle);
            places = self.places(root, middle);
            let misses_by = places.end.distance(place);
            if misses_by < best.2 {
                best = (root, middle, misses_by);
            } else {
                break;
            }
            if misses_by < 1e-9 * (upper + lower) {
                break;
            }
        }
        let (root, middle, misses_by) = best;
        let places = self.places(root, middle);
        ReachResult {
            settings: [self.root.rotated_to(root), self.middle.rotated_to(middle)],
            end_in_world: places.end,
            between_rad: places.between_rad(),
            misses_by,
        }
    }

    /// Forward kinematics of the three joints with these rotations.
    fn places(&self, root: DQuat, middle: DQuat) -> Places {
        let world_from_root = self.root.world_from_parent() * self.root.parent_from_joint(root);
        let world_from_middle = world_from_root * self.middle.parent_from_joint(middle);
        let world_from_end = world_from_middle * self.end.parent_from_joint(self.end.rotation());
        Places {
            root: world_from_root.w_axis.truncate(),
            middle: world_from_middle.w_axis.truncate(),
            end: world_from_end.w_axis.truncate(),
        }
    }
}

fn parent_joint(derived: &Derived, joint: JointIndex) -> Result<JointIndex, ReachError> {
    derived
        .rig
        .skeleton
        .joints()
        .get(joint.index())
        .and_then(|joint| joint.parent)
        .ok_or(ReachError::NoTwoAbove)
}

/// Applies a world rotation to a local one. A rotation T in the world is O⁻¹ T
/// O in the parent's frame, where O is the orthogonal part of that frame.
fn rotate_in_world(world_from_parent: DMat4, rotation: DQuat, turn: DQuat) -> DQuat {
    let Some(frame) = orthogonal_part(world_from_parent) else {
        return rotation;
    };
    let turn = frame.transpose() * DMat3::from_quat(turn) * frame;
    (DQuat::from_mat3(&turn) * rotation).normalize()
}

impl Places {
    fn lengths(&self) -> (f64, f64) {
        (self.root.distance(self.middle), self.middle.distance(self.end))
    }

    /// Angle between the two bones at the middle joint.
    fn between_rad(&self) -> f64 {
        let up = self.root - self.middle;
        let down = self.end - self.middle;
        up.cross(down).length().atan2(up.dot(down))
    }

    /// Returns `None` if a bone has no length, or a position is not finite.
    fn solve(&self, place: DVec3, bend_across: DVec3) -> Option<Turns> {
        let (upper, lower) = self.lengths();
        let both = upper + lower;
        if !(both.is_finite() && place.is_finite()) || upper.min(lower) <= MIN_BONE_FRACTION * both
        {
            return None;
        }
        // Limit the distance to the range between folded and stretched out.
        let far = self.root.distance(place).clamp((upper - lower).abs(), both);
        let cosine = (upper * upper + lower * lower - far * far) / (2.0 * upper * lower);
        let wanted = cosine.clamp(-1.0, 1.0).acos();
        let across = self.bend_axis(bend_across);
        let middle = DQuat::from_axis_angle(across, wanted - self.between_rad());
        let end = self.middle + middle * (self.end - self.middle);
        let root = shortest_rotation(end - self.root, place - self.root, across);
        (middle.is_finite() && root.is_finite()).then_some(Turns { root, middle })
    }

    /// Axis of bending, from the upper to the lower bone. For straight bones,
    /// the component of `bend_across` orthogonal to them.
    fn bend_axis(&self, bend_across: DVec3) -> DVec3 {
        let up = self.root - self.middle;
        let down = self.end - self.middle;
        let across = up.cross(down);
        if across.length() > MIN_BONE_FRACTION * up.length() * down.length() {
            return across.normalize();
        }
        let along = up.normalize();
        let hinge = bend_across - along * bend_across.dot(along);
        // A positive angle of a hinge bends a straight joint, which is a
        // negative rotation from up to down.
        match hinge.try_normalize() {
            Some(hinge) => -hinge,
            None => along.any_orthonormal_vector(),
        }
    }
}

/// Returns the shortest rotation between two directions. Rotates about `across`
/// if they are opposite. The identity if one of them is zero.
fn shortest_rotation(from: DVec3, to: DVec3, across: DVec3) -> DQuat {
    let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else {
        return DQuat::IDENTITY;
    };
    if from.dot(to) < -1.0 + 1e-9 {
        return DQuat::from_axis_angle(across, std::f64::consts::PI);
    }
    DQuat::from_rotation_arc(from, to)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_gltf::Rig;
    use bindpose_lesson::Lesson;
    use bindpose_rigs::builtin;
    use bindpose_skin::{Skeleton, Trs};
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    use super::*;
    use crate::{Edit, apply};

    /// A chain of three joints with these local transforms and no parameters.
    fn chain(locals: [Trs; 3]) -> Arc<Rig> {
        let rig = builtin("bone_grid").unwrap();
        let mut joints = rig.skeleton.joints().to_vec();
        for (joint, local) in joints.iter_mut().zip(locals) {
            joint.parent_from_joint_at_rest = local;
        }
        Arc::new(Rig {
            skeleton: Skeleton::new(joints).unwrap(),
            params: Vec::new(),
            ..(*rig).clone()
        })
    }

    /// Drags the end to `place` and returns its position by the page's own
    /// forward kinematics.
    fn page_after(rig: &Arc<Rig>, document: &mut Document, place: Vec3) -> (ReachResult, Vec3) {
        let page = Derived::of_document(document, None, rig);
        let bones = TwoBones::new(document, &page, JointIndex(2), DVec3::Z).unwrap();
        let reached = bones.reach(place.as_dvec3());
        let edit = Edit::Settings(reached.settings.to_vec());
        apply(document, &edit, &Lesson::default(), rig).unwrap();
        let after = Derived::of_document(document, None, rig);
        (reached, after.joints.world_from_joint[2].w_axis.truncate())
    }

    fn turned(at: Vec3, turn: Quat) -> Trs {
        Trs { rotation: turn, ..Trs::at(at) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn end_reaches_the_target_or_comes_near(
            bend in -2.8_f32..2.8,
            turn in prop::array::uniform3(-3.0_f32..3.0),
            lengths in (0.1_f32..5.0, 0.1_f32..5.0),
            place in prop::array::uniform3(-6.0_f32..6.0),
            mirror in prop::bool::ANY,
            size in 0.2_f32..20.0,
        ) {
            let euler = Quat::from_euler(glam::EulerRot::XYZ, turn[0], turn[1], turn[2]);
            let mut root = turned(Vec3::new(0.3, -0.2, 0.5), euler);
            root.scale = Vec3::new(if mirror { -size } else { size }, size, size);
            let rig = chain([
                root,
                turned(Vec3::X * lengths.0, Quat::from_rotation_z(bend)),
                Trs::at(Vec3::X * lengths.1),
            ]);
            let place = Vec3::from(place);
            let mut document = Document::default();
            let (reached, is) = page_after(&rig, &mut document, place);
            let (upper, lower) = (lengths.0 * size, lengths.1 * size);
            let far = place.distance(root.translation);
            let nearest = (far - (upper + lower)).max((upper - lower).abs() - far).max(0.0);
            let close = 2e-4 * (upper + lower + 1.0);
            prop_assert!((is.distance(place) - nearest).abs() < close, "{is} for {place}");
            prop_assert!(is.as_dvec3().distance(reached.end_in_world) < f64::from(close));
            prop_assert!((reached.misses_by - f64::from(nearest)).abs() < f64::from(close));
        }
    }

    #[test]
    fn bones_keep_plane_and_bending_direction() {
        for bend in [0.8_f32, -0.8] {
            let rig = chain([
                turned(Vec3::ZERO, Quat::IDENTITY),
                turned(Vec3::X * 2.0, Quat::from_rotation_z(bend)),
                Trs::at(Vec3::X * 2.0),
            ]);
            let mut document = Document::default();
            for place in [Vec3::new(1.0, 2.0, 0.0), Vec3::new(-1.5, 1.0, 0.0), Vec3::X] {
                let (_, is) = page_after(&rig, &mut document, place);
                assert!(is.distance(place) < 1e-4, "{is} {place}");
                let page = Derived::of_document(&document, None, &rig);
                let middle = page.joints.world_from_joint[1].w_axis.truncate();
                assert!(middle.z.abs() < 1e-4, "{middle}");
                // On the same side of the line from root to end.
                let side = is.cross(middle).z;
                assert!(side * bend < 0.0, "{bend}: {side}");
            }
        }
    }

    #[test]
    fn degenerate_bones_give_no_nan() {
        let straight = chain([Trs::IDENTITY, Trs::at(Vec3::X), Trs::at(Vec3::X)]);
        for place in [
            Vec3::X * 2.0,
            Vec3::X * 9.0,
            Vec3::NEG_X * 2.0,
            Vec3::ZERO,
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::X,
        ] {
            let mut document = Document::default();
            let (reached, is) = page_after(&straight, &mut document, place);
            assert!(is.is_finite() && reached.between_rad.is_finite());
            let nearest = (place.length() - 2.0).max(0.0);
            assert!((is.distance(place) - nearest).abs() < 1e-3, "{is} {place}");
            // And back from there.
            let (_, is) = page_after(&straight, &mut document, Vec3::new(0.0, 1.2, 0.0));
            assert!(is.distance(Vec3::Y * 1.2) < 1e-3, "{is} after {place}");
        }
        let no_length = chain([Trs::IDENTITY, Trs::IDENTITY, Trs::at(Vec3::X)]);
        let document = Document::default();
        let why = |rig: &Arc<Rig>, joint| {
            let page = Derived::of_document(&document, None, rig);
            TwoBones::new(&document, &page, JointIndex(joint), DVec3::Z).unwrap_err()
        };
        assert_eq!(why(&no_length, 2), ReachError::NoLength);
        assert_eq!(why(&straight, 1), ReachError::NoTwoAbove);
        assert_eq!(why(&straight, 99), ReachError::NoTwoAbove);
        let mut flat = Trs::IDENTITY;
        flat.scale = Vec3::new(1.0, 1.0, 0.0);
        let flat = chain([flat, Trs::at(Vec3::X), Trs::at(Vec3::X)]);
        assert_eq!(why(&flat, 2), ReachError::NoInverse);
    }

    #[test]
    fn law_of_cosines_sets_parameters() {
        let rig = builtin("bone_grid").unwrap();
        let mut document = Document::default();
        let bend = Edit::param("b1", 0.9);
        apply(&mut document, &bend, &Lesson::default(), &rig).unwrap();
        let (reached, is) = page_after(&rig, &mut document, Vec3::new(4.0, 4.0, 0.0));
        assert!(is.distance(Vec3::new(4.0, 4.0, 0.0)) < 1e-4, "{is}");
        // Bones of length 4 and 4 with √32 between their ends form a right
        // angle.
        assert!((reached.between_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
        let puts_params =
            reached.settings.iter().all(|setting| matches!(setting, Setting::Param(..)));
        assert!(puts_params, "{:?}", reached.settings);
        assert!(document.state.joint_moves.is_empty());
    }
}
