//! How a command ends when it does not end well.

use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    /// The command line asks for something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// It was understood, but did not come about.
    #[error("{0}")]
    Failed(String),
    /// What is wrong has been said already.
    #[error("")]
    Reported,
}

impl Failure {
    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) | Self::Reported => ExitCode::FAILURE,
        }
    }
}
