//! The blend of dual quaternions, for the vertices of a block.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
use glam::{Mat3, Mat4};

use super::apply::{Matrices, MatrixSource, columns};
use super::lanes::LaneOps;
use super::linear::Entries;
use super::{BLOCK, BlockRows, GroupEntry, MatrixRows, VertexBlock, VertexGroups, WIDTH};
use crate::{JointIndex, JointMotion};

/// A rigid motion.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dual {
    /// x, y, z, w.
    real: [f32; 4],
    dual: [f32; 4],
}

impl Dual {
    /// What moves nothing.
    pub(super) const REST: Self = Self { real: [0.0, 0.0, 0.0, 1.0], dual: [0.0; 4] };

    pub(super) fn of(motion: &JointMotion) -> Self {
        Self { real: motion.real.to_array(), dual: motion.dual.to_array() }
    }
}

/// The stretch as a matrix that moves nothing else.
pub(super) fn stretch_rows(stretch: Mat3) -> MatrixRows {
    MatrixRows::of(&Mat4::from_mat3(stretch))
}

/// The sums of real parts and dual parts, not yet of unit length, stand where first
/// and second rows do; the sum of the weights is the first number of the third.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn blend<S: Simd>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: Entries<'_, Dual>,
    to: &mut BlockRows,
) {
    match palette {
        Entries::Few(palette) => blend_by(simd, groups, block, palette, to),
        Entries::All(palette) => blend_by(simd, groups, block, palette, to),
    }
}

#[inline(always)]
fn blend_by<S: Simd, const PLACES: usize>(
    simd: S,
    groups: &VertexGroups,
    block: &VertexBlock<'_>,
    palette: &[Dual; PLACES],
    to: &mut BlockRows,
) {
    each(simd, block.none, palette, to);
    each(simd, block.one, palette, to);
    each(simd, block.two, palette, to);
    each(simd, block.three, palette, to);
    each(simd, block.four, palette, to);
    for longer in block.more {
        let pairs = longer.pairs_in(groups).iter().copied();
        put(simd, pairs, palette, to, longer.place);
    }
}

#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn each<S: Simd, const COUNT: usize, const PLACES: usize>(
    simd: S,
    entries: &[GroupEntry<COUNT>],
    palette: &[Dual; PLACES],
    to: &mut BlockRows,
) {
    for entry in entries {
        let weights = entry.weights.into_iter().enumerate();
        let pairs = weights.map(|(lane, weight)| (entry.joint(lane), weight));
        put(simd, pairs, palette, to, entry.place);
    }
}

/// Of the two quaternions for one rotation, each takes the one on the side of the
/// first.
#[inline(always)]
fn put<S: Simd, const PLACES: usize>(
    simd: S,
    pairs: impl Iterator<Item = (JointIndex, f32)>,
    palette: &[Dual; PLACES],
    to: &mut BlockRows,
    place: u8,
) {
    let zero = f32x4::splat(simd, 0.0);
    let (mut real, mut dual, mut pivot) = (zero, zero, None);
    let mut sum = 0.0;
    for (joint, weight) in pairs {
        let motion = &palette[joint.index() % PLACES];
        let own = f32x4::load_array_ref(simd, &motion.real);
        let side = match pivot {
            None => {
                pivot = Some(own);
                weight
            }
            Some(pivot) if (own * pivot).reduce_sum() < 0.0 => -weight,
            Some(_) => weight,
        };
        let side = f32x4::splat(simd, side);
        real = own.mul_add(side, real);
        dual = f32x4::load_array_ref(simd, &motion.dual).mul_add(side, dual);
        sum += weight;
    }
    let at = &mut to[usize::from(place) % BLOCK];
    real.store_array(&mut at.first_two[0]);
    dual.store_array(&mut at.first_two[1]);
    at.third[0] = sum;
}

/// Matrices from blended motions.
pub(super) struct DualSource<'a> {
    pub(super) motions: &'a BlockRows,
    /// `Σ wᵢ · Sᵢ`, where some joint is not rigid.
    pub(super) stretches: Option<&'a BlockRows>,
}

impl<S: LaneOps> MatrixSource<S> for DualSource<'_> {
    /// As [`dual_quaternion_matrix`](crate::dual_quaternion_matrix).
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn matrices(&self, simd: S, eight: usize) -> Option<Matrices<S>> {
        let [a, b, c, d, e, f, g, h] = self.motions.as_chunks::<WIDTH>().0.get(eight)?;
        let all = [a, b, c, d, e, f, g, h];
        let [x, y, z, w] = columns(simd, all, |rows| &rows.first_two[0]);
        let dual = columns(simd, all, |rows| &rows.first_two[1]);
        let [sum, ..] = columns(simd, all, |rows| &rows.third);
        let one = f32x8::splat(simd, 1.0);
        let size = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w))).sqrt();
        let is_nothing =
            size.simd_lt(f32x8::splat(simd, 1e-12)) | sum.simd_eq(f32x8::splat(simd, 0.0));
        let unit = one / size;
        let [x, y, z, w] = [x * unit, y * unit, z * unit, w * unit];
        let dual = [dual[0] * unit, dual[1] * unit, dual[2] * unit, dual[3] * unit];
        let mut linear = rotation(simd, [x, y, z, w]);
        if let Some(stretches) = self.stretches {
            let stretch = stretches.matrices(simd, eight)?;
            linear = stretched(linear, &stretch, one / sum);
        }
        // 2 · dual · conjugate of the real part.
        let two = f32x8::splat(simd, 2.0);
        let [p, q, r, s] = dual;
        let by = [
            two * (w.mul_sub(p, x * s) + y.mul_sub(r, z * q)),
            two * (w.mul_sub(q, y * s) + z.mul_sub(p, x * r)),
            two * (w.mul_sub(r, z * s) + x.mul_sub(q, y * p)),
        ];
        let zero = f32x8::splat(simd, 0.0);
        let row = |row: usize| {
            let [a, b, c] = linear[row];
            [
                is_nothing.select(zero, a),
                is_nothing.select(zero, b),
                is_nothing.select(zero, c),
                is_nothing.select(zero, by[row]),
            ]
        };
        Some([row(0), row(1), row(2)])
    }
}

/// Of a unit quaternion x, y, z, w, by row and column.
#[inline(always)]
fn rotation<S: Simd>(simd: S, [x, y, z, w]: [f32x8<S>; 4]) -> [[f32x8<S>; 3]; 3] {
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

/// `rotation · stretch · scale`, by row and column.
#[inline(always)]
fn stretched<S: Simd>(
    rotation: [[f32x8<S>; 3]; 3],
    stretch: &Matrices<S>,
    scale: f32x8<S>,
) -> [[f32x8<S>; 3]; 3] {
    let [first, second, third] = rotation;
    [
        row_stretched(first, stretch, scale),
        row_stretched(second, stretch, scale),
        row_stretched(third, stretch, scale),
    ]
}

#[inline(always)]
fn row_stretched<S: Simd>(
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
