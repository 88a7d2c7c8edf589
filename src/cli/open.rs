//! `bindpose`: the notebook in a window.

use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::theme_arg::ThemeArg;
use crate::app::{self, AppOptions};
use crate::diagnostic::Diagnostic;

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
pub(super) struct Args {
    /// A model to open: .glb, or .gltf; files that it names may lie beside it or
    /// be given too
    #[arg(value_name = "FILE")]
    model: Vec<PathBuf>,
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
    /// Read routes from this file too
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,
    /// Instead of the remembered theme
    #[arg(long, value_enum)]
    pub(super) theme: Option<ThemeArg>,
}

/// `cli`: whole, with all its commands.
pub(super) fn run(args: &Args, cli: &clap::Command) -> Result<(), Failure> {
    if let Some(missing) = args.model.iter().find(|file| !file.is_file()) {
        return Err(no_such_file(missing, cli));
    }
    let options = AppOptions {
        model: args.model.clone(),
        lessons: args.lessons.clone(),
        routes: args.routes.clone(),
        lesson: args.lesson.clone(),
        step: args.step.clone(),
        link: args.link.clone(),
        dark: args.theme.map(ThemeArg::is_dark),
    };
    app::run(&options).map_err(Failure::failed)
}

/// A command that is misspelt looks like the name of a file.
fn no_such_file(file: &Path, cli: &clap::Command) -> Failure {
    let name = file.display().to_string();
    let shown = cli
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let commands: Vec<&str> = shown.map(clap::Command::get_name).collect();
    let title = format!("there is no file `{name}`, and no command of that name");
    Failure::cannot(Diagnostic::unknown("file or command", &name, &commands).title(title))
}
