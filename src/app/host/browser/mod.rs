//! The program in a page of a browser.

mod accessibility;
mod capabilities;
mod class_line;
mod clipboard;
mod clock;
mod decode_images;
mod desktop_only;
mod device;
mod display;
mod kept_files;
mod load_file;
mod notebook;
mod open_dialog;
mod page;
mod printing;
mod read_files;
mod save_file;
mod startup;
mod system_settings;
mod teachers_popup;
mod web_document;

// The same items as on a desktop.
pub(in crate::app) use capabilities::{
    CAN_REOPEN_BY_NAME, CAN_REPORT_CLOSED_DIALOG, CAN_SERVE_CLASS, CAN_WAIT_FOR_PIXELS,
    HAS_TEACHERS_PAGE,
};
pub(in crate::app) use clipboard::Clipboard;
pub(in crate::app) use clock::{format_local_time, monotonic_time, unix_time_secs};
pub(in crate::app) use desktop_only::{ContentCheck, WindowClass, record_command};
pub(in crate::app) use display::{SCREENSHOT_ERROR, set_full_screen};
pub(in crate::app) use kept_files::{
    delete_kept_model, find_missing_files, keep_course, keep_model,
};
pub(in crate::app) use load_file::{load_file, read_dropped_file};
pub(in crate::app) use open_dialog::open_file_dialog;
pub(in crate::app) use read_files::start_reading;
pub(in crate::app) use save_file::{FileSaver, print_page};

// For the web page.
pub use notebook::BrowserNotebook;
