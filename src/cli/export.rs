//! `bindpose export`: a posed model or its numbers as a file, by the code that
//! the page uses.

use std::io::Write as _;
use std::path::PathBuf;

use super::{Failure, named, settings};
use crate::app::write_file;
use crate::asset::{self, Rig};
use crate::diagnostic::Diagnostic;
use crate::lesson::ClipName;
use crate::notebook::export::Export;
use crate::notebook::{Derived, Document, Playback, TIME, clip_index};

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// Name of a built-in rig, or a model’s file
    model: String,
    /// What the file holds
    #[arg(long = "as", value_name = "WHAT")]
    what: String,
    /// Pose it: b0=0.8,b1=45deg; angles in radians unless written 45deg;
    /// `all` is every angle
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// Play this clip: its name, its number from 0, or none
    #[arg(long, value_name = "CLIP")]
    animation: Option<String>,
    /// Seconds from the clip’s beginning
    #[arg(
        long,
        value_name = "SECS",
        default_value_t = 0.0,
        requires = "animation"
    )]
    time: f64,
    /// How the joints of a vertex become one motion: linear, dual-quaternion or
    /// rigid
    #[arg(long, default_value = "linear")]
    method: String,
    /// The file; one that is there stays
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

fn keys() -> Vec<String> {
    Export::of_numbers().map(Export::key).collect()
}

fn after_help() -> String {
    format!(
        "WHAT: {}\n\nRigs: {}\n\n\
         obj and glb hold the posed mesh, rig-glb the rig in that pose with its skeleton.\n\
         Arrays in .npy are 32-bit floats, little endian, M[joint, row, column]; CSV and JSON\n\
         hold matrices column by column, as glTF does. Pictures: bindpose shot.",
        keys().join(", "),
        asset::builtin_ids().join(", ")
    )
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let export = Export::from_key(&args.what).ok_or_else(|| {
        let keys = keys();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        named::none_of_that_name("as", &args.what, &keys)
    })?;
    let rig = named::rig(&args.model)?;
    let document = document(args, &rig)?;
    let influences = Derived::edited_influences(&document, &rig);
    let derived = Derived::new(&document, None, &rig, influences);
    let bytes = export.bytes(&derived);
    let bytes = bytes.map_err(|error| Failure::Failed(error.into()))?;
    write_file(&args.out, &bytes, args.force).map_err(|error| {
        let file = args.out.display();
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            let wrong = Diagnostic::said("FILE_EXISTS", format!("{file} is there already"));
            Failure::Failed(wrong.help("name another file, or add --force"))
        } else {
            Failure::failed(format_args!("{file} was not written: {error}"))
        }
    })?;
    for left_out in export.left_out(&derived) {
        // The file is there, whether or not anybody can be told.
        let _ = writeln!(std::io::stderr().lock(), "note: {left_out}");
    }
    Ok(())
}

/// The pose that is asked for.
fn document(args: &Args, rig: &Rig) -> Result<Document, Failure> {
    let mut document = Document::default();
    document.state.method = named::one_of("method", &args.method)?;
    document
        .state
        .params
        .extend(settings::values_for(rig, &settings::read(&args.set)?)?);
    if let Some(name) = &args.animation {
        if !(args.time.is_finite() && args.time >= 0.0) {
            let wrong = Diagnostic::expected("seconds from 0 on", args.time.to_string());
            return Err(Failure::argument("--time", wrong));
        }
        document.state.playback = Playback {
            clip: clip_index(&ClipName::from_text(name), rig).map_err(|refused| {
                Failure::argument("--animation", Diagnostic::said("UNKNOWN_NAME", refused.0))
            })?,
            // A time past the end is the end, as glTF says.
            repeats: false,
            ..Playback::default()
        };
        document.state.params.insert(TIME.to_owned(), args.time);
    }
    Ok(document)
}
