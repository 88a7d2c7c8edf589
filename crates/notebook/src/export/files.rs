//! Every file that can be had: what is said of it, and how it is made.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bindpose_asset::{OpenRig, Rig, write_npy, write_obj, write_posed_glb, write_rig_glb};
use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{Interpolation, JointIndex, Track, TrackProperty, WeightFormat};
use glam::{Mat4, Vec3, Vec4};

use super::kinds::{Export, ExportContent, ExportFormat};
use crate::Derived;
use crate::posing::poses_json;

/// A file that can be had, and what is said of it.
pub(super) struct ExportFile {
    pub(super) export: Export,
    /// What is in it: shape, order, frame, units. One or two sentences, where
    /// `{joints}`, `{joints of skins}` and `{vertices}` stand for how many there
    /// are.
    about: &'static str,
    /// What it leaves out of what is open.
    pub(super) left_out: fn(&Derived, &mut LeftOutNotes),
    /// Its bytes; absent for pictures, which are drawn and not computed, and for
    /// what is no part of the page.
    pub(super) make: Option<Make>,
}

type Make = fn(&Derived) -> Result<Vec<u8>, Diagnostic>;

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
    file(ExportContent::Palette, ExportFormat::Csv, PALETTE, of_matrices,
        |derived| Ok(matrices_csv(&derived.rig, &matrices_table(derived)[3..]))),
    file(ExportContent::Palette, ExportFormat::Json, PALETTE, of_matrices,
        |derived| Ok(matrices_json(derived, &matrices_table(derived)[3..])?)),
    file(ExportContent::Palette, ExportFormat::Npy, "Shape ({joints}, 4, 4), 32-bit floats, little endian: M[joint, row, column], world from bind.", of_array,
        |derived| Ok(write_npy(&[joints(derived), 4, 4], &rows(&derived.joints.world_from_bind)))),
    file(ExportContent::Matrices, ExportFormat::Csv, MATRICES, of_matrices,
        |derived| Ok(matrices_csv(&derived.rig, &matrices_table(derived)))),
    file(ExportContent::Matrices, ExportFormat::Json, MATRICES, of_matrices,
        |derived| Ok(matrices_json(derived, &matrices_table(derived))?)),
    file(ExportContent::Matrices, ExportFormat::Npy, "Shape (4, {joints}, 4, 4), 32-bit floats, little endian: M[which, joint, row, column]; 0 parent from joint, 1 world from joint, 2 joint from bind, 3 world from bind.", of_array,
        |derived| Ok(write_npy(&[4, joints(derived), 4, 4], &matrices_table(derived).map(|(_, list)| rows(list)).concat()))),
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

const PALETTE: &str = "{joints} × 16 numbers, world from bind, column by column as in glTF.";
const WEIGHTS: &str = "Of {vertices} vertices, the joints that have a weight there, and how much, with all edits and as they stand: sums other than 1 too.";
const MATRICES: &str = "4 × {joints} × 16 numbers, column by column as in glTF: parent from joint, world from joint, joint from bind, world from bind.";

const fn file(
    content: ExportContent,
    format: ExportFormat,
    about: &'static str,
    left_out: fn(&Derived, &mut LeftOutNotes),
    make: Make,
) -> ExportFile {
    ExportFile {
        export: Export { content, format, weights: None },
        about,
        left_out,
        make: Some(make),
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
        make: Some(match weights {
            WeightFormat::Bytes => |derived| rig_glb(derived, Some(WeightFormat::Bytes)),
            WeightFormat::Shorts => |derived| rig_glb(derived, Some(WeightFormat::Shorts)),
        }),
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
    pub(super) fn about(&self, derived: &Derived) -> String {
        let morphs = match derived.rig.morphs().count() {
            0 => "",
            _ => ", morph targets",
        };
        let vertices = derived.rig.mesh.positions.len();
        self.about
            .replace("{joints}", &joints(derived).to_string())
            .replace("{joints of skins}", &derived.rig.joint_count().to_string())
            .replace("{vertices}", &vertices.to_string())
            .replace("{, morph targets}", morphs)
    }
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

fn joints(derived: &Derived) -> usize {
    derived.joints.world_from_bind.len()
}

fn npy_of(vectors: &[Vec3]) -> Vec<u8> {
    write_npy(&[vectors.len(), 3], bytemuck::cast_slice(vectors))
}

/// Row by row, as `NumPy` counts; glam keeps columns.
fn rows(matrices: &[Mat4]) -> Vec<f32> {
    let rows = matrices.iter().map(Mat4::transpose);
    rows.flat_map(|matrix| matrix.to_cols_array()).collect()
}

// Matrices and vertices as CSV and JSON, with as many digits as an f32 needs to
// come back the same.

/// A name and a matrix a joint.
pub(super) type Named<'a> = (&'static str, &'a [Mat4]);

/// The four of every joint, in the order of the sum: local, global, inverse
/// bind, and the product that moves vertices.
pub(super) fn matrices_table(derived: &Derived) -> [Named<'_>; 4] {
    [
        ("parent_from_joint", &derived.joints.parent_from_joint),
        ("world_from_joint", &derived.joints.world_from_joint),
        ("joint_from_bind", &derived.joints.used_joint_from_bind),
        ("world_from_bind", &derived.joints.world_from_bind),
    ]
}

/// A line a matrix: `r2c0` is row 2, column 0, both from 0.
pub(super) fn matrices_csv(rig: &Rig, matrices: &[Named<'_>]) -> Vec<u8> {
    let columns = (0..16).map(|at| format!("r{}c{}", at % 4, at / 4));
    let mut text = format!("joint,name,parent,matrix,{}\n", columns.collect::<Vec<_>>().join(","));
    for (index, joint) in rig.skeleton.joints().iter().enumerate() {
        let name = csv_field(&joint.name);
        let parent = joint.parent.map_or(String::new(), |parent| parent.0.to_string());
        for (which, list) in matrices {
            let numbers = list.get(index).map_or([0.0; 16], Mat4::to_cols_array);
            let _ = writeln!(text, "{index},{name},{parent},{which},{}", joined(&numbers));
        }
    }
    text.into_bytes()
}

/// One object, a joint a line, its matrices as 16 numbers, column-major.
pub(super) fn matrices_json(
    derived: &Derived,
    matrices: &[Named<'_>],
) -> Result<Vec<u8>, serde_json::Error> {
    let rig = &derived.rig;
    let mut text = format!(
        "{{\"rig\":{},\n\"order\":\"column-major\",\n\"joints\":[",
        serde_json::to_string(&rig.id)?
    );
    for (index, joint) in rig.skeleton.joints().iter().enumerate() {
        let end = if index == 0 { "\n" } else { ",\n" };
        let _ = write!(
            text,
            "{end}{{\"name\":{},\"parent\":{}",
            serde_json::to_string(&joint.name)?,
            serde_json::to_string(&joint.parent.map(|parent| parent.0))?
        );
        for (which, list) in matrices {
            let numbers = list.get(index).map_or([0.0; 16], Mat4::to_cols_array);
            let _ = write!(text, ",\"{which}\":{}", serde_json::to_string(&numbers)?);
        }
        text.push('}');
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
}

/// A line a vertex.
pub(super) fn vertices_csv(positions: &[Vec3], normals: &[Vec3]) -> Vec<u8> {
    let mut text = String::from("vertex,x,y,z,normal_x,normal_y,normal_z\n");
    for (index, (position, normal)) in positions.iter().zip(normals).enumerate() {
        let numbers = [position.to_array(), normal.to_array()];
        let _ = writeln!(text, "{index},{}", joined(numbers.as_flattened()));
    }
    text.into_bytes()
}

fn joined(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    words.join(",")
}

/// A field of a CSV file: quoted where it must be (RFC 4180).
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
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

// Joints and weights of every vertex as CSV and JSON, with as many digits as an f32
// needs to come back the same.

/// A line a weight that is not 0: lanes are counted through all sets. A vertex without
/// any has a line that says so, so that whoever reads it can count them.
pub(super) fn weights_csv(derived: &Derived) -> Vec<u8> {
    let mut text = String::from("vertex,lane,joint,name,weight\n");
    let joints = derived.rig.skeleton.joints();
    for (vertex, influences) in derived.influences.iter().enumerate() {
        let mut line = |(lane, joint, weight): (usize, JointIndex, f32)| {
            let name = joints.get(joint.index()).map_or("", |joint| &joint.name);
            let name = csv_field(name);
            let _ = writeln!(text, "{vertex},{lane},{},{name},{weight}", joint.0);
        };
        let mut used = derived.used_influences(vertex).peekable();
        if used.peek().is_none() {
            line((0, influences.joints[0], 0.0));
        }
        used.for_each(line);
    }
    text.into_bytes()
}

/// One object: the names of the joints, and a line a vertex.
pub(super) fn weights_json(derived: &Derived) -> Result<Vec<u8>, serde_json::Error> {
    let joints = derived.rig.skeleton.joints().iter();
    let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
    let mut text = format!(
        "{{\"rig\":{},\n\"joints\":{},\n\"vertices\":[",
        serde_json::to_string(&derived.rig.id)?,
        serde_json::to_string(&names)?
    );
    for vertex in 0..derived.influences.len() {
        let end = if vertex == 0 { "\n" } else { ",\n" };
        let used = derived.used_influences(vertex);
        let (joints, weights): (Vec<u16>, Vec<f32>) =
            used.map(|(_, JointIndex(joint), weight)| (joint, weight)).unzip();
        let _ = write!(
            text,
            "{end}{{\"joints\":{},\"weights\":{}}}",
            serde_json::to_string(&joints)?,
            serde_json::to_string(&weights)?
        );
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
}
