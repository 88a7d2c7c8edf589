//! Runs the tests in `web/tests`, which drive the site in a browser.

use std::path::{Path, PathBuf};
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

/// Runs the tests with a `program`.
///
/// One file at a time, because a browser that draws in software needs all cores of a small
/// machine. Files that fail run once more at the end: a browser that shares its machine can be
/// late by more than any test expects. Returns those that failed only the first time, which is
/// a fault of the test.
pub fn run(program: &Path) -> Result<Vec<String>, String> {
    let failed: Vec<PathBuf> =
        test_files().into_iter().filter(|file| run_file(file, program).is_err()).collect();
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for file in &failed {
        println!("\n· {} once more", name(file));
        run_file(file, program).map_err(|why| format!("{}: {why}", name(file)))?;
    }
    Ok(failed.iter().map(name).collect())
}

fn run_file(file: &Path, program: &Path) -> Result<(), String> {
    let mut command = Command::new("node");
    // The timeout makes a hanging test fail. It applies to a whole file too, and the longest
    // one takes two minutes on an idle machine.
    command
        .args(["--test", "--test-timeout=600000", "--test-reporter=spec"])
        .arg(file)
        .env("BINDPOSE", program)
        .current_dir(root());
    pass_on(&mut command)
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
