use bindpose_lesson::{CellKind, parse_lesson};
use eframe::egui::{Key, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::cells::testing::{Page, harness};

/// A question as a lesson has it.
fn asked(body: &str) -> Harness<'static, Page> {
    let text = format!(
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## S\n\n```ask it\n{body}\n```\n"
    );
    let lesson = parse_lesson("20-t", &text, "");
    assert_eq!(lesson.findings, []);
    let Some(CellKind::Ask(cell)) = lesson.cells().next().map(|cell| cell.kind.clone()) else {
        panic!("a question");
    };
    let mut page = Page::new("bone_grid");
    page.put_lesson(lesson);
    let mut harness = harness(page, move |view, page| ui(view, &cell, "it", page));
    harness.run();
    harness
}

fn press(harness: &mut Harness<'static, Page>, role: Role, name: &str) {
    harness.get_by_role_and_label(role, name).click();
    harness.run();
}

const CHOICES: &str = "ask = \"Which?\"\nwhy = \"Because.\"\nelse = \"Not all.\"\nchoices = [{ text = \"$a$ first\", right = true }, { text = \"b\", reply = \"No b.\" }, { text = \"c\", reply = \"No c.\" }]";

#[test]
fn one_of_many_is_chosen_answered_and_replied_to() {
    let mut harness = asked(CHOICES);
    press(&mut harness, Role::Button, "Answer");
    assert!(harness.state().edits.is_empty(), "nothing is chosen yet");
    press(&mut harness, Role::RadioButton, "b");
    assert!(harness.query_by_label("No b.").is_none(), "not before it is given");
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("Not right");
    harness.get_by_label("No b.");
    press(&mut harness, Role::RadioButton, "a first");
    assert!(harness.query_by_label("Not right").is_none());
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("Right");
    harness.get_by_label("Because.");
    assert!(harness.query_by_label("Answer").is_none());
}

#[test]
fn several_of_many_are_right_together_alone() {
    let body = CHOICES.replace("text = \"c\", reply = \"No c.\"", "text = \"c\", right = true");
    let mut harness = asked(&format!("several = true\n{body}"));
    press(&mut harness, Role::CheckBox, "c");
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("Not all.");
    press(&mut harness, Role::CheckBox, "a first");
    press(&mut harness, Role::CheckBox, "b");
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("No b.");
    press(&mut harness, Role::CheckBox, "b");
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("Right");
}

#[test]
fn a_number_is_typed_as_a_formula_and_answered_with_enter() {
    let body = "ask = \"How far?\"\nnumber = \"pi/4\"\ntolerance = \"1deg\"\nunit = \"°\"\nwhy = \"So.\"\nelse = \"No.\"\nwrong = [{ answer = \"90\", reply = \"Twice that.\" }]";
    let mut harness = asked(body);
    for (typed, reply) in [("90", "Twice that."), ("12", "No."), ("90/2", "So.")] {
        let field = harness.get_by_role_and_label(Role::TextInput, "your number");
        field.focus();
        harness.run();
        harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
        harness.event(eframe::egui::Event::Text(typed.to_owned()));
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        harness.get_by_label(reply);
    }
}

#[test]
fn things_are_put_in_order_by_their_buttons() {
    let body = "ask = \"In which order?\"\nwhy = \"So.\"\nelse = \"No.\"\norder = [{ text = \"$W$\" }, { text = \"$B$\" }, { text = \"$p$\" }]";
    let mut harness = asked(body);
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("No.");
    for _ in 0..2 {
        for name in ["W: up", "p: down"] {
            press(&mut harness, Role::Button, name);
        }
    }
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("Right");
}

#[test]
fn a_vertex_is_the_one_that_is_chosen() {
    let body = "ask = \"Which corner?\"\nwhy = \"So.\"\nelse = \"No.\"\nvertex = 2";
    let mut harness = asked(body);
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("No.");
    harness.state_mut().document.state.vertex = 2;
    harness.run();
    assert!(harness.query_by_label("No.").is_none());
    press(&mut harness, Role::Button, "Answer");
    harness.get_by_label("Right");
}
