//! Every file that can be had: what is said of it, and how it is made.

use std::collections::BTreeSet;

use bindpose_asset::{OpenRig, Rig, write_npy, write_obj, write_posed_glb, write_rig_glb};
use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Interpolation, JointIndex, Track, TrackProperty, WeightFormat};
use glam::{Mat4, Vec3, Vec4};

use super::kinds::{Export, ExportContent, ExportFormat};
use super::tables::{
    matrices_csv, matrices_json, matrices_table, matrix_of, vertices_csv, weights_csv, weights_json,
};
use crate::Derived;
use crate::posing::poses_json;

/// A file that can be had, and what is said of it.
pub(super) struct ExportFile {
    pub(super) export: Export,
    /// What is in it: shape, order, frame, units. One or two sentences, where
    /// `{joints}`, `{joints of the skin}`, `{joints of skins}` and `{vertices}` stand
    /// for how many there are.
    about: &'static str,
    /// What it leaves out of what is open.
    pub(super) left_out: fn(&Derived, &mut LeftOutNotes),
    /// Its bytes; absent for pictures, which are drawn and not computed, and for
    /// what is no part of the page.
    pub(super) make: Option<Make>,
}

/// How the bytes of a file are made.
#[derive(Clone, Copy)]
pub(super) enum Make {
    /// Of all that is open.
    Whole(fn(&Derived) -> Result<Vec<u8>, Diagnostic>),
    /// Of these joints of the rig, which are those of one skin, in its order.
    OneSkin(fn(&Derived, &[JointIndex]) -> Result<Vec<u8>, Diagnostic>),
}

/// Contents in the order of the menu; the first format of a content is the usual
/// one.
#[rustfmt::skip]
pub(super) const FILES: &[ExportFile] = &[
    not_of_numbers(ExportContent::Viewport, ExportFormat::Png, "The first picture on the page as you see it, joints and marks with it."),
    not_of_numbers(ExportContent::Page, ExportFormat::Png, "All that the window shows, but for this menu."),
    not_of_numbers(ExportContent::Film, ExportFormat::Gif, ""),
    file(ExportContent::Mesh, ExportFormat::Glb, "{vertices} vertices in world space, as the joints have put them, with materials.", of_posed_glb,
        |derived| write_posed_glb(&derived.rig, &derived.moved())),
    file(ExportContent::Mesh, ExportFormat::Obj, "{vertices} vertices in world space, as the joints have put them.", of_obj,
        |derived| Ok(write_obj(&derived.rig.title, &derived.rig.mesh, derived.positions(), &derived.normals()))),
    file(ExportContent::Rig, ExportFormat::Glb, "{joints of skins} joints in the pose that is shown, with weights, inverse bind matrices{, morph targets} and clips.", of_rig,
        |derived| rig_glb(derived, None)),
    rig_of(WeightFormat::Bytes, "{joints of skins} joints, as in the file with floats; weights as bytes, c / 255, that add up to 255 on every vertex."),
    rig_of(WeightFormat::Shorts, "{joints of skins} joints, as in the file with floats; weights as shorts, c / 65535, that add up to 65535 on every vertex."),
    file(ExportContent::Pose, ExportFormat::Json, "{joints} joints: translation, rotation as x, y, z, w, and scale of each in its parent’s frame.", of_matrices,
        |derived| Ok(poses_json(&derived.rig, std::iter::once(("now", &derived.joints.pose)))?.into_bytes())),
    of_one_skin(ExportContent::Palette, ExportFormat::Csv, PALETTE, of_matrices,
        |derived, joints| Ok(matrices_csv(&derived.rig, joints, &matrices_table(derived)[3..]))),
    of_one_skin(ExportContent::Palette, ExportFormat::Json, PALETTE, of_matrices,
        |derived, joints| Ok(matrices_json(&derived.rig, joints, &matrices_table(derived)[3..])?)),
    of_one_skin(ExportContent::Palette, ExportFormat::Npy, "Shape ({joints of the skin}, 4, 4), 32-bit floats, little endian: M[joint, row, column], world from bind.", of_array,
        |derived, joints| Ok(write_npy(&[joints.len(), 4, 4], &rows(joints, &derived.joints.world_from_bind)))),
    of_one_skin(ExportContent::Matrices, ExportFormat::Csv, MATRICES, of_matrices,
        |derived, joints| Ok(matrices_csv(&derived.rig, joints, &matrices_table(derived)))),
    of_one_skin(ExportContent::Matrices, ExportFormat::Json, MATRICES, of_matrices,
        |derived, joints| Ok(matrices_json(&derived.rig, joints, &matrices_table(derived))?)),
    of_one_skin(ExportContent::Matrices, ExportFormat::Npy, "Shape (4, {joints of the skin}, 4, 4), 32-bit floats, little endian: M[which, joint, row, column]; 0 parent from joint, 1 world from joint, 2 joint from bind, 3 world from bind.", of_array,
        |derived, joints| Ok(write_npy(&[4, joints.len(), 4, 4], &matrices_table(derived).map(|(_, list)| rows(joints, list)).concat()))),
    file(ExportContent::Weights, ExportFormat::Json, WEIGHTS, of_weights,
        |derived| Ok(weights_json(derived)?)),
    file(ExportContent::Weights, ExportFormat::Csv, WEIGHTS, of_weights,
        |derived| Ok(weights_csv(derived))),
    file(ExportContent::Vertices, ExportFormat::Csv, "{vertices} rows: position and normal in world space.", of_vertices,
        |derived| Ok(vertices_csv(derived.positions(), &derived.normals()))),
    file(ExportContent::Vertices, ExportFormat::Npy, "Shape ({vertices}, 3), 32-bit floats, little endian: positions in world space.", of_vertices,
        |derived| Ok(npy_of(derived.positions()))),
    file(ExportContent::Normals, ExportFormat::Npy, "Shape ({vertices}, 3), 32-bit floats, little endian: unit normals in world space.", of_vertices,
        |derived| Ok(npy_of(&derived.normals()))),
    not_of_numbers(ExportContent::Handout, ExportFormat::Html, HANDOUT),
    not_of_numbers(ExportContent::Record, ExportFormat::Markdown, RECORD),
    not_of_numbers(ExportContent::Record, ExportFormat::Json, RECORD),
    not_of_numbers(ExportContent::Work, ExportFormat::Json, WORK),
];

const HANDOUT: &str = "One page that needs nothing beside it: prose, formulas, numbers and pictures as each step opens, exercises, and a glossary. Open it in a browser, and print it there.";

const RECORD: &str = "The steps you have seen, the exercises you have tried and solved, your answers, how far off your guesses were, your bookmarks and notes. It is saved where you say and sent nowhere.";

const WORK: &str = "All that the notebook remembers of you: what you have seen and solved, your notes and bookmarks, what you changed at each step, and your settings. Open the file in another browser or on another computer, as you open a model, and go on there.";

const PALETTE: &str =
    "{joints of the skin} × 16 numbers, world from bind, column by column as in glTF.";
const WEIGHTS: &str = "Of {vertices} vertices, the joints that have a weight there, and how much, with all edits and as they stand: sums other than 1 too.";
const MATRICES: &str = "4 × {joints of the skin} × 16 numbers, column by column as in glTF: parent from joint, world from joint, joint from bind, world from bind.";

const fn file(
    content: ExportContent,
    format: ExportFormat,
    about: &'static str,
    left_out: fn(&Derived, &mut LeftOutNotes),
    make: fn(&Derived) -> Result<Vec<u8>, Diagnostic>,
) -> ExportFile {
    ExportFile {
        export: Export { content, format, weights: None },
        about,
        left_out,
        make: Some(Make::Whole(make)),
    }
}

const fn of_one_skin(
    content: ExportContent,
    format: ExportFormat,
    about: &'static str,
    left_out: fn(&Derived, &mut LeftOutNotes),
    make: fn(&Derived, &[JointIndex]) -> Result<Vec<u8>, Diagnostic>,
) -> ExportFile {
    ExportFile {
        export: Export { content, format, weights: None },
        about,
        left_out,
        make: Some(Make::OneSkin(make)),
    }
}

/// The rig, with weights as whole numbers.
const fn rig_of(weights: WeightFormat, about: &'static str) -> ExportFile {
    ExportFile {
        export: Export {
            content: ExportContent::Rig,
            format: ExportFormat::Glb,
            weights: Some(weights),
        },
        about,
        left_out: of_rig,
        make: Some(Make::Whole(match weights {
            WeightFormat::Bytes => |derived| rig_glb(derived, Some(WeightFormat::Bytes)),
            WeightFormat::Shorts => |derived| rig_glb(derived, Some(WeightFormat::Shorts)),
        })),
    }
}

const fn not_of_numbers(
    content: ExportContent,
    format: ExportFormat,
    about: &'static str,
) -> ExportFile {
    ExportFile {
        export: Export { content, format, weights: None },
        about,
        left_out: |_, _| {},
        make: None,
    }
}

impl ExportFile {
    /// What is in it, with numbers.
    pub(super) fn about(&self, derived: &Derived, skin: usize) -> String {
        let morphs = match derived.rig.morphs().count() {
            0 => "",
            _ => ", morph targets",
        };
        let vertices = derived.rig.mesh.positions.len();
        let of_skin = joints_of_palette(&derived.rig, skin).map_or(0, |joints| joints.len());
        self.about
            .replace("{joints}", &derived.joints.world_from_bind.len().to_string())
            .replace("{joints of the skin}", &of_skin.to_string())
            .replace("{joints of skins}", &derived.rig.joint_count().to_string())
            .replace("{vertices}", &vertices.to_string())
            .replace("{, morph targets}", morphs)
    }

    pub(super) fn is_of_one_skin(&self) -> bool {
        matches!(self.make, Some(Make::OneSkin(_)))
    }
}

/// The joints of a skin, in the order of its palette. Of a file without skins, whose
/// nodes move its meshes, all that move something.
///
/// # Errors
/// There is no such skin, or it could not be read.
pub(super) fn joints_of_palette(rig: &Rig, skin: usize) -> Result<Vec<JointIndex>, Diagnostic> {
    let count = rig.skin_count();
    if count == 0 {
        return Ok(rig.skeleton.indices().collect());
    }
    match rig.joints_of_skin(skin) {
        Some(joints) if !joints.is_empty() => Ok(joints),
        Some(_) => {
            let title = format!("skin {skin} of the file could not be read");
            let help = "`bindpose doctor` says what is wrong with it";
            Err(Diagnostic::said("SKIN_NOT_READ", title).help(help))
        }
        None => Err(no_such_skin(rig, skin)),
    }
}

/// The error for the index of a skin that the model does not have.
pub fn no_such_skin(rig: &Rig, skin: usize) -> Diagnostic {
    let there_are = match rig.skin_count() {
        0 => "this model has none".to_owned(),
        1 => "the only one is 0".to_owned(),
        count => format!("they are numbered 0 to {}", count - 1),
    };
    let wrong = Diagnostic::unknown("skin", &skin.to_string(), &[]);
    wrong.title("there is no such skin").help(there_are)
}

fn rig_glb(derived: &Derived, weights: Option<WeightFormat>) -> Result<Vec<u8>, Diagnostic> {
    write_rig_glb(&OpenRig {
        rig: &derived.rig,
        pose: &derived.joints.pose,
        joint_from_bind: &derived.joints.used_joint_from_bind,
        influences: &derived.influences,
        morph_weights: &derived.joints.morph_weights,
        weights,
    })
}

fn npy_of(vectors: &[Vec3]) -> Vec<u8> {
    write_npy(&[vectors.len(), 3], bytemuck::cast_slice(vectors))
}

/// Those of these joints, row by row, as `NumPy` counts; glam keeps columns.
fn rows(joints: &[JointIndex], matrices: &[Mat4]) -> Vec<f32> {
    let rows = joints.iter().map(|&joint| matrix_of(matrices, joint).transpose());
    rows.flat_map(|matrix| matrix.to_cols_array()).collect()
}

// What a file leaves out of what is open, or holds in another form.

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

/// Of a model with several, whose joints are in the file.
pub(super) fn of_skins(rig: &Rig, skin: usize, notes: &mut LeftOutNotes) {
    let count = rig.skin_count();
    let title = format!("It holds skin {skin} alone, of {count}: each has a palette of its own.");
    notes.say_if(count > 1, "ONE_SKIN", &title);
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
    let matrices = derived.joints.used_joint_from_bind.iter();
    let odd = matrices.filter(|matrix| !affine(matrix)).count();
    let title = "{} inverse bind matrices do not end in 0 0 0 1; in the file they do.";
    notes.count(odd, "INVERSE_BIND_CHANGED", title);
    let stretched = !derived.joints.pose.stretch_in_parent.is_empty();
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
