//! The tree of files in all packages for Linux: the program, the pages for browsers, the manual,
//! shell completions, desktop files and legal notices.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};

use super::common_files::{copy_notices, copy_pages};
use super::files::{copy, copy_folder, read, rename, sorted, write};
use super::release::{ReleasedProgram, format_time};

const ICON_SIZES: [u32; 8] = [16, 24, 32, 48, 64, 128, 256, 512];

/// Desktop entries that open files and links.
const DESKTOP_ENTRIES: [&str; 2] = ["bindpose.desktop", "bindpose-link.desktop"];

/// Name of the metadata file for software catalogs.
const COMPONENT: &str = "io.github.bindpose.bindpose.metainfo.xml";

/// Lays out the tree in a folder. Returns the reason if that fails.
pub(super) fn lay_out(
    release: &ReleasedProgram,
    generated: &Path,
    tree: &Path,
) -> Result<(), String> {
    let program = tree.join("bin/bindpose");
    copy(&release.program, &program)?;
    // Has no effect on programs built with the profile `dist`, which is already stripped.
    pass_on(Command::new("strip").arg(&program))?;
    let share = tree.join("share");
    copy_pages(&share.join("bindpose/web"))?;
    copy_manual(&generated.join("man"), &share)?;
    move_completions(&generated.join("completions"), &share)?;
    copy_notices(&share.join("doc/bindpose"))?;
    copy_desktop_files(release, &share)
}

fn copy_manual(pages: &Path, share: &Path) -> Result<(), String> {
    let mut gzip = Command::new("gzip");
    gzip.args(["--best", "--no-name"]).args(sorted(pages)?);
    pass_on(&mut gzip)?;
    copy_folder(pages, &share.join("man/man1"))
}

/// Moves the completions to the folder that each shell searches. PowerShell searches none.
fn move_completions(completions: &Path, share: &Path) -> Result<(), String> {
    for (from, to) in [
        ("bindpose.bash", "bash-completion/completions/bindpose"),
        ("_bindpose", "zsh/site-functions/_bindpose"),
        ("bindpose.fish", "fish/vendor_completions.d/bindpose.fish"),
        ("_bindpose.ps1", "bindpose/_bindpose.ps1"),
    ] {
        rename(&completions.join(from), &share.join(to))?;
    }
    Ok(())
}

/// Copies the desktop entries, media types, icons and the metadata for software catalogs.
fn copy_desktop_files(release: &ReleasedProgram, share: &Path) -> Result<(), String> {
    let desktop = root().join("assets/desktop");
    let icon = root().join("assets/icon");
    for entry in DESKTOP_ENTRIES {
        copy(&desktop.join(entry), &share.join("applications").join(entry))?;
    }
    copy(&desktop.join("bindpose-mime.xml"), &share.join("mime/packages/bindpose.xml"))?;
    let component = read(&desktop.join(COMPONENT))?
        .replace("@VERSION@", &release.version)
        .replace("@DATE@", &format_time(release.time_s, "+%F")?);
    write(&share.join("metainfo").join(COMPONENT), component)?;
    let icons = share.join("icons/hicolor");
    for size in ICON_SIZES {
        let to = format!("{size}x{size}/apps/bindpose.png");
        copy(&icon.join(format!("bindpose-{size}.png")), &icons.join(to))?;
    }
    copy(&icon.join("bindpose.svg"), &icons.join("scalable/apps/bindpose.svg"))
}

#[cfg(test)]
mod tests {
    use super::super::common_files::NOTICES;
    use super::*;

    #[test]
    fn files_from_the_repository_exist() {
        let icons = ICON_SIZES.map(|size| format!("assets/icon/bindpose-{size}.png"));
        let entries = DESKTOP_ENTRIES.map(|entry| format!("assets/desktop/{entry}"));
        let others = NOTICES.map(str::to_owned);
        for file in icons.iter().chain(&entries).chain(&others) {
            assert!(root().join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn the_catalog_metadata_has_all_media_types_of_the_desktop_entry() {
        let component = read(&root().join("assets/desktop").join(COMPONENT)).unwrap();
        assert!(component.contains("\"@VERSION@\" date=\"@DATE@\""), "{component}");
        let entry = read(&root().join("assets/desktop").join(DESKTOP_ENTRIES[0])).unwrap();
        let types = entry.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
        for media_type in types.split_terminator(';') {
            let element = format!("<mediatype>{media_type}</mediatype>");
            assert!(component.contains(&element), "{media_type}");
        }
    }
}
