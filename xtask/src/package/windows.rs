//! What Windows gets: a folder that runs from anywhere, and an installer of the same.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::which;

use super::files::{copy, folder_bytes};
use super::release::ReleasedProgram;
use super::tree;

/// Built by `cargo build --features window-program`.
const WITHOUT_CONSOLE: &str = "bindpose-window.exe";

/// A program there has all that is its own beside it.
///
/// Errors: in words, what is missing or could not be written.
pub(super) fn lay_out(
    release: &ReleasedProgram,
    generated: &Path,
    folder: &Path,
) -> Result<(), String> {
    copy(&release.program, &folder.join("bindpose.exe"))?;
    let without_console = release.program.with_file_name(WITHOUT_CONSOLE);
    copy(&without_console, &folder.join(WITHOUT_CONSOLE)).map_err(|why| {
        format!("{why}; `cargo build --features window-program` builds it beside the program")
    })?;
    tree::keep_pages(&folder.join("web"))?;
    copy(&generated.join("completions/_bindpose.ps1"), &folder.join("_bindpose.ps1"))?;
    tree::keep_notices(folder)
}

/// Packs the folder into an installer, by NSIS, which Windows is not needed for.
///
/// Errors: in words, as where `makensis` is missing.
pub(super) fn pack(release: &ReleasedProgram, folder: &Path, out: &Path) -> Result<(), String> {
    // Its own installer leaves the path as it was.
    let usual = "C:/Program Files (x86)/NSIS/makensis.exe";
    let program =
        if which("makensis").is_none() && Path::new(usual).is_file() { usual } else { "makensis" };
    if program != usual && which(program).is_none() {
        return Err("makensis is missing: the installer is made where NSIS is".to_owned());
    }
    let name = installer_name(&release.version);
    println!("· {name}");
    let mut make = Command::new(program);
    make.arg("-V2");
    if cfg!(target_os = "linux") {
        // Debian's has the part that runs without 32-bit libraries; NSIS's own has not.
        make.arg("-DTARGET=amd64-unicode");
    }
    for (variable, value) in [
        ("VERSION", release.version.clone()),
        ("KIB", folder_bytes(folder)?.div_ceil(1024).to_string()),
        ("TREE", folder.display().to_string()),
        ("ICON", root().join("assets/icon/bindpose.ico").display().to_string()),
        ("OUT", out.join(name).display().to_string()),
    ] {
        make.arg(format!("-D{variable}={value}"));
    }
    make.env("SOURCE_DATE_EPOCH", release.time_s.to_string());
    pass_on(make.arg(root().join("assets/windows/installer.nsi")))
}

/// In what is handed out, and in addresses.
pub(super) fn installer_name(version: &str) -> String {
    format!("bindpose-{version}-{}-setup.exe", std::env::consts::ARCH)
}
