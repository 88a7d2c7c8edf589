//! Programs: formulas put into names, loops over joints and numbers, conditions, and
//! statements that move joints.

mod act;
mod parse;
mod run;
mod statement;
#[cfg(test)]
mod tests;

pub use act::Moves;
use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
#[cfg(any(test, feature = "testing"))]
pub use run::RUNS;
pub use run::{ProgramError, ProgramRun};
use statement::Statement;

/// A program that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseProgram {
    /// As written.
    pub source: String,
    statements: Vec<Statement>,
}

impl PoseProgram {
    /// Reads a program.
    ///
    /// Errors: at the character where it goes wrong, counted through all lines: what was
    /// expected, and what to write; [`Self::place`] says the line. Programs of more
    /// than 4000 characters, 200 statements or 8 levels of braces are refused.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let statements = parse::parse(source)?;
        Ok(Self { source: source.to_owned(), statements })
    }

    /// Line and column of a character of a text, both from 1.
    pub fn place(source: &str, character: usize) -> LineColumn {
        let mut at = LineColumn { line: 1, column: 1 };
        for c in source.chars().take(character.saturating_sub(1)) {
            if c == '\n' {
                at = LineColumn { line: at.line + 1, column: 1 };
            } else {
                at.column += 1;
            }
        }
        at
    }
}

/// In a text of many lines the place says the line too, within the words: where the
/// text itself begins is known to whoever reads it.
impl TryFrom<String> for PoseProgram {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(source.trim_end()).map_err(|wrong| {
            let Place::Character(character) = wrong.at else {
                return wrong;
            };
            let at = Self::place(&source, character);
            let title = format!(
                "line {}, column {} of the program: {}",
                at.line,
                at.column,
                wrong.sentence()
            );
            wrong.title(title).at(Place::default())
        })
    }
}
