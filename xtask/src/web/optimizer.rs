//! wasm-opt, which makes WebAssembly smaller. It comes from npm, at the version that
//! `web/package.json` names.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::process::{answer, pass_on, root};

/// How: for size; the features are those that rustc turns on for us, as
/// `.cargo/config.toml` and its own defaults have it.
const FLAGS: [&str; 9] = [
    "-Oz",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Makes the module smaller, and leaves out the names of its functions.
pub(super) fn shrink(module: &Path) -> Result<(), String> {
    let script = need_wasm_opt()?;
    let small = module.with_extension("small");
    println!("· the same, smaller (some minutes)");
    let mut command = Command::new("node");
    command.arg(script).args(FLAGS);
    command.args(["--strip-debug", "--strip-producers", "-o"]);
    pass_on(command.arg(&small).arg(module))?;
    fs::rename(&small, module).map_err(|why| format!("{}: {why}", module.display()))
}

/// The script that runs it, installed below `target` where it is missing.
fn need_wasm_opt() -> Result<PathBuf, String> {
    if answer("node", &["--version"]).is_none() {
        return Err("wasm-opt needs Node.js: install it, or add --fast".to_owned());
    }
    let home = root().join("target/tools/npm");
    let script = home.join("node_modules/binaryen/bin/wasm-opt");
    let wanted = root().join("web");
    let told = |why: io::Error| format!("{}: {why}", home.display());
    let read = |folder: &Path| fs::read(folder.join("package-lock.json")).ok();
    if script.is_file() && read(&home) == read(&wanted) {
        return Ok(script);
    }
    println!("· npm ci, into target/tools/npm");
    fs::create_dir_all(&home).map_err(told)?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(wanted.join(name), home.join(name)).map_err(told)?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut install = Command::new(npm);
    install.current_dir(&home);
    install.args([
        "ci",
        "--silent",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
    ]);
    pass_on(&mut install).map_err(|why| format!("binaryen could not be installed ({why})"))?;
    Ok(script)
}
