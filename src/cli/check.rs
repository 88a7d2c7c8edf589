//! `bindpose check`: what is wrong with the lessons.

use std::path::PathBuf;

use super::{Failure, output};
use crate::app;
use crate::asset;
use crate::diagnostic::{Diagnostic, Severity, counted};
use crate::lesson::LessonSet;
use crate::notebook::check;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder with the lessons; absent: those in the program
    dir: Option<PathBuf>,
    /// Check the routes of this file too
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,
    /// Also lay every step out, in a window of 1280×720 and in presenter mode at
    /// 1280×720 and 1920×1080, and say what is not in sight together
    #[arg(long)]
    fit: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(dir) = args.dir.as_deref().filter(|dir| !dir.is_dir()) {
        let wrong = Diagnostic::said("NO_FOLDER", format!("there is no folder {}", dir.display()))
            .help("give the folder that holds the folders NN-slug");
        return Err(Failure::cannot(wrong));
    }
    let mut set = args
        .dir
        .as_deref()
        .map_or_else(LessonSet::embedded, LessonSet::from_dir);
    if let Some(file) = &args.routes {
        set.add_routes_from(file);
    }
    let mut findings = check::check(&set, &|id| asset::builtin(id));
    if args.fit && !set.lessons.is_empty() {
        findings.extend(
            app::fit(&set).map_err(|wrong| {
                Failure::cannot(Diagnostic::said("NO_LESSONS", wrong.to_string()))
            })?,
        );
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    output::to_stdout(output::Form::Text, |out| {
        for finding in &findings {
            writeln!(out, "{finding}\n")?;
        }
        writeln!(
            out,
            "{}: {}, {}",
            counted(set.lessons.len(), "lesson"),
            counted(errors, "error"),
            counted(warnings, "warning")
        )
    })?;
    Failure::if_found(errors > 0)
}
