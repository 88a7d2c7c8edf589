//! Short messages below the bar, clear of the last line; a click takes one away. And
//! messages that stay at the foot of the window until what they say is no longer so.

use bindpose_page::command::Command;
use bindpose_page::theme::{INTERFACE, SMALL, Theme};
use bindpose_page::top_bar::HEIGHT;
use eframe::egui::accesskit::Live;
use eframe::egui::{
    Align2, Area, Button, Context, Frame, Id, Label, Margin, Order, RichText, Role, Sense, Stroke,
    Ui, vec2,
};

/// How long a message stays, in seconds, and a character of it: it lies on the
/// page, and is to be read once.
const STAYS_SECS: (f64, f64) = (1.5, 0.06);
/// The same of one that says what is wrong.
const WRONG_STAYS_SECS: (f64, f64) = (5.0, 0.08);
/// The same of one with something to decide, however long it is.
const OFFER_STAYS_SECS: f64 = 15.0;

/// Of the words of a message, in points.
const WIDEST: f32 = 520.0;
/// Left and right of them, and of the message on a narrow page.
const MARGIN: i8 = 16;
const SIDES: i8 = 8;

/// Something to tell once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Notice {
    text: String,
    wrong: bool,
    /// Says how something stands now, as after a key: the next that does takes its place.
    answer: bool,
    /// What can be done about it.
    offer: Option<Command>,
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

    /// With a button for what can be done about it.
    pub(super) fn offer(&mut self, text: impl Into<String>, offer: Command) {
        self.push(text.into(), false, false);
        if let Some(notice) = self.0.last_mut() {
            notice.offer = Some(offer);
        }
    }

    /// What was offered no longer fits: the page has changed.
    pub(super) fn drop_offers(&mut self) {
        self.0.retain(|notice| notice.offer.is_none());
    }

    /// How something stands now, in the place of what was said of that before: what a key
    /// has just done, what became of files.
    pub(super) fn say_instead(&mut self, text: impl Into<String>) {
        self.0.retain(|notice| !notice.answer);
        self.push(text.into(), false, true);
    }

    /// The same of what is wrong.
    pub(super) fn wrong_instead(&mut self, text: impl Into<String>) {
        self.0.retain(|notice| !notice.answer);
        self.push(text.into(), true, true);
    }

    pub(super) fn wrong(&mut self, text: impl Into<String>) {
        self.push(text.into(), true, false);
    }

    fn push(&mut self, text: String, wrong: bool, answer: bool) {
        self.0.retain(|notice| notice.text != text);
        self.0.push(Notice { text, wrong, answer, offer: None, since_secs: None });
        if self.0.len() > 3 {
            self.0.remove(0);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Shows them, at the foot where something else stands `at_top`; gives what was offered
    /// and taken.
    pub(super) fn show(&mut self, ctx: &Context, theme: &Theme, at_top: bool) -> Option<Command> {
        let now = ctx.input(|input| input.time);
        for notice in &mut self.0 {
            notice.since_secs.get_or_insert(now);
        }
        self.0.retain(|notice| now < notice.ends_secs(now));
        let ends = self.0.iter().map(|notice| notice.ends_secs(now));
        let first = ends.reduce(f64::min)?;
        ctx.request_repaint_after_secs((first - now).max(0.05) as f32);
        let mut taken = None;
        let (align, offset) = if at_top {
            (Align2::CENTER_BOTTOM, vec2(0.0, -16.0))
        } else {
            (Align2::CENTER_TOP, vec2(0.0, HEIGHT + 8.0))
        };
        Area::new(Id::unique("notices")).order(Order::Foreground).anchor(align, offset).show(
            ctx,
            |ui| {
                let mut read = None;
                for (index, notice) in self.0.iter().enumerate() {
                    let answer = notice_ui(ui, theme, notice);
                    if answer.is_some() {
                        read = Some(index);
                    }
                    if let Some(NoticeAnswer::Taken(command)) = answer {
                        taken = Some(command);
                    }
                }
                if let Some(index) = read {
                    self.0.remove(index);
                    ui.ctx().request_repaint();
                }
            },
        );
        taken
    }
}

impl Notice {
    fn ends_secs(&self, now_secs: f64) -> f64 {
        let read =
            |(least, per_char): (f64, f64)| least + per_char * self.text.chars().count() as f64;
        let stays = match self.offer {
            Some(_) => OFFER_STAYS_SECS,
            None if self.wrong => read(WRONG_STAYS_SECS),
            None => read(STAYS_SECS),
        };
        self.since_secs.unwrap_or(now_secs) + stays
    }
}

/// What a reader does with a notice.
enum NoticeAnswer {
    /// It may lie on what is needed next.
    Read,
    /// What it offers is wanted.
    Taken(Command),
}

/// Draws one.
fn notice_ui(ui: &mut Ui, theme: &Theme, notice: &Notice) -> Option<NoticeAnswer> {
    let (edge, role, live) = if notice.wrong {
        (theme.wrong, Role::Alert, Live::Assertive)
    } else {
        (theme.accent, Role::Status, Live::Polite)
    };
    let frame = Frame::NONE
        .fill(theme.panel)
        .stroke(Stroke::new(1.5, edge))
        .corner_radius(8.0)
        .inner_margin(Margin::symmetric(MARGIN, 10));
    let shown = frame.show(ui, |ui| {
        let room = ui.ctx().content_rect().width() - 2.0 * f32::from(SIDES + MARGIN);
        ui.set_max_width(room.clamp(80.0, WIDEST));
        let words = RichText::new(&notice.text).size(INTERFACE).color(theme.ink);
        let words = Label::new(words).wrap().sense(Sense::click());
        let Some(offer) = notice.offer else {
            return (ui.add(words), None);
        };
        ui.horizontal_wrapped(|ui| {
            let read = ui.add(words);
            let button = Button::new(RichText::new(offer.text()).size(SMALL));
            let taken = ui.add(button).clicked();
            (read, taken.then_some(offer))
        })
        .inner
    });
    let (words, taken) = shown.inner;
    ui.accesskit_node_builder(words.id, |node| {
        node.set_role(role);
        node.set_live(live);
        node.set_label(notice.text.as_str());
        node.clear_value();
    });
    let read = words.clicked().then_some(NoticeAnswer::Read);
    taken.map(NoticeAnswer::Taken).or(read)
}

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
pub(super) fn show_standing(
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

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    #[test]
    fn answers_to_keys_take_turns_and_what_is_wrong_stays_and_is_an_alert() {
        let mut notices = Notices::default();
        notices.wrong("It did not open.");
        notices.say_instead("Undo: weight of v4");
        notices.say_instead("Undo: stage");
        let mut harness = Harness::builder()
            .with_context_setup(|ctx| ctx.set_fonts(bindpose_page::theme::fonts()))
            .build_ui_state(
                |ui, notices: &mut Notices| {
                    notices.show(ui.ctx(), &Theme::light(), false);
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
        harness.get_by_label("Undo: stage").click();
        harness.run();
        assert!(harness.query_by_label("Undo: stage").is_none(), "read");
        harness.get_by_label("It did not open.");
    }

    #[test]
    fn a_message_keeps_to_the_page_however_narrow_it_is() {
        let words = "The link to this page, with its values, is on the clipboard.";
        for width in [320.0, 390.0, 1280.0] {
            let mut notices = Notices::default();
            notices.say(words);
            let mut harness = Harness::builder()
                .with_size([width, 600.0])
                .with_context_setup(|ctx| ctx.set_fonts(bindpose_page::theme::fonts()))
                .build_ui_state(
                    |ui, notices: &mut Notices| {
                        notices.show(ui.ctx(), &Theme::light(), false);
                    },
                    notices,
                );
            harness.run();
            let rect = harness.get_by_label(words).rect();
            let sides = f32::from(MARGIN);
            assert!(rect.left() >= sides && rect.right() <= width - sides, "{rect}");
        }
    }

    #[test]
    fn a_message_stays_as_long_as_it_takes_to_read() {
        let mut notices = Notices::default();
        notices.say("Copied.");
        notices.wrong("It did not open.");
        notices.offer("Begun anew.", Command::Undo);
        let stays: Vec<f64> = notices.0.iter().map(|notice| notice.ends_secs(0.0)).collect();
        assert!(stays[0] < 2.5, "{stays:?}");
        assert!((6.0..8.0).contains(&stays[1]), "{stays:?}");
        assert_eq!(stays[2], OFFER_STAYS_SECS);
    }
}
