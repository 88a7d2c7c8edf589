//! The command line. Without a subcommand it opens the notebook.
//!
//! Each subcommand has a module with its arguments and a function `run`. Doc comments in types that
//! derive clap's traits are help texts.

mod arguments;
mod check;
mod compare;
mod doctor;
mod engine_numbers;
mod eval;
mod export;
mod generate;
mod gpu_check;
mod handout;
mod inventory;
mod new;
mod open;
mod output;
mod pack;
mod pose;
mod record;
mod rigs;
mod serve;
mod shot;
mod skin;
mod tour;
mod web;

use std::process::ExitCode;

use bindpose_diagnostic::Diagnostic;
use clap::{CommandFactory as _, Parser, Subcommand};

use output::{CommandFailure, OutputForm};

const EXIT_CODES: &str = "Ends with 0 when all is well, with 1 when something wrong was found, and \
                          with 2\nwhen what was asked cannot be done.";

/// An interactive notebook that teaches vertex skinning.
///
/// Without a subcommand, opens the notebook.
#[derive(Debug, Parser)]
#[command(name = "bindpose", version = crate::app::VERSION)]
#[command(override_usage = "bindpose [OPTIONS] [FILE]...\n       bindpose [OPTIONS] <COMMAND>")]
#[command(after_help = EXIT_CODES)]
struct Cli {
    /// Print the licences of what the program is made of
    #[arg(long, alias = "licenses")]
    licences: bool,
    /// Print what a report of a fault needs: version, system, graphics, settings
    #[arg(long)]
    diagnose: bool,
    /// The memory that a model may take, such as 4GiB; else a part of what is
    /// free, and 1GiB at most
    #[arg(long, global = true, value_name = "SIZE", value_parser = arguments::parse_memory_size)]
    memory: Option<u64>,
    #[command(subcommand)]
    command: Option<Subcommands>,
    #[command(flatten)]
    open: open::OpenArgs,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Begin a course: a folder with a first lesson that can be changed
    New(new::NewArgs),
    /// Say everything that is wrong with the lessons
    Check(check::CheckArgs),
    /// Say everything that is wrong with a model, and mend a copy of it
    Doctor(doctor::DoctorArgs),
    /// Print what a lesson can name of a rig: parameters, joints, clips, vertices
    Rigs(rigs::RigsArgs),
    /// Print the questions about each misconception, with what their answers are worth
    Inventory(inventory::InventoryArgs),
    /// Print what lessons may say as JSON Schema, for editors
    Schema(generate::SchemaArgs),
    /// Print joints, matrices and skinned vertices of a built-in rig
    Skin(skin::SkinArgs),
    /// Print the value of a formula: a matrix, a point, a number
    Eval(eval::EvalArgs),
    /// Say which of our matrices or places your engine's are, or which fault gives them
    Match(engine_numbers::EngineNumbersArgs),
    /// Say what differs between two files of one model: what an exporter has changed
    Compare(compare::CompareArgs),
    /// Write a posed model, its matrices or its vertices into a file
    Export(export::ExportArgs),
    /// Write what you have seen, tried, solved, marked and written into a file
    Record(record::RecordArgs),
    /// Write a lesson as a page to print
    Handout(handout::HandoutArgs),
    /// Pack a folder of lessons into one file
    Pack(pack::PackArgs),
    /// Hold the GPU's skinning against the reference, by every way and method
    GpuCheck(gpu_check::GpuCheckArgs),
    /// Draw one page into a PNG file, without a window
    Shot(shot::ShotArgs),
    /// Draw every step of every lesson into PNG files
    Tour(tour::TourArgs),
    /// Write the notebook as pages for web browsers
    Web(web::WebArgs),
    /// Hand the notebook's pages to web browsers, here or in the whole network
    Serve(serve::ServeArgs),
    /// The same for a class that acts together: follow, guess, answer, as its teacher leads
    Class(serve::ClassArgs),
    /// Write the built-in models as files
    #[command(hide = true)]
    Assets(generate::AssetsArgs),
    /// Write the page of all cells, with its pictures
    #[command(hide = true)]
    Gallery(generate::GalleryArgs),
    /// Write the pages of the manual, and what shells complete
    #[command(hide = true)]
    Generate(generate::GenerateArgs),
}

/// Runs the program. Failures are printed to standard error. See `EXIT_CODES` for the exit code.
pub fn main() -> ExitCode {
    output::start_log();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            output::print_usage(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if let Some(bytes) = cli.memory {
        bindpose_gltf::set_memory_cap(bytes);
    }
    let result = match &cli.command {
        Some(_) if cli.licences || cli.diagnose || cli.open != open::OpenArgs::default() => {
            Err(CommandFailure::cannot(Diagnostic::said(
                "TWO_TASKS",
                "options of the notebook go before a command; leave out one or the other",
            )))
        }
        None if cli.licences => output::write_to_stdout(OutputForm::Text, |out| {
            let licences = crate::app::LICENCES.if_loaded();
            out.write_all(licences.unwrap_or_default())
        }),
        None if cli.diagnose => output::write_to_stdout(OutputForm::Text, |out| {
            out.write_all(crate::app::describe_this_machine().as_bytes())
        }),
        None => open::run(&cli.open, &Cli::command()),
        Some(Subcommands::New(args)) => new::run(args),
        Some(Subcommands::Check(args)) => check::run(args),
        Some(Subcommands::Doctor(args)) => doctor::run(args),
        Some(Subcommands::Rigs(args)) => rigs::run(args),
        Some(Subcommands::Inventory(args)) => inventory::run(args),
        Some(Subcommands::Schema(args)) => generate::run_schema(args),
        Some(Subcommands::Skin(args)) => skin::run(args),
        Some(Subcommands::Eval(args)) => eval::run(args),
        Some(Subcommands::Match(args)) => engine_numbers::run(args),
        Some(Subcommands::Compare(args)) => compare::run(args),
        Some(Subcommands::Export(args)) => export::run(args),
        Some(Subcommands::Record(args)) => record::run(args),
        Some(Subcommands::Handout(args)) => handout::run(args),
        Some(Subcommands::GpuCheck(args)) => gpu_check::run(args),
        Some(Subcommands::Pack(args)) => pack::run(args),
        Some(Subcommands::Shot(args)) => shot::run(args),
        Some(Subcommands::Tour(args)) => tour::run(args),
        Some(Subcommands::Web(args)) => web::run(args),
        Some(Subcommands::Serve(args)) => serve::run(args),
        Some(Subcommands::Class(args)) => serve::run_class(args),
        Some(Subcommands::Assets(args)) => generate::run_assets(args),
        Some(Subcommands::Gallery(args)) => generate::run_gallery(args),
        Some(Subcommands::Generate(args)) => generate::run_generate(args, Cli::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let CommandFailure::Cannot(wrong) = &failure {
                output::print_to_stderr(&wrong.to_string());
            }
            failure.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::arguments::ThemeArg;
    use super::*;

    #[test]
    fn arguments_pass_claps_checks() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_notebook_opens_without_a_subcommand() {
        let cli = Cli::try_parse_from(["bindpose", "--lesson", "40", "--theme", "light"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.open.lesson.as_deref(), Some("40"));
        assert_eq!(cli.open.theme, Some(ThemeArg::Light));
        let files = Cli::try_parse_from(["bindpose", "a.gltf", "a.bin"]).unwrap();
        assert!(files.command.is_none(), "files to open");
        let check = Cli::try_parse_from(["bindpose", "check"]).unwrap();
        assert!(matches!(check.command, Some(Subcommands::Check(_))));
    }
}
