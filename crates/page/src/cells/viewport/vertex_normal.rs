//! The normal of the chosen vertex, and a direction in the surface to which it
//! should be at a right angle.

use bindpose_lesson::Show;
use bindpose_notebook::camera::Camera;
use bindpose_skin::{NormalRule, normal_matrix};
use eframe::egui::{Color32, Painter, Pos2, Stroke};
use glam::{Mat3, Vec3};

use super::labels::Labels;
use super::marks::halo;
use crate::PageContext;
use crate::theme::Theme;

/// Length of the normal, over the height of the picture.
const LENGTH: f32 = 0.16;
/// Side of the square between two directions at a right angle, over their length.
const SQUARE: f32 = 0.18;
/// As near to a right angle as the square says, as a cosine: half a degree.
const RIGHT: f32 = 0.0087;
/// As near to where it should point, as a cosine: the same half degree.
const SAME: f32 = 0.99996;

/// Both directions, projected.
pub(super) struct VertexNormal {
    at: Pos2,
    normal_end: Pos2,
    /// Both ends of the line in the surface.
    surface: [Pos2; 2],
    /// The corners of the square, where the angle is right.
    square: Option<[Pos2; 3]>,
    /// Does it point out of the surface, at a right angle?
    right: bool,
}

impl VertexNormal {
    /// `None` where it is not to be shown, the vertex has no normal, or either
    /// direction points at the reader.
    pub(super) fn new(
        page: &PageContext<'_>,
        camera: &Camera,
        show: &[Show],
        project: &dyn Fn(Vec3) -> Option<Pos2>,
    ) -> Option<Self> {
        if !show.contains(&Show::VertexNormal) {
            return None;
        }
        let derived = page.derived;
        let vertex = page.document.state.vertex as usize;
        let at_in_world = derived.position(vertex)?;
        let normal_in_world = derived.normal(vertex)?;
        let &normal_in_bind = derived.stored_normals().get(vertex)?;
        let matrix = derived.vertex_matrix(vertex);
        let skin = Mat3::from_mat4(matrix);
        let along_in_world = along_surface(normal_in_bind, skin, camera.forward())?;
        let should = normal_matrix(NormalRule::InverseTranspose, matrix) * normal_in_bind;
        let should_in_world = should.normalize_or_zero();
        let length = camera.height * LENGTH;
        let end = |direction: Vec3| project(at_in_world + direction * length);
        let corner = |along: f32, up: f32| {
            end(along * SQUARE * along_in_world + up * SQUARE * normal_in_world)
        };
        let is_right = normal_in_world.dot(along_in_world).abs() <= RIGHT;
        let square = || Some([corner(1.0, 0.0)?, corner(1.0, 1.0)?, corner(0.0, 1.0)?]);
        let marks = Self {
            at: project(at_in_world)?,
            normal_end: end(normal_in_world)?,
            surface: [end(-along_in_world)?, end(along_in_world)?],
            square: is_right.then(square).flatten(),
            right: normal_in_world.dot(should_in_world) >= SAME,
        };
        (marks.normal_end.distance(marks.at) >= 3.0).then_some(marks)
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        let color = self.color(theme);
        let paper = Stroke::new(6.0 * scale, theme.paper.gamma_multiply(0.85));
        let surface = Stroke::new(2.5 * scale, theme.ink);
        painter.line_segment(self.surface, paper);
        painter.line_segment([self.at, self.normal_end], paper);
        painter.line_segment(self.surface, surface);
        if let Some([along, corner, up]) = self.square {
            let thin = Stroke::new(1.5 * scale, color);
            painter.line(vec![along, corner, up], thin);
        }
        let along = self.normal_end - self.at;
        painter.arrow(self.at, along, Stroke::new(3.0 * scale, color));
        halo(painter, theme, self.at, 5.0 * scale);
        painter.circle_filled(self.at, 3.5 * scale, theme.ink);
    }

    /// Its letters: `n′` in the colour of its line, `u′`.
    pub(super) fn write(&self, painter: &Painter, theme: &Theme, labels: &mut Labels, scale: f32) {
        labels.avoid_line(self.at, self.normal_end);
        labels.avoid_line(self.surface[0], self.surface[1]);
        let normal = ("n′", self.normal_end, self.color(theme));
        let surface = ("u′", self.surface[1], theme.ink);
        for (letter, end, color) in [normal, surface] {
            let mark = (end, 6.0 * scale);
            labels.write(painter, theme, mark, end - self.at, (letter, color));
        }
    }

    fn color(&self, theme: &Theme) -> Color32 {
        if self.right { theme.right } else { theme.wrong }
    }
}

/// A direction in the surface, moved with it, in world space: of those that are
/// across the line of sight the one to the right. `None` where the surface has no
/// such direction, or it has collapsed.
fn along_surface(normal_in_bind: Vec3, skin: Mat3, forward_in_world: Vec3) -> Option<Vec3> {
    // Across the line of sight once it has been moved.
    let across_in_bind = skin.transpose() * forward_in_world;
    let along_in_bind = across_in_bind.cross(normal_in_bind).try_normalize()?;
    (skin * along_in_bind).try_normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_the_surface_stays_in_it_and_across_the_line_of_sight() {
        let normal = Vec3::new(0.6, 0.8, 0.0);
        for squash in [1.0, 0.4, 2.0] {
            let skin =
                Mat3::from_rotation_z(0.3) * Mat3::from_diagonal(Vec3::new(1.0, squash, 1.0));
            let along = along_surface(normal, skin, Vec3::NEG_Z).unwrap();
            let kept = skin.inverse().transpose() * normal;
            assert!(along.dot(kept).abs() < 1e-6, "{squash}: {along}");
            assert!(along.z.abs() < 1e-6);
        }
        let seen_from_above = along_surface(Vec3::Y, Mat3::IDENTITY, Vec3::NEG_Y);
        assert_eq!(seen_from_above, None, "every direction is across");
        assert_eq!(along_surface(normal, Mat3::ZERO, Vec3::NEG_Z), None);
    }
}
