use std::sync::Arc;

use bindpose_gltf::{ModelSource, TaskProgress, open};
use bindpose_lesson::{Tint, ViewportCell};
use bindpose_notebook::{Derived, Entity, InfluencesEdit};
use bindpose_skin::{Influences, JointIndex, Skeleton};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Pos2, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;
use crate::cells::testing::{Page, harness};
use crate::cells::viewport;

/// A vertex of the arm that is influenced by joint 0 only.
const VERTEX_OF_JOINT_0: u32 = 73;

fn panel_harness(rig: &str, joint: u16, vertex: u32) -> Harness<'static, Page> {
    let mut page = Page::new(rig);
    page.document.state.joint = JointIndex(joint);
    page.document.state.vertex = vertex;
    let mut harness = harness(page, |ui, page| super::ui(ui, "brush", false, page));
    harness.run();
    harness
}

#[test]
fn brush_here_adds_an_influence_to_the_chosen_vertex() {
    let mut harness = panel_harness("arm", 1, VERTEX_OF_JOINT_0);
    assert!(
        harness
            .state()
            .edited_influences(VERTEX_OF_JOINT_0 as usize)
            .used()
            .all(|(_, joint, _)| joint.0 != 1)
    );
    let strength = harness.get_by_label("strength of the brush");
    strength.set_value_accesskit(50.0);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "brush here").focus();
    harness.run();
    harness.press(Key::Enter);
    let painted = harness.state().edited_influences(VERTEX_OF_JOINT_0 as usize);
    let (_, _, weight) = painted.used().find(|(_, joint, _)| joint.0 == 1).unwrap();
    assert!((weight - 0.5).abs() < 1e-6 && (painted.sum() - 1.0).abs() < 1e-6);
    assert!(harness.state().document.state.weights.len() > 1, "a circle around it");
    harness.get_by_label_contains("vertices changed");
}

#[test]
fn brief_panel_hides_what_a_first_stroke_does_not_need() {
    let mut page = Page::new("arm");
    page.document.state.joint = JointIndex(1);
    page.document.state.vertex = VERTEX_OF_JOINT_0;
    let mut harness = harness(page, |ui, page| super::ui(ui, "brush", true, page));
    harness.run();
    for label in ["paint in the picture", "brush here", "strength of the brush"] {
        harness.get_by_label(label);
    }
    for label in ["subtract", "mirror the brush along"] {
        assert!(harness.query_by_label(label).is_none(), "{label}");
    }
    harness.get_by_label("brush here").click();
    harness.run();
    harness.get_by_label_contains("vertices changed");
    harness.get_by_label("more of the brush").click();
    harness.run();
    harness.get_by_label("subtract");
    harness.get_by_label("mirror the brush along");
}

/// A page with the panel above a picture.
fn picture_harness(page: Page) -> Harness<'static, Page> {
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |ui, page| {
        super::ui(ui, "brush", false, page);
        viewport::ui(ui, &cell, "main", page, 260.0);
    });
    harness.run();
    harness
}

fn picture_center(harness: &Harness<'_, Page>) -> Pos2 {
    harness.get_by_role(Role::Image).rect().center()
}

fn drag(harness: &mut Harness<'_, Page>, start: Pos2, offset: Vec2) {
    harness.drag_at(start);
    harness.run();
    for part in 1..=8 {
        harness.hover_at(start + offset * (part as f32 / 8.0));
        harness.run();
    }
    harness.drop_at(start + offset);
    harness.run();
}

/// Sum of the weights of the chosen joint at all vertices.
fn total_weight(harness: &Harness<'_, Page>) -> f32 {
    let page = harness.state();
    let joint = page.document.state.joint;
    let all = Derived::edited_influences(&page.document, &page.rig);
    let of_joint = all.iter().flat_map(Influences::used).filter(|(_, other, _)| *other == joint);
    of_joint.map(|(_, _, weight)| weight).sum()
}

#[test]
fn drag_paints_on_the_surface_and_turns_the_picture_beside_it() {
    let mut page = Page::new("arm");
    page.document.state.joint = JointIndex(1);
    let mut harness = picture_harness(page);
    let center = picture_center(&harness);
    let before = total_weight(&harness);
    drag(&mut harness, center, vec2(40.0, 0.0));
    assert_eq!(total_weight(&harness), before, "the brush is off");
    assert!(!harness.state().navigation.is_empty());

    harness.click_label("paint in the picture");
    assert_eq!(harness.state().document.state.tint, Some(Tint::Weight));
    let turn_count = harness.state().navigation.len();
    drag(&mut harness, center, vec2(40.0, 0.0));
    let more = total_weight(&harness);
    assert!(more > before + 1.0, "{before} {more}");
    assert_eq!(harness.state().navigation.len(), turn_count);
    for (_, edit) in harness.state().document.state.weights.iter() {
        assert!((edit.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    harness.click_label("subtract");
    drag(&mut harness, center, vec2(40.0, 0.0));
    let less = total_weight(&harness);
    assert!(less < more, "{more} {less}");

    // A click is one touch, and two of them do not frame the model anew.
    for _ in 0..2 {
        harness.click_label("add");
        harness.drag_at(center);
        harness.drop_at(center);
        harness.run();
    }
    let clicked = total_weight(&harness);
    assert!(clicked > less);
    assert_eq!(harness.state().navigation.len(), turn_count);

    let corner = harness.get_by_role(Role::Image).rect().left_bottom() + vec2(6.0, -6.0);
    drag(&mut harness, corner, vec2(30.0, -10.0));
    assert_eq!(total_weight(&harness), clicked);
    assert!(harness.state().navigation.len() > turn_count);
    harness.click_label("paint in the picture");
    assert_eq!(harness.state().document.state.tint, None);
}

#[test]
fn locked_joint_is_not_painted_and_the_panel_explains_it() {
    let mut harness = panel_harness("arm", 1, 697);
    harness.click_label_containing("lock joint 1");
    harness.click_label("brush here");
    assert!(harness.state().document.state.weights.is_empty());
    harness.get_by_label_contains("the joint is locked");
    harness.click_label_containing("unlock joint 1");
    harness.click_label("subtract");
    harness.click_label("brush here");
    harness.get_by_label_contains("they follow this joint alone");
    harness.click_label("keep Σw = 1");
    harness.click_label("brush here");
    assert!((harness.state().edited_influences(697).sum() - 0.8).abs() < 1e-6);
}

#[test]
fn brackets_and_enter_control_the_brush_in_a_focused_picture() {
    let mut page = Page::new("arm");
    page.document.state.joint = JointIndex(1);
    page.document.state.vertex = VERTEX_OF_JOINT_0;
    let mut harness = picture_harness(page);
    harness.click_label("paint in the picture");
    let size = harness.state().view.brush.radius;
    harness.press(Key::CloseBracket);
    assert!(harness.state().view.brush.radius > size);
    harness.press(Key::OpenBracket);
    assert!((harness.state().view.brush.radius - size).abs() < 1e-9);
    harness.get_by_role(Role::Image).focus();
    harness.run();
    harness.press(Key::Enter);
    let painted = harness.state().edited_influences(VERTEX_OF_JOINT_0 as usize);
    assert!(painted.used().any(|(_, joint, weight)| joint.0 == 1 && weight > 0.19));
}

#[test]
fn models_without_weights_and_with_two_thousand_joints() {
    let mut page = Page::new("arm");
    let mut rig = (*page.rig).clone();
    Arc::make_mut(&mut rig.mesh).influences.clear();
    page.rig = Arc::new(rig);
    let mut harness = picture_harness(page);
    harness.get_by_label_contains("it has no weights to paint");
    harness.state_mut().view.brush.is_on = true;
    let center = picture_center(&harness);
    drag(&mut harness, center, vec2(30.0, 0.0));
    assert!(harness.state().document.state.weights.is_empty());

    // In a file without skins, the nodes are the joints.
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
    let source = ModelSource::alone("bare.gltf", text.as_bytes());
    let rig = open(&source, &TaskProgress::default()).unwrap();
    let mut harness = picture_harness(Page::with_rig(Arc::new(rig)));
    harness.click_label("subtract");
    harness.click_label("brush here");
    harness.get_by_label_contains("they follow this joint alone");
    assert!(harness.state().document.state.weights.is_empty());

    let mut page = Page::new("arm");
    let mut rig = (*page.rig).clone();
    let mut joints = rig.skeleton.joints().to_vec();
    let last = joints.last().cloned().unwrap();
    joints.resize(2000, last);
    rig.skeleton = Skeleton::new(joints).unwrap();
    page.rig = Arc::new(rig);
    page.document.state.joint = JointIndex(1999);
    page.document.state.vertex = VERTEX_OF_JOINT_0;
    let mut harness = picture_harness(page);
    harness.click_label("brush here");
    let painted = harness.state().edited_influences(VERTEX_OF_JOINT_0 as usize);
    assert!(painted.used().any(|(_, joint, _)| joint.0 == 1999), "{painted:?}");
}

#[test]
fn triangle_of_three_joints_is_moved_by_arrow_keys_and_drags() {
    let mut page = Page::new("bone_grid");
    page.document.state.vertex = 2;
    let shared =
        Influences::new(&[(JointIndex(0), 0.25), (JointIndex(1), 0.25), (JointIndex(2), 0.5)]);
    let edit = InfluencesEdit { weights: shared.weights, joints: Some(shared.joints) };
    page.document.state.weights.insert(2, edit);
    let mut harness = harness(page, |ui, page| super::ui(ui, "brush", false, page));
    harness.run();
    let triangle = harness.get_by_label_contains("shares on v2: joint 0 0.25, joint 1 0.25");
    let rect = triangle.rect();
    triangle.focus();
    harness.run();
    for _ in 0..3 {
        harness.press(Key::ArrowUp);
    }
    let raised = harness.state().edited_influences(2);
    assert!(raised.weights[2] > 0.6 && (raised.sum() - 1.0).abs() < 1e-5, "{raised:?}");
    assert_eq!(harness.state().linked.hovered(), Some(Entity::Weight(2, JointIndex(2))));
    // At the lower edge, the joint at the top has no weight, but the triangle stays.
    let start = rect.center();
    harness.drag_at(start);
    harness.run();
    harness.hover_at(start + vec2(0.0, 400.0));
    harness.run();
    harness.drop_at(start + vec2(0.0, 400.0));
    harness.run();
    let lowered = harness.state().edited_influences(2);
    assert_eq!(lowered.weights[2], 0.0);
    assert!((lowered.sum() - 1.0).abs() < 1e-5, "{lowered:?}");
    harness.get_by_label_contains("joint 2 0.00");
}

#[test]
fn rail_of_two_joints_sets_their_shares() {
    let mut page = Page::new("bone_grid");
    page.document.state.vertex = 2;
    let mut harness = harness(page, |ui, page| super::ui(ui, "brush", false, page));
    harness.run();
    let rail = "share of joint 1 against joint 0 on v2";
    for (share, weights) in [(1.0, [0.0, 1.0]), (0.25, [0.75, 0.25])] {
        harness.get_by_role_and_label(Role::Slider, rail).set_value_accesskit(share);
        harness.run();
        assert_eq!(harness.state().edited_influences(2).weights[..2], weights);
    }
}

const CORNERS: [Pos2; 3] = [pos2(10.0, 90.0), pos2(110.0, 90.0), pos2(60.0, 10.0)];

#[test]
fn shares_are_clamped_to_the_triangle() {
    for shares in [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.25, 0.75]] {
        let round_trip = shares_at(CORNERS, position_from_shares(CORNERS, shares));
        for (actual, expected) in round_trip.into_iter().zip(shares) {
            assert!((actual - expected).abs() < 1e-5, "{actual} {expected}");
        }
    }
    for outside in [pos2(-500.0, 90.0), pos2(60.0, 2000.0), pos2(60.0, -300.0)] {
        let shares = shares_at(CORNERS, outside);
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
    }
}

#[test]
fn setting_weights_merges_lanes_of_the_same_joint() {
    let before =
        Influences::new(&[(JointIndex(2), 0.25), (JointIndex(1), 0.25), (JointIndex(2), 0.5)]);
    let after =
        with_joint_weights(before, [(JointIndex(2), 0.1), (JointIndex(1), 0.9)].into_iter());
    assert_eq!(after.weights[..3], [0.1, 0.9, 0.0]);
}
