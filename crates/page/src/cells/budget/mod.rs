//! How many joints fit in so many slots of uniforms, where else they could go,
//! and which transport the picture takes.

mod bar;
mod characters;
mod storage;
mod table;
#[cfg(test)]
mod tests;
mod transports;

use bindpose_lesson::BudgetCell;
use bindpose_notebook::uniform_budget::TAKEN;
use eframe::egui::{RichText, Ui, vec2};

use super::device;
use crate::PageContext;
use crate::theme::{BODY, font};
use crate::widgets::Tip as _;
use crate::widgets::{Scrub, ScrubChange, option_button};
use storage::{Storage, StorageNumbers};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &BudgetCell, id: &str, page: &mut PageContext<'_>) {
    let name = cell.limit.as_deref().unwrap_or("vec4s");
    let Some(vec4s) = count(ui, page, name) else {
        return;
    };
    let others = match cell.others.as_deref() {
        None => TAKEN,
        Some(others) => match count(ui, page, others) {
            Some(others) => others,
            None => return,
        },
    };
    let budget = StorageNumbers { vec4s, others };
    let storage = *page.state::<Storage>(id);
    controls(ui, id, name, vec4s, page);
    if let Some(name) = cell.others.as_deref() {
        others_control(ui, id, name, others, page);
    }
    bar::ui(ui, page.theme, budget, storage);
    ui.add_space(2.0);
    ui.scope(|ui| {
        if cell.characters {
            characters::ui(ui, page, budget);
        } else if let Some(chosen) = table::joints_that_fit(ui, page, budget, storage) {
            *page.state(id) = chosen;
            ui.ctx().request_repaint();
        }
        if cell.printed {
            table::printed_figures(ui, page.theme);
        }
    });
    if !cell.ways {
        return;
    }
    ui.add_space(6.0);
    device::chooser(ui, id, page);
    transports::transports_ui(ui, page);
    transports::limits_ui(ui, page);
}

/// The value of a parameter of the lesson, or words in its place.
fn count(ui: &mut Ui, page: &PageContext<'_>, name: &str) -> Option<u32> {
    let Some(value) = page.derived.param(name) else {
        let words = format!("The lesson has no parameter “{name}” for the number of uniforms.");
        ui.label(RichText::new(words).color(page.theme.wrong));
        return None;
    };
    Some(value.round().clamp(0.0, f64::from(u32::MAX)) as u32)
}

fn controls(ui: &mut Ui, id: &str, name: &str, vec4s: u32, page: &mut PageContext<'_>) {
    let here = page.limits.map(|limits| limits.vertex_uniform_vec4s);
    let own = here.map_or_else(
        || "this machine: no GL here".to_owned(),
        |here| format!("{here} this machine"),
    );
    let asked = "GL_MAX_VERTEX_UNIFORM_VECTORS, asked of this machine's driver";
    let presets = [
        (Some(64), "64", "What the articles begin with"),
        (Some(128), "128 WebGL 1", "Every WebGL 1 device has at least this"),
        (Some(256), "256 WebGL 2", "Every WebGL 2 device has at least this"),
        (here, &*own, asked),
    ];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("slots").color(page.theme.quiet));
        let label = "number of slots";
        number(ui, page, (id, "vec4s"), name, vec4s, label);
        for (preset, text, help) in presets {
            let button = option_button(preset == Some(vec4s), text);
            let response = ui.add_enabled(preset.is_some(), button).tip(help);
            let chosen = preset.filter(|_| response.clicked());
            page.change_param(name, chosen.map(|n| ScrubChange::Set(n.into())));
        }
    });
}

fn others_control(ui: &mut Ui, id: &str, name: &str, others: u32, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.label(RichText::new("of these for everything else").color(page.theme.quiet));
        let label = "slots for everything but joints";
        number(ui, page, (id, "others"), name, others, label);
    });
}

/// A parameter to drag.
fn number(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    id: (&str, &str),
    name: &str,
    value: u32,
    label: &str,
) {
    let scrub = Scrub::new(id, f64::from(value), label)
        .whole()
        .range(0.0..=65_536.0)
        .chars(5)
        .font(font::mono_strong(BODY));
    page.change_param(name, scrub.show(ui));
}
