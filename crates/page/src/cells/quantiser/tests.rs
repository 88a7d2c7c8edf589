use bindpose_lesson::QuantiserCell;
use bindpose_notebook::InfluencesEdit;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::ui;
use crate::cells::testing::{Page, harness};

fn shown(weights: [f32; 8]) -> Harness<'static, Page> {
    let mut page = Page::new("bone_grid");
    page.document.state.vertex = 2;
    let edit = InfluencesEdit::from(weights);
    page.document.state.weights.insert(2, edit);
    let mut harness = harness(page, |view, page| {
        ui(view, &QuantiserCell::default(), "quantiser", page);
    });
    harness.run();
    harness
}

#[test]
fn halves_are_one_byte_too_many_until_the_sum_is_kept() {
    let mut harness = shown([0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    harness.get_by_label("256 ≠ 255");
    harness.get_by_label("127");
    harness.get_by_label_contains("vertices have another sum than 255");
    harness.get_by_label("shorts: c / 65535").click();
    harness.run();
    harness.get_by_label("65536 ≠ 65535");
    harness.get_by_label("32767");
    assert!(harness.query_by_label("256 ≠ 255").is_none());
}

#[test]
fn a_vertex_without_weights_says_so() {
    let harness = shown([0.0; 8]);
    harness.get_by_label_contains("No joint has a weight on v2");
}
