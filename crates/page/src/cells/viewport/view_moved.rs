//! In the corner of a viewport that the reader has moved: the way back.

use eframe::egui::{Align, Button, Layout, Rect, RichText, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::PageContext;
use crate::command::Command;
use crate::theme::CAPTION;
use crate::view::CameraState;
use crate::widgets::Tip as _;

/// From this width of the picture on, the button also says what has happened, and
/// stands in the corner that legends leave free.
const WIDE: f32 = 480.0;
/// Height of the line that it stands in.
const LINE: f32 = 26.0;

/// The button; nothing while the view is as the step has it.
pub(in crate::cells) fn ui(
    ui: &mut Ui,
    rect: Rect,
    state: &mut CameraState,
    page: &PageContext<'_>,
) {
    if !state.held {
        return;
    }
    let wide = rect.width() >= WIDE;
    let top = if wide {
        rect.bottom() - 8.0 - LINE
    } else {
        // Below the buttons that come out on hovering.
        rect.top() + 42.0
    };
    let from = pos2(rect.left() + 8.0, top);
    let line = Rect::from_min_size(from, vec2(rect.width() - 16.0, LINE));
    let mut corner = ui.new_child(
        UiBuilder::new()
            .id_salt("view moved")
            .max_rect(line)
            .layout(Layout::right_to_left(Align::Center)),
    );
    let words = if wide { "view moved · put back" } else { "put back" };
    let text = RichText::new(words).size(CAPTION).color(page.theme.accent);
    let button = corner.add(Button::new(text).fill(page.theme.paper));
    let name = Command::ResetView.text();
    button.widget_info(|| WidgetInfo::labeled(eframe::egui::Role::Button, true, name));
    let hint = Command::ResetView.hint(ui.ctx(), None);
    if button.tip(hint).clicked() {
        state.held = false;
    }
}
