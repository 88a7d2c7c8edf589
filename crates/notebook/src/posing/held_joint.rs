//! A joint at the start of a drag, and the settings that the drag produces.

use bindpose_gltf::ParamKind;
use bindpose_lesson::{DataEdit, GizmoFrame, Setting};
use bindpose_skin::{JointIndex, Trs};
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::axes::{AxisError, MoveAxis, TurnAxis, linear};
use crate::joint_move::JointMove;
use crate::{Derived, Document};

/// Tolerance within which a rotation axis counts as that of a parameter.
const AXIS_TOLERANCE: f64 = 1e-6;

/// Smallest rotation. Smaller ones are below the precision of the page's 32-bit
/// numbers.
const MIN_TURN_RAD: f64 = 1e-7;

/// A joint at the start of a drag.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldJoint {
    pub joint: JointIndex,
    /// Position of the joint.
    pub origin_in_world: DVec3,
    /// Frame in which it turns and moves, including faults on the page.
    world_from_parent: DMat4,
    parent_from_joint: Trs,
    at_rest: Trs,
    by_hand: JointMove,
    /// Parameters that turn only this joint, in order of application.
    params: Vec<HeldParam>,
}

/// A parameter that turns one joint about an axis.
#[derive(Clone, Debug, PartialEq)]
struct HeldParam {
    name: String,
    value_rad: f64,
    /// In the joint's current frame, including rotations applied after this
    /// one.
    axis_in_joint: DVec3,
}

impl HeldJoint {
    /// Returns `None` if the rig has no such joint.
    pub fn new(document: &Document, derived: &Derived, joint: JointIndex) -> Option<Self> {
        let stored = derived.rig.skeleton.joints().get(joint.index())?;
        let world_from_joint = derived.joints.world_from_joint.get(joint.index())?.as_dmat4();
        let local = derived.joints.parent_from_joint.get(joint.index())?.as_dmat4();
        let parent =
            stored.parent.and_then(|parent| derived.joints.world_from_joint.get(parent.index()));
        let world_from_parent = parent.map_or(DMat4::IDENTITY, glam::Mat4::as_dmat4);
        let by_hand = document.state.joint_moves.get(&joint).copied().unwrap_or_default();
        Some(Self {
            joint,
            origin_in_world: world_from_joint.w_axis.truncate(),
            world_from_parent: shown_parent(world_from_parent, local, world_from_joint),
            parent_from_joint: *derived.joints.pose.parent_from_joint.get(joint.index())?,
            at_rest: stored.parent_from_joint_at_rest,
            params: held_params(derived, joint, by_hand.rotation.as_dquat()),
            by_hand,
        })
    }

    /// Returns a rotation axis. 0 is x.
    ///
    /// # Errors
    ///
    /// Fails if there is no such axis.
    pub fn turn_axis(&self, frame: GizmoFrame, axis: usize) -> Result<TurnAxis, AxisError> {
        let parent = linear(self.world_from_parent);
        TurnAxis::new(frame, axis, parent, self.rotation(), self.origin_in_world)
    }

    /// Returns the parameters that turn the joint with their current axes,
    /// except those without a valid axis.
    pub fn params(&self) -> impl Iterator<Item = (&str, TurnAxis)> {
        let parent = linear(self.world_from_parent);
        self.params.iter().filter_map(move |param| {
            let axis = self.rotation() * param.axis_in_joint;
            let axis = TurnAxis::about(axis, parent, self.origin_in_world).ok()?;
            Some((param.name.as_str(), axis))
        })
    }

    /// Returns the axis whose ring is seen face-on from this direction.
    ///
    /// # Errors
    ///
    /// Fails if there is no such axis.
    pub fn facing_axis(&self, looking_in_world: DVec3) -> Result<TurnAxis, AxisError> {
        let parent = linear(self.world_from_parent);
        let axis = parent.transpose() * -looking_in_world;
        TurnAxis::about(axis, parent, self.origin_in_world)
    }

    /// Returns a translation axis. 0 is x.
    ///
    /// # Errors
    ///
    /// Fails if there is no such axis.
    pub fn move_axis(&self, frame: GizmoFrame, axis: usize) -> Result<MoveAxis, AxisError> {
        let parent = linear(self.world_from_parent);
        MoveAxis::new(frame, axis, parent, self.rotation(), self.origin_in_world)
    }

    /// Rotation about an axis relative to the rest pose, from −π to π: the
    /// twist of the rotation. A turn about the axis adds to it.
    pub fn turned_rad(&self, axis: &TurnAxis) -> f64 {
        let from_rest = self.rotation() * self.at_rest.rotation.as_dquat().inverse();
        let along = DVec3::new(from_rest.x, from_rest.y, from_rest.z).dot(axis.axis_in_parent);
        let twist = 2.0 * along.atan2(from_rest.w);
        twist - std::f64::consts::TAU * (twist / std::f64::consts::TAU).round()
    }

    /// Translation along an axis relative to the rest pose, in units of the
    /// axis.
    pub fn moved_by(&self, axis: &MoveAxis) -> f64 {
        let from_rest = (self.parent_from_joint.translation - self.at_rest.translation).as_dvec3();
        let in_world = linear(self.world_from_parent) * from_rest;
        in_world.dot(axis.step_in_world) / axis.step_in_world.length_squared()
    }

    /// Setting for a rotation: of a parameter if it has the same axis,
    /// otherwise by hand.
    pub fn turned(&self, axis_in_parent: DVec3, angle_rad: f64) -> Setting {
        let axis_in_joint = self.rotation().inverse() * axis_in_parent;
        for param in self.params.iter().rev() {
            let along = axis_in_joint.dot(param.axis_in_joint);
            if along.abs() > 1.0 - AXIS_TOLERANCE {
                let value = param.value_rad + angle_rad * along.signum();
                return Setting::Param(param.name.clone(), value);
            }
        }
        self.turned_by_hand(DQuat::from_axis_angle(axis_in_joint.normalize(), angle_rad))
    }

    /// Setting for a rotation `parent_from_joint`.
    pub fn rotated_to(&self, rotation: DQuat) -> Setting {
        let mut turn = (rotation * self.rotation().inverse()).normalize();
        // Take the shorter way.
        if turn.w < 0.0 {
            turn = -turn;
        }
        let (axis, angle) = turn.to_axis_angle();
        if angle.abs() < MIN_TURN_RAD {
            // A zero rotation has no axis, so use that of the parameter, if
            // any.
            let axis = self.hinge_in_joint().unwrap_or(DVec3::X);
            return self.turned(self.rotation() * axis, 0.0);
        }
        self.turned(axis, angle)
    }

    /// Like [`Self::rotated_to`], but always by hand.
    pub(super) fn rotated_by_hand(&self, rotation: DQuat) -> Setting {
        self.turned_by_hand(self.rotation().inverse() * rotation)
    }

    /// `further` is in the joint's frame.
    fn turned_by_hand(&self, further: DQuat) -> Setting {
        let by_hand = (self.by_hand.rotation.as_dquat() * further).normalize();
        Setting::Data(DataEdit::Turn(self.joint.into(), by_hand.as_quat().to_array()))
    }

    /// Setting for a translation in the parent's frame.
    pub fn moved(&self, by_in_parent: DVec3) -> Setting {
        let by_hand = self.by_hand.translation.as_dvec3() + by_in_parent;
        Setting::Data(DataEdit::Shift(self.joint.into(), by_hand.as_vec3().to_array()))
    }

    /// Rotation part of `parent_from_joint`.
    pub(super) fn rotation(&self) -> DQuat {
        self.parent_from_joint.rotation.as_dquat().normalize()
    }

    /// Matrix `parent_from_joint` with this rotation in place of the current
    /// one.
    pub(super) fn parent_from_joint(&self, rotation: DQuat) -> DMat4 {
        let trs = self.parent_from_joint;
        DMat4::from_scale_rotation_translation(
            trs.scale.as_dvec3(),
            rotation,
            trs.translation.as_dvec3(),
        )
    }

    /// Frame in which it turns and moves.
    pub(super) fn world_from_parent(&self) -> DMat4 {
        self.world_from_parent
    }

    /// Bending axis in the joint's frame, from its last parameter. `None` if it
    /// has no parameter.
    pub(super) fn hinge_in_joint(&self) -> Option<DVec3> {
        self.params.last().map(|param| param.axis_in_joint)
    }
}

/// Returns the parent's matrix. If a fault on the page displaces the joint,
/// returns the matrix that explains its position.
fn shown_parent(
    world_from_parent: DMat4,
    parent_from_joint: DMat4,
    world_from_joint: DMat4,
) -> DMat4 {
    let meant = world_from_parent * parent_from_joint;
    let size = linear(world_from_joint)
        .to_cols_array()
        .into_iter()
        .fold(1.0, |size: f64, cell| size.max(cell.abs()));
    if meant.abs_diff_eq(world_from_joint, 1e-3 * size) {
        return world_from_parent;
    }
    let shown = world_from_joint * parent_from_joint.inverse();
    if shown.is_finite() { shown } else { world_from_parent }
}

/// Returns the parameters that turn only this joint and can be changed by
/// readers. Rotations applied after a parameter move its axis.
fn held_params(derived: &Derived, joint: JointIndex, by_hand: DQuat) -> Vec<HeldParam> {
    let params = &derived.rig.params;
    for param in params {
        let value = derived.param(&param.name).unwrap_or(param.default);
        if param.kind == ParamKind::RestToPose && value != 1.0 {
            // Blending with the rest pose breaks the relation between angles
            // and the pose.
            return Vec::new();
        }
    }
    let mut found = Vec::new();
    let mut after = by_hand.normalize();
    for param in params.iter().rev() {
        let (axis, is_single) = match param.kind {
            ParamKind::Angle { joint: of, axis } if of == joint => (axis, true),
            ParamKind::Angles { joints, axis } if joints.contains(&joint) => (axis, false),
            _ => continue,
        };
        let axis = axis.as_dvec3().normalize_or_zero();
        let value_rad = derived.param(&param.name).unwrap_or(param.default);
        if is_single && derived.driven(&param.name).is_none() {
            let axis_in_joint = after.inverse() * axis;
            found.push(HeldParam { name: param.name.clone(), value_rad, axis_in_joint });
        }
        after = DQuat::from_axis_angle(axis, value_rad) * after;
    }
    found.reverse();
    found
}

/// Returns the orthogonal part of a frame. Returns `None` if it is singular.
pub(super) fn orthogonal_part(matrix: DMat4) -> Option<DMat3> {
    super::axes::nearest_orthogonal(linear(matrix))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_gltf::Rig;
    use bindpose_lesson::Lesson;
    use bindpose_rigs::builtin;
    use bindpose_skin::Skeleton;

    use super::*;
    use crate::{Edit, EditTarget, apply};

    fn put(document: &mut Document, setting: Setting, rig: &Rig) {
        apply(document, &Edit::set(setting), &Lesson::default(), rig).unwrap();
    }

    #[test]
    fn turn_about_parameter_axis_sets_parameter() {
        let rig = builtin("bone_grid").unwrap();
        let mut document = Document::default();
        put(&mut document, Setting::Param("b0".to_owned(), 0.5), &rig);
        for frame in GizmoFrame::ALL {
            let page = Derived::of_document(&document, None, &rig);
            let held = HeldJoint::new(&document, &page, JointIndex(1)).unwrap();
            let axis = held.turn_axis(frame, 2).unwrap();
            let setting = held.turned(axis.axis_in_parent, 0.25);
            assert_eq!(setting, Setting::Param("b1".to_owned(), 0.25), "{frame:?}");
        }
        put(&mut document, Setting::Param("b1".to_owned(), -0.4), &rig);
        let page = Derived::of_document(&document, None, &rig);
        let held = HeldJoint::new(&document, &page, JointIndex(1)).unwrap();
        let axis = held.turn_axis(GizmoFrame::Parent, 2).unwrap();
        assert!((held.turned_rad(&axis) + 0.4).abs() < 1e-6);
    }

    #[test]
    fn facing_axis_works_under_a_mirror() {
        let rig = mirrored_arm();
        let mut document = Document::default();
        put(&mut document, Setting::Param("bend".to_owned(), 0.6), &rig);
        let held =
            HeldJoint::new(&document, &Derived::of_document(&document, None, &rig), JointIndex(1))
                .unwrap();
        let looking = DVec3::new(0.3, -0.2, -0.9).normalize();
        let axis = held.facing_axis(looking).unwrap();
        assert!((axis.facing(looking) - 1.0).abs() < 1e-9);
        let there = axis.at(1.2, 0.5) - held.origin_in_world;
        let (angle, part) = axis.angle_towards(there);
        assert!((angle - 1.2).abs() < 1e-9 && (part - 1.0).abs() < 1e-9);
    }

    #[test]
    fn each_angle_has_its_own_axis() {
        let rig = builtin("arm").unwrap();
        let mut document = Document::default();
        put(&mut document, Setting::Param("bend".to_owned(), 0.6), &rig);
        put(&mut document, Setting::Param("twist".to_owned(), 0.5), &rig);
        // By hand about y, which is neither of their axes.
        let held =
            HeldJoint::new(&document, &Derived::of_document(&document, None, &rig), JointIndex(1))
                .unwrap();
        let about_y = held.turn_axis(GizmoFrame::Local, 1).unwrap().axis_in_parent;
        let by_hand = held.turned(about_y, 0.3);
        assert!(matches!(by_hand, Setting::Data(DataEdit::Turn(..))));
        for by_hand in [None, Some(by_hand)] {
            if let Some(setting) = by_hand {
                put(&mut document, setting, &rig);
            }
            let page = Derived::of_document(&document, None, &rig);
            let held = HeldJoint::new(&document, &page, JointIndex(1)).unwrap();
            let bent = held.turned(DVec3::Z, -0.2);
            assert_eq!(bent, Setting::Param("bend".to_owned(), 0.6 - 0.2));
            for (name, axis) in held.params() {
                let Setting::Param(turned, _) = held.turned(axis.axis_in_parent, 0.1) else {
                    panic!("{name} is a parameter");
                };
                assert_eq!(turned, name);
            }
            let along = DQuat::from_rotation_z(0.6) * DVec3::NEG_X;
            let twisted = held.turned(along, 0.25);
            assert_eq!(twisted, Setting::Param("twist".to_owned(), 0.5 - 0.25));
            // The joint has the requested rotation.
            let wanted = DQuat::from_rotation_z(-0.2) * held.rotation();
            let mut after = document.clone();
            put(&mut after, bent, &rig);
            let is = Derived::of_document(&after, None, &rig).joints.pose.parent_from_joint[1]
                .rotation
                .as_dquat();
            assert!(is.dot(wanted).abs() > 1.0 - 1e-6);
        }
    }

    #[test]
    fn drags_by_hand_work_in_every_frame() {
        let rig = mirrored_arm();
        for frame in GizmoFrame::ALL {
            for axis in 0..3 {
                let mut document = Document::default();
                put(&mut document, Setting::Param("bend".to_owned(), 0.6), &rig);
                for angle in [0.7, -0.2] {
                    let page = Derived::of_document(&document, None, &rig);
                    let joint = JointIndex(1);
                    let held = HeldJoint::new(&document, &page, joint).unwrap();
                    let about = held.turn_axis(frame, axis).unwrap();
                    let before = held.turned_rad(&about);
                    put(&mut document, held.turned(about.axis_in_parent, angle), &rig);
                    let after = Derived::of_document(&document, None, &rig);
                    let wanted =
                        DQuat::from_axis_angle(about.axis_in_parent, angle) * held.rotation();
                    let is = after.joints.pose.parent_from_joint[1].rotation.as_dquat();
                    assert!(is.dot(wanted).abs() > 1.0 - 1e-6, "{frame:?} {axis}");
                    let held = HeldJoint::new(&document, &after, joint).unwrap();
                    let apart = held.turned_rad(&about) - before - angle;
                    assert!(apart.abs() < 1e-3, "{frame:?} {axis}: {apart}");

                    let along = held.move_axis(frame, axis).unwrap();
                    put(&mut document, held.moved(along.step_in_parent * 0.3), &rig);
                    let moved = Derived::of_document(&document, None, &rig);
                    let there = held.origin_in_world + along.step_in_world * 0.3;
                    let is = moved.joints.world_from_joint[1].w_axis.truncate().as_dvec3();
                    assert!(is.abs_diff_eq(there, 1e-4), "{frame:?} {axis}: {is} {there}");
                }
            }
        }
    }

    /// The arm under a root that mirrors and scales.
    fn mirrored_arm() -> Arc<Rig> {
        let rig = builtin("arm").unwrap();
        let mut joints = rig.skeleton.joints().to_vec();
        joints[0].parent_from_joint_at_rest.scale = glam::Vec3::new(-2.0, 2.0, 2.0);
        Arc::new(Rig { skeleton: Skeleton::new(joints).unwrap(), ..(*rig).clone() })
    }

    #[test]
    fn moves_by_hand_are_linked_and_reset() {
        let rig = builtin("arm").unwrap();
        let mut document = Document::default();
        let turn = DataEdit::Turn(JointIndex(1).into(), [0.0, 0.0, 2.0, 2.0]);
        put(&mut document, Setting::Data(turn), &rig);
        let by = document.state.joint_moves[&JointIndex(1)];
        assert!(by.rotation.is_normalized());
        let shift = DataEdit::Shift(JointIndex(1).into(), [0.0, 0.5, 0.0]);
        put(&mut document, Setting::Data(shift), &rig);
        let words: Vec<(String, String)> = crate::model_data::data_edits(&document.state, &rig)
            .map(|edit| (edit.key(), edit.text()))
            .collect();
        assert_eq!(words.len(), 2);
        let mut again = Document::default();
        for (key, text) in words {
            let edit = DataEdit::from_link(&key, &text).unwrap().unwrap();
            put(&mut again, Setting::Data(edit), &rig);
        }
        assert_eq!(again, document);
        let back = Edit::Reset(EditTarget::JointMove(Some(JointIndex(1))));
        apply(&mut again, &back, &Lesson::default(), &rig).unwrap();
        assert_eq!(again, Document::default());
    }
}
