//! Runs the tests in `web/tests`, which drive the site in a browser.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::{self, ProgramUseCase};

/// The command for a shell, after the site has been built.
pub const SHELL_COMMAND: &str = "node --test web/tests/*.test.mjs";

/// Installs Chromium and the packages of the tests if they are missing. Returns the reason if
/// that fails.
pub fn need_browser() -> Result<(), String> {
    system::need(ProgramUseCase::Browser)?;
    install("web/tests")
}

/// Installs Firefox and WebKitGTK, which run the most important tests, if they are missing.
/// Returns the reason if that fails. Their tests are then skipped.
pub fn need_other_browsers() -> Result<(), String> {
    system::need(ProgramUseCase::OtherBrowsers)
}

/// Installs the packages in the `package-lock.json` of a folder, relative to the root.
pub fn install(folder: &str) -> Result<(), String> {
    println!("· npm ci, in {folder}");
    let arguments = ["ci", "--no-audit", "--no-fund", "--loglevel", "error"];
    pass_on(npm().args(arguments).current_dir(root().join(folder)))
        .map_err(|why| format!("what {folder} needs could not be installed ({why})"))
}

/// Returns the command that runs the tests with a `program`, or else with the one that
/// `cargo build` has built.
pub fn command(program: Option<PathBuf>) -> Command {
    let mut command = Command::new("node");
    // One file at a time, because a browser that draws in software needs all cores of a small
    // machine. The timeout makes a hanging test fail. It applies to a whole file too, and the
    // longest one takes two minutes on an idle machine.
    command
        .args(["--test", "--test-concurrency=1", "--test-timeout=600000"])
        .arg("--test-reporter=spec")
        .args(test_files())
        .current_dir(root());
    if let Some(program) = program {
        command.env("BINDPOSE", program);
    }
    command
}

/// Lists the files of the tests, because not every version of Node accepts a folder.
fn test_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("web/tests"));
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    files
}

fn npm() -> Command {
    // On Windows npm is a script, which only a shell can start.
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "npm"]);
        return command;
    }
    Command::new("npm")
}
