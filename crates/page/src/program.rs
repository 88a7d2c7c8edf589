//! Whole programs among the prose: a listing with its name and a button that
//! copies it. Long ones show their beginning, so that what follows stays near.

use eframe::egui::{Label, RichText, Ui};

use super::PageContext;
use super::code;
use super::theme::{CAPTION, SMALL};
use super::widgets::{RightGroup, Tip as _, panel, small_button};

/// Programs of more lines than this are folded.
const MOST_LINES: usize = 24;
/// Of a folded one, so many are shown.
const FOLDED_LINES: usize = 12;

/// What a listing keeps from frame to frame.
#[derive(Default)]
struct ListingState {
    /// Is all of it shown?
    all: bool,
}

/// A listing that stands for a program. `name` is unique in all lessons.
pub fn program_ui(
    ui: &mut Ui,
    language: &str,
    name: &str,
    source: &str,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let memory: &mut ListingState = page.state(&format!("listing {name}"));
    let lines = source.lines().count();
    panel(ui, theme, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        ui.horizontal(|ui| {
            let words = format!("{name}, {}, {lines} lines", language_name(language));
            let words = RichText::new(words).size(CAPTION).color(theme.quiet);
            let copying = RightGroup::new(ui, "copy");
            ui.scope(|ui| {
                ui.set_max_width(copying.rest.width());
                ui.add(Label::new(words).truncate());
            });
            copying.show(ui, |ui| {
                let copy = ui.add(small_button("Copy"));
                if copy.tip("Copy the whole program").clicked() {
                    ui.ctx().copy_text(format!("{source}\n"));
                }
            });
        });
        let folds = lines > MOST_LINES;
        let shown = if folds && !memory.all { first_lines(source, FOLDED_LINES) } else { source };
        code::source_ui(ui, language, shown, theme);
        if folds {
            let words = if memory.all {
                format!("Show the first {FOLDED_LINES} lines")
            } else {
                format!("Show all {lines} lines")
            };
            if ui.button(RichText::new(words).size(SMALL)).clicked() {
                memory.all = !memory.all;
            }
        }
    });
}

fn first_lines(source: &str, count: usize) -> &str {
    let end = source.match_indices('\n').nth(count.saturating_sub(1));
    end.map_or(source, |(at, _)| &source[..at])
}

/// As its makers write it.
fn language_name(language: &str) -> &str {
    match language {
        "glsl" => "GLSL",
        "rust" => "Rust",
        "js" => "JavaScript",
        other => other,
    }
}
