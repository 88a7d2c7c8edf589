//! `bindpose compare`: what a program that wrote one model from another has changed.

use std::ffi::OsString;

use bindpose_notebook::model_difference::model_difference;

use super::output::{OutputForm, findings_to_stdout, form};
use super::{CommandFailure, arguments};

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ModelDifferenceArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "A")]
    a: OsString,
    /// The same model, as another program wrote it
    #[arg(value_name = "B")]
    b: OsString,
    /// json for programs, text for reading
    #[arg(long, value_parser = form(["json", "text"]), default_value = "text")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Joints are paired by their names, those that are left by their names without what stands \
before a colon or a bar, and then by place; vertices, each with one of its own, by where they stand at rest or are stored; \
clips by their names. Another unit or axis is found where it fits most joints, and taken into account.\n\nEnds with 0 when \
nothing differs, with 1 when something does, and with 2 when a model cannot be read.";

pub(super) fn run(args: &ModelDifferenceArgs) -> Result<(), CommandFailure> {
    let a = arguments::rig(&args.a)?;
    let b = arguments::rig(&args.b)?;
    let found = model_difference(&a, &b);
    let words = found.findings.iter().map(String::as_str);
    findings_to_stdout(args.format, &found, words)?;
    CommandFailure::if_found(!found.equal)
}
