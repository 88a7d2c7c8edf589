//! The archive that needs no installation, and the sums of all that is handed out.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::pass_on;
use crate::system::which;

use super::ReleasedProgram;
use super::files::{sorted, write};

/// Packs the tree as one folder: a zip for Windows, where the `tar` that comes with it
/// writes one; else a tar.gz.
pub(super) fn pack(release: &ReleasedProgram, tree: &Path, out: &Path) -> Result<(), String> {
    let ending = if cfg!(windows) { "zip" } else { "tar.gz" };
    let name = format!("{}.{ending}", release.name());
    println!("· {name}");
    let mut tar = Command::new("tar");
    if cfg!(target_os = "linux") {
        // The same bytes of the same sources, whoever packs them.
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.args(["--mode=u+rwX,go+rX,go-w", &format!("--mtime=@{}", release.time_s)]);
    }
    tar.args(["-a", "-c", "-f"]).arg(out.join(name));
    tar.arg("-C").arg(tree.parent().unwrap_or(tree)).arg(release.name());
    pass_on(&mut tar)
}

/// Writes SHA256SUMS for all files of the folder, as `sha256sum --check` reads it.
pub(super) fn write_sums(folder: &Path) -> Result<(), String> {
    let programs: [&[&str]; 2] = [&["sha256sum"], &["shasum", "-a", "256"]];
    let known = programs.iter().find(|words| which(&exe(words[0])).is_some());
    let [program, options @ ..] = known.ok_or("neither sha256sum nor shasum is here")? else {
        return Ok(());
    };
    let paths = sorted(folder)?;
    let mut sums = Command::new(program);
    sums.args(options).args(paths.iter().filter_map(|path| path.file_name()));
    let sums = sums.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = sums.output().map_err(|why| format!("{program} could not be started: {why}"))?;
    if !output.status.success() {
        return Err(format!("{program} ended with {}", output.status));
    }
    write(&folder.join("SHA256SUMS"), output.stdout)
}

fn exe(program: &str) -> String {
    format!("{program}{}", std::env::consts::EXE_SUFFIX)
}
