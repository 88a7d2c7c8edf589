//! Bones: a kite from each joint to those that hang on it, as they are drawn
//! everywhere.

use bindpose_asset::JointRole;
use bindpose_lesson::Show;
use bindpose_notebook::Derived;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::chain::{ChainState, Travel};
use bindpose_skin::{CoordinateFrame, JointIndex, NormalRule, Skeleton, normal_matrix};
use eframe::egui::{Color32, Painter, Pos2, Shape, Stroke, vec2};
use glam::{Mat3, Vec3};

use super::labels::{Labels, halo_of_mark};
use crate::PageContext;
use crate::cells::chain::under_way;
use crate::theme::Theme;
use crate::widgets::frame_look;

/// From which joint to which. What stands between two joints of a skin and is
/// none itself is passed over; above the first of them no bone leads anywhere.
pub(super) fn bone_pairs(skeleton: &Skeleton, roles: &[JointRole]) -> Vec<(usize, usize)> {
    let is_drawn = |joint: &JointIndex| roles.get(joint.index()) == Some(&JointRole::OfSkin);
    let drawn = skeleton.indices().filter(is_drawn);
    drawn
        .filter_map(|child| {
            let above = skeleton.ancestors(child).find(is_drawn)?;
            Some((above.index(), child.index()))
        })
        .collect()
}

/// Thick near the parent, in its colour.
pub(super) fn paint(painter: &Painter, theme: &Theme, parent: usize, (from, to): (Pos2, Pos2)) {
    let along = to - from;
    if along.length() < 6.0 {
        return;
    }
    let side = along.normalized().rot90() * (along.length() * 0.09).min(8.0);
    let waist = from + along * 0.18;
    let color = theme.joint_in_scene(JointIndex(parent as u16));
    painter.add(Shape::convex_polygon(
        vec![from, waist + side, to, waist - side],
        color.gamma_multiply(0.35),
        Stroke::new(1.25, color),
    ));
}

// A vertex on its way through a product: the places that it comes to, and where it
// is now.

/// The way of one vertex, projected.
pub(super) struct ChainMark {
    /// With its frame; `None` behind the eye.
    stations: Vec<(CoordinateFrame, Option<Pos2>)>,
    now: Option<Pos2>,
    vertex: u32,
}

/// All that are under way on the page.
pub(super) fn chain_marks(
    page: &PageContext<'_>,
    project: &dyn Fn(Vec3) -> Option<Pos2>,
) -> Vec<ChainMark> {
    let mark = |(chain, travel): (ChainState, Travel)| ChainMark {
        now: project(travel.place(chain.travelled)),
        stations: travel.stations.iter().map(|&(frame, place)| (frame, project(place))).collect(),
        vertex: travel.vertex,
    };
    under_way(page).map(mark).collect()
}

impl ChainMark {
    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        for pair in self.stations.windows(2) {
            if let [(_, Some(a)), (_, Some(b))] = pair {
                painter.line_segment([*a, *b], Stroke::new(4.5, theme.paper));
                painter.line_segment([*a, *b], Stroke::new(1.5, theme.quiet));
            }
        }
        for &(frame, at) in &self.stations {
            if let Some(at) = at {
                let (color, _) = frame_look(theme, frame);
                painter.circle_filled(at, 6.0 * scale, theme.paper);
                painter.circle_stroke(at, 5.0 * scale, Stroke::new(2.0, color));
            }
        }
        if let Some(at) = self.now {
            painter.circle_filled(at, 8.5 * scale, theme.paper);
            painter.circle_filled(at, 7.0 * scale, theme.accent);
        }
    }

    /// What the labels have to leave free.
    pub(super) fn keep_free(&self, labels: &mut Labels, scale: f32) {
        let stations = self.stations.iter().filter_map(|(_, at)| *at);
        for at in stations.chain(self.now) {
            labels.keep_free(at, 9.0 * scale);
        }
    }

    pub(super) fn write(&self, painter: &Painter, theme: &Theme, labels: &mut Labels, scale: f32) {
        if let Some(at) = self.now {
            let mark = (at, 9.0 * scale);
            let name = format!("v{}", self.vertex);
            labels.write(painter, theme, mark, vec2(1.0, 0.8), (&name, theme.accent));
        }
        for &(frame, at) in &self.stations {
            if let Some(at) = at {
                let mark = (at, 8.0 * scale);
                let words = frame.to_string();
                labels.write(painter, theme, mark, vec2(-1.0, -0.8), (&words, theme.ink));
            }
        }
    }
}

// Closed lines that a lesson wants drawn through vertices, where they are now.

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

// The normal of the chosen vertex, and a direction in the surface to which it
// should be at a right angle.

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
        halo_of_mark(painter, theme, self.at, 5.0 * scale);
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

    use bindpose_skin::{Joint, Trs};

    use super::*;
    use JointRole::{Again, Helper, OfSkin};
    use bindpose_asset::builtin;
    use bindpose_notebook::Document;

    #[test]
    fn no_bone_leads_to_or_from_what_is_no_joint_of_a_skin() {
        // 3 (no joint) → 0 → 4 (no joint) → 1 → 2, and 5, which is 1 once more.
        let parents = [Some(3), Some(4), Some(1), None, Some(0), Some(1)];
        let joints = parents.map(|parent| Joint {
            name: String::new(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind: glam::Mat4::IDENTITY,
        });
        let skeleton = Skeleton::in_any_order(joints.to_vec()).unwrap();
        let roles = [OfSkin, OfSkin, OfSkin, Helper, Helper, Again];
        assert_eq!(bone_pairs(&skeleton, &roles), [(0, 1), (1, 2)]);
        let all = bone_pairs(&skeleton, &[OfSkin; 6]);
        assert_eq!(all, [(3, 0), (4, 1), (1, 2), (0, 4), (1, 5)]);
    }

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
