//! Joints, bones, axes, numbers, vertices and the microscope's ghosts, drawn
//! over the picture.

use bindpose_asset::JointRole;
use bindpose_lesson::Show;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::{Entity, joint_label};
use bindpose_skin::JointIndex;
use eframe::egui::{Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::Vec3;

use super::bones::{ChainMark, Rings, VertexNormal};
use super::labels::{GridNumbers, JointMark, Labels, Letter, halo_of_mark};
use super::prediction_marks::{self, PredictionMark, named_vertices};
use super::{bones, labels};
use crate::PageContext;
use crate::cells::vertex::joint_subscript;
use crate::theme::{CAPTION, Theme, font};
use crate::widgets::PaintText;

/// Beyond this many vertices only the chosen one is marked, the lit one, and those that an
/// exercise of the step names.
const MARKED: usize = 400;

/// Everything projected once a frame.
pub(super) struct Overlay<'a> {
    show: &'a [Show],
    /// `None` for what is no joint of a skin, unless it is chosen or lit; and
    /// for a joint that another is drawn for.
    joints: Vec<Option<JointMark>>,
    mesh_node: Option<JointMark>,
    bones: Vec<(usize, usize)>,
    letters: Vec<Letter>,
    vertices: Vec<(u32, Pos2)>,
    /// The vertex whose copies are drawn.
    microscope: Option<u32>,
    /// Of that vertex, or else of the chosen one.
    chosen: Option<Pos2>,
    influence_points: Vec<(JointIndex, Pos2)>,
    vertex_normal: Option<VertexNormal>,
    rings: Rings,
    guesses: Vec<PredictionMark>,
    goals: Vec<Pos2>,
    travelling: Vec<ChainMark>,
    pub(super) rect: Rect,
    /// Markers are smaller in a small picture; 1 in one of ordinary size.
    scale: f32,
}

impl<'a> Overlay<'a> {
    pub(super) fn new(
        page: &PageContext<'_>,
        camera: &Camera,
        rect: Rect,
        show: &'a [Show],
        rings: &[[u32; 2]],
    ) -> Self {
        let derived = page.derived;
        let size = glam::Vec2::new(rect.width(), rect.height());
        let clip = camera.clip_from_world(size.x / size.y.max(1.0));
        let project =
            |p: Vec3| Camera::project_with(clip, p, size).map(|at| rect.min + vec2(at.x, at.y));
        // Axes are drawn as long as 1/9 of the picture is high.
        let axis_length = camera.height / 9.0;
        let roles = derived.rig.joint_roles();
        let of_skins = roles.iter().filter(|&&role| role == JointRole::OfSkin);
        let few = of_skins.count() <= labels::LETTERED;
        let frames = derived.joints.world_from_joint.iter().zip(&roles).enumerate();
        let joints: Vec<Option<JointMark>> = frames
            .map(|(index, (frame, role))| {
                let joint = JointIndex(index as u16);
                let asked =
                    page.document.state.joint == joint || page.linked.is_lit(Entity::Joint(joint));
                if *role != JointRole::OfSkin && !asked {
                    return None;
                }
                let lettered = few || asked;
                let length = axis_length * if lettered { 1.0 } else { labels::SHORT_AXIS };
                let origin = frame.w_axis.truncate();
                let axis = |k: usize| {
                    project(origin + frame.col(k).truncate().normalize_or_zero() * length)
                };
                Some(JointMark {
                    at: project(origin)?,
                    axes: [0, 1, 2].map(axis),
                    lettered,
                    hollow: *role == JointRole::Helper,
                })
            })
            .collect();
        let mesh_node = show.contains(&Show::MeshNode).then(|| {
            let frame = derived.world_from_mesh_node;
            let origin = frame.w_axis.truncate();
            // Not made unit: its size is part of it.
            let end = |k: usize| project(origin + frame.col(k).truncate() * axis_length);
            Some(JointMark {
                at: project(origin)?,
                axes: [0, 1, 2].map(end),
                lettered: false,
                hollow: false,
            })
        });
        let letters = if show.contains(&Show::Axes) {
            // Those of the chosen joint first.
            let chosen = joints.get(page.document.state.joint.index());
            let marks = chosen.into_iter().chain(&joints).flatten();
            labels::axis_letters(marks.filter(|mark| mark.lettered))
        } else {
            Vec::new()
        };
        let marked = show.contains(&Show::Vertices) || show.contains(&Show::VertexNumbers);
        let count = derived.rig.mesh.positions.len();
        let all = (marked && count <= MARKED).then_some(0..count as u32);
        let named: Vec<u32> = match all {
            Some(all) => all.collect(),
            None => named_vertices(page).into_iter().collect(),
        };
        let at = |vertex: u32| Some((vertex, project(derived.position(vertex as usize)?)?));
        let vertices = named.into_iter().filter_map(at).collect();
        let microscope = match page.linked.hovered() {
            Some(Entity::Weight(vertex, _)) => Some(vertex),
            _ => Some(page.document.state.vertex).filter(|_| show.contains(&Show::Microscope)),
        };
        let vertex = microscope.unwrap_or(page.document.state.vertex);
        let influence_points = microscope.map_or_else(Vec::new, |vertex| {
            let points = proposals(page, vertex);
            points.filter_map(|(joint, in_world)| Some((joint, project(in_world)?))).collect()
        });
        Self {
            show,
            vertex_normal: VertexNormal::new(page, camera, show, &project),
            rings: Rings::new(derived, rings, &project),
            joints,
            mesh_node: mesh_node.flatten(),
            bones: bones::bone_pairs(&derived.rig.skeleton, &roles),
            letters,
            vertices,
            microscope,
            chosen: derived.position(vertex as usize).and_then(project),
            influence_points,
            guesses: prediction_marks::marks(page, &project),
            goals: prediction_marks::goals(page, &project),
            travelling: bones::chain_marks(page, &project),
            rect,
            scale: (rect.height() / 300.0).clamp(0.65, 1.0),
        }
    }

    /// What is under the pointer, `reach` points around it, among what is marked:
    /// joints before vertices.
    pub(super) fn pick(&self, at: Pos2, reach: f32) -> Option<Entity> {
        let near = |candidates: &mut dyn Iterator<Item = (Entity, Pos2)>| {
            candidates
                .map(|(entity, mark)| (entity, mark.distance(at)))
                .filter(|&(_, distance)| distance < reach)
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(entity, _)| entity)
        };
        let joints = self.joint_places().map(|(joint, at)| (Entity::Joint(joint), at));
        near(&mut joints.into_iter()).or_else(|| {
            let vertices = self.vertices.iter();
            near(&mut vertices.map(|&(vertex, mark)| (Entity::Vertex(vertex), mark)))
        })
    }

    /// Where the joints are that are drawn and in the picture.
    pub(super) fn joint_places(&self) -> impl Iterator<Item = (JointIndex, Pos2)> {
        let drawn = [Show::Joints, Show::Numbers, Show::Axes];
        let is_drawn = drawn.iter().any(|&what| self.shows(what));
        let marks = self.joints.iter().enumerate().filter(move |_| is_drawn);
        let places =
            marks.filter_map(|(index, mark)| Some((JointIndex(index as u16), mark.as_ref()?.at)));
        places.filter(|(_, at)| self.rect.contains(*at))
    }

    /// Where the vertices are that are marked.
    pub(super) fn vertex_places(&self) -> &[(u32, Pos2)] {
        &self.vertices
    }

    /// The name of a joint or vertex beside its mark, and what can be done with it.
    pub(super) fn paint_name(
        &self,
        painter: &Painter,
        page: &PageContext<'_>,
        entity: Entity,
        hint: Option<&str>,
    ) {
        let (at, name) = match entity {
            Entity::Joint(joint) => {
                let place = self.joint_places().find(|place| place.0 == joint);
                let name = joint_label(joint.index(), &page.derived.rig);
                (place.map(|place| place.1), name)
            }
            Entity::Vertex(vertex) => {
                let place = self.vertices.iter().find(|place| place.0 == vertex);
                (place.map(|place| place.1), format!("v{vertex}"))
            }
            _ => return,
        };
        let name = hint.map_or_else(|| name.clone(), |hint| format!("{name} · {hint}"));
        if let Some(at) = at {
            let mut labels = Labels::new(self.rect);
            labels.keep_free(at, 14.0 * self.scale);
            let words = (&*name, page.theme.ink);
            labels.write(painter, page.theme, (at, 14.0 * self.scale), vec2(0.6, -1.0), words);
        }
    }

    fn shows(&self, what: Show) -> bool {
        self.show.contains(&what)
    }

    /// `numbers` are those of the grid.
    pub(super) fn paint(&self, painter: &Painter, page: &PageContext<'_>, numbers: &GridNumbers) {
        if self.shows(Show::Joints) {
            self.paint_bones(painter, page.theme);
        }
        if self.shows(Show::Axes) {
            self.paint_axes(painter, page);
        }
        if let Some(mark) = &self.mesh_node {
            paint_mesh_node(painter, page.theme, mark, self.scale);
        }
        if let Some(normal) = &self.vertex_normal {
            normal.paint(painter, page.theme, self.scale);
        }
        self.rings.paint(painter, page.theme, self.scale);
        self.paint_vertices(painter, page);
        if self.shows(Show::Joints) || self.shows(Show::Numbers) {
            self.paint_joints(painter, page, self.shows(Show::Numbers));
        }
        if self.microscope.is_some() {
            self.paint_microscope(painter, page);
        }
        for &at in &self.goals {
            prediction_marks::paint_goal(painter, page.theme, at, self.scale);
        }
        for mark in &self.guesses {
            mark.paint(painter, page.theme, self.scale);
        }
        for mark in &self.travelling {
            mark.paint(painter, page.theme, self.scale);
        }
        self.paint_words(painter, page, numbers);
    }

    /// All labels, last: the chosen vertex first, then what it is made of.
    fn paint_words(&self, painter: &Painter, page: &PageContext<'_>, numbers: &GridNumbers) {
        let theme = page.theme;
        let numbered = self.shows(Show::VertexNumbers);
        let mut labels = self.labels(page);
        numbers.keep_free(&mut labels);
        if let Some(node) = &self.mesh_node {
            let mark = (node.at, 9.0 * self.scale);
            let words = ("mesh node", theme.ink);
            labels.write(painter, theme, mark, vec2(-1.0, 1.0), words);
        }
        if let Some(normal) = &self.vertex_normal {
            normal.write(painter, theme, &mut labels, self.scale);
        }
        for &at in &self.goals {
            let mark = (at, 14.0 * self.scale);
            labels.write(painter, theme, mark, vec2(1.0, -0.6), ("goal", theme.ink));
        }
        for mark in &self.guesses {
            mark.keep_free(&mut labels, self.scale);
        }
        for mark in &self.travelling {
            mark.keep_free(&mut labels, self.scale);
        }
        for mark in &self.travelling {
            mark.write(painter, theme, &mut labels, self.scale);
        }
        for mark in &self.guesses {
            let chosen = self.microscope == Some(mark.vertex());
            let named = chosen || (numbered && !self.vertices.is_empty());
            mark.write(painter, theme, &mut labels, (self.scale, named));
        }
        if let Some((vertex, blended)) = self.microscope.zip(self.chosen) {
            let mark = (blended, 9.0 * self.scale);
            let name = format!("v{vertex}");
            labels.write(painter, theme, mark, vec2(1.0, 0.8), (&name, theme.accent));
            for &(joint, at) in self.apart() {
                let text = format!("M{} p", joint_subscript(joint));
                let words = (text.as_str(), theme.joint_text(joint));
                labels.write(painter, theme, (at, 9.0 * self.scale), at - blended, words);
            }
        }
        if numbered {
            let centre = self.vertices.iter().fold(Vec2::ZERO, |sum, (_, at)| sum + at.to_vec2())
                / self.vertices.len().max(1) as f32;
            for &(vertex, at) in &self.vertices {
                // Away from the middle of the figure, where there is room.
                let away = at.to_vec2() - centre;
                let words = (&*format!("v{vertex}"), theme.quiet);
                labels.write(painter, theme, (at, 5.0 * self.scale), away, words);
            }
        }
    }

    /// What the labels have to leave free.
    fn labels(&self, page: &PageContext<'_>) -> Labels {
        let mut labels = Labels::new(self.rect);
        for (_, at) in &self.vertices {
            labels.keep_free(*at, 4.0 * self.scale);
        }
        if self.shows(Show::Lines) {
            let place = |vertex: u32| self.vertices.binary_search_by_key(&vertex, |mark| mark.0);
            let at = |vertex: u32| Some(self.vertices[place(vertex).ok()?].1);
            for [from, to] in &page.derived.rig.mesh.lines {
                if let (Some(from), Some(to)) = (at(*from), at(*to)) {
                    labels.avoid_line(from, to);
                }
            }
        }
        for mark in self.joints.iter().flatten() {
            if self.shows(Show::Joints) {
                labels.keep_free(mark.at, 10.0 * self.scale);
            }
            if self.shows(Show::Axes) {
                labels::keep_free(&mut labels, mark);
            }
        }
        for letter in &self.letters {
            letter.keep_free(&mut labels);
        }
        if let Some(blended) = self.chosen {
            labels.keep_free(blended, 9.0 * self.scale);
            for (_, at) in self.apart() {
                labels.keep_free(*at, 8.0 * self.scale);
                labels.avoid_line(*at, blended);
            }
        }
        labels
    }

    /// The influence points worth showing: one that is where the vertex is has
    /// nothing to show.
    fn apart(&self) -> impl Iterator<Item = &(JointIndex, Pos2)> {
        let blended = self.chosen;
        self.influence_points
            .iter()
            .filter(move |(_, at)| blended.is_some_and(|blended| at.distance(blended) > 4.0))
    }

    fn paint_bones(&self, painter: &Painter, theme: &Theme) {
        let at = |joint: usize| Some(self.joints.get(joint)?.as_ref()?.at);
        for &(parent, child) in &self.bones {
            if let Some(ends) = at(parent).zip(at(child)) {
                bones::paint(painter, theme, parent, ends);
            }
        }
    }

    fn paint_axes(&self, painter: &Painter, page: &PageContext<'_>) {
        // Those with letters over the others.
        for lettered in [false, true] {
            for (index, mark) in self.joints.iter().enumerate() {
                if let Some(mark) = mark.as_ref().filter(|mark| mark.lettered == lettered) {
                    labels::paint_axes(painter, page, JointIndex(index as u16), mark);
                }
            }
        }
        for letter in &self.letters {
            letter.paint(painter, page);
        }
    }

    fn paint_joints(&self, painter: &Painter, page: &PageContext<'_>, numbers: bool) {
        // The chosen one over those that stand in the same place.
        let chosen = page.document.state.joint.index();
        let order = (0..self.joints.len()).filter(|&index| index != chosen);
        for index in order.chain([chosen]) {
            let Some(Some(mark)) = self.joints.get(index) else {
                continue;
            };
            let joint = JointIndex(index as u16);
            let color = page.theme.joint(joint);
            let lit = page.linked.is_lit(Entity::Joint(joint));
            if mark.hollow {
                let ring = Stroke::new(2.0, page.theme.quiet);
                painter.circle(mark.at, 5.0 * self.scale, page.theme.paper, ring);
                continue;
            }
            let radius = if numbers { 10.0 } else { 6.0 } + if lit { 2.0 } else { 0.0 };
            let radius = radius * self.scale;
            halo_of_mark(painter, page.theme, mark.at, radius + 1.5);
            let edge = Stroke::new(1.0, page.theme.joint_in_scene(joint));
            painter.circle(mark.at, radius, color, edge);
            if page.theme.has_color_again(joint) {
                let ring = Stroke::new(1.0, page.theme.on(color));
                painter.circle_stroke(mark.at, radius - 2.0, ring);
            }
            if index == chosen || lit {
                let ring = Stroke::new(1.5, page.theme.ink);
                painter.circle_stroke(mark.at, radius + 3.0 * self.scale, ring);
            }
            if numbers {
                let font = font::strong((CAPTION * self.scale).max(10.0));
                painter.text_centered(mark.at, joint.0, font, page.theme.on(color));
            }
        }
    }

    fn paint_vertices(&self, painter: &Painter, page: &PageContext<'_>) {
        let theme = page.theme;
        for &(vertex, at) in &self.vertices {
            let lit = page.linked.is_lit(Entity::Vertex(vertex));
            let radius = if lit { 6.0 } else { 4.0 } * self.scale;
            halo_of_mark(painter, theme, at, radius + 1.0);
            painter.circle_filled(at, radius, if lit { theme.accent } else { theme.ink });
        }
        let marked = [Show::Vertices, Show::VertexNumbers];
        let asked = self.microscope.is_some() || marked.iter().any(|&what| self.shows(what));
        let chosen = Entity::Vertex(page.document.state.vertex);
        if asked || page.linked.is_lit(chosen) {
            self.paint_chosen(painter, theme);
        }
    }

    fn paint_chosen(&self, painter: &Painter, theme: &Theme) {
        let Some(at) = self.chosen else { return };
        halo_of_mark(painter, theme, at, 7.5 * self.scale);
        painter.circle_filled(at, 5.5 * self.scale, theme.accent);
        painter.circle_stroke(at, 9.0 * self.scale, Stroke::new(1.5, theme.accent));
    }

    /// Each joint's proposal as a ring, joined to the place between them.
    fn paint_microscope(&self, painter: &Painter, page: &PageContext<'_>) {
        let theme = page.theme;
        let Some(blended) = self.chosen else { return };
        for &(joint, at) in self.apart() {
            let stroke = Stroke::new(2.0, theme.joint_in_scene(joint));
            painter.extend(Shape::dashed_line(&[at, blended], stroke, 5.0, 4.0));
        }
        for &(joint, at) in self.apart() {
            let lit = page.linked.is_lit(Entity::Joint(joint));
            let (radius, width) = if lit { (9.0, 4.0) } else { (7.0, 2.5) };
            halo_of_mark(painter, theme, at, (radius + 2.0) * self.scale);
            let stroke = Stroke::new(width, theme.joint_in_scene(joint));
            painter.circle(at, radius * self.scale, theme.paper, stroke);
            if lit {
                let ring = Stroke::new(1.5, theme.ink);
                painter.circle_stroke(at, (radius + 4.0) * self.scale, ring);
            }
        }
        self.paint_chosen(painter, theme);
    }
}

/// Where each joint at work on a vertex would put it, in world space; and the
/// joint whose weight the pointer is on, though that weight may be 0.
fn proposals(
    page: &PageContext<'_>,
    vertex: u32,
) -> impl Iterator<Item = (JointIndex, Vec3)> + use<> {
    let derived = page.derived;
    let points = derived.influence_points(vertex as usize);
    let lit = match page.linked.hovered() {
        Some(Entity::Weight(of, joint)) if of == vertex => Some(joint),
        _ => None,
    };
    let asleep = lit.filter(|joint| points.iter().all(|point| point.joint != *joint));
    let asleep = asleep.and_then(|joint| {
        let stored = derived.stored_positions().get(vertex as usize)?;
        let matrix = derived.palette.get(joint.index())?;
        Some((joint, matrix.transform_point3(*stored)))
    });
    let points = points.into_iter();
    let points = points.map(|point| (point.joint, point.position_in_world));
    points.chain(asleep)
}

/// A square with the axes of the node that carries the mesh, dashed: nothing is
/// bound to it.
fn paint_mesh_node(painter: &Painter, theme: &Theme, mark: &JointMark, scale: f32) {
    for (axis, end) in mark.axes.iter().enumerate() {
        let Some(end) = end.filter(|end| end.distance(mark.at) >= 3.0) else {
            continue;
        };
        let stroke = Stroke::new(2.0, theme.axis_in_scene(axis));
        painter.extend(Shape::dashed_line(&[mark.at, end], stroke, 5.0, 3.0));
    }
    let square = Rect::from_center_size(mark.at, Vec2::splat(18.0 * scale));
    painter.rect_filled(square.expand(2.0), 2.0, theme.paper);
    painter.rect_filled(square, 1.0, theme.ink);
}
