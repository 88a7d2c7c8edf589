//! Opens the notebook on Windows without a console window.
//!
//! On Windows a program is built either for the console, and prints into the terminal that it was
//! started from, or for the desktop, and opens no console window. A program that switches between
//! the two flashes a window, or prints after the prompt has returned. `bindpose` is a console
//! program. The start menu and a double click run this program instead, which starts `bindpose`
//! from the same folder without a console, and with errors shown in a message box.

#![cfg_attr(windows, windows_subsystem = "windows")]

use std::io;
use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    if start_notebook().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn start_notebook() -> io::Result<()> {
    let this_program = std::env::current_exe()?;
    let notebook_program =
        this_program.with_file_name("bindpose").with_extension(std::env::consts::EXE_EXTENSION);
    let mut command = Command::new(notebook_program);
    command.arg("--tells-in-window").args(std::env::args_os().skip(1));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    hide_console(&mut command);
    command.spawn().map(|_| ())
}

#[cfg(windows)]
fn hide_console(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;

    // Process creation flag of the Windows API.
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

/// Other systems have no console window. The program is built there only to check it.
#[cfg(not(windows))]
fn hide_console(_: &mut Command) {}
