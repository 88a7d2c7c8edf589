//! Runs other programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the root folder of the repository.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or(package.clone(), Path::to_path_buf)
}

/// Returns a command for the cargo that has started xtask, or else for the one in the `PATH`.
/// Runs in the current working directory.
pub fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    // These variables describe the package xtask. They would make the build scripts of other
    // packages run again.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        }) {
            command.env_remove(name);
        }
    }
    command
}

/// Like [`cargo`], but runs in the root folder of the repository.
pub fn cargo_at_root(args: &[&str]) -> Command {
    let mut command = cargo();
    command.current_dir(root()).args(args);
    command
}

/// Runs a command and passes its output through. Returns the reason if it fails.
pub fn pass_on(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(format!("{name} could not be started: {error}")),
    }
}

/// Runs a program and returns its standard output. Returns `None` if the program is missing or
/// fails.
pub fn answer(program: &str, args: &[&str]) -> Option<String> {
    answer_of(Command::new(program).args(args))
}

/// Like [`answer`], for a command.
pub fn answer_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
