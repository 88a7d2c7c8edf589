//! Tools that the chores need: parts of the Rust toolchain, which rustup adds, and programs
//! that cargo installs for this repository alone.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{answer, cargo, cargo_at_root, pass_on, root};

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

/// A program of a package on crates.io, at one version.
pub struct CargoTool {
    pub package: &'static str,
    /// What it is started as; also its file's name.
    pub program: &'static str,
    /// For `cargo install`.
    pub options: &'static [&'static str],
}

impl CargoTool {
    /// Where it goes, from the root.
    pub fn home(&self, version: &str) -> String {
        format!("target/tools/{}-{version}", self.package)
    }

    /// Where it is, installed below `target` where it is missing. Not optimized, unless
    /// its options say so: most have little to do, and are built in a third of the time.
    ///
    /// Errors: in words, that it could not be installed.
    pub fn need(&self, version: &str) -> Result<PathBuf, String> {
        let home = self.home(version);
        let name = format!("{}{}", self.program, std::env::consts::EXE_SUFFIX);
        let program = root().join(&home).join("bin").join(name);
        if program.is_file() {
            return Ok(program);
        }
        let package = format!("{}@{version}", self.package);
        println!("· cargo install {package}, into {home}");
        let build = format!("{home}/build");
        let mut install = cargo_at_root(&["install", "--quiet", "--debug", &package]);
        install
            .args(self.options)
            .args(["--root", &home, "--target-dir", &build])
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        pass_on(&mut install).map_err(|why| format!("{package} could not be installed ({why})"))?;
        // What it was built from is not asked for again.
        let _ = std::fs::remove_dir_all(root().join(build));
        Ok(program)
    }
}

/// A later cargo-deny may read `deny.toml` differently.
const DENY_VERSION: &str = "0.20.2";

const DENY: CargoTool =
    CargoTool { package: "cargo-deny", program: "cargo-deny", options: &["--locked"] };

/// A cargo-deny that runs; it holds `deny.toml`.
#[derive(Clone)]
pub struct Deny {
    program: PathBuf,
}

impl Deny {
    /// Installs it below `target` where it is missing. `Err` says in words why it is not
    /// there.
    pub fn ready() -> Result<Self, String> {
        DENY.need(DENY_VERSION).map(|program| Self { program })
    }

    /// Fetches what is known of faults in crates. That comes from a git server,
    /// which not every machine may ask.
    pub fn knows_advisories(&self) -> bool {
        let mut command = self.at_root(&["fetch", "db"]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    /// `cargo deny check` of licences, bans and the like.
    pub fn command(&self, of: &[&str]) -> Command {
        let mut command = self.at_root(&["check"]);
        command.args(of);
        command
    }

    /// The same, as one would type it.
    pub fn written(&self, of: &[&str]) -> String {
        format!("{}/bin/cargo-deny check {}", DENY.home(DENY_VERSION), of.join(" "))
    }

    fn at_root(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(root()).args(args);
        command
    }
}
