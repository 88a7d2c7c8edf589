//! Moves the vertices of a block by the matrix of each, eight at a time.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{Mat4, Vec3, Vec4};

use super::lanes::{LaneOps, Packed};
use super::{BlockRows, MatrixRows, WIDTH};
use crate::{moved_normal, moved_tangent};

/// The upper three rows of eight matrices, by row and column.
pub(super) type Matrices<S> = [[f32x8<S>; 4]; 3];

/// Where the matrices of a block come from.
pub(super) trait MatrixSource<S: LaneOps> {
    /// Those of the eight vertices of that number; `None` past the block.
    fn matrices(&self, simd: S, eight: usize) -> Option<Matrices<S>>;
}

impl<S: LaneOps> MatrixSource<S> for BlockRows {
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn matrices(&self, simd: S, eight: usize) -> Option<Matrices<S>> {
        let [a, b, c, d, e, f, g, h] = self.as_chunks::<WIDTH>().0.get(eight)?;
        let all = [a, b, c, d, e, f, g, h];
        Some([
            columns(simd, all, |rows| &rows.first_two[0]),
            columns(simd, all, |rows| &rows.first_two[1]),
            columns(simd, all, |rows| &rows.third),
        ])
    }
}

/// One number a lane, of four that each of eight has.
#[inline(always)]
pub(super) fn columns<S: LaneOps>(
    simd: S,
    [a, b, c, d, e, f, g, h]: [&MatrixRows; WIDTH],
    four: impl Fn(&MatrixRows) -> &[f32; 4],
) -> [f32x8<S>; 4] {
    simd.columns([four(a), four(b), four(c), four(d), four(e), four(f), four(g), four(h)])
}

/// Stored and moved vectors of a block, as many of each.
pub(super) struct BlockVertices<'a> {
    pub(super) positions: (&'a [Vec3], &'a mut [Vec3]),
    pub(super) normals: Option<(&'a [Vec3], &'a mut [Vec3])>,
}

/// Moves positions, and normals by the inverse transpose, to unit length.
#[inline(always)]
pub(super) fn apply<S: LaneOps>(
    simd: S,
    source: &impl MatrixSource<S>,
    vertices: BlockVertices<'_>,
) -> Option<()> {
    let (from, to) = vertices.positions;
    let (from, from_rest) = from.as_chunks::<WIDTH>();
    let (to, to_rest) = to.as_chunks_mut::<WIDTH>();
    match vertices.normals {
        None => {
            for eight in 0..from.len() {
                let matrices = source.matrices(simd, eight)?;
                move_positions(simd, &matrices, packed(from, eight)?, packed_mut(to, eight)?);
            }
        }
        Some((normals, moved_normals)) => {
            let (normals, normals_rest) = normals.as_chunks::<WIDTH>();
            let (moved_normals, moved_rest) = moved_normals.as_chunks_mut::<WIDTH>();
            for eight in 0..from.len() {
                let matrices = source.matrices(simd, eight)?;
                move_positions(simd, &matrices, packed(from, eight)?, packed_mut(to, eight)?);
                let moved = packed_mut(moved_normals, eight)?;
                move_normals(simd, &matrices, packed(normals, eight)?, moved);
            }
            if !normals_rest.is_empty() {
                let matrices = source.matrices(simd, from.len())?;
                let (stored, mut moved) = (filled_up(normals_rest), Packed::default());
                move_normals(simd, &matrices, &stored, &mut moved);
                cut_off(&moved, moved_rest);
            }
        }
    }
    if !from_rest.is_empty() {
        let matrices = source.matrices(simd, from.len())?;
        let (stored, mut moved) = (filled_up(from_rest), Packed::default());
        move_positions(simd, &matrices, &stored, &mut moved);
        cut_off(&moved, to_rest);
    }
    Some(())
}

#[inline(always)]
fn packed(eights: &[[Vec3; WIDTH]], eight: usize) -> Option<&Packed> {
    eights.get(eight).map(bytemuck::cast_ref)
}

#[inline(always)]
fn packed_mut(eights: &mut [[Vec3; WIDTH]], eight: usize) -> Option<&mut Packed> {
    eights.get_mut(eight).map(bytemuck::cast_mut)
}

fn filled_up(some: &[Vec3]) -> Packed {
    let mut all = Packed::default();
    let some: &[f32] = bytemuck::cast_slice(some);
    all.as_flattened_mut()[..some.len()].copy_from_slice(some);
    all
}

fn cut_off(all: &Packed, some: &mut [Vec3]) {
    let some: &mut [f32] = bytemuck::cast_slice_mut(some);
    some.copy_from_slice(&all.as_flattened()[..some.len()]);
}

#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn move_positions<S: LaneOps>(simd: S, matrices: &Matrices<S>, from: &Packed, to: &mut Packed) {
    let [x, y, z] = simd.unpacked(from);
    let [first, second, third] = *matrices;
    let moved = [row_times(first, x, y, z), row_times(second, x, y, z), row_times(third, x, y, z)];
    simd.pack(moved, to);
}

#[inline(always)]
fn row_times<S: Simd>(
    [a, b, c, d]: [f32x8<S>; 4],
    x: f32x8<S>,
    y: f32x8<S>,
    z: f32x8<S>,
) -> f32x8<S> {
    a.mul_add(x, b.mul_add(y, c.mul_add(z, d)))
}

/// Squared lengths between these say that nothing has overflowed or vanished on the
/// way to them, and that their roots have all their digits.
const SMALLEST: f32 = 1e-20;
const LARGEST: f32 = 1e30;

/// As [`moved_normal`]: by the cofactors, with the sign of the determinant. It does
/// the rest itself: vectors so short or long that a matrix of ordinary size must be
/// made first.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn move_normals<S: LaneOps>(simd: S, matrices: &Matrices<S>, from: &Packed, to: &mut Packed) {
    let [x, y, z] = simd.unpacked(from);
    let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = *matrices;
    let (by_x, by_y, by_z) =
        (cross([b, e, h], [c, f, i]), cross([c, f, i], [a, d, g]), cross([a, d, g], [b, e, h]));
    let determinant = c.mul_add(by_z[0], f.mul_add(by_z[1], i * by_z[2]));
    let moved = [
        by_x[0].mul_add(x, by_y[0].mul_add(y, by_z[0] * z)),
        by_x[1].mul_add(x, by_y[1].mul_add(y, by_z[1] * z)),
        by_x[2].mul_add(x, by_y[2].mul_add(y, by_z[2] * z)),
    ];
    let squared = moved[0].mul_add(moved[0], moved[1].mul_add(moved[1], moved[2] * moved[2]));
    let unit = f32x8::splat(simd, 1.0) / squared.sqrt();
    let mirrored = determinant.simd_lt(f32x8::splat(simd, 0.0));
    let unit = mirrored.select(-unit, unit);
    simd.pack([moved[0] * unit, moved[1] * unit, moved[2] * unit], to);
    let is_ordinary = squared.simd_gt(f32x8::splat(simd, SMALLEST))
        & squared.simd_lt(f32x8::splat(simd, LARGEST));
    if !is_ordinary.all_true() {
        let linear = [
            [a.into(), d.into(), g.into()],
            [b.into(), e.into(), h.into()],
            [c.into(), f.into(), i.into()],
        ];
        move_each_normal(&linear, from, to);
    }
}

#[inline(always)]
fn cross<S: Simd>(a: [f32x8<S>; 3], b: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [
        a[1].mul_sub(b[2], a[2] * b[1]),
        a[2].mul_sub(b[0], a[0] * b[2]),
        a[0].mul_sub(b[1], a[1] * b[0]),
    ]
}

/// `linear` by column and row, of eight.
#[cold]
#[inline(never)]
fn move_each_normal(linear: &[[[f32; WIDTH]; 3]; 3], from: &Packed, to: &mut Packed) {
    let stored = from.as_flattened().as_chunks::<3>().0.iter();
    let moved = to.as_flattened_mut().as_chunks_mut::<3>().0;
    for (lane, (stored, to)) in stored.zip(moved).enumerate() {
        let normal = Vec3::from_array(*stored);
        // The same for those that have none: many, in a mesh without normals.
        let moved = if normal == Vec3::ZERO {
            normal
        } else {
            let column = |of: usize| Vec3::from_array(linear[of].map(|row| row[lane]));
            let columns = [column(0), column(1), column(2)].map(|column| column.extend(0.0));
            let [x, y, z] = columns;
            let matrix = Mat4::from_cols(x, y, z, glam::Vec4::W);
            moved_normal(&matrix, normal)
        };
        *to = moved.to_array();
    }
}

// Tangents.

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
            move_eight_tangents(simd, &matrices, from, to);
        } else {
            let (mut stored, mut moved) = ([Vec4::ZERO; WIDTH], [Vec4::ZERO; WIDTH]);
            stored[..from.len()].copy_from_slice(from);
            move_eight_tangents(simd, &matrices, &stored, &mut moved);
            to.copy_from_slice(&moved[..from.len()]);
        }
    }
    Some(())
}

#[inline(always)]
fn move_eight_tangents<S: LaneOps>(
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
        move_each_tangent(&linear, from, to);
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
fn move_each_tangent(
    linear: &[[[f32; WIDTH]; 3]; 3],
    from: &[Vec4; WIDTH],
    to: &mut [Vec4; WIDTH],
) {
    for (lane, (from, to)) in from.iter().zip(to).enumerate() {
        let column = |of: usize| Vec3::from_array(linear[of].map(|row| row[lane])).extend(0.0);
        let matrix = Mat4::from_cols(column(0), column(1), column(2), Vec4::W);
        *to = moved_tangent(&matrix, *from);
    }
}
