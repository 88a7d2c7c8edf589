//! The window that finds things: one field over all that has a name or a text
//! here.

mod entries;
mod entry;
mod goal;
mod results;
mod row;
mod state;
mod window;

pub use goal::{ResultGoal, ResultGroup};
pub use state::SearchState;
pub use window::{SearchContext, SearchRequest, ui};
