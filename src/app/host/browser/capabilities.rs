//! Differences from a desktop that the notebook asks for.

/// Whether files without a path can be opened again by their names, because the browser keeps
/// copies of them.
pub(in crate::app) const CAN_REOPEN_BY_NAME: bool = true;

/// Whether the result of a file dialog is received if the reader chooses no file.
pub(in crate::app) const CAN_REPORT_CLOSED_DIALOG: bool = false;

/// Whether the program can be the server of a class.
pub(in crate::app) const CAN_SERVE_CLASS: bool = false;

/// Whether a frame may wait for the graphics card, which would block the page.
pub(in crate::app) const CAN_WAIT_FOR_PIXELS: bool = false;

/// Whether the teacher's window is a page that exchanges messages with the notebook.
pub(in crate::app) const HAS_TEACHERS_PAGE: bool = true;
