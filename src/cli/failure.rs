//! How a command ends when it does not end well.

use std::process::ExitCode;

use bindpose_diagnostic::{Diagnostic, Place};

use crate::app::{HandoutError, ShotError};

/// Why a command does not end with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It did what was asked and found something wrong, which is said already.
    Findings,
    /// What was asked cannot be done.
    Cannot(Box<Diagnostic>),
}

impl Failure {
    pub(super) fn cannot(wrong: impl Into<Diagnostic>) -> Self {
        Self::Cannot(Box::new(wrong.into()))
    }

    /// Something is wrong with an argument, written as `--set b0=x`.
    pub(super) fn argument(written: impl Into<String>, wrong: Diagnostic) -> Self {
        Self::cannot(wrong.at(Place::Argument(written.into())))
    }

    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::cannot(Diagnostic::said("FAILED", error.to_string()))
    }

    /// Something wrong was found, and said.
    pub(super) fn if_found(found: bool) -> Result<(), Self> {
        if found { Err(Self::Findings) } else { Ok(()) }
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Findings => 1,
            Self::Cannot(_) => 2,
        })
    }
}

impl From<ShotError> for Failure {
    fn from(error: ShotError) -> Self {
        Self::failed(error)
    }
}

impl From<HandoutError> for Failure {
    fn from(error: HandoutError) -> Self {
        match error {
            HandoutError::Lessons(wrong) => Self::cannot(wrong),
            other => Self::failed(other),
        }
    }
}
