//! The notebook without a console, for Windows. There a program either prints into the
//! terminal that it was typed in, or opens without a console window of its own; one that
//! changes from the one to the other flashes, or prints after the prompt is back. So this
//! small one is what the menu and a double click start: it starts `bindpose`, beside it, and
//! shows what that says when it does not open.

#![cfg_attr(windows, windows_subsystem = "windows")]

use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    match open() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let dialog = rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error);
            dialog.set_title("Bindpose").set_description(why).show();
            ExitCode::FAILURE
        }
    }
}

/// Stays until the notebook is closed; what it says on the way is shown only then.
fn open() -> Result<(), String> {
    let here = std::env::current_exe().map_err(|why| why.to_string())?;
    let program = here.with_file_name("bindpose").with_extension(std::env::consts::EXE_EXTENSION);
    let mut notebook = Command::new(&program);
    notebook.args(std::env::args_os().skip(1)).stdin(Stdio::null()).stdout(Stdio::null());
    without_console(&mut notebook);
    let output = notebook.output();
    let output = output.map_err(|why| format!("{} did not start: {why}", program.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(if said.is_empty() {
        format!("{} ended: {}", program.display(), output.status)
    } else {
        said
    })
}

#[cfg(windows)]
fn without_console(notebook: &mut Command) {
    use std::os::windows::process::CommandExt as _;

    // Windows calls it so.
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    notebook.creation_flags(CREATE_NO_WINDOW);
}

/// It is built here only to be checked.
#[cfg(not(windows))]
fn without_console(_: &mut Command) {}
