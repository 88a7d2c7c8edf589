//! The weights table: a row per vertex, with the joint and weight of each lane and
//! the sum of the weights. A cell of a lesson may show sliders instead.

#[cfg(test)]
mod tests;

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, family, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{PaintText, Scrub, Tip as _, badge_size, paint_badge, small_button};
use bindpose_lesson::significant_digits::{self, USUAL_DECIMALS};
use bindpose_lesson::{Setting, WeightsCell, number_text};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::{Edit, EditTarget, Entity, SUM_TOLERANCE, can_be_normalized, rest_bounds};
use bindpose_skin::{Influences, JointIndex, LANES};
use eframe::egui::{
    self, Align, Button, Color32, FontId, Layout, Rect, Response, RichText, Sense, Ui, WidgetInfo,
    accesskit::Role, pos2, vec2,
};
use egui_extras::{Column, TableBuilder, TableRow};

use super::entity_chooser::{self, joint_name};
use super::weight_sliders;
use crate::PageContext;

const ROW_HEIGHT: f32 = 28.0;
/// Limits of the rows that are visible at once. Longer tables scroll.
const MIN_VISIBLE_ROWS: usize = 4;
const MAX_VISIBLE_ROWS: usize = 10;

const SUM_TITLE: &str = "Σw";
const SUM_TIP: &str = "The sum of the weights; it should be 1";

/// Columns of the table and their sizes, in points.
struct WeightColumns {
    lane_count: usize,
    /// Number of coordinate columns: 0, 2 or 3.
    coordinate_count: usize,
    /// Length of the longest vertex number, in characters.
    vertex_digits: usize,
    badge_width: f32,
    coordinate_decimals: usize,
    /// Largest absolute value that a coordinate column has room for.
    max_coordinate: f64,
    font_size: f32,
    column_gap: f32,
    /// Padding at both sides of a weight within its bar.
    weight_padding: f32,
    /// Whether the sum precedes the weights. In a table wider than the page, the
    /// most important column must stay in view.
    sum_first: bool,
}

/// The vertex that was chosen when the table was last drawn.
#[derive(Default)]
struct LastChosenVertex(Option<u32>);

pub(super) fn ui(ui: &mut Ui, cell: &WeightsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.sliders {
        sliders_ui(ui, cell, id, page);
        return;
    }
    let vertex_count = page.derived.influences.len() as u32;
    let rows = if cell.vertices.is_empty() {
        WeightRows::All(vertex_count)
    } else {
        let listed = cell.vertices.iter().copied().filter(|vertex| *vertex < vertex_count);
        WeightRows::Listed(listed.collect())
    };
    let mut columns = WeightColumns::new(cell, page);
    if columns.total_width() > ui.available_width() {
        columns = columns.with_small_text();
    }
    if columns.total_width() > ui.available_width() {
        columns = columns.with_small_gaps();
    }
    let scroll_to_row = take_row_to_reveal(page, id, &rows);
    let top_left = ui.cursor().min;
    if columns.total_width() > ui.available_width() {
        columns.sum_first = true;
        let scroll_area = egui::ScrollArea::horizontal()
            .id_salt((id, "sideways"))
            .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysVisible)
            .show(ui, |ui| table_ui(ui, id, &columns, &rows, scroll_to_row, page));
        touch::scroll_page_from(ui, scroll_area.id);
    } else {
        ui.scope(|ui| table_ui(ui, id, &columns, &rows, scroll_to_row, page));
    }
    let visible_width = columns.total_width().min(ui.available_width());
    let table_rect =
        Rect::from_min_max(top_left, pos2(top_left.x + visible_width, ui.cursor().top()));
    if !ui.is_rect_visible(table_rect) {
        // A table out of view has not drawn its rows, so the chosen vertex is
        // attributed to the whole table.
        let chosen = page.document.state.vertex;
        page.view.item_rects.record_part(DemonstratedPart::Vertex(chosen), table_rect);
    }
    buttons_ui(ui, page);
}

fn sliders_ui(ui: &mut Ui, cell: &WeightsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.vertices.is_empty() {
        entity_chooser::vertex_chooser_ui(ui, id, page);
        weight_sliders::ui(ui, page.document.state.vertex, id, page);
    }
    for &vertex in &cell.vertices {
        let top_left = ui.cursor().min;
        let title = page.theme.label(format!("Weights of v{vertex}"));
        let response = ui.add(egui::Label::new(title).sense(Sense::CLICK));
        page.link_response(&response, Entity::Vertex(vertex));
        weight_sliders::ui(ui, vertex, &format!("{id}/{vertex}"), page);
        let bottom_right = pos2(ui.max_rect().right(), ui.cursor().top());
        let sliders_rect = Rect::from_min_max(top_left, bottom_right);
        page.view.item_rects.record_part(DemonstratedPart::Vertex(vertex), sliders_rect);
    }
}

impl WeightColumns {
    fn new(cell: &WeightsCell, page: &PageContext<'_>) -> Self {
        let lane_count = cell.lanes.map_or_else(|| page.derived.lanes_in_use(), |lanes| lanes.0);
        let last_joint = page.derived.rig.skeleton.len().saturating_sub(1);
        let widest_badge = JointIndex(u16::try_from(last_joint).unwrap_or(u16::MAX));
        let (low, high) = rest_bounds(&page.derived.rig);
        // Coordinates of a posed vertex seldom exceed the diagonal of the model.
        let max_coordinate = f64::from((high - low).length());
        Self {
            lane_count: lane_count.clamp(1, LANES),
            coordinate_count: match (cell.positions, page.derived.rig.flat) {
                (false, _) => 0,
                (true, true) => 2,
                (true, false) => 3,
            },
            vertex_digits: page.derived.influences.len().to_string().len(),
            badge_width: badge_size(widest_badge).x,
            coordinate_decimals: significant_digits::decimals(max_coordinate, USUAL_DECIMALS),
            max_coordinate,
            font_size: SMALL_SIZE,
            column_gap: 6.0,
            weight_padding: 6.0,
            sum_first: false,
        }
    }

    /// Reduces the font size and the number of decimals to fit a narrower page.
    fn with_small_text(self) -> Self {
        Self {
            coordinate_decimals: significant_digits::decimals(self.max_coordinate, 2),
            font_size: CAPTION_SIZE,
            column_gap: 4.0,
            ..self
        }
    }

    /// Reduces the gaps too, for a page on which small text does not suffice.
    fn with_small_gaps(self) -> Self {
        Self { font_size: FINE_SIZE, column_gap: 2.0, weight_padding: 2.0, ..self }
    }

    fn text_width(&self, char_count: usize) -> f32 {
        font::mono_width(char_count, self.font_size)
    }

    fn vertex_width(&self) -> f32 {
        (self.text_width(self.vertex_digits + 1) + 12.0).max(44.0)
    }

    fn lane_width(&self) -> f32 {
        self.badge_width + 6.0 + self.text_width(4) + 2.0 * self.weight_padding
    }

    fn sum_width(&self) -> f32 {
        self.text_width("1.30 ≠ 1".chars().count()) + 6.0
    }

    fn coordinate_width(&self) -> f32 {
        let widest = number_text::fixed(-self.max_coordinate, self.coordinate_decimals);
        self.text_width(widest.chars().count()) + 2.0
    }

    fn total_width(&self) -> f32 {
        let gaps = (1 + self.lane_count + self.coordinate_count) as f32 * self.column_gap;
        let lanes = self.lane_count as f32 * self.lane_width();
        let coordinates = self.coordinate_count as f32 * self.coordinate_width();
        self.vertex_width() + (lanes + coordinates) + self.sum_width() + gaps
    }
}

/// Returns the row to scroll to. Returns `None` unless the vertex was chosen
/// outside of the table since the last call.
fn take_row_to_reveal(page: &mut PageContext<'_>, id: &str, rows: &WeightRows) -> Option<usize> {
    let vertex = page.document.state.vertex;
    if page.state::<LastChosenVertex>(id).0.replace(vertex) == Some(vertex) {
        return None;
    }
    rows.row_of(vertex)
}

fn table_ui(
    ui: &mut Ui,
    id: &str,
    columns: &WeightColumns,
    rows: &WeightRows,
    scroll_to_row: Option<usize>,
    page: &mut PageContext<'_>,
) {
    let visible_rows = visible_row_count(ui);
    let is_scrolled = rows.len() > visible_rows;
    ui.spacing_mut().item_spacing = vec2(columns.column_gap, 0.0);
    let mut builder = TableBuilder::new(ui)
        .id_salt((id, "table"))
        .vscroll(is_scrolled)
        .auto_shrink([true, true])
        .max_scroll_height(visible_rows as f32 * ROW_HEIGHT)
        .min_scrolled_height(0.0)
        .sense(Sense::CLICK)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact(columns.vertex_width()))
        .columns(Column::exact(columns.sum_width()), usize::from(columns.sum_first))
        .columns(Column::exact(columns.lane_width()), columns.lane_count)
        .columns(Column::exact(columns.sum_width()), usize::from(!columns.sum_first))
        .columns(Column::exact(columns.coordinate_width()), columns.coordinate_count);
    if let Some(row) = scroll_to_row.filter(|_| is_scrolled) {
        builder = builder.scroll_to_row(row, Some(Align::Center));
    }
    builder.header(20.0, |mut row| header_row(&mut row, columns, page)).body(|body| {
        body.rows(ROW_HEIGHT, rows.len(), |mut row| {
            if let Some(vertex) = rows.vertex_at(row.index()) {
                vertex_row(&mut row, id, columns, vertex, page);
            }
        });
    });
}

/// Returns the number of rows visible at once. It depends on the height of the
/// window, so that the picture stays in view.
fn visible_row_count(ui: &Ui) -> usize {
    let fitting = 0.36 * ui.ctx().content_rect().height() / ROW_HEIGHT;
    (fitting as usize).clamp(MIN_VISIBLE_ROWS, MAX_VISIBLE_ROWS)
}

fn header_row(row: &mut TableRow<'_, '_>, columns: &WeightColumns, page: &PageContext<'_>) {
    row.col(|ui| {
        let title = egui::Label::new(page.theme.caption("vertex")).extend();
        ui.add(title).tip("Press a row to choose its vertex");
    });
    if columns.sum_first {
        right_aligned_title(row, SUM_TITLE, SUM_TIP, page);
    }
    for lane in 0..columns.lane_count {
        let tip = format!("Joint and weight: JOINTS_0 and WEIGHTS_0, component {lane}");
        right_aligned_title(row, "weight", &tip, page);
    }
    if !columns.sum_first {
        right_aligned_title(row, SUM_TITLE, SUM_TIP, page);
    }
    for axis in ["x", "y", "z"].iter().take(columns.coordinate_count) {
        right_aligned_title(row, axis, "Where the picture shows the vertex, in world space", page);
    }
}

fn right_aligned_title(row: &mut TableRow<'_, '_>, text: &str, tip: &str, page: &PageContext<'_>) {
    row.col(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(2.0);
            ui.add(egui::Label::new(page.theme.caption(text)).extend()).tip(tip);
        });
    });
}

fn vertex_row(
    row: &mut TableRow<'_, '_>,
    id: &str,
    columns: &WeightColumns,
    vertex: u32,
    page: &mut PageContext<'_>,
) {
    let Some(&influences) = page.derived.influences.get(vertex as usize) else {
        return;
    };
    let is_chosen = page.document.state.vertex == vertex;
    row.set_selected(is_chosen);
    row.set_hovered(page.linked.is_lit(Entity::Vertex(vertex)) && !is_chosen);
    let mut button_clicked = false;
    row.col(|ui| button_clicked = vertex_button(ui, columns, vertex, is_chosen).clicked());
    if columns.sum_first {
        row.col(|ui| sum_cell(ui, columns, influences.sum(), page));
    }
    let mut hovered_weight = None;
    for lane in 0..columns.lane_count {
        row.col(|ui| {
            weight_cell(ui, id, columns, vertex, lane, &influences, page);
            if ui.rect_contains_pointer(ui.max_rect()) {
                hovered_weight = Some(Entity::Weight(vertex, influences.joints[lane]));
            }
        });
    }
    if !columns.sum_first {
        row.col(|ui| sum_cell(ui, columns, influences.sum(), page));
    }
    let position = page.derived.position(vertex as usize).unwrap_or_default();
    for axis in 0..columns.coordinate_count {
        row.col(|ui| {
            let text = number_text::fixed(f64::from(position[axis]), columns.coordinate_decimals);
            right_aligned_text(ui, columns, &text, is_chosen, page.theme.ink);
        });
    }
    let response = row.response();
    let table_right = response.rect.left() + columns.total_width();
    let row_rect = response.rect.with_max_x(table_right.min(response.rect.right()));
    page.view.item_rects.record_part(DemonstratedPart::Vertex(vertex), row_rect);
    if response.contains_pointer() {
        page.linked.hover(hovered_weight.unwrap_or(Entity::Vertex(vertex)));
    }
    if button_clicked || response.clicked() {
        page.choose(Setting::Vertex(vertex));
        // A vertex chosen in the table does not scroll it.
        page.state::<LastChosenVertex>(id).0 = Some(vertex);
    }
}

fn vertex_button(ui: &mut Ui, columns: &WeightColumns, vertex: u32, is_chosen: bool) -> Response {
    let font = FontId::new(columns.font_size, family::mono(is_chosen));
    let text = RichText::new(format!("v{vertex}")).font(font);
    let response = ui.add(Button::new(text).frame(false).small());
    response.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, is_chosen, format!("choose vertex {vertex}"))
    });
    response
}

fn weight_cell(
    ui: &mut Ui,
    id: &str,
    columns: &WeightColumns,
    vertex: u32,
    lane: usize,
    influences: &Influences,
    page: &mut PageContext<'_>,
) {
    let joint = influences.joints[lane];
    let weight = influences.weights[lane];
    let rect = ui.max_rect();
    let badge = Rect::from_center_size(
        pos2(rect.left() + columns.badge_width / 2.0, rect.center().y),
        badge_size(joint),
    );
    let bar = Rect::from_min_max(
        pos2(rect.left() + columns.badge_width + 6.0, rect.center().y - 10.0),
        pos2(rect.right(), rect.center().y + 10.0),
    );
    let theme = page.theme;
    ui.painter().rect_filled(bar, 3.0, theme.panel);
    if weight > 0.0 {
        let length = bar.width() * weight.min(1.0);
        let filled = Rect::from_min_size(bar.min, vec2(length, bar.height()));
        ui.painter().rect_filled(filled, 3.0, theme.weight_background(joint));
        paint_badge(ui.painter(), theme, badge, joint);
    } else {
        // A lane without weight shows the joint's number without a badge.
        let font = FontId::proportional(FINE_SIZE);
        ui.painter().text_centered(badge.center(), joint.0, font, theme.quiet);
    }
    let name = joint_name(page, joint).to_owned();
    let badge_response = ui.interact(badge, ui.scope_id().with(("badge", lane)), Sense::hover());
    badge_response.tip(format!("joint {}: {name}", joint.0));

    let stored = page
        .derived
        .rig
        .mesh
        .influences
        .get(vertex as usize)
        .map_or(weight, |stored| stored.weights[lane]);
    let scrub = Scrub::new(
        ("weight", id, vertex, lane),
        f64::from(weight),
        format!("weight of joint {} on v{vertex}", joint.0),
    )
    .range(0.0..=1.0)
    .limits(-10.0..=10.0)
    .changed(weight != stored)
    .color(theme.text_on(theme.accent, theme.weight_background(joint)))
    .font(FontId::monospace(columns.font_size));
    if let Some(change) = scrub.show_at(ui, bar.shrink2(vec2(columns.weight_padding, 0.0))) {
        page.requests.edits.push(Edit::Weight {
            vertex,
            lane,
            weight: change.value_or(stored.into()) as f32,
        });
    }
}

fn sum_cell(ui: &mut Ui, columns: &WeightColumns, sum: f32, page: &PageContext<'_>) {
    let text = number_text::fixed(f64::from(sum), 2);
    if (sum - 1.0).abs() <= SUM_TOLERANCE {
        right_aligned_text(ui, columns, &text, false, page.theme.ink);
        return;
    }
    let rect = ui.max_rect().shrink2(vec2(0.0, 4.0));
    ui.painter().rect_filled(rect, 3.0, page.theme.wrong_wash);
    right_aligned_text(ui, columns, &format!("{text} ≠ 1"), true, page.theme.wrong);
}

fn right_aligned_text(
    ui: &mut Ui,
    columns: &WeightColumns,
    text: &str,
    strong: bool,
    color: Color32,
) {
    let text = RichText::new(text).font(font::mono(columns.font_size, strong)).color(color);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(2.0);
        ui.add(egui::Label::new(text).extend().selectable(false));
    });
}

/// Draws the buttons below the table, which normalise and reset weights.
fn buttons_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let vertex = page.document.state.vertex;
    let derived = page.derived;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = vec2(8.0, 3.0);
        let can_normalize = derived.influences.get(vertex as usize).is_some_and(can_be_normalized);
        let button = small_button(format!("normalise v{vertex}"));
        let response = ui.add_enabled(can_normalize, button);
        if response.tip("Divide the weights of the chosen vertex by their sum").clicked() {
            page.requests.edits.push(Edit::NormalizeWeights(Some(vertex)));
        }
        let response =
            ui.add_enabled(derived.has_sums_to_normalize(), small_button("normalise all"));
        if response.tip("Divide the weights of every vertex by their sum").clicked() {
            page.requests.edits.push(Edit::NormalizeWeights(None));
        }
        let is_edited = !page.document.state.weights.is_empty();
        let response = ui.add_enabled(is_edited, small_button("reset"));
        if response.tip("Every weight as the rig stores it").clicked() {
            page.requests.edits.push(Edit::Reset(EditTarget::Weights(None)));
        }
    });
}

/// Vertices shown in the rows of the table.
enum WeightRows {
    /// All vertices, by their number. A large mesh needs no list of its vertices.
    All(u32),
    Listed(Vec<u32>),
}

impl WeightRows {
    fn len(&self) -> usize {
        match self {
            Self::All(count) => *count as usize,
            Self::Listed(vertices) => vertices.len(),
        }
    }

    fn vertex_at(&self, row: usize) -> Option<u32> {
        match self {
            Self::All(count) => u32::try_from(row).ok().filter(|row| row < count),
            Self::Listed(vertices) => vertices.get(row).copied(),
        }
    }

    fn row_of(&self, vertex: u32) -> Option<usize> {
        match self {
            Self::All(count) => (vertex < *count).then_some(vertex as usize),
            Self::Listed(vertices) => vertices.iter().position(|&other| other == vertex),
        }
    }
}
