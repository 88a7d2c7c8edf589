//! Faults as switches; those that are on show their cards.

use bindpose_notebook::Edit;
use bindpose_notebook::faults::{FaultSwitch, difference_to_right};
use eframe::egui::Ui;

use super::state::FaultsState;
use super::{card, row};
use crate::PageContext;
use crate::theme::SMALL;
use crate::widgets::{Emphasis, Tone, note, small_button};

/// Larger meshes are not walked for a sentence.
const MOST_VERTICES: usize = 50_000;

/// Draws the switches, in the order of the way from a file to the picture.
pub(super) fn ui(ui: &mut Ui, state: &mut FaultsState, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let several_places = state
        .switches
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.fault.place != b.fault.place));
    let mut place = None;
    for at in 0..state.switches.len() {
        let Some(switch) = state.switches.get(at).cloned() else {
            continue;
        };
        if several_places && place != Some(switch.fault.place) {
            place = Some(switch.fault.place);
            ui.label(theme.caption(switch.fault.place.label()));
        }
        let on = switch.is_on(&page.document.state);
        if row::ui(ui, theme, &switch.fault, on, true).clicked() {
            let settings = switch.switched(!on, &page.document.state);
            page.edits.push(Edit::Settings(settings));
        }
        if on {
            opened(ui, &switch, state, page);
        }
    }
    let all_off = FaultSwitch::all_off(&state.switches, &page.document.state);
    ui.horizontal_wrapped(|ui| {
        let button = ui.add_enabled(!all_off.is_empty(), small_button("All right again"));
        if button.clicked() {
            page.edits.push(Edit::Settings(all_off));
        }
    });
}

fn opened(ui: &mut Ui, switch: &FaultSwitch, state: &mut FaultsState, page: &PageContext<'_>) {
    let theme = page.theme;
    crate::widgets::card(ui, theme, Tone::Wrong, |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        card::signs(ui, theme, &switch.fault);
        let small = page.derived.rig.mesh.positions.len() <= MOST_VERTICES;
        if small {
            let told = state.told(switch.fault, page, |page| Some(here(switch, page)));
            if let Some(words) = told {
                note(ui, theme, words, SMALL, Emphasis::Strong);
            }
        }
        card::provenance(ui, theme, &switch.fault);
    });
}

/// `Here: x of v6 is 0.85; without this fault it would be 1.20.`
fn here(switch: &FaultSwitch, page: &PageContext<'_>) -> String {
    let found = difference_to_right(switch, (page.document, page.lesson), page.derived);
    match found {
        Some(found) => {
            let [here, right] = found.numbers();
            format!("Here: {} is {here}; without this fault it would be {right}.", found.what)
        }
        None => "Here it changes nothing: no number of this page differs.".to_owned(),
    }
}
