//! `bindpose rigs`: what a lesson can name of a rig or a model: parameters, joints,
//! clips, vertices; as JSON, and as the tables that are made of the same.

mod notable;

use std::ffi::OsString;
use std::io::{self, Write};

use bindpose_asset::{JointRole, NodePart, Param, ParamKind, Rig, builtin, builtin_ids};
use bindpose_diagnostic::{Diagnostic, printable, short_number};
use bindpose_skin::JointIndex;
use serde::Serialize;

use super::CommandFailure;
use super::arguments::{self, name_of};
use super::output::{OutputForm, form, to_stdout};
use notable::{AXES, Notable, SAME, VertexRing, notable, position_in_bind, rings};

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
    #[arg(long, value_parser = form(["table", "json"]), default_value = "table")]
    format: OutputForm,
}

const AFTER_HELP: &str = "Lessons name a rig, its parameters, joints, clips and vertices as they \
                          stand here.\nPositions are in bind space.";

const POSITIVE: &str = "  Axes are those of bind space. With one pointing at you, a positive angle \
                        turns counter-clockwise.";

pub(super) fn run(args: &RigsArgs) -> Result<(), CommandFailure> {
    let Some(name) = &args.rig else {
        return all(args.format);
    };
    let rig = arguments::rig(name)?;
    let report = RigReport::new(&rig, args.weights);
    to_stdout(args.format, |out| match args.format {
        OutputForm::Json => {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)
        }
        _ => write_report(out, &report),
    })
}

fn all(format: OutputForm) -> Result<(), CommandFailure> {
    let mut rigs = Vec::new();
    for id in builtin_ids() {
        let rig = builtin(id).ok_or_else(|| {
            CommandFailure::cannot(Diagnostic::said("NO_RIG", format!("{id} cannot be made here")))
        })?;
        rigs.push(Brief::new(&rig));
    }
    to_stdout(format, |out| match format {
        OutputForm::Json => {
            serde_json::to_writer_pretty(&mut *out, &rigs)?;
            writeln!(out)
        }
        _ => write_rigs(out, &rigs),
    })
}

/// A rig in a line.
#[derive(Debug, Serialize)]
struct Brief {
    rig: String,
    title: String,
    joints: usize,
    vertices: usize,
    triangles: usize,
    clips: usize,
    params: Vec<String>,
}

impl Brief {
    fn new(rig: &Rig) -> Self {
        Self {
            rig: name_of(rig).to_owned(),
            title: rig.title.clone(),
            joints: rig.joint_count(),
            vertices: rig.mesh.positions.len(),
            triangles: rig.mesh.triangles.len(),
            clips: rig.clips.len(),
            params: rig.params.iter().map(|param| param.name.clone()).collect(),
        }
    }
}

/// Everything of one rig.
#[derive(Debug, Serialize)]
struct RigReport {
    rig: String,
    title: String,
    vertices: usize,
    triangles: usize,
    params: Vec<ParamRow>,
    joints: Vec<RigJointRow>,
    clips: Vec<ClipRow>,
    notable: Vec<Notable>,
    rings: Vec<VertexRing>,
    /// What was lost when the file was read.
    notes: Vec<Diagnostic>,
    /// By vertex; left out if nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Vec<WeightRow>>>,
}

#[derive(Debug, Serialize)]
struct ParamRow {
    name: String,
    label: String,
    /// `rad`, `factor`, `share` of a shape or of the way, or `length` in world units.
    unit: &'static str,
    default: f64,
    range: [f64; 2],
    /// Of an angle of one joint: a unit vector, about which positive angles turn
    /// counter-clockwise where it points at the reader. It turns with the joint.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis_in_bind: Option<[f32; 3]>,
}

#[derive(Debug, Serialize)]
struct RigJointRow {
    index: usize,
    name: String,
    parent: Option<u16>,
    /// False for a node above joints or meshes, which a file does not call a joint.
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
    fn new(rig: &Rig, weights: bool) -> Self {
        let mesh = &rig.mesh;
        let joints = rig.skeleton.joints().iter().zip(rig.joint_roles()).enumerate();
        let joints = joints.map(|(index, (joint, role))| RigJointRow {
            index,
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| parent.0),
            of_skin: role != JointRole::Helper,
            position_in_bind: position_in_bind(joint.joint_from_bind).to_array(),
        });
        let clips = rig
            .clips
            .iter()
            .map(|clip| ClipRow { name: clip.name.clone(), secs: clip.duration_secs });
        Self {
            rig: name_of(rig).to_owned(),
            title: rig.title.clone(),
            vertices: mesh.positions.len(),
            triangles: mesh.triangles.len(),
            params: rig.params.iter().map(|param| param_row(param, rig)).collect(),
            joints: joints.collect(),
            clips: clips.collect(),
            notable: notable(rig),
            rings: rings(&mesh.positions),
            notes: rig.left_out().cloned().collect(),
            weights: weights
                .then(|| (0..mesh.positions.len()).map(|v| weight_rows(rig, v)).collect()),
        }
    }
}

fn param_row(param: &Param, rig: &Rig) -> ParamRow {
    ParamRow {
        name: param.name.clone(),
        label: param.label.clone(),
        unit: unit(param.kind),
        default: param.default,
        range: [param.range.0, param.range.1],
        axis_in_bind: axis_in_bind(param.kind, rig),
    }
}

fn axis_in_bind(kind: ParamKind, rig: &Rig) -> Option<[f32; 3]> {
    let (ParamKind::Angle { joint, axis } | ParamKind::BindAngle { joint, axis }) = kind else {
        return None;
    };
    let joint = rig.skeleton.joints().get(joint.index())?;
    let in_bind = joint.joint_from_bind.inverse().transform_vector3(axis).try_normalize()?;
    Some(in_bind.to_array())
}

fn unit(kind: ParamKind) -> &'static str {
    match kind {
        kind if kind.is_angle() => "rad",
        ParamKind::Scale { .. } | ParamKind::MeshNode(NodePart::Size) => "factor",
        ParamKind::Morph { .. } | ParamKind::RestToPose => "share",
        _ => "length",
    }
}

/// All of them, also of a vertex with more than eight; the heaviest first.
fn weight_rows(rig: &Rig, vertex: usize) -> Vec<WeightRow> {
    let row = |(joint, weight): (JointIndex, f32)| WeightRow { joint: joint.0, weight };
    let many = rig.mesh.many.get(&(vertex as u32));
    let mut rows: Vec<WeightRow> = match (many, rig.mesh.influences.get(vertex)) {
        (Some(many), _) => many.iter().copied().map(row).collect(),
        (None, Some(influences)) => {
            let used = influences.used();
            used.map(|(_, joint, weight)| row((joint, weight))).collect()
        }
        (None, None) => Vec::new(),
    };
    rows.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    rows
}

fn write_rigs(out: &mut dyn Write, rigs: &[Brief]) -> io::Result<()> {
    let width = widest(rigs.iter().map(|rig| rig.rig.as_str()));
    for rig in rigs {
        writeln!(
            out,
            "{:width$}  {}: {} joints, {} vertices, {} triangles, {} clips",
            rig.rig, rig.title, rig.joints, rig.vertices, rig.triangles, rig.clips
        )?;
        writeln!(out, "{:width$}  {}", "", few(&rig.params))?;
    }
    writeln!(out, "\nbindpose rigs RIG prints one of them; FILE, a model.")
}

/// Many of one kind, such as the angles of 40 links, in a few words.
fn few(names: &[String]) -> String {
    const SHOWN: usize = 10;
    match names.len() {
        0 => "no parameters".to_owned(),
        count if count > SHOWN => {
            format!("{}, … ({count})", names[..SHOWN].join(", "))
        }
        _ => names.join(", "),
    }
}

fn write_report(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    let (vertices, triangles) = (rig.vertices, rig.triangles);
    writeln!(out, "{}: {}", printable(&rig.rig), printable(&rig.title))?;
    writeln!(out, "{vertices} vertices, {triangles} triangles")?;
    params(out, rig)?;
    joints(out, rig)?;
    clips(out, rig)?;
    notable_rows(out, rig)?;
    weights(out, rig)
}

fn params(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    if rig.params.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nParameters")?;
    let width = widest(rig.params.iter().map(|param| param.name.as_str()));
    for param in &rig.params {
        let value = |value: f64| match param.unit {
            "rad" => format!("{}°", short_number((value.to_degrees() * 10.0).round() / 10.0)),
            _ => short_number((value * 1000.0).round() / 1000.0),
        };
        let [low, high] = param.range.map(value);
        let unit = match param.unit {
            "rad" => "angle",
            unit => unit,
        };
        let default = value(param.default);
        let about = param.axis_in_bind.map(axis_words).unwrap_or_default();
        writeln!(
            out,
            "  {:width$}  {unit:6}  {low:>6} to {high:6}  at first {default:6}  {}{about}",
            param.name,
            printable(&param.label)
        )?;
    }
    if rig.params.iter().any(|param| param.axis_in_bind.is_some()) {
        writeln!(out, "{POSITIVE}")?;
    }
    Ok(())
}

/// `, about −x`.
fn axis_words(axis_in_bind: [f32; 3]) -> String {
    let along = axis_in_bind.iter().position(|part| part.abs() > 1.0 - SAME);
    along.map_or_else(
        || format!(", about {}", place(axis_in_bind)),
        |along| {
            let sign = if axis_in_bind[along] < 0.0 { "−" } else { "" };
            format!(", about {sign}{}", AXES[along])
        },
    )
}

fn joints(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    let width = widest(rig.joints.iter().map(|joint| joint.name.as_str()));
    for (heading, of_skin) in [("Joints", true), ("Nodes above them, which are no joints", false)] {
        let rows = || rig.joints.iter().filter(|joint| joint.of_skin == of_skin);
        if rows().next().is_some() {
            writeln!(out, "\n{heading}")?;
        }
        joint_rows(out, rows(), width)?;
    }
    Ok(())
}

fn joint_rows<'a>(
    out: &mut dyn Write,
    joints: impl Iterator<Item = &'a RigJointRow>,
    width: usize,
) -> io::Result<()> {
    for joint in joints {
        let parent = match joint.parent {
            Some(parent) => format!("below {parent}"),
            None => "root".to_owned(),
        };
        let at = place(joint.position_in_bind);
        let (index, name) = (joint.index, printable(&joint.name));
        writeln!(out, "  {index:3}  {name:width$}  {parent:9}  {at}")?;
    }
    Ok(())
}

fn clips(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    if rig.clips.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nClips (time and fade are parameters too)")?;
    let width = widest(rig.clips.iter().map(|clip| clip.name.as_str()));
    for clip in &rig.clips {
        let (name, secs) = (printable(&clip.name), clip.secs);
        writeln!(out, "  {name:width$}  {secs:.3} s")?;
    }
    Ok(())
}

fn notable_rows(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
    if rig.notable.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nVertices")?;
    for one in &rig.notable {
        let at = place(one.position_in_bind);
        let vertex = format!("v{}", one.vertex);
        writeln!(out, "  {vertex:7}  {at:28}  {}", one.why)?;
    }
    if rig.rings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nRings, as `rings` and `along` take them")?;
    for ring in &rig.rings {
        let run = format!("[{}, {}]", ring.first, ring.last);
        let (axis, at) = (ring.axis, short(ring.at));
        writeln!(out, "  {run:14}  {axis} = {at}")?;
    }
    Ok(())
}

fn weights(out: &mut dyn Write, rig: &RigReport) -> io::Result<()> {
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

fn place(position: [f32; 3]) -> String {
    format!("({})", position.map(short).join(", "))
}

fn short(number: f32) -> String {
    // + 0.0 turns −0 into 0.
    short_number((f64::from(number) * 1000.0).round() / 1000.0 + 0.0)
}

fn widest<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    const MOST: usize = 40;
    let widths = names.map(|name| printable(name).chars().count());
    widths.max().unwrap_or(0).min(MOST)
}
