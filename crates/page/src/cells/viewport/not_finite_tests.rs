//! A picture with a matrix that is not finite is empty and describes why.

use std::sync::Arc;

use bindpose_lesson::ViewportCell;
use bindpose_notebook::viewport::first_not_finite;
use bindpose_notebook::{Edit, EditError, InverseBindEdit, apply};
use bindpose_skin::{Influences, JointIndex};
use egui_kittest::kittest::Queryable as _;

use super::ui;
use crate::cells::testing::{Page, SceneRecorder, harness};

const NOT_FINITE_STATUS: &str = "the matrix of joint 1 “lower” is not finite: nothing is drawn";

#[test]
fn picture_is_empty_and_describes_why_while_a_matrix_is_not_finite() {
    let drawn = Arc::default();
    let mut page = Page::new("arm");
    page.viewports = Box::new(SceneRecorder(Arc::clone(&drawn)));
    let cell = ViewportCell::default();
    let mut harness = harness(page, move |view, page| ui(view, &cell, "main", page, 420.0));
    harness.run();
    let last_scene = || drawn.lock().unwrap().clone().expect("a scene was drawn");
    assert!(last_scene().surface);

    let state = &mut harness.state_mut().document.state;
    let not_finite = InverseBindEdit([f32::NAN; 16]);
    state.inverse_binds.insert(JointIndex(1), not_finite);
    harness.run();
    let name = harness.state().rig.skeleton.joints()[1].name.clone();
    harness.get_by_label_contains(&NOT_FINITE_STATUS.replace("lower", &name));
    let empty_scene = last_scene();
    assert!(!empty_scene.surface && !empty_scene.lines && !empty_scene.normals);
    assert_eq!(first_not_finite(&empty_scene.palette), None, "no NaN is sent to the driver");

    harness.state_mut().document.state.inverse_binds.clear();
    harness.run();
    assert!(harness.query_by_label_contains("not finite").is_none());
    assert!(last_scene().surface);
}

#[test]
fn edits_that_are_not_finite_are_rejected() {
    let page = Page::new("arm");
    let mut document = page.document.clone();
    let not_finite = Influences::new(&[(JointIndex(0), f32::NAN)]);
    let matrix_edit =
        Edit::InverseBindCell { joint: JointIndex(0), row: 0, column: 0, value: f32::INFINITY };
    let angle = page.rig.angles().next().unwrap().name.clone();
    for edit in [
        Edit::Paint(vec![(3, not_finite)]),
        Edit::OpenWeights(vec![(3, not_finite)]),
        Edit::param(angle, f64::NAN),
        matrix_edit,
    ] {
        let result = apply(&mut document, &edit, &page.lesson, &page.rig);
        assert!(matches!(result, Err(EditError::NotFinite(_))), "{edit:?}");
        assert_eq!(document, page.document);
    }
}
