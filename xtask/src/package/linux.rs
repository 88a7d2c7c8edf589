//! Packages for Linux: one for Debian, Ubuntu and their derivatives, which follows the policy of
//! Debian, and an AppImage, a single file that runs on most systems without installation.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, pass_on, root};
use crate::system::{debian_window_libraries, which};

use super::files::{copy, copy_folder, make_folder, read, remove, rename, write};
use super::release::{ReleasedProgram, format_time};

/// Libraries that a window on Wayland loads at run time. The packages have the same names since
/// Debian 12 and Ubuntu 22.04.
const WAYLAND_LIBRARIES: [&str; 4] =
    ["libwayland-client0", "libwayland-egl1", "libxkbcommon0", "libx11-6"];

/// A graphics driver, the file dialogs, and a program that opens links. Without them the program
/// works, with a message.
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

/// False positives of lintian, which checks the policy of Debian.
const OVERRIDES: &str = "\
# The notices in the program name the crate fdeflate; zlib is not in it.
bindpose: embedded-library zlib [usr/bin/bindpose]
";

/// Lays out the Debian package in `folder` and writes it to `out`. Returns the reason if that
/// fails, for example because the system has no `dpkg-deb`.
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
    let output = answer("dpkg", &["--print-architecture"]).ok_or("dpkg does not run")?;
    let architecture = output.trim();
    let name = format!("bindpose_{}_{architecture}.deb", release.version);
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
    let control = control_file(&release.version, architecture, &libraries, size_kib);
    write(&package.join("DEBIAN/control"), control)?;

    // Every dpkg can read xz, but zstd, the default of Ubuntu, needs Debian 12. The highest
    // level saves a megabyte, because its window covers the program and its pages.
    let mut build = Command::new("dpkg-deb");
    build
        .args(["--root-owner-group", "-Zxz", "-z9", "-Sextreme", "--build"])
        .arg(&package)
        .arg(out.join(name));
    pass_on(build.env("SOURCE_DATE_EPOCH", release.time_s.to_string()))
}

/// Moves and writes the files for which Debian has other paths or formats: shell completions,
/// copyright and changelog.
fn follow_policy(release: &ReleasedProgram, package: &Path) -> Result<(), String> {
    let share = package.join("usr/share");
    rename(&share.join("zsh/site-functions"), &share.join("zsh/vendor-completions"))?;
    let doc = share.join("doc/bindpose");
    remove(&doc.join("LICENSE-APACHE"))?;
    remove(&doc.join("LICENSE-MIT"))?;
    let mit_license = read(&root().join("LICENSE-MIT"))?;
    let year = format_time(release.time_s, "+%Y")?;
    write(&doc.join("copyright"), copyright_file(&mit_license, &year))?;
    write(&share.join("lintian/overrides/bindpose"), OVERRIDES)?;
    let changes = format!(
        "bindpose ({}) stable; urgency=medium\n\n  * What is new stands in CHANGELOG.md.gz, \
         beside this file.\n\n -- {}  {}\n",
        release.version,
        maintainer(),
        format_time(release.time_s, "--rfc-email")?,
    );
    write(&doc.join("changelog"), changes)?;
    let packed = ["changelog", "CHANGELOG.md", "third-party.txt"].map(|name| doc.join(name));
    pass_on(Command::new("gzip").args(["--best", "--no-name"]).args(packed))
}

/// Returns the copyright file in the machine-readable format of Debian. It need not contain the
/// text of Apache-2.0, which is on every Debian system.
fn copyright_file(mit_license: &str, year: &str) -> String {
    let indented_mit: String = mit_license
        .trim()
        .lines()
        .map(|line| match line.trim() {
            "" => " .\n".to_owned(),
            line => format!(" {line}\n"),
        })
        .collect();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Bindpose\n\
         Comment: whose work else is in the program stands in third-party.txt.gz, beside\n \
         this file, and is printed by `bindpose --licences`.\n\n\
         Files: *\n\
         Copyright: {year} The Bindpose authors\n\
         License: Expat or Apache-2.0\n\n\
         License: Expat\n{indented_mit}\n\
         License: Apache-2.0\n On Debian systems the full text is in\n \
         /usr/share/common-licenses/Apache-2.0.\n",
    )
}

/// Returns the maintainer in the environment variables of Debian, for those who distribute the
/// package. Otherwise returns the authors, with an invalid address.
fn maintainer() -> String {
    let name = non_empty_variable("DEBFULLNAME", "The Bindpose authors");
    let address = non_empty_variable("DEBEMAIL", "bindpose@localhost.invalid");
    format!("{name} <{address}>")
}

fn non_empty_variable(name: &str, default: &str) -> String {
    std::env::var(name).ok().filter(|value| !value.is_empty()).unwrap_or_else(|| default.to_owned())
}

fn control_file(
    version: &str,
    architecture: &str,
    linked_libraries: &str,
    size_kib: u64,
) -> String {
    let mut depends = linked_libraries.to_owned();
    for library in debian_window_libraries().into_iter().chain(WAYLAND_LIBRARIES) {
        let _ = write!(depends, ", {library}");
    }
    format!(
        "Package: bindpose\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: {}\nInstalled-Size: {size_kib}\nDepends: {depends}\n\
         Recommends: {RECOMMENDED}\nSection: education\nPriority: optional\n\
         Description: {DESCRIPTION}\n",
        maintainer(),
    )
}

/// Returns the packages of the libraries that the program is linked with, each with its minimum
/// version. Creates a minimal source package, in whose folder `dpkg-shlibdeps` must run.
fn linked_libraries(folder: &Path, program: &Path) -> Result<String, String> {
    let source = folder.join("source");
    let source_control = "Source: bindpose\n\nPackage: bindpose\nArchitecture: any\n";
    write(&source.join("debian/control"), source_control)?;
    let output = Command::new("dpkg-shlibdeps")
        .args(["-O", "-e"])
        .arg(program)
        .current_dir(&source)
        .output()
        .map_err(|why| format!("dpkg-shlibdeps could not be started: {why}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let libraries = stdout.trim().strip_prefix("shlibs:Depends=");
    libraries.map(str::to_owned).ok_or_else(|| {
        format!(
            "dpkg-shlibdeps said nothing of the program: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

fn installed_kib(package: &Path) -> Result<u64, String> {
    let folder: PathBuf = package.join("usr");
    answer("du", &["-sk", "--apparent-size", &folder.to_string_lossy()])
        .and_then(|output| output.split_whitespace().next()?.parse().ok())
        .ok_or_else(|| format!("`du` gives no size of {}", folder.display()))
}

/// Lays out the folder of the AppImage, and packs it if `appimagetool` is installed. Neither
/// Debian nor cargo can install that tool and its runtime.
///
/// Returns the reason if that fails. Without the tool, it contains the command that is left to do.
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
    // A link that the system resolves, so that the program finds its pages relative to itself.
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
    fn the_package_depends_on_the_libraries_of_x11_and_wayland() {
        let control = control_file("0.1.0", "amd64", "libc6 (>= 2.34)", 40_000);
        let depends = control.lines().find_map(|line| line.strip_prefix("Depends: ")).unwrap();
        let depends: Vec<&str> = depends.split(", ").collect();
        assert_eq!(depends[0], "libc6 (>= 2.34)");
        for library in ["libegl1", "libxi6", "libxkbcommon-x11-0", "libwayland-client0"] {
            assert_eq!(depends.iter().filter(|name| **name == library).count(), 1, "{library}");
        }
        assert!(!depends.contains(&"libgl1-mesa-dri"), "the GPU may have another driver");
        assert!(control.ends_with("room.\n"), "{control}");
    }

    #[test]
    fn empty_lines_of_the_license_are_escaped_in_the_copyright_file() {
        let text = copyright_file("Copyright (c) A\n\nPermission is\n", "2026");
        assert!(text.contains("License: Expat\n Copyright (c) A\n .\n Permission is\n\nLicense:"));
    }
}
