//! `bindpose eval`: the value of a formula for a posed rig or model, by the numbers
//! that the notebook shows.

use std::ffi::OsString;
use std::io::{self, Write};

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{FormulaOutcome, FormulaValue};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::{Derived, Document, TIME};
use bindpose_skin::SkinStage;
use serde::Serialize;

use super::output::{OutputForm, form, to_stdout};
use super::pose::PoseArgs;
use super::{CommandFailure, arguments};

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
    #[arg(long, value_parser = form(["table", "json"]), default_value = "table")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Matrices are written row by row; points are columns on their right.\n\
                          Frames that do not meet are told as seams, and it ends with 1.";

/// As programs read it.
#[derive(Serialize)]
struct EvalReport {
    r#type: &'static str,
    /// `world`, of a matrix `world from bind`; `null` where they are not known.
    frames: Option<String>,
    /// One to sixteen; of a matrix row by row.
    numbers: Vec<f64>,
    seams: Vec<SeamOutput>,
}

#[derive(Serialize)]
struct SeamOutput {
    column: usize,
    left: String,
    right: String,
    words: String,
}

pub(super) fn run(args: &EvalArgs) -> Result<(), CommandFailure> {
    let rig = arguments::rig(&args.rig)?;
    let mut document = Document::default();
    let state = &mut document.state;
    state.stage = SkinStage::Blended;
    state.method = args.pose.method()?;
    state.params = args.pose.values(&rig)?.into_iter().collect();
    if let Some(at) = args.pose.clip(&rig)? {
        state.playback.clip = Some(at.clip);
        state.params.insert(TIME.to_owned(), at.time_secs);
    }
    let influences = Derived::edited_influences(&document, &rig);
    let derived = Derived::new(&document, None, &rig, influences);
    let outcome = value_of_text(&args.formula, &derived).map_err(|wrong| {
        let title = format!("column {}: {}", wrong.at.column, wrong.words);
        let place = format!("“{}”", args.formula);
        CommandFailure::argument(place, Diagnostic::said("NO_VALUE", title))
    })?;
    let report = EvalReport::new(&outcome);
    to_stdout(args.format, |out| match args.format {
        OutputForm::Json => {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)
        }
        _ => table(out, &report),
    })?;
    CommandFailure::if_found(!report.seams.is_empty())
}

impl EvalReport {
    fn new(outcome: &FormulaOutcome) -> Self {
        let seams = outcome.seams.iter().map(|seam| SeamOutput {
            column: seam.column,
            left: seam.left.to_string(),
            right: seam.right.to_string(),
            words: seam.words(),
        });
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
            seams: seams.collect(),
        }
    }
}

fn table(out: &mut dyn Write, report: &EvalReport) -> io::Result<()> {
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
