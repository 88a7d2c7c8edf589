//! `bindpose export`: a posed model or its numbers as a file, by the code that
//! the page uses.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use bindpose_asset::{self as asset, Rig};
use bindpose_diagnostic::{Diagnostic, counted};
use bindpose_lesson::{COURSE_ENDING, LessonSet};
use bindpose_notebook::export::{Export, skin_to_export};
use bindpose_notebook::{Derived, Preferences, Record, WeightsState};

use super::CommandFailure;
use super::arguments::{self, index};
use super::output::{OutputForm, WrittenFile, to_stdout};
use super::skin::PoseArgs;
use crate::app;
use crate::app::{remembered, today};

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct ExportArgs {
    /// Name of a built-in rig, or a model’s file
    model: OsString,
    /// What the file holds
    #[arg(long = "as", value_name = "WHAT")]
    what: String,
    #[command(flatten)]
    pose: PoseArgs,
    /// Matrices of this skin: its number in the file; absent: of the first
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = index)]
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

fn keys() -> Vec<String> {
    Export::of_numbers().map(Export::key).collect()
}

fn after_help() -> String {
    format!(
        "WHAT: {}\n\nRigs: {}\n\n\
         obj and glb hold the posed mesh, rig-glb the rig in that pose with its skeleton.\n\
         palette and matrices hold those of one skin, one a joint, in the order of its list.\n\
         Arrays in .npy are 32-bit floats, little endian, M[joint, row, column]; CSV and JSON\n\
         hold matrices column by column, as glTF does. Pictures: bindpose shot.",
        keys().join(", "),
        asset::builtin_ids().join(", ")
    )
}

pub(super) fn run(args: &ExportArgs) -> Result<(), CommandFailure> {
    let export = Export::from_key(&args.what).ok_or_else(|| {
        let keys = keys();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        arguments::none_of_that_name("as", &args.what, &keys)
    })?;
    let out = WrittenFile::new(&args.out, args.force, &[export.format.key()])?;
    let rig = arguments::rig(&args.model)?;
    let skin = skin_of(&rig, export, args.skin)?;
    let mut document = args.pose.document(&rig)?;
    document.state.weights_by.source = arguments::one_of("weights", &args.weights)?;
    let influences = Derived::edited_influences(&document, &rig);
    let derived = Derived::new(&document, None, &rig, influences);
    if let WeightsState::Refused(why) = &derived.weights_state {
        let wrong = Diagnostic::said("NO_WEIGHTS", why.to_string());
        let option = format!("--weights {}", args.weights);
        return Err(CommandFailure::argument(option, wrong));
    }
    let bytes = export.bytes(&derived, skin).map_err(CommandFailure::cannot)?;
    out.write(&bytes)?;
    for left_out in export.left_out(&derived, skin) {
        // The file is there, whether or not anybody can be told.
        let _ = writeln!(std::io::stderr().lock(), "note: {left_out}");
    }
    Ok(())
}

/// The skin whose matrices are exported: the one that is named, or the first.
fn skin_of(rig: &Rig, export: Export, named: Option<usize>) -> Result<usize, CommandFailure> {
    let Some(skin) = named else {
        return Ok(skin_to_export(rig, None));
    };
    arguments::check_skin(rig, skin)?;
    if export.is_of_one_skin() {
        return Ok(skin);
    }
    let of_one = Export::of_numbers().filter(|export| export.is_of_one_skin());
    let of_one: Vec<String> = of_one.map(Export::key).collect();
    let title = format!("{} holds the whole model", export.key());
    let help = format!("leave it out; {} hold the matrices of one skin", of_one.join(", "));
    let wrong = Diagnostic::said("NOT_OF_ONE_SKIN", title).help(help);
    Err(CommandFailure::argument(format!("--skin {skin}"), wrong))
}

// `bindpose pack`: a folder of lessons as one file.

#[derive(Debug, clap::Args)]
pub(super) struct PackArgs {
    /// The folder that holds lessons.toml and the folders NN-slug
    dir: PathBuf,
    /// The file to write; absent: the name of the course, here
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

pub(super) fn run_pack(args: &PackArgs) -> Result<(), CommandFailure> {
    let packed = app::pack_course(&args.dir).map_err(CommandFailure::cannot)?;
    let usual = || PathBuf::from(format!("{}.{COURSE_ENDING}", packed.name));
    let out = args.out.clone().unwrap_or_else(usual);
    let out = WrittenFile::new(out, args.force, &[COURSE_ENDING])?;
    out.write(&packed.bytes)?;
    to_stdout(OutputForm::Text, |stdout| {
        for (path, bytes) in &packed.files {
            writeln!(stdout, "  {path} ({} KiB)", bytes.div_ceil(1024))?;
        }
        writeln!(
            stdout,
            "{}: {}, {} KiB",
            out.path().display(),
            counted(packed.files.len(), "file"),
            packed.bytes.len().div_ceil(1024)
        )
    })
}

// `bindpose record`: what this reader has seen, solved, marked and written, as a file.

#[derive(Debug, clap::Args)]
pub(super) struct RecordArgs {
    /// The file: .json for programs, .md for people
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run_record(args: &RecordArgs) -> Result<(), CommandFailure> {
    let out = WrittenFile::new(&args.out, args.force, &["json", "md"])?;
    let set = LessonSet::from_paths(&args.lessons).map_err(CommandFailure::cannot)?;
    let Preferences { progress, marks, .. } = remembered();
    let record = Record::new(&set.lessons, &progress, &marks, today());
    let ending = args.out.extension().unwrap_or_default();
    let bytes = if ending.eq_ignore_ascii_case("md") {
        record.markdown()
    } else {
        record.json().map_err(CommandFailure::cannot)?
    };
    out.write(&bytes)
}
