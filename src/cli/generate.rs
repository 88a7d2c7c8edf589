//! `bindpose generate`: what a system keeps of a command line beside the program: pages
//! of the manual, and what shells complete. `cargo xtask package` calls it.

use std::path::PathBuf;

use clap_complete::Shell;

use super::CommandFailure;
use super::output::make_folder;

const SHELLS: [Shell; 4] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];

#[derive(Debug, clap::Args)]
pub(super) struct GenerateArgs {
    /// The folder for man/*.1 and completions/*; what is there is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// `cli`: whole, with all its commands. Files have the names by which `man` and the shells
/// look for them; hidden commands are in none.
pub(super) fn run(args: &GenerateArgs, cli: clap::Command) -> Result<(), CommandFailure> {
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
        run(&args, Cli::command()).unwrap();
        run(&args, Cli::command()).expect("what is there is replaced");

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
