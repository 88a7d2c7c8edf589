//! The program on a desktop: its window, and what the command line makes of lessons.

mod capabilities;
mod class_server;
mod clipboard;
mod clock;
mod content_check;
mod diagnosis;
mod display;
mod fit;
mod gallery;
mod handout_file;
mod kept_files;
mod load_file;
mod model_page;
mod new_course;
mod open_dialog;
mod packed_courses;
mod preferences_file;
mod preferences_saver;
mod read_files;
mod save_file;
mod shot;
mod site;
mod system_settings;
mod window;
mod write_file;

// The same items as in a browser.
pub(in crate::app) use capabilities::{
    CAN_REOPEN_BY_NAME, CAN_REPORT_CLOSED_DIALOG, CAN_SERVE_CLASS, CAN_WAIT_FOR_PIXELS,
    HAS_TEACHERS_PAGE,
};
pub(in crate::app) use class_server::WindowClass;
pub(in crate::app) use clipboard::Clipboard;
pub(in crate::app) use clock::{format_local_time, monotonic_time, unix_time_secs};
pub(in crate::app) use content_check::ContentCheck;
pub(in crate::app) use diagnosis::record_command;
pub(in crate::app) use display::{SCREENSHOT_ERROR, set_full_screen};
pub(in crate::app) use kept_files::{
    delete_kept_model, find_missing_files, keep_course, keep_model,
};
pub(in crate::app) use load_file::{load_file, read_dropped_file};
pub(in crate::app) use open_dialog::open_file_dialog;
pub(in crate::app) use read_files::start_reading;
pub(in crate::app) use save_file::{FileSaver, print_page};

// For the command line.
pub(crate) use class_server::KeptClass;
pub(crate) use diagnosis::{VERSION, describe_this_machine};
pub use fit::{FitCounts, check_fit_of_steps};
pub(crate) use gallery::{gallery_pictures, gallery_text, readme_film, readme_page};
pub use handout_file::{HandoutError, HandoutOf, HandoutOptions, handout, handout_name};
pub use new_course::{NewFiles, NewLesson, new_course, new_lesson};
pub use packed_courses::{PackedCourse, pack_course};
pub(crate) use preferences_file::saved_preferences;
pub use shot::{ShotError, ShotOptions, Tour, TourOptions, shot};
pub use site::{SiteError, SiteOptions, site_folder, site_in_one_file};
pub use window::{AppError, AppOptions, run};
pub(crate) use write_file::{folder_of, is_stream, write_file};

#[cfg(test)]
pub(in crate::app) use gallery::{cell_examples, example_set};
