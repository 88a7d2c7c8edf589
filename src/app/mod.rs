//! The program: the notebook, the page and the renderer joined.

mod exporting;
mod keys;
mod notice;
mod opening;
#[cfg(not(target_arch = "wasm32"))]
mod preferences_file;
mod rendered_viewports;
mod shell;
#[cfg(not(target_arch = "wasm32"))]
mod shot;
#[cfg(test)]
mod testing;
#[cfg(not(target_arch = "wasm32"))]
mod window;

/// The notices of all that the program is made of, for those who get it built.
pub(crate) const LICENCES: &str = include_str!("../../assets/licences/third-party.txt");

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use exporting::write_file;
pub use opening::Unopened;
pub use shell::{Shell, ShellOptions};
#[cfg(not(target_arch = "wasm32"))]
pub use shot::{ShotError, ShotOptions, shot, tour};
#[cfg(not(target_arch = "wasm32"))]
pub use window::{AppError, AppOptions, run};
