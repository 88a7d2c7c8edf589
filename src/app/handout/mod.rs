//! Handouts without a window, and their pictures, each drawn by the page itself.

mod stills;
#[cfg(test)]
mod tests;

pub(super) use stills::make_stills;
pub use stills::{HandoutError, HandoutOf, HandoutOptions, handout, handout_name};
