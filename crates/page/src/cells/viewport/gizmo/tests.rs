use bindpose_lesson::{
    AnglesCell, Cell, CellKind, Gizmo as Tool, GizmoFrame, Projection, ViewportCell,
};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::{Derived, Edit};
use bindpose_skin::JointIndex;
use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

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
    // By its number, or that and its name.
    let (alone, named) = (format!("joint {joint}"), format!("joint {joint}: "));
    let mut marks = harness.query_all_by_role(egui::accesskit::Role::Button);
    let is_of = |label: &str| label == alone || label.starts_with(&named);
    let mark = marks.find(|mark| mark.accesskit_node().label().is_some_and(|label| is_of(&label)));
    mark.expect("the joint is in the picture").rect().center()
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
    harness.get_by_label("Undo what was done by hand").click();
    harness.run();
    assert!(harness.state().document.state.joint_moves.is_empty());
    assert_eq!(harness.state().edits, [Edit::ResetJointMove(None)]);
}

// A joint dragged by its badge.

/// A page whose step, which asks no question, has sliders for these.
fn offering(rig: &str, params: &[&str]) -> Page {
    let mut page = Page::new(rig);
    let params = params.iter().map(|name| (*name).to_owned()).collect();
    let cell = AnglesCell { params, ..AnglesCell::default() };
    let kind = CellKind::Angles(cell);
    page.lesson.stage.push(Cell { id: "sliders".to_owned(), line: 1, kind });
    page.document.step = 1;
    page
}

/// Where the bone from one joint to the next leads, and a quarter turn on from there.
fn bone(harness: &Harness<'_, Page>, joint: u16) -> [egui::Vec2; 2] {
    let along = (joint_at(harness, joint + 1) - joint_at(harness, joint)).normalized();
    [along, vec2(along.y, -along.x)]
}

#[test]
fn a_badge_turns_its_joint_and_the_parameter_of_the_step_follows() {
    let mut harness = shown(offering("bone_grid", &["b1"]), Tool::Off, 2);
    let at = joint_at(&harness, 1);
    let [_, across] = bone(&harness, 1);
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::Grab);
    drag(&mut harness, at, at + across * RADIUS, Modifiers::NONE);
    let turned = param(&harness, "b1").to_degrees();
    assert!((turned - 45.0).abs() < 1.0, "{turned}");
    let state = harness.state();
    assert!(state.edits.iter().all(|edit| edit.as_param().is_some()), "nothing else");
    assert!(state.navigation.is_empty(), "the camera stays");
}

#[test]
fn a_badge_without_a_number_on_the_page_is_the_cameras() {
    let mut harness = shown(offering("bone_grid", &["b0"]), Tool::Off, 2);
    let at = joint_at(&harness, 1);
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::PointingHand);
    drag(&mut harness, at, at + vec2(30.0, 40.0), Modifiers::NONE);
    assert!(harness.state().edits.is_empty() && !harness.state().navigation.is_empty());
}

#[test]
fn where_joints_are_turned_a_badge_without_a_parameter_turns_towards_the_reader() {
    let mut harness = shown(offering("arm", &[]), Tool::Turn, 1);
    let at = joint_at(&harness, 0);
    let [_, across] = bone(&harness, 0);
    let before = joint_at(&harness, 1) - at;
    drag(&mut harness, at, at + across * 40.0, Modifiers::NONE);
    let by = harness.state().document.state.joint_moves[&JointIndex(0)];
    assert!(by.rotation.is_normalized() && by.translation == glam::Vec3::ZERO);
    let after = joint_at(&harness, 1) - joint_at(&harness, 0);
    let (from, to) = (before.normalized(), after.normalized());
    assert!((to - from).dot(across) > 0.2, "{from:?} {to:?}: the bone goes with the pointer");
}

#[test]
fn of_two_angles_a_badge_turns_the_one_that_is_seen_and_a_finger_does_too() {
    let mut page = offering("arm", &["twist", "bend"]);
    page.cameras.insert(
        "main".to_owned(),
        Camera {
            target: glam::Vec3::X * 2.0,
            yaw_rad: 0.2,
            pitch_rad: 0.1,
            height: 6.0,
            projection: Projection::Perspective,
        },
    );
    let mut harness = shown(page, Tool::Off, 0);
    let from = joint_at(&harness, 1);
    let touch = |harness: &mut Harness<'_, Page>, phase, pos| {
        harness.event(Event::Touch {
            device_id: egui::TouchDeviceId(0),
            id: egui::TouchId(1),
            phase,
            pos,
            force: None,
        });
    };
    let button = |pressed, pos| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    // Not quite in its middle.
    let from = from + vec2(4.0, 4.0);
    touch(&mut harness, egui::TouchPhase::Start, from);
    harness.event(button(true, from));
    harness.step();
    for part in 1..=10 {
        let at = from - vec2(0.0, 6.0 * part as f32);
        touch(&mut harness, egui::TouchPhase::Move, at);
        harness.event(Event::PointerMoved(at));
        harness.step();
    }
    let to = from - vec2(0.0, 60.0);
    harness.event(button(false, to));
    harness.event(Event::PointerGone);
    touch(&mut harness, egui::TouchPhase::End, to);
    harness.run();
    let (bend, twist) = (param(&harness, "bend"), param(&harness, "twist"));
    assert!(bend.to_degrees() > 20.0 && twist == 0.0, "{bend} {twist}");
    assert!(harness.state().navigation.is_empty(), "the camera stays");
}

// A joint that a step invites to turn, by its handle and by what it moves.

#[test]
fn a_bone_is_dragged_and_what_is_under_the_pointer_comes_along() {
    let mut harness = shown(offering("bone_grid", &["b1"]), Tool::Off, 2);
    let at = joint_at(&harness, 1);
    let [along, across] = bone(&harness, 1);
    let from = at + along * 40.0;
    harness.hover_at(from);
    harness.run();
    assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::Grab);
    drag(&mut harness, from, at + across * 40.0, Modifiers::NONE);
    let turned = param(&harness, "b1").to_degrees();
    assert!((turned - 90.0).abs() < 1.0, "{turned}");
    assert!(harness.state().navigation.is_empty(), "the camera stays");
}

#[test]
fn the_surface_turns_the_joint_above_it_and_beside_it_a_drag_is_the_cameras() {
    let mut page = offering("arm", &["bend"]);
    page.cameras.insert(
        "main".to_owned(),
        Camera {
            target: glam::Vec3::X * 2.0,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 6.0,
            projection: Projection::Orthographic,
        },
    );
    let mut harness = shown(page, Tool::Off, 0);
    let elbow = joint_at(&harness, 1);
    let upper = joint_at(&harness, 0);
    let on_forearm = elbow + (elbow - upper) * 0.8 + vec2(0.0, 8.0);
    drag(&mut harness, on_forearm, on_forearm - vec2(0.0, 40.0), Modifiers::NONE);
    let bent = param(&harness, "bend").to_degrees();
    assert!(bent > 10.0, "{bent}");
    assert!(harness.state().navigation.is_empty(), "the camera stays");
    // No joint above the upper arm is to be turned.
    harness.state_mut().edits.clear();
    let on_upper = upper + (elbow - upper) * 0.4 + vec2(0.0, 12.0);
    drag(&mut harness, on_upper, on_upper - vec2(0.0, 40.0), Modifiers::NONE);
    assert!(harness.state().edits.is_empty() && !harness.state().navigation.is_empty());
}

#[test]
fn the_keys_turn_a_joint_in_the_picture() {
    let mut harness = shown(offering("bone_grid", &["b1"]), Tool::Off, 2);
    let label = "turn joint 1 in the picture";
    harness.get_by_role_and_label(egui::accesskit::Role::Slider, label).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert!((param(&harness, "b1").to_degrees() - 1.0).abs() < 1e-6);
}

#[test]
fn a_step_with_many_joints_leaves_drags_of_the_surface_to_the_camera() {
    let harness = shown(offering("whale", &["all"]), Tool::Off, 0);
    assert!(harness.query_by_label_contains("in the picture").is_none());
}
