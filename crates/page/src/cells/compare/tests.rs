//! Pictures of the arm, compared by their accessible texts.

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
use crate::cells::testing::{Page, harness, scaled_rig};

fn compare_cell(difference: bool, settings: [Setting; 2]) -> CompareCell {
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

fn two_methods() -> [Setting; 2] {
    [Method::Linear, Method::DualQuaternion].map(Setting::Method)
}

fn bent_arm() -> Page {
    Page::new("arm").with_params(&[("bend", FRAC_PI_2)])
}

fn show_cell(page: Page, cell: CompareCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |ui: &mut Ui, page| {
        super::ui(ui, &cell, "c", page, 400.0);
    });
    harness.run();
    harness
}

#[test]
fn each_picture_is_described() {
    let mut page = bent_arm();
    page.document.state.vertex = 409;
    let harness = show_cell(page, compare_cell(false, two_methods()));
    // On the middle ring, which rotates by half of the angle: at the distance times cos 45° or
    // at the full distance.
    for label in [
        "first: Arm, 2 joints",
        "second: Arm, 2 joints",
        "Vertex 409 is at 1.750, 0.250, 0.000",
        "Vertex 409 is at 1.646, 0.354, 0.000",
    ] {
        assert!(harness.query_by_label_contains(label).is_some(), "{label}");
    }
}

#[test]
fn largest_difference_is_shown_and_links_to_its_vertex() {
    let mut harness = show_cell(bent_arm(), compare_cell(true, two_methods()));
    // 0.5 − 0.5 cos 45°.
    assert!(harness.query_by_label("largest 0.146").is_some());
    let scale = "scale of distances from 0 to 0.2 world units";
    assert!(harness.query_by_label(scale).is_some());
    harness.get_by_role_and_label(Role::Link, "v409").click();
    harness.run();
    assert!(harness.state().edits.contains(&Edit::set(Setting::Vertex(409))));
}

#[test]
fn difference_scales_with_model() {
    for (scale, largest, description) in [
        (1e-3, "largest 0.000146", "is at 0.00175, 0.00025, 0.00000"),
        (1e4, "largest 1464", "is at 17500, 2500, 0"),
    ] {
        let mut page = Page::with_rig(scaled_rig("arm", scale)).with_params(&[("bend", FRAC_PI_2)]);
        page.document.state.vertex = 409;
        let harness = show_cell(page, compare_cell(true, two_methods()));
        assert!(harness.query_by_label(largest).is_some(), "{largest}");
        let picture = harness.query_by_label_contains(description);
        assert!(picture.is_some(), "{description}");
    }
}

#[test]
fn missing_gpu_difference_is_reported() {
    let settings = [
        Setting::Faults(BTreeSet::new()),
        Setting::Faults(BTreeSet::from([SkinningFault::Transposed])),
    ];
    let harness = show_cell(bent_arm(), compare_cell(true, settings));
    let remark = "What differs on the GPU alone is not in these numbers.";
    assert!(harness.query_by_label_contains(remark).is_some());
    let harness = show_cell(bent_arm(), compare_cell(true, two_methods()));
    assert!(harness.query_by_label_contains(remark).is_none());
}

#[test]
fn compared_settings_can_be_chosen_and_reset() {
    let mut harness = show_cell(bent_arm(), compare_cell(true, two_methods()));
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
fn same_model_with_moved_joint_has_no_difference() {
    let mut page = bent_arm();
    let joint_move = JointMove { translation: Vec3::new(0.2, 0.4, 0.1), ..JointMove::default() };
    page.document.state.joint_moves.insert(JointIndex(1), joint_move);
    let cell =
        CompareCell { variants: Vec::new(), model_b: true, ..compare_cell(true, two_methods()) };
    let mut harness = show_cell(page, cell);
    // The models are compared in the background, which requests a frame at the end.
    harness.run_steps(8);
    assert!(harness.query_by_label("B: the same model").is_some());
    assert!(harness.query_by_label("no difference, up to rounding").is_some());
}

#[test]
fn unknown_parameter_of_variant_is_reported() {
    let settings = [Setting::Method(Method::Linear), Setting::Param("elbow".to_owned(), 1.0)];
    let harness = show_cell(bent_arm(), compare_cell(false, settings));
    let error = "second: There is no parameter “elbow” here;";
    assert!(harness.query_by_label_contains(error).is_some());
}

#[test]
fn variants_are_cached_while_nothing_changes() {
    let cell = compare_cell(true, two_methods());
    let first_frame = RefCell::new(None);
    let mut harness = harness(bent_arm(), move |ui: &mut Ui, page| {
        super::ui(ui, &cell, "c", page, 400.0);
        let compared = page.state::<ComparedVariants>("c");
        let palette = Arc::clone(&compared.variant(1).expect("two").derived.palette);
        let difference = compared.difference.as_ref().expect("enabled");
        let scalars = Arc::clone(&difference.scalars);
        let mut first_frame = first_frame.borrow_mut();
        let (first_palette, first_scalars) =
            first_frame.get_or_insert_with(|| (Arc::clone(&palette), Arc::clone(&scalars)));
        let is_same = Arc::ptr_eq(first_palette, &palette) && Arc::ptr_eq(first_scalars, &scalars);
        ui.label(if is_same { "the same" } else { "another" });
    });
    harness.run();
    harness.run_steps(3);
    assert!(harness.query_by_label("the same").is_some());
    harness.state_mut().document.state.params.clear();
    harness.run();
    assert!(harness.query_by_label("another").is_some(), "straightened");
}
