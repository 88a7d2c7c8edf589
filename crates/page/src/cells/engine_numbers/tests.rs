//! Numbers pasted into the cell, examples, and the comparison in the background.

use bindpose_lesson::{CellKind, FaultName};
use bindpose_notebook::faults::FaultSwitch;
use bindpose_notebook::test_sample::lesson_on;
use bindpose_skin::JointIndex;
use eframe::egui::accesskit::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

use super::matching::START_COUNT;
use super::*;
use crate::cells::testing::{Page, harness};

const EDITOR: &str = "Paste a 4 × 4, a palette or positions";

fn show_cell(rig: &str, params: &[(&str, f64)]) -> Harness<'static, Page> {
    let lesson = lesson_on(rig, "```engine-numbers it\n```");
    let Some(CellKind::EngineNumbers(cell)) = lesson.cells().next().map(|cell| cell.kind.clone())
    else {
        panic!("a cell for numbers");
    };
    let mut page = Page::new(rig).with_params(params);
    page.document.lesson.clone_from(&lesson.slug);
    page.lesson(lesson);
    let mut harness = harness(page, move |view, page| ui(view, &cell, "it", page));
    harness.run();
    harness
}

fn show_posed_grid() -> Harness<'static, Page> {
    show_cell("bone_grid", &[("b0", 0.2), ("b1", 0.5), ("b2", -0.3)])
}

/// Runs until the background comparison has ended and its selection is applied.
fn settle(harness: &mut Harness<'static, Page>) {
    harness.run_steps(8);
}

fn paste(harness: &mut Harness<'static, Page>, text: &str) {
    harness.get_by_label(EDITOR).focus();
    settle(harness);
    harness.get_by_label(EDITOR).type_text(text);
    settle(harness);
}

fn press(harness: &mut Harness<'static, Page>, name: &str) {
    harness.get_by_role_and_label(Role::Button, name).click();
    settle(harness);
}

#[test]
fn pasted_matrix_is_identified_and_its_joint_can_be_selected() {
    let mut harness = show_posed_grid();
    let ours = harness.state().derived().palette[2].transpose();
    let rows = [0, 1, 2, 3].map(|row| {
        let [a, b, c, d] = ours.row(row).to_array();
        format!("{a} {b} {c} {d}\n")
    });
    paste(&mut harness, &rows.concat());
    harness.get_by_label("Not equal to ours");
    harness.get_by_label_contains("It is the joint matrix of joint 2, transposed.");
    // The result selected its joint.
    assert_eq!(harness.state().document.state.joint, JointIndex(2));
    harness.state_mut().document.state.joint = JointIndex(0);
    settle(&mut harness);
    press(&mut harness, "joint 2");
    assert_eq!(harness.state().document.state.joint, JointIndex(2));
    let table_count = harness.get_all_by_role(Role::Table).count();
    assert_eq!(table_count, 2, "theirs and ours");

    // It does not match any matrix of another pose.
    harness.state_mut().document.state.params.insert("b2".to_owned(), 1.0);
    settle(&mut harness);
    harness.get_by_label_contains("The nearest is that of joint");
    press(&mut harness, "Clear the numbers");
    assert!(harness.state().document.state.texts.is_empty());
    assert!(harness.query_by_label("Not equal to ours").is_none());
}

#[test]
fn examples_are_computed_from_pose_and_identified() {
    let mut harness = show_posed_grid();
    harness.state_mut().document.state.joint = JointIndex(1);
    settle(&mut harness);
    press(&mut harness, "one matrix, transposed");
    harness.get_by_label_contains("joint 1, transposed");
    press(&mut harness, "two joints swapped");
    harness.get_by_label_contains("1 is that of 2, 2 is that of 1");
    press(&mut harness, "inverse bind missing");
    harness
        .get_by_label_contains("They are the world matrices: the inverse bind matrix is missing");
    let fault = FaultName::from_id("inverse-bind-left-out").expect("known");
    let switch = FaultSwitch::new(fault);
    let name = format!("Switch on “{}”", fault.title);
    assert!(!switch.is_on(&harness.state().document.state));
    press(&mut harness, &name);
    assert!(switch.is_on(&harness.state().document.state));
    harness.get_by_label("Equal to ours");
}

#[test]
fn positions_in_file_select_first_vertex_that_differs() {
    let mut harness = show_posed_grid();
    press(&mut harness, "positions with a fault");
    let state = &harness.state().document.state;
    assert_eq!(&*state.given_files["it"].name, "skinned.npy");
    harness.get_by_label("skinned.npy · 10 positions");
    harness.get_by_label_contains("differ, first v");
    harness.get_by_label_contains("gives exactly these");
    let ours = harness.state().derived().positions().to_vec();
    let given = given_positions(harness.state());
    let first_difference = given.iter().zip(&ours).position(|(a, b)| a.distance(*b) > 1e-3);
    let selected = harness.state().document.state.vertex as usize;
    assert_eq!(Some(selected), first_difference);
    assert!(harness.query_by_label(EDITOR).is_none());
    press(&mut harness, "Clear the numbers");
    harness.get_by_label(EDITOR);
    press(&mut harness, "Open a file…");
    assert!(harness.state().view.files.opens_file);
}

fn given_positions(page: &Page) -> Vec<glam::Vec3> {
    match page.document.state.given_files["it"].numbers.as_deref() {
        Ok(EngineNumbers::Positions(positions)) => positions.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn parse_error_has_line_and_column() {
    let mut harness = show_posed_grid();
    paste(&mut harness, "1 0 0 0\n0 1 0 0\n0 0 x 0\n0 0 0 1");
    harness.get_by_label_contains("found `x` in line 3, column 5");
    assert!(harness.query_by_label("Not equal to ours").is_none());
    let clear = harness.get_by_role_and_label(Role::Button, "Clear the numbers");
    assert!(!clear.accesskit_node().is_disabled());
    press(&mut harness, "one matrix, transposed");
    harness.get_by_label("Not equal to ours");
}

#[test]
fn unchanged_page_is_not_compared_again() {
    let mut harness = show_posed_grid();
    press(&mut harness, "inverse bind missing");
    settle(&mut harness);
    let edit_count = harness.state().edits.len();
    let start_count = START_COUNT.get();
    assert!(start_count > 0);
    harness.step();
    harness.step();
    assert_eq!(harness.state().edits.len(), edit_count);
    assert_eq!(START_COUNT.get(), start_count);
    // The selection changes no number.
    harness.state_mut().document.state.vertex = 3;
    settle(&mut harness);
    assert_eq!(START_COUNT.get(), start_count);
    harness.state_mut().document.state.params.insert("b2".to_owned(), 1.0);
    settle(&mut harness);
    assert_eq!(START_COUNT.get(), start_count + 1);
    assert_eq!(harness.run_ok(), Some(1), "no further frame is requested");
}

#[test]
fn moving_page_is_compared_again_when_last_comparison_ends() {
    let given = Arc::new(EngineNumbers::Positions(vec![glam::Vec3::ZERO; 3]));
    let matching = std::cell::RefCell::new(Matching::default());
    // Comparing this model takes far longer than a frame.
    let mut page = Page::new("whale");
    page.view.pictures.waits_for_work = false;
    let mut harness = harness(page, move |ui, page| {
        matching.borrow_mut().update(Some(&given), false, ui.ctx(), page);
        let is_running = matching.borrow().is_running();
        ui.label(if is_running { "under way" } else { "done" });
    });
    let count_before = START_COUNT.get();
    let mut frames = 0;
    let mut waiting_frames = 0;
    while waiting_frames < 20 && frames < 100_000 {
        frames += 1;
        let params = &mut harness.state_mut().document.state.params;
        params.insert("jaw".to_owned(), 1e-3 * f64::from(frames));
        let frame_start_count = START_COUNT.get();
        harness.step();
        let started_in_frame = START_COUNT.get() - frame_start_count;
        assert!(started_in_frame <= 1);
        if started_in_frame == 0 {
            waiting_frames += 1;
            harness.get_by_label("under way");
        }
    }
    let started = START_COUNT.get() - count_before;
    assert!(waiting_frames == 20, "in {frames} frames, {started} comparisons");
    // When the page stops moving, the last result is up to date.
    while harness.query_by_label("done").is_none() {
        harness.step();
    }
    let start_count = START_COUNT.get();
    harness.step();
    assert_eq!(START_COUNT.get(), start_count);
}

#[test]
fn numbers_from_link_do_not_change_selected_joint() {
    let mut harness = show_posed_grid();
    let ours = harness.state().derived().palette[2].transpose();
    let rows = [0, 1, 2, 3].map(|row| format!("{:?}", ours.row(row).to_array()));
    let text = bindpose_notebook::CellText { text: rows.join(",").into(), program: None };
    let state = &mut harness.state_mut().document.state;
    state.texts.insert("it".to_owned(), text);
    state.joint = JointIndex(1);
    settle(&mut harness);
    harness.get_by_label_contains("It is the joint matrix of joint 2, transposed.");
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    assert!(harness.state().edits.is_empty());
}

#[test]
fn comparison_uses_matrices_of_current_stage() {
    let mut harness = show_posed_grid();
    let ours = harness.state().derived().palette[1];
    harness.state_mut().document.state.stage = bindpose_skin::SkinStage::Joint;
    harness.state_mut().document.state.joint = JointIndex(1);
    settle(&mut harness);
    let rows = [0, 1, 2, 3].map(|row| format!("{:?}", ours.row(row).to_array()));
    paste(&mut harness, &rows.join(","));
    harness.get_by_label("Not equal to ours");
    harness.get_by_label_contains("This page moves vertices by others");
    harness.state_mut().document.state.stage = bindpose_skin::SkinStage::Blended;
    settle(&mut harness);
    harness.get_by_label("Equal to ours");
}
