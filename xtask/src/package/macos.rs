//! The package for macOS: the application bundle `Bindpose.app` in a disk image.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::which;

use super::common_files::{copy_notices, copy_pages};
use super::files::{copy, copy_folder, read, write};
use super::release::ReleasedProgram;

/// Path of the program in the package. Users may link to it from the `PATH`.
const PROGRAM: &str = "Bindpose.app/Contents/MacOS/bindpose";

/// Lays out the application bundle in `folder`. Returns the reason if that fails.
pub(super) fn lay_out(
    release: &ReleasedProgram,
    generated: &Path,
    folder: &Path,
) -> Result<(), String> {
    copy(&release.program, &folder.join(PROGRAM))?;
    let contents = folder.join("Bindpose.app/Contents");
    let plist = read(&root().join("assets/macos/Info.plist"))?;
    write(&contents.join("Info.plist"), plist.replace("@VERSION@", &release.version))?;
    let resources = contents.join("Resources");
    copy(&root().join("assets/icon/bindpose.icns"), &resources.join("bindpose.icns"))?;
    copy_pages(&resources.join("web"))?;
    copy_folder(&generated.join("man"), &resources.join("man"))?;
    copy_folder(&generated.join("completions"), &resources.join("completions"))?;
    copy_notices(&resources)?;
    if which("codesign").is_some() {
        // An ad-hoc signature, which only proves that the bundle is unchanged. The one that the
        // linker adds to the program does not cover the bundle.
        let app = folder.join("Bindpose.app");
        pass_on(Command::new("codesign").args(["--force", "--sign", "-"]).arg(app))?;
    }
    Ok(())
}

/// Packs the folder into a disk image, with a link to `/Applications`. Returns the reason if that
/// fails, for example because the system is not macOS.
pub(super) fn pack(release: &ReleasedProgram, folder: &Path, out: &Path) -> Result<(), String> {
    if which("hdiutil").is_none() {
        return Err("hdiutil is missing: the disk image is made on a Mac".to_owned());
    }
    let name = format!("{}.dmg", release.name());
    println!("· {name}");
    let applications = folder.join("Applications");
    pass_on(Command::new("ln").args(["-s", "/Applications"]).arg(&applications))?;
    let mut make = Command::new("hdiutil");
    make.args(["create", "-quiet", "-volname", "Bindpose", "-format", "UDZO", "-srcfolder"]);
    pass_on(make.arg(folder).arg(out.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_property_list_matches_the_package_and_the_release_workflow() {
        let plist = read(&root().join("assets/macos/Info.plist")).unwrap();
        let program = plist_value(&plist, "CFBundleExecutable");
        assert!(PROGRAM.ends_with(&format!("MacOS/{program}")));
        let icon = format!("assets/icon/{}.icns", plist_value(&plist, "CFBundleIconFile"));
        assert!(root().join(icon).is_file());
        assert_eq!(plist.matches("@VERSION@").count(), 2);
        let workflow = read(&root().join(".github/workflows/release.yml")).unwrap();
        let min_version = plist_value(&plist, "LSMinimumSystemVersion");
        let target = format!("MACOSX_DEPLOYMENT_TARGET: \"{min_version}\"");
        assert!(workflow.contains(&target), "{target}");
    }

    fn plist_value<'a>(plist: &'a str, key: &str) -> &'a str {
        let (_, after) = plist.split_once(&format!("<key>{key}</key>")).unwrap();
        after.split(['<', '>']).nth(2).unwrap()
    }
}
