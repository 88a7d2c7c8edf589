//! The weights table: a row a vertex, a joint and a weight a lane, their sum; or
//! sliders, where a lesson asks for them.

#[cfg(test)]
mod tests;

use bindpose_lesson::{Setting, WeightsCell};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::significant_digits::{self, USUAL_DECIMALS};
use bindpose_notebook::{Edit, Entity, SUM_TOLERANCE, can_be_normalized, number_text, rest_bounds};
use bindpose_skin::{Influences, JointIndex, LANES};
use eframe::egui::{
    self, Align, Button, Color32, FontId, Layout, Rect, Response, RichText, Sense, Ui, WidgetInfo,
    accesskit::Role, pos2, vec2,
};
use egui_extras::{Column, TableBuilder, TableRow};

use super::entity_chooser::{self, joint_name};
use super::weight_sliders;
use crate::theme::{CAPTION, FINE, SMALL, family, font};
use crate::widgets::{PaintText, Scrub, Tip as _, badge_size, paint_badge, small_button};
use crate::{PageContext, touch};

const ROW: f32 = 28.0;
/// Longer tables scroll.
const ROWS: usize = 10;
/// And at least.
const LEAST_ROWS: usize = 4;

/// What the rows have in common.
struct WeightColumns {
    /// Lanes shown.
    lanes: usize,
    /// Coordinates shown: 0, 2 or 3.
    coordinates: usize,
    /// Characters of the longest vertex number.
    digits: usize,
    /// Room for a joint's badge.
    badge: f32,
    /// Digits of a coordinate after the point.
    decimals: usize,
    /// How far a coordinate goes.
    reach: f64,
    /// Points.
    font: f32,
    /// Between columns.
    gap: f32,
    /// Beside each weight, within its bar.
    pad: f32,
    /// Does the sum come before the weights? Where the table is wider than the
    /// page, what matters most must stay in view.
    sum_first: bool,
}

/// The vertex that was chosen when the table was last drawn.
#[derive(Default)]
struct SeenVertex(Option<u32>);

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &WeightsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.sliders {
        sliders(ui, cell, id, page);
        return;
    }
    let count = page.derived.influences.len() as u32;
    let vertices = if cell.vertices.is_empty() {
        WeightRows::All(count)
    } else {
        let there = |vertex: &u32| *vertex < count;
        WeightRows::Listed(cell.vertices.iter().copied().filter(there).collect())
    };
    let mut columns = columns(cell, page);
    for smaller in [WeightColumns::dense, WeightColumns::denser] {
        if columns.width() > ui.available_width() {
            columns = smaller(columns);
        }
    }
    let scroll = scroll_target(page, id, &vertices);
    let from = ui.cursor().min;
    if columns.width() > ui.available_width() {
        columns.sum_first = true;
        let shown = egui::ScrollArea::horizontal()
            .id_salt((id, "sideways"))
            .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysVisible)
            .show(ui, |ui| table(ui, id, &columns, &vertices, scroll, page));
        touch::pass_on(ui, shown.id);
    } else {
        ui.scope(|ui| table(ui, id, &columns, &vertices, scroll, page));
    }
    let wide = columns.width().min(ui.available_width());
    let to = pos2(from.x + wide, ui.cursor().top());
    let whole = Rect::from_min_max(from, to);
    if !ui.is_rect_visible(whole) {
        // Its rows are made when it is scrolled to.
        let chosen = page.document.state.vertex;
        page.view.placed.note(DemonstratedPart::Vertex(chosen), whole);
    }
    footer(ui, page);
}

fn sliders(ui: &mut Ui, cell: &WeightsCell, id: &str, page: &mut PageContext<'_>) {
    if cell.vertices.is_empty() {
        entity_chooser::vertex(ui, id, page);
        weight_sliders::ui(ui, page.document.state.vertex, id, page);
    }
    for &vertex in &cell.vertices {
        let from = ui.cursor().min;
        let words = page.theme.label(format!("Weights of v{vertex}"));
        let response = ui.add(egui::Label::new(words).sense(Sense::CLICK));
        page.link(&response, Entity::Vertex(vertex));
        weight_sliders::ui(ui, vertex, &format!("{id}/{vertex}"), page);
        let to = pos2(ui.max_rect().right(), ui.cursor().top());
        let whole = Rect::from_min_max(from, to);
        page.view.placed.note(DemonstratedPart::Vertex(vertex), whole);
    }
}

fn columns(cell: &WeightsCell, page: &PageContext<'_>) -> WeightColumns {
    let lanes = cell.lanes.unwrap_or_else(|| page.derived.lanes_in_use());
    let joints = page.derived.rig.skeleton.len().saturating_sub(1);
    let last = JointIndex(u16::try_from(joints).unwrap_or(u16::MAX));
    let (low, high) = rest_bounds(&page.derived.rig);
    // A posed vertex seldom goes further than the whole model is long.
    let reach = f64::from((high - low).length());
    WeightColumns {
        lanes: lanes.clamp(1, LANES),
        coordinates: match (cell.positions, page.derived.rig.flat) {
            (false, _) => 0,
            (true, true) => 2,
            (true, false) => 3,
        },
        digits: page.derived.influences.len().to_string().len(),
        badge: badge_size(last).x,
        decimals: significant_digits::decimals(reach, USUAL_DECIMALS),
        reach,
        font: SMALL,
        gap: 6.0,
        pad: 6.0,
        sum_first: false,
    }
}

impl WeightColumns {
    /// Smaller type and fewer digits, where there is less room.
    fn dense(self) -> Self {
        Self {
            decimals: significant_digits::decimals(self.reach, 2),
            font: CAPTION,
            gap: 4.0,
            ..self
        }
    }

    /// With less room between the numbers, too.
    fn denser(self) -> Self {
        Self { font: FINE, gap: 2.0, pad: 2.0, ..self }
    }

    fn chars(&self, count: usize) -> f32 {
        count as f32 * self.font * 0.6
    }

    fn vertex(&self) -> f32 {
        (self.chars(self.digits + 1) + 12.0).max(44.0)
    }

    fn lane(&self) -> f32 {
        self.badge + 6.0 + self.chars(4) + 2.0 * self.pad
    }

    /// Room for `1.30 ≠ 1`.
    fn sum(&self) -> f32 {
        self.chars(8) + 6.0
    }

    fn coordinate(&self) -> f32 {
        let widest = number_text::fixed(-self.reach, self.decimals);
        self.chars(widest.chars().count()) + 2.0
    }

    fn width(&self) -> f32 {
        let gaps = (1 + self.lanes + self.coordinates) as f32 * self.gap;
        let numbers = self.lanes as f32 * self.lane() + self.coordinates as f32 * self.coordinate();
        self.vertex() + numbers + self.sum() + gaps
    }
}

/// The row to bring into view: when the vertex was chosen elsewhere.
fn scroll_target(page: &mut PageContext<'_>, id: &str, vertices: &WeightRows) -> Option<usize> {
    let vertex = page.document.state.vertex;
    if page.state::<SeenVertex>(id).0.replace(vertex) == Some(vertex) {
        return None;
    }
    vertices.place_of(vertex)
}

fn table(
    ui: &mut Ui,
    id: &str,
    columns: &WeightColumns,
    vertices: &WeightRows,
    scroll: Option<usize>,
    page: &mut PageContext<'_>,
) {
    let rows = rows_shown(ui);
    let scrolls = vertices.len() > rows;
    ui.spacing_mut().item_spacing = vec2(columns.gap, 0.0);
    let sums = [columns.sum_first, !columns.sum_first].map(usize::from);
    let mut builder = TableBuilder::new(ui)
        .id_salt((id, "table"))
        .vscroll(scrolls)
        .auto_shrink([true, true])
        .max_scroll_height(rows as f32 * ROW)
        .min_scrolled_height(0.0)
        .sense(Sense::CLICK)
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::exact(columns.vertex()))
        .columns(Column::exact(columns.sum()), sums[0])
        .columns(Column::exact(columns.lane()), columns.lanes)
        .columns(Column::exact(columns.sum()), sums[1])
        .columns(Column::exact(columns.coordinate()), columns.coordinates);
    if let Some(row) = scroll.filter(|_| scrolls) {
        builder = builder.scroll_to_row(row, Some(Align::Center));
    }
    builder.header(20.0, |mut row| header(&mut row, columns, page)).body(|body| {
        body.rows(ROW, vertices.len(), |mut row| {
            if let Some(vertex) = vertices.at(row.index()) {
                vertex_row(&mut row, id, columns, vertex, page);
            }
        });
    });
}

/// Rows seen at once: fewer on a low page, so that the picture keeps its place.
fn rows_shown(ui: &Ui) -> usize {
    let share = 0.36 * ui.ctx().content_rect().height() / ROW;
    (share as usize).clamp(LEAST_ROWS, ROWS)
}

fn header(row: &mut TableRow<'_, '_>, columns: &WeightColumns, page: &PageContext<'_>) {
    let mut title = |text: &str, help: &str, right: bool| {
        row.col(|ui| {
            let text = page.theme.caption(text);
            let label = |ui: &mut Ui| {
                ui.add(egui::Label::new(text).extend()).tip(help);
            };
            if right {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.add_space(2.0);
                    label(ui);
                });
            } else {
                label(ui);
            }
        });
    };
    title("vertex", "Press a row to choose its vertex", false);
    let sum = ("Σw", "The sum of the weights; it should be 1");
    if columns.sum_first {
        title(sum.0, sum.1, true);
    }
    for lane in 0..columns.lanes {
        let help = format!("Joint and weight: JOINTS_0 and WEIGHTS_0, component {lane}");
        title("weight", &help, true);
    }
    if !columns.sum_first {
        title(sum.0, sum.1, true);
    }
    for axis in ["x", "y", "z"].iter().take(columns.coordinates) {
        title(axis, "Where the picture shows the vertex, in world space", true);
    }
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
    let chosen = page.document.state.vertex == vertex;
    row.set_selected(chosen);
    row.set_hovered(page.linked.is_lit(Entity::Vertex(vertex)) && !chosen);
    let mut pick = false;
    row.col(|ui| pick = number_of_vertex(ui, columns, vertex, chosen).clicked());
    if columns.sum_first {
        row.col(|ui| sum(ui, columns, influences.sum(), page));
    }
    let mut lights = None;
    for lane in 0..columns.lanes {
        row.col(|ui| {
            weight(ui, id, columns, vertex, lane, &influences, page);
            if ui.rect_contains_pointer(ui.max_rect()) {
                lights = Some(Entity::Weight(vertex, influences.joints[lane]));
            }
        });
    }
    if !columns.sum_first {
        row.col(|ui| sum(ui, columns, influences.sum(), page));
    }
    let position = page.derived.position(vertex as usize).unwrap_or_default();
    for axis in 0..columns.coordinates {
        row.col(|ui| {
            let text = number_text::fixed(f64::from(position[axis]), columns.decimals);
            right(ui, columns, &text, chosen, page.theme.ink);
        });
    }
    let response = row.response();
    let right = response.rect.left() + columns.width();
    let whole = response.rect.with_max_x(right.min(response.rect.right()));
    page.view.placed.note(DemonstratedPart::Vertex(vertex), whole);
    if response.contains_pointer() {
        page.linked.hover(lights.unwrap_or(Entity::Vertex(vertex)));
    }
    if pick || response.clicked() {
        page.choose(Setting::Vertex(vertex));
        // Chosen here: the table stays where it is.
        page.state::<SeenVertex>(id).0 = Some(vertex);
    }
}

fn number_of_vertex(ui: &mut Ui, columns: &WeightColumns, vertex: u32, chosen: bool) -> Response {
    let family = family::mono(chosen);
    let text = RichText::new(format!("v{vertex}")).font(FontId::new(columns.font, family));
    let response = ui.add(Button::new(text).frame(false).small());
    response.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, chosen, format!("choose vertex {vertex}"))
    });
    response
}

fn weight(
    ui: &mut Ui,
    id: &str,
    columns: &WeightColumns,
    vertex: u32,
    lane: usize,
    influences: &Influences,
    page: &mut PageContext<'_>,
) {
    let (joint, weight) = (influences.joints[lane], influences.weights[lane]);
    let rect = ui.max_rect();
    let badge = Rect::from_center_size(
        pos2(rect.left() + columns.badge / 2.0, rect.center().y),
        badge_size(joint),
    );
    let bar = Rect::from_min_max(
        pos2(rect.left() + columns.badge + 6.0, rect.center().y - 10.0),
        pos2(rect.right(), rect.center().y + 10.0),
    );
    let theme = page.theme;
    ui.painter().rect_filled(bar, 3.0, theme.panel);
    if weight > 0.0 {
        let length = bar.width() * weight.min(1.0);
        let filled = Rect::from_min_size(bar.min, vec2(length, bar.height()));
        ui.painter().rect_filled(filled, 3.0, theme.share(joint));
        paint_badge(ui.painter(), theme, badge, joint);
    } else {
        unused_badge(ui, page, badge, joint);
    }
    let name = joint_name(page, joint).to_owned();
    let about = ui.interact(badge, ui.scope_id().with(("badge", lane)), Sense::hover());
    about.tip(format!("joint {}: {name}", joint.0));

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
    .color(theme.text_on(theme.accent, theme.share(joint)))
    .font(FontId::monospace(columns.font));
    if let Some(change) = scrub.show_at(ui, bar.shrink2(vec2(columns.pad, 0.0))) {
        page.edits.push(Edit::Weight { vertex, lane, weight: change.or(stored.into()) as f32 });
    }
}

fn unused_badge(ui: &Ui, page: &PageContext<'_>, rect: Rect, joint: JointIndex) {
    let (font, color) = (FontId::proportional(FINE), page.theme.quiet);
    ui.painter().text_centered(rect.center(), joint.0, font, color);
}

fn sum(ui: &mut Ui, columns: &WeightColumns, sum: f32, page: &PageContext<'_>) {
    let text = number_text::fixed(f64::from(sum), 2);
    if (sum - 1.0).abs() <= SUM_TOLERANCE {
        right(ui, columns, &text, false, page.theme.ink);
        return;
    }
    let rect = ui.max_rect().shrink2(vec2(0.0, 4.0));
    ui.painter().rect_filled(rect, 3.0, page.theme.wrong_wash);
    right(ui, columns, &format!("{text} ≠ 1"), true, page.theme.wrong);
}

fn right(ui: &mut Ui, columns: &WeightColumns, text: &str, strong: bool, color: Color32) {
    let text = RichText::new(text).font(font::mono(columns.font, strong));
    let text = text.color(color);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(2.0);
        ui.add(egui::Label::new(text).extend().selectable(false));
    });
}

fn footer(ui: &mut Ui, page: &mut PageContext<'_>) {
    let vertex = page.document.state.vertex;
    let derived = page.derived;
    let this = derived.influences.get(vertex as usize);
    let this = this.is_some_and(can_be_normalized);
    let any = derived.has_sums_to_normalize();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = vec2(8.0, 3.0);
        let edited = !page.document.state.weights.is_empty();
        for (words, help, open, edit) in [
            (
                format!("normalise v{vertex}"),
                "Divide the weights of the chosen vertex by their sum",
                this,
                Edit::NormalizeWeights(Some(vertex)),
            ),
            (
                "normalise all".to_owned(),
                "Divide the weights of every vertex by their sum",
                any,
                Edit::NormalizeWeights(None),
            ),
            (
                "reset".to_owned(),
                "Every weight as the rig stores it",
                edited,
                Edit::ResetWeights(None),
            ),
        ] {
            let response = ui.add_enabled(open, small_button(words));
            if response.tip(help).clicked() {
                page.edits.push(edit);
            }
        }
    });
}

// The rows of the table of weights.

/// Which vertices have a row.
enum WeightRows {
    /// So many, each in the row of its number: nothing of the size of a mesh is made.
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

    fn at(&self, row: usize) -> Option<u32> {
        match self {
            Self::All(count) => u32::try_from(row).ok().filter(|row| row < count),
            Self::Listed(vertices) => vertices.get(row).copied(),
        }
    }

    fn place_of(&self, vertex: u32) -> Option<usize> {
        match self {
            Self::All(count) => (vertex < *count).then_some(vertex as usize),
            Self::Listed(vertices) => vertices.iter().position(|&other| other == vertex),
        }
    }
}
