//! The joint palette where vertex shaders can read it, by every transport.

#![expect(
    unsafe_code,
    reason = "programs made without three-d are fed with GL directly"
)]

use std::collections::BTreeSet;

use eframe::glow::{self, HasContext as _};
use glam::Mat4;
use three_d::{Context, Interpolation, Texture2D, UniformBuffer, Wrapping};

use super::picture::Pass;
use super::programs::SkinProgram;
use super::shaders::block_sizes;
use super::variant::{Blending, SkinVariant};
use crate::lesson::{Fault, Transport};
use crate::notebook::texels::{WIDTH, WRONG_WIDTH};
use crate::skin::JointMotion;

/// One palette on its way to the shaders; filled anew for every picture.
#[derive(Default)]
pub(super) struct Palette {
    /// Row by row, as many to a joint as the variant says.
    texels: Vec<[f32; 4]>,
    joint_count: u32,
    /// Rows of the texture.
    rows: u32,
    transport: Transport,
    texture: Option<(TextureShape, Texture2D)>,
    blocks: Vec<(u32, UniformBuffer)>,
}

/// What a texture is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TextureShape {
    width: u32,
    height: u32,
    format: Format,
    filter: Filter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Float,
    Half,
    Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    Nearest,
    Linear,
}

impl Palette {
    /// Uploads what the variant's shaders read. Joints past `world_from_bind`
    /// get the identity: who names them stands still. `crowd`: the palettes of
    /// all, one after the other, or none. `max_rows`: of a texture.
    pub(super) fn fill(
        &mut self,
        context: &Context,
        variant: &SkinVariant,
        (world_from_bind, crowd): (&[Mat4], &[Mat4]),
        joint_count: u32,
        max_rows: u32,
        faults: &BTreeSet<Fault>,
    ) {
        let palettes: Vec<&[Mat4]> = if crowd.is_empty() {
            vec![world_from_bind]
        } else {
            crowd.chunks(world_from_bind.len().max(1)).collect()
        };
        let faults = Faults(variant.transport.is_texture().then_some(faults));
        self.joint_count = joint_count;
        self.transport = variant.transport;
        self.rows = (palettes.len() as u32 * joint_count).clamp(1, max_rows.max(1));
        self.texels = palettes
            .into_iter()
            .flat_map(|palette| {
                let still = std::iter::repeat(&Mat4::IDENTITY);
                palette.iter().chain(still).take(joint_count as usize)
            })
            .flat_map(|&matrix| texels_of(matrix, variant.blending, faults))
            .collect();
        match variant.transport {
            Transport::UniformArray => {}
            Transport::UniformBlock => self.fill_blocks(context, variant),
            Transport::TexelFetch | Transport::TextureCentres => {
                self.fill_texture(context, variant.blending.texels(), faults);
            }
        }
    }

    fn fill_blocks(&mut self, context: &Context, variant: &SkinVariant) {
        let sizes = block_sizes(variant);
        let kept = self.blocks.iter().map(|(size, _)| *size);
        if !kept.eq(sizes.iter().copied()) {
            self.blocks = sizes
                .iter()
                .map(|&vec4s| (vec4s, UniformBuffer::new(context, &[4 * vec4s])))
                .collect();
        }
        let mut rest = self.texels.as_slice();
        for (vec4s, buffer) in &mut self.blocks {
            let (part, after) = rest.split_at((*vec4s as usize).min(rest.len()));
            buffer.update(0, part.as_flattened());
            rest = after;
        }
    }

    fn fill_texture(&mut self, context: &Context, texels: u32, faults: Faults<'_>) {
        let groups = (self.texels.len() as u32)
            .div_ceil(texels * self.rows)
            .max(1);
        let excess = if faults.has(Fault::WrongWidth) && groups == 1 {
            WRONG_WIDTH - WIDTH
        } else {
            0
        };
        let shape = TextureShape {
            width: texels * groups + excess,
            height: self.rows,
            format: match (faults.has(Fault::Bytes), faults.has(Fault::Half)) {
                (true, _) => Format::Bytes,
                (false, true) => Format::Half,
                (false, false) => Format::Float,
            },
            filter: if faults.has(Fault::Linear) {
                Filter::Linear
            } else {
                Filter::Nearest
            },
        };
        let (width, height) = (shape.width as usize, shape.height as usize);
        let data = if groups > 1 {
            turned(
                &grouped(&self.texels, texels as usize, width, height),
                width,
                height,
            )
        } else {
            turned(&self.texels, width, height)
        };
        let (_, texture) = match self.texture.take() {
            Some(kept) if kept.0 == shape => self.texture.insert(kept),
            _ => self.texture.insert((shape, shape.empty(context))),
        };
        match shape.format {
            Format::Float => texture.fill(&data),
            Format::Half => texture.fill::<[three_d::f16; 4]>(
                &data
                    .iter()
                    .map(|texel| texel.map(three_d::f16::from_f32))
                    .collect::<Vec<_>>(),
            ),
            Format::Bytes => texture.fill::<[u8; 4]>(
                &data
                    .iter()
                    .map(|texel| texel.map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8))
                    .collect::<Vec<_>>(),
            ),
        }
    }

    /// Sets what `palette_texel` reads.
    pub(super) fn bind(&self, program: &SkinProgram) {
        let pass = Pass(&program.program);
        match program.variant.transport {
            Transport::UniformArray => {
                let vec4s: Vec<three_d::Vec4> = self.texels.iter().map(|&t| t.into()).collect();
                pass.uniforms("palette", &vec4s);
            }
            Transport::UniformBlock => {
                for (index, (_, buffer)) in self.blocks.iter().enumerate() {
                    if program.has_block(index) {
                        let name = format!("Palette{index}");
                        program.program.use_uniform_block(&name, buffer);
                    }
                }
            }
            Transport::TexelFetch | Transport::TextureCentres => {
                if let Some((_, texture)) = &self.texture {
                    pass.texture("palette", texture);
                }
                pass.uniform("joint_count", self.joint_count as f32);
                pass.uniform("palette_joints", self.joint_count as i32);
                pass.uniform("palette_rows", self.rows as i32);
            }
        }
    }
}

impl Palette {
    /// Does what [`Self::bind`] has just done for another program of the same
    /// source, which is in use: texture and buffers are bound already.
    pub(super) fn bind_again(&self, gl: &glow::Context, program: glow::Program) {
        // SAFETY: the names are looked up in the program, and what is sent has
        // the type that `reader::check` and our own sources hold it to.
        unsafe {
            let palette = gl.get_uniform_location(program, "palette");
            if self.transport == Transport::UniformArray {
                gl.uniform_4_f32_slice(palette.as_ref(), self.texels.as_flattened());
            } else {
                gl.uniform_1_i32(palette.as_ref(), 0);
                let joint_count = gl.get_uniform_location(program, "joint_count");
                gl.uniform_1_f32(joint_count.as_ref(), self.joint_count as f32);
            }
            let blocks = (0..self.blocks.len()).filter_map(|index| {
                gl.get_uniform_block_index(program, &format!("Palette{index}"))
            });
            for (binding, block) in blocks.enumerate() {
                gl.uniform_block_binding(program, block, binding as u32);
            }
        }
    }
}

impl TextureShape {
    fn empty(self, context: &Context) -> Texture2D {
        let make = match self.format {
            Format::Float => Texture2D::new_empty::<[f32; 4]>,
            Format::Half => Texture2D::new_empty::<[three_d::f16; 4]>,
            Format::Bytes => Texture2D::new_empty::<[u8; 4]>,
        };
        let filter = match self.filter {
            Filter::Nearest => Interpolation::Nearest,
            Filter::Linear => Interpolation::Linear,
        };
        let wrap = Wrapping::ClampToEdge;
        make(
            context,
            self.width,
            self.height,
            filter,
            filter,
            None,
            wrap,
            wrap,
        )
    }
}

/// Faults of the texture transports; none for the others.
#[derive(Clone, Copy)]
struct Faults<'a>(Option<&'a BTreeSet<Fault>>);

impl Faults<'_> {
    fn has(self, fault: Fault) -> bool {
        self.0.is_some_and(|faults| faults.contains(&fault))
    }
}

/// The texels of one joint.
fn texels_of(world_from_bind: Mat4, blending: Blending, faults: Faults<'_>) -> Vec<[f32; 4]> {
    let Blending::DualQuaternion { stretched } = blending else {
        let matrix = if faults.has(Fault::Transposed) {
            world_from_bind.transpose()
        } else {
            world_from_bind
        };
        return matrix.to_cols_array_2d().to_vec();
    };
    let motion = JointMotion::from_matrix(world_from_bind);
    let mut texels = vec![motion.real.to_array(), motion.dual.to_array()];
    if stretched {
        let stretch = if faults.has(Fault::Transposed) {
            motion.stretch.transpose()
        } else {
            motion.stretch
        };
        texels.extend(stretch.to_cols_array_2d().map(|[x, y, z]| [x, y, z, 0.0]));
    }
    texels
}

/// Joints one below the other, and from the top again further right where the
/// rows end; as one run, in rows of `width`.
fn grouped(texels: &[[f32; 4]], per_joint: usize, width: usize, height: usize) -> Vec<[f32; 4]> {
    let mut run = vec![[0.0; 4]; width * height];
    for (joint, texels) in texels.chunks(per_joint).enumerate() {
        let start = (joint % height) * width + (joint / height) * per_joint;
        if let Some(place) = run.get_mut(start..start + texels.len()) {
            place.copy_from_slice(texels);
        }
    }
    run
}

/// Texels as one run, in rows of `width`; what is left of the texture is 0.
/// three-d turns pictures upside down on upload, so the rows are handed over
/// last to first.
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
    use glam::Vec3;

    #[test]
    fn joint_r_ends_up_in_row_r_after_three_d_has_turned_the_rows() {
        let texels: Vec<[f32; 4]> = (0..3)
            .flat_map(|joint| {
                let matrix = Mat4::from_translation(Vec3::X * joint as f32);
                texels_of(matrix, Blending::Linear, Faults(None))
            })
            .collect();
        let rows = turned(&texels, 4, 3);
        let after_flip = |row: usize, column: usize| rows[(2 - row) * 4 + column];
        assert_eq!(after_flip(0, 0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(after_flip(0, 3), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(after_flip(2, 3), [2.0, 0.0, 0.0, 1.0]);

        let wide = turned(&texels, 8, 3);
        assert_eq!(wide[2 * 8 + 7], [1.0, 0.0, 0.0, 1.0], "joint 1 in row 0");
        assert_eq!(wide[0], [0.0; 4], "nothing is left for the last row");
    }

    #[test]
    fn palettes_of_a_crowd_go_on_further_right_where_rows_end() {
        let texels: Vec<[f32; 4]> = (0..5)
            .flat_map(|joint| {
                let matrix = Mat4::from_translation(Vec3::X * joint as f32);
                texels_of(matrix, Blending::Linear, Faults(None))
            })
            .collect();
        let run = grouped(&texels, 4, 8, 3);
        let at = |row: usize, column: usize| run[row * 8 + column];
        assert_eq!(at(2, 3), [2.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(0, 7), [3.0, 0.0, 0.0, 1.0], "joint 3, second group");
        assert_eq!(at(1, 7), [4.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(2, 7), [0.0; 4], "no sixth joint");
    }
}
