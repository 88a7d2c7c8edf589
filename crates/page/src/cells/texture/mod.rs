//! The joint palette as a texture: one row a joint, one texel a column of its
//! matrix, as the shader gets them.

mod switches;
#[cfg(test)]
mod tests;
mod texel;
mod texel_details;
mod webgl_version;

use bindpose_asset::JointRole;
use bindpose_lesson::{Device, Setting, SkinningFault, TextureCell, Transport};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::significant_digits::Magnitude;
use bindpose_notebook::{Derived, Document, GpuLimits};
use bindpose_skin::{Blend, JointIndex};
use eframe::egui::{
    Align, Align2, Color32, FontId, Layout, RichText, Sense, Stroke, Ui, WidgetInfo,
    accesskit::Role, pos2, vec2,
};

use crate::theme::{CAPTION, FINE, font};
use crate::widgets::{Scrub, icon_button, scroll_box};
use crate::{PageContext, icons};
use switches::steady_label;
use texel::MEANING;
use texel_details::{TexelGrid, TexelGridState, TexelRow};

/// Rows in the box where the lesson does not say.
const ROWS: usize = 6;
const HEADINGS: f32 = 22.0;
/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &TextureCell, id: &str, page: &mut PageContext<'_>) {
    let palette = palette(cell, page);
    let rows = palette.world_from_bind.len();
    let visible = cell.rows.unwrap_or(ROWS).clamp(1, 24).min(rows);
    let by_coordinates = palette.transport.is_sampled();
    let grid = TexelGrid::fitting(ui, page, by_coordinates, visible < rows);
    // Before the texels: the switches and what they do to the picture are seen
    // together on a low screen.
    if cell.faults {
        ui.scope(|ui| switches::ui(ui, page, &palette));
    }
    let off = if cell.faults {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            switches::all_right(ui, page);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                title(ui, page, &palette, grid.shape.magnitude, true)
            })
            .inner
        })
        .inner
    } else {
        title(ui, page, &palette, grid.shape.magnitude, false)
    };
    let jump = (visible < rows).then(|| pager(ui, id, page, &grid, visible)).flatten();
    ui.spacing_mut().item_spacing.y = 0.0;
    headings(ui, page, &grid);
    if grid.by_coordinates {
        ruler_ui(ui, page, &grid);
    }
    let half = if visible < rows { 0.5 } else { 0.0 };
    let height = grid.row_height() * (visible as f32 + half);
    let area = scroll_box((id, "texels"), height, jump);
    let output = area.show_rows(ui, grid.row_height(), rows, |ui, range| {
        for row in range {
            let joint = JointIndex(row as u16);
            TexelRow { cell_id: id, grid: &grid, palette: &palette, joint }.ui(ui, page);
        }
    });
    page.state::<TexelGridState>(id).offset = output.state.clamped_offset().y;
    ui.spacing_mut().item_spacing.y = 8.0;
    ui.add_space(6.0);
    texel_details::ui(ui, id, page, &grid, &palette, cell.faults);
    legend(ui, page, &grid, off, cell.faults);
    if page.derived.blend == Blend::DualQuaternion {
        let words = "The picture blends dual quaternions: its texture holds those, not these \
                     matrices.";
        ui.label(RichText::new(words).size(13.0).color(page.theme.caution));
    }
    if cell.faults {
        webgl_version::ui(ui, id, page, &palette);
    }
}

/// The texture as this cell reads it: as the picture does, but the lesson may
/// ask for coordinates where the picture has none.
fn palette<'a>(cell: &TextureCell, page: &PageContext<'a>) -> PaletteTexture<'a> {
    let derived: &'a Derived = page.derived;
    let document: &'a Document = derived.in_force(page.document);
    let asked = document.state.transport;
    let transport = if cell.centres && !cell.faults { Transport::TextureCentres } else { asked };
    let limits = GpuLimits::for_device(document.state.device, page.limits)
        .or_else(|| GpuLimits::for_device(Device::LeastWebgl2, None));
    PaletteTexture {
        world_from_bind: &derived.joints.world_from_bind,
        faults: &document.state.faults,
        transport,
        float_linear: limits.is_some_and(|limits| limits.float_linear),
    }
}

/// What is shown, and how much of it is not what was meant; answers with that.
/// `steady`: has the same height whatever is wrong.
fn title(
    ui: &mut Ui,
    page: &PageContext<'_>,
    palette: &PaletteTexture<'_>,
    magnitude: Magnitude,
    steady: bool,
) -> usize {
    let rows = palette.world_from_bind.len();
    let off = (0..rows)
        .flat_map(|row| (0..4).map(move |column| (JointIndex(row as u16), column)))
        .filter(|&(joint, column)| texel::is_off(palette, magnitude, joint, column))
        .count();
    let beyond = beyond_the_skin(&page.derived.rig.joint_roles());
    let words = |off: usize| {
        let what = if off == 0 {
            ", four floats each".to_owned()
        } else {
            format!("; the shader gets {off} of {} wrong", 4 * rows)
        };
        page.theme.label(format!("palette: 4 × {rows} texels{what}{beyond}"))
    };
    let color = if off == 0 { page.theme.quiet } else { page.theme.wrong };
    let others = steady.then(|| [words(0), words(4 * rows)]);
    steady_label(ui, words(off).color(color), others.into_iter().flatten());
    off
}

/// What a file does not call joints, and yet has a row.
fn beyond_the_skin(roles: &[JointRole]) -> String {
    let count = |role| roles.iter().filter(|&&other| other == role).count();
    let helpers = match count(JointRole::Helper) {
        0 => None,
        1 => Some("1 row is of a node outside the skins".to_owned()),
        some => Some(format!("{some} rows are of nodes outside the skins")),
    };
    let again = match count(JointRole::Again) {
        0 => None,
        1 => Some("1 row repeats a joint for another skin".to_owned()),
        some => Some(format!("{some} rows repeat joints for other skins")),
    };
    let parts: Vec<String> = helpers.into_iter().chain(again).collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("; {}", parts.join("; "))
}

/// Which rows are seen, and others: by page, or by a joint's number. Answers
/// with where to scroll.
fn pager(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    grid: &TexelGrid,
    visible: usize,
) -> Option<f32> {
    let offset = page.state::<TexelGridState>(id).offset;
    let last = grid.rows - 1;
    let first = ((offset / grid.row_height()).round() as usize).min(grid.rows - visible);
    let mut to: Option<usize> = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let quiet = |words: String| page.theme.caption(words);
        if icon_button(ui, icons::CARET_LEFT, "rows before", first > 0) {
            to = Some(first.saturating_sub(visible));
        }
        let seen = format!("rows {first} to {}", first + visible - 1);
        ui.label(quiet(seen));
        let more = first + visible < grid.rows;
        if icon_button(ui, icons::CARET_RIGHT, "rows after", more) {
            to = Some((first + visible).min(grid.rows - visible));
        }
        ui.add_space(8.0);
        ui.label(quiet("joint".to_owned()));
        let chosen = page.document.state.joint;
        let scrub = Scrub::new((id, "row"), f64::from(chosen.0), "the chosen joint’s row")
            .whole()
            .range(0.0..=last as f64)
            .steps_per_point(0.2)
            .chars(last.to_string().len());
        if let Some(change) = scrub.show(ui) {
            page.choose(Setting::Joint(JointIndex(change.or(0.0) as u16).into()));
        }
        ui.label(quiet(format!("of 0 to {last}")));
    });
    // Once, when another joint is chosen, here or elsewhere.
    let joint = page.document.state.joint;
    let before = page.state::<TexelGridState>(id).joint.replace(joint);
    if before != Some(joint) && !(first..first + visible).contains(&joint.index()) {
        let above = joint.index().saturating_sub(visible / 2);
        to = Some(above.min(grid.rows - visible));
    }
    to.map(|row| row as f32 * grid.row_height())
}

/// `texel 0 · x axis`, `1 · y axis`, …
fn headings(ui: &mut Ui, page: &PageContext<'_>, grid: &TexelGrid) {
    let (rect, response) = ui.allocate_exact_size(vec2(grid.width(), HEADINGS), Sense::hover());
    let font = FontId::proportional(13.0);
    let quiet = page.theme.quiet;
    let layout = |text: String| ui.painter().layout_no_wrap(text, font.clone(), quiet);
    for (column, meaning) in MEANING.iter().enumerate() {
        let lead = if column == 0 { "texel " } else { "" };
        let galley = [
            format!("{lead}{column} · {meaning}"),
            format!("{column} · {meaning}"),
            format!("{column}"),
        ]
        .map(layout)
        .into_iter()
        .find(|galley| galley.size().x <= grid.pitch - 2.0);
        if let Some(galley) = galley {
            let middle = rect.left() + grid.middle(column);
            let at = pos2(middle - galley.size().x / 2.0, rect.top() + 2.0);
            ui.painter().galley(at, galley, quiet);
        }
    }
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, "texels: x axis, y axis, z axis, origin")
    });
}

/// What colours and marks mean; of the marks only those that are there.
fn legend(ui: &mut Ui, page: &PageContext<'_>, grid: &TexelGrid, off: usize, steady: bool) {
    let texel::Sizes { axis, place } = grid.sizes;
    let mut words = if grid.shape.is_about_1() {
        format!(
            "Colour: the first three numbers as red, green, blue. −1 dark, 0 grey, 1 bright; origins divided by {place}."
        )
    } else {
        format!(
            "Colour: the first three numbers as red, green, blue. 0 is grey; {axis} is bright for an axis, {place} for an origin."
        )
    };
    let edited = if page.document.state.texels.is_empty() {
        ""
    } else {
        " A dot marks one that was edited."
    };
    let frame = " A framed texel with a cut corner is not what was meant.";
    let longest = format!("{words}{frame}{edited}");
    if off > 0 {
        words.push_str(frame);
    }
    words.push_str(edited);
    let others = steady.then(|| page.theme.caption(longest));
    steady_label(ui, page.theme.caption(words), others);
}

// The ruler along the top of the texture: coordinates from 0 to 1, and where
// the shader reads.

const HEIGHT: f32 = 46.0;

/// Edges above the line, below it what is read: centres, (x + 0.5) / 4, or, as a
/// fault, edges.
fn ruler_ui(ui: &mut Ui, page: &PageContext<'_>, grid: &TexelGrid) {
    let theme = page.theme;
    let edge = page.document.state.faults.contains(&SkinningFault::Edge);
    let (rect, response) = ui.allocate_exact_size(vec2(grid.width(), HEIGHT), Sense::hover());
    let read: Vec<String> = (0..4).map(|x| texel::coordinate(x, 4, edge)).collect();
    response.widget_info(|| {
        let what = if edge { "edges" } else { "centres" };
        let words = format!("texel {what} along the width: {}", read.join(", "));
        WidgetInfo::labeled(Role::Label, true, words)
    });
    let y = rect.top() + 22.0;
    let left = rect.left() + grid.gutter;
    let ends = [pos2(left, y), pos2(left + 4.0 * grid.pitch, y)];
    let painter = ui.painter();
    painter.line_segment(ends, Stroke::new(1.0, theme.quiet));
    let text = |x: f32, y: f32, anchor: Align2, words: &str, font: FontId, color: Color32| {
        painter.text(pos2(x, y), anchor, words, font, color);
    };
    for (edge, words) in ["0", "0.25", "0.5", "0.75", "1"].into_iter().enumerate() {
        let x = left + grid.pitch * edge as f32;
        let tick = [pos2(x, y - 5.0), pos2(x, y)];
        painter.line_segment(tick, Stroke::new(1.0, theme.quiet));
        let (anchor, x) = match edge {
            4 => (Align2::RIGHT_BOTTOM, x + 1.0),
            _ => (Align2::CENTER_BOTTOM, x),
        };
        let font = FontId::proportional(FINE);
        text(x, y - 6.0, anchor, words, font, theme.quiet);
    }
    let color = if edge { theme.wrong } else { theme.accent };
    for (column, words) in read.iter().enumerate() {
        let into = if edge { 0.0 } else { 0.5 };
        let x = left + grid.pitch * (column as f32 + into);
        let tick = [pos2(x, y), pos2(x, y + 7.0)];
        painter.line_segment(tick, Stroke::new(2.0, color));
        let font = font::strong(CAPTION);
        text(x, y + 7.0, Align2::CENTER_TOP, words, font, color);
    }
}
