//! How many joints fit in so many slots of uniforms, where else they could go,
//! and which transport the picture takes.

mod storage;
#[cfg(test)]
mod tests;

use bindpose_lesson::{BudgetCell, Device, Setting, Transport};
use bindpose_notebook::GpuLimits;
use bindpose_notebook::gpu_limits::{
    FIXED_VEC4S, FIXED_VEC4S_WITHOUT_COLOR, joints_in_uniforms, mat4s_in_all, printed,
};
use bindpose_notebook::number_text::grouped;
use bindpose_notebook::palette_plan::{PageLoad, capacity};
use eframe::egui;
use eframe::egui::{
    Color32, Grid, Label, Rect, Response, RichText, Sense, Ui, WidgetInfo, accesskit::Role, pos2,
    vec2,
};

use super::device;
use crate::PageContext;
use crate::theme::{BODY, CAPTION, FINE, SMALL, Theme, font};
use crate::widgets::{Scrub, ScrubChange, Tip as _, option_button};
use storage::{Storage, StorageNumbers};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &BudgetCell, id: &str, page: &mut PageContext<'_>) {
    let name = cell.limit.as_deref().unwrap_or("vec4s");
    let Some(vec4s) = count(ui, page, name) else {
        return;
    };
    let others = match cell.others.as_deref() {
        None => FIXED_VEC4S,
        Some(others) => match count(ui, page, others) {
            Some(others) => others,
            None => return,
        },
    };
    let budget = StorageNumbers { vec4s, others };
    let storage = *page.state::<Storage>(id);
    controls(ui, id, name, vec4s, page);
    if let Some(name) = cell.others.as_deref() {
        others_control(ui, id, name, others, page);
    }
    storage::bar_ui(ui, page.theme, budget, storage);
    ui.add_space(2.0);
    ui.scope(|ui| {
        if cell.characters {
            storage::characters_ui(ui, page, budget);
        } else if let Some(chosen) = joints_that_fit(ui, page, budget, storage) {
            *page.state(id) = chosen;
            ui.ctx().request_repaint();
        }
        if cell.printed {
            printed_figures(ui, page.theme);
        }
    });
    if !cell.ways {
        return;
    }
    ui.add_space(6.0);
    device::chooser(ui, id, page);
    transports_ui(ui, page);
    limits_ui(ui, page);
}

/// The value of a parameter of the lesson, or words in its place.
fn count(ui: &mut Ui, page: &PageContext<'_>, name: &str) -> Option<u32> {
    let Some(value) = page.derived.param(name) else {
        let words = format!("The lesson has no parameter “{name}” for the number of uniforms.");
        ui.label(RichText::new(words).color(page.theme.wrong));
        return None;
    };
    Some(value.round().clamp(0.0, f64::from(u32::MAX)) as u32)
}

fn controls(ui: &mut Ui, id: &str, name: &str, vec4s: u32, page: &mut PageContext<'_>) {
    let here = page.limits.map(|limits| limits.vertex_uniform_vec4s);
    let own = here.map_or_else(
        || "this machine: no GL here".to_owned(),
        |here| format!("{here} this machine"),
    );
    let asked = "GL_MAX_VERTEX_UNIFORM_VECTORS, asked of this machine's driver";
    let presets = [
        (Some(64), "64", "What the articles begin with"),
        (Some(128), "128 WebGL 1", "Every WebGL 1 device has at least this"),
        (Some(256), "256 WebGL 2", "Every WebGL 2 device has at least this"),
        (here, &*own, asked),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("slots").color(page.theme.quiet));
        let label = "number of slots";
        number(ui, page, (id, "vec4s"), name, vec4s, label);
        for (preset, text, help) in presets {
            let button = option_button(preset == Some(vec4s), text);
            let response = ui.add_enabled(preset.is_some(), button).tip(help);
            let chosen = preset.filter(|_| response.clicked());
            page.change_param(name, chosen.map(|n| ScrubChange::Set(n.into())));
        }
    });
}

fn others_control(ui: &mut Ui, id: &str, name: &str, others: u32, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("of these for everything else").color(page.theme.quiet));
        let label = "slots for everything but joints";
        number(ui, page, (id, "others"), name, others, label);
    });
}

/// A parameter to drag.
fn number(
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
        .font(font::mono_strong(BODY));
    page.change_param(name, scrub.show(ui));
}

// The transports to the shader: which are open to the present skin on the chosen
// device, which one the picture takes, and the limits that decide, by the names
// GL has for them.

const NAMES: f32 = 164.0;

fn transports_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let load = PageLoad::new(page.derived);
    let limits = GpuLimits::for_device(page.document.state.device, page.limits);
    let asked = page.document.state.transport;
    let (joints, s) = match load.alone.joints {
        1 => ("1".to_owned(), ""),
        joints => (grouped(joints), "s"),
    };
    let words = format!("The picture’s {joints} joint{s} go to the shader through");
    ui.label(page.theme.caption(words));
    ui.spacing_mut().item_spacing.y = 4.0;
    for transport in Transport::ALL {
        let fit = limits.as_ref().map(|limits| {
            load.plan(transport, limits)?;
            capacity(transport, load.alone.blending.vec4s_per_joint(), limits)
        });
        let open = !matches!(fit, Some(Err(_)));
        let beside = match fit {
            Some(Ok(fit)) => format!("{} joints fit", grouped(fit)),
            Some(Err(misfit)) => misfit.to_string(),
            None => "no GL here to ask".to_owned(),
        };
        ui.horizontal(|ui| {
            let on = transport == asked;
            let button = option_button(on, transport.label()).min_size(vec2(NAMES, 0.0));
            let response = ui.add_enabled(open, button);
            response.widget_info(|| {
                let label = format!("{}: {beside}", transport.label());
                WidgetInfo::selected(Role::RadioButton, open, on, label)
            });
            if response.clicked() {
                page.choose(Setting::Transport(transport));
            }
            ui.add(Label::new(page.theme.caption(&beside)).wrap());
        });
    }
    let Some(limits) = limits else {
        return;
    };
    ui.label(page.theme.caption(why_others(&limits)));
    let words = match load.choose(asked, &limits) {
        Ok(taken) if taken.instead_of.is_some() => {
            format!("Asked for: {taken}.")
        }
        Ok(_) => return,
        Err(no_transport) => format!("No way is open. {no_transport}"),
    };
    ui.label(RichText::new(words).size(CAPTION).color(page.theme.caution));
}

/// Why these numbers are others than those of the lesson's small shader.
fn why_others(limits: &GpuLimits) -> String {
    let taken = limits.vertex_uniform_vec4s - limits.palette_vec4s.min(limits.vertex_uniform_vec4s);
    let slots = format!("Shaders of this page take {taken} slots for the rest");
    match limits.vertex_uniform_blocks {
        0 | 1 => format!("{slots}."),
        blocks => format!("{slots}, and may fill {} blocks.", grouped(blocks)),
    }
}

fn limits_ui(ui: &mut Ui, page: &PageContext<'_>) {
    let device = page.document.state.device;
    let Some(limits) = GpuLimits::for_device(device, page.limits) else {
        return;
    };
    let quiet = page.theme.quiet;
    let head = match device {
        Device::Here => format!("Limits of this machine: {}", limits.renderer),
        _ => format!("Limits: {}, what every such device has", device.label()),
    };
    ui.add_space(4.0);
    ui.label(page.theme.caption(head));
    // Two columns where the long names have room.
    let columns = if ui.available_width() >= 620.0 { 2 } else { 1 };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        Grid::new(ui.scope_id().with("limits")).spacing([16.0, 3.0]).show(ui, |ui| {
            for (index, (name, value)) in lines(&limits).into_iter().enumerate() {
                ui.label(RichText::new(name).monospace().size(FINE).color(quiet));
                ui.label(RichText::new(value).monospace().size(FINE));
                if index % columns == columns - 1 {
                    ui.end_row();
                }
            }
        });
    });
}

fn lines(limits: &GpuLimits) -> [(&'static str, String); 8] {
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
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
        ("float textures", yes_no(limits.float_textures)),
        ("float textures with LINEAR", yes_no(limits.float_linear)),
    ]
}

// The tables: joints that fit in uniforms, in a block, in a texture, where a
// row chosen is the one that the strip shows; and what the
// articles print, beside what is right.

/// Answers with the row that was chosen now.
fn joints_that_fit(
    ui: &mut Ui,
    page: &PageContext<'_>,
    budget: StorageNumbers,
    chosen: Storage,
) -> Option<Storage> {
    let theme = page.theme;
    ui.spacing_mut().item_spacing.y = 0.0;
    let narrow = ui.available_width() < 380.0;
    let widths = fitted(ui, [130.0, 88.0, 66.0, 110.0]);
    let here = page.document.state.device == Device::Here;
    let titles = match (narrow, here) {
        (true, true) => ["kept in", "takes", "joints", "here"],
        (true, false) => ["kept in", "takes", "joints", "device"],
        (false, true) => ["kept in", "a matrix takes", "joints", "this machine"],
        (false, false) => ["kept in", "a matrix takes", "joints", "this device"],
    };
    title_row(ui, theme, titles, widths);
    let limits = GpuLimits::for_device(page.document.state.device, page.limits);
    let mut answer = None;
    for (index, storage) in Storage::ALL.into_iter().enumerate() {
        let joints = storage.capacity(budget).joints();
        let there = limits.as_ref().map_or_else(
            || "no GL".to_owned(),
            |limits| match storage.on_device(limits, budget.others) {
                0 => "none".to_owned(),
                joints => grouped(joints),
            },
        );
        let on = storage == chosen;
        let fill = if on {
            Some(theme.accent_wash)
        } else {
            index.is_multiple_of(2).then_some(theme.panel)
        };
        let cells = vec![
            words(storage.label(), widths[0]),
            number_in_table(storage.takes(), widths[1], false),
            number_in_table(grouped(joints), widths[2], true),
            number_in_table(there, widths[3], false),
        ];
        let response = row_with(ui, fill, Sense::click(), cells);
        response.widget_info(|| {
            let label = format!("show {}: {joints} joints", storage.label());
            WidgetInfo::selected(Role::RadioButton, true, on, label)
        });
        if response.clicked() {
            answer = Some(storage);
        }
    }
    ui.add_space(6.0);
    let StorageNumbers { vec4s, others } = budget;
    let sum = format!(
        "Uniforms: ⌊({vec4s} − {others}) / 4⌋ = {}.  Block and texture: what WebGL 2 guarantees. \
         A row chosen is shown in the strip.",
        joints_in_uniforms(vec4s, others)
    );
    ui.label(theme.caption(sum));
    answer
}

/// The articles' numbers, struck through, and what fits: without a colour in the
/// vertex shader, as in theirs, and with one.
fn printed_figures(ui: &mut Ui, theme: &Theme) {
    ui.add_space(10.0);
    let narrow = ui.available_width() < 420.0;
    let widths = fitted(ui, [64.0, 104.0, 104.0, 116.0, 76.0]);
    let titles = if narrow {
        ["slots", "printed", "mat4s", "8 taken", "9 taken"]
    } else {
        ["slots", "articles print", "mat4s in all", "joints, 8 taken", "9 taken"]
    };
    title_row(ui, theme, titles, widths);
    for (index, vec4s) in [64, 128, 256].into_iter().enumerate() {
        let said = if vec4s == 64 {
            format!("{} mat4s, {}", vec4s / 8, printed(vec4s))
        } else {
            printed(vec4s).to_string()
        };
        let mut said = number_in_table(said, widths[1], false);
        said.text = said.text.strikethrough().color(theme.quiet);
        let fits = |taken, width| {
            number_in_table(joints_in_uniforms(vec4s, taken).to_string(), width, true)
        };
        let cells = vec![
            number_in_table(vec4s.to_string(), 36.0, false),
            words("", widths[0] - 36.0),
            said,
            number_in_table(mat4s_in_all(vec4s).to_string(), widths[2], false),
            fits(FIXED_VEC4S_WITHOUT_COLOR, widths[3]),
            fits(FIXED_VEC4S, widths[4]),
        ];
        row(ui, theme, index % 2 == 0, cells);
    }
    ui.add_space(6.0);
    let why = "The printed numbers are N/8 − 3: a mat4 counted as 8 slots. It takes 4.";
    ui.label(RichText::new(why).size(SMALL).color(theme.caution));
}

/// A table's cell: words, how they are set.
struct Words {
    text: RichText,
    width: f32,
    right: bool,
}

fn words(text: impl Into<String>, width: f32) -> Words {
    Words { text: RichText::new(text).size(SMALL), width, right: false }
}

fn number_in_table(text: impl Into<String>, width: f32, strong: bool) -> Words {
    Words { text: RichText::new(text).font(font::mono(SMALL, strong)), width, right: true }
}

fn row(ui: &mut Ui, theme: &Theme, shade: bool, cells: Vec<Words>) {
    let fill = shade.then_some(theme.panel);
    row_with(ui, fill, Sense::hover(), cells);
}

/// A row with a ground, that may be clicked; the caller names it.
fn row_with(ui: &mut Ui, fill: Option<Color32>, sense: Sense, cells: Vec<Words>) -> Response {
    let width: f32 = cells.iter().map(|cell| cell.width).sum();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), sense);
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), 3.0, fill);
    }
    let mut left = rect.left();
    for cell in cells {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(cell.width, rect.height()));
        let layout = if cell.right {
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

fn title_row<const N: usize>(ui: &mut Ui, theme: &Theme, titles: [&str; N], widths: [f32; N]) {
    let cells = titles
        .into_iter()
        .zip(widths)
        .enumerate()
        .map(|(column, (title, width))| Words {
            text: theme.caption(title),
            width,
            right: column > 0,
        })
        .collect();
    row(ui, theme, false, cells);
}

/// Narrower where there is less room.
fn fitted<const N: usize>(ui: &Ui, widths: [f32; N]) -> [f32; N] {
    let all: f32 = widths.iter().sum();
    let factor = (ui.available_width() / all).min(1.0);
    widths.map(|width| width * factor)
}
