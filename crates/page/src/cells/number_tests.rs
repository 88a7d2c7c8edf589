//! A number is the same to drag and to type wherever it stands.

use bindpose_lesson::{
    AnglesCell, Inline, JointRef, LessonBlock, LinkTarget, MatrixCell, MatrixRef, NumberFormat,
    WeightsCell,
};
use bindpose_skin::JointIndex;
use eframe::egui::{Event, Key, Modifiers, accesskit::Role, vec2};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT as _, Queryable},
};

use super::testing::{Page, harness};
use super::{angles, matrix, weights};
use crate::prose::blocks_ui;

/// Where a number stands, and what a step of it is, as shown.
const PLACES: [(Role, &str, f64); 5] = [
    (Role::SpinButton, "joint 1", 1.0),
    (Role::Slider, "joint 0", 1.0),
    (Role::SpinButton, "joint 0", 1.0),
    (Role::SpinButton, "joint 1 from bind, row 1, column 4", 0.01),
    (Role::SpinButton, "weight of joint 1 on v2", 0.01),
];

/// A number in prose, a slider with its number, a matrix and a table of weights.
fn page() -> Harness<'static, Page> {
    let format = NumberFormat { suffix: "°".to_owned(), ..NumberFormat::default() };
    let prose = [LessonBlock::Paragraph(vec![Inline::Link {
        text: "0°".to_owned(),
        target: LinkTarget::Param("b1".to_owned(), format),
    }])];
    let sliders = AnglesCell { params: vec!["b0".to_owned()], ..AnglesCell::default() };
    let inverse_bind = MatrixCell {
        show: vec![MatrixRef::JointFromBind(JointRef::Named(JointIndex(1).into()))],
        ..MatrixCell::default()
    };
    let mut harness = harness(Page::new("bone_grid"), move |ui, page| {
        blocks_ui(ui, &prose, page, &mut |_, _, _| {});
        angles::ui(ui, &sliders, "a", page);
        matrix::ui(ui, &inverse_bind, "m", page);
        weights::ui(ui, &WeightsCell::default(), "w", page);
    });
    harness.run();
    harness
}

fn node<'h>(harness: &'h Harness<'_, Page>, role: Role, label: &'h str) -> Node<'h> {
    harness.get_by_role_and_label(role, label)
}

fn shown(harness: &Harness<'_, Page>, role: Role, label: &str) -> f64 {
    let node = node(harness, role, label);
    node.accesskit_node().numeric_value().expect("a number")
}

#[test]
fn the_same_keys_do_the_same_wherever_a_number_stands() {
    for (role, label, step) in PLACES {
        let mut harness = page();
        let stored = shown(&harness, role, label);
        node(&harness, role, label).focus();
        harness.run();
        let mut expected = stored;
        for (modifiers, key, steps) in [
            (Modifiers::NONE, Key::ArrowRight, 1.0),
            (Modifiers::COMMAND, Key::ArrowUp, 10.0),
            (Modifiers::COMMAND, Key::ArrowLeft, -10.0),
            (Modifiers::NONE, Key::ArrowDown, -1.0),
            (Modifiers::SHIFT, Key::ArrowRight, 0.1),
        ] {
            harness.key_press_modifiers(modifiers, key);
            harness.run();
            expected += steps * step;
            let now = shown(&harness, role, label);
            assert!(
                (now - expected).abs() < 1e-5,
                "{role:?} {label}, {modifiers:?} {key:?}: {now}, not {expected}"
            );
        }
        harness.key_press(Key::Delete);
        harness.run();
        assert_eq!(shown(&harness, role, label), stored, "{role:?} {label}");
    }
}

#[test]
fn shift_drags_finely_and_ctrl_coarsely_wherever_a_number_stands() {
    for (role, label, step) in PLACES {
        for (modifiers, least, most) in
            [(Modifiers::SHIFT, 0.5, 2.0), (Modifiers::COMMAND, 20.0, 200.0)]
        {
            let mut harness = page();
            let before = shown(&harness, role, label);
            let at = node(&harness, role, label).rect().center();
            harness.event_modifiers(Event::PointerMoved(at), modifiers);
            harness.drag_at(at);
            harness.event_modifiers(Event::PointerMoved(at + vec2(20.0, 0.0)), modifiers);
            harness.run();
            let moved = (shown(&harness, role, label) - before) / step;
            assert!(
                moved >= least - 1e-3 && moved <= most + 1e-3,
                "{role:?} {label}, {modifiers:?}: {moved} steps"
            );
        }
    }
}

#[test]
fn those_who_do_not_see_the_page_can_change_every_number() {
    for (role, label, step) in PLACES {
        let mut harness = page();
        let stored = shown(&harness, role, label);
        let accesskit = node(&harness, role, label);
        let accesskit = accesskit.accesskit_node();
        assert_eq!(accesskit.numeric_value_step(), Some(step), "{role:?} {label}");
        let is_matrix = label.contains("row");
        assert_eq!(accesskit.min_numeric_value().is_none(), is_matrix);
        node(&harness, role, label).increment_accesskit();
        harness.run();
        assert!((shown(&harness, role, label) - stored - step).abs() < 1e-6);
        node(&harness, role, label).decrement_accesskit();
        harness.run();
        assert!((shown(&harness, role, label) - stored).abs() < 1e-6);
        node(&harness, role, label).set_value_accesskit(0.75);
        harness.run();
        assert!((shown(&harness, role, label) - 0.75).abs() < 1e-6);
        node(&harness, role, label).set_text_value_accesskit("1/4");
        harness.run();
        assert!((shown(&harness, role, label) - 0.25).abs() < 1e-6);
    }
}

#[test]
fn every_number_takes_a_formula_and_says_what_it_does_not_take() {
    for (role, label, _) in PLACES {
        if role == Role::Slider {
            continue;
        }
        let mut harness = page();
        node(&harness, role, label).focus();
        harness.run();
        for (typed, key) in [("3/4", Key::Enter), ("2", Key::Escape), ("1e7", Key::Enter)] {
            harness.key_press(Key::Enter);
            harness.run();
            harness.event(Event::Text(typed.to_owned()));
            harness.run();
            harness.key_press(key);
            harness.run();
        }
        harness.get_by_label_contains("a number from −");
        harness.key_press(Key::Escape);
        harness.run();
        assert!((shown(&harness, role, label) - 0.75).abs() < 1e-6, "{label}");
        assert!(node(&harness, role, label).is_focused(), "{label}");
    }
}
