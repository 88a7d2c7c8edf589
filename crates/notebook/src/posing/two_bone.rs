//! Two bones that reach for a place: inverse kinematics by the law of cosines.
//!
//! The joint in the middle opens or closes until its end is as far from the root as the
//! place is; then the root turns that way, the short way round, so that the plane in
//! which the two bones bend comes along.

use bindpose_lesson::Setting;
use bindpose_skin::JointIndex;
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::HeldJoint;
use super::held_joint::orthogonal;
use crate::{Derived, Document};

/// Bones shorter than this part of both together have no direction.
const NO_LENGTH: f64 = 1e-6;

/// Under parents that stretch unevenly one solution is not exact; each further one
/// begins where the last ended.
const ROUNDS: usize = 12;

/// Three joints of a chain, as a drag finds them: the end and the two above it.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoBones {
    root: HeldJoint,
    middle: HeldJoint,
    end: HeldJoint,
    /// Across the plane of the bones where they lie in one line, in the world.
    bend_across: DVec3,
}

/// Why two bones cannot reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reaching {
    /// The chain is too short.
    #[error("it needs two joints above it to reach: choose one further down the chain")]
    NoTwoAbove,
    /// One of the bones has no length.
    #[error("one of the two bones above it has no length")]
    NoLength,
    /// A matrix on the way has no inverse, or is not finite.
    #[error("a matrix on the way to it has no inverse")]
    NoInverse,
}

/// Where two bones come.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// What puts them there: the root's, then the middle's.
    pub settings: [Setting; 2],
    /// Where the end is then.
    pub end_in_world: DVec3,
    /// Between the two bones; π where they are stretched out.
    pub between_rad: f64,
    /// How far the end stays from the place, in the world.
    pub misses_by: f64,
}

/// The three places, in the world.
#[derive(Clone, Copy, Debug)]
struct Places {
    root: DVec3,
    middle: DVec3,
    end: DVec3,
}

/// How the two joints turn, in the world: the middle's comes first.
#[derive(Clone, Copy, Debug)]
struct Turns {
    root: DQuat,
    middle: DQuat,
}

impl TwoBones {
    /// `across`: what stretched bones bend about where the middle joint has no axis of
    /// its own to bend about, in the world.
    ///
    /// Fails when there are no two joints above `end`, or no bones between them.
    pub fn new(
        document: &Document,
        derived: &Derived,
        end: JointIndex,
        across: DVec3,
    ) -> Result<Self, Reaching> {
        let parent = |joint: JointIndex| derived.rig.skeleton.joints().get(joint.index())?.parent;
        let middle = parent(end).ok_or(Reaching::NoTwoAbove)?;
        let root = parent(middle).ok_or(Reaching::NoTwoAbove)?;
        let held = |joint| HeldJoint::new(document, derived, joint).ok_or(Reaching::NoTwoAbove);
        let middle = held(middle)?;
        let hinge = middle.hinge_in_joint().map(|hinge| {
            let parent = DMat3::from_mat4(middle.world_from_parent());
            (parent * (middle.rotation() * hinge)).normalize_or_zero()
        });
        let bones = Self {
            root: held(root)?,
            end: held(end)?,
            middle,
            bend_across: hinge.unwrap_or(across),
        };
        let places = bones.places(bones.root.rotation(), bones.middle.rotation());
        let (upper, lower) = places.lengths();
        if !(upper + lower).is_finite() {
            return Err(Reaching::NoInverse);
        }
        if upper.min(lower) <= NO_LENGTH * (upper + lower) {
            return Err(Reaching::NoLength);
        }
        for joint in [&bones.root, &bones.middle] {
            orthogonal(joint.world_from_parent()).ok_or(Reaching::NoInverse)?;
        }
        Ok(bones)
    }

    /// The joints that turn: the root, then the one in the middle.
    pub fn turning(&self) -> [JointIndex; 2] {
        [self.root.joint, self.middle.joint]
    }

    /// Where the end is, in the world.
    pub fn end_in_world(&self) -> DVec3 {
        self.end.origin_in_world
    }

    /// The angle between the two bones now; π where they are stretched out.
    pub fn between_rad(&self) -> f64 {
        let places = self.places(self.root.rotation(), self.middle.rotation());
        places.between_rad()
    }

    /// Turns them so that the end comes to `place`, in the world, or as near as they
    /// reach.
    pub fn reach(&self, place: DVec3) -> Reached {
        let mut rotations = (self.root.rotation(), self.middle.rotation());
        let mut best = (rotations, self.misses_by(rotations, place));
        for _ in 0..ROUNDS {
            let places = self.places(rotations.0, rotations.1);
            let (upper, lower) = places.lengths();
            let Some(turns) = places.turns(place, self.bend_across) else {
                break;
            };
            rotations = self.turned(rotations, turns);
            let misses_by = self.misses_by(rotations, place);
            if misses_by < best.1 {
                best = (rotations, misses_by);
            } else {
                break;
            }
            if misses_by < 1e-9 * (upper + lower) {
                break;
            }
        }
        let ((root, middle), misses_by) = best;
        let places = self.places(root, middle);
        Reached {
            settings: [self.root.rotated_to(root), self.middle.rotated_to(middle)],
            end_in_world: places.end,
            between_rad: places.between_rad(),
            misses_by,
        }
    }

    fn misses_by(&self, (root, middle): (DQuat, DQuat), place: DVec3) -> f64 {
        self.places(root, middle).end.distance(place)
    }

    /// Forward kinematics of the three joints, with these rotations of two of them.
    fn places(&self, root: DQuat, middle: DQuat) -> Places {
        let world_from_root = self.root.world_from_parent() * self.root.parent_from_joint(root);
        let world_from_middle = world_from_root * self.middle.parent_from_joint(middle);
        let world_from_end = world_from_middle * self.end.parent_from_joint(self.end.rotation());
        let at = |frame: DMat4| frame.w_axis.truncate();
        Places { root: at(world_from_root), middle: at(world_from_middle), end: at(world_from_end) }
    }

    /// Turns in the world as local rotations: T in the world is O⁻¹ T O in the parent's
    /// frame, with O what of that frame turns and mirrors.
    fn turned(&self, (root, middle): (DQuat, DQuat), turns: Turns) -> (DQuat, DQuat) {
        let in_frame = |frame: DMat4, turn: DQuat, rotation: DQuat| {
            let Some(frame) = orthogonal(frame) else {
                return rotation;
            };
            let turn = frame.transpose() * DMat3::from_quat(turn) * frame;
            (DQuat::from_mat3(&turn) * rotation).normalize()
        };
        let world_from_root = self.root.world_from_parent() * self.root.parent_from_joint(root);
        (
            in_frame(self.root.world_from_parent(), turns.root, root),
            in_frame(world_from_root, turns.middle, middle),
        )
    }
}

impl Places {
    fn lengths(&self) -> (f64, f64) {
        (self.root.distance(self.middle), self.middle.distance(self.end))
    }

    /// Between the two bones, in the middle.
    fn between_rad(&self) -> f64 {
        let (up, down) = (self.root - self.middle, self.end - self.middle);
        up.cross(down).length().atan2(up.dot(down))
    }

    /// `None` where a bone has no length, or a place is not finite.
    fn turns(&self, place: DVec3, bend_across: DVec3) -> Option<Turns> {
        let (upper, lower) = self.lengths();
        let both = upper + lower;
        if !(both.is_finite() && place.is_finite()) || upper.min(lower) <= NO_LENGTH * both {
            return None;
        }
        // The reach: between folded together and stretched out.
        let far = self.root.distance(place).clamp((upper - lower).abs(), both);
        let cosine = (upper * upper + lower * lower - far * far) / (2.0 * upper * lower);
        let wanted = cosine.clamp(-1.0, 1.0).acos();
        let across = self.across(bend_across);
        let middle = DQuat::from_axis_angle(across, wanted - self.between_rad());
        let end = self.middle + middle * (self.end - self.middle);
        let root = short_way(end - self.root, place - self.root, across);
        (middle.is_finite() && root.is_finite()).then_some(Turns { root, middle })
    }

    /// What the middle bends about: from the upper bone to the lower one. Where these
    /// lie in one line, `bend_across`, as far as it is across them.
    fn across(&self, bend_across: DVec3) -> DVec3 {
        let (up, down) = (self.root - self.middle, self.end - self.middle);
        let across = up.cross(down);
        if across.length() > NO_LENGTH * up.length() * down.length() {
            return across.normalize();
        }
        let along = up.normalize();
        let hinge = bend_across - along * bend_across.dot(along);
        // A hinge at rest bends the way that a positive angle does, which opens by a
        // negative turn from up to down.
        let hinge = hinge.try_normalize().map(|hinge| -hinge);
        hinge.unwrap_or_else(|| along.any_orthonormal_vector())
    }
}

/// The turn from one direction to another, the short way; about `across` where they
/// are opposite, and none where one has no length.
fn short_way(from: DVec3, to: DVec3, across: DVec3) -> DQuat {
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

    use bindpose_asset::{Rig, builtin};
    use bindpose_lesson::Lesson;
    use bindpose_skin::{Skeleton, Trs};
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    use super::*;
    use crate::{Edit, apply};

    fn derived(document: &Document, rig: &Arc<Rig>) -> Derived {
        let influences = Derived::edited_influences(document, rig);
        Derived::new(document, None, rig, influences)
    }

    /// A chain of three with these local transforms, and no parameters.
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

    /// What the page has where the end was dragged to `place`: by the page's own
    /// forward kinematics.
    fn page_after(rig: &Arc<Rig>, document: &mut Document, place: Vec3) -> (Reached, Vec3) {
        let page = derived(document, rig);
        let bones = TwoBones::new(document, &page, JointIndex(2), DVec3::Z).unwrap();
        let reached = bones.reach(place.as_dvec3());
        let edit = Edit::Settings(reached.settings.to_vec());
        apply(document, &edit, &Lesson::default(), rig).unwrap();
        let after = derived(document, rig);
        (reached, after.joints.world_from_joint[2].w_axis.truncate())
    }

    fn turned(at: Vec3, turn: Quat) -> Trs {
        Trs { rotation: turn, ..Trs::at(at) }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_end_is_where_it_was_dragged_to_or_as_near_as_it_reaches(
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
    fn bones_in_a_plane_stay_in_it_and_bend_the_way_they_did() {
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
                let page = derived(&document, &rig);
                let middle = page.joints.world_from_joint[1].w_axis.truncate();
                assert!(middle.z.abs() < 1e-4, "{middle}");
                // On the same side of the line from root to end.
                let side = is.cross(middle).z;
                assert!(side * bend < 0.0, "{bend}: {side}");
            }
        }
    }

    #[test]
    fn stretched_folded_and_degenerate_bones_give_no_nan() {
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
            // And back again from there.
            let (_, is) = page_after(&straight, &mut document, Vec3::new(0.0, 1.2, 0.0));
            assert!(is.distance(Vec3::Y * 1.2) < 1e-3, "{is} after {place}");
        }
        let no_length = chain([Trs::IDENTITY, Trs::IDENTITY, Trs::at(Vec3::X)]);
        let document = Document::default();
        let why = |rig: &Arc<Rig>, joint| {
            let page = derived(&document, rig);
            TwoBones::new(&document, &page, JointIndex(joint), DVec3::Z).unwrap_err()
        };
        assert_eq!(why(&no_length, 2), Reaching::NoLength);
        assert_eq!(why(&straight, 1), Reaching::NoTwoAbove);
        assert_eq!(why(&straight, 99), Reaching::NoTwoAbove);
        let mut flat = Trs::IDENTITY;
        flat.scale = Vec3::new(1.0, 1.0, 0.0);
        let flat = chain([flat, Trs::at(Vec3::X), Trs::at(Vec3::X)]);
        assert_eq!(why(&flat, 2), Reaching::NoInverse);
    }

    #[test]
    fn the_law_of_cosines_gives_the_angle_between_and_parameters_take_it() {
        let rig = builtin("bone_grid").unwrap();
        let mut document = Document::default();
        let bend = Edit::param("b1", 0.9);
        apply(&mut document, &bend, &Lesson::default(), &rig).unwrap();
        let (reached, is) = page_after(&rig, &mut document, Vec3::new(4.0, 4.0, 0.0));
        assert!(is.distance(Vec3::new(4.0, 4.0, 0.0)) < 1e-4, "{is}");
        // Bones of 4 and 4, and √32 between their ends: a right angle.
        assert!((reached.between_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
        let puts_params =
            reached.settings.iter().all(|setting| matches!(setting, Setting::Param(..)));
        assert!(puts_params, "{:?}", reached.settings);
        assert!(document.state.joint_moves.is_empty());
    }
}
