//! Numbers with their units, and where they are written.

use bindpose_diagnostic::Diagnostic;

use super::{Parser, is_name_char, wrong};
use crate::expr::slider_call::WrittenNumber;
use crate::expr::tree::{AngleUnit, Node};

/// Where a number may begin, after a sign or without one.
#[derive(Clone, Copy)]
pub(super) struct NumberBegins {
    sign: usize,
    digits: usize,
}

impl Parser {
    /// Digits and a unit. The sign before them is an operator.
    pub(super) fn number(&mut self) -> Result<Node, Diagnostic> {
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
        let characters = start..self.at;
        let unit = self.unit();
        let value = unit.map_or(value, |unit| unit.radians(value));
        self.last_number = Some(WrittenNumber { value, unit, characters });
        if unit.is_some() {
            return Ok(Node::Angle(value));
        }
        let after = self.at;
        self.skip(is_name_char);
        match self.text(after).as_str() {
            "" => Ok(Node::Number(value)),
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

    /// Where a number would be written that stands next.
    pub(super) fn number_begins(&mut self) -> NumberBegins {
        let next = self.peek();
        let sign = self.at;
        if matches!(next, Some('-' | '−' | '+')) {
            self.at += 1;
            self.peek();
        }
        let digits = self.at;
        self.at = sign;
        NumberBegins { sign, digits }
    }

    /// The number that was read there, if `read` is nothing else: what stands in the
    /// place of a name, or in parentheses, was written elsewhere.
    pub(super) fn written_number(
        &self,
        begins: NumberBegins,
        read: &Node,
    ) -> Option<WrittenNumber> {
        let is_number = |node: &Node| matches!(node, Node::Number(_) | Node::Angle(_));
        let is_negative = match read {
            Node::Negate(inner) if is_number(inner) => true,
            _ if is_number(read) => false,
            _ => return None,
        };
        let number = self.last_number.as_ref()?;
        if number.characters.start != begins.digits {
            return None;
        }
        Some(WrittenNumber {
            value: if is_negative { -number.value } else { number.value },
            unit: number.unit,
            characters: begins.sign..number.characters.end,
        })
    }
}
