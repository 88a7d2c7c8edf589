//! All files that can be exported: their descriptions, and how they are written.

use std::collections::BTreeSet;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_gltf::{OpenRig, Rig, write_npy, write_obj, write_posed_glb, write_rig_glb};
use bindpose_skin::{Interpolation, JointIndex, Track, TrackProperty, WeightFormat};
use glam::{Mat4, Vec3, Vec4};

use super::kinds::{Export, ExportContent, ExportFormat};
use super::tables::{
    matrices_csv, matrices_json, matrices_table, matrix_of, pose_json, vertices_csv, weights_csv,
    weights_json,
};
use crate::Derived;

/// A file that can be exported.
pub(super) struct ExportFile {
    pub(super) export: Export,
    /// Description of the content in one or two sentences: shape, order, frame, units. The
    /// placeholders `{joints}`, `{joints of the skin}`, `{joints of skins}` and `{vertices}`
    /// stand for counts.
    about: &'static str,
    /// Adds a note for each part of the model that the file lacks or changes.
    pub(super) left_out: fn(&Derived, &mut LeftOutNotes),
    /// `None` for pictures, which are drawn, and for content that is not part of the page.
    pub(super) writer: Option<ExportWriter>,
}

/// A function that writes a file.
#[derive(Clone, Copy)]
pub(super) enum ExportWriter {
    /// Writes everything that is open.
    Whole(fn(&Derived) -> Result<Vec<u8>, Diagnostic>),
    /// Writes these joints of the rig, which belong to one skin, in the order of the skin.
    OneSkin(fn(&Derived, &[JointIndex]) -> Result<Vec<u8>, Diagnostic>),
}

/// Contents are in the order of the menu. The first format of a content is the default.
#[rustfmt::skip]
pub(super) const FILES: &[ExportFile] = &[
    drawn_file(ExportContent::Viewport, ExportFormat::Png, "The first picture on the page as you see it, joints and marks with it."),
    drawn_file(ExportContent::Page, ExportFormat::Png, "All that the window shows, but for this menu."),
    drawn_file(ExportContent::Film, ExportFormat::Gif, ""),
    file(ExportContent::Mesh, ExportFormat::Glb, "{vertices} vertices in world space, as the joints have put them, with materials.", note_posed_glb,
        |derived| write_posed_glb(&derived.rig, &derived.moved())),
    file(ExportContent::Mesh, ExportFormat::Obj, "{vertices} vertices in world space, as the joints have put them.", note_obj,
        |derived| Ok(write_obj(&derived.rig.title, &derived.rig.mesh, derived.positions(), &derived.normals()))),
    file(ExportContent::Rig, ExportFormat::Glb, "{joints of skins} joints in the pose that is shown, with weights, inverse bind matrices{, morph targets} and clips.", note_rig,
        |derived| rig_glb(derived, None)),
    rounded_rig_file(WeightFormat::Bytes, "{joints of skins} joints, as in the file with floats; weights as bytes, c / 255, that add up to 255 on every vertex."),
    rounded_rig_file(WeightFormat::Shorts, "{joints of skins} joints, as in the file with floats; weights as shorts, c / 65535, that add up to 65535 on every vertex."),
    file(ExportContent::Pose, ExportFormat::Json, "{joints} joints: translation, rotation as x, y, z, w, and scale of each in its parent’s frame.", note_matrices,
        |derived| Ok(pose_json(&derived.rig, &derived.joints.pose)?.into_bytes())),
    skin_file(ExportContent::Palette, ExportFormat::Csv, PALETTE, note_matrices,
        |derived, joints| Ok(matrices_csv(&derived.rig, joints, &matrices_table(derived)[3..]))),
    skin_file(ExportContent::Palette, ExportFormat::Json, PALETTE, note_matrices,
        |derived, joints| Ok(matrices_json(&derived.rig, joints, &matrices_table(derived)[3..])?)),
    skin_file(ExportContent::Palette, ExportFormat::Npy, "Shape ({joints of the skin}, 4, 4), 32-bit floats, little endian: M[joint, row, column], world from bind.", note_array,
        |derived, joints| Ok(write_npy(&[joints.len(), 4, 4], &rows(joints, &derived.joints.world_from_bind)))),
    skin_file(ExportContent::Matrices, ExportFormat::Csv, MATRICES, note_matrices,
        |derived, joints| Ok(matrices_csv(&derived.rig, joints, &matrices_table(derived)))),
    skin_file(ExportContent::Matrices, ExportFormat::Json, MATRICES, note_matrices,
        |derived, joints| Ok(matrices_json(&derived.rig, joints, &matrices_table(derived))?)),
    skin_file(ExportContent::Matrices, ExportFormat::Npy, "Shape (4, {joints of the skin}, 4, 4), 32-bit floats, little endian: M[which, joint, row, column]; 0 parent from joint, 1 world from joint, 2 joint from bind, 3 world from bind.", note_array,
        |derived, joints| Ok(write_npy(&[4, joints.len(), 4, 4], &matrices_table(derived).map(|(_, list)| rows(joints, list)).concat()))),
    file(ExportContent::Weights, ExportFormat::Json, WEIGHTS, note_weights,
        |derived| Ok(weights_json(derived)?)),
    file(ExportContent::Weights, ExportFormat::Csv, WEIGHTS, note_weights,
        |derived| Ok(weights_csv(derived))),
    file(ExportContent::Vertices, ExportFormat::Csv, "{vertices} rows: position and normal in world space.", note_vertices,
        |derived| Ok(vertices_csv(derived.positions(), &derived.normals()))),
    file(ExportContent::Vertices, ExportFormat::Npy, "Shape ({vertices}, 3), 32-bit floats, little endian: positions in world space.", note_vertices,
        |derived| Ok(vectors_npy(derived.positions()))),
    file(ExportContent::Normals, ExportFormat::Npy, "Shape ({vertices}, 3), 32-bit floats, little endian: unit normals in world space.", note_vertices,
        |derived| Ok(vectors_npy(&derived.normals()))),
    drawn_file(ExportContent::Handout, ExportFormat::Html, HANDOUT),
    drawn_file(ExportContent::Record, ExportFormat::Markdown, RECORD),
    drawn_file(ExportContent::Record, ExportFormat::Json, RECORD),
    drawn_file(ExportContent::Work, ExportFormat::Json, WORK),
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
        writer: Some(ExportWriter::Whole(make)),
    }
}

const fn skin_file(
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
        writer: Some(ExportWriter::OneSkin(make)),
    }
}

/// The rig with weights as integers.
const fn rounded_rig_file(weights: WeightFormat, about: &'static str) -> ExportFile {
    ExportFile {
        export: Export {
            content: ExportContent::Rig,
            format: ExportFormat::Glb,
            weights: Some(weights),
        },
        about,
        left_out: note_rig,
        writer: Some(ExportWriter::Whole(match weights {
            WeightFormat::Bytes => |derived| rig_glb(derived, Some(WeightFormat::Bytes)),
            WeightFormat::Shorts => |derived| rig_glb(derived, Some(WeightFormat::Shorts)),
        })),
    }
}

/// A picture, or content that is not part of the page.
const fn drawn_file(
    content: ExportContent,
    format: ExportFormat,
    about: &'static str,
) -> ExportFile {
    ExportFile {
        export: Export { content, format, weights: None },
        about,
        left_out: |_, _| {},
        writer: None,
    }
}

impl ExportFile {
    /// Returns the description with counts.
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
        matches!(self.writer, Some(ExportWriter::OneSkin(_)))
    }
}

/// Returns the joints of a skin, in the order of its palette. Without skins, returns all
/// joints, which are nodes that move meshes.
///
/// # Errors
///
/// Returns a diagnostic if there is no such skin, or it could not be read.
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

/// Returns the error for a skin index that the model does not have.
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

fn vectors_npy(vectors: &[Vec3]) -> Vec<u8> {
    write_npy(&[vectors.len(), 3], bytemuck::cast_slice(vectors))
}

/// Returns the matrices of these joints row by row, as NumPy expects. Those of glam are
/// column-major.
fn rows(joints: &[JointIndex], matrices: &[Mat4]) -> Vec<f32> {
    joints
        .iter()
        .flat_map(|&joint| matrix_of(matrices, joint).transpose().to_cols_array())
        .collect()
}

/// Largest deviation of the sum of weights from 1 that counts as rounding.
const SUM_TOLERANCE: f64 = 1e-5;
/// Largest deviation of a rotation's length from 1 that does not change its key.
const UNIT_LENGTH_TOLERANCE: f32 = 5e-3;

/// Notes on parts of the model that a file lacks or changes.
#[derive(Default)]
pub(super) struct LeftOutNotes(Vec<Diagnostic>);

impl LeftOutNotes {
    fn add(&mut self, code: &'static str, title: &str) {
        self.0.push(Diagnostic { severity: Severity::Note, ..Diagnostic::said(code, title) });
    }

    fn add_if(&mut self, is_true: bool, code: &'static str, title: &str) {
        if is_true {
            self.add(code, title);
        }
    }

    /// Adds a note if the count is not 0. The count replaces `{}` in the title.
    fn add_count(&mut self, count: usize, code: &'static str, title: &str) {
        self.add_if(count > 0, code, &title.replace("{}", &count.to_string()));
    }

    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.0
    }
}

const ONE_POSE: &str = "It holds this pose alone: no joints, weights, clips or morph targets.";

pub(super) fn note_posed_glb(derived: &Derived, notes: &mut LeftOutNotes) {
    notes.add("ONE_POSE", ONE_POSE);
    note_clamped_colors(derived, notes);
    note_unread_parts(derived, notes);
}

pub(super) fn note_obj(derived: &Derived, notes: &mut LeftOutNotes) {
    notes.add("ONE_POSE", ONE_POSE);
    let mesh = &derived.rig.mesh;
    let painted = !mesh.materials.is_empty() || !mesh.colors.is_empty();
    let title = "It has no materials, images or colours.";
    notes.add_if(painted, "NO_MATERIALS", title);
}

pub(super) fn note_matrices(_: &Derived, notes: &mut LeftOutNotes) {
    let title = "It holds this pose alone: no vertices, weights or clips.";
    notes.add("ONE_POSE", title);
}

/// Notes that the file contains a single skin of a model with several.
pub(super) fn note_single_skin(rig: &Rig, skin: usize, notes: &mut LeftOutNotes) {
    let count = rig.skin_count();
    let title = format!("It holds skin {skin} alone, of {count}: each has a palette of its own.");
    notes.add_if(count > 1, "ONE_SKIN", &title);
}

pub(super) fn note_weights(_: &Derived, notes: &mut LeftOutNotes) {
    let title = "It holds weights alone: no vertices, joints or clips.";
    notes.add("WEIGHTS_ALONE", title);
}

pub(super) fn note_array(derived: &Derived, notes: &mut LeftOutNotes) {
    note_matrices(derived, notes);
    let title = "It has no names and no parents: joints are known by their numbers.";
    notes.add("NO_NAMES", title);
}

pub(super) fn note_vertices(_: &Derived, notes: &mut LeftOutNotes) {
    let title = "It holds this pose alone: no triangles, weights, materials or joints.";
    notes.add("ONE_POSE", title);
}

pub(super) fn note_rig(derived: &Derived, notes: &mut LeftOutNotes) {
    note_changed_weights(derived, notes);
    let odd_count = derived
        .joints
        .used_joint_from_bind
        .iter()
        .filter(|matrix| matrix.row(3) != Vec4::W)
        .count();
    let title = "{} inverse bind matrices do not end in 0 0 0 1; in the file they do.";
    notes.add_count(odd_count, "INVERSE_BIND_CHANGED", title);
    let stretched = !derived.joints.pose.stretch_in_parent.is_empty();
    let title = "Interpolated matrices stretch joints; a node holds their rotation alone.";
    notes.add_if(stretched, "STRETCH_LEFT_OUT", title);
    let clips = &derived.rig.clips;
    let changed_count = clips
        .iter()
        .flat_map(|clip| &clip.channels)
        .filter(|channel| is_changed_spline(&channel.track))
        .count();
    let title = "{} splines of rotations begin before 0 or have keys that are not of unit length; in the file they have, and go between them a little differently.";
    notes.add_count(changed_count, "KEYS_CHANGED", title);
    for clip in clips.iter().filter(|clip| !derived.rig.is_moved_by(clip)) {
        let title = format!("Clip “{}” moves nothing and is not in it.", clip.name);
        notes.add("CLIP_LEFT_OUT", &title);
    }
    let title = "Meshes that are not shown are not in it: those of {} nodes.";
    notes.add_count(hidden_meshes(derived), "MESHES_LEFT_OUT", title);
    note_clamped_colors(derived, notes);
    note_unread_parts(derived, notes);
}

/// Notes weights that glTF does not allow.
fn note_changed_weights(derived: &Derived, notes: &mut LeftOutNotes) {
    let mut off = 0;
    let mut without = 0;
    for influences in &derived.influences {
        let weights = influences.weights.map(f64::from);
        let sum: f64 = weights.iter().sum();
        if weights.iter().all(|&weight| weight <= 0.0) {
            without += 1;
        } else if (sum - 1.0).abs() > SUM_TOLERANCE || weights.iter().any(|&weight| weight < 0.0) {
            off += 1;
        }
    }
    let title = "Weights of {} vertices do not sum to 1, or are negative; in the file they are divided by their sum, those below 0 left out.";
    notes.add_count(off, "WEIGHTS_CHANGED", title);
    let title = "{} vertices follow no joint; in the file they follow the first of their skin.";
    notes.add_count(without, "WEIGHTS_CHANGED", title);
}

/// Is this a spline of rotations that glTF does not allow, with keys before 0 or not of unit
/// length?
fn is_changed_spline(track: &Track) -> bool {
    if track.interpolation != Interpolation::CubicSpline
        || track.property != TrackProperty::Rotation
    {
        return false;
    }
    let is_cut = track.key_times().first().is_some_and(|&time| time < 0.0);
    is_cut
        || (0..track.key_count()).any(|key| {
            let length = track.value(key).iter().map(|x| x * x).sum::<f32>().sqrt();
            (length - 1.0).abs() > UNIT_LENGTH_TOLERANCE
        })
}

/// Counts the nodes whose meshes the scene does not show, and which are not read.
fn hidden_meshes(derived: &Derived) -> usize {
    let shown: BTreeSet<usize> =
        derived.rig.mesh.parts.iter().map(|part| part.node.index()).collect();
    let Some(origin) = &derived.rig.origin else {
        return 0;
    };
    let nodes = origin.graph.nodes.iter().enumerate();
    nodes.filter(|(at, node)| node.mesh.is_some() && !shown.contains(at)).count()
}

/// Notes colours that glTF does not allow.
fn note_clamped_colors(derived: &Derived, notes: &mut LeftOutNotes) {
    let mesh = &derived.rig.mesh;
    let factors = mesh.materials.iter().map(|material| &material.base_color);
    let has_clamped =
        mesh.colors.iter().chain(factors).any(|color| color.clamp(Vec4::ZERO, Vec4::ONE) != *color);
    let title = "Colours below 0 or above 1 are 0 or 1 in it.";
    notes.add_if(has_clamped, "COLORS_CHANGED", title);
}

fn note_unread_parts(derived: &Derived, notes: &mut LeftOutNotes) {
    let title = "What the program does not read of the model is not in it: of materials all but the base colour, cameras, lights, extras.";
    notes.add_if(derived.rig.origin.is_some(), "NOT_READ", title);
}
