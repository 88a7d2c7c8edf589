//! `bindpose skin`: the numbers of a posed rig or model, by the code that the
//! notebook uses.

mod report;

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::path::PathBuf;

use bindpose_asset::{self as asset, ClipAt, Rig};
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{FormulaOutcome, FormulaValue};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::engine_numbers::{matched, read_numbers};
use bindpose_notebook::{Derived, Document, Playback, TIME};
use bindpose_skin::{Method, SkinStage};
use serde::Serialize;

use super::CommandFailure;
use super::arguments::{self, index, number};
use super::output::{OutputForm, findings_to_stdout, form, to_stdout};
use report::{SkinQuery, SkinReport};

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct SkinArgs {
    /// Name of a built-in rig, or a .gltf or .glb file
    #[arg(value_name = "RIG|FILE")]
    rig: OsString,
    #[command(flatten)]
    pose: PoseArgs,
    /// Only meshes of this skin: its number in the file
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = index)]
    skin: Option<usize>,
    /// Only these vertices: 0-3,7
    #[arg(long)]
    vertices: Option<String>,
    /// json and csv hold every digit of the f32 values, table is for reading
    #[arg(long, value_parser = form(["json", "csv", "table"]), default_value = "table")]
    format: OutputForm,
}

fn after_help() -> String {
    format!(
        "Rigs: {}\n\nMatrices are column-major, 16 numbers; x_in_b = b_from_a * x_in_a.",
        asset::builtin_ids().join(", ")
    )
}

pub(super) fn run(args: &SkinArgs) -> Result<(), CommandFailure> {
    let rig = arguments::rig(&args.rig)?;
    let values = args.pose.values(&rig)?;
    let clip = args.pose.clip(&rig)?;
    let of_skin = vertices_of(&rig, args.skin)?;
    let vertices = match &args.vertices {
        None => of_skin,
        Some(text) => vertex_numbers(text, rig.mesh.positions.len())
            .map_err(|wrong| CommandFailure::argument(format!("--vertices {text}"), wrong))?,
    };
    let report = SkinReport::new(
        &rig,
        &SkinQuery {
            values: &values,
            clip,
            method: args.pose.method()?,
            skin: args.skin,
            vertices: &vertices,
        },
    );
    to_stdout(args.format, |out| match args.format {
        OutputForm::Json => report.write_json(out),
        OutputForm::Csv => report.write_csv(out),
        OutputForm::Text => report.write_table(out),
    })
}

/// `0-3,7` as 0, 1, 2, 3, 7, in the order written, each within the mesh.
fn vertex_numbers(text: &str, count: usize) -> Result<Vec<usize>, Diagnostic> {
    let wrong = |part: &str, title: String, help: &str| {
        Diagnostic::expected("vertices of the rig", format!("`{part}`")).title(title).help(help)
    };
    let mut numbers = Vec::new();
    let mut seen = HashSet::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            let title = format!("`{part}` is no vertex number and no range");
            return Err(wrong(part, title, "write such as 0-3,7"));
        };
        if last < first {
            let title = format!("`{part}` runs backwards");
            return Err(wrong(part, title, &format!("write {last}-{first}")));
        }
        if last >= count {
            return Err(match count {
                0 => wrong(part, "this rig has no vertices".to_owned(), ""),
                _ => wrong(
                    part,
                    format!("there is no vertex {last}"),
                    &format!("they are numbered 0 to {}", count - 1),
                ),
            });
        }
        // Named twice is meant once; this also bounds the list.
        numbers.extend((first..=last).filter(|&number| seen.insert(number)));
    }
    Ok(numbers)
}

/// Numbers of the vertices that a skin moves, or of all.
fn vertices_of(rig: &Rig, skin: Option<usize>) -> Result<Vec<usize>, CommandFailure> {
    let all = 0..rig.mesh.positions.len();
    let Some(skin) = skin else {
        return Ok(all.collect());
    };
    arguments::check_skin(rig, skin)?;
    let parts = rig.mesh.parts.iter();
    let of_skin = parts.filter(|part| part.skin == Some(skin));
    let mut moved = vec![rig.origin.is_none(); all.len()];
    for part in of_skin {
        for vertex in part.vertices.clone() {
            moved[vertex as usize] = true;
        }
    }
    Ok(all.filter(|&vertex| moved[vertex]).collect())
}

// The pose that a command line asks for, and how vertices follow it.

#[derive(Debug, clap::Args)]
pub(super) struct PoseArgs {
    /// Pose it: b0=0.8,b1=45deg; angles in radians unless written 45deg;
    /// `all` is every angle
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// In this animation: its name, its number from 0, or none
    #[arg(long, value_name = "NAME|I|none")]
    animation: Option<String>,
    /// So many seconds after the animation's beginning
    #[arg(long, value_name = "SECS", allow_negative_numbers = true, value_parser = number::<f64>)]
    time: Option<f64>,
    /// How the joints of a vertex become one motion: linear, dual-quaternion or
    /// rigid
    #[arg(long, default_value = "linear")]
    method: String,
}

impl PoseArgs {
    /// Parameters of the rig, later ones over earlier ones.
    pub(super) fn values(&self, rig: &Rig) -> Result<Vec<(String, f64)>, CommandFailure> {
        arguments::values_for(rig, &arguments::read_settings(&self.set)?)
    }

    pub(super) fn method(&self) -> Result<Method, CommandFailure> {
        arguments::one_of("method", &self.method)
    }

    /// A page of the rig in that pose.
    pub(super) fn document(&self, rig: &Rig) -> Result<Document, CommandFailure> {
        let mut document = Document::default();
        document.state.method = self.method()?;
        document.state.params.extend(self.values(rig)?);
        if let Some(at) = self.clip(rig)? {
            document.state.playback = Playback {
                clip: Some(at.clip),
                // A time past the end is the end, as glTF says.
                repeats: false,
                ..Playback::default()
            };
            document.state.params.insert(TIME.to_owned(), at.time_secs);
        }
        Ok(document)
    }

    /// Nothing, where nothing plays.
    pub(super) fn clip(&self, rig: &Rig) -> Result<Option<ClipAt>, CommandFailure> {
        let Some(name) = &self.animation else {
            return self.time.map_or(Ok(None), |time| {
                let wrong = Diagnostic::said("NO_ANIMATION", "no animation is named for it");
                let wrong = wrong.help("name one with --animation, or leave it out");
                Err(CommandFailure::argument(format!("--time {time:?}"), wrong))
            });
        };
        if name == "none" {
            return Ok(None);
        }
        let by_number = name.parse().ok().filter(|&clip| clip < rig.clips.len());
        let by_name = || rig.clips.iter().position(|clip| clip.name == *name);
        let Some(clip) = by_number.or_else(by_name) else {
            let clips = rig.clips.iter().enumerate();
            let list = clips.map(|(number, clip)| format!("{number} `{}`", clip.name));
            let list: Vec<String> = list.collect();
            let there_are = match list.len() {
                0 => "this model has none; leave it out".to_owned(),
                _ => format!("there are {}, and none", list.join(", ")),
            };
            let wrong = Diagnostic::unknown("animation", name, &[]);
            let wrong = wrong.title("there is no such animation").help(there_are);
            return Err(CommandFailure::argument(format!("--animation {name}"), wrong));
        };
        Ok(Some(ClipAt { clip, time_secs: self.time.unwrap_or(0.0), share: 1.0 }))
    }
}

// `bindpose eval`: the value of a formula for a posed rig or model, by the numbers
// that the notebook shows.

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

pub(super) fn run_eval(args: &EvalArgs) -> Result<(), CommandFailure> {
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

// `bindpose match`: an engine's own numbers held against ours.

#[derive(Debug, clap::Args)]
#[command(after_help = NUMBERS_AFTER_HELP)]
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
    #[arg(long, value_parser = form(["json", "text"]), default_value = "text")]
    format: OutputForm,
}

const NUMBERS_AFTER_HELP: &str = "Matrices: [[16 numbers], …], column after column as in glTF, or \
[[[4 numbers], … 4 rows], …], one a joint in the order of the skin. Positions: [[x, y, z], …], one a \
vertex in the order of `bindpose skin`, in world space.\n\nEnds with 0 when they are ours, with 1 when \
they are not, and with 2 when they cannot be read.";

pub(super) fn run_engine_numbers(args: &EngineNumbersArgs) -> Result<(), CommandFailure> {
    let rig = arguments::rig(&args.rig)?;
    let path = args.numbers.display().to_string();
    let bytes = std::fs::read(&args.numbers)
        .map_err(|error| CommandFailure::argument(path.clone(), unreadable(&error.to_string())))?;
    let given = read_numbers(&bytes).map_err(|wrong| CommandFailure::argument(path, wrong))?;
    let document = args.pose.document(&rig)?;
    let influences = Derived::edited_influences(&document, &rig);
    let derived = Derived::new(&document, None, &rig, influences);
    let found = matched(given, &document, &derived);
    let words = found.findings.iter().map(|finding| finding.words.as_str());
    findings_to_stdout(args.format, &found, words)?;
    CommandFailure::if_found(!found.equal)
}

fn unreadable(why: &str) -> Diagnostic {
    Diagnostic::said("CANNOT_READ", "the file cannot be read").help(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_vertices_keep_their_order_and_name_each_once() {
        assert_eq!(vertex_numbers("7,0-2, 1", 10), Ok(vec![7, 0, 1, 2]));
        assert_eq!(vertex_numbers("9", 10), Ok(vec![9]));
    }

    #[test]
    fn numbers_past_the_mesh_backwards_or_unreadable_are_refused() {
        assert!(vertex_numbers("10", 10).unwrap_err().help.contains("0 to 9"));
        assert!(vertex_numbers("3-1", 10).unwrap_err().help.contains("1-3"));
        for wrong in ["", "a", "-1", "1-", "0,,2", "99999999999999999999"] {
            assert!(vertex_numbers(wrong, 10).is_err(), "{wrong}");
        }
        assert!(vertex_numbers("0-18446744073709551615", 10).is_err());
    }
}
