//! Bones, vertices on their way through a matrix chain, rings through vertices, and the normal of
//! the chosen vertex, drawn over the picture.

use bindpose_gltf::JointRole;
use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::frame_color_and_name;
use bindpose_lesson::Show;
use bindpose_notebook::Derived;
use bindpose_notebook::scene::Scene;
use bindpose_skin::{CoordinateFrame, JointIndex, NormalRule, Skeleton, normal_matrix};
use eframe::egui::{Color32, Painter, Pos2, Shape, Stroke, vec2};
use glam::{Mat3, Vec3};

use super::labels::{LabelAnchor, Labels, paint_halo};
use super::picture_view::PictureView;
use crate::PageContext;
use crate::cells::chain::chains_under_way;

/// Finds the parent and the child of each bone. Joints between two joints of a skin that belong
/// to no skin themselves are skipped. No bone leads to the topmost joints of a skin.
pub(super) fn find_bones(skeleton: &Skeleton, roles: &[JointRole]) -> Vec<(usize, usize)> {
    let mut bones = Vec::new();
    for child in skeleton.indices().filter(|&joint| is_skin_joint(roles, joint)) {
        if let Some(parent) =
            skeleton.ancestors(child).find(|&ancestor| is_skin_joint(roles, ancestor))
        {
            bones.push((parent.index(), child.index()));
        }
    }
    bones
}

fn is_skin_joint(roles: &[JointRole], joint: JointIndex) -> bool {
    roles.get(joint.index()) == Some(&JointRole::OfSkin)
}

/// Paints a bone as a kite in the parent's colour, thick near the parent.
pub(super) fn paint_bone(painter: &Painter, theme: &Theme, parent: usize, from: Pos2, to: Pos2) {
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

/// The path of one vertex through the frames of a matrix chain, projected.
pub(super) struct ChainMark {
    /// Frames with the vertex's position in each. `None` behind the eye.
    stations: Vec<(CoordinateFrame, Option<Pos2>)>,
    current: Option<Pos2>,
    vertex: u32,
}

/// Projects all chains of the page that are under way.
pub(super) fn project_chains(page: &PageContext<'_>, view: &PictureView) -> Vec<ChainMark> {
    let mut marks = Vec::new();
    for (chain, travel) in chains_under_way(page) {
        marks.push(ChainMark {
            current: view.project(travel.place(chain.travelled)),
            stations: travel
                .stations
                .iter()
                .map(|&(frame, position)| (frame, view.project(position)))
                .collect(),
            vertex: travel.vertex,
        });
    }
    marks
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
                let (color, _) = frame_color_and_name(theme, frame);
                painter.circle_filled(at, 6.0 * scale, theme.paper);
                painter.circle_stroke(at, 5.0 * scale, Stroke::new(2.0, color));
            }
        }
        if let Some(at) = self.current {
            painter.circle_filled(at, 8.5 * scale, theme.paper);
            painter.circle_filled(at, 7.0 * scale, theme.accent);
        }
    }

    pub(super) fn reserve_areas(&self, labels: &mut Labels, scale: f32) {
        let stations = self.stations.iter().filter_map(|(_, at)| *at);
        for at in stations.chain(self.current) {
            labels.reserve_circle(at, 9.0 * scale);
        }
    }

    pub(super) fn write_labels(
        &self,
        painter: &Painter,
        theme: &Theme,
        labels: &mut Labels,
        scale: f32,
    ) {
        if let Some(at) = self.current {
            let anchor = LabelAnchor { at, radius: 9.0 * scale, direction: vec2(1.0, 0.8) };
            labels.write(painter, theme, anchor, &format!("v{}", self.vertex), theme.accent);
        }
        for &(frame, at) in &self.stations {
            if let Some(at) = at {
                let anchor = LabelAnchor { at, radius: 8.0 * scale, direction: vec2(-1.0, -0.8) };
                labels.write(painter, theme, anchor, &frame.to_string(), theme.ink);
            }
        }
    }
}

/// Closed lines that a lesson draws through vertices, as screen positions.
pub(super) struct Rings(Vec<Vec<Pos2>>);

impl Rings {
    /// Projects rings that are given by their first and last vertex. Vertices that do not exist
    /// or are behind the eye are left out.
    pub(super) fn new(derived: &Derived, rings: &[[u32; 2]], view: &PictureView) -> Self {
        let vertex_count = derived.rig.mesh.positions.len() as u32;
        let lines = rings.iter().map(|&[first, last]| {
            (first..=last.min(vertex_count))
                .filter_map(|vertex| derived.position(vertex as usize))
                .filter_map(|position| view.project(position))
                .collect()
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

/// Length of the normal relative to the height of the picture.
const NORMAL_LENGTH: f32 = 0.16;

/// Side of the square that marks a right angle, relative to the length of the normal.
const SQUARE_SIDE: f32 = 0.18;

/// Maximum cosine of an angle that is marked as right: within half a degree.
const MAX_RIGHT_ANGLE_COS: f32 = 0.0087;

/// Minimum cosine between a correct normal and its expected direction: within half a degree.
const MIN_CORRECT_NORMAL_COS: f32 = 0.99996;

/// The normal of the chosen vertex and a direction in the surface, which should be
/// perpendicular, and the direction to the light, projected to the screen.
pub(super) struct VertexNormal {
    at: Pos2,
    normal_end: Pos2,
    light_end: Pos2,
    /// Both ends of the line in the surface.
    surface_ends: [Pos2; 2],
    /// Corners of the square that marks a right angle.
    square: Option<[Pos2; 3]>,
    /// True if the normal has the direction that the inverse transpose gives.
    is_correct: bool,
}

impl VertexNormal {
    /// Returns `None` if the normal is not displayed, if the vertex has no normal, or if either
    /// direction points at the reader.
    pub(super) fn new(page: &PageContext<'_>, view: &PictureView, show: &[Show]) -> Option<Self> {
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
        let along_in_world = direction_along_surface(normal_in_bind, skin, view.camera.forward())?;
        let expected_normal_in_world = (normal_matrix(NormalRule::InverseTranspose, matrix)
            * normal_in_bind)
            .normalize_or_zero();
        let length = view.camera.height * NORMAL_LENGTH;
        let at = view.project(at_in_world)?;
        let normal_end = view.project(at_in_world + normal_in_world * length)?;
        let light_end = view.project(at_in_world + Scene::light() * length)?;
        let surface_ends = [
            view.project(at_in_world - along_in_world * length)?,
            view.project(at_in_world + along_in_world * length)?,
        ];
        let mut square = None;
        if normal_in_world.dot(along_in_world).abs() <= MAX_RIGHT_ANGLE_COS {
            let corners = [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(along, up)| {
                let offset =
                    along * SQUARE_SIDE * along_in_world + up * SQUARE_SIDE * normal_in_world;
                view.project(at_in_world + offset * length)
            });
            if let [Some(a), Some(b), Some(c)] = corners {
                square = Some([a, b, c]);
            }
        }
        (normal_end.distance(at) >= 3.0).then_some(Self {
            at,
            normal_end,
            light_end,
            surface_ends,
            square,
            is_correct: normal_in_world.dot(expected_normal_in_world) >= MIN_CORRECT_NORMAL_COS,
        })
    }

    pub(super) fn paint(&self, painter: &Painter, theme: &Theme, scale: f32) {
        let color = self.color(theme);
        let paper = Stroke::new(6.0 * scale, theme.paper.gamma_multiply(0.85));
        painter.line_segment(self.surface_ends, paper);
        painter.line_segment([self.at, self.light_end], paper);
        painter.line_segment([self.at, self.normal_end], paper);
        painter.line_segment(self.surface_ends, Stroke::new(2.5 * scale, theme.ink));
        if let Some([along, corner, up]) = self.square {
            painter.line(vec![along, corner, up], Stroke::new(1.5 * scale, color));
        }
        let light = Stroke::new(2.5 * scale, theme.caution);
        painter.arrow(self.at, self.light_end - self.at, light);
        painter.arrow(self.at, self.normal_end - self.at, Stroke::new(3.0 * scale, color));
        paint_halo(painter, theme, self.at, 5.0 * scale);
        painter.circle_filled(self.at, 3.5 * scale, theme.ink);
    }

    /// Writes `n′` at the normal, `u′` at the surface direction and `l` at the direction to the
    /// light, in the colours of their lines.
    pub(super) fn write_labels(
        &self,
        painter: &Painter,
        theme: &Theme,
        labels: &mut Labels,
        scale: f32,
    ) {
        labels.avoid_line(self.at, self.normal_end);
        labels.avoid_line(self.at, self.light_end);
        labels.avoid_line(self.surface_ends[0], self.surface_ends[1]);
        let normal = ("n′", self.normal_end, self.color(theme));
        let surface = ("u′", self.surface_ends[1], theme.ink);
        let light = ("l", self.light_end, theme.caution);
        for (letter, end, color) in [normal, surface, light] {
            let anchor = LabelAnchor { at: end, radius: 6.0 * scale, direction: end - self.at };
            labels.write(painter, theme, anchor, letter, color);
        }
    }

    fn color(&self, theme: &Theme) -> Color32 {
        if self.is_correct { theme.right } else { theme.wrong }
    }
}

/// Computes a direction in the skinned surface, in world space. Of all such directions it is
/// perpendicular to the line of sight and points to the right. Returns `None` if the surface has
/// no such direction or has collapsed.
fn direction_along_surface(
    normal_in_bind: Vec3,
    skin: Mat3,
    forward_in_world: Vec3,
) -> Option<Vec3> {
    // A direction perpendicular to this one is perpendicular to the line of sight after skinning.
    let across_in_bind = skin.transpose() * forward_in_world;
    let along_in_bind = across_in_bind.cross(normal_in_bind).try_normalize()?;
    (skin * along_in_bind).try_normalize()
}

#[cfg(test)]
mod tests {
    use JointRole::{Again, Helper, OfSkin};
    use bindpose_lesson::Projection;
    use bindpose_notebook::Document;
    use bindpose_notebook::camera::Camera;
    use bindpose_rigs::builtin;
    use bindpose_skin::{Joint, Trs};
    use eframe::egui::Rect;

    use super::*;

    #[test]
    fn bones_connect_only_joints_of_a_skin() {
        // 3 (helper) → 0 → 4 (helper) → 1 → 2, and 5, which coincides with 1.
        let parents = [Some(3), Some(4), Some(1), None, Some(0), Some(1)];
        let joints = parents.map(|parent| Joint {
            name: String::new(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind: glam::Mat4::IDENTITY,
        });
        let skeleton = Skeleton::in_any_order(joints.to_vec()).unwrap();
        let roles = [OfSkin, OfSkin, OfSkin, Helper, Helper, Again];
        assert_eq!(find_bones(&skeleton, &roles), [(0, 1), (1, 2)]);
        let all_bones = find_bones(&skeleton, &[OfSkin; 6]);
        assert_eq!(all_bones, [(3, 0), (4, 1), (1, 2), (0, 4), (1, 5)]);
    }

    #[test]
    fn ring_passes_through_its_vertices_and_skips_missing_ones() {
        let rig = builtin("bone_grid").unwrap();
        let document = Document::default();
        let derived = Derived::of_document(&document, None, &rig);
        let camera = Camera {
            target: Vec3::ZERO,
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            height: 20.0,
            projection: Projection::Orthographic,
        };
        let picture = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0));
        let view = PictureView::new(&camera, picture);
        let rings = Rings::new(&derived, &[[2, 4], [8, u32::MAX]], &view).0;
        let expected = [vec![2, 3, 4], vec![8, 9]].map(|vertices| -> Vec<Pos2> {
            let positions = vertices.into_iter().filter_map(|vertex| derived.position(vertex));
            positions.filter_map(|position| view.project(position)).collect()
        });
        assert_eq!(rings, expected);
        assert_eq!(rings[0].len() + rings[1].len(), 5);
    }

    #[test]
    fn direction_along_surface_stays_in_the_surface_and_across_the_line_of_sight() {
        let normal = Vec3::new(0.6, 0.8, 0.0);
        for squash in [1.0, 0.4, 2.0] {
            let skin =
                Mat3::from_rotation_z(0.3) * Mat3::from_diagonal(Vec3::new(1.0, squash, 1.0));
            let along = direction_along_surface(normal, skin, Vec3::NEG_Z).unwrap();
            let skinned_normal = skin.inverse().transpose() * normal;
            assert!(along.dot(skinned_normal).abs() < 1e-6, "{squash}: {along}");
            assert!(along.z.abs() < 1e-6);
        }
        let seen_from_above = direction_along_surface(Vec3::Y, Mat3::IDENTITY, Vec3::NEG_Y);
        assert_eq!(seen_from_above, None, "every direction is across");
        assert_eq!(direction_along_surface(normal, Mat3::ZERO, Vec3::NEG_Z), None);
    }
}
