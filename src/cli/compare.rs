//! `bindpose compare`: reports the differences between two files of the same model.

use std::ffi::OsString;

use bindpose_workbench::model_difference::model_difference;

use super::CommandFailure;
use super::arguments::load_rig;
use super::output::{OutputForm, output_form, write_findings_to_stdout};

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct CompareArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "A")]
    a: OsString,
    /// The same model, as another program wrote it
    #[arg(value_name = "B")]
    b: OsString,
    /// json for programs, text for reading
    #[arg(long, value_parser = output_form(["json", "text"]), default_value = "text")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Joints are paired by their names, those that are left by their names without what stands \
before a colon or a bar, and then by place; vertices, each with one of its own, by where they stand at rest or are stored; \
clips by their names. Another unit or axis is found where it fits most joints, and taken into account.\n\nEnds with 0 when \
nothing differs, with 1 when something does, and with 2 when a model cannot be read.";

pub(super) fn run(args: &CompareArgs) -> Result<(), CommandFailure> {
    let a = load_rig(&args.a)?;
    let b = load_rig(&args.b)?;
    let difference = model_difference(&a, &b);
    let findings = difference.findings.iter().map(String::as_str);
    write_findings_to_stdout(args.format, &difference, findings)?;
    CommandFailure::if_found(!difference.equal)
}
