//! The bar along the top: where one is, and what can be done from anywhere.

use bindpose_lesson::LessonStep;
use bindpose_notebook::{Navigation, Notebook, PageAddress};
use eframe::egui::{
    self, Align, Layout, Rect, RichText, Sense, Stroke, Ui, UiBuilder, WidgetInfo, vec2,
};

use crate::command::Command;
use crate::icons;
use crate::theme::{INTERFACE, SMALL, Theme, family, font};
use crate::widgets::{RightGroup, Tip as _, describe_progress, icon_line, paint_progress};

/// Height of the bar, in points.
pub const HEIGHT: f32 = 48.0;
/// Width of a sign for a step, where there is room.
pub(super) const DOT: f32 = 16.0;

/// Under this width the bar holds only what every step needs; the rest stands in
/// the menu.
pub const PHONE: f32 = 680.0;
/// Under this width it has no room for the search, which the list of contents has
/// too.
const ROOM_FOR_SEARCH: f32 = 680.0;

/// What the bar shows of the page around it.
pub struct BarState {
    /// Is the bench open?
    pub bench_open: bool,
    /// Does the list of lessons stand beside the page, with its own way to the search?
    pub has_contents: bool,
}

/// Shows the bar; pushes what the reader asks for.
pub fn ui(
    ui: &mut Ui,
    buttons: &mut CommandButtons<'_>,
    state: &BarState,
    navigation: &mut Vec<Navigation>,
) {
    let (notebook, theme) = (buttons.notebook, buttons.theme);
    let width = ui.available_width();
    if ui.ctx().content_rect().width() < PHONE {
        phone_ui(ui, buttons);
        return;
    }
    ui.spacing_mut().item_spacing.x = if width > 760.0 { 8.0 } else { 4.0 };
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        if width > ROOM_FOR_SEARCH && !state.has_contents {
            buttons.button(ui, Command::Search, icons::MAGNIFYING_GLASS, false);
        }
        let name = RichText::new("Bindpose").family(family::strong()).size(17.0);
        let name = ui.add(egui::Label::new(name).sense(Sense::click()).selectable(false));
        let words = Command::Cover.text();
        name.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, words));
        if name.tip(Command::Cover.hint(ui.ctx(), None)).clicked() {
            buttons.commands.push(Command::Cover);
        }
        let word = width > 1080.0;
        buttons.button(ui, Command::Open, icons::FOLDER_OPEN, word);
        buttons.button(ui, Command::Export, icons::EXPORT, word);
        let group = RightGroup::new(ui, "actions");
        let mut rest = group.rest;
        let dots = dots_width(notebook);
        let dotted = width > 620.0 && rest.width() >= dots;
        if dotted {
            rest.max.x -= dots + ui.spacing().item_spacing.x;
        }
        // The list of contents says it too: rather nothing than its first letters.
        if title_width(ui, notebook) <= rest.width() {
            title(ui, theme, notebook, rest);
        }
        if dotted {
            let place = group.rest.with_min_x(group.rest.right() - dots);
            let line = Layout::left_to_right(Align::Center);
            let mut child = ui.new_child(UiBuilder::new().max_rect(place).layout(line));
            StepDots { notebook, theme, quiet: false, width: DOT }.show(&mut child, navigation);
        }
        group.show(ui, |ui| actions(ui, buttons, state.bench_open, width));
    });
}

/// Words where there is room for them, icons where not.
fn actions(ui: &mut Ui, buttons: &mut CommandButtons<'_>, bench_open: bool, width: f32) {
    let words = width > 1080.0;
    let lamp = if buttons.theme.dark { icons::SUN } else { icons::MOON };
    buttons.button(ui, Command::Back, icons::CARET_LEFT, width > 760.0);
    buttons.next_button(ui, true);
    bench_button(ui, buttons, bench_open);
    buttons.button(ui, Command::Undo, icons::ARROW_U_UP_LEFT, words);
    buttons.button(ui, Command::Redo, icons::ARROW_U_UP_RIGHT, words);
    buttons.button(ui, Command::Reset, icons::ARROW_COUNTER_CLOCKWISE, words);
    buttons.button(ui, Command::CopyLink, icons::LINK_SIMPLE, words);
    buttons.button(ui, Command::Present, icons::PRESENTATION, words);
    buttons.button(ui, Command::Theme, lamp, false);
}

/// Always with its word: there is no sign for a bench.
fn bench_button(ui: &mut Ui, buttons: &mut CommandButtons<'_>, open: bool) {
    let text = RichText::new(Command::Bench.text()).size(SMALL);
    let button = egui::Button::selectable(open, text.color(buttons.theme.ink));
    let button = button.min_size(vec2(32.0, 30.0));
    let hint = Command::Bench.hint(ui.ctx(), None);
    if ui.add(button).tip(hint).clicked() {
        buttons.commands.push(Command::Bench);
    }
}

/// Room for a dot a step, of the lesson or of the route.
pub(super) fn dots_width(notebook: &Notebook) -> f32 {
    DOT * notebook.way().len() as f32
}

/// A sign a step: how far one has come with it; a bar under the one in sight.
pub(super) struct StepDots<'a> {
    pub(super) notebook: &'a Notebook,
    pub(super) theme: &'a Theme,
    /// Without the titles of steps that are yet to come, which may give an answer away.
    pub(super) quiet: bool,
    /// Of one sign, in points.
    pub(super) width: f32,
}

impl StepDots<'_> {
    pub(super) fn show(&self, ui: &mut Ui, navigation: &mut Vec<Navigation>) {
        let Self { notebook, theme, quiet, width } = *self;
        let way = notebook.way();
        let size = vec2(width * way.len() as f32, 24.0);
        let (place, _) = ui.allocate_exact_size(size, Sense::hover());
        let now = notebook.place_in(&way);
        for (index, page) in way.iter().enumerate() {
            let lesson = &notebook.set.lessons[page.lesson];
            let Some(step) = lesson.steps.get(page.step) else {
                continue;
            };
            let center = place.left_center() + vec2(width * (index as f32 + 0.5), 0.0);
            let area = Rect::from_center_size(center, vec2(width, 24.0));
            let here = now == Some(index);
            let progress = notebook.progress.of_step(lesson, page.step);
            let name = step_name(index, step, quiet && now.is_some_and(|now| index > now));
            let response = ui
                .interact(area, ui.scope_id().with(("dot", index)), Sense::click())
                .tip(format!("{name} · {}", progress.words()));
            response
                .widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, here, &name));
            describe_progress(ui, &response, progress);
            if here || response.hovered() {
                let color = if here { theme.accent } else { theme.rule };
                let bar = Rect::from_center_size(center + vec2(0.0, 9.5), vec2(0.7 * width, 2.5));
                ui.painter().rect_filled(bar, 1.0, color);
            }
            paint_progress(ui, theme, center, (0.36 * width).min(4.5), progress);
            if response.clicked() {
                let page = PageAddress::step(&lesson.slug, &step.slug);
                navigation.push(Navigation::Go(page));
            }
        }
    }
}

/// `Step 3: Guess where it goes`, or without its title.
pub(super) fn step_name(index: usize, step: &LessonStep, quiet: bool) -> String {
    if quiet {
        format!("Step {}", index + 1)
    } else {
        format!("Step {}: {}", index + 1, step.title)
    }
}

// The bar of a phone: the way to everything, where one is, and on. What else the
// bar of a wide window has stands in the menu.

/// Under this width there is no room for the title.
const ROOM_FOR_TITLE: f32 = 250.0;
/// Under this width there is none for how far one is.
const ROOM_FOR_PLACE: f32 = 200.0;

/// In the menu, with their signs where they have one, as in the bar of a wide window.
const MENU: [(Command, &str); 12] = [
    (Command::Cover, ""),
    (Command::Open, icons::FOLDER_OPEN),
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
fn phone_ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>) {
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
pub fn phone_menu(ui: &mut Ui, buttons: &mut CommandButtons<'_>, presenting: bool) {
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

// The buttons of a bar, and the title of the lesson.

fn title_words(notebook: &Notebook) -> String {
    let lesson = notebook.lesson();
    format!("{} · {}", lesson.number, lesson.title)
}

/// Room for all of the title.
fn title_width(ui: &Ui, notebook: &Notebook) -> f32 {
    let font = egui::FontId::proportional(SMALL);
    let words = title_words(notebook);
    let galley = ui.painter().layout_no_wrap(words, font, egui::Color32::PLACEHOLDER);
    galley.size().x
}

/// Number and title of the lesson; what has no room is cut off.
fn title(ui: &mut Ui, theme: &Theme, notebook: &Notebook, place: Rect) {
    let title = title_words(notebook);
    let line = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().max_rect(place).layout(line));
    child.add(egui::Label::new(theme.label(title)).truncate());
}

/// What undo or redo would change now, in words.
fn done(command: Command, notebook: &Notebook) -> Option<&str> {
    match command {
        Command::Undo => notebook.history().to_undo(),
        Command::Redo => notebook.history().to_redo(),
        _ => None,
    }
}

/// Is there anything for it to do?
fn is_enabled(command: Command, notebook: &Notebook) -> bool {
    match command {
        Command::Undo | Command::Redo => done(command, notebook).is_some(),
        Command::Back => notebook.can_turn(false),
        Command::Next => notebook.can_turn(true),
        _ => true,
    }
}

/// The commands of a bar as buttons: what they read, and where they say what was asked
/// for.
pub struct CommandButtons<'a> {
    /// Says what can be done now.
    pub notebook: &'a Notebook,
    /// Its colours.
    pub theme: &'a Theme,
    /// Gets what the reader asks for.
    pub commands: &'a mut Vec<Command>,
}

impl CommandButtons<'_> {
    /// A button with an icon, and its word where there is room.
    pub(crate) fn button(&mut self, ui: &mut Ui, command: Command, icon: &str, word: bool) {
        let enabled = is_enabled(command, self.notebook);
        let ink = self.theme.ink;
        let color = if enabled { ink } else { self.theme.quiet.gamma_multiply(0.6) };
        let text = word.then(|| (command.text(), 6.0, egui::FontId::proportional(SMALL)));
        let parts = [(icon, 0.0, font::icon(17.0))].into_iter().chain(text);
        let job = icon_line(parts, color);
        let button = egui::Button::new(job).min_size(vec2(32.0, 30.0)).frame_when_inactive(false);
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, command.text()));
        let hint = command.hint(ui.ctx(), done(command, self.notebook));
        if response.tip(hint).clicked() {
            self.commands.push(command);
        }
    }

    /// The one that leads on.
    pub(crate) fn next_button(&mut self, ui: &mut Ui, word: bool) {
        let enabled = is_enabled(Command::Next, self.notebook);
        let text = word.then(|| ("Next", 0.0, font::strong(SMALL)));
        let lead = if word { 4.0 } else { 0.0 };
        let icon = (icons::CARET_RIGHT, lead, font::icon(INTERFACE));
        let job = icon_line(text.into_iter().chain([icon]), self.theme.on_accent);
        let button = egui::Button::new(job)
            .fill(self.theme.accent)
            .stroke(Stroke::new(1.0, self.theme.accent))
            .min_size(vec2(36.0, 30.0));
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, "Next"));
        let hint = Command::Next.hint(ui.ctx(), None);
        if response.tip(hint).clicked() {
            self.commands.push(Command::Next);
        }
    }
}
