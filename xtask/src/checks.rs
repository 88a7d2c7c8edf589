//! `cargo xtask test`: installs what is missing, then runs all checks, the fast ones first.
//!
//! # Kinds of checks
//!
//! * Golden numbers in `tests/data`, computed by independent float64 code: positions
//!   to 1e-5, joint matrices to 1e-6. Property tests complement them.
//! * The lessons are checked as content: every expression is evaluated, every link is
//!   resolved, and the text of a live number must be its initial value.
//! * The vertices skinned by the GPU are read back (transform feedback) for every
//!   transport, method and rule for normals, and compared with `skin::reference`. Every
//!   fault of the palette texture is compared with `notebook::palette_texture`, which
//!   implements the same rules on the CPU.
//! * Small pictures of the main pages are compared with stored ones, drawn by Mesa’s
//!   llvmpipe. `UPDATE_SNAPSHOTS=1 cargo test --test gl pages` updates them.
//! * `web/tests/` drives the site in Chromium, by roles and names in the accessibility
//!   tree: all steps without messages on the console and findings of axe, an exercise of
//!   each lesson solved by names and keys alone, touch input, one page of each lesson
//!   compared with the native picture, URLs, files, lost contexts, other pages, phones, no
//!   network. `cargo xtask test` installs the browser and builds the site without the
//!   steps that only reduce its size.
//! * The published crates are built with the oldest Rust that they support, and their
//!   public items are compared with a list: `cargo xtask api`.
//! * Tests that draw need EGL. Without it they print SKIPPED; with `REQUIRE_GL=1`, which
//!   `cargo xtask test` sets on Linux, they fail.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::libraries::{LIBRARY_TESTS, LIST_API, OldestRust};
use crate::process::{cargo_at_root, pass_on, root};
use crate::system::{self, ProgramUseCase};
use crate::tools::{self, Deny};
use crate::{tidy, web, web_tests};

/// A group of checks that a machine of its own can run, as the workflows of the repository do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Formatting, house rules, dependencies, lints and documentation.
    Style,
    /// The published crates: their tests, public items, and oldest Rust.
    Libraries,
    /// All tests of the workspace, and the lessons.
    Page,
    /// The site, and the tests that drive browsers.
    Browsers,
}

impl Part {
    const ALL: [Self; 4] = [Self::Style, Self::Libraries, Self::Page, Self::Browsers];

    fn name(self) -> &'static str {
        match self {
            Self::Style => "style",
            Self::Libraries => "libraries",
            Self::Page => "page",
            Self::Browsers => "browsers",
        }
    }

    fn from_name(name: &str) -> Result<Self, String> {
        let mut parts = Self::ALL.into_iter();
        parts.find(|part| part.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`cargo xtask test` has the parts {names}; found {name}")
        })
    }
}

struct TestCheck {
    name: &'static str,
    /// Environment variables of the command.
    env: Vec<(&'static str, &'static str)>,
    kind: CheckKind,
}

enum CheckKind {
    Cargo(Vec<&'static str>),
    /// The house rules, checked in this process.
    Tidy,
    /// `cargo deny check` with a list of its checks.
    Deny(Deny, Vec<&'static str>),
    /// A build of the published crates with the oldest Rust that they support.
    OldestRust(OldestRust),
    /// `bindpose check`.
    Content,
    /// A build of the site, and the tests that drive a browser.
    Browser,
}

/// Runs all checks, or those of the part that is named.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let part = match arguments {
        [] => None,
        [name] => Some(Part::from_name(name)?),
        [_, extra, ..] => return Err(format!("`{extra}` is too much here")),
    };
    println!("setting up");
    let mut skipped = Vec::new();
    let parts = part.map_or(Part::ALL.to_vec(), |part| vec![part]);
    let checks = prepare_checks(&parts, &mut skipped)?;
    let has_browser = checks.iter().any(|check| matches!(check.kind, CheckKind::Browser));
    let mut passed = Vec::new();
    let mut unstable = Vec::new();
    let mut compilation = None;
    for check in checks {
        // The checks between the tests and the browser leave one core idle.
        if has_browser && matches!(check.kind, CheckKind::Content) {
            compilation = web::start_compiling();
        }
        println!("\n── {}: {}", check.name, check.shell_command());
        let start = Instant::now();
        let outcome = check.run(&mut unstable);
        let time = start.elapsed();
        if let Err(problem) = outcome {
            if let Some(mut compilation) = compilation {
                // It may have ended already.
                let _ = compilation.kill();
            }
            print_summary(&passed);
            println!("  FAILED   {:>7}  {}", format_duration(time), check.name);
            return Err(format!(
                "{} failed ({problem}). To repeat it alone:\n\n    {}\n",
                check.name,
                check.shell_command()
            ));
        }
        passed.push((check.name, time));
    }
    print_summary(&passed);
    for file in unstable {
        println!("  UNSTABLE          {file}: passed only when it ran once more, mend it");
    }
    for what in skipped {
        println!("  SKIPPED           {what}");
    }
    println!("all checks passed");
    Ok(())
}

/// Installs what the parts need and returns their checks, in the order in which they run: the
/// fast ones first. Adds to `skipped` what cannot be checked here.
fn prepare_checks(parts: &[Part], skipped: &mut Vec<String>) -> Result<Vec<TestCheck>, String> {
    let has = |part| parts.contains(&part);
    let mut checks = Vec::new();
    if has(Part::Style) {
        tools::need_components()?;
        checks.extend(style_checks(skipped));
    }
    if has(Part::Page) || has(Part::Browsers) {
        if let Err(remedy) = system::need(ProgramUseCase::Headless) {
            println!("! {remedy}\n! Going on; the tests that draw will fail without them.");
        }
        if !system::draws_headless() {
            skipped.push("drawing: only Linux has OpenGL without a window".to_owned());
        }
    }
    if has(Part::Page) {
        if let Err(remedy) = system::need(ProgramUseCase::Relay) {
            println!("! {remedy}\n! Going on; the tests of a class on a relay will fail without.");
        }
        let env = if system::draws_headless() { vec![("REQUIRE_GL", "1")] } else { vec![] };
        checks.push(TestCheck { env, ..TestCheck::cargo("tests", &["test", "--workspace"]) });
        checks.push(TestCheck::new("lessons", CheckKind::Content));
    }
    if has(Part::Style) {
        checks.push(TestCheck {
            env: vec![("RUSTDOCFLAGS", "-Dwarnings")],
            ..TestCheck::cargo("documentation", &["doc", "--workspace", "--no-deps"])
        });
    }
    if has(Part::Libraries) {
        if !has(Part::Page) {
            checks.push(TestCheck::cargo("tests of the libraries", &LIBRARY_TESTS));
        }
        checks.push(TestCheck::cargo("public items", &LIST_API));
        match OldestRust::ready() {
            Ok(oldest) => {
                checks.push(TestCheck::new("oldest Rust", CheckKind::OldestRust(oldest)));
            }
            Err(why) => skipped.push(format!("oldest Rust: {why}")),
        }
    }
    if has(Part::Browsers) {
        if !has(Part::Page) {
            checks.push(TestCheck::cargo("program", &["build"]));
        }
        checks.extend(browser_check(skipped)?);
    }
    Ok(checks)
}

/// Formatting and house rules come first, because they need no build.
fn style_checks(skipped: &mut Vec<String>) -> Vec<TestCheck> {
    let mut checks = vec![
        TestCheck::cargo("formatting", &["fmt", "--all", "--check"]),
        TestCheck::new("house rules", CheckKind::Tidy),
    ];
    match Deny::ready() {
        Ok(deny) => {
            let known = deny.knows_advisories();
            if !known {
                skipped.push("advisories: their database could not be fetched".to_owned());
            }
            checks.extend(dependency_checks(deny, known));
        }
        Err(why) => skipped.push(format!("dependencies, advisories: {why}")),
    }
    let lints =
        ["clippy", "--workspace", "--all-targets", "--features", "relay", "--", "-D", "warnings"];
    checks.push(TestCheck::cargo("lints", &lints));
    checks
}

/// Installs the browsers and what packs the site. Without Chromium, only Linux insists.
fn browser_check(skipped: &mut Vec<String>) -> Result<Option<TestCheck>, String> {
    tools::need_wasm()?;
    if let Err(remedy) = system::need(ProgramUseCase::Pictures) {
        println!("! {remedy}\n! Going on; pictures of the site stay as large as they were drawn.");
        skipped.push("size of the pages: cwebp, which packs their pictures, is missing".to_owned());
    }
    let browser = web_tests::need_browser();
    if let Err(why) = web_tests::need_other_browsers() {
        println!("! {why}");
        skipped.push("browser: not all of what runs Firefox and WebKitGTK is here".to_owned());
    }
    if let Err(why) = browser {
        println!("! {why}");
        if !system::draws_headless() {
            skipped.push(format!("browser: {why}"));
            return Ok(None);
        }
        println!("! Going on; the tests in a browser will fail without.");
    }
    Ok(Some(TestCheck::new("browser", CheckKind::Browser)))
}

fn dependency_checks(deny: Deny, knows_advisories: bool) -> Vec<TestCheck> {
    let kind = CheckKind::Deny(deny.clone(), vec!["licenses", "bans", "sources"]);
    let mut checks = vec![TestCheck::new("dependencies", kind)];
    if knows_advisories {
        let kind = CheckKind::Deny(deny, vec!["advisories"]);
        checks.push(TestCheck::new("advisories", kind));
    }
    checks
}

impl TestCheck {
    fn new(name: &'static str, kind: CheckKind) -> Self {
        Self { name, env: Vec::new(), kind }
    }

    fn cargo(name: &'static str, args: &[&'static str]) -> Self {
        Self::new(name, CheckKind::Cargo(args.to_vec()))
    }

    /// Runs the check. Tests that passed only when they ran once more are added to `unstable`.
    fn run(&self, unstable: &mut Vec<String>) -> Result<(), String> {
        match &self.kind {
            CheckKind::Tidy => tidy::run(),
            CheckKind::Browser => {
                let program = built_program().ok_or("the tests have not been built")?;
                web::build(&program)?;
                unstable.extend(web_tests::run(&program)?);
                Ok(())
            }
            CheckKind::Cargo(args) => pass_on(cargo_at_root(args).envs(self.env.iter().copied())),
            CheckKind::Deny(deny, of) => pass_on(&mut deny.command(of)),
            CheckKind::OldestRust(oldest) => pass_on(&mut oldest.command()),
            CheckKind::Content => pass_on(&mut content_check()),
        }
    }

    /// Returns the command as it can be typed in a shell.
    fn shell_command(&self) -> String {
        let mut words: Vec<String> =
            self.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
        words.push(match &self.kind {
            CheckKind::Cargo(args) => format!("cargo {}", args.join(" ")),
            CheckKind::Tidy => "cargo xtask tidy".to_owned(),
            CheckKind::Deny(deny, of) => deny.shell_command(of),
            CheckKind::OldestRust(oldest) => oldest.shell_command(),
            CheckKind::Content => "cargo run -- check".to_owned(),
            CheckKind::Browser => web_tests::SHELL_COMMAND.to_owned(),
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

/// Returns the program that the tests have just built, which is in the same folder as this one.
/// `cargo run` would build it again, because dependencies have other features without the
/// dependencies of the tests.
fn built_program() -> Option<PathBuf> {
    let xtask = std::env::current_exe().ok()?;
    let name = format!("bindpose{}", std::env::consts::EXE_SUFFIX);
    Some(xtask.parent()?.join(name)).filter(|file| file.is_file())
}

fn print_summary(passed: &[(&str, Duration)]) {
    println!("\n── summary");
    for (name, time) in passed {
        println!("  passed   {:>7}  {name}", format_duration(*time));
    }
}

fn format_duration(time: Duration) -> String {
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
    fn the_command_that_repeats_a_check_contains_its_variables() {
        let docs = TestCheck {
            env: vec![("RUSTDOCFLAGS", "-Dwarnings")],
            ..TestCheck::cargo("documentation", &["doc", "--workspace", "--no-deps"])
        };
        assert_eq!(docs.shell_command(), "RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps");
    }

    #[test]
    fn a_part_that_is_unknown_is_refused_with_the_names_of_all() {
        let error = Part::from_name("browser").map(Part::name);
        assert_eq!(
            error,
            Err("`cargo xtask test` has the parts style, libraries, page, browsers; found browser"
                .to_owned())
        );
    }
}
