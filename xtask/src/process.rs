//! Running other programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// The cargo that started us, in the folder we were started from, or else the
/// one on the path.
pub fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    // What cargo says about this package must not reach the build scripts of
    // others: they would run again.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        }) {
            command.env_remove(name);
        }
    }
    command
}

/// [`cargo`], in the root of the repository.
pub fn cargo_at_root(args: &[&str]) -> Command {
    let mut command = cargo();
    command.current_dir(root()).args(args);
    command
}

/// Runs to the end, output passed on. `Err` says in words what went wrong.
pub fn pass_on(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(format!("{name} could not be started: {error}")),
    }
}

/// What it printed, or `None` where it is missing or failed.
pub fn answer(program: &str, args: &[&str]) -> Option<String> {
    answer_of(Command::new(program).args(args))
}

/// [`answer`] of a command.
pub fn answer_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
