use super::*;
use crate::cells::testing::{Page, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn shown(page: Page, cell: VertexCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "v", page));
    harness.run();
    harness
}

fn bent() -> Page {
    let mut page = Page::new("bone_grid");
    for name in ["b0", "b1", "b2"] {
        page.document.state.params.insert(name.to_owned(), 0.8);
    }
    page
}

#[test]
fn the_copies_of_v2_are_added_up_as_on_paper() {
    let cell = VertexCell { vertex: Some(2), ..VertexCell::default() };
    let harness = shown(bent(), cell);
    // reference/bone_grid.json, all angles 0.8
    harness.get_by_label("0.50 · M₀ p = 0.50 · ( 0.676,  2.131) = ( 0.338,  1.066)");
    let sum = harness.get_by_label_contains("Σw = 1.00");
    assert!(sum.value().is_some_and(|sum| sum.ends_with("v2′ = ( 1.261,  1.486)")));
}

#[test]
fn a_sum_that_is_not_1_says_what_it_does() {
    let mut page = bent();
    page.document.state.vertex = 2;
    page.document.state.weights.insert(2, [0.8, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
    let harness = shown(page, VertexCell::default());
    harness.get_by_label_contains("Σw = 1.30 ");
    let words = harness.query_all_by_label_contains("The weights add up to 1.30, not 1");
    assert!(words.count() > 0);
}

#[test]
fn before_blending_the_single_matrix_is_named_and_no_sum_is_shown() {
    let mut page = bent();
    page.document.state.vertex = 6;
    page.document.state.stage = SkinStage::Posed;
    page.document.state.through = Some(JointIndex(2));
    let harness = shown(page, VertexCell::default());
    let words = harness.query_all_by_label_contains("world ← bind of joint 2");
    assert!(words.count() > 0);
    assert!(harness.query_by_label_contains("Σw").is_none());
}

#[test]
fn rows_of_the_product_carry_the_value_they_add_up_to() {
    let matrix = Mat4::from_translation(Vec3::new(1.0, -2.0, 0.0));
    let mut format =
        CoordinateFormat { coordinates: 2, stored: 3, put: 3, chars: 6, font: 14.0, lines: 1 };
    let (terms, value) = row_of_product(&matrix, Vec3::new(0.25, 2.0, 0.0), 1, format);
    assert_eq!(terms, "y = 0.000·0.250 + 1.000·2.000 + (−2.000)·1 = ");
    assert_eq!(value, "0.000");
    assert_eq!(joint_subscript(JointIndex(120)), "₁₂₀");
    format.put = 5;
    let tiny = Mat4::from_scale(Vec3::splat(1e-3)) * matrix;
    let (terms, value) = row_of_product(&tiny, Vec3::new(0.25, 2.5, 0.0), 1, format);
    let expected = "y = 0.00000·0.250 + 0.00100·2.500 + (−0.00200)·1 = ";
    assert_eq!((terms.as_str(), value.as_str()), (expected, "0.00050"));
}

#[test]
fn the_stepper_chooses_the_next_vertex() {
    let mut harness = shown(bent(), VertexCell::default());
    harness.get_by_label("next vertex").click();
    harness.run();
    assert_eq!(harness.state().document.state.vertex, 1);
}
