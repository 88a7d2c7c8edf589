use std::sync::Arc;

use bindpose_gltf::{Param, ParamKind, Rig};
use bindpose_lesson::{AnglesCell, Setting};
use bindpose_notebook::{Edit, test_sample};
use bindpose_rigs::builtin;
use bindpose_skin::JointIndex;
use eframe::egui::Key;
use eframe::egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::cells::testing::{Page, harness};

/// Sliders of a rig with 21 joints, as many as models of files have.
fn many_sliders() -> egui_kittest::Harness<'static, Page> {
    let cell = AnglesCell { search: true, ..AnglesCell::default() };
    harness(Page::new("whale"), move |ui, page| {
        super::ui(ui, &cell, "a", page);
    })
}

fn slider_count(harness: &egui_kittest::Harness<'_, Page>) -> usize {
    harness.query_all_by_role(Role::Slider).count()
}

#[test]
fn chosen_joint_is_first_and_the_others_can_be_folded() {
    let mut harness = many_sliders();
    harness.run();
    assert!(slider_count(&harness) > 8, "those that fit are there");
    harness.get_by_label("fold the sliders away").click();
    harness.run();
    assert_eq!(slider_count(&harness), 1, "the chosen joint alone");
    harness.get_by_label("next joint").click();
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    assert_eq!(harness.state().edits, [Edit::set(Setting::Joint(JointIndex(1).into()))]);
    harness.get_by_label("show all sliders").click();
    harness.run();
    assert!(slider_count(&harness) > 8);
}

#[test]
fn search_by_name_or_number_filters_the_sliders() {
    let mut harness = many_sliders();
    harness.run();
    let search = "search joints by name";
    harness.get_by_label(search).focus();
    harness.run();
    harness.get_by_label(search).type_text("2 tail");
    harness.run();
    assert_eq!(slider_count(&harness), 2, "the chosen joint, and what is found");
    harness.get_by_label(search).type_text(" nowhere");
    harness.run();
    assert!(harness.query_by_label_contains("No name has").is_some());
    harness.get_by_label("clear the search").click();
    harness.run();
    assert!(slider_count(&harness) > 8);
}

/// The arm with a morph target.
fn arm_with_morph() -> Arc<Rig> {
    let mut rig = (*builtin("arm").expect("built in")).clone();
    rig.morph_weights = vec![0.25];
    rig.params.push(Param {
        name: "bulge".to_owned(),
        label: "bulge".to_owned(),
        kind: ParamKind::Morph { slot: 0 },
        default: 0.0,
        range: (0.0, 1.0),
    });
    Arc::new(rig)
}

#[test]
fn morph_weight_has_a_slider_and_is_not_played() {
    let cell = AnglesCell { play: true, all: true, ..AnglesCell::default() };
    let page = Page::with_rig(arm_with_morph()).with_params(&[("bulge", 0.5)]);
    let mut harness = harness(page, move |ui, page| {
        page.view.playing.motion.playing = true;
        super::ui(ui, &cell, "a", page);
    });
    harness.step();
    let controls = harness.get_all_by_label("bulge");
    assert!(controls.count() >= 2, "a slider and a number");
    let page = harness.state();
    let edited: Vec<&str> =
        page.edits.iter().filter_map(Edit::as_param).map(|(name, _)| name).collect();
    assert!(edited.contains(&"all") && !edited.contains(&"bulge"), "{edited:?}");
    assert_eq!(page.document.state.params["bulge"], 0.5);
}

/// The sample lesson with a parameter `k`, in cm and steps of 0.25, that drives
/// the nod.
fn driven_page() -> Page {
    let mut page = Page::with_rig(Arc::new(test_sample::rig()));
    page.lesson = test_sample::driven_lesson();
    page
}

#[test]
fn lesson_parameter_has_a_slider_with_label_unit_and_steps() {
    let cell = AnglesCell { params: vec!["k".to_owned()], ..AnglesCell::default() };
    let mut harness = harness(driven_page(), move |ui, page| super::ui(ui, &cell, "a", page));
    harness.run();
    assert_eq!(slider_count(&harness), 1);
    let number = harness.get_by_role_and_label(Role::SpinButton, "amount");
    assert_eq!(number.accesskit_node().value().as_deref(), Some("0.00 cm"));
    let slider = harness.get_by_role_and_label(Role::Slider, "amount");
    slider.focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    let rect = harness.get_by_role_and_label(Role::Slider, "amount").rect();
    let x = rect.left() + 9.0 + (rect.width() - 18.0) * 0.6;
    harness.drag_at(eframe::egui::pos2(x, rect.center().y));
    harness.run();
    harness.drop_at(eframe::egui::pos2(x, rect.center().y));
    harness.run();
    let edits = harness.state().edits.iter().filter_map(Edit::as_param);
    let values: Vec<f64> = edits.map(|(_, value)| value).collect();
    assert_eq!(values, [0.25, 1.25], "from 0 to 2 in quarters");
}

#[test]
fn driven_parameter_shows_its_formula_and_no_slider() {
    let cell = AnglesCell {
        params: vec!["k".to_owned(), "nod".to_owned()],
        all: true,
        ..AnglesCell::default()
    };
    let page = driven_page().with_params(&[("k", 1.0)]);
    let mut harness = harness(page, move |ui, page| super::ui(ui, &cell, "a", page));
    harness.run();
    assert_eq!(slider_count(&harness), 2, "the sliders of k and of all free angles");
    harness.get_by_label("nod: 45.0° = k * 45deg");
}

#[test]
fn rotation_by_hand_is_described_at_the_sliders_of_the_joint() {
    assert_eq!(label_description(glam::Quat::IDENTITY), "");
    let description = label_description(glam::Quat::from_rotation_y(0.5));
    let expected = "Joint 1 is turned by hand too, by 28.6°.";
    assert!(description.starts_with(expected), "{description}");
}

/// Returns the accessible description of joint 1 with a rotation by hand.
fn label_description(rotation: glam::Quat) -> String {
    let mut page = Page::new("arm");
    let joint_move = bindpose_notebook::posing::JointMove { rotation, ..Default::default() };
    page.document.state.joint_moves.insert(JointIndex(1), joint_move);
    let cell = AnglesCell { params: vec!["bend".to_owned()], ..AnglesCell::default() };
    let mut harness = harness(page, move |ui, page| super::ui(ui, &cell, "a", page));
    harness.run();
    let label = harness.get_by_label("choose joint 1");
    label.accesskit_node().description().unwrap_or_default()
}
