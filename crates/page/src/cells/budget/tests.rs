//! Tables and controls of the cell, by their accessible texts.

use bindpose_lesson::{Device, Setting, Transport};
use bindpose_notebook::{Edit, GpuLimits};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::cells::testing::{Page, harness};

fn show_transports(page: Page, printed: bool) -> Harness<'static, Page> {
    let cell = BudgetCell { printed, ways: true, ..BudgetCell::default() };
    show_cell(page, cell)
}

fn show_cell(page: Page, cell: BudgetCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "b", page));
    harness.set_size(eframe::egui::vec2(700.0, 1200.0));
    harness.run();
    harness
}

fn limits() -> GpuLimits {
    GpuLimits {
        vertex_uniform_vec4s: 1024,
        palette_vec4s: 984,
        uniform_block_bytes: 65_536,
        vertex_uniform_blocks: 14,
        texture_size: 16_384,
        vertex_texture_units: 16,
        vertex_attributes: 16,
        float_textures: true,
        float_linear: true,
        texel_fetch: true,
        ..GpuLimits::default()
    }
}

#[test]
fn preset_sets_uniforms_and_updates_joints() {
    let mut harness = show_transports(Page::new("bone_grid"), false);
    harness.get_by_label_contains("⌊(128 − 9) / 4⌋ = 29");
    harness.get_by_label("64").click();
    harness.run();
    assert_eq!(harness.state().edits, [Edit::param("vec4s", 64.0)]);
    harness.get_by_label_contains("⌊(64 − 9) / 4⌋ = 13");
}

#[test]
fn limit_of_this_machine_is_shown_if_known() {
    let mut page = Page::new("bone_grid");
    page.limits = Some(limits());
    let mut harness = show_transports(page, false);
    harness.get_by_label("1024 this machine").click();
    harness.run();
    harness.get_by_label_contains("⌊(1024 − 9) / 4⌋ = 253");
    assert_eq!(harness.query_all_by_label("16,384").count(), 2, "table, limits");
    let without = show_transports(Page::new("bone_grid"), false);
    without.get_by_label("this machine: no GL here");
}

#[test]
fn printed_numbers_are_beside_correct_ones() {
    let harness = show_transports(Page::new("bone_grid"), true);
    harness.get_by_label("8 mat4s, 5");
    harness.get_by_label_contains("a mat4 counted as 8 slots");
    for fits in ["14", "30", "62", "61"] {
        harness.get_by_label(fits);
    }
    let unprinted = show_transports(Page::new("bone_grid"), false);
    assert!(unprinted.query_by_label("8 mat4s, 5").is_none());
}

#[test]
fn strip_shows_clicked_row() {
    let mut harness = show_transports(Page::new("bone_grid"), false);
    harness.get_by_label_contains(
        "plain uniforms: 128 slots, 9 for everything else, 116 for 29 joints, 3 left",
    );
    harness.get_by_label("show one uniform block: 256 joints").click();
    harness.run();
    harness.get_by_label_contains("one uniform block: 16384 bytes, 0 for everything else");
}

#[test]
fn page_explains_its_own_numbers() {
    let mut page = Page::new("bone_grid");
    page.limits = Some(limits());
    let harness = show_transports(page, false);
    harness.get_by_label("uniform array: 246 joints fit");
    harness
        .get_by_label("Shaders of this page take 40 slots for the rest, and may fill 14 blocks.");
}

#[test]
fn available_transport_can_be_chosen_and_others_give_reason() {
    let mut page = Page::new("centipede(300)");
    page.document.state.device = Device::LeastWebgl2;
    let mut harness = show_transports(page, false);
    harness.get_by_label("uniform array: 61 joints fit, this skin has 300").click();
    harness.run();
    assert!(harness.state().edits.is_empty(), "disabled");
    harness.get_by_label("uniform block: 3,072 joints fit").click();
    harness.run();
    let chosen = Setting::Transport(Transport::UniformBlock);
    assert_eq!(harness.state().edits, [Edit::set(chosen)]);
    assert_eq!(harness.state().document.state.transport, Transport::UniformBlock);

    harness.state_mut().document.state.device = Device::Webgl1;
    harness.run();
    harness.get_by_label("uniform block: WebGL 1 has no uniform blocks");
    harness.get_by_label_contains("No way is open");
}

#[test]
fn characters_are_marked_where_they_fit() {
    let cell = BudgetCell { characters: true, ..BudgetCell::default() };
    let page = Page::new("bone_grid").with_params(&[("vec4s", 256.0)]);
    let mut harness = show_cell(page, cell);
    harness.get_by_label("Fox, 24 joints: fits plain uniforms, one uniform block, one texture");
    harness.get_by_label_contains("Mixamo character with fingers, 65 joints: fits one uniform");
    harness.get_by_label("film-like face and body, 300 joints: fits one texture");
    harness.get_by_label_contains("the skin of this page, 3 joints: fits plain uniforms");
    harness.state_mut().document.state.params.insert("vec4s".to_owned(), 64.0);
    harness.run();
    harness.get_by_label("Fox, 24 joints: fits one uniform block, one texture");
}

#[test]
fn other_uniforms_can_be_a_parameter_of_the_lesson() {
    let cell = BudgetCell { others: Some("vec4s".to_owned()), ..BudgetCell::default() };
    let harness = show_cell(Page::new("bone_grid"), cell);
    harness.get_by_label_contains("⌊(128 − 128) / 4⌋ = 0");
    let cell = BudgetCell { others: Some("lights".to_owned()), ..BudgetCell::default() };
    let harness = show_cell(Page::new("bone_grid"), cell);
    harness.get_by_label_contains("no parameter “lights”");
}
