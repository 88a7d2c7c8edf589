//! The language of lessons: formulas of numbers, vectors, quaternions and matrices,
//! and programs of them. Angles are radians.
//!
//! # Formulas and programs
//!
//! `lesson/expr/` is one language with one parser. A formula whose tree has nothing but
//! numbers is worked out by `eval.rs`, which a plot asks hundreds of times a frame; all
//! others by `typed.rs`, which knows vectors, quaternions and matrices (`value.rs`),
//! their frames, and where these do not meet (`seam.rs`). Both ask a page through the
//! trait `Values` alone. `program/` puts statements around formulas; what they do to
//! joints goes through the trait `Moves`, which `notebook/program_pose.rs` answers: a
//! pure function of rig, parameters and time, called where joints are posed
//! (`joints.rs`), so that crowds, films and links need nothing of their own. Every
//! evaluation counts its operations and stops at `MOST_OPERATIONS`. What readers write
//! instead of a lesson’s text stands in the document by the name of its cell
//! (`notebook/cell_text.rs`); of a program also the last text that could be read.

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
mod subject;
#[cfg(test)]
mod tests;
mod tree;
mod typed;
mod typed_calls;
mod value;

use tree::FormulaNode;
use typed::Evaluator;

pub(crate) use constant::{Unit, constant};
pub use error::EvalError;
pub use eval::Values;
pub use functions::MatrixKind;
pub use here::{HERE, Here};
pub use named::NamedThing;
pub(crate) use parse::is_reserved;
#[cfg(any(test, feature = "testing"))]
pub use program::RUNS;
pub use program::{Moves, PoseProgram, ProgramError, ProgramRun};
pub use seam::{FrameSeam, SeamKind};
pub use subject::FormulaSubject;
pub use value::{FormulaValue, Matrix, Vector3, Vector4, VectorKind};

use bindpose_diagnostic::Diagnostic;

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// As written.
    pub source: String,
    root: FormulaNode,
    /// Is anything in it more than a number?
    typed: bool,
}

/// What a formula comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaOutcome {
    /// Finite.
    pub value: FormulaValue,
    /// Where frames met that differ, in the order in which they were met.
    pub seams: Vec<FrameSeam>,
}

impl Expr {
    /// Reads a formula.
    ///
    /// Errors: at the character where it goes wrong: what was expected, and what to
    /// write. Formulas of more than 400 characters or 48 levels are refused.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let root = parse::parse(source)?;
        Ok(Self { source: source.to_owned(), typed: root.is_typed(), root })
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
            FormulaValue::Number(number) => Ok(number),
            _ => Err(EvalError::NotANumber { column: 1 }),
        }
    }

    /// The value now, of any type, and where its frames do not meet.
    ///
    /// Fails when it names something that is not there, puts together what does not go
    /// together, or has no finite value; at the column where that is.
    pub fn value(&self, values: &dyn Values) -> Result<FormulaOutcome, EvalError> {
        let mut evaluator = Evaluator::new(values, 0);
        let value = evaluator.value(&self.root)?;
        let seams = evaluator.seams.0;
        Ok(FormulaOutcome { value, seams })
    }
}

impl TryFrom<String> for Expr {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(&source)
    }
}
