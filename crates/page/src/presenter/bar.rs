//! The bar along the top in presenter mode: the open step, and the teacher's tools.

use bindpose_kit::icons;
use bindpose_kit::theme::{INTERFACE_SIZE, SMALL_SIZE, Theme, family};
use bindpose_kit::widgets::{RightGroup, Tip as _};
use bindpose_notebook::Notebook;
use bindpose_notebook::exercise_cells::exercises_at;
use eframe::egui::{
    Align, Button, FontId, Label, Layout, RichText, Role, TextStyle, TextWrapMode, Ui, UiBuilder,
    WidgetInfo, WidgetText, vec2,
};

use crate::command::Command;
use crate::requests::Requests;
use crate::top_bar::{CommandButtons, DOT_WIDTH_PTS, MIN_DOT_WIDTH_PTS, StepDots};
use crate::view::ViewState;
use crate::view::presenter::PresenterTool;

/// Minimum bar width for buttons of the tools, in points. On a narrower bar they are reached
/// by their keys alone.
const MIN_TOOLS_WIDTH: f32 = 720.0;
/// Minimum bar width for a label on the button back, in points. On a narrower bar the dots
/// need the room.
const MIN_BACK_LABEL_WIDTH: f32 = 1100.0;

pub fn ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>, view: &ViewState) {
    let notebook = buttons.notebook;
    let theme = buttons.theme;
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        let group = RightGroup::new(ui, "tools");
        let layout = Layout::left_to_right(Align::Center);
        let rest = UiBuilder::new().max_rect(group.rest).layout(layout);
        place_ui(&mut ui.new_child(rest), notebook, theme, buttons.requests);
        group.show(ui, |ui| {
            if width > MIN_TOOLS_WIDTH {
                tools_ui(ui, notebook, theme, view, buttons.requests);
            }
            let has_label = width > MIN_BACK_LABEL_WIDTH;
            buttons.button(ui, Command::Back, icons::CARET_LEFT, has_label);
            buttons.next_button(ui, true);
            buttons.button(ui, Command::Present, icons::X, false);
        });
    });
}

fn tools_ui(
    ui: &mut Ui,
    notebook: &Notebook,
    theme: &Theme,
    view: &ViewState,
    requests: &mut Requests,
) {
    let document = notebook.document();
    let has_task = exercises_at(notebook.lesson(), document.step).next().is_some();
    let presenter = &view.presenter;
    for (command, is_on) in [
        (Command::TaskAlone, view.shows_tasks_alone(&document.lesson, document.step)),
        (Command::Pen, presenter.tool == Some(PresenterTool::Pen)),
        (Command::Spotlight, presenter.tool == Some(PresenterTool::Spotlight)),
        (Command::Freeze, presenter.frozen.is_some()),
        (Command::Blank, presenter.is_blank),
        (Command::Bench, view.bench.is_open),
        (Command::InviteClass, view.classroom.shows_invitation),
    ] {
        if command == Command::TaskAlone && !has_task {
            continue;
        }
        let text = RichText::new(command.text().to_lowercase())
            .font(FontId::proportional(SMALL_SIZE))
            .color(if is_on { theme.accent } else { theme.quiet });
        let button =
            Button::new(text).selected(is_on).frame_when_inactive(is_on).min_size(vec2(0.0, 30.0));
        let response = ui.add(button).tip(command.hint(ui.ctx(), None));
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, command.text()));
        if response.clicked() {
            requests.commands.push(command);
        }
    }
}

/// Draws the title of the lesson, the number of the step and the dots, if there is room.
fn place_ui(ui: &mut Ui, notebook: &Notebook, theme: &Theme, requests: &mut Requests) {
    let lesson = notebook.lesson();
    if ui.available_width() < 90.0 {
        return;
    }
    let steps = notebook.way();
    let step_number = notebook.place_in(&steps).map_or(0, |index| index + 1);
    let title = RichText::new(format!("{} · {}", lesson.number, lesson.title))
        .family(family::strong())
        .size(INTERFACE_SIZE);
    let title_width = WidgetText::from(title.clone())
        .into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body)
        .size()
        .x;
    let room = ui.available_width() - 64.0;
    // The more steps, the closer the dots. A whole title has precedence over them.
    let dot_width =
        ((room - title_width - 16.0) / steps.len() as f32).clamp(MIN_DOT_WIDTH_PTS, DOT_WIDTH_PTS);
    let room_beside_dots = room - dot_width * steps.len() as f32 - 16.0;
    let has_dots = room_beside_dots >= title_width;
    let max_title_width = if has_dots { room_beside_dots } else { room };
    ui.scope(|ui| {
        ui.set_max_width(max_title_width.min(title_width + 2.0));
        ui.add(Label::new(title).truncate());
    });
    ui.label(theme.label(format!("{step_number} of {}", steps.len())));
    if has_dots {
        StepDots { notebook, theme, hides_later_titles: true, width: dot_width }.show(ui, requests);
    }
}
