//! `bindpose tour`: every page as a picture.

use std::path::PathBuf;

use super::Failure;
use crate::app;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder for the pictures; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Open this model, and draw only the lessons that stand on it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Read lessons from this folder
    #[arg(long, value_name = "DIR")]
    lessons: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut progress = std::io::stdout().lock();
    app::tour(
        args.lessons.as_deref(),
        args.model.as_deref(),
        &args.out,
        &mut progress,
    )
    .map(|_| ())
    .map_err(Failure::failed)
}
