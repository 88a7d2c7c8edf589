//! `bindpose` without a subcommand: opens the notebook in a window.

use std::path::{Path, PathBuf};

use bindpose_diagnostic::{Diagnostic, printable};
use bindpose_notebook::link;

use super::CommandFailure;
use super::arguments::ThemeArg;
use super::output::print_to_stderr;
use crate::app::{self, AppOptions};

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
pub(super) struct OpenArgs {
    /// A model to open: .glb, or .gltf; files that it names may lie beside it or
    /// be given too. Or a link to a page, bindpose:// or as a browser shows it
    #[arg(value_name = "FILE or LINK")]
    model: Vec<PathBuf>,
    /// A second model, compared with the first, or with that of the page: what an
    /// exporter changed, joint by joint
    #[arg(long, value_name = "FILE", conflicts_with_all = ["link", "lesson"])]
    compare: Option<PathBuf>,
    /// Open at this lesson: a number, a slug or a folder name
    #[arg(long)]
    pub(super) lesson: Option<String>,
    /// Open at this step: its number, from 1, or its slug
    #[arg(long, requires = "lesson")]
    step: Option<String>,
    /// Open the page that a copied link describes, bindpose:// or as a browser
    /// shows it
    #[arg(long, value_name = "URL", conflicts_with = "lesson")]
    link: Option<String>,
    /// Read lessons from this folder or packed course, again whenever they change; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
    /// Read routes from this file too
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,
    /// Say in a window what keeps the notebook from opening: a desktop shows nobody the
    /// standard error stream
    #[arg(long, hide = true)]
    tells_in_window: bool,
    /// Instead of the remembered theme
    #[arg(long, value_enum)]
    pub(super) theme: Option<ThemeArg>,
}

/// `cli` is the whole command line, whose commands are suggested for an unknown name.
pub(super) fn run(args: &OpenArgs, cli: &clap::Command) -> Result<(), CommandFailure> {
    let result = open_notebook(args, cli);
    if let Err(CommandFailure::Cannot(wrong)) = &result
        && args.tells_in_window
    {
        // The error is also printed, for systems without dialogs.
        rfd::MessageDialog::new()
            .set_level(rfd::MessageLevel::Error)
            .set_title("Bindpose")
            .set_description(wrong.to_string())
            .show();
    }
    result
}

fn open_notebook(args: &OpenArgs, cli: &clap::Command) -> Result<(), CommandFailure> {
    let mut model = Vec::new();
    let mut links = Vec::new();
    for argument in &args.model {
        match argument.to_str().filter(|text| link::address(text).is_ok()) {
            Some(link) => links.push(link),
            None => model.push(argument.clone()),
        }
    }
    links.extend(args.link.as_deref());
    let missing_file = model.iter().chain(&args.compare).find(|file| !file.is_file());
    if let Some(file) = missing_file {
        return Err(no_such_file(file, cli));
    }
    if links.len() + usize::from(args.lesson.is_some()) > 1 {
        let words = "one page is opened at a time: give one link, or a lesson";
        return Err(CommandFailure::cannot(Diagnostic::said("ARGUMENT", words)));
    }
    let options = AppOptions {
        model,
        compare: args.compare.clone(),
        lessons: args.lessons.clone(),
        routes: args.routes.clone(),
        lesson: args.lesson.clone(),
        step: args.step.clone(),
        link: links.first().map(|link| (*link).to_owned()),
        dark: args.theme.map(ThemeArg::is_dark),
        print_failure: Some(|failure| print_to_stderr(&printable(failure))),
    };
    app::run(&options).map_err(CommandFailure::failed)
}

/// Returns the failure for a missing file. The name may be a misspelt command, so similar commands
/// are suggested.
fn no_such_file(file: &Path, cli: &clap::Command) -> CommandFailure {
    let name = file.display().to_string();
    let commands: Vec<&str> = cli
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .map(clap::Command::get_name)
        .collect();
    let title = format!("there is no file `{name}`, and no command of that name");
    CommandFailure::cannot(Diagnostic::unknown("file or command", &name, &commands).title(title))
}
