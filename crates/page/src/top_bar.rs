//! The bar along the top: where one is, and what can be done from anywhere.

mod buttons;
mod phone;

use bindpose_lesson::LessonStep;
use bindpose_notebook::{Navigation, Notebook, PageAddress};
use eframe::egui::{self, Align, Layout, Rect, RichText, Sense, Ui, UiBuilder, WidgetInfo, vec2};

use crate::command::Command;
use crate::icons;
use crate::theme::{SMALL, Theme, family};
use crate::widgets::Tip as _;
use crate::widgets::{RightGroup, describe_progress, paint_progress};
pub use buttons::CommandButtons;
use buttons::{title, title_width};
pub use phone::menu;

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
        phone::ui(ui, buttons);
        return;
    }
    ui.spacing_mut().item_spacing.x = if width > 760.0 { 8.0 } else { 4.0 };
    ui.horizontal_centered(|ui| {
        buttons.button(ui, Command::Contents, icons::LIST, false);
        if width > ROOM_FOR_SEARCH && !state.has_contents {
            buttons.button(ui, Command::Search, icons::MAGNIFYING_GLASS, false);
        }
        let name = RichText::new("Bindpose").family(family::strong());
        ui.label(name.size(17.0));
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

/// `Step 3: Two plus two is four`, or without its title.
pub(super) fn step_name(index: usize, step: &LessonStep, quiet: bool) -> String {
    if quiet {
        format!("Step {}", index + 1)
    } else {
        format!("Step {}: {}", index + 1, step.title)
    }
}
