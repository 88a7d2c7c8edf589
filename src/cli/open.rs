//! `bindpose`: the notebook in a window.

use std::path::PathBuf;

use super::{Failure, ThemeName};
use crate::app::{self, AppOptions};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A model to open: .glb, or .gltf with its files beside it
    #[arg(value_name = "FILE")]
    pub(super) model: Option<PathBuf>,
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
    if let Some(model) = args.model.as_deref().filter(|model| !model.is_file()) {
        return Err(Failure::Usage(format!(
            "there is no file `{}`, and no command of that name\n\
             `bindpose --help` lists the commands",
            model.display()
        )));
    }
    let options = AppOptions {
        model: args.model.clone(),
        lessons: args.lessons.clone(),
        lesson: args.lesson.clone(),
        step: args.step.clone(),
        link: args.link.clone(),
        dark: args.theme.map(ThemeName::is_dark),
    };
    app::run(&options).map_err(Failure::failed)
}
