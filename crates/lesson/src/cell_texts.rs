//! Every text in the bodies of cells: where it is written, what fits in its place
//! on the page, and what has been done by the time it is read.
//!
//! # Texts of cells
//!
//! What a cell says is a `lesson::Text`: Markdown in a string of its TOML.
//! `lesson/cell_texts.rs` lists every text of every cell once, with its key, what fits
//! in its place, and what has been done by the time it is read. The body is read with
//! plain words first; then the reader of prose reads each text as a part of the file
//! (`LessonSource::part`), so that findings and mentions have their line and column there,
//! through quotes, escapes and filled braces (`lesson/reader/cell_texts.rs`,
//! `lesson/drawn_body.rs`). From there on checks, search, formulas laid out ahead, page
//! and paper treat it as prose; a mention that speaks of a solution carries it
//! (`Mention::after`), and the check works out the numbers then. Answers to questions
//! are texts too (`notebook/question.rs`): one form for state, links and record.

use std::sync::Arc;

use super::{CellKind, DataEdit, Setting, Text};

/// One text of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextPlace {
    /// `ask`, `also[0].label`.
    pub(crate) key: String,
    pub(crate) form: TextForm,
    /// The numbers that stand in the place of its braces, in cells with draws.
    pub(crate) numbers: Vec<(String, f64)>,
    pub(crate) said: TextMoment,
}

/// What fits in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// Paragraphs, lists and formulas.
    Text,
    /// One paragraph.
    Line,
    /// One paragraph, and nothing in it that could be pressed or dragged: the place
    /// is that of a button, or of a drawing.
    Label,
}

/// When a text is read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TextMoment {
    /// While the step is as it opens.
    AtOnce,
    /// When the reader asks for it, or has answered.
    Later,
    /// After something was done.
    After(Arc<PageChange>),
}

/// What was done to the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageChange {
    /// What was set.
    pub settings: Vec<Setting>,
    /// What was edited.
    pub edits: Vec<DataEdit>,
}

impl TextPlace {
    fn new(key: &str, form: TextForm) -> Self {
        Self { key: key.to_owned(), form, numbers: Vec::new(), said: TextMoment::AtOnce }
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

    fn said(self, said: TextMoment) -> Self {
        Self { said, ..self }
    }

    fn with(self, numbers: &[(String, f64)]) -> Self {
        Self { numbers: numbers.to_vec(), ..self }
    }
}

fn after(settings: &[Setting], edits: &[DataEdit]) -> TextMoment {
    TextMoment::After(Arc::new(PageChange { settings: settings.to_vec(), edits: edits.to_vec() }))
}

/// The same list for those who read texts and for those who put them.
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
                        let said = after(&stop.set.0, &[]);
                        texts.push((note.said(said), $($reference)+ stop.note));
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
                    let place = || TextPlace::text("solved").said(TextMoment::Later);
                    texts.extend(cell.solved.$iter().map(|text| (place(), text)));
                }
                CellKind::Check(drawn) => {
                    for draw in drawn.$iter() {
                        let numbers = $($reference)+ draw.numbers;
                        let cell = $($reference)+ draw.cell;
                        let solved = after(&cell.solution.0, &cell.solution_edits.0);
                        texts.push((TextPlace::text("ask").with(numbers), $($reference)+ cell.ask));
                        for (index, condition) in cell.conditions.$iter().enumerate() {
                            let key = key_of_condition(index, "label");
                            let place = TextPlace::label(&key).with(numbers);
                            texts.push((place, $($reference)+ condition.label));
                        }
                        for (index, hint) in cell.hints.$iter().enumerate() {
                            let place = TextPlace::text(&format!("hints[{index}]"));
                            texts.push((place.with(numbers).said(TextMoment::Later), hint));
                        }
                        let place = TextPlace::text("solved").with(numbers);
                        texts.push((place.said(solved), $($reference)+ cell.solved));
                    }
                }
                CellKind::Predict(drawn) => {
                    for draw in drawn.$iter() {
                        let numbers = $($reference)+ draw.numbers;
                        let cell = $($reference)+ draw.cell;
                        texts.push((TextPlace::text("ask").with(numbers), $($reference)+ cell.ask));
                        let place = TextPlace::text("why").with(numbers);
                        let said = after(&cell.set.0, &[]);
                        texts.push((place.said(said), $($reference)+ cell.why));
                    }
                }
                CellKind::Ask(drawn) => {
                    for draw in drawn.$iter() {
                        let numbers = $($reference)+ draw.numbers;
                        let cell = $($reference)+ draw.cell;
                        let later = |key: &str| TextPlace::text(key).with(numbers).said(TextMoment::Later);
                        texts.push((TextPlace::text("ask").with(numbers), $($reference)+ cell.ask));
                        for (index, choice) in cell.choices.$iter().enumerate() {
                            let label = TextPlace::label(&format!("choices[{index}].text"));
                            texts.push((label.with(numbers), $($reference)+ choice.text));
                            let reply = later(&format!("choices[{index}].reply"));
                            texts.push((reply, $($reference)+ choice.reply));
                        }
                        for (index, item) in cell.order.$iter().enumerate() {
                            let label = TextPlace::label(&format!("order[{index}].text"));
                            texts.push((label.with(numbers), $($reference)+ item.text));
                        }
                        for (index, wrong) in cell.wrong.$iter().enumerate() {
                            let reply = later(&format!("wrong[{index}].reply"));
                            texts.push((reply, $($reference)+ wrong.reply));
                        }
                        for (index, hint) in cell.hints.$iter().enumerate() {
                            texts.push((later(&format!("hints[{index}]")), hint));
                        }
                        texts.push((later("else"), $($reference)+ cell.otherwise));
                        texts.push((later("why"), $($reference)+ cell.why));
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
    /// All texts of a cell, in their order.
    texts, iter, &
}
texts! {
    /// As [`texts`], to put what they are read as.
    texts_mut, iter_mut, &mut
}

/// Where a key of a check's condition is written: the first stands in the cell
/// itself, the others in `also`.
pub fn key_of_condition(index: usize, key: &str) -> String {
    match index.checked_sub(1) {
        None => key.to_owned(),
        Some(index) => format!("also[{index}].{key}"),
    }
}

/// What a cell says before anything is done with it, but for labels.
pub fn open_texts(kind: &CellKind) -> impl Iterator<Item = &Text> {
    let open = |(place, text): (TextPlace, _)| {
        (place.said == TextMoment::AtOnce && place.form != TextForm::Label).then_some(text)
    };
    texts(kind).into_iter().filter_map(open)
}
