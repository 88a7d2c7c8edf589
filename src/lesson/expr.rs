//! Formulas in lessons: real numbers, the usual operators, a few functions.

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Expr {
    /// As written.
    pub source: String,
}

impl TryFrom<String> for Expr {
    type Error = String;

    fn try_from(source: String) -> Result<Self, String> {
        Ok(Self { source })
    }
}
