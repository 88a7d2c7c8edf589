//! `cargo xtask web`: the notebook as a folder of files that any web server can
//! hand out, under any path, or as one file.

mod budget;
mod module;
mod split;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{answer, cargo_at_root, pass_on, root};
use crate::system::{self, Purpose};
use crate::toolchain::{WASM, need_wasm};

/// Where the site goes, from the root.
const SITE: &str = "target/web";
/// The same as one file.
const ONE_FILE: &str = "target/bindpose.html";
/// What wasm-bindgen writes.
const PARTS: &str = "target/web-parts";

/// Builds the site. `--fast` leaves out what only makes it smaller, and the
/// pictures of its texts; `--one-file` writes one file instead of a folder.
pub fn run(rest: &[String]) -> Result<(), String> {
    let (mut fast, mut one_file) = (false, false);
    for flag in rest {
        match flag.as_str() {
            "--fast" => fast = true,
            "--one-file" => one_file = true,
            _ => return Err("`cargo xtask web` takes `--fast` and `--one-file`".to_owned()),
        }
    }
    parts(fast, one_file)?;
    println!("· the pages");
    let profile: &[&str] = if fast { &[] } else { &["--release"] };
    let mut write = cargo_at_root(&["run", "--quiet"]);
    write.args(profile).arg("--").args(writing(fast, one_file));
    if !fast && let Err(remedy) = system::need(Purpose::Headless) {
        println!("! {remedy}\n! Going on without.");
    }
    pass_on(&mut write)?;
    if fast || one_file {
        return Ok(());
    }
    budget::check(&root().join(SITE))
}

/// The site as the tests use it, its pages written by `program`.
pub fn build_fast(program: &Path) -> Result<(), String> {
    parts(true, false)?;
    println!("· the pages");
    pass_on(
        Command::new(program)
            .args(writing(true, false))
            .current_dir(root()),
    )
}

/// `bindpose web`, with where it finds the parts and where the site goes.
fn writing(fast: bool, one_file: bool) -> Vec<&'static str> {
    let mut words = vec!["web", "--program", PARTS, "--force"];
    if fast {
        words.push("--without-pictures");
    }
    words.extend(if one_file {
        ["--out", ONE_FILE, "--one-file"].as_slice()
    } else {
        &["--out", SITE]
    });
    words
}

/// The program and what joins it to JavaScript, in the folder of parts.
fn parts(fast: bool, one_file: bool) -> Result<(), String> {
    need_wasm()?;
    let bindgen = need_bindgen()?;
    let profile = if fast { "dev" } else { "browser" };
    println!("· the program, for browsers");
    let build = [
        "build",
        "-p",
        "bindpose-web",
        "--target",
        WASM,
        "--profile",
        profile,
    ];
    pass_on(&mut cargo_at_root(&build))?;
    let folder = if fast { "debug" } else { profile };
    let module = root()
        .join("target")
        .join(WASM)
        .join(folder)
        .join("bindpose_web.wasm");
    println!("· what joins it to JavaScript");
    pass_on(
        Command::new(bindgen)
            .args([
                "--target",
                "web",
                "--no-typescript",
                "--out-name",
                "bindpose",
            ])
            .arg("--out-dir")
            .arg(root().join(PARTS))
            .arg(module),
    )?;
    let later = root().join(PARTS).join(split::LATER);
    let _ = std::fs::remove_file(later);
    if !fast {
        split::finish(&root().join(PARTS), one_file)?;
    }
    Ok(())
}

/// The wasm-bindgen of exactly the version that the program is built with,
/// installed below `target` where it is missing.
fn need_bindgen() -> Result<PathBuf, String> {
    let version = locked_version("wasm-bindgen")?;
    let home = format!("target/tools/wasm-bindgen-cli-{version}");
    let name = format!("wasm-bindgen{}", std::env::consts::EXE_SUFFIX);
    let program = root().join(&home).join("bin").join(name);
    if answer(&program.to_string_lossy(), &["--version"]).is_some() {
        return Ok(program);
    }
    let package = format!("wasm-bindgen-cli@{version}");
    println!("· cargo install {package}, into {home}");
    let build = format!("{home}/build");
    // Without its test runner, which alone needs TLS; optimized little, as it has
    // little to do.
    let install = [
        "install",
        "--quiet",
        "--debug",
        "--no-default-features",
        &package,
    ];
    let mut command = cargo_at_root(&install);
    command
        .args(["--root", &home, "--target-dir", &build])
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    pass_on(&mut command).map_err(|why| format!("{package} could not be installed ({why})"))?;
    let _ = std::fs::remove_dir_all(root().join(build));
    Ok(program)
}

/// As `Cargo.lock` has it.
fn locked_version(package: &str) -> Result<String, String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|why| why.to_string())?;
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| **line != name).skip(1);
    let version = lines.next().and_then(|line| line.split('"').nth(1));
    version
        .map(str::to_owned)
        .ok_or_else(|| format!("Cargo.lock names no {package}"))
}
