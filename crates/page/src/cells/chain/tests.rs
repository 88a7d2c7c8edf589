//! The cell on the bone grid with joint 1 rotated.

use bindpose_lesson::{CellKind, LessonSet};
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::*;
use crate::cells::testing::{Page, harness};

const LESSON: &str = r#"+++
title = "Chains"
minutes = 5
rig = "bone_grid"
+++

## Free

A product.

```chain free
product = "world_from_joint(1) * joint_from_bind(1)"
tray = ["world_from_joint(0)"]
vertex = 4
```

```chain ladder
product = "world_from_joint(0) * parent_from_joint(1) * joint_from_bind(1)"
ask = "Put it together."
goal = "world_from_bind(1)"
ladder = true
solved = "That is how a joint matrix is made."
```
"#;

fn show_cell(id: &'static str) -> Harness<'static, Page> {
    let set = LessonSet::from_memory(&[("10-chains", LESSON, "")], "");
    let lesson = set.lessons[0].clone();
    let cell = lesson.cells().find(|cell| cell.id == id).cloned().unwrap();
    let mut page = Page::new("bone_grid");
    page.lesson(lesson);
    page.document.state.params.insert("b1".to_owned(), 0.6);
    let CellKind::Chain(chain) = cell.kind else {
        panic!("a chain");
    };
    let mut harness = harness(page, move |view, page| ui(view, &chain, id, page));
    harness.run();
    harness
}

fn product_text(harness: &Harness<'_, Page>, id: &str) -> String {
    let state = &harness.state().document.state;
    state.chains[id].product.to_string()
}

fn left_edge(harness: &Harness<'_, Page>, label: &str) -> f32 {
    harness.get_by_label_contains(label).rect().left()
}

#[test]
fn broken_seam_of_wrong_order_is_shown_and_arrow_keys_correct_it() {
    let mut harness = show_cell("free");
    assert!(harness.query_by_label_contains("leads into").is_none());
    harness.click_label("move right");
    let swapped = "joint_from_bind(1) * world_from_joint(1)";
    assert_eq!(product_text(&harness, "free"), swapped);
    harness.get_by_label_contains("the right factor leads into world");
    harness.get_by_label_contains("The vertex is stored in bind space");
    let tag = "factor 2: world from joint 1, world matrix";
    harness.get_by_label(tag).focus();
    harness.run();
    harness.press(Key::ArrowLeft);
    let right = "world_from_joint(1) * joint_from_bind(1)";
    assert_eq!(product_text(&harness, "free"), right);
    assert!(harness.query_by_label_contains("leads into").is_none());
    let moved = harness.get_by_label("factor 1: world from joint 1, world matrix");
    assert!(moved.accesskit_node().is_focused());
}

#[test]
fn factor_is_dragged_to_place_of_another() {
    let mut harness = show_cell("free");
    let from = harness.get_by_label_contains("factor 2:").rect().center();
    let to = harness.get_by_label_contains("factor 1:").rect().center();
    harness.drag_at(from);
    harness.run();
    for at in [from.lerp(to, 0.5), to, to - vec2(4.0, 0.0)] {
        harness.hover_at(Pos2::new(at.x, at.y));
        harness.run();
    }
    harness.drop_at(to);
    harness.run();
    assert_eq!(product_text(&harness, "free"), "joint_from_bind(1) * world_from_joint(1)");
}

#[test]
fn factors_are_inverted_transposed_removed_and_inserted() {
    let mut harness = show_cell("free");
    harness.click_label("invert");
    harness.get_by_label("factor 1: joint 1 from world, inverse of the world matrix");
    harness.click_label("invert");
    harness.click_label("transpose");
    harness.get_by_label_contains("One of two neighbours is transposed");
    harness.click_label("take out");
    assert_eq!(product_text(&harness, "free"), "joint_from_bind(1)");
    harness.click_label("put in world from joint 0, world matrix");
    assert_eq!(product_text(&harness, "free"), "joint_from_bind(1) * world_from_joint(0)");
    harness.get_by_label_contains("factor 2:").focus();
    harness.run();
    harness.press_with(Modifiers::NONE, Key::Delete);
    harness.click_label("take out");
    harness.get_by_label_contains("put in:");
    assert_eq!(product_text(&harness, "free"), "");
}

#[test]
fn each_element_of_product_has_its_sum() {
    let mut harness = show_cell("free");
    harness.click_label("number before");
    harness.get_by_label("row 4 · column 4");
    harness.click_label("next number");
    harness.get_by_label("row 1 · column 1");
    let cos = 0.6_f64.cos();
    harness.get_by_label_contains(&format!("{cos:.3}·1"));
}

#[test]
fn vertex_position_after_product_matches_picture() {
    let mut harness = show_cell("free");
    let last = harness.get_by_label_contains("world (");
    let label = last.accesskit_node().label().unwrap_or_default();
    last.click();
    harness.run();
    let state = harness.state();
    assert_eq!(state.document.state.chains["free"].travelled, 2.0);
    let derived = state.derived();
    // Joint 1 is its only influence.
    let position = derived.position(4).unwrap();
    let expected = bindpose_lesson::number_text::point(&[position.x, position.y], 2);
    assert_eq!(label, format!("world {expected}"));
}

#[test]
fn ladder_is_climbed_to_empty_line() {
    let mut harness = show_cell("ladder");
    harness.get_by_label("rung 1 of 3");
    harness.get_by_label_contains("Goal: world from bind");
    harness.click_label("put in joint 1 from bind, inverse bind matrix");
    harness.get_by_label("Solved");
    harness.get_by_label("Right");
    harness.click_label("Next rung: 2 places blank");
    // In the wrong order.
    harness.click_label("put in joint 0 from joint 1, local transform");
    harness.click_label("put in joint 1 from bind, inverse bind matrix");
    harness.get_by_label_contains("The left factor starts from");
    harness.click_label("move right");
    harness.get_by_label("Solved");
    harness.click_label("Next rung: an empty line");
    for button in [
        "put in world from joint 0, world matrix",
        "put in joint 0 from joint 1, local transform",
        "put in joint 1 from bind, inverse bind matrix",
    ] {
        assert!(harness.query_by_label("Solved").is_none());
        harness.click_label(button);
    }
    harness.get_by_label("Solved");
    harness.get_by_label("That is how a joint matrix is made.");
    harness.click_label("a rung down");
    harness.get_by_label("rung 2 of 3");
}

#[test]
fn matrix_without_inverse_is_reported() {
    let mut harness = show_cell("free");
    let singular =
        bindpose_lesson::DataEdit::InverseBind(bindpose_skin::JointIndex(1).into(), [0.0; 16]);
    let page = harness.state_mut();
    let edit = Edit::data(singular);
    bindpose_notebook::apply(&mut page.document, &edit, &page.lesson, &page.rig).unwrap();
    harness.run();
    harness.click_label_containing("factor 2:");
    harness.click_label("invert");
    harness.get_by_label_contains("has no inverse now");
    harness.click_label("invert");
    assert!(harness.query_by_label_contains("has no inverse now").is_none());
}

#[test]
fn row_vectors_reverse_factors_and_arrow_keys() {
    let mut harness = show_cell("free");
    let world = ": world from joint 1, world";
    let bind = ": joint 1 from bind, inverse";
    assert!(left_edge(&harness, world) < left_edge(&harness, bind));
    harness.state_mut().document.state.written_as.vectors = Some(bindpose_skin::Vectors::Rows);
    harness.run();
    assert!(left_edge(&harness, bind) < left_edge(&harness, world));
    let tag = "factor 1: joint 1 from bind, inverse bind matrix";
    harness.get_by_label(tag).focus();
    harness.run();
    harness.press(Key::ArrowRight);
    let swapped = "joint_from_bind(1) * world_from_joint(1)";
    assert_eq!(product_text(&harness, "free"), swapped);
    harness.click_label("move left");
    let right = "world_from_joint(1) * joint_from_bind(1)";
    assert_eq!(product_text(&harness, "free"), right);
}
