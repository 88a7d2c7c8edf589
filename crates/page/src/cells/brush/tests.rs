use std::sync::Arc;

use bindpose_asset::{ModelSource, TaskProgress, open};
use bindpose_lesson::{Tint, ViewportCell};
use bindpose_notebook::{Derived, Entity, InfluencesEdit};
use bindpose_skin::{Influences, JointIndex, Skeleton};
use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Pos2, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::{ui, *};
use crate::cells::testing::{Page, harness};
use crate::cells::viewport;

/// Of the arm; it follows joint 0 alone.
const NEAR: u32 = 73;

fn shown(rig: &str, joint: u16, vertex: u32) -> Harness<'static, Page> {
    let mut page = Page::new(rig);
    page.document.state.joint = JointIndex(joint);
    page.document.state.vertex = vertex;
    let mut harness = harness(page, |view, page| ui(view, "brush", page));
    harness.run();
    harness
}

fn influences(harness: &Harness<'_, Page>, vertex: usize) -> Influences {
    let page = harness.state();
    Derived::edited_influences(&page.document, &page.rig)[vertex]
}

#[test]
fn a_touch_at_the_chosen_vertex_by_keys_gives_it_a_joint_that_it_did_not_have() {
    let mut harness = shown("arm", 1, NEAR);
    assert!(influences(&harness, NEAR as usize).used().all(|(_, joint, _)| joint.0 != 1));
    let strength = harness.get_by_label("strength of the brush");
    strength.set_value_accesskit(50.0);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "brush here").focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let now = influences(&harness, NEAR as usize);
    let of_joint = now.used().find(|(_, joint, _)| joint.0 == 1).unwrap();
    assert!((of_joint.2 - 0.5).abs() < 1e-6 && (now.sum() - 1.0).abs() < 1e-6);
    assert!(harness.state().document.state.weights.len() > 1, "a circle around it");
    harness.get_by_label_contains("vertices changed");
}

/// The panel above a picture.
fn with_picture(page: Page) -> Harness<'static, Page> {
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |view, page| {
        ui(view, "brush", page);
        viewport::ui(view, &cell, "main", page, 260.0);
    });
    harness.run();
    harness
}

fn middle_of_picture(harness: &Harness<'_, Page>) -> Pos2 {
    harness.get_by_role(Role::Image).rect().center()
}

fn stroke(harness: &mut Harness<'_, Page>, from: Pos2, by: Vec2) {
    harness.drag_at(from);
    harness.run();
    for part in 1..=8 {
        harness.hover_at(from + by * (part as f32 / 8.0));
        harness.run();
    }
    harness.drop_at(from + by);
    harness.run();
}

/// Of the joint that the page has chosen, over all vertices.
fn total(harness: &Harness<'_, Page>) -> f32 {
    let page = harness.state();
    let joint = page.document.state.joint;
    let all = Derived::edited_influences(&page.document, &page.rig);
    let used = all.iter().flat_map(Influences::used);
    used.filter(|(_, other, _)| *other == joint).map(|one| one.2).sum()
}

#[test]
fn a_drag_on_the_surface_paints_and_one_beside_it_turns_the_picture() {
    let mut page = Page::new("arm");
    page.document.state.joint = JointIndex(1);
    let mut harness = with_picture(page);
    let middle = middle_of_picture(&harness);
    let before = total(&harness);
    stroke(&mut harness, middle, vec2(40.0, 0.0));
    assert_eq!(total(&harness), before, "the brush is not taken up");
    assert!(!harness.state().navigation.is_empty());

    harness.get_by_label("paint in the picture").click();
    harness.run();
    assert_eq!(harness.state().document.state.tint, Some(Tint::Weight));
    let turns = harness.state().navigation.len();
    stroke(&mut harness, middle, vec2(40.0, 0.0));
    let more = total(&harness);
    assert!(more > before + 1.0, "{before} {more}");
    assert_eq!(harness.state().navigation.len(), turns);
    for (_, edit) in harness.state().document.state.weights.iter() {
        assert!((edit.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    harness.get_by_label("subtract").click();
    harness.run();
    stroke(&mut harness, middle, vec2(40.0, 0.0));
    let less = total(&harness);
    assert!(less < more, "{more} {less}");

    // A click is one touch, and two of them do not frame the model anew.
    for _ in 0..2 {
        harness.get_by_label("add").click();
        harness.run();
        harness.drag_at(middle);
        harness.drop_at(middle);
        harness.run();
    }
    let less = {
        assert!(total(&harness) > less);
        total(&harness)
    };
    assert_eq!(harness.state().navigation.len(), turns);

    let corner = harness.get_by_role(Role::Image).rect().left_bottom() + vec2(6.0, -6.0);
    stroke(&mut harness, corner, vec2(30.0, -10.0));
    assert_eq!(total(&harness), less);
    assert!(harness.state().navigation.len() > turns);
    harness.get_by_label("paint in the picture").click();
    harness.run();
    assert_eq!(harness.state().document.state.tint, None);
}

#[test]
fn a_locked_joint_stays_and_the_page_says_so() {
    let mut harness = shown("arm", 1, 697);
    harness.get_by_label_contains("lock joint 1").click();
    harness.run();
    harness.get_by_label("brush here").click();
    harness.run();
    assert!(harness.state().document.state.weights.is_empty());
    harness.get_by_label_contains("the joint is locked");
    harness.get_by_label_contains("unlock joint 1").click();
    harness.run();
    harness.get_by_label("subtract").click();
    harness.run();
    harness.get_by_label("brush here").click();
    harness.run();
    harness.get_by_label_contains("they follow this joint alone");
    harness.get_by_label("keep Σw = 1").click();
    harness.run();
    harness.get_by_label("brush here").click();
    harness.run();
    assert!((influences(&harness, 697).sum() - 0.8).abs() < 1e-6);
}

#[test]
fn brackets_and_enter_work_the_brush_in_a_picture_with_the_focus() {
    let mut page = Page::new("arm");
    page.document.state.joint = JointIndex(1);
    page.document.state.vertex = NEAR;
    let mut harness = with_picture(page);
    harness.get_by_label("paint in the picture").click();
    harness.run();
    let size = harness.state().view.brush.radius;
    harness.key_press(Key::CloseBracket);
    harness.run();
    assert!(harness.state().view.brush.radius > size);
    harness.key_press(Key::OpenBracket);
    harness.run();
    assert!((harness.state().view.brush.radius - size).abs() < 1e-9);
    harness.get_by_role(Role::Image).focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let of_joint = influences(&harness, NEAR as usize);
    assert!(of_joint.used().any(|(_, joint, weight)| joint.0 == 1 && weight > 0.19));
}

#[test]
fn a_model_without_weights_says_so_and_one_with_two_thousand_joints_is_painted() {
    let mut page = Page::new("arm");
    let mut rig = (*page.rig).clone();
    Arc::make_mut(&mut rig.mesh).influences.clear();
    page.rig = Arc::new(rig);
    let mut harness = with_picture(page);
    harness.get_by_label_contains("it has no weights to paint");
    harness.state_mut().view.brush.is_on = true;
    let middle = middle_of_picture(&harness);
    stroke(&mut harness, middle, vec2(30.0, 0.0));
    assert!(harness.state().document.state.weights.is_empty());

    // A file without skins has its nodes for joints.
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
    let source = ModelSource::alone("bare.gltf", text.as_bytes());
    let rig = open(&source, &TaskProgress::default()).unwrap();
    let mut harness = with_picture(Page::with_rig(Arc::new(rig)));
    harness.get_by_label("subtract").click();
    harness.run();
    harness.get_by_label("brush here").click();
    harness.run();
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
    page.document.state.vertex = NEAR;
    let mut harness = with_picture(page);
    harness.get_by_label("brush here").click();
    harness.run();
    let now = influences(&harness, NEAR as usize);
    assert!(now.used().any(|(_, joint, _)| joint.0 == 1999), "{now:?}");
}

#[test]
fn three_joints_share_a_vertex_in_a_triangle_by_arrow_keys_and_by_drags() {
    let mut page = Page::new("bone_grid");
    page.document.state.vertex = 2;
    let thirds = [(0, 0.25), (1, 0.25), (2, 0.5)];
    let thirds = thirds.map(|(joint, weight)| (JointIndex(joint), weight));
    let influences_now = Influences::new(&thirds);
    let edit =
        InfluencesEdit { weights: influences_now.weights, joints: Some(influences_now.joints) };
    page.document.state.weights.insert(2, edit);
    let mut harness = harness(page, |view, page| ui(view, "brush", page));
    harness.run();
    let triangle = harness.get_by_label_contains("shares on v2: joint 0 0.25, joint 1 0.25");
    let place = triangle.rect();
    triangle.focus();
    harness.run();
    for _ in 0..3 {
        harness.key_press(Key::ArrowUp);
        harness.run();
    }
    let now = influences(&harness, 2);
    assert!(now.weights[2] > 0.6 && (now.sum() - 1.0).abs() < 1e-5, "{now:?}");
    assert_eq!(harness.state().linked.hovered(), Some(Entity::Weight(2, JointIndex(2))));
    // To the lower edge: the joint at the top has nothing, and the triangle stays.
    let from = place.center();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + vec2(0.0, 400.0));
    harness.run();
    harness.drop_at(from + vec2(0.0, 400.0));
    harness.run();
    let now = influences(&harness, 2);
    assert_eq!(now.weights[2], 0.0);
    assert!((now.sum() - 1.0).abs() < 1e-5, "{now:?}");
    harness.get_by_label_contains("joint 2 0.00");
}

#[test]
fn two_joints_share_a_vertex_on_a_rail() {
    let mut page = Page::new("bone_grid");
    page.document.state.vertex = 2;
    let mut harness = harness(page, |view, page| ui(view, "brush", page));
    harness.run();
    let rail = "share of joint 1 against joint 0 on v2";
    let slider = |harness: &mut Harness<'_, Page>, share: f64| {
        let slider = harness.get_by_role_and_label(Role::Slider, rail);
        slider.set_value_accesskit(share);
        harness.run();
    };
    slider(&mut harness, 1.0);
    assert_eq!(influences(&harness, 2).weights[..2], [0.0, 1.0]);
    slider(&mut harness, 0.25);
    assert_eq!(influences(&harness, 2).weights[..2], [0.75, 0.25]);
}

const CORNERS: [Pos2; 3] = [pos2(10.0, 90.0), pos2(110.0, 90.0), pos2(60.0, 10.0)];

#[test]
fn shares_are_those_of_the_place_and_beside_the_triangle_those_of_its_edge() {
    for shares in [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.25, 0.75]] {
        let found = shares_at(CORNERS, place(CORNERS, shares));
        for (found, share) in found.into_iter().zip(shares) {
            assert!((found - share).abs() < 1e-5, "{found} {share}");
        }
    }
    for at in [pos2(-500.0, 90.0), pos2(60.0, 2000.0), pos2(60.0, -300.0)] {
        let found = shares_at(CORNERS, at);
        assert!(found.iter().all(|share| (0.0..=1.0).contains(share)), "{found:?}");
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn a_joint_in_two_lanes_stands_in_one_afterwards() {
    let pairs = [(2, 0.25), (1, 0.25), (2, 0.5)];
    let pairs = pairs.map(|(joint, weight)| (JointIndex(joint), weight));
    let before = Influences::new(&pairs);
    let after = with_weights(before, [(JointIndex(2), 0.1), (JointIndex(1), 0.9)].into_iter());
    assert_eq!(after.weights[..3], [0.1, 0.9, 0.0]);
}
