//! Vectors side by side made into one number a lane, and back.

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

use super::WIDTH;

/// Three coordinates of eight vertices, packed as in a mesh.
pub(super) type Packed = [f32; 3 * WIDTH];

/// What each set of instructions does in its own way.
pub(super) trait Lanes: Simd {
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
        impl Lanes for fearless_simd::$level {
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
            fn unpacked(self, from: &Packed) -> [f32x8<Self>; 3] {
                let low = transposed([
                    four(self, from, 0),
                    four(self, from, 3),
                    four(self, from, 6),
                    four(self, from, 9),
                ]);
                // The last would reach one past the end.
                let high = transposed([
                    four(self, from, 12),
                    four(self, from, 15),
                    four(self, from, 18),
                    four(self, from, 20).slide::<1>(0.0),
                ]);
                [
                    low[0].combine(high[0]),
                    low[1].combine(high[1]),
                    low[2].combine(high[2]),
                ]
            }

            #[inline(always)]
            fn pack(self, [x, y, z]: [f32x8<Self>; 3], to: &mut Packed) {
                let ((x, x_high), (y, y_high), (z, z_high)) = (x.split(), y.split(), z.split());
                let [a, b, c, d] = transposed([x, y, z, z]);
                let [e, f, g, h] = transposed([x_high, y_high, z_high, z_high]);
                // Each writes one number too many, which the next makes good.
                a.store_slice(&mut to[0..4]);
                b.store_slice(&mut to[3..7]);
                c.store_slice(&mut to[6..10]);
                d.store_slice(&mut to[9..13]);
                e.store_slice(&mut to[12..16]);
                f.store_slice(&mut to[15..19]);
                g.store_slice(&mut to[18..22]);
                let last: [f32; 4] = h.into();
                to[21..24].copy_from_slice(&last[..3]);
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
fn four<S: Simd>(simd: S, from: &Packed, at: usize) -> f32x4<S> {
    f32x4::from_slice(simd, &from[at..at + 4])
}

#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac, ac_high) = (a.zip_low(c), a.zip_high(c));
    let (bd, bd_high) = (b.zip_low(d), b.zip_high(d));
    [
        ac.zip_low(bd),
        ac.zip_high(bd),
        ac_high.zip_low(bd_high),
        ac_high.zip_high(bd_high),
    ]
}

/// Eight at a time: vertex 0 beside vertex 4, 1 beside 5 and so on, since AVX
/// shuffles within halves.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};

    use fearless_simd::{Avx2, f32x4, f32x8, prelude::*};

    use super::{Lanes, Packed, WIDTH, four};

    impl Lanes for Avx2 {
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
                let (low, high) = (four(self, from, at), four(self, from, at + 12));
                low.combine(high).into()
            };
            let (x, y, z) = apart(self, beside(0), beside(4), beside(8));
            [x.simd_into(self), y.simd_into(self), z.simd_into(self)]
        }

        #[inline(always)]
        fn pack(self, [x, y, z]: [f32x8<Self>; 3], to: &mut Packed) {
            let (a, b, c) = together(self, x.into(), y.into(), z.into());
            for (at, part) in [(0, a), (4, b), (8, c)] {
                let part: f32x8<Self> = part.simd_into(self);
                let (low, high) = part.split();
                low.store_slice(&mut to[at..at + 4]);
                high.store_slice(&mut to[at + 12..at + 16]);
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
