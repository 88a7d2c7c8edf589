//! `bindpose eval`: prints the value of a formula for a posed rig, as the notebook computes it.

use std::ffi::OsString;
use std::io;
use std::io::Write;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{FormulaOutcome, FormulaValue};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::{Derived, Document, TIME_PARAM};
use bindpose_skin::SkinStage;
use serde::Serialize;

use super::CommandFailure;
use super::arguments::load_rig;
use super::output::{OutputForm, output_form, write_json, write_to_stdout};
use super::pose::PoseArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct EvalArgs {
    /// Name of a built-in rig, or a .gltf, .glb or .ezm file
    #[arg(value_name = "RIG|FILE")]
    rig: OsString,
    /// As lessons write it: "world(1) * inverse(bind(1))"
    #[arg(allow_hyphen_values = true)]
    formula: String,
    #[command(flatten)]
    pose: PoseArgs,
    /// table is for reading; json has every digit
    #[arg(long, value_parser = output_form(["table", "json"]), default_value = "table")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Matrices are written row by row; points are columns on their right.\n\
                          Frames that do not meet are told as seams, and it ends with 1.";

/// The output of `--format json`.
#[derive(Serialize)]
struct EvalReport {
    r#type: &'static str,
    /// Coordinate systems of the value, such as `world from bind` of a matrix. `null` if unknown.
    frames: Option<String>,
    /// One to sixteen numbers, those of a matrix row by row.
    numbers: Vec<f64>,
    seams: Vec<SeamOutput>,
}

/// A multiplication whose coordinate systems do not match.
#[derive(Serialize)]
struct SeamOutput {
    column: usize,
    left: String,
    right: String,
    words: String,
}

pub(super) fn run(args: &EvalArgs) -> Result<(), CommandFailure> {
    let rig = load_rig(&args.rig)?;
    let mut document = Document::default();
    let state = &mut document.state;
    state.stage = SkinStage::Blended;
    state.method = args.pose.method()?;
    state.params = args.pose.param_values(&rig)?.into_iter().collect();
    if let Some(at) = args.pose.clip(&rig)? {
        state.playback.clip = Some(at.clip);
        state.params.insert(TIME_PARAM.to_owned(), at.time_secs);
    }
    let derived = Derived::of_document(&document, None, &rig);
    let outcome = value_of_text(&args.formula, &derived).map_err(|error| {
        let title = format!("column {}: {}", error.at.column, error.words);
        let argument = format!("“{}”", args.formula);
        CommandFailure::argument(argument, Diagnostic::said("NO_VALUE", title))
    })?;
    let report = EvalReport::new(&outcome);
    write_to_stdout(args.format, |out| match args.format {
        OutputForm::Json => write_json(out, &report),
        _ => write_table(out, &report),
    })?;
    CommandFailure::if_found(!report.seams.is_empty())
}

impl EvalReport {
    fn new(outcome: &FormulaOutcome) -> Self {
        Self {
            r#type: match outcome.value {
                FormulaValue::Number(_) => "number",
                FormulaValue::Vec3(_) => "vec3",
                FormulaValue::Vec4(_) => "vec4",
                FormulaValue::Quat(_) => "quat",
                FormulaValue::Mat4(_) => "mat4",
            },
            frames: outcome.value.frame_words(),
            numbers: outcome.value.numbers(),
            seams: outcome
                .seams
                .iter()
                .map(|seam| SeamOutput {
                    column: seam.column,
                    left: seam.left.to_string(),
                    right: seam.right.to_string(),
                    words: seam.words(),
                })
                .collect(),
        }
    }
}

fn write_table(out: &mut dyn Write, report: &EvalReport) -> io::Result<()> {
    if let Some(frames) = &report.frames {
        writeln!(out, "{} {frames}", report.r#type)?;
    }
    for row in report.numbers.chunks(4) {
        let row: Vec<String> = row.iter().map(|number| format!("{number:>12.6}")).collect();
        writeln!(out, "{}", row.join(" "))?;
    }
    for seam in &report.seams {
        writeln!(out, "column {}: {}", seam.column, seam.words)?;
    }
    Ok(())
}
