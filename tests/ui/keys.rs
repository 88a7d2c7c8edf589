//! Keyboard focus: arrows, Escape, Tab and the keys that read on.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Key, Modifiers, Pos2, accesskit::Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use bindpose::app::SystemSettings;

use super::{nod_rad, page, step};
use crate::page::Page;

const SIZE: [f32; 2] = [1440.0, 900.0];
const SLIDER: &str = "bindpose://bind-pose/and-carry-it-back?nod=0";

fn click_at(harness: &mut Harness<'_, Page>, at: Pos2) {
    harness.hover_at(at);
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run();
}

fn number(harness: &Harness<'_, Page>) -> Pos2 {
    let mut numbers = harness.query_all_by_role_and_label(Role::SpinButton, "nod");
    numbers.next().expect("the angle as a number").rect().center()
}

fn type_text(harness: &mut Harness<'_, Page>, text: &str) {
    harness.event(eframe::egui::Event::Text(text.to_owned()));
    harness.run();
}

/// Returns role and name of the focused node.
fn focused(harness: &Harness<'_, Page>) -> Option<(Role, String)> {
    let mut nodes = harness.root().children_recursive();
    let node = nodes.find(|node| node.accesskit_node().is_focused())?;
    let node = node.accesskit_node();
    Some((node.role(), node.label().unwrap_or_default()))
}

#[test]
fn after_the_pointer_arrows_turn_pages() {
    let mut harness = page(SLIDER, SIZE);
    let at = number(&harness);
    click_at(&mut harness, at);
    type_text(&mut harness, "45");
    harness.press(Key::Enter);
    assert!((nod_rad(&mut harness) - 45_f64.to_radians()).abs() < 1e-6);
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 5, "a typed number has let go");
    harness.press(Key::ArrowLeft);
    assert!((nod_rad(&mut harness) - 45_f64.to_radians()).abs() < 1e-6);

    let pictures = harness.query_all_by_role(Role::Image);
    let picture = pictures.into_iter().next().expect("a picture").rect();
    click_at(&mut harness, picture.center());
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 5, "a clicked picture, too");
    harness.press(Key::ArrowLeft);

    let slider = harness.get_by_role_and_label(Role::Slider, "nod");
    let at = slider.rect().center();
    slider.focus();
    harness.run();
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 4, "Tab has led to it");
    click_at(&mut harness, at);
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 5, "and the pointer away from it");
}

#[test]
fn a_number_reached_by_tab_keeps_the_arrows_after_enter() {
    let mut harness = page(SLIDER, SIZE);
    let mut numbers = harness.query_all_by_role_and_label(Role::SpinButton, "nod");
    numbers.next().expect("the angle").focus();
    drop(numbers);
    harness.run();
    harness.press(Key::Enter);
    type_text(&mut harness, "30");
    harness.press(Key::Enter);
    harness.press(Key::ArrowRight);
    assert_eq!(step(&mut harness), 4);
    assert!((nod_rad(&mut harness) - 31_f64.to_radians()).abs() < 1e-6);
}

#[test]
fn escape_closes_one_thing_at_a_time() {
    let mut harness = page(SLIDER, SIZE);
    harness.press(Key::F5);
    harness.press(Key::F1);
    let mut numbers = harness.query_all_by_role_and_label(Role::SpinButton, "nod");
    numbers.next().expect("the angle").focus();
    drop(numbers);
    harness.run();
    let before = nod_rad(&mut harness);
    harness.press(Key::Enter);
    type_text(&mut harness, "45");
    let typing = |harness: &Harness<'_, Page>| {
        let mut fields = harness.query_all_by_label("nod, type a value");
        fields.next().is_some()
    };
    let keys = |harness: &Harness<'_, Page>| {
        harness.query_by_label("Read on").is_some()
            || harness.query_by_label_contains("the answer to the question, then").is_some()
    };
    let presenting = |harness: &mut Harness<'_, Page>| harness.state_mut().shell().is_presenting();
    assert!(typing(&harness) && keys(&harness) && presenting(&mut harness));
    harness.press(Key::Escape);
    assert!(!typing(&harness), "what is typed");
    assert_eq!(nod_rad(&mut harness), before, "and it is not taken");
    assert!(focused(&harness).is_some() && keys(&harness));
    harness.press(Key::Escape);
    assert!(focused(&harness).is_none(), "the focus");
    assert!(keys(&harness));
    harness.press(Key::Escape);
    assert!(!keys(&harness), "the window");
    assert!(presenting(&mut harness));
    harness.press(Key::Escape);
    assert!(!presenting(&mut harness), "the presenter mode");
}

#[test]
fn the_first_tab_leads_to_the_stage_and_the_next_to_its_first_control() {
    let mut harness = page(SLIDER, SIZE);
    harness.press(Key::Tab);
    assert_eq!(focused(&harness), Some((Role::Link, "Skip to the stage".to_owned())));
    harness.press(Key::Enter);
    assert_eq!(focused(&harness), Some((Role::Group, "Stage".to_owned())));
    harness.press(Key::Tab);
    let (role, _) = focused(&harness).expect("something of the stage");
    assert_eq!(role, Role::Image, "the picture");
    assert!(harness.query_by_role_and_label(Role::Group, "Stage").is_none());
}

#[test]
fn a_clicker_reveals_a_guess_before_it_goes_on() {
    let link = "bindpose://bone-grid/guess-half-of-two-joints?predict.half=6.5,0.5,0";
    let mut harness = page(link, SIZE);
    let revealed = |harness: &mut Harness<'_, Page>| {
        harness.state_mut().shell().notebook().document().state.predictions["half"].revealed
    };
    let before = step(&mut harness);
    assert!(!revealed(&mut harness));
    harness.press(Key::PageDown);
    assert!(revealed(&mut harness));
    assert_eq!(step(&mut harness), before, "and stays there");
    for _ in 0..8 {
        harness.press(Key::PageDown);
    }
    assert!(step(&mut harness) > before, "then it goes on");
}

#[test]
fn three_stops_lead_to_the_text() {
    let mut harness = page(SLIDER, SIZE);
    harness.press(Key::Tab);
    harness.press(Key::Tab);
    assert_eq!(focused(&harness), Some((Role::Link, "Skip to the text".to_owned())));
    harness.press(Key::Enter);
    assert_eq!(focused(&harness), Some((Role::Group, "Text".to_owned())));
}

#[test]
fn tab_goes_through_the_bar_as_it_is_read() {
    let mut harness = page(SLIDER, SIZE);
    let mut lefts = Vec::new();
    for _ in 0..60 {
        harness.press(Key::Tab);
        let mut nodes = harness.root().children_recursive();
        let node = nodes.find(|node| node.accesskit_node().is_focused());
        let rect = node.expect("a stop").rect();
        if rect.top() > 48.0 {
            break;
        }
        lefts.push(rect.left());
    }
    // The dots of the steps are one stop.
    assert!((12..18).contains(&lefts.len()), "{lefts:?}");
    // The first two are skip links, which overlap others.
    assert!(lefts[2..].is_sorted(), "{lefts:?}");
}

#[test]
fn tab_goes_on_from_what_was_used_last() {
    let mut harness = page(SLIDER, SIZE);
    harness.get_by_role_and_label(Role::Slider, "nod").focus();
    harness.run();
    harness.press(Key::Tab);
    let after = focused(&harness);
    harness.get_by_role_and_label(Role::Slider, "nod").focus();
    harness.run();
    harness.press(Key::Escape);
    assert_eq!(focused(&harness), None);
    harness.press(Key::Tab);
    assert_eq!(focused(&harness), after);
}

#[test]
fn page_down_reads_the_text_to_its_end_before_it_turns() {
    let mut harness = page("bindpose://bind-pose", [1280.0, 480.0]);
    let foot = |harness: &Harness<'_, Page>| {
        let next = harness.get_by_label_contains("Next: ");
        next.rect().bottom()
    };
    let mut bottoms = vec![foot(&harness)];
    assert!(bottoms[0] > 480.0, "a text longer than the window");
    while step(&mut harness) == 0 {
        harness.press(Key::PageDown);
        if step(&mut harness) == 0 {
            bottoms.push(foot(&harness));
        }
        assert!(bottoms.len() < 20);
    }
    assert!(bottoms.is_sorted_by(|a, b| a > b), "{bottoms:?}");
    assert!(bottoms[bottoms.len() - 1] <= 480.0, "{bottoms:?}");
    harness.press(Key::PageUp);
    assert_eq!(step(&mut harness), 0, "at the top it turns back");
    harness.press(Key::PageDown);
    let down = foot(&harness);
    harness.press(Key::PageUp);
    assert!(foot(&harness) > down, "and reads back");
}

/// Returns name and rectangle of all nodes that have a name.
fn places(harness: &Harness<'_, Page>) -> Vec<(String, eframe::egui::Rect)> {
    let nodes = harness.root().children_recursive();
    let named = nodes.filter_map(|node| {
        let label = node.accesskit_node().label()?;
        node.accesskit_node().bounding_box()?;
        Some((label, node.rect()))
    });
    named.collect()
}

#[test]
fn nothing_moves_when_a_number_of_a_product_is_pointed_at() {
    let mut harness = page("bindpose://bind-pose/at-rest-nothing-moves", [1280.0, 720.0]);
    let away = Pos2::new(640.0, 10.0);
    harness.hover_at(away);
    harness.run();
    let before = places(&harness);
    let copies = harness.query_all_by_label_contains("copy ");
    let corners: Vec<Pos2> = copies.map(|node| node.rect().center()).collect();
    assert_eq!(corners.len(), 3, "two factors and their product");
    let mut sums = 0;
    for at in corners {
        harness.hover_at(at + vec2(-60.0, 60.0));
        harness.run();
        sums += harness.query_all_by_label_contains(" + ").count();
        let now = places(&harness);
        for (label, rect) in &before {
            let there = now.iter().any(|(other, place)| other == label && place == rect);
            let told = label.contains("Point at a number") || label.starts_with("Viewport");
            assert!(there || told, "“{label}” stood at {rect}");
        }
    }
    assert!(sums > 0, "a sum was told");
}

#[test]
fn copying_a_matrix_is_announced() {
    let mut harness = page("bindpose://bind-pose/a-head-on-a-neck", SIZE);
    let mut copies = harness.query_all_by_label_contains("copy ");
    copies.next().expect("a matrix").click();
    drop(copies);
    harness.run();
    harness.click_label_containing("Copy as GLSL");
    harness.get_by_role_and_label(Role::Status, "Copied to the clipboard.");
}

#[test]
fn motion_and_text_size_follow_the_system_until_the_reader_sets_them() {
    let mut harness = page(SLIDER, SIZE);
    let seen = |harness: &Harness<'_, Page>| {
        let style = harness.ctx.global_style();
        (style.animation_time, harness.ctx.zoom_factor())
    };
    let usual = seen(&harness);
    assert!(usual.0 > 0.0 && usual.1 == 1.0);
    harness.state_mut().shell().set_system_settings(SystemSettings {
        less_motion: true,
        text_scale: 1.25,
        ..SystemSettings::default()
    });
    harness.run();
    assert_eq!(seen(&harness), (0.0, 1.25));
    harness.press_with(Modifiers::COMMAND, Key::M);
    assert_eq!(seen(&harness), (usual.0, 1.25));
    let preferences = harness.state_mut().shell().preferences();
    assert_eq!(preferences.less_motion, Some(false));
}
