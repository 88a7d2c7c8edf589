//! How matrices are written down: switches, and what systems have, with their names for
//! things.

#[cfg(test)]
mod tests;

use bindpose_lesson::{ConventionsCell, KnownSystem, Setting, short_text};
use bindpose_notebook::Edit;
use bindpose_skin::{ConventionAxes, Conventions, MemoryOrder, Vectors};
use eframe::egui::{ComboBox, Grid, RichText, Ui};

use crate::PageContext;
use crate::prose::text_ui;
use crate::theme::{CAPTION, SMALL};
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, combo, option_button, segmented, small_button};

/// The system whose words are shown.
#[derive(Default)]
struct ShownSystem(Option<KnownSystem>);

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ConventionsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.switches {
        switches(ui, id, page);
    }
    let shown = page.state::<ShownSystem>(id).0;
    let shown = shown.or_else(|| cell.systems.first().copied());
    systems(ui, cell, id, page);
    if let Some(system) = shown {
        words(ui, id, system, page);
    }
    all_pages(ui, page);
}

fn switches(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let now = page.conventions();
    ui.label(page.theme.label("vectors"));
    let sides = [
        (
            Vectors::Columns,
            "columns: M · v",
            "The matrix stands left of the vector; products are read from the right to the left",
        ),
        (
            Vectors::Rows,
            "rows: v · M",
            "The matrix stands right of the vector; products are read from the left to the right",
        ),
    ];
    if let Some(side) = segmented::choose(ui, page.theme, &sides, now.vectors, false) {
        page.choose(Setting::Vectors(Some(side)));
    }
    ui.label(page.theme.label("order in memory"));
    let orders = [
        (
            MemoryOrder::Columns,
            "column by column",
            "The first column of what is written, then the second",
        ),
        (MemoryOrder::Rows, "row by row", "The first row of what is written, then the second"),
    ];
    if let Some(order) = segmented::choose(ui, page.theme, &orders, now.memory, false) {
        page.choose(Setting::Memory(Some(order)));
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("axes"));
        let list = ComboBox::from_id_salt((id, "axes")).width(270.0);
        let label = |axes: &ConventionAxes| axes.label().to_owned();
        let name = "the axes in which matrices are written";
        if let Some(axes) = combo(ui, list, name, &now.axes, ConventionAxes::ALL, label) {
            page.choose(Setting::Axes(Some(axes)));
        }
    });
}

/// One button a system; it puts all three switches.
fn systems(ui: &mut Ui, cell: &ConventionsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.systems.is_empty() {
        return;
    }
    let now = page.conventions();
    let shown = page.state::<ShownSystem>(id).0;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(page.theme.label("as in"));
        for &system in &cell.systems {
            let on = shown == Some(system) && system.conventions() == now;
            let button = ui.add(option_button(on, system.label()));
            let tip = format!("Write matrices as {} does", system.label());
            if button.tip(tip).clicked() {
                page.state::<ShownSystem>(id).0 = Some(system);
                let settings = settings_of(system.conventions());
                page.edits.push(Edit::Settings(settings.into()));
            }
        }
    });
}

fn settings_of(conventions: Conventions) -> [Setting; 3] {
    [
        Setting::Vectors(Some(conventions.vectors)),
        Setting::Memory(Some(conventions.memory)),
        Setting::Axes(Some(conventions.axes)),
    ]
}

/// What things are called there.
fn words(ui: &mut Ui, id: &str, system: KnownSystem, page: &mut PageContext<'_>) {
    let conventions = system.conventions();
    let as_written = format!(
        "{}: {}, {} in memory, {}.",
        system.label(),
        conventions.vectors.label(),
        conventions.memory.label(),
        conventions.axes.label()
    );
    ui.label(RichText::new(as_written).size(SMALL).strong());
    Grid::new((id, "words")).num_columns(2).spacing([14.0, 4.0]).show(ui, |ui| {
        for word in system.words() {
            ui.label(page.theme.caption(word.ours));
            text_ui(ui, &short_text(word.theirs), CAPTION, Emphasis::Plain, page);
            ui.end_row();
        }
    });
    text_ui(ui, &short_text(system.caution()), SMALL, Emphasis::Plain, page);
}

/// The same on all other pages, or as prose has it again.
fn all_pages(ui: &mut Ui, page: &mut PageContext<'_>) {
    let now = page.conventions();
    let kept = page.view.conventions;
    if now == kept && kept == Conventions::default() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if now == kept {
            ui.label(page.theme.caption("So it is on all pages that do not say otherwise."));
        } else if ui.add(small_button("So on all pages")).clicked() {
            page.view.conventions = now;
        }
        let usual = Conventions::default();
        if ui.add(small_button("As in the text")).clicked() {
            page.view.conventions = usual;
            if now != usual {
                page.edits.push(Edit::Settings(settings_of(usual).into()));
            }
        }
    });
}
