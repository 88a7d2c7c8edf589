//! Number of joints whose matrices fit in uniforms, in a uniform block and in a texture, and the
//! transport that the picture uses.

mod storage;
#[cfg(test)]
mod tests;

use bindpose_kit::theme::{BODY_SIZE, CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{Scrub, ScrubChange, Tip as _, option_button};
use bindpose_lesson::number_text::grouped;
use bindpose_lesson::{BudgetCell, Device, Setting, Transport};
use bindpose_notebook::GpuLimits;
use bindpose_notebook::gpu_limits::{
    FIXED_VEC4S, FIXED_VEC4S_WITHOUT_COLOR, joints_in_uniforms, mat4s_in_all, printed,
};
use bindpose_notebook::palette_plan::{PageLoad, capacity};
use eframe::egui;
use eframe::egui::{
    Color32, Grid, Label, Rect, Response, RichText, Sense, Ui, WidgetInfo, accesskit::Role, pos2,
    vec2,
};

use super::device;
use crate::PageContext;
use storage::{Storage, UniformBudget};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &BudgetCell, id: &str, page: &mut PageContext<'_>) {
    let name = cell.limit.as_deref().unwrap_or("vec4s");
    let Some(vec4s) = count_param(ui, page, name) else {
        return;
    };
    let others = match cell.others.as_deref() {
        None => FIXED_VEC4S,
        Some(others_name) => match count_param(ui, page, others_name) {
            Some(others) => others,
            None => return,
        },
    };
    let budget = UniformBudget { vec4s, others };
    let storage = *page.state::<Storage>(id);
    draw_vec4s_control(ui, id, name, vec4s, page);
    if let Some(others_name) = cell.others.as_deref() {
        draw_others_control(ui, id, others_name, others, page);
    }
    storage::draw_strip(ui, page.theme, budget, storage);
    ui.add_space(2.0);
    ui.scope(|ui| {
        if cell.characters {
            storage::draw_characters(ui, page, budget);
        } else if let Some(chosen) = draw_storage_table(ui, page, budget, storage) {
            *page.state(id) = chosen;
            ui.ctx().request_repaint();
        }
        if cell.printed {
            draw_printed_figures(ui, page.theme);
        }
    });
    if !cell.ways {
        return;
    }
    ui.add_space(6.0);
    device::device_chooser_ui(ui, id, page);
    draw_transports(ui, page);
    draw_limits(ui, page);
}

/// Returns a parameter of the lesson as a count. Draws an error and returns `None` if there is no
/// such parameter.
fn count_param(ui: &mut Ui, page: &PageContext<'_>, name: &str) -> Option<u32> {
    let Some(value) = page.derived.param(name) else {
        let error = format!("The lesson has no parameter “{name}” for the number of uniforms.");
        ui.label(RichText::new(error).color(page.theme.wrong));
        return None;
    };
    Some(value.round().clamp(0.0, f64::from(u32::MAX)) as u32)
}

fn draw_vec4s_control(ui: &mut Ui, id: &str, name: &str, vec4s: u32, page: &mut PageContext<'_>) {
    let machine_vec4s = page.limits.map(|limits| limits.vertex_uniform_vec4s);
    let machine_label = match machine_vec4s {
        Some(count) => format!("{count} this machine"),
        None => "this machine: no GL here".to_owned(),
    };
    let machine_help = "GL_MAX_VERTEX_UNIFORM_VECTORS, asked of this machine's driver";
    let presets = [
        (Some(64), "64", "What the articles begin with"),
        (Some(128), "128 WebGL 1", "Every WebGL 1 device has at least this"),
        (Some(256), "256 WebGL 2", "Every WebGL 2 device has at least this"),
        (machine_vec4s, &*machine_label, machine_help),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("slots").color(page.theme.quiet));
        draw_param_scrub(ui, page, (id, "vec4s"), name, vec4s, "number of slots");
        for (preset, label, help) in presets {
            let button = option_button(preset == Some(vec4s), label);
            let response = ui.add_enabled(preset.is_some(), button).tip(help);
            let chosen = preset.filter(|_| response.clicked());
            page.change_param(name, chosen.map(|count| ScrubChange::Set(count.into())));
        }
    });
}

fn draw_others_control(ui: &mut Ui, id: &str, name: &str, others: u32, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("of these for everything else").color(page.theme.quiet));
        let label = "slots for everything but joints";
        draw_param_scrub(ui, page, (id, "others"), name, others, label);
    });
}

fn draw_param_scrub(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    id: (&str, &str),
    name: &str,
    value: u32,
    label: &str,
) {
    let scrub = Scrub::new(id, f64::from(value), label)
        .whole()
        .range(0.0..=65_536.0)
        .chars(5)
        .font(font::mono_strong(BODY_SIZE));
    page.change_param(name, scrub.show(ui));
}

const TRANSPORT_NAME_WIDTH_PTS: f32 = 164.0;

/// Draws the choice of transport, with the number of joints that fit in each on the selected
/// device, or why it is unavailable.
fn draw_transports(ui: &mut Ui, page: &mut PageContext<'_>) {
    let load = PageLoad::new(page.derived);
    let limits = GpuLimits::for_device(page.document.state.device, page.limits);
    let selected = page.document.state.transport;
    let joint_count = load.alone.joints;
    let plural = if joint_count == 1 { "" } else { "s" };
    let heading =
        format!("The picture’s {} joint{plural} go to the shader through", grouped(joint_count));
    ui.label(page.theme.caption(heading));
    ui.spacing_mut().item_spacing.y = 4.0;
    for transport in Transport::ALL {
        let fit = limits.as_ref().map(|limits| {
            load.plan(transport, limits)?;
            capacity(transport, load.alone.blending.vec4s_per_joint(), limits)
        });
        let is_available = !matches!(fit, Some(Err(_)));
        let status = match fit {
            Some(Ok(joints)) => format!("{} joints fit", grouped(joints)),
            Some(Err(limit)) => limit.to_string(),
            None => "no GL here to ask".to_owned(),
        };
        ui.horizontal(|ui| {
            let is_selected = transport == selected;
            let button = option_button(is_selected, transport.label())
                .min_size(vec2(TRANSPORT_NAME_WIDTH_PTS, 0.0));
            let response = ui.add_enabled(is_available, button);
            response.widget_info(|| {
                let label = format!("{}: {status}", transport.label());
                WidgetInfo::selected(Role::RadioButton, is_available, is_selected, label)
            });
            if response.clicked() {
                page.choose(Setting::Transport(transport));
            }
            ui.add(Label::new(page.theme.caption(&status)).wrap());
        });
    }
    let Some(limits) = limits else {
        return;
    };
    ui.label(page.theme.caption(page_shader_note(&limits)));
    let warning = match load.choose(selected, &limits) {
        Ok(used) if used.instead_of.is_some() => format!("Asked for: {used}."),
        Ok(_) => return,
        Err(no_transport) => format!("No way is open. {no_transport}"),
    };
    ui.label(RichText::new(warning).size(CAPTION_SIZE).color(page.theme.caution));
}

/// Explains why these numbers differ from those of the lesson's small shader.
fn page_shader_note(limits: &GpuLimits) -> String {
    let taken = limits.vertex_uniform_vec4s - limits.palette_vec4s.min(limits.vertex_uniform_vec4s);
    let slots = format!("Shaders of this page take {taken} slots for the rest");
    match limits.vertex_uniform_blocks {
        0 | 1 => format!("{slots}."),
        blocks => format!("{slots}, and may fill {} blocks.", grouped(blocks)),
    }
}

/// Draws the limits of the selected device, by their names in GL.
fn draw_limits(ui: &mut Ui, page: &PageContext<'_>) {
    let device = page.document.state.device;
    let Some(limits) = GpuLimits::for_device(device, page.limits) else {
        return;
    };
    let quiet = page.theme.quiet;
    let heading = match device {
        Device::Here => format!("Limits of this machine: {}", limits.renderer),
        _ => format!("Limits: {}, what every such device has", device.label()),
    };
    ui.add_space(4.0);
    ui.label(page.theme.caption(heading));
    // The names are long.
    let columns = if ui.available_width() >= 620.0 { 2 } else { 1 };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        Grid::new(ui.scope_id().with("limits")).spacing([16.0, 3.0]).show(ui, |ui| {
            for (index, (name, value)) in limit_lines(&limits).into_iter().enumerate() {
                ui.label(RichText::new(name).monospace().size(FINE_SIZE).color(quiet));
                ui.label(RichText::new(value).monospace().size(FINE_SIZE));
                if index % columns == columns - 1 {
                    ui.end_row();
                }
            }
        });
    });
}

fn limit_lines(limits: &GpuLimits) -> [(&'static str, String); 8] {
    [
        ("MAX_VERTEX_UNIFORM_VECTORS", grouped(limits.vertex_uniform_vec4s)),
        (
            "MAX_UNIFORM_BLOCK_SIZE",
            match limits.uniform_block_bytes {
                0 => "no blocks".to_owned(),
                bytes => format!("{} B", grouped(bytes)),
            },
        ),
        ("MAX_VERTEX_UNIFORM_BLOCKS", grouped(limits.vertex_uniform_blocks)),
        ("MAX_TEXTURE_SIZE", grouped(limits.texture_size)),
        ("MAX_VERTEX_TEXTURE_IMAGE_UNITS", grouped(limits.vertex_texture_units)),
        ("MAX_VERTEX_ATTRIBS", grouped(limits.vertex_attributes)),
        ("float textures", yes_or_no(limits.float_textures)),
        ("float textures with LINEAR", yes_or_no(limits.float_linear)),
    ]
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

/// Draws the number of joints that fit in each storage. Returns the row that was clicked, which
/// is then shown as a strip.
fn draw_storage_table(
    ui: &mut Ui,
    page: &PageContext<'_>,
    budget: UniformBudget,
    selected: Storage,
) -> Option<Storage> {
    let theme = page.theme;
    ui.spacing_mut().item_spacing.y = 0.0;
    let is_narrow = ui.available_width() < 380.0;
    let widths = fit_widths(ui, [130.0, 88.0, 66.0, 110.0]);
    let is_this_machine = page.document.state.device == Device::Here;
    let titles = match (is_narrow, is_this_machine) {
        (true, true) => ["kept in", "takes", "joints", "here"],
        (true, false) => ["kept in", "takes", "joints", "device"],
        (false, true) => ["kept in", "a matrix takes", "joints", "this machine"],
        (false, false) => ["kept in", "a matrix takes", "joints", "this device"],
    };
    draw_title_row(ui, theme, titles, widths);
    let limits = GpuLimits::for_device(page.document.state.device, page.limits);
    let mut clicked = None;
    for (index, storage) in Storage::ALL.into_iter().enumerate() {
        let joints = storage.capacity(budget).joints();
        let joints_on_device = match &limits {
            None => "no GL".to_owned(),
            Some(limits) => match storage.joints_on_device(limits, budget.others) {
                0 => "none".to_owned(),
                count => grouped(count),
            },
        };
        let is_selected = storage == selected;
        let fill = if is_selected {
            Some(theme.accent_wash)
        } else {
            index.is_multiple_of(2).then_some(theme.panel)
        };
        let cells = vec![
            TableCell::text(storage.label(), widths[0]),
            TableCell::number(storage.matrix_size(), widths[1], false),
            TableCell::number(grouped(joints), widths[2], true),
            TableCell::number(joints_on_device, widths[3], false),
        ];
        let response = draw_table_row(ui, fill, Sense::click(), cells);
        response.widget_info(|| {
            let label = format!("show {}: {joints} joints", storage.label());
            WidgetInfo::selected(Role::RadioButton, true, is_selected, label)
        });
        if response.clicked() {
            clicked = Some(storage);
        }
    }
    ui.add_space(6.0);
    let UniformBudget { vec4s, others } = budget;
    let sum = format!(
        "Uniforms: ⌊({vec4s} − {others}) / 4⌋ = {}.  Block and texture: what WebGL 2 guarantees. \
         A row chosen is shown in the strip.",
        joints_in_uniforms(vec4s, others)
    );
    ui.label(theme.caption(sum));
    clicked
}

/// Draws the numbers printed in articles, struck through, beside the correct ones: without a
/// colour in the vertex shader, as in the articles, and with one.
fn draw_printed_figures(ui: &mut Ui, theme: &Theme) {
    ui.add_space(10.0);
    let is_narrow = ui.available_width() < 420.0;
    let widths = fit_widths(ui, [64.0, 104.0, 104.0, 116.0, 76.0]);
    let titles = if is_narrow {
        ["slots", "printed", "mat4s", "8 taken", "9 taken"]
    } else {
        ["slots", "articles print", "mat4s in all", "joints, 8 taken", "9 taken"]
    };
    draw_title_row(ui, theme, titles, widths);
    for (index, vec4s) in [64, 128, 256].into_iter().enumerate() {
        let printed_text = if vec4s == 64 {
            format!("{} mat4s, {}", vec4s / 8, printed(vec4s))
        } else {
            printed(vec4s).to_string()
        };
        let mut printed_cell = TableCell::number(printed_text, widths[1], false);
        printed_cell.text = printed_cell.text.strikethrough().color(theme.quiet);
        let joints_without_color = joints_in_uniforms(vec4s, FIXED_VEC4S_WITHOUT_COLOR);
        let joints_with_color = joints_in_uniforms(vec4s, FIXED_VEC4S);
        let cells = vec![
            TableCell::number(vec4s.to_string(), 36.0, false),
            TableCell::text("", widths[0] - 36.0),
            printed_cell,
            TableCell::number(mat4s_in_all(vec4s).to_string(), widths[2], false),
            TableCell::number(joints_without_color.to_string(), widths[3], true),
            TableCell::number(joints_with_color.to_string(), widths[4], true),
        ];
        let fill = (index % 2 == 0).then_some(theme.panel);
        draw_table_row(ui, fill, Sense::hover(), cells);
    }
    ui.add_space(6.0);
    let explanation = "The printed numbers are N/8 − 3: a mat4 counted as 8 slots. It takes 4.";
    ui.label(RichText::new(explanation).size(SMALL_SIZE).color(theme.caution));
}

struct TableCell {
    text: RichText,
    width: f32,
    is_right_aligned: bool,
}

impl TableCell {
    fn text(text: impl Into<String>, width: f32) -> Self {
        Self { text: RichText::new(text).size(SMALL_SIZE), width, is_right_aligned: false }
    }

    fn number(text: impl Into<String>, width: f32, strong: bool) -> Self {
        let text = RichText::new(text).font(font::mono(SMALL_SIZE, strong));
        Self { text, width, is_right_aligned: true }
    }
}

/// Draws a row of a table. If it can be clicked, the caller sets its accessible name.
fn draw_table_row(
    ui: &mut Ui,
    fill: Option<Color32>,
    sense: Sense,
    cells: Vec<TableCell>,
) -> Response {
    let width: f32 = cells.iter().map(|cell| cell.width).sum();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), sense);
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), 3.0, fill);
    }
    let mut left = rect.left();
    for cell in cells {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(cell.width, rect.height()));
        let layout = if cell.is_right_aligned {
            egui::Layout::right_to_left(egui::Align::Center)
        } else {
            egui::Layout::left_to_right(egui::Align::Center)
        };
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(layout));
        child.add(egui::Label::new(cell.text).extend().selectable(false));
        left += cell.width;
    }
    response
}

fn draw_title_row<const N: usize>(ui: &mut Ui, theme: &Theme, titles: [&str; N], widths: [f32; N]) {
    let mut cells = Vec::with_capacity(N);
    for (column, title) in titles.into_iter().enumerate() {
        cells.push(TableCell {
            text: theme.caption(title),
            width: widths[column],
            is_right_aligned: column > 0,
        });
    }
    draw_table_row(ui, None, Sense::hover(), cells);
}

/// Scales column widths down to the available width.
fn fit_widths<const N: usize>(ui: &Ui, widths: [f32; N]) -> [f32; N] {
    let total: f32 = widths.iter().sum();
    let factor = (ui.available_width() / total).min(1.0);
    widths.map(|width| width * factor)
}
