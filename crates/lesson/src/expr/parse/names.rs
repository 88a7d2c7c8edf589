//! Definitions before a formula, `a = 2; a * x(v2)`. Their values are substituted for the
//! names.

use bindpose_diagnostic::Diagnostic;

use super::{Parser, error_at, is_name_char, is_reserved};
use crate::expr::eval::{AngleUnit, FormulaNode};

/// Maximum number of characters in a formula after substitution.
const MAX_SUBSTITUTED_CHARS: usize = 4000;

impl Parser {
    /// Parses `name = formula;` before a formula. Returns false if there is none.
    pub(super) fn parse_definition(&mut self) -> Result<bool, Diagnostic> {
        self.peek();
        let start = self.at;
        if self.char(0).is_some_and(|c| !c.is_ascii_digit()) {
            self.skip(is_name_char);
        }
        let name = self.text(start);
        let is_assigned = self.peek() == Some('=') && self.char(1) != Some('=');
        let ends = self.chars.get(self.at..).unwrap_or_default().contains(&';');
        if name.is_empty() || !is_assigned || !ends {
            self.at = start;
            return Ok(false);
        }
        check_free_name(&name, start)?;
        self.at += 1;
        self.peek();
        let value_start = self.at;
        let substituted_before = self.substituted_chars;
        let node = self.expression(0)?;
        self.expect(';')?;
        let length = self.at - value_start + self.substituted_chars - substituted_before;
        self.names.push((name, node, length));
        Ok(true)
    }

    /// Returns the value to substitute for a name, if it was defined.
    pub(super) fn substitution(
        &mut self,
        name: &str,
        column: usize,
    ) -> Result<Option<FormulaNode>, Diagnostic> {
        let mut names = self.names.iter().rev();
        let Some((_, node, length)) = names.find(|(other, ..)| other == name) else {
            return Ok(None);
        };
        self.substituted_chars += length;
        if self.substituted_chars > MAX_SUBSTITUTED_CHARS {
            let expected = "names that do not grow with every use";
            return Err(error_at(column, expected, "too large a formula", "use fewer of them"));
        }
        Ok(Some(node.clone()))
    }
}

/// Rejects names that cannot be defined because they have a meaning already.
pub(in crate::expr) fn check_free_name(name: &str, at: usize) -> Result<(), Diagnostic> {
    if is_reserved(name) || ["t", "time"].contains(&name) {
        let found = format!("`{name}`, which means something else");
        return Err(error_at(at, "a name of your own", found, "write another name"));
    }
    Ok(())
}

// Numbers with their units.

impl Parser {
    /// Parses an unsigned number with an optional unit. A sign is an operator.
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
            return Err(error_at(
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
            name => Err(error_at(
                after,
                "an operator",
                format!("`{name}`"),
                format!("write {digits}*{name}, or {digits}deg for degrees"),
            )),
        }
    }

    /// Parses the unit of an angle. Consumes nothing if there is none.
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
