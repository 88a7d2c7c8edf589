use bindpose_lesson::{
    AnglesCell, Cell, CellKind, Gizmo as Tool, GizmoFrame, Projection, ViewportCell,
};
use bindpose_notebook::camera::Camera;
use bindpose_notebook::{Edit, EditTarget};
use bindpose_skin::JointIndex;
use eframe::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::super::ui as viewport_ui;
use crate::cells::testing::{Page, harness};

fn show_with_tool(mut page: Page, tool: Tool, joint: u16) -> Harness<'static, Page> {
    page.document.state.gizmo = tool;
    page.document.state.joint = JointIndex(joint);
    if page.rig.flat {
        // The joints of the grid begin 4 units left of the middle, at 30 points per unit.
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

fn primary_button_event(pressed: bool, pos: Pos2, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers }
}

/// Drags from one position to another in eight moves.
fn drag(harness: &mut Harness<'_, Page>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    harness.event_modifiers(Event::PointerMoved(from), modifiers);
    harness.run();
    harness.event_modifiers(primary_button_event(true, from, modifiers), modifiers);
    harness.run();
    for part in 1..=8 {
        let at = from + (to - from) * (part as f32 / 8.0);
        harness.event_modifiers(Event::PointerMoved(at), modifiers);
        harness.run();
    }
    harness.event_modifiers(primary_button_event(false, to, modifiers), modifiers);
    harness.run();
}

/// Screen position of a joint.
fn joint_at(harness: &Harness<'_, Page>, joint: u16) -> Pos2 {
    // The label is the joint's number, with or without its name.
    let number = format!("joint {joint}");
    let number_before_name = format!("joint {joint}: ");
    harness
        .query_all_by_role(egui::accesskit::Role::Button)
        .find(|mark| {
            mark.accesskit_node()
                .label()
                .is_some_and(|label| label == number || label.starts_with(&number_before_name))
        })
        .expect("the joint is in the picture")
        .rect()
        .center()
}

fn param_rad(harness: &Harness<'_, Page>, name: &str) -> f64 {
    let params = &harness.state().document.state.params;
    params.get(name).copied().unwrap_or(0.0)
}

fn param_deg(harness: &Harness<'_, Page>, name: &str) -> f64 {
    param_rad(harness, name).to_degrees()
}

fn joint_position_in_world(page: &Page, joint: u16) -> glam::Vec3 {
    page.derived().joints.world_from_joint[usize::from(joint)].w_axis.truncate()
}

/// Returns true if the camera was moved and nothing else was changed.
fn only_camera_moved(harness: &Harness<'_, Page>) -> bool {
    harness.state().edits.is_empty() && !harness.state().navigation.is_empty()
}

/// Radius of the gizmo in a picture of 420 points.
const RADIUS_PTS: f32 = 420.0 * super::view::RADIUS_OF_HEIGHT;

#[test]
fn dragging_a_ring_changes_the_parameter_in_steps_with_ctrl_and_slowly_with_shift() {
    let mut harness = show_with_tool(Page::new("bone_grid"), Tool::Turn, 1);
    let at = joint_at(&harness, 1);
    let right = at + vec2(RADIUS_PTS, 0.0);
    let up = at - vec2(0.0, RADIUS_PTS);
    drag(&mut harness, right, up, Modifiers::NONE);
    let turned = param_deg(&harness, "b1");
    assert!((turned - 90.0).abs() < 2.0, "{turned}");
    let tenths = turned * 10.0;
    assert!((tenths - tenths.round()).abs() < 1e-6, "{turned}");
    let edits = &harness.state().edits;
    assert!(edits.iter().all(|edit| edit.as_param().is_some()), "no other edits");

    // Back by 35°, in steps of 5°.
    let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
    let slanted = at + vec2(RADIUS_PTS, 0.0).length() * vec2(0.6, -0.8);
    drag(&mut harness, up, slanted, ctrl);
    let change = param_deg(&harness, "b1") - turned;
    assert!((change + 35.0).abs() < 1e-6, "{change}");

    // With Shift, a tenth of the way.
    let before = param_deg(&harness, "b1");
    drag(&mut harness, right, up, Modifiers::SHIFT);
    let change = param_deg(&harness, "b1") - before;
    assert!((change - 9.0).abs() < 0.4, "{change}");
}

#[test]
fn keys_turn_about_an_axis_and_cycle_frame_and_tool() {
    let mut harness = show_with_tool(Page::new("arm"), Tool::Turn, 1);
    let local_ring = "turn joint 1 about y, local frame";
    harness.get_by_role_and_label(egui::accesskit::Role::Slider, local_ring).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let joint_move = harness.state().document.state.joint_moves[&JointIndex(1)];
    let (axis, angle_rad) = joint_move.rotation.to_axis_angle();
    assert!((f64::from(angle_rad).to_degrees() - 2.0).abs() < 1e-3, "{angle_rad}");
    assert!(axis.abs_diff_eq(glam::Vec3::Y, 1e-3), "{axis}");
    let value = harness.get_by_label(local_ring).value();
    assert_eq!(value.as_deref(), Some("2.0°"));
    harness.key_press(Key::V);
    harness.run();
    assert_eq!(harness.state().document.state.gizmo_frame, GizmoFrame::Parent);
    harness.get_by_label("turn joint 1 about y, parent frame");
    harness.key_press(Key::G);
    harness.run();
    assert_eq!(harness.state().document.state.gizmo, Tool::Move);
    harness.get_by_label("move joint 1 along y, parent frame").focus();
    harness.run();
    harness.key_press(Key::ArrowUp);
    harness.run();
    let joint_move = harness.state().document.state.joint_moves[&JointIndex(1)];
    let expected = glam::Vec3::Y * 0.01;
    assert!(joint_move.translation.abs_diff_eq(expected, 1e-5), "{joint_move:?}");
}

#[test]
fn dragging_an_arrow_moves_the_joint_with_the_pointer() {
    let mut harness = show_with_tool(Page::new("bone_grid"), Tool::Move, 2);
    let before = joint_position_in_world(harness.state(), 2);
    let at = joint_at(&harness, 2);
    // Along x, in a flat figure that is seen from the front.
    drag(
        &mut harness,
        at + vec2(RADIUS_PTS * 0.8, 0.0),
        at + vec2(RADIUS_PTS * 1.8, 0.0),
        Modifiers::NONE,
    );
    let moved = joint_position_in_world(harness.state(), 2) - before;
    assert!(moved.x > 0.5 && moved.y.abs() < 1e-4 && moved.z.abs() < 1e-4, "{moved}");
    let moved_pts = joint_at(&harness, 2) - at;
    assert!((moved_pts.x - RADIUS_PTS).abs() < 3.0, "{moved_pts:?}: it is under the pointer");
    harness.get_by_label("move joint 2 along y, local frame");
    assert!(harness.query_by_label("move joint 2 along z, local frame").is_none());
}

#[test]
fn dragging_the_end_of_two_bones_turns_the_joints_above() {
    let page = Page::new("bone_grid").with_params(&[("b1", 0.8)]);
    let mut harness = show_with_tool(page, Tool::Reach, 2);
    let at = joint_at(&harness, 2);
    drag(&mut harness, at, at + vec2(-30.0, -25.0), Modifiers::NONE);
    let moved = joint_at(&harness, 2) - at;
    assert!((moved - vec2(-30.0, -25.0)).length() < 2.0, "{moved:?}");
    let state = &harness.state().document.state;
    assert!(state.joint_moves.is_empty() && state.params.contains_key("b0"));
    // The same with keys.
    let before = joint_position_in_world(harness.state(), 2);
    harness.get_by_label("reach with joint 2 to y").focus();
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.run();
    let moved = joint_position_in_world(harness.state(), 2) - before;
    // To the next whole hundredth.
    assert!(moved.x.abs() < 1e-3 && (-0.016..-0.004).contains(&moved.y), "{moved}");
}

#[test]
fn menu_sets_tool_and_frame_and_a_drag_beside_the_gizmo_moves_the_camera() {
    let mut harness = show_with_tool(Page::new("arm"), Tool::Off, 1);
    for label in ["Turn the chosen joint", "In the world’s frame"] {
        harness.get_by_label("Pose the chosen joint").click();
        harness.run();
        harness.get_by_label(label).click();
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
    assert!(only_camera_moved(&harness));
}

#[test]
fn menu_resets_moves_by_hand() {
    let mut page = Page::new("arm");
    let joint_move =
        bindpose_notebook::posing::JointMove { translation: glam::Vec3::X, ..Default::default() };
    page.document.state.joint_moves.insert(JointIndex(1), joint_move);
    let mut harness = show_with_tool(page, Tool::Move, 1);
    harness.get_by_label("Pose the chosen joint").click();
    harness.run();
    harness.get_by_label("Undo what was done by hand").click();
    harness.run();
    assert!(harness.state().document.state.joint_moves.is_empty());
    assert_eq!(harness.state().edits, [Edit::Reset(EditTarget::JointMove(None))]);
}

// Joints dragged by their badges.

/// A page whose step has sliders for these parameters and no question.
fn page_with_sliders(rig: &str, params: &[&str]) -> Page {
    let mut page = Page::new(rig);
    let params = params.iter().map(|name| (*name).to_owned()).collect();
    let cell = AnglesCell { params, ..AnglesCell::default() };
    let kind = CellKind::Angles(cell);
    page.lesson.stage.push(Cell { id: "sliders".to_owned(), line: 1, kind });
    page.document.step = 1;
    page
}

/// Unit direction of the bone from a joint to the next on the screen.
fn bone_direction(harness: &Harness<'_, Page>, joint: u16) -> egui::Vec2 {
    (joint_at(harness, joint + 1) - joint_at(harness, joint)).normalized()
}

/// Rotates a screen direction a quarter turn counterclockwise.
fn quarter_turn(direction: egui::Vec2) -> egui::Vec2 {
    vec2(direction.y, -direction.x)
}

#[test]
fn dragging_a_badge_changes_the_parameter_of_the_step() {
    let mut harness = show_with_tool(page_with_sliders("bone_grid", &["b1"]), Tool::Off, 2);
    let at = joint_at(&harness, 1);
    let across = quarter_turn(bone_direction(&harness, 1));
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::Grab);
    drag(&mut harness, at, at + across * RADIUS_PTS, Modifiers::NONE);
    let turned = param_deg(&harness, "b1");
    assert!((turned - 45.0).abs() < 1.0, "{turned}");
    let state = harness.state();
    assert!(state.edits.iter().all(|edit| edit.as_param().is_some()), "no other edits");
    assert!(state.navigation.is_empty(), "the camera stays");
}

#[test]
fn dragging_a_badge_without_a_parameter_on_the_page_moves_the_camera() {
    let mut harness = show_with_tool(page_with_sliders("bone_grid", &["b0"]), Tool::Off, 2);
    let at = joint_at(&harness, 1);
    harness.hover_at(at);
    harness.run();
    assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::PointingHand);
    drag(&mut harness, at, at + vec2(30.0, 40.0), Modifiers::NONE);
    assert!(only_camera_moved(&harness));
}

#[test]
fn with_the_turning_gizmo_a_badge_without_a_parameter_turns_about_the_line_of_sight() {
    let mut harness = show_with_tool(page_with_sliders("arm", &[]), Tool::Turn, 1);
    let at = joint_at(&harness, 0);
    let across = quarter_turn(bone_direction(&harness, 0));
    let before = joint_at(&harness, 1) - at;
    drag(&mut harness, at, at + across * 40.0, Modifiers::NONE);
    let joint_move = harness.state().document.state.joint_moves[&JointIndex(0)];
    assert!(joint_move.rotation.is_normalized() && joint_move.translation == glam::Vec3::ZERO);
    let after = joint_at(&harness, 1) - joint_at(&harness, 0);
    let from = before.normalized();
    let to = after.normalized();
    assert!((to - from).dot(across) > 0.2, "{from:?} {to:?}: the bone follows the pointer");
}

#[test]
fn finger_on_a_badge_with_two_angles_changes_the_one_seen_face_on() {
    let mut page = page_with_sliders("arm", &["twist", "bend"]);
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
    let mut harness = show_with_tool(page, Tool::Off, 0);
    // Not quite in the middle of the badge.
    let from = joint_at(&harness, 1) + vec2(4.0, 4.0);
    let to = from - vec2(0.0, 60.0);
    harness.event(touch_event(egui::TouchPhase::Start, from));
    harness.event(primary_button_event(true, from, Modifiers::NONE));
    harness.step();
    for part in 1..=10 {
        let at = from - vec2(0.0, 6.0 * part as f32);
        harness.event(touch_event(egui::TouchPhase::Move, at));
        harness.event(Event::PointerMoved(at));
        harness.step();
    }
    harness.event(primary_button_event(false, to, Modifiers::NONE));
    harness.event(Event::PointerGone);
    harness.event(touch_event(egui::TouchPhase::End, to));
    harness.run();
    let bend_deg = param_deg(&harness, "bend");
    let twist_rad = param_rad(&harness, "twist");
    assert!(bend_deg > 20.0 && twist_rad == 0.0, "{bend_deg} {twist_rad}");
    assert!(harness.state().navigation.is_empty(), "the camera stays");
}

fn touch_event(phase: egui::TouchPhase, pos: Pos2) -> Event {
    Event::Touch {
        device_id: egui::TouchDeviceId(0),
        id: egui::TouchId(1),
        phase,
        pos,
        force: None,
    }
}

// Joints dragged by their bones and by the surface that they move.

#[test]
fn dragging_a_bone_keeps_its_point_under_the_pointer() {
    let mut harness = show_with_tool(page_with_sliders("bone_grid", &["b1"]), Tool::Off, 2);
    let at = joint_at(&harness, 1);
    let along = bone_direction(&harness, 1);
    let across = quarter_turn(along);
    let from = at + along * 40.0;
    harness.hover_at(from);
    harness.run();
    assert_eq!(harness.output().platform_output.cursor_icon, egui::CursorIcon::Grab);
    drag(&mut harness, from, at + across * 40.0, Modifiers::NONE);
    let turned = param_deg(&harness, "b1");
    assert!((turned - 90.0).abs() < 1.0, "{turned}");
    assert!(harness.state().navigation.is_empty(), "the camera stays");
}

#[test]
fn dragging_the_surface_turns_the_nearest_offered_joint_above_or_else_the_camera() {
    let mut page = page_with_sliders("arm", &["bend"]);
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
    let mut harness = show_with_tool(page, Tool::Off, 0);
    let elbow = joint_at(&harness, 1);
    let upper = joint_at(&harness, 0);
    let on_forearm = elbow + (elbow - upper) * 0.8 + vec2(0.0, 8.0);
    drag(&mut harness, on_forearm, on_forearm - vec2(0.0, 40.0), Modifiers::NONE);
    let bent = param_deg(&harness, "bend");
    assert!(bent > 10.0, "{bent}");
    assert!(harness.state().navigation.is_empty(), "the camera stays");
    // No joint above the upper arm is offered by the step.
    harness.state_mut().edits.clear();
    let on_upper = upper + (elbow - upper) * 0.4 + vec2(0.0, 12.0);
    drag(&mut harness, on_upper, on_upper - vec2(0.0, 40.0), Modifiers::NONE);
    assert!(only_camera_moved(&harness));
}

#[test]
fn keys_turn_a_joint_in_the_picture() {
    let mut harness = show_with_tool(page_with_sliders("bone_grid", &["b1"]), Tool::Off, 2);
    let label = "turn joint 1 in the picture";
    harness.get_by_role_and_label(egui::accesskit::Role::Slider, label).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert!((param_deg(&harness, "b1") - 1.0).abs() < 1e-6);
}

#[test]
fn step_with_many_joints_has_no_turn_handles() {
    let harness = show_with_tool(page_with_sliders("whale", &["all"]), Tool::Off, 0);
    assert!(harness.query_by_label_contains("in the picture").is_none());
}
