//! Uploads the joint palette to uniforms, uniform blocks or a texture, as its plan requires.

#![expect(unsafe_code, reason = "sets uniforms of programs made without three-d")]

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

/// The palette of the last scene, uploaded again only if it changes.
#[derive(Default)]
pub(super) struct PaletteUpload {
    source: Option<PaletteSource>,
    /// The palette joint by joint. The plan defines the number of texels per joint.
    texels: Vec<[f32; 4]>,
    texture: Option<(TextureShape, Texture)>,
    blocks: Vec<PaletteBlock>,
}

struct PaletteBlock {
    /// Size of the block in vec4s.
    vec4s: u32,
    buffer: UniformBuffer,
}

/// The inputs of the current upload. Holds the `Arc`s, so that their pointers cannot be reused.
struct PaletteSource {
    plan: PalettePlan,
    world_from_bind: Arc<[Mat4]>,
    crowd: Option<Arc<CrowdScene>>,
    faults: BTreeSet<SkinningFault>,
}

impl PaletteSource {
    fn matches(&self, plan: PalettePlan, scene: &Scene) -> bool {
        let is_same_crowd = match (&self.crowd, &scene.crowd) {
            (Some(uploaded), Some(crowd)) => Arc::ptr_eq(uploaded, crowd),
            (None, None) => true,
            _ => false,
        };
        self.plan == plan
            && is_same_crowd
            && Arc::ptr_eq(&self.world_from_bind, &scene.palette)
            && self.faults == scene.skinning.faults
    }
}

impl PaletteUpload {
    /// Uploads the palette of a scene unless it is already uploaded. If each member of a crowd
    /// has its own pose, uploads all their palettes one after the other.
    ///
    /// Joints beyond the end of the palette get the identity matrix, which leaves their vertices
    /// in the bind pose.
    pub(super) fn upload(&mut self, context: &Context, plan: PalettePlan, scene: &Scene) {
        if self.source.as_ref().is_some_and(|source| source.matches(plan, scene)) {
            return;
        }
        let world_from_bind = &scene.palette;
        let faults = &scene.skinning.faults;
        let palettes: Vec<&[Mat4]> = match &scene.crowd {
            Some(crowd) if !crowd.palettes.is_empty() => {
                crowd.palettes.chunks(world_from_bind.len().max(1)).collect()
            }
            _ => vec![world_from_bind],
        };
        let texture_shape = plan.texture(faults);
        let is_transposed = texture_shape.is_some() && faults.contains(&SkinningFault::Transposed);
        let joint_count = plan.load.joints as usize;
        self.source = Some(PaletteSource {
            plan,
            world_from_bind: Arc::clone(world_from_bind),
            crowd: scene.crowd.clone(),
            faults: faults.clone(),
        });
        self.texels.clear();
        for palette in palettes {
            let padding = std::iter::repeat(&Mat4::IDENTITY);
            for &matrix in palette.iter().chain(padding).take(joint_count) {
                push_joint_texels(&mut self.texels, matrix, plan.load.blending, is_transposed);
            }
        }
        match plan.store {
            PaletteStore::Uniforms(sizes) => self.upload_blocks(context, sizes),
            PaletteStore::Texture { columns, .. } => {
                if let Some(shape) = texture_shape {
                    self.upload_texture(context, shape, columns);
                }
            }
        }
    }

    fn upload_blocks(&mut self, context: &Context, uniforms: UniformSizes) {
        let sizes = uniforms.blocks();
        if !self.blocks.iter().map(|block| block.vec4s).eq(sizes.iter().copied()) {
            self.blocks = sizes
                .iter()
                .map(|&vec4s| PaletteBlock {
                    vec4s,
                    buffer: UniformBuffer::new(context, &[4 * vec4s]),
                })
                .collect();
        }
        let mut remaining = self.texels.as_slice();
        for block in &mut self.blocks {
            let (part, rest) = remaining.split_at((block.vec4s as usize).min(remaining.len()));
            block.buffer.update(0, part.as_flattened());
            remaining = rest;
        }
    }

    /// Uploads the palette to a texture with `columns` columns of joints.
    fn upload_texture(&mut self, context: &Context, shape: TextureShape, columns: u32) {
        let (_, texture) = match self.texture.take() {
            Some(current) if current.0 == shape => self.texture.insert(current),
            _ => self.texture.insert((shape, Texture::new_palette(context, shape))),
        };
        if columns > 1 {
            let width = shape.width as usize;
            let height = shape.height as usize;
            let texels_per_joint = width / columns as usize;
            let texels = arrange_in_columns(&self.texels, texels_per_joint, width, height);
            texture.fill_palette(shape, &texels);
        } else {
            texture.fill_palette(shape, &self.texels);
        }
    }

    /// Sets the inputs of `palette_texel` in a program of three-d.
    pub(super) fn bind(&self, program: &SkinProgram) {
        let Some(PaletteSource { plan, .. }) = &self.source else {
            return;
        };
        let pass = &program.program;
        match plan.store {
            PaletteStore::Uniforms(UniformSizes { vec4s_per_block: 0, .. }) => {
                pass.uniforms("palette", self.texels.iter().copied());
            }
            PaletteStore::Uniforms(_) => {
                for (index, block) in self.blocks.iter().enumerate() {
                    if program.has_block(index) {
                        pass.block(&format!("Palette{index}"), &block.buffer);
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

    /// Sets the inputs of `palette_texel` in the program in use, which has the same source as
    /// the one last passed to [`Self::bind`]. Texture and buffers are still bound.
    pub(super) fn bind_in_raw_program(&self, gl: &glow::Context, program: glow::Program) {
        let Some(PaletteSource { plan, .. }) = &self.source else {
            return;
        };
        // SAFETY: the names are looked up in the program, and the values have the types that
        // the built-in sources declare and `program_cache::check_shader` requires.
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

/// Appends the texels of one joint: the columns of its matrix, or its dual quaternion, followed
/// by its stretch if the blending needs it. Writes rows instead of columns if `is_transposed`.
fn push_joint_texels(
    texels: &mut Vec<[f32; 4]>,
    world_from_bind: Mat4,
    blending: ShaderBlending,
    is_transposed: bool,
) {
    match blending {
        ShaderBlending::Linear | ShaderBlending::Strongest | ShaderBlending::Only => {
            let matrix = if is_transposed { world_from_bind.transpose() } else { world_from_bind };
            texels.extend(matrix.to_cols_array_2d());
        }
        ShaderBlending::DualQuaternion | ShaderBlending::StretchedDualQuaternion => {
            let motion = JointMotion::from_matrix(world_from_bind);
            texels.extend([motion.real.to_array(), motion.dual.to_array()]);
            if blending == ShaderBlending::StretchedDualQuaternion {
                let stretch =
                    if is_transposed { motion.stretch.transpose() } else { motion.stretch };
                texels.extend(stretch.to_cols_array_2d().map(|[x, y, z]| [x, y, z, 0.0]));
            }
        }
    }
}

/// Arranges joints in columns from top to bottom, and the columns from left to right. Returns
/// the texels in rows of `width`.
fn arrange_in_columns(
    texels: &[[f32; 4]],
    texels_per_joint: usize,
    width: usize,
    height: usize,
) -> Vec<[f32; 4]> {
    let mut arranged = vec![[0.0; 4]; width * height];
    for (joint, joint_texels) in texels.chunks(texels_per_joint).enumerate() {
        let start = (joint % height) * width + (joint / height) * texels_per_joint;
        if let Some(target) = arranged.get_mut(start..start + joint_texels.len()) {
            target.copy_from_slice(joint_texels);
        }
    }
    arranged
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn crowd_palettes_continue_in_the_next_column() {
        let mut texels = Vec::new();
        for joint in 0..5_u8 {
            let matrix = Mat4::from_translation(Vec3::X * f32::from(joint));
            push_joint_texels(&mut texels, matrix, ShaderBlending::Linear, false);
        }
        let arranged = arrange_in_columns(&texels, 4, 8, 3);
        let rows: Vec<&[[f32; 4]]> = arranged.chunks(8).collect();
        assert_eq!(rows[2][3], [2.0, 0.0, 0.0, 1.0]);
        assert_eq!(rows[0][7], [3.0, 0.0, 0.0, 1.0], "joint 3 in the second column");
        assert_eq!(rows[1][7], [4.0, 0.0, 0.0, 1.0]);
        assert_eq!(rows[2][7], [0.0; 4], "no sixth joint");
    }
}
