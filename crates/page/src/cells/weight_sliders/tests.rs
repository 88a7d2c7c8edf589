use bindpose_notebook::{Edit, Entity};
use bindpose_skin::JointIndex;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, accesskit::Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::cells::testing::{Page, harness};

fn sliders_harness(rig: &str, vertex: u32) -> Harness<'static, Page> {
    let mut harness = harness(Page::new(rig), move |ui, page| {
        super::ui(ui, vertex, "sliders", page);
    });
    harness.run();
    harness
}

fn drag(harness: &mut Harness<'_, Page>, label: &str, distance: f32) {
    let slider = harness.get_by_role_and_label(Role::Slider, label);
    let start = slider.rect().center();
    let end = start + vec2(distance, 0.0);
    harness.drag_at(start);
    harness.run();
    harness.hover_at(end);
    harness.run();
    harness.drop_at(end);
    harness.run();
}

#[test]
fn slider_moves_its_weight_only_and_the_sum_is_marked() {
    let mut harness = sliders_harness("bone_grid", 2);
    harness.get_by_label("Σw 1.00");
    drag(&mut harness, "weight of joint 1 on v2", 60.0);
    let moved = harness.state().edited_influences(2);
    assert!(moved.weights[1] > 0.55, "{moved:?}");
    assert_eq!(moved.weights[0], 0.5);
    let sum = bindpose_lesson::number_text::fixed(f64::from(moved.sum()), 2);
    harness.get_by_label(&format!("Σw {sum} ≠ 1"));
    harness.click_label("normalise");
    harness.get_by_label("Σw 1.00");
    harness.click_label("as stored");
    assert!(harness.state().document.state.weights.is_empty());
}

#[test]
fn keeping_the_sum_scales_the_other_weights_and_restores_them() {
    let mut harness = sliders_harness("bone_grid", 2);
    harness.click_label("keep Σw = 1");
    drag(&mut harness, "weight of joint 1 on v2", 2000.0);
    assert_eq!(harness.state().edited_influences(2).weights[..2], [0.0, 1.0]);
    harness
        .get_by_role_and_label(Role::Slider, "weight of joint 1 on v2")
        .set_value_accesskit(0.25);
    harness.run();
    assert_eq!(harness.state().edited_influences(2).weights[..2], [0.75, 0.25]);
    harness.get_by_label("Σw 1.00");
}

#[test]
fn keys_move_a_weight_and_delete_resets_it() {
    let mut harness = sliders_harness("bone_grid", 2);
    harness.get_by_role_and_label(Role::Slider, "weight of joint 0 on v2").focus();
    harness.run();
    harness.press(Key::ArrowRight);
    assert_eq!(harness.state().edited_influences(2).weights[0], 0.51);
    harness.press(Key::End);
    assert_eq!(harness.state().edited_influences(2).weights[0], 1.0);
    harness.press(Key::Delete);
    assert!(harness.state().document.state.weights.is_empty());
}

#[test]
fn added_joint_gets_a_free_lane() {
    let mut harness = sliders_harness("bone_grid", 0);
    let slider_count = harness.query_all_by_role(Role::Slider).count();
    harness.click_label("+ a joint");
    harness.click_role(Role::Button, "joint 2");
    assert_eq!(harness.query_all_by_role(Role::Slider).count(), slider_count + 1);
    harness
        .get_by_role_and_label(Role::Slider, "weight of joint 2 on v0")
        .set_value_accesskit(0.25);
    harness.run();
    let used: Vec<_> = harness.state().edited_influences(0).used().collect();
    assert!(
        used.iter().any(|&(_, joint, weight)| (joint, weight) == (JointIndex(2), 0.25)),
        "{used:?}"
    );
}

#[test]
fn single_joint_shares_with_an_added_one() {
    let mut harness = sliders_harness("bone_grid", 0);
    harness.click_label("keep Σw = 1");
    harness.get_by_label_contains("Add a joint to share with");
    harness.click_label("+ a joint");
    harness.click_role(Role::Button, "joint 1");
    let first_joint = harness.state().edited_influences(0).strongest();
    harness
        .get_by_role_and_label(Role::Slider, &format!("weight of joint {} on v0", first_joint.0))
        .set_value_accesskit(0.75);
    harness.run();
    let used: Vec<_> = harness
        .state()
        .edited_influences(0)
        .used()
        .map(|(_, joint, weight)| (joint, weight))
        .collect();
    assert_eq!(used, [(first_joint, 0.75), (JointIndex(1), 0.25)]);
}

#[test]
fn hovering_a_weight_highlights_it() {
    let mut harness = sliders_harness("bone_grid", 2);
    let slider = harness.get_by_role_and_label(Role::Slider, "weight of joint 1 on v2");
    harness.hover_at(slider.rect().center());
    harness.run();
    let lit = harness.state().linked.hovered();
    assert_eq!(lit, Some(Entity::Weight(2, JointIndex(1))));
}

#[test]
fn no_joint_can_be_added_to_eight_lanes() {
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
    let mut harness = harness(page, |ui, page| super::ui(ui, 3, "sliders", page));
    harness.run();
    assert_eq!(harness.query_all_by_role(Role::Slider).count(), 8);
    harness.click_label("+ a joint");
    assert!(harness.query_by_label("search joints by name").is_none());
}
