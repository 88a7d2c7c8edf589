//! `cargo xtask api`: lists the public items of the published libraries, one per line, and compares
//! them with the `public-api.txt` of each. A changed line may break the programs of others.
//! `UPDATE_SNAPSHOTS=1` updates the files.
//!
//! The items come from the JSON output of rustdoc, which is unstable. Stable Rust writes it with
//! `RUSTC_BOOTSTRAP`. A library is skipped if rustdoc writes another version of the format.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use public_api::Builder;

/// A published library.
struct Library {
    /// Name of the folder in `crates`, and of the package without `bindpose-`.
    name: &'static str,
    /// Features that add public items.
    features: &'static str,
}

const LIBRARIES: [Library; 4] = [
    Library { name: "diagnostic", features: "" },
    Library { name: "skin", features: "serde" },
    Library { name: "gltf", features: "" },
    Library { name: "doctor", features: "" },
];

/// Version of rustdoc's JSON format that `public-api` can read.
const FORMAT: u32 = 57;

/// A separate target folder, because a changed `RUSTC_BOOTSTRAP` makes cargo build everything
/// again.
const TARGET: &str = "target/api";

/// Result of the comparison, with the number of public items.
enum ApiComparison {
    Same(usize),
    Updated(usize),
    /// rustdoc has written this version of the format.
    OtherFormat(u32),
}

fn main() -> ExitCode {
    let mut failed = false;
    for library in &LIBRARIES {
        let file = format!("crates/{}/public-api.txt", library.name);
        let result = match library.compare(&file) {
            Ok(ApiComparison::Same(items)) => format!("{items} public items"),
            Ok(ApiComparison::Updated(items)) => format!("{items} public items, written anew"),
            Ok(ApiComparison::OtherFormat(found)) => {
                format!("SKIPPED: rustdoc writes form {found}, and public-api reads {FORMAT}")
            }
            Err(why) => {
                failed = true;
                why
            }
        };
        print_line(&format!("{file}: {result}"));
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[expect(clippy::print_stdout, reason = "this is a program for a terminal")]
fn print_line(line: &str) {
    println!("{line}");
}

impl Library {
    /// Compares the public items with those in a file, and returns the differences as an error.
    fn compare(&self, file: &str) -> Result<ApiComparison, String> {
        let json = self.build_rustdoc_json()?;
        let format_version = read_format_version(&json)?;
        if format_version != FORMAT {
            return Ok(ApiComparison::OtherFormat(format_version));
        }
        let api = Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .build()
            .map_err(|error| format!("its JSON cannot be read: {error}"))?;
        let items: Vec<String> = api
            .items()
            .map(|item| portable_item(item.to_string()))
            .filter(|item| !is_derived_method(item))
            .collect();
        let path = root().join(file);
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let stored: Vec<String> = stored.lines().map(str::to_owned).collect();
        let differences = find_differences(&stored, &items);
        if differences.is_empty() {
            return Ok(ApiComparison::Same(items.len()));
        }
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(&path, items.join("\n") + "\n").map_err(|error| error.to_string())?;
            return Ok(ApiComparison::Updated(items.len()));
        }
        Err(format!(
            "what is public is not what is listed:\n{}\n\
             Where that is meant: UPDATE_SNAPSHOTS=1 cargo xtask api",
            differences.join("\n")
        ))
    }

    /// Runs rustdoc and returns the path of its JSON output.
    fn build_rustdoc_json(&self) -> Result<PathBuf, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let package = format!("bindpose-{}", self.name);
        let mut command = Command::new(cargo);
        command
            .current_dir(root())
            .args(["rustdoc", "--quiet", "--lib", "--package", &package])
            .args(["--features", self.features, "--target-dir", TARGET])
            .args(["--", "-Zunstable-options", "--output-format", "json"])
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTDOCFLAGS");
        // These variables describe this package, and would make the build scripts of other
        // packages run again.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(name);
            }
        }
        match command.status() {
            Ok(status) if status.success() => {
                let name = package.replace('-', "_");
                Ok(root().join(TARGET).join(format!("doc/{name}.json")))
            }
            Ok(status) => Err(format!("rustdoc failed: {status}")),
            Err(error) => Err(format!("cargo could not be started: {error}")),
        }
    }
}

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package).to_path_buf()
}

/// Reads the version of the format from the JSON output of rustdoc.
fn read_format_version(json: &Path) -> Result<u32, String> {
    let text = std::fs::read_to_string(json).map_err(|error| error.to_string())?;
    let number = text.rsplit_once("\"format_version\":").map(|(_, rest)| {
        rest.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>()
    });
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| format!("{} does not say in which form it is written", json.display()))
}

/// Removes the modules of glam that depend on the processor from the paths of its types.
fn portable_item(mut item: String) -> String {
    for module in ["sse2", "neon", "coresimd", "wasm", "scalar"] {
        item = item.replace(&format!("glam::f32::{module}::"), "glam::f32::");
    }
    item
}

/// Returns whether an item is a method of a derived trait. The line of its `impl` is sufficient.
fn is_derived_method(item: &str) -> bool {
    let methods = [
        "::clone(&self)",
        "::eq(&self, ",
        "::cmp(&self, ",
        "::partial_cmp(&self, ",
        "::fmt(&self, ",
        "::hash<__H",
        "::default() -> ",
        "::serialize<__S>",
        "::deserialize<__D>",
    ];
    item.starts_with("pub fn ") && methods.iter().any(|method| item.contains(method))
        || item.starts_with("impl core::marker::StructuralPartialEq")
}

/// Returns the removed lines with `-`, then the added lines with `+`.
fn find_differences(before: &[String], after: &[String]) -> Vec<String> {
    let before_set: BTreeSet<&String> = before.iter().collect();
    let after_set: BTreeSet<&String> = after.iter().collect();
    let removed = before.iter().filter(|line| !after_set.contains(line));
    let added = after.iter().filter(|line| !before_set.contains(line));
    removed.map(|line| format!("- {line}")).chain(added.map(|line| format!("+ {line}"))).collect()
}

#[test]
fn removed_and_added_lines_are_found() {
    let before = ["a", "b"].map(str::to_owned);
    let after = ["b", "c"].map(str::to_owned);
    assert_eq!(find_differences(&before, &after), ["- a", "+ c"]);
    assert!(find_differences(&before, &before).is_empty());
}

#[test]
fn items_do_not_depend_on_the_processor_or_on_derived_methods() {
    let simd = "pub bindpose_skin::Pose::m: glam::f32::sse2::mat4::Mat4".to_owned();
    assert_eq!(portable_item(simd), "pub bindpose_skin::Pose::m: glam::f32::mat4::Mat4");
    assert!(is_derived_method("pub fn bindpose_skin::Trs::clone(&self) -> bindpose_skin::Trs"));
    assert!(!is_derived_method("pub fn bindpose_skin::Trs::matrix(&self) -> glam::Mat4"));
}
