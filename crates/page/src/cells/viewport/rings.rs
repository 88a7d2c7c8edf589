//! Closed lines that a lesson wants drawn through vertices, where they are now.

use bindpose_notebook::Derived;
use eframe::egui::{Painter, Pos2, Shape, Stroke};
use glam::Vec3;

use crate::theme::Theme;

/// The places of each line's vertices in the picture.
pub(super) struct Rings(Vec<Vec<Pos2>>);

impl Rings {
    /// `rings`: the first and the last vertex of each. Vertices that do not exist or
    /// are not before the eye are left out.
    pub(super) fn new(
        derived: &Derived,
        rings: &[[u32; 2]],
        project: &impl Fn(Vec3) -> Option<Pos2>,
    ) -> Self {
        let count = derived.rig.mesh.positions.len() as u32;
        let lines = rings.iter().map(|&[first, last]| {
            let vertices = first..=last.min(count);
            let places = vertices.filter_map(|vertex| derived.position(vertex as usize));
            places.filter_map(project).collect()
        });
        Self(lines.collect())
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        let stroke = Stroke::new(1.5 * scale, theme.ink);
        for line in &self.0 {
            painter.add(Shape::closed_line(line.clone(), stroke));
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_notebook::Document;

    use super::*;

    #[test]
    fn a_ring_goes_through_its_vertices_and_leaves_out_what_is_not_there() {
        let rig = builtin("bone_grid").unwrap();
        let document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let flat = |at: Vec3| Some(Pos2::new(at.x, at.y));
        let rings = Rings::new(&derived, &[[2, 4], [8, u32::MAX]], &flat).0;
        let expected = |vertices: &[usize]| -> Vec<Pos2> {
            let places = vertices.iter().filter_map(|&v| derived.position(v));
            places.filter_map(flat).collect()
        };
        assert_eq!(rings, [expected(&[2, 3, 4]), expected(&[8, 9])]);
        assert_eq!(rings[0].len() + rings[1].len(), 5);
    }
}
