//! Commands that generate files from the program: built-in models, JSON schemas, the page of all
//! cells with its pictures, the manual and shell completions. Most are called by xtask.

use std::path::{Path, PathBuf};

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{all_parts_schema, written_parts};
use clap_complete::Shell;

use super::CommandFailure;
use super::output::{OutputForm, create_folder, write_json, write_to_stdout};
use crate::app::{folder_of, gallery_pictures, gallery_text, readme_film, readme_page, write_file};

// ----------------------------------------------------------------------------
// `bindpose assets` writes the built-in models. `cargo xtask assets` calls it.

#[derive(Debug, clap::Args)]
pub(super) struct AssetsArgs {
    /// The folder for the models, one folder each; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run_assets(args: &AssetsArgs) -> Result<(), CommandFailure> {
    create_folder(&args.out)?;
    for file in bindpose_rigs::asset_files().map_err(CommandFailure::cannot)? {
        let path = args.out.join(&file.path);
        create_folder(folder_of(&path))?;
        replace_file(&path, &file.bytes)?;
    }
    Ok(())
}

// ----------------------------------------------------------------------------
// `bindpose schema` prints the JSON schemas of lessons, which editors use.

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
            let Some(part) = parts.iter().find(|part| part.name == kind) else {
                let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
                let wrong = Diagnostic::unknown("kind of cell", kind, &names);
                return Err(CommandFailure::cannot(wrong));
            };
            part.schema.clone()
        }
    };
    write_to_stdout(OutputForm::Json, |out| write_json(out, &schema))
}

// ----------------------------------------------------------------------------
// `bindpose gallery` writes the page of all cells and the pictures of the README. `cargo xtask
// gallery` calls it.

#[derive(Debug, clap::Args)]
pub(super) struct GalleryArgs {
    /// The folder for cells.md, cells/KIND.png, bind-pose-bug.gif and notebook.png; what is
    /// there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run_gallery(args: &GalleryArgs) -> Result<(), CommandFailure> {
    let cells_folder = args.out.join("cells");
    create_folder(&args.out)?;
    create_folder(&cells_folder)?;
    let text = gallery_text().map_err(CommandFailure::cannot)?;
    replace_file(&args.out.join("cells.md"), text.as_bytes())?;
    let film = readme_film().map_err(CommandFailure::cannot)?;
    replace_file(&args.out.join("bind-pose-bug.gif"), &film)?;
    let page = readme_page().map_err(CommandFailure::cannot)?;
    replace_file(&args.out.join("notebook.png"), &page)?;
    for (kind, png) in gallery_pictures().map_err(CommandFailure::cannot)? {
        replace_file(&cells_folder.join(format!("{kind}.png")), &png)?;
    }
    Ok(())
}

fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), CommandFailure> {
    write_file(path, bytes, true).map_err(CommandFailure::failed)
}

// ----------------------------------------------------------------------------
// `bindpose generate` writes manual pages and shell completions. `cargo xtask package` calls it.

const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];

#[derive(Debug, clap::Args)]
pub(super) struct GenerateArgs {
    /// The folder for man/*.1 and completions/*; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes files for the whole command line `cli`, named as `man` and the shells look them up.
pub(super) fn run_generate(args: &GenerateArgs, cli: clap::Command) -> Result<(), CommandFailure> {
    let manual_folder = args.out.join("man");
    let completions_folder = args.out.join("completions");
    for folder in [&args.out, &manual_folder, &completions_folder] {
        create_folder(folder)?;
    }
    let mut visible_cli = without_hidden_commands(&cli);
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut visible_cli, "bindpose", &completions_folder)
            .map_err(CommandFailure::failed)?;
    }
    clap_mangen::generate_to(cli, &manual_folder).map_err(CommandFailure::failed)
}

/// Returns the command line without hidden commands. `clap_complete` does not omit them, as
/// `clap_mangen` does.
fn without_hidden_commands(cli: &clap::Command) -> clap::Command {
    clap::Command::new("bindpose")
        .version(env!("CARGO_PKG_VERSION"))
        .args(cli.get_arguments())
        .subcommands(cli.get_subcommands().filter(|command| !command.is_hide_set()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::*;

    fn read_files(folder: &Path) -> Vec<String> {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect()
    }

    #[test]
    fn manual_and_completions_have_exactly_the_visible_commands() {
        let dir = tempfile::tempdir().unwrap();
        let args = GenerateArgs { out: dir.path().join("generated") };
        run_generate(&args, Cli::command()).unwrap();
        run_generate(&args, Cli::command()).expect("existing files are replaced");

        assert!(args.out.join("man/bindpose.1").is_file());
        let completions = read_files(&args.out.join("completions"));
        assert_eq!(completions.len(), SHELLS.len());
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let is_visible = !command.is_hide_set();
            let page = args.out.join(format!("man/bindpose-{name}.1"));
            assert_eq!(page.is_file(), is_visible, "{name}");
            let about = command.get_about().unwrap().to_string();
            for text in &completions {
                // A hidden command's name may occur as that of an option, so look for its help
                // text. Visible commands are found by name, since some shells show no help text.
                let is_correct =
                    if is_visible { text.contains(name) } else { !text.contains(&about) };
                assert!(is_correct, "{name}");
            }
        }
    }
}
