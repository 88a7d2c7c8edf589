//! The search.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::{page, page::Page};

fn opened(link: &str) -> Harness<'static, Page> {
    let mut harness = page(link, [1280.0, 800.0]);
    harness.press_with(Modifiers::COMMAND, Key::K);
    harness
}

fn look_for(harness: &mut Harness<'_, Page>, words: &str) {
    harness.get_by_role(Role::SearchInput).type_text(words);
    harness.run();
}

fn chosen(harness: &Harness<'_, Page>) -> Option<String> {
    let mut rows = harness.query_all_by_role(Role::ListBoxOption);
    let chosen = rows.find(|row| row.accesskit_node().is_selected() == Some(true))?;
    chosen.accesskit_node().label()
}

fn is_open(harness: &Harness<'_, Page>) -> bool {
    harness.query_by_role(Role::SearchInput).is_some()
}

fn standing(harness: &mut Harness<'_, Page>) -> (String, String) {
    let notebook = harness.state_mut().shell().notebook();
    let step = notebook.step().expect("a step");
    (notebook.lesson().slug.clone(), step.slug.clone())
}

#[test]
fn steps_are_found_while_typing_and_enter_opens_them() {
    let mut harness = opened("bindpose://bind-pose");
    assert!(is_open(&harness));
    look_for(&mut harness, "take it out");
    let first = chosen(&harness).expect("something is found");
    assert!(first.starts_with("Take it out first · 20 · "), "{first}");
    harness.press(Key::Enter);
    assert!(!is_open(&harness));
    let there = ("bind-pose".to_owned(), "take-it-out-first".to_owned());
    assert_eq!(standing(&mut harness), there);
}

#[test]
fn arrows_choose_and_escape_closes_and_nothing_reaches_the_page() {
    let mut harness = opened("bindpose://bind-pose/edit-it-yourself");
    look_for(&mut harness, "weight");
    let rows = harness.labels_of(Role::ListBoxOption);
    assert!(rows.len() > 4, "{rows:?}");
    assert_eq!(chosen(&harness).as_ref(), Some(&rows[0]));
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::PageDown] {
        harness.press(key);
    }
    assert_eq!(chosen(&harness).as_ref(), Some(&rows[6]));
    harness.press(Key::PageUp);
    assert_eq!(chosen(&harness).as_ref(), Some(&rows[1]));
    look_for(&mut harness, " w x p");
    assert_eq!(standing(&mut harness).1, "edit-it-yourself");
    harness.press(Key::Escape);
    assert!(!is_open(&harness));
    assert_eq!(standing(&mut harness).1, "edit-it-yourself");
}

#[test]
fn the_focus_goes_back_to_where_it_was() {
    let mut harness = page("bindpose://bind-pose", [1280.0, 800.0]);
    harness.get_by_role_and_label(Role::Slider, "nod").focus();
    harness.run();
    harness.press_with(Modifiers::COMMAND, Key::K);
    assert!(harness.get_by_role(Role::SearchInput).accesskit_node().is_focused());
    harness.press(Key::Escape);
    let slider = harness.get_by_role_and_label(Role::Slider, "nod");
    assert!(slider.accesskit_node().is_focused());
}

#[test]
fn error_codes_and_terms_open_in_the_search() {
    let mut harness = opened("bindpose://bind-pose");
    look_for(&mut harness, "node lo");
    harness.press(Key::Enter);
    harness.get_by_label_contains("The nodes must form trees");
    harness.get_by_role_and_label(Role::Link, "The lesson “Scene graph and TRS” explains it");
    let own = "Lesson 160, “Is it healthy?”, examines your own file";
    harness.click_role(Role::Link, own);
    assert!(!is_open(&harness));
    let there = ("your-model".to_owned(), "is-it-healthy".to_owned());
    assert_eq!(standing(&mut harness), there);

    harness.press_with(Modifiers::COMMAND, Key::K);
    look_for(&mut harness, "invrese bind matrix");
    let first = chosen(&harness).expect("something is found");
    assert!(first.starts_with("inverse bind matrix"), "{first}");
}

#[test]
fn known_faults_are_found_by_their_look_and_link_to_their_switch() {
    let mut harness = opened("bindpose://bind-pose");
    look_for(&mut harness, "mesh trails behind its joints");
    let first = chosen(&harness).expect("something is found");
    assert!(first.starts_with("The palette of the frame before"), "{first}");
    harness.press(Key::Enter);
    harness.get_by_label("how to tell");
    harness.click_label_containing("has its switch");
    assert!(!is_open(&harness));
    assert_eq!(standing(&mut harness).0, "debugging");
}

#[test]
fn a_command_is_found_with_its_keys_and_done() {
    let mut harness = opened("bindpose://bind-pose");
    look_for(&mut harness, "bench");
    let rows = harness.labels_of(Role::ListBoxOption);
    let command = rows.iter().find(|row| row.starts_with("Numbers · W · "));
    harness.click_role(Role::ListBoxOption, command.expect("the command is found"));
    assert!(!is_open(&harness));
    assert!(harness.query_all_by_label_contains("A − B").next().is_some());
}

#[test]
fn presenting_shows_titles_of_later_steps_only_on_request() {
    let mut harness = page("bindpose://bind-pose/guess-where-it-goes", [1024.0, 576.0]);
    harness.press(Key::F5);
    harness.press_with(Modifiers::COMMAND, Key::K);
    look_for(&mut harness, "take it out first");
    let rows = harness.labels_of(Role::ListBoxOption);
    assert!(rows[0].starts_with("Step 4 · 20 · "), "{rows:?}");
    assert!(rows.iter().all(|row| !row.contains("Take it out")), "{rows:?}");
    harness.click_role(Role::Button, "show titles to come");
    assert!(harness.labels_of(Role::ListBoxOption)[0].starts_with("Take it out first"));
    harness.get_all_by_role(Role::ListBoxOption).next().expect("a row").click();
    harness.run();
    assert_eq!(standing(&mut harness).1, "take-it-out-first");
}

#[test]
fn an_empty_search_result_is_explained() {
    let mut harness = opened("bindpose://bind-pose");
    look_for(&mut harness, "xyzzyx");
    harness.get_by_label("Nothing has these words.");
    harness.press(Key::Enter);
    assert!(is_open(&harness));
}

#[test]
fn it_fits_a_narrow_window_with_large_letters() {
    let mut harness = page("bindpose://bind-pose", [240.0, 360.0]);
    harness.press_with(Modifiers::COMMAND, Key::K);
    look_for(&mut harness, "matrix");
    assert!(harness.labels_of(Role::ListBoxOption).len() > 3);
    for role in [Role::SearchInput, Role::ListBoxOption] {
        for node in harness.query_all_by_role(role) {
            let rect = node.rect();
            assert!(rect.left() >= 0.0 && rect.right() <= 240.0, "{role:?}: {rect}");
        }
    }
}

/// Checks that items in the bar do not overlap, with and without the search button.
#[test]
fn buttons_of_the_bar_have_room_at_every_width() {
    let mut wrong = Vec::new();
    for width in [480.0, 530.0, 545.0, 600.0, 681.0, 700.0, 770.0, 840.0, 960.0] {
        let harness = page("bindpose://bind-pose/edit-it-yourself", [width, 700.0]);
        let buttons = harness.query_all_by_role(Role::Button);
        let mut rects: Vec<_> = buttons
            .map(|node| (node.rect(), node.accesskit_node().label()))
            .filter(|(rect, _)| rect.center().y < 48.0)
            .collect();
        rects.sort_by(|(a, _), (b, _)| a.left().total_cmp(&b.left()));
        for pair in rects.windows(2) {
            if pair[0].0.right() > pair[1].0.left() + 1.0 {
                wrong.push(format!("{width}: {pair:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
