//! What the answers of a question are worth: each in its own state of the rig.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{
    EvalError, FormulaValue, InventoryQuestion, Lesson, LessonSet, NumberFormat, Settings,
};
use glam::Vec3;

use crate::{Derived, Document, Edit, EditError, apply, lesson_rig};

/// An answer as it is shown.
#[derive(Debug)]
pub enum OptionValue {
    /// Its words, proven by a formula where it has one.
    Words(Option<f64>),
    /// A number or a matrix.
    Value(FormulaValue),
    /// A picture of this state.
    Picture(Box<(Document, Derived)>),
}

/// Why an answer has no value: the key of its question at which that is told, and why.
#[derive(Debug)]
pub struct QuestionError {
    /// `options[1].set`
    pub key: String,
    /// What is wrong there.
    pub wrong: QuestionWrong,
}

/// What is wrong with a state or a formula.
#[derive(Debug, thiserror::Error)]
pub enum QuestionWrong {
    /// A setting does not fit the rig.
    #[error(transparent)]
    Refused(#[from] EditError),
    /// A formula has no value.
    #[error(transparent)]
    Eval(#[from] EvalError),
}

/// What the answers of a question of a lesson are worth, by option; `None` where its rig
/// is not there, or [`option_values`] fails.
pub fn question_values(
    set: &LessonSet,
    lesson: &Lesson,
    question: &InventoryQuestion,
    rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
) -> Option<Vec<OptionValue>> {
    let rig = lesson_rig(set, question.rig_in(lesson), rigs)?;
    Some(option_values(question, &rig).ok()?.1)
}

/// How the rig stands in a question, and what its answers are worth there, by option.
///
/// Fails when a setting does not fit the rig, or a formula has no value.
pub fn option_values(
    question: &InventoryQuestion,
    rig: &Arc<Rig>,
) -> Result<((Document, Derived), Vec<OptionValue>), QuestionError> {
    let at = |key: String| move |wrong: QuestionWrong| QuestionError { key, wrong };
    let document = put(&Document::default(), &question.set, rig);
    let document = document.map_err(|wrong| at("set".to_owned())(wrong.into()))?;
    let influences = Derived::edited_influences(&document, rig);
    let derived = Derived::new(&document, None, rig, influences);
    let mut values = Vec::new();
    for (place, option) in question.options.iter().enumerate() {
        let key = |name: &str| at(format!("options[{place}].{name}"));
        let other = put(&document, &option.set, rig).map_err(|wrong| key("set")(wrong.into()))?;
        let state = || derived.of_other(&other, None);
        values.push(match &question.value {
            _ if question.pictures => OptionValue::Picture(Box::new((other.clone(), state()))),
            Some(formula) => {
                let formula = option.value.as_ref().unwrap_or(formula);
                let name =
                    if option.value.is_some() { key("value") } else { at("value".to_owned()) };
                let outcome = formula.value(&state()).map_err(|wrong| name(wrong.into()))?;
                OptionValue::Value(outcome.value)
            }
            None => {
                let proof = option.when.as_ref().map(|when| when.eval(&derived)).transpose();
                OptionValue::Words(proof.map_err(|wrong| key("when")(wrong.into()))?)
            }
        });
    }
    Ok(((document, derived), values))
}

/// A number or a vector as it is shown: `1.50`, `90°`, `(1.00, 0.00, 0.00)`; `None` for
/// a matrix.
fn value_words(question: &InventoryQuestion, value: &FormulaValue) -> Option<String> {
    let number = match value {
        FormulaValue::Number(number) => *number,
        FormulaValue::Mat4(_) => return None,
        FormulaValue::Vec3(_) | FormulaValue::Vec4(_) | FormulaValue::Quat(_) => {
            let numbers = value.numbers().into_iter();
            let numbers: Vec<String> =
                numbers.map(|number| fixed(number, question.decimals)).collect();
            return Some(format!("({})", numbers.join(", ")));
        }
    };
    let format = NumberFormat { suffix: question.unit.clone(), ..NumberFormat::default() };
    let shown = fixed(number * format.shown_per_stored(), question.decimals);
    Some(format!("{shown}{}", question.unit))
}

/// An answer in words, by its place among the options: its text or its value; `None` for
/// a matrix and a picture. `value`: what it is worth, where that is known.
pub fn option_words(
    question: &InventoryQuestion,
    place: usize,
    value: Option<&OptionValue>,
) -> Option<String> {
    match value {
        Some(OptionValue::Value(value)) => value_words(question, value),
        Some(OptionValue::Picture(_)) => None,
        Some(OptionValue::Words(_)) | None => Some(question.options.get(place)?.text.clone()),
    }
}

impl OptionValue {
    /// Can a reader tell it from another one? Of pictures: is a vertex elsewhere by a
    /// twentieth of the model's size?
    pub fn differs_from(&self, other: &Self, question: &InventoryQuestion) -> bool {
        match (self, other) {
            (Self::Value(one), Self::Value(other)) => {
                let (words, others) = (value_words(question, one), value_words(question, other));
                let shown = |value: &FormulaValue| {
                    let numbers = value.numbers().into_iter();
                    let shown = numbers.map(|number| fixed(number, question.decimals));
                    shown.collect::<Vec<_>>()
                };
                match (words, others) {
                    (Some(words), Some(others)) => words != others,
                    _ => shown(one) != shown(other),
                }
            }
            (Self::Picture(one), Self::Picture(other)) => {
                let (ones, others) = (one.1.positions(), other.1.positions());
                let (low, high) =
                    ones.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| {
                        (low.min(*p), high.max(*p))
                    });
                let least = (high - low).max_element() / 20.0;
                ones.iter().zip(others.iter()).any(|(a, b)| a.distance(*b) > least)
            }
            _ => true,
        }
    }
}

fn put(document: &Document, set: &Settings, rig: &Rig) -> Result<Document, EditError> {
    let mut document = document.clone();
    if !set.0.is_empty() {
        let edit = Edit::Settings(set.0.clone());
        apply(&mut document, &edit, &Lesson::default(), rig)?;
    }
    Ok(document)
}
