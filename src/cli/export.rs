//! `bindpose export`: writes a posed model or its numbers into a file, as the notebook does.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_notebook::export::{Export, skin_to_export};
use bindpose_notebook::{Derived, WeightsState};

use super::CommandFailure;
use super::arguments::{check_skin, load_rig, parse_index, parse_key, unknown_key};
use super::output::OutputFile;
use super::pose::PoseArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct ExportArgs {
    /// Name of a built-in rig, or a model’s file
    model: OsString,
    /// Content of the file
    #[arg(long = "as", value_name = "WHAT")]
    what: String,
    #[command(flatten)]
    pose: PoseArgs,
    /// Matrices of this skin: its number in the file; absent: of the first
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = parse_index)]
    skin: Option<usize>,
    /// Weights: stored, or worked out of bind pose and skeleton: nearest-joint,
    /// inverse-distance or bone-heat
    #[arg(long, value_name = "SOURCE", default_value = "stored")]
    weights: String,
    /// The file, with the ending of what it holds
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

fn export_keys() -> Vec<String> {
    Export::of_numbers().map(Export::key).collect()
}

fn after_help() -> String {
    format!(
        "WHAT: {}\n\nRigs: {}\n\n\
         obj and glb hold the posed mesh, rig-glb the rig in that pose with its skeleton.\n\
         palette and matrices hold those of one skin, one a joint, in the order of its list.\n\
         Arrays in .npy are 32-bit floats, little endian, M[joint, row, column]; CSV and JSON\n\
         hold matrices column by column, as glTF does. Pictures: bindpose shot.",
        export_keys().join(", "),
        bindpose_rigs::builtin_ids().join(", ")
    )
}

pub(super) fn run(args: &ExportArgs) -> Result<(), CommandFailure> {
    let export = Export::from_key(&args.what).ok_or_else(|| {
        let owned_keys = export_keys();
        let known_keys: Vec<&str> = owned_keys.iter().map(String::as_str).collect();
        unknown_key("as", &args.what, &known_keys)
    })?;
    let out = OutputFile::new(&args.out, args.force, &[export.format.key()])?;
    let rig = load_rig(&args.model)?;
    let skin = exported_skin(&rig, export, args.skin)?;
    let mut document = args.pose.document(&rig)?;
    document.state.weights_by.source = parse_key("weights", &args.weights)?;
    let derived = Derived::of_document(&document, None, &rig);
    if let WeightsState::Refused(reason) = &derived.weights_state {
        let wrong = Diagnostic::said("NO_WEIGHTS", reason.to_string());
        return Err(CommandFailure::argument(format!("--weights {}", args.weights), wrong));
    }
    let bytes = export.bytes(&derived, skin).map_err(CommandFailure::cannot)?;
    out.write(&bytes)?;
    for omission in export.left_out(&derived, skin) {
        // The export succeeded even if standard error is closed.
        let _ = writeln!(std::io::stderr().lock(), "note: {omission}");
    }
    Ok(())
}

/// Returns the skin whose matrices are exported: the given one, else the first.
///
/// # Errors
///
/// Fails if there is no such skin, or if the export holds the whole model and a skin is given.
fn exported_skin(rig: &Rig, export: Export, skin: Option<usize>) -> Result<usize, CommandFailure> {
    let Some(skin) = skin else {
        return Ok(skin_to_export(rig, None));
    };
    check_skin(rig, skin)?;
    if export.is_of_one_skin() {
        return Ok(skin);
    }
    let one_skin_exports: Vec<String> =
        Export::of_numbers().filter(|export| export.is_of_one_skin()).map(Export::key).collect();
    let title = format!("{} holds the whole model", export.key());
    let help =
        format!("leave it out; {} hold the matrices of one skin", one_skin_exports.join(", "));
    let wrong = Diagnostic::said("NOT_OF_ONE_SKIN", title).help(help);
    Err(CommandFailure::argument(format!("--skin {skin}"), wrong))
}
