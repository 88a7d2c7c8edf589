//! `bindpose rigs`: prints what a lesson can name of a rig or a model: parameters, joints, clips and
//! vertices. As JSON, or as tables of the same data.

mod notable;

use std::ffi::OsString;
use std::io::{self, Write};

use bindpose_diagnostic::{Diagnostic, printable, short_number};
use bindpose_gltf::{JointRole, NodePart, Param, ParamKind, Rig};
use bindpose_rigs::{builtin, builtin_ids};
use serde::Serialize;

use super::CommandFailure;
use super::arguments::{load_rig, rig_name};
use super::output::{OutputForm, output_form, write_json, write_to_stdout};
use notable::{
    AXES, NotableVertex, VertexRing, find_notable_vertices, find_rings, position_in_bind,
};

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
    #[arg(long, value_parser = output_form(["table", "json"]), default_value = "table")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Lessons name a rig, its parameters, joints, clips and vertices as they \
                          stand here.\nPositions are in bind space.";

const AXES_NOTE: &str = "  Axes are those of bind space. With one pointing at you, a positive angle \
                         turns counter-clockwise.";

/// Maximum width of a column of names, in characters.
const MAX_NAME_WIDTH: usize = 40;
/// Maximum number of parameters listed for a rig in the overview. A chain of 40 links has too many.
const MAX_LISTED_PARAMS: usize = 10;
/// Maximum deviation from 1 of a component of a vector that is parallel to an axis.
const AXIS_TOLERANCE: f32 = 1e-4;

pub(super) fn run(args: &RigsArgs) -> Result<(), CommandFailure> {
    let Some(name) = &args.rig else {
        return print_overview(args.format);
    };
    let rig = load_rig(name)?;
    let report = RigReport::new(&rig, args.weights);
    write_to_stdout(args.format, |out| match args.format {
        OutputForm::Json => write_json(out, &report),
        _ => write_report(out, &report),
    })
}

fn print_overview(format: OutputForm) -> Result<(), CommandFailure> {
    let mut rigs = Vec::new();
    for id in builtin_ids() {
        let rig = builtin(id).ok_or_else(|| {
            CommandFailure::cannot(Diagnostic::said("NO_RIG", format!("{id} cannot be made here")))
        })?;
        rigs.push(RigOverview::new(&rig));
    }
    write_to_stdout(format, |out| match format {
        OutputForm::Json => write_json(out, &rigs),
        _ => write_overview(out, &rigs),
    })
}

#[derive(Debug, Serialize)]
struct RigOverview {
    rig: String,
    title: String,
    joints: usize,
    vertices: usize,
    triangles: usize,
    clips: usize,
    params: Vec<String>,
}

impl RigOverview {
    fn new(rig: &Rig) -> Self {
        Self {
            rig: rig_name(rig).to_owned(),
            title: rig.title.clone(),
            joints: rig.joint_count(),
            vertices: rig.mesh.positions.len(),
            triangles: rig.mesh.triangles.len(),
            clips: rig.clips.len(),
            params: rig.params.iter().map(|param| param.name.clone()).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct RigReport {
    rig: String,
    title: String,
    vertices: usize,
    triangles: usize,
    params: Vec<ParamRow>,
    joints: Vec<RigJointRow>,
    clips: Vec<ClipRow>,
    notable: Vec<NotableVertex>,
    rings: Vec<VertexRing>,
    /// Parts of the file that were left out when it was read.
    notes: Vec<Diagnostic>,
    /// Joints and weights of each vertex. `None` unless requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Vec<WeightRow>>>,
}

#[derive(Debug, Serialize)]
struct ParamRow {
    name: String,
    label: String,
    /// `rad`, `factor`, `share` of a morph target or of the way to the pose, or `length` in world
    /// units.
    unit: &'static str,
    default: f64,
    range: [f64; 2],
    /// Rotation axis of an angle of one joint, a unit vector in bind space at rest. Seen with the
    /// axis pointing at the viewer, positive angles rotate counter-clockwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis_in_bind: Option<[f32; 3]>,
}

#[derive(Debug, Serialize)]
struct RigJointRow {
    index: usize,
    name: String,
    parent: Option<u16>,
    /// `false` for a node above joints or meshes that the file does not list as a joint.
    of_skin: bool,
    position_in_bind: [f32; 3],
}

#[derive(Debug, Serialize)]
struct ClipRow {
    name: String,
    secs: f32,
}

#[derive(Debug, Serialize)]
struct WeightRow {
    joint: u16,
    weight: f32,
}

impl RigReport {
    fn new(rig: &Rig, with_weights: bool) -> Self {
        let vertex_count = rig.mesh.positions.len();
        let joints = rig
            .skeleton
            .joints()
            .iter()
            .zip(rig.joint_roles())
            .enumerate()
            .map(|(index, (joint, role))| RigJointRow {
                index,
                name: joint.name.clone(),
                parent: joint.parent.map(|parent| parent.0),
                of_skin: role != JointRole::Helper,
                position_in_bind: position_in_bind(joint.joint_from_bind).to_array(),
            })
            .collect();
        let clips = rig
            .clips
            .iter()
            .map(|clip| ClipRow { name: clip.name.clone(), secs: clip.duration_secs })
            .collect();
        Self {
            rig: rig_name(rig).to_owned(),
            title: rig.title.clone(),
            vertices: vertex_count,
            triangles: rig.mesh.triangles.len(),
            params: rig.params.iter().map(|param| ParamRow::new(param, rig)).collect(),
            joints,
            clips,
            notable: find_notable_vertices(rig),
            rings: find_rings(&rig.mesh.positions),
            notes: rig.left_out().cloned().collect(),
            weights: with_weights
                .then(|| (0..vertex_count).map(|vertex| weight_rows(rig, vertex)).collect()),
        }
    }
}

impl ParamRow {
    fn new(param: &Param, rig: &Rig) -> Self {
        Self {
            name: param.name.clone(),
            label: param.label.clone(),
            unit: unit_of(param.kind),
            default: param.default,
            range: [param.range.0, param.range.1],
            axis_in_bind: axis_in_bind(param.kind, rig),
        }
    }

    /// Formats a value of the parameter: an angle in degrees, other values in their unit.
    fn format_value(&self, value: f64) -> String {
        if self.unit == "rad" {
            format!("{}°", short_number((value.to_degrees() * 10.0).round() / 10.0))
        } else {
            short_number((value * 1000.0).round() / 1000.0)
        }
    }
}

/// Returns the rotation axis of an angle of one joint. Returns `None` for other parameters, and if
/// the joint's inverse bind matrix cannot be inverted.
fn axis_in_bind(kind: ParamKind, rig: &Rig) -> Option<[f32; 3]> {
    let (ParamKind::Angle { joint, axis } | ParamKind::BindAngle { joint, axis }) = kind else {
        return None;
    };
    let joint = rig.skeleton.joints().get(joint.index())?;
    let in_bind = joint.joint_from_bind.inverse().transform_vector3(axis).try_normalize()?;
    Some(in_bind.to_array())
}

fn unit_of(kind: ParamKind) -> &'static str {
    match kind {
        kind if kind.is_angle() => "rad",
        ParamKind::Scale { .. } | ParamKind::MeshNode(NodePart::Size) => "factor",
        ParamKind::Morph { .. } | ParamKind::RestToPose => "share",
        _ => "length",
    }
}

/// Returns all weights of a vertex, even if it has more than eight, in descending order.
fn weight_rows(rig: &Rig, vertex: usize) -> Vec<WeightRow> {
    let mut rows = Vec::new();
    if let Some(weights) = rig.mesh.many.get(&(vertex as u32)) {
        for &(joint, weight) in weights {
            rows.push(WeightRow { joint: joint.0, weight });
        }
    } else if let Some(influences) = rig.mesh.influences.get(vertex) {
        for (_, joint, weight) in influences.used() {
            rows.push(WeightRow { joint: joint.0, weight });
        }
    }
    rows.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    rows
}

// ----------------------------------------------------------------------------
// Tables.

fn write_overview(out: &mut dyn Write, rigs: &[RigOverview]) -> io::Result<()> {
    let width = name_width(rigs.iter().map(|rig| rig.rig.as_str()));
    for rig in rigs {
        writeln!(
            out,
            "{:width$}  {}: {} joints, {} vertices, {} triangles, {} clips",
            rig.rig, rig.title, rig.joints, rig.vertices, rig.triangles, rig.clips
        )?;
        writeln!(out, "{:width$}  {}", "", format_param_names(&rig.params))?;
    }
    writeln!(out, "\nbindpose rigs RIG prints one of them; FILE, a model.")
}

fn format_param_names(names: &[String]) -> String {
    match names.len() {
        0 => "no parameters".to_owned(),
        count if count > MAX_LISTED_PARAMS => {
            format!("{}, … ({count})", names[..MAX_LISTED_PARAMS].join(", "))
        }
        _ => names.join(", "),
    }
}

fn write_report(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    writeln!(out, "{}: {}", printable(&rig.rig), printable(&rig.title))?;
    writeln!(out, "{} vertices, {} triangles", rig.vertices, rig.triangles)?;
    write_params(out, rig)?;
    write_joints(out, rig)?;
    write_clips(out, rig)?;
    write_vertices(out, rig)?;
    write_weights(out, rig)
}

fn write_params(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    if rig.params.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nParameters")?;
    let width = name_width(rig.params.iter().map(|param| param.name.as_str()));
    for param in &rig.params {
        let [low, high] = param.range.map(|value| param.format_value(value));
        let default = param.format_value(param.default);
        let unit = if param.unit == "rad" { "angle" } else { param.unit };
        let axis = match param.axis_in_bind {
            Some(axis) => format!(", about {}", format_axis(axis)),
            None => String::new(),
        };
        writeln!(
            out,
            "  {:width$}  {unit:6}  {low:>6} to {high:6}  at first {default:6}  {}{axis}",
            param.name,
            printable(&param.label)
        )?;
    }
    if rig.params.iter().any(|param| param.axis_in_bind.is_some()) {
        writeln!(out, "{AXES_NOTE}")?;
    }
    Ok(())
}

/// Formats a unit vector as `−x` if it is parallel to an axis, else as coordinates.
fn format_axis(axis: [f32; 3]) -> String {
    let parallel = axis.iter().position(|component| component.abs() > 1.0 - AXIS_TOLERANCE);
    let Some(index) = parallel else { return format_position(axis) };
    let sign = if axis[index] < 0.0 { "−" } else { "" };
    format!("{sign}{}", AXES[index])
}

fn write_joints(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    let width = name_width(rig.joints.iter().map(|joint| joint.name.as_str()));
    for (heading, of_skin) in [("Joints", true), ("Nodes above them, which are no joints", false)] {
        let joints: Vec<&RigJointRow> =
            rig.joints.iter().filter(|joint| joint.of_skin == of_skin).collect();
        if !joints.is_empty() {
            writeln!(out, "\n{heading}")?;
        }
        for joint in joints {
            let parent = match joint.parent {
                Some(parent) => format!("below {parent}"),
                None => "root".to_owned(),
            };
            let index = joint.index;
            let name = printable(&joint.name);
            let position = format_position(joint.position_in_bind);
            writeln!(out, "  {index:3}  {name:width$}  {parent:9}  {position}")?;
        }
    }
    Ok(())
}

fn write_clips(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    if rig.clips.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nClips (time and fade are parameters too)")?;
    let width = name_width(rig.clips.iter().map(|clip| clip.name.as_str()));
    for clip in &rig.clips {
        writeln!(out, "  {:width$}  {:.3} s", printable(&clip.name), clip.secs)?;
    }
    Ok(())
}

fn write_vertices(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    if rig.notable.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nVertices")?;
    for notable in &rig.notable {
        let position = format_position(notable.position_in_bind);
        let vertex = format!("v{}", notable.vertex);
        writeln!(out, "  {vertex:7}  {position:28}  {}", notable.why)?;
    }
    if rig.rings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nRings, as `rings` and `along` take them")?;
    for ring in &rig.rings {
        let range = format!("[{}, {}]", ring.first, ring.last);
        writeln!(out, "  {range:14}  {} = {}", ring.axis, format_coordinate(ring.at))?;
    }
    Ok(())
}

fn write_weights(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    let Some(weights) = &rig.weights else {
        return Ok(());
    };
    writeln!(out, "\nWeights, by joint")?;
    for (vertex, rows) in weights.iter().enumerate() {
        let vertex = format!("v{vertex}");
        write!(out, "  {vertex:7}")?;
        for row in rows {
            write!(out, "  {}: {:.4}", row.joint, row.weight)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn format_position(position: [f32; 3]) -> String {
    format!("({})", position.map(format_coordinate).join(", "))
}

fn format_coordinate(number: f32) -> String {
    // Adding 0 turns −0 into 0.
    short_number((f64::from(number) * 1000.0).round() / 1000.0 + 0.0)
}

/// Returns the width of a column of names, in characters.
fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let widths = names.map(|name| printable(name).chars().count());
    widths.max().unwrap_or(0).min(MAX_NAME_WIDTH)
}
