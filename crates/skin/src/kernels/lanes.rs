//! Conversion between arrays of vectors and vectors of lanes.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

use super::SIMD_WIDTH;

/// Three coordinates of eight vertices, packed as in a mesh.
pub(super) type Packed = [[f32; 4]; 3 * SIMD_WIDTH / 4];

/// Operations that differ between instruction sets. Lane i belongs to vertex i.
pub(super) trait LaneOps: Simd {
    /// Transposes eight vectors of four: returns their first components, their second ones, and
    /// so on.
    fn transpose(self, vectors: [&[f32; 4]; SIMD_WIDTH]) -> [f32x8<Self>; 4];

    /// Splits packed vectors into x, y and z.
    fn unpack(self, from: &Packed) -> [f32x8<Self>; 3];

    /// Writes x, y and z as packed vectors.
    fn pack(self, xyz: [f32x8<Self>; 3], to: &mut Packed);
}

/// Implements [`LaneOps`] for instruction sets with vectors of four lanes, as two halves.
macro_rules! impl_lane_ops_in_halves {
    ($level:ident) => {
        impl LaneOps for fearless_simd::$level {
            #[inline(always)]
            fn transpose(self, vectors: [&[f32; 4]; SIMD_WIDTH]) -> [f32x8<Self>; 4] {
                let [a, b, c, d, e, f, g, h] = vectors;
                let low = transpose_four(load_four(self, [a, b, c, d]));
                let high = transpose_four(load_four(self, [e, f, g, h]));
                [
                    low[0].combine(high[0]),
                    low[1].combine(high[1]),
                    low[2].combine(high[2]),
                    low[3].combine(high[3]),
                ]
            }

            #[inline(always)]
            fn unpack(self, [a, b, c, d, e, f]: &Packed) -> [f32x8<Self>; 3] {
                let low = unpack_four(self, [a, b, c]);
                let high = unpack_four(self, [d, e, f]);
                [low[0].combine(high[0]), low[1].combine(high[1]), low[2].combine(high[2])]
            }

            #[inline(always)]
            fn pack(self, [x, y, z]: [f32x8<Self>; 3], to: &mut Packed) {
                let (x_low, x_high) = x.split();
                let (y_low, y_high) = y.split();
                let (z_low, z_high) = z.split();
                let low = pack_four([x_low, y_low, z_low]);
                let high = pack_four([x_high, y_high, z_high]);
                low[0].store_array(&mut to[0]);
                low[1].store_array(&mut to[1]);
                low[2].store_array(&mut to[2]);
                high[0].store_array(&mut to[3]);
                high[1].store_array(&mut to[4]);
                high[2].store_array(&mut to[5]);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
impl_lane_ops_in_halves!(Sse2);
#[cfg(target_arch = "aarch64")]
impl_lane_ops_in_halves!(Neon);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl_lane_ops_in_halves!(WasmSimd128);
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
impl_lane_ops_in_halves!(Fallback);

/// Splits four packed vectors into x, y and z. The fourth result is meaningless.
#[inline(always)]
fn unpack_four<S: Simd>(simd: S, [a, b, c]: [&[f32; 4]; 3]) -> [f32x4<S>; 4] {
    let a = f32x4::load_array_ref(simd, a);
    let b = f32x4::load_array_ref(simd, b);
    let c = f32x4::load_array_ref(simd, c);
    transpose_four([a, a.slide::<3>(b), b.slide::<2>(c), c.slide::<1>(c)])
}

/// Packs x, y and z of four vectors: the inverse of [`unpack_four`].
#[inline(always)]
fn pack_four<S: Simd>([x, y, z]: [f32x4<S>; 3]) -> [f32x4<S>; 3] {
    // Each vector has a z in front of its x, y and z. The slides shift it out.
    let [a, b, c, d] = transpose_four([z, x, y, z]);
    let b_xyz = b.slide::<1>(b);
    let c_xyz = c.slide::<1>(c);
    let d_xyz = d.slide::<1>(d);
    [a.slide::<1>(b_xyz), b.slide::<2>(c_xyz), c.slide::<3>(d_xyz)]
}

#[inline(always)]
fn load_four<S: Simd>(simd: S, [a, b, c, d]: [&[f32; 4]; 4]) -> [f32x4<S>; 4] {
    [
        f32x4::load_array_ref(simd, a),
        f32x4::load_array_ref(simd, b),
        f32x4::load_array_ref(simd, c),
        f32x4::load_array_ref(simd, d),
    ]
}

#[inline(always)]
fn transpose_four<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac, ac_high) = (a.zip_low(c), a.zip_high(c));
    let (bd, bd_high) = (b.zip_low(d), b.zip_high(d));
    [ac.zip_low(bd), ac.zip_high(bd), ac_high.zip_low(bd_high), ac_high.zip_high(bd_high)]
}

/// [`LaneOps`] with vectors of eight lanes. Loads vertex 0 beside vertex 4, 1 beside 5 and so on,
/// because AVX shuffles only within halves.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};

    use fearless_simd::{Avx2, f32x4, f32x8, prelude::*};

    use super::{LaneOps, Packed, SIMD_WIDTH};

    impl LaneOps for Avx2 {
        #[inline(always)]
        fn transpose(self, vectors: [&[f32; 4]; SIMD_WIDTH]) -> [f32x8<Self>; 4] {
            let [a, b, c, d, e, f, g, h] = vectors;
            let (x, y, z, w) = transpose_halves(
                self,
                load_halves(self, a, e),
                load_halves(self, b, f),
                load_halves(self, c, g),
                load_halves(self, d, h),
            );
            [x.simd_into(self), y.simd_into(self), z.simd_into(self), w.simd_into(self)]
        }

        #[inline(always)]
        fn unpack(self, [a, b, c, d, e, f]: &Packed) -> [f32x8<Self>; 3] {
            let (x, y, z) = unpack_halves(
                self,
                load_halves(self, a, d),
                load_halves(self, b, e),
                load_halves(self, c, f),
            );
            [x.simd_into(self), y.simd_into(self), z.simd_into(self)]
        }

        #[inline(always)]
        fn pack(self, [x, y, z]: [f32x8<Self>; 3], to: &mut Packed) {
            let (a, b, c) = pack_halves(self, x.into(), y.into(), z.into());
            for (index, vector) in [a, b, c].into_iter().enumerate() {
                let vector: f32x8<Self> = vector.simd_into(self);
                let (low, high) = vector.split();
                low.store_array(&mut to[index]);
                high.store_array(&mut to[index + 3]);
            }
        }
    }

    #[inline(always)]
    fn load_halves(avx2: Avx2, low: &[f32; 4], high: &[f32; 4]) -> __m256 {
        let low = f32x4::load_array_ref(avx2, low);
        let high = f32x4::load_array_ref(avx2, high);
        low.combine(high).into()
    }

    fearless_simd::kernel!(
        #[inline(always)]
        fn transpose_halves(
            _avx2: Avx2,
            a: __m256,
            b: __m256,
            c: __m256,
            d: __m256,
        ) -> (__m256, __m256, __m256, __m256) {
            let (ac, ac_high) = (_mm256_unpacklo_ps(a, c), _mm256_unpackhi_ps(a, c));
            let (bd, bd_high) = (_mm256_unpacklo_ps(b, d), _mm256_unpackhi_ps(b, d));
            (
                _mm256_unpacklo_ps(ac, bd),
                _mm256_unpackhi_ps(ac, bd),
                _mm256_unpacklo_ps(ac_high, bd_high),
                _mm256_unpackhi_ps(ac_high, bd_high),
            )
        }
    );

    // Each half holds x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3. Unpacking takes five shuffles, from
    // Intel's "3D vector normalization using 256-bit AVX", and packing takes six.
    fearless_simd::kernel!(
        #[inline(always)]
        fn unpack_halves(_avx2: Avx2, a: __m256, b: __m256, c: __m256) -> (__m256, __m256, __m256) {
            let x2y2x3y3 = _mm256_shuffle_ps::<0b10_01_11_10>(b, c);
            let y0z0y1z1 = _mm256_shuffle_ps::<0b01_00_10_01>(a, b);
            (
                _mm256_shuffle_ps::<0b10_00_11_00>(a, x2y2x3y3),
                _mm256_shuffle_ps::<0b11_01_10_00>(y0z0y1z1, x2y2x3y3),
                _mm256_shuffle_ps::<0b11_00_11_01>(y0z0y1z1, c),
            )
        }
    );

    fearless_simd::kernel!(
        #[inline(always)]
        fn pack_halves(_avx2: Avx2, x: __m256, y: __m256, z: __m256) -> (__m256, __m256, __m256) {
            let x0x2y0y2 = _mm256_shuffle_ps::<0b10_00_10_00>(x, y);
            let y1y3z1z3 = _mm256_shuffle_ps::<0b11_01_11_01>(y, z);
            let z0z2x1x3 = _mm256_shuffle_ps::<0b11_01_10_00>(z, x);
            (
                _mm256_shuffle_ps::<0b10_00_10_00>(x0x2y0y2, z0z2x1x3),
                _mm256_shuffle_ps::<0b11_01_10_00>(y1y3z1z3, x0x2y0y2),
                _mm256_shuffle_ps::<0b11_01_11_01>(z0z2x1x3, y1y3z1z3),
            )
        }
    );
}
