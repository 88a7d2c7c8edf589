//! Development tasks of the project. `cargo xtask help` lists them.
//!
//! Has only two small dependencies, so that it compiles in seconds.

#![forbid(unsafe_code)]

mod bench;
mod checks;
mod corpus;
mod libraries;
mod licences;
mod notebook;
mod package;
mod process;
mod prose;
mod system;
mod tidy;
mod tools;
mod web;
mod web_tests;

use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask COMMAND

  test     installs what is missing, then checks everything that must hold; PART: style,
           libraries, page or browsers alone
  tidy     the house rules alone: who may use whom, and what must not stand anywhere;
           builds nothing
  names    the names that types share, and a table of habits that make code hard to read,
           per crate beside egui; --list HABIT [CRATE]: file and line of each hit;
           --of FOLDER...: the table of any Rust code
  api      what the libraries that others take have in public, held against
           crates/*/public-api.txt; UPDATE_SNAPSHOTS=1 writes these anew
  prose    figures of the lessons: steps, words, minutes, where nothing is asked, and the
           paragraphs that are hardest to read
  run      installs what is missing, then opens the notebook; what follows goes
           to it, as in `cargo xtask run --lesson 40`
  assets   writes the models in assets/models again
  gallery  writes docs/cells.md, its pictures, those of docs/technical-artists.md and
           README’s again
  corpus   unpack: the inputs that fuzzing kept, for cargo-fuzz, from fuzz/corpus/*.zip into
           folders; pack: the folders into these files
  licences writes assets/licences/third-party.txt again
  bench    measures, each beside something to compare with, and writes a table into
           docs: `cpu` skinning, `gpu` drawing, `page` a frame of the page, `window`
           its first frame and memory, `load` opening models, `web` a browser, `class`
           hundreds of students; `quick` counts instead, and fails where more is done
           than is written down
  web      the notebook for browsers, into target/web; --one-file: as one file,
           target/bindpose.html; --fast: larger, without pictures, sooner; --measure:
           writes down anew how large each part is
  package  what is handed out, into target/package: an archive, for Linux a Debian package
           and an AppImage, for Windows an installer, for Macs a disk image; --program FILE
           packs that program (for Windows on Linux, too), and target/web as it is, instead
           of building both; --url URL tells package managers that they will be there
  help     this list";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = args.collect();
    let outcome = match command.as_str() {
        "test" => checks::run(&rest),
        "tidy" => expect_no_arguments(&rest).and_then(|()| tidy::run()),
        "api" => expect_no_arguments(&rest).and_then(|()| libraries::list_api()),
        "prose" => expect_no_arguments(&rest).and_then(|()| prose::print()),
        "names" => tidy::names::run(&rest),
        "run" => notebook::run(&rest),
        "assets" => expect_no_arguments(&rest).and_then(|()| notebook::assets()),
        "gallery" => expect_no_arguments(&rest).and_then(|()| notebook::gallery()),
        "corpus" => corpus::run(&rest),
        "licences" => expect_no_arguments(&rest).and_then(|()| licences::write()),
        "web" => web::run(&rest),
        "package" => package::run(&rest),
        "bench" => bench::run(&rest),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        _ => Err(format!("there is no command `{command}`\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn expect_no_arguments(rest: &[String]) -> Result<(), String> {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(format!("`{extra}` is too much here\n\n{HELP}")),
    }
}
