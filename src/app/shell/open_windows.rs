//! Which of the lists and windows are open.

/// Open lists and windows. Those of the search and the links have their own state.
#[derive(Default)]
pub(super) struct OpenWindows {
    /// List of lessons beside the page.
    pub(super) contents: bool,
    /// List of lessons over the page, if there is no room beside it.
    pub(super) contents_over: bool,
    /// Window with the teacher's notes.
    pub(super) notes: bool,
    pub(super) keys: bool,
    /// Licences of the program's parts.
    pub(super) licences: bool,
}
