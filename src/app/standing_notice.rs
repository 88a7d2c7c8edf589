//! Messages that stay at the foot of the window until what they say is no longer
//! so, with what can be done about it.

use eframe::egui::{
    Align2, Area, Button, Context, Frame, Id, Margin, Order, RichText, Role, Stroke, vec2,
};

use bindpose_page::theme::{INTERFACE, SMALL, Theme};

/// Widest message, in points.
const WIDE: f32 = 420.0;

/// What is so, and what can be done.
pub(super) struct StandingNotice<'a> {
    pub(super) text: String,
    /// Is something going wrong now, rather than waiting?
    pub(super) wrong: bool,
    /// Words on its buttons.
    pub(super) actions: &'a [&'a str],
}

/// Shows them; the answer is what was clicked: which notice, and which of its
/// actions.
pub(super) fn show(
    ctx: &Context,
    theme: &Theme,
    notices: &[StandingNotice<'_>],
) -> Option<(usize, usize)> {
    if notices.is_empty() {
        return None;
    }
    let mut clicked = None;
    Area::new(Id::unique("standing notices"))
        .order(Order::Foreground)
        .anchor(Align2::LEFT_BOTTOM, vec2(16.0, -16.0))
        .show(ctx, |ui| {
            let width = WIDE.min(ctx.content_rect().width() - 64.0);
            for (index, notice) in notices.iter().enumerate() {
                let (edge, role) = if notice.wrong {
                    (theme.wrong, Role::Alert)
                } else {
                    (theme.accent, Role::Status)
                };
                Frame::NONE
                    .fill(theme.panel)
                    .stroke(Stroke::new(1.5, edge))
                    .corner_radius(8.0)
                    .inner_margin(Margin::symmetric(16, 10))
                    .show(ui, |ui| {
                        ui.set_max_width(width);
                        let words = RichText::new(&notice.text).size(INTERFACE).color(theme.ink);
                        let id = ui.label(words).id;
                        ui.accesskit_node_builder(id, |node| {
                            node.set_role(role);
                            node.set_label(notice.text.as_str());
                            node.clear_value();
                        });
                        ui.add_space(4.0);
                        ui.horizontal_wrapped(|ui| {
                            for (action, words) in notice.actions.iter().enumerate() {
                                let button = Button::new(RichText::new(*words).size(SMALL));
                                if ui.add(button).clicked() {
                                    clicked = Some((index, action));
                                }
                            }
                        });
                    });
            }
        });
    clicked
}
