use bindpose_lesson::{CellKind, parse_lesson};
use bindpose_notebook::faults::fault_of_draw;
use bindpose_skin::InverseBind;
use eframe::egui::accesskit::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable},
};

use super::*;
use crate::cells::testing::{Page, harness};

fn shown(body: &str) -> (Harness<'static, Page>, FaultsCell) {
    let text = format!(
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n\n```set\nbend = 0.8\n```\n\n```faults it\n{body}\n```\n"
    );
    let lesson = parse_lesson("20-t", &text, "");
    assert_eq!(lesson.findings, []);
    let Some(CellKind::Faults(cell)) = lesson.cells().next().map(|cell| cell.kind.clone()) else {
        panic!("a cell of faults");
    };
    let mut page = Page::new("arm");
    page.document.lesson.clone_from(&lesson.slug);
    page.document.state.params.insert("bend".to_owned(), 0.8);
    page.put_lesson(lesson);
    let shown = cell.clone();
    let mut harness = harness(page, move |view, page| ui(view, &shown, "it", page));
    harness.run();
    (harness, cell)
}

fn press(harness: &mut Harness<'static, Page>, role: Role, name: &str) {
    harness.get_by_role_and_label(role, name).click();
    harness.run();
}

#[test]
fn a_switch_puts_its_setting_shows_its_card_and_the_number_that_tells() {
    let (mut harness, _) =
        shown("faults = [\"inverse-bind-left-out\", \"order-swapped\", \"weights-not-bound\"]");
    let left_out = "The inverse bind matrix left out";
    assert!(harness.query_by_label_contains("Stack Overflow").is_none());
    press(&mut harness, Role::CheckBox, left_out);
    assert_eq!(harness.state().document.state.inverse_bind, InverseBind::LeftOut);
    harness.get_by_label_contains("Stack Overflow 17127994");
    harness.get_by_label_contains("without this fault it would be");
    press(&mut harness, Role::CheckBox, "The two factors swapped");
    assert_eq!(harness.state().document.state.faults.len(), 1);
    press(&mut harness, Role::CheckBox, left_out);
    assert_eq!(harness.state().document.state.inverse_bind, InverseBind::Inverse);
    press(&mut harness, Role::Button, "All right again");
    assert!(harness.state().document.state.faults.is_empty());
    let button = harness.get_by_role_and_label(Role::Button, "All right again");
    assert!(button.accesskit_node().is_disabled());
}

#[test]
fn the_hidden_fault_is_in_the_numbers_and_nowhere_else_until_it_is_named() {
    let body = "diagnose = true\nfaults = [\"inverse-bind-left-out\", \"order-swapped\", \"weights-not-bound\"]";
    let (mut harness, cell) = shown(body);
    let state = &harness.state().document.state;
    assert!(state.faults.is_empty() && state.inverse_bind == InverseBind::Inverse);
    let hidden = fault_of_draw(&cell, "it", 0).expect("one is on");
    let wrong = cell.faults.iter().find(|&&one| one != hidden);
    let wrong = wrong.expect("another").title;
    assert!(harness.query_by_label_contains("Seen").is_none());
    press(&mut harness, Role::Button, "Name it");
    assert!(harness.state().edits.is_empty(), "nothing is chosen yet");
    press(&mut harness, Role::RadioButton, wrong);
    assert!(harness.query_by_label("Not this one").is_none());
    press(&mut harness, Role::Button, "Name it");
    harness.get_by_label("Not this one");
    harness.get_by_label_contains("here it is");
    press(&mut harness, Role::RadioButton, hidden.title);
    press(&mut harness, Role::Button, "Name it");
    harness.get_by_label("Right");
    harness.get_by_label("Seen");
    press(&mut harness, Role::Button, "Another one");
    let document = &harness.state().document;
    assert_eq!(document.draw_of("it"), 1);
    assert!(document.state.answers.is_empty());
    assert_ne!(fault_of_draw(&cell, "it", 1), Some(hidden));
}
