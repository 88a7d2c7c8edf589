//! A fault as a row of a list: its mark and its title, all of which can be pressed.

use bindpose_lesson::KnownFault;
use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{FontId, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::cells::ask::mark;
use crate::theme::{CARD, Theme};

/// From the left edge to the words.
const WORDS: f32 = 28.0;
/// Above and below them.
const PAD: f32 = 5.0;

/// Draws it. `several`: a box that can be on beside others, else a circle.
pub(super) fn ui(
    ui: &mut Ui,
    theme: &Theme,
    fault: &KnownFault,
    on: bool,
    several: bool,
) -> Response {
    let width = ui.available_width();
    let format = TextFormat {
        font_id: FontId::proportional(CARD),
        color: theme.ink,
        ..TextFormat::default()
    };
    let mut job = LayoutJob::single_section(fault.title.to_owned(), format);
    job.wrap.max_width = (width - WORDS - 8.0).max(40.0);
    let words = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let least = ui.spacing().interact_size.y;
    let height = (words.size().y + 2.0 * PAD).max(least);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let role = if several { Role::CheckBox } else { Role::RadioButton };
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), on, fault.title));
    if ui.is_rect_visible(rect) {
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, 6.0, theme.accent_wash);
        }
        let at = pos2(rect.left() + 14.0, rect.center().y);
        mark(ui, at, on, several, theme);
        let top = rect.center().y - words.size().y / 2.0;
        ui.painter().galley(pos2(rect.left() + WORDS, top), words, theme.ink);
    }
    response
}
