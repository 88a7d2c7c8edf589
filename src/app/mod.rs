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

use bindpose_fetch::{FetchedFile, fetched_file};
use bindpose_lesson::FORMULAS_FILE;

pub use exporting::{MakeStills, today};
pub use handout::{OffscreenError, StillError};
pub use host::*;
pub use opening::OpenFailure;
pub use shell::{ClassNews, Shell, ShellError, ShellOptions};
pub use system_settings::SystemSettings;

/// The licences of all dependencies, for readers of a built program.
pub(crate) static LICENCES: FetchedFile = fetched_file!("assets", "licences/third-party.txt");

/// The files that a browser fetches before it opens the notebook. Text would be laid out anew if
/// these fonts arrived later. The layout of formulas does not depend on whether their fonts are
/// loaded.
const PRELOADED_FILES: [&str; 4] = [
    FORMULAS_FILE,
    "fonts/Inter-Italic.ttf",
    "fonts/JetBrainsMonoNL-Regular.ttf",
    "fonts/JetBrainsMonoNL-Bold.ttf",
];
