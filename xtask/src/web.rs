//! `cargo xtask web`: the notebook as a folder of files that any web server can
//! hand out, under any path.

mod site;

use std::path::PathBuf;
use std::process::Command;

use crate::process::{answer, cargo_at_root, pass_on, root};
use crate::toolchain::{WASM, need_wasm};

/// Where the site goes, from the root.
const SITE: &str = "target/web";

/// Builds the site. `--fast` leaves out what only makes it smaller.
pub fn run(rest: &[String]) -> Result<(), String> {
    let fast = match rest {
        [] => false,
        [flag] if flag == "--fast" => true,
        _ => return Err("`cargo xtask web` takes `--fast` alone".to_owned()),
    };
    build(fast)
}

/// The site as the tests use it.
pub fn build_fast() -> Result<(), String> {
    build(true)
}

fn build(fast: bool) -> Result<(), String> {
    need_wasm()?;
    let bindgen = need_bindgen()?;
    let profile = if fast { "dev" } else { "web" };
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
    let parts = root().join("target/web-parts");
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
            .arg(&parts)
            .arg(module),
    )?;
    site::write(&parts, &root().join(SITE))?;
    println!("{SITE}/index.html");
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
