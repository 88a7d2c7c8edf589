//! Matrices written for row vectors, in other axes, and as they lie in memory.

use bindpose_notebook::Edit;
use bindpose_skin::{ConventionAxes, MemoryOrder, Vectors};
use eframe::egui::{Key, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::tests::{inverse_bind, joint, product_of_joint_1, shown, table};
use super::*;
use crate::cells::testing::Page;

fn written(vectors: Vectors) -> Page {
    let mut page = Page::new("bone_grid");
    page.document.state.written_as.vectors = Some(vectors);
    page
}

#[test]
fn for_row_vectors_the_origin_is_the_last_row_and_edits_go_where_they_belong() {
    let mut harness = shown(written(Vectors::Rows), inverse_bind());
    let rows = table(&harness, "joint 1 from bind");
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
fn for_row_vectors_a_product_is_read_from_the_left() {
    let left = |vectors| {
        let harness = shown(written(vectors), product_of_joint_1());
        ["world from joint 1", "joint 1 from bind", "world from bind"].map(|name| {
            let grid = harness.get_by_role_and_label(Role::Table, name);
            grid.rect().left()
        })
    };
    let [world, inverse_bind, product] = left(Vectors::Columns);
    assert!(world < inverse_bind && inverse_bind < product);
    let [world, inverse_bind, product] = left(Vectors::Rows);
    assert!(inverse_bind < world && world < product);
}

#[test]
fn the_sum_behind_a_number_has_its_factors_in_the_order_of_the_page() {
    let sum = |vectors, corner: fn(eframe::egui::Rect) -> eframe::egui::Pos2| {
        let mut page = written(vectors);
        page.document.state.params.insert("b1".to_owned(), 0.5);
        let mut harness = shown(page, product_of_joint_1());
        let grid = harness.get_by_role_and_label(Role::Table, "world from bind");
        let at = corner(grid.rect());
        harness.hover_at(at);
        harness.run();
        let found = harness.get_by_label_contains(" + ");
        let node = found.accesskit_node();
        node.label().or(node.value()).unwrap_or_default()
    };
    // The x of the translation: in the first row at the far right, or below at the left.
    let columns = sum(Vectors::Columns, |rect| rect.right_top() + eframe::egui::vec2(-20.0, 30.0));
    let rows = sum(Vectors::Rows, |rect| rect.left_bottom() + eframe::egui::vec2(56.0, -14.0));
    let value = |words: &str| words.rsplit(" = ").next().unwrap().to_owned();
    assert_eq!(value(&columns), value(&rows), "{columns} | {rows}");
    let turned: Vec<String> = columns
        .rsplit_once(" = ")
        .unwrap()
        .0
        .split(" + ")
        .map(|term| {
            let (a, b) = term.split_once('·').unwrap();
            format!("{b}·{a}")
        })
        .collect();
    assert_eq!(turned.join(" + "), rows.rsplit_once(" = ").unwrap().0);
}

#[test]
fn in_other_axes_numbers_are_other_ones_and_are_only_read() {
    let mut page = written(Vectors::Columns);
    page.document.state.written_as.axes = Some(ConventionAxes::ZUpLeftCm);
    let harness = shown(page, inverse_bind());
    let rows = table(&harness, "joint 1 from bind");
    assert!(rows[1][4].contains("−400"), "{rows:?}");
    assert!(!rows[1][4].contains("SpinButton"));
    harness.get_by_label_contains("to be edited with y up, right-handed");
}

#[test]
fn the_strip_has_each_number_at_its_place() {
    let cell = MatrixCell {
        show: vec![bindpose_lesson::MatrixRef::WorldFromJoint(joint(1))],
        memory: true,
        ..MatrixCell::default()
    };
    let mut page = written(Vectors::Columns);
    let harness = shown(page, cell.clone());
    harness.get_by_label("place 12 in memory: 4.00");
    page = written(Vectors::Columns);
    page.document.state.written_as.memory = Some(MemoryOrder::Rows);
    let harness = shown(page, cell.clone());
    harness.get_by_label("place 3 in memory: 4.00");
    page = written(Vectors::Rows);
    page.document.state.written_as.memory = Some(MemoryOrder::Rows);
    let harness = shown(page, cell);
    harness.get_by_label("place 12 in memory: 4.00");
}
