//! What the program says of itself: its version with the commit that it was built from, where
//! that is known (`bindpose --version`); and on Windows its icon and name, by which the
//! firewall there asks whether `bindpose serve` may be reached.

use std::process::Command;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=BINDPOSE_COMMIT");
    let version = variable("CARGO_PKG_VERSION").unwrap_or_default();
    let named = match variable("BINDPOSE_COMMIT").or_else(commit) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=BINDPOSE_VERSION={named}");
    // Said by cargo of the system that the program is for, not of this one.
    if variable("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "windows") {
        println!("cargo::rerun-if-changed=assets/icon/bindpose.ico");
        let mut resource = winresource::WindowsResource::new();
        resource.set_icon("assets/icon/bindpose.ico");
        resource.set("ProductName", "Bindpose").set("FileDescription", "Bindpose");
        resource.compile()?;
    }
    Ok(())
}

/// Of the checkout that is built. Absent outside of one, in a debug build, which would be
/// linked anew after every commit, and in a browser's program, which does not tell it.
fn commit() -> Option<String> {
    if variable("PROFILE")? == "debug" || variable("CARGO_CFG_TARGET_ARCH")? == "wasm32" {
        return None;
    }
    // A file that is not there would have this run at every build.
    let moves = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if std::fs::exists(&moves).unwrap_or(false) {
        println!("cargo::rerun-if-changed={moves}");
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
