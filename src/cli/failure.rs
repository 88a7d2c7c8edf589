//! How a command ends when it does not end well.

use std::process::ExitCode;

use crate::diagnostic::{Diagnostic, Place};

/// Why a command did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    /// The command line asks for something that does not exist.
    #[error("{0}")]
    Usage(Diagnostic),
    /// It was understood, but did not come about.
    #[error("{0}")]
    Failed(Diagnostic),
    /// What is wrong has been said already.
    #[error("")]
    Reported,
}

impl Failure {
    /// Something is wrong with an argument, written as `--set b0=x`.
    pub(super) fn argument(written: impl Into<String>, wrong: Diagnostic) -> Self {
        Self::Usage(wrong.at(Place::Argument(written.into())))
    }

    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed(Diagnostic::said("FAILED", error.to_string()))
    }

    /// A model cannot be read.
    pub(super) fn unread(error: impl Into<Diagnostic>) -> Self {
        Self::Failed(error.into())
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) | Self::Reported => ExitCode::FAILURE,
        }
    }
}
