//! What every system gets: the archive that needs no installation, a list of what the program
//! is made of, and the sums of all that is handed out.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{pass_on, root};
use crate::system::which;
use crate::tools::CargoTool;

use super::files::{read, remove, sorted, write};
use super::release::{ProgramSystem, ReleasedProgram};

/// CycloneDX's own. It reads what cargo resolves, so it needs no program built in a special
/// way, as cargo-auditable does.
const CYCLONEDX: CargoTool =
    CargoTool { package: "cargo-cyclonedx", program: "cargo-cyclonedx", options: &["--locked"] };
/// A later one may be called differently.
const CYCLONEDX_VERSION: &str = "0.5.9";

/// Packs the tree as one folder: a zip for Windows, else a tar.gz.
pub(super) fn pack(release: &ReleasedProgram, tree: &Path, out: &Path) -> Result<(), String> {
    let name = archive_name(release);
    println!("· {name}");
    let folder = tree.parent().unwrap_or(tree);
    if release.system == ProgramSystem::Windows && !cfg!(windows) {
        // The `tar` that comes with Windows writes one, too; that of Linux does not.
        let mut zip = Command::new("zip");
        zip.args(["-q", "-X", "-r"]).arg(out.join(name)).arg(release.name());
        return pass_on(zip.current_dir(folder));
    }
    let mut tar = Command::new("tar");
    if cfg!(target_os = "linux") {
        // The same bytes of the same sources, whoever packs them.
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.args(["--mode=u+rwX,go+rX,go-w", &format!("--mtime=@{}", release.time_s)]);
    }
    tar.args(["-a", "-c", "-f"]).arg(out.join(name));
    pass_on(tar.arg("-C").arg(folder).arg(release.name()))
}

/// In what is handed out, and in addresses.
pub(super) fn archive_name(release: &ReleasedProgram) -> String {
    let ending = if release.system == ProgramSystem::Windows { "zip" } else { "tar.gz" };
    format!("{}.{ending}", release.name())
}

/// Writes the list beside the packages, for programs that look for known faults: a software
/// bill of materials, as CycloneDX.
///
/// Errors: in words, why there is none.
pub(super) fn write_materials(release: &ReleasedProgram, out: &Path) -> Result<(), String> {
    let program = CYCLONEDX.need(CYCLONEDX_VERSION)?;
    println!("· what it is made of");
    let name = format!("{}.cdx", release.name());
    let mut list = Command::new(program);
    list.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--no-build-deps"]);
    list.args(["--override-filename", &name]).current_dir(root());
    pass_on(list.env("SOURCE_DATE_EPOCH", release.time_s.to_string()))?;

    // It writes one beside the manifest of every package; that of the program has all.
    let file = format!("{name}.json");
    let made = root().join(&file);
    // Without where on this machine it was made.
    let text = read(&made)?.replace(&*root().to_string_lossy(), "");
    write(&out.join(&file), text)?;
    let mut lists = vec![made];
    lists.extend(sorted(&root().join("crates"))?.iter().map(|folder| folder.join(&file)));
    lists
        .extend(["benches/web", "web", "xtask", "xtask/api"].map(|at| root().join(at).join(&file)));
    lists.iter().filter(|list| list.is_file()).try_for_each(|list| remove(list))
}

/// Writes SHA256SUMS for all files of the folder, as `sha256sum --check` reads it.
pub(super) fn write_sums(folder: &Path) -> Result<(), String> {
    let paths = sorted(folder)?;
    write(&folder.join("SHA256SUMS"), sums(&paths)?)
}

/// Of one file, in hexadecimal digits.
pub(super) fn sum(file: &Path) -> Result<String, String> {
    let told = sums(&[file.to_owned()])?;
    let sum = told.split_whitespace().next().map(str::to_owned);
    sum.ok_or_else(|| format!("{} has no sum", file.display()))
}

/// A line a file, all of one folder.
fn sums(paths: &[PathBuf]) -> Result<String, String> {
    let programs: [&[&str]; 2] = [&["sha256sum"], &["shasum", "-a", "256"]];
    let known = programs.iter().find(|words| which(&exe(words[0])).is_some());
    let [program, options @ ..] = known.ok_or("neither sha256sum nor shasum is here")? else {
        return Ok(String::new());
    };
    let mut sums = Command::new(program);
    sums.args(options).args(paths.iter().filter_map(|path| path.file_name()));
    if let Some(folder) = paths.first().and_then(|path| path.parent()) {
        sums.current_dir(folder);
    }
    let sums = sums.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = sums.output().map_err(|why| format!("{program} could not be started: {why}"))?;
    if !output.status.success() {
        return Err(format!("{program} ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn exe(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
}
