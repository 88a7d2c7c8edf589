//! A place for matrices or positions of the reader's own engine: which of the page's
//! matrices they are, and how, or where they part from them.

mod beside;
mod findings;
mod given;
mod matching;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use bindpose_lesson::EngineNumbersCell;
use bindpose_notebook::engine_numbers::{EngineMistake, EngineNumbers, GivenExample};
use bindpose_notebook::number_text::{capitalised, grouped};
use bindpose_notebook::{Edit, GivenFile};
use eframe::egui::{Button, FontId, Id, RichText, Ui};

use super::code_editor::{Editor, EditorState, changed_lines};
use super::formula_field::put;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::{Tip as _, icon_line, small_button};
use crate::{PageContext, icons};
use given::Given;
use matching::Matching;

/// Lines shown at once where the lesson does not say.
const LINES: usize = 6;

/// What is kept from frame to frame.
#[derive(Default)]
struct EngineNumbersCellState {
    editor: EditorState,
    given: Given,
    matching: Matching,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &EngineNumbersCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |memory: &mut EngineNumbersCellState, page| {
        let file = page.document.state.given_files.get(id).cloned();
        heading(ui, file.is_some(), id, page);
        let was_given = page.view.numbers_given.take_if(|cell| cell == id).is_some();
        let (numbers, wrong) = match memory.given.read(id, page.document) {
            Some(Ok(numbers)) => (Some(numbers), None),
            Some(Err(wrong)) => (None, Some(wrong)),
            None => (None, None),
        };
        match &file {
            Some(file) => file_line(ui, file, numbers.as_deref(), page),
            None => editor(ui, cell, wrong.as_deref(), id, memory, page),
        }
        examples(ui, id, page);
        if let Some(wrong) = &wrong {
            let words = RichText::new(words_of(wrong)).size(SMALL);
            ui.label(words.color(page.theme.wrong));
        }
        let given = (numbers.as_ref(), was_given);
        memory.matching.update(given, ui.ctx(), page);
        if let Some(numbers) = numbers {
            findings::ui(ui, &memory.matching, page);
            beside::ui(ui, (&numbers, memory.matching.found()), id, page);
        }
    });
}

/// What it is, a file in the place of a text, and the way back to nothing.
fn heading(ui: &mut Ui, has_file: bool, id: &str, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let given = has_file || page.document.state.texts.contains_key(id);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Numbers of your engine").font(font::strong(SMALL)));
        let open = ui
            .add(small_button("Open a file…"))
            .tip("A palette or positions: .json, .csv or .npy; it can also be dropped on the page");
        if open.clicked() {
            page.view.files.asked = true;
        }
        let parts = [
            (icons::ARROW_COUNTER_CLOCKWISE, 0.0, font::icon(SMALL)),
            ("Clear", 5.0, FontId::proportional(CAPTION)),
        ];
        let words = icon_line(parts, if given { theme.ink } else { theme.quiet });
        // Always there, so that nothing moves under the pointer.
        let clear = ui
            .add_enabled(given, Button::new(words))
            .accessible_name("Clear the numbers")
            .tip("Take the numbers away; undo brings them back")
            .tip_disabled("Nothing was given yet.");
        if clear.clicked() {
            page.edits.push(if has_file {
                Edit::GiveFile(id.to_owned(), None)
            } else {
                Edit::Text { cell: id.to_owned(), text: None, typed: false }
            });
        }
    });
}

fn file_line(
    ui: &mut Ui,
    file: &GivenFile,
    numbers: Option<&EngineNumbers>,
    page: &PageContext<'_>,
) {
    let count = |count: usize, what: &str| {
        let count = grouped(u32::try_from(count).unwrap_or(u32::MAX));
        format!(" · {count} {what}")
    };
    let what = match numbers {
        Some(EngineNumbers::Matrices(all)) => count(all.len(), "matrices"),
        Some(EngineNumbers::Positions(all)) => count(all.len(), "positions"),
        None => String::new(),
    };
    let words = format!("{}{what}", file.name);
    ui.label(RichText::new(words).monospace());
    let words = "Links and the next start leave files out.";
    ui.label(page.theme.caption(words));
}

fn editor(
    ui: &mut Ui,
    cell: &EngineNumbersCell,
    wrong: Option<&Diagnostic>,
    id: &str,
    memory: &mut EngineNumbersCellState,
    page: &mut PageContext<'_>,
) {
    let text = page.document.text_of(id, "").to_owned();
    let words = wrong.map(words_of).unwrap_or_default();
    let line = wrong.and_then(place_of).map(|at| at.line);
    let marked: Vec<(usize, &str)> = line.iter().map(|line| (*line, words.as_str())).collect();
    let editor = Editor {
        id: Id::unique(("engine numbers cell", &page.document.lesson, id)),
        text: &text,
        name: "Paste a 4 × 4, a palette or positions",
        language: "js",
        changed: &changed_lines(&text, &text),
        wrong: &marked,
        lines: cell.lines.unwrap_or(LINES).clamp(3, 60),
    };
    if let Some(text) = editor.show(ui, page.theme, &mut memory.editor) {
        put(Some(text), id, page);
        page.view.numbers_given = Some(id.to_owned());
    }
    if text.is_empty() {
        let words = "Paste a 4 × 4, a palette or positions of this model in this pose: JSON, \
                     rows of numbers, or as C++, HLSL or Python write them.";
        ui.label(page.theme.caption(words));
    }
}

/// Buttons that paste what an engine could give here.
fn examples(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.caption("Try"));
        for example in EngineMistake::ALL {
            let button = small_button(example.label());
            let button = ui
                .add(button)
                .tip("Worked out from this pose, as an engine with that mistake would give it");
            if button.clicked() {
                give(example, id, page);
            }
        }
    });
}

fn give(example: EngineMistake, id: &str, page: &mut PageContext<'_>) {
    let lesson = matching::moving_lesson(page);
    let document = page.derived.in_force(page.document);
    let given = example.given(document, lesson.as_ref(), page.derived);
    if given.is_some() {
        page.view.numbers_given = Some(id.to_owned());
    }
    match given {
        Some(GivenExample::Text(text)) => {
            page.edits.push(Edit::Text { cell: id.to_owned(), text: Some(text), typed: false });
        }
        Some(GivenExample::File(name, numbers)) => {
            let file = GivenFile { name: name.into(), numbers: Ok(Arc::new(numbers)) };
            let edit = Edit::GiveFile(id.to_owned(), Some(file));
            page.edits.push(edit);
        }
        None => {}
    }
}

/// Where it is wrong, in a text.
fn place_of(wrong: &Diagnostic) -> Option<LineColumn> {
    match &wrong.at {
        Place::Text { at, .. } => Some(*at),
        _ => None,
    }
}

/// `Expected a number, found … in line 2, column 3: write …`
fn words_of(wrong: &Diagnostic) -> String {
    let sentence = capitalised(&wrong.sentence());
    match wrong.help.as_str() {
        "" => format!("{sentence}."),
        help => format!("{sentence}; {}.", help.trim_end_matches('.')),
    }
}
