//! `cargo xtask web`: the notebook as a folder of files that any web server can
//! hand out, under any path, or as one file.

mod budget;
mod called_later;
mod lesson_texts;
mod module;
mod pictures;
mod split;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo_at_root, pass_on, root};
use crate::system::{self, ProgramUseCase};
use crate::tools::{CargoTool, WASM, need_wasm};

/// Where the site goes, from the root.
const SITE: &str = "target/web";
/// The same as one file.
const ONE_FILE: &str = "target/bindpose.html";
/// What wasm-bindgen writes.
const PARTS: &str = "target/web-parts";

/// A site whose program counts what it calls.
const COUNTED: &str = "target/web-counted";
/// The program before it is divided, with names.
const UNDIVIDED: &str = "target/web-undivided.wasm";

/// How much is done to make the program small.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Making {
    /// Nothing.
    Fast,
    /// All, in one piece.
    Whole,
    /// All, in a first part and others.
    InParts,
}

/// Builds the site. `--fast` leaves out what only makes it smaller, and the
/// pictures of its texts; `--one-file` writes one file instead of a folder;
/// `--measure` writes down anew how large each part is;
/// `--url` says where the site will be.
pub fn run(rest: &[String]) -> Result<(), String> {
    let mut pages = SitePages::default();
    let mut measure = false;
    let mut rest = rest.iter();
    while let Some(flag) = rest.next() {
        match flag.as_str() {
            "--fast" => pages.fast = true,
            "--one-file" => pages.one_file = true,
            "--measure" => measure = true,
            "--course" => {
                let folder = rest.next().ok_or("`--course` needs the folder of a course")?;
                let folder = std::path::absolute(folder).map_err(|why| why.to_string())?;
                pages.course = Some(folder);
            }
            "--url" => pages.url = Some(rest.next().ok_or("`--url` needs an address")?.clone()),
            _ => {
                return Err("`cargo xtask web` takes `--fast`, `--one-file`, `--measure`, \
                            `--course DIR` and `--url URL`"
                    .to_owned());
            }
        }
    }
    pass_on(&mut cargo_at_root(&["build"]))?;
    let name = format!("bindpose{}", std::env::consts::EXE_SUFFIX);
    let program = root().join("target/debug").join(name);
    if pages.fast || pages.one_file {
        parts(if pages.fast { Making::Fast } else { Making::Whole }, &program)?;
        return pages.write(&program);
    }
    parts(Making::InParts, &program)?;
    pages.write(&program)?;
    let pictures = pictures::pack(&root().join(SITE))?;
    pack()?;
    // The size of a course is its author's.
    if pages.course.is_none() {
        budget::check(&root().join(SITE), &root().join(UNDIVIDED), pictures, measure)?;
    }
    Ok(())
}

/// What pages are written.
#[derive(Default)]
struct SitePages {
    /// Without pictures.
    fast: bool,
    one_file: bool,
    /// Of this course; absent: of the built-in lessons.
    course: Option<PathBuf>,
    /// Where they will be; absent: nobody knows yet.
    url: Option<String>,
}

/// The site as it is handed out, its pages written by `program`, held against the
/// budget of its sizes.
///
/// Errors: in words, what is missing, went wrong, or is too large.
pub fn build(program: &Path) -> Result<(), String> {
    parts(Making::InParts, program)?;
    SitePages::default().write(program)?;
    let pictures = pictures::pack(&root().join(SITE))?;
    pack()?;
    budget::check(&root().join(SITE), &root().join(UNDIVIDED), pictures, false)
}

impl SitePages {
    /// `bindpose web`, with where it finds the parts and where the site goes.
    fn write(&self, program: &Path) -> Result<(), String> {
        println!("· the pages");
        if !self.fast
            && let Err(remedy) = system::need(ProgramUseCase::Headless)
        {
            println!("! {remedy}\n! Going on without.");
        }
        let mut write = Command::new(program);
        write.args(["web", "--program", PARTS, "--force"]);
        if self.fast {
            write.arg("--without-pictures");
        }
        if self.one_file {
            write.args(["--out", ONE_FILE, "--one-file"]);
        } else {
            write.args(["--out", SITE]);
        }
        write.args(&self.course);
        write.args(self.url.iter().flat_map(|url| ["--url", url]));
        pass_on(write.current_dir(root()))
    }
}

/// Packs by brotli what is no picture, beside it: a fifth smaller than by gzip, and too
/// slow to be done when it is asked for.
const PACK: &str = "const zlib = require('zlib'), fs = require('fs');\
    const packed = /\\.(wasm|js|css|ttf|txt|glb)$/;\
    for (const file of fs.readdirSync(process.argv[1])) {\
        const path = process.argv[1] + '/' + file;\
        if (packed.test(file)) fs.writeFileSync(path + '.br', zlib.brotliCompressSync(fs.readFileSync(path)));\
    }";

fn pack() -> Result<(), String> {
    println!("· packed by brotli");
    pass_on(Command::new("node").args(["-e", PACK, "--"]).arg(root().join(SITE).join("assets")))
}

/// A site without pictures around the program in the folder `parts`.
fn write_site(program: &Path, parts: &Path, site: &Path) -> Result<(), String> {
    let mut write = Command::new(program);
    write.args(["web", "--force", "--without-pictures", "--program"]);
    pass_on(write.arg(parts).arg("--out").arg(site).current_dir(root()))
}

/// What `cargo xtask bench web` measures, built as what is shipped.
pub fn build_bench() -> Result<(), String> {
    let module =
        BrowserPackage { package: "bindpose-web-bench", parts: "target/web-bench", name: "bench" };
    module.build("browser")
}

/// The program and what joins it to JavaScript, in the folder of parts; `program` hands
/// out the pages by which it is divided.
fn parts(making: Making, program: &Path) -> Result<(), String> {
    PROGRAM.build(if making == Making::Fast { "dev" } else { "browser" })?;
    let parts = root().join(PARTS);
    split::remove_parts(&parts);
    let _ = std::fs::remove_file(root().join(UNDIVIDED));
    match making {
        Making::Fast => Ok(()),
        Making::Whole => split::leave_whole(&parts),
        Making::InParts => {
            split::divide(&parts, &root().join(UNDIVIDED), program, &root().join(COUNTED))
        }
    }
}

/// A setting for cargo: a panic in a library's line is told by the name of the library,
/// not by where its source lies on the machine that built the program; and functions are
/// named with all their types, by which [`called_later`] knows those of a class.
fn browser_flags() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home.map(|home| home.join("registry/src"));
    let folders = sources.and_then(|folder| std::fs::read_dir(folder).ok());
    let folders = folders.into_iter().flatten().flatten();
    let flags = folders.map(|folder| {
        let path = folder.path().join("");
        format!("'--remap-path-prefix={}='", path.display())
    });
    let named = "'-Csymbol-mangling-version=v0'".to_owned();
    let flags: Vec<String> = std::iter::once(named).chain(flags).collect();
    format!("target.{WASM}.rustflags=[{}]", flags.join(", "))
}

/// A package that becomes a program for browsers.
struct BrowserPackage {
    package: &'static str,
    /// The folder that wasm-bindgen writes, from the root.
    parts: &'static str,
    /// Of the files there.
    name: &'static str,
}

const PROGRAM: BrowserPackage =
    BrowserPackage { package: "bindpose-web", parts: PARTS, name: "bindpose" };

impl BrowserPackage {
    /// Compiles it and joins it to JavaScript.
    fn build(&self, profile: &str) -> Result<(), String> {
        need_wasm()?;
        let bindgen = need_bindgen()?;
        println!("· the program, for browsers");
        let build = ["build", "-p", self.package, "--target", WASM, "--profile"];
        let mut build = cargo_at_root(&build);
        build.arg(profile);
        if profile != "dev" {
            build.arg("--config").arg(browser_flags());
        }
        pass_on(&mut build)?;
        let folder = if profile == "dev" { "debug" } else { profile };
        let module = root()
            .join("target")
            .join(WASM)
            .join(folder)
            .join(format!("{}.wasm", self.package.replace('-', "_")));
        println!("· what joins it to JavaScript");
        let mut join = Command::new(bindgen);
        join.args(["--target", "web", "--no-typescript"]);
        join.args(["--out-name", self.name, "--out-dir"]);
        pass_on(join.arg(root().join(self.parts)).arg(module))
    }
}

/// Without its test runner, which alone needs TLS; optimized a little, as it reads a
/// program of megabytes.
const BINDGEN: CargoTool = CargoTool {
    package: "wasm-bindgen-cli",
    program: "wasm-bindgen",
    options: &["--no-default-features", "--config", "profile.dev.opt-level=1"],
};

/// The wasm-bindgen of exactly the version that the program is built with,
/// installed below `target` where it is missing.
fn need_bindgen() -> Result<PathBuf, String> {
    BINDGEN.need(&locked_version("wasm-bindgen")?)
}

/// As `Cargo.lock` has it.
fn locked_version(package: &str) -> Result<String, String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|why| why.to_string())?;
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| **line != name).skip(1);
    let version = lines.next().and_then(|line| line.split('"').nth(1));
    version.map(str::to_owned).ok_or_else(|| format!("Cargo.lock names no {package}"))
}
