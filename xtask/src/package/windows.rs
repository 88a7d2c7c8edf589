//! Packages for Windows: a folder that runs from anywhere, and an installer for it.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::which;

use super::common_files::{copy_notices, copy_pages};
use super::files::{copy, folder_bytes};
use super::release::ReleasedProgram;

/// The program without a console, built by `cargo build --features window-program`.
const WITHOUT_CONSOLE: &str = "bindpose-window.exe";

/// Lays out the folder. All files of the program are beside it. Returns the reason if that fails.
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
    copy_pages(&folder.join("web"))?;
    copy(&generated.join("completions/_bindpose.ps1"), &folder.join("_bindpose.ps1"))?;
    copy_notices(folder)
}

/// Packs the folder into an installer with NSIS, which also runs on other systems. Returns the
/// reason if that fails.
pub(super) fn pack(release: &ReleasedProgram, folder: &Path, out: &Path) -> Result<(), String> {
    // The installer of NSIS does not add it to the PATH.
    let default_path = "C:/Program Files (x86)/NSIS/makensis.exe";
    let program = if which("makensis").is_some() {
        "makensis"
    } else if Path::new(default_path).is_file() {
        default_path
    } else {
        return Err("makensis is missing: the installer is made where NSIS is".to_owned());
    };
    let name = installer_name(&release.version);
    println!("· {name}");
    let mut make = Command::new(program);
    make.arg("-V2");
    if cfg!(target_os = "linux") {
        // Only the NSIS of Debian has this target, whose installers need no 32-bit libraries.
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

/// Returns the file name of the installer.
pub(super) fn installer_name(version: &str) -> String {
    format!("bindpose-{version}-{}-setup.exe", std::env::consts::ARCH)
}
