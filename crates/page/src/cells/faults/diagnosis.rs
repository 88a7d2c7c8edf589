//! One fault is on and hidden; the reader names it from pictures and numbers.

use bindpose_lesson::{FaultName, FaultsCell};
use bindpose_notebook::Edit;
use bindpose_notebook::exercise_cells::DIAGNOSE;
use bindpose_notebook::faults::{Diagnosed, fault_of_draw, judge_fault, offered_by_id};
use bindpose_notebook::question::answer;
use eframe::egui::{Button, Ui};

use super::state::FaultsState;
use super::{card, row};
use crate::PageContext;
use crate::theme::{CAPTION, LEAD, SMALL};
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, Tone, card as framed, card_heading, note, verdict};

/// Draws the question.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &FaultsCell,
    id: &str,
    state: &mut FaultsState,
    page: &mut PageContext<'_>,
) {
    let draw = page.document.draw_of(id);
    let Some(hidden) = fault_of_draw(cell, id, draw) else {
        return;
    };
    let given = page.document.state.answers.get(id);
    let guess = given.and_then(|given| offered_by_id(cell, &given.text));
    let named = guess.filter(|_| given.is_some_and(|given| given.given));
    let right = named == Some(hidden);
    let theme = page.theme;
    let tone = if right { Tone::Right } else { Tone::Task };
    framed(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        card_heading(ui, theme, tone, "Diagnosis", |ui| {
            if !right && page.answer(id, draw).is_some_and(|one| one.solved) {
                ui.label(theme.label("named before"));
            }
        });
        note(ui, theme, DIAGNOSE, LEAD, Emphasis::Plain);
        for at in 0..state.switches.len() {
            if let Some(fault) = state.switches.get(at).map(|switch| switch.fault) {
                candidate(ui, fault, guess == Some(fault), id, page);
            }
        }
        if let Some(named) = named {
            reply(ui, named, hidden, state, page);
        }
        if right {
            card::provenance(ui, theme, &hidden);
            another(ui, cell, id, draw, state.switches.len(), page);
        } else {
            name_it(ui, guess, named.is_some(), id, page);
        }
    });
}

/// One that can be chosen; what is known of it shows while it is.
fn candidate(ui: &mut Ui, fault: FaultName, on: bool, id: &str, page: &mut PageContext<'_>) {
    if row::ui(ui, page.theme, &fault, on, false).clicked() && !on {
        page.edits.push(answer(id, fault.id, false));
    }
    if on {
        ui.indent((id, fault.id), |ui| card::signs(ui, page.theme, &fault));
    }
}

/// Right, or the number that excludes the guess.
fn reply(
    ui: &mut Ui,
    named: FaultName,
    hidden: FaultName,
    state: &mut FaultsState,
    page: &PageContext<'_>,
) {
    let right = named == hidden;
    let word = if right { "Right" } else { "Not this one" };
    verdict(ui, page.theme, word, CAPTION, right);
    let excluded = state.told(named, page, |page| {
        match judge_fault(named, hidden, (page.document, page.lesson), page.derived) {
            Diagnosed::Right => None,
            Diagnosed::Excluded(Some(found)) => Some(format!("With this fault, {found}.")),
            Diagnosed::Excluded(None) => {
                Some("No number of this page tells the two apart.".to_owned())
            }
        }
    });
    if let Some(words) = excluded {
        note(ui, page.theme, words, SMALL, Emphasis::Strong);
    }
}

fn name_it(
    ui: &mut Ui,
    guess: Option<FaultName>,
    is_given: bool,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let why_not = if is_given { "This one was named" } else { "Choose one first" };
    let enabled = guess.is_some() && !is_given;
    let button = ui.add_enabled(enabled, Button::new("Name it"));
    if button.tip_disabled(why_not).clicked()
        && let Some(guess) = guess
    {
        page.edits.push(answer(id, guess.id, true));
    }
}

/// Hides another one.
fn another(
    ui: &mut Ui,
    cell: &FaultsCell,
    id: &str,
    draw: usize,
    count: usize,
    page: &mut PageContext<'_>,
) {
    let next = (draw + 1) % count.max(1);
    if fault_of_draw(cell, id, next).is_none() || next == draw {
        return;
    }
    let button = ui
        .button("Another one")
        .tip("The step begins as it opens; what was named stays in your record");
    if button.clicked() {
        page.view.playing.stop();
        page.edits.push(Edit::Draw { cell: id.to_owned(), draw: next, afresh: true });
    }
}
