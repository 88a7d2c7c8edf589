//! Runs the benchmarks and writes their tables: `cargo xtask bench`.

use crate::process::{answer, cargo_at_root, pass_on};
use crate::system::{self, ProgramUseCase};
use crate::{web, web_tests};

/// Runs one benchmark and writes its table to `docs`.
pub fn run(args: &[String]) -> Result<(), String> {
    match args {
        [what] if what == "gpu" => {
            if let Err(remedy) = system::need(ProgramUseCase::Headless) {
                println!("! {remedy}\n! Going on without.");
            }
            run_bench("gpu", "docs/gpu-frame-times.md", &[])
        }
        [what] if what == "cpu" => run_bench("cpu", "docs/cpu-times.md", &[]),
        [what] if what == "load" => run_bench("load", "docs/load-times.md", &[]),
        [what] if what == "page" => run_bench("page", "docs/page-times.md", &[]),
        [what] if what == "window" => run_bench("window", "docs/window-times.md", &[]),
        // `--addresses HOST:PORT --code CODE --lead SECRET` measures a class on other servers.
        [what, rest @ ..] if what == "class" => run_package_bench(
            &["--package", "bindpose-class-server"],
            "class",
            "docs/class-times.md",
            rest,
        ),
        [what] if what == "quick" => run_quick_benches(),
        // `--model FILE` replaces the model beside the repository.
        [what, rest @ ..] if what == "web" => {
            web_tests::need_browser()?;
            web_tests::install("benches/web")?;
            web::build_bench()?;
            run_bench("web", "docs/web-frame-times.md", rest)
        }
        _ => Err(
            "`cargo xtask bench` takes `quick`, `class`, `cpu`, `gpu`, `load`, `page`, `window` or `web`"
                .to_owned(),
        ),
    }
}

/// Counts memory allocations and instructions instead of measuring times. Fails if a count
/// exceeds its recorded limit.
fn run_quick_benches() -> Result<(), String> {
    pass_on(&mut cargo_at_root(&["test", "--bench", "page"]))
        .map_err(|problem| limit_exceeded(&problem))?;
    if answer("valgrind", &["--version"]).is_none() {
        println!("! there is no valgrind here: instructions are not counted");
        return Ok(());
    }
    pass_on(&mut cargo_at_root(&["bench", "--bench", "instructions"]))
        .map_err(|problem| limit_exceeded(&problem))
}

fn limit_exceeded(problem: &str) -> String {
    format!("more is done than is written down: {problem}")
}

/// Runs a benchmark of the root package.
fn run_bench(bench: &str, table: &str, rest: &[String]) -> Result<(), String> {
    run_package_bench(&[], bench, table, rest)
}

fn run_package_bench(
    package_args: &[&str],
    bench: &str,
    table: &str,
    rest: &[String],
) -> Result<(), String> {
    let args = ["--bench", bench, "--", "--out", table];
    pass_on(cargo_at_root(&["bench"]).args(package_args).args(args).args(rest))
        .map_err(|problem| format!("the measurement ended with {problem}"))
}
