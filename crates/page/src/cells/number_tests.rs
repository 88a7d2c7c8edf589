//! Tests that all number fields of a page are dragged and typed in the same way.

use bindpose_lesson::{
    AnglesCell, Inline, JointRef, LessonBlock, LinkTarget, MatrixCell, MatrixRef, NumberFormat,
    WeightsCell,
};
use bindpose_skin::JointIndex;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Event, Key, Modifiers, accesskit::Role, vec2};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT as _, Queryable},
};

use super::testing::{Page, harness};
use super::{angles, matrix, weights};
use crate::prose::blocks_ui;

/// Number fields, by their role and label, and the displayed size of a step.
const NUMBER_FIELDS: [(Role, &str, f64); 5] = [
    (Role::SpinButton, "joint 1", 1.0),
    (Role::Slider, "joint 0", 1.0),
    (Role::SpinButton, "joint 0", 1.0),
    (Role::SpinButton, "joint 1 from bind, row 1, column 4", 0.01),
    (Role::SpinButton, "weight of joint 1 on v2", 0.01),
];

/// A page with a number in prose, a slider with its number, a matrix and a table of
/// weights.
fn numbers_harness() -> Harness<'static, Page> {
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

fn find_node<'h>(harness: &'h Harness<'_, Page>, role: Role, label: &'h str) -> Node<'h> {
    harness.get_by_role_and_label(role, label)
}

fn displayed_value(harness: &Harness<'_, Page>, role: Role, label: &str) -> f64 {
    find_node(harness, role, label).accesskit_node().numeric_value().expect("a number")
}

#[test]
fn arrow_keys_change_all_number_fields_alike() {
    for (role, label, step) in NUMBER_FIELDS {
        let mut harness = numbers_harness();
        let stored = displayed_value(&harness, role, label);
        find_node(&harness, role, label).focus();
        harness.run();
        let mut expected = stored;
        for (modifiers, key, steps) in [
            (Modifiers::NONE, Key::ArrowRight, 1.0),
            (Modifiers::COMMAND, Key::ArrowUp, 10.0),
            (Modifiers::COMMAND, Key::ArrowLeft, -10.0),
            (Modifiers::NONE, Key::ArrowDown, -1.0),
            (Modifiers::SHIFT, Key::ArrowRight, 0.1),
        ] {
            harness.press_with(modifiers, key);
            expected += steps * step;
            let actual = displayed_value(&harness, role, label);
            assert!(
                (actual - expected).abs() < 1e-5,
                "{role:?} {label}, {modifiers:?} {key:?}: {actual}, not {expected}"
            );
        }
        harness.press(Key::Delete);
        assert_eq!(displayed_value(&harness, role, label), stored, "{role:?} {label}");
    }
}

#[test]
fn shift_drags_finely_and_ctrl_coarsely() {
    for (role, label, step) in NUMBER_FIELDS {
        for (modifiers, min_steps, max_steps) in
            [(Modifiers::SHIFT, 0.5, 2.0), (Modifiers::COMMAND, 20.0, 200.0)]
        {
            let mut harness = numbers_harness();
            let before = displayed_value(&harness, role, label);
            let start = find_node(&harness, role, label).rect().center();
            harness.event_modifiers(Event::PointerMoved(start), modifiers);
            harness.drag_at(start);
            harness.event_modifiers(Event::PointerMoved(start + vec2(20.0, 0.0)), modifiers);
            harness.run();
            let steps = (displayed_value(&harness, role, label) - before) / step;
            assert!(
                steps >= min_steps - 1e-3 && steps <= max_steps + 1e-3,
                "{role:?} {label}, {modifiers:?}: {steps} steps"
            );
        }
    }
}

#[test]
fn accessibility_actions_change_all_number_fields() {
    for (role, label, step) in NUMBER_FIELDS {
        let mut harness = numbers_harness();
        let stored = displayed_value(&harness, role, label);
        let node = find_node(&harness, role, label);
        let accesskit_node = node.accesskit_node();
        assert_eq!(accesskit_node.numeric_value_step(), Some(step), "{role:?} {label}");
        let is_matrix = label.contains("row");
        assert_eq!(accesskit_node.min_numeric_value().is_none(), is_matrix);
        find_node(&harness, role, label).increment_accesskit();
        harness.run();
        assert!((displayed_value(&harness, role, label) - stored - step).abs() < 1e-6);
        find_node(&harness, role, label).decrement_accesskit();
        harness.run();
        assert!((displayed_value(&harness, role, label) - stored).abs() < 1e-6);
        find_node(&harness, role, label).set_value_accesskit(0.75);
        harness.run();
        assert!((displayed_value(&harness, role, label) - 0.75).abs() < 1e-6);
        find_node(&harness, role, label).set_text_value_accesskit("1/4");
        harness.run();
        assert!((displayed_value(&harness, role, label) - 0.25).abs() < 1e-6);
    }
}

#[test]
fn number_fields_accept_formulas_and_report_invalid_input() {
    for (role, label, _) in NUMBER_FIELDS {
        if role == Role::Slider {
            continue;
        }
        let mut harness = numbers_harness();
        find_node(&harness, role, label).focus();
        harness.run();
        for (typed, key) in [("3/4", Key::Enter), ("2", Key::Escape), ("1e7", Key::Enter)] {
            harness.press(Key::Enter);
            harness.event(Event::Text(typed.to_owned()));
            harness.run();
            harness.press(key);
        }
        harness.get_by_label_contains("a number from −");
        harness.press(Key::Escape);
        assert!((displayed_value(&harness, role, label) - 0.75).abs() < 1e-6, "{label}");
        assert!(find_node(&harness, role, label).is_focused(), "{label}");
    }
}
