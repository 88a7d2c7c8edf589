//! Installs the tools that tasks need: components of the Rust toolchain, and programs that cargo
//! installs for this repository only.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{answer, cargo, cargo_at_root, pass_on, root};

pub const WASM: &str = "wasm32-unknown-unknown";

/// Installs rustfmt and clippy if they are missing.
pub fn need_components() -> Result<(), String> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let is_installed = cargo()
            .args([subcommand, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !is_installed {
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

/// Installs the WebAssembly target if it is missing.
pub fn need_wasm() -> Result<(), String> {
    if has_wasm() {
        return Ok(());
    }
    rustup(&["target", "add", WASM])
}

/// Returns whether the sysroot has the standard library of the WebAssembly target, which rustup
/// or a package manager may have installed.
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

/// A program in a package on crates.io.
pub struct CargoTool {
    pub package: &'static str,
    /// Name of the program without the extension.
    pub program: &'static str,
    /// Additional options of `cargo install`.
    pub options: &'static [&'static str],
}

impl CargoTool {
    /// Returns the folder of an installed version, relative to the root.
    pub fn home(&self, version: &str) -> String {
        format!("target/tools/{}-{version}", self.package)
    }

    /// Returns the path of the program, after installing it below `target` if it is missing.
    /// Returns the reason if that fails.
    ///
    /// Builds without optimizations, unless the options require them. That takes a third of the
    /// time, and most tools have little to do.
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
        // The intermediate files are not needed any more.
        let _ = std::fs::remove_dir_all(root().join(build));
        Ok(program)
    }
}

/// Fixed, because other versions may interpret `deny.toml` differently.
const DENY_VERSION: &str = "0.20.2";

const DENY: CargoTool =
    CargoTool { package: "cargo-deny", program: "cargo-deny", options: &["--locked"] };

/// An installed cargo-deny, which checks the rules in `deny.toml`.
#[derive(Clone)]
pub struct Deny {
    program: PathBuf,
}

impl Deny {
    /// Installs cargo-deny below `target` if it is missing. Returns the reason if that fails.
    pub fn ready() -> Result<Self, String> {
        DENY.need(DENY_VERSION).map(|program| Self { program })
    }

    /// Fetches the database of security advisories. Returns false if its git server cannot be
    /// reached.
    pub fn knows_advisories(&self) -> bool {
        let mut command = self.at_root(&["fetch", "db"]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    /// Returns the command for some checks, such as licenses or bans.
    pub fn command(&self, checks: &[&str]) -> Command {
        let mut command = self.at_root(&["check"]);
        command.args(checks);
        command
    }

    /// Returns the command as it can be typed in a shell.
    pub fn shell_command(&self, checks: &[&str]) -> String {
        format!("{}/bin/cargo-deny check {}", DENY.home(DENY_VERSION), checks.join(" "))
    }

    fn at_root(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(root()).args(args);
        command
    }
}
