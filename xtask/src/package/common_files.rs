//! Files in the packages of all systems: the pages for browsers and the legal notices.

use std::path::{Path, PathBuf};

use crate::process::root;

use super::files::{copy, copy_folder, remove, sorted};

/// Licenses of the program and its dependencies, relative to the root.
pub(super) const NOTICES: [&str; 3] =
    ["LICENSE-APACHE", "LICENSE-MIT", "assets/licences/third-party.txt"];

/// Copies the pages without their Brotli versions. Browsers accept Brotli only over https, which
/// `serve` and `class` do not support. They compress files with gzip instead.
pub(super) fn copy_pages(folder: &Path) -> Result<(), String> {
    copy_folder(&site()?, folder)?;
    for file in sorted(&folder.join("assets"))? {
        if file.extension().is_some_and(|extension| extension == "br") {
            remove(&file)?;
        }
    }
    Ok(())
}

pub(super) fn copy_notices(folder: &Path) -> Result<(), String> {
    for notice in NOTICES.into_iter().chain(["CHANGELOG.md"]) {
        let file = root().join(notice);
        copy(&file, &folder.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Returns the folder with the pages for browsers, which must have been built.
fn site() -> Result<PathBuf, String> {
    let site = root().join("target/web");
    if site.join("index.html").is_file() {
        return Ok(site);
    }
    Err("there are no pages for browsers in target/web; `cargo xtask web` writes them".to_owned())
}
