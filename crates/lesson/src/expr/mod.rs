//! The language of lessons: formulas of numbers, vectors, quaternions and matrices,
//! and programs of them. Angles are radians.

mod arguments;
mod arithmetic;
mod constant;
mod error;
mod eval;
mod functions;
mod here;
mod named;
mod parse;
mod program;
mod rig_calls;
mod seam;
mod signs;
mod slider_call;
mod subject;
#[cfg(test)]
mod tests;
mod tree;
mod typed;
mod typed_calls;
mod value;

use tree::Node;
use typed::Evaluator;

pub(crate) use constant::{Unit, constant};
pub use error::EvalError;
pub use eval::Values;
pub use functions::MatrixKind;
pub use here::{HERE, Here};
pub use named::Named;
pub(crate) use parse::is_reserved;
#[cfg(any(test, feature = "testing"))]
pub use program::RUNS;
pub use program::{Moves, Program, ProgramError, Run};
pub use seam::{Seam, SeamKind};
pub use slider_call::SliderCall;
pub use subject::Subject;
pub use value::{Matrix, Value, Vector3, Vector4, VectorKind};

use bindpose_diagnostic::Diagnostic;

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// As written.
    pub source: String,
    root: Node,
    /// Is anything in it more than a number?
    typed: bool,
    /// What readers drag in it, in the order of the text.
    pub sliders: Vec<SliderCall>,
}

/// What a formula comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Finite.
    pub value: Value,
    /// Where frames met that differ, in the order in which they were met.
    pub seams: Vec<Seam>,
}

impl Expr {
    /// Reads a formula.
    ///
    /// Errors: at the character where it goes wrong: what was expected, and what to
    /// write. Formulas of more than 400 characters or 48 levels are refused.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let (root, sliders) = parse::parse(source)?;
        Ok(Self { source: source.to_owned(), typed: root.is_typed(), root, sliders })
    }

    /// The value now, of a formula that is a number. Always finite.
    ///
    /// Fails when it names something that is not there, has no finite value, or is no
    /// number.
    pub fn eval(&self, values: &dyn Values) -> Result<f64, EvalError> {
        if !self.typed {
            return eval::eval(&self.root, values);
        }
        match self.value(values)?.value {
            Value::Number(number) => Ok(number),
            _ => Err(EvalError::NotANumber { column: 1 }),
        }
    }

    /// The value now, of any type, and where its frames do not meet.
    ///
    /// Fails when it names something that is not there, puts together what does not go
    /// together, or has no finite value; at the column where that is.
    pub fn value(&self, values: &dyn Values) -> Result<Outcome, EvalError> {
        let mut evaluator = Evaluator::new(values, 0);
        let value = evaluator.value(&self.root)?;
        let seams = evaluator.seams.0;
        Ok(Outcome { value, seams })
    }
}

impl TryFrom<String> for Expr {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(&source)
    }
}
