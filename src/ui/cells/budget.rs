//! How many joints fit in N vec4 uniforms, and where else they could go.

#[cfg(test)]
mod tests;

use eframe::egui::{
    self, Align2, Button, FontFamily, FontId, Rect, RichText, Sense, Ui, WidgetInfo,
    accesskit::Role, pos2, vec2,
};

use crate::lesson::BudgetCell;
use crate::notebook::budget::{
    GUARANTEED_BLOCK_BYTES, GUARANTEED_TEXTURE_SIZE, Representation, TAKEN, joints_in_block,
    joints_in_texture, mat4s_in_all, printed,
};
use crate::notebook::{Edit, GpuLimits};
use crate::skin::JointIndex;
use crate::ui::PageContext;
use crate::ui::theme::{Theme, family};
use crate::ui::widgets::{Scrub, ScrubChange};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &BudgetCell, id: &str, page: &mut PageContext<'_>) {
    let name = cell.limit.as_deref().unwrap_or("vec4s");
    let Some(value) = page.derived.param(name) else {
        let words = format!("The lesson has no parameter “{name}” for the number of uniforms.");
        ui.label(RichText::new(words).color(page.theme.wrong));
        return;
    };
    let vec4s = value.round().clamp(0.0, f64::from(u32::MAX)) as u32;
    controls(ui, id, name, vec4s, page);
    bar(ui, page.theme, vec4s);
    ui.add_space(2.0);
    ui.scope(|ui| {
        table(ui, vec4s, page.limits, page.theme);
        if cell.printed {
            as_printed(ui, page.theme);
        }
    });
}

fn controls(ui: &mut Ui, id: &str, name: &str, vec4s: u32, page: &mut PageContext<'_>) {
    let here = page.limits.map(|limits| limits.vertex_uniform_vec4s);
    let presets = [
        (64, "64".to_owned(), "What the articles begin with"),
        (
            128,
            "128 WebGL 1".to_owned(),
            "Every WebGL 1 device has at least this",
        ),
        (
            256,
            "256 WebGL 2".to_owned(),
            "Every WebGL 2 device has at least this",
        ),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("vec4 uniforms").color(page.theme.quiet));
        let scrub = Scrub::new((id, "vec4s"), f64::from(vec4s), "number of vec4 uniforms")
            .decimals(0)
            .range(0.0..=65_536.0)
            .chars(5)
            .font(FontId::new(16.0, family::mono_strong()));
        match scrub.show(ui) {
            Some(ScrubChange::Set(value)) => {
                page.edits.push(Edit::Param(name.to_owned(), value.round()));
            }
            Some(ScrubChange::Reset) => page.edits.push(Edit::ResetParam(name.to_owned())),
            None => {}
        }
        for (preset, text, help) in presets {
            let button = Button::selectable(vec4s == preset, RichText::new(text).size(13.0));
            if ui
                .add(button.frame_when_inactive(true))
                .on_hover_text(help)
                .clicked()
            {
                page.edits
                    .push(Edit::Param(name.to_owned(), f64::from(preset)));
            }
        }
        let text = here.map_or_else(
            || "this machine: no GL here".to_owned(),
            |here| format!("{here} this machine"),
        );
        let button = Button::selectable(here == Some(vec4s), RichText::new(text).size(13.0));
        let response = ui
            .add_enabled(here.is_some(), button.frame_when_inactive(true))
            .on_hover_text("GL_MAX_VERTEX_UNIFORM_VECTORS, asked of this machine's driver");
        if response.clicked()
            && let Some(here) = here
        {
            page.edits
                .push(Edit::Param(name.to_owned(), f64::from(here)));
        }
    });
}

/// The slots as a strip: what the camera takes, then a block for each mat4.
fn bar(ui: &mut Ui, theme: &Theme, vec4s: u32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 46.0), Sense::hover());
    let joints = Representation::Mat4.joints(vec4s);
    let words = format!(
        "{vec4s} slots: {} for projection, view and colour, {} for {joints} mat4, {} left",
        TAKEN.min(vec4s),
        joints * 4,
        vec4s.saturating_sub(TAKEN) % 4
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
    let painter = ui.painter().clone();
    painter.rect_filled(strip, 4.0, theme.panel);
    if vec4s == 0 {
        return;
    }
    let slot = strip.width() / vec4s as f32;
    let piece = |from: u32, to: u32| {
        Rect::from_min_max(
            pos2(strip.left() + from as f32 * slot, strip.top()),
            pos2(strip.left() + to as f32 * slot, strip.bottom()),
        )
    };
    let taken = TAKEN.min(vec4s);
    painter.rect_filled(piece(0, taken), 0.0, theme.world);
    // Below a point a block is thinner than a line: one block stands for all.
    if slot * 4.0 >= 2.5 {
        for joint in 0..joints {
            let from = taken + joint * 4;
            let block = piece(from, from + 4).shrink2(vec2((slot * 0.3).min(1.0), 0.0));
            let color = theme.joint(JointIndex((joint % 6) as u16));
            painter.rect_filled(block, 0.0, color);
            let number = (joint).to_string();
            if slot * 4.0 > 9.0 * number.len() as f32 + 4.0 {
                let font = FontId::new(12.0, family::strong());
                let middle = block.center();
                painter.text(middle, Align2::CENTER_CENTER, number, font, theme.on(color));
            }
        }
    } else {
        painter.rect_filled(piece(taken, taken + joints * 4), 0.0, theme.accent);
    }
    let font = FontId::proportional(13.0);
    let below = strip.bottom() + 4.0;
    let label = painter.text(
        pos2(strip.left(), below),
        Align2::LEFT_TOP,
        format!("{taken} camera, colour"),
        font.clone(),
        theme.quiet,
    );
    let text = format!("{joints} joints as mat4");
    let galley = painter.layout_no_wrap(text, font, theme.ink);
    let left = piece(taken, vec4s).left().max(label.right() + 16.0);
    painter.galley(pos2(left, below), galley, theme.ink);
}

/// A table's cell: words, how they are set.
struct Words {
    text: RichText,
    width: f32,
    right: bool,
}

fn words(text: impl Into<String>, width: f32) -> Words {
    Words {
        text: RichText::new(text).size(14.0),
        width,
        right: false,
    }
}

fn number(text: impl Into<String>, width: f32, strong: bool) -> Words {
    let family = if strong {
        family::mono_strong()
    } else {
        FontFamily::Monospace
    };
    Words {
        text: RichText::new(text).font(FontId::new(14.0, family)),
        width,
        right: true,
    }
}

fn row(ui: &mut Ui, theme: &Theme, shade: bool, cells: Vec<Words>) {
    let width: f32 = cells.iter().map(|cell| cell.width).sum();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    if shade {
        ui.painter()
            .rect_filled(rect.expand2(vec2(6.0, 0.0)), 3.0, theme.panel);
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
        child.add(egui::Label::new(cell.text).extend());
        left += cell.width;
    }
}

fn heads(ui: &mut Ui, theme: &Theme, heads: [&str; 4], widths: [f32; 4]) {
    let cells = heads
        .into_iter()
        .zip(widths)
        .enumerate()
        .map(|(column, (head, width))| Words {
            text: RichText::new(head).size(13.0).color(theme.quiet),
            width,
            right: column > 0,
        })
        .collect();
    row(ui, theme, false, cells);
}

/// Narrower where there is less room.
fn fitted(ui: &Ui, widths: [f32; 4]) -> [f32; 4] {
    let all: f32 = widths.iter().sum();
    let factor = (ui.available_width() / all).min(1.0);
    widths.map(|width| width * factor)
}

/// Joints that fit: in uniforms by representation, in a block, in a texture.
fn table(ui: &mut Ui, vec4s: u32, limits: Option<&GpuLimits>, theme: &Theme) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let narrow = ui.available_width() < 380.0;
    let widths = fitted(ui, [130.0, 88.0, 66.0, 96.0]);
    let titles = if narrow {
        ["kept in", "takes", "joints", "here"]
    } else {
        ["kept in", "a joint takes", "joints", "this machine"]
    };
    heads(ui, theme, titles, widths);
    let mut line = |name: &str, takes: String, joints: u32, here: Option<u32>, shade: bool| {
        let here = here.map_or_else(|| "no GL".to_owned(), thousands);
        let cells = vec![
            words(name, widths[0]),
            number(takes, widths[1], false),
            number(thousands(joints), widths[2], true),
            number(here, widths[3], false),
        ];
        row(ui, theme, shade, cells);
    };
    for (index, representation) in Representation::ALL.into_iter().enumerate() {
        let here = limits.map(|limits| representation.joints(limits.vertex_uniform_vec4s));
        let takes = format!("{} vec4", representation.vec4s());
        let joints = representation.joints(vec4s);
        line(representation.label(), takes, joints, here, index % 2 == 0);
    }
    let here = limits.map(|limits| joints_in_block(limits.uniform_block_bytes));
    let joints = joints_in_block(GUARANTEED_BLOCK_BYTES);
    line("uniform block", "64 bytes".to_owned(), joints, here, false);
    let here = limits.map(|limits| joints_in_texture(limits.texture_size));
    let joints = joints_in_texture(GUARANTEED_TEXTURE_SIZE);
    line("texture", "a row".to_owned(), joints, here, true);
    ui.add_space(6.0);
    let sum = format!(
        "mat4: ⌊({vec4s} − {TAKEN}) / 4⌋ = {}.  Block and texture: what WebGL 2 guarantees.",
        Representation::Mat4.joints(vec4s)
    );
    ui.label(RichText::new(sum).size(13.0).color(theme.quiet));
}

fn as_printed(ui: &mut Ui, theme: &Theme) {
    ui.add_space(10.0);
    let narrow = ui.available_width() < 380.0;
    let widths = fitted(ui, [100.0, 110.0, 66.0, 96.0]);
    let titles = if narrow {
        ["vec4s", "printed", "joints", "mat4s"]
    } else {
        ["vec4 uniforms", "articles print", "joints", "mat4s in all"]
    };
    heads(ui, theme, titles, widths);
    for (index, vec4s) in [64, 128, 256].into_iter().enumerate() {
        let said = if vec4s == 64 {
            format!("{} mat4s, {}", vec4s / 8, printed(vec4s))
        } else {
            printed(vec4s).to_string()
        };
        let mut said = number(said, widths[1], false);
        said.text = said.text.strikethrough().color(theme.quiet);
        let cells = vec![
            number(vec4s.to_string(), 36.0, false),
            words("", widths[0] - 36.0),
            said,
            number(
                Representation::Mat4.joints(vec4s).to_string(),
                widths[2],
                true,
            ),
            number(mat4s_in_all(vec4s).to_string(), widths[3], false),
        ];
        row(ui, theme, index % 2 == 0, cells);
    }
    ui.add_space(6.0);
    let why = "The printed figures are N/8 − 3: a mat4 counted as 8 vec4s. It takes 4.";
    ui.label(RichText::new(why).size(14.0).color(theme.caution));
}

/// `16,384`
fn thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
