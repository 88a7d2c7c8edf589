//! A formula that is a number by itself, as somebody types it: `pi/2`, `1/3°`.

use super::eval::{AngleUnit, FormulaNode, Operator};
use super::functions::{FormulaFunction, OfNumbers};
use super::parse::parse;

/// What a number measures, as far as its formula says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A number without a unit.
    Plain,
    /// A multiple of π without a unit: in a place for angles it means radians.
    Pi,
    /// Radians.
    Angle,
    /// A sum or product of what does not go together, as `45deg + 10`.
    Mixed,
}

/// The value of a formula that names nothing of a page, and what it measures. A
/// unit at the end is the unit of all before it that has none: `1/3°` is a third
/// of a degree. `None` when it is no such formula, or has no finite value.
pub(crate) fn constant(text: &str) -> Option<(f64, Unit)> {
    let text = text.trim();
    let at_end =
        AngleUnit::NAMES.iter().find_map(|&(name, unit)| Some((text.strip_suffix(name)?, unit)));
    if let Some((body, unit)) = at_end
        && let Some((value, Unit::Plain | Unit::Pi)) = value_of_text(body)
    {
        return Some((unit.radians(value), Unit::Angle));
    }
    value_of_text(text)
}

fn value_of_text(text: &str) -> Option<(f64, Unit)> {
    value(&parse(text).ok()?).filter(|(value, _)| value.is_finite())
}

fn value(node: &FormulaNode) -> Option<(f64, Unit)> {
    Some(match node {
        FormulaNode::Number(number) => (*number, Unit::Plain),
        FormulaNode::Angle(angle_rad) => (*angle_rad, Unit::Angle),
        FormulaNode::Pi => (std::f64::consts::PI, Unit::Pi),
        FormulaNode::Negate(inner) => {
            let (value, unit) = value(inner)?;
            (-value, unit)
        }
        FormulaNode::Binary(operator, ..) if operator.is_comparison() => return None,
        FormulaNode::Binary(operator, left, right, _) => {
            let ((left, of_left), (right, of_right)) = (value(left)?, value(right)?);
            let unit = match operator {
                Operator::Add | Operator::Subtract => of_left.and(of_right),
                Operator::Multiply if of_left == Unit::Plain => of_right,
                Operator::Multiply | Operator::Divide if of_right == Unit::Plain => of_left,
                Operator::Divide if of_left == of_right => Unit::Plain,
                Operator::Power if of_left == Unit::Plain => Unit::Plain,
                _ => Unit::Mixed,
            };
            (operator.value(left, right), unit)
        }
        FormulaNode::Call { function: FormulaFunction::OfNumbers(function), arguments, .. } => {
            let arguments = arguments.iter().map(value).collect::<Option<Vec<_>>>()?;
            let units = arguments.iter().map(|&(_, unit)| unit);
            let unit = match function {
                OfNumbers::Abs | OfNumbers::Floor | OfNumbers::Min | OfNumbers::Max => {
                    units.reduce(Unit::and)?
                }
                OfNumbers::Acos | OfNumbers::Asin | OfNumbers::Atan2 => Unit::Angle,
                OfNumbers::Sin
                | OfNumbers::Cos
                | OfNumbers::Tan
                | OfNumbers::Exp
                | OfNumbers::Log
                | OfNumbers::Sqrt => Unit::Plain,
            };
            let values: Vec<f64> = arguments.iter().map(|&(value, _)| value).collect();
            (function.value(&values), unit)
        }
        FormulaNode::Vertex(_)
        | FormulaNode::Name { .. }
        | FormulaNode::Joint { .. }
        | FormulaNode::Member(..)
        | FormulaNode::Call { .. } => return None,
    })
}

impl Unit {
    /// Of a sum.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::Pi, Self::Angle) | (Self::Angle, Self::Pi) => Self::Angle,
            _ => Self::Mixed,
        }
    }
}
