//! Matrices as tables, products, differences and formulas.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{DataEdit, JointRef, MatrixRef, Setting};
use bindpose_notebook::test_sample::lesson_on;
use bindpose_notebook::{Edit, EditTarget};
use bindpose_rigs::builtin;
use bindpose_skin::{InverseBind, JointIndex, Skeleton};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{OutputCommand, accesskit::Role as NodeRole};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};
use glam::Mat4;

use super::*;
use crate::cells::testing::{Page, harness, scaled_rig};

pub(super) fn joint(index: u16) -> JointRef {
    JointRef::Named(JointIndex(index).into())
}

pub(super) fn show_cell(page: Page, cell: MatrixCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "m", page));
    harness.run();
    harness
}

pub(super) fn inverse_bind() -> MatrixCell {
    MatrixCell { show: vec![MatrixRef::JointFromBind(joint(1))], ..MatrixCell::default() }
}

/// Returns the accessible texts of a matrix by row. Headings are prefixed by their role. Asserts
/// that each cell has its row and column index.
pub(super) fn table_texts(harness: &Harness<'_, Page>, name: &str) -> Vec<Vec<String>> {
    let table = harness.get_by_role_and_label(NodeRole::Table, name);
    let table_node = table.accesskit_node();
    assert_eq!(table_node.data().row_count(), Some(5));
    assert_eq!(table_node.data().column_count(), Some(5));
    let mut rows = Vec::new();
    for (row, line) in table.children().enumerate() {
        assert_eq!(line.accesskit_node().role(), NodeRole::Row);
        let mut texts = Vec::new();
        for (column, cell) in line.children().enumerate() {
            let cell_node = cell.accesskit_node();
            assert_eq!(cell_node.data().row_index(), Some(row));
            assert_eq!(cell_node.data().column_index(), Some(column));
            texts.push(cell_text(&cell));
        }
        rows.push(texts);
    }
    rows
}

fn cell_text(cell: &egui_kittest::Node<'_>) -> String {
    let node = cell.accesskit_node();
    let label = node.label().unwrap_or_default();
    match node.role() {
        NodeRole::Cell => {
            let numbers: Vec<String> = cell
                .children()
                .map(|number| {
                    let number = number.accesskit_node();
                    format!("{:?} {}", number.role(), number.value().unwrap_or_default())
                })
                .collect();
            label + &numbers.join(" ")
        }
        heading => format!("{heading:?} {label}"),
    }
}

#[test]
fn editable_matrix_is_a_table_of_spin_buttons() {
    let harness = show_cell(Page::new("bone_grid"), inverse_bind());
    let rows = table_texts(&harness, "joint 1 from bind");
    let zero = "SpinButton 0.000";
    let one = "SpinButton 1.000";
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0][0], "");
    assert_eq!(rows[0][4], "ColumnHeader origin goes to");
    assert_eq!(rows[1], ["RowHeader x", one, zero, zero, "SpinButton −4.000"]);
    assert_eq!(rows[4], ["RowHeader w", zero, zero, zero, one]);
}

#[test]
fn arrow_key_edits_focused_element_of_inverse_bind_matrix() {
    let mut harness = show_cell(Page::new("bone_grid"), inverse_bind());
    harness.get_by_label("joint 1 from bind, row 1, column 4").focus();
    harness.run();
    harness.press(eframe::egui::Key::ArrowUp);
    let Some(Edit::InverseBindCell { joint, row, column, value }) = harness.state().edits.last()
    else {
        panic!("{:?}", harness.state().edits);
    };
    assert_eq!((joint.0, *row, *column), (1, 0, 3));
    assert!((value + 3.99).abs() < 1e-6, "{value}");
}

/// Returns the inverse bind matrix of joint 1 that the last edit sets.
fn last_inverse_bind(harness: &Harness<'_, Page>) -> Mat4 {
    let edits = &harness.state().edits;
    if let Some(Edit::Settings(settings)) = edits.last()
        && let [Setting::Data(DataEdit::InverseBind(joint, elements))] = &settings[..]
    {
        assert_eq!(*joint, JointIndex(1).into());
        return Mat4::from_cols_array(elements);
    }
    panic!("{edits:?}");
}

#[test]
fn buttons_set_identity_inverse_at_rest_and_stored_matrix() {
    let mut harness = show_cell(Page::new("bone_grid"), inverse_bind());
    harness.click_label("identity");
    assert_eq!(last_inverse_bind(&harness), Mat4::IDENTITY);
    harness.click_label("from bind");
    let expected = Mat4::from_translation(glam::Vec3::new(-4.0, 0.0, 0.0));
    assert!(last_inverse_bind(&harness).abs_diff_eq(expected, 1e-6));
    assert!(harness.state().document.state.inverse_binds.is_empty(), "as stored");
    harness.click_label("identity");
    harness.click_label("reset");
    assert_eq!(
        harness.state().edits.last(),
        Some(&Edit::Reset(EditTarget::InverseBind(Some(JointIndex(1)))))
    );
}

#[test]
fn left_out_inverse_bind_is_shown_as_identity_with_note() {
    let mut page = Page::new("bone_grid");
    page.document.state.inverse_bind = InverseBind::LeftOut;
    let mut harness = show_cell(page, inverse_bind());
    harness.get_by_label("left out: identity");
    assert!(harness.query_by_role(NodeRole::SpinButton).is_none(), "not to be edited");
    let rows = table_texts(&harness, "joint 1 from bind");
    assert_eq!(rows[1], ["RowHeader x", "1.000", "0.000", "0.000", "0.000"]);
    harness.click_label("edit");
    assert!(harness.query_by_label("left out: identity").is_none());
    assert!(harness.query_all_by_role(NodeRole::SpinButton).count() > 0);
}

#[test]
fn menu_copies_matrix() {
    let mut harness = show_cell(Page::new("bone_grid"), inverse_bind());
    harness.click_label("copy joint 1 from bind");
    harness.get_by_label_contains("Copy as GLSL").click();
    harness.step();
    let copied = harness
        .output()
        .platform_output
        .commands
        .iter()
        .find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
        .expect("copied");
    assert!(copied.starts_with("mat4(\n    1.0, 0.0, 0.0, 0.0,"), "{copied}");
    assert!(copied.ends_with("-4.0, 0.0, 0.0, 1.0\n)"), "{copied}");
}

#[test]
fn product_in_wrong_order_is_computed_with_broken_seam() {
    let cell = MatrixCell {
        show: vec![MatrixRef::JointFromBind(joint(1)), MatrixRef::WorldFromJoint(joint(1))],
        product: true,
        ..MatrixCell::default()
    };
    let page = Page::new("bone_grid").with_params(&[("b1", 1.0)]);
    let harness = show_cell(page, cell);
    let seam = harness.query_all_by_label_contains("The left factor starts from bind");
    assert!(seam.count() > 0);
    let rows = table_texts(&harness, "joint 1 from joint 1");
    assert_eq!(rows[1][1..3], ["0.540", "−0.841"]);
}

#[test]
fn sent_matrix_that_is_not_the_product_follows_an_unequal_sign() {
    let page = Page::new("bone_grid").with_params(&[("b1", 1.0)]);
    let words = "This moves the vertices, but isn’t the product of the two before it.";
    let right = show_cell(page, product_of_joint_1());
    assert!(right.query_by_label(words).is_none());
    let mut page = Page::new("bone_grid").with_params(&[("b1", 1.0)]);
    page.document.state.faults = [bindpose_lesson::SkinningFault::OrderSwapped].into();
    let wrong = show_cell(page, product_of_joint_1());
    wrong.get_by_label(words);
    let rows = table_texts(&wrong, "world from bind");
    assert_eq!(rows[1][1..], ["0.540", "−0.841", "0.000", "0.000"]);
}

#[test]
fn product_is_nan_if_mesh_node_has_no_inverse() {
    let mut page = Page::new("simple_skin");
    let state = &mut page.document.state;
    state.mesh_node = bindpose_skin::MeshNodeUse::TakenOut;
    state.params.insert("node_size".to_owned(), 0.0);
    let cell = MatrixCell {
        show: vec![
            MatrixRef::WorldFromMeshNode,
            MatrixRef::MeshNodeFromBind(joint(1)),
            MatrixRef::WorldFromBind(joint(1)),
        ],
        product: true,
        ..MatrixCell::default()
    };
    let harness = show_cell(page, cell);
    let rows = table_texts(&harness, "world from bind");
    assert_eq!(rows[1][1..], ["NaN"; 4]);
    assert!(harness.query_by_label_contains("Not the product").is_none());
}

/// The world matrix of joint 1, its inverse bind matrix, and their product.
pub(super) fn product_of_joint_1() -> MatrixCell {
    MatrixCell {
        show: vec![
            MatrixRef::WorldFromJoint(joint(1)),
            MatrixRef::JointFromBind(joint(1)),
            MatrixRef::WorldFromBind(joint(1)),
        ],
        product: true,
        ..MatrixCell::default()
    }
}

#[test]
fn product_fits_in_one_row_of_560_points_with_all_digits() {
    let cell = product_of_joint_1();
    let page = Page::new("head").with_params(&[("nod", 0.5)]);
    let mut harness = harness(page, move |view, page| {
        view.set_max_width(560.0);
        ui(view, &cell, "m", page);
    });
    harness.run();
    let tops: Vec<f32> = ["world from joint 1", "joint 1 from bind", "world from bind"]
        .iter()
        .map(|name| harness.get_by_role_and_label(NodeRole::Table, name))
        .map(|table| table.rect().top())
        .collect();
    assert!(tops.iter().all(|top| *top == tops[0]), "{tops:?}");
    let number = harness.get_by_label("joint 1 from bind, row 2, column 4");
    assert_eq!(number.value().as_deref(), Some("−2.000"));
}

#[test]
fn frames_of_parent_and_child_meet() {
    let cell = MatrixCell {
        show: vec![
            MatrixRef::WorldFromJoint(joint(0)),
            MatrixRef::ParentFromJoint(joint(1)),
            MatrixRef::WorldFromJoint(joint(1)),
        ],
        product: true,
        ..MatrixCell::default()
    };
    let harness = show_cell(Page::new("bone_grid"), cell);
    assert!(harness.query_by_label_contains("The left factor").is_none());
    harness.get_by_role_and_label(NodeRole::Table, "joint 0 from joint 1");
}

#[test]
fn largest_difference_is_shown_with_its_element() {
    let cell = MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::WorldFromJoint(joint(2))],
        difference: true,
        ..MatrixCell::default()
    };
    let harness = show_cell(Page::new("bone_grid"), cell);
    harness.get_by_label("max |A − B| = 4.000 in row 1, column 4");
}

#[test]
fn tolerance_of_difference_scales_with_model() {
    for (scale, expected) in [
        (1e-3, "max |A − B| = 0.00400 in row 1, column 4"),
        (1e4, "max |A − B| = 40000 in row 1, column 4"),
    ] {
        for (other_joint, label) in [(2, expected), (1, "A and B are equal.")] {
            let cell = MatrixCell {
                show: vec![
                    MatrixRef::WorldFromJoint(joint(1)),
                    MatrixRef::WorldFromJoint(joint(other_joint)),
                ],
                difference: true,
                ..MatrixCell::default()
            };
            show_cell(Page::with_rig(scaled_rig("bone_grid", scale)), cell).get_by_label(label);
        }
    }
}

#[test]
fn digits_of_numbers_scale_with_model() {
    for (scale, factor, product) in [
        (1e-3, "0.00100 0.00000 0.00000 0.00400", "0.00100 0.00000 0.00000 0.00000"),
        (1e4, "10000 0 0 40000", "10000 0 0 0"),
    ] {
        let page = Page::with_rig(scaled_rig("bone_grid", scale));
        let harness = show_cell(page, product_of_joint_1());
        let factor_rows = table_texts(&harness, "world from joint 1");
        assert_eq!(factor_rows[1][1..].join(" "), factor);
        let product_rows = table_texts(&harness, "world from bind");
        assert_eq!(product_rows[1][1..].join(" "), product);
        // The inverse bind matrix does not contain the scale of the root.
        let number = harness.get_by_label("joint 1 from bind, row 1, column 4");
        assert_eq!(number.value().as_deref(), Some("−4.000"));
    }
}

#[test]
fn arrow_key_steps_last_visible_digit() {
    // The inverse bind matrix of a file with vertices in kilometres.
    let rig = builtin("bone_grid").expect("built in");
    let mut joints = rig.skeleton.joints().to_vec();
    joints[1].joint_from_bind = Mat4::from_scale(glam::Vec3::splat(1e-3));
    let rig = Rig { skeleton: Skeleton::new(joints).expect("as before"), ..(*rig).clone() };
    let mut harness = show_cell(Page::with_rig(Arc::new(rig)), inverse_bind());
    let cell = harness.get_by_label("joint 1 from bind, row 1, column 1");
    assert_eq!(cell.value().as_deref(), Some("0.00100"));
    cell.focus();
    harness.run();
    harness.press(eframe::egui::Key::ArrowUp);
    let Some(Edit::InverseBindCell { value, .. }) = harness.state().edits.last() else {
        panic!("{:?}", harness.state().edits);
    };
    assert!((value - 0.001_01).abs() < 1e-8, "{value}");
}

#[test]
fn matrix_can_refer_to_joint_by_name() {
    let cell = MatrixCell {
        show: vec![MatrixRef::try_from("joint_from_bind('tail_1')".to_owned()).unwrap()],
        ..MatrixCell::default()
    };
    let harness = show_cell(Page::new("whale"), cell.clone());
    harness.get_by_label("joint 8 from bind, row 1, column 4");
    let harness = show_cell(Page::new("bone_grid"), cell);
    harness.get_by_label_contains("There is no joint “tail_1” here");
}

#[test]
fn missing_joint_is_reported_without_a_matrix() {
    let cell =
        MatrixCell { show: vec![MatrixRef::WorldFromBind(joint(9))], ..MatrixCell::default() };
    let harness = show_cell(Page::new("bone_grid"), cell);
    harness.get_by_label("There is no joint 9 here; they are numbered 0 to 2.");
    let number_count = harness.query_all_by_role(NodeRole::SpinButton).count();
    assert_eq!(number_count, 0, "no matrix");
}

#[test]
fn pointing_at_element_of_product_shows_its_sum() {
    let cell = MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::JointFromBind(joint(1))],
        product: true,
        ..MatrixCell::default()
    };
    let page = Page::new("head").with_params(&[("nod", 34_f64.to_radians())]);
    let mut harness = show_cell(page, cell);
    let grid = harness.get_by_role_and_label(NodeRole::Table, "world from bind").rect();
    // The headings are above the four rows. Points at the second row, at the far right.
    let row_height = (grid.height() - 22.0) / 4.0;
    harness.hover_at(grid.right_top() + eframe::egui::vec2(-20.0, 20.0 + 1.5 * row_height));
    harness.run();
    harness.get_by_label("0.559·0.000 + 0.829·(−2.000) + 0.000·0.000 + 2.000·1.000 = 0.342");
}

#[test]
fn columns_are_apart_and_row_fits_its_width() {
    let cell = MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::JointFromBind(joint(1))],
        product: true,
        ..MatrixCell::default()
    };
    for max_width in [588.0, 640.0, 900.0] {
        let cell = cell.clone();
        let mut harness = harness(Page::new("head"), move |view, page| {
            view.set_max_width(max_width);
            ui(view, &cell, "m", page);
        });
        harness.run();
        let numbers = [1, 2, 3, 4].map(|column| {
            let label = format!("joint 1 from bind, row 1, column {column}");
            harness.get_by_label(&label).rect()
        });
        for pair in numbers.windows(2) {
            let gap = pair[1].left() - pair[0].right();
            assert!(gap >= 3.0, "{gap} in {max_width}: {numbers:?}");
        }
        let first = harness.get_by_role_and_label(NodeRole::Table, "world from joint 1").rect();
        let last = harness.get_by_role_and_label(NodeRole::Table, "world from bind").rect();
        let width = last.right() - first.left();
        assert!(width <= max_width + 0.5, "{width} in {max_width}");
        assert_eq!(first.top(), last.top(), "one row in {max_width}");
    }
}

fn show_formula(source: &str) -> Harness<'static, Page> {
    let mut page = Page::new("bone_grid");
    page.lesson(lesson_on("bone_grid", &format!("```matrix m\nexpr = \"{source}\"\n```")));
    let cell = MatrixCell {
        expr: Some(bindpose_lesson::Expr::parse(source).unwrap()),
        ..MatrixCell::default()
    };
    show_cell(page, cell)
}

#[test]
fn formula_is_evaluated_with_frames_and_can_be_rewritten() {
    let mut harness = show_formula("world(b1) * inverse(bind(b1))");
    assert_eq!(
        table_texts(&harness, "world from bind")[1][1..],
        ["1.000", "0.000", "0.000", "0.000"]
    );
    harness.replace_text("Formula", "translate(1, 2, 0) * skinned(v2)");
    let texts = &harness.state().document.state.texts;
    assert_eq!(&*texts["m"].text, "translate(1, 2, 0) * skinned(v2)");
    harness.get_by_label("world");
    harness.get_by_label("a point");
    assert!(harness.query_by_role(NodeRole::Table).is_none());
    harness.click_role(NodeRole::Button, "Put back");
    assert!(harness.state().document.state.texts.is_empty());
    table_texts(&harness, "world from bind");
}

#[test]
fn error_in_formula_has_its_column_and_keeps_last_value() {
    let mut harness = show_formula("inverse_bind(b1)");
    harness.replace_text("Formula", "inverse(scale(0))");
    harness.get_by_label_contains("Column 1: This matrix has no inverse");
    harness.get_by_label("What it was before the mistake:");
    assert_eq!(table_texts(&harness, "joint 1 from bind")[1][4], "−4.000");
    harness.replace_text("Formula", "inverse_bind(b1) * world(b1)");
    harness.get_by_label_contains("Column 18: The left factor starts from bind");
    assert_eq!(table_texts(&harness, "joint 1 from joint 1").len(), 5);
}
