//! How matrices are written down: switches, and what systems have, with their names for
//! things.

use bindpose_lesson::{ConventionsCell, KnownSystem, Setting, short_text};
use bindpose_notebook::Edit;
use bindpose_skin::{ConventionAxes, Conventions, MemoryOrder, Vectors};
use eframe::egui::{ComboBox, Grid, RichText, Ui};

use crate::PageContext;
use crate::prose::text_ui;
use crate::theme::{CAPTION, SMALL};
use crate::widgets::{Emphasis, Tip as _, buttons, combo, option_button, small_button};

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
            "The matrix is left of the vector; read products from right to left",
        ),
        (
            Vectors::Rows,
            "rows: v · M",
            "The matrix is right of the vector; read products from left to right",
        ),
    ];
    if let Some(side) = buttons::choose_segment(ui, page.theme, &sides, now.vectors, false) {
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
    if let Some(order) = buttons::choose_segment(ui, page.theme, &orders, now.memory, false) {
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
    Grid::new((id, "words")).num_columns(2).min_row_height(CAPTION).spacing([14.0, 2.0]).show(
        ui,
        |ui| {
            for word in system.words() {
                ui.label(page.theme.caption(word.ours));
                text_ui(ui, &short_text(word.theirs), CAPTION, Emphasis::Plain, page);
                ui.end_row();
            }
        },
    );
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
            ui.label(page.theme.caption("All pages use this unless they say something else."));
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

#[cfg(test)]
mod tests {
    use eframe::egui::accesskit::Role;
    use egui_kittest::kittest::{NodeT as _, Queryable};

    use super::*;
    use crate::cells::testing::{Page, harness};

    fn cell_alone() -> egui_kittest::Harness<'static, Page> {
        let cell = ConventionsCell::default();
        let mut harness = harness(Page::new("arm"), move |view, page| {
            ui(view, &cell, "it", page);
        });
        harness.run();
        harness
    }

    #[test]
    fn a_switch_puts_a_setting_and_can_be_kept_for_all_pages() {
        let mut harness = cell_alone();
        assert!(harness.query_by_label("So on all pages").is_none());
        harness.get_by_label("rows: v · M").click();
        harness.run();
        let written_as = harness.state().document.state.written_as;
        assert_eq!(written_as.vectors, Some(Vectors::Rows));
        assert_eq!(written_as.memory, None);
        harness.get_by_label("So on all pages").click();
        harness.run();
        assert_eq!(harness.state().view.conventions.vectors, Vectors::Rows);
        harness.get_by_label("As in the text").click();
        harness.run();
        let page = harness.state();
        assert_eq!(page.view.conventions, Conventions::default());
        let written_as = page.document.state.written_as;
        assert_eq!(written_as.over(page.view.conventions), Conventions::default());
    }

    #[test]
    fn a_system_puts_all_three_and_tells_its_names() {
        let mut harness = cell_alone();
        harness.get_by_role_and_label(Role::Button, "Unreal").click();
        harness.run();
        let page = harness.state();
        let conventions = page.document.state.written_as.over(page.view.conventions);
        assert_eq!(conventions, KnownSystem::Unreal.conventions());
        harness.get_by_label_contains("RefBasesInvMatrix");
        let chosen = harness.get_by_role_and_label(Role::Button, "Unreal");
        assert_eq!(chosen.accesskit_node().toggled(), Some(eframe::egui::accesskit::Toggled::True));
    }
}
