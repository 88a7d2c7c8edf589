use super::*;
use crate::cells::testing::{Page, harness};
use bindpose_testkit::ReaderActions as _;
use egui_kittest::{Harness, kittest::Queryable};

fn vertex_harness(page: Page, cell: VertexCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |ui, page| super::ui(ui, &cell, "v", page));
    harness.run();
    harness
}

fn bent_grid() -> Page {
    Page::new("bone_grid").with_params(&[("b0", 0.8), ("b1", 0.8), ("b2", 0.8)])
}

#[test]
fn weighted_sum_of_a_vertex_is_written_out() {
    let cell = VertexCell { vertex: Some(2), ..VertexCell::default() };
    let harness = vertex_harness(bent_grid(), cell);
    // reference/bone_grid.json, all angles 0.8
    harness.get_by_label("0.50 · M₀ p = 0.50 · ( 0.676,  2.131) = ( 0.338,  1.066)");
    let sum = harness.get_by_label_contains("Σw = 1.00");
    assert!(sum.value().is_some_and(|sum| sum.ends_with("v2′ = ( 1.261,  1.486)")));
}

#[test]
fn skin_matrix_of_a_vertex_is_written_as_a_sum() {
    let cell = VertexCell { vertex: Some(2), matrices: true, ..VertexCell::default() };
    let harness = vertex_harness(bent_grid(), cell);
    for label in ["weight of joint 0: 0.50", "weight of joint 1: 0.50"] {
        harness.get_by_label(label);
    }
    for table in ["joint matrix of joint 0", "joint matrix of joint 1", "skin matrix"] {
        harness.get_by_label(table);
    }
    // reference/bone_grid.json, all angles 0.8
    let sum = harness.get_by_label_contains("Σw = 1.00");
    assert!(sum.value().is_some_and(|sum| sum.ends_with("v2′ = S p = ( 1.261,  1.486)")));
}

#[test]
fn sum_other_than_1_is_explained() {
    let mut page = bent_grid();
    page.document.state.vertex = 2;
    page.document.state.weights.insert(2, [0.8, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
    let harness = vertex_harness(page, VertexCell::default());
    harness.get_by_label_contains("Σw = 1.30 ");
    let explanations = harness.query_all_by_label_contains("The weights add up to 1.30, not 1");
    assert!(explanations.count() > 0);
}

#[test]
fn stage_before_blending_shows_a_single_matrix_and_no_sum() {
    let mut page = bent_grid();
    page.document.state.vertex = 6;
    page.document.state.stage = SkinStage::Posed;
    page.document.state.through = Some(JointIndex(2));
    let harness = vertex_harness(page, VertexCell::default());
    let explanations = harness.query_all_by_label_contains("world ← bind of joint 2");
    assert!(explanations.count() > 0);
    assert!(harness.query_by_label_contains("Σw").is_none());
}

#[test]
fn row_of_product_has_terms_and_value() {
    let matrix = Mat4::from_translation(Vec3::new(1.0, -2.0, 0.0));
    let mut format = CoordinateFormat {
        axis_count: 2,
        stored_decimals: 3,
        moved_decimals: 3,
        char_count: 6,
        font_size: 14.0,
        line_count: 1,
    };
    let (terms, value) = row_of_product(&matrix, Vec3::new(0.25, 2.0, 0.0), 1, format);
    assert_eq!(terms, "y = 0.000·0.250 + 1.000·2.000 + (−2.000)·1 = ");
    assert_eq!(value, "0.000");
    assert_eq!(joint_subscript(JointIndex(120)), "₁₂₀");
    format.moved_decimals = 5;
    let scaled = Mat4::from_scale(Vec3::splat(1e-3)) * matrix;
    let (terms, value) = row_of_product(&scaled, Vec3::new(0.25, 2.5, 0.0), 1, format);
    let expected = "y = 0.00000·0.250 + 0.00100·2.500 + (−0.00200)·1 = ";
    assert_eq!((terms.as_str(), value.as_str()), (expected, "0.00050"));
}

#[test]
fn next_vertex_button_chooses_the_next_vertex() {
    let mut harness = vertex_harness(bent_grid(), VertexCell::default());
    harness.click_label("next vertex");
    assert_eq!(harness.state().document.state.vertex, 1);
}
