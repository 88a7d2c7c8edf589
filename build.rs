//! Embeds the version of the program, with the commit that it was built from if known
//! (`bindpose --version`). On Windows it also embeds the icon and the product name, which the
//! firewall shows when it asks whether to allow connections to `bindpose serve`.

use std::process::Command;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=BINDPOSE_COMMIT");
    let version = env_var("CARGO_PKG_VERSION").unwrap_or_default();
    let version_with_commit = match env_var("BINDPOSE_COMMIT").or_else(checked_out_commit) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=BINDPOSE_VERSION={version_with_commit}");
    // `cfg(windows)` would test the system that builds, not the one that the program is built for.
    if env_var("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "windows") {
        println!("cargo::rerun-if-changed=assets/icon/bindpose.ico");
        let mut resource = winresource::WindowsResource::new();
        resource.set_icon("assets/icon/bindpose.ico");
        resource.set("ProductName", "Bindpose").set("FileDescription", "Bindpose");
        resource.compile()?;
    }
    Ok(())
}

/// Returns the commit of the checkout that is built. Returns `None` outside of a git checkout, in a
/// debug build, which every commit would otherwise relink, and for the browser, where the commit
/// is not shown.
fn checked_out_commit() -> Option<String> {
    if env_var("PROFILE")? == "debug" || env_var("CARGO_CFG_TARGET_ARCH")? == "wasm32" {
        return None;
    }
    // The log of HEAD changes with every commit and checkout. Cargo runs the script in every build
    // if a file to watch does not exist.
    let head_log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if std::fs::exists(&head_log).unwrap_or(false) {
        println!("cargo::rerun-if-changed={head_log}");
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

/// Returns the output of a git command, or `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn env_var(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
