//! Diagram of how the joint numbers of a vertex refer to entries of the skin's joint
//! list, and these to nodes of the file: three columns with arrows between them.

use std::sync::Arc;

use bindpose_gltf::{JointPlace, NodeIndex, Rig};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{PaintText, Tip as _, paint_badge_at};
use bindpose_lesson::{IndicesCell, number_text};
use bindpose_notebook::Entity;
use bindpose_skin::{JointIndex, SET_LANES};
use eframe::egui::{
    FontId, Painter, Pos2, Rangef, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui,
    WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::entity_chooser;
use crate::PageContext;

const ROW_HEIGHT: f32 = 30.0;
const HEADER_HEIGHT: f32 = 26.0;
/// Width below which the arrows are shorter, in points.
const MIN_WIDE_WIDTH: f32 = 560.0;
/// Offset of wrong arrows below the centres of rows, in points.
const WRONG_ARROW_OFFSET: f32 = 8.0;
/// Maximum number of entries for which all are shown. Of a longer joint list, only the
/// entries are shown that the vertex refers to.
const MAX_FULL_LIST: usize = 8;

struct VertexLane {
    joint: JointIndex,
    place: Option<JointPlace>,
    weight: f32,
}

/// Entry of the skin's joint list.
struct SkinEntry {
    joint: JointIndex,
    place: JointPlace,
}

/// Contents of the three columns.
struct IndexColumns {
    lanes: Vec<VertexLane>,
    entries: Vec<SkinEntry>,
    /// Number of entries that are not shown.
    hidden_entries: usize,
    nodes: Vec<NodeIndex>,
}

pub(super) fn ui(ui: &mut Ui, cell: &IndicesCell, id: &str, page: &mut PageContext<'_>) {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    if cell.vertex.is_none() {
        entity_chooser::vertex_chooser_ui(ui, id, page);
    }
    let Some(columns) = IndexColumns::new(page, vertex, cell.misread) else {
        let message = format!("There is no vertex {vertex}.");
        ui.label(RichText::new(message).color(page.theme.wrong));
        return;
    };
    let entry_rows = columns.entries.len() + usize::from(columns.hidden_entries > 0);
    let row_count = columns.lanes.len().max(columns.nodes.len()).max(entry_rows);
    let size = vec2(ui.available_width(), HEADER_HEIGHT + ROW_HEIGHT * row_count as f32);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let diagram = IndexDiagram { rect, columns };
    diagram.paint_headings(ui, page, vertex);
    diagram.paint_arrows(ui.painter(), page);
    diagram.draw_lanes(ui, page);
    diagram.draw_entries(ui, page);
    diagram.draw_nodes(ui, page);
    if cell.misread {
        diagram.paint_wrong_arrows(ui.painter(), page.theme);
        let legend = "Dashed: where the numbers lead if they are taken for nodes.";
        ui.label(RichText::new(legend).size(SMALL_SIZE).color(page.theme.wrong));
    }
}

impl IndexColumns {
    /// Returns `None` if there is no such vertex. `misread` adds the nodes that the joint
    /// numbers would refer to if they were node indices.
    fn new(page: &PageContext<'_>, vertex: u32, misread: bool) -> Option<Self> {
        let rig = &page.derived.rig;
        let influences = page.derived.influences.get(vertex as usize)?;
        let lane_count = rig.mesh.lanes().max(SET_LANES);
        let lanes: Vec<VertexLane> = (0..lane_count)
            .map(|lane| {
                let joint = influences.joints[lane];
                let place = rig.joint_place(joint);
                VertexLane { joint, place, weight: influences.weights[lane] }
            })
            .collect();
        let skin = lanes.iter().find_map(|lane| lane.place).map(|place| place.skin);
        let mut entries: Vec<SkinEntry> = rig
            .skeleton
            .indices()
            .filter_map(|joint| Some(SkinEntry { joint, place: rig.joint_place(joint)? }))
            .filter(|entry| Some(entry.place.skin) == skin)
            .collect();
        let entry_count = entries.len();
        if entry_count > MAX_FULL_LIST {
            entries.retain(|entry| {
                lanes.iter().any(|lane| lane.weight != 0.0 && lane.joint == entry.joint)
            });
        }
        let mut nodes: Vec<NodeIndex> = entries.iter().map(|entry| entry.place.node).collect();
        if misread {
            let used_lanes = lanes.iter().filter(|lane| lane.weight != 0.0);
            let places = used_lanes.filter_map(|lane| lane.place);
            nodes.extend(places.map(|place| NodeIndex(place.place as u32)));
        }
        nodes.sort_unstable();
        nodes.dedup();
        let hidden_entries = entry_count - entries.len();
        Some(Self { lanes, entries, hidden_entries, nodes })
    }
}

/// The three columns in a rectangle of the page.
struct IndexDiagram {
    rect: Rect,
    columns: IndexColumns,
}

impl IndexDiagram {
    fn column_range(&self, column: usize) -> Rangef {
        let width = self.rect.width();
        let fractions = if width < MIN_WIDE_WIDTH {
            [(0.0, 0.30), (0.39, 0.65), (0.74, 1.0)]
        } else {
            [(0.0, 0.27), (0.40, 0.60), (0.73, 1.0)]
        };
        let (from, to) = fractions[column.min(2)];
        Rangef::new(self.rect.left() + width * from, self.rect.left() + width * to)
    }

    fn row_rect(&self, column: usize, row: usize) -> Rect {
        let top = self.rect.top() + HEADER_HEIGHT + ROW_HEIGHT * row as f32;
        let y_range = Rangef::new(top + 2.0, top + ROW_HEIGHT - 2.0);
        Rect::from_x_y_ranges(self.column_range(column), y_range)
    }

    fn paint_headings(&self, ui: &Ui, page: &PageContext<'_>, vertex: u32) {
        let is_narrow = self.column_range(0).span() < 120.0;
        let first = if is_narrow { format!("v{vertex}") } else { format!("JOINTS_0 of v{vertex}") };
        for (column, heading) in [first.as_str(), "skin.joints", "nodes"].iter().enumerate() {
            let y = self.rect.top() + HEADER_HEIGHT / 2.0 - 2.0;
            let at = pos2(self.column_range(column).min, y);
            ui.painter().text_left(at, heading, font::strong(CAPTION_SIZE), page.theme.quiet);
        }
    }

    /// Paints the arrows from lanes to entries, and from these to nodes.
    fn paint_arrows(&self, painter: &Painter, page: &PageContext<'_>) {
        let IndexColumns { lanes, entries, nodes, .. } = &self.columns;
        for (row, lane) in lanes.iter().enumerate() {
            if lane.weight == 0.0 {
                continue;
            }
            if let Some(entry_row) = entries.iter().position(|entry| entry.joint == lane.joint) {
                let from = self.row_rect(0, row).right_center();
                let to = self.row_rect(1, entry_row).left_center();
                paint_arrow(painter, from, to, joint_stroke(page, lane.joint), false);
            }
        }
        for (row, entry) in entries.iter().enumerate() {
            if let Some(node_row) = nodes.iter().position(|&node| node == entry.place.node) {
                let from = self.row_rect(1, row).right_center();
                let to = self.row_rect(2, node_row).left_center();
                paint_arrow(painter, from, to, joint_stroke(page, entry.joint), false);
            }
        }
    }

    /// Paints arrows from the joint numbers in use to nodes of the same number, over
    /// everything else.
    fn paint_wrong_arrows(&self, painter: &Painter, theme: &Theme) {
        let offset = vec2(0.0, WRONG_ARROW_OFFSET);
        for (row, lane) in self.columns.lanes.iter().enumerate() {
            let Some(place) = lane.place.filter(|_| lane.weight != 0.0) else {
                continue;
            };
            let wrong_node = NodeIndex(place.place as u32);
            let nodes = &self.columns.nodes;
            if let Some(node_row) = nodes.iter().position(|&node| node == wrong_node) {
                let from = self.row_rect(0, row).right_center() + offset;
                let to = self.row_rect(2, node_row).left_center() + offset;
                paint_arrow(painter, from, to, Stroke::new(1.5, theme.wrong), true);
            }
        }
    }

    fn draw_lanes(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        for (row, lane) in self.columns.lanes.iter().enumerate() {
            let rect = self.row_rect(0, row);
            let weight = number_text::fixed(f64::from(lane.weight), 2);
            let number = lane.place.map_or(lane.joint.index(), |place| place.place);
            let label = format!("lane {row}: joint number {number}, weight {weight}");
            let color = if lane.weight == 0.0 { page.theme.quiet } else { page.theme.ink };
            draw_row(ui, rect, ("lane", row), &label, Some(lane.joint), page);
            let painter = ui.painter_at(rect);
            let text = if rect.width() < 150.0 {
                format!("lane {row}: {weight}")
            } else {
                format!("lane {row}, weight {weight}")
            };
            let left = rect.left_center() + vec2(8.0, 0.0);
            painter.text_left(left, text, FontId::proportional(CAPTION_SIZE), color);
            let right = rect.right_center() - vec2(8.0, 0.0);
            painter.text_right(right, number, font::mono_strong(SMALL_SIZE), color);
        }
    }

    fn draw_entries(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        for (row, entry) in self.columns.entries.iter().enumerate() {
            let rect = self.row_rect(1, row);
            let node = entry.place.node.0;
            let label = format!("place {}: node {node}", entry.place.place);
            draw_row(ui, rect, ("place", row), &label, Some(entry.joint), page);
            paint_badge_at(ui, page.theme, rect.left_center() + vec2(7.0, 0.0), entry.joint);
            let right = rect.right_center() - vec2(8.0, 0.0);
            let text = format!("node {node}");
            let painter = ui.painter_at(rect);
            painter.text_right(right, text, FontId::monospace(CAPTION_SIZE), page.theme.ink);
        }
        if self.columns.hidden_entries > 0 {
            let rect = self.row_rect(1, self.columns.entries.len());
            let text = format!("and {} more", self.columns.hidden_entries);
            let font = FontId::proportional(CAPTION_SIZE);
            ui.painter().text_centered(rect.center(), text, font, page.theme.quiet);
        }
    }

    fn draw_nodes(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let rig = Arc::clone(&page.derived.rig);
        for (row, &node) in self.columns.nodes.iter().enumerate() {
            let rect = self.row_rect(2, row);
            let entry = self.columns.entries.iter().find(|entry| entry.place.node == node);
            let name = node_name(&rig, node);
            let label = format!("node {}: {name}", node.0);
            draw_row(ui, rect, ("node", row), &label, entry.map(|entry| entry.joint), page);
            let painter = ui.painter_at(rect);
            let left = rect.left_center() + vec2(8.0, 0.0);
            let number = node.0.to_string();
            let number_rect =
                painter.text_left(left, number, font::mono_strong(SMALL_SIZE), page.theme.ink);
            painter.text_left(
                number_rect.right_center() + vec2(10.0, 0.0),
                name,
                FontId::proportional(SMALL_SIZE),
                page.theme.ink,
            );
        }
    }
}

/// Returns the name of a node in the file, or a description for a built-in rig, which
/// has no file.
fn node_name(rig: &Rig, node: NodeIndex) -> String {
    if let Some(origin) = &rig.origin {
        let stored = origin.graph.nodes.get(node.index());
        return stored.and_then(|node| node.name.clone()).unwrap_or_default();
    }
    for (joint, index) in rig.skeleton.joints().iter().zip(rig.skeleton.indices()) {
        if rig.joint_place(index).is_some_and(|place| place.node == node) {
            return joint.name.clone();
        }
    }
    "carries the mesh".to_owned()
}

/// Draws the frame of a row. Hovering highlights its joint, and a click chooses it.
fn draw_row(
    ui: &mut Ui,
    rect: Rect,
    salt: (&str, usize),
    label: &str,
    joint: Option<JointIndex>,
    page: &mut PageContext<'_>,
) {
    let response = ui.interact(rect, ui.scope_id().with(salt), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let is_lit = joint.is_some_and(|joint| page.linked.is_lit(Entity::Joint(joint)));
    let theme = page.theme;
    let fill = if is_lit { theme.lit } else { theme.paper };
    let edge = match (response.has_focus(), is_lit) {
        (true, _) => theme.accent,
        (_, true) => theme.lit_edge,
        _ => theme.rule,
    };
    ui.painter().rect(rect, 5.0, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    if let Some(joint) = joint {
        page.link_response(&response, Entity::Joint(joint));
    }
    response.tip(label);
}

fn joint_stroke(page: &PageContext<'_>, joint: JointIndex) -> Stroke {
    let is_lit = page.linked.is_lit(Entity::Joint(joint));
    let width = if is_lit { 3.0 } else { 1.75 };
    Stroke::new(width, page.theme.joint_line(joint))
}

/// Paints an arrow with a gap of two points at both ends.
fn paint_arrow(painter: &Painter, from: Pos2, to: Pos2, stroke: Stroke, dashed: bool) {
    let start = from + vec2(2.0, 0.0);
    let tip = to - vec2(2.0, 0.0);
    let direction = (tip - start).normalized();
    let head = tip - direction * 8.0;
    if dashed {
        painter.extend(Shape::dashed_line(&[start, head], stroke, 5.0, 4.0));
    } else {
        painter.line_segment([start, head], stroke);
    }
    let side = direction.rot90() * 4.0;
    painter.add(Shape::convex_polygon(
        vec![tip, head + side, head - side],
        stroke.color,
        Stroke::NONE,
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{Page, harness};
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::{Harness, kittest::Queryable};

    fn diagram_harness(rig: &str, cell: IndicesCell) -> Harness<'static, Page> {
        let mut harness = harness(Page::new(rig), move |ui, page| super::ui(ui, &cell, "i", page));
        harness.run();
        harness
    }

    #[test]
    fn joint_numbers_refer_to_nodes_through_the_joint_list() {
        let cell = IndicesCell { vertex: Some(6), misread: true };
        let mut harness = diagram_harness("simple_skin", cell);
        harness.get_by_label("lane 1: joint number 1, weight 0.75");
        harness.get_by_label("place 1: node 2");
        harness.get_by_label("node 2: joint 1");
        harness.get_by_label("node 0: carries the mesh");
        harness.click_label("place 1: node 2");
        assert_eq!(harness.state().document.state.joint, JointIndex(1));
    }

    #[test]
    fn long_list_shows_entries_of_the_vertex_only() {
        let cell = IndicesCell { vertex: Some(1342), misread: false };
        let harness = diagram_harness("whale", cell);
        let places = harness.query_all_by_label_contains("place ");
        assert_eq!(places.count(), 4);
        let lanes = harness.query_all_by_label_contains("joint number");
        assert_eq!(lanes.count(), 4);
    }
}
