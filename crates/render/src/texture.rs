//! Textures of three-d's, which turns pictures upside down on upload.

use bindpose_asset::{TextureUse, Wrap};
use bindpose_notebook::palette_plan::TextureShape;
use bindpose_notebook::palette_texture::TexelFormat;
use three_d::{CpuTexture, Interpolation, Mipmap, Texture2D, TextureData, Wrapping, f16};

use super::buffers::Context;

pub(super) struct Texture(Texture2D);

impl Texture {
    /// An image on a surface: RGBA, rows from top to bottom, of this width and height.
    /// Its first row gets the largest coordinate.
    pub(super) fn image(
        context: &Context,
        rgba: &[u8],
        size_px: [u32; 2],
        used: TextureUse,
    ) -> Self {
        let [wrap_s, wrap_t] = used.wrap.map(|wrap| match wrap {
            Wrap::Repeat => Wrapping::Repeat,
            Wrap::MirroredRepeat => Wrapping::MirroredRepeat,
            Wrap::ClampToEdge => Wrapping::ClampToEdge,
        });
        let texels = rgba.as_chunks::<4>().0.to_vec();
        Self(Texture2D::new(
            context,
            &CpuTexture {
                name: "base color".to_owned(),
                data: TextureData::RgbaU8(texels),
                width: size_px[0],
                height: size_px[1],
                // Seen from afar, sharp pixels would only glitter.
                min_filter: Interpolation::Linear,
                mag_filter: if used.nearest {
                    Interpolation::Nearest
                } else {
                    Interpolation::Linear
                },
                mipmap: Some(Mipmap::default()),
                wrap_s,
                wrap_t,
            },
        ))
    }

    /// Room for a palette.
    pub(super) fn palette(context: &Context, shape: TextureShape) -> Self {
        let make = match shape.format {
            TexelFormat::Float => Texture2D::new_empty::<[f32; 4]>,
            TexelFormat::Half => Texture2D::new_empty::<[f16; 4]>,
            TexelFormat::Bytes => Texture2D::new_empty::<[u8; 4]>,
        };
        let filter = if shape.linear { Interpolation::Linear } else { Interpolation::Nearest };
        let wrap = Wrapping::ClampToEdge;
        Self(make(context, shape.width, shape.height, filter, filter, None, wrap, wrap))
    }

    /// Puts in what [`Self::palette`] has room for: texels as one run, the first
    /// row at the smallest coordinate; what is left of the texture is 0.
    pub(super) fn fill(&self, shape: TextureShape, texels: &[[f32; 4]]) {
        let data = turned(texels, shape.width as usize, shape.height as usize);
        match shape.format {
            TexelFormat::Float => self.0.fill(&data),
            TexelFormat::Half => self.0.fill::<[f16; 4]>(
                &data.iter().map(|texel| texel.map(f16::from_f32)).collect::<Vec<_>>(),
            ),
            TexelFormat::Bytes => self.0.fill::<[u8; 4]>(
                &data
                    .iter()
                    .map(|texel| texel.map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8))
                    .collect::<Vec<_>>(),
            ),
        }
    }

    pub(super) fn get(&self) -> &Texture2D {
        &self.0
    }
}

/// The rows last to first.
fn turned(texels: &[[f32; 4]], width: usize, height: usize) -> Vec<[f32; 4]> {
    let mut rows = vec![[0.0; 4]; width * height];
    for (texels, row) in texels.chunks(width).zip(rows.rchunks_mut(width)) {
        row[..texels.len()].copy_from_slice(texels);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_r_ends_up_in_row_r_after_three_d_has_turned_the_rows() {
        let texels: Vec<[f32; 4]> =
            (0..12).map(|texel| [(texel / 4) as f32, (texel % 4) as f32, 0.0, 1.0]).collect();
        let rows = turned(&texels, 4, 3);
        let after_flip = |row: usize, column: usize| rows[(2 - row) * 4 + column];
        assert_eq!(after_flip(0, 0), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(after_flip(0, 3), [0.0, 3.0, 0.0, 1.0]);
        assert_eq!(after_flip(2, 3), [2.0, 3.0, 0.0, 1.0]);

        let wide = turned(&texels, 8, 3);
        assert_eq!(wide[2 * 8 + 7], [1.0, 3.0, 0.0, 1.0], "joint 1 in row 0");
        assert_eq!(wide[0], [0.0; 4], "nothing is left for the last row");
    }
}
