use bindpose_notebook::{Derived, Edit, Entity};
use bindpose_skin::{Influences, JointIndex};
use eframe::egui::{Key, accesskit::Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::ui;
use crate::cells::testing::{Page, harness};

fn shown(rig: &str, vertex: u32) -> Harness<'static, Page> {
    let mut harness = harness(Page::new(rig), move |view, page| {
        ui(view, vertex, "sliders", page);
    });
    harness.run();
    harness
}

fn influences(harness: &Harness<'_, Page>, vertex: usize) -> Influences {
    let page = harness.state();
    Derived::edited_influences(&page.document, &page.rig)[vertex]
}

fn drag(harness: &mut Harness<'_, Page>, label: &str, by: f32) {
    let slider = harness.get_by_role_and_label(Role::Slider, label);
    let from = slider.rect().center();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + vec2(by, 0.0));
    harness.run();
    harness.drop_at(from + vec2(by, 0.0));
    harness.run();
}

#[test]
fn a_slider_moves_its_weight_alone_and_the_sum_says_so() {
    let mut harness = shown("bone_grid", 2);
    harness.get_by_label("Σw 1.00");
    drag(&mut harness, "weight of joint 1 on v2", 60.0);
    let now = influences(&harness, 2);
    assert!(now.weights[1] > 0.55, "{now:?}");
    assert_eq!(now.weights[0], 0.5);
    let sum = bindpose_notebook::number_text::fixed(f64::from(now.sum()), 2);
    harness.get_by_label(&format!("Σw {sum} ≠ 1"));
    harness.get_by_label("normalise").click();
    harness.run();
    harness.get_by_label("Σw 1.00");
    harness.get_by_label("as stored").click();
    harness.run();
    assert!(harness.state().document.state.weights.is_empty());
}

#[test]
fn with_the_sum_kept_the_others_make_up_the_rest_and_come_back() {
    let mut harness = shown("bone_grid", 2);
    harness.get_by_label("keep Σw = 1").click();
    harness.run();
    drag(&mut harness, "weight of joint 1 on v2", 2000.0);
    assert_eq!(influences(&harness, 2).weights[..2], [0.0, 1.0]);
    let slider = |harness: &mut Harness<'_, Page>, weight: f64| {
        harness
            .get_by_role_and_label(Role::Slider, "weight of joint 1 on v2")
            .set_value_accesskit(weight);
        harness.run();
    };
    slider(&mut harness, 0.25);
    assert_eq!(influences(&harness, 2).weights[..2], [0.75, 0.25]);
    harness.get_by_label("Σw 1.00");
}

#[test]
fn keys_move_a_weight_and_delete_puts_it_back() {
    let mut harness = shown("bone_grid", 2);
    harness.get_by_role_and_label(Role::Slider, "weight of joint 0 on v2").focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(influences(&harness, 2).weights[0], 0.51);
    harness.key_press(Key::End);
    harness.run();
    assert_eq!(influences(&harness, 2).weights[0], 1.0);
    harness.key_press(Key::Delete);
    harness.run();
    assert!(harness.state().document.state.weights.is_empty());
}

#[test]
fn a_lane_that_is_not_in_use_is_given_to_a_joint() {
    let mut harness = shown("bone_grid", 0);
    let sliders = |harness: &Harness<'_, Page>| {
        let all = harness.query_all_by_role(Role::Slider);
        all.count()
    };
    let before = sliders(&harness);
    harness.get_by_label("+ a joint").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "joint 2").click();
    harness.run();
    assert_eq!(sliders(&harness), before + 1);
    harness
        .get_by_role_and_label(Role::Slider, "weight of joint 2 on v0")
        .set_value_accesskit(0.25);
    harness.run();
    let used: Vec<_> = influences(&harness, 0).used().collect();
    assert!(
        used.iter().any(|&(_, joint, weight)| (joint, weight) == (JointIndex(2), 0.25)),
        "{used:?}"
    );
}

#[test]
fn a_joint_that_is_alone_can_share_with_one_that_is_added() {
    let mut harness = shown("bone_grid", 0);
    harness.get_by_label("keep Σw = 1").click();
    harness.run();
    harness.get_by_label_contains("Add a joint to share with");
    harness.get_by_label("+ a joint").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "joint 1").click();
    harness.run();
    let own = influences(&harness, 0).strongest();
    harness
        .get_by_role_and_label(Role::Slider, &format!("weight of joint {} on v0", own.0))
        .set_value_accesskit(0.75);
    harness.run();
    let used: Vec<_> =
        influences(&harness, 0).used().map(|(_, joint, weight)| (joint, weight)).collect();
    assert_eq!(used, [(own, 0.75), (JointIndex(1), 0.25)]);
}

#[test]
fn the_pointer_on_a_weight_lights_it() {
    let mut harness = shown("bone_grid", 2);
    let slider = harness.get_by_role_and_label(Role::Slider, "weight of joint 1 on v2");
    let at = slider.rect().center();
    harness.hover_at(at);
    harness.run();
    let lit = harness.state().linked.hovered();
    assert_eq!(lit, Some(Entity::Weight(2, JointIndex(1))));
}

#[test]
fn eight_lanes_have_eight_sliders_and_no_ninth_is_offered() {
    let mut page = Page::new("whale");
    for lane in 0..8 {
        let joint = JointIndex(lane as u16);
        for edit in [
            Edit::LaneJoint { vertex: 3, lane, joint },
            Edit::Weight { vertex: 3, lane, weight: 0.125 },
        ] {
            let lesson = bindpose_notebook::test_sample::lesson();
            bindpose_notebook::apply(&mut page.document, &edit, &lesson, &page.rig).unwrap();
        }
    }
    let mut harness = harness(page, |view, page| ui(view, 3, "sliders", page));
    harness.run();
    assert_eq!(harness.query_all_by_role(Role::Slider).count(), 8);
    harness.get_by_label("+ a joint").click();
    harness.run();
    assert!(harness.query_by_label("search joints by name").is_none());
}
