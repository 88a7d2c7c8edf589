//! The parts of the Rust toolchain that the checks need.

use std::process::{Command, Stdio};

use crate::process::{answer, cargo, pass_on};

pub const WASM: &str = "wasm32-unknown-unknown";

/// Adds rustfmt and clippy where they are missing.
pub fn need_components() -> Result<(), String> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let there = cargo()
            .args([subcommand, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !there {
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

/// Adds the WebAssembly target where it is missing.
pub fn need_wasm() -> Result<(), String> {
    if has_wasm() {
        return Ok(());
    }
    rustup(&["target", "add", WASM])
}

/// Its standard library lies in the sysroot, whoever put it there.
fn has_wasm() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let print = ["--print", "target-libdir", "--target", WASM];
    answer(&rustc, &print).and_then(|folder| std::fs::read_dir(folder.trim()).ok()).is_some_and(
        |entries| {
            entries
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
        },
    )
}

fn rustup(args: &[&str]) -> Result<(), String> {
    let written = args.join(" ");
    println!("· rustup {written}");
    pass_on(Command::new("rustup").args(args)).map_err(|problem| {
        format!(
            "`rustup {written}` failed ({problem}).\n\
             Where Rust comes from the system's packages, install that part from them; \
             otherwise install Rust from https://rustup.rs and try again."
        )
    })
}
