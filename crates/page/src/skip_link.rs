//! The first stop of the Tab key: past the bar, the contents and the prose, to the
//! stage.

use eframe::egui::{
    CornerRadius, FontId, Id, Key, Rect, Response, Role, Sense, Ui, WidgetInfo, accesskit, vec2,
};

use crate::theme::{SMALL, Theme};
use crate::widgets::PaintText;

const WORDS: &str = "Skip to the stage";

/// Takes its turn before all that is shown in `ui`; seen while it has the focus,
/// and nothing for the pointer. Whoever has laid out the rest calls [`paint`].
pub fn offer(ui: &Ui) -> Response {
    let area = ui.max_rect();
    let size = vec2(150.0, 30.0).min(area.size());
    let rect = Rect::from_min_size(area.left_center() - vec2(0.0, size.y / 2.0), size);
    let id = Id::unique("skip to the stage");
    let response = ui.interact(rect, id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, WORDS));
    ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
    response
}

/// Shows it over the bar; was it followed?
pub fn paint(ui: &Ui, theme: &Theme, link: &Response) -> bool {
    if link.has_focus() {
        let painter = ui.painter();
        // Nothing of what it covers is left beside it.
        let around = ui.max_rect().with_max_x(link.rect.right() + 80.0);
        painter.rect_filled(around, 0.0, theme.paper);
        painter.rect_filled(link.rect, CornerRadius::same(6), theme.accent);
        let font = FontId::proportional(SMALL);
        painter.text_centered(link.rect.center(), WORDS, font, theme.on_accent);
    }
    let pressed = link.has_focus()
        && ui.input(|input| input.key_pressed(Key::Enter) || input.key_pressed(Key::Space));
    pressed
        || ui.input(|input| input.has_accesskit_action_request(link.id, accesskit::Action::Click))
}

/// Where the link leads: a stop before the first control of the stage, which is
/// there only while it has the focus. `asked`: go there.
pub fn arrive(ui: &Ui, asked: bool) {
    let id = Id::unique("stage");
    if asked {
        ui.memory_mut(|memory| memory.request_focus(id));
    } else if !ui.memory(|memory| memory.has_focus(id)) {
        return;
    }
    let rect = ui.max_rect().shrink(6.0);
    let response = ui.interact(rect, id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Stage"));
}
