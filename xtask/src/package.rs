//! `cargo xtask package`: what is handed out to those who don't build: an archive for
//! each system, and for Linux a Debian package and an AppImage, for Windows an installer, for
//! Macs a disk image, with their sums, the notices and a list of what the program is made of.
//!
//! All of a system hold one tree, which is laid out once. Debian's own `dpkg-deb` packs it:
//! cargo-deb and cargo-packager would want the same tree described a second time, each in
//! words of its own, and build in minutes what is here a page of code.

mod archive;
mod files;
mod linux;
mod macos;
mod manifests;
mod release;
mod tree;
mod windows;

use std::path::{Path, PathBuf};

use crate::process::{cargo_at_root, pass_on, root};
use crate::web;

use files::{copy, make_empty};
use release::{ProgramSystem, ReleasedProgram};

/// Where packages go, from the root.
const OUT: &str = "target/package";
/// Where they are made.
const WORK: &str = "target/package-work";

/// Builds the program and its pages, and packs them; `--program FILE` packs that program,
/// and the pages that are there. `--url URL` is where the packages will be: package managers
/// are told of them.
///
/// Errors: in words, what is missing or went wrong. A kind of package whose tools are
/// missing here is told of and left out.
pub fn run(rest: &[String]) -> Result<(), String> {
    let (mut program, mut url) = (None, None);
    for words in rest.chunks(2) {
        match words {
            [flag, file] if flag == "--program" => {
                let file = std::path::absolute(file).map_err(|why| format!("{file}: {why}"))?;
                program = Some(file);
            }
            [flag, address] if flag == "--url" => url = Some(manifests::checked_url(address)?),
            _ => return Err("`cargo xtask package` takes `--program FILE`, `--url URL`".to_owned()),
        }
    }
    let release = ReleasedProgram::of(program.map_or_else(build, Ok)?)?;
    let (out, work) = (root().join(OUT), root().join(WORK));
    make_empty(&out)?;
    make_empty(&work)?;

    let tree = work.join(release.name());
    tree::lay_out(&release, &tree)?;
    archive::pack(&release, &tree, &out)?;
    match release.system {
        ProgramSystem::Linux => {
            go_on_without(linux::pack_debian(&release, &tree, &work.join("debian"), &out));
            go_on_without(linux::pack_appimage(&release, &tree, &work, &out));
        }
        ProgramSystem::MacOs => go_on_without(macos::pack(&release, &tree, &out)),
        ProgramSystem::Windows => go_on_without(windows::pack(&release, &tree, &out)),
    }
    if let Some(url) = url {
        go_on_without(manifests::write_all(&release, &url, &out));
    } else {
        println!("· no package manager is told: without `--url` none would find the packages");
    }
    go_on_without(archive::write_materials(&release, &out));
    for notice in tree::NOTICES {
        let file = root().join(notice);
        copy(&file, &out.join(file.file_name().unwrap_or_default()))?;
    }
    archive::write_sums(&out)?;
    files::print_sizes(&out)
}

/// What is shipped, and the pages that it hands to browsers.
fn build() -> Result<PathBuf, String> {
    println!("· the program");
    let mut build = cargo_at_root(&["build", "--profile", "dist"]);
    if cfg!(windows) {
        build.args(["--features", "window-program"]);
    }
    pass_on(&mut build)?;
    let name = format!("bindpose{}", std::env::consts::EXE_SUFFIX);
    let program = root().join("target/dist").join(name);
    web::build(&program)?;
    Ok(program)
}

fn go_on_without(made: Result<(), String>) {
    if let Err(why) = made {
        println!("! {why}\n! Going on without.");
    }
}

/// Where the pages for browsers are, written before.
fn site() -> Result<PathBuf, String> {
    let site = root().join("target/web");
    if has_pages(&site) {
        return Ok(site);
    }
    Err("there are no pages for browsers in target/web; `cargo xtask web` writes them".to_owned())
}

fn has_pages(site: &Path) -> bool {
    site.join("index.html").is_file()
}
