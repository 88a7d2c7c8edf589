//! The changes that each step keeps, and how they are reset, carried on and discarded; resetting the
//! view; pasted links.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, accesskit::Role, vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use bindpose_lesson::LessonSet;
use bindpose_notebook::{Edit, Notebook};

use super::page;
use crate::page::Page;

const SIZE: [f32; 2] = [1440.0, 900.0];

fn edit(harness: &mut Harness<'_, Page>, name: &str, value: f64) {
    let edit = Edit::param(name, value);
    harness.state_mut().shell().edit(&edit).expect("a sound edit");
    harness.run();
}

fn notebook<'a>(harness: &'a mut Harness<'_, Page>) -> &'a Notebook {
    harness.state_mut().shell().notebook()
}

fn param(harness: &mut Harness<'_, Page>, name: &str) -> f64 {
    notebook(harness).derived().param(name).expect("a parameter")
}

#[test]
fn changes_are_listed_above_the_title_and_reset_one_by_one_or_together() {
    let mut harness = page("bindpose://bind-pose/and-carry-it-back", SIZE);
    assert!(harness.query_by_label("put back").is_none());
    let text = |harness: &Harness<'_, Page>| {
        let mut paragraphs = harness.query_all_by_label_contains("Read the product");
        paragraphs.next().map(|node| node.rect().top())
    };
    let top = text(&harness);
    let title = harness.get_by_role_and_label(Role::Heading, "And carry it back");
    let title = title.rect();
    assert!(top.is_some_and(|top| top - title.bottom() < 24.0), "{top:?}");
    edit(&mut harness, "nod", 1.0);
    let chip = harness.get_by_label("changed here: nod").rect();
    assert!(chip.bottom() <= title.top() + 1.0, "{chip} over {title}");
    assert_eq!(text(&harness), top, "the prose stands still");
    edit(&mut harness, "bind_tilt", 0.3);
    harness.click_role(Role::Button, "changed here: nod, bind tilt");
    harness.click_role(Role::Button, "put back nod");
    assert!(harness.query_by_label("changed here: bind tilt").is_some());
    assert!((param(&mut harness, "bind_tilt") - 0.3).abs() < 1e-9);
    harness.press(Key::Escape);
    harness.click_role(Role::Button, "put back");
    assert!(notebook(&mut harness).changes().is_empty());
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(notebook(&mut harness).changes().len(), 1);
}

#[test]
fn a_step_keeps_its_values_and_the_reader_may_carry_on_with_them() {
    let carry = "Carry on with these values";
    let mut harness = page("bindpose://whale", SIZE);
    edit(&mut harness, "tail_1", 0.7);
    assert!(harness.query_by_label(carry).is_none(), "the next step sets all of them");

    let mut harness = page("bindpose://bind-pose/take-it-out-first", SIZE);
    edit(&mut harness, "bind_tilt", 0.3);
    assert!(harness.query_by_label(carry).is_some());
    harness.press(Key::ArrowRight);
    assert!(harness.query_by_label(carry).is_none());
    assert!(notebook(&mut harness).changes().is_empty(), "nothing leaks");
    harness.press(Key::ArrowLeft);
    assert!((param(&mut harness, "bind_tilt") - 0.3).abs() < 1e-9, "it comes back");
}

#[test]
fn presenting_resets_the_page_for_a_class_and_the_toast_undoes_it() {
    let mut harness = page("bindpose://bind-pose/and-carry-it-back", SIZE);
    let offer = "This lesson has answers or changes of earlier. Begin anew forgets those of every \
                 lesson.";
    harness.press(Key::F5);
    assert!(harness.query_by_label(offer).is_none(), "nothing is kept");
    harness.press(Key::F5);
    edit(&mut harness, "nod", 1.0);
    harness.press(Key::F5);
    harness.get_by_label(offer);
    harness.click_role(Role::Button, "Begin anew");
    assert!(harness.query_by_label(offer).is_none());
    assert!(!notebook(&mut harness).lesson_keeps_work());
    let undo = harness.query_all_by_role_and_label(Role::Button, "Undo").last();
    undo.expect("in the toast").click();
    harness.run();
    assert!((param(&mut harness, "nod") - 1.0).abs() < 1e-9);
}

#[test]
fn a_moved_view_is_put_back_by_itself_and_undo_leaves_it_alone() {
    let mut harness = page("bindpose://bind-pose", SIZE);
    let picture = harness.query_all_by_role(Role::Image).next().expect("a picture");
    // Drags beside the figure, because a drag on it rotates a joint.
    let at = picture.rect().left_center() + eframe::egui::vec2(24.0, 0.0);
    drag(&mut harness, at);
    assert_eq!(notebook(&mut harness).cameras().len(), 1);
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(notebook(&mut harness).cameras().len(), 1);
    harness.click_role(Role::Button, "Put the view back");
    assert!(notebook(&mut harness).cameras().is_empty());
    drag(&mut harness, at);
    harness.press_with(Modifiers::COMMAND, Key::R);
    assert!(notebook(&mut harness).cameras().is_empty());
    assert!(harness.query_by_label("Put the view back").is_none());
}

fn drag(harness: &mut Harness<'_, Page>, at: eframe::egui::Pos2) {
    harness.hover_at(at);
    harness.drag_at(at);
    harness.run();
    for step in 1..=4 {
        harness.hover_at(at + vec2(20.0, 12.0) * step as f32);
        harness.run();
    }
    harness.drop_at(at + vec2(80.0, 48.0));
    harness.run();
}

#[test]
fn a_flat_model_stays_in_its_plane() {
    let mut harness = page("bindpose://bone-grid", SIZE);
    let picture = harness.query_all_by_role(Role::Image).next().expect("a picture");
    let at = picture.rect().center();
    drag(&mut harness, at);
    let cameras = notebook(&mut harness).cameras().values();
    let turned: Vec<_> = cameras.map(|camera| (camera.yaw_rad, camera.pitch_rad)).collect();
    assert_eq!(turned, [(0.0, 0.0)]);
}

#[test]
fn the_wheel_is_the_pages_until_the_picture_has_been_clicked_or_ctrl_is_held() {
    let mut harness = page("bindpose://bind-pose", SIZE);
    let picture = harness.query_all_by_role(Role::Image).next().expect("a picture");
    let at = picture.rect().center();
    let wheel = |harness: &mut Harness<'_, Page>, modifiers| {
        harness.hover_at(at);
        harness.event_modifiers(
            Event::MouseWheel {
                unit: MouseWheelUnit::Point,
                delta: vec2(0.0, 40.0),
                phase: TouchPhase::Move,
                source: MouseWheelSource::Wheel,
                modifiers,
            },
            modifiers,
        );
        harness.run();
        notebook(harness).cameras().len()
    };
    assert_eq!(wheel(&mut harness, Modifiers::NONE), 0);
    assert_eq!(wheel(&mut harness, Modifiers::COMMAND | Modifiers::CTRL), 1);
    harness.press_with(Modifiers::COMMAND, Key::R);
    harness.hover_at(at);
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run();
    assert_eq!(wheel(&mut harness, Modifiers::NONE), 1);
}

#[test]
fn pasted_links_open_and_broken_ones_are_reported_without_loss() {
    let mut harness = page("bindpose://bind-pose", SIZE);
    let message = "look: bindpose://bone-grid/half-of-each?b0=0.8 \n(at home)".to_owned();
    harness.event(Event::Paste(message));
    harness.run();
    assert_eq!(notebook(&mut harness).lesson().slug, "bone-grid");
    assert!((param(&mut harness, "b0") - 0.8).abs() < 1e-9);
    let before = notebook(&mut harness).document().clone();
    for (bad, words) in [
        ("bindpose://bone-grid/half-of-each?b9=1", "b9=1"),
        ("some words", "a link to a page begins with"),
    ] {
        harness.event(Event::Paste(bad.to_owned()));
        harness.run();
        assert!(harness.query_by_label_contains(words).is_some(), "{bad}");
        assert_eq!(*notebook(&mut harness).document(), before);
    }
}

#[test]
fn pasted_numbers_go_to_the_cell_that_accepts_them() {
    let mut harness = page("bindpose://your-model/what-your-engine-has", SIZE);
    let texts = |harness: &mut Harness<'_, Page>| notebook(harness).document().state.texts.clone();
    assert!(texts(&mut harness).is_empty());
    let numbers = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1";
    harness.event(Event::Paste(numbers.to_owned()));
    harness.run();
    let given = texts(&mut harness);
    let given: Vec<&str> = given.values().map(|given| &*given.text).collect();
    assert_eq!(given, [numbers]);
    // A link is accepted there too.
    harness.event(Event::Paste("bindpose://bone-grid".to_owned()));
    harness.run();
    assert_eq!(notebook(&mut harness).lesson().slug, "bone-grid");
}

#[test]
fn text_beyond_the_limit_of_a_field_is_not_laid_out() {
    let mut harness = page("bindpose://your-model/what-your-engine-has", SIZE);
    let field = harness.query_all_by_role(Role::MultilineTextInput).next().expect("a field");
    field.focus();
    harness.run();
    let before = notebook(&mut harness).document().clone();
    harness.event(Event::Paste("0.5, ".repeat(60_000)));
    harness.run();
    harness.get_by_label_contains("What was pasted has 300,000 characters");
    harness.event(Event::Paste("0.5, ".repeat(15_000)));
    harness.run();
    harness.get_by_label_contains("Save them as a file and open that");
    assert_eq!(*notebook(&mut harness).document(), before);
}

#[test]
fn changes_survive_a_restart() {
    let mut harness = page("bindpose://bind-pose/and-carry-it-back", SIZE);
    edit(&mut harness, "nod", 1.0);
    harness.press(Key::ArrowRight);
    let remembered = harness.state_mut().shell().preferences();
    let mut again = Notebook::new(LessonSet::embedded(), bindpose_rigs::builtin).unwrap();
    again.take_kept(&remembered.kept);
    again.follow("bindpose://bind-pose/and-carry-it-back", 1).unwrap();
    assert_eq!(again.derived().param("nod"), Some(1.0));
}

#[test]
fn a_joint_is_chosen_in_one_place_of_a_stage() {
    for (step, places) in [("take-it-along", 1), ("read-its-matrices", 1)] {
        let harness = page(&format!("bindpose://your-model/{step}"), SIZE);
        let choosers = harness.query_all_by_label("the joint shown").count();
        assert_eq!(choosers, places, "{step}");
    }
}

#[test]
fn vertices_that_an_exercise_names_are_marked_in_the_picture_of_a_large_model() {
    let harness = page("bindpose://weight-sources/with-a-brush", [1280.0, 800.0]);
    for vertex in [166, 186, 206, 226] {
        harness.get_by_label_contains(&format!("vertex {vertex} at "));
    }
    let harness = page("bindpose://weight-sources/the-last-word", [1280.0, 800.0]);
    assert!(harness.query_by_label_contains("vertex 166 at ").is_none());
}
