//! The program: the notebook, the page and the renderer joined.

#[cfg(any(test, target_arch = "wasm32"))]
mod browser_keys;
#[cfg(test)]
mod documented;
#[cfg(any(test, target_arch = "wasm32"))]
mod dom_mirror;
#[cfg(test)]
mod driven_cells;
mod exporting;
mod handout;
mod host;
mod keys;
mod notice;
mod opening;
mod prepare_context;
mod shell;
mod system_settings;
mod teachers_message;
#[cfg(test)]
mod technical_artists;
#[cfg(test)]
mod testing;

/// Path below `assets/` of the licences of all dependencies, for readers of a built program.
pub(crate) const LICENCES: &str = "licences/third-party.txt";

pub use exporting::{MakeStills, today};
pub use handout::{OffscreenError, StillError};
pub use host::*;
pub use opening::OpenFailure;
pub use shell::{ClassNews, Shell, ShellError, ShellOptions};
pub use system_settings::SystemSettings;
