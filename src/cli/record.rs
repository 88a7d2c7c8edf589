//! `bindpose record`: writes the reader's progress, marks and notes into a file.

use std::path::PathBuf;

use bindpose_lesson::LessonSet;
use bindpose_notebook::Record;

use super::CommandFailure;
use super::output::OutputFile;
use crate::app::{saved_preferences, today};

#[derive(Debug, clap::Args)]
pub(super) struct RecordArgs {
    /// The file: .json for programs, .md for people
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run(args: &RecordArgs) -> Result<(), CommandFailure> {
    let out = OutputFile::new(&args.out, args.force, &["json", "md"])?;
    let set = LessonSet::from_paths(&args.lessons).map_err(CommandFailure::cannot)?;
    let preferences = saved_preferences();
    let record = Record::new(&set.lessons, &preferences.progress, &preferences.marks, today());
    let extension = args.out.extension().unwrap_or_default();
    let bytes = if extension.eq_ignore_ascii_case("md") {
        record.markdown()
    } else {
        record.json().map_err(CommandFailure::cannot)?
    };
    out.write(&bytes)
}
