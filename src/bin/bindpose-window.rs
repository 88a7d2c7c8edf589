//! The notebook without a console, for Windows. There a program either prints into the
//! terminal that it was typed in, or opens without a console window of its own; one that
//! changes from the one to the other flashes, or prints after the prompt is back. So this
//! small one is what the menu and a double click start: it starts `bindpose`, beside it, which
//! says in a window what keeps the notebook from opening.

#![cfg_attr(windows, windows_subsystem = "windows")]

use std::io;
use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    if open().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn open() -> io::Result<()> {
    let here = std::env::current_exe()?;
    let program = here.with_file_name("bindpose").with_extension(std::env::consts::EXE_EXTENSION);
    let mut notebook = Command::new(program);
    notebook.arg("--tells-in-window").args(std::env::args_os().skip(1));
    notebook.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    without_console(&mut notebook);
    notebook.spawn().map(|_| ())
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
