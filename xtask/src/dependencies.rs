//! cargo-deny, which holds `deny.toml`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{cargo_at_root, pass_on, root};

/// A later one may read `deny.toml` differently.
const VERSION: &str = "0.20.2";

/// Where it goes, from the root.
fn home() -> String {
    format!("target/tools/cargo-deny-{VERSION}")
}

/// A cargo-deny that runs.
#[derive(Clone)]
pub struct Deny {
    program: PathBuf,
}

impl Deny {
    /// Installs it below `target` where it is missing; not optimized, as it has
    /// little to do and is built in a third of the time. `Err` says in words why
    /// it is not there.
    pub fn ready() -> Result<Self, String> {
        let name = format!("cargo-deny{}", std::env::consts::EXE_SUFFIX);
        let deny = Self { program: root().join(home()).join("bin").join(name) };
        if !deny.program.is_file() {
            let (home, package) = (home(), format!("cargo-deny@{VERSION}"));
            let build = format!("{home}/build");
            println!("· cargo install {package}, into {home}");
            let install = ["install", "--quiet", "--locked", "--debug", &package];
            let mut command = cargo_at_root(&install);
            command
                .args(["--root", &home, "--target-dir", &build])
                .env("CARGO_PROFILE_DEV_DEBUG", "0");
            pass_on(&mut command)
                .map_err(|problem| format!("cargo-deny could not be installed ({problem})"))?;
            // What it was built from is not asked for again.
            let _ = std::fs::remove_dir_all(root().join(build));
        }
        Ok(deny)
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
        format!("{}/bin/cargo-deny check {}", home(), of.join(" "))
    }

    fn at_root(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(root()).args(args);
        command
    }
}
