//! Whole programs in the prose, with their name and a button that copies them. Only the
//! beginning of a long one is shown, so that the text after it stays near. Stops of the step
//! light a line of a listing.

use bindpose_kit::code;
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE};
use bindpose_kit::widgets::{RightGroup, Tip as _, panel, small_button};
use bindpose_lesson::CellKind;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::holds;
use eframe::egui::{Label, RichText, Ui};

use crate::PageContext;

/// Maximum number of lines of a program that is not folded.
const MAX_UNFOLDED_LINES: usize = 24;
/// Number of visible lines of a folded program.
const FOLDED_LINES: usize = 12;

/// State of a listing.
#[derive(Default)]
struct ListingState {
    is_unfolded: bool,
}

/// Draws a program with its name. `name` is unique in all lessons.
pub(super) fn program_ui(
    ui: &mut Ui,
    language: &str,
    name: &str,
    source: &str,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let lit_line = lit_line(source, page);
    let state: &mut ListingState = page.state(&format!("listing {name}"));
    let line_count = source.lines().count();
    panel(ui, theme, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        ui.horizontal(|ui| {
            let title = format!("{name}, {}, {line_count} lines", language_label(language));
            let title = RichText::new(title).size(CAPTION_SIZE).color(theme.quiet);
            let copy_group = RightGroup::new(ui, "copy");
            ui.scope(|ui| {
                ui.set_max_width(copy_group.rest.width());
                ui.add(Label::new(title).truncate());
            });
            copy_group.show(ui, |ui| {
                let copy = ui.add(small_button("Copy"));
                if copy.tip("Copy the whole program").clicked() {
                    ui.ctx().copy_text(format!("{source}\n"));
                }
            });
        });
        let can_fold = line_count > MAX_UNFOLDED_LINES;
        let visible_source =
            if can_fold && !state.is_unfolded { first_lines(source, FOLDED_LINES) } else { source };
        code::source_ui(ui, language, visible_source, lit_line, theme);
        if can_fold {
            let label = if state.is_unfolded {
                format!("Show the first {FOLDED_LINES} lines")
            } else {
                format!("Show all {line_count} lines")
            };
            if ui.button(RichText::new(label).size(SMALL_SIZE)).clicked() {
                state.is_unfolded = !state.is_unfolded;
            }
        }
    });
}

/// Returns the index of the line of a listing that the current stop of the step lights.
pub(super) fn lit_line(source: &str, page: &PageContext<'_>) -> Option<usize> {
    let stops = cells_at(page.lesson, page.document.step).filter_map(|cell| match &cell.kind {
        CellKind::Stops(stops) => Some(&*stops.stops),
        _ => None,
    });
    let mut lighting = stops.flatten().filter(|stop| !stop.line.is_empty());
    let stop = lighting.find(|stop| holds(&stop.set.0, page.document, page.derived))?;
    source.lines().position(|line| line.contains(&stop.line))
}

fn first_lines(source: &str, count: usize) -> &str {
    let end = source.match_indices('\n').nth(count.saturating_sub(1));
    end.map_or(source, |(index, _)| &source[..index])
}

/// Returns the usual spelling of a language name.
fn language_label(language: &str) -> &str {
    match language {
        "glsl" => "GLSL",
        "rust" => "Rust",
        "js" => "JavaScript",
        other => other,
    }
}
