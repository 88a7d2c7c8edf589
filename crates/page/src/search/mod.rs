//! The window that finds things: one field over all that has a name or a text
//! here.

mod entry;
mod state;
mod window;

pub use state::{ResultGoal, ResultGroup, SearchState};
pub use window::{SearchContext, SearchRequest, ui};
