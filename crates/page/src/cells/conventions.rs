//! Conventions for writing matrices: switches for each of them, and the conventions and
//! terms of known systems.

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE};
use bindpose_kit::widgets::{
    Emphasis, Tip as _, buttons, drop_down_list, option_button, small_button,
};
use bindpose_lesson::{ConventionsCell, KnownSystem, Setting, short_text};
use bindpose_notebook::Edit;
use bindpose_skin::{ConventionAxes, Conventions, MemoryOrder, Vectors};
use eframe::egui::{ComboBox, Grid, RichText, Ui};

use crate::PageContext;
use crate::prose::text_ui;

/// The last system chosen by the reader.
#[derive(Default)]
struct ChosenSystem(Option<KnownSystem>);

pub(super) fn ui(ui: &mut Ui, cell: &ConventionsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.switches {
        switches_ui(ui, id, page);
    }
    let chosen = page.state::<ChosenSystem>(id).0.or_else(|| cell.systems.first().copied());
    systems_ui(ui, cell, id, page);
    if let Some(system) = chosen {
        terms_ui(ui, id, system, page);
    }
    default_buttons_ui(ui, page);
}

fn switches_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let conventions = page.conventions();
    ui.label(page.theme.label("vectors"));
    let vector_choices = [
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
    let vectors = conventions.vectors;
    let chosen = buttons::choose_segment(ui, page.theme, &vector_choices, vectors, false);
    if let Some(vectors) = chosen {
        page.choose(Setting::Vectors(Some(vectors)));
    }
    ui.label(page.theme.label("order in memory"));
    let memory_choices = [
        (
            MemoryOrder::Columns,
            "column by column",
            "The first column of what is written, then the second",
        ),
        (MemoryOrder::Rows, "row by row", "The first row of what is written, then the second"),
    ];
    let memory = conventions.memory;
    let chosen = buttons::choose_segment(ui, page.theme, &memory_choices, memory, false);
    if let Some(memory) = chosen {
        page.choose(Setting::Memory(Some(memory)));
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("axes"));
        let list = ComboBox::from_id_salt((id, "axes")).width(270.0);
        let name = "the axes in which matrices are written";
        let all = ConventionAxes::ALL;
        let chosen =
            drop_down_list(ui, list, name, &conventions.axes, all, |axes: &ConventionAxes| {
                axes.label().to_owned()
            });
        if let Some(axes) = chosen {
            page.choose(Setting::Axes(Some(axes)));
        }
    });
}

/// Draws a button for each system, which sets all its conventions.
fn systems_ui(ui: &mut Ui, cell: &ConventionsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.systems.is_empty() {
        return;
    }
    let conventions = page.conventions();
    let chosen = page.state::<ChosenSystem>(id).0;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(page.theme.label("as in"));
        for &system in &cell.systems {
            let is_on = chosen == Some(system) && system.conventions() == conventions;
            let button = ui.add(option_button(is_on, system.label()));
            let tip = format!("Write matrices as {} does", system.label());
            if button.tip(tip).clicked() {
                page.state::<ChosenSystem>(id).0 = Some(system);
                let settings = convention_settings(system.conventions());
                page.requests.edits.push(Edit::Settings(settings.into()));
            }
        }
    });
}

fn convention_settings(conventions: Conventions) -> [Setting; 3] {
    [
        Setting::Vectors(Some(conventions.vectors)),
        Setting::Memory(Some(conventions.memory)),
        Setting::Axes(Some(conventions.axes)),
    ]
}

/// Draws the conventions of a system and its terms.
fn terms_ui(ui: &mut Ui, id: &str, system: KnownSystem, page: &mut PageContext<'_>) {
    let conventions = system.conventions();
    let summary = format!(
        "{}: {}, {} in memory, {}.",
        system.label(),
        conventions.vectors.label(),
        conventions.memory.label(),
        conventions.axes.label()
    );
    ui.label(RichText::new(summary).size(SMALL_SIZE).strong());
    Grid::new((id, "words")).num_columns(2).min_row_height(CAPTION_SIZE).spacing([14.0, 2.0]).show(
        ui,
        |ui| {
            for term in system.words() {
                ui.label(page.theme.caption(term.ours));
                text_ui(ui, &short_text(term.theirs), CAPTION_SIZE, Emphasis::Plain, page);
                ui.end_row();
            }
        },
    );
    text_ui(ui, &short_text(system.caution()), SMALL_SIZE, Emphasis::Plain, page);
}

/// Draws the buttons that use the conventions on all pages, or restore those of the text.
fn default_buttons_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let conventions = page.conventions();
    let view_conventions = page.view.conventions;
    let default = Conventions::default();
    if conventions == view_conventions && view_conventions == default {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if conventions == view_conventions {
            ui.label(page.theme.caption("All pages use this unless they say something else."));
        } else if ui.add(small_button("So on all pages")).clicked() {
            page.view.conventions = conventions;
        }
        if ui.add(small_button("As in the text")).clicked() {
            page.view.conventions = default;
            if conventions != default {
                page.requests.edits.push(Edit::Settings(convention_settings(default).into()));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::accesskit::Role;
    use egui_kittest::kittest::{NodeT as _, Queryable};

    use super::*;
    use crate::cells::testing::{Page, harness};

    fn conventions_harness() -> egui_kittest::Harness<'static, Page> {
        let cell = ConventionsCell::default();
        let mut harness = harness(Page::new("arm"), move |ui, page| {
            super::ui(ui, &cell, "it", page);
        });
        harness.run();
        harness
    }

    #[test]
    fn switch_changes_a_setting_that_can_be_used_on_all_pages() {
        let mut harness = conventions_harness();
        assert!(harness.query_by_label("So on all pages").is_none());
        harness.click_label("rows: v · M");
        let written_as = harness.state().document.state.written_as;
        assert_eq!(written_as.vectors, Some(Vectors::Rows));
        assert_eq!(written_as.memory, None);
        harness.click_label("So on all pages");
        assert_eq!(harness.state().view.conventions.vectors, Vectors::Rows);
        harness.click_label("As in the text");
        let page = harness.state();
        assert_eq!(page.view.conventions, Conventions::default());
        let written_as = page.document.state.written_as;
        assert_eq!(written_as.over(page.view.conventions), Conventions::default());
    }

    #[test]
    fn system_sets_all_conventions_and_lists_its_terms() {
        let mut harness = conventions_harness();
        harness.click_role(Role::Button, "Unreal");
        let page = harness.state();
        let conventions = page.document.state.written_as.over(page.view.conventions);
        assert_eq!(conventions, KnownSystem::Unreal.conventions());
        harness.get_by_label_contains("RefBasesInvMatrix");
        let chosen = harness.get_by_role_and_label(Role::Button, "Unreal");
        assert_eq!(chosen.accesskit_node().toggled(), Some(eframe::egui::accesskit::Toggled::True));
    }
}
