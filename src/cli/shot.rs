//! `bindpose shot`: draws one page into a PNG file.

use std::path::PathBuf;

use super::CommandFailure;
use super::arguments::{ThemeArg, parse_number, parse_set_options, parse_size};
use super::output::OutputFile;
use crate::app::{self, ShotOptions};

#[derive(Debug, clap::Args)]
pub(super) struct ShotArgs {
    /// A number, a slug or a folder name; or a copied link, with all it says; or cover
    lesson: String,
    /// The step: its number, from 1, or its slug
    #[arg(long)]
    step: Option<String>,
    /// A model to open first, for a lesson on the reader's own
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Put things to values first: b0=0.8,stage=posed; angles in radians
    /// unless written 45deg
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// In pixels
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = parse_size)]
    size: [u32; 2],
    #[arg(long, value_enum, default_value = "light")]
    theme: ThemeArg,
    /// Pixels per point: 2 shows everything twice as large
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number::<f32>)]
    scale: f32,
    /// As the presenter mode shows it
    #[arg(long)]
    present: bool,
    /// As fingers have it: larger buttons, and what a mouse would uncover in sight
    #[arg(long)]
    touch: bool,
    /// With the bench open
    #[arg(long)]
    bench: bool,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
    /// The picture
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &ShotArgs) -> Result<(), CommandFailure> {
    let out = OutputFile::new(&args.out, args.force, &["png"])?;
    let options = ShotOptions {
        lessons: args.lessons.clone(),
        lesson: args.lesson.clone(),
        step: args.step.clone(),
        model: args.model.clone(),
        set: parse_set_options(&args.set)?,
        size: args.size,
        dark: args.theme.is_dark(),
        scale: args.scale,
        present: args.present,
        touch: args.touch,
        bench: args.bench,
    };
    out.write(&app::shot(&options)?)
}
