//! The joint palette of matrices as a texture holds it and as a shader gets it, with
//! everything that can go wrong on the way. The same rules as GL's, in plain
//! code, so that the page can show them and the renderer be held against them.
//!
//! The texture is 4 × N, one row a joint, one texel a column of its matrix; row
//! 0 is uploaded first and read at the smallest coordinate.

use std::collections::BTreeSet;

use glam::{Mat4, Vec4};

use bindpose_lesson::{SkinningFault, Transport};
use bindpose_skin::JointIndex;

/// Texels a joint takes, which is the width of the texture and what every
/// shader counts on.
pub const WIDTH: u32 = 4;

/// The width with [`SkinningFault::WrongWidth`].
pub const WRONG_WIDTH: u32 = 5;

/// With [`SkinningFault::Edge`] coordinates miss the edge by this part of a texel, on
/// the side of the texel before. GLSL allows a division to be off by some units
/// in the last place, either way; this is far more, so that every machine shows
/// the same.
pub const EDGE_SLIP: f32 = 1.0 / 64.0;

/// What a texel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelFormat {
    /// 32-bit floats.
    Float,
    /// 16-bit floats.
    Half,
    /// Bytes from 0 to 1.
    Bytes,
}

impl TexelFormat {
    /// With what is done wrong; [`SkinningFault::Bytes`] is stronger than the other.
    pub fn from_faults(faults: &BTreeSet<SkinningFault>) -> Self {
        match (faults.contains(&SkinningFault::Bytes), faults.contains(&SkinningFault::Half)) {
            (true, _) => Self::Bytes,
            (false, true) => Self::Half,
            (false, false) => Self::Float,
        }
    }
}

/// Is the texture 32-bit and read with LINEAR, which a device need not be able
/// to?
pub fn needs_float_linear(faults: &BTreeSet<SkinningFault>) -> bool {
    faults.contains(&SkinningFault::Linear)
        && TexelFormat::from_faults(faults) == TexelFormat::Float
}

/// What every read of an incomplete texture gives.
pub const INCOMPLETE: Vec4 = Vec4::W;

/// The texture: what is in it and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct PaletteTexture<'a> {
    /// The matrices that were meant, one per joint.
    pub world_from_bind: &'a [Mat4],
    /// What is done wrong.
    pub faults: &'a BTreeSet<SkinningFault>,
    /// How the shader reads.
    pub transport: Transport,
    /// Can 32-bit floats be filtered? Else such a texture with LINEAR is
    /// incomplete.
    pub float_linear: bool,
}

impl PaletteTexture<'_> {
    /// Texels in a row.
    pub fn width(&self) -> u32 {
        if self.has(SkinningFault::WrongWidth) { WRONG_WIDTH } else { WIDTH }
    }

    /// Rows: one a joint.
    pub fn height(&self) -> u32 {
        u32::try_from(self.world_from_bind.len()).unwrap_or(u32::MAX)
    }

    /// Is it 32-bit, read with LINEAR, on a device that cannot?
    pub fn is_incomplete(&self) -> bool {
        self.transport.is_texture() && needs_float_linear(self.faults) && !self.float_linear
    }

    /// What lies in the texture at a column and row of its own, from 0; beyond
    /// what was uploaded, zeros.
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

    /// All texels, row after row: what is uploaded.
    pub fn texels(&self) -> Vec<Vec4> {
        let (width, height) = (self.width(), self.height());
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| self.stored(x, y))
            .collect()
    }

    /// What the shader gets for a column of a joint. Through uniforms it always
    /// gets what was meant. Zeros for a joint that is not there.
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

    /// The matrix the shader puts together from four reads.
    pub fn matrix(&self, joint: JointIndex) -> Mat4 {
        let [x, y, z, w] = std::array::from_fn(|column| self.read(joint, column));
        Mat4::from_cols(x, y, z, w)
    }

    /// Where `texture()` looks, in texels of the real texture: the shader
    /// divides by 4, the sampler multiplies by the true width.
    pub fn place(&self, joint: JointIndex, column: usize) -> [f32; 2] {
        let into = if self.has(SkinningFault::Edge) { -EDGE_SLIP } else { 0.5 };
        let factor = self.width() as f32 / WIDTH as f32;
        [(column as f32 + into) * factor, f32::from(joint.0) + into]
    }

    fn nearest(&self, x: f32, y: f32) -> Vec4 {
        self.clamped(x.floor(), y.floor())
    }

    /// The four texels around a place, by how near their centres are.
    fn filtered(&self, x: f32, y: f32) -> Vec4 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let mix = |y: f32| {
            let (a, b) = (self.clamped(left, y), self.clamped(left + 1.0, y));
            a * (1.0 - (x - left)) + b * (x - left)
        };
        mix(top) * (1.0 - (y - top)) + mix(top + 1.0) * (y - top)
    }

    /// `CLAMP_TO_EDGE`
    fn clamped(&self, x: f32, y: f32) -> Vec4 {
        let last = |count: u32| count.saturating_sub(1) as f32;
        let x = x.clamp(0.0, last(self.width())) as u32;
        let y = y.clamp(0.0, last(self.height())) as u32;
        self.stored(x, y)
    }

    fn has(&self, fault: SkinningFault) -> bool {
        self.faults.contains(&fault)
    }
}

/// As a byte from 0 to 1 brings it back.
pub fn as_byte(number: f32) -> f32 {
    if number.is_nan() {
        return 0.0;
    }
    (number.clamp(0.0, 1.0) * 255.0).round() / 255.0
}

/// As a 16-bit float brings it back: the nearest one, the even one of two, as
/// IEEE 754 has it; infinite from 65,520 on.
pub fn as_half(number: f32) -> f32 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    // The distance between neighbours is 2^(exponent − 10), and below 2^−14 it
    // stays what it is there.
    let exponent = (number.abs().to_bits() >> 23) as i32 - 127;
    let step = 2.0_f32.powi(exponent.max(-14) - 10);
    let rounded = (number / step).round_ties_even() * step;
    if rounded.abs() > 65_504.0 { f32::INFINITY.copysign(number) } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number tells its joint, column and row: 1.23 → joint 1, column 2,
    /// row 3.
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
    fn without_faults_every_way_brings_what_was_meant() {
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
    fn uniforms_know_no_texels_and_no_joint_beyond_the_last_is_read() {
        for transport in [Transport::UniformArray, Transport::UniformBlock] {
            assert_eq!(read(&SkinningFault::ALL, transport, 1, 2), meant(1, 2));
        }
        assert_eq!(read(&[], Transport::TexelFetch, 3, 0), Vec4::ZERO);
    }

    #[test]
    fn at_centres_a_filter_changes_nothing_and_texel_fetch_never_knows() {
        for column in 0..4 {
            let got = read(&[SkinningFault::Linear], Transport::TextureCentres, 1, column);
            assert!(got.abs_diff_eq(meant(1, column), 1e-6), "{got}");
            let both = [SkinningFault::Linear, SkinningFault::Edge];
            let got = read(&both, Transport::TexelFetch, 1, column);
            assert_eq!(got, meant(1, column));
        }
    }

    #[test]
    fn on_an_edge_the_texel_before_is_read_or_four_are_mixed() {
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
    fn a_fifth_column_shifts_every_row_a_texel_further() {
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
    fn halves_are_the_nearest_of_ieee_754() {
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
