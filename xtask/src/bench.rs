//! `cargo xtask bench`.

use crate::process::{cargo_at_root, pass_on};
use crate::system::{self, Purpose};

/// Measures one thing and writes its table into `docs`.
pub fn run(args: &[String]) -> Result<(), String> {
    match args {
        [what] if what == "gpu" => {
            if let Err(remedy) = system::need(Purpose::Headless) {
                println!("! {remedy}\n! Going on without.");
            }
            measure("gpu", "docs/gpu-frame-times.md")
        }
        [what] if what == "load" => measure("load", "docs/load-times.md"),
        _ => {
            Err("`cargo xtask bench gpu` and `cargo xtask bench load` are what there is".to_owned())
        }
    }
}

fn measure(bench: &str, table: &str) -> Result<(), String> {
    let args = ["bench", "--bench", bench, "--", "--out", table];
    pass_on(&mut cargo_at_root(&args))
        .map_err(|problem| format!("the measurement ended with {problem}"))
}
