//! Joints, bones, axes, numbers, vertices and the microscope's ghosts, drawn
//! over the picture.

use eframe::egui::{
    Align2, Color32, FontFamily, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2,
};
use glam::Vec3;

use crate::lesson::Show;
use crate::notebook::Entity;
use crate::notebook::camera::Camera;
use crate::skin::JointIndex;
use crate::ui::PageContext;
use crate::ui::theme::{Theme, family};

/// How near the pointer must be to pick something, in points.
const REACH: f32 = 12.0;
/// Beyond this many vertices only the chosen and the lit one are marked.
const MARKED: usize = 400;

/// Everything projected once a frame.
pub(super) struct Overlay {
    joints: Vec<Option<JointMark>>,
    bones: Vec<(usize, usize)>,
    vertices: Vec<(u32, Pos2)>,
    chosen: Option<Pos2>,
    copies: Vec<(JointIndex, Pos2)>,
}

struct JointMark {
    at: Pos2,
    axes: [Option<Pos2>; 3],
}

impl Overlay {
    pub(super) fn new(page: &PageContext<'_>, camera: &Camera, rect: Rect, show: &[Show]) -> Self {
        let derived = page.derived;
        let size = glam::Vec2::new(rect.width(), rect.height());
        let clip = camera.clip_from_world(size.x / size.y.max(1.0));
        let project =
            |p: Vec3| Camera::project_with(clip, p, size).map(|at| rect.min + vec2(at.x, at.y));
        // Axes are drawn as long as 1/9 of the picture is high.
        let axis_length = camera.height / 9.0;
        let joints = derived
            .world_from_joint
            .iter()
            .map(|frame| {
                let origin = frame.w_axis.truncate();
                let axis = |axis: glam::Vec4| {
                    project(origin + axis.truncate().normalize_or_zero() * axis_length)
                };
                Some(JointMark {
                    at: project(origin)?,
                    axes: [axis(frame.x_axis), axis(frame.y_axis), axis(frame.z_axis)],
                })
            })
            .collect();
        let bones = derived
            .rig
            .skeleton
            .joints()
            .iter()
            .enumerate()
            .filter_map(|(child, joint)| Some((joint.parent?.at(), child)))
            .collect();
        let marked = show.contains(&Show::Vertices) || show.contains(&Show::VertexNumbers);
        let vertices = if marked && derived.rig.mesh.positions.len() <= MARKED {
            derived
                .positions()
                .iter()
                .enumerate()
                .filter_map(|(vertex, &p)| Some((vertex as u32, project(p)?)))
                .collect()
        } else {
            Vec::new()
        };
        let vertex = page.document.vertex as usize;
        let copies = if show.contains(&Show::Microscope) {
            derived
                .copies(vertex)
                .into_iter()
                .filter_map(|copy| Some((copy.joint, project(copy.position_in_world)?)))
                .collect()
        } else {
            Vec::new()
        };
        Self {
            joints,
            bones,
            vertices,
            chosen: derived.position(vertex).and_then(project),
            copies,
        }
    }

    /// What is under the pointer: joints before vertices.
    pub(super) fn pick(&self, at: Pos2) -> Option<Entity> {
        let near = |candidates: &mut dyn Iterator<Item = (Entity, Pos2)>| {
            candidates
                .map(|(entity, mark)| (entity, mark.distance(at)))
                .filter(|&(_, distance)| distance < REACH)
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(entity, _)| entity)
        };
        let joints = self.joints.iter().enumerate().filter_map(|(index, mark)| {
            let joint = JointIndex(index as u16);
            Some((Entity::Joint(joint), mark.as_ref()?.at))
        });
        near(&mut joints.into_iter()).or_else(|| {
            let vertices = self.vertices.iter();
            near(&mut vertices.map(|&(vertex, mark)| (Entity::Vertex(vertex), mark)))
        })
    }

    pub(super) fn paint(&self, painter: &Painter, page: &PageContext<'_>, show: &[Show]) {
        if show.contains(&Show::Joints) {
            self.paint_bones(painter, page.theme);
        }
        if show.contains(&Show::Axes) {
            self.paint_axes(painter, page);
        }
        self.paint_vertices(painter, page, show);
        if show.contains(&Show::Joints) || show.contains(&Show::Numbers) {
            self.paint_joints(painter, page, show.contains(&Show::Numbers));
        }
        if show.contains(&Show::Microscope) {
            self.paint_microscope(painter, page);
        }
    }

    fn paint_bones(&self, painter: &Painter, theme: &Theme) {
        for &(parent, child) in &self.bones {
            let (Some(Some(from)), Some(Some(to))) =
                (self.joints.get(parent), self.joints.get(child))
            else {
                continue;
            };
            let (from, to) = (from.at, to.at);
            let along = to - from;
            if along.length() < 6.0 {
                continue;
            }
            // A kite, thick near the parent, as bones are drawn everywhere.
            let side = along.normalized().rot90() * (along.length() * 0.09).min(8.0);
            let waist = from + along * 0.18;
            let color = theme.joint(JointIndex(parent as u16));
            painter.add(Shape::convex_polygon(
                vec![from, waist + side, to, waist - side],
                color.gamma_multiply(0.35),
                Stroke::new(1.25, color.gamma_multiply(0.9)),
            ));
        }
    }

    fn paint_axes(&self, painter: &Painter, page: &PageContext<'_>) {
        for (index, mark) in self.joints.iter().enumerate() {
            let Some(mark) = mark else { continue };
            for (axis, end) in mark.axes.iter().enumerate() {
                let Some(end) = *end else { continue };
                let along = end - mark.at;
                // An axis that points at the reader has no direction to show.
                if along.length() < 3.0 {
                    continue;
                }
                let column = Entity::Column(JointIndex(index as u16), axis);
                let lit = page.linked.is_lit(column)
                    && page.linked.hovered() != Some(Entity::Joint(JointIndex(index as u16)));
                let color = page.theme.axes[axis];
                let width = if lit { 5.0 } else { 2.5 };
                painter.line_segment([mark.at, end], Stroke::new(width, color));
                painter.text(
                    end + along.normalized() * 9.0,
                    Align2::CENTER_CENTER,
                    ["x", "y", "z"][axis],
                    FontId::new(12.0, family::strong()),
                    color,
                );
            }
        }
    }

    fn paint_joints(&self, painter: &Painter, page: &PageContext<'_>, numbers: bool) {
        for (index, mark) in self.joints.iter().enumerate() {
            let Some(mark) = mark else { continue };
            let joint = JointIndex(index as u16);
            let color = page.theme.joint(joint);
            let lit = page.linked.is_lit(Entity::Joint(joint));
            let chosen = page.document.joint == joint;
            let radius = if numbers { 10.0 } else { 6.0 } + if lit { 2.0 } else { 0.0 };
            halo(painter, page.theme, mark.at, radius + 1.5);
            painter.circle_filled(mark.at, radius, color);
            if chosen || lit {
                painter.circle_stroke(mark.at, radius + 3.0, Stroke::new(1.5, page.theme.ink));
            }
            if numbers {
                painter.text(
                    mark.at,
                    Align2::CENTER_CENTER,
                    joint.0,
                    FontId::new(13.0, family::strong()),
                    page.theme.on(color),
                );
            }
        }
    }

    fn paint_vertices(&self, painter: &Painter, page: &PageContext<'_>, show: &[Show]) {
        let theme = page.theme;
        let centre = self
            .vertices
            .iter()
            .fold(Vec2::ZERO, |sum, (_, at)| sum + at.to_vec2())
            / self.vertices.len().max(1) as f32;
        for &(vertex, at) in &self.vertices {
            let lit = page.linked.is_lit(Entity::Vertex(vertex));
            let radius = if lit { 6.0 } else { 4.0 };
            halo(painter, theme, at, radius + 1.0);
            painter.circle_filled(at, radius, if lit { theme.accent } else { theme.ink });
            if show.contains(&Show::VertexNumbers) {
                // Away from the middle of the figure, where there is room.
                let away = (at.to_vec2() - centre).normalized();
                label(
                    painter,
                    theme,
                    at + away * 16.0,
                    &format!("v{vertex}"),
                    theme.quiet,
                );
            }
        }
        let asked = [Show::Vertices, Show::VertexNumbers, Show::Microscope]
            .iter()
            .any(|what| show.contains(what));
        let lit = page.linked.is_lit(Entity::Vertex(page.document.vertex));
        if let Some(at) = self.chosen.filter(|_| asked || lit) {
            halo(painter, theme, at, 7.5);
            painter.circle_filled(at, 5.5, theme.accent);
            painter.circle_stroke(at, 9.0, Stroke::new(1.5, theme.accent));
        }
    }

    /// Each joint's proposal as a ring, joined to the place between them.
    fn paint_microscope(&self, painter: &Painter, page: &PageContext<'_>) {
        let theme = page.theme;
        let Some(blended) = self.chosen else { return };
        // A copy that is where the vertex is has nothing to show.
        let apart: Vec<_> = self
            .copies
            .iter()
            .filter(|(_, at)| at.distance(blended) > 4.0)
            .collect();
        for &&(joint, at) in &apart {
            let color = theme.joint(joint);
            painter.extend(Shape::dashed_line(
                &[at, blended],
                Stroke::new(2.0, color),
                5.0,
                4.0,
            ));
        }
        for (index, &&(joint, at)) in apart.iter().enumerate() {
            let color = theme.joint(joint);
            halo(painter, theme, at, 9.0);
            painter.circle(at, 7.0, theme.paper, Stroke::new(2.5, color));
            let away = at - blended;
            let direction = if away.length() > 2.0 {
                away.normalized()
            } else {
                Vec2::angled(index as f32 * 1.6 - 0.8)
            };
            let text = format!("M{} p", subscript(joint.0));
            label(
                painter,
                theme,
                at + direction * 24.0,
                &text,
                theme.joint_text(joint),
            );
        }
        halo(painter, theme, blended, 7.5);
        painter.circle_filled(blended, 5.5, theme.accent);
        painter.circle_stroke(blended, 9.0, Stroke::new(1.5, theme.accent));
        label(
            painter,
            theme,
            blended + vec2(18.0, 16.0),
            &format!("v{}", page.document.vertex),
            theme.accent,
        );
    }
}

/// A ring of paper around a mark, so that it stands out on any ground.
fn halo(painter: &Painter, theme: &Theme, at: Pos2, radius: f32) {
    painter.circle_filled(at, radius, theme.paper.gamma_multiply(0.85));
}

fn label(painter: &Painter, theme: &Theme, at: Pos2, text: &str, color: Color32) {
    let font = FontId::new(13.0, FontFamily::Name("strong".into()));
    let galley = painter.layout_no_wrap(text.to_owned(), font, color);
    // Kept inside the picture.
    let inside = painter.clip_rect().shrink(4.0);
    let mut rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
    let push =
        |low: f32, high: f32, from: f32, to: f32| (from - low).max(0.0) + (to - high).min(0.0);
    rect = rect.translate(vec2(
        push(rect.left(), rect.right(), inside.left(), inside.right()),
        push(rect.top(), rect.bottom(), inside.top(), inside.bottom()),
    ));
    painter.rect_filled(
        rect.expand2(vec2(3.0, 1.0)),
        4.0,
        theme.paper.gamma_multiply(0.8),
    );
    painter.galley(pos2(rect.left(), rect.top()), galley, color);
}

/// A number in subscript figures.
fn subscript(number: u16) -> String {
    number
        .to_string()
        .chars()
        .filter_map(|digit| char::from_u32(digit as u32 - '0' as u32 + '₀' as u32))
        .collect()
}
