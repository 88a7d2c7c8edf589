use super::*;
use crate::cells::testing::{Page, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn shown(page: Page) -> Harness<'static, Page> {
    let mut harness = harness(page, |view, page| {
        ui(view, &HistogramCell::default(), "h", page);
    });
    harness.run();
    harness
}

fn with_one_off() -> Page {
    let mut page = Page::new("bone_grid");
    page.document.state.weights.insert(6, [0.5, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
    page
}

#[test]
fn an_edited_weight_is_counted_apart() {
    let mut harness = shown(with_one_off());
    let words = "Σw = 1 at 10 of 10 vertices as stored, and at 9 now.";
    harness.get_by_label(words);
    harness.state_mut().document.state.weights.clear();
    harness.run();
    assert!(harness.query_by_label(words).is_none(), "as stored again");
}

#[test]
fn the_table_says_it_in_rows_and_chooses_the_vertex() {
    let mut harness = shown(with_one_off());
    harness.get_by_label("as a table").click();
    harness.run();
    harness.get_by_label("1.30");
    harness.get_by_label("v6").click();
    harness.run();
    assert_eq!(harness.state().document.state.vertex, 6);
}

#[test]
fn keys_go_from_bar_to_bar() {
    let mut harness = shown(with_one_off());
    harness.get_by_label_contains("Sums of weights; use the arrow keys").focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let words = harness.query_all_by_label_contains("Σw from 1.295 to 1.305: 0 as stored, 1 now");
    assert!(words.count() > 0);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().document.state.vertex, 6);
}

#[test]
fn one_vertex_beside_thousands_is_seen() {
    let scale = Scale { most: 4000.0, logarithmic: true };
    assert!(scale.part(1.0) > 0.05);
    assert_eq!(scale.part(4000.0), 1.0);
    assert_eq!(scale.ticks(), [1, 10, 100, 1000]);
}
