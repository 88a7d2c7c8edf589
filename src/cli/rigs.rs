//! `bindpose rigs`: what a lesson can name of a rig or a model: parameters, joints,
//! clips, vertices.

mod notable;
mod report;

use std::ffi::OsString;

use bindpose_asset::{builtin, builtin_ids};
use bindpose_diagnostic::Diagnostic;

use super::output::{OutputForm, form, to_stdout};
use super::{CommandFailure, arguments};
use report::{Brief, RigReport, write_report, write_rigs};

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct RigsArgs {
    /// Name of a built-in rig, or a .gltf, .glb or .ezm file; without it, all built-in
    /// rigs
    #[arg(value_name = "RIG|FILE")]
    rig: Option<OsString>,
    /// Also every vertex with its joints and weights
    #[arg(long, requires = "rig")]
    weights: bool,
    /// table is for reading, with angles in degrees; json has radians
    #[arg(long, value_parser = form(["table", "json"]), default_value = "table")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Lessons name a rig, its parameters, joints, clips and vertices as they \
                          stand here.\nPositions are in bind space.";

pub(super) fn run(args: &RigsArgs) -> Result<(), CommandFailure> {
    let Some(name) = &args.rig else {
        return all(args.format);
    };
    let rig = arguments::rig(name)?;
    let report = RigReport::new(&rig, args.weights);
    to_stdout(args.format, |out| match args.format {
        OutputForm::Json => {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)
        }
        _ => write_report(out, &report),
    })
}

fn all(format: OutputForm) -> Result<(), CommandFailure> {
    let mut rigs = Vec::new();
    for id in builtin_ids() {
        let rig = builtin(id).ok_or_else(|| {
            CommandFailure::cannot(Diagnostic::said("NO_RIG", format!("{id} cannot be made here")))
        })?;
        rigs.push(Brief::new(&rig));
    }
    to_stdout(format, |out| match format {
        OutputForm::Json => {
            serde_json::to_writer_pretty(&mut *out, &rigs)?;
            writeln!(out)
        }
        _ => write_rigs(out, &rigs),
    })
}
