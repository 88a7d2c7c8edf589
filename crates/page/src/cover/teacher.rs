//! What is there for who teaches a class, each a click away.

use eframe::egui::{Link, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::choice::{CoverChoice, CoverNotebook};
use crate::command::Command;
use crate::theme::{BODY, INTERFACE, Theme, font};

/// Widest lines, in points.
const WIDE: f32 = 720.0;

/// What there is besides routes: on the button, and what it is for.
const HELP: [(Command, &str, &str); 7] = [
    (
        Command::InviteClass,
        "Invite the class",
        "Phones and laptops join by a code on the screen, without an account. They follow your \
         steps, guess together and answer twice, and you see everyone’s page.",
    ),
    (
        Command::Present,
        "Present",
        "Large type for the projector, paragraph by paragraph. A clicker turns pages and reveals \
         guesses; pen, spotlight, freeze and blank are a key each.",
    ),
    (
        Command::Notes,
        "Your notes",
        "A window of your own: what to ask, which wrong answers to expect and why, how many \
         minutes are left.",
    ),
    (
        Command::Export,
        "Handouts",
        "The lesson on paper, with its pictures, and the answers on a sheet of their own. \
         Questions before and after, to see what was learnt.",
    ),
    (
        Command::CopyLink,
        "Links",
        "A link opens this very page with these very values. Put it into your slides, your chat \
         or your course.",
    ),
    (
        Command::Open,
        "Courses and models",
        "Open a course of your own, or a model of your own in any lesson. “bindpose new” on the \
         command line begins a course.",
    ),
    (Command::Keys, "Keys", "All of them, on one page."),
];

pub(super) fn ui(
    ui: &mut Ui,
    theme: &Theme,
    notebook: &CoverNotebook,
    chosen: &mut Option<CoverChoice>,
) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(WIDE.min(ui.available_width()));
        ui.add_space(12.0);
        heading(ui, theme, "I teach a class", 34.0);
        ui.add_space(20.0);
        heading(ui, theme, "Ways through, with minutes", BODY + 2.0);
        ui.add_space(4.0);
        for route in &notebook.routes {
            let choice = || CoverChoice::Follow(route.name.clone());
            entry(ui, theme, (&route.title, &route.about), choice, chosen);
        }
        ui.add_space(20.0);
        heading(ui, theme, "In the room", BODY + 2.0);
        ui.add_space(4.0);
        for (command, title, about) in HELP {
            let choice = || CoverChoice::Do(command);
            entry(ui, theme, (title, about), choice, chosen);
        }
        ui.add_space(24.0);
    });
}

fn heading(ui: &mut Ui, theme: &Theme, words: &str, size: f32) {
    let label = ui.label(RichText::new(words).font(font::strong(size)).color(theme.ink));
    label.widget_info(|| WidgetInfo::labeled(Role::Heading, true, words));
}

fn entry(
    ui: &mut Ui,
    theme: &Theme,
    (title, about): (&str, &str),
    choice: impl Fn() -> CoverChoice,
    chosen: &mut Option<CoverChoice>,
) {
    ui.spacing_mut().item_spacing = vec2(12.0, 2.0);
    ui.add_space(8.0);
    let words = RichText::new(title).font(font::strong(BODY)).color(theme.accent);
    if ui.add(Link::new(words)).clicked() {
        *chosen = Some(choice());
    }
    ui.label(RichText::new(about).size(INTERFACE).color(theme.quiet));
}
