//! What was given, read once.

use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::Document;
use bindpose_notebook::engine_numbers::{EngineNumbers, read_numbers};

/// What is in a text or a file, or why it cannot be read.
pub(super) type Read = Result<Arc<EngineNumbers>, Arc<Diagnostic>>;

/// The text that was read last, and what is in it. Files come read.
#[derive(Default)]
pub(super) struct Given(Option<(Arc<str>, Read)>);

impl Given {
    /// What the page has for the cell now; a text is read if it is another than before.
    /// `None`: nothing was given.
    pub(super) fn read(&mut self, id: &str, document: &Document) -> Option<Read> {
        let state = &document.state;
        if let Some(file) = state.given_files.get(id) {
            self.0 = None;
            return Some(file.numbers.clone());
        }
        let text = state.texts.get(id).map(|text| &text.text);
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            self.0 = None;
            return None;
        };
        let known = self.0.take().filter(|(read, _)| Arc::ptr_eq(read, text));
        let (_, read) = self.0.insert(known.unwrap_or_else(|| {
            let read = read_numbers(text.as_bytes());
            let read = read.map(Arc::new).map_err(Arc::new);
            (Arc::clone(text), read)
        }));
        Some(read.clone())
    }
}
