//! Meshes that stand still beside the posed one: as stored, and in the rest pose.

use bindpose_asset::MovedVertices;
use glam::Vec3;

use super::buffers::{InstanceBuffer, VertexBuffer};
use super::geometry::{LineEnds, padded};
use super::kept_uploads::GhostBuffers;
use super::picture::PictureTargets;
use super::program_cache::SkinProgram;

impl PictureTargets<'_> {
    /// Surfaces of all ghosts that the scene asks for.
    pub(super) fn draw_ghosts(&self, program: &SkinProgram) {
        let scene = self.scene;
        if scene.ghost {
            self.draw_ghost(program, None, scene.colors.ghost);
        }
        if let Some(shape) = &scene.rest_ghost {
            let kept = &self.uploads.ghosts;
            let buffers = kept.get(&scene.mesh, shape, || self.ghost_buffers(shape));
            self.draw_ghost(program, Some(&buffers), scene.colors.rest_ghost);
        }
    }

    /// The same of a mesh that is a drawing of lines.
    pub(super) fn draw_lines_of_ghosts(&self, program: &SkinProgram) {
        let scene = self.scene;
        if scene.ghost {
            self.draw_ghost_lines(program, None, scene.colors.ghost);
        }
        if let Some(shape) = &scene.rest_ghost {
            let kept = &self.uploads.ghost_lines;
            let ends = kept.get(&scene.mesh, shape, || self.line_ends_of(shape));
            self.draw_ghost_lines(program, Some(&ends), scene.colors.rest_ghost);
        }
    }

    /// As many values as the mesh has vertices on the GPU, which are never none.
    fn ghost_buffers(&self, shape: &MovedVertices) -> GhostBuffers {
        let context = &self.programs.context;
        let count = self.mesh.points().positions.vertex_count() as usize;
        let padded = |values: &[Vec3]| {
            let all = padded(values, count, Vec3::ZERO);
            VertexBuffer::new_with_data(context, bytemuck::cast_slice(&all))
        };
        GhostBuffers { positions: padded(&shape.positions), normals: padded(&shape.normals) }
    }

    fn line_ends_of(&self, shape: &MovedVertices) -> LineEnds {
        let end = |end: usize| {
            let at = |line: &[u32; 2]| {
                let position = shape.positions.get(line[end] as usize);
                position.map_or([0.0; 3], |position| position.to_array())
            };
            let ends: Vec<[f32; 3]> = self.mesh.lines().iter().map(at).collect();
            InstanceBuffer::new_with_data(&self.programs.context, &ends)
        };
        [end(0), end(1)]
    }
}
