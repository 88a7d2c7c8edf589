//! Dual quaternion blending for the vertices of a block.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
use glam::{Mat3, Mat4};

use super::apply::{Matrices, MatrixSource, transpose_rows};
use super::lanes::LaneOps;
use super::linear::PaletteEntries;
use super::{BLOCK_SIZE, BlockRows, GroupEntry, MatrixRows, SIMD_WIDTH, VertexBlock, VertexGroups};
use crate::{JointIndex, JointMotion};

/// A rigid motion. Both parts are in the order x, y, z, w.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DualQuaternion {
    real: [f32; 4],
    dual: [f32; 4],
}

impl DualQuaternion {
    pub(super) const IDENTITY: Self = Self { real: [0.0, 0.0, 0.0, 1.0], dual: [0.0; 4] };

    pub(super) fn new(motion: &JointMotion) -> Self {
        Self { real: motion.real.to_array(), dual: motion.dual.to_array() }
    }
}

pub(super) fn stretch_rows(stretch: Mat3) -> MatrixRows {
    MatrixRows::new(&Mat4::from_mat3(stretch))
}

/// Blends the motions of each vertex of the block into `to`.
///
/// The first row of an entry holds the sum of the real parts, not normalized, the second row
/// that of the dual parts. The first number of the third row is the sum of the weights.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn blend<S: Simd>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: PaletteEntries<'_, DualQuaternion>,
    to: &mut BlockRows,
) {
    match palette {
        PaletteEntries::Small(palette) => blend_block(simd, groups, block, palette, to),
        PaletteEntries::Full(palette) => blend_block(simd, groups, block, palette, to),
    }
}

#[inline(always)]
fn blend_block<S: Simd, const LENGTH: usize>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: &[DualQuaternion; LENGTH],
    to: &mut BlockRows,
) {
    blend_group(simd, block.none, palette, to);
    blend_group(simd, block.one, palette, to);
    blend_group(simd, block.two, palette, to);
    blend_group(simd, block.three, palette, to);
    blend_group(simd, block.four, palette, to);
    for entry in block.more {
        let pairs = entry.pairs(groups).iter().copied();
        blend_vertex(simd, pairs, palette, &mut to[usize::from(entry.index_in_block) % BLOCK_SIZE]);
    }
}

#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn blend_group<S: Simd, const COUNT: usize, const LENGTH: usize>(
    simd: S,
    entries: &[GroupEntry<COUNT>],
    palette: &[DualQuaternion; LENGTH],
    to: &mut BlockRows,
) {
    for entry in entries {
        let weights = entry.weights.into_iter().enumerate();
        let pairs = weights.map(|(lane, weight)| (entry.joint(lane), weight));
        blend_vertex(simd, pairs, palette, &mut to[usize::from(entry.index_in_block) % BLOCK_SIZE]);
    }
}

/// Sums the motions of one vertex. Each quaternion contributes with the sign that puts it into
/// the hemisphere of the first.
#[inline(always)]
fn blend_vertex<S: Simd, const LENGTH: usize>(
    simd: S,
    pairs: impl Iterator<Item = (JointIndex, f32)>,
    palette: &[DualQuaternion; LENGTH],
    to: &mut MatrixRows,
) {
    let mut real_sum = f32x4::splat(simd, 0.0);
    let mut dual_sum = f32x4::splat(simd, 0.0);
    let mut weight_sum = 0.0;
    let mut pivot = None;
    for (joint, weight) in pairs {
        let motion = &palette[joint.index() % LENGTH];
        let real = f32x4::load_array_ref(simd, &motion.real);
        let dual = f32x4::load_array_ref(simd, &motion.dual);
        let signed_weight = match pivot {
            None => {
                pivot = Some(real);
                weight
            }
            Some(pivot) if (real * pivot).reduce_sum() < 0.0 => -weight,
            Some(_) => weight,
        };
        let factor = f32x4::splat(simd, signed_weight);
        real_sum = real.mul_add(factor, real_sum);
        dual_sum = dual.mul_add(factor, dual_sum);
        weight_sum += weight;
    }
    real_sum.store_array(&mut to.first_two[0]);
    dual_sum.store_array(&mut to.first_two[1]);
    to.third[0] = weight_sum;
}

/// Matrices from blended motions.
pub(super) struct DualSource<'a> {
    /// The result of [`blend`].
    pub(super) motions: &'a BlockRows,
    /// The blended stretches `Σ wᵢ · Sᵢ`. `None` if all joints are rigid.
    pub(super) stretches: Option<&'a BlockRows>,
}

impl<S: LaneOps> MatrixSource<S> for DualSource<'_> {
    /// Computes the same as [`dual_quaternion_matrix`](crate::dual_quaternion_matrix).
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn matrices(&self, simd: S, chunk: usize) -> Option<Matrices<S>> {
        let [a, b, c, d, e, f, g, h] = self.motions.as_chunks::<SIMD_WIDTH>().0.get(chunk)?;
        let motions = [a, b, c, d, e, f, g, h];
        let real = transpose_rows(simd, motions, |rows| &rows.first_two[0]);
        let dual = transpose_rows(simd, motions, |rows| &rows.first_two[1]);
        let [weight_sum, ..] = transpose_rows(simd, motions, |rows| &rows.third);
        let zero = f32x8::splat(simd, 0.0);
        let one = f32x8::splat(simd, 1.0);
        let two = f32x8::splat(simd, 2.0);
        let [x, y, z, w] = real;
        let length = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w))).sqrt();
        let is_zero = length.simd_lt(f32x8::splat(simd, 1e-12)) | weight_sum.simd_eq(zero);
        let inverse_length = one / length;
        let [x, y, z, w] =
            [x * inverse_length, y * inverse_length, z * inverse_length, w * inverse_length];
        let mut linear = rotation_rows(simd, [x, y, z, w]);
        if let Some(stretches) = self.stretches {
            let stretch = stretches.matrices(simd, chunk)?;
            linear = stretch_and_scale(linear, &stretch, one / weight_sum);
        }
        // The translation is 2 · dual · conjugate(real).
        let p = dual[0] * inverse_length;
        let q = dual[1] * inverse_length;
        let r = dual[2] * inverse_length;
        let s = dual[3] * inverse_length;
        let translation = [
            two * (w.mul_sub(p, x * s) + y.mul_sub(r, z * q)),
            two * (w.mul_sub(q, y * s) + z.mul_sub(p, x * r)),
            two * (w.mul_sub(r, z * s) + x.mul_sub(q, y * p)),
        ];
        let mut rows = [[zero; 4]; 3];
        for row in 0..3 {
            let [a, b, c] = linear[row];
            rows[row] = [
                is_zero.select(zero, a),
                is_zero.select(zero, b),
                is_zero.select(zero, c),
                is_zero.select(zero, translation[row]),
            ];
        }
        Some(rows)
    }
}

/// Computes the rotation matrix of a unit quaternion, by row and column.
#[inline(always)]
fn rotation_rows<S: Simd>(simd: S, [x, y, z, w]: [f32x8<S>; 4]) -> [[f32x8<S>; 3]; 3] {
    let one = f32x8::splat(simd, 1.0);
    let (two_x, two_y, two_z) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (two_x * x, two_y * y, two_z * z);
    let (xy, xz, yz) = (two_x * y, two_x * z, two_y * z);
    let (wx, wy, wz) = (two_x * w, two_y * w, two_z * w);
    [
        [one - (yy + zz), xy - wz, xz + wy],
        [xy + wz, one - (xx + zz), yz - wx],
        [xz - wy, yz + wx, one - (xx + yy)],
    ]
}

/// Computes `rotation · stretch · scale`, by row and column.
#[inline(always)]
fn stretch_and_scale<S: Simd>(
    rotation: [[f32x8<S>; 3]; 3],
    stretch: &Matrices<S>,
    scale: f32x8<S>,
) -> [[f32x8<S>; 3]; 3] {
    let [first, second, third] = rotation;
    [
        stretch_and_scale_row(first, stretch, scale),
        stretch_and_scale_row(second, stretch, scale),
        stretch_and_scale_row(third, stretch, scale),
    ]
}

#[inline(always)]
fn stretch_and_scale_row<S: Simd>(
    [a, b, c]: [f32x8<S>; 3],
    [first, second, third]: &Matrices<S>,
    scale: f32x8<S>,
) -> [f32x8<S>; 3] {
    [
        a.mul_add(first[0], b.mul_add(second[0], c * third[0])) * scale,
        a.mul_add(first[1], b.mul_add(second[1], c * third[1])) * scale,
        a.mul_add(first[2], b.mul_add(second[2], c * third[2])) * scale,
    ]
}
