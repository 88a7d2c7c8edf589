//! What a file leaves out of what is open, or holds in another form.

use std::collections::BTreeSet;

use glam::{Mat4, Vec4};

use crate::diagnostic::{Diagnostic, Severity};
use crate::notebook::Derived;
use crate::skin::{Interpolation, Property};

/// How far Σw may be from 1 as a matter of rounding.
const ROUNDING: f64 = 1e-5;
/// How far a rotation's length may be from 1 before its key is changed.
const UNIT: f32 = 5e-3;

/// What is left out, in the order in which it was said.
#[derive(Default)]
pub(super) struct Notes(Vec<Diagnostic>);

impl Notes {
    fn say(&mut self, code: &'static str, title: impl Into<String>) {
        self.0.push(Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::said(code, title)
        });
    }

    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.0
    }
}

const ONE_POSE: &str = "It holds this pose alone: no joints, weights, clips or morph targets.";

pub(super) fn of_posed_glb(derived: &Derived, notes: &mut Notes) {
    notes.say("ONE_POSE", ONE_POSE);
    beyond_colors(derived, notes);
    not_read(derived, notes);
}

pub(super) fn of_obj(derived: &Derived, notes: &mut Notes) {
    notes.say("ONE_POSE", ONE_POSE);
    let mesh = &derived.rig.mesh;
    if !mesh.materials.is_empty() || !mesh.colors.is_empty() {
        let title = "It has no materials, images or colours.";
        notes.say("NO_MATERIALS", title);
    }
}

pub(super) fn of_matrices(_: &Derived, notes: &mut Notes) {
    let title = "It holds this pose alone: no vertices, weights or clips.";
    notes.say("ONE_POSE", title);
}

pub(super) fn of_array(derived: &Derived, notes: &mut Notes) {
    of_matrices(derived, notes);
    let title = "It has no names and no parents: joints are known by their numbers.";
    notes.say("NO_NAMES", title);
}

pub(super) fn of_vertices(_: &Derived, notes: &mut Notes) {
    let title = "It holds this pose alone: no triangles, weights, materials or joints.";
    notes.say("ONE_POSE", title);
}

pub(super) fn of_rig(derived: &Derived, notes: &mut Notes) {
    weights(derived, notes);
    inverse_binds(derived, notes);
    if !derived.pose.stretch_in_parent.is_empty() {
        let title = "Interpolated matrices stretch joints; a node holds their rotation alone.";
        notes.say("STRETCH_LEFT_OUT", title);
    }
    splines(derived, notes);
    for clip in derived
        .rig
        .clips
        .iter()
        .filter(|clip| clip.channels.is_empty())
    {
        let title = format!("Clip “{}” moves nothing and is not in it.", clip.name);
        notes.say("CLIP_LEFT_OUT", title);
    }
    hidden_meshes(derived, notes);
    beyond_colors(derived, notes);
    not_read(derived, notes);
}

/// Weights that glTF does not allow.
fn weights(derived: &Derived, notes: &mut Notes) {
    let (mut off, mut without) = (0, 0);
    for influences in derived.influences.iter() {
        let weights = influences.weights.map(f64::from);
        let sum: f64 = weights.iter().sum();
        if weights.iter().all(|&weight| weight <= 0.0) {
            without += 1;
        } else if (sum - 1.0).abs() > ROUNDING || weights.iter().any(|&weight| weight < 0.0) {
            off += 1;
        }
    }
    if off > 0 {
        let title = format!(
            "Weights of {off} vertices do not sum to 1, or are negative; in the file they are divided by their sum, those below 0 left out."
        );
        notes.say("WEIGHTS_CHANGED", title);
    }
    if without > 0 {
        let title = format!(
            "{without} vertices follow no joint; in the file they follow the first of their skin."
        );
        notes.say("WEIGHTS_CHANGED", title);
    }
}

fn inverse_binds(derived: &Derived, notes: &mut Notes) {
    let affine = |matrix: &Mat4| matrix.row(3) == Vec4::W;
    let odd = derived
        .used_joint_from_bind
        .iter()
        .filter(|one| !affine(one));
    match odd.count() {
        0 => {}
        count => {
            let title = format!(
                "{count} inverse bind matrices do not end in 0 0 0 1; in the file they do."
            );
            notes.say("INVERSE_BIND_CHANGED", title);
        }
    }
}

/// Splines of rotations that glTF does not allow: with keys before 0, or not of
/// unit length.
fn splines(derived: &Derived, notes: &mut Notes) {
    let channels = derived.rig.clips.iter().flat_map(|clip| &clip.channels);
    let changed = channels.filter(|channel| {
        let track = &channel.track;
        let spline = track.interpolation == Interpolation::CubicSpline;
        let off = |key: usize| {
            let squares = track.value(key).iter().map(|x| x * x);
            (squares.sum::<f32>().sqrt() - 1.0).abs() > UNIT
        };
        let cut = || track.key_times().first().is_some_and(|&time| time < 0.0);
        let rotation = track.property == Property::Rotation;
        spline && rotation && (cut() || (0..track.key_count()).any(off))
    });
    match changed.count() {
        0 => {}
        count => {
            let title = format!(
                "{count} splines of rotations begin before 0 or have keys that are not of unit length; in the file they have, and go between them a little differently."
            );
            notes.say("KEYS_CHANGED", title);
        }
    }
}

/// Meshes that the scene does not show are not read.
fn hidden_meshes(derived: &Derived, notes: &mut Notes) {
    let Some(origin) = &derived.rig.origin else {
        return;
    };
    let shown = derived.rig.mesh.parts.iter().map(|part| part.node.index());
    let shown: BTreeSet<usize> = shown.collect();
    let nodes = origin.graph.nodes.iter().enumerate();
    let hidden = nodes.filter(|(at, node)| node.mesh.is_some() && !shown.contains(at));
    match hidden.count() {
        0 => {}
        count => {
            let title = format!("Meshes that are not shown are not in it: those of {count} nodes.");
            notes.say("MESHES_LEFT_OUT", title);
        }
    }
}

/// Colours that glTF does not allow.
fn beyond_colors(derived: &Derived, notes: &mut Notes) {
    let mesh = &derived.rig.mesh;
    let beyond = |color: &Vec4| color.clamp(Vec4::ZERO, Vec4::ONE) != *color;
    let factors = mesh.materials.iter().map(|material| &material.base_color);
    if mesh.colors.iter().chain(factors).any(beyond) {
        let title = "Colours below 0 or above 1 are 0 or 1 in it.";
        notes.say("COLORS_CHANGED", title);
    }
}

fn not_read(derived: &Derived, notes: &mut Notes) {
    if derived.rig.origin.is_some() {
        let title = "What the program does not read of the model is not in it: of materials all but the base colour, cameras, lights, extras.";
        notes.say("NOT_READ", title);
    }
}
