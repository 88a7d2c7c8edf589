//! Above the prose of a step: where it stands in its lesson, its title, and what
//! the reader can put on it.

use eframe::egui::{
    Align, Label, Layout, Painter, Pos2, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    WidgetInfo, vec2,
};

use super::PageContext;
use super::command::Command;
use super::theme::{self, family};
use super::widgets::{RightGroup, Tip as _, paint_bookmark, paint_note};
use crate::lesson::Step;

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
    page: &PageContext<'_>,
    step: &Step,
    put: Put<'_>,
    commands: &mut Vec<Command>,
) {
    let size = vec2(ui.available_width(), BUTTON.y);
    let line = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(size, line, |ui| {
        let group = RightGroup::new(ui, "on this step");
        let place = UiBuilder::new().max_rect(group.rest).layout(line);
        let mut rest = ui.new_child(place);
        rest.add(Label::new(page.theme.caption(about(page))).wrap());
        let used = rest.min_rect();
        group.show(ui, |ui| buttons(ui, page, put, commands));
        ui.advance_cursor_after_rect(used);
    });
    // The buttons are higher than the words beside them.
    ui.add_space(-TIGHT);
    let title = RichText::new(&step.title).family(family::strong()).size(
        if ui.available_width() < NARROW {
            theme::PHONE_TITLE
        } else {
            theme::TITLE
        },
    );
    let response = ui.add(Label::new(title).wrap());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &step.title));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.clear_value();
        node.set_level(1);
    });
}

fn about(page: &PageContext<'_>) -> String {
    let (now, all) = (page.document.step + 1, page.lesson.steps.len());
    if now == 1 {
        let minutes = page.lesson.minutes;
        format!("Step 1 of {all} · about {minutes} minutes in all")
    } else {
        format!("Step {now} of {all}")
    }
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
        button(
            ui,
            page,
            (Command::OwnNote, name, shown),
            commands,
            |at, painter, color| {
                paint_note(painter, at, SIGN, color, written);
            },
        );
    }
    let name = if put.bookmarked {
        "take the bookmark away"
    } else {
        "put a bookmark on this step"
    };
    let bookmark = (Command::Bookmark, name, put.bookmarked);
    button(ui, page, bookmark, commands, |at, painter, color| {
        paint_bookmark(painter, at, SIGN, color, put.bookmarked);
    });
}

fn button(
    ui: &mut Ui,
    page: &PageContext<'_>,
    (command, name, on): (Command, &str, bool),
    commands: &mut Vec<Command>,
    paint: impl FnOnce(Pos2, &Painter, eframe::egui::Color32),
) {
    let theme = page.theme;
    let (rect, response) = ui.allocate_exact_size(BUTTON, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, name));
    if response.hovered() {
        let edge = Stroke::new(1.0, theme.track);
        ui.painter()
            .rect(rect, 6.0, theme.panel, edge, StrokeKind::Inside);
    }
    let color = if on { theme.accent } else { theme.quiet };
    paint(rect.center(), ui.painter(), color);
    let hint = command.hint(ui.ctx(), None);
    if response.tip(hint).clicked() {
        commands.push(command);
    }
}
