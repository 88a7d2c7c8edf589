//! The read of the highlighted or selected texel, and controls to edit the selected one.

use bindpose_kit::widgets::{Scrub, ScrubChange, small_button};
use bindpose_lesson::{SkinningFault, significant_digits};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::{Edit, EditTarget, Entity};
use bindpose_skin::JointIndex;
use eframe::egui::{Align, Frame, Layout, Margin, RichText, TextStyle, Ui, vec2};

use super::texel;
use super::texel_grid::{TexelGrid, is_edited, selected_column};
use crate::PageContext;

/// GLSL names of the components of a texel.
const COMPONENT_NAMES: [&str; 4] = ["x", "y", "z", "w"];
/// Width of a component's name, including the space before its number.
const COMPONENT_NAME_WIDTH_PTS: f32 = 14.0;

/// A texel of the grid, which may not exist.
#[derive(Clone, Copy)]
struct TexelPosition {
    joint: JointIndex,
    column: usize,
}

impl TexelPosition {
    fn is_in(self, grid: &TexelGrid) -> bool {
        self.joint.index() < grid.row_count && self.column < 4
    }
}

/// Draws the details of the highlighted texel, or of the selected one if none is. With
/// `fixed_height`, the height does not depend on whether the texel is misread.
pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    grid: &TexelGrid,
    palette: &PaletteTexture<'_>,
    fixed_height: bool,
) {
    let highlighted = match page.linked.hovered() {
        Some(Entity::Column(joint, column) | Entity::Cell(joint, column, _)) => {
            Some(TexelPosition { joint, column }).filter(|texel| texel.is_in(grid))
        }
        _ => None,
    };
    let selected =
        TexelPosition { joint: page.document.state.joint, column: selected_column(page, id) };
    let has_selected = selected.is_in(grid);
    let Some(displayed) = highlighted.or_else(|| has_selected.then_some(selected)) else {
        return;
    };
    Frame::NONE
        .fill(page.theme.panel)
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 2.0;
            read_ui(ui, page, grid, palette, displayed, fixed_height);
            if has_selected {
                ui.add_space(4.0);
                edit_ui(ui, id, page, palette, grid, selected);
            }
        });
}

/// Draws the read as `texelFetch(…) = (…)`, the expected value if it differs, and a
/// description of the matrix column.
fn read_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    grid: &TexelGrid,
    palette: &PaletteTexture<'_>,
    texel: TexelPosition,
    fixed_height: bool,
) {
    let TexelPosition { joint, column } = texel;
    let magnitude = grid.layout.magnitude;
    let misread = texel::is_misread(palette, magnitude, joint, column);
    let call = if palette.transport.is_sampled() {
        let at_edge = palette.faults.contains(&SkinningFault::Edge);
        texel::texture_2d_call(joint, column, grid.row_count, at_edge)
    } else {
        texel::texel_fetch_call(joint, column)
    };
    // A 16-bit number may differ only in the fourth digit.
    let decimals = texel::column_decimals(magnitude, column) + if misread { 2 } else { 0 };
    let result = format!("({})", texel::format_texel(palette.read(joint, column), decimals));
    let max_width = ui.available_width();
    ui.label(texel::read_equation(page.theme, &call, &result, max_width));
    if misread && let Some(matrix) = palette.world_from_bind.get(joint.index()) {
        let expected = texel::format_texel(matrix.col(column), decimals);
        let text = format!("meant: ({expected})");
        ui.label(RichText::new(text).monospace().color(page.theme.wrong));
    } else if fixed_height {
        let height = ui.text_style_height(&TextStyle::Monospace);
        ui.add_space(height + ui.spacing().item_spacing.y);
    }
    ui.label(page.theme.label(texel::describe_column(joint, column)));
}

/// Draws the editable numbers of a texel:
/// `texel 3 of joint 1:  x 2.00  y −3.46  z 0.00  w 1.00`.
fn edit_ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    palette: &PaletteTexture<'_>,
    grid: &TexelGrid,
    texel: TexelPosition,
) {
    let TexelPosition { joint, column } = texel;
    let Some(matrix) = palette.world_from_bind.get(joint.index()) else {
        return;
    };
    let value = matrix.col(column);
    let is_edited = is_edited(page, joint, column);
    let magnitude = grid.layout.magnitude;
    let decimals = texel::column_decimals(magnitude, column);
    let step = 0.01 * significant_digits::unit(magnitude.of_column(column));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        let text = format!("change texel {column} of joint {}", joint.0);
        ui.label(page.theme.caption(text));
        for (part, name) in COMPONENT_NAMES.into_iter().enumerate() {
            let label = format!("{name} of texel {column} of joint {}", joint.0);
            let scrub = Scrub::new((id, "texel", part), value[part].into(), label)
                .step(step)
                .decimals(decimals)
                .changed(is_edited)
                .chars(grid.layout.number_chars);
            // Keep the name and its number on one line.
            let size = scrub.size(ui) + vec2(COMPONENT_NAME_WIDTH_PTS, 0.0);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label(page.theme.caption(name));
                match scrub.show(ui) {
                    Some(ScrubChange::Set(value)) => {
                        let value = value as f32;
                        page.requests.edits.push(Edit::Texel { joint, column, part, value });
                    }
                    Some(ScrubChange::Reset) => {
                        page.requests.edits.push(Edit::Reset(EditTarget::Texel(joint, column)));
                    }
                    None => {}
                }
            });
        }
        if is_edited && ui.add(small_button("Reset texel")).clicked() {
            page.requests.edits.push(Edit::Reset(EditTarget::Texel(joint, column)));
        }
        let has_edits = !page.document.state.texels.is_empty();
        if has_edits && ui.add(small_button("Reset all texels")).clicked() {
            page.requests.edits.push(Edit::Reset(EditTarget::Texels(None)));
        }
    });
}
