//! `cargo xtask api`: what the published libraries have in public, one item a line, held
//! against `public-api.txt` of each. Who changes one of these lines changes the programs
//! of others. `UPDATE_SNAPSHOTS=1` writes the files anew.
//!
//! rustdoc writes what is listed. Its JSON is not stable: stable Rust writes it where
//! `RUSTC_BOOTSTRAP` says so, and another Rust may write another form, which is skipped.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use public_api::Builder;

/// A library that is published.
struct Library {
    /// Its folder below `crates`, and its name behind `bindpose-`.
    name: &'static str,
    /// Those that add something for others.
    features: &'static str,
}

const LIBRARIES: [Library; 3] = [
    Library { name: "diagnostic", features: "" },
    Library { name: "skin", features: "serde" },
    Library { name: "asset", features: "" },
];

/// The form of rustdoc's JSON that `public-api` reads.
const FORMAT: u32 = 57;

/// Apart from other builds, which would begin again whenever `RUSTC_BOOTSTRAP` changes.
const TARGET: &str = "target/api";

/// What holds, in words for the last line.
enum Listed {
    Same(usize),
    Written(usize),
    /// rustdoc wrote this form.
    OtherFormat(u32),
}

fn main() -> ExitCode {
    let mut failed = false;
    for library in &LIBRARIES {
        let file = format!("crates/{}/public-api.txt", library.name);
        let said = match library.held(&file) {
            Ok(Listed::Same(items)) => format!("{items} public items"),
            Ok(Listed::Written(items)) => format!("{items} public items, written anew"),
            Ok(Listed::OtherFormat(found)) => {
                format!("SKIPPED: rustdoc writes form {found}, and public-api reads {FORMAT}")
            }
            Err(why) => {
                failed = true;
                why
            }
        };
        say(&format!("{file}: {said}"));
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[expect(clippy::print_stdout, reason = "this is a program for a terminal")]
fn say(line: &str) {
    println!("{line}");
}

impl Library {
    fn held(&self, file: &str) -> Result<Listed, String> {
        let json = self.rustdoc_json()?;
        let found = format_of(&json)?;
        if found != FORMAT {
            return Ok(Listed::OtherFormat(found));
        }
        let listed = Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .build()
            .map_err(|error| format!("its JSON cannot be read: {error}"))?;
        let items: Vec<String> =
            listed.items().map(|item| of_any_machine(item.to_string())).collect();
        let items: Vec<&str> =
            items.iter().map(String::as_str).filter(|item| !is_derived_body(item)).collect();
        let path = root().join(file);
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        let differences = differences(&written.lines().collect::<Vec<_>>(), &items);
        if differences.is_empty() {
            return Ok(Listed::Same(items.len()));
        }
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            std::fs::write(&path, items.join("\n") + "\n").map_err(|error| error.to_string())?;
            return Ok(Listed::Written(items.len()));
        }
        Err(format!(
            "what is public is not what is listed:\n{}\n\
             Where that is meant: UPDATE_SNAPSHOTS=1 cargo xtask api",
            differences.join("\n")
        ))
    }

    /// Where rustdoc put it.
    fn rustdoc_json(&self) -> Result<PathBuf, String> {
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
        // What cargo says of this package is not for the build scripts of others.
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
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The form in which it is written, which the file names itself.
fn format_of(json: &Path) -> Result<u32, String> {
    let text = std::fs::read_to_string(json).map_err(|error| error.to_string())?;
    let number = text.rsplit_once("\"format_version\":").map(|(_, rest)| {
        rest.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>()
    });
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| format!("{} does not say in which form it is written", json.display()))
}

/// glam's types, by their names for all: where they are defined is another place for each
/// processor.
fn of_any_machine(item: String) -> String {
    const INSIDE: [&str; 5] = ["::sse2", "::neon", "::coresimd", "::wasm", "::scalar"];
    INSIDE
        .iter()
        .fold(item, |item, inside| item.replace(&format!("glam::f32{inside}::"), "glam::f32::"))
}

/// What a derived trait consists of says nothing beside the line of its `impl`.
fn is_derived_body(item: &str) -> bool {
    let bodies = [
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
    item.starts_with("pub fn ") && bodies.iter().any(|body| item.contains(body))
        || item.starts_with("impl core::marker::StructuralPartialEq")
}

/// Lines that only one of the two has: `-` what is gone, `+` what is new.
fn differences(before: &[&str], now: &[&str]) -> Vec<String> {
    let only = |these: &[&str], others: &[&str], sign: char| {
        let others: BTreeSet<&str> = others.iter().copied().collect();
        let only = these.iter().filter(|line| !others.contains(**line));
        only.map(|line| format!("{sign} {line}")).collect::<Vec<_>>()
    };
    [only(before, now, '-'), only(now, before, '+')].concat()
}

#[test]
fn what_is_gone_and_what_is_new_is_told() {
    assert_eq!(differences(&["a", "b"], &["b", "c"]), ["- a", "+ c"]);
    assert!(differences(&["a", "b"], &["a", "b"]).is_empty());
    let simd = "pub bindpose_skin::Pose::m: glam::f32::sse2::mat4::Mat4".to_owned();
    assert_eq!(of_any_machine(simd), "pub bindpose_skin::Pose::m: glam::f32::mat4::Mat4");
    assert!(is_derived_body("pub fn bindpose_skin::Trs::clone(&self) -> bindpose_skin::Trs"));
    assert!(!is_derived_body("pub fn bindpose_skin::Trs::matrix(&self) -> glam::Mat4"));
}
