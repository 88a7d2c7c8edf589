//! `cargo xtask package`: what is handed out to those who don't build: an archive for
//! each system, and for Linux a Debian package and an AppImage, with their sums, the
//! notices and a list of what the program is made of.
//!
//! All of them hold one tree, which is laid out once. Debian's own `dpkg-deb` packs it:
//! cargo-deb and cargo-packager would want the same tree described a second time, each in
//! words of its own, and build in minutes what is here a page of code.

mod appimage;
mod archive;
mod debian;
mod files;
mod materials;
mod tree;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::process::{answer, cargo_at_root, pass_on, root};
use crate::web;

use files::{copy, make_empty};

/// Where packages go, from the root.
const OUT: &str = "target/package";
/// Where they are made.
const WORK: &str = "target/package-work";

/// What is handed out.
struct ReleasedProgram {
    program: PathBuf,
    /// As it tells it itself.
    version: String,
    /// When it was made, in seconds since 1970: the same sources make the same packages.
    time_s: u64,
}

/// Builds the program and its pages, and packs them; `--program FILE` packs that program,
/// and the pages that are there.
///
/// Errors: in words, what is missing or went wrong. A kind of package whose tools are
/// missing here is told of and left out.
pub fn run(rest: &[String]) -> Result<(), String> {
    let program = match rest {
        [] => build()?,
        [flag, file] if flag == "--program" => {
            std::path::absolute(file).map_err(|why| format!("{file}: {why}"))?
        }
        _ => return Err("`cargo xtask package` takes `--program FILE`".to_owned()),
    };
    let release = ReleasedProgram::of(program)?;
    let (out, work) = (root().join(OUT), root().join(WORK));
    make_empty(&out)?;
    make_empty(&work)?;

    let tree = work.join(release.name());
    tree::lay_out(&release, &tree)?;
    archive::pack(&release, &tree, &out)?;
    if cfg!(target_os = "linux") {
        go_on_without(debian::pack(&release, &tree, &work.join("debian"), &out));
        go_on_without(appimage::pack(&release, &tree, &work, &out));
    }
    go_on_without(materials::write(&release, &out));
    for notice in tree::NOTICES {
        let file = root().join(notice);
        copy(&file, &out.join(file.file_name().unwrap_or_default()))?;
    }
    archive::write_sums(&out)?;
    files::print_sizes(&out)
}

/// What is shipped, and the pages that it hands to browsers.
fn build() -> Result<PathBuf, String> {
    println!("· the program");
    pass_on(&mut cargo_at_root(&["build", "--profile", "dist"]))?;
    let name = format!("bindpose{}", std::env::consts::EXE_SUFFIX);
    let program = root().join("target/dist").join(name);
    web::build(&program)?;
    Ok(program)
}

fn go_on_without(made: Result<(), String>) {
    if let Err(why) = made {
        println!("! {why}\n! Going on without.");
    }
}

impl ReleasedProgram {
    fn of(program: PathBuf) -> Result<Self, String> {
        let told = answer(&program.to_string_lossy(), &["--version"]);
        let version = told.as_deref().and_then(|told| told.trim().strip_prefix("bindpose "));
        let Some(version) = version.map(str::to_owned) else {
            return Err(format!("{} does not run here, or is no bindpose", program.display()));
        };
        Ok(Self { program, version, time_s: time_s() })
    }

    /// Of the archive, without its ending, and of the folder in it.
    fn name(&self) -> String {
        let system = std::env::consts::OS;
        format!("bindpose-{}-{}-{system}", self.version, std::env::consts::ARCH)
    }
}

/// As builders say it (`SOURCE_DATE_EPOCH`); else when the last change was made; else now.
fn time_s() -> u64 {
    let said = std::env::var("SOURCE_DATE_EPOCH").ok();
    let folder = root();
    let last_change =
        || answer("git", &["-C", &folder.to_string_lossy(), "log", "-1", "--format=%ct"]);
    let time_s = said.or_else(last_change).and_then(|text| text.trim().parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    time_s.unwrap_or_else(now)
}

/// A time in one of the forms of `date`, in UTC.
fn written_time(time_s: u64, form: &str) -> Result<String, String> {
    let at = format!("@{time_s}");
    let text = answer("date", &["--utc", "--date", &at, form]);
    text.map(|text| text.trim().to_owned()).ok_or_else(|| "`date` of coreutils is missing".into())
}

/// Where the pages for browsers are, written before.
fn site() -> Result<PathBuf, String> {
    let site = root().join("target/web");
    if has_pages(&site) {
        return Ok(site);
    }
    Err("there are no pages for browsers in target/web; `cargo xtask web` writes them".to_owned())
}

fn has_pages(site: &Path) -> bool {
    site.join("index.html").is_file()
}
