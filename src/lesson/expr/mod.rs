//! Formulas in lessons: real numbers, the usual operators, a few functions.
//! Angles are radians.

mod constant;
mod eval;
mod here;
mod named;
mod parse;
mod subject;
#[cfg(test)]
mod tests;
mod tree;

use tree::Node;

pub(crate) use constant::{Unit, constant};
pub use eval::{EvalError, Values};
pub use here::{HERE, Here};
pub use named::Named;
pub(crate) use parse::is_reserved;
pub use subject::Subject;
pub use tree::MatrixKind;

use crate::diagnostic::Diagnostic;

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// As written.
    pub source: String,
    root: Node,
}

impl Expr {
    /// Reads a formula.
    ///
    /// # Errors
    /// At the character where it goes wrong: what was expected, and what to
    /// write. Formulas of more than 400 characters or 48 levels are refused.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let root = parse::parse(source)?;
        Ok(Self {
            source: source.to_owned(),
            root,
        })
    }

    /// The value now. Always finite.
    ///
    /// # Errors
    /// When it names something that is not there, or has no finite value.
    pub fn eval(&self, values: &dyn Values) -> Result<f64, EvalError> {
        eval::eval(&self.root, values)
    }
}

impl TryFrom<String> for Expr {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(&source)
    }
}
