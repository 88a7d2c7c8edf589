//! The shelf under the stage, tested on whole pages.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, accesskit::Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::{Page, page as open};

const ALL_NUMBERS: &str = "all numbers";

#[test]
fn the_shelf_opens_the_bench_and_gives_way_to_it() {
    let mut harness = open("bindpose://bone-grid/what-blending-costs", [1440.0, 900.0]);
    harness.click_role(Role::Button, ALL_NUMBERS);
    harness.get_by_label("close the bench");
    assert!(harness.query_by_label(ALL_NUMBERS).is_none());
    harness.press(Key::W);
    harness.get_by_label(ALL_NUMBERS);
}

#[test]
fn an_answer_is_not_on_the_shelf() {
    let harness = open("bindpose://bone-grid/what-blending-costs", [1440.0, 900.0]);
    harness.get_by_label("angle after your answer");
    let early = open("bindpose://what-skinning-is/one-point", [1440.0, 900.0]);
    assert!(early.query_by_label(ALL_NUMBERS).is_none(), "its words come later");
}

#[test]
fn the_bench_in_the_place_of_the_prose_keeps_the_question() {
    let mut harness = open("bindpose://bind-pose/edit-it-yourself", [1280.0, 720.0]);
    harness.press(Key::W);
    harness.get_by_label("close the bench");
    let answer = harness.get_by_role_and_label(Role::Button, "Answer");
    assert!(answer.rect().bottom() < 720.0);
}

/// Moves the pointer to the lower edge of the picture.
fn hover_below_picture(harness: &mut Harness<'_, Page>) {
    let pictures = harness.query_all_by_role(Role::Image);
    let rects: Vec<_> = pictures.map(|node| node.rect()).collect();
    let picture = rects.into_iter().reduce(|a, b| if a.area() > b.area() { a } else { b });
    let picture = picture.expect("a picture");
    harness.hover_at(picture.center_bottom() - eframe::egui::vec2(0.0, 8.0));
    harness.run();
}

#[test]
fn in_presenter_mode_the_shelf_appears_while_the_pointer_is_near() {
    let mut harness = open("bindpose://bone-grid/what-blending-costs", [1024.0, 576.0]);
    harness.press(Key::F5);
    assert!(harness.query_by_label(ALL_NUMBERS).is_none());
    hover_below_picture(&mut harness);
    harness.get_by_label(ALL_NUMBERS);
    harness.hover_at(eframe::egui::pos2(700.0, 100.0));
    harness.run();
    assert!(harness.query_by_label(ALL_NUMBERS).is_none());
}

/// A window of 1280 × 720 with text twice as large has 640 × 360 points.
#[test]
fn with_text_twice_as_large_the_shelf_is_over_the_picture() {
    let mut harness = open("bindpose://bone-grid/the-same-mistake-again", [640.0, 360.0]);
    assert!(harness.query_by_label(ALL_NUMBERS).is_none());
    hover_below_picture(&mut harness);
    harness.get_by_label(ALL_NUMBERS);
}
