use eframe::egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use crate::lesson::AnglesCell;
use crate::notebook::Edit;
use crate::skin::JointIndex;
use crate::ui::cells::testing::{Page, harness};

/// 21 joints, as files have them.
fn many() -> egui_kittest::Harness<'static, Page> {
    let cell = AnglesCell {
        search: true,
        ..AnglesCell::default()
    };
    harness(Page::new("whale"), move |ui, page| {
        super::ui(ui, &cell, page);
    })
}

fn sliders(harness: &egui_kittest::Harness<'_, Page>) -> usize {
    harness.query_all_by_role(Role::Slider).count()
}

#[test]
fn the_chosen_joint_stands_first_and_the_others_can_be_folded_away() {
    let mut harness = many();
    harness.run();
    assert!(sliders(&harness) > 8, "those that fit are there");
    harness.get_by_label("fold the sliders away").click();
    harness.run();
    assert_eq!(sliders(&harness), 1, "the chosen joint alone");
    harness.get_by_label("next joint").click();
    harness.run();
    assert_eq!(harness.state().document.joint, JointIndex(1));
    assert_eq!(harness.state().edits, [Edit::Joint(JointIndex(1))]);
    harness.get_by_label("show all sliders").click();
    harness.run();
    assert!(sliders(&harness) > 8);
}

#[test]
fn a_search_by_name_or_number_leaves_what_fits() {
    let mut harness = many();
    harness.run();
    let search = "search joints by name";
    harness.get_by_label(search).focus();
    harness.run();
    harness.get_by_label(search).type_text("2 tail");
    harness.run();
    assert_eq!(sliders(&harness), 2, "the chosen joint, and what is found");
    harness.get_by_label(search).type_text(" nowhere");
    harness.run();
    assert!(harness.query_by_label_contains("No name has").is_some());
    harness.get_by_label("clear the search").click();
    harness.run();
    assert!(sliders(&harness) > 8);
}
