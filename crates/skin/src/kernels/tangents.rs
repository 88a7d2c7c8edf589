//! Moves the tangents of a block by the matrix of each vertex, eight at a time.

use fearless_simd::{f32x8, prelude::*};
use glam::{Mat4, Vec3, Vec4};

use super::WIDTH;
use super::apply::{LARGEST, Matrices, MatrixSource, SMALLEST, cross};
use super::lanes::LaneOps;
use crate::moved_tangent;

/// As [`moved_tangent`]. They come after positions and normals, with the matrices
/// still in the cache: few meshes have any.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn move_tangents<S: LaneOps>(
    simd: S,
    source: &impl MatrixSource<S>,
    from: &[Vec4],
    to: &mut [Vec4],
) -> Option<()> {
    let pairs = from.chunks(WIDTH).zip(to.chunks_mut(WIDTH));
    for (eight, (from, to)) in pairs.enumerate() {
        let matrices = source.matrices(simd, eight)?;
        if let (Ok(from), Ok(to)) = (from.try_into(), (&mut *to).try_into()) {
            move_eight(simd, &matrices, from, to);
        } else {
            let (mut stored, mut moved) = ([Vec4::ZERO; WIDTH], [Vec4::ZERO; WIDTH]);
            stored[..from.len()].copy_from_slice(from);
            move_eight(simd, &matrices, &stored, &mut moved);
            to.copy_from_slice(&moved[..from.len()]);
        }
    }
    Some(())
}

#[inline(always)]
fn move_eight<S: LaneOps>(
    simd: S,
    matrices: &Matrices<S>,
    from: &[Vec4; WIDTH],
    to: &mut [Vec4; WIDTH],
) {
    let [x, y, z, w] = simd.columns(from.each_ref().map(AsRef::as_ref));
    let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = *matrices;
    let moved = [
        a.mul_add(x, b.mul_add(y, c * z)),
        d.mul_add(x, e.mul_add(y, f * z)),
        g.mul_add(x, h.mul_add(y, i * z)),
    ];
    let of_z = cross([a, d, g], [b, e, h]);
    let determinant = c.mul_add(of_z[0], f.mul_add(of_z[1], i * of_z[2]));
    let squared = moved[0].mul_add(moved[0], moved[1].mul_add(moved[1], moved[2] * moved[2]));
    let unit = f32x8::splat(simd, 1.0) / squared.sqrt();
    let mirrored = determinant.simd_lt(f32x8::splat(simd, 0.0));
    let side = mirrored.select(-w, w);
    let is_ordinary = squared.simd_gt(f32x8::splat(simd, SMALLEST))
        & squared.simd_lt(f32x8::splat(simd, LARGEST))
        & (determinant * determinant).simd_gt(f32x8::splat(simd, SMALLEST));
    if !is_ordinary.all_true() {
        let linear = [
            [a.into(), d.into(), g.into()],
            [b.into(), e.into(), h.into()],
            [c.into(), f.into(), i.into()],
        ];
        move_each(&linear, from, to);
        return;
    }
    let lanes: [[f32; WIDTH]; 4] =
        [(moved[0] * unit).into(), (moved[1] * unit).into(), (moved[2] * unit).into(), side.into()];
    for (lane, to) in to.iter_mut().enumerate() {
        *to = Vec4::from_array(lanes.map(|of| of[lane]));
    }
}

/// `linear` by column and row, of eight.
#[cold]
#[inline(never)]
fn move_each(linear: &[[[f32; WIDTH]; 3]; 3], from: &[Vec4; WIDTH], to: &mut [Vec4; WIDTH]) {
    for (lane, (from, to)) in from.iter().zip(to).enumerate() {
        let column = |of: usize| Vec3::from_array(linear[of].map(|row| row[lane])).extend(0.0);
        let matrix = Mat4::from_cols(column(0), column(1), column(2), Vec4::W);
        *to = moved_tangent(&matrix, *from);
    }
}
