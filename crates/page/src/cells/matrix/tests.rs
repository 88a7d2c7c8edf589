use std::sync::Arc;

use bindpose_asset::{Rig, builtin};
use bindpose_lesson::{DataEdit, JointRef, MatrixRef};
use bindpose_notebook::Edit;
use bindpose_skin::InverseBind;
use bindpose_skin::{JointIndex, Skeleton};

use super::*;
use glam::Mat4;

use crate::cells::testing::{Page, harness, scaled};
use eframe::egui::{OutputCommand, accesskit::Role as NodeRole};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

pub(super) fn joint(index: u16) -> JointRef {
    JointRef::Named(JointIndex(index).into())
}

pub(super) fn shown(page: Page, cell: MatrixCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "m", page));
    harness.run();
    harness
}

pub(super) fn inverse_bind() -> MatrixCell {
    MatrixCell { show: vec![MatrixRef::JointFromBind(joint(1))], ..MatrixCell::default() }
}

/// What its cells say, row by row: heads by their role, and each where it says.
pub(super) fn table(harness: &Harness<'_, Page>, name: &str) -> Vec<Vec<String>> {
    let table = harness.get_by_role_and_label(NodeRole::Table, name);
    let size = table.accesskit_node();
    let size = (size.data().row_count(), size.data().column_count());
    assert_eq!(size, (Some(5), Some(5)));
    let words = |cell: &egui_kittest::Node<'_>| {
        let label = cell.accesskit_node().label().unwrap_or_default();
        let numbers = cell.children().map(|number| {
            let number = number.accesskit_node();
            format!("{:?} {}", number.role(), number.value().unwrap_or_default())
        });
        let numbers: Vec<_> = numbers.collect();
        match cell.accesskit_node().role() {
            NodeRole::Cell => label + &numbers.join(" "),
            head => format!("{head:?} {label}"),
        }
    };
    let mut rows = Vec::new();
    for (row, line) in table.children().enumerate() {
        assert_eq!(line.accesskit_node().role(), NodeRole::Row);
        let cells: Vec<_> = line.children().collect();
        for (column, cell) in cells.iter().enumerate() {
            let data = cell.accesskit_node();
            let place = (data.data().row_index(), data.data().column_index());
            assert_eq!(place, (Some(row), Some(column)));
        }
        rows.push(cells.iter().map(words).collect());
    }
    rows
}

#[test]
fn a_matrix_is_a_table_whose_cells_are_numbers_to_be_set_where_it_can_be_edited() {
    let harness = shown(Page::new("bone_grid"), inverse_bind());
    let rows = table(&harness, "joint 1 from bind");
    let number = |text: &str| format!("SpinButton {text}");
    let [zero, one] = ["0.000", "1.000"].map(number);
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0][0], "");
    assert_eq!(rows[0][4], "ColumnHeader origin goes to");
    assert_eq!(rows[1], ["RowHeader x", &one, &zero, &zero, &number("−4.000")]);
    assert_eq!(rows[4], ["RowHeader w", &zero, &zero, &zero, &one]);
}

#[test]
fn an_arrow_key_on_a_cell_of_the_inverse_bind_matrix_edits_that_cell() {
    let mut harness = shown(Page::new("bone_grid"), inverse_bind());
    harness.get_by_label("joint 1 from bind, row 1, column 4").focus();
    harness.run();
    harness.key_press(eframe::egui::Key::ArrowUp);
    harness.run();
    let Some(Edit::InverseBindCell { joint, row, column, value }) = harness.state().edits.last()
    else {
        panic!("{:?}", harness.state().edits);
    };
    assert_eq!((joint.0, *row, *column), (1, 0, 3));
    assert!((value + 3.99).abs() < 1e-6, "{value}");
}

#[test]
fn the_buttons_put_the_identity_the_inverse_at_rest_and_the_stored_matrix() {
    let mut harness = shown(Page::new("bone_grid"), inverse_bind());
    let matrix = |edit: Option<&Edit>| match edit {
        Some(Edit::Data(DataEdit::InverseBind(joint, cells))) => {
            assert_eq!(*joint, JointIndex(1).into());
            Mat4::from_cols_array(cells)
        }
        other => panic!("{other:?}"),
    };
    harness.get_by_label("identity").click();
    harness.run();
    assert_eq!(matrix(harness.state().edits.last()), Mat4::IDENTITY);
    harness.get_by_label("from bind").click();
    harness.run();
    let expected = Mat4::from_translation(glam::Vec3::new(-4.0, 0.0, 0.0));
    assert!(matrix(harness.state().edits.last()).abs_diff_eq(expected, 1e-6));
    assert!(harness.state().document.state.inverse_binds.is_empty(), "as stored");
    harness.get_by_label("identity").click();
    harness.run();
    harness.get_by_label("reset").click();
    harness.run();
    assert_eq!(harness.state().edits.last(), Some(&Edit::ResetInverseBind(Some(JointIndex(1)))));
}

#[test]
fn when_the_inverse_bind_is_left_out_the_matrix_in_use_is_shown_and_said() {
    let mut page = Page::new("bone_grid");
    page.document.state.inverse_bind = InverseBind::LeftOut;
    let mut harness = shown(page, inverse_bind());
    harness.get_by_label("left out: identity");
    assert!(harness.query_by_role(NodeRole::SpinButton).is_none(), "not to be edited");
    let rows = table(&harness, "joint 1 from bind");
    assert_eq!(rows[1], ["RowHeader x", "1.000", "0.000", "0.000", "0.000"]);
    harness.get_by_label("edit").click();
    harness.run();
    assert!(harness.query_by_label("left out: identity").is_none());
    assert!(harness.query_all_by_role(NodeRole::SpinButton).count() > 0);
}

#[test]
fn the_menu_copies_the_matrix() {
    let mut harness = shown(Page::new("bone_grid"), inverse_bind());
    harness.get_by_label("copy joint 1 from bind").click();
    harness.run();
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
fn a_product_in_the_wrong_order_is_computed_and_its_seam_is_named() {
    let cell = MatrixCell {
        show: vec![MatrixRef::JointFromBind(joint(1)), MatrixRef::WorldFromJoint(joint(1))],
        product: true,
        ..MatrixCell::default()
    };
    let mut page = Page::new("bone_grid");
    page.document.state.params.insert("b1".to_owned(), 1.0);
    let harness = shown(page, cell);
    let seam = harness.query_all_by_label_contains("The left factor starts from bind");
    assert!(seam.count() > 0);
    let rows = table(&harness, "joint 1 from joint 1");
    assert_eq!(rows[1][1..3], ["0.540", "−0.841"]);
}

#[test]
fn what_is_sent_and_is_not_the_product_stands_behind_an_unequal_sign() {
    let mut page = Page::new("bone_grid");
    page.document.state.params.insert("b1".to_owned(), 1.0);
    let words = "Not the product of the two before it, but what moves vertices.";
    let right = shown(page, product_of_joint_1());
    assert!(right.query_by_label(words).is_none());
    let mut page = Page::new("bone_grid");
    page.document.state.params.insert("b1".to_owned(), 1.0);
    page.document.state.faults = [bindpose_lesson::SkinningFault::OrderSwapped].into();
    let wrong = shown(page, product_of_joint_1());
    wrong.get_by_label(words);
    let rows = table(&wrong, "world from bind");
    assert_eq!(rows[1][1..], ["0.540", "−0.841", "0.000", "0.000"]);
}

#[test]
fn a_node_without_an_inverse_leaves_no_number_in_the_product() {
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
    let harness = shown(page, cell);
    let rows = table(&harness, "world from bind");
    assert_eq!(rows[1][1..], ["NaN"; 4]);
    assert!(harness.query_by_label_contains("Not the product").is_none());
}

/// Joint 1 in the world, its inverse bind, and their product.
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
fn three_matrices_of_a_product_stand_side_by_side_with_all_digits_at_560_points() {
    let cell = product_of_joint_1();
    let mut page = Page::new("head");
    page.document.state.params.insert("nod".to_owned(), 0.5);
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
fn parents_meet_their_children_down_the_hierarchy() {
    let cell = MatrixCell {
        show: vec![
            MatrixRef::WorldFromJoint(joint(0)),
            MatrixRef::ParentFromJoint(joint(1)),
            MatrixRef::WorldFromJoint(joint(1)),
        ],
        product: true,
        ..MatrixCell::default()
    };
    let harness = shown(Page::new("bone_grid"), cell);
    assert!(harness.query_by_label_contains("The left factor").is_none());
    harness.get_by_role_and_label(NodeRole::Table, "joint 0 from joint 1");
}

#[test]
fn a_difference_says_how_large_it_is_and_where() {
    let cell = MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::WorldFromJoint(joint(2))],
        difference: true,
        ..MatrixCell::default()
    };
    let harness = shown(Page::new("bone_grid"), cell);
    harness.get_by_label("max |A − B| = 4.000 in row 1, column 4");
}

#[test]
fn a_difference_is_judged_by_the_size_of_the_model() {
    let cell = |other| MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::WorldFromJoint(joint(other))],
        difference: true,
        ..MatrixCell::default()
    };
    for (by, words) in [
        (1e-3, "max |A − B| = 0.00400 in row 1, column 4"),
        (1e4, "max |A − B| = 40000 in row 1, column 4"),
    ] {
        let page = || Page::with_rig(scaled("bone_grid", by));
        shown(page(), cell(2)).get_by_label(words);
        shown(page(), cell(1)).get_by_label("A and B are equal.");
    }
}

#[test]
fn numbers_of_a_scaled_model_have_the_digits_they_need() {
    for (by, factor, product) in [
        (1e-3, "0.00100 0.00000 0.00000 0.00400", "0.00100 0.00000 0.00000 0.00000"),
        (1e4, "10000 0 0 40000", "10000 0 0 0"),
    ] {
        let cell = product_of_joint_1();
        let harness = shown(Page::with_rig(scaled("bone_grid", by)), cell);
        let first_row = |name| table(&harness, name)[1][1..].join(" ");
        assert_eq!(first_row("world from joint 1"), factor);
        assert_eq!(first_row("world from bind"), product);
        // The root's scale is not in it.
        let number = harness.get_by_label("joint 1 from bind, row 1, column 4");
        assert_eq!(number.value().as_deref(), Some("−4.000"));
    }
}

#[test]
fn an_arrow_key_steps_the_last_digit_that_is_shown() {
    // As of a file whose vertices are given in kilometres.
    let rig = builtin("bone_grid").expect("built in");
    let mut joints = rig.skeleton.joints().to_vec();
    joints[1].joint_from_bind = Mat4::from_scale(glam::Vec3::splat(1e-3));
    let rig = Rig { skeleton: Skeleton::new(joints).expect("as before"), ..(*rig).clone() };
    let mut harness = shown(Page::with_rig(Arc::new(rig)), inverse_bind());
    let cell = harness.get_by_label("joint 1 from bind, row 1, column 1");
    assert_eq!(cell.value().as_deref(), Some("0.00100"));
    cell.focus();
    harness.run();
    harness.key_press(eframe::egui::Key::ArrowUp);
    harness.run();
    let Some(Edit::InverseBindCell { value, .. }) = harness.state().edits.last() else {
        panic!("{:?}", harness.state().edits);
    };
    assert!((value - 0.001_01).abs() < 1e-8, "{value}");
}

#[test]
fn a_matrix_may_name_its_joint() {
    let cell = MatrixCell {
        show: vec![MatrixRef::try_from("joint_from_bind('tail_1')".to_owned()).unwrap()],
        ..MatrixCell::default()
    };
    let harness = shown(Page::new("whale"), cell.clone());
    harness.get_by_label("joint 8 from bind, row 1, column 4");
    let harness = shown(Page::new("bone_grid"), cell);
    harness.get_by_label_contains("There is no joint “tail_1” here");
}

#[test]
fn a_joint_that_is_not_there_is_said_in_words() {
    let cell =
        MatrixCell { show: vec![MatrixRef::WorldFromBind(joint(9))], ..MatrixCell::default() };
    let harness = shown(Page::new("bone_grid"), cell);
    harness.get_by_label("There is no joint 9 here; they are numbered 0 to 2.");
    let cells = harness.query_all_by_role(NodeRole::SpinButton).count();
    assert_eq!(cells, 0, "no matrix stands there");
}

#[test]
fn pointing_at_a_number_of_the_product_shows_its_sum() {
    let cell = MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::JointFromBind(joint(1))],
        product: true,
        ..MatrixCell::default()
    };
    let mut page = Page::new("head");
    page.document.state.params.insert("nod".to_owned(), 34_f64.to_radians());
    let mut harness = shown(page, cell);
    let grid = harness.get_by_role_and_label(NodeRole::Table, "world from bind");
    let grid = grid.rect();
    // The headings stand above the four rows; the second, at the far right.
    let row = (grid.height() - 22.0) / 4.0;
    harness.hover_at(grid.right_top() + eframe::egui::vec2(-20.0, 20.0 + 1.5 * row));
    harness.run();
    harness.get_by_label("0.559·0.000 + 0.829·(−2.000) + 0.000·0.000 + 2.000·1.000 = 0.342");
}

#[test]
fn numbers_of_neighbouring_columns_stand_apart_and_the_row_keeps_to_its_room() {
    let cell = MatrixCell {
        show: vec![MatrixRef::WorldFromJoint(joint(1)), MatrixRef::JointFromBind(joint(1))],
        product: true,
        ..MatrixCell::default()
    };
    for room in [588.0, 640.0, 900.0] {
        let cell = cell.clone();
        let mut harness = harness(Page::new("head"), move |view, page| {
            view.set_max_width(room);
            ui(view, &cell, "m", page);
        });
        harness.run();
        let number = |column: u8| {
            let label = format!("joint 1 from bind, row 1, column {column}");
            harness.get_by_label(&label).rect()
        };
        for column in 1..4 {
            let gap = number(column + 1).left() - number(column).right();
            assert!(gap >= 3.0, "{gap} after column {column} in {room}");
        }
        let table = |name: &str| harness.get_by_role_and_label(NodeRole::Table, name).rect();
        let (left, product) = (table("world from joint 1"), table("world from bind"));
        let wide = product.right() - left.left();
        assert!(wide <= room + 0.5, "{wide} in {room}");
        assert_eq!(left.top(), product.top(), "one row in {room}");
    }
}

fn written(source: &str) -> Harness<'static, Page> {
    let mut page = Page::new("bone_grid");
    let text = format!(
        "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n```matrix m\nexpr = \"{source}\"\n```\n"
    );
    let set = bindpose_lesson::LessonSet::from_memory(&[("10-one", &text, "notes")], "");
    page.put_lesson(set.lessons[0].clone());
    let cell = MatrixCell {
        expr: Some(bindpose_lesson::Expr::parse(source).unwrap()),
        ..MatrixCell::default()
    };
    shown(page, cell)
}

fn retype(harness: &mut Harness<'_, Page>, text: &str) {
    harness.get_by_label("Formula").focus();
    harness.run();
    harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::A);
    harness.run();
    harness.get_by_label("Formula").type_text(text);
    harness.run();
}

#[test]
fn a_formula_gives_its_matrix_with_frames_and_readers_rewrite_it() {
    let mut harness = written("world(b1) * inverse(bind(b1))");
    assert_eq!(table(&harness, "world from bind")[1][1..], ["1.000", "0.000", "0.000", "0.000"]);
    retype(&mut harness, "translate(1, 2, 0) * skinned(v2)");
    let texts = &harness.state().document.state.texts;
    assert_eq!(&*texts["m"].text, "translate(1, 2, 0) * skinned(v2)");
    harness.get_by_label("world");
    harness.get_by_label("a point");
    assert!(harness.query_by_role(NodeRole::Table).is_none());
    harness.get_by_role_and_label(NodeRole::Button, "Put back").click();
    harness.run();
    assert!(harness.state().document.state.texts.is_empty());
    table(&harness, "world from bind");
}

#[test]
fn a_mistake_in_a_formula_is_told_at_its_column_and_the_last_value_stays() {
    let mut harness = written("inverse_bind(b1)");
    retype(&mut harness, "inverse(scale(0))");
    harness.get_by_label_contains("Column 1: This matrix has no inverse");
    harness.get_by_label("What it was before the mistake:");
    assert_eq!(table(&harness, "joint 1 from bind")[1][4], "−4.000");
    retype(&mut harness, "inverse_bind(b1) * world(b1)");
    harness.get_by_label_contains("Column 18: The left factor starts from bind");
    assert_eq!(table(&harness, "joint 1 from joint 1").len(), 5);
}
