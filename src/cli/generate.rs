//! Files that are generated out of the program: the built-in models, schemas, the page of
//! all cells, the manual and completions.

use std::path::PathBuf;

use bindpose_asset as asset;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{all_parts_schema, written_parts};
use clap_complete::Shell;

use super::CommandFailure;
use super::output::{OutputForm, make_folder, to_stdout};
use crate::app::{folder_of, gallery_pictures, gallery_text, readme_film, readme_page, write_file};

// `bindpose assets`: the built-in models; `cargo xtask assets` calls it.

#[derive(Debug, clap::Args)]
pub(super) struct AssetsArgs {
    /// The folder for the models, one folder each; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run_assets(args: &AssetsArgs) -> Result<(), CommandFailure> {
    make_folder(&args.out)?;
    for file in asset::asset_files().map_err(CommandFailure::cannot)? {
        let path = args.out.join(&file.path);
        make_folder(folder_of(&path))?;
        write_file(&path, &file.bytes, true).map_err(CommandFailure::failed)?;
    }
    Ok(())
}

// `bindpose schema`: what lessons may say, for editors.

#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// A kind of cell, or front-matter, set, lessons (lessons.toml) or inventory
    /// (inventory.toml); absent: all, below $defs
    kind: Option<String>,
}

pub(super) fn run_schema(args: &SchemaArgs) -> Result<(), CommandFailure> {
    let schema = match &args.kind {
        None => all_parts_schema(),
        Some(kind) => {
            let parts = written_parts();
            let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
            let unknown = || Diagnostic::unknown("kind of cell", kind, &names);
            let part = parts.iter().find(|part| part.name == kind);
            part.ok_or_else(unknown).map_err(CommandFailure::cannot)?.schema.clone()
        }
    };
    to_stdout(OutputForm::Json, |out| {
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        writeln!(out)
    })
}

// `bindpose gallery`: the page of all cells and README's pictures; `cargo xtask gallery`
// calls it.

#[derive(Debug, clap::Args)]
pub(super) struct GalleryArgs {
    /// The folder for cells.md, cells/KIND.png, bind-pose-bug.gif and notebook.png; what is
    /// there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run_gallery(args: &GalleryArgs) -> Result<(), CommandFailure> {
    let folder = args.out.join("cells");
    make_folder(&args.out)?;
    make_folder(&folder)?;
    let text = gallery_text().map_err(CommandFailure::cannot)?;
    let write = |path: PathBuf, bytes: &[u8]| write_file(&path, bytes, true);
    write(args.out.join("cells.md"), text.as_bytes()).map_err(CommandFailure::failed)?;
    let film = readme_film().map_err(CommandFailure::cannot)?;
    write(args.out.join("bind-pose-bug.gif"), &film).map_err(CommandFailure::failed)?;
    let page = readme_page().map_err(CommandFailure::cannot)?;
    write(args.out.join("notebook.png"), &page).map_err(CommandFailure::failed)?;
    for (kind, png) in gallery_pictures().map_err(CommandFailure::cannot)? {
        write(folder.join(format!("{kind}.png")), &png).map_err(CommandFailure::failed)?;
    }
    Ok(())
}

// `bindpose generate`: what a system keeps of a command line beside the program: pages
// of the manual, and what shells complete. `cargo xtask package` calls it.

const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];

#[derive(Debug, clap::Args)]
pub(super) struct GenerateArgs {
    /// The folder for man/*.1 and completions/*; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// `cli`: whole, with all its commands. Files have the names by which `man` and the shells
/// look for them; hidden commands are in none.
pub(super) fn run_generate(args: &GenerateArgs, cli: clap::Command) -> Result<(), CommandFailure> {
    let (manual, completions) = (args.out.join("man"), args.out.join("completions"));
    for folder in [&args.out, &manual, &completions] {
        make_folder(folder)?;
    }
    let mut shown = without_hidden(&cli);
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut shown, "bindpose", &completions)
            .map_err(CommandFailure::failed)?;
    }
    clap_mangen::generate_to(cli, &manual).map_err(CommandFailure::failed)
}

/// Shells would complete hidden commands, too; the manual leaves them out by itself.
fn without_hidden(cli: &clap::Command) -> clap::Command {
    let shown = cli.get_subcommands().filter(|command| !command.is_hide_set());
    clap::Command::new("bindpose")
        .version(env!("CARGO_PKG_VERSION"))
        .args(cli.get_arguments())
        .subcommands(shown)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::*;

    fn texts(folder: &Path) -> Vec<String> {
        let files = std::fs::read_dir(folder).unwrap();
        files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
    }

    #[test]
    fn manual_and_completions_have_every_command_that_help_shows_and_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let args = GenerateArgs { out: dir.path().join("generated") };
        run_generate(&args, Cli::command()).unwrap();
        run_generate(&args, Cli::command()).expect("what is there is replaced");

        assert!(args.out.join("man/bindpose.1").is_file());
        let completions = texts(&args.out.join("completions"));
        assert_eq!(completions.len(), SHELLS.len());
        for command in Cli::command().get_subcommands() {
            let (name, shown) = (command.get_name(), !command.is_hide_set());
            let page = args.out.join(format!("man/bindpose-{name}.1"));
            assert_eq!(page.is_file(), shown, "{name}");
            // A name alone may be an option's; not every shell has what a command is about.
            let about = command.get_about().unwrap().to_string();
            for text in &completions {
                assert!(if shown { text.contains(name) } else { !text.contains(&about) }, "{name}");
            }
        }
    }
}
