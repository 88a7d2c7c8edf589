//! The palette texture of matrices as stored and as read by a shader, with
//! faults. It follows the same rules as GL in plain code, so that the page can
//! display the values and the renderer can be tested against them.
//!
//! The texture has size 4 × N, with one row per joint and one texel per column
//! of its matrix. Row 0 is uploaded first and has the smallest coordinate.

use std::collections::BTreeSet;

use glam::{Mat4, Vec4};

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_skin::JointIndex;

/// Number of texels per joint, which is the width of the texture that every
/// shader assumes.
pub const WIDTH: u32 = 4;

/// Width with [`SkinningFault::WrongWidth`].
pub const WRONG_WIDTH: u32 = 5;

/// Fraction of a texel by which coordinates miss the edge with
/// [`SkinningFault::Edge`], towards the previous texel. GLSL allows divisions
/// to be off by some units in the last place in either direction. This is far
/// more, so that all devices give the same result.
pub const EDGE_SLIP: f32 = 1.0 / 64.0;

/// Number format of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelFormat {
    /// 32-bit floats.
    Float,
    /// 16-bit floats.
    Half,
    /// Bytes that represent 0 to 1.
    Bytes,
}

impl TexelFormat {
    /// Format with these faults. [`SkinningFault::Bytes`] takes precedence.
    pub fn from_faults(faults: &BTreeSet<SkinningFault>) -> Self {
        match (faults.contains(&SkinningFault::Bytes), faults.contains(&SkinningFault::Half)) {
            (true, _) => Self::Bytes,
            (false, true) => Self::Half,
            (false, false) => Self::Float,
        }
    }
}

/// Returns true if the texture has 32-bit floats and is sampled with LINEAR,
/// which devices need not support.
pub fn needs_float_linear(faults: &BTreeSet<SkinningFault>) -> bool {
    faults.contains(&SkinningFault::Linear)
        && TexelFormat::from_faults(faults) == TexelFormat::Float
}

/// Value of every read from an incomplete texture.
pub const INCOMPLETE: Vec4 = Vec4::W;

/// A palette texture and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct PaletteTexture<'a> {
    /// Correct matrices, one per joint.
    pub world_from_bind: &'a [Mat4],
    /// Skinning mistakes that are switched on.
    pub faults: &'a BTreeSet<SkinningFault>,
    /// How the shader reads the texture.
    pub transport: Transport,
    /// Whether 32-bit floats can be filtered. Otherwise a texture of floats
    /// with LINEAR is incomplete.
    pub float_linear: bool,
}

impl PaletteTexture<'_> {
    pub fn width(&self) -> u32 {
        if self.has(SkinningFault::WrongWidth) { WRONG_WIDTH } else { WIDTH }
    }

    /// Height in rows, one per joint.
    pub fn height(&self) -> u32 {
        u32::try_from(self.world_from_bind.len()).unwrap_or(u32::MAX)
    }

    /// Returns true if sampling is not supported by the device; see
    /// [`Self::float_linear`].
    pub fn is_incomplete(&self) -> bool {
        self.transport.is_texture() && needs_float_linear(self.faults) && !self.float_linear
    }

    /// Stored texel by column and row, from 0. Zeros beyond the uploaded data.
    pub fn stored(&self, x: u32, y: u32) -> Vec4 {
        let place = u64::from(y) * u64::from(self.width()) + u64::from(x);
        let joint = usize::try_from(place / u64::from(WIDTH)).unwrap_or(usize::MAX);
        let column = (place % u64::from(WIDTH)) as usize;
        let Some(matrix) = self.world_from_bind.get(joint) else {
            return Vec4::ZERO;
        };
        let texel = if self.has(SkinningFault::Transposed) {
            matrix.row(column)
        } else {
            matrix.col(column)
        };
        match TexelFormat::from_faults(self.faults) {
            TexelFormat::Float => texel,
            TexelFormat::Half => Vec4::from_array(texel.to_array().map(as_half)),
            TexelFormat::Bytes => Vec4::from_array(texel.to_array().map(as_byte)),
        }
    }

    /// All texels row by row, as uploaded.
    pub fn texels(&self) -> Vec<Vec4> {
        let (width, height) = (self.width(), self.height());
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| self.stored(x, y))
            .collect()
    }

    /// Value that the shader reads for a column of a joint. Always correct
    /// through uniforms. Zeros for a joint that does not exist.
    pub fn read(&self, joint: JointIndex, column: usize) -> Vec4 {
        let Some(meant) = self.world_from_bind.get(joint.index()) else {
            return Vec4::ZERO;
        };
        let column = column.min(3);
        if !self.transport.is_texture() {
            return meant.col(column);
        }
        if self.is_incomplete() {
            return INCOMPLETE;
        }
        if self.transport.is_fetched() {
            return self.stored(column as u32, joint.0.into());
        }
        let [x, y] = self.place(joint, column);
        if self.has(SkinningFault::Linear) { self.filtered(x, y) } else { self.nearest(x, y) }
    }

    /// Matrix that the shader assembles from four reads.
    pub fn matrix(&self, joint: JointIndex) -> Mat4 {
        let [x, y, z, w] = std::array::from_fn(|column| self.read(joint, column));
        Mat4::from_cols(x, y, z, w)
    }

    /// Coordinates that `texture()` samples, in texels of the actual texture.
    /// The shader divides by 4, the sampler multiplies by the actual width.
    pub fn place(&self, joint: JointIndex, column: usize) -> [f32; 2] {
        let into = if self.has(SkinningFault::Edge) { -EDGE_SLIP } else { 0.5 };
        let factor = self.width() as f32 / WIDTH as f32;
        [(column as f32 + into) * factor, f32::from(joint.0) + into]
    }

    fn nearest(&self, x: f32, y: f32) -> Vec4 {
        self.clamped(x.floor(), y.floor())
    }

    /// Bilinear filtering.
    fn filtered(&self, x: f32, y: f32) -> Vec4 {
        let x = x - 0.5;
        let y = y - 0.5;
        let left = x.floor();
        let top = y.floor();
        let across = x - left;
        let upper =
            self.clamped(left, top) * (1.0 - across) + self.clamped(left + 1.0, top) * across;
        let lower = self.clamped(left, top + 1.0) * (1.0 - across)
            + self.clamped(left + 1.0, top + 1.0) * across;
        upper * (1.0 - (y - top)) + lower * (y - top)
    }

    /// Reads a texel with `CLAMP_TO_EDGE`.
    fn clamped(&self, x: f32, y: f32) -> Vec4 {
        let x = x.clamp(0.0, self.width().saturating_sub(1) as f32) as u32;
        let y = y.clamp(0.0, self.height().saturating_sub(1) as f32) as u32;
        self.stored(x, y)
    }

    fn has(&self, fault: SkinningFault) -> bool {
        self.faults.contains(&fault)
    }
}

/// Round trip through a byte that represents 0 to 1.
pub fn as_byte(number: f32) -> f32 {
    if number.is_nan() {
        return 0.0;
    }
    (number.clamp(0.0, 1.0) * 255.0).round() / 255.0
}

/// Round trip through a 16-bit float: rounds to nearest, ties to even, as in
/// IEEE 754. Infinite from 65,520 on.
pub fn as_half(number: f32) -> f32 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    // The distance between neighbours is 2^(exponent − 10), but constant below
    // 2^−14.
    let exponent = (number.abs().to_bits() >> 23) as i32 - 127;
    let step = 2.0_f32.powi(exponent.max(-14) - 10);
    let rounded = (number / step).round_ties_even() * step;
    if rounded.abs() > 65_504.0 { f32::INFINITY.copysign(number) } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matrices whose cells contain joint, column and row: 1.23 is joint 1,
    /// column 2, row 3.
    fn marked(joints: usize) -> Vec<Mat4> {
        (0..joints)
            .map(|joint| {
                Mat4::from_cols_array(&std::array::from_fn(|at| {
                    joint as f32 + (at / 4) as f32 / 10.0 + (at % 4) as f32 / 100.0
                }))
            })
            .collect()
    }

    fn read(faults: &[SkinningFault], transport: Transport, joint: u16, column: usize) -> Vec4 {
        PaletteTexture {
            world_from_bind: &marked(3),
            faults: &faults.iter().copied().collect(),
            transport,
            float_linear: true,
        }
        .read(JointIndex(joint), column)
    }

    fn meant(joint: usize, column: usize) -> Vec4 {
        marked(3)[joint].col(column)
    }

    #[test]
    fn all_transports_are_correct_without_faults() {
        for transport in Transport::ALL {
            for joint in 0..3 {
                for column in 0..4 {
                    let got = read(&[], transport, joint, column);
                    assert_eq!(got, meant(joint.into(), column), "{transport:?}");
                }
            }
        }
    }

    #[test]
    fn uniforms_ignore_texture_faults() {
        for transport in [Transport::UniformArray, Transport::UniformBlock] {
            assert_eq!(read(&SkinningFault::ALL, transport, 1, 2), meant(1, 2));
        }
        assert_eq!(read(&[], Transport::TexelFetch, 3, 0), Vec4::ZERO);
    }

    #[test]
    fn filtering_has_no_effect_at_centres_and_for_texel_fetch() {
        for column in 0..4 {
            let got = read(&[SkinningFault::Linear], Transport::TextureCentres, 1, column);
            assert!(got.abs_diff_eq(meant(1, column), 1e-6), "{got}");
            let both = [SkinningFault::Linear, SkinningFault::Edge];
            let got = read(&both, Transport::TexelFetch, 1, column);
            assert_eq!(got, meant(1, column));
        }
    }

    #[test]
    fn edge_reads_previous_texel_or_mixes_four() {
        let way = Transport::TextureCentres;
        assert_eq!(read(&[SkinningFault::Edge], way, 1, 2), meant(0, 1));
        assert_eq!(read(&[SkinningFault::Edge], way, 0, 0), meant(0, 0), "clamped");
        let mixed = read(&[SkinningFault::Edge, SkinningFault::Linear], way, 1, 2);
        let even = (meant(0, 1) + meant(0, 2) + meant(1, 1) + meant(1, 2)) / 4.0;
        // 1/64 of a joint, and of a column, off the even mixture.
        let slip = EDGE_SLIP * (1.0 + 0.1);
        assert!(mixed.abs_diff_eq(even - Vec4::splat(slip), 1e-5), "{mixed}");
    }

    #[test]
    fn wrong_width_shifts_rows() {
        let fault = [SkinningFault::WrongWidth];
        let fetch = |joint, column| read(&fault, Transport::TexelFetch, joint, column);
        assert_eq!(fetch(0, 3), meant(0, 3));
        assert_eq!(fetch(1, 0), meant(1, 1));
        assert_eq!(fetch(1, 3), meant(2, 0));
        assert_eq!(fetch(2, 1), meant(2, 3));
        assert_eq!(fetch(2, 2), Vec4::ZERO, "nothing was uploaded there");
        // (c + 0.5) · 5 / 4 is in texel 0, 1, 3, 4.
        let centres = |column| read(&fault, Transport::TextureCentres, 0, column);
        assert_eq!(centres(1), meant(0, 1));
        assert_eq!(centres(2), meant(0, 3));
        assert_eq!(centres(3), meant(1, 0));
    }

    #[test]
    fn transposed_texels_are_rows() {
        let got = read(&[SkinningFault::Transposed], Transport::TexelFetch, 2, 1);
        assert_eq!(got, marked(3)[2].row(1));
    }

    #[test]
    fn bytes_lose_sign_and_size() {
        for (number, brought) in
            [(-0.5, 0.0), (0.0, 0.0), (0.5, 128.0 / 255.0), (1.0, 1.0), (7.0, 1.0), (f32::NAN, 0.0)]
        {
            assert_eq!(as_byte(number), brought, "{number}");
        }
    }

    #[test]
    fn halves_round_to_nearest_even() {
        for (number, brought) in [
            (1.0, 1.0),
            (0.1, 0.099_975_586),
            (-3.464_101_6, -3.464_843_8),
            (2_049.0, 2_048.0),
            (2_051.0, 2_052.0),
            (1.0 + 1.0 / 2_048.0, 1.0),
            (65_519.0, 65_504.0),
            (65_520.0, f32::INFINITY),
            (-1e9, f32::NEG_INFINITY),
            (5.960_464_5e-8, 5.960_464_5e-8),
            (2e-8, 0.0),
        ] {
            assert_eq!(as_half(number), brought, "{number}");
        }
        assert!(as_half(f32::NAN).is_nan());
    }

    #[test]
    fn linear_on_whole_floats_needs_an_extension() {
        let faults: BTreeSet<SkinningFault> = [SkinningFault::Linear].into();
        let matrices = marked(3);
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TexelFetch,
            float_linear: false,
        };
        assert!(palette.is_incomplete());
        let matrix = palette.matrix(JointIndex(1));
        assert_eq!(matrix * Vec4::new(3.0, 2.0, 1.0, 1.0), Vec4::W * 7.0);
        let narrow: BTreeSet<SkinningFault> = [SkinningFault::Linear, SkinningFault::Half].into();
        let palette = PaletteTexture { faults: &narrow, ..palette };
        assert!(!palette.is_incomplete());
    }

    #[test]
    fn what_is_uploaded_is_what_is_stored() {
        let faults: BTreeSet<SkinningFault> = [SkinningFault::WrongWidth].into();
        let matrices = marked(2);
        let palette = PaletteTexture {
            world_from_bind: &matrices,
            faults: &faults,
            transport: Transport::TexelFetch,
            float_linear: true,
        };
        let texels = palette.texels();
        assert_eq!(texels.len(), 10);
        assert_eq!(texels[7], matrices[1].col(3));
        assert_eq!(texels[8..], [Vec4::ZERO; 2]);
    }
}
