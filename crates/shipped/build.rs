//! Finds the folder `assets`. The published crate contains it. In the repository it is at the
//! root, and the symbolic link to it in this crate does not work on every system.

use std::path::Path;

fn main() {
    let home = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let candidates = ["assets", "../../assets"].map(|folder| Path::new(&home).join(folder));
    let Some(assets) = candidates.iter().find(|folder| folder.join("fonts").is_dir()) else {
        println!("cargo::error=no folder `assets` beside {home}, nor two folders above it");
        return;
    };
    println!("cargo::rustc-env=BINDPOSE_ASSETS={}", assets.display());
    println!("cargo::rerun-if-changed=build.rs");
}
