//! The tables: joints that fit in uniforms, in a block, in a texture, where a
//! row chosen is the one that the strip shows; and what the
//! articles print, beside what is right.

use bindpose_lesson::Device;
use bindpose_notebook::uniform_budget::{
    TAKEN, TAKEN_WITHOUT_COLOR, joints_in_uniforms, mat4s_in_all, printed,
};
use bindpose_notebook::{GpuLimits, number_text::grouped};
use eframe::egui::{
    self, Color32, Rect, Response, RichText, Sense, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::storage::{Storage, StorageNumbers};
use crate::PageContext;
use crate::theme::{SMALL, Theme, font};

/// Answers with the row that was chosen now.
pub(super) fn joints_that_fit(
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
            number(storage.takes(), widths[1], false),
            number(grouped(joints), widths[2], true),
            number(there, widths[3], false),
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
pub(super) fn printed_figures(ui: &mut Ui, theme: &Theme) {
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
        let mut said = number(said, widths[1], false);
        said.text = said.text.strikethrough().color(theme.quiet);
        let fits = |taken, width| number(joints_in_uniforms(vec4s, taken).to_string(), width, true);
        let cells = vec![
            number(vec4s.to_string(), 36.0, false),
            words("", widths[0] - 36.0),
            said,
            number(mat4s_in_all(vec4s).to_string(), widths[2], false),
            fits(TAKEN_WITHOUT_COLOR, widths[3]),
            fits(TAKEN, widths[4]),
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

fn number(text: impl Into<String>, width: f32, strong: bool) -> Words {
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
