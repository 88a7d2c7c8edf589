//! The top bar: the position in the lesson, and the commands that are available
//! everywhere.

use bindpose_kit::icons;
use bindpose_kit::theme::{INTERFACE_SIZE, SMALL_SIZE, Theme, family, font};
use bindpose_kit::widgets::{RightGroup, Tip as _, icon_line, index_by_arrows};
use bindpose_lesson::LessonStep;
use bindpose_notebook::{Notebook, PageAddress};
use eframe::egui::{
    self, Align, Layout, Rect, RichText, Sense, Stroke, Ui, UiBuilder, WidgetInfo, vec2,
};

use crate::command::Command;
use crate::progress_sign::{describe_progress, paint_progress};
use crate::requests::Requests;

/// Height of the bar, in points.
pub const HEIGHT_PTS: f32 = 48.0;
/// Width of the sign of a step, in points.
pub(super) const DOT_WIDTH_PTS: f32 = 16.0;
/// Minimum width of a dot, in points.
pub(super) const MIN_DOT_WIDTH_PTS: f32 = 10.0;
/// Minimum width of a title that is cut off, in points. A narrower one is omitted.
const MIN_CUT_TITLE_WIDTH_PTS: f32 = 130.0;

/// Window width below which the bar has only the most important commands, and the menu
/// the others. In points.
pub const MIN_FULL_BAR_WIDTH_PTS: f32 = 700.0;
/// Width of the bar below which it has no search button, in points. The contents have one
/// too.
const MIN_SEARCH_WIDTH_PTS: f32 = 680.0;

/// State of the page that the bar shows.
pub struct BarState {
    pub bench_open: bool,
    /// Whether the contents, which have their own search button, are beside the page.
    pub has_contents: bool,
}

pub fn ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>, state: &BarState) {
    let notebook = buttons.notebook;
    let theme = buttons.theme;
    let width = ui.available_width();
    if ui.ctx().content_rect().width() < MIN_FULL_BAR_WIDTH_PTS {
        phone_ui(ui, buttons);
        return;
    }
    ui.spacing_mut().item_spacing.x = if width > 760.0 { 8.0 } else { 4.0 };
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        if width > MIN_SEARCH_WIDTH_PTS && !state.has_contents {
            buttons.button(ui, Command::Search, icons::MAGNIFYING_GLASS, false);
        }
        let name_text = RichText::new("Bindpose").family(family::strong()).size(17.0);
        let name = ui.add(egui::Label::new(name_text).sense(Sense::click()).selectable(false));
        let label = Command::Cover.text();
        name.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, label));
        if name.tip(Command::Cover.hint(ui.ctx(), None)).clicked() {
            buttons.requests.commands.push(Command::Cover);
        }
        let has_labels = width > 1080.0;
        buttons.button(ui, Command::Open, icons::FOLDER_OPEN, has_labels);
        buttons.button(ui, Command::Export, icons::EXPORT, has_labels);
        let group = RightGroup::new(ui, "actions");
        let mut rest = group.rest;
        let gap = ui.spacing().item_spacing.x;
        // The more steps, the closer the dots, so that the title has room beside them.
        let step_count = notebook.way().len().max(1) as f32;
        let title_width = title_width(ui, notebook);
        let dot_width = ((rest.width() - title_width - gap) / step_count)
            .clamp(MIN_DOT_WIDTH_PTS, DOT_WIDTH_PTS);
        let dots_width = dot_width * step_count;
        let has_dots = width > 620.0 && rest.width() >= dots_width;
        if has_dots {
            rest.max.x -= dots_width + gap;
        }
        if rest.width() >= title_width.min(MIN_CUT_TITLE_WIDTH_PTS) {
            title_ui(ui, theme, notebook, rest);
        }
        if has_dots {
            let dots_rect = group.rest.with_min_x(group.rest.right() - dots_width);
            let layout = Layout::left_to_right(Align::Center);
            let mut child = ui.new_child(UiBuilder::new().max_rect(dots_rect).layout(layout));
            StepDots { notebook, theme, hides_later_titles: false, width: dot_width }
                .show(&mut child, buttons.requests);
        }
        group.show(ui, |ui| actions_ui(ui, buttons, state.bench_open, width));
    });
}

/// Draws the commands at the right, with labels if there is space, otherwise with icons
/// only.
fn actions_ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>, bench_open: bool, width: f32) {
    let has_labels = width > 1080.0;
    let theme_icon = if buttons.theme.is_dark { icons::SUN } else { icons::MOON };
    buttons.button(ui, Command::Back, icons::CARET_LEFT, width > 760.0);
    buttons.next_button(ui, true);
    bench_button(ui, buttons, bench_open);
    buttons.button(ui, Command::Undo, icons::ARROW_U_UP_LEFT, has_labels);
    buttons.button(ui, Command::Redo, icons::ARROW_U_UP_RIGHT, has_labels);
    buttons.button(ui, Command::Reset, icons::ARROW_COUNTER_CLOCKWISE, has_labels);
    buttons.button(ui, Command::CopyLink, icons::LINK_SIMPLE, has_labels);
    buttons.button(ui, Command::Present, icons::PRESENTATION, has_labels);
    buttons.button(ui, Command::Theme, theme_icon, false);
}

/// Draws the button of the bench, which has a label because there is no icon for it.
fn bench_button(ui: &mut Ui, buttons: &mut CommandButtons<'_>, is_open: bool) {
    let label = RichText::new(Command::Bench.text()).size(SMALL_SIZE).color(buttons.theme.ink);
    let button = egui::Button::selectable(is_open, label).min_size(vec2(32.0, 30.0));
    let hint = Command::Bench.hint(ui.ctx(), None);
    if ui.add(button).tip(hint).clicked() {
        buttons.requests.commands.push(Command::Bench);
    }
}

/// Dots for the steps of the lesson or route with their progress, and a bar under the
/// open step.
pub(super) struct StepDots<'a> {
    pub(super) notebook: &'a Notebook,
    pub(super) theme: &'a Theme,
    /// Whether the titles of later steps, which may give an answer away, are hidden.
    pub(super) hides_later_titles: bool,
    /// Width of one dot, in points.
    pub(super) width: f32,
}

impl StepDots<'_> {
    pub(super) fn show(&self, ui: &mut Ui, requests: &mut Requests) {
        let Self { notebook, theme, hides_later_titles: quiet, width } = *self;
        let pages = notebook.way();
        let size = vec2(width * pages.len() as f32, 24.0);
        let (dots_rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let open_index = notebook.place_in(&pages);
        for (index, page) in pages.iter().enumerate() {
            let lesson = &notebook.set.lessons[page.lesson];
            let Some(step) = lesson.steps.get(page.step) else {
                continue;
            };
            let center = dots_rect.left_center() + vec2(width * (index as f32 + 0.5), 0.0);
            let dot_rect = Rect::from_center_size(center, vec2(width, 24.0));
            let is_open = open_index == Some(index);
            let progress = notebook.progress.of_step(lesson, page.step);
            let is_later = open_index.is_some_and(|open_index| index > open_index);
            let name = step_name(index, step, quiet && is_later);
            // One stop for the Tab key, from which arrows turn the pages.
            let is_stop = is_open || open_index.is_none() && index == 0;
            let sense = if is_stop { Sense::click() } else { Sense::CLICK };
            let response = ui
                .interact(dot_rect, ui.scope_id().with(("dot", index)), sense)
                .tip(format!("{name} · {}", progress.words()));
            response.widget_info(|| {
                WidgetInfo::selected(egui::Role::RadioButton, true, is_open, &name)
            });
            describe_progress(ui, &response, progress);
            if is_open || response.hovered() {
                let color = if is_open { theme.accent } else { theme.rule };
                let bar = Rect::from_center_size(center + vec2(0.0, 9.5), vec2(0.7 * width, 2.5));
                ui.painter().rect_filled(bar, 1.0, color);
            }
            paint_progress(ui, theme, center, (0.36 * width).min(4.5), progress);
            let by_arrows = index_by_arrows(ui, &response, index, pages.len());
            let target = by_arrows.or(response.clicked().then_some(index));
            if let Some(page) = target.map(|target| &pages[target]) {
                let lesson = &notebook.set.lessons[page.lesson];
                if let Some(step) = lesson.steps.get(page.step) {
                    requests.go_to(PageAddress::step(&lesson.slug, &step.slug));
                }
            }
        }
    }
}

/// Returns the name of a step, such as `Step 3: Guess where it goes`, without its title
/// if that is hidden.
fn step_name(index: usize, step: &LessonStep, is_title_hidden: bool) -> String {
    if is_title_hidden {
        format!("Step {}", index + 1)
    } else {
        format!("Step {}: {}", index + 1, step.title)
    }
}

// The bar of a phone: contents, position, and the buttons that turn pages. The menu has
// the other commands of the wide bar.

/// Width below which the bar has no title, in points.
const MIN_TITLE_WIDTH_PTS: f32 = 250.0;
/// Width below which the bar has no position, in points.
const MIN_POSITION_WIDTH_PTS: f32 = 200.0;

/// Commands of the menu, with the icons that they have in the wide bar.
const MENU_COMMANDS: [(Command, &str); 12] = [
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

/// Additional commands of the menu while presenting.
const PRESENTER_COMMANDS: [(Command, &str); 4] =
    [(Command::Pen, ""), (Command::Spotlight, ""), (Command::Freeze, ""), (Command::Blank, "")];

/// Draws the bar of a phone.
fn phone_ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>) {
    let notebook = buttons.notebook;
    let theme = buttons.theme;
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.spacing_mut().button_padding.x = 8.0;
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        let group = RightGroup::new(ui, "on");
        if width >= MIN_TITLE_WIDTH_PTS {
            title_ui(ui, theme, notebook, group.rest);
        }
        group.show(ui, |ui| {
            if width >= MIN_POSITION_WIDTH_PTS {
                let pages = notebook.way();
                let number = notebook.place_in(&pages).map_or(0, |at| at + 1);
                let position = RichText::new(format!("{number}/{}", pages.len()))
                    .size(SMALL_SIZE)
                    .color(theme.quiet);
                ui.add(egui::Label::new(position).sense(Sense::hover()));
            }
            buttons.button(ui, Command::Back, icons::CARET_LEFT, false);
            buttons.next_button(ui, false);
        });
    });
}

/// Draws the commands that the bar of a phone has no space for, two per row, with those
/// of the presenter while presenting.
pub fn phone_menu(ui: &mut Ui, buttons: &mut CommandButtons<'_>, presenting: bool) {
    let mut entries = MENU_COMMANDS.to_vec();
    if presenting {
        entries.extend(PRESENTER_COMMANDS);
    }
    let gap = 6.0;
    let size =
        vec2(((ui.available_width() - gap) / 2.0).floor(), ui.spacing().interact_size.y.max(34.0));
    for pair in entries.chunks(2) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for &(command, icon) in pair {
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                let layout = Layout::left_to_right(Align::Center).with_main_justify(true);
                let mut entry_ui = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
                menu_entry_ui(&mut entry_ui, buttons, command, icon);
            }
        });
    }
}

fn menu_entry_ui(ui: &mut Ui, buttons: &mut CommandButtons<'_>, command: Command, icon: &str) {
    let enabled = is_enabled(command, buttons.notebook);
    let theme = buttons.theme;
    let color = if enabled { theme.ink } else { theme.quiet.gamma_multiply(0.6) };
    let mut parts = Vec::new();
    if !icon.is_empty() {
        parts.push((icon, 0.0, font::icon(17.0)));
    }
    let gap = if icon.is_empty() { 0.0 } else { 8.0 };
    parts.push((command.text(), gap, egui::FontId::proportional(SMALL_SIZE)));
    let job = icon_line(parts, color);
    let height = ui.available_height();
    let button = egui::Button::new(job).min_size(vec2(0.0, height));
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, command.text()));
    let hint = command.hint(ui.ctx(), undo_label(command, buttons.notebook));
    if response.tip(hint).clicked() {
        buttons.requests.commands.push(command);
    }
}

// The buttons of a bar, and the title of the lesson.

fn title_text(notebook: &Notebook) -> String {
    let lesson = notebook.lesson();
    format!("{} · {}", lesson.number, lesson.title)
}

/// Width of the whole title.
fn title_width(ui: &Ui, notebook: &Notebook) -> f32 {
    let font = egui::FontId::proportional(SMALL_SIZE);
    let text = title_text(notebook);
    let galley = ui.painter().layout_no_wrap(text, font, egui::Color32::PLACEHOLDER);
    galley.size().x
}

/// Draws number and title of the lesson, truncated to `rect`.
fn title_ui(ui: &mut Ui, theme: &Theme, notebook: &Notebook, rect: Rect) {
    let title = title_text(notebook);
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    child.add(egui::Label::new(theme.label(title)).truncate());
}

/// Returns the label of the change that undo or redo would affect. Returns `None` for
/// other commands.
fn undo_label(command: Command, notebook: &Notebook) -> Option<&str> {
    match command {
        Command::Undo => notebook.history().to_undo(),
        Command::Redo => notebook.history().to_redo(),
        _ => None,
    }
}

/// Returns true if the command has an effect now.
fn is_enabled(command: Command, notebook: &Notebook) -> bool {
    match command {
        Command::Undo | Command::Redo => undo_label(command, notebook).is_some(),
        Command::Back => notebook.can_turn(false),
        Command::Next => notebook.can_turn(true),
        _ => true,
    }
}

/// Draws the commands of a bar as buttons, and collects those that are clicked.
pub struct CommandButtons<'a> {
    /// The notebook, which determines the enabled commands.
    pub notebook: &'a Notebook,
    pub theme: &'a Theme,
    /// Receives the clicked commands.
    pub requests: &'a mut Requests,
}

impl CommandButtons<'_> {
    /// Draws a button with an icon, and with its label if `has_label` is true.
    pub(crate) fn button(&mut self, ui: &mut Ui, command: Command, icon: &str, has_label: bool) {
        let enabled = is_enabled(command, self.notebook);
        let ink = self.theme.ink;
        let color = if enabled { ink } else { self.theme.quiet.gamma_multiply(0.6) };
        let label =
            has_label.then(|| (command.text(), 6.0, egui::FontId::proportional(SMALL_SIZE)));
        let parts = [(icon, 0.0, font::icon(17.0))].into_iter().chain(label);
        let job = icon_line(parts, color);
        let button = egui::Button::new(job).min_size(vec2(32.0, 30.0)).frame_when_inactive(false);
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, command.text()));
        let hint = command.hint(ui.ctx(), undo_label(command, self.notebook));
        if response.tip(hint).clicked() {
            self.requests.commands.push(command);
        }
    }

    /// Draws the button to the next page.
    pub(crate) fn next_button(&mut self, ui: &mut Ui, has_label: bool) {
        let enabled = is_enabled(Command::Next, self.notebook);
        let label = has_label.then(|| ("Next", 0.0, font::strong(SMALL_SIZE)));
        let icon_gap = if has_label { 4.0 } else { 0.0 };
        let icon = (icons::CARET_RIGHT, icon_gap, font::icon(INTERFACE_SIZE));
        let job = icon_line(label.into_iter().chain([icon]), self.theme.on_accent);
        let button = egui::Button::new(job)
            .fill(self.theme.accent)
            .stroke(Stroke::new(1.0, self.theme.accent))
            .min_size(vec2(36.0, 30.0));
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, "Next"));
        let hint = Command::Next.hint(ui.ctx(), None);
        if response.tip(hint).clicked() {
            self.requests.commands.push(Command::Next);
        }
    }
}
