//! Comparison of matrices or positions from the reader's own engine with those of the page: which
//! matrices of the page they are, or where they differ.

mod matching;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{
    Emphasis, Tip as _, Tone, card, draw_verdict, icon_line, option_button, paragraph_ui,
    small_button,
};
use bindpose_kit::{icons, touch};
use bindpose_lesson::number_text::{capitalised, grouped};
use bindpose_lesson::{EngineNumbersCell, FaultName, Setting};
use bindpose_notebook::engine_numbers::{EngineNumbers, read_numbers};
use bindpose_notebook::fault_evidence::sent_palette;
use bindpose_notebook::faults::FaultSwitch;
use bindpose_notebook::matrix::{MatrixOwner, PageMatrix};
use bindpose_notebook::{Document, Edit, EditTarget, Entity, GivenFile, joint_label, joint_words};
use bindpose_skin::{CoordinateFrame, JointIndex, NamedTransform};
use bindpose_workbench::differences::difference;
use bindpose_workbench::engine_numbers::{
    ComparisonResult, EngineExample, EngineMistake, NumbersFinding,
};
use eframe::egui::{Button, FontId, Id, RichText, Ui};
use glam::Mat4;

use super::code_editor::{CodeEditor, EditorState, changed_lines};
use super::formula_field::set_cell_text;
use crate::PageContext;
use crate::cells::matrix::draw_marked_pair;
use matching::Matching;

/// Visible lines of the text field if the lesson does not set them.
const DEFAULT_LINES: usize = 6;

#[derive(Default)]
struct EngineNumbersCellState {
    editor: EditorState,
    parse_cache: ParseCache,
    matching: Matching,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &EngineNumbersCell, id: &str, page: &mut PageContext<'_>) {
    page.with_state(id, |state: &mut EngineNumbersCellState, page| {
        let file = page.document.state.given_files.get(id).cloned();
        draw_heading(ui, file.is_some(), id, page);
        let is_new = page.view.pasted_numbers_cell.take_if(|cell| cell == id).is_some();
        let (numbers, error) = match state.parse_cache.numbers(id, page.document) {
            Some(Ok(numbers)) => (Some(numbers), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        match &file {
            Some(file) => draw_file(ui, file, numbers.as_deref(), page),
            None => draw_editor(ui, cell, error.as_deref(), id, &mut state.editor, page),
        }
        draw_examples(ui, id, page);
        if let Some(error) = &error {
            let text = RichText::new(error_text(error)).size(SMALL_SIZE);
            ui.label(text.color(page.theme.wrong));
        }
        state.matching.update(numbers.as_ref(), is_new, ui.ctx(), page);
        if let Some(numbers) = numbers {
            draw_findings(ui, &state.matching, page);
            draw_beside_ours(ui, &numbers, state.matching.result(), id, page);
        }
    });
}

/// Draws the title, and the buttons that open a file and clear the numbers.
fn draw_heading(ui: &mut Ui, has_file: bool, id: &str, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let has_numbers = has_file || page.document.state.texts.contains_key(id);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Numbers of your engine").font(font::strong(SMALL_SIZE)));
        let open = ui
            .add(small_button("Open a file…"))
            .tip("A palette or positions: .json, .csv or .npy; it can also be dropped on the page");
        if open.clicked() {
            page.view.files.opens_file = true;
        }
        let parts = [
            (icons::ARROW_COUNTER_CLOCKWISE, 0.0, font::icon(SMALL_SIZE)),
            ("Clear", 5.0, FontId::proportional(CAPTION_SIZE)),
        ];
        let label = icon_line(parts, if has_numbers { theme.ink } else { theme.quiet });
        // Disabled instead of hidden, so that nothing moves under the pointer.
        let clear = ui
            .add_enabled(has_numbers, Button::new(label))
            .accessible_name("Clear the numbers")
            .tip("Take the numbers away; undo brings them back")
            .tip_disabled("Nothing was given yet.");
        if clear.clicked() {
            page.requests.edits.push(if has_file {
                Edit::Reset(EditTarget::File(id.to_owned()))
            } else {
                Edit::Reset(EditTarget::Text(id.to_owned()))
            });
        }
    });
}

fn draw_file(
    ui: &mut Ui,
    file: &GivenFile,
    numbers: Option<&EngineNumbers>,
    page: &PageContext<'_>,
) {
    let mut line = file.name.to_string();
    if let Some(numbers) = numbers {
        let kind = match numbers {
            EngineNumbers::Matrices(_) | EngineNumbers::FourLists(_) => "matrices",
            EngineNumbers::Positions(_) => "positions",
            EngineNumbers::Pose(_) => "local transforms",
        };
        let count = grouped(u32::try_from(numbers.count()).unwrap_or(u32::MAX));
        line = format!("{line} · {count} {kind}");
    }
    ui.label(RichText::new(line).monospace());
    ui.label(page.theme.caption("Links and the next start leave files out."));
}

fn draw_editor(
    ui: &mut Ui,
    cell: &EngineNumbersCell,
    error: Option<&Diagnostic>,
    id: &str,
    state: &mut EditorState,
    page: &mut PageContext<'_>,
) {
    let text = page.document.text_of(id, "").to_owned();
    let message = error.map(error_text).unwrap_or_default();
    let mut marked_lines: Vec<(usize, &str)> = Vec::new();
    if let Some(Place::Text { at, .. }) = error.map(|error| &error.at) {
        marked_lines.push((at.line, message.as_str()));
    }
    let editor = CodeEditor {
        id: Id::unique(("engine numbers cell", &page.document.lesson, id)),
        text: &text,
        name: "Paste a 4 × 4, a palette or positions",
        language: "js",
        changed_lines: &changed_lines(&text, &text),
        errors: &marked_lines,
        max_visible_lines: cell.lines.map_or(DEFAULT_LINES, |lines| lines.0).clamp(3, 60),
    };
    if let Some(text) = editor.show(ui, page.theme, state) {
        set_cell_text(Some(text), id, page);
        page.view.pasted_numbers_cell = Some(id.to_owned());
    }
    if text.is_empty() {
        let hint = "Paste a 4 × 4, a palette or positions of this model in this pose: JSON, \
                    rows of numbers, or as C++, HLSL or Python write them.";
        ui.label(page.theme.caption(hint));
    }
}

/// Draws buttons that give numbers as an engine with a certain mistake would.
fn draw_examples(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.caption("Try"));
        for mistake in EngineMistake::ALL {
            let button = ui
                .add(small_button(mistake.label()))
                .tip("Worked out from this pose, as an engine with that mistake would give it");
            if button.clicked() {
                give_example(mistake, id, page);
            }
        }
    });
}

fn give_example(mistake: EngineMistake, id: &str, page: &mut PageContext<'_>) {
    let lesson = matching::moving_lesson(page);
    let document = page.derived.in_force(page.document);
    let Some(example) = mistake.given(document, lesson.as_ref(), page.derived) else {
        return;
    };
    page.view.pasted_numbers_cell = Some(id.to_owned());
    page.requests.edits.push(match example {
        EngineExample::Text(text) => Edit::Text { cell: id.to_owned(), text, typed: false },
        EngineExample::File(name, numbers) => {
            let file = GivenFile { name: name.into(), numbers: Ok(Arc::new(numbers)) };
            Edit::GiveFile(id.to_owned(), file)
        }
    });
}

/// Formats an error such as `Expected a number, found … in line 2, column 3: write …`.
fn error_text(error: &Diagnostic) -> String {
    let sentence = capitalised(&error.sentence());
    match error.help.as_str() {
        "" => format!("{sentence}."),
        help => format!("{sentence}; {}.", help.trim_end_matches('.')),
    }
}

/// The numbers in a text or file, or why they cannot be parsed.
type ParseResult = Result<Arc<EngineNumbers>, Arc<Diagnostic>>;

/// The text that was parsed last, with its result.
#[derive(Default)]
struct ParseCache {
    last: Option<(Arc<str>, ParseResult)>,
}

impl ParseCache {
    /// Returns the numbers given to the cell. A text is parsed if it has changed. Files have been
    /// parsed when they were opened.
    ///
    /// Returns `None` if no numbers were given.
    fn numbers(&mut self, id: &str, document: &Document) -> Option<ParseResult> {
        let state = &document.state;
        if let Some(file) = state.given_files.get(id) {
            self.last = None;
            return Some(file.numbers.clone());
        }
        let text = state.texts.get(id).map(|text| &text.text);
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            self.last = None;
            return None;
        };
        if let Some((last_text, result)) = &self.last
            && Arc::ptr_eq(last_text, text)
        {
            return Some(result.clone());
        }
        let result = read_numbers(text.as_bytes()).map(Arc::new).map_err(Arc::new);
        self.last = Some((Arc::clone(text), result.clone()));
        Some(result)
    }
}

/// Draws a given matrix beside that of the page, for the selected joint. A single matrix is
/// compared with the joint to which it is nearest. Draws nothing for positions and poses.
fn draw_beside_ours(
    ui: &mut Ui,
    given: &EngineNumbers,
    result: Option<&ComparisonResult>,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let (EngineNumbers::Matrices(given) | EngineNumbers::FourLists(given)) = given else {
        return;
    };
    let joint = result.and_then(|result| result.joint).unwrap_or(page.document.state.joint);
    let theirs = match (given.as_slice(), result) {
        ([single], _) => Some(single),
        (matrices, Some(result)) => {
            let row = result.rows.iter().position(|&row_joint| row_joint == joint);
            row.and_then(|row| matrices.get(result.first_row + row))
        }
        (matrices, None) => matrices.get(joint.index()),
    };
    let our_palette = sent_palette(page.derived, page.document);
    let is_in_palette = joint.index() < our_palette.world_from_bind.len();
    let Some(&theirs) = theirs.filter(|_| is_in_palette) else {
        let message = format!("They have no matrix of joint {}.", joint.0);
        ui.label(page.theme.caption(message));
        return;
    };
    let caption = format!(
        "First the matrix of your engine, then ours of {}; marked where they differ.",
        joint_words(joint.index(), &page.derived.rig)
    );
    let ours = our_palette.matrix(joint);
    ui.label(page.theme.caption(caption));
    let sources =
        [palette_matrix(theirs, joint, "your engine"), palette_matrix(ours, joint, "ours")];
    draw_marked_pair(ui, id, sources, difference, page);
}

fn palette_matrix(mat: Mat4, joint: JointIndex, title: &str) -> PageMatrix {
    let named = NamedTransform { to: CoordinateFrame::World, from: CoordinateFrame::Bind, mat };
    PageMatrix::read_only(named, MatrixOwner::Joint(joint), title)
}

/// Draws the findings as sentences, each with buttons for the joints, vertices and fault that it
/// mentions.
fn draw_findings(ui: &mut Ui, matching: &Matching, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let Some(result) = matching.result() else {
        let message = if matching.is_running() {
            "Held against this pose …"
        } else {
            "It could not be held against this pose: a fault of this program."
        };
        ui.label(RichText::new(message).size(SMALL_SIZE).color(theme.quiet));
        return;
    };
    let tone = if result.equal { Tone::Right } else { Tone::Wrong };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        if matching.is_running() {
            // The result is outdated.
            ui.multiply_opacity(0.6);
        }
        let heading = if result.equal { "Equal to ours" } else { "Not equal to ours" };
        draw_verdict(ui, theme, heading, SMALL_SIZE, result.equal);
        for (index, finding) in result.findings.iter().enumerate() {
            let emphasis = if index == 0 { Emphasis::Strong } else { Emphasis::Plain };
            paragraph_ui(ui, theme, &finding.words, SMALL_SIZE, emphasis);
            draw_finding_buttons(ui, finding, page);
        }
    });
}

fn draw_finding_buttons(ui: &mut Ui, finding: &NumbersFinding, page: &mut PageContext<'_>) {
    if finding.joints.is_empty() && finding.vertices.is_empty() && finding.fault.is_none() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for &joint in &finding.joints {
            draw_joint_button(ui, joint, page);
        }
        for &vertex in &finding.vertices {
            draw_vertex_button(ui, vertex, page);
        }
        if let Some(fault) = finding.fault {
            draw_fault_button(ui, fault, page);
        }
    });
}

fn draw_joint_button(ui: &mut Ui, joint: JointIndex, page: &mut PageContext<'_>) {
    let is_selected = page.document.state.joint == joint;
    let label = joint_label(joint.index(), &page.derived.rig);
    let response =
        ui.add(option_button(is_selected, label)).tip("Choose it in the pictures and the matrices");
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Joint(joint));
    }
    if response.clicked() {
        page.choose(Setting::Joint(joint.into()));
    }
}

fn draw_vertex_button(ui: &mut Ui, vertex: u32, page: &mut PageContext<'_>) {
    let is_selected = page.document.state.vertex == vertex;
    let response =
        ui.add(option_button(is_selected, format!("v{vertex}"))).tip("Choose it in the pictures");
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Vertex(vertex));
    }
    if response.clicked() {
        page.choose(Setting::Vertex(vertex));
    }
}

/// Draws the button that switches on a fault with which the page computes the given numbers.
fn draw_fault_button(ui: &mut Ui, fault: FaultName, page: &mut PageContext<'_>) {
    let response = ui
        .add(small_button(format!("Switch on “{}”", fault.title)))
        .tip("Then this page has these numbers too; undo switches it off");
    if response.clicked() {
        let settings = FaultSwitch::new(fault).switched(true, &page.document.state);
        page.requests.edits.push(Edit::Settings(settings));
    }
}
