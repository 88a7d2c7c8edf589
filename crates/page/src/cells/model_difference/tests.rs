//! The cell with built-in models as model B.

use std::collections::BTreeSet;

use bindpose_lesson::{ComparedModel, Rewriting};
use bindpose_notebook::Navigation;
use bindpose_skin::JointIndex;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::Key;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::*;
use crate::cells::testing::{Page, harness};

fn show_cell(rig: &str, model_b: ComparedModel) -> Harness<'static, Page> {
    let mut page = Page::new(rig);
    page.document.state.model_b = model_b;
    let mut harness = harness(page, |view, page| {
        ui(view, &ModelDifferenceCell::default(), "it", page);
    });
    settle(&mut harness);
    harness
}

/// Runs until the background comparison has ended.
fn settle(harness: &mut Harness<'_, Page>) {
    harness.run_steps(8);
}

fn rewritten(changes: &[Rewriting]) -> ComparedModel {
    ComparedModel::Written(changes.iter().copied().collect::<BTreeSet<_>>())
}

#[test]
fn same_model_is_reported_as_equal_until_it_is_rewritten() {
    let mut harness = show_cell("arm", ComparedModel::default());
    harness.get_by_label_contains("They are the same");
    harness.get_by_role_and_label(Role::Button, "in centimetres").click();
    settle(&mut harness);
    let state = &harness.state().document.state;
    assert_eq!(state.model_b, rewritten(&[Rewriting::Centimetres]));
    harness.get_by_label_contains("a hundred times as large");
    assert!(harness.query_by_label_contains("They are the same").is_none());
}

#[test]
fn row_selects_its_joint_and_shows_its_matrices() {
    let mut harness = show_cell("whale", rewritten(&[Rewriting::NoEndJoints]));
    harness.get_by_label_contains("Only A has");
    let rows = harness
        .query_all_by_role(Role::ListBoxOption)
        .map(|row| row.accesskit_node().label().unwrap_or_default())
        .collect::<Vec<_>>();
    assert!(rows[0].contains("only in A"), "{rows:?}");
    let pair = rows.iter().find(|row| row.contains("paired by name")).expect("a visible pair");
    harness.get_by_label(pair).click();
    settle(&mut harness);
    let name = pair.split(':').next().unwrap_or_default();
    let rig = bindpose_rigs::builtin("whale").unwrap();
    let joint = rig.skeleton.find(name).expect("a joint");
    assert_eq!(harness.state().document.state.joint, joint);
    harness.get_by_label_contains(&format!("“{name}”, joint"));
    harness.get_by_label("world at rest").click();
    settle(&mut harness);
    let matrix_count = harness.query_all_by_role(Role::Table).count();
    assert!(matrix_count >= 2, "{matrix_count}");
}

#[test]
fn arrow_keys_move_selection_between_rows() {
    let mut harness = show_cell("arm", rewritten(&[Rewriting::OtherNames]));
    let first = harness.query_all_by_role(Role::ListBoxOption).next();
    first.expect("a row").click();
    settle(&mut harness);
    assert_eq!(harness.state().document.state.joint, JointIndex(0));
    harness.press(Key::ArrowDown);
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    harness.press(Key::ArrowUp);
    assert_eq!(harness.state().document.state.joint, JointIndex(0));
}

#[test]
fn model_b_that_is_not_open_can_be_opened() {
    let mut harness = show_cell("arm", ComparedModel::Opened);
    harness.get_by_label_contains("Model B is not open here");
    harness.get_by_label("Open model B…").click();
    settle(&mut harness);
    let requests = &harness.state().navigation;
    assert!(requests.contains(&Navigation::OpenModelB), "{requests:?}");
}

#[test]
fn unrelated_models_are_compared() {
    let harness = show_cell("bone_grid", ComparedModel::BuiltIn("whale".to_owned()));
    harness.get_by_label_contains("Only A has");
    harness.get_by_label_contains("B has no partner of joint 0");
}
