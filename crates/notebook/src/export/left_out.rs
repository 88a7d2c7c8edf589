//! What a file leaves out of what is open, or holds in another form.

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Interpolation, Track, TrackProperty};
use glam::{Mat4, Vec4};

use crate::Derived;

/// How far Σw may be from 1 as a matter of rounding.
const ROUNDING: f64 = 1e-5;
/// How far a rotation's length may be from 1 before its key is changed.
const UNIT: f32 = 5e-3;

/// What is left out, in the order in which it was said.
#[derive(Default)]
pub(super) struct LeftOutNotes(Vec<Diagnostic>);

impl LeftOutNotes {
    fn say(&mut self, code: &'static str, title: &str) {
        self.0.push(Diagnostic { severity: Severity::Note, ..Diagnostic::said(code, title) });
    }

    fn say_if(&mut self, so: bool, code: &'static str, title: &str) {
        if so {
            self.say(code, title);
        }
    }

    /// Of so many; `{}` in the title stands for how many.
    fn count(&mut self, count: usize, code: &'static str, title: &str) {
        self.say_if(count > 0, code, &title.replace("{}", &count.to_string()));
    }

    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.0
    }
}

const ONE_POSE: &str = "It holds this pose alone: no joints, weights, clips or morph targets.";

pub(super) fn of_posed_glb(derived: &Derived, notes: &mut LeftOutNotes) {
    notes.say("ONE_POSE", ONE_POSE);
    beyond_colors(derived, notes);
    not_read(derived, notes);
}

pub(super) fn of_obj(derived: &Derived, notes: &mut LeftOutNotes) {
    notes.say("ONE_POSE", ONE_POSE);
    let mesh = &derived.rig.mesh;
    let painted = !mesh.materials.is_empty() || !mesh.colors.is_empty();
    let title = "It has no materials, images or colours.";
    notes.say_if(painted, "NO_MATERIALS", title);
}

pub(super) fn of_matrices(_: &Derived, notes: &mut LeftOutNotes) {
    let title = "It holds this pose alone: no vertices, weights or clips.";
    notes.say("ONE_POSE", title);
}

pub(super) fn of_weights(_: &Derived, notes: &mut LeftOutNotes) {
    let title = "It holds weights alone: no vertices, joints or clips.";
    notes.say("WEIGHTS_ALONE", title);
}

pub(super) fn of_array(derived: &Derived, notes: &mut LeftOutNotes) {
    of_matrices(derived, notes);
    let title = "It has no names and no parents: joints are known by their numbers.";
    notes.say("NO_NAMES", title);
}

pub(super) fn of_vertices(_: &Derived, notes: &mut LeftOutNotes) {
    let title = "It holds this pose alone: no triangles, weights, materials or joints.";
    notes.say("ONE_POSE", title);
}

pub(super) fn of_rig(derived: &Derived, notes: &mut LeftOutNotes) {
    weights(derived, notes);
    let affine = |matrix: &&Mat4| matrix.row(3) == Vec4::W;
    let matrices = derived.used_joint_from_bind.iter();
    let odd = matrices.filter(|matrix| !affine(matrix)).count();
    let title = "{} inverse bind matrices do not end in 0 0 0 1; in the file they do.";
    notes.count(odd, "INVERSE_BIND_CHANGED", title);
    let stretched = !derived.pose.stretch_in_parent.is_empty();
    let title = "Interpolated matrices stretch joints; a node holds their rotation alone.";
    notes.say_if(stretched, "STRETCH_LEFT_OUT", title);
    let clips = &derived.rig.clips;
    let channels = clips.iter().flat_map(|clip| &clip.channels);
    let changed = channels.filter(|channel| is_changed_spline(&channel.track));
    let title = "{} splines of rotations begin before 0 or have keys that are not of unit length; in the file they have, and go between them a little differently.";
    notes.count(changed.count(), "KEYS_CHANGED", title);
    for clip in clips.iter().filter(|clip| !derived.rig.is_moved_by(clip)) {
        let title = format!("Clip “{}” moves nothing and is not in it.", clip.name);
        notes.say("CLIP_LEFT_OUT", &title);
    }
    let title = "Meshes that are not shown are not in it: those of {} nodes.";
    notes.count(hidden_meshes(derived), "MESHES_LEFT_OUT", title);
    beyond_colors(derived, notes);
    not_read(derived, notes);
}

/// Weights that glTF does not allow.
fn weights(derived: &Derived, notes: &mut LeftOutNotes) {
    let (mut off, mut without) = (0, 0);
    for influences in &derived.influences {
        let weights = influences.weights.map(f64::from);
        let sum: f64 = weights.iter().sum();
        if weights.iter().all(|&weight| weight <= 0.0) {
            without += 1;
        } else if (sum - 1.0).abs() > ROUNDING || weights.iter().any(|&weight| weight < 0.0) {
            off += 1;
        }
    }
    let title = "Weights of {} vertices do not sum to 1, or are negative; in the file they are divided by their sum, those below 0 left out.";
    notes.count(off, "WEIGHTS_CHANGED", title);
    let title = "{} vertices follow no joint; in the file they follow the first of their skin.";
    notes.count(without, "WEIGHTS_CHANGED", title);
}

/// Of a rotation, and as glTF does not allow: with keys before 0, or not of unit
/// length.
fn is_changed_spline(track: &Track) -> bool {
    let off = |key: usize| {
        let squares = track.value(key).iter().map(|x| x * x);
        (squares.sum::<f32>().sqrt() - 1.0).abs() > UNIT
    };
    let cut = || track.key_times().first().is_some_and(|&time| time < 0.0);
    track.interpolation == Interpolation::CubicSpline
        && track.property == TrackProperty::Rotation
        && (cut() || (0..track.key_count()).any(off))
}

/// Nodes with meshes that the scene does not show: these are not read.
fn hidden_meshes(derived: &Derived) -> usize {
    let parts = derived.rig.mesh.parts.iter();
    let shown: BTreeSet<usize> = parts.map(|part| part.node.index()).collect();
    let origin = derived.rig.origin.iter();
    let nodes = origin.flat_map(|origin| origin.graph.nodes.iter().enumerate());
    nodes.filter(|(at, node)| node.mesh.is_some() && !shown.contains(at)).count()
}

/// Colours that glTF does not allow.
fn beyond_colors(derived: &Derived, notes: &mut LeftOutNotes) {
    let mesh = &derived.rig.mesh;
    let beyond = |color: &Vec4| color.clamp(Vec4::ZERO, Vec4::ONE) != *color;
    let factors = mesh.materials.iter().map(|material| &material.base_color);
    let beyond = mesh.colors.iter().chain(factors).any(beyond);
    let title = "Colours below 0 or above 1 are 0 or 1 in it.";
    notes.say_if(beyond, "COLORS_CHANGED", title);
}

fn not_read(derived: &Derived, notes: &mut LeftOutNotes) {
    let title = "What the program does not read of the model is not in it: of materials all but the base colour, cameras, lights, extras.";
    notes.say_if(derived.rig.origin.is_some(), "NOT_READ", title);
}
