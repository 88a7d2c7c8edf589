//! Search: texts as readers see them, in an index that is made once, and what of
//! it answers to a few words.
//!
//! # How things are found
//!
//! `notebook/search/` has texts as readers see them (prose, what cells ask and claim,
//! never hints or solutions), an index of their words, and the line of context;
//! `page/search/` says what can be found, bookmarks, notes and commands among it, and
//! shows it. What is new and should be found is an entry in `page/search/state.rs` and
//! a kind of `ResultGoal`. The index is made when the window is first opened, in some
//! milliseconds, and anew after the lessons were read again; a query looks at each
//! different word once, in a part of a millisecond.

mod context;
mod index;

pub use context::{ContextLine, line, passages_of, step_passages};
pub use index::{FoundEntry, Index, Query, SearchEntry};
