//! Values and pictures of the choices of a question, each in its own state of the rig.

use std::error::Error;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::number_text::fixed;
use bindpose_lesson::{FormulaValue, InventoryQuestion, Lesson, LessonSet, NumberFormat, Settings};
use glam::Vec3;

use crate::{Derived, Document, Edit, EditError, apply, lesson_rig};

/// A choice as it is shown.
#[derive(Debug)]
pub enum OptionValue {
    /// Its text, and the value of the formula that proves it, if any.
    Words(Option<f64>),
    /// A number, a vector or a matrix.
    Value(FormulaValue),
    /// A picture of this state.
    Picture(Box<(Document, Derived)>),
}

/// A setting that does not fit the rig, or a formula without a value.
#[derive(Debug)]
pub struct QuestionError {
    /// Key in the question, such as `choices[1].set`.
    pub key: String,
    pub title: String,
}

impl QuestionError {
    fn new(key: impl Into<String>, error: &dyn Error) -> Self {
        Self { key: key.into(), title: error.to_string() }
    }
}

/// Computes the choices of a question, in the author's order. Returns `None` if the rig is
/// missing or [`option_values`] fails.
pub fn question_values(
    set: &LessonSet,
    lesson: &Lesson,
    question: &InventoryQuestion,
    rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
) -> Option<Vec<OptionValue>> {
    let rig = lesson_rig(set, question.rig_in(lesson), rigs)?;
    Some(option_values(question, &rig).ok()?.1)
}

/// Computes the state of the rig in a question, and its choices in the author's order.
///
/// # Errors
///
/// Fails if a setting does not fit the rig, or a formula has no value.
pub fn option_values(
    question: &InventoryQuestion,
    rig: &Arc<Rig>,
) -> Result<((Document, Derived), Vec<OptionValue>), QuestionError> {
    let document = with_settings(&Document::default(), &question.set, rig)
        .map_err(|error| QuestionError::new("set", &error))?;
    let derived = Derived::of_document(&document, None, rig);
    let mut values = Vec::new();
    for (index, (choice, origin)) in question.choices().enumerate() {
        let changed = with_settings(&document, &origin.set, rig)
            .map_err(|error| QuestionError::new(format!("choices[{index}].set"), &error))?;
        let value = if question.pictures {
            let state = derived.of_other(&changed, None);
            OptionValue::Picture(Box::new((changed, state)))
        } else if let Some(right_value) = &question.value {
            let (formula, key) = match &origin.value {
                Some(own) => (own, format!("choices[{index}].value")),
                None => (right_value, "value".to_owned()),
            };
            let outcome = formula
                .value(&derived.of_other(&changed, None))
                .map_err(|error| QuestionError::new(key, &error))?;
            OptionValue::Value(outcome.value)
        } else {
            let proof = choice.when.as_ref().map(|when| when.eval(&derived)).transpose();
            let key = format!("choices[{index}].when");
            OptionValue::Words(proof.map_err(|error| QuestionError::new(key, &error))?)
        };
        values.push(value);
    }
    Ok(((document, derived), values))
}

/// Formats a number or a vector: `1.50`, `90°`, `(1.00, 0.00, 0.00)`. Returns `None` for a
/// matrix.
fn value_words(question: &InventoryQuestion, value: &FormulaValue) -> Option<String> {
    let number = match value {
        FormulaValue::Number(number) => *number,
        FormulaValue::Mat4(_) => return None,
        FormulaValue::Vec3(_) | FormulaValue::Vec4(_) | FormulaValue::Quat(_) => {
            return Some(format!("({})", shown_numbers(question, value).join(", ")));
        }
    };
    let format = NumberFormat { suffix: question.unit.clone(), ..NumberFormat::default() };
    let shown = fixed(number * format.shown_per_stored(), question.decimals.0);
    Some(format!("{shown}{}", question.unit))
}

/// Formats the components of a value.
fn shown_numbers(question: &InventoryQuestion, value: &FormulaValue) -> Vec<String> {
    value.numbers().into_iter().map(|number| fixed(number, question.decimals.0)).collect()
}

/// Returns the text or the value of a choice, by its index. Returns `None` for a matrix and a
/// picture.
pub fn option_words(
    question: &InventoryQuestion,
    place: usize,
    value: Option<&OptionValue>,
) -> Option<String> {
    match value {
        Some(OptionValue::Value(value)) => value_words(question, value),
        Some(OptionValue::Picture(_)) => None,
        Some(OptionValue::Words(_)) | None => {
            Some(question.ask.choices.get(place)?.text.source.clone())
        }
    }
}

impl OptionValue {
    /// Whether a reader can tell the two apart. In pictures, a vertex must move by at least a
    /// twentieth of the model's size.
    pub fn differs_from(&self, other: &Self, question: &InventoryQuestion) -> bool {
        match (self, other) {
            (Self::Value(one), Self::Value(other)) => {
                match (value_words(question, one), value_words(question, other)) {
                    (Some(words), Some(others)) => words != others,
                    _ => shown_numbers(question, one) != shown_numbers(question, other),
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

fn with_settings(document: &Document, set: &Settings, rig: &Rig) -> Result<Document, EditError> {
    let mut document = document.clone();
    if !set.0.is_empty() {
        let edit = Edit::Settings(set.0.clone());
        apply(&mut document, &edit, &Lesson::default(), rig)?;
    }
    Ok(document)
}
