//! The bench, tested on every page.

use std::time::Duration;

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{self, Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, Node};
use glam::Vec3;

use bindpose_lesson::LessonSet;
use bindpose_notebook::Document;

use super::page as open;
use super::page::Page;

const CLOSE: &str = "close the bench";

fn links() -> Vec<String> {
    let lessons = LessonSet::embedded().lessons.into_iter();
    let links = lessons.flat_map(|lesson| {
        let steps = lesson.steps.into_iter();
        steps.map(move |step| format!("bindpose://{}/{}", lesson.slug, step.slug))
    });
    links.collect()
}

fn follow(harness: &mut Harness<'_, Page>, link: &str) {
    harness.state_mut().shell().open_link(link).expect("a page");
    let done = harness.try_run();
    done.unwrap_or_else(|why| panic!("{link}: {why}"));
}

fn document(harness: &mut Harness<'_, Page>) -> Document {
    harness.state_mut().shell().notebook().document().clone()
}

fn chosen_vertex(harness: &mut Harness<'_, Page>) -> Vec3 {
    let notebook = harness.state_mut().shell().notebook();
    let vertex = notebook.document().state.vertex as usize;
    notebook.derived().position(vertex).expect("a vertex")
}

fn weight_slider<'a>(harness: &'a Harness<'_, Page>) -> Option<Node<'a>> {
    harness.query_all_by_role(Role::Slider).find(|slider| {
        let label = slider.accesskit_node().label();
        label.is_some_and(|label| label.starts_with("weight of joint"))
    })
}

/// Returns whether a text refers to the weights, as that about sliders outside of the bench does.
fn of_weights(words: &Node<'_>) -> bool {
    let node = words.accesskit_node();
    let words = node.value().or_else(|| node.label()).unwrap_or_default();
    words.to_lowercase().contains("weights")
}

/// Drags a slider to a fraction of its length.
fn drag_to(harness: &mut Harness<'_, Page>, rect: egui::Rect, part: f32) {
    let at = |part: f32| egui::pos2(rect.left() + part * rect.width(), rect.center().y);
    harness.hover_at(at(0.5));
    harness.drag_at(at(0.5));
    harness.step();
    harness.hover_at(at(part));
    harness.step();
    harness.drop_at(at(part));
    harness.run();
}

#[test]
fn on_every_step_a_weight_is_dragged_and_the_vertex_follows() {
    let mut harness = open("bindpose://bind-pose", [1440.0, 900.0]);
    harness.press(Key::W);
    for link in links() {
        follow(&mut harness, &link);
        harness.get_by_label(CLOSE);
        let blend = harness.query_by_role_and_label(Role::Button, "blend");
        if let Some(blend) = blend {
            blend.click();
            harness.run();
        }
        let before = (document(&mut harness), chosen_vertex(&mut harness));
        let slider = weight_slider(&harness).unwrap_or_else(|| panic!("{link}: no weights"));
        let rect = slider.rect();
        let now = slider.accesskit_node().numeric_value().expect("a number");
        let to = if now < 0.6 { 0.9 } else { 0.3 };
        let own = harness.query_by_label_contains("among what the step shows");
        if own.is_some_and(|own| of_weights(&own)) {
            // The sliders of the step may have to be scrolled into view.
            slider.set_value_accesskit(f64::from(to));
            harness.run();
        } else {
            assert!(rect.bottom() < 880.0, "{link}: {rect}");
            drag_to(&mut harness, rect, to);
        }
        let after = chosen_vertex(&mut harness);
        assert_ne!(before.1, after, "{link}");
        harness.press_with(Modifiers::COMMAND, Key::Z);
        let undone = document(&mut harness);
        assert_eq!(undone.state.weights, before.0.state.weights, "{link}");
    }
}

#[test]
fn the_bench_fits_every_step_at_every_size() {
    // The third size is 1280 × 720 with text at 200%.
    for size in [[1280.0, 720.0], [1000.0, 700.0], [640.0, 360.0], [500.0, 800.0]] {
        let mut harness = open("bindpose://bind-pose", size);
        harness.press(Key::W);
        for link in links() {
            follow(&mut harness, &link);
            let width = size[0];
            for node in harness.root().children_recursive() {
                let node = node.accesskit_node();
                let words = node.label().or_else(|| node.value());
                let told = format!("{link} at {size:?}: {:?} {words:?}", node.role());
                let scrolls = matches!(node.role(), Role::Label | Role::TextRun | Role::SpinButton);
                let Some(place) = node.bounding_box() else {
                    continue;
                };
                if width > 700.0 || !scrolls {
                    let (left, right) = (place.x0 as f32, place.x1 as f32);
                    assert!(
                        left > -1.0 && right < width + 1.0,
                        "{told}: {left} to {right} of {width}"
                    );
                }
            }
        }
    }
}

/// On a projector, weights and matrices are visible without scrolling.
#[test]
fn presenting_weights_and_two_matrices_stand_beside_a_large_picture() {
    let screen = [1024.0, 576.0];
    for link in [
        "bindpose://bone-grid/what-blending-costs",
        "bindpose://whale/what-a-skin-adds",
        "bindpose://bind-pose/a-head-on-a-neck",
    ] {
        let mut harness = open("bindpose://bind-pose", screen);
        harness.press(Key::F5);
        harness.press(Key::W);
        follow(&mut harness, link);
        let pictures = harness.query_all_by_role(Role::Image);
        let picture = pictures.map(|node| node.rect()).reduce(egui::Rect::union);
        let picture = picture.expect("a picture");
        assert!(picture.height() > 220.0 && picture.width() > 450.0, "{link}: {picture}");
        let slider = weight_slider(&harness).expect("a slider of a weight").rect();
        let chooser = harness.get_by_label_contains("B: the same, a moment ago").rect();
        for rect in [slider, chooser.translate(egui::vec2(0.0, 120.0))] {
            assert!(rect.bottom() < screen[1], "{link}: {rect}");
            assert!(!rect.intersects(picture), "{link}: {rect} {picture}");
        }
        // Reading on goes to the next step, not to a hidden paragraph.
        let step = document(&mut harness).step;
        harness.press(Key::PageDown);
        assert_eq!(document(&mut harness).step, step + 1, "{link}");
    }
}

#[test]
fn the_bench_stays_open_across_steps_and_idle_pages_stay_idle() {
    let mut harness = open("bindpose://bind-pose", [1280.0, 720.0]);
    harness.click_role(Role::Button, "Numbers");
    for link in links().iter().step_by(7) {
        follow(&mut harness, link);
        harness.get_by_label(CLOSE);
        // Background computations may take a while on a busy machine.
        let is_idle = (0..500).any(|_| {
            harness.step();
            let output = harness.output().viewport_output.values();
            let delay = output.map(|viewport| viewport.repaint_delay).min();
            let is_idle = delay == Some(Duration::MAX);
            if !is_idle {
                std::thread::sleep(Duration::from_millis(20));
            }
            is_idle
        });
        assert!(is_idle, "{link}");
    }
    harness.click_label(CLOSE);
    assert!(harness.query_by_label(CLOSE).is_none());
}

#[test]
fn two_matrices_of_ones_own_choice_are_compared_in_four_actions() {
    let mut harness = open("bindpose://bone-grid/one-angle-for-all", [1440.0, 900.0]);
    harness.press(Key::W);
    let click = |harness: &mut Harness<'_, Page>, label: &str| {
        harness.click_label(label);
    };
    click(&mut harness, "compare world from joint 2 as A");
    click(&mut harness, "compare world from bind as B");
    harness.get_by_label("A: world matrix of joint 2: choose a matrix");
    harness.get_by_label("B: joint matrix of joint 2: choose a matrix");
    assert!(harness.query_all_by_label_contains("max |A − B|").count() == 1);
}

#[test]
fn a_matrix_is_chosen_by_kind_joint_and_time() {
    let mut harness = open("bindpose://whale/one-vertex-four-joints", [1440.0, 900.0]);
    harness.press(Key::W);
    let click = |harness: &mut Harness<'_, Page>, label: &str| {
        harness.click_label(label);
    };
    click(&mut harness, "A: joint matrix of tail_1: choose a matrix");
    harness.click_role(Role::Button, "inverse bind matrix joint ← bind");
    let lists = harness.query_all_by_label("search joints by name");
    let search = lists.last().expect("21 joints are searched");
    search.focus();
    harness.run();
    harness.event(egui::Event::Text("fluke_r".to_owned()));
    harness.run();
    harness.click_role(Role::Button, "fluke_r");
    harness.get_by_label("A: inverse bind matrix of fluke_r: choose a matrix");
}

#[test]
fn a_state_is_kept_flipped_and_left_again() {
    let link = "bindpose://gltf-joint-matrices/from-an-index-to-a-node";
    let mut harness = open(link, [1440.0, 900.0]);
    harness.press(Key::W);
    let begin = document(&mut harness);
    harness.press_with(Modifiers::COMMAND, Key::Num1);
    let rect = weight_slider(&harness).expect("weights").rect();
    drag_to(&mut harness, rect, 0.9);
    let dragged = document(&mut harness);
    assert_ne!(dragged.state.weights, begin.state.weights);

    harness.click_label("B: the same, a moment ago: choose a matrix");
    harness.click_role(Role::Button, "in snapshot A");
    harness.press(Key::Escape);
    harness.get_by_label("A and B are equal.");

    harness.click_role(Role::Button, "Flip A and B");
    assert_eq!(document(&mut harness).state, begin.state);
    harness.click_label("back to how it was");
    assert_eq!(document(&mut harness).state, dragged.state);
    harness.press(Key::Escape);
    harness.press(Key::X);
    assert_eq!(document(&mut harness).state, begin.state, "by key as well");
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&mut harness).state, dragged.state, "and undone");
}
