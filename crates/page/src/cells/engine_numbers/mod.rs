//! A place for matrices or positions of the reader's own engine: which of the page's
//! matrices they are, and how, or where they part from them.

mod matching;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use bindpose_lesson::{EngineNumbersCell, FaultName, Setting};
use bindpose_notebook::differences::difference;
use bindpose_notebook::engine_numbers::{
    ComparisonResult, EngineExample, EngineMistake, EngineNumbers, NumbersFinding, read_numbers,
};
use bindpose_notebook::faults::{FaultSwitch, sent_palette};
use bindpose_notebook::matrix::{MatrixOwner, PageMatrix};
use bindpose_notebook::number_text::{capitalised, grouped};
use bindpose_notebook::{Document, Edit, Entity, GivenFile, joint_label, joint_words};
use bindpose_skin::{CoordinateFrame, JointIndex, NamedTransform};
use eframe::egui::{Button, FontId, Id, RichText, Ui};
use glam::Mat4;

use super::code_editor::{Editor, EditorState, changed_lines};
use super::formula_field::put;
use crate::cells::matrix;
use crate::theme::{CAPTION, SMALL, font};
use crate::widgets::{
    Emphasis, Tip as _, Tone, card, icon_line, note, option_button, small_button, verdict,
};
use crate::{PageContext, icons, touch};
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
            findings_ui(ui, &memory.matching, page);
            beside_ui(ui, (&numbers, memory.matching.found()), id, page);
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
        Some(numbers @ (EngineNumbers::Matrices(_) | EngineNumbers::FourLists(_))) => {
            count(numbers.count(), "matrices")
        }
        Some(numbers @ EngineNumbers::Positions(_)) => count(numbers.count(), "positions"),
        Some(numbers @ EngineNumbers::Pose(_)) => count(numbers.count(), "local transforms"),
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
        Some(EngineExample::Text(text)) => {
            page.edits.push(Edit::Text { cell: id.to_owned(), text: Some(text), typed: false });
        }
        Some(EngineExample::File(name, numbers)) => {
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

// What was given, read once.

/// What is in a text or a file, or why it cannot be read.
type Read = Result<Arc<EngineNumbers>, Arc<Diagnostic>>;

/// The text that was read last, and what is in it. Files come read.
#[derive(Default)]
struct Given(Option<(Arc<str>, Read)>);

impl Given {
    /// What the page has for the cell now; a text is read if it is another than before.
    /// `None`: nothing was given.
    fn read(&mut self, id: &str, document: &Document) -> Option<Read> {
        let state = &document.state;
        if let Some(file) = state.given_files.get(id) {
            self.0 = None;
            return Some(file.numbers.clone());
        }
        let text = state.texts.get(id).map(|text| &text.text);
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            self.0 = None;
            return None;
        };
        let known = self.0.take().filter(|(read, _)| Arc::ptr_eq(read, text));
        let (_, read) = self.0.insert(known.unwrap_or_else(|| {
            let read = read_numbers(text.as_bytes());
            let read = read.map(Arc::new).map_err(Arc::new);
            (Arc::clone(text), read)
        }));
        Some(read.clone())
    }
}

// A given matrix beside ours.

/// Draws both, of the chosen joint; of a matrix alone, of the joint that it is nearest
/// to. Nothing of positions.
fn beside_ui(
    ui: &mut Ui,
    (given, found): (&EngineNumbers, Option<&ComparisonResult>),
    id: &str,
    page: &mut PageContext<'_>,
) {
    let (EngineNumbers::Matrices(given) | EngineNumbers::FourLists(given)) = given else {
        return;
    };
    let alone = found.and_then(|found| found.joint);
    let joint = alone.unwrap_or(page.document.state.joint);
    let theirs = match given.as_slice() {
        [only] => Some(only),
        all => {
            let row_of = |found: &ComparisonResult| {
                let row = found.rows.iter().position(|&row| row == joint)?;
                Some(found.first_row + row)
            };
            found.map_or(Some(joint.index()), row_of).and_then(|row| all.get(row))
        }
    };
    let ours = sent_palette(page.derived, page.document);
    let is_there = joint.index() < ours.world_from_bind.len();
    let (Some(&theirs), true) = (theirs, is_there) else {
        let words = format!("They have no matrix of joint {}.", joint.0);
        ui.label(page.theme.caption(words));
        return;
    };
    let words = format!(
        "First the matrix of your engine, then ours of {}; marked where they differ.",
        joint_words(joint.index(), &page.derived.rig)
    );
    let ours = ours.matrix(joint);
    ui.label(page.theme.caption(words));
    let sources = [source(theirs, joint, "your engine"), source(ours, joint, "ours")];
    matrix::marked_where_they_differ(ui, id, sources, difference, page);
}

fn source(mat: Mat4, joint: JointIndex, title: &str) -> PageMatrix {
    let named = NamedTransform { to: CoordinateFrame::World, from: CoordinateFrame::Bind, mat };
    PageMatrix::read_only(named, MatrixOwner::Joint(joint), title)
}

// What was found, as sentences; what they name can be chosen, and a fault switched on.

/// Draws them.
fn findings_ui(ui: &mut Ui, matching: &Matching, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let Some(found) = matching.found() else {
        let words = if matching.is_under_way() {
            "Held against this pose …"
        } else {
            "It could not be held against this pose: a fault of this program."
        };
        ui.label(RichText::new(words).size(SMALL).color(theme.quiet));
        return;
    };
    let tone = if found.equal { Tone::Right } else { Tone::Wrong };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        if matching.is_under_way() {
            // Of the page before.
            ui.multiply_opacity(0.6);
        }
        let words = if found.equal { "Equal to ours" } else { "Not equal to ours" };
        verdict(ui, theme, words, SMALL, found.equal);
        for (nth, finding) in found.findings.iter().enumerate() {
            let emphasis = if nth == 0 { Emphasis::Strong } else { Emphasis::Plain };
            note(ui, theme, &finding.words, SMALL, emphasis);
            named(ui, finding, page);
        }
    });
}

/// Buttons for what a sentence names.
fn named(ui: &mut Ui, finding: &NumbersFinding, page: &mut PageContext<'_>) {
    if finding.joints.is_empty() && finding.vertices.is_empty() && finding.fault.is_none() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for &joint in &finding.joints {
            joint_button(ui, joint, page);
        }
        for &vertex in &finding.vertices {
            vertex_button(ui, vertex, page);
        }
        if let Some(fault) = finding.fault {
            fault_button(ui, fault, page);
        }
    });
}

fn joint_button(ui: &mut Ui, joint: JointIndex, page: &mut PageContext<'_>) {
    let is_chosen = page.document.state.joint == joint;
    let label = joint_label(joint.index(), &page.derived.rig);
    let response =
        ui.add(option_button(is_chosen, label)).tip("Choose it in the pictures and the matrices");
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Joint(joint));
    }
    if response.clicked() {
        page.choose(Setting::Joint(joint.into()));
    }
}

fn vertex_button(ui: &mut Ui, vertex: u32, page: &mut PageContext<'_>) {
    let is_chosen = page.document.state.vertex == vertex;
    let response =
        ui.add(option_button(is_chosen, format!("v{vertex}"))).tip("Choose it in the pictures");
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Vertex(vertex));
    }
    if response.clicked() {
        page.choose(Setting::Vertex(vertex));
    }
}

/// With it on, the page has these numbers too.
fn fault_button(ui: &mut Ui, fault: FaultName, page: &mut PageContext<'_>) {
    let words = format!("Switch on “{}”", fault.title);
    let response = ui
        .add(small_button(words))
        .tip("Then this page has these numbers too; undo switches it off");
    if response.clicked() {
        let settings = FaultSwitch::new(fault).switched(true, &page.document.state);
        page.edits.push(Edit::Settings(settings));
    }
}
