//! Lists every text in the bodies of cells: its key, the Markdown that it can contain, and
//! the state of the page when it is read.
//!
//! # Texts of cells
//!
//! A text of a cell is a `lesson::Text`: Markdown in a TOML string. This file lists every
//! text of every cell once. The body is deserialized with plain text first. Then the
//! Markdown parser reads each text as a part of the file (`LessonSource::part`), so that
//! findings and mentions have their line and column in the file, through quotes, escapes and
//! filled braces (`lesson/reader/cell_texts.rs`, `lesson/drawn_body.rs`). After that, checks,
//! search, tables of formulas, page and paper treat it like prose. A mention in the text of a
//! solution carries the solution (`Mention::after`), so that the check evaluates its
//! numbers in that state. Answers to questions are texts too (`notebook/question.rs`), the
//! same in state, links and records.

use std::sync::Arc;

use super::{CellKind, DataEdit, Setting, Text};

/// Place of a text in the body of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextPlace {
    /// Key such as `ask` or `also[0].label`.
    pub(crate) key: String,
    pub(crate) form: TextForm,
    /// Numbers for the braces of the text, in cells with draws.
    pub(crate) numbers: Vec<(String, f64)>,
    pub(crate) moment: TextMoment,
}

/// Markdown that a text can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// Paragraphs, lists and formulas.
    Text,
    /// One paragraph.
    Line,
    /// One paragraph without links and live numbers, because it appears on a button or in a
    /// drawing.
    Label,
}

/// State of the page when a text is read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TextMoment {
    /// The initial state of the step.
    AtOnce,
    /// After a hint or an answer, with the page in any state.
    Later,
    /// The state after a change.
    After(Arc<PageChange>),
}

/// A change of the page: settings and data edits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageChange {
    pub settings: Vec<Setting>,
    pub edits: Vec<DataEdit>,
}

impl TextPlace {
    fn new(key: &str, form: TextForm) -> Self {
        Self { key: key.to_owned(), form, numbers: Vec::new(), moment: TextMoment::AtOnce }
    }

    fn text(key: &str) -> Self {
        Self::new(key, TextForm::Text)
    }

    fn label(key: &str) -> Self {
        Self::new(key, TextForm::Label)
    }

    fn line(key: &str) -> Self {
        Self::new(key, TextForm::Line)
    }

    /// A hint or reply, in a cell with draws.
    fn later(key: &str, numbers: &[(String, f64)]) -> Self {
        Self::text(key).with_numbers(numbers).at(TextMoment::Later)
    }

    fn at(self, moment: TextMoment) -> Self {
        Self { moment, ..self }
    }

    fn with_numbers(self, numbers: &[(String, f64)]) -> Self {
        Self { numbers: numbers.to_vec(), ..self }
    }
}

fn after(settings: &[Setting], edits: &[DataEdit]) -> TextMoment {
    TextMoment::After(Arc::new(PageChange { settings: settings.to_vec(), edits: edits.to_vec() }))
}

/// Defines a function that lists all texts of a cell, by shared or by mutable reference.
macro_rules! texts {
    ($(#[$doc:meta])* $name:ident, $iter:ident, $($reference:tt)+) => {
        $(#[$doc])*
        pub(crate) fn $name(kind: $($reference)+ CellKind) -> Vec<(TextPlace, $($reference)+ Text)> {
            let mut texts = Vec::new();
            match kind {
                CellKind::Viewport(cell) => {
                    texts.extend(cell.caption.$iter().map(|text| (TextPlace::line("caption"), text)));
                }
                CellKind::Picture(cell) => {
                    texts.extend(cell.caption.$iter().map(|text| (TextPlace::line("caption"), text)));
                }
                CellKind::Plot(cell) => {
                    texts.push((TextPlace::label("y-label"), $($reference)+ cell.y_label));
                    texts.extend(cell.x_label.$iter().map(|text| (TextPlace::label("x-label"), text)));
                    for (index, line) in cell.lines.$iter().enumerate() {
                        let key = format!("lines[{index}].label");
                        texts.push((TextPlace::label(&key), $($reference)+ line.label));
                    }
                }
                CellKind::Compare(cell) => {
                    for (index, variant) in cell.variants.$iter().enumerate() {
                        let key = format!("variants[{index}].label");
                        texts.push((TextPlace::label(&key), $($reference)+ variant.label));
                    }
                }
                CellKind::Stops(cell) => {
                    texts.push((TextPlace::label("label"), $($reference)+ cell.label));
                    for (index, stop) in cell.stops.$iter().enumerate() {
                        let key = format!("stops[{index}].label");
                        texts.push((TextPlace::label(&key), $($reference)+ stop.label));
                        let note = TextPlace::line(&format!("stops[{index}].note"));
                        let moment = after(&stop.set.0, &[]);
                        texts.push((note.at(moment), $($reference)+ stop.note));
                    }
                }
                CellKind::Learnt(cell) => {
                    for (index, line) in cell.lines.$iter().enumerate() {
                        let key = format!("lines[{index}].say");
                        texts.push((TextPlace::label(&key), $($reference)+ line.say));
                    }
                }
                CellKind::Note(cell) => {
                    texts.push((TextPlace::label("title"), $($reference)+ cell.title));
                    texts.push((TextPlace::text("text"), $($reference)+ cell.text));
                }
                CellKind::Errata(cell) => {
                    texts.push((TextPlace::text("claim"), $($reference)+ cell.claim));
                    texts.push((TextPlace::text("correction"), $($reference)+ cell.correction));
                    texts.push((TextPlace::text("why"), $($reference)+ cell.why));
                }
                CellKind::Chain(cell) => {
                    texts.extend(cell.ask.$iter().map(|text| (TextPlace::text("ask"), text)));
                    texts.extend(cell.solved.$iter().map(|text| {
                        (TextPlace::text("solved").at(TextMoment::Later), text)
                    }));
                }
                CellKind::Check(drawn) => {
                    for draw in drawn.$iter() {
                        let numbers = $($reference)+ draw.numbers;
                        let cell = $($reference)+ draw.cell;
                        let solved = after(&cell.solution.0, &cell.solution_edits.0);
                        texts.push((TextPlace::text("ask").with_numbers(numbers), $($reference)+ cell.ask));
                        for (index, condition) in cell.conditions.$iter().enumerate() {
                            let key = key_of_condition(index, "label");
                            let place = TextPlace::label(&key).with_numbers(numbers);
                            texts.push((place, $($reference)+ condition.label));
                        }
                        for (index, hint) in cell.hints.$iter().enumerate() {
                            texts.push((TextPlace::later(&format!("hints[{index}]"), numbers), hint));
                        }
                        let place = TextPlace::text("solved").with_numbers(numbers);
                        texts.push((place.at(solved), $($reference)+ cell.solved));
                    }
                }
                CellKind::Predict(drawn) => {
                    for draw in drawn.$iter() {
                        let numbers = $($reference)+ draw.numbers;
                        let cell = $($reference)+ draw.cell;
                        texts.push((TextPlace::text("ask").with_numbers(numbers), $($reference)+ cell.ask));
                        let place = TextPlace::text("why").with_numbers(numbers);
                        let moment = after(&cell.set.0, &[]);
                        texts.push((place.at(moment), $($reference)+ cell.why));
                        for (index, wrong) in cell.wrong.$iter().enumerate() {
                            let reply = TextPlace::later(&format!("wrong[{index}].reply"), numbers);
                            texts.push((reply, $($reference)+ wrong.reply));
                        }
                    }
                }
                CellKind::Ask(drawn) => {
                    for draw in drawn.$iter() {
                        let numbers = $($reference)+ draw.numbers;
                        let cell = $($reference)+ draw.cell;
                        texts.push((TextPlace::text("ask").with_numbers(numbers), $($reference)+ cell.ask));
                        for (index, choice) in cell.choices.$iter().enumerate() {
                            let label = TextPlace::label(&format!("choices[{index}].text"));
                            texts.push((label.with_numbers(numbers), $($reference)+ choice.text));
                            let reply = TextPlace::later(&format!("choices[{index}].reply"), numbers);
                            texts.push((reply, $($reference)+ choice.reply));
                        }
                        for (index, item) in cell.order.$iter().enumerate() {
                            let label = TextPlace::label(&format!("order[{index}].text"));
                            texts.push((label.with_numbers(numbers), $($reference)+ item.text));
                        }
                        for (index, wrong) in cell.wrong.$iter().enumerate() {
                            let reply = TextPlace::later(&format!("wrong[{index}].reply"), numbers);
                            texts.push((reply, $($reference)+ wrong.reply));
                        }
                        for (index, hint) in cell.hints.$iter().enumerate() {
                            texts.push((TextPlace::later(&format!("hints[{index}]"), numbers), hint));
                        }
                        texts.push((TextPlace::later("else", numbers), $($reference)+ cell.otherwise));
                        texts.push((TextPlace::later("why", numbers), $($reference)+ cell.why));
                    }
                }
                CellKind::Angles(_)
                | CellKind::Brush(_)
                | CellKind::Quantiser(_)
                | CellKind::ModelDifference(_)
                | CellKind::Weights(_)
                | CellKind::Matrix(_)
                | CellKind::Stages(_)
                | CellKind::Conventions(_)
                | CellKind::Indices(_)
                | CellKind::Histogram(_)
                | CellKind::Vertex(_)
                | CellKind::Texture(_)
                | CellKind::Budget(_)
                | CellKind::Shader(_)
                | CellKind::Proof(_)
                | CellKind::Pose(_)
                | CellKind::Tree(_)
                | CellKind::Doctor(_)
                | CellKind::EngineNumbers(_)
                | CellKind::Bytes(_)
                | CellKind::Faults(_)
                | CellKind::Timeline(_) => {}
            }
            texts
        }
    };
}

texts! {
    /// All texts of a cell in order.
    texts, iter, &
}
texts! {
    /// Like [`texts`], for replacing the texts.
    texts_mut, iter_mut, &mut
}

/// Path of a key of a check's condition. The first condition is in the body itself, the
/// others are in `also`.
pub fn key_of_condition(index: usize, key: &str) -> String {
    match index.checked_sub(1) {
        None => key.to_owned(),
        Some(index) => format!("also[{index}].{key}"),
    }
}

/// Texts of a cell that are visible in the initial state, except labels.
pub fn open_texts(kind: &CellKind) -> impl Iterator<Item = &Text> {
    texts(kind)
        .into_iter()
        .filter(|(place, _)| place.moment == TextMoment::AtOnce && place.form != TextForm::Label)
        .map(|(_, text)| text)
}
