//! Transforms the vertices of a block by the matrix of each, eight at a time.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{Mat4, Vec3, Vec4};

use super::lanes::{LaneOps, Packed};
use super::{BlockRows, MatrixRows, SIMD_WIDTH};
use crate::{moved_normal, moved_tangent};

/// The upper three rows of eight matrices, by row and column, with one matrix per lane.
pub(super) type Matrices<S> = [[f32x8<S>; 4]; 3];

/// The linear parts of eight matrices, by column and row, with one matrix per lane.
type LinearParts = [[[f32; SIMD_WIDTH]; 3]; 3];

/// A source of the matrices of a block.
pub(super) trait MatrixSource<S: LaneOps> {
    /// Returns the matrices of a chunk of eight vertices, by its index in the block. Returns
    /// `None` past the block.
    fn matrices(&self, simd: S, chunk: usize) -> Option<Matrices<S>>;
}

impl<S: LaneOps> MatrixSource<S> for BlockRows {
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn matrices(&self, simd: S, chunk: usize) -> Option<Matrices<S>> {
        let [a, b, c, d, e, f, g, h] = self.as_chunks::<SIMD_WIDTH>().0.get(chunk)?;
        let matrices = [a, b, c, d, e, f, g, h];
        Some([
            transpose_rows(simd, matrices, |rows| &rows.first_two[0]),
            transpose_rows(simd, matrices, |rows| &rows.first_two[1]),
            transpose_rows(simd, matrices, |rows| &rows.third),
        ])
    }
}

/// Transposes one row of eight matrices to one vector per column.
#[inline(always)]
pub(super) fn transpose_rows<S: LaneOps>(
    simd: S,
    [a, b, c, d, e, f, g, h]: [&MatrixRows; SIMD_WIDTH],
    row: impl Fn(&MatrixRows) -> &[f32; 4],
) -> [f32x8<S>; 4] {
    simd.transpose([row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)])
}

/// Stored vectors of a block and the buffers for the moved ones, equally many of each.
pub(super) struct BlockVertices<'a> {
    pub(super) positions: (&'a [Vec3], &'a mut [Vec3]),
    pub(super) normals: Option<(&'a [Vec3], &'a mut [Vec3])>,
}

/// Transforms positions, and normals by the inverse transpose. Normalizes the normals.
#[inline(always)]
pub(super) fn apply<S: LaneOps>(
    simd: S,
    source: &impl MatrixSource<S>,
    vertices: BlockVertices<'_>,
) -> Option<()> {
    let (from, to) = vertices.positions;
    let (from, from_rest) = from.as_chunks::<SIMD_WIDTH>();
    let (to, to_rest) = to.as_chunks_mut::<SIMD_WIDTH>();
    match vertices.normals {
        None => {
            for chunk in 0..from.len() {
                let matrices = source.matrices(simd, chunk)?;
                move_positions(simd, &matrices, packed(from, chunk)?, packed_mut(to, chunk)?);
            }
        }
        Some((normals, moved_normals)) => {
            let (normals, normals_rest) = normals.as_chunks::<SIMD_WIDTH>();
            let (moved_normals, moved_rest) = moved_normals.as_chunks_mut::<SIMD_WIDTH>();
            for chunk in 0..from.len() {
                let matrices = source.matrices(simd, chunk)?;
                move_positions(simd, &matrices, packed(from, chunk)?, packed_mut(to, chunk)?);
                let moved = packed_mut(moved_normals, chunk)?;
                move_normals(simd, &matrices, packed(normals, chunk)?, moved);
            }
            if !normals_rest.is_empty() {
                let matrices = source.matrices(simd, from.len())?;
                let stored = pad_with_zeros(normals_rest);
                let mut moved = Packed::default();
                move_normals(simd, &matrices, &stored, &mut moved);
                copy_first(&moved, moved_rest);
            }
        }
    }
    if !from_rest.is_empty() {
        let matrices = source.matrices(simd, from.len())?;
        let stored = pad_with_zeros(from_rest);
        let mut moved = Packed::default();
        move_positions(simd, &matrices, &stored, &mut moved);
        copy_first(&moved, to_rest);
    }
    Some(())
}

#[inline(always)]
fn packed(chunks: &[[Vec3; SIMD_WIDTH]], chunk: usize) -> Option<&Packed> {
    chunks.get(chunk).map(bytemuck::cast_ref)
}

#[inline(always)]
fn packed_mut(chunks: &mut [[Vec3; SIMD_WIDTH]], chunk: usize) -> Option<&mut Packed> {
    chunks.get_mut(chunk).map(bytemuck::cast_mut)
}

/// Copies the vectors of an incomplete chunk.
fn pad_with_zeros(vectors: &[Vec3]) -> Packed {
    let mut packed = Packed::default();
    let numbers: &[f32] = bytemuck::cast_slice(vectors);
    packed.as_flattened_mut()[..numbers.len()].copy_from_slice(numbers);
    packed
}

/// Fills `vectors` from an incomplete chunk.
fn copy_first(packed: &Packed, vectors: &mut [Vec3]) {
    let numbers: &mut [f32] = bytemuck::cast_slice_mut(vectors);
    numbers.copy_from_slice(&packed.as_flattened()[..numbers.len()]);
}

#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn move_positions<S: LaneOps>(simd: S, matrices: &Matrices<S>, from: &Packed, to: &mut Packed) {
    let [x, y, z] = simd.unpack(from);
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

/// If a squared length is between these limits, no intermediate result overflowed or
/// underflowed, and its square root is exact to the last digit.
const MIN_SAFE_SQUARE: f32 = 1e-20;
const MAX_SAFE_SQUARE: f32 = 1e30;

/// Transforms normals like [`moved_normal`]: by the cofactors, with the sign of the
/// determinant. Calls [`moved_normal`] itself if a result is so short or long that the matrix
/// must be rescaled first.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn move_normals<S: LaneOps>(simd: S, matrices: &Matrices<S>, from: &Packed, to: &mut Packed) {
    let [x, y, z] = simd.unpack(from);
    let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = *matrices;
    let cofactors_x = cross([b, e, h], [c, f, i]);
    let cofactors_y = cross([c, f, i], [a, d, g]);
    let cofactors_z = cross([a, d, g], [b, e, h]);
    let determinant = c.mul_add(cofactors_z[0], f.mul_add(cofactors_z[1], i * cofactors_z[2]));
    let moved = [
        cofactors_x[0].mul_add(x, cofactors_y[0].mul_add(y, cofactors_z[0] * z)),
        cofactors_x[1].mul_add(x, cofactors_y[1].mul_add(y, cofactors_z[1] * z)),
        cofactors_x[2].mul_add(x, cofactors_y[2].mul_add(y, cofactors_z[2] * z)),
    ];
    let squared = moved[0].mul_add(moved[0], moved[1].mul_add(moved[1], moved[2] * moved[2]));
    let inverse_length = f32x8::splat(simd, 1.0) / squared.sqrt();
    let is_mirrored = determinant.simd_lt(f32x8::splat(simd, 0.0));
    let scale = is_mirrored.select(-inverse_length, inverse_length);
    simd.pack([moved[0] * scale, moved[1] * scale, moved[2] * scale], to);
    let is_safe = squared.simd_gt(f32x8::splat(simd, MIN_SAFE_SQUARE))
        & squared.simd_lt(f32x8::splat(simd, MAX_SAFE_SQUARE));
    if !is_safe.all_true() {
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

#[cold]
#[inline(never)]
fn move_each_normal(linear: &LinearParts, from: &Packed, to: &mut Packed) {
    let stored = from.as_flattened().as_chunks::<3>().0.iter();
    let moved = to.as_flattened_mut().as_chunks_mut::<3>().0;
    for (lane, (stored, moved)) in stored.zip(moved).enumerate() {
        let normal = Vec3::from_array(*stored);
        // Zero normals are common, in meshes whose normals are missing. They stay zero.
        if normal == Vec3::ZERO {
            *moved = *stored;
        } else {
            *moved = moved_normal(&lane_matrix(linear, lane), normal).to_array();
        }
    }
}

/// Returns the matrix of one lane, without translation.
fn lane_matrix(linear: &LinearParts, lane: usize) -> Mat4 {
    let [x, y, z] =
        linear.map(|column| Vec3::from_array(column.map(|lanes| lanes[lane])).extend(0.0));
    Mat4::from_cols(x, y, z, Vec4::W)
}

/// Transforms tangents like [`moved_tangent`].
///
/// Runs after positions and normals, because few meshes have tangents. The matrices are still
/// in the cache.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn move_tangents<S: LaneOps>(
    simd: S,
    source: &impl MatrixSource<S>,
    from: &[Vec4],
    to: &mut [Vec4],
) -> Option<()> {
    let pairs = from.chunks(SIMD_WIDTH).zip(to.chunks_mut(SIMD_WIDTH));
    for (chunk, (from, to)) in pairs.enumerate() {
        let matrices = source.matrices(simd, chunk)?;
        if let (Ok(from), Ok(to)) = (from.try_into(), (&mut *to).try_into()) {
            move_eight_tangents(simd, &matrices, from, to);
        } else {
            let mut stored = [Vec4::ZERO; SIMD_WIDTH];
            let mut moved = [Vec4::ZERO; SIMD_WIDTH];
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
    from: &[Vec4; SIMD_WIDTH],
    to: &mut [Vec4; SIMD_WIDTH],
) {
    let [x, y, z, w] = simd.transpose(from.each_ref().map(AsRef::as_ref));
    let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = *matrices;
    let moved = [
        a.mul_add(x, b.mul_add(y, c * z)),
        d.mul_add(x, e.mul_add(y, f * z)),
        g.mul_add(x, h.mul_add(y, i * z)),
    ];
    let cofactors_z = cross([a, d, g], [b, e, h]);
    let determinant = c.mul_add(cofactors_z[0], f.mul_add(cofactors_z[1], i * cofactors_z[2]));
    let squared = moved[0].mul_add(moved[0], moved[1].mul_add(moved[1], moved[2] * moved[2]));
    let inverse_length = f32x8::splat(simd, 1.0) / squared.sqrt();
    let is_mirrored = determinant.simd_lt(f32x8::splat(simd, 0.0));
    let handedness = is_mirrored.select(-w, w);
    let is_safe = squared.simd_gt(f32x8::splat(simd, MIN_SAFE_SQUARE))
        & squared.simd_lt(f32x8::splat(simd, MAX_SAFE_SQUARE))
        & (determinant * determinant).simd_gt(f32x8::splat(simd, MIN_SAFE_SQUARE));
    if !is_safe.all_true() {
        let linear = [
            [a.into(), d.into(), g.into()],
            [b.into(), e.into(), h.into()],
            [c.into(), f.into(), i.into()],
        ];
        move_each_tangent(&linear, from, to);
        return;
    }
    let xyzw: [[f32; SIMD_WIDTH]; 4] = [
        (moved[0] * inverse_length).into(),
        (moved[1] * inverse_length).into(),
        (moved[2] * inverse_length).into(),
        handedness.into(),
    ];
    for (lane, to) in to.iter_mut().enumerate() {
        *to = Vec4::from_array(xyzw.map(|lanes| lanes[lane]));
    }
}

#[cold]
#[inline(never)]
fn move_each_tangent(linear: &LinearParts, from: &[Vec4; SIMD_WIDTH], to: &mut [Vec4; SIMD_WIDTH]) {
    for (lane, (from, to)) in from.iter().zip(to).enumerate() {
        *to = moved_tangent(&lane_matrix(linear, lane), *from);
    }
}
