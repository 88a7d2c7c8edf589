//! The bar of a phone: the way to everything, where one is, and on. What else the
//! bar of a wide window has stands in the menu.

use eframe::egui::{self, Align, Layout, RichText, Sense, Ui, UiBuilder, vec2};

use super::buttons::{CommandButtons, done, is_enabled, title};
use crate::command::Command;
use crate::icons;
use crate::theme::{SMALL, font};
use crate::widgets::Tip as _;
use crate::widgets::{RightGroup, icon_line};

/// Under this width there is no room for the title.
const ROOM_FOR_TITLE: f32 = 250.0;
/// Under this width there is none for how far one is.
const ROOM_FOR_PLACE: f32 = 200.0;

/// In the menu, with their signs where they have one, as in the bar of a wide window.
const MENU: [(Command, &str); 10] = [
    (Command::Undo, icons::ARROW_U_UP_LEFT),
    (Command::Redo, icons::ARROW_U_UP_RIGHT),
    (Command::Reset, icons::ARROW_COUNTER_CLOCKWISE),
    (Command::CopyLink, icons::LINK_SIMPLE),
    (Command::Export, icons::EXPORT),
    (Command::Present, icons::PRESENTATION),
    (Command::ZoomIn, ""),
    (Command::ZoomOut, ""),
    (Command::Theme, icons::MOON),
    (Command::Bench, ""),
];

/// The same for what the bar of a wide presenter has.
const PRESENTER: [(Command, &str); 4] =
    [(Command::Pen, ""), (Command::Spotlight, ""), (Command::Freeze, ""), (Command::Blank, "")];

/// Shows the bar; pushes what the reader asks for.
pub(super) fn ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>) {
    let (notebook, theme) = (buttons.notebook, buttons.theme);
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.spacing_mut().button_padding.x = 8.0;
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        let group = RightGroup::new(ui, "on");
        if width >= ROOM_FOR_TITLE {
            title(ui, theme, notebook, group.rest);
        }
        group.show(ui, |ui| {
            if width >= ROOM_FOR_PLACE {
                let way = notebook.way();
                let now = notebook.place_in(&way).map_or(0, |at| at + 1);
                let words = format!("{now}/{}", way.len());
                let words = RichText::new(words).size(SMALL).color(theme.quiet);
                ui.add(egui::Label::new(words).sense(Sense::hover()));
            }
            buttons.button(ui, Command::Back, icons::CARET_LEFT, false);
            buttons.next_button(ui, false);
        });
    });
}

/// The commands that this bar has no room for, two in a row; `presenting`: and that
/// of the presenter.
pub fn menu(ui: &mut Ui, buttons: &mut CommandButtons<'_>, presenting: bool) {
    let presenter = PRESENTER.iter().filter(|_| presenting);
    let menu: Vec<(Command, &str)> = MENU.iter().chain(presenter).copied().collect();
    let gap = 6.0;
    let size =
        vec2(((ui.available_width() - gap) / 2.0).floor(), ui.spacing().interact_size.y.max(34.0));
    for pair in menu.chunks(2) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for &(command, icon) in pair {
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                let layout = Layout::left_to_right(Align::Center).with_main_justify(true);
                let place = UiBuilder::new().max_rect(rect).layout(layout);
                let mut place = ui.new_child(place);
                entry(&mut place, buttons, command, icon);
            }
        });
    }
}

fn entry(ui: &mut Ui, buttons: &mut CommandButtons<'_>, command: Command, icon: &str) {
    let (notebook, theme) = (buttons.notebook, buttons.theme);
    let enabled = is_enabled(command, notebook);
    let color = if enabled { theme.ink } else { theme.quiet.gamma_multiply(0.6) };
    let gap = if icon.is_empty() { 0.0 } else { 8.0 };
    let sign = (!icon.is_empty()).then(|| (icon, 0.0, font::icon(17.0)));
    let words = (command.text(), gap, egui::FontId::proportional(SMALL));
    let job = icon_line(sign.into_iter().chain([words]), color);
    let height = ui.available_height();
    let button = egui::Button::new(job).min_size(vec2(0.0, height));
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, command.text()));
    let hint = command.hint(ui.ctx(), done(command, notebook));
    if response.tip(hint).clicked() {
        buttons.commands.push(command);
    }
}
