//! Above the prose of a step: where it stands in its lesson, what the reader has
//! changed there, what can be put on it, and its title.

use bindpose_diagnostic::counted;
use bindpose_lesson::LessonStep;
use eframe::egui::{
    Align, FontId, Label, Layout, Painter, Pos2, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    WidgetInfo, text::LayoutJob, vec2,
};

use super::PageContext;
use super::change_chip::{self, ChangedStep};
use super::command::Command;
use super::theme::{self, CAPTION, font};
use super::widgets::{RightGroup, Tip as _, paint_bookmark, paint_note};

/// Of a button, in points.
const BUTTON: eframe::egui::Vec2 = vec2(28.0, 24.0);
const SIGN: f32 = 14.0;
/// A column as narrow as a phone has smaller titles: those beside a stage are wider.
const NARROW: f32 = 330.0;
/// How much nearer the title stands to them than lines do to each other.
const TIGHT: f32 = 4.0;

/// What the reader has put on the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Put<'a> {
    /// Has it a bookmark?
    pub bookmarked: bool,
    /// The reader's own note; empty where there is none.
    pub note: &'a str,
}

/// Shows it; pushes what the reader asks for.
pub fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    step: &LessonStep,
    (put, changed): (Put<'_>, &ChangedStep),
    commands: &mut Vec<Command>,
) {
    let size = vec2(ui.available_width(), BUTTON.y);
    let line = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(size, line, |ui| {
        ui.set_min_size(size);
        let group = RightGroup::new(ui, "on this step");
        let place = UiBuilder::new().max_rect(group.rest).layout(line);
        let mut rest = ui.new_child(place);
        if let Some(about) = about(ui, page, group.rest.width(), changed) {
            rest.add(Label::new(page.theme.caption(about)).extend());
        }
        change_chip::ui(&mut rest, changed, page, commands);
        group.show(ui, |ui| buttons(ui, page, put, commands));
    });
    // The buttons are higher than the words beside them.
    ui.add_space(-TIGHT);
    title(ui, page, step);
}

fn title(ui: &mut Ui, page: &PageContext<'_>, step: &LessonStep) {
    let narrow = ui.available_width() < NARROW;
    let size = if narrow { theme::PHONE_TITLE } else { theme::TITLE };
    let job = |width: f32| {
        LayoutJob::simple(step.title.clone(), font::strong(size), page.theme.ink, width)
    };
    let width = balanced(ui.available_width(), |width| {
        let galley = ui.painter().layout_job(job(width));
        (galley.rows.len(), galley.size().x)
    });
    let response = ui
        .scope(|ui| {
            // A label that wraps does so at the width of its `Ui`.
            ui.set_max_width(width);
            ui.add(Label::new(job(width)).wrap())
        })
        .inner;
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &step.title));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.clear_value();
        node.set_level(1);
    });
    ui.add_space(TIGHT);
}

/// The least width, up to `most`, at which a text has no more lines than at `most`:
/// so none of them is left with a single short word. `lines` says how many lines a
/// width makes, and how wide the widest is.
fn balanced(most: f32, lines: impl Fn(f32) -> (usize, f32)) -> f32 {
    let (few, _) = lines(most);
    if few < 2 {
        return most;
    }
    let (mut narrow, mut wide) = (most / few as f32, most);
    while wide - narrow > 2.0 {
        let middle = f32::midpoint(narrow, wide);
        // A word that is wider than the line is no reason to go on.
        let (count, width) = lines(middle);
        if count > few || width > middle {
            narrow = middle;
        } else {
            wide = middle;
        }
    }
    wide
}

/// Where the step stands, as long as there is room for it beside what is changed;
/// the bar says it too.
fn about(ui: &Ui, page: &PageContext<'_>, room: f32, changed: &ChangedStep) -> Option<String> {
    let (now, all) = (page.document.step + 1, page.lesson.steps.len());
    let short = format!("Step {now} of {all}");
    let minutes = || counted(page.lesson.minutes as usize, "minute");
    let long = (now == 1).then(|| format!("{short} · about {} in all", minutes()));
    let taken = change_chip::least_width(ui, changed);
    let fits = |words: &String| {
        let font = FontId::proportional(CAPTION);
        let galley = ui.painter().layout_no_wrap(words.clone(), font, page.theme.quiet);
        galley.size().x + taken <= room
    };
    long.into_iter().chain([short]).find(fits)
}

fn buttons(ui: &mut Ui, page: &PageContext<'_>, put: Put<'_>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 0.0;
    let shown = page.view.note.is_shown(put.note, page.view.presenting);
    // On a projector a note is asked for by its key alone.
    if !page.view.presenting || shown {
        let name = match (shown, put.note.is_empty()) {
            (true, _) => "fold your note away",
            (false, true) => "write a note on this step",
            (false, false) => "show your note on this step",
        };
        let written = !put.note.is_empty();
        let toggle = Toggle { command: Command::OwnNote, name, on: shown };
        button(ui, page, &toggle, commands, |at, painter, color| {
            paint_note(painter, at, SIGN, color, written);
        });
    }
    let name =
        if put.bookmarked { "take the bookmark away" } else { "put a bookmark on this step" };
    let toggle = Toggle { command: Command::Bookmark, name, on: put.bookmarked };
    button(ui, page, &toggle, commands, |at, painter, color| {
        paint_bookmark(painter, at, SIGN, color, put.bookmarked);
    });
}

/// A command that is on or off.
struct Toggle<'a> {
    command: Command,
    /// Accessible name.
    name: &'a str,
    on: bool,
}

fn button(
    ui: &mut Ui,
    page: &PageContext<'_>,
    toggle: &Toggle<'_>,
    commands: &mut Vec<Command>,
    paint: impl FnOnce(Pos2, &Painter, eframe::egui::Color32),
) {
    let Toggle { command, name, on } = *toggle;
    let theme = page.theme;
    let (rect, response) = ui.allocate_exact_size(BUTTON, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, name));
    if response.hovered() {
        let edge = Stroke::new(1.0, theme.track);
        ui.painter().rect(rect, 6.0, theme.panel, edge, StrokeKind::Inside);
    }
    let color = if on { theme.accent } else { theme.quiet };
    paint(rect.center(), ui.painter(), color);
    let hint = command.hint(ui.ctx(), None);
    if response.tip(hint).clicked() {
        commands.push(command);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of words, a point wide each letter, as a label breaks them.
    fn lines(words: &str, width: f32) -> (usize, f32) {
        let (mut count, mut line, mut widest) = (1, 0.0_f32, 0.0_f32);
        for word in words.split(' ') {
            let word = word.len() as f32;
            let longer = if line > 0.0 { line + 1.0 + word } else { word };
            if longer > width && line > 0.0 {
                count += 1;
                line = word;
            } else {
                line = longer;
            }
            widest = widest.max(line);
        }
        (count, widest)
    }

    #[test]
    fn no_line_of_a_title_is_left_with_one_short_word_and_none_is_added() {
        for (title, most) in [
            ("Three ways between two keys", 26.0),
            ("The chord is shorter than the arc", 32.0),
            ("Why the articles invert the node", 30.0),
        ] {
            let width = balanced(most, |width| lines(title, width));
            let (count, widest) = lines(title, width);
            assert_eq!(count, lines(title, most).0, "{title}");
            assert!(widest <= width && width <= most, "{title}: {width}");
            assert!(width < most - 4.0, "{title}: {width}");
        }
        assert_eq!(balanced(40.0, |width| lines("As a program", width)), 40.0);
        // A word without a place to break stays as wide as it is.
        let long = "aaaaaaaaaaaaaaaaaaaa b";
        assert!(balanced(20.0, |width| lines(long, width)) >= 20.0);
    }
}
