//! A matrix that is not finite: told, and nothing is drawn.

use std::sync::Arc;

use bindpose_lesson::ViewportCell;
use bindpose_notebook::viewport::first_not_finite;
use bindpose_notebook::{Edit, EditError, InverseBindEdit, apply};
use bindpose_skin::{Influences, JointIndex};
use egui_kittest::kittest::Queryable as _;

use super::ui;
use crate::cells::testing::{Drawn, Page, harness};

const TOLD: &str = "the matrix of joint 1 “lower” is not finite: nothing is drawn";

#[test]
fn while_a_matrix_is_not_finite_the_picture_is_empty_and_says_so() {
    let drawn = Arc::default();
    let mut page = Page::new("arm");
    page.viewports = Box::new(Drawn(Arc::clone(&drawn)));
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |view, page| ui(view, &cell, "main", page, 420.0));
    harness.run();
    let scene = || drawn.lock().unwrap().clone().expect("a scene");
    assert!(scene().surface);

    let state = &mut harness.state_mut().document.state;
    let wrong = InverseBindEdit([f32::NAN; 16]);
    state.inverse_binds.insert(JointIndex(1), wrong);
    harness.run();
    let name = harness.state().rig.skeleton.joints()[1].name.clone();
    harness.get_by_label_contains(&TOLD.replace("lower", &name));
    let empty = scene();
    assert!(!empty.surface && !empty.lines && !empty.normals);
    assert_eq!(first_not_finite(&empty.palette), None, "no driver is asked what NaN looks like");

    harness.state_mut().document.state.inverse_binds.clear();
    harness.run();
    assert!(harness.query_by_label_contains("not finite").is_none());
    assert!(scene().surface);
}

#[test]
fn an_edit_that_is_no_number_is_refused_while_painting_and_posing() {
    let page = Page::new("arm");
    let mut document = page.document.clone();
    let wild = Influences::new(&[(JointIndex(0), f32::NAN)]);
    let cells =
        Edit::InverseBindCell { joint: JointIndex(0), row: 0, column: 0, value: f32::INFINITY };
    let angle = page.rig.angles().next().unwrap().name.clone();
    for edit in [
        Edit::Paint(vec![(3, wild)]),
        Edit::OpenWeights(vec![(3, wild)]),
        Edit::param(angle, f64::NAN),
        cells,
    ] {
        let refused = apply(&mut document, &edit, &page.lesson, &page.rig);
        assert!(matches!(refused, Err(EditError::NotFinite(_))), "{edit:?}");
        assert_eq!(document, page.document);
    }
}
