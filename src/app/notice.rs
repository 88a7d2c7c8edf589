//! Short messages over the prose, dismissed by a click. And standing messages at the bottom of
//! the window that stay as long as their cause.

use bindpose_kit::theme::{INTERFACE_SIZE, SMALL_SIZE, Theme};
use bindpose_page::command::Command;
use bindpose_page::top_bar::HEIGHT_PTS;
use eframe::egui::accesskit::Live;
use eframe::egui::{
    Align2, Area, Button, Context, Frame, Id, Label, Margin, Order, Rect, RichText, Role, Sense,
    Stroke, Ui, pos2, vec2,
};

/// Time for which a message is shown. It covers the page, and is read once.
struct ReadingTime {
    base_secs: f64,
    secs_per_char: f64,
}

const MESSAGE_TIME: ReadingTime = ReadingTime { base_secs: 1.5, secs_per_char: 0.06 };
const ERROR_TIME: ReadingTime = ReadingTime { base_secs: 5.0, secs_per_char: 0.08 };
/// Time for which an offer is shown, whatever its length.
const OFFER_SECS: f64 = 15.0;

/// Number of messages shown at once. The oldest is removed for a new one.
const MAX_NOTICES: usize = 3;

/// Maximum width of a message's text, in points.
const MAX_TEXT_WIDTH: f32 = 520.0;
/// Margin left and right of the text, in points.
const MARGIN: i8 = 16;
/// Distance of a message from the edges of a narrow page, in points.
const DISTANCE_FROM_EDGES: i8 = 8;

/// Message shown once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    text: String,
    is_error: bool,
    /// True if the message describes a current state, for instance after a key. The next such
    /// message replaces it.
    is_status: bool,
    /// Command of the message's button.
    offer: Option<Command>,
    /// Time at which it was first shown.
    since_secs: Option<f64>,
}

/// Messages that are still shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Notices(Vec<Notice>);

impl Notices {
    pub(super) fn add(&mut self, text: impl Into<String>) {
        self.push(text.into(), false, false);
    }

    /// Adds a message with a button for a command.
    pub(super) fn offer(&mut self, text: impl Into<String>, offer: Command) {
        self.push(text.into(), false, false);
        if let Some(notice) = self.0.last_mut() {
            notice.offer = Some(offer);
        }
    }

    /// Removes all offers, because the page has changed.
    pub(super) fn drop_offers(&mut self) {
        self.0.retain(|notice| notice.offer.is_none());
    }

    /// Adds a message about a current state, for instance the effect of a key. It replaces the
    /// earlier one.
    pub(super) fn set_status(&mut self, text: impl Into<String>) {
        self.0.retain(|notice| !notice.is_status);
        self.push(text.into(), false, true);
    }

    /// Adds an error that replaces the earlier message about a current state.
    pub(super) fn set_status_error(&mut self, text: impl Into<String>) {
        self.0.retain(|notice| !notice.is_status);
        self.push(text.into(), true, true);
    }

    pub(super) fn add_error(&mut self, text: impl Into<String>) {
        self.push(text.into(), true, false);
    }

    fn push(&mut self, text: String, is_error: bool, is_status: bool) {
        self.0.retain(|notice| notice.text != text);
        self.0.push(Notice { text, is_error, is_status, offer: None, since_secs: None });
        if self.0.len() > MAX_NOTICES {
            self.0.remove(0);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Draws the messages at `place`. Returns the offered command that the reader has clicked.
    pub(super) fn ui(
        &mut self,
        ctx: &Context,
        theme: &Theme,
        place: NoticePlace,
    ) -> Option<Command> {
        let now_secs = ctx.input(|input| input.time);
        for notice in &mut self.0 {
            notice.since_secs.get_or_insert(now_secs);
        }
        self.0.retain(|notice| now_secs < notice.end_secs(now_secs));
        let next_end_secs =
            self.0.iter().map(|notice| notice.end_secs(now_secs)).reduce(f64::min)?;
        ctx.request_repaint_after_secs((next_end_secs - now_secs).max(0.05) as f32);
        let mut command = None;
        let screen = ctx.content_rect();
        let area = Area::new(Id::unique("notices")).order(Order::Foreground);
        let (area, width) = match place {
            NoticePlace::BelowBar => {
                let offset = vec2(0.0, HEIGHT_PTS + 8.0);
                (area.anchor(Align2::CENTER_TOP, offset), screen.width())
            }
            NoticePlace::Bottom => {
                (area.anchor(Align2::CENTER_BOTTOM, vec2(0.0, -16.0)), screen.width())
            }
            NoticePlace::OverProse(prose) => {
                let standing = ctx.memory(|memory| memory.area_rect(standing_notices_id()));
                let covered = standing.filter(|standing| standing.intersects(prose));
                let bottom = covered.map_or(prose.bottom(), |standing| standing.top());
                let foot = pos2(prose.center().x, bottom - f32::from(DISTANCE_FROM_EDGES));
                let area = area.pivot(Align2::CENTER_BOTTOM).fixed_pos(foot);
                (area, prose.width().min(screen.width()))
            }
        };
        area.show(ctx, |ui| {
            let mut closed_index = None;
            for (index, notice) in self.0.iter().enumerate() {
                match notice_ui(ui, theme, notice, width) {
                    Some(NoticeAction::Dismiss) => closed_index = Some(index),
                    Some(NoticeAction::Accept(offer)) => {
                        closed_index = Some(index);
                        command = Some(offer);
                    }
                    None => {}
                }
            }
            if let Some(index) = closed_index {
                self.0.remove(index);
                ui.ctx().request_repaint();
            }
        });
        command
    }
}

impl Notice {
    /// Returns the time at which the message disappears.
    fn end_secs(&self, now_secs: f64) -> f64 {
        let shown_secs = if self.offer.is_some() {
            OFFER_SECS
        } else {
            let time = if self.is_error { ERROR_TIME } else { MESSAGE_TIME };
            time.base_secs + time.secs_per_char * self.text.chars().count() as f64
        };
        self.since_secs.unwrap_or(now_secs) + shown_secs
    }
}

/// Place of the messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NoticePlace {
    /// At the foot of the column of prose in this rectangle. The picture beside it stays free.
    OverProse(Rect),
    /// Below the top bar, on pages without prose.
    BelowBar,
    /// At the bottom of the window, below a window that covers the top.
    Bottom,
}

enum NoticeAction {
    /// Closes it, because it may cover the page.
    Dismiss,
    Accept(Command),
}

/// Draws a message in a space of this width, in points.
fn notice_ui(ui: &mut Ui, theme: &Theme, notice: &Notice, width: f32) -> Option<NoticeAction> {
    let (edge, role, live) = if notice.is_error {
        (theme.wrong, Role::Alert, Live::Assertive)
    } else {
        (theme.accent, Role::Status, Live::Polite)
    };
    let frame = Frame::NONE
        .fill(theme.panel)
        .stroke(Stroke::new(1.5, edge))
        .corner_radius(8.0)
        .inner_margin(Margin::symmetric(MARGIN, 10));
    let mut action = None;
    let label_response = frame
        .show(ui, |ui| {
            let max_width = width - 2.0 * f32::from(DISTANCE_FROM_EDGES + MARGIN);
            ui.set_max_width(max_width.clamp(80.0, MAX_TEXT_WIDTH));
            let text = RichText::new(&notice.text).size(INTERFACE_SIZE).color(theme.ink);
            let label = Label::new(text).wrap().sense(Sense::click());
            let Some(offer) = notice.offer else {
                return ui.add(label);
            };
            ui.horizontal_wrapped(|ui| {
                let response = ui.add(label);
                let button = Button::new(RichText::new(offer.text()).size(SMALL_SIZE));
                if ui.add(button).clicked() {
                    action = Some(NoticeAction::Accept(offer));
                }
                response
            })
            .inner
        })
        .inner;
    ui.accesskit_node_builder(label_response.id, |node| {
        node.set_role(role);
        node.set_live(live);
        node.set_label(notice.text.as_str());
        node.clear_value();
    });
    action.or(label_response.clicked().then_some(NoticeAction::Dismiss))
}

fn standing_notices_id() -> Id {
    Id::unique("standing notices")
}

/// Maximum width of a standing message, in points.
const MAX_STANDING_WIDTH: f32 = 420.0;

/// Message that stays as long as its cause, with buttons to act on it.
pub(super) struct StandingNotice<'a> {
    pub(super) text: String,
    /// True for an error, false if something waits.
    pub(super) is_error: bool,
    /// Labels of its buttons.
    pub(super) actions: &'a [&'a str],
}

/// Draws the messages. Returns the index of the message whose button was clicked, and the
/// index of the button.
pub(super) fn standing_notices_ui(
    ctx: &Context,
    theme: &Theme,
    notices: &[StandingNotice<'_>],
) -> Option<(usize, usize)> {
    if notices.is_empty() {
        return None;
    }
    let mut clicked = None;
    Area::new(standing_notices_id())
        .order(Order::Foreground)
        .anchor(Align2::LEFT_BOTTOM, vec2(16.0, -16.0))
        .show(ctx, |ui| {
            let width = MAX_STANDING_WIDTH.min(ctx.content_rect().width() - 64.0);
            for (index, notice) in notices.iter().enumerate() {
                let (edge, role) = if notice.is_error {
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
                        let text =
                            RichText::new(&notice.text).size(INTERFACE_SIZE).color(theme.ink);
                        let id = ui.label(text).id;
                        ui.accesskit_node_builder(id, |node| {
                            node.set_role(role);
                            node.set_label(notice.text.as_str());
                            node.clear_value();
                        });
                        ui.add_space(4.0);
                        ui.horizontal_wrapped(|ui| {
                            for (action, label) in notice.actions.iter().enumerate() {
                                let button = Button::new(RichText::new(*label).size(SMALL_SIZE));
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

#[cfg(test)]
mod tests {
    use super::*;
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    #[test]
    fn status_messages_replace_each_other_and_errors_stay_as_alerts() {
        let mut notices = Notices::default();
        notices.add_error("It did not open.");
        notices.set_status("Undo: weight of v4");
        notices.set_status("Undo: stage");
        let mut harness = Harness::builder()
            .with_context_setup(|ctx| ctx.set_fonts(bindpose_kit::theme::fonts()))
            .build_ui_state(
                |ui, notices: &mut Notices| {
                    notices.ui(ui.ctx(), &Theme::light(), NoticePlace::BelowBar);
                },
                notices,
            );
        harness.run();
        let live = |role, label| {
            let node = harness.get_by_role_and_label(role, label);
            node.accesskit_node().live()
        };
        assert_eq!(live(Role::Alert, "It did not open."), Live::Assertive);
        assert_eq!(live(Role::Status, "Undo: stage"), Live::Polite);
        assert!(harness.query_by_label_contains("v4").is_none());
        harness.click_label("Undo: stage");
        assert!(harness.query_by_label("Undo: stage").is_none(), "read");
        harness.get_by_label("It did not open.");
    }

    #[test]
    fn a_message_keeps_to_the_page_however_narrow_it_is() {
        let text = "The link to this page, with its values, is on the clipboard.";
        for width in [320.0, 390.0, 1280.0] {
            let mut notices = Notices::default();
            notices.add(text);
            let mut harness = Harness::builder()
                .with_size([width, 600.0])
                .with_context_setup(|ctx| ctx.set_fonts(bindpose_kit::theme::fonts()))
                .build_ui_state(
                    |ui, notices: &mut Notices| {
                        notices.ui(ui.ctx(), &Theme::light(), NoticePlace::BelowBar);
                    },
                    notices,
                );
            harness.run();
            let rect = harness.get_by_label(text).rect();
            let margin = f32::from(MARGIN);
            assert!(rect.left() >= margin && rect.right() <= width - margin, "{rect}");
        }
    }

    #[test]
    fn a_message_stays_as_long_as_it_takes_to_read() {
        let mut notices = Notices::default();
        notices.add("Copied.");
        notices.add_error("It did not open.");
        notices.offer("Begun anew.", Command::Undo);
        let end_secs: Vec<f64> = notices.0.iter().map(|notice| notice.end_secs(0.0)).collect();
        assert!(end_secs[0] < 2.5, "{end_secs:?}");
        assert!((6.0..8.0).contains(&end_secs[1]), "{end_secs:?}");
        assert_eq!(end_secs[2], OFFER_SECS);
    }
}
