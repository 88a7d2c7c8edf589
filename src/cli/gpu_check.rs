//! `bindpose gpu-check`: compares skinning on the GPU with the reference implementation.

use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::Rig;
use bindpose_lesson::{Setting, Transport};
use bindpose_notebook::gpu_proof::{POSITION_TOLERANCE, ProofOutcome};
use bindpose_notebook::scene::Scene;
use bindpose_notebook::{GpuLimits, gpu_proof};
use bindpose_render::headless::HeadlessGl;
use bindpose_render::{RenderError, Renderer};
use bindpose_skin::{Method, NormalRule};

use super::CommandFailure;
use super::arguments::{load_rig, param_values, parse_key, parse_set_options, rig_name};
use super::output::{OutputForm, output_form, write_json, write_to_stdout};

/// Value of every angle of a rig if the command line sets none, in radians.
const DEFAULT_ANGLE: f64 = 0.8;

#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct GpuCheckArgs {
    /// A built-in rig, or a file: .glb, .gltf; without it, every built-in rig
    model: Option<OsString>,
    /// Pose it: b0=0.8,b1=45deg; angles in radians unless written 45deg.
    /// Without it every angle is 0.8
    #[arg(long, value_name = "NAME=VALUE,…")]
    set: Vec<String>,
    /// Rule for normals
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
    #[arg(long, value_parser = output_form(["json", "table"]), default_value = "table")]
    format: OutputForm,
}

fn after_help() -> String {
    format!(
        "Every vertex is skinned on the GPU by every way and every method, read back, and \
         compared\nwith the same sum in 64-bit floats. Errors are parts of the posed model's \
         size; the exit\ncode is 1 when one is above {POSITION_TOLERANCE:e}.\n\nRigs: {}",
        bindpose_rigs::builtin_ids().join(", ")
    )
}

/// The results for one model.
struct ModelCheck {
    name: String,
    joint_count: usize,
    rows: Vec<GpuCheckRow>,
}

/// The result for one combination of transport and method.
struct GpuCheckRow {
    transport: Transport,
    method: Method,
    outcome: Result<ProofOutcome, RenderError>,
}

impl GpuCheckRow {
    /// Returns whether skinning went wrong. A transport that exceeds a limit of the GPU has not
    /// failed.
    fn is_failed(&self) -> bool {
        match &self.outcome {
            Ok(outcome) => !outcome.passes(),
            Err(error) => !matches!(error, RenderError::Misfit(_)),
        }
    }
}

pub(super) fn run(args: &GpuCheckArgs) -> Result<(), CommandFailure> {
    let normals: NormalRule = parse_key("normals", &args.normals)?;
    let shader_transport: Transport = parse_key("transport", &args.transport)?;
    let shader_method: Method = parse_key("method", &args.method)?;
    let shader: Option<Arc<str>> = match &args.shader {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                let wrong = Diagnostic::said("IO_ERROR", error.to_string());
                CommandFailure::argument(path.display().to_string(), wrong)
            })?;
            Some(text.into())
        }
        None => None,
    };
    let settings = parse_set_options(&args.set)?;
    let rigs: Vec<Arc<Rig>> = match &args.model {
        Some(model) => vec![load_rig(model)?],
        None => bindpose_rigs::builtin_ids()
            .iter()
            .filter_map(|id| bindpose_rigs::builtin(id))
            .collect(),
    };

    let headless = HeadlessGl::new().map_err(CommandFailure::failed)?;
    let mut renderer = Renderer::new(headless.gl()).map_err(CommandFailure::failed)?;
    let mut checks = Vec::new();
    for rig in rigs {
        let rig_scene = posed_scene(&rig, &settings, normals)?;
        let mut rows = Vec::new();
        for (transport, method) in gpu_proof::rows() {
            // A shader is written for one transport and method.
            if shader.is_some() && (transport, method) != (shader_transport, shader_method) {
                continue;
            }
            let mut scene = gpu_proof::scene(&rig_scene, transport, method.into());
            scene.skinning.shader.clone_from(&shader);
            let outcome = renderer
                .read_skinned(&scene)
                .map(|vertices| gpu_proof::compare(&scene, &vertices.into_iter().collect()));
            rows.push(GpuCheckRow { transport, method, outcome });
        }
        checks.push(ModelCheck {
            name: rig_name(&rig).to_owned(),
            joint_count: rig.skeleton.len(),
            rows,
        });
    }
    let limits = renderer.limits().clone();
    renderer.destroy();
    write_to_stdout(args.format, |out| match args.format {
        OutputForm::Json => write_json_report(out, &limits, &checks),
        _ => write_table(out, &limits, &checks),
    })?;
    let has_failed = checks.iter().flat_map(|check| &check.rows).any(GpuCheckRow::is_failed);
    CommandFailure::if_found(has_failed)
}

/// Returns a scene of the rig in the pose of the settings.
fn posed_scene(
    rig: &Arc<Rig>,
    settings: &[Setting],
    normals: NormalRule,
) -> Result<Scene, CommandFailure> {
    let values = if settings.is_empty() {
        rig.angles().map(|angle| (angle.name.clone(), DEFAULT_ANGLE)).collect()
    } else {
        param_values(rig, settings)?
    };
    let world_from_bind = rig.world_from_bind(|name| {
        let (_, value) = values.iter().rev().find(|(other, _)| other == name)?;
        Some(*value)
    });
    let mut scene = Scene::plain(&rig.mesh, world_from_bind);
    scene.skinning.normals = normals;
    Ok(scene)
}

fn write_table(out: &mut dyn Write, limits: &GpuLimits, checks: &[ModelCheck]) -> io::Result<()> {
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
    for check in checks {
        writeln!(out, "\n{}, {} joints", check.name, check.joint_count)?;
        writeln!(
            out,
            "  {:<20} {:<16} {:>8}  {:>9}  {:>9}  {:>9}  {:>6}",
            "way", "method", "vertices", "max", "mean", "normals", "worst"
        )?;
        for row in &check.rows {
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

fn write_json_report(
    out: &mut dyn Write,
    limits: &GpuLimits,
    checks: &[ModelCheck],
) -> io::Result<()> {
    let models: Vec<serde_json::Value> = checks
        .iter()
        .map(|check| {
            let rows: Vec<serde_json::Value> = check.rows.iter().map(row_json).collect();
            serde_json::json!({ "model": check.name, "joints": check.joint_count, "rows": rows })
        })
        .collect();
    let report = serde_json::json!({
        "gl": limits, "tolerance": POSITION_TOLERANCE, "models": models,
    });
    write_json(out, &report)
}

fn row_json(row: &GpuCheckRow) -> serde_json::Value {
    // `json!` turns NaN and infinity into null.
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
    json["failed"] = row.is_failed().into();
    json
}
