//! Differences from a browser that the notebook asks for.

/// Whether files without a path can be opened again by their names.
pub(in crate::app) const CAN_REOPEN_BY_NAME: bool = false;

/// Whether the result of a file dialog is received if the reader chooses no file.
pub(in crate::app) const CAN_REPORT_CLOSED_DIALOG: bool = true;

/// Whether the program can be the server of a class.
pub(in crate::app) const CAN_SERVE_CLASS: bool = true;

/// Whether a frame may wait for the graphics card.
pub(in crate::app) const CAN_WAIT_FOR_PIXELS: bool = true;

/// Whether the teacher's window is a page that exchanges messages with the notebook.
pub(in crate::app) const HAS_TEACHERS_PAGE: bool = false;
