//! The AppImage: one file that runs on most systems with Linux, without being installed.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::which;

use super::files::{copy, copy_folder};
use super::release::ReleasedProgram;

/// Lays out the folder that becomes the file, and packs it where `appimagetool` is
/// installed: neither Debian nor cargo has it, nor the part that unpacks the file when it
/// is started.
///
/// Errors: in words; without the tool, the command that remains to be done.
pub(super) fn pack(
    release: &ReleasedProgram,
    tree: &Path,
    work: &Path,
    out: &Path,
) -> Result<(), String> {
    let machine = std::env::consts::ARCH;
    let name = format!("bindpose-{}-{machine}.AppImage", release.version);
    let folder = work.join("bindpose.AppDir");
    copy_folder(tree, &folder.join("usr"))?;
    let desktop = root().join("assets/desktop/bindpose.desktop");
    copy(&desktop, &folder.join("bindpose.desktop"))?;
    let icon = root().join("assets/icon/bindpose-256.png");
    copy(&icon, &folder.join("bindpose.png"))?;
    copy(&icon, &folder.join(".DirIcon"))?;
    // Resolved by the system, so that the program finds its pages beside where it lies.
    pass_on(Command::new("ln").args(["-s", "usr/bin/bindpose"]).arg(folder.join("AppRun")))?;

    if which("appimagetool").is_none() {
        return Err(format!(
            "appimagetool is missing, so there is no AppImage. With it: \
             ARCH={machine} appimagetool {} {name}",
            folder.display()
        ));
    }
    println!("· {name}");
    let mut tool = Command::new("appimagetool");
    tool.args([&folder, &out.join(name)]);
    tool.env("ARCH", machine).env("VERSION", &release.version);
    pass_on(tool.env("SOURCE_DATE_EPOCH", release.time_s.to_string()))
}
