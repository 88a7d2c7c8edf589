//! What is copied, on its way to the clipboard: the system takes it; a browser may
//! refuse, and then the reader copies it from a text field.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod system;

#[cfg(target_arch = "wasm32")]
pub(super) use browser::Clipboard;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use system::Clipboard;
