//! Every file that can be had: what is said of it, and how it is made.

use bindpose_asset::{OpenRig, write_npy, write_obj, write_posed_glb, write_rig_glb};
use bindpose_diagnostic::Diagnostic;
use bindpose_skin::WeightFormat;
use glam::{Mat4, Vec3};

use super::kinds::{Export, ExportContent, ExportFormat};
use super::left_out::{self, LeftOutNotes};
use super::{tables, weight_tables};
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
    file(ExportContent::Mesh, ExportFormat::Glb, "{vertices} vertices in world space, as the joints have put them, with materials.", left_out::of_posed_glb,
        |derived| write_posed_glb(&derived.rig, &derived.moved())),
    file(ExportContent::Mesh, ExportFormat::Obj, "{vertices} vertices in world space, as the joints have put them.", left_out::of_obj,
        |derived| Ok(write_obj(&derived.rig.title, &derived.rig.mesh, derived.positions(), &derived.normals()))),
    file(ExportContent::Rig, ExportFormat::Glb, "{joints of skins} joints in the pose that is shown, with weights, inverse bind matrices{, morph targets} and clips.", left_out::of_rig,
        |derived| rig_glb(derived, None)),
    rig_of(WeightFormat::Bytes, "{joints of skins} joints, as in the file with floats; weights as bytes, c / 255, that add up to 255 on every vertex."),
    rig_of(WeightFormat::Shorts, "{joints of skins} joints, as in the file with floats; weights as shorts, c / 65535, that add up to 65535 on every vertex."),
    file(ExportContent::Pose, ExportFormat::Json, "{joints} joints: translation, rotation as x, y, z, w, and scale of each in its parent’s frame.", left_out::of_matrices,
        |derived| Ok(poses_json(&derived.rig, std::iter::once(("now", &derived.pose)))?.into_bytes())),
    file(ExportContent::Palette, ExportFormat::Csv, PALETTE, left_out::of_matrices,
        |derived| Ok(tables::matrices_csv(&derived.rig, &tables::matrices(derived)[3..]))),
    file(ExportContent::Palette, ExportFormat::Json, PALETTE, left_out::of_matrices,
        |derived| Ok(tables::matrices_json(derived, &tables::matrices(derived)[3..])?)),
    file(ExportContent::Palette, ExportFormat::Npy, "Shape ({joints}, 4, 4), 32-bit floats, little endian: M[joint, row, column], world from bind.", left_out::of_array,
        |derived| Ok(write_npy(&[joints(derived), 4, 4], &rows(&derived.world_from_bind)))),
    file(ExportContent::Matrices, ExportFormat::Csv, MATRICES, left_out::of_matrices,
        |derived| Ok(tables::matrices_csv(&derived.rig, &tables::matrices(derived)))),
    file(ExportContent::Matrices, ExportFormat::Json, MATRICES, left_out::of_matrices,
        |derived| Ok(tables::matrices_json(derived, &tables::matrices(derived))?)),
    file(ExportContent::Matrices, ExportFormat::Npy, "Shape (4, {joints}, 4, 4), 32-bit floats, little endian: M[which, joint, row, column]; 0 parent from joint, 1 world from joint, 2 joint from bind, 3 world from bind.", left_out::of_array,
        |derived| Ok(write_npy(&[4, joints(derived), 4, 4], &tables::matrices(derived).map(|(_, list)| rows(list)).concat()))),
    file(ExportContent::Weights, ExportFormat::Json, WEIGHTS, left_out::of_weights,
        |derived| Ok(weight_tables::weights_json(derived)?)),
    file(ExportContent::Weights, ExportFormat::Csv, WEIGHTS, left_out::of_weights,
        |derived| Ok(weight_tables::weights_csv(derived))),
    file(ExportContent::Vertices, ExportFormat::Csv, "{vertices} rows: position and normal in world space.", left_out::of_vertices,
        |derived| Ok(tables::vertices_csv(derived.positions(), &derived.normals()))),
    file(ExportContent::Vertices, ExportFormat::Npy, "Shape ({vertices}, 3), 32-bit floats, little endian: positions in world space.", left_out::of_vertices,
        |derived| Ok(npy_of(derived.positions()))),
    file(ExportContent::Normals, ExportFormat::Npy, "Shape ({vertices}, 3), 32-bit floats, little endian: unit normals in world space.", left_out::of_vertices,
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
        left_out: left_out::of_rig,
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
        pose: &derived.pose,
        joint_from_bind: &derived.used_joint_from_bind,
        influences: &derived.influences,
        morph_weights: &derived.morph_weights,
        weights,
    })
}

fn joints(derived: &Derived) -> usize {
    derived.world_from_bind.len()
}

fn npy_of(vectors: &[Vec3]) -> Vec<u8> {
    write_npy(&[vectors.len(), 3], bytemuck::cast_slice(vectors))
}

/// Row by row, as `NumPy` counts; glam keeps columns.
fn rows(matrices: &[Mat4]) -> Vec<f32> {
    let rows = matrices.iter().map(Mat4::transpose);
    rows.flat_map(|matrix| matrix.to_cols_array()).collect()
}
