//! Formulas in lessons: real numbers, the usual operators, a few functions.
//! Angles are radians.

mod constant;
mod eval;
mod parse;
#[cfg(test)]
mod tests;
mod tree;

use tree::Node;

pub(crate) use constant::{Unit, constant};
pub use eval::{EvalError, Values};
pub use parse::ExprError;
pub(crate) use parse::is_reserved;
pub use tree::MatrixKind;

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Expr {
    /// As written.
    pub source: String,
    root: Node,
}

impl Expr {
    /// Reads a formula.
    ///
    /// # Errors
    /// Where it goes wrong, what was expected, and what to write. Formulas of
    /// more than 400 characters or 48 levels are refused.
    pub fn parse(source: &str) -> Result<Self, ExprError> {
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
    type Error = String;

    fn try_from(source: String) -> Result<Self, String> {
        Self::parse(&source).map_err(|error| format!("{error}\nhelp: {}", error.help))
    }
}
