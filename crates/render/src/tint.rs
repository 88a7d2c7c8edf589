//! What colours a surface or a line: hands the views of `tint.glsl` what they
//! read.

use std::rc::Rc;

use bindpose_lesson::Tint;
use bindpose_skin::{LANES, SET_LANES};

use super::buffers::{InstanceBuffer, VertexBuffer};
use super::picture::PictureTargets;
use super::program::NamedProgram;

/// Viridis from 0 to 1: the scale of weights and of all that is measured, here
/// and in the page's tables and legends.
pub const WEIGHT_STOPS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2D, 0x7B],
    [0x3B, 0x52, 0x8B],
    [0x2C, 0x72, 0x8E],
    [0x21, 0x91, 0x8C],
    [0x28, 0xAE, 0x80],
    [0x5E, 0xC9, 0x62],
    [0xAD, 0xDC, 0x30],
    [0xFD, 0xE7, 0x25],
];

/// The mode of `tint.glsl` for numbers a vertex.
const SCALAR: i32 = 10;

/// The mode of `tint.glsl`.
fn mode(tint: Tint) -> i32 {
    match tint {
        Tint::Base => 0,
        Tint::Joints => 1,
        Tint::Weight => 2,
        Tint::Solid => 3,
        Tint::Normals => 4,
        Tint::Strongest => 5,
        Tint::JointIndices => 6,
        Tint::Weights => 7,
        Tint::SumError => 8,
        Tint::Displacement => 9,
        Tint::WeightError => SCALAR,
    }
}

impl PictureTargets<'_> {
    /// `on`: false for what keeps its own colour whatever the view.
    pub(super) fn use_tint(&self, pass: &NamedProgram, on: bool) {
        let scene = self.scene;
        let (mode, most) = match &scene.scalars {
            _ if !on => (mode(Tint::Base), 1.0),
            Some(_) => (SCALAR, scene.tint_most),
            None => (mode(scene.tint), scene.tint_most),
        };
        pass.uniform("tint_mode", mode);
        pass.uniform("tint_joint", i32::from(scene.tint_joint.0));
        // The scale must not divide by zero.
        pass.uniform("tint_most", most.max(f32::MIN_POSITIVE));
        pass.uniforms("joint_colors", scene.colors.joints);
        pass.uniforms("weight_stops", WEIGHT_STOPS);
        pass.uniform("solid_color", scene.colors.ghost);
        pass.uniform("over_color", scene.colors.over);
        pass.uniform("unused_color", scene.colors.surface);
        let lanes = if self.influences.sets.len() > 1 { LANES } else { SET_LANES };
        pass.uniform("lane_count", lanes as i32);
        pass.uniform("stripe_px", 7.0 * self.scale());
    }

    /// The scene's numbers, one per vertex; 0 where there are too few.
    pub(super) fn scalars_of_vertices(&self) -> Option<Rc<VertexBuffer<f32>>> {
        let (mesh, scalars) = (&self.scene.mesh, self.scene.scalars.as_ref()?);
        let upload = || {
            let mut values = scalars.values.clone();
            values.resize(mesh.positions.len(), 0.0);
            VertexBuffer::new_with_data(&self.programs.context, &values)
        };
        Some(self.uploads.scalars.get(mesh, scalars, upload))
    }

    /// The scene's numbers at both ends of every line.
    pub(super) fn scalars_of_line_ends(&self) -> Option<Rc<[InstanceBuffer<f32>; 2]>> {
        let scalars = self.scene.scalars.as_ref()?;
        let of = |vertex: u32| scalars.values.get(vertex as usize).copied().unwrap_or(0.0);
        let end = |end: usize| {
            let values: Vec<f32> = self.mesh.lines().iter().map(|line| of(line[end])).collect();
            InstanceBuffer::new_with_data(&self.programs.context, &values)
        };
        let kept = &self.uploads.line_scalars;
        Some(kept.get(&self.scene.mesh, scalars, || [end(0), end(1)]))
    }
}
