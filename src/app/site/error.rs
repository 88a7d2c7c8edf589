//! Why there is no site.

use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
use bindpose_render::RenderError;

use crate::app::shot::ShotError;

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// There are no lessons.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// A file of the program could not be read.
    #[error("{file}: {why}; `cargo xtask web` writes it")]
    Program {
        /// Which.
        file: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// No headless GL.
    #[error("{0}; without pictures it can be made: --without-pictures")]
    Render(#[from] RenderError),
    /// A picture of the page was not drawn.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// A picture was not drawn, in words.
    #[error("{0}")]
    Picture(String),
}
