//! The joint palette as a texture: RGBA32F, four texels a joint, one per
//! column.

use glam::Mat4;
use three_d::{Context, Interpolation, Texture2D, Wrapping};

/// `world_from_bind` of every joint, where shaders can read it.
pub(super) struct Palette {
    texture: Texture2D,
    rows: u32,
    groups: u32,
    joint_count: u32,
    max_side: u32,
}

impl Palette {
    pub(super) fn new(context: &Context, max_side: u32) -> Self {
        let (rows, groups) = (1, 1);
        Self {
            texture: empty(context, rows, groups),
            rows,
            groups,
            joint_count: 0,
            max_side: max_side.max(4),
        }
    }

    /// Uploads. A joint is a row; joints past the last row of the largest
    /// texture go on four texels further right.
    pub(super) fn fill(&mut self, context: &Context, world_from_bind: &[Mat4]) {
        let most = self.max_side as usize * (self.max_side / 4) as usize;
        let joints = &world_from_bind[..world_from_bind.len().min(most)];
        self.joint_count = joints.len() as u32;
        let rows = self.joint_count.clamp(1, self.max_side);
        let groups = self.joint_count.div_ceil(rows).max(1);
        if (rows, groups) != (self.rows, self.groups) {
            self.texture = empty(context, rows, groups);
            (self.rows, self.groups) = (rows, groups);
        }
        self.texture
            .fill(&texels(joints, rows as usize, groups as usize));
    }

    /// To be read by `texelFetch`.
    pub(super) fn texture(&self) -> &Texture2D {
        &self.texture
    }

    /// Joints in one group of four columns.
    pub(super) fn rows(&self) -> i32 {
        self.rows as i32
    }

    pub(super) fn joint_count(&self) -> i32 {
        self.joint_count as i32
    }
}

fn empty(context: &Context, rows: u32, groups: u32) -> Texture2D {
    Texture2D::new_empty::<[f32; 4]>(
        context,
        4 * groups,
        rows,
        Interpolation::Nearest,
        Interpolation::Nearest,
        None,
        Wrapping::ClampToEdge,
        Wrapping::ClampToEdge,
    )
}

/// Row by row. three-d turns pictures upside down on upload, so the rows are
/// handed over last to first.
fn texels(joints: &[Mat4], rows: usize, groups: usize) -> Vec<[f32; 4]> {
    let mut texels = vec![[0.0; 4]; 4 * groups * rows];
    for (index, matrix) in joints.iter().enumerate() {
        let (row, group) = (index % rows, index / rows);
        let start = (rows - 1 - row) * 4 * groups + 4 * group;
        texels[start..start + 4].copy_from_slice(&matrix.to_cols_array_2d());
    }
    texels
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn joint_r_ends_up_in_row_r_after_three_d_has_turned_the_rows() {
        let joints: Vec<Mat4> = (0..5)
            .map(|j| Mat4::from_translation(Vec3::X * j as f32))
            .collect();
        let texels = texels(&joints, 3, 2);
        let after_flip = |row: usize, column: usize| texels[(2 - row) * 8 + column];
        assert_eq!(after_flip(0, 0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(after_flip(0, 3), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(after_flip(2, 3), [2.0, 0.0, 0.0, 1.0]);
        assert_eq!(after_flip(1, 7), [4.0, 0.0, 0.0, 1.0], "second group");
        assert_eq!(after_flip(2, 7), [0.0; 4], "no sixth joint");
    }
}
