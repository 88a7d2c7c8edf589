//! What all parts of a form know of it.

use bindpose_notebook::Navigation;
use bindpose_notebook::inventory::{FormAct, FormRecord, Forms, OpenForm};

use crate::PageContext;

/// A form that is open, and what was answered in both.
#[derive(Clone, Copy)]
pub(super) struct FormPage<'a> {
    pub(super) open: OpenForm,
    pub(super) forms: &'a Forms<'a>,
}

impl<'a> FormPage<'a> {
    /// What was answered in the one that is open.
    pub(super) fn record(&self) -> Option<&'a FormRecord> {
        self.forms.record(self.open.form)
    }
}

/// Asks for it after the frame.
pub(super) fn act(page: &mut PageContext<'_>, act: FormAct) {
    page.navigation.push(Navigation::Form(act));
}
