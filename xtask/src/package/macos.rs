//! What a Mac gets: `Bindpose.app`, a folder that its Finder shows as one program.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::system::which;

use super::files::{copy, copy_folder, read, write};
use super::release::ReleasedProgram;
use super::tree;

/// The program in the folder, which other programs may be linked to as well.
const PROGRAM: &str = "Bindpose.app/Contents/MacOS/bindpose";

/// Lays the program out in `folder`; what is its own is where a Mac looks for it.
///
/// Errors: in words, what is missing or could not be written.
pub(super) fn lay_out(
    release: &ReleasedProgram,
    generated: &Path,
    folder: &Path,
) -> Result<(), String> {
    copy(&release.program, &folder.join(PROGRAM))?;
    let contents = folder.join("Bindpose.app/Contents");
    let about = read(&root().join("assets/macos/Info.plist"))?;
    write(&contents.join("Info.plist"), about.replace("@VERSION@", &release.version))?;
    let resources = contents.join("Resources");
    copy(&root().join("assets/icon/bindpose.icns"), &resources.join("bindpose.icns"))?;
    tree::keep_pages(&resources.join("web"))?;
    copy_folder(&generated.join("man"), &resources.join("man"))?;
    copy_folder(&generated.join("completions"), &resources.join("completions"))?;
    tree::keep_notices(&resources)?;
    if which("codesign").is_some() {
        // Without a name: it says only that nothing was changed since. The program alone has
        // such a signature from its linker, which does not hold for the folder.
        let app = folder.join("Bindpose.app");
        pass_on(Command::new("codesign").args(["--force", "--sign", "-"]).arg(app))?;
    }
    Ok(())
}

/// Packs the folder into a disk image, with the place where programs are dropped.
///
/// Errors: in words; Macs alone have what makes one.
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
    fn what_finder_is_told_names_what_is_laid_out() {
        let about = read(&root().join("assets/macos/Info.plist")).unwrap();
        let told = |key: &str| {
            let (_, after) = about.split_once(&format!("<key>{key}</key>")).unwrap();
            after.split(['<', '>']).nth(2).unwrap().to_owned()
        };
        assert!(PROGRAM.ends_with(&format!("MacOS/{}", told("CFBundleExecutable"))));
        let icon = format!("assets/icon/{}.icns", told("CFBundleIconFile"));
        assert!(root().join(icon).is_file());
        assert_eq!(about.matches("@VERSION@").count(), 2);
        // What the release is built for is what it says that it runs on.
        let release = read(&root().join(".github/workflows/release.yml")).unwrap();
        let oldest = format!("MACOSX_DEPLOYMENT_TARGET: \"{}\"", told("LSMinimumSystemVersion"));
        assert!(release.contains(&oldest), "{oldest}");
    }
}
