use eframe::egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable};

use super::*;
use crate::cells::testing::{Page, harness};

fn cell_alone() -> egui_kittest::Harness<'static, Page> {
    let cell = ConventionsCell::default();
    let mut harness = harness(Page::new("arm"), move |view, page| {
        ui(view, &cell, "it", page);
    });
    harness.run();
    harness
}

#[test]
fn a_switch_puts_a_setting_and_can_be_kept_for_all_pages() {
    let mut harness = cell_alone();
    assert!(harness.query_by_label("So on all pages").is_none());
    harness.get_by_label("rows: v · M").click();
    harness.run();
    let written_as = harness.state().document.state.written_as;
    assert_eq!(written_as.vectors, Some(Vectors::Rows));
    assert_eq!(written_as.memory, None);
    harness.get_by_label("So on all pages").click();
    harness.run();
    assert_eq!(harness.state().view.conventions.vectors, Vectors::Rows);
    harness.get_by_label("As in the text").click();
    harness.run();
    let page = harness.state();
    assert_eq!(page.view.conventions, Conventions::default());
    let written_as = page.document.state.written_as;
    assert_eq!(written_as.over(page.view.conventions), Conventions::default());
}

#[test]
fn a_system_puts_all_three_and_tells_its_names() {
    let mut harness = cell_alone();
    harness.get_by_role_and_label(Role::Button, "Unreal").click();
    harness.run();
    let page = harness.state();
    let conventions = page.document.state.written_as.over(page.view.conventions);
    assert_eq!(conventions, KnownSystem::Unreal.conventions());
    harness.get_by_label_contains("RefBasesInvMatrix");
    let chosen = harness.get_by_role_and_label(Role::Button, "Unreal");
    assert_eq!(chosen.accesskit_node().toggled(), Some(eframe::egui::accesskit::Toggled::True));
}
