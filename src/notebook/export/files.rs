//! The files that are computed, and what is in each.

#![expect(
    clippy::unnecessary_wraps,
    reason = "all of one table have one signature"
)]

use glam::{Mat4, Vec3};

use super::tables;
use crate::asset::{Shown, write_npy, write_obj, write_posed_glb, write_rig_glb};
use crate::diagnostic::Diagnostic;
use crate::notebook::Derived;

pub(super) type Made = Result<Vec<u8>, Diagnostic>;
/// Makes a file of what is open.
pub(super) type Make = fn(&Derived) -> Made;

const FLOATS: &str = "32-bit floats, little endian";

pub(super) fn about_viewport(_: &Derived) -> String {
    "The first picture on the page as you see it, joints and marks with it.".to_owned()
}

pub(super) fn about_page(_: &Derived) -> String {
    "All that the window shows, but for this menu.".to_owned()
}

pub(super) fn about_posed_glb(derived: &Derived) -> String {
    format!(
        "{} vertices in world space, as the joints have put them, with materials.",
        vertices(derived)
    )
}

pub(super) fn posed_glb(derived: &Derived) -> Made {
    let normals = normals(derived);
    write_posed_glb(&derived.rig, derived.positions(), &normals)
}

pub(super) fn about_obj(derived: &Derived) -> String {
    format!(
        "{} vertices in world space, as the joints have put them.",
        vertices(derived)
    )
}

pub(super) fn obj(derived: &Derived) -> Made {
    let rig = &derived.rig;
    let normals = normals(derived);
    Ok(write_obj(
        &rig.title,
        &rig.mesh,
        derived.positions(),
        &normals,
    ))
}

pub(super) fn about_rig(derived: &Derived) -> String {
    let morphs = match derived.rig.morphs().count() {
        0 => "",
        _ => ", morph targets",
    };
    format!(
        "{} joints in the pose that is shown, with weights, inverse bind matrices{morphs} and clips.",
        joints(derived)
    )
}

pub(super) fn rig_glb(derived: &Derived) -> Made {
    write_rig_glb(&Shown {
        rig: &derived.rig,
        pose: &derived.pose,
        joint_from_bind: &derived.used_joint_from_bind,
        influences: &derived.influences,
        morph_weights: &derived.morph_weights,
    })
}

pub(super) fn about_palette(derived: &Derived) -> String {
    format!(
        "{} × 16 numbers, world from bind, column by column as in glTF.",
        joints(derived)
    )
}

pub(super) fn palette_csv(derived: &Derived) -> Made {
    let all = tables::matrices(derived);
    Ok(tables::matrices_csv(&derived.rig, &all[3..]))
}

pub(super) fn palette_json(derived: &Derived) -> Made {
    let all = tables::matrices(derived);
    Ok(tables::matrices_json(derived, &all[3..])?)
}

pub(super) fn about_palette_npy(derived: &Derived) -> String {
    format!(
        "Shape ({}, 4, 4), {FLOATS}: M[joint, row, column], world from bind.",
        joints(derived)
    )
}

pub(super) fn palette_npy(derived: &Derived) -> Made {
    let values = rows(&derived.world_from_bind);
    Ok(write_npy(&[joints(derived), 4, 4], &values))
}

pub(super) fn about_matrices(derived: &Derived) -> String {
    format!(
        "4 × {} × 16 numbers, column by column as in glTF: parent from joint, world from joint, joint from bind, world from bind.",
        joints(derived)
    )
}

pub(super) fn matrices_csv(derived: &Derived) -> Made {
    let all = tables::matrices(derived);
    Ok(tables::matrices_csv(&derived.rig, &all))
}

pub(super) fn matrices_json(derived: &Derived) -> Made {
    let all = tables::matrices(derived);
    Ok(tables::matrices_json(derived, &all)?)
}

pub(super) fn about_matrices_npy(derived: &Derived) -> String {
    format!(
        "Shape (4, {}, 4, 4), {FLOATS}: M[which, joint, row, column]; 0 parent from joint, 1 world from joint, 2 joint from bind, 3 world from bind.",
        joints(derived)
    )
}

pub(super) fn matrices_npy(derived: &Derived) -> Made {
    let all = tables::matrices(derived).into_iter();
    let all: Vec<f32> = all.flat_map(|(_, matrices)| rows(matrices)).collect();
    Ok(write_npy(&[4, joints(derived), 4, 4], &all))
}

pub(super) fn about_vertices(derived: &Derived) -> String {
    format!(
        "{} rows: position and normal in world space.",
        vertices(derived)
    )
}

pub(super) fn vertices_csv(derived: &Derived) -> Made {
    Ok(tables::vertices_csv(derived.positions(), &normals(derived)))
}

pub(super) fn about_vertices_npy(derived: &Derived) -> String {
    format!(
        "Shape ({}, 3), {FLOATS}: positions in world space.",
        vertices(derived)
    )
}

pub(super) fn vertices_npy(derived: &Derived) -> Made {
    Ok(npy_of(derived.positions()))
}

pub(super) fn about_normals(derived: &Derived) -> String {
    format!(
        "Shape ({}, 3), {FLOATS}: unit normals in world space.",
        vertices(derived)
    )
}

pub(super) fn normals_npy(derived: &Derived) -> Made {
    Ok(npy_of(&normals(derived)))
}

fn joints(derived: &Derived) -> usize {
    derived.world_from_bind.len()
}

fn vertices(derived: &Derived) -> usize {
    derived.rig.mesh.positions.len()
}

fn normals(derived: &Derived) -> Vec<Vec3> {
    let vertices = 0..derived.positions().len();
    vertices
        .map(|vertex| derived.normal(vertex).unwrap_or_default())
        .collect()
}

fn npy_of(vectors: &[Vec3]) -> Vec<u8> {
    write_npy(&[vectors.len(), 3], bytemuck::cast_slice(vectors))
}

/// Row by row, as `NumPy` counts; glam keeps columns.
fn rows(matrices: &[Mat4]) -> Vec<f32> {
    let rows = matrices.iter().map(Mat4::transpose);
    rows.flat_map(|matrix| matrix.to_cols_array()).collect()
}
