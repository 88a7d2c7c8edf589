//! `cargo xtask web`: builds the notebook for browsers, as a folder for any web server and path,
//! or as a single file.

mod budget;
mod called_later;
mod lesson_texts;
mod module;
mod pictures;
mod split;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::process::{cargo_at_root, pass_on, root};
use crate::system::{self, ProgramUseCase};
use crate::tools::{CargoTool, WASM, need_wasm};

/// Folder of the site, relative to the root.
const SITE: &str = "target/web";
/// The site as a single file.
const ONE_FILE: &str = "target/bindpose.html";
/// Folder of the output of wasm-bindgen.
const PARTS: &str = "target/web-parts";

/// Folder of a site whose program counts its function calls.
const COUNTED: &str = "target/web-counted";
/// The program before it is split, with the names of its functions.
const UNDIVIDED: &str = "target/web-undivided.wasm";

/// Optimization of the program's size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SizeOptimization {
    /// No optimization, for a fast build.
    None,
    /// Optimized as a single module.
    SingleModule,
    /// Optimized and split into a first module and others that are loaded later.
    SplitModules,
}

/// Builds the site.
///
/// `--fast` omits the optimization of sizes and the pictures of the texts. `--one-file` writes a
/// single file instead of a folder. `--measure` updates the recorded size of each part. `--course`
/// uses the lessons of another course. `--url` is the future address of the site.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut pages = SitePages::default();
    let mut measure = false;
    let mut arguments = arguments.iter();
    while let Some(flag) = arguments.next() {
        match flag.as_str() {
            "--fast" => pages.fast = true,
            "--one-file" => pages.one_file = true,
            "--measure" => measure = true,
            "--course" => {
                let folder = arguments.next().ok_or("`--course` needs the folder of a course")?;
                let folder = std::path::absolute(folder).map_err(|why| why.to_string())?;
                pages.course = Some(folder);
            }
            "--url" => {
                pages.url = Some(arguments.next().ok_or("`--url` needs an address")?.clone());
            }
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
        let optimization =
            if pages.fast { SizeOptimization::None } else { SizeOptimization::SingleModule };
        build_parts(optimization, &program)?;
        return pages.write(&program);
    }
    build_parts(SizeOptimization::SplitModules, &program)?;
    pages.write(&program)?;
    let pictures = pictures::pack(&root().join(SITE))?;
    compress_with_brotli()?;
    // The budget does not apply to the lessons of other courses.
    if pages.course.is_none() {
        budget::check(&root().join(SITE), &root().join(UNDIVIDED), pictures, measure)?;
    }
    Ok(())
}

/// Options of the pages.
#[derive(Default)]
struct SitePages {
    /// Whether the pages have no pictures.
    fast: bool,
    one_file: bool,
    /// Folder of the course. `None` for the built-in lessons.
    course: Option<PathBuf>,
    /// Future address of the site, if known.
    url: Option<String>,
}

/// Builds the complete site, whose pages `program` writes, and checks its sizes against the
/// budget. Returns the reason if that fails.
pub fn build(program: &Path) -> Result<(), String> {
    build_parts(SizeOptimization::SplitModules, program)?;
    SitePages::default().write(program)?;
    let pictures = pictures::pack(&root().join(SITE))?;
    compress_with_brotli()?;
    budget::check(&root().join(SITE), &root().join(UNDIVIDED), pictures, false)
}

impl SitePages {
    /// Writes the pages with `bindpose web`.
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

/// Script for Node that writes a Brotli version beside each file that is not a picture. It is a
/// fifth smaller than with gzip, but Brotli is too slow to compress files when they are requested.
const BROTLI_SCRIPT: &str = "const zlib = require('zlib'), fs = require('fs');\
    const packed = /\\.(wasm|js|css|ttf|txt|glb)$/;\
    for (const file of fs.readdirSync(process.argv[1])) {\
        const path = process.argv[1] + '/' + file;\
        if (packed.test(file)) fs.writeFileSync(path + '.br', zlib.brotliCompressSync(fs.readFileSync(path)));\
    }";

fn compress_with_brotli() -> Result<(), String> {
    println!("· packed by brotli");
    let assets = root().join(SITE).join("assets");
    pass_on(Command::new("node").args(["-e", BROTLI_SCRIPT, "--"]).arg(assets))
}

/// Builds the program that `cargo xtask bench web` measures, with the profile of releases.
pub fn build_bench() -> Result<(), String> {
    let module =
        BrowserPackage { package: "bindpose-web-bench", parts: "target/web-bench", name: "bench" };
    module.build("browser")
}

/// Builds the browser program and its JavaScript in the folder of parts. `program` serves the
/// pages that determine how it is split.
fn build_parts(optimization: SizeOptimization, program: &Path) -> Result<(), String> {
    PROGRAM.build(if optimization == SizeOptimization::None { "dev" } else { "browser" })?;
    let parts = root().join(PARTS);
    split::remove_parts(&parts);
    let _ = std::fs::remove_file(root().join(UNDIVIDED));
    match optimization {
        SizeOptimization::None => Ok(()),
        SizeOptimization::SingleModule => split::leave_whole(&parts),
        SizeOptimization::SplitModules => {
            split::divide(&parts, &root().join(UNDIVIDED), program, &root().join(COUNTED))
        }
    }
}

/// Returns a configuration of cargo with the flags of the compiler.
///
/// Symbols are mangled with their full types, by which [`called_later`] recognizes the functions
/// of a class. Panic messages contain the path of a library without that of the local registry.
fn browser_flags() -> String {
    let mut flags = vec!["'-Csymbol-mangling-version=v0'".to_owned()];
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    if let Some(cargo_home) = cargo_home
        && let Ok(registries) = std::fs::read_dir(cargo_home.join("registry/src"))
    {
        for registry in registries.flatten() {
            let path = registry.path().join("");
            flags.push(format!("'--remap-path-prefix={}='", path.display()));
        }
    }
    format!("target.{WASM}.rustflags=[{}]", flags.join(", "))
}

/// A package that is built for browsers.
struct BrowserPackage {
    package: &'static str,
    /// Output folder of wasm-bindgen, relative to the root.
    parts: &'static str,
    /// Base name of the output files.
    name: &'static str,
}

const PROGRAM: BrowserPackage =
    BrowserPackage { package: "bindpose-web", parts: PARTS, name: "bindpose" };

/// Starts to compile the program in the background. [`build`] then waits for it, and reports its
/// errors. Its last step, the optimization of the whole program, takes minutes of one core.
pub fn start_compiling() -> Option<Child> {
    let mut compilation = PROGRAM.compilation("browser");
    compilation.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

impl BrowserPackage {
    fn compilation(&self, profile: &str) -> Command {
        let mut command =
            cargo_at_root(&["build", "-p", self.package, "--target", WASM, "--profile", profile]);
        if profile != "dev" {
            command.arg("--config").arg(browser_flags());
        }
        command
    }

    /// Compiles the package and generates its JavaScript with wasm-bindgen.
    fn build(&self, profile: &str) -> Result<(), String> {
        need_wasm()?;
        let bindgen = need_bindgen()?;
        println!("· the program, for browsers");
        pass_on(&mut self.compilation(profile))?;
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

/// Built without the test runner, the only part that needs TLS. Optimized slightly, because it
/// processes a program of megabytes.
const BINDGEN: CargoTool = CargoTool {
    package: "wasm-bindgen-cli",
    program: "wasm-bindgen",
    options: &["--no-default-features", "--config", "profile.dev.opt-level=1"],
};

/// Installs wasm-bindgen below `target` if it is missing, in exactly the version that the program
/// is built with. Returns its path.
fn need_bindgen() -> Result<PathBuf, String> {
    BINDGEN.need(&locked_version("wasm-bindgen")?)
}

/// Returns the version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> Result<String, String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).map_err(|why| why.to_string())?;
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| **line != name).skip(1);
    let version = lines.next().and_then(|line| line.split('"').nth(1));
    version.map(str::to_owned).ok_or_else(|| format!("Cargo.lock names no {package}"))
}
