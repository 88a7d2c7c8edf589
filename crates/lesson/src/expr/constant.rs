//! Constant formulas, as readers type them into number fields: `pi/2`, `1/3°`.

use super::eval::{AngleUnit, FormulaNode, Operator};
use super::functions::{FormulaFunction, NumericFunction};
use super::parse::parse;

/// Dimension of a number, as far as its formula shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Plain,
    /// A multiple of π without a unit. Where an angle is expected, it is in radians.
    Pi,
    /// An angle, converted to radians.
    Angle,
    /// A sum or product of different dimensions, such as `45deg + 10`.
    Mixed,
}

/// Evaluates a formula of constants and derives its unit. A unit at the end applies to
/// everything before it that has none: `1/3°` is a third of a degree. Returns `None` if the
/// text is no such formula, or its value is not finite.
pub(crate) fn constant(text: &str) -> Option<(f64, Unit)> {
    let text = text.trim();
    let unit_at_end =
        AngleUnit::NAMES.iter().find_map(|&(name, unit)| Some((text.strip_suffix(name)?, unit)));
    if let Some((body, unit)) = unit_at_end
        && let Some((value, Unit::Plain | Unit::Pi)) = value_of_text(body)
    {
        return Some((unit.radians(value), Unit::Angle));
    }
    value_of_text(text)
}

fn value_of_text(text: &str) -> Option<(f64, Unit)> {
    constant_value(&parse(text).ok()?).filter(|(value, _)| value.is_finite())
}

fn constant_value(node: &FormulaNode) -> Option<(f64, Unit)> {
    Some(match node {
        FormulaNode::Number(number) => (*number, Unit::Plain),
        FormulaNode::Angle(angle_rad) => (*angle_rad, Unit::Angle),
        FormulaNode::Pi => (std::f64::consts::PI, Unit::Pi),
        FormulaNode::Negate(inner) => {
            let (value, unit) = constant_value(inner)?;
            (-value, unit)
        }
        FormulaNode::Binary(operator, ..) if operator.is_comparison() => return None,
        FormulaNode::Binary(operator, left, right, _) => {
            let (left, left_unit) = constant_value(left)?;
            let (right, right_unit) = constant_value(right)?;
            let unit = match operator {
                Operator::Add | Operator::Subtract => left_unit.of_sum(right_unit),
                Operator::Multiply if left_unit == Unit::Plain => right_unit,
                Operator::Multiply | Operator::Divide if right_unit == Unit::Plain => left_unit,
                Operator::Divide if left_unit == right_unit => Unit::Plain,
                Operator::Power if left_unit == Unit::Plain => Unit::Plain,
                _ => Unit::Mixed,
            };
            (operator.value(left, right), unit)
        }
        FormulaNode::Call { function: FormulaFunction::Numeric(function), arguments, .. } => {
            let arguments = arguments.iter().map(constant_value).collect::<Option<Vec<_>>>()?;
            let units = arguments.iter().map(|&(_, unit)| unit);
            let unit = match function {
                NumericFunction::Abs
                | NumericFunction::Floor
                | NumericFunction::Min
                | NumericFunction::Max => units.reduce(Unit::of_sum)?,
                NumericFunction::Acos | NumericFunction::Asin | NumericFunction::Atan2 => {
                    Unit::Angle
                }
                NumericFunction::Sin
                | NumericFunction::Cos
                | NumericFunction::Tan
                | NumericFunction::Exp
                | NumericFunction::Log
                | NumericFunction::Sqrt => Unit::Plain,
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
    /// Unit of a sum.
    fn of_sum(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::Pi, Self::Angle) | (Self::Angle, Self::Pi) => Self::Angle,
            _ => Self::Mixed,
        }
    }
}
