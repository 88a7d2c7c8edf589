//! Files for every system: the archive, which needs no installation, the software bill of
//! materials, and the checksums.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{pass_on, root};
use crate::system::which;
use crate::tools::CargoTool;

use super::files::{read, remove, sorted, write};
use super::release::{ProgramSystem, ReleasedProgram};

/// The official tool of CycloneDX. It reads the resolved dependencies of cargo, so it does not
/// need a program built in a special way, as cargo-auditable does.
const CYCLONEDX: CargoTool =
    CargoTool { package: "cargo-cyclonedx", program: "cargo-cyclonedx", options: &["--locked"] };
/// Fixed, because other versions may have other options.
const CYCLONEDX_VERSION: &str = "0.5.9";

/// Packs the tree as a single folder, into a zip file for Windows or a tar.gz file otherwise.
pub(super) fn pack(release: &ReleasedProgram, tree: &Path, out: &Path) -> Result<(), String> {
    let name = archive_name(release);
    println!("· {name}");
    let folder = tree.parent().unwrap_or(tree);
    if release.system == ProgramSystem::Windows && !cfg!(windows) {
        // Only the `tar` of Windows can write zip files.
        let mut zip = Command::new("zip");
        zip.args(["-q", "-X", "-r"]).arg(out.join(name)).arg(release.name());
        return pass_on(zip.current_dir(folder));
    }
    let mut tar = Command::new("tar");
    if cfg!(target_os = "linux") {
        // Makes the archive reproducible.
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.args(["--mode=u+rwX,go+rX,go-w", &format!("--mtime=@{}", release.time_s)]);
    }
    tar.args(["-a", "-c", "-f"]).arg(out.join(name));
    pass_on(tar.arg("-C").arg(folder).arg(release.name()))
}

/// Returns the file name of the archive.
pub(super) fn archive_name(release: &ReleasedProgram) -> String {
    let ending = if release.system == ProgramSystem::Windows { "zip" } else { "tar.gz" };
    format!("{}.{ending}", release.name())
}

/// Writes a software bill of materials in the format CycloneDX, for programs that look for known
/// vulnerabilities. Returns the reason if that fails.
pub(super) fn write_bill_of_materials(release: &ReleasedProgram, out: &Path) -> Result<(), String> {
    let program = CYCLONEDX.need(CYCLONEDX_VERSION)?;
    println!("· what it is made of");
    let name = format!("{}.cdx", release.name());
    let mut list = Command::new(program);
    list.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--no-build-deps"]);
    list.args(["--override-filename", &name]).current_dir(root());
    pass_on(list.env("SOURCE_DATE_EPOCH", release.time_s.to_string()))?;

    // The tool writes a list beside the manifest of every package. That of the root package is
    // complete.
    let file = format!("{name}.json");
    let complete_list = root().join(&file);
    // Removes the path of the repository on this machine.
    let text = read(&complete_list)?.replace(&*root().to_string_lossy(), "");
    write(&out.join(&file), text)?;
    remove(&complete_list)?;
    let mut packages = sorted(&root().join("crates"))?;
    packages.extend(["benches/web", "web", "xtask", "xtask/api"].map(|path| root().join(path)));
    for package in packages {
        let list = package.join(&file);
        if list.is_file() {
            remove(&list)?;
        }
    }
    Ok(())
}

/// Writes the checksums of all files in a folder to `SHA256SUMS`, in the format of
/// `sha256sum --check`.
pub(super) fn write_checksums(folder: &Path) -> Result<(), String> {
    let paths = sorted(folder)?;
    write(&folder.join("SHA256SUMS"), checksum_lines(&paths)?)
}

/// Returns the SHA-256 checksum of a file in hexadecimal digits.
pub(super) fn checksum(file: &Path) -> Result<String, String> {
    checksum_lines(&[file.to_owned()])?
        .split_whitespace()
        .next()
        .map(str::to_owned)
        .ok_or_else(|| format!("{} has no sum", file.display()))
}

/// Returns a line for each file. All files must be in the same folder.
fn checksum_lines(paths: &[PathBuf]) -> Result<String, String> {
    let (program, options): (&str, &[&str]) = if which(&exe("sha256sum")).is_some() {
        ("sha256sum", &[])
    } else if which(&exe("shasum")).is_some() {
        ("shasum", &["-a", "256"])
    } else {
        return Err("neither sha256sum nor shasum is here".to_owned());
    };
    let mut command = Command::new(program);
    command.args(options).args(paths.iter().filter_map(|path| path.file_name()));
    if let Some(folder) = paths.first().and_then(|path| path.parent()) {
        command.current_dir(folder);
    }
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|why| format!("{program} could not be started: {why}"))?;
    if !output.status.success() {
        return Err(format!("{program} ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn exe(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
}
