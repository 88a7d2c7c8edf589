use bindpose_lesson::{Gizmo as Tool, GizmoFrame, Projection, ViewportCell};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::{Derived, Edit};
use bindpose_skin::JointIndex;
use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable};

use super::super::ui as viewport_ui;
use crate::cells::testing::{Page, harness};

fn shown(mut page: Page, tool: Tool, joint: u16) -> Harness<'static, Page> {
    page.document.state.gizmo = tool;
    page.document.state.joint = JointIndex(joint);
    if page.rig.flat {
        // The grid's joints from 4 left of the middle on; 30 points a unit.
        let camera = Camera {
            target: glam::Vec3::new(4.0, 2.0, 0.0),
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 14.0,
            projection: Projection::Orthographic,
        };
        page.cameras.insert("main".to_owned(), camera);
    }
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |ui, page| {
        viewport_ui(ui, &cell, "main", page, 420.0);
    });
    harness.run();
    harness
}

/// From one place to another, in a few moves.
fn drag(harness: &mut Harness<'_, Page>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    let button = |pressed, pos| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    harness.event_modifiers(Event::PointerMoved(from), modifiers);
    harness.run();
    harness.event_modifiers(button(true, from), modifiers);
    harness.run();
    for part in 1..=8 {
        let at = from + (to - from) * (part as f32 / 8.0);
        harness.event_modifiers(Event::PointerMoved(at), modifiers);
        harness.run();
    }
    harness.event_modifiers(button(false, to), modifiers);
    harness.run();
}

fn joint_at(harness: &Harness<'_, Page>, joint: u16) -> Pos2 {
    let name = format!("joint {joint}");
    let mark = harness.get_by_role_and_label(egui::accesskit::Role::Button, &name);
    mark.rect().center()
}

fn param(harness: &Harness<'_, Page>, name: &str) -> f64 {
    let params = &harness.state().document.state.params;
    params.get(name).copied().unwrap_or(0.0)
}

fn end_of(page: &Page, joint: u16) -> glam::Vec3 {
    let influences = Derived::edited_influences(&page.document, &page.rig);
    let derived = Derived::new(&page.document, Some(&page.lesson), &page.rig, influences);
    derived.joints.world_from_joint[usize::from(joint)].w_axis.truncate()
}

/// Of a drag that ends a quarter turn on.
const RADIUS: f32 = 420.0 * super::view::REACH_OF_HEIGHT;

#[test]
fn a_ring_is_dragged_and_the_parameter_follows_in_steps_with_ctrl() {
    let mut harness = shown(Page::new("bone_grid"), Tool::Turn, 1);
    let at = joint_at(&harness, 1);
    let (right, up) = (at + vec2(RADIUS, 0.0), at - vec2(0.0, RADIUS));
    drag(&mut harness, right, up, Modifiers::NONE);
    let turned = param(&harness, "b1").to_degrees();
    assert!((turned - 90.0).abs() < 2.0, "{turned}");
    let tenths = turned * 10.0;
    assert!((tenths - tenths.round()).abs() < 1e-6, "{turned}");
    let edits = &harness.state().edits;
    assert!(edits.iter().all(|edit| edit.as_param().is_some()), "nothing else");

    // Back by most of it, in steps of 5°.
    let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
    let slanted = at + vec2(RADIUS, 0.0).length() * vec2(0.6, -0.8);
    drag(&mut harness, up, slanted, ctrl);
    let by = param(&harness, "b1").to_degrees() - turned;
    assert!((by + 35.0).abs() < 1e-6, "{by}");

    // With Shift a tenth of the way.
    let before = param(&harness, "b1").to_degrees();
    drag(&mut harness, right, up, Modifiers::SHIFT);
    let by = param(&harness, "b1").to_degrees() - before;
    assert!((by - 9.0).abs() < 0.4, "{by}");
}

#[test]
fn keys_alone_turn_about_the_chosen_axis_and_cycle_the_frame() {
    let mut harness = shown(Page::new("arm"), Tool::Turn, 1);
    let ring = |frame: &str| format!("turn joint 1 about y, {frame} frame");
    harness.get_by_role_and_label(egui::accesskit::Role::Slider, &ring("local")).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let by = harness.state().document.state.joint_moves[&JointIndex(1)];
    let (axis, angle) = by.rotation.to_axis_angle();
    assert!((f64::from(angle).to_degrees() - 2.0).abs() < 1e-3, "{angle}");
    assert!(axis.abs_diff_eq(glam::Vec3::Y, 1e-3), "{axis}");
    let value = harness.get_by_label(&ring("local")).value();
    assert_eq!(value.as_deref(), Some("2.0°"));
    harness.key_press(Key::V);
    harness.run();
    assert_eq!(harness.state().document.state.gizmo_frame, GizmoFrame::Parent);
    harness.get_by_label(&ring("parent"));
    harness.key_press(Key::G);
    harness.run();
    assert_eq!(harness.state().document.state.gizmo, Tool::Move);
    harness.get_by_label("move joint 1 along y, parent frame").focus();
    harness.run();
    harness.key_press(Key::ArrowUp);
    harness.run();
    let by = harness.state().document.state.joint_moves[&JointIndex(1)];
    assert!(by.translation.abs_diff_eq(glam::Vec3::Y * 0.01, 1e-5), "{by:?}");
}

#[test]
fn an_arrow_is_dragged_and_the_joint_comes_along() {
    let mut harness = shown(Page::new("bone_grid"), Tool::Move, 2);
    let before = end_of(harness.state(), 2);
    let at = joint_at(&harness, 2);
    // To x, of a flat figure seen from the front.
    drag(&mut harness, at + vec2(RADIUS * 0.8, 0.0), at + vec2(RADIUS * 1.8, 0.0), Modifiers::NONE);
    let by = end_of(harness.state(), 2) - before;
    assert!(by.x > 0.5 && by.y.abs() < 1e-4 && by.z.abs() < 1e-4, "{by}");
    let moved = joint_at(&harness, 2) - at;
    assert!((moved.x - RADIUS).abs() < 3.0, "{moved:?}: it is under the pointer");
    harness.get_by_label("move joint 2 along y, local frame");
    assert!(harness.query_by_label("move joint 2 along z, local frame").is_none());
}

#[test]
fn the_end_of_two_bones_is_dragged_and_the_joints_above_turn() {
    let mut page = Page::new("bone_grid");
    page.document.state.params.insert("b1".to_owned(), 0.8);
    let mut harness = shown(page, Tool::Reach, 2);
    let at = joint_at(&harness, 2);
    drag(&mut harness, at, at + vec2(-30.0, -25.0), Modifiers::NONE);
    let moved = joint_at(&harness, 2) - at;
    assert!((moved - vec2(-30.0, -25.0)).length() < 2.0, "{moved:?}");
    let state = &harness.state().document.state;
    assert!(state.joint_moves.is_empty() && state.params.contains_key("b0"));
    // The same by keys.
    let before = end_of(harness.state(), 2);
    harness.get_by_label("reach with joint 2 to y").focus();
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.run();
    let by = end_of(harness.state(), 2) - before;
    // To the next whole hundredth.
    assert!(by.x.abs() < 1e-3 && (-0.016..-0.004).contains(&by.y), "{by}");
}

#[test]
fn tools_and_frames_are_chosen_from_a_button_and_a_press_beside_turns_the_camera() {
    let mut harness = shown(Page::new("arm"), Tool::Off, 1);
    for path in ["Turn the chosen joint", "In the world’s frame"] {
        harness.get_by_label("Pose the chosen joint").click();
        harness.run();
        harness.get_by_label(path).click();
        harness.run();
        harness.key_press(Key::Escape);
        harness.run();
    }
    let state = &harness.state().document.state;
    assert_eq!((state.gizmo, state.gizmo_frame), (Tool::Turn, GizmoFrame::World));
    harness.get_by_label("turn joint 1 about x, world frame");
    let rect = harness.get_by_role(egui::accesskit::Role::Image).rect();
    let beside = rect.left_bottom() + vec2(30.0, -30.0);
    harness.state_mut().edits.clear();
    drag(&mut harness, beside, beside + vec2(40.0, 0.0), Modifiers::NONE);
    assert!(harness.state().edits.is_empty() && !harness.state().navigation.is_empty());
}

#[test]
fn what_was_done_by_hand_is_taken_back_from_the_menu() {
    let mut page = Page::new("arm");
    let by =
        bindpose_notebook::posing::JointMove { translation: glam::Vec3::X, ..Default::default() };
    page.document.state.joint_moves.insert(JointIndex(1), by);
    let mut harness = shown(page, Tool::Move, 1);
    harness.get_by_label("Pose the chosen joint").click();
    harness.run();
    harness.get_by_label("Take back what was done by hand").click();
    harness.run();
    assert!(harness.state().document.state.joint_moves.is_empty());
    assert_eq!(harness.state().edits, [Edit::ResetJointMove(None)]);
}
