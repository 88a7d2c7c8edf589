//! Matrices for row vectors, in other axes, and in memory order.

use bindpose_notebook::Edit;
use bindpose_skin::{ConventionAxes, MemoryOrder, Vectors};
use eframe::egui::{Key, Pos2, Rect, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::tests::{inverse_bind, joint, product_of_joint_1, show_cell, table_texts};
use super::*;
use crate::cells::testing::Page;

fn page_with_vectors(vectors: Vectors) -> Page {
    let mut page = Page::new("bone_grid");
    page.document.state.written_as.vectors = Some(vectors);
    page
}

#[test]
fn origin_of_row_vectors_is_last_row_and_edits_are_transposed() {
    let mut harness = show_cell(page_with_vectors(Vectors::Rows), inverse_bind());
    let rows = table_texts(&harness, "joint 1 from bind");
    assert_eq!(rows[0][1..], ["x", "y", "z", "w"].map(|name| format!("ColumnHeader {name}")));
    assert_eq!(rows[4][0], "RowHeader origin goes to");
    assert_eq!(rows[4][1], "SpinButton −4.000");
    harness.get_by_label("joint 1 from bind, row 4, column 1").focus();
    harness.run();
    harness.key_press(Key::ArrowUp);
    harness.run();
    let Some(Edit::InverseBindCell { row, column, value, .. }) = harness.state().edits.last()
    else {
        panic!("{:?}", harness.state().edits);
    };
    assert_eq!((*row, *column), (0, 3));
    assert!((value + 3.99).abs() < 1e-6, "{value}");
}

#[test]
fn product_for_row_vectors_is_reversed() {
    let [world, inverse_bind, product] = left_edges(Vectors::Columns);
    assert!(world < inverse_bind && inverse_bind < product);
    let [world, inverse_bind, product] = left_edges(Vectors::Rows);
    assert!(inverse_bind < world && world < product);
}

fn left_edges(vectors: Vectors) -> [f32; 3] {
    let harness = show_cell(page_with_vectors(vectors), product_of_joint_1());
    ["world from joint 1", "joint 1 from bind", "world from bind"].map(|name| {
        let grid = harness.get_by_role_and_label(Role::Table, name);
        grid.rect().left()
    })
}

#[test]
fn sum_for_row_vectors_has_reversed_factors() {
    // Points at the x of the translation: at the far right of the first row, or at the left of
    // the last one.
    let columns =
        hovered_sum(Vectors::Columns, |grid| grid.right_top() + eframe::egui::vec2(-20.0, 30.0));
    let rows =
        hovered_sum(Vectors::Rows, |grid| grid.left_bottom() + eframe::egui::vec2(56.0, -14.0));
    let (column_terms, column_sum) = columns.rsplit_once(" = ").unwrap();
    let (row_terms, row_sum) = rows.rsplit_once(" = ").unwrap();
    assert_eq!(column_sum, row_sum, "{columns} | {rows}");
    let reversed_terms: Vec<String> = column_terms
        .split(" + ")
        .map(|term| {
            let (a, b) = term.split_once('·').unwrap();
            format!("{b}·{a}")
        })
        .collect();
    assert_eq!(reversed_terms.join(" + "), row_terms);
}

/// Returns the line below the matrices while the pointer is at this place of the product's grid.
fn hovered_sum(vectors: Vectors, place: fn(Rect) -> Pos2) -> String {
    let page = page_with_vectors(vectors).with_params(&[("b1", 0.5)]);
    let mut harness = show_cell(page, product_of_joint_1());
    let grid = harness.get_by_role_and_label(Role::Table, "world from bind").rect();
    harness.hover_at(place(grid));
    harness.run();
    let sum = harness.get_by_label_contains(" + ");
    let node = sum.accesskit_node();
    node.label().or(node.value()).unwrap_or_default()
}

#[test]
fn matrices_in_other_axes_are_converted_and_read_only() {
    let mut page = page_with_vectors(Vectors::Columns);
    page.document.state.written_as.axes = Some(ConventionAxes::ZUpLeftCm);
    let harness = show_cell(page, inverse_bind());
    let rows = table_texts(&harness, "joint 1 from bind");
    assert!(rows[1][4].contains("−400"), "{rows:?}");
    assert!(!rows[1][4].contains("SpinButton"));
    harness.get_by_label_contains("to be edited with y up, right-handed");
}

#[test]
fn memory_strip_has_each_number_at_its_index() {
    let cell = MatrixCell {
        show: vec![bindpose_lesson::MatrixRef::WorldFromJoint(joint(1))],
        memory: true,
        ..MatrixCell::default()
    };
    let mut page = page_with_vectors(Vectors::Columns);
    let harness = show_cell(page, cell.clone());
    harness.get_by_label("place 12 in memory: 4.00");
    page = page_with_vectors(Vectors::Columns);
    page.document.state.written_as.memory = Some(MemoryOrder::Rows);
    let harness = show_cell(page, cell.clone());
    harness.get_by_label("place 3 in memory: 4.00");
    page = page_with_vectors(Vectors::Rows);
    page.document.state.written_as.memory = Some(MemoryOrder::Rows);
    let harness = show_cell(page, cell);
    harness.get_by_label("place 12 in memory: 4.00");
}
