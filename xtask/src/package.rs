//! Builds the packages of a release: `cargo xtask package`.
//!
//! They are an archive for each system, a Debian package and an AppImage for Linux, an installer
//! for Windows, a disk image for macOS, their checksums, the legal notices and a software bill of
//! materials.
//!
//! All packages of a system contain the same tree of files. The tools of each system pack it:
//! cargo-deb and cargo-packager would need another description of the tree each, and take minutes
//! to build, for what is a page of code here.

mod archive;
mod common_files;
mod files;
mod linux;
mod linux_tree;
mod macos;
mod manifests;
mod release;
mod windows;

use std::path::{Path, PathBuf};

use crate::process::{cargo_at_root, pass_on, root};
use crate::web;

use files::{copy, make_empty};
use release::{ProgramSystem, ReleasedProgram};

/// Folder of the finished packages, relative to the root.
const OUT: &str = "target/package";
/// Folder of intermediate files, relative to the root.
const WORK: &str = "target/package-work";

/// Builds the program and its pages, and packs them.
///
/// `--program FILE` packs an existing program and the existing pages instead. `--url URL` is the
/// future address of the packages, for the manifests of package managers.
///
/// Returns the reason if a package fails. A package whose tools are missing is skipped with a
/// message.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut program = None;
    let mut url = None;
    for argument in arguments.chunks(2) {
        match argument {
            [flag, file] if flag == "--program" => {
                let file = std::path::absolute(file).map_err(|why| format!("{file}: {why}"))?;
                program = Some(file);
            }
            [flag, address] if flag == "--url" => url = Some(manifests::checked_url(address)?),
            _ => return Err("`cargo xtask package` takes `--program FILE`, `--url URL`".to_owned()),
        }
    }
    let release = ReleasedProgram::new(program.map_or_else(build, Ok)?)?;
    let out = root().join(OUT);
    let work = root().join(WORK);
    make_empty(&out)?;
    make_empty(&work)?;

    let tree = work.join(release.name());
    lay_out(&release, &tree)?;
    archive::pack(&release, &tree, &out)?;
    match release.system {
        ProgramSystem::Linux => {
            continue_on_error(linux::pack_debian(&release, &tree, &work.join("debian"), &out));
            continue_on_error(linux::pack_appimage(&release, &tree, &work, &out));
        }
        ProgramSystem::MacOs => continue_on_error(macos::pack(&release, &tree, &out)),
        ProgramSystem::Windows => continue_on_error(windows::pack(&release, &tree, &out)),
    }
    if let Some(url) = url {
        continue_on_error(manifests::write_all(&release, &url, &out));
    } else {
        println!("· no package manager is told: without `--url` none would find the packages");
    }
    continue_on_error(archive::write_bill_of_materials(&release, &out));
    for notice in common_files::NOTICES {
        let file = root().join(notice);
        copy(&file, &out.join(file.file_name().unwrap_or_default()))?;
    }
    archive::write_checksums(&out)?;
    files::print_sizes(&out)
}

/// Builds the program and its pages. Returns the path of the program.
fn build() -> Result<PathBuf, String> {
    println!("· the program");
    let features = if cfg!(windows) { "relay,window-program" } else { "relay" };
    pass_on(&mut cargo_at_root(&["build", "--profile", "dist", "--features", features]))?;
    let name = format!("bindpose{}", std::env::consts::EXE_SUFFIX);
    let program = root().join("target/dist").join(name);
    web::build(&program)?;
    Ok(program)
}

/// Lays out the tree of files in a folder, which must not exist. Returns the reason if that fails.
fn lay_out(release: &ReleasedProgram, tree: &Path) -> Result<(), String> {
    println!("· the tree of files");
    let generated = root().join(WORK).join("generated");
    pass_on(release.command().arg("generate").arg("--out").arg(&generated))?;
    match release.system {
        ProgramSystem::Linux => linux_tree::lay_out(release, &generated, tree),
        ProgramSystem::MacOs => macos::lay_out(release, &generated, tree),
        ProgramSystem::Windows => windows::lay_out(release, &generated, tree),
    }
}

fn continue_on_error(result: Result<(), String>) {
    if let Err(why) = result {
        println!("! {why}\n! Going on without.");
    }
}
