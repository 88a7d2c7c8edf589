//! `bindpose`: the notebook in a window.

use std::path::PathBuf;

use super::{Failure, ThemeName};
use crate::app::{self, AppOptions};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Open at this lesson: a number, a slug or a folder name
    #[arg(long)]
    pub(super) lesson: Option<String>,
    /// Open at this step: its number, from 1, or its slug
    #[arg(long, requires = "lesson")]
    step: Option<String>,
    /// Open the page that a copied link describes
    #[arg(long, value_name = "URL", conflicts_with = "lesson")]
    link: Option<String>,
    /// Read lessons from this folder, again whenever they change
    #[arg(long, value_name = "DIR")]
    lessons: Option<PathBuf>,
    /// Instead of the remembered theme
    #[arg(long, value_enum)]
    pub(super) theme: Option<ThemeName>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let options = AppOptions {
        lessons: args.lessons.clone(),
        lesson: args.lesson.clone(),
        step: args.step.clone(),
        link: args.link.clone(),
        dark: args.theme.map(ThemeName::is_dark),
    };
    app::run(&options).map_err(Failure::failed)
}
