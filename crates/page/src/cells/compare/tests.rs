use std::cell::RefCell;
use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_2;

use bindpose_lesson::{Projection, Setting, Settings, SkinningFault, Variant, View};
use bindpose_notebook::Edit;
use bindpose_notebook::posing::JointMove;
use bindpose_skin::{JointIndex, Method};
use eframe::egui::Ui;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;

use super::*;
use crate::cells::testing::{Page, harness, scaled};

fn cell(difference: bool, settings: [Setting; 2]) -> CompareCell {
    let variants = ["first", "second"]
        .into_iter()
        .zip(settings)
        .map(|(label, setting)| Variant { label: label.into(), set: Settings(vec![setting]) })
        .collect();
    CompareCell {
        variants,
        model_b: false,
        difference,
        view: View::Front,
        projection: Projection::Orthographic,
        target: None,
        height: None,
        show: None,
        tint_most: None,
    }
}

fn methods() -> [Setting; 2] {
    [Method::Linear, Method::DualQuaternion].map(Setting::Method)
}

fn bent_arm() -> Page {
    let mut page = Page::new("arm");
    page.document.state.params.insert("bend".to_owned(), FRAC_PI_2);
    page
}

fn shown(page: Page, cell: CompareCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |ui: &mut Ui, page| {
        super::ui(ui, &cell, "c", page, 400.0);
    });
    harness.run();
    harness
}

#[test]
fn each_picture_tells_what_it_is_of() {
    let mut page = bent_arm();
    page.document.state.vertex = 409;
    let harness = shown(page, cell(false, methods()));
    // The middle ring: half of the turn, at cos 45° or at full distance.
    for words in [
        "first: Arm, 2 joints",
        "second: Arm, 2 joints",
        "Vertex 409 is at 1.750, 0.250, 0.000",
        "Vertex 409 is at 1.646, 0.354, 0.000",
    ] {
        assert!(harness.query_by_label_contains(words).is_some(), "{words}");
    }
}

#[test]
fn the_difference_is_told_in_numbers_and_leads_to_its_vertex() {
    let mut harness = shown(bent_arm(), cell(true, methods()));
    // 0.5 − 0.5 cos 45°.
    assert!(harness.query_by_label("largest 0.146").is_some());
    let scale = "scale of distances from 0 to 0.2 world units";
    assert!(harness.query_by_label(scale).is_some());
    harness.get_by_role_and_label(Role::Link, "v409").click();
    harness.run();
    assert!(harness.state().edits.contains(&Edit::set(Setting::Vertex(409))));
}

#[test]
fn a_model_of_another_size_differs_as_much() {
    for (by, largest, described) in [
        (1e-3, "largest 0.000146", "is at 0.00175, 0.00025, 0.00000"),
        (1e4, "largest 1464", "is at 17500, 2500, 0"),
    ] {
        let mut page = Page::with_rig(scaled("arm", by));
        page.document.state.params.insert("bend".to_owned(), FRAC_PI_2);
        page.document.state.vertex = 409;
        let harness = shown(page, cell(true, methods()));
        assert!(harness.query_by_label(largest).is_some(), "{largest}");
        let found = harness.query_by_label_contains(described);
        assert!(found.is_some(), "{described}");
    }
}

#[test]
fn what_only_the_gpu_shows_is_said_to_be_missing_without_one() {
    let settings = [
        Setting::Faults(BTreeSet::new()),
        Setting::Faults(BTreeSet::from([SkinningFault::Transposed])),
    ];
    let harness = shown(bent_arm(), cell(true, settings));
    let words = "What differs on the GPU alone is not in these numbers.";
    assert!(harness.query_by_label_contains(words).is_some());
    let harness = shown(bent_arm(), cell(true, methods()));
    assert!(harness.query_by_label_contains(words).is_none());
}

#[test]
fn what_is_compared_can_be_chosen_and_given_back() {
    let mut harness = shown(bent_arm(), cell(true, methods()));
    harness.get_by_label("second: choose what is compared").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "linear").click();
    harness.run();
    assert!(
        harness.query_by_label("no difference, up to rounding").is_some(),
        "both are linear now"
    );
    harness.get_by_label("linear: choose what is compared").click();
    harness.run();
    harness.get_by_label("As the lesson has it").click();
    harness.run();
    assert!(harness.query_by_label("largest 0.146").is_some());
    assert!(harness.state().edits.is_empty(), "nothing to undo or to link");
}

#[test]
fn the_same_model_moved_by_hand_is_in_the_same_place() {
    let mut page = bent_arm();
    let by = JointMove { translation: Vec3::new(0.2, 0.4, 0.1), ..JointMove::default() };
    page.document.state.joint_moves.insert(JointIndex(1), by);
    let cell = CompareCell { variants: Vec::new(), model_b: true, ..cell(true, methods()) };
    let mut harness = shown(page, cell);
    // The comparison is worked out beside the page, and asks for a frame.
    harness.run_steps(8);
    assert!(harness.query_by_label("B: the same model").is_some());
    let words = "no difference, up to rounding";
    assert!(harness.query_by_label(words).is_some());
}

#[test]
fn a_variant_that_names_what_is_not_there_says_so() {
    let settings = [Setting::Method(Method::Linear), Setting::Param("elbow".to_owned(), 1.0)];
    let harness = shown(bent_arm(), cell(false, settings));
    let words = "second: There is no parameter “elbow” here;";
    assert!(harness.query_by_label_contains(words).is_some());
}

#[test]
fn nothing_is_worked_out_anew_while_nothing_changes() {
    let cell = cell(true, methods());
    let kept = RefCell::new(None);
    let mut harness = harness(bent_arm(), move |ui: &mut Ui, page| {
        super::ui(ui, &cell, "c", page, 400.0);
        let compared = page.state::<ComparedVariants>("c");
        let palette = Arc::clone(&compared.variant(1).expect("two").derived.palette);
        let difference = compared.difference.as_ref().expect("asked for");
        let now = (palette, Arc::clone(&difference.scalars));
        let mut kept = kept.borrow_mut();
        let (palette, scalars) = kept.get_or_insert_with(|| now.clone());
        let same = Arc::ptr_eq(palette, &now.0) && Arc::ptr_eq(scalars, &now.1);
        ui.label(if same { "the same" } else { "another" });
    });
    harness.run();
    harness.run_steps(3);
    assert!(harness.query_by_label("the same").is_some());
    harness.state_mut().document.state.params.clear();
    harness.run();
    assert!(harness.query_by_label("another").is_some(), "straightened");
}
