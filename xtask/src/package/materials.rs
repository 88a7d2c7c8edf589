//! What the program is made of, for programs that look for known faults: a software bill
//! of materials, as CycloneDX.

use std::path::Path;
use std::process::Command;

use crate::process::{pass_on, root};
use crate::tools::CargoTool;

use super::files::{self, read, remove, sorted};
use super::release::ReleasedProgram;

/// CycloneDX's own. It reads what cargo resolves, so it needs no program built in a special
/// way, as cargo-auditable does.
const CYCLONEDX: CargoTool =
    CargoTool { package: "cargo-cyclonedx", program: "cargo-cyclonedx", options: &["--locked"] };
/// A later one may be called differently.
const VERSION: &str = "0.5.9";

/// Writes the list beside the packages.
///
/// Errors: in words, why there is none.
pub(super) fn write(release: &ReleasedProgram, out: &Path) -> Result<(), String> {
    let program = CYCLONEDX.need(VERSION)?;
    println!("· what it is made of");
    let name = format!("{}.cdx", release.name());
    let mut list = Command::new(program);
    list.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--no-build-deps"]);
    list.args(["--override-filename", &name]).current_dir(root());
    pass_on(list.env("SOURCE_DATE_EPOCH", release.time_s.to_string()))?;

    // It writes one beside the manifest of every package; that of the program has all.
    let file = format!("{name}.json");
    let made = root().join(&file);
    // Without where on this machine it was made.
    let text = read(&made)?.replace(&*root().to_string_lossy(), "");
    files::write(&out.join(&file), text)?;
    let mut lists = vec![made];
    lists.extend(sorted(&root().join("crates"))?.iter().map(|folder| folder.join(&file)));
    lists
        .extend(["benches/web", "web", "xtask", "xtask/api"].map(|at| root().join(at).join(&file)));
    lists.iter().filter(|list| list.is_file()).try_for_each(|list| remove(list))
}
