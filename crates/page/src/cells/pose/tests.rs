use bindpose_lesson::{CellKind, LessonSet};
use eframe::egui::{Key, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::cells::testing::{Page, harness};

const SOURCE: &str = "for j in joints {\n    rotate_z(j, sin(t) * 0.8)\n}";

fn shown() -> Harness<'static, Page> {
    let mut page = Page::new("bone_grid");
    let text = format!(
        "+++\ntitle = \"t\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## One\n```pose mover\nprogram = \"\"\"\n{SOURCE}\n\"\"\"\n```\n"
    );
    let set = LessonSet::from_memory(&[("10-one", &text, "notes")], "");
    let lesson = set.lessons[0].clone();
    let cell = lesson.cells().next().expect("a cell").clone();
    let CellKind::Pose(pose) = cell.kind else {
        panic!("{cell:?}");
    };
    page.put_lesson(lesson);
    let mut harness = harness(page, move |view, page| ui(view, &pose, "mover", page));
    harness.run();
    harness
}

#[test]
fn the_program_is_a_text_that_can_be_changed_and_put_back() {
    let mut harness = shown();
    let field = harness.get_by_label("Text of the program");
    field.focus();
    harness.run();
    harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
    harness.run();
    harness.get_by_label("Text of the program").type_text("rotate_z(b1, 1) + 2");
    harness.run();
    let state = &harness.state().document.state;
    assert_eq!(&*state.texts["mover"].text, "rotate_z(b1, 1) + 2");
    harness.get_by_label_contains("Line 1, column 17: Expected an operator or the end");
    harness.get_by_label_contains("the last text that could be read poses");
    harness.get_by_role_and_label(Role::Button, "Reset the program").click();
    harness.run();
    assert!(harness.state().document.state.texts.is_empty());
    assert!(harness.query_by_label_contains("Line 1").is_none());
}

#[test]
fn playing_moves_time_on_and_the_joints_with_it() {
    let mut harness = shown();
    harness.get_by_role_and_label(Role::Button, "Play").click();
    harness.run_steps(4);
    let time_secs = harness.state().document.time_secs();
    assert!(time_secs > 0.0);
    harness.get_by_role_and_label(Role::Button, "Pause").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "t = 0").click();
    harness.run();
    assert_eq!(harness.state().document.time_secs(), 0.0);
}
