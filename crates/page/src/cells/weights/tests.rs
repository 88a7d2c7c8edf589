use bindpose_lesson::Setting;

use super::*;
use crate::cells::testing::{Page, harness};
use bindpose_testkit::ReaderActions as _;
use egui_kittest::{Harness, kittest::Queryable};

fn weights_harness(rig: &str, cell: WeightsCell) -> Harness<'static, Page> {
    let mut harness = harness(Page::new(rig), move |ui, page| super::ui(ui, &cell, "w", page));
    harness.run();
    harness
}

#[test]
fn dragging_a_weight_edits_its_lane_and_marks_the_sum() {
    let mut harness = weights_harness("bone_grid", WeightsCell::default());
    let start = harness.get_by_label("weight of joint 1 on v2").rect().center();
    harness.drag_at(start);
    harness.run();
    harness.hover_at(start + vec2(20.0, 0.0));
    harness.run();
    harness.drop_at(start + vec2(20.0, 0.0));
    harness.run();
    let Some(&Edit::Weight { vertex: 2, lane: 1, weight }) = harness.state().edits.last() else {
        panic!("{:?}", harness.state().edits);
    };
    assert!(weight > 0.55 && weight < 0.75, "{weight}");
    harness.get_by_label(&format!("{} ≠ 1", number_text::fixed(f64::from(weight) + 0.5, 2)));
}

#[test]
fn normalising_and_resetting_restore_the_sum() {
    let mut harness = weights_harness("bone_grid", WeightsCell::default());
    harness.click_label("choose vertex 2");
    assert_eq!(harness.state().edits, [Edit::set(Setting::Vertex(2))]);
    harness.get_by_label("weight of joint 1 on v2").set_value_accesskit(1.0);
    harness.run();
    harness.get_by_label("1.50 ≠ 1");
    harness.click_label("normalise v2");
    assert_eq!(harness.state().edits.last(), Some(&Edit::NormalizeWeights(Some(2))));
    assert!(harness.query_by_label("1.50 ≠ 1").is_none());
    harness.click_label("reset");
    assert!(harness.state().document.state.weights.is_empty());
}

#[test]
fn table_shows_lanes_in_use_and_listed_vertices_only() {
    let cell = WeightsCell { vertices: vec![2, 3, 999], positions: true, ..WeightsCell::default() };
    let harness = weights_harness("bone_grid", cell);
    let weights = harness.query_all_by_label_contains("weight of joint").count();
    assert_eq!(weights, 4, "two vertices, two lanes");
}

#[test]
fn long_table_draws_visible_rows_and_scrolls_to_the_chosen_vertex() {
    let mut harness = weights_harness("arm", WeightsCell::default());
    let vertex_count = harness.state().vertex_count();
    assert!(vertex_count > 100, "{vertex_count}");
    let last = vertex_count - 1;
    let row_count = harness.query_all_by_label_contains("choose vertex").count();
    assert!(row_count < 30, "{row_count}");
    harness.state_mut().document.state.vertex = last;
    harness.run();
    harness.get_by_label(&format!("choose vertex {last}"));
}

#[test]
fn sum_precedes_the_weights_in_a_narrow_table() {
    let cell = WeightsCell { positions: true, ..WeightsCell::default() };
    let mut harness = harness(Page::new("whale"), move |ui, page| {
        ui.set_max_width(300.0);
        super::ui(ui, &cell, "w", page);
    });
    harness.run();
    let sum = harness.get_by_label("Σw").rect();
    let weight = harness.get_all_by_label("weight").next().unwrap().rect();
    assert!(sum.right() < 300.0 && sum.right() < weight.right(), "{sum}");
}
