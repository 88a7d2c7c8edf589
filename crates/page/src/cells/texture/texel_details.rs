//! What a shader reads from the texel that is lit or chosen, and the four
//! numbers of the chosen one, to be changed.

use bindpose_lesson::SkinningFault;
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::{Edit, Entity, significant_digits};
use bindpose_skin::JointIndex;
use eframe::egui::{Align, Frame, Layout, Margin, RichText, TextStyle, Ui, vec2};
use glam::Vec4;

use super::grid::TexelGrid;
use super::row::{chosen_column, is_edited};
use super::texel;
use crate::PageContext;
use crate::widgets::{Scrub, ScrubChange, small_button};

/// The numbers of a texel by the names GLSL has for them.
const PARTS: [&str; 4] = ["x", "y", "z", "w"];
/// Room for one of them before its number.
const NAME: f32 = 14.0;

/// `steady`: has the same height whether what is read is what was meant or not.
pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    grid: &TexelGrid,
    palette: &PaletteTexture<'_>,
    steady: bool,
) {
    let lit = match page.linked.hovered() {
        Some(Entity::Column(joint, column) | Entity::Cell(joint, column, _)) => {
            Some((joint, column))
        }
        _ => None,
    };
    let chosen = (page.document.state.joint, chosen_column(page, id));
    let exists = |&(joint, column): &(JointIndex, usize)| joint.index() < grid.rows && column < 4;
    let Some(shown) = lit.filter(exists).or(Some(chosen)).filter(exists) else {
        return;
    };
    Frame::NONE
        .fill(page.theme.panel)
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 2.0;
            read(ui, page, grid, palette, shown, steady);
            if exists(&chosen) {
                ui.add_space(4.0);
                edit(ui, id, page, palette, grid, chosen);
            }
        });
}

/// `texelFetch(…) = (…)`, and what that means.
fn read(
    ui: &mut Ui,
    page: &PageContext<'_>,
    grid: &TexelGrid,
    palette: &PaletteTexture<'_>,
    (joint, column): (JointIndex, usize),
    steady: bool,
) {
    let value = palette.read(joint, column);
    let magnitude = grid.shape.magnitude;
    let off = texel::is_off(palette, magnitude, joint, column);
    let edge = palette.faults.contains(&SkinningFault::Edge);
    let call = if palette.transport.is_sampled() {
        texel::call_by_coordinates(joint, column, grid.rows, edge)
    } else {
        texel::call_by_place(joint, column)
    };
    // A 16-bit number differs in the fourth digit.
    let decimals = texel::decimals(magnitude, column) + if off { 2 } else { 0 };
    let result = format!("({})", texel::words(value, decimals));
    let width = ui.available_width();
    ui.label(texel::equation(page.theme, &call, &result, width));
    if off && let Some(meant) = palette.world_from_bind.get(joint.index()) {
        let meant = texel::words(meant.col(column), decimals);
        let words = format!("meant: ({meant})");
        ui.label(RichText::new(words).monospace().color(page.theme.wrong));
    } else if steady {
        let height = ui.text_style_height(&TextStyle::Monospace);
        ui.add_space(height + ui.spacing().item_spacing.y);
    }
    let words = texel::meaning(joint, column);
    ui.label(page.theme.label(words));
}

/// `texel 3 of joint 1:  x 2.00  y −3.46  z 0.00  w 1.00`
fn edit(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    palette: &PaletteTexture<'_>,
    grid: &TexelGrid,
    (joint, column): (JointIndex, usize),
) {
    let Some(texel) = palette.world_from_bind.get(joint.index()) else {
        return;
    };
    let texel: Vec4 = texel.col(column);
    let edited = is_edited(page, joint, column);
    let decimals = texel::decimals(grid.shape.magnitude, column);
    let step = 0.01 * significant_digits::unit(grid.shape.magnitude.of_column(column));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        let words = format!("change texel {column} of joint {}", joint.0);
        ui.label(page.theme.caption(words));
        for (part, name) in PARTS.into_iter().enumerate() {
            let label = format!("{name} of texel {column} of joint {}", joint.0);
            let scrub = Scrub::new((id, "texel", part), texel[part].into(), label)
                .step(step)
                .decimals(decimals)
                .changed(edited)
                .chars(grid.shape.digits);
            // The name does not part from its number at the end of a line.
            let size = scrub.size(ui) + vec2(NAME, 0.0);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label(page.theme.caption(name));
                let edit = scrub.show(ui).map(|change| match change {
                    ScrubChange::Set(value) => {
                        Edit::Texel { joint, column, part, value: value as f32 }
                    }
                    ScrubChange::Reset => Edit::ResetTexel(joint, column),
                });
                page.edits.extend(edit);
            });
        }
        if edited && ui.add(small_button("Reset texel")).clicked() {
            page.edits.push(Edit::ResetTexel(joint, column));
        }
        let any = !page.document.state.texels.is_empty();
        if any && ui.add(small_button("Reset all texels")).clicked() {
            page.edits.push(Edit::ResetTexels(None));
        }
    });
}
