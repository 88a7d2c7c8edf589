use super::*;
use crate::ui::cells::testing::{Page, harness};
use egui_kittest::{Harness, kittest::Queryable};

fn shown(page: Page, printed: bool) -> Harness<'static, Page> {
    let cell = BudgetCell {
        limit: None,
        printed,
        characters: false,
    };
    let mut harness = harness(page, move |view, page| ui(view, &cell, "b", page));
    harness.run();
    harness
}

fn limits() -> GpuLimits {
    GpuLimits {
        vertex_uniform_vec4s: 1024,
        uniform_block_bytes: 65_536,
        vertex_uniform_blocks: 14,
        texture_size: 16_384,
        vertex_texture_units: 16,
        vertex_attributes: 16,
        float_linear: true,
        ..GpuLimits::default()
    }
}

#[test]
fn presets_put_the_number_of_uniforms_and_the_joints_follow() {
    let mut harness = shown(Page::new("bone_grid"), false);
    harness.get_by_label_contains("⌊(128 − 9) / 4⌋ = 29");
    harness.get_by_label("64").click();
    harness.run();
    assert_eq!(
        harness.state().edits,
        [Edit::Param("vec4s".to_owned(), 64.0)]
    );
    harness.get_by_label_contains("⌊(64 − 9) / 4⌋ = 13");
}

#[test]
fn this_machines_limit_is_read_live_and_its_absence_is_said() {
    let mut page = Page::new("bone_grid");
    page.limits = Some(limits());
    let mut harness = shown(page, false);
    harness.get_by_label("1024 this machine").click();
    harness.run();
    harness.get_by_label_contains("⌊(1024 − 9) / 4⌋ = 253");
    harness.get_by_label("16,384");
    let without = shown(Page::new("bone_grid"), false);
    without.get_by_label("this machine: no GL here");
}

#[test]
fn the_printed_figures_stand_beside_the_right_ones() {
    let harness = shown(Page::new("bone_grid"), true);
    harness.get_by_label("8 mat4s, 5");
    harness.get_by_label_contains("a mat4 counted as 8 vec4s");
    harness.get_by_label("61");
}
