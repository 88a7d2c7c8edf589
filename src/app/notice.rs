//! Short messages at the foot of the window; a click takes one away.

use eframe::egui::{
    Align2, Area, Context, Frame, Id, Margin, Order, RichText, Role, Sense, Stroke, vec2,
};

use crate::ui::theme::{INTERFACE, Theme};

/// How long a message stays, in seconds.
const STAYS_SECS: f64 = 6.0;

/// Something to tell once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    text: String,
    wrong: bool,
    /// Answers a key: the answer to the next key takes its place.
    answer: bool,
    /// Set when it is first shown.
    since_secs: Option<f64>,
}

/// Messages that are still to be seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Notices(Vec<Notice>);

impl Notices {
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.push(text.into(), false, false);
    }

    /// What a key has just done, in the place of what the key before it did.
    pub(super) fn say_instead(&mut self, text: impl Into<String>) {
        self.0.retain(|notice| !notice.answer);
        self.push(text.into(), false, true);
    }

    pub(super) fn wrong(&mut self, text: impl Into<String>) {
        self.push(text.into(), true, false);
    }

    fn push(&mut self, text: String, wrong: bool, answer: bool) {
        self.0.retain(|notice| notice.text != text);
        self.0.push(Notice {
            text,
            wrong,
            answer,
            since_secs: None,
        });
        if self.0.len() > 3 {
            self.0.remove(0);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn show(&mut self, ctx: &Context, theme: &Theme) {
        let now = ctx.input(|input| input.time);
        for notice in &mut self.0 {
            notice.since_secs.get_or_insert(now);
        }
        self.0.retain(|notice| {
            notice
                .since_secs
                .is_none_or(|since| now - since < STAYS_SECS)
        });
        let Some(oldest) = self.0.first().and_then(|notice| notice.since_secs) else {
            return;
        };
        ctx.request_repaint_after_secs((oldest + STAYS_SECS - now).max(0.05) as f32);
        Area::new(Id::unique("notices"))
            .order(Order::Foreground)
            .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -20.0))
            .show(ctx, |ui| {
                let mut read = None;
                for (index, notice) in self.0.iter().enumerate() {
                    let (edge, role) = if notice.wrong {
                        (theme.wrong, Role::Alert)
                    } else {
                        (theme.accent, Role::Status)
                    };
                    let shown = Frame::NONE
                        .fill(theme.panel)
                        .stroke(Stroke::new(1.5, edge))
                        .corner_radius(8.0)
                        .inner_margin(Margin::symmetric(16, 10))
                        .show(ui, |ui| {
                            ui.set_max_width(520.0);
                            let words =
                                RichText::new(&notice.text).size(INTERFACE).color(theme.ink);
                            let id = ui.label(words).id;
                            ui.accesskit_node_builder(id, |node| {
                                node.set_role(role);
                                node.set_label(notice.text.as_str());
                                node.clear_value();
                            });
                        });
                    // It may lie on what the reader needs next.
                    let id = Id::unique(("notice", index));
                    if ui
                        .interact(shown.response.rect, id, Sense::click())
                        .clicked()
                    {
                        read = Some(index);
                    }
                }
                if let Some(index) = read {
                    self.0.remove(index);
                    ui.ctx().request_repaint();
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable as _};

    #[test]
    fn answers_to_keys_take_turns_and_what_is_wrong_stays_and_is_an_alert() {
        let mut notices = Notices::default();
        notices.wrong("It did not open.");
        notices.say_instead("Undo: weight of v4");
        notices.say_instead("Undo: stage");
        let mut harness = Harness::builder()
            .with_context_setup(|ctx| ctx.set_fonts(crate::ui::theme::fonts()))
            .build_ui_state(
                |ui, notices: &mut Notices| notices.show(ui.ctx(), &Theme::light()),
                notices,
            );
        harness.run();
        harness.get_by_role_and_label(Role::Alert, "It did not open.");
        harness.get_by_role_and_label(Role::Status, "Undo: stage");
        assert!(harness.query_by_label_contains("v4").is_none());
        harness.get_by_label("Undo: stage").click();
        harness.run();
        assert!(harness.query_by_label("Undo: stage").is_none(), "read");
        harness.get_by_label("It did not open.");
    }
}
