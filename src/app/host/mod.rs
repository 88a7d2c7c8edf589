//! Services of the machine that the notebook runs on: a desktop or a browser. Both modules have
//! the same items for the rest of `app`, and items of their own for the command line or the web
//! page.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod desktop;

#[cfg(target_arch = "wasm32")]
pub use browser::*;
#[cfg(not(target_arch = "wasm32"))]
pub use desktop::*;
