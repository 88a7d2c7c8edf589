//! Checks of the published crates: their public items, and a build with the oldest Rust that
//! they support.

use std::process::Command;

use crate::process::{answer, cargo_at_root, pass_on, root};

/// The published crates, without the prefix `bindpose-`. A rule of `tidy` checks that their
/// manifests have the same `rust-version`.
pub const PUBLISHED: [&str; 4] = ["diagnostic", "skin", "gltf", "doctor"];

/// Arguments that test the published crates alone.
pub const LIBRARY_TESTS: [&str; 5] = [
    "test",
    "--package=bindpose-diagnostic",
    "--package=bindpose-skin",
    "--package=bindpose-gltf",
    "--package=bindpose-doctor",
];

/// Arguments that run `xtask-api`, a separate program because it takes longer to build.
pub const LIST_API: [&str; 4] = ["run", "--quiet", "--package", "xtask-api"];

/// Lists the public items: `cargo xtask api`.
pub fn list_api() -> Result<(), String> {
    pass_on(&mut cargo_at_root(&LIST_API))
}

/// The `rust-version` of the published crates, installed by rustup.
pub struct OldestRust {
    version: String,
}

impl OldestRust {
    /// Installs the toolchain if it is missing. Returns the reason if that fails.
    pub fn ready() -> Result<Self, String> {
        let manifest = root().join("crates/skin/Cargo.toml");
        let text = std::fs::read_to_string(&manifest)
            .map_err(|error| format!("{}: {error}", manifest.display()))?;
        let version = rust_version(&text).ok_or("crates/skin/Cargo.toml has no rust-version")?;
        if answer("rustup", &["run", version, "rustc", "--version"]).is_none() {
            println!("· rustup toolchain install {version} --profile minimal");
            let args =
                ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
            pass_on(Command::new("rustup").args(args))
                .map_err(|why| format!("rustup has no Rust {version} ({why})"))?;
        }
        Ok(Self { version: version.to_owned() })
    }

    /// Returns the command that checks the published crates.
    pub fn command(&self) -> Command {
        let mut command = Command::new("rustup");
        command.current_dir(root()).args(self.arguments());
        // Set by the cargo that runs xtask, and wrong for that of another toolchain.
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
            command.env_remove(name);
        }
        command
    }

    /// Returns the command as it can be typed in a shell.
    pub fn shell_command(&self) -> String {
        format!("rustup {}", self.arguments().join(" "))
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> =
            ["run", &self.version, "cargo", "check", "--locked"].map(str::to_owned).to_vec();
        arguments.extend(PUBLISHED.iter().map(|name| format!("--package=bindpose-{name}")));
        arguments.extend(["--target-dir", "target/oldest-rust"].map(str::to_owned));
        arguments
    }
}

/// Returns the `rust-version` of a manifest, such as `1.89`. Returns `None` if it has none of its
/// own.
pub fn rust_version(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "))?;
    Some(line.trim().trim_matches('"'))
}

#[test]
fn the_rust_version_of_a_manifest_is_parsed() {
    assert_eq!(rust_version("[package]\nrust-version = \"1.89\"\n"), Some("1.89"));
    assert_eq!(rust_version("rust-version.workspace = true\n"), None);
}
