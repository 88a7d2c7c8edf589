//! Pictures for handouts, each drawn by the page itself, and whole handouts without a
//! window.

#[cfg(test)]
mod form_tests;
mod stills;
#[cfg(test)]
mod tests;
#[cfg(not(target_arch = "wasm32"))]
mod without_window;

pub use stills::StillError;
pub(super) use stills::make_stills;
#[cfg(not(target_arch = "wasm32"))]
pub use without_window::{HandoutError, HandoutOf, HandoutOptions, handout, handout_name};
