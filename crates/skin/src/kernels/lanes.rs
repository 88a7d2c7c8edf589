//! Vectors side by side made into one number a lane, and back.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

use super::WIDTH;

/// Three coordinates of eight vertices, packed as in a mesh.
pub(super) type Packed = [[f32; 4]; 3 * WIDTH / 4];

/// What each set of instructions does in its own way.
pub(super) trait LaneOps: Simd {
    /// The first numbers of eight vectors, the second ones, and so on.
    fn columns(self, vectors: [&[f32; 4]; WIDTH]) -> [f32x8<Self>; 4];

    /// x, y and z.
    fn unpacked(self, from: &Packed) -> [f32x8<Self>; 3];

    /// x, y and z side by side again.
    fn pack(self, xyz: [f32x8<Self>; 3], to: &mut Packed);
}

/// Four at a time, in halves of a pair.
macro_rules! by_four {
    ($level:ident) => {
        impl LaneOps for fearless_simd::$level {
            #[inline(always)]
            fn columns(self, vectors: [&[f32; 4]; WIDTH]) -> [f32x8<Self>; 4] {
                let [a, b, c, d, e, f, g, h] = vectors;
                let low = transposed(loaded(self, [a, b, c, d]));
                let high = transposed(loaded(self, [e, f, g, h]));
                [
                    low[0].combine(high[0]),
                    low[1].combine(high[1]),
                    low[2].combine(high[2]),
                    low[3].combine(high[3]),
                ]
            }

            #[inline(always)]
            fn unpacked(self, [a, b, c, d, e, f]: &Packed) -> [f32x8<Self>; 3] {
                let low = coordinates(self, [a, b, c]);
                let high = coordinates(self, [d, e, f]);
                [low[0].combine(high[0]), low[1].combine(high[1]), low[2].combine(high[2])]
            }

            #[inline(always)]
            fn pack(self, [x, y, z]: [f32x8<Self>; 3], to: &mut Packed) {
                let ((x, x_high), (y, y_high), (z, z_high)) = (x.split(), y.split(), z.split());
                let low = side_by_side([x, y, z]);
                let high = side_by_side([x_high, y_high, z_high]);
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
by_four!(Sse2);
#[cfg(target_arch = "aarch64")]
by_four!(Neon);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
by_four!(WasmSimd128);
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
by_four!(Fallback);

/// x, y and z of four vertices that lie side by side.
#[inline(always)]
fn coordinates<S: Simd>(simd: S, [a, b, c]: [&[f32; 4]; 3]) -> [f32x4<S>; 4] {
    let a = f32x4::load_array_ref(simd, a);
    let b = f32x4::load_array_ref(simd, b);
    let c = f32x4::load_array_ref(simd, c);
    transposed([a, a.slide::<3>(b), b.slide::<2>(c), c.slide::<1>(c)])
}

/// The way back.
#[inline(always)]
fn side_by_side<S: Simd>([x, y, z]: [f32x4<S>; 3]) -> [f32x4<S>; 3] {
    // The first number of each is in the way, and is cut off.
    let [a, b, c, d] = transposed([z, x, y, z]);
    let (after_b, after_c, after_d) = (b.slide::<1>(b), c.slide::<1>(c), d.slide::<1>(d));
    [a.slide::<1>(after_b), b.slide::<2>(after_c), c.slide::<3>(after_d)]
}

#[inline(always)]
fn loaded<S: Simd>(simd: S, [a, b, c, d]: [&[f32; 4]; 4]) -> [f32x4<S>; 4] {
    [
        f32x4::load_array_ref(simd, a),
        f32x4::load_array_ref(simd, b),
        f32x4::load_array_ref(simd, c),
        f32x4::load_array_ref(simd, d),
    ]
}

#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac, ac_high) = (a.zip_low(c), a.zip_high(c));
    let (bd, bd_high) = (b.zip_low(d), b.zip_high(d));
    [ac.zip_low(bd), ac.zip_high(bd), ac_high.zip_low(bd_high), ac_high.zip_high(bd_high)]
}

/// Eight at a time: vertex 0 beside vertex 4, 1 beside 5 and so on, since AVX
/// shuffles within halves.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};

    use fearless_simd::{Avx2, f32x4, f32x8, prelude::*};

    use super::{LaneOps, Packed, WIDTH};

    impl LaneOps for Avx2 {
        #[inline(always)]
        fn columns(self, vectors: [&[f32; 4]; WIDTH]) -> [f32x8<Self>; 4] {
            let beside = |vertex: usize| {
                let low = f32x4::load_array_ref(self, vectors[vertex]);
                let high = f32x4::load_array_ref(self, vectors[vertex + 4]);
                low.combine(high).into()
            };
            let columns = transposed_halves(self, beside(0), beside(1), beside(2), beside(3));
            [
                columns.0.simd_into(self),
                columns.1.simd_into(self),
                columns.2.simd_into(self),
                columns.3.simd_into(self),
            ]
        }

        #[inline(always)]
        fn unpacked(self, from: &Packed) -> [f32x8<Self>; 3] {
            let beside = |at: usize| {
                let low = f32x4::load_array_ref(self, &from[at]);
                let high = f32x4::load_array_ref(self, &from[at + 3]);
                low.combine(high).into()
            };
            let (x, y, z) = apart(self, beside(0), beside(1), beside(2));
            [x.simd_into(self), y.simd_into(self), z.simd_into(self)]
        }

        #[inline(always)]
        fn pack(self, [x, y, z]: [f32x8<Self>; 3], to: &mut Packed) {
            let (a, b, c) = together(self, x.into(), y.into(), z.into());
            for (at, part) in [a, b, c].into_iter().enumerate() {
                let part: f32x8<Self> = part.simd_into(self);
                let (low, high) = part.split();
                low.store_array(&mut to[at]);
                high.store_array(&mut to[at + 3]);
            }
        }
    }

    fearless_simd::kernel!(
        #[inline(always)]
        fn transposed_halves(
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

    // In each half x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3, and back: five shuffles
    // from Intel's "3D vector normalization using 256-bit AVX", six for the way back.
    fearless_simd::kernel!(
        #[inline(always)]
        fn apart(_avx2: Avx2, a: __m256, b: __m256, c: __m256) -> (__m256, __m256, __m256) {
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
        fn together(_avx2: Avx2, x: __m256, y: __m256, z: __m256) -> (__m256, __m256, __m256) {
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
