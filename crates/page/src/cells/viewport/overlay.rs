//! Joints, bones, axes, numbers, vertices and the microscope's copies, drawn over the picture.

use bindpose_gltf::JointRole;
use bindpose_kit::theme::{CAPTION_SIZE, Theme, font};
use bindpose_kit::widgets::PaintText;
use bindpose_lesson::Show;
use bindpose_notebook::{Entity, joint_label};
use bindpose_skin::JointIndex;
use eframe::egui::{Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::{Mat4, Vec3};

use super::bones::{self, ChainMark, Rings, VertexNormal};
use super::labels::{
    AxisLetter, GridNumbers, JointMark, LabelAnchor, Labels, MAX_LETTERED_JOINTS,
    UNLETTERED_AXIS_SCALE, paint_halo, place_axis_letters,
};
use super::picture_view::PictureView;
use super::prediction_marks::{self, PredictionMark};
use crate::PageContext;
use crate::cells::vertex::joint_subscript;

/// Maximum number of vertices that are all marked. In larger models only the chosen vertex, the
/// highlighted one, and those named by an exercise of the step are marked.
const MAX_MARKED_VERTICES: usize = 400;

/// Height of the picture relative to the length of a joint's axis.
const HEIGHT_PER_AXIS_LENGTH: f32 = 9.0;

/// All marks of a picture, projected once a frame.
pub(super) struct Overlay<'a> {
    show: &'a [Show],
    /// `None` for helper joints that are neither chosen nor highlighted, for joints that
    /// coincide with another joint, and for joints that cannot be projected.
    joints: Vec<Option<JointMark>>,
    mesh_node: Option<JointMark>,
    /// Parent and child of each bone.
    bones: Vec<(usize, usize)>,
    letters: Vec<AxisLetter>,
    vertices: Vec<(u32, Pos2)>,
    /// The vertex whose copies are drawn.
    microscope_vertex: Option<u32>,
    /// Position of the microscope's vertex, or of the chosen vertex if there is no microscope.
    chosen_vertex_at: Option<Pos2>,
    influence_points: Vec<(JointIndex, Pos2)>,
    vertex_normal: Option<VertexNormal>,
    rings: Rings,
    predictions: Vec<PredictionMark>,
    goals: Vec<Pos2>,
    chains: Vec<ChainMark>,
    pub(super) view: PictureView,
    /// Scale of the markers: 1 in a picture of ordinary size, less in a small one.
    scale: f32,
}

impl<'a> Overlay<'a> {
    pub(super) fn new(
        page: &PageContext<'_>,
        view: &PictureView,
        show: &'a [Show],
        rings: &[[u32; 2]],
    ) -> Self {
        let derived = page.derived;
        let state = &page.document.state;
        let roles = derived.rig.joint_roles();
        let axis_length = view.camera.height / HEIGHT_PER_AXIS_LENGTH;
        let joints = project_joints(page, view, &roles, axis_length);
        let mesh_node = if show.contains(&Show::MeshNode) {
            project_mesh_node(derived.world_from_mesh_node, view, axis_length)
        } else {
            None
        };
        let letters = if show.contains(&Show::Axes) {
            // Where letters overlap, those of the chosen joint have precedence.
            let chosen = joints.get(state.joint.index());
            let marks = chosen.into_iter().chain(&joints).flatten();
            place_axis_letters(marks.filter(|mark| mark.has_letters))
        } else {
            Vec::new()
        };

        let vertex_count = derived.rig.mesh.positions.len();
        let has_vertex_marks =
            show.contains(&Show::Vertices) || show.contains(&Show::VertexNumbers);
        let marked_vertices: Vec<u32> = if has_vertex_marks && vertex_count <= MAX_MARKED_VERTICES {
            (0..vertex_count as u32).collect()
        } else {
            prediction_marks::find_named_vertices(page).into_iter().collect()
        };
        let vertices = marked_vertices
            .into_iter()
            .filter_map(|vertex| Some((vertex, view.project(derived.position(vertex as usize)?)?)))
            .collect();
        let microscope_vertex = match page.linked.hovered() {
            Some(Entity::Weight(vertex, _)) => Some(vertex),
            _ => Some(state.vertex).filter(|_| show.contains(&Show::Microscope)),
        };
        let influence_points = match microscope_vertex {
            Some(vertex) => project_influence_points(page, view, vertex),
            None => Vec::new(),
        };
        let chosen_vertex = microscope_vertex.unwrap_or(state.vertex);
        Self {
            show,
            vertex_normal: VertexNormal::new(page, view, show),
            rings: Rings::new(derived, rings, view),
            joints,
            mesh_node,
            bones: bones::find_bones(&derived.rig.skeleton, &roles),
            letters,
            vertices,
            microscope_vertex,
            chosen_vertex_at: derived
                .position(chosen_vertex as usize)
                .and_then(|position| view.project(position)),
            influence_points,
            predictions: prediction_marks::project_predictions(page, view),
            goals: prediction_marks::project_goals(page, view),
            chains: bones::project_chains(page, view),
            view: *view,
            scale: (view.rect.height() / 300.0).clamp(0.65, 1.0),
        }
    }

    /// Finds the mark nearest to a position, less than `reach` points away. Joints have
    /// precedence over vertices.
    pub(super) fn pick(&self, at: Pos2, reach: f32) -> Option<Entity> {
        if let Some(joint) = nearest_within(self.visible_joints(), at, reach) {
            return Some(Entity::Joint(joint));
        }
        let vertex = nearest_within(self.vertices.iter().copied(), at, reach)?;
        Some(Entity::Vertex(vertex))
    }

    /// Joints with a mark inside the picture. Empty if no joints are drawn.
    pub(super) fn visible_joints(&self) -> impl Iterator<Item = (JointIndex, Pos2)> {
        let are_joints_drawn =
            self.shows(Show::Joints) || self.shows(Show::Numbers) || self.shows(Show::Axes);
        let joints: &[Option<JointMark>] = if are_joints_drawn { &self.joints } else { &[] };
        joints
            .iter()
            .enumerate()
            .filter_map(|(index, mark)| Some((JointIndex(index as u16), mark.as_ref()?.at)))
            .filter(|(_, at)| self.view.rect.contains(*at))
    }

    pub(super) fn marked_vertices(&self) -> &[(u32, Pos2)] {
        &self.vertices
    }

    /// Paints the name of a joint or vertex beside its mark, with an optional hint.
    pub(super) fn paint_name(
        &self,
        painter: &Painter,
        page: &PageContext<'_>,
        entity: Entity,
        hint: Option<&str>,
    ) {
        let (mark, name) = match entity {
            Entity::Joint(joint) => {
                let mark = self.visible_joints().find(|mark| mark.0 == joint);
                (mark.map(|mark| mark.1), joint_label(joint.index(), &page.derived.rig))
            }
            Entity::Vertex(vertex) => {
                let mark = self.vertices.iter().find(|mark| mark.0 == vertex);
                (mark.map(|mark| mark.1), format!("v{vertex}"))
            }
            _ => return,
        };
        let Some(at) = mark else { return };
        let text = match hint {
            Some(hint) => format!("{name} · {hint}"),
            None => name,
        };
        let radius = 14.0 * self.scale;
        let mut labels = Labels::new(self.view.rect);
        labels.reserve_circle(at, radius);
        let anchor = LabelAnchor { at, radius, direction: vec2(0.6, -1.0) };
        labels.write(painter, page.theme, anchor, &text, page.theme.ink);
    }

    fn shows(&self, show: Show) -> bool {
        self.show.contains(&show)
    }

    pub(super) fn paint(
        &self,
        painter: &Painter,
        page: &PageContext<'_>,
        grid_numbers: &GridNumbers,
    ) {
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
        if self.microscope_vertex.is_some() {
            self.paint_microscope(painter, page);
        }
        for &at in &self.goals {
            prediction_marks::paint_goal(painter, page.theme, at, self.scale);
        }
        for mark in &self.predictions {
            mark.paint(painter, page.theme, self.scale);
        }
        for mark in &self.chains {
            mark.paint(painter, page.theme, self.scale);
        }
        self.paint_labels(painter, page, grid_numbers);
    }

    /// Paints all labels after the marks, in order of precedence: a label that is placed earlier
    /// has more room.
    fn paint_labels(&self, painter: &Painter, page: &PageContext<'_>, grid_numbers: &GridNumbers) {
        let theme = page.theme;
        let has_vertex_numbers = self.shows(Show::VertexNumbers);
        let mut labels = self.reserve_mark_areas(page);
        grid_numbers.reserve_areas(&mut labels);
        if let Some(node) = &self.mesh_node {
            let anchor =
                LabelAnchor { at: node.at, radius: 9.0 * self.scale, direction: vec2(-1.0, 1.0) };
            labels.write(painter, theme, anchor, "mesh node", theme.ink);
        }
        if let Some(normal) = &self.vertex_normal {
            normal.write_labels(painter, theme, &mut labels, self.scale);
        }
        for &at in &self.goals {
            let anchor = LabelAnchor { at, radius: 14.0 * self.scale, direction: vec2(1.0, -0.6) };
            labels.write(painter, theme, anchor, "goal", theme.ink);
        }
        for mark in &self.predictions {
            mark.reserve_areas(&mut labels, self.scale);
        }
        for mark in &self.chains {
            mark.reserve_areas(&mut labels, self.scale);
        }
        for mark in &self.chains {
            mark.write_labels(painter, theme, &mut labels, self.scale);
        }
        for mark in &self.predictions {
            let is_vertex_labelled = self.microscope_vertex == Some(mark.vertex())
                || (has_vertex_numbers && !self.vertices.is_empty());
            mark.write_labels(painter, theme, &mut labels, self.scale, is_vertex_labelled);
        }
        if let Some((vertex, blended_at)) = self.microscope_vertex.zip(self.chosen_vertex_at) {
            let radius = 9.0 * self.scale;
            let anchor = LabelAnchor { at: blended_at, radius, direction: vec2(1.0, 0.8) };
            labels.write(painter, theme, anchor, &format!("v{vertex}"), theme.accent);
            for &(joint, at) in self.distinct_influence_points() {
                let anchor = LabelAnchor { at, radius, direction: at - blended_at };
                let text = format!("M{} p", joint_subscript(joint));
                labels.write(painter, theme, anchor, &text, theme.joint_text(joint));
            }
        }
        if has_vertex_numbers {
            let sum = self.vertices.iter().fold(Vec2::ZERO, |sum, (_, at)| sum + at.to_vec2());
            let center = sum / self.vertices.len().max(1) as f32;
            for &(vertex, at) in &self.vertices {
                // There is more room away from the middle of the figure.
                let direction = at.to_vec2() - center;
                let anchor = LabelAnchor { at, radius: 5.0 * self.scale, direction };
                labels.write(painter, theme, anchor, &format!("v{vertex}"), theme.quiet);
            }
        }
    }

    /// Creates labels with the areas of vertices, lines, joints and influence points reserved.
    fn reserve_mark_areas(&self, page: &PageContext<'_>) -> Labels {
        let mut labels = Labels::new(self.view.rect);
        for (_, at) in &self.vertices {
            labels.reserve_circle(*at, 4.0 * self.scale);
        }
        if self.shows(Show::Lines) {
            for [from, to] in &page.derived.rig.mesh.lines {
                if let (Some(from), Some(to)) =
                    (self.find_vertex_mark(*from), self.find_vertex_mark(*to))
                {
                    labels.avoid_line(from, to);
                }
            }
        }
        for mark in self.joints.iter().flatten() {
            if self.shows(Show::Joints) {
                labels.reserve_circle(mark.at, 10.0 * self.scale);
            }
            if self.shows(Show::Axes) {
                mark.avoid_axes(&mut labels);
            }
        }
        for letter in &self.letters {
            letter.reserve_area(&mut labels);
        }
        if let Some(blended_at) = self.chosen_vertex_at {
            labels.reserve_circle(blended_at, 9.0 * self.scale);
            for (_, at) in self.distinct_influence_points() {
                labels.reserve_circle(*at, 8.0 * self.scale);
                labels.avoid_line(*at, blended_at);
            }
        }
        labels
    }

    /// Screen position of a marked vertex.
    fn find_vertex_mark(&self, vertex: u32) -> Option<Pos2> {
        let index = self.vertices.binary_search_by_key(&vertex, |mark| mark.0).ok()?;
        Some(self.vertices[index].1)
    }

    /// Influence points that do not coincide with the blended vertex on the screen.
    fn distinct_influence_points(&self) -> impl Iterator<Item = &(JointIndex, Pos2)> {
        let blended_at = self.chosen_vertex_at;
        self.influence_points
            .iter()
            .filter(move |(_, at)| blended_at.is_some_and(|blended| at.distance(blended) > 4.0))
    }

    fn paint_bones(&self, painter: &Painter, theme: &Theme) {
        for &(parent, child) in &self.bones {
            if let (Some(Some(from)), Some(Some(to))) =
                (self.joints.get(parent), self.joints.get(child))
            {
                bones::paint_bone(painter, theme, parent, from.at, to.at);
            }
        }
    }

    fn paint_axes(&self, painter: &Painter, page: &PageContext<'_>) {
        // Axes with letters are painted over the others.
        for has_letters in [false, true] {
            for (index, mark) in self.joints.iter().enumerate() {
                if let Some(mark) = mark.as_ref().filter(|mark| mark.has_letters == has_letters) {
                    mark.paint_axes(painter, page, JointIndex(index as u16));
                }
            }
        }
        for letter in &self.letters {
            letter.paint(painter, page);
        }
    }

    fn paint_joints(&self, painter: &Painter, page: &PageContext<'_>, with_numbers: bool) {
        // The chosen joint is painted last, over others in the same place.
        let chosen = page.document.state.joint.index();
        let others = (0..self.joints.len()).filter(|&index| index != chosen);
        for index in others.chain([chosen]) {
            let Some(Some(mark)) = self.joints.get(index) else {
                continue;
            };
            if mark.is_helper {
                let ring = Stroke::new(2.0, page.theme.quiet);
                painter.circle(mark.at, 5.0 * self.scale, page.theme.paper, ring);
                continue;
            }
            let joint = JointIndex(index as u16);
            let color = page.theme.joint(joint);
            let is_lit = page.linked.is_lit(Entity::Joint(joint));
            let unscaled_radius =
                if with_numbers { 10.0 } else { 6.0 } + if is_lit { 2.0 } else { 0.0 };
            let radius = unscaled_radius * self.scale;
            paint_halo(painter, page.theme, mark.at, radius + 1.5);
            let edge = Stroke::new(1.0, page.theme.joint_in_scene(joint));
            painter.circle(mark.at, radius, color, edge);
            if page.theme.has_repeated_color(joint) {
                let ring = Stroke::new(1.0, page.theme.text_on_fill(color));
                painter.circle_stroke(mark.at, radius - 2.0, ring);
            }
            if index == chosen || is_lit {
                let ring = Stroke::new(1.5, page.theme.ink);
                painter.circle_stroke(mark.at, radius + 3.0 * self.scale, ring);
            }
            if with_numbers {
                let font = font::strong((CAPTION_SIZE * self.scale).max(10.0));
                painter.text_centered(mark.at, joint.0, font, page.theme.text_on_fill(color));
            }
        }
    }

    fn paint_vertices(&self, painter: &Painter, page: &PageContext<'_>) {
        let theme = page.theme;
        for &(vertex, at) in &self.vertices {
            let is_lit = page.linked.is_lit(Entity::Vertex(vertex));
            let radius = if is_lit { 6.0 } else { 4.0 } * self.scale;
            paint_halo(painter, theme, at, radius + 1.0);
            painter.circle_filled(at, radius, if is_lit { theme.accent } else { theme.ink });
        }
        if self.microscope_vertex.is_some()
            || self.shows(Show::Vertices)
            || self.shows(Show::VertexNumbers)
            || page.linked.is_lit(Entity::Vertex(page.document.state.vertex))
        {
            self.paint_chosen_vertex(painter, theme);
        }
    }

    fn paint_chosen_vertex(&self, painter: &Painter, theme: &Theme) {
        let Some(at) = self.chosen_vertex_at else { return };
        paint_halo(painter, theme, at, 7.5 * self.scale);
        painter.circle_filled(at, 5.5 * self.scale, theme.accent);
        painter.circle_stroke(at, 9.0 * self.scale, Stroke::new(1.5, theme.accent));
    }

    /// Paints a ring at the influence point of each joint, with a line to the blended vertex.
    fn paint_microscope(&self, painter: &Painter, page: &PageContext<'_>) {
        let theme = page.theme;
        let Some(blended_at) = self.chosen_vertex_at else { return };
        for &(joint, at) in self.distinct_influence_points() {
            let stroke = Stroke::new(2.0, theme.joint_in_scene(joint));
            painter.extend(Shape::dashed_line(&[at, blended_at], stroke, 5.0, 4.0));
        }
        for &(joint, at) in self.distinct_influence_points() {
            let is_lit = page.linked.is_lit(Entity::Joint(joint));
            let (radius, width) = if is_lit { (9.0, 4.0) } else { (7.0, 2.5) };
            paint_halo(painter, theme, at, (radius + 2.0) * self.scale);
            let stroke = Stroke::new(width, theme.joint_in_scene(joint));
            painter.circle(at, radius * self.scale, theme.paper, stroke);
            if is_lit {
                let ring = Stroke::new(1.5, theme.ink);
                painter.circle_stroke(at, (radius + 4.0) * self.scale, ring);
            }
        }
        self.paint_chosen_vertex(painter, theme);
    }
}

/// Returns the key of the position nearest to `at` and less than `reach` points away.
fn nearest_within<T>(
    candidates: impl Iterator<Item = (T, Pos2)>,
    at: Pos2,
    reach: f32,
) -> Option<T> {
    candidates
        .map(|(key, mark)| (key, mark.distance(at)))
        .filter(|&(_, distance)| distance < reach)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(key, _)| key)
}

fn project_joints(
    page: &PageContext<'_>,
    view: &PictureView,
    roles: &[JointRole],
    axis_length: f32,
) -> Vec<Option<JointMark>> {
    let skin_joint_count = roles.iter().filter(|&&role| role == JointRole::OfSkin).count();
    let are_all_lettered = skin_joint_count <= MAX_LETTERED_JOINTS;
    let mut marks = Vec::with_capacity(roles.len());
    for (index, (world_from_joint, &role)) in
        page.derived.joints.world_from_joint.iter().zip(roles).enumerate()
    {
        let joint = JointIndex(index as u16);
        let is_emphasized =
            page.document.state.joint == joint || page.linked.is_lit(Entity::Joint(joint));
        if role != JointRole::OfSkin && !is_emphasized {
            marks.push(None);
            continue;
        }
        let has_letters = are_all_lettered || is_emphasized;
        let length = axis_length * if has_letters { 1.0 } else { UNLETTERED_AXIS_SCALE };
        let origin = world_from_joint.w_axis.truncate();
        let axis_ends = [0, 1, 2].map(|axis| {
            let direction = world_from_joint.col(axis).truncate().normalize_or_zero();
            view.project(origin + direction * length)
        });
        marks.push(view.project(origin).map(|at| JointMark {
            at,
            axis_ends,
            has_letters,
            is_helper: role == JointRole::Helper,
        }));
    }
    marks
}

/// Projects the frame of the node that has the mesh. Its axes are not normalized, so that their
/// length displays the node's scale.
fn project_mesh_node(
    world_from_mesh_node: Mat4,
    view: &PictureView,
    axis_length: f32,
) -> Option<JointMark> {
    let origin = world_from_mesh_node.w_axis.truncate();
    Some(JointMark {
        at: view.project(origin)?,
        axis_ends: [0, 1, 2].map(|axis| {
            view.project(origin + world_from_mesh_node.col(axis).truncate() * axis_length)
        }),
        has_letters: false,
        is_helper: false,
    })
}

/// Projects the positions to which the joints with influence on a vertex would move it, and
/// that of the joint whose weight is hovered, even if this weight is 0.
fn project_influence_points(
    page: &PageContext<'_>,
    view: &PictureView,
    vertex: u32,
) -> Vec<(JointIndex, Pos2)> {
    let derived = page.derived;
    let mut points_in_world: Vec<(JointIndex, Vec3)> = derived
        .influence_points(vertex as usize)
        .into_iter()
        .map(|point| (point.joint, point.position_in_world))
        .collect();
    if let Some(Entity::Weight(hovered_vertex, joint)) = page.linked.hovered()
        && hovered_vertex == vertex
        && points_in_world.iter().all(|point| point.0 != joint)
        && let Some(&stored) = derived.stored_positions().get(vertex as usize)
        && let Some(matrix) = derived.palette.get(joint.index())
    {
        points_in_world.push((joint, matrix.transform_point3(stored)));
    }
    points_in_world
        .into_iter()
        .filter_map(|(joint, in_world)| Some((joint, view.project(in_world)?)))
        .collect()
}

/// Paints the node that has the mesh as a square with dashed axes, because nothing is bound to
/// it.
fn paint_mesh_node(painter: &Painter, theme: &Theme, mark: &JointMark, scale: f32) {
    for (axis, end) in mark.axis_ends.iter().enumerate() {
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
