use super::*;
use crate::cells::testing::{Page, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn shown(rig: &str, cell: IndicesCell) -> Harness<'static, Page> {
    let mut harness = harness(Page::new(rig), move |view, page| ui(view, &cell, "i", page));
    harness.run();
    harness
}

#[test]
fn numbers_lead_by_the_list_to_nodes() {
    let cell = IndicesCell { vertex: Some(6), misread: true };
    let mut harness = shown("simple_skin", cell);
    harness.get_by_label("lane 1: joint number 1, weight 0.75");
    harness.get_by_label("place 1: node 2");
    harness.get_by_label("node 2: joint 1");
    harness.get_by_label("node 0: carries the mesh");
    harness.get_by_label("place 1: node 2").click();
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
}

#[test]
fn a_long_list_shows_what_the_vertex_names() {
    let cell = IndicesCell { vertex: Some(1342), misread: false };
    let harness = shown("whale", cell);
    let places = harness.query_all_by_label_contains("place ");
    assert_eq!(places.count(), 4);
    let lanes = harness.query_all_by_label_contains("joint number");
    assert_eq!(lanes.count(), 4);
}
