//! Runs the notebook and its generators: `cargo xtask run`, `cargo xtask assets` and
//! `cargo xtask gallery`.

use crate::process::{cargo, cargo_at_root, pass_on, root};
use crate::system::{self, ProgramUseCase};

const TOUR: &str = "target/tour";

/// Opens the notebook with the arguments, or draws the tour if there is no display.
pub fn run(args: &[String]) -> Result<(), String> {
    let has_display = has_display();
    let use_case = if has_display { ProgramUseCase::Window } else { ProgramUseCase::Headless };
    if let Err(remedy) = system::need(use_case) {
        println!("! {remedy}\n! Going on without.");
    }
    println!("building; the first time takes minutes");
    pass_on(&mut cargo_at_root(&["build", "--release"]))
        .map_err(|problem| format!("the build failed ({problem})"))?;
    if has_display { open_window(args) } else { draw_tour(args) }
}

/// Opens the window. Keeps the working directory, because the arguments may be relative paths.
fn open_window(args: &[String]) -> Result<(), String> {
    let mut command = cargo();
    command
        .args(["run", "--release", "--quiet", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .arg("--")
        .args(args.iter().skip(usize::from(args.first().is_some_and(|first| first == "--"))));
    pass_on(&mut command).map_err(|problem| format!("the notebook ended with {problem}"))
}

fn draw_tour(args: &[String]) -> Result<(), String> {
    println!("There is no display here: every step of every lesson is drawn to {TOUR} instead.");
    if !args.is_empty() {
        println!("(`{}` is for the window and left aside.)", args.join(" "));
    }
    pass_on(&mut cargo_at_root(&[
        "run",
        "--release",
        "--quiet",
        "--",
        "tour",
        "--force",
        "--out",
        TOUR,
    ]))
    .map_err(|problem| format!("the tour ended with {problem}"))?;
    println!(
        "The pictures are in {TOUR}. To use the notebook live: start this on a desktop, \
         reach this machine by `ssh -X`, or see it through a virtual display with \
         `xvfb-run cargo xtask run` and a VNC server."
    );
    Ok(())
}

/// Writes the models. The result is the same unless their code has changed.
pub fn assets() -> Result<(), String> {
    pass_on(&mut cargo_at_root(&["run", "--quiet", "--", "assets", "--out", "assets/models"]))
        .map_err(|problem| format!("writing the models ended with {problem}"))
}

/// Writes the page with pictures of all cells, and the pictures of the page for technical
/// artists. The latter are drawn by a test, because they show broken models that only tests have.
pub fn gallery() -> Result<(), String> {
    pass_on(&mut cargo_at_root(&["run", "--quiet", "--", "gallery", "--out", "docs"]))
        .map_err(|problem| format!("writing the page of all cells ended with {problem}"))?;
    let mut pictures = cargo_at_root(&["test", "--quiet", "--lib", "technical_artists"]);
    pass_on(pictures.env("UPDATE_SNAPSHOTS", "1"))
        .map_err(|problem| format!("drawing broken models ended with {problem}"))
}

fn has_display() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
