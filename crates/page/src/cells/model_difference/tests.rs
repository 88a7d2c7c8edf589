use std::collections::BTreeSet;

use bindpose_lesson::{ComparedModel, Rewriting};
use bindpose_notebook::Navigation;
use bindpose_skin::JointIndex;
use eframe::egui::Key;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::*;
use crate::cells::testing::{Page, harness};

fn cell_on(rig: &str, model_b: ComparedModel) -> Harness<'static, Page> {
    let mut page = Page::new(rig);
    page.document.state.model_b = model_b;
    let mut harness = harness(page, |view, page| {
        ui(view, &ModelDifferenceCell::default(), "it", page);
    });
    settle(&mut harness);
    harness
}

/// The comparison is worked out beside the page, and asks for a frame.
fn settle(harness: &mut Harness<'_, Page>) {
    harness.run_steps(8);
}

fn written(list: &[Rewriting]) -> ComparedModel {
    ComparedModel::Written(list.iter().copied().collect::<BTreeSet<_>>())
}

#[test]
fn the_same_model_is_said_to_be_the_same_and_a_switch_makes_it_another() {
    let mut harness = cell_on("arm", ComparedModel::default());
    harness.get_by_label_contains("They are the same");
    harness.get_by_role_and_label(Role::Button, "in centimetres").click();
    settle(&mut harness);
    let state = &harness.state().document.state;
    assert_eq!(state.model_b, written(&[Rewriting::Centimetres]));
    harness.get_by_label_contains("a hundred times as large");
    assert!(harness.query_by_label_contains("They are the same").is_none());
}

#[test]
fn a_row_chooses_its_joint_and_shows_its_matrices_side_by_side() {
    let mut harness = cell_on("whale", written(&[Rewriting::NoEndJoints]));
    harness.get_by_label_contains("Only A has");
    let rows = harness
        .query_all_by_role(Role::ListBoxOption)
        .map(|row| row.accesskit_node().label().unwrap_or_default())
        .collect::<Vec<_>>();
    assert!(rows[0].contains("only in A"), "{rows:?}");
    let pair = rows.iter().find(|row| row.contains("paired by name")).cloned();
    let pair = pair.expect("a pair in sight");
    harness.get_by_label(&pair).click();
    settle(&mut harness);
    let name = pair.split(':').next().unwrap_or_default();
    let rig = bindpose_asset::builtin("whale").unwrap();
    let chosen = rig.skeleton.find(name).expect("a joint");
    assert_eq!(harness.state().document.state.joint, chosen);
    harness.get_by_label_contains(&format!("“{name}”, joint"));
    harness.get_by_label("world at rest").click();
    settle(&mut harness);
    let matrices = harness.query_all_by_role(Role::Table).count();
    assert!(matrices >= 2, "{matrices}");
}

#[test]
fn the_arrow_keys_lead_from_row_to_row() {
    let mut harness = cell_on("arm", written(&[Rewriting::OtherNames]));
    let first = harness.query_all_by_role(Role::ListBoxOption).next();
    first.expect("a row").click();
    settle(&mut harness);
    assert_eq!(harness.state().document.state.joint, JointIndex(0));
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(0));
}

#[test]
fn a_file_that_is_not_open_is_asked_for() {
    let mut harness = cell_on("arm", ComparedModel::Opened);
    harness.get_by_label_contains("Model B is not open here");
    harness.get_by_label("Open model B…").click();
    settle(&mut harness);
    let asked = &harness.state().navigation;
    assert!(asked.contains(&Navigation::OpenModelB), "{asked:?}");
}

#[test]
fn a_model_with_nothing_in_common_is_compared_too() {
    let harness = cell_on("bone_grid", ComparedModel::BuiltIn("whale".to_owned()));
    harness.get_by_label_contains("Only A has");
    harness.get_by_label_contains("B has no partner of joint 0");
}
