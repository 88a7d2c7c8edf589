//! Numbers with their units.

use bindpose_diagnostic::Diagnostic;

use super::{Parser, is_name_char, wrong};
use crate::expr::tree::{AngleUnit, FormulaNode};

impl Parser {
    /// Digits and a unit. The sign before them is an operator.
    pub(super) fn number(&mut self) -> Result<FormulaNode, Diagnostic> {
        let start = self.at;
        self.skip(|c| c.is_ascii_digit());
        if self.char(0) == Some('.') {
            self.at += 1;
            self.skip(|c| c.is_ascii_digit());
        }
        if matches!(self.char(0), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.char(1), Some('+' | '-')));
            if self.char(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1 + sign;
                self.skip(|c| c.is_ascii_digit());
            }
        }
        let digits = self.text(start);
        let value: Option<f64> = digits.parse().ok().filter(|value: &f64| value.is_finite());
        let Some(value) = value else {
            return Err(wrong(
                start,
                "a number",
                format!("`{digits}`"),
                "write digits and at most one point",
            ));
        };
        if let Some(unit) = self.unit() {
            return Ok(FormulaNode::Angle(unit.radians(value)));
        }
        let after = self.at;
        self.skip(is_name_char);
        match self.text(after).as_str() {
            "" => Ok(FormulaNode::Number(value)),
            name => Err(wrong(
                after,
                "an operator",
                format!("`{name}`"),
                format!("write {digits}*{name}, or {digits}deg for degrees"),
            )),
        }
    }

    /// The unit of an angle; stays where it is when none follows.
    fn unit(&mut self) -> Option<AngleUnit> {
        let before = self.at;
        self.skip(|c| c == ' ');
        let start = self.at;
        self.skip(|c| c == '°' || is_name_char(c));
        let name = self.text(start);
        let unit = AngleUnit::NAMES.iter().find(|&&(other, _)| other == name);
        if unit.is_none() {
            self.at = before;
        }
        unit.map(|&(_, unit)| unit)
    }
}
