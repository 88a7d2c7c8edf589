//! The joint palette as a texture, as the shader reads it: one row per joint, one texel per
//! column of its matrix.

mod switches;
#[cfg(test)]
mod tests;
mod texel;
mod texel_details;
mod texel_grid;
mod webgl_version;

use bindpose_gltf::JointRole;
use bindpose_kit::icons;
use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, font};
use bindpose_kit::widgets::{RowList, Scrub, icon_button};
use bindpose_lesson::significant_digits::Magnitude;
use bindpose_lesson::{Device, Setting, SkinningFault, TextureCell, Transport};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::{Derived, Document, GpuLimits};
use bindpose_skin::{Blend, JointIndex};
use eframe::egui::{
    Align, Align2, FontId, Layout, RichText, Sense, Stroke, Ui, WidgetInfo, accesskit::Role, pos2,
    vec2,
};

use crate::PageContext;
use switches::fixed_height_label;
use texel::{COLUMN_NAMES, ColorScale};
use texel_grid::{TexelGrid, TexelGridState, TexelRow};

/// Number of visible rows if the lesson sets none.
const DEFAULT_ROW_COUNT: usize = 6;
const HEADINGS_HEIGHT_PTS: f32 = 22.0;
const RULER_HEIGHT_PTS: f32 = 46.0;

pub(super) fn ui(ui: &mut Ui, cell: &TextureCell, id: &str, page: &mut PageContext<'_>) {
    let palette = palette_texture(cell, page);
    let row_count = palette.world_from_bind.len();
    let visible_count =
        cell.rows.map_or(DEFAULT_ROW_COUNT, |rows| rows.0).clamp(1, 24).min(row_count);
    let is_scrollable = visible_count < row_count;
    let by_coordinates = palette.transport.is_sampled();
    let grid = TexelGrid::fit(ui, page, by_coordinates, is_scrollable);
    // Before the texels, so that a low screen shows the switches together with their effect
    // on the picture.
    if cell.faults {
        ui.scope(|ui| switches::ui(ui, page, &palette));
    }
    let misread_count = if cell.faults {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            switches::reset_faults_button(ui, page);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                summary_ui(ui, page, &palette, grid.layout.magnitude, true)
            })
            .inner
        })
        .inner
    } else {
        summary_ui(ui, page, &palette, grid.layout.magnitude, false)
    };
    let mut list =
        RowList::new((id, "texels"), grid.row_height(), row_count).max_visible_rows(visible_count);
    if is_scrollable && let Some(row) = pager_ui(ui, id, page, &grid, visible_count) {
        list = list.scroll_to_top(row);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    headings_ui(ui, page, &grid);
    if grid.by_coordinates {
        ruler_ui(ui, page, &grid);
    }
    let output = list.show(ui, |ui, range| {
        for row in range {
            let joint = JointIndex(row as u16);
            TexelRow { cell_id: id, grid: &grid, palette: &palette, joint }.ui(ui, page);
        }
    });
    page.state::<TexelGridState>(id).scroll_offset = output.state.clamped_offset().y;
    ui.spacing_mut().item_spacing.y = 8.0;
    ui.add_space(6.0);
    texel_details::ui(ui, id, page, &grid, &palette, cell.faults);
    legend_ui(ui, page, &grid, misread_count, cell.faults);
    if page.derived.blend == Blend::DualQuaternion {
        let text = "The picture blends dual quaternions: its texture holds those, not these \
                    matrices.";
        ui.label(RichText::new(text).size(13.0).color(page.theme.caution));
    }
    if cell.faults {
        webgl_version::ui(ui, id, page, &palette);
    }
}

/// Returns the texture as the picture reads it. With `centres`, the lesson reads it at
/// coordinates even if the picture does not.
fn palette_texture<'a>(cell: &TextureCell, page: &PageContext<'a>) -> PaletteTexture<'a> {
    let derived: &'a Derived = page.derived;
    let document: &'a Document = derived.in_force(page.document);
    let transport = if cell.centres && !cell.faults {
        Transport::TextureCentres
    } else {
        document.state.transport
    };
    let limits = GpuLimits::for_device(document.state.device, page.limits)
        .or_else(|| GpuLimits::for_device(Device::LeastWebgl2, None));
    PaletteTexture {
        world_from_bind: &derived.joints.world_from_bind,
        faults: &document.state.faults,
        transport,
        float_linear: limits.is_some_and(|limits| limits.float_linear),
    }
}

/// Draws the size of the palette and the number of misread texels, and returns that number.
/// With `fixed_height`, the height does not depend on it.
fn summary_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    palette: &PaletteTexture<'_>,
    magnitude: Magnitude,
    fixed_height: bool,
) -> usize {
    let row_count = palette.world_from_bind.len();
    let mut misread_count = 0;
    for row in 0..row_count {
        for column in 0..4 {
            let joint = JointIndex(row as u16);
            misread_count += usize::from(texel::is_misread(palette, magnitude, joint, column));
        }
    }
    let theme = page.theme;
    let extra_rows = describe_extra_rows(&page.derived.rig.joint_roles());
    let color = if misread_count == 0 { theme.quiet } else { theme.wrong };
    let text = theme.label(summary_text(row_count, misread_count, &extra_rows)).color(color);
    let mut alternatives = Vec::new();
    if fixed_height {
        alternatives.push(theme.label(summary_text(row_count, 0, &extra_rows)));
        alternatives.push(theme.label(summary_text(row_count, 4 * row_count, &extra_rows)));
    }
    fixed_height_label(ui, text, alternatives);
    misread_count
}

fn summary_text(row_count: usize, misread_count: usize, extra_rows: &str) -> String {
    let reads = if misread_count == 0 {
        ", four floats each".to_owned()
    } else {
        format!("; the shader gets {misread_count} of {} wrong", 4 * row_count)
    };
    format!("palette: 4 × {row_count} texels{reads}{extra_rows}")
}

/// Describes the rows that are no joints of the first skin. Empty if there are none.
fn describe_extra_rows(roles: &[JointRole]) -> String {
    let helpers = match roles.iter().filter(|role| **role == JointRole::Helper).count() {
        0 => String::new(),
        1 => "; 1 row is of a node outside the skins".to_owned(),
        count => format!("; {count} rows are of nodes outside the skins"),
    };
    let repetitions = match roles.iter().filter(|role| **role == JointRole::Again).count() {
        0 => String::new(),
        1 => "; 1 row repeats a joint for another skin".to_owned(),
        count => format!("; {count} rows repeat joints for other skins"),
    };
    helpers + &repetitions
}

/// Draws the range of visible rows, buttons for the pages before and after, and the
/// selected joint. Returns the row to scroll to, if any.
fn pager_ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    grid: &TexelGrid,
    visible_count: usize,
) -> Option<usize> {
    let scroll_offset = page.state::<TexelGridState>(id).scroll_offset;
    let max_first = grid.row_count - visible_count;
    let first = ((scroll_offset / grid.row_height()).round() as usize).min(max_first);
    let end = first + visible_count;
    let mut target_row: Option<usize> = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if icon_button(ui, icons::CARET_LEFT, "rows before", first > 0) {
            target_row = Some(first.saturating_sub(visible_count));
        }
        ui.label(page.theme.caption(format!("rows {first} to {}", end - 1)));
        if icon_button(ui, icons::CARET_RIGHT, "rows after", end < grid.row_count) {
            target_row = Some(end.min(max_first));
        }
        ui.add_space(8.0);
        ui.label(page.theme.caption("joint"));
        let last = grid.row_count - 1;
        let joint = page.document.state.joint;
        let scrub = Scrub::new((id, "row"), f64::from(joint.0), "the chosen joint’s row")
            .whole()
            .range(0.0..=last as f64)
            .steps_per_point(0.2)
            .chars(last.to_string().len());
        if let Some(change) = scrub.show(ui) {
            page.choose(Setting::Joint(JointIndex(change.value_or(0.0) as u16).into()));
        }
        ui.label(page.theme.caption(format!("of 0 to {last}")));
    });
    // Follow a newly selected joint once, wherever it was selected.
    let joint = page.document.state.joint;
    let last_joint = page.state::<TexelGridState>(id).last_joint.replace(joint);
    if last_joint != Some(joint) && !(first..end).contains(&joint.index()) {
        target_row = Some(joint.index().saturating_sub(visible_count / 2).min(max_first));
    }
    target_row
}

/// Draws the column headings, as `texel 0 · x axis`, `0 · x axis` or `0`, depending on the
/// room.
fn headings_ui(ui: &mut Ui, page: &PageContext<'_>, grid: &TexelGrid) {
    let size = vec2(grid.width(), HEADINGS_HEIGHT_PTS);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let color = page.theme.quiet;
    for (column, name) in COLUMN_NAMES.iter().enumerate() {
        let prefix = if column == 0 { "texel " } else { "" };
        let texts = [
            format!("{prefix}{column} · {name}"),
            format!("{column} · {name}"),
            column.to_string(),
        ];
        for text in texts {
            let galley = ui.painter().layout_no_wrap(text, FontId::proportional(13.0), color);
            if galley.size().x <= grid.column_width - 2.0 {
                let center = rect.left() + grid.column_center(column);
                let left_top = pos2(center - galley.size().x / 2.0, rect.top() + 2.0);
                ui.painter().galley(left_top, galley, color);
                break;
            }
        }
    }
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, "texels: x axis, y axis, z axis, origin")
    });
}

/// Explains the colours, and those of the marks that are in use. With `fixed_height`, the
/// height does not depend on whether any texel is misread.
fn legend_ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    grid: &TexelGrid,
    misread_count: usize,
    fixed_height: bool,
) {
    let ColorScale { axis, origin } = grid.scale;
    let colors = if grid.layout.has_unit_axes() {
        format!(
            "Colour: the first three numbers as red, green, blue. −1 dark, 0 grey, 1 bright; origins divided by {origin}."
        )
    } else {
        format!(
            "Colour: the first three numbers as red, green, blue. 0 is grey; {axis} is bright for an axis, {origin} for an origin."
        )
    };
    let frame = " A framed texel with a cut corner is not what was meant.";
    let dot = if page.document.state.texels.is_empty() {
        ""
    } else {
        " A dot marks one that was edited."
    };
    let longest = format!("{colors}{frame}{dot}");
    let text = if misread_count > 0 { longest.clone() } else { format!("{colors}{dot}") };
    let alternative = fixed_height.then(|| page.theme.caption(longest));
    fixed_height_label(ui, page.theme.caption(text), alternative);
}

/// Draws a ruler of texture coordinates above the texels. The edges of the texels are above
/// the line, and the coordinates that the shader reads below it: centres, (x + 0.5) / 4, or,
/// as a fault, edges.
fn ruler_ui(ui: &mut Ui, page: &PageContext<'_>, grid: &TexelGrid) {
    let theme = page.theme;
    let reads_edge = page.document.state.faults.contains(&SkinningFault::Edge);
    let size = vec2(grid.width(), RULER_HEIGHT_PTS);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let coordinates: Vec<String> =
        (0..4).map(|column| texel::format_coordinate(column, 4, reads_edge)).collect();
    response.widget_info(|| {
        let what = if reads_edge { "edges" } else { "centres" };
        let label = format!("texel {what} along the width: {}", coordinates.join(", "));
        WidgetInfo::labeled(Role::Label, true, label)
    });
    let painter = ui.painter();
    let y = rect.top() + 22.0;
    let left = rect.left() + grid.gutter_width;
    let line = [pos2(left, y), pos2(left + 4.0 * grid.column_width, y)];
    painter.line_segment(line, Stroke::new(1.0, theme.quiet));
    for (edge, text) in ["0", "0.25", "0.5", "0.75", "1"].into_iter().enumerate() {
        let x = left + grid.column_width * edge as f32;
        painter.vline(x, y - 5.0..=y, Stroke::new(1.0, theme.quiet));
        // The last label would exceed the cell if it were centred.
        let (anchor, text_x) = match edge {
            4 => (Align2::RIGHT_BOTTOM, x + 1.0),
            _ => (Align2::CENTER_BOTTOM, x),
        };
        let font = FontId::proportional(FINE_SIZE);
        painter.text(pos2(text_x, y - 6.0), anchor, text, font, theme.quiet);
    }
    let color = if reads_edge { theme.wrong } else { theme.accent };
    for (column, text) in coordinates.iter().enumerate() {
        let offset = if reads_edge { 0.0 } else { 0.5 };
        let x = left + grid.column_width * (column as f32 + offset);
        painter.vline(x, y..=y + 7.0, Stroke::new(2.0, color));
        let font = font::strong(CAPTION_SIZE);
        painter.text(pos2(x, y + 7.0), Align2::CENTER_TOP, text, font, color);
    }
}
