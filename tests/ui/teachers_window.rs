//! The teacher's window follows the steps, and leads to them.

use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::Queryable as _;

use super::{page, press};

#[test]
fn the_teachers_window_has_the_notes_of_the_step_in_sight_and_the_minutes() {
    let mut harness = page("bindpose://bind-pose", [1440.0, 900.0]);
    press(&mut harness, Modifiers::COMMAND, Key::N);
    harness.get_by_label_contains("Say nothing; let the class laugh");
    harness.get_by_label("Step 1 of 14 · 0 of 2 min here");
    harness.get_by_label("0 of 30 min");
    harness.get_by_label("Next: A head on a neck (2 min)");
    // The page behind has buttons of the same names: those of the window are last.
    let next = harness.get_all_by_role_and_label(Role::Button, "Next");
    next.last().expect("a button").click();
    harness.run();
    harness.get_by_label("Step 2 of 14 · 0 of 2 min here");
    harness.get_by_label_contains("Where is the number 2 written down?");
    assert!(harness.query_by_label_contains("Say nothing; let the class laugh").is_none());
    // One window only: what is projected has no notes on it.
    press(&mut harness, Modifiers::NONE, Key::F5);
    assert!(harness.query_by_label("0 of 30 min").is_none());
    press(&mut harness, Modifiers::NONE, Key::F5);
    harness.get_by_label("0 of 30 min");
}
