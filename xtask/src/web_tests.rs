//! The tests in `web/tests`, which drive the site in a browser.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::{self, ProgramUseCase};

/// As one would type it, when the site stands.
pub const WRITTEN: &str = "node --test web/tests/*.test.mjs";

/// Sees to it that a browser is here and what steers it. `Err` says in words why
/// not.
pub fn need_browser() -> Result<(), String> {
    system::need(ProgramUseCase::Browser)?;
    install("web/tests")
}

/// Sees to it that Firefox and WebKitGTK are here, which run the main ways. Where they
/// are not, their tests say that they are skipped; `Err` says in words why.
pub fn need_other_browsers() -> Result<(), String> {
    system::need(ProgramUseCase::OtherBrowsers)
}

/// What the `package-lock.json` of a folder names, the folder from the root.
pub fn install(folder: &str) -> Result<(), String> {
    println!("· npm ci, in {folder}");
    let arguments = ["ci", "--no-audit", "--no-fund", "--loglevel", "error"];
    pass_on(npm().args(arguments).current_dir(root().join(folder)))
        .map_err(|why| format!("what {folder} needs could not be installed ({why})"))
}

/// Runs them by `program`, or else by the one that `cargo build` has made.
pub fn command(program: Option<PathBuf>) -> Command {
    let mut command = Command::new("node");
    // One file at a time: a browser that draws by itself takes all of a small machine.
    // A test that hangs fails; the whole never stands still for it. The limit is for a
    // file as well, and the longest takes two minutes where nothing else runs.
    command
        .args(["--test", "--test-concurrency=1", "--test-timeout=600000"])
        .arg("--test-reporter=spec")
        .args(files())
        .current_dir(root());
    if let Some(program) = program {
        command.env("BINDPOSE", program);
    }
    command
}

/// Folders are not taken by every version.
fn files() -> Vec<PathBuf> {
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
    // A script there, which no program starts by itself.
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "npm"]);
        return command;
    }
    Command::new("npm")
}
