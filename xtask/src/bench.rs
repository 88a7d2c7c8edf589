//! `cargo xtask bench`.

use crate::process::{cargo_at_root, pass_on};
use crate::system::{self, Purpose};

const TABLE: &str = "docs/gpu-frame-times.md";

/// Measures one thing and writes its table into `docs`.
pub fn run(args: &[String]) -> Result<(), String> {
    match args {
        [what] if what == "gpu" => gpu(),
        _ => Err("`cargo xtask bench gpu` is the one there is".to_owned()),
    }
}

fn gpu() -> Result<(), String> {
    if let Err(remedy) = system::need(Purpose::Headless) {
        println!("! {remedy}\n! Going on without.");
    }
    pass_on(&mut cargo_at_root(&[
        "bench", "--bench", "gpu", "--", "--out", TABLE,
    ]))
    .map_err(|problem| format!("the measurement ended with {problem}"))
}
