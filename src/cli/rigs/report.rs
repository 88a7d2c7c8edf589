//! What there is to name, as it goes into JSON; the tables are made of the same.

use bindpose_asset::{NodePart, Param, ParamKind, Rig};
use bindpose_skin::JointIndex;
use serde::Serialize;

use super::notable::{Notable, Ring, notable, position_in_bind, rings};
use crate::cli::named::name_of;

/// A rig in a line.
#[derive(Debug, Serialize)]
pub(super) struct Brief {
    pub(super) rig: String,
    pub(super) title: String,
    pub(super) joints: usize,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) clips: usize,
    pub(super) params: Vec<String>,
}

impl Brief {
    pub(super) fn new(rig: &Rig) -> Self {
        Self {
            rig: name_of(rig).to_owned(),
            title: rig.title.clone(),
            joints: rig.skeleton.len(),
            vertices: rig.mesh.positions.len(),
            triangles: rig.mesh.triangles.len(),
            clips: rig.clips.len(),
            params: rig.params.iter().map(|param| param.name.clone()).collect(),
        }
    }
}

/// Everything of one rig.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) rig: String,
    pub(super) title: String,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) params: Vec<ParamRow>,
    pub(super) joints: Vec<JointRow>,
    pub(super) clips: Vec<ClipRow>,
    pub(super) notable: Vec<Notable>,
    pub(super) rings: Vec<Ring>,
    /// By vertex; left out if nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<Vec<Vec<WeightRow>>>,
}

#[derive(Debug, Serialize)]
pub(super) struct ParamRow {
    pub(super) name: String,
    pub(super) label: String,
    /// `rad`, `factor`, `share` of a shape or of the way, or `length` in world units.
    pub(super) unit: &'static str,
    pub(super) default: f64,
    pub(super) range: [f64; 2],
}

#[derive(Debug, Serialize)]
pub(super) struct JointRow {
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) parent: Option<u16>,
    pub(super) position_in_bind: [f32; 3],
}

#[derive(Debug, Serialize)]
pub(super) struct ClipRow {
    pub(super) name: String,
    pub(super) secs: f32,
}

#[derive(Debug, Serialize)]
pub(super) struct WeightRow {
    pub(super) joint: u16,
    pub(super) weight: f32,
}

impl Report {
    pub(super) fn new(rig: &Rig, weights: bool) -> Self {
        let mesh = &rig.mesh;
        let joints = rig.skeleton.joints().iter().enumerate();
        let joints = joints.map(|(index, joint)| JointRow {
            index,
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| parent.0),
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
            params: rig.params.iter().map(param_row).collect(),
            joints: joints.collect(),
            clips: clips.collect(),
            notable: notable(rig),
            rings: rings(&mesh.positions),
            weights: weights
                .then(|| (0..mesh.positions.len()).map(|v| weight_rows(rig, v)).collect()),
        }
    }
}

fn param_row(param: &Param) -> ParamRow {
    ParamRow {
        name: param.name.clone(),
        label: param.label.clone(),
        unit: unit(param.kind),
        default: param.default,
        range: [param.range.0, param.range.1],
    }
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
