//! Names before a formula, `a = 2; a * x(v2)`: what is put into one stands wherever the
//! name does.

use bindpose_diagnostic::Diagnostic;

use super::{Parser, is_name_char, is_reserved, wrong};
use crate::expr::eval::{AngleUnit, FormulaNode};

/// Larger formulas, with what stands in the places of their names, are refused.
const MAX_PARTS: usize = 4000;

impl Parser {
    /// `name = formula;` before a formula; false where none stands next.
    pub(super) fn put_into_name(&mut self) -> Result<bool, Diagnostic> {
        self.peek();
        let start = self.at;
        if self.char(0).is_some_and(|c| !c.is_ascii_digit()) {
            self.skip(is_name_char);
        }
        let name = self.text(start);
        let is_put = self.peek() == Some('=') && self.char(1) != Some('=');
        let ends = self.chars.get(self.at..).unwrap_or_default().contains(&';');
        if name.is_empty() || !is_put || !ends {
            self.at = start;
            return Ok(false);
        }
        free_name(&name, start)?;
        self.at += 1;
        self.peek();
        let (from, parts) = (self.at, self.parts);
        let node = self.expression(0)?;
        self.expect(';')?;
        let parts = self.at - from + self.parts - parts;
        self.names.push((name, node, parts));
        Ok(true)
    }

    /// What stands in the place of a name.
    pub(super) fn named(
        &mut self,
        name: &str,
        column: usize,
    ) -> Result<Option<FormulaNode>, Diagnostic> {
        let mut names = self.names.iter().rev();
        let Some((_, node, parts)) = names.find(|(other, ..)| other == name) else {
            return Ok(None);
        };
        self.parts += parts;
        if self.parts > MAX_PARTS {
            let expected = "names that do not grow with every use";
            return Err(wrong(column, expected, "too large a formula", "use fewer of them"));
        }
        Ok(Some(node.clone()))
    }
}

/// May a name of one's own be called so?
pub(in crate::expr) fn free_name(name: &str, at: usize) -> Result<(), Diagnostic> {
    if is_reserved(name) || ["t", "time"].contains(&name) {
        let found = format!("`{name}`, which means something else");
        return Err(wrong(at, "a name of your own", found, "write another name"));
    }
    Ok(())
}

// Numbers with their units.

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
