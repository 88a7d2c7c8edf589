//! From the joint numbers of a vertex, by the skin's list of joints, to nodes of
//! the file: three columns and the arrows between them.

use bindpose_asset::{JointPlace, NodeIndex, Rig};
use bindpose_lesson::IndicesCell;
use bindpose_notebook::{Entity, number_text};
use bindpose_skin::{JointIndex, SET_LANES};
use eframe::egui::{
    FontId, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo,
    accesskit::Role, pos2, vec2,
};

use super::entity_chooser;
use crate::PageContext;
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::PaintText;
use crate::widgets::Tip as _;
use crate::widgets::paint_badge_at;

const ROW: f32 = 30.0;
const HEADER: f32 = 26.0;
/// Narrower than this, arrows are shorter.
const NARROW: f32 = 560.0;
/// What goes the wrong way leaves and arrives so far below the middle of a row.
const BELOW: f32 = 8.0;
/// Longer lists show only the places that the vertex names.
const ALL: usize = 8;

/// One lane of the vertex.
struct VertexLane {
    joint: JointIndex,
    place: Option<JointPlace>,
    weight: f32,
}

/// All three columns.
struct IndexColumns {
    lanes: Vec<VertexLane>,
    /// Joints in the order of the skin's list.
    places: Vec<(JointIndex, JointPlace)>,
    /// Places left out.
    more: usize,
    nodes: Vec<NodeIndex>,
}

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &IndicesCell, id: &str, page: &mut PageContext<'_>) {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    if cell.vertex.is_none() {
        entity_chooser::vertex(ui, id, page);
    }
    let Some(columns) = columns(page, vertex, cell.misread) else {
        let words = format!("There is no vertex {vertex}.");
        ui.label(RichText::new(words).color(page.theme.wrong));
        return;
    };
    let rows = columns.lanes.len().max(columns.nodes.len());
    let rows = rows.max(columns.places.len() + usize::from(columns.more > 0));
    let size = vec2(ui.available_width(), HEADER + ROW * rows as f32);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let figure = Figure { rect, columns };
    figure.headings(ui, page, vertex);
    figure.arrows(ui.painter(), page);
    figure.lanes(ui, page);
    figure.places(ui, page);
    figure.nodes(ui, page);
    if cell.misread {
        figure.wrong_arrows(ui.painter(), page.theme);
        let words = "Dashed: where the numbers lead if they are taken for nodes.";
        ui.label(RichText::new(words).size(SMALL).color(page.theme.wrong));
    }
}

fn columns(page: &PageContext<'_>, vertex: u32, misread: bool) -> Option<IndexColumns> {
    let rig = &page.derived.rig;
    let influences = page.derived.influences.get(vertex as usize)?;
    let shown = rig.mesh.lanes().max(SET_LANES);
    let lanes: Vec<VertexLane> = (0..shown)
        .map(|lane| {
            let joint = influences.joints[lane];
            VertexLane { joint, place: rig.joint_place(joint), weight: influences.weights[lane] }
        })
        .collect();
    let skin = lanes.iter().find_map(|lane| lane.place).map(|p| p.skin);
    let all: Vec<(JointIndex, JointPlace)> = rig
        .skeleton
        .indices()
        .filter_map(|joint| Some((joint, rig.joint_place(joint)?)))
        .filter(|(_, place)| Some(place.skin) == skin)
        .collect();
    let total = all.len();
    let named = |joint: JointIndex| {
        let mut used = lanes.iter().filter(|lane| lane.weight != 0.0);
        used.any(|lane| lane.joint == joint)
    };
    let mut places = all;
    places.retain(|&(joint, _)| total <= ALL || named(joint));
    let mut nodes: Vec<NodeIndex> = places.iter().map(|(_, place)| place.node).collect();
    if misread {
        let used = lanes.iter().filter(|lane| lane.weight != 0.0);
        nodes.extend(used.filter_map(|lane| lane.place).map(|p| NodeIndex(p.place as u32)));
    }
    nodes.sort_unstable();
    nodes.dedup();
    Some(IndexColumns { lanes, more: total - places.len(), places, nodes })
}

/// The columns with their place on the page.
struct Figure {
    rect: Rect,
    columns: IndexColumns,
}

impl Figure {
    /// Left and right edge of a column.
    fn edges(&self, column: usize) -> (f32, f32) {
        let width = self.rect.width();
        let parts = if width < NARROW {
            [(0.0, 0.30), (0.39, 0.65), (0.74, 1.0)]
        } else {
            [(0.0, 0.27), (0.40, 0.60), (0.73, 1.0)]
        };
        let (from, to) = parts[column.min(2)];
        (self.rect.left() + width * from, self.rect.left() + width * to)
    }

    fn row(&self, column: usize, row: usize) -> Rect {
        let (left, right) = self.edges(column);
        let top = self.rect.top() + HEADER + ROW * row as f32;
        Rect::from_min_max(pos2(left, top + 2.0), pos2(right, top + ROW - 2.0))
    }

    fn headings(&self, ui: &Ui, page: &PageContext<'_>, vertex: u32) {
        let (left, right) = self.edges(0);
        let short = right - left < 120.0;
        let first = if short { format!("v{vertex}") } else { format!("JOINTS_0 of v{vertex}") };
        let font = font::strong(CAPTION);
        for (column, words) in [first.as_str(), "skin.joints", "nodes"].iter().enumerate() {
            let at = pos2(self.edges(column).0, self.rect.top() + HEADER / 2.0 - 2.0);
            let painter = ui.painter();
            painter.text_left(at, words, font.clone(), page.theme.quiet);
        }
    }

    fn arrows(&self, painter: &Painter, page: &PageContext<'_>) {
        let IndexColumns { lanes, places, nodes, .. } = &self.columns;
        let node_row = |node: NodeIndex| nodes.iter().position(|&other| other == node);
        for (row, lane) in lanes.iter().enumerate() {
            if lane.weight == 0.0 {
                continue;
            }
            let from = self.row(0, row).right_center();
            if let Some(to) = places.iter().position(|&(joint, _)| joint == lane.joint) {
                let look = joint_stroke(page, lane.joint);
                arrow(painter, from, self.row(1, to).left_center(), look, false);
            }
        }
        for (row, (joint, place)) in places.iter().enumerate() {
            if let Some(to) = node_row(place.node) {
                let from = self.row(1, row).right_center();
                let look = joint_stroke(page, *joint);
                arrow(painter, from, self.row(2, to).left_center(), look, false);
            }
        }
    }

    /// From each number in use to the node of that number, over all else.
    fn wrong_arrows(&self, painter: &Painter, theme: &Theme) {
        let below = vec2(0.0, BELOW);
        for (row, lane) in self.columns.lanes.iter().enumerate() {
            let number = lane.place.filter(|_| lane.weight != 0.0);
            let node = number.map(|place| NodeIndex(place.place as u32));
            let nodes = &self.columns.nodes;
            if let Some(to) = nodes.iter().position(|&other| Some(other) == node) {
                let from = self.row(0, row).right_center() + below;
                let to = self.row(2, to).left_center() + below;
                arrow(painter, from, to, Stroke::new(1.5, theme.wrong), true);
            }
        }
    }

    fn lanes(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        for (row, lane) in self.columns.lanes.iter().enumerate() {
            let rect = self.row(0, row);
            let weight = number_text::fixed(f64::from(lane.weight), 2);
            let number = lane.place.map_or(lane.joint.index(), |place| place.place);
            let heard = format!("lane {row}: joint number {number}, weight {weight}");
            let ink = if lane.weight == 0.0 { page.theme.quiet } else { page.theme.ink };
            entry(ui, rect, ("lane", row), &heard, Some(lane.joint), page);
            let small = FontId::proportional(CAPTION);
            let strong = font::mono_strong(SMALL);
            let painter = ui.painter_at(rect);
            let left = rect.left_center() + vec2(8.0, 0.0);
            let words = if rect.width() < 150.0 {
                format!("lane {row}: {weight}")
            } else {
                format!("lane {row}, weight {weight}")
            };
            painter.text_left(left, words, small, ink);
            let right = rect.right_center() - vec2(8.0, 0.0);
            painter.text_right(right, number, strong, ink);
        }
    }

    fn places(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        for (row, (joint, place)) in self.columns.places.iter().enumerate() {
            let rect = self.row(1, row);
            let heard = format!("place {}: node {}", place.place, place.node.0);
            entry(ui, rect, ("place", row), &heard, Some(*joint), page);
            paint_badge_at(ui, page.theme, rect.left_center() + vec2(7.0, 0.0), *joint);
            let right = rect.right_center() - vec2(8.0, 0.0);
            let words = format!("node {}", place.node.0);
            let mono = FontId::monospace(CAPTION);
            let painter = ui.painter_at(rect);
            painter.text_right(right, words, mono, page.theme.ink);
        }
        if self.columns.more > 0 {
            let rect = self.row(1, self.columns.places.len());
            let words = format!("and {} more", self.columns.more);
            let font = FontId::proportional(CAPTION);
            let painter = ui.painter();
            painter.text_centered(rect.center(), words, font, page.theme.quiet);
        }
    }

    fn nodes(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let rig = std::sync::Arc::clone(&page.derived.rig);
        for (row, &node) in self.columns.nodes.iter().enumerate() {
            let rect = self.row(2, row);
            let is = |&&(_, place): &&(JointIndex, JointPlace)| place.node == node;
            let joint = self.columns.places.iter().find(is).map(|&(joint, _)| joint);
            let name = node_name(&rig, node);
            let heard = format!("node {}: {name}", node.0);
            entry(ui, rect, ("node", row), &heard, joint, page);
            let strong = font::mono_strong(SMALL);
            let painter = ui.painter_at(rect);
            let left = rect.left_center() + vec2(8.0, 0.0);
            let number = node.0.to_string();
            let drawn = painter.text_left(left, number, strong, page.theme.ink);
            let name_font = FontId::proportional(SMALL);
            painter.text_left(
                drawn.right_center() + vec2(10.0, 0.0),
                name,
                name_font,
                page.theme.ink,
            );
        }
    }
}

/// What a node is called, or what it is there for.
fn node_name(rig: &Rig, node: NodeIndex) -> String {
    let of_file = rig.origin.as_ref().map(|origin| {
        let stored = origin.graph.nodes.get(node.index());
        stored.and_then(|node| node.name.clone())
    });
    if let Some(name) = of_file {
        return name.unwrap_or_default();
    }
    let joints = rig.skeleton.joints().iter().zip(rig.skeleton.indices());
    let mut named =
        joints.filter(|&(_, index)| rig.joint_place(index).is_some_and(|place| place.node == node));
    named.next().map_or_else(|| "carries the mesh".to_owned(), |(joint, _)| joint.name.clone())
}

/// The frame of a row: lights its joint, chooses it on a click.
fn entry(
    ui: &mut Ui,
    rect: Rect,
    salt: (&str, usize),
    heard: &str,
    joint: Option<JointIndex>,
    page: &mut PageContext<'_>,
) {
    let response = ui.interact(rect, ui.scope_id().with(salt), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), heard));
    let lit = joint.is_some_and(|joint| page.linked.is_lit(Entity::Joint(joint)));
    let theme = page.theme;
    let fill = if lit { theme.lit } else { theme.paper };
    let focused = response.has_focus();
    let edge = match (focused, lit) {
        (true, _) => theme.accent,
        (_, true) => theme.lit_edge,
        _ => theme.rule,
    };
    let edge = Stroke::new(1.0, edge);
    ui.painter().rect(rect, 5.0, fill, edge, StrokeKind::Inside);
    if let Some(joint) = joint {
        page.link(&response, Entity::Joint(joint));
    }
    response.tip(heard);
}

fn joint_stroke(page: &PageContext<'_>, joint: JointIndex) -> Stroke {
    let lit = page.linked.is_lit(Entity::Joint(joint));
    let width = if lit { 3.0 } else { 1.75 };
    Stroke::new(width, page.theme.joint_line(joint))
}

fn arrow(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke, dashed: bool) {
    let (from, to) = (from + vec2(2.0, 0.0), to - vec2(2.0, 0.0));
    let along = (to - from).normalized();
    let head = to - along * 8.0;
    if dashed {
        let shapes = Shape::dashed_line(&[from, head], stroke, 5.0, 4.0);
        painter.extend(shapes);
    } else {
        painter.line_segment([from, head], stroke);
    }
    let side = along.rot90() * 4.0;
    painter.add(Shape::convex_polygon(
        vec![to, head + side, head - side],
        stroke.color,
        Stroke::NONE,
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{Page, harness};
    use egui_kittest::{Harness, kittest::Queryable};

    fn shown(rig: &str, cell: IndicesCell) -> Harness<'static, Page> {
        let mut harness = harness(Page::new(rig), move |view, page| ui(view, &cell, "i", page));
        harness.run();
        harness
    }

    #[test]
    fn numbers_lead_by_the_list_to_nodes() {
        let cell = IndicesCell { vertex: Some(6), misread: true };
        let mut harness = shown("simple_skin", cell);
        harness.get_by_label("lane 1: joint number 1, weight 0.75");
        harness.get_by_label("place 1: node 2");
        harness.get_by_label("node 2: joint 1");
        harness.get_by_label("node 0: carries the mesh");
        harness.get_by_label("place 1: node 2").click();
        harness.run();
        assert_eq!(harness.state().document.state.joint, JointIndex(1));
    }

    #[test]
    fn a_long_list_shows_what_the_vertex_names() {
        let cell = IndicesCell { vertex: Some(1342), misread: false };
        let harness = shown("whale", cell);
        let places = harness.query_all_by_label_contains("place ");
        assert_eq!(places.count(), 4);
        let lanes = harness.query_all_by_label_contains("joint number");
        assert_eq!(lanes.count(), 4);
    }
}
