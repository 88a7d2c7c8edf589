use bindpose_lesson::{CellKind, FaultName, parse_lesson};
use bindpose_notebook::Derived;
use bindpose_notebook::faults::FaultSwitch;
use bindpose_skin::JointIndex;
use eframe::egui::accesskit::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

use super::matching::BEGUN;
use super::*;
use crate::cells::testing::{Page, harness};

const EDITOR: &str = "Paste a 4 × 4, a palette or positions";

fn shown(rig: &str, params: &[(&str, f64)]) -> Harness<'static, Page> {
    let text = format!(
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"{rig}\"\n+++\n## S\n\n```engine-numbers it\n```\n"
    );
    let lesson = parse_lesson("20-t", &text, "");
    assert_eq!(lesson.findings, []);
    let Some(CellKind::EngineNumbers(cell)) = lesson.cells().next().map(|cell| cell.kind.clone())
    else {
        panic!("a cell for numbers");
    };
    let mut page = Page::new(rig);
    page.document.lesson.clone_from(&lesson.slug);
    for (name, value) in params {
        page.document.state.params.insert((*name).to_owned(), *value);
    }
    page.put_lesson(lesson);
    let mut harness = harness(page, move |view, page| ui(view, &cell, "it", page));
    harness.run();
    harness
}

fn grid() -> Harness<'static, Page> {
    shown("bone_grid", &[("b0", 0.2), ("b1", 0.5), ("b2", -0.3)])
}

fn derived(page: &Page) -> Derived {
    let influences = Derived::edited_influences(&page.document, &page.rig);
    Derived::new(&page.document, Some(&page.lesson), &page.rig, influences)
}

/// What is found comes from another thread, and chooses something then.
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
fn a_pasted_matrix_is_named_and_its_joint_can_be_chosen() {
    let mut harness = grid();
    let ours = derived(harness.state()).palette[2].transpose();
    let rows = [0, 1, 2, 3].map(|row| {
        let [a, b, c, d] = ours.row(row).to_array();
        format!("{a} {b} {c} {d}\n")
    });
    paste(&mut harness, &rows.concat());
    harness.get_by_label("Not equal to ours");
    harness.get_by_label_contains("It is the joint matrix of joint 2, transposed.");
    // It was chosen as it was found.
    assert_eq!(harness.state().document.state.joint, JointIndex(2));
    harness.state_mut().document.state.joint = JointIndex(0);
    settle(&mut harness);
    press(&mut harness, "joint 2");
    assert_eq!(harness.state().document.state.joint, JointIndex(2));
    let tables = harness.get_all_by_role(Role::Table).count();
    assert_eq!(tables, 2, "theirs and ours");

    // In another pose it is another matrix.
    harness.state_mut().document.state.params.insert("b2".to_owned(), 1.0);
    settle(&mut harness);
    harness.get_by_label_contains("The nearest is that of joint");
    press(&mut harness, "Clear the numbers");
    assert!(harness.state().document.state.texts.is_empty());
    assert!(harness.query_by_label("Not equal to ours").is_none());
}

#[test]
fn examples_are_worked_out_from_the_pose_and_named() {
    let mut harness = grid();
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
fn places_come_as_a_file_and_the_first_that_differs_is_chosen() {
    let mut harness = grid();
    press(&mut harness, "positions with a fault");
    let state = &harness.state().document.state;
    assert_eq!(&*state.given_files["it"].name, "skinned.npy");
    harness.get_by_label("skinned.npy · 10 positions");
    harness.get_by_label_contains("differ, first v");
    harness.get_by_label_contains("gives exactly these");
    let first = derived(harness.state()).positions().to_vec();
    let given = read_numbers_of(harness.state());
    let first = given.iter().zip(&first).position(|(a, b)| a.distance(*b) > 1e-3);
    let chosen = harness.state().document.state.vertex as usize;
    assert_eq!(Some(chosen), first);
    assert!(harness.query_by_label(EDITOR).is_none());
    press(&mut harness, "Clear the numbers");
    harness.get_by_label(EDITOR);
    press(&mut harness, "Open a file…");
    assert!(harness.state().view.files.asked);
}

fn read_numbers_of(page: &Page) -> Vec<glam::Vec3> {
    match page.document.state.given_files["it"].numbers.as_deref() {
        Ok(EngineNumbers::Positions(places)) => places.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_be_read_is_told_at_its_line() {
    let mut harness = grid();
    paste(&mut harness, "1 0 0 0\n0 1 0 0\n0 0 x 0\n0 0 0 1");
    harness.get_by_label_contains("found `x` in line 3, column 5");
    assert!(harness.query_by_label("Not equal to ours").is_none());
    let clear = harness.get_by_role_and_label(Role::Button, "Clear the numbers");
    assert!(!clear.accesskit_node().is_disabled());
    press(&mut harness, "one matrix, transposed");
    harness.get_by_label("Not equal to ours");
}

#[test]
fn what_stands_still_is_not_worked_out_again() {
    let mut harness = grid();
    press(&mut harness, "inverse bind missing");
    settle(&mut harness);
    let (edits, begun) = (harness.state().edits.len(), BEGUN.get());
    assert!(begun > 0);
    harness.step();
    harness.step();
    assert_eq!(harness.state().edits.len(), edits);
    assert_eq!(BEGUN.get(), begun);
    // What changes no number begins nothing either.
    harness.state_mut().document.state.vertex = 3;
    settle(&mut harness);
    assert_eq!(BEGUN.get(), begun);
    harness.state_mut().document.state.params.insert("b2".to_owned(), 1.0);
    settle(&mut harness);
    assert_eq!(BEGUN.get(), begun + 1);
    assert_eq!(harness.run_ok(), Some(1), "nothing asks for another frame");
}

#[test]
fn on_a_page_in_motion_the_next_matching_begins_when_the_last_is_done() {
    let given = Arc::new(EngineNumbers::Positions(vec![glam::Vec3::ZERO; 3]));
    let matching = std::cell::RefCell::new(Matching::default());
    // Of this model a matching takes many times what a frame does.
    let mut page = Page::new("whale");
    page.view.pictures.waits = false;
    let mut harness = harness(page, move |ui, page| {
        let given = (Some(&given), false);
        matching.borrow_mut().update(given, ui.ctx(), page);
        let is_under_way = matching.borrow().is_under_way();
        ui.label(if is_under_way { "under way" } else { "done" });
    });
    let before = BEGUN.get();
    let (mut frames, mut waited) = (0, 0);
    while waited < 20 && frames < 100_000 {
        frames += 1;
        let params = &mut harness.state_mut().document.state.params;
        params.insert("jaw".to_owned(), 1e-3 * f64::from(frames));
        let begun = BEGUN.get();
        harness.step();
        let began = BEGUN.get() - begun;
        assert!(began <= 1);
        if began == 0 {
            waited += 1;
            harness.get_by_label("under way");
        }
    }
    assert!(waited == 20, "in {frames} frames, {} matchings", BEGUN.get() - before);
    // When the page stands still, the last answer is of the page as it is.
    while harness.query_by_label("done").is_none() {
        harness.step();
    }
    let begun = BEGUN.get();
    harness.step();
    assert_eq!(BEGUN.get(), begun);
}

#[test]
fn numbers_of_a_link_leave_the_chosen_joint_alone() {
    let mut harness = grid();
    let ours = derived(harness.state()).palette[2].transpose();
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
fn at_another_stage_both_matrices_and_the_verdict_are_of_what_is_drawn() {
    let mut harness = grid();
    let ours = derived(harness.state()).palette[1];
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
