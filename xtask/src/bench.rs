//! `cargo xtask bench`.

use crate::process::{answer, cargo_at_root, pass_on};
use crate::system::{self, ProgramUseCase};
use crate::{web, web_tests};

/// Measures one thing and writes its table into `docs`.
pub fn run(args: &[String]) -> Result<(), String> {
    match args {
        [what] if what == "gpu" => {
            if let Err(remedy) = system::need(ProgramUseCase::Headless) {
                println!("! {remedy}\n! Going on without.");
            }
            measure("gpu", "docs/gpu-frame-times.md", &[])
        }
        [what] if what == "cpu" => measure("cpu", "docs/cpu-times.md", &[]),
        [what] if what == "load" => measure("load", "docs/load-times.md", &[]),
        [what] if what == "page" => measure("page", "docs/page-times.md", &[]),
        [what] if what == "window" => measure("window", "docs/window-times.md", &[]),
        // `--addresses HOST:PORT --code CODE --lead SECRET`: a class that meets elsewhere.
        [what, rest @ ..] if what == "class" => {
            measure_of(&["--package", "bindpose-server"], "class", "docs/class-times.md", rest)
        }
        [what] if what == "quick" => quick(),
        // `--model FILE`: another than the one that lies beside the repository.
        [what, rest @ ..] if what == "web" => {
            web_tests::need_browser()?;
            web_tests::install("benches/web")?;
            web::build_bench()?;
            measure("web", "docs/web-frame-times.md", rest)
        }
        _ => Err(
            "`cargo xtask bench` takes `quick`, `class`, `cpu`, `gpu`, `load`, `page`, `window` or `web`"
                .to_owned(),
        ),
    }
}

/// Counts instead of times: what is asked of memory, which the tests count as well,
/// and instructions.
fn quick() -> Result<(), String> {
    let ended = |problem| format!("more is done than is written down: {problem}");
    pass_on(&mut cargo_at_root(&["test", "--bench", "page"])).map_err(ended)?;
    if answer("valgrind", &["--version"]).is_none() {
        println!("! there is no valgrind here: instructions are not counted");
        return Ok(());
    }
    pass_on(&mut cargo_at_root(&["bench", "--bench", "instructions"])).map_err(ended)
}

fn measure(bench: &str, table: &str, rest: &[String]) -> Result<(), String> {
    measure_of(&[], bench, table, rest)
}

/// A bench of another package than the root's.
fn measure_of(package: &[&str], bench: &str, table: &str, rest: &[String]) -> Result<(), String> {
    let args = ["--bench", bench, "--", "--out", table];
    pass_on(cargo_at_root(&["bench"]).args(package).args(args).args(rest))
        .map_err(|problem| format!("the measurement ended with {problem}"))
}
