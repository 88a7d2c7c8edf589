//! `bindpose schema`: what lessons may say, for editors.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{all_parts_schema, written_parts};

use super::CommandFailure;
use super::output::{OutputForm, to_stdout};

#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// A kind of cell, or front-matter, set, lessons (lessons.toml) or inventory
    /// (inventory.toml); absent: all, below $defs
    kind: Option<String>,
}

pub(super) fn run(args: &SchemaArgs) -> Result<(), CommandFailure> {
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
