//! The joint palette where vertex shaders can read it, as its plan says.

#![expect(unsafe_code, reason = "programs made without three-d are fed with GL directly")]

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_lesson::SkinningFault;
use bindpose_notebook::glsl::ShaderBlending;
use bindpose_notebook::palette_plan::{PalettePlan, PaletteStore, TextureShape, UniformSizes};
use bindpose_notebook::scene::{CrowdScene, Scene};
use bindpose_skin::JointMotion;
use eframe::glow::{self, HasContext as _};
use glam::Mat4;

use super::buffers::{Context, UniformBuffer};
use super::material::Texture;
use super::program_cache::SkinProgram;

/// One palette on its way to the shaders; filled anew for every picture with another.
#[derive(Default)]
pub(super) struct PaletteUpload {
    filled: Option<FilledPalette>,
    /// Row by row, as many to a joint as the plan says.
    texels: Vec<[f32; 4]>,
    texture: Option<(TextureShape, Texture)>,
    blocks: Vec<(u32, UniformBuffer)>,
}

/// What it was filled with: held, so that a pointer stays its own.
struct FilledPalette {
    plan: PalettePlan,
    world_from_bind: Arc<[Mat4]>,
    crowd: Option<Arc<CrowdScene>>,
    faults: BTreeSet<SkinningFault>,
}

impl FilledPalette {
    fn is_of(&self, plan: PalettePlan, scene: &Scene) -> bool {
        let same_crowd = match (&self.crowd, &scene.crowd) {
            (Some(ours), Some(crowd)) => Arc::ptr_eq(ours, crowd),
            (None, None) => true,
            _ => false,
        };
        self.plan == plan
            && same_crowd
            && Arc::ptr_eq(&self.world_from_bind, &scene.palette)
            && self.faults == scene.skinning.faults
    }
}

impl PaletteUpload {
    /// Uploads what the shaders read of the scene, unless that is there. Joints past
    /// its palette get the identity: who names them stands still. Of a crowd in poses
    /// of their own, the palettes of all, one after the other.
    pub(super) fn fill(&mut self, context: &Context, plan: PalettePlan, scene: &Scene) {
        if self.filled.as_ref().is_some_and(|it| it.is_of(plan, scene)) {
            return;
        }
        let (world_from_bind, faults) = (&scene.palette, &scene.skinning.faults);
        let crowd = scene.crowd.as_ref();
        let of_crowd = crowd.map_or(&[][..], |crowd| &crowd.palettes);
        let palettes: Vec<&[Mat4]> = if of_crowd.is_empty() {
            vec![world_from_bind]
        } else {
            of_crowd.chunks(world_from_bind.len().max(1)).collect()
        };
        let shape = plan.texture(faults);
        let transposed = shape.is_some() && faults.contains(&SkinningFault::Transposed);
        let joints = plan.load.joints as usize;
        self.filled = Some(FilledPalette {
            plan,
            world_from_bind: Arc::clone(world_from_bind),
            crowd: crowd.cloned(),
            faults: faults.clone(),
        });
        self.texels.clear();
        for palette in palettes {
            let still = std::iter::repeat(&Mat4::IDENTITY);
            for &matrix in palette.iter().chain(still).take(joints) {
                push_texels(&mut self.texels, matrix, plan.load.blending, transposed);
            }
        }
        match plan.store {
            PaletteStore::Uniforms(sizes) => self.fill_blocks(context, sizes),
            PaletteStore::Texture { columns, .. } => {
                if let Some(shape) = shape {
                    self.fill_texture(context, shape, columns);
                }
            }
        }
    }

    fn fill_blocks(&mut self, context: &Context, uniforms: UniformSizes) {
        let sizes = uniforms.blocks();
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

    fn fill_texture(&mut self, context: &Context, shape: TextureShape, columns: u32) {
        let (_, texture) = match self.texture.take() {
            Some(kept) if kept.0 == shape => self.texture.insert(kept),
            _ => self.texture.insert((shape, Texture::palette(context, shape))),
        };
        if columns > 1 {
            let (width, height) = (shape.width as usize, shape.height as usize);
            let per_joint = width / columns as usize;
            texture.fill(shape, &grouped(&self.texels, per_joint, width, height));
        } else {
            texture.fill(shape, &self.texels);
        }
    }

    /// Sets what `palette_texel` reads.
    pub(super) fn bind(&self, program: &SkinProgram) {
        let Some(FilledPalette { plan, .. }) = &self.filled else {
            return;
        };
        let pass = &program.program;
        match plan.store {
            PaletteStore::Uniforms(UniformSizes { vec4s_per_block: 0, .. }) => {
                pass.uniforms("palette", self.texels.iter().copied());
            }
            PaletteStore::Uniforms(_) => {
                for (index, (_, buffer)) in self.blocks.iter().enumerate() {
                    if program.has_block(index) {
                        pass.block(&format!("Palette{index}"), buffer);
                    }
                }
            }
            PaletteStore::Texture { rows, .. } => {
                if let Some((_, texture)) = &self.texture {
                    pass.texture("palette", texture);
                }
                pass.uniform("joint_count", plan.load.joints as f32);
                pass.uniform("palette_joints", plan.load.joints as i32);
                pass.uniform("palette_rows", rows as i32);
            }
        }
    }

    /// Does what [`Self::bind`] has just done for another program of the same
    /// source, which is in use: texture and buffers are bound already.
    pub(super) fn bind_again(&self, gl: &glow::Context, program: glow::Program) {
        let Some(FilledPalette { plan, .. }) = &self.filled else {
            return;
        };
        // SAFETY: the names are looked up in the program, and what is sent has
        // the type that `program_cache::check` and our own sources hold it to.
        unsafe {
            let palette = gl.get_uniform_location(program, "palette");
            match plan.store {
                PaletteStore::Uniforms(UniformSizes { vec4s_per_block: 0, .. }) => {
                    gl.uniform_4_f32_slice(palette.as_ref(), self.texels.as_flattened());
                }
                PaletteStore::Uniforms(_) => {}
                PaletteStore::Texture { .. } => {
                    gl.uniform_1_i32(palette.as_ref(), 0);
                    let joint_count = gl.get_uniform_location(program, "joint_count");
                    gl.uniform_1_f32(joint_count.as_ref(), plan.load.joints as f32);
                }
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

/// Adds the texels of one joint. `transposed`: rows where columns belong.
fn push_texels(
    texels: &mut Vec<[f32; 4]>,
    world_from_bind: Mat4,
    blending: ShaderBlending,
    transposed: bool,
) {
    let stretched = match blending {
        ShaderBlending::DualQuaternion => false,
        ShaderBlending::StretchedDualQuaternion => true,
        ShaderBlending::Linear | ShaderBlending::Strongest | ShaderBlending::Only => {
            let matrix = if transposed { world_from_bind.transpose() } else { world_from_bind };
            texels.extend(matrix.to_cols_array_2d());
            return;
        }
    };
    let motion = JointMotion::from_matrix(world_from_bind);
    texels.extend([motion.real.to_array(), motion.dual.to_array()]);
    if stretched {
        let stretch = if transposed { motion.stretch.transpose() } else { motion.stretch };
        texels.extend(stretch.to_cols_array_2d().map(|[x, y, z]| [x, y, z, 0.0]));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn palettes_of_a_crowd_go_on_further_right_where_rows_end() {
        let mut texels = Vec::new();
        for joint in 0..5_u8 {
            let matrix = Mat4::from_translation(Vec3::X * f32::from(joint));
            push_texels(&mut texels, matrix, ShaderBlending::Linear, false);
        }
        let run = grouped(&texels, 4, 8, 3);
        let at = |row: usize, column: usize| run[row * 8 + column];
        assert_eq!(at(2, 3), [2.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(0, 7), [3.0, 0.0, 0.0, 1.0], "joint 3, second group");
        assert_eq!(at(1, 7), [4.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(2, 7), [0.0; 4], "no sixth joint");
    }
}
