//! What is measured in a browser, for a page that steers it and looks at the clock.
#![cfg(target_arch = "wasm32")]

mod drawing;
mod on_processor;
#[path = "../../gpu/scenes.rs"]
mod scenes;
#[path = "../skinning.rs"]
mod skinning;

pub use drawing::Drawing;
pub use on_processor::Skinning;
