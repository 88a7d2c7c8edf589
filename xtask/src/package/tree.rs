//! The tree that all packages of a system hold: the program, the pages that it hands to
//! browsers, the manual, what shells complete, what desktops are told, and whose work it is.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};

use super::files::{copy, copy_folder, read, remove, rename, sorted, write};
use super::release::{ProgramSystem, ReleasedProgram, written_time};
use super::{WORK, macos, site, windows};

/// Whose work the program is, from the root.
pub(super) const NOTICES: [&str; 3] =
    ["LICENSE-APACHE", "LICENSE-MIT", "assets/licences/third-party.txt"];

const ICON_SIZES: [u32; 8] = [16, 24, 32, 48, 64, 128, 256, 512];

/// For files, and for links.
const DESKTOP_ENTRIES: [&str; 2] = ["bindpose.desktop", "bindpose-link.desktop"];

/// The name by which software catalogues know the program.
const COMPONENT: &str = "io.github.bindpose.bindpose.metainfo.xml";

/// Lays the tree out in a folder, which must not be there.
///
/// Errors: in words, what is missing or could not be written.
pub(super) fn lay_out(release: &ReleasedProgram, tree: &Path) -> Result<(), String> {
    println!("· the tree of files");
    let generated = root().join(WORK).join("generated");
    pass_on(release.start().arg("generate").arg("--out").arg(&generated))?;
    match release.system {
        ProgramSystem::Linux => lay_out_linux(release, &generated, tree),
        ProgramSystem::MacOs => macos::lay_out(release, &generated, tree),
        ProgramSystem::Windows => windows::lay_out(release, &generated, tree),
    }
}

fn lay_out_linux(release: &ReleasedProgram, generated: &Path, tree: &Path) -> Result<(), String> {
    let program = tree.join("bin/bindpose");
    copy(&release.program, &program)?;
    // The profile `dist` does so by itself.
    pass_on(Command::new("strip").arg(&program))?;
    let share = tree.join("share");
    keep_pages(&share.join("bindpose/web"))?;
    keep_manual(&generated.join("man"), &share)?;
    keep_completions(&generated.join("completions"), &share)?;
    keep_notices(&share.join("doc/bindpose"))?;
    tell_desktops(release, &share)
}

/// Without what is packed by brotli: browsers take that by https alone, which `serve` and
/// `class` do not speak; others get it packed by gzip.
pub(super) fn keep_pages(folder: &Path) -> Result<(), String> {
    copy_folder(&site()?, folder)?;
    let assets = sorted(&folder.join("assets"))?;
    let mut packed = assets.iter().filter(|file| file.extension().is_some_and(|end| end == "br"));
    packed.try_for_each(|file| remove(file))
}

fn keep_manual(pages: &Path, share: &Path) -> Result<(), String> {
    let mut pack = Command::new("gzip");
    pack.args(["--best", "--no-name"]).args(sorted(pages)?);
    pass_on(&mut pack)?;
    copy_folder(pages, &share.join("man/man1"))
}

/// Where each shell looks by itself; PowerShell looks nowhere.
fn keep_completions(completions: &Path, share: &Path) -> Result<(), String> {
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

pub(super) fn keep_notices(folder: &Path) -> Result<(), String> {
    for notice in NOTICES.into_iter().chain(["CHANGELOG.md"]) {
        let file = root().join(notice);
        copy(&file, &folder.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Which files and links the program opens, and how it looks in menus and catalogues.
fn tell_desktops(release: &ReleasedProgram, share: &Path) -> Result<(), String> {
    let (desktop, icon) = (root().join("assets/desktop"), root().join("assets/icon"));
    for entry in DESKTOP_ENTRIES {
        copy(&desktop.join(entry), &share.join("applications").join(entry))?;
    }
    copy(&desktop.join("bindpose-mime.xml"), &share.join("mime/packages/bindpose.xml"))?;
    let component = read(&desktop.join(COMPONENT))?
        .replace("@VERSION@", &release.version)
        .replace("@DATE@", &written_time(release.time_s, "+%F")?);
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
    use super::*;

    #[test]
    fn what_is_taken_from_the_repository_is_there() {
        let icons = ICON_SIZES.map(|size| format!("assets/icon/bindpose-{size}.png"));
        let entries = DESKTOP_ENTRIES.map(|entry| format!("assets/desktop/{entry}"));
        let others = NOTICES.map(str::to_owned);
        for file in icons.iter().chain(&entries).chain(&others) {
            assert!(root().join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn catalogues_are_told_of_all_that_menus_are() {
        let component = read(&root().join("assets/desktop").join(COMPONENT)).unwrap();
        assert!(component.contains("\"@VERSION@\" date=\"@DATE@\""), "{component}");
        let menu = read(&root().join("assets/desktop").join(DESKTOP_ENTRIES[0])).unwrap();
        let kinds = menu.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
        for kind in kinds.split_terminator(';') {
            assert!(component.contains(&format!("<mediatype>{kind}</mediatype>")), "{kind}");
        }
    }
}
