//! The bench: angles of all joints, weights of the chosen vertex, matrices of the
//! chosen joint, any two matrices compared, and states of the page that are kept.
//! The same on every page; what the step itself shows is not shown again.

mod angles;
mod comparison;
mod header;
mod matrices;
mod matrix_menu;
mod on_page;
mod part;
mod pictures;
mod poses;
mod shared_vertex;
pub mod sheet;
mod state;
#[cfg(test)]
mod tests;
mod weights;

use eframe::egui::{Frame, Margin, Rect, ScrollArea, Ui, UiBuilder, Vec2, vec2};

use crate::PageContext;
use crate::widgets::reveal_focus;
use part::{BenchPart, parts};
pub use state::{BenchMoment, BenchState, ComparedMatrix, Snapshot, Snapshots, Tab};

/// The bench takes at most this share of the height: the picture stays in sight.
const MOST: f32 = 0.56;
/// And leaves at least so much, where there is so much.
const PICTURE: f32 = 260.0;
/// From this width on, angles, weights and a comparison stand side by side.
const THREE: f32 = 780.0;
/// From this width on, two of them do.
const TWO: f32 = 470.0;
/// Between columns.
const GAP: f32 = 24.0;
/// So many angles stand above the weights, where each part has a row.
const FEW: usize = 3;
/// In the place of the prose: its share of the page's width, and the least widths
/// of bench and stage.
const FOR_PROSE: f32 = 0.47;
const LEAST_FOR_PROSE: f32 = 384.0;
const LEAST_STAGE: f32 = 370.0;

/// What was measured in the last frame.
#[derive(Default)]
struct BenchMeasure {
    /// Of all that the bench has to show, in points.
    height: f32,
}

/// In presenter mode, where the page is low and wide, the bench stands in the
/// place of the prose, as high as the page, so that the picture stays large: its
/// place, and the stage's. Absent while it is closed, and on other pages.
pub fn in_place_of_prose(page: &mut PageContext<'_>, area: Rect) -> Option<(Rect, Rect)> {
    let width = (area.width() * FOR_PROSE).max(LEAST_FOR_PROSE).floor();
    let fits = area.width() - width >= LEAST_STAGE;
    let stands = page.view.bench.open && page.view.presenting && fits;
    page.view.bench.for_prose = stands;
    stands.then(|| area.split_left_right_at_x(area.left() + width))
}

/// What is left of `area` for the page, and the lower part, which is the bench's;
/// absent while it is closed.
pub fn split(page: &mut PageContext<'_>, area: Rect) -> (Rect, Option<Rect>) {
    page.view.bench.as_sheet = false;
    if !page.view.bench.open {
        return (area, None);
    }
    let most = (area.height() * MOST).min((area.height() - PICTURE).max(area.height() * 0.46));
    let measured = page.state::<BenchMeasure>("bench").height;
    let wanted = if measured > 0.0 { measured } else { most };
    let height = wanted.min(most).floor();
    let (rest, below) = area.split_top_bottom_at_y(area.bottom() - height);
    (rest, Some(below))
}

/// Shows the bench in the place of the prose, without a frame of its own.
pub fn in_column(ui: &mut Ui, page: &mut PageContext<'_>, column: Rect) {
    let room = Rect::from_min_max(column.min + vec2(16.0, 12.0), column.max - vec2(10.0, 0.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(column.intersect(ui.clip_rect()));
    header::ui(&mut child, page);
    child.add_space(2.0);
    ScrollArea::vertical().id_salt("bench").auto_shrink([false, false]).show(&mut child, |ui| {
        let margin = Margin { right: 6, bottom: 12, ..Margin::ZERO };
        let frame = Frame::NONE.inner_margin(margin);
        frame.show(ui, |ui| body(ui, page));
        reveal_focus(ui);
    });
}

/// Shows the bench in all of `below`. After the stage: Tab comes to it in that order.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, below: Rect) {
    let margin = if below.width() > 400.0 { 20.0 } else { 10.0 };
    let room = Rect::from_min_max(below.min + vec2(margin, 0.0), below.max - vec2(margin, 12.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(below.intersect(ui.clip_rect()));
    let used = card(&mut child, page, room.size());
    let used = used.ceil() + 12.0;
    let kept = &mut page.state::<BenchMeasure>("bench").height;
    if (*kept - used).abs() > 0.5 {
        *kept = used;
        // Once more at once, with the height now known.
        ui.ctx().request_discard("the height of the bench became known");
    }
}

/// Draws it in a room; answers with the height that it would like to have.
fn card(ui: &mut Ui, page: &mut PageContext<'_>, room: Vec2) -> f32 {
    let theme = page.theme;
    let margin = Margin::symmetric(16, 10);
    let mut wanted = 0.0;
    Frame::NONE
        .fill(theme.paper)
        .stroke(eframe::egui::Stroke::new(1.0, theme.rule))
        .corner_radius(10.0)
        .inner_margin(margin)
        .show(ui, |ui| {
            ui.set_width(room.x - 34.0);
            let top = ui.cursor().top();
            header::ui(ui, page);
            ui.add_space(2.0);
            let head = ui.cursor().top() - top;
            let height = (room.y - head - 22.0).max(40.0);
            let scrolled = ScrollArea::vertical()
                .id_salt("bench")
                .max_height(height)
                .min_scrolled_height(height.min(40.0))
                .auto_shrink([false, true])
                .show(ui, |ui| body(ui, page));
            wanted = head + scrolled.content_size.y + 24.0;
        });
    wanted
}

fn body(ui: &mut Ui, page: &mut PageContext<'_>) {
    weights::choose_a_vertex(page);
    pictures::ui(ui, page);
    let parts = parts(page);
    let width = ui.available_width();
    for parts in rows(page, parts.clone(), width) {
        row(ui, page, &parts, width);
    }
    matrices::ui(ui, page);
    poses::ui(ui, page);
    let (angles, weights) =
        (parts.contains(&BenchPart::Angles), parts.contains(&BenchPart::Weights));
    let words = match (angles, weights) {
        (true, true) => return,
        (false, true) => "The angles have their sliders among what the step shows.",
        (true, false) => "The weights have their sliders among what the step shows.",
        (false, false) => "Angles and weights have their sliders among what the step shows.",
    };
    ui.label(page.theme.caption(words));
}

/// Which parts stand side by side, from the top. In the column of the prose each
/// has a row, and more than a few angles stand last: weights and matrices are in
/// sight together.
fn rows(page: &PageContext<'_>, mut parts: Vec<BenchPart>, width: f32) -> Vec<Vec<BenchPart>> {
    let in_column = page.view.bench.for_prose;
    if in_column && angles::all(page).len() > FEW {
        parts.sort_by_key(|part| *part == BenchPart::Angles);
    }
    let across = match parts.len() {
        _ if in_column => 1,
        3 if width >= THREE => 3,
        2.. if width >= TWO => 2,
        _ => 1,
    };
    parts.chunks(across).map(<[BenchPart]>::to_vec).collect()
}

/// Parts side by side.
fn row(ui: &mut Ui, page: &mut PageContext<'_>, parts: &[BenchPart], width: f32) {
    let free = width - GAP * (parts.len() - 1) as f32;
    let shares: f32 = parts.iter().map(|part| part.share()).sum();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for part in parts {
            let own = (free * part.share() / shares).floor();
            let layout = eframe::egui::Layout::top_down(eframe::egui::Align::Min);
            ui.allocate_ui_with_layout(vec2(own, 0.0), layout, |ui| {
                ui.set_width(own);
                ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
                part.ui(ui, page);
            });
        }
    });
    ui.add_space(8.0);
}
