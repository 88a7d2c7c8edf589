//! The bar along the top in presenter mode: where the class is, and what the
//! teacher needs in front of it.

use bindpose_notebook::{Navigation, Notebook};
use eframe::egui::{
    Align, Button, FontId, Label, Layout, RichText, Role, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::PresenterTool;
use crate::command::Command;
use crate::theme::{INTERFACE, SMALL, Theme, family};
use crate::top_bar::{CommandButtons, DOT, StepDots};
use crate::widgets::RightGroup;
use crate::widgets::Tip as _;
use crate::{icons, view::ViewState};

/// Under this width the tools have their keys alone.
const TOOLS: f32 = 720.0;
/// Under this width the way back has its sign alone: the dots need the room.
const WORDS: f32 = 1100.0;

/// Least width of a dot, and of a title that is cut off.
const LEAST_DOT: f32 = 10.0;
const LEAST_TITLE: f32 = 110.0;

/// Shows the bar; pushes what the teacher asks for.
pub fn ui(
    ui: &mut Ui,
    buttons: &mut CommandButtons<'_>,
    view: &ViewState,
    navigation: &mut Vec<Navigation>,
) {
    let (notebook, theme) = (buttons.notebook, buttons.theme);
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        let group = RightGroup::new(ui, "tools");
        let line = Layout::left_to_right(Align::Center);
        let rest = UiBuilder::new().max_rect(group.rest).layout(line);
        place(&mut ui.new_child(rest), notebook, theme, navigation);
        group.show(ui, |ui| {
            if width > TOOLS {
                tools(ui, theme, view, buttons.commands);
            }
            buttons.button(ui, Command::Back, icons::CARET_LEFT, width > WORDS);
            buttons.next_button(ui, true);
            buttons.button(ui, Command::Present, icons::X, false);
        });
    });
}

fn tools(ui: &mut Ui, theme: &Theme, view: &ViewState, commands: &mut Vec<Command>) {
    let presenter = &view.presenter;
    for (command, on) in [
        (Command::Pen, presenter.tool == Some(PresenterTool::Pen)),
        (Command::Spotlight, presenter.tool == Some(PresenterTool::Spotlight)),
        (Command::Freeze, presenter.held.is_some()),
        (Command::Blank, presenter.blank),
        (Command::Bench, view.bench.open),
        (Command::InviteClass, view.classroom.invites),
    ] {
        let color = if on { theme.accent } else { theme.quiet };
        let words = RichText::new(command.text().to_lowercase());
        let words = words.font(FontId::proportional(SMALL)).color(color);
        let button =
            Button::new(words).selected(on).frame_when_inactive(on).min_size(vec2(0.0, 30.0));
        let response = ui.add(button).tip(command.hint(ui.ctx(), None));
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, command.text()));
        if response.clicked() {
            commands.push(command);
        }
    }
}

/// Lesson, step and dots, as far as there is room.
fn place(ui: &mut Ui, notebook: &Notebook, theme: &Theme, navigation: &mut Vec<Navigation>) {
    let lesson = notebook.lesson();
    let way = notebook.way();
    let (step, steps) = (notebook.place_in(&way).map_or(0, |at| at + 1), way.len());
    let of = theme.label(format!("{step} of {steps}"));
    let title = format!("{} · {}", lesson.number, lesson.title);
    let title = RichText::new(title).family(family::strong()).size(INTERFACE);
    let galley = eframe::egui::WidgetText::from(title.clone()).into_galley(
        ui,
        Some(eframe::egui::TextWrapMode::Extend),
        f32::INFINITY,
        eframe::egui::TextStyle::Body,
    );
    let room = ui.available_width() - 64.0;
    if ui.available_width() < 90.0 {
        return;
    }
    // Many dots stand closer; then a long title is cut off.
    let each = ((room - galley.size().x - 16.0) / steps as f32).clamp(LEAST_DOT, DOT);
    let dots = each * steps as f32;
    let left = room - dots - 16.0;
    let with_dots = left >= LEAST_TITLE.min(galley.size().x);
    let most = if with_dots { left } else { room };
    ui.scope(|ui| {
        ui.set_max_width(most.min(galley.size().x + 2.0));
        ui.add(Label::new(title).truncate());
    });
    ui.label(of);
    if with_dots {
        StepDots { notebook, theme, quiet: true, width: each }.show(ui, navigation);
    }
}
