//! Above the title of a step: what the reader has changed there, each with its way
//! back. It stands in a line that is there anyway: prose must not jump when the
//! reader takes hold of its first number.

use bindpose_notebook::{Edit, Notebook, StepChange};
use eframe::egui::{
    Align, Button, Color32, Frame, Layout, Margin, Popup, PopupCloseBehavior, Response, RichText,
    Stroke, Ui, WidgetInfo, accesskit::Role, vec2,
};

use super::PageContext;
use super::command::Command;
use super::theme::{CAPTION, SMALL, font};
use super::widgets::small_button;
use crate::widgets::Tip as _;

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
    /// Is there a step that the reader can carry on to?
    pub leads_on: bool,
}

impl ChangedStep {
    /// At the step that the notebook has open.
    pub fn at_step(notebook: &Notebook) -> Self {
        Self {
            changes: notebook.changes(),
            carried: notebook.is_carried(),
            leads_on: notebook.leads_on(),
        }
    }
}

/// Shows it in what is left of the line; nothing when nothing is changed.
pub fn ui(
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
    vec![
        format!("{whole}: {}", labels.join(", ")),
        format!("{count} {whole}"),
        format!("{count} {short}"),
    ]
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
