//! `cargo xtask test`: set-up, then everything that must hold, cheap things
//! first.
//!
//! # How we know
//!
//! * Golden numbers in `tests/data`, computed by independent float64 code: positions
//!   to 1e-5, joint matrices to 1e-6. Property tests beside them.
//! * The lessons are content and are checked as such: every expression is evaluated,
//!   every link resolved, and the words of a live number must be what it shows at
//!   first.
//! * The GPU is read back (transform feedback) by every transport, method and rule for
//!   normals, and held against `skin::reference`; every fault of the texture is held
//!   against `notebook::palette_texture`, the same rules in plain code.
//! * Small pictures of the main pages are compared with stored ones, drawn by Mesa’s
//!   llvmpipe; `UPDATE_SNAPSHOTS=1 cargo test --test gl pages` takes them anew.
//! * `web/tests/` drives the site in Chromium, by roles and names of the elements that
//!   screen readers see: all steps without a word on the console or of axe, an
//!   exercise of each lesson solved by names and keys alone, fingers, one page a
//!   lesson held against the native picture, addresses, files, lost contexts, other
//!   pages, phones, no network. `cargo xtask test` installs what that takes and builds
//!   the site without what only makes it smaller.
//! * The crates that others take are built by the oldest Rust that they name, and what
//!   they have in public is held against a list: `cargo xtask api`.
//! * Tests that draw need EGL. Without it they print SKIPPED; with `REQUIRE_GL=1`, as
//!   `cargo xtask test` sets on Linux, they fail.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::libraries::{LIST_API, OldestRust};
use crate::process::{cargo_at_root, pass_on, root};
use crate::system::{self, ProgramUseCase};
use crate::tools::{self, Deny};
use crate::{tidy, web, web_tests};

struct TestCheck {
    name: &'static str,
    /// Variables that the command needs.
    env: Vec<(&'static str, &'static str)>,
    what: What,
}

enum What {
    Cargo(Vec<&'static str>),
    /// The house rules, here.
    Tidy,
    /// `cargo deny check`, of these.
    Deny(Deny, Vec<&'static str>),
    /// What is published, with the oldest Rust that may build it.
    OldestRust(OldestRust),
    /// `bindpose check`.
    Content,
    /// The site, and the tests that drive a browser.
    Browser,
}

pub fn run() -> Result<(), String> {
    println!("setting up");
    tools::need_components()?;
    tools::need_wasm()?;
    if let Err(remedy) = system::need(ProgramUseCase::Headless) {
        println!("! {remedy}\n! Going on; the tests that draw will fail without them.");
    }
    if let Err(remedy) = system::need(ProgramUseCase::Relay) {
        println!("! {remedy}\n! Going on; the tests of a class on a relay will fail without.");
    }
    let mut skipped = Vec::new();
    if let Err(remedy) = system::need(ProgramUseCase::Pictures) {
        println!("! {remedy}\n! Going on; pictures of the site stay as large as they were drawn.");
        skipped.push("size of the pages: cwebp, which packs their pictures, is missing".to_owned());
    }
    let browser = web_tests::need_browser();
    if !system::draws_headless() {
        skipped.push("drawing: only Linux has OpenGL without a window".to_owned());
    }
    let mut checks = checks();
    if let Err(why) = browser {
        println!("! {why}");
        if system::draws_headless() {
            println!("! Going on; the tests in a browser will fail without.");
        } else {
            checks.retain(|check| !matches!(check.what, What::Browser));
            skipped.push(format!("browser: {why}"));
        }
    }
    if let Err(why) = web_tests::need_other_browsers() {
        println!("! {why}");
        skipped.push("browser: not all of what runs Firefox and WebKitGTK is here".to_owned());
    }
    match Deny::ready() {
        // Before all that takes minutes, after what takes seconds.
        Ok(deny) => {
            let known = deny.knows_advisories();
            if !known {
                skipped.push("advisories: their database could not be fetched".to_owned());
            }
            checks.splice(2..2, dependency_checks(deny, known));
        }
        Err(why) => skipped.push(format!("dependencies, advisories: {why}")),
    }
    match OldestRust::ready() {
        Ok(oldest) => checks.push(TestCheck {
            name: "oldest Rust",
            env: Vec::new(),
            what: What::OldestRust(oldest),
        }),
        Err(why) => skipped.push(format!("oldest Rust: {why}")),
    }
    let mut passed = Vec::new();
    for check in checks {
        println!("\n── {}: {}", check.name, check.written());
        let start = Instant::now();
        let outcome = check.run();
        let time = start.elapsed();
        if let Err(problem) = outcome {
            print_summary(&passed);
            println!("  FAILED   {:>7}  {}", shown(time), check.name);
            return Err(format!(
                "{} failed ({problem}). To repeat it alone:\n\n    {}\n",
                check.name,
                check.written()
            ));
        }
        passed.push((check.name, time));
    }
    print_summary(&passed);
    for what in skipped {
        println!("  SKIPPED           {what}");
    }
    println!("all checks passed");
    Ok(())
}

/// Formatting and the house rules need no build; clippy and the documentation share
/// what they read of the dependencies.
fn checks() -> Vec<TestCheck> {
    let gl = if system::draws_headless() { vec![("REQUIRE_GL", "1")] } else { vec![] };
    let cargo = |name, args: &[&'static str]| TestCheck {
        name,
        env: Vec::new(),
        what: What::Cargo(args.to_vec()),
    };
    vec![
        cargo("formatting", &["fmt", "--all", "--check"]),
        TestCheck { name: "house rules", env: Vec::new(), what: What::Tidy },
        cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        TestCheck { env: gl, ..cargo("tests", &["test", "--workspace"]) },
        TestCheck { name: "lessons", env: Vec::new(), what: What::Content },
        TestCheck {
            env: vec![("RUSTDOCFLAGS", "-Dwarnings")],
            ..cargo("documentation", &["doc", "--workspace", "--no-deps"])
        },
        cargo("public items", &LIST_API),
        TestCheck { name: "browser", env: Vec::new(), what: What::Browser },
    ]
}

fn dependency_checks(deny: Deny, knows_advisories: bool) -> Vec<TestCheck> {
    let check = |name, of: &[&'static str]| TestCheck {
        name,
        env: Vec::new(),
        what: What::Deny(deny.clone(), of.to_vec()),
    };
    let mut checks = vec![check("dependencies", &["licenses", "bans", "sources"])];
    if knows_advisories {
        checks.push(check("advisories", &["advisories"]));
    }
    checks
}

impl TestCheck {
    fn run(&self) -> Result<(), String> {
        if let What::Tidy = self.what {
            return tidy::run();
        }
        if let What::Browser = self.what {
            let program = built_program().ok_or("the tests have not been built")?;
            web::build(&program)?;
        }
        pass_on(&mut self.command())
    }

    fn command(&self) -> Command {
        let mut command = match &self.what {
            What::Cargo(args) => cargo_at_root(args),
            What::Tidy => cargo_at_root(&["xtask", "tidy"]),
            What::Deny(deny, of) => deny.command(of),
            What::OldestRust(oldest) => oldest.command(),
            What::Content => content_check(),
            What::Browser => web_tests::command(built_program()),
        };
        command.envs(self.env.iter().copied());
        command
    }

    /// As one would type it.
    fn written(&self) -> String {
        let mut words: Vec<String> =
            self.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
        words.push(match &self.what {
            What::Cargo(args) => format!("cargo {}", args.join(" ")),
            What::Tidy => "cargo xtask tidy".to_owned(),
            What::Deny(deny, of) => deny.written(of),
            What::OldestRust(oldest) => oldest.written(),
            What::Content => "cargo run -- check".to_owned(),
            What::Browser => web_tests::WRITTEN.to_owned(),
        });
        words.join(" ")
    }
}

fn content_check() -> Command {
    match built_program() {
        Some(program) => {
            let mut command = Command::new(program);
            command.arg("check").current_dir(root());
            command
        }
        None => cargo_at_root(&["run", "--", "check"]),
    }
}

/// The program that the tests have just built, next to this one. `cargo run`
/// would build it again: without the tests' dependencies, others have other
/// features.
fn built_program() -> Option<PathBuf> {
    let here = std::env::current_exe().ok()?;
    let name = format!("bindpose{}", std::env::consts::EXE_SUFFIX);
    Some(here.parent()?.join(name)).filter(|file| file.is_file())
}

fn print_summary(passed: &[(&str, Duration)]) {
    println!("\n── summary");
    for (name, time) in passed {
        println!("  passed   {:>7}  {name}", shown(*time));
    }
}

fn shown(time: Duration) -> String {
    let secs = time.as_secs_f64();
    if secs < 60.0 {
        format!("{secs:.1} s")
    } else {
        format!("{} min", (secs / 60.0 * 10.0).round() / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_repeated_by_a_command_with_its_variables() {
        let checks = checks();
        let docs = checks.iter().find(|check| check.name == "documentation");
        assert_eq!(
            docs.map(TestCheck::written).as_deref(),
            Some("RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps")
        );
    }
}
