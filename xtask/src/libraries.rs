//! The crates that others take: what they have in public, and the oldest Rust that builds
//! them.

use std::process::Command;

use crate::process::{answer, cargo_at_root, pass_on, root};

/// Crates that are published, `bindpose-` left out; a rule of `tidy` holds that their
/// manifests say the same Rust.
pub const PUBLISHED: [&str; 4] = ["diagnostic", "shipped", "skin", "asset"];

/// Of a program of its own, which takes longer to build than this one.
pub const LIST_API: [&str; 4] = ["run", "--quiet", "--package", "xtask-api"];

/// `cargo xtask api`.
pub fn list_api() -> Result<(), String> {
    pass_on(&mut cargo_at_root(&LIST_API))
}

/// The Rust that `rust-version` of these crates names, where rustup has it or gets it.
pub struct OldestRust {
    version: String,
}

impl OldestRust {
    /// `Err` says in words why it is not there.
    pub fn ready() -> Result<Self, String> {
        let manifest = root().join("crates/skin/Cargo.toml");
        let text = std::fs::read_to_string(&manifest)
            .map_err(|error| format!("{}: {error}", manifest.display()))?;
        let version = rust_version(&text).ok_or("crates/skin/Cargo.toml has no rust-version")?;
        let there = answer("rustup", &["run", version, "rustc", "--version"]).is_some();
        if !there {
            println!("· rustup toolchain install {version} --profile minimal");
            let args =
                ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
            pass_on(Command::new("rustup").args(args))
                .map_err(|why| format!("rustup has no Rust {version} ({why})"))?;
        }
        Ok(Self { version: version.to_owned() })
    }

    /// Checks the published crates, with what engines take and with all that there is.
    pub fn command(&self) -> Command {
        let mut command = Command::new("rustup");
        command.current_dir(root()).args(self.words());
        // Set by the cargo that started us; the other one finds its own.
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
            command.env_remove(name);
        }
        command
    }

    /// As one would type it.
    pub fn written(&self) -> String {
        format!("rustup {}", self.words().join(" "))
    }

    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> =
            ["run", &self.version, "cargo", "check", "--locked"].map(str::to_owned).to_vec();
        let packages = PUBLISHED.iter().map(|name| format!("--package=bindpose-{name}"));
        words.extend(packages);
        words.extend(["--target-dir", "target/oldest-rust"].map(str::to_owned));
        words
    }
}

/// Of a manifest: `1.89`.
pub fn rust_version(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "))?;
    Some(line.trim().trim_matches('"'))
}

#[test]
fn the_rust_of_a_manifest_is_read() {
    assert_eq!(rust_version("[package]\nrust-version = \"1.89\"\n"), Some("1.89"));
    assert_eq!(rust_version("rust-version.workspace = true\n"), None);
}
