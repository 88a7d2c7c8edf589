//! The program: the notebook, the page and the renderer joined.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod class_server;
mod clipboard;
#[cfg(not(target_arch = "wasm32"))]
mod diagnosis;
#[cfg(test)]
mod documented;
#[cfg(any(test, target_arch = "wasm32"))]
mod dom_mirror;
#[cfg(test)]
mod driven_cells;
mod exporting;
#[cfg(not(target_arch = "wasm32"))]
mod fit;
#[cfg(not(target_arch = "wasm32"))]
mod gallery;
mod handout;
mod keys;
#[cfg(not(target_arch = "wasm32"))]
mod new_course;
mod notice;
mod opening;
#[cfg(not(target_arch = "wasm32"))]
mod packed_courses;
#[cfg(not(target_arch = "wasm32"))]
mod preferences_file;
#[cfg(not(target_arch = "wasm32"))]
mod preferences_saver;
mod prepare_context;
mod shell;
#[cfg(not(target_arch = "wasm32"))]
mod shot;
#[cfg(not(target_arch = "wasm32"))]
mod site;
mod system_settings;
mod teachers_message;
#[cfg(test)]
mod technical_artists;
#[cfg(test)]
mod testing;
#[cfg(target_arch = "wasm32")]
mod web_document;
#[cfg(not(target_arch = "wasm32"))]
mod window;
#[cfg(not(target_arch = "wasm32"))]
mod write_file;

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

#[cfg(target_arch = "wasm32")]
pub use browser::BrowserNotebook;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use class_server::KeptClass;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use diagnosis::{VERSION, diagnosis};
pub use exporting::MakeStills;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use exporting::today;
#[cfg(not(target_arch = "wasm32"))]
pub use fit::fit;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use gallery::{gallery_pictures, gallery_text, readme_film, readme_page};
#[cfg(not(target_arch = "wasm32"))]
pub use handout::{HandoutError, HandoutOf, HandoutOptions, handout, handout_name};
pub use handout::{OffscreenError, StillError};
#[cfg(not(target_arch = "wasm32"))]
pub use new_course::{NewFiles, NewLesson, new_course, new_lesson};
pub use opening::OpenFailure;
#[cfg(not(target_arch = "wasm32"))]
pub use packed_courses::{PackedCourse, pack_course};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use preferences_file::remembered;
pub use shell::{Shell, ShellError, ShellOptions};
#[cfg(not(target_arch = "wasm32"))]
pub use shot::{ShotError, ShotOptions, Tour, TourOptions, shot};
#[cfg(not(target_arch = "wasm32"))]
pub use site::{SiteError, SiteOptions, site_folder, site_in_one_file};
pub use system_settings::SystemSettings;
#[cfg(not(target_arch = "wasm32"))]
pub use window::{AppError, AppOptions, run};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use write_file::{folder_of, is_stream, write_file};
