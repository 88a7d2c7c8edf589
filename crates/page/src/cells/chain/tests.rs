//! The cell by what it says and does, on the arm with its second joint bent.

use bindpose_lesson::{CellKind, LessonSet};
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

fn shown(id: &'static str) -> Harness<'static, Page> {
    let set = LessonSet::from_memory(&[("10-chains", LESSON, "")], "");
    let lesson = set.lessons[0].clone();
    let cell = lesson.cells().find(|cell| cell.id == id).cloned().unwrap();
    let mut page = Page::new("bone_grid");
    page.put_lesson(lesson);
    page.document.state.params.insert("b1".to_owned(), 0.6);
    let CellKind::Chain(chain) = cell.kind else {
        panic!("a chain");
    };
    let mut harness = harness(page, move |view, page| ui(view, &chain, id, page));
    harness.run();
    harness
}

fn product(harness: &Harness<'_, Page>, id: &str) -> String {
    let state = &harness.state().document.state;
    state.chains[id].product.to_string()
}

fn press(harness: &mut Harness<'_, Page>, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
}

#[test]
fn a_wrong_order_is_shown_with_its_seam_and_put_right_by_keys() {
    let mut harness = shown("free");
    assert!(harness.query_by_label_contains("leads into").is_none());
    press(&mut harness, "move right");
    let swapped = "joint_from_bind(1) * world_from_joint(1)";
    assert_eq!(product(&harness, "free"), swapped);
    harness.get_by_label_contains("the right factor leads into world");
    harness.get_by_label_contains("The vertex is stored in bind space");
    let tag = "factor 2: world from joint 1, global transform";
    harness.get_by_label(tag).focus();
    harness.run();
    harness.key_press(Key::ArrowLeft);
    harness.run();
    let right = "world_from_joint(1) * joint_from_bind(1)";
    assert_eq!(product(&harness, "free"), right);
    assert!(harness.query_by_label_contains("leads into").is_none());
    let moved = harness.get_by_label("factor 1: world from joint 1, global transform");
    assert!(moved.accesskit_node().is_focused());
}

#[test]
fn a_factor_is_dragged_to_the_place_of_another() {
    let mut harness = shown("free");
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
    assert_eq!(product(&harness, "free"), "joint_from_bind(1) * world_from_joint(1)");
}

#[test]
fn factors_are_inverted_transposed_taken_out_and_put_in() {
    let mut harness = shown("free");
    press(&mut harness, "invert");
    harness.get_by_label("factor 1: joint 1 from world, inverse of the global transform");
    press(&mut harness, "invert");
    press(&mut harness, "transpose");
    harness.get_by_label_contains("One of two neighbours is transposed");
    press(&mut harness, "take out");
    assert_eq!(product(&harness, "free"), "joint_from_bind(1)");
    press(&mut harness, "put in world from joint 0, global transform");
    assert_eq!(product(&harness, "free"), "joint_from_bind(1) * world_from_joint(0)");
    harness.get_by_label_contains("factor 2:").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::NONE, Key::Delete);
    harness.run();
    press(&mut harness, "take out");
    harness.get_by_label_contains("put in:");
    assert_eq!(product(&harness, "free"), "");
}

#[test]
fn each_number_of_the_product_has_its_sum() {
    let mut harness = shown("free");
    press(&mut harness, "number before");
    harness.get_by_label("row 4 · column 4");
    press(&mut harness, "next number");
    harness.get_by_label("row 1 · column 1");
    let cos = 0.6_f64.cos();
    harness.get_by_label_contains(&format!("{cos:.3}·1"));
}

#[test]
fn a_vertex_goes_through_and_stands_where_the_picture_shows_it() {
    let mut harness = shown("free");
    let last = harness.get_by_label_contains("world (");
    let words = last.accesskit_node().label().unwrap_or_default();
    last.click();
    harness.run();
    let state = harness.state();
    assert_eq!(state.document.state.chains["free"].travelled, 2.0);
    let influences = bindpose_notebook::Derived::edited_influences(&state.document, &state.rig);
    let derived = bindpose_notebook::Derived::new(
        &state.document,
        Some(&state.lesson),
        &state.rig,
        influences,
    );
    // It follows joint 1 alone.
    let there = derived.position(4).unwrap();
    let expected = bindpose_notebook::number_text::point(&[there.x, there.y], 2);
    assert_eq!(words, format!("world {expected}"));
}

#[test]
fn a_ladder_is_climbed_to_the_empty_line() {
    let mut harness = shown("ladder");
    harness.get_by_label("rung 1 of 3");
    harness.get_by_label_contains("It should come to world from bind");
    press(&mut harness, "put in joint 1 from bind, inverse bind matrix");
    harness.get_by_label("Solved");
    harness.get_by_label("Right");
    press(&mut harness, "Next rung: 2 places blank");
    // Each in the other's place.
    press(&mut harness, "put in joint 0 from joint 1, local transform");
    press(&mut harness, "put in joint 1 from bind, inverse bind matrix");
    harness.get_by_label_contains("The left factor starts from");
    press(&mut harness, "move right");
    harness.get_by_label("Solved");
    press(&mut harness, "Next rung: an empty line");
    for put_in in [
        "put in world from joint 0, global transform",
        "put in joint 0 from joint 1, local transform",
        "put in joint 1 from bind, inverse bind matrix",
    ] {
        assert!(harness.query_by_label("Solved").is_none());
        press(&mut harness, put_in);
    }
    harness.get_by_label("Solved");
    harness.get_by_label("That is how a joint matrix is made.");
    press(&mut harness, "a rung down");
    harness.get_by_label("rung 2 of 3");
}

#[test]
fn what_has_no_inverse_is_said_and_the_page_goes_on() {
    let mut harness = shown("free");
    let flat =
        bindpose_lesson::DataEdit::InverseBind(bindpose_skin::JointIndex(1).into(), [0.0; 16]);
    let page = harness.state_mut();
    let edit = Edit::Data(flat);
    bindpose_notebook::apply(&mut page.document, &edit, &page.lesson, &page.rig).unwrap();
    harness.run();
    harness.get_by_label_contains("factor 2:").click();
    harness.run();
    press(&mut harness, "invert");
    harness.get_by_label_contains("has no inverse now");
    press(&mut harness, "invert");
    assert!(harness.query_by_label_contains("has no inverse now").is_none());
}

#[test]
fn for_row_vectors_the_line_is_turned_round_and_its_keys_follow_the_eye() {
    let mut harness = shown("free");
    let left = |harness: &Harness<'_, Page>, words: &str| {
        harness.get_by_label_contains(words).rect().left()
    };
    let (world, bind) = (": world from joint 1, global", ": joint 1 from bind, inverse");
    assert!(left(&harness, world) < left(&harness, bind));
    let vectors = Some(bindpose_skin::Vectors::Rows);
    harness.state_mut().document.state.written_as.vectors = vectors;
    harness.run();
    assert!(left(&harness, bind) < left(&harness, world));
    let tag = "factor 1: joint 1 from bind, inverse bind matrix";
    harness.get_by_label(tag).focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let swapped = "joint_from_bind(1) * world_from_joint(1)";
    assert_eq!(product(&harness, "free"), swapped);
    press(&mut harness, "move left");
    let right = "world_from_joint(1) * joint_from_bind(1)";
    assert_eq!(product(&harness, "free"), right);
}
