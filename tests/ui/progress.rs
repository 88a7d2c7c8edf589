//! The reader's progress: in the contents and the dots, in exercises, and in the record file.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use bindpose_lesson::Setting;
use bindpose_notebook::Edit;

use super::page;
use crate::page::Page;

const SIZE: [f32; 2] = [1440.0, 900.0];
const REACH: &str = "bindpose://bone-grid/reach-for-it";

fn edit(harness: &mut Harness<'_, Page>, edit: &Edit) {
    harness.state_mut().shell().edit(edit).expect("a sound edit");
    harness.run();
}

fn turn(harness: &mut Harness<'_, Page>, degrees: f64) {
    let put = |name: &str, degrees: f64| Setting::Param(name.to_owned(), degrees.to_radians());
    let settings = vec![put("b0", 0.0), put("b1", degrees), put("b2", -degrees)];
    edit(harness, &Edit::Settings(settings));
}

/// Returns the descriptions of a step's dot and of its row in the contents.
fn told(harness: &Harness<'_, Page>, dot: &str, title: &str) -> [String; 2] {
    let dot = harness.get_by_role_and_label(Role::RadioButton, dot);
    let line = harness.get_by_role_and_label(Role::ListItem, title);
    [dot, line].map(|node| node.accesskit_node().description().unwrap_or_default())
}

#[test]
fn dots_and_list_show_the_progress_of_each_step() {
    let mut harness = page(REACH, SIZE);
    let told = |harness: &Harness<'_, Page>| told(harness, "Step 10: Reach for it", "Reach for it");
    turn(&mut harness, 80.0);
    assert_eq!(told(&harness), ["tried", "tried"]);
    turn(&mut harness, 90.0);
    assert_eq!(told(&harness), ["solved", "solved"]);
    harness.click_role(Role::Button, "Next");
    assert_eq!(told(&harness), ["solved", "solved"]);
    let line = harness.get_by_role_and_label(Role::ListItem, "40  The 2D bone grid");
    let words = line.accesskit_node().description();
    assert_eq!(words.as_deref(), Some("1 of 14 steps done"));
}

#[test]
fn steps_that_are_leafed_through_are_not_seen() {
    let mut harness = page("bindpose://bone-grid", SIZE);
    for _ in 0..5 {
        harness.key_press(Key::PageDown);
        harness.step();
    }
    let [dot, _] = told(&harness, "Step 3: One angle for all", "One angle for all");
    assert_eq!(dot, "not seen");
}

#[test]
fn a_solved_exercise_comes_again_with_other_numbers_and_remembers_the_first() {
    let mut harness = page(REACH, SIZE);
    assert!(harness.query_by_label("Again, with other numbers").is_none());
    turn(&mut harness, 90.0);
    harness.get_by_label("Solved");
    harness.click_role(Role::Button, "Again, with other numbers");
    harness.get_by_label("Bring v9 to (6.00, 2.46). There are many ways.");
    assert!(harness.query_by_label("Solved").is_none());
    assert!(harness.query_by_label("solved before").is_none(), "not with these");
    let step = harness.state_mut().shell().notebook().derived().param("b1");
    assert_eq!(step, Some(0.0), "the step begins as it opens");
    turn(&mut harness, 60.0);
    harness.get_by_label("Solved");
    harness.press_with(Modifiers::COMMAND, Key::Z);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    harness.get_by_label("Bring v9 to (4.00, 3.00). There are many ways.");
    harness.get_by_label("Solved");
    turn(&mut harness, 10.0);
    harness.get_by_label("solved before");
}

#[test]
fn the_record_is_in_the_export_menu() {
    let mut harness = page(REACH, SIZE);
    harness.press_with(Modifiers::COMMAND, Key::E);
    harness.click_label("Your record");
    harness.get_by_label("bindpose-record.md");
    harness.get_by_label_contains("sent nowhere");
    harness.get_by_role_and_label(Role::RadioButton, "JSON").click_accesskit();
    harness.run();
    harness.get_by_label("bindpose-record.json");
}
