//! `bindpose`: the notebook in a window.

use std::path::{Path, PathBuf};

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::link;

use super::CommandFailure;
use super::arguments::ThemeArg;
use crate::app::{self, AppOptions};

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
pub(super) struct OpenArgs {
    /// A model to open: .glb, or .gltf; files that it names may lie beside it or
    /// be given too. Or a link to a page, bindpose:// or as a browser shows it
    #[arg(value_name = "FILE or LINK")]
    model: Vec<PathBuf>,
    /// A second model, held against the first, or against the one that stands on the
    /// page: what an exporter changed, joint by joint
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

/// `cli`: whole, with all its commands.
pub(super) fn run(args: &OpenArgs, cli: &clap::Command) -> Result<(), CommandFailure> {
    let opened = open(args, cli);
    if let (true, Err(CommandFailure::Cannot(wrong))) = (args.tells_in_window, &opened) {
        // Where the system has none, the standard error stream alone tells it.
        let dialog = rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error);
        dialog.set_title("Bindpose").set_description(wrong.to_string()).show();
    }
    opened
}

fn open(args: &OpenArgs, cli: &clap::Command) -> Result<(), CommandFailure> {
    let (links, model): (Vec<PathBuf>, _) = args
        .model
        .iter()
        .cloned()
        .partition(|given| given.to_str().is_some_and(|given| link::address(given).is_ok()));
    let mut files = model.iter().chain(&args.compare);
    if let Some(missing) = files.find(|file| !file.is_file()) {
        return Err(no_such_file(missing, cli));
    }
    let mut links = links.iter().filter_map(|link| link.to_str());
    let mut links = links.by_ref().chain(args.link.as_deref());
    let link = links.next().map(str::to_owned);
    if links.next().is_some() || (link.is_some() && args.lesson.is_some()) {
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
        link,
        dark: args.theme.map(ThemeArg::is_dark),
    };
    app::run(&options).map_err(CommandFailure::failed)
}

/// A command that is misspelt looks like the name of a file.
fn no_such_file(file: &Path, cli: &clap::Command) -> CommandFailure {
    let name = file.display().to_string();
    let shown = cli.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: Vec<&str> = shown.map(clap::Command::get_name).collect();
    let title = format!("there is no file `{name}`, and no command of that name");
    CommandFailure::cannot(Diagnostic::unknown("file or command", &name, &commands).title(title))
}
