//! Bookmarks and the reader's own notes.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::{nod_rad, page, page::Page};

const FIELD: &str = "your note on this step";
const TITLE: &str = "Edit it yourself";

fn opened() -> Harness<'static, Page> {
    page("bindpose://bind-pose/edit-it-yourself", [1440.0, 900.0])
}

fn note(harness: &mut Harness<'_, Page>) -> String {
    harness.state_mut().shell().notebook().own_note().to_owned()
}

fn has_field(harness: &Harness<'_, Page>) -> bool {
    harness.query_by_role_and_label(Role::MultilineTextInput, FIELD).is_some()
}

fn write(harness: &mut Harness<'_, Page>, words: &str) {
    harness.get_by_role_and_label(Role::MultilineTextInput, FIELD).type_text(words);
    harness.run();
}

#[test]
fn a_bookmark_stands_in_the_contents_and_in_the_search_and_leads_back() {
    let mut harness = opened();
    let button = "put a bookmark on this step";
    harness.click_role(Role::Button, button);
    harness.press(Key::ArrowRight);
    let listed = format!("20  {TITLE}");
    harness.click_role(Role::ListItem, &listed);
    let shell = harness.state_mut().shell();
    assert_eq!(shell.notebook().step().expect("a step").title, TITLE);
    assert!(shell.preferences().marks.is_bookmarked("bind-pose", "edit-it-yourself"));

    harness.press_with(Modifiers::COMMAND, Key::K);
    let found = harness.labels_of(Role::ListBoxOption);
    assert!(found[0].starts_with(TITLE), "without a word: {found:?}");
    harness.press(Key::Escape);

    harness.press(Key::M);
    assert!(harness.query_by_label(&listed).is_none(), "taken away");
    harness.get_by_role_and_label(Role::Button, button);
}

#[test]
fn a_note_is_kept_as_it_is_typed_and_its_undo_is_its_own() {
    let mut harness = opened();
    let turned = nod_rad(&mut harness);
    assert!(!has_field(&harness), "out of the way");
    harness.press(Key::N);
    write(&mut harness, "Ask about the elbow: w x p");
    assert_eq!(note(&mut harness), "Ask about the elbow: w x p");
    let remembered = harness.state_mut().shell().preferences().marks;
    assert_eq!(remembered.note("bind-pose", "edit-it-yourself"), "Ask about the elbow: w x p");
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(note(&mut harness), "", "what was typed is undone");
    assert_eq!(nod_rad(&mut harness), turned);
    harness.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(note(&mut harness), "Ask about the elbow: w x p");

    harness.press(Key::Escape);
    harness.press(Key::ArrowRight);
    assert!(!has_field(&harness), "of another step");
    harness.press_with(Modifiers::COMMAND, Key::K);
    harness.get_by_role(Role::SearchInput).type_text("elbow ask");
    harness.run();
    let found = harness.labels_of(Role::ListBoxOption);
    assert!(found[0].ends_with("Ask about the elbow: w x p"), "{found:?}");
    harness.press(Key::Enter);
    assert!(has_field(&harness), "where there is a note, it is seen");
    harness.press(Key::N);
    assert!(!has_field(&harness), "folded away");
}

#[test]
fn a_note_is_hidden_from_a_class_and_outlives_beginning_anew() {
    let mut harness = opened();
    harness.press(Key::N);
    write(&mut harness, "Mine");
    harness.press(Key::Escape);
    harness.press(Key::F5);
    assert!(!has_field(&harness));
    harness.press_with(Modifiers::COMMAND, Key::K);
    harness.get_by_role(Role::SearchInput).type_text("mine");
    harness.run();
    assert!(harness.labels_of(Role::ListBoxOption).iter().all(|row| !row.ends_with("Mine")));
    harness.press(Key::Escape);
    harness.press(Key::N);
    assert!(has_field(&harness), "on asking");
    harness.press(Key::Escape);
    harness.press(Key::F5);
    harness.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::N);
    harness.get_by_label_contains("Your bookmarks and notes stay");
    assert_eq!(note(&mut harness), "Mine");
}

/// Describes nodes that are wider than the page, or have no name, on a phone.
#[test]
fn the_buttons_and_the_field_fit_a_narrow_page() {
    let mut harness = page("bindpose://bind-pose", [360.0, 640.0]);
    harness.press(Key::N);
    for (role, label) in [
        (Role::Button, "put a bookmark on this step"),
        (Role::Button, "fold your note away"),
        (Role::MultilineTextInput, FIELD),
    ] {
        let nodes: Vec<_> = harness.query_all_by_role_and_label(role, label).collect();
        assert!(!nodes.is_empty(), "{label}");
        for node in nodes {
            let rect = node.rect();
            assert!(rect.left() >= 0.0 && rect.right() <= 360.0, "{label}: {rect}");
        }
    }
}
