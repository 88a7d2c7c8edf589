//! `bindpose pack`: packs a folder of lessons into one file.

use std::path::PathBuf;

use bindpose_diagnostic::counted;
use bindpose_lesson::COURSE_EXTENSION;

use super::CommandFailure;
use super::output::{OutputFile, OutputForm, write_to_stdout};
use crate::app;

#[derive(Debug, clap::Args)]
pub(super) struct PackArgs {
    /// The folder that holds lessons.toml and the folders NN-slug
    dir: PathBuf,
    /// The file to write; absent: the name of the course, here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &PackArgs) -> Result<(), CommandFailure> {
    let packed = app::pack_course(&args.dir).map_err(CommandFailure::cannot)?;
    let path = match &args.out {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.{COURSE_EXTENSION}", packed.name)),
    };
    let out = OutputFile::new(path, args.force, &[COURSE_EXTENSION])?;
    out.write(&packed.bytes)?;
    write_to_stdout(OutputForm::Text, |stdout| {
        for (path, bytes) in &packed.files {
            writeln!(stdout, "  {path} ({} KiB)", bytes.div_ceil(1024))?;
        }
        writeln!(
            stdout,
            "{}: {}, {} KiB",
            out.path().display(),
            counted(packed.files.len(), "file"),
            packed.bytes.len().div_ceil(1024)
        )
    })
}
