//! cargo-deny, which holds `deny.toml`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::root;
use crate::tools::CargoTool;

/// A later one may read `deny.toml` differently.
const VERSION: &str = "0.20.2";

const DENY: CargoTool =
    CargoTool { package: "cargo-deny", program: "cargo-deny", options: &["--locked"] };

/// A cargo-deny that runs.
#[derive(Clone)]
pub struct Deny {
    program: PathBuf,
}

impl Deny {
    /// Installs it below `target` where it is missing. `Err` says in words why it is not
    /// there.
    pub fn ready() -> Result<Self, String> {
        DENY.need(VERSION).map(|program| Self { program })
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
        format!("{}/bin/cargo-deny check {}", DENY.home(VERSION), of.join(" "))
    }

    fn at_root(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(root()).args(args);
        command
    }
}
