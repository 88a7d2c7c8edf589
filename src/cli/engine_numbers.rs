//! `bindpose match`: compares matrices or positions of another engine with those of a rig.

use std::ffi::OsString;
use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
use bindpose_notebook::Derived;
use bindpose_notebook::engine_numbers::read_numbers;
use bindpose_workbench::engine_numbers::matched;

use super::CommandFailure;
use super::arguments::load_rig;
use super::output::{OutputForm, output_form, write_findings_to_stdout};
use super::pose::PoseArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct EngineNumbersArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "RIG|MODEL")]
    rig: OsString,
    /// Matrices or skinned positions of your engine in that pose: .json, .csv or .npy
    #[arg(value_name = "FILE")]
    numbers: PathBuf,
    #[command(flatten)]
    pose: PoseArgs,
    /// json for programs, text for reading
    #[arg(long, value_parser = output_form(["json", "text"]), default_value = "text")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Matrices: [[16 numbers], …], column after column as in glTF, or \
[[[4 numbers], … 4 rows], …], one a joint in the order of the skin. Positions: [[x, y, z], …], one a \
vertex in the order of `bindpose skin`, in world space.\n\nEnds with 0 when they are ours, with 1 when \
they are not, and with 2 when they cannot be read.";

pub(super) fn run(args: &EngineNumbersArgs) -> Result<(), CommandFailure> {
    let rig = load_rig(&args.rig)?;
    let path = args.numbers.display().to_string();
    let bytes = std::fs::read(&args.numbers).map_err(|error| {
        let wrong = Diagnostic::said("CANNOT_READ", "the file cannot be read");
        CommandFailure::argument(path.clone(), wrong.help(error.to_string()))
    })?;
    let numbers = read_numbers(&bytes).map_err(|wrong| CommandFailure::argument(path, wrong))?;
    let document = args.pose.document(&rig)?;
    let derived = Derived::of_document(&document, None, &rig);
    let report = matched(numbers, &document, &derived);
    let findings = report.findings.iter().map(|finding| finding.words.as_str());
    write_findings_to_stdout(args.format, &report, findings)?;
    CommandFailure::if_found(!report.equal)
}
