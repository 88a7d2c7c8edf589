//! `bindpose tour`: draws every step of every lesson into PNG files.

use std::path::PathBuf;

use super::CommandFailure;
use super::arguments::{ThemeArg, parse_size};
use super::output::{OutputFile, OutputForm, create_folder, write_to_stdout};
use crate::app::{Tour, TourOptions};

#[derive(Debug, clap::Args)]
pub(super) struct TourArgs {
    /// The folder for the pictures; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace pictures of the same names
    #[arg(long)]
    force: bool,
    /// Open this model, and draw only the lessons that stand on it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// In pixels
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = parse_size)]
    size: [u32; 2],
    /// Only in this theme
    #[arg(long, value_enum)]
    theme: Option<ThemeArg>,
    /// As the presenter mode shows them
    #[arg(long)]
    present: bool,
    /// As fingers have it: larger buttons, and what a mouse would uncover in sight
    #[arg(long)]
    touch: bool,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run(args: &TourArgs) -> Result<(), CommandFailure> {
    let tour = Tour::new(&TourOptions {
        lessons: args.lessons.clone(),
        model: args.model.clone(),
        size: args.size,
        present: args.present,
        touch: args.touch,
        dark: args.theme.map(ThemeArg::is_dark),
    })?;
    create_folder(&args.out)?;
    // Validates all paths before the first picture is drawn.
    let files: Vec<OutputFile> = tour
        .names()
        .map(|name| OutputFile::new(args.out.join(name), args.force, &["png"]))
        .collect::<Result<_, _>>()?;
    let mut remaining_files = files.iter().enumerate();
    tour.draw(|png| {
        let Some((index, file)) = remaining_files.next() else {
            return Ok(());
        };
        file.write(&png)?;
        write_to_stdout(OutputForm::Text, |out| {
            let number = index + 1;
            let total = files.len();
            writeln!(out, "{number:3}/{total} {}", file.path().display())
        })
    })
}
