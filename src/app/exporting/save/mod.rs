//! Where to save: the system's dialog on a thread, a download in the browser.

#[cfg(target_arch = "wasm32")]
mod download;
#[cfg(not(target_arch = "wasm32"))]
mod system_dialog;

#[cfg(target_arch = "wasm32")]
pub(super) use download::{Saving, print};
#[cfg(not(target_arch = "wasm32"))]
pub(super) use system_dialog::Saving;
