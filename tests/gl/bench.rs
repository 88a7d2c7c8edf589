//! The pictures of two kept states, on real GL.

use bindpose_lesson::LessonSet;
use bindpose_notebook::Edit;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::common::{GlowTestRenderer, gl_or_skip, keep_picture};
use crate::page;

#[test]
fn kept_states_are_drawn_side_by_side_and_their_distance_is_told() {
    let Some(gl) = gl_or_skip("kept_states_are_drawn_side_by_side_and_their_distance_is_told")
    else {
        return;
    };
    let context = gl.gl();
    let window = Harness::builder()
        .with_size([1440.0, 900.0])
        .with_max_steps(30)
        .renderer(GlowTestRenderer::new(gl));
    let mut page = page::open(window, Some(context), LessonSet::embedded(), 1.0);
    let link = "bindpose://whale/every-joint-by-its-name";
    page.state_mut().shell().follow(link).expect("a page");
    page.run();
    page.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    page.run();
    let turn = Edit::param("tail_1", 0.8);
    page.state_mut().shell().edit(&turn).expect("an angle");
    page.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    page.key_press(Key::W);
    page.run();
    page.get_by_label("pictures of A, B, A − B").click();
    page.run();
    assert!(page.query_by_label_contains("largest ").is_some());
    assert!(page.query_by_label("no difference, up to rounding").is_none());
    let picture = page.render().expect("a picture");
    keep_picture("bench", &picture);
    page.state_mut().shell().destroy();
}
