//! What Linux gets: the package for Debian, Ubuntu and what is made of them, as their policy
//! asks for it; and the AppImage, one file that runs on most systems without being installed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, pass_on, root};
use crate::system::{debian_window_libraries, which};

use super::files::{copy, copy_folder, make_folder, read, remove, rename, write};
use super::release::{ReleasedProgram, written_time};

/// What a window on Wayland opens by name; the names are the same from Debian 12 and
/// Ubuntu 22.04 on.
const WAYLAND_LIBRARIES: [&str; 4] =
    ["libwayland-client0", "libwayland-egl1", "libxkbcommon0", "libx11-6"];

/// A driver, the dialogs for files, and what opens links: the program says so where one is
/// missing, and works without.
const RECOMMENDED: &str = "libgl1-mesa-dri, xdg-desktop-portal, xdg-utils";

const DESCRIPTION: &str = "\
interactive notebook that teaches vertex skinning
 Drag a joint's angle, a weight or one cell of a matrix, and the text, the
 matrices, the plot and the 3-D picture follow at once. Seventeen lessons go
 from the first joint to dual quaternions; models of your own (glTF, EZMesh)
 are opened, examined in words and mended.
 .
 A class follows on its phones: the program hands its pages to browsers and
 needs no network beyond the room.";

/// What lintian, which holds Debian's policy, takes for something else.
const OVERRIDES: &str = "\
# The notices in the program name the crate fdeflate; zlib is not in it.
bindpose: embedded-library zlib [usr/bin/bindpose]
";

/// Lays the package for Debian out in `folder`, and packs it into `out`.
///
/// Errors: in words, what is missing, as on a system without `dpkg-deb`.
pub(super) fn pack_debian(
    release: &ReleasedProgram,
    tree: &Path,
    folder: &Path,
    out: &Path,
) -> Result<(), String> {
    if let Some(missing) = ["dpkg-deb", "dpkg-shlibdeps"].iter().find(|tool| which(tool).is_none())
    {
        return Err(format!("{missing} is missing: the Debian package is made where it is"));
    }
    let machine = answer("dpkg", &["--print-architecture"]).ok_or("dpkg does not run")?;
    let machine = machine.trim();
    let name = format!("bindpose_{}_{machine}.deb", release.version);
    println!("· {name}");

    let package = folder.join("package");
    copy_folder(tree, &package.join("usr"))?;
    follow_policy(release, &package)?;
    let modes = ["-R", "u=rwX,go=rX"];
    pass_on(Command::new("chmod").args(modes).arg(package.join("usr")))?;

    make_folder(&package.join("DEBIAN"))?;
    let sums = "find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums";
    pass_on(Command::new("sh").args(["-c", sums]).current_dir(&package))?;
    let libraries = linked_libraries(folder, &package.join("usr/bin/bindpose"))?;
    let size_kib = installed_kib(&package)?;
    let control = control(&release.version, machine, &libraries, size_kib);
    write(&package.join("DEBIAN/control"), control)?;

    // By xz: dpkg reads it everywhere, Ubuntu's own choice (zstd) not before Debian 12. At
    // its best, a megabyte smaller: it sees what the program and its pages have in common.
    let mut build = Command::new("dpkg-deb");
    build
        .args(["--root-owner-group", "-Zxz", "-z9", "-Sextreme", "--build"])
        .arg(&package)
        .arg(out.join(name));
    pass_on(build.env("SOURCE_DATE_EPOCH", release.time_s.to_string()))
}

/// Debian has places of its own for whose work it is and what has changed.
fn follow_policy(release: &ReleasedProgram, package: &Path) -> Result<(), String> {
    let share = package.join("usr/share");
    rename(&share.join("zsh/site-functions"), &share.join("zsh/vendor-completions"))?;
    let doc = share.join("doc/bindpose");
    remove(&doc.join("LICENSE-APACHE"))?;
    remove(&doc.join("LICENSE-MIT"))?;
    let (mit, year) = (read(&root().join("LICENSE-MIT"))?, written_time(release.time_s, "+%Y")?);
    write(&doc.join("copyright"), copyright(&mit, &year))?;
    write(&share.join("lintian/overrides/bindpose"), OVERRIDES)?;
    let changes = format!(
        "bindpose ({}) stable; urgency=medium\n\n  * What is new stands in CHANGELOG.md.gz, \
         beside this file.\n\n -- {}  {}\n",
        release.version,
        maintainer(),
        written_time(release.time_s, "--rfc-email")?,
    );
    write(&doc.join("changelog"), changes)?;
    let packed = ["changelog", "CHANGELOG.md", "third-party.txt"].map(|name| doc.join(name));
    pass_on(Command::new("gzip").args(["--best", "--no-name"]).args(packed))
}

/// In Debian's machine-readable form. The text of Apache-2.0 is on every system.
fn copyright(mit: &str, year: &str) -> String {
    let mit = mit.trim().lines().map(|line| match line.trim() {
        "" => " .\n".to_owned(),
        line => format!(" {line}\n"),
    });
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Bindpose\n\
         Comment: whose work else is in the program stands in third-party.txt.gz, beside\n \
         this file, and is printed by `bindpose --licences`.\n\n\
         Files: *\n\
         Copyright: {year} The Bindpose authors\n\
         License: Expat or Apache-2.0\n\n\
         License: Expat\n{}\n\
         License: Apache-2.0\n On Debian systems the full text is in\n \
         /usr/share/common-licenses/Apache-2.0.\n",
        mit.collect::<String>(),
    )
}

/// By Debian's variables, for who hands it out; else the authors, without an address at
/// which anybody reads.
fn maintainer() -> String {
    let said = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let name = said("DEBFULLNAME").unwrap_or_else(|| "The Bindpose authors".to_owned());
    let address = said("DEBEMAIL").unwrap_or_else(|| "bindpose@localhost.invalid".to_owned());
    format!("{name} <{address}>")
}

fn control(version: &str, machine: &str, linked: &str, size_kib: u64) -> String {
    let mut depends = linked.to_owned();
    for library in debian_window_libraries().into_iter().chain(WAYLAND_LIBRARIES) {
        let _ = write!(depends, ", {library}");
    }
    format!(
        "Package: bindpose\nVersion: {version}\nArchitecture: {machine}\n\
         Maintainer: {}\nInstalled-Size: {size_kib}\nDepends: {depends}\n\
         Recommends: {RECOMMENDED}\nSection: education\nPriority: optional\n\
         Description: {DESCRIPTION}\n",
        maintainer(),
    )
}

/// The libraries that the program is linked with, each with the oldest version that has
/// what it calls. `dpkg-shlibdeps` wants to stand in the source of a Debian package.
fn linked_libraries(folder: &Path, program: &Path) -> Result<String, String> {
    let source = folder.join("source");
    let source_control = "Source: bindpose\n\nPackage: bindpose\nArchitecture: any\n";
    write(&source.join("debian/control"), source_control)?;
    let mut ask = Command::new("dpkg-shlibdeps");
    let output = ask.args(["-O", "-e"]).arg(program).current_dir(&source).output();
    let output = output.map_err(|why| format!("dpkg-shlibdeps could not be started: {why}"))?;
    let told = String::from_utf8_lossy(&output.stdout);
    let libraries = told.trim().strip_prefix("shlibs:Depends=");
    libraries.map(str::to_owned).ok_or_else(|| {
        format!(
            "dpkg-shlibdeps said nothing of the program: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

fn installed_kib(package: &Path) -> Result<u64, String> {
    let folder: PathBuf = package.join("usr");
    let told = answer("du", &["-sk", "--apparent-size", &folder.to_string_lossy()]);
    let size = told.as_deref().and_then(|told| told.split_whitespace().next()?.parse().ok());
    size.ok_or_else(|| format!("`du` gives no size of {}", folder.display()))
}

/// Lays out the folder that becomes the AppImage, and packs it where `appimagetool` is
/// installed: neither Debian nor cargo has it, nor the part that unpacks the file when it
/// is started.
///
/// Errors: in words; without the tool, the command that remains to be done.
pub(super) fn pack_appimage(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_asks_for_what_a_window_opens_by_name_on_either_system() {
        let control = control("0.1.0", "amd64", "libc6 (>= 2.34)", 40_000);
        let depends = control.lines().find_map(|line| line.strip_prefix("Depends: ")).unwrap();
        let depends: Vec<&str> = depends.split(", ").collect();
        assert_eq!(depends[0], "libc6 (>= 2.34)");
        for library in ["libegl1", "libxi6", "libxkbcommon-x11-0", "libwayland-client0"] {
            assert_eq!(depends.iter().filter(|name| **name == library).count(), 1, "{library}");
        }
        assert!(!depends.contains(&"libgl1-mesa-dri"), "a card may have another driver");
        assert!(control.ends_with("room.\n"), "{control}");
    }

    #[test]
    fn the_text_of_a_licence_has_no_empty_line_in_debians_form() {
        let text = copyright("Copyright (c) A\n\nPermission is\n", "2026");
        assert!(text.contains("License: Expat\n Copyright (c) A\n .\n Permission is\n\nLicense:"));
    }
}
