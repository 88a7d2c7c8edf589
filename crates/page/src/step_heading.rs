//! Heading of a step: its position in the lesson, the reader's changes, the buttons for
//! bookmark and note, and the title.

use bindpose_diagnostic::counted;
use bindpose_kit::theme::{self, BODY_SIZE, CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{
    Emphasis, RightGroup, Tip as _, paint_bookmark, paint_note, paragraph_ui, small_button,
};
use bindpose_lesson::LessonStep;
use bindpose_notebook::{Edit, Notebook, StepChange};
use eframe::egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, Painter, Popup,
    PopupCloseBehavior, Pos2, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    WidgetInfo, text::LayoutJob, vec2,
};

use super::PageContext;
use super::command::Command;

/// Size of a button, in points.
const BUTTON_SIZE_PTS: eframe::egui::Vec2 = vec2(28.0, 24.0);
/// Height of the sign on a button, in points.
const SIGN_HEIGHT_PTS: f32 = 14.0;
/// Width of a column below which titles are smaller, in points. The width of a phone:
/// columns beside a stage are wider.
const MIN_REGULAR_WIDTH_PTS: f32 = 330.0;
/// Distance by which the title moves closer to the line above, in points.
const TITLE_OFFSET_PTS: f32 = 4.0;

/// Marks of the reader on a step, and its position on a route.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReaderMarks<'a> {
    pub bookmarked: bool,
    /// The reader's own note, or an empty string.
    pub note: &'a str,
    /// Position on the current route, from 1, the number of its steps, and the minutes
    /// that a class has for it.
    pub on_route: Option<(usize, usize, u32)>,
    /// Introduction of the route on its first step, or an empty string.
    pub route_intro: &'a str,
}

/// Draws the heading of a step.
pub fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    step: &LessonStep,
    put: ReaderMarks<'_>,
    changed: &StepChanges,
) {
    let size = vec2(ui.available_width(), BUTTON_SIZE_PTS.y);
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        let group = RightGroup::new(ui, "on this step");
        let mut rest = ui.new_child(UiBuilder::new().max_rect(group.rest).layout(layout));
        if let Some(position) = position_text(ui, page, group.rest.width(), put, changed) {
            rest.add(Label::new(page.theme.caption(position)).extend());
        }
        if !changed.changes.is_empty() {
            changes_ui(&mut rest, changed, page);
        }
        group.show(ui, |ui| buttons_ui(ui, page, put));
    });
    // The buttons are higher than the text beside them.
    ui.add_space(-TITLE_OFFSET_PTS);
    title_ui(ui, page, step);
    if !put.route_intro.is_empty() {
        paragraph_ui(ui, page.theme, put.route_intro, BODY_SIZE, Emphasis::Quiet);
        ui.add_space(8.0);
    }
}

fn title_ui(ui: &mut Ui, page: &PageContext<'_>, step: &LessonStep) {
    let is_narrow = ui.available_width() < MIN_REGULAR_WIDTH_PTS;
    let size = if is_narrow { theme::PHONE_TITLE } else { theme::TITLE_SIZE };
    let ink = page.theme.ink;
    let width = balanced_width(ui.available_width(), |width| {
        let job = LayoutJob::simple(step.title.clone(), font::strong(size), ink, width);
        let galley = ui.painter().layout_job(job);
        (galley.rows.len(), galley.size().x)
    });
    let response = ui
        .scope(|ui| {
            // A label wraps at the width of its `Ui`.
            ui.set_max_width(width);
            let job = LayoutJob::simple(step.title.clone(), font::strong(size), ink, width);
            ui.add(Label::new(job).wrap())
        })
        .inner;
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &step.title));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.clear_value();
        node.set_level(1);
    });
    ui.add_space(TITLE_OFFSET_PTS);
}

/// Computes the minimum width, up to `max_width`, at which a text has no more lines than
/// at `max_width`. No line is then left with a single short word. `measure` returns the
/// number of lines at a width, and the width of the widest line.
fn balanced_width(max_width: f32, measure: impl Fn(f32) -> (usize, f32)) -> f32 {
    let (line_count, _) = measure(max_width);
    if line_count < 2 {
        return max_width;
    }
    let mut low = max_width / line_count as f32;
    let mut high = max_width;
    while high - low > 2.0 {
        let middle = f32::midpoint(low, high);
        let (count, widest) = measure(middle);
        // A word that is wider than the line does not fit either.
        if count > line_count || widest > middle {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Returns the position of the step, in the longest form that fits beside the changes.
/// Returns `None` if none fits. The top bar shows the position too.
fn position_text(
    ui: &Ui,
    page: &PageContext<'_>,
    available_width: f32,
    put: ReaderMarks<'_>,
    changed: &StepChanges,
) -> Option<String> {
    let (number, total, minutes) = put
        .on_route
        .unwrap_or_else(|| (page.document.step + 1, page.lesson.steps.len(), page.lesson.minutes));
    let short = format!("Step {number} of {total}");
    let max_width = available_width - min_changes_width(ui, changed);
    if number == 1 {
        let long = format!("{short} · about {} in all", counted(minutes as usize, "minute"));
        if caption_width(ui, &long) <= max_width {
            return Some(long);
        }
    }
    (caption_width(ui, &short) <= max_width).then_some(short)
}

fn buttons_ui(ui: &mut Ui, page: &mut PageContext<'_>, put: ReaderMarks<'_>) {
    ui.spacing_mut().item_spacing.x = 0.0;
    let is_note_shown = page.view.note.is_shown(put.note, page.view.presenting);
    // On a projector, only the key opens a note.
    if !page.view.presenting || is_note_shown {
        let name = match (is_note_shown, put.note.is_empty()) {
            (true, _) => "fold your note away",
            (false, true) => "write a note on this step",
            (false, false) => "show your note on this step",
        };
        let has_note = !put.note.is_empty();
        let toggle = Toggle { command: Command::OwnNote, name, is_on: is_note_shown };
        toggle_button(ui, page, &toggle, |painter, center, color| {
            paint_note(painter, center, SIGN_HEIGHT_PTS, color, has_note);
        });
    }
    let name =
        if put.bookmarked { "take the bookmark away" } else { "put a bookmark on this step" };
    let toggle = Toggle { command: Command::Bookmark, name, is_on: put.bookmarked };
    toggle_button(ui, page, &toggle, |painter, center, color| {
        paint_bookmark(painter, center, SIGN_HEIGHT_PTS, color, put.bookmarked);
    });
}

/// A command that is on or off.
struct Toggle<'a> {
    command: Command,
    /// Accessible name.
    name: &'a str,
    is_on: bool,
}

fn toggle_button(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    toggle: &Toggle<'_>,
    paint_sign: impl FnOnce(&Painter, Pos2, Color32),
) {
    let Toggle { command, name, is_on } = *toggle;
    let theme = page.theme;
    let (rect, response) = ui.allocate_exact_size(BUTTON_SIZE_PTS, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
    if response.hovered() {
        let edge = Stroke::new(1.0, theme.track);
        ui.painter().rect(rect, 6.0, theme.panel, edge, StrokeKind::Inside);
    }
    let color = if is_on { theme.accent } else { theme.quiet };
    paint_sign(ui.painter(), rect.center(), color);
    let hint = command.hint(ui.ctx(), None);
    if response.tip(hint).clicked() {
        page.requests.commands.push(command);
    }
}

// The reader's changes at the step, with a way to undo each. They are in a line that
// exists anyway, because prose must not jump when the reader changes its first number.

/// Height of the pill with the changes, in points.
const PILL_HEIGHT_PTS: f32 = 24.0;
/// Padding of the pill and gaps between its parts together, in points.
const PILL_PADDING_PTS: f32 = 44.0;

/// Differences of the open step from its author's version.
#[derive(Clone, Debug, Default)]
pub struct StepChanges {
    pub changes: Vec<StepChange>,
    /// Whether the values were carried over from the previous step.
    pub is_carried: bool,
    /// Whether the next step would open with some of these values.
    pub can_carry_on: bool,
}

impl StepChanges {
    /// Collects the changes at the open step of a notebook.
    pub fn at_step(notebook: &Notebook) -> Self {
        Self {
            changes: notebook.changes(),
            is_carried: notebook.is_carried(),
            can_carry_on: notebook.carries_values(),
        }
    }
}

/// Width of the pill with its shortest text, or 0 without changes.
fn min_changes_width(ui: &Ui, changed: &StepChanges) -> f32 {
    if changed.changes.is_empty() {
        return 0.0;
    }
    let shortest = summaries(changed).pop().unwrap_or_default();
    caption_width(ui, &shortest) + caption_width(ui, PUT_BACK_LABEL) + PILL_PADDING_PTS
}

/// Draws the pill with the changes, which opens the list of them.
fn changes_ui(ui: &mut Ui, changed: &StepChanges, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let edge = Stroke::new(1.0, theme.caution.gamma_multiply(0.45));
    Frame::NONE
        .fill(theme.lit)
        .stroke(edge)
        .corner_radius(PILL_HEIGHT_PTS / 2.0)
        .inner_margin(Margin::symmetric(10, 1))
        .show(ui, |ui| {
            let spacing = ui.spacing_mut();
            spacing.item_spacing.x = 5.0;
            spacing.button_padding = vec2(2.0, 1.0);
            spacing.interact_size.y = 18.0;
            let max_width =
                ui.available_width() - caption_width(ui, PUT_BACK_LABEL) - PILL_PADDING_PTS / 2.0;
            let summary = fitting_summary(ui, changed, max_width);
            let list_button =
                flat_button(ui, &summary, theme.ink).tip("What is changed at this step");
            Popup::menu(&list_button)
                .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
                .show(|ui| changes_list_ui(ui, changed, page));
            ui.label(RichText::new("·").size(CAPTION_SIZE).color(theme.quiet));
            let back = flat_button(ui, "put back", theme.accent);
            if back.tip("All as the step was meant to open").clicked() {
                reset_values(page, reset_edit(&changed.changes));
            }
        });
}

const PUT_BACK_LABEL: &str = "· put back";

/// Returns the names of what is changed, or a shorter summary if they do not fit.
fn fitting_summary(ui: &Ui, changed: &StepChanges, max_width: f32) -> String {
    let mut summaries = summaries(changed);
    let fitting = summaries.iter().position(|text| caption_width(ui, text) <= max_width);
    summaries.swap_remove(fitting.unwrap_or(summaries.len() - 1))
}

/// Summaries of the changes, from long to short.
fn summaries(changed: &StepChanges) -> Vec<String> {
    let labels: Vec<&str> = changed.changes.iter().map(|change| &*change.label).collect();
    let count = labels.len();
    let (long, short) = if changed.is_carried {
        ("from the step before", "carried")
    } else {
        ("changed here", "changed")
    };
    let mut summaries = vec![format!("{long}: {}", labels.join(", "))];
    if let [label] = labels[..] {
        summaries.push(label.to_owned());
    }
    summaries.push(format!("{count} {long}"));
    summaries.push(format!("{count} {short}"));
    summaries
}

fn caption_width(ui: &Ui, text: &str) -> f32 {
    let font = FontId::proportional(CAPTION_SIZE);
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::BLACK).size().x
}

fn flat_button(ui: &mut Ui, label: &str, color: Color32) -> Response {
    let text = RichText::new(label).size(CAPTION_SIZE).color(color);
    let response = ui.add(Button::new(text).frame_when_inactive(false).truncate());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
    response
}

/// Resets all changes in one undo step.
fn reset_edit(changes: &[StepChange]) -> Edit {
    match changes {
        [change] => change.put_back.clone(),
        _ => Edit::ResetStep,
    }
}

/// Applies an edit that resets values. Stops playback, which would change them again.
fn reset_values(page: &mut PageContext<'_>, edit: Edit) {
    page.view.playing.stop();
    page.requests.edits.push(edit);
}

fn changes_list_ui(ui: &mut Ui, changed: &StepChanges, page: &mut PageContext<'_>) {
    ui.set_max_width(360.0);
    ui.label(RichText::new("Changed at this step").font(font::strong(SMALL_SIZE)));
    for change in &changed.changes {
        ui.horizontal(|ui| {
            ui.label(RichText::new(&change.label).size(SMALL_SIZE));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let back = flat_button(ui, "put back", page.theme.accent);
                let name = format!("put back {}", change.label);
                back.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                if back.clicked() {
                    reset_values(page, change.put_back.clone());
                }
            });
        });
    }
    ui.separator();
    ui.horizontal(|ui| {
        if changed.changes.len() > 1 && ui.add(small_button("put all back")).clicked() {
            reset_values(page, Edit::ResetStep);
            ui.close();
        }
        if changed.can_carry_on && carry_on(ui) {
            page.requests.commands.push(Command::CarryOn);
            ui.close();
        }
    });
}

/// Draws the button to the next step with the values of this one. Returns true if it was
/// clicked.
pub fn carry_on(ui: &mut Ui) -> bool {
    let hint = Command::CarryOn.hint(ui.ctx(), None);
    let button = ui.add(small_button(Command::CarryOn.text()));
    button.tip(hint).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Breaks words into lines as a label does, with letters one point wide. Returns the
    /// number of lines and the width of the widest.
    fn break_lines(text: &str, max_width: f32) -> (usize, f32) {
        let mut count = 1;
        let mut width = 0.0_f32;
        let mut widest = 0.0_f32;
        for word in text.split(' ') {
            let word_width = word.len() as f32;
            let extended = if width > 0.0 { width + 1.0 + word_width } else { word_width };
            if extended > max_width && width > 0.0 {
                count += 1;
                width = word_width;
            } else {
                width = extended;
            }
            widest = widest.max(width);
        }
        (count, widest)
    }

    #[test]
    fn balanced_titles_have_no_short_last_line_and_no_more_lines() {
        for (title, max_width) in [
            ("Three ways between two keys", 26.0),
            ("The chord is shorter than the arc", 32.0),
            ("Why the articles invert the node", 30.0),
        ] {
            let width = balanced_width(max_width, |width| break_lines(title, width));
            let (count, widest) = break_lines(title, width);
            assert_eq!(count, break_lines(title, max_width).0, "{title}");
            assert!(widest <= width && width <= max_width, "{title}: {width}");
            assert!(width < max_width - 4.0, "{title}: {width}");
        }
        assert_eq!(balanced_width(40.0, |width| break_lines("As a program", width)), 40.0);
        // A word that cannot be broken keeps its width.
        let long_word = "aaaaaaaaaaaaaaaaaaaa b";
        assert!(balanced_width(20.0, |width| break_lines(long_word, width)) >= 20.0);
    }
}
