//! Numbers that readers drag, in the text itself: `k = slider(0.8, 0, 2)`. Dragging one
//! rewrites its first number, so nothing else needs to be kept.

use std::ops::Range;

use bindpose_diagnostic::{Diagnostic, Place};

use super::functions::{Function, OfNumbers};
use super::tree::AngleUnit;

/// A number as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WrittenNumber {
    /// With its sign; radians for angles.
    pub(super) value: f64,
    /// `None`: it is no angle.
    pub(super) unit: Option<AngleUnit>,
    /// Its characters, from 0: the sign and the digits, without the unit.
    pub(super) characters: Range<usize>,
}

/// A slider that a formula or a program asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct SliderCall {
    /// What it is put into; `None`: it stands within a formula.
    pub name: Option<String>,
    /// What it stands at; radians for angles.
    pub value: f64,
    /// Its ends, the lower first.
    pub range: (f64, f64),
    /// What its first number is written in; `None`: it is no angle.
    unit: Option<AngleUnit>,
    /// Where it stands in the text, in characters from 1.
    pub column: usize,
    /// The characters of its first number, from 0, without the unit.
    written: Range<usize>,
}

impl SliderCall {
    /// Of the arguments of a call, each the number that is written there, if it is one;
    /// `None`: of another function.
    pub(super) fn of(
        function: Function,
        arguments: &[Option<WrittenNumber>],
        start: usize,
    ) -> Result<Option<Self>, Diagnostic> {
        if function != Function::OfNumbers(OfNumbers::Slider) {
            return Ok(None);
        }
        let [Some(at), Some(from), Some(to)] = arguments else {
            let expected = "three numbers: where it stands, and its ends";
            return Err(wrong(start, expected, "a formula"));
        };
        let (from, to) = (from.value, to.value);
        if from >= to {
            let expected = "a lower end below the upper one";
            return Err(wrong(start, expected, &format!("{from} and {to}")));
        }
        Ok(Some(Self {
            name: None,
            value: at.value.clamp(from, to),
            range: (from, to),
            unit: at.unit,
            column: start + 1,
            written: at.characters.clone(),
        }))
    }

    /// Is it an angle, written with its unit?
    pub fn is_angle(&self) -> bool {
        self.unit.is_some()
    }

    /// The text with the slider elsewhere, held between its ends; what is no number
    /// changes nothing. `text` is the one that it was read from.
    pub fn moved(&self, text: &str, value: f64) -> String {
        if value.is_nan() {
            return text.to_owned();
        }
        let (before, rest) = split_at(text, self.written.start);
        let (_, after) = split_at(rest, self.written.len());
        let value = value.clamp(self.range.0, self.range.1);
        format!("{before}{}{after}", self.in_few_digits(value))
    }

    /// A thousandth of the range counts.
    fn in_few_digits(&self, value: f64) -> String {
        let in_unit = |radians: f64| match self.unit {
            // What is too large to be written becomes the largest that can be.
            Some(AngleUnit::Degrees) => radians.to_degrees().clamp(f64::MIN, f64::MAX),
            Some(AngleUnit::Radians) | None => radians,
        };
        let shown = in_unit(value);
        let range = in_unit(self.range.1) - in_unit(self.range.0);
        let step = range.min(f64::MAX).log10().ceil() - 3.0;
        if shown == 0.0 {
            return "0".to_owned();
        }
        if (-9.0..=6.0).contains(&step) && shown.abs() < 1e15 {
            let decimals = (-step).max(0.0) as usize;
            return without_zeros(&format!("{shown:.decimals$}"));
        }
        let digits = (shown.abs().log10().floor() - step).clamp(0.0, 17.0) as usize;
        let written = format!("{shown:.digits$e}");
        match written.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", without_zeros(digits)),
            None => written,
        }
    }
}

/// Without those after the point that say nothing.
fn without_zeros(digits: &str) -> String {
    let short = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    if short == "-0" { "0" } else { short }.to_owned()
}

fn wrong(start: usize, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::expected(expected, found)
        .help("write k = slider(0.8, 0, 2)")
        .at(Place::Character(start + 1))
}

/// Before a character, and from it on.
fn split_at(text: &str, character: usize) -> (&str, &str) {
    let at = text.char_indices().nth(character);
    text.split_at(at.map_or(text.len(), |(at, _)| at))
}
