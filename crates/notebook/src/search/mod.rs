//! Search: texts as readers see them, in an index that is made once, and what of
//! it answers to a few words.

mod context;
mod index;
mod plain_text;
mod step_text;
mod words;

pub use context::{ContextLine, line};
pub use index::{FoundEntry, Index, Query, SearchEntry};
pub use plain_text::passages_of;
pub use step_text::step_passages;
