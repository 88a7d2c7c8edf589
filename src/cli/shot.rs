//! `bindpose shot`: one page as a picture.

use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use bindpose_asset as asset;
use bindpose_asset::Rig;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{Setting, Transport};
use bindpose_notebook::gpu_proof::{ProofOutcome, TOLERANCE};
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{GpuLimits, gpu_proof};
use bindpose_render::headless::HeadlessGl;
use bindpose_render::{RenderError, Renderer};
use bindpose_skin::{Method, NormalRule};

use super::arguments::{ThemeArg, number, size};
use super::output::{OutputForm, WrittenFile, form, make_folder, to_stdout};
use super::{CommandFailure, arguments};
use crate::app::{self, ShotOptions, Tour, TourOptions};

#[derive(Debug, clap::Args)]
pub(super) struct ShotArgs {
    /// A number, a slug or a folder name; or a copied link, with all it says; or cover
    lesson: String,
    /// The step: its number, from 1, or its slug
    #[arg(long)]
    step: Option<String>,
    /// A model to open first, for a lesson that stands on the reader's own
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Put things to values first: b0=0.8,stage=posed; angles in radians
    /// unless written 45deg
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// In pixels
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size)]
    size: [u32; 2],
    #[arg(long, value_enum, default_value = "light")]
    theme: ThemeArg,
    /// Pixels per point: 2 shows everything twice as large
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_parser = number::<f32>)]
    scale: f32,
    /// As the presenter mode shows it
    #[arg(long)]
    present: bool,
    /// As fingers have it: larger buttons, and what a mouse would uncover in sight
    #[arg(long)]
    touch: bool,
    /// With the bench open
    #[arg(long)]
    bench: bool,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
    /// The picture
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &ShotArgs) -> Result<(), CommandFailure> {
    let out = WrittenFile::new(&args.out, args.force, &["png"])?;
    let options = ShotOptions {
        lessons: args.lessons.clone(),
        lesson: args.lesson.clone(),
        step: args.step.clone(),
        model: args.model.clone(),
        set: arguments::read_settings(&args.set)?,
        size: args.size,
        dark: args.theme.is_dark(),
        scale: args.scale,
        present: args.present,
        touch: args.touch,
        bench: args.bench,
    };
    out.write(&app::shot(&options)?)
}

// `bindpose tour`: every page as a picture.

#[derive(Debug, clap::Args)]
pub(super) struct TourArgs {
    /// The folder for the pictures; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace pictures of the same names
    #[arg(long)]
    force: bool,
    /// Open this model, and draw only the lessons that stand on it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// In pixels
    #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size)]
    size: [u32; 2],
    /// Only in this theme
    #[arg(long, value_enum)]
    theme: Option<ThemeArg>,
    /// As the presenter mode shows them
    #[arg(long)]
    present: bool,
    /// As fingers have it: larger buttons, and what a mouse would uncover in sight
    #[arg(long)]
    touch: bool,
    /// Read lessons from this folder or packed course; several times: of all these
    #[arg(long, value_name = "DIR or FILE")]
    lessons: Vec<PathBuf>,
}

pub(super) fn run_tour(args: &TourArgs) -> Result<(), CommandFailure> {
    let tour = Tour::new(&TourOptions {
        lessons: args.lessons.clone(),
        model: args.model.clone(),
        size: args.size,
        present: args.present,
        touch: args.touch,
        dark: args.theme.map(ThemeArg::is_dark),
    })?;
    make_folder(&args.out)?;
    let files =
        tour.names().map(|name| WrittenFile::new(args.out.join(name), args.force, &["png"]));
    let files: Vec<WrittenFile> = files.collect::<Result<_, _>>()?;
    let mut left = files.iter().enumerate();
    tour.draw(|png| {
        let Some((done, file)) = left.next() else {
            return Ok(());
        };
        file.write(&png)?;
        to_stdout(OutputForm::Text, |out| {
            let (done, total) = (done + 1, files.len());
            writeln!(out, "{done:3}/{total} {}", file.path().display())
        })
    })
}

// `bindpose gpu-check`: is what the GPU computes what the reference says?

/// What every angle of a rig is turned by where the command line gives none.
const ANGLE_RAD: f64 = 0.8;

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct GpuCheckArgs {
    /// A built-in rig, or a file: .glb, .gltf; without it, every built-in rig
    model: Option<OsString>,
    /// Pose it: b0=0.8,b1=45deg; angles in radians unless written 45deg.
    /// Without it every angle is 0.8
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// What moves normals
    #[arg(long, value_name = "RULE", default_value = "inverse-transpose")]
    normals: String,
    /// Check this text in the place of the body of our vertex shader, as the
    /// notebook's shader cell shows it for one way and method
    #[arg(long, value_name = "FILE")]
    shader: Option<std::path::PathBuf>,
    /// The way that the text of --shader is written for
    #[arg(long, value_name = "WAY", default_value = "texel-fetch")]
    transport: String,
    /// The method that the text of --shader is written for
    #[arg(long, value_name = "METHOD", default_value = "linear")]
    method: String,
    /// table is for reading, json for programs
    #[arg(long, value_parser = form(["json", "table"]), default_value = "table")]
    format: OutputForm,
}

fn after_help() -> String {
    format!(
        "Every vertex is skinned on the GPU by every way and every method, read back, and \
         compared\nwith the same sum in 64-bit floats. Errors are parts of the posed model's \
         size; the exit\ncode is 1 when one is above {TOLERANCE:e}.\n\nRigs: {}",
        asset::builtin_ids().join(", ")
    )
}

/// One way and one method, compared.
struct GpuCheckRow {
    transport: Transport,
    method: Method,
    outcome: Result<ProofOutcome, RenderError>,
}

/// One model with all its rows.
struct CheckedModel {
    name: String,
    joints: usize,
    rows: Vec<GpuCheckRow>,
}

pub(super) fn run_gpu_check(args: &GpuCheckArgs) -> Result<(), CommandFailure> {
    let normals = arguments::one_of("normals", &args.normals)?;
    let written_for = (
        arguments::one_of("transport", &args.transport)?,
        arguments::one_of("method", &args.method)?,
    );
    let shader = args.shader.as_deref().map(|path| {
        std::fs::read_to_string(path).map_err(|error| {
            let wrong = Diagnostic::said("IO_ERROR", error.to_string());
            CommandFailure::argument(path.display().to_string(), wrong)
        })
    });
    let shader: Option<Arc<str>> = shader.transpose()?.map(Into::into);
    let settings = arguments::read_settings(&args.set)?;
    let rigs: Vec<Arc<Rig>> = if let Some(model) = &args.model {
        vec![arguments::rig(model)?]
    } else {
        let ids = asset::builtin_ids().iter();
        ids.filter_map(|id| asset::builtin(id)).collect()
    };

    let headless = HeadlessGl::new().map_err(CommandFailure::failed)?;
    let mut renderer = Renderer::new(headless.gl()).map_err(CommandFailure::failed)?;
    let mut checked = Vec::new();
    for rig in rigs {
        let scene = scene(&rig, &settings, normals)?;
        let asked = gpu_proof::rows().filter(|row| shader.is_none() || *row == written_for);
        let rows = asked.map(|(transport, method)| {
            let mut scene = gpu_proof::scene(&scene, transport, method.into());
            scene.skinning.shader.clone_from(&shader);
            GpuCheckRow {
                transport,
                method,
                outcome: renderer
                    .read_skinned(&scene)
                    .map(|vertices| gpu_proof::compare(&scene, &vertices.into_iter().collect())),
            }
        });
        checked.push(CheckedModel {
            name: arguments::name_of(&rig).to_owned(),
            joints: rig.skeleton.len(),
            rows: rows.collect(),
        });
    }
    let limits = renderer.limits().clone();
    renderer.destroy();
    to_stdout(args.format, |out| match args.format {
        OutputForm::Json => write_json(out, &limits, &checked),
        _ => write_table(out, &limits, &checked),
    })?;
    CommandFailure::if_found(checked.iter().flat_map(|model| &model.rows).any(failed))
}

/// A way that does not fit this machine has not failed.
fn failed(row: &GpuCheckRow) -> bool {
    match &row.outcome {
        Ok(outcome) => !outcome.passes(),
        Err(error) => !matches!(error, RenderError::Misfit(_)),
    }
}

fn scene(rig: &Arc<Rig>, set: &[Setting], normals: NormalRule) -> Result<Scene, CommandFailure> {
    let values = if set.is_empty() {
        rig.angles().map(|angle| (angle.name.clone(), ANGLE_RAD)).collect()
    } else {
        arguments::values_for(rig, set)?
    };
    let world_from_bind = rig.world_from_bind(|name| {
        let of_name = values.iter().rev().find(|(other, _)| other == name);
        of_name.map(|&(_, value)| value)
    });
    let mut scene = Scene::plain(&rig.mesh, world_from_bind);
    scene.skinning.normals = normals;
    Ok(scene)
}

fn write_table(out: &mut dyn Write, limits: &GpuLimits, models: &[CheckedModel]) -> io::Result<()> {
    writeln!(out, "vendor    {}", limits.vendor)?;
    writeln!(out, "renderer  {}", limits.renderer)?;
    writeln!(out, "version   {}", limits.version)?;
    writeln!(
        out,
        "limits    {} vec4 uniforms; {} uniform blocks of {} bytes; textures of {} texels, \
         {} in a vertex shader",
        limits.vertex_uniform_vec4s,
        limits.vertex_uniform_blocks,
        limits.uniform_block_bytes,
        limits.texture_size,
        limits.vertex_texture_units,
    )?;
    for CheckedModel { name, joints, rows } in models {
        writeln!(out, "\n{name}, {joints} joints")?;
        writeln!(
            out,
            "  {:<20} {:<16} {:>8}  {:>9}  {:>9}  {:>9}  {:>6}",
            "way", "method", "vertices", "max", "mean", "normals", "worst"
        )?;
        for row in rows {
            write!(out, "  {:<20} {:<16} ", row.transport.label(), row.method.key())?;
            match &row.outcome {
                Ok(outcome) => writeln!(
                    out,
                    "{:>8}  {:>9.1e}  {:>9.1e}  {:>9.1e}  {:>6}  {}",
                    outcome.vertices,
                    outcome.most,
                    outcome.mean,
                    outcome.most_normal,
                    format!("v{}", outcome.worst),
                    if outcome.passes() { "passed" } else { "FAILED" },
                )?,
                Err(RenderError::Misfit(misfit)) => writeln!(out, "does not fit: {misfit}")?,
                Err(error) => writeln!(out, "FAILED: {error}")?,
            }
        }
    }
    Ok(())
}

fn write_json(out: &mut dyn Write, limits: &GpuLimits, models: &[CheckedModel]) -> io::Result<()> {
    let models: Vec<serde_json::Value> = models
        .iter()
        .map(|CheckedModel { name, joints, rows }| {
            let rows: Vec<serde_json::Value> = rows.iter().map(json_row).collect();
            serde_json::json!({ "model": name, "joints": joints, "rows": rows })
        })
        .collect();
    let report = serde_json::json!({
        "gl": limits, "tolerance": TOLERANCE, "models": models,
    });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

fn json_row(row: &GpuCheckRow) -> serde_json::Value {
    // Not a number and infinity become null.
    let mut json = match &row.outcome {
        Ok(outcome) => serde_json::json!({
            "vertices": outcome.vertices, "worst_vertex": outcome.worst,
            "max_error": outcome.most, "mean_error": outcome.mean,
            "max_normal_error": outcome.most_normal,
        }),
        Err(error) => serde_json::json!({ "reason": error.to_string() }),
    };
    json["transport"] = row.transport.key().into();
    json["method"] = row.method.key().into();
    json["failed"] = failed(row).into();
    json
}
