use bindpose_lesson::Setting;

use super::*;
use crate::cells::testing::{Page, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn shown(rig: &str, cell: WeightsCell) -> Harness<'static, Page> {
    let mut harness = harness(Page::new(rig), move |view, page| ui(view, &cell, "w", page));
    harness.run();
    harness
}

#[test]
fn dragging_a_weight_edits_that_lane_of_that_vertex_and_the_sum_is_lit() {
    let mut harness = shown("bone_grid", WeightsCell::default());
    let from = harness.get_by_label("weight of joint 1 on v2").rect().center();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + vec2(20.0, 0.0));
    harness.run();
    harness.drop_at(from + vec2(20.0, 0.0));
    harness.run();
    let Some(&Edit::Weight { vertex: 2, lane: 1, weight }) = harness.state().edits.last() else {
        panic!("{:?}", harness.state().edits);
    };
    assert!(weight > 0.55 && weight < 0.75, "{weight}");
    harness.get_by_label(&format!("{} ≠ 1", number_text::fixed(f64::from(weight) + 0.5, 2)));
}

#[test]
fn normalising_and_resetting_bring_the_sum_back() {
    let mut harness = shown("bone_grid", WeightsCell::default());
    harness.get_by_label("choose vertex 2").click();
    harness.run();
    assert_eq!(harness.state().edits, [Edit::set(Setting::Vertex(2))]);
    harness.get_by_label("weight of joint 1 on v2").set_value_accesskit(1.0);
    harness.run();
    harness.get_by_label("1.50 ≠ 1");
    harness.get_by_label("normalise v2").click();
    harness.run();
    assert_eq!(harness.state().edits.last(), Some(&Edit::NormalizeWeights(Some(2))));
    assert!(harness.query_by_label("1.50 ≠ 1").is_none());
    harness.get_by_label("reset").click();
    harness.run();
    assert!(harness.state().document.state.weights.is_empty());
}

#[test]
fn only_the_lanes_in_use_and_the_vertices_asked_for_are_shown() {
    let cell = WeightsCell { vertices: vec![2, 3, 999], positions: true, ..WeightsCell::default() };
    let harness = shown("bone_grid", cell);
    let weights = harness.query_all_by_label_contains("weight of joint").count();
    assert_eq!(weights, 4, "two vertices, two lanes");
}

#[test]
fn a_long_table_draws_only_what_is_in_view_and_goes_to_the_chosen_vertex() {
    let mut harness = shown("arm", WeightsCell::default());
    let all = harness.state().rig_vertices();
    assert!(all > 100, "{all}");
    let last = all - 1;
    let shown = harness.query_all_by_label_contains("choose vertex").count();
    assert!(shown < 30, "{shown}");
    harness.state_mut().document.state.vertex = last;
    harness.run();
    harness.get_by_label(&format!("choose vertex {last}"));
}

#[test]
fn where_there_is_no_room_the_sum_comes_before_the_weights() {
    let cell = WeightsCell { positions: true, ..WeightsCell::default() };
    let mut harness = harness(Page::new("whale"), move |view, page| {
        view.set_max_width(300.0);
        ui(view, &cell, "w", page);
    });
    harness.run();
    let sum = harness.get_by_label("Σw").rect();
    let weight = harness.get_all_by_label("weight").next().unwrap().rect();
    assert!(sum.right() < 300.0 && sum.right() < weight.right(), "{sum}");
}
