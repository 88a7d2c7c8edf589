//! What can be said of a reader's vertex shader without GL: what is refused
//! before a driver sees it, what a driver's log says, and the small changes
//! that the page offers.

mod accept;
mod log;
mod loops;
mod probe;
mod tokens;
mod tries;

pub use accept::accept;
pub use log::mistakes_in_log;
pub use probe::{Probe, probe};
pub use tries::{Try, apply_try, tried, tries};

/// Something wrong with a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line of the reader's text, from 1; `None`: of the text as a whole.
    pub line: Option<usize>,
    /// In words.
    pub text: String,
}

impl Mistake {
    /// Of a line.
    #[must_use]
    pub fn at(line: usize, text: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            text: text.into(),
        }
    }

    /// Of the whole text.
    #[must_use]
    pub fn of_all(text: impl Into<String>) -> Self {
        Self {
            line: None,
            text: text.into(),
        }
    }
}

/// What became of the reader's vertex shader in the last picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderReport {
    /// Why it was refused; empty: it draws. While there are any, the last text
    /// that was accepted draws.
    pub mistakes: Vec<Mistake>,
    /// What is odd about what it computes, though it compiles.
    pub notes: Vec<String>,
}
