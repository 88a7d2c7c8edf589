//! Tools that cargo installs for this repository alone.

use std::path::PathBuf;

use crate::process::{cargo_at_root, pass_on, root};

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
