//! Above the prose of a step: where it stands in its lesson, what the reader has
//! changed there, what can be put on it, and its title.

use bindpose_diagnostic::counted;
use bindpose_lesson::LessonStep;
use bindpose_notebook::{Edit, Notebook, StepChange};
use eframe::egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, Painter, Popup,
    PopupCloseBehavior, Pos2, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    WidgetInfo, text::LayoutJob, vec2,
};

use super::PageContext;
use super::command::Command;
use super::theme::{self, CAPTION, SMALL, font};
use super::widgets::{RightGroup, Tip as _, paint_bookmark, paint_note, small_button};

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
    /// Where on the route that is followed it is, from 1, of how many steps, and the
    /// minutes that a class has for it.
    pub on_route: Option<(usize, usize, u32)>,
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
        if let Some(about) = about(ui, page, group.rest.width(), (put, changed)) {
            rest.add(Label::new(page.theme.caption(about)).extend());
        }
        change_chip_ui(&mut rest, changed, page, commands);
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
fn about(
    ui: &Ui,
    page: &PageContext<'_>,
    room: f32,
    (put, changed): (Put<'_>, &ChangedStep),
) -> Option<String> {
    let of_lesson = || (page.document.step + 1, page.lesson.steps.len(), page.lesson.minutes);
    let (now, all, minutes) = put.on_route.unwrap_or_else(of_lesson);
    let short = format!("Step {now} of {all}");
    let minutes = || counted(minutes as usize, "minute");
    let long = (now == 1).then(|| format!("{short} · about {} in all", minutes()));
    let taken = least_width(ui, changed);
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

// Above the title of a step: what the reader has changed there, each with its way
// back. It stands in a line that is there anyway: prose must not jump when the
// reader takes hold of its first number.

/// Height of the pill, in points.
const HEIGHT: f32 = 24.0;
/// Room around its words: its own, and that between its parts.
const AROUND: f32 = 44.0;

/// What differs at the step in sight from how its author meant it.
#[derive(Clone, Debug, Default)]
pub struct ChangedStep {
    /// One by one.
    pub changes: Vec<StepChange>,
    /// Has the step before left it so?
    pub carried: bool,
    /// Is there a step that would open with something of this one?
    pub leads_on: bool,
}

impl ChangedStep {
    /// At the step that the notebook has open.
    pub fn at_step(notebook: &Notebook) -> Self {
        Self {
            changes: notebook.changes(),
            carried: notebook.is_carried(),
            leads_on: notebook.carries_values(),
        }
    }
}

/// Shows it in what is left of the line; nothing when nothing is changed.
pub fn change_chip_ui(
    ui: &mut Ui,
    changed: &ChangedStep,
    page: &mut PageContext<'_>,
    commands: &mut Vec<Command>,
) {
    if !changed.changes.is_empty() {
        pill(ui, changed, page, commands);
    }
}

/// Room for its shortest words.
pub fn least_width(ui: &Ui, changed: &ChangedStep) -> f32 {
    if changed.changes.is_empty() {
        return 0.0;
    }
    let shortest = phrases(changed).pop().unwrap_or_default();
    width(ui, &shortest) + width(ui, BACK) + AROUND
}

fn pill(
    ui: &mut Ui,
    changed: &ChangedStep,
    page: &mut PageContext<'_>,
    commands: &mut Vec<Command>,
) {
    let theme = page.theme;
    let edge = Stroke::new(1.0, theme.caution.gamma_multiply(0.45));
    Frame::NONE
        .fill(theme.lit)
        .stroke(edge)
        .corner_radius(HEIGHT / 2.0)
        .inner_margin(Margin::symmetric(10, 1))
        .show(ui, |ui| {
            let spacing = ui.spacing_mut();
            spacing.item_spacing.x = 5.0;
            spacing.button_padding = vec2(2.0, 1.0);
            spacing.interact_size.y = 18.0;
            let room = ui.available_width() - width(ui, BACK) - AROUND / 2.0;
            let words = words(ui, changed, room);
            let list = flat_button(ui, &words, theme.ink);
            let list = list.tip("What is changed at this step");
            Popup::menu(&list)
                .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
                .show(|ui| list_ui(ui, changed, page, commands));
            ui.label(RichText::new("·").size(CAPTION).color(theme.quiet));
            let back = flat_button(ui, "put back", theme.accent);
            if back.tip("All as the step was meant to open").clicked() {
                put_back(page, put_all_back(&changed.changes));
            }
        });
}

const BACK: &str = "· put back";

/// The names of what is changed, or their number where they are too long.
fn words(ui: &Ui, changed: &ChangedStep, room: f32) -> String {
    let mut phrases = phrases(changed);
    let fits = |words: &String| width(ui, words) <= room;
    let found = phrases.iter().position(fits);
    phrases.swap_remove(found.unwrap_or(phrases.len() - 1))
}

/// From long to short.
fn phrases(changed: &ChangedStep) -> Vec<String> {
    let labels: Vec<&str> = changed.changes.iter().map(|one| &*one.label).collect();
    let count = labels.len();
    let (whole, short) = if changed.carried {
        ("from the step before", "carried")
    } else {
        ("changed here", "changed")
    };
    let mut phrases = vec![format!("{whole}: {}", labels.join(", "))];
    phrases.extend(labels.first().filter(|_| count == 1).map(|label| (*label).to_owned()));
    phrases.extend([format!("{count} {whole}"), format!("{count} {short}")]);
    phrases
}

fn width(ui: &Ui, words: &str) -> f32 {
    let font = eframe::egui::FontId::proportional(CAPTION);
    let galley = ui.painter().layout_no_wrap(words.to_owned(), font, Color32::BLACK);
    galley.size().x
}

fn flat_button(ui: &mut Ui, words: &str, color: Color32) -> Response {
    let text = RichText::new(words).size(CAPTION).color(color);
    let response = ui.add(Button::new(text).frame_when_inactive(false).truncate());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words));
    response
}

/// All in one step of undo.
fn put_all_back(changes: &[StepChange]) -> Edit {
    match changes {
        [one] => one.put_back.clone(),
        _ => Edit::ResetStep,
    }
}

/// What plays would carry it off again.
fn put_back(page: &mut PageContext<'_>, edit: Edit) {
    page.view.playing.stop();
    page.edits.push(edit);
}

fn list_ui(
    ui: &mut Ui,
    changed: &ChangedStep,
    page: &mut PageContext<'_>,
    commands: &mut Vec<Command>,
) {
    ui.set_max_width(360.0);
    ui.label(RichText::new("Changed at this step").font(font::strong(SMALL)));
    for change in &changed.changes {
        ui.horizontal(|ui| {
            ui.label(RichText::new(&change.label).size(SMALL));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let back = flat_button(ui, "put back", page.theme.accent);
                let name = format!("put back {}", change.label);
                back.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                if back.clicked() {
                    put_back(page, change.put_back.clone());
                }
            });
        });
    }
    ui.separator();
    ui.horizontal(|ui| {
        if changed.changes.len() > 1 && ui.add(small_button("put all back")).clicked() {
            put_back(page, Edit::ResetStep);
            ui.close();
        }
        if changed.leads_on && carry_on(ui) {
            commands.push(Command::CarryOn);
            ui.close();
        }
    });
}

/// A way to the next step with the values of this one. True when taken.
pub fn carry_on(ui: &mut Ui) -> bool {
    let hint = Command::CarryOn.hint(ui.ctx(), None);
    let button = ui.add(small_button(Command::CarryOn.text()));
    button.tip(hint).clicked()
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
