//! The bench: a panel with the angles of all joints, the weights of the chosen vertex,
//! the matrices of the chosen joint, a comparison of any two matrices, and snapshots of
//! the page.
//!
//! It has the same parts on every page, except those that the open step shows itself.

mod comparison;
mod on_page;
pub mod sheet;
mod task;
#[cfg(test)]
mod tests;

use bindpose_kit::theme::{INTERFACE_SIZE, font};
use bindpose_kit::widgets::{Tip as _, icon_button, option_button, reveal_focus, small_button};
use bindpose_kit::{icons, touch};
use bindpose_lesson::{Lesson, MatrixCell};
use bindpose_notebook::{Edit, PageSnapshot};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, Frame, Layout, Margin, Rect, RichText, ScrollArea, Sense, Stroke, Ui, UiBuilder, Vec2,
    vec2,
};

use crate::PageContext;
use crate::cells::angles::param_slider_ui;
use crate::cells::entity_chooser::{
    MAX_JOINTS_WITHOUT_SEARCH, joint_search_ui, matches_joint_query,
};
use crate::cells::matrix;
use crate::cells::with_held_page;
use crate::command::Command;
use crate::slider_param::SliderParam;

/// Maximum share of the page's height. The picture above stays visible.
const MAX_HEIGHT_SHARE: f32 = 0.56;
/// Height that the bench leaves to the picture on a page that is high enough, in points.
const PICTURE_HEIGHT: f32 = 260.0;
/// Minimum width for angles, weights and the comparison side by side, in points.
const MIN_THREE_COLUMNS_WIDTH_PTS: f32 = 780.0;
/// Minimum width for two of them side by side, in points.
const MIN_TWO_COLUMNS_WIDTH_PTS: f32 = 470.0;
/// Gap between columns, in points.
const COLUMN_GAP: f32 = 24.0;
/// Maximum number of angles that are placed above the weights if each part has its own
/// row.
const MAX_ANGLES_ON_TOP: usize = 3;
/// Share of the page's width that the bench takes in the place of the prose.
const PROSE_COLUMN_SHARE: f32 = 0.47;
/// Minimum width of the bench in the place of the prose, in points.
const MIN_PROSE_COLUMN_WIDTH: f32 = 384.0;
/// Maximum share of the step's task in the height of the bench in the place of the prose.
const MAX_TASK_SHARE: f32 = 0.42;
/// Minimum width of the stage beside the bench in presenter mode, in points.
const MIN_STAGE_WIDTH: f32 = 370.0;
/// Page height, in points, below which a picture above the bench would be too flat. The
/// bench then replaces the prose, if the stage has at least [`MIN_STAGE_WIDTH_LOW_PAGE`].
const LOW_PAGE_HEIGHT: f32 = 740.0;
/// Minimum width of the stage beside the bench on a low page, in points.
const MIN_STAGE_WIDTH_LOW_PAGE: f32 = 600.0;

/// Measurement of the last frame.
#[derive(Default)]
struct BenchMeasure {
    /// Height that the whole content needs, in points.
    height: f32,
}

/// Returns the rectangles of the bench and of the stage if the bench replaces the prose.
///
/// It does on low and wide pages, as in presenter mode: the picture keeps the full height.
/// Returns `None` on other pages and if the bench is closed.
pub fn split_for_bench_column(page: &mut PageContext<'_>, area: Rect) -> Option<(Rect, Rect)> {
    let bench_width = (area.width() * PROSE_COLUMN_SHARE).max(MIN_PROSE_COLUMN_WIDTH).floor();
    let stage_width = area.width() - bench_width;
    let fits_presented = page.view.presenting && stage_width >= MIN_STAGE_WIDTH;
    let fits_low_page = area.height() < LOW_PAGE_HEIGHT && stage_width >= MIN_STAGE_WIDTH_LOW_PAGE;
    let replaces_prose = page.view.bench.is_open && (fits_presented || fits_low_page);
    page.view.bench.replaces_prose = replaces_prose;
    replaces_prose.then(|| area.split_left_right_at_x(area.left() + bench_width))
}

/// Divides `area` into the page and the bench below it. Returns `None` for the bench if
/// it is closed.
pub fn split(page: &mut PageContext<'_>, area: Rect) -> (Rect, Option<Rect>) {
    page.view.bench.as_sheet = false;
    if !page.view.bench.is_open {
        return (area, None);
    }
    let max_height = (area.height() * MAX_HEIGHT_SHARE)
        .min((area.height() - PICTURE_HEIGHT).max(area.height() * 0.46));
    let measured = page.state::<BenchMeasure>("bench").height;
    let wanted = if measured > 0.0 { measured } else { max_height };
    let height = wanted.min(max_height).floor();
    let (rest, below) = area.split_top_bottom_at_y(area.bottom() - height);
    (rest, Some(below))
}

/// Draws the bench in the place of the prose, without a frame of its own.
pub fn column_ui(ui: &mut Ui, page: &mut PageContext<'_>, column: Rect) {
    let room = Rect::from_min_max(column.min + vec2(16.0, 12.0), column.max - vec2(10.0, 0.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(column.intersect(ui.clip_rect()));
    if !page.view.presenting {
        task::ui(&mut child, page, MAX_TASK_SHARE * room.height());
    }
    header_ui(&mut child, page);
    child.add_space(2.0);
    ScrollArea::vertical().id_salt("bench").auto_shrink([false, false]).show(&mut child, |ui| {
        let margin = Margin { right: 6, bottom: 12, ..Margin::ZERO };
        Frame::NONE.inner_margin(margin).show(ui, |ui| body_ui(ui, page));
        reveal_focus(ui);
    });
}

/// Draws the bench in `below`. Called after the stage, because Tab follows the order of
/// drawing.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, below: Rect) {
    let margin = if below.width() > 400.0 { 20.0 } else { 10.0 };
    let room = Rect::from_min_max(below.min + vec2(margin, 0.0), below.max - vec2(margin, 12.0));
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(below.intersect(ui.clip_rect()));
    let height = card_ui(&mut child, page, room.size()).ceil() + 12.0;
    let measured = &mut page.state::<BenchMeasure>("bench").height;
    if (*measured - height).abs() > 0.5 {
        *measured = height;
        // Lays out the frame again, with the height now known.
        ui.ctx().request_discard("the height of the bench became known");
    }
}

/// Draws the bench as a card of the size `room`. Returns the height that its content
/// needs, in points.
fn card_ui(ui: &mut Ui, page: &mut PageContext<'_>, room: Vec2) -> f32 {
    let theme = page.theme;
    let mut wanted_height = 0.0;
    Frame::NONE
        .fill(theme.paper)
        .stroke(Stroke::new(1.0, theme.rule))
        .corner_radius(10.0)
        .inner_margin(Margin::symmetric(16, 10))
        .show(ui, |ui| {
            ui.set_width(room.x - 34.0);
            let top = ui.cursor().top();
            header_ui(ui, page);
            ui.add_space(2.0);
            let header_height = ui.cursor().top() - top;
            let height = (room.y - header_height - 22.0).max(40.0);
            let scrolled = ScrollArea::vertical()
                .id_salt("bench")
                .max_height(height)
                .min_scrolled_height(height.min(40.0))
                .auto_shrink([false, true])
                .show(ui, |ui| body_ui(ui, page));
            wanted_height = header_height + scrolled.content_size.y + 24.0;
        });
    wanted_height
}

fn body_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    on_page::choose_shared_vertex(page);
    on_page::pictures_ui(ui, page);
    let parts = missing_parts(page);
    let width = ui.available_width();
    for row in part_rows(page, parts.clone(), width) {
        row_ui(ui, page, &row, width);
    }
    matrices_ui(ui, page);
    let has_angles = parts.contains(&BenchPart::Angles);
    let has_weights = parts.contains(&BenchPart::Weights);
    let caption = match (has_angles, has_weights) {
        (true, true) => return,
        (false, true) => "The angles have their sliders among what the step shows.",
        (true, false) => "The weights have their sliders among what the step shows.",
        (false, false) => "Angles and weights have their sliders among what the step shows.",
    };
    ui.label(page.theme.caption(caption));
}

/// Divides the parts into rows, from top to bottom.
///
/// In the place of the prose each part has its own row. There, more than a few angles
/// are placed last, so that weights and matrices are visible together.
fn part_rows(page: &PageContext<'_>, mut parts: Vec<BenchPart>, width: f32) -> Vec<Vec<BenchPart>> {
    let in_column = page.view.bench.replaces_prose;
    if in_column && all_angles(page).len() > MAX_ANGLES_ON_TOP {
        parts.sort_by_key(|part| *part == BenchPart::Angles);
    }
    let column_count = match parts.len() {
        _ if in_column => 1,
        3 if width >= MIN_THREE_COLUMNS_WIDTH_PTS => 3,
        2.. if width >= MIN_TWO_COLUMNS_WIDTH_PTS => 2,
        _ => 1,
    };
    parts.chunks(column_count).map(<[BenchPart]>::to_vec).collect()
}

/// Draws parts side by side.
fn row_ui(ui: &mut Ui, page: &mut PageContext<'_>, parts: &[BenchPart], width: f32) {
    let free_width = width - COLUMN_GAP * (parts.len() - 1) as f32;
    let total_share: f32 = parts.iter().map(|part| part.width_share()).sum();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = COLUMN_GAP;
        for part in parts {
            let part_width = (free_width * part.width_share() / total_share).floor();
            let layout = Layout::top_down(Align::Min);
            ui.allocate_ui_with_layout(vec2(part_width, 0.0), layout, |ui| {
                ui.set_width(part_width);
                ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
                part.ui(ui, page);
            });
        }
    });
    ui.add_space(8.0);
}

/// A part of the bench that can be placed beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BenchPart {
    Angles,
    Weights,
    Comparison,
}

/// Returns the parts that the open step does not show itself.
fn missing_parts(page: &PageContext<'_>) -> Vec<BenchPart> {
    let mut parts = Vec::new();
    if !on_page::angles_without_slider(page, &all_angles(page)).is_empty() {
        parts.push(BenchPart::Angles);
    }
    if !on_page::has_weight_sliders(page) {
        parts.push(BenchPart::Weights);
    }
    parts.push(BenchPart::Comparison);
    parts
}

impl BenchPart {
    /// Width relative to the other parts of a row.
    fn width_share(self) -> f32 {
        match self {
            Self::Angles | Self::Weights => 1.0,
            Self::Comparison => 1.45,
        }
    }

    fn ui(self, ui: &mut Ui, page: &mut PageContext<'_>) {
        match self {
            Self::Angles => angles_ui(ui, page),
            Self::Weights => on_page::weights_ui(ui, page),
            Self::Comparison => with_held_page(page, |page| comparison::ui(ui, page)),
        }
    }
}

/// Draws the world, inverse bind and joint matrix of the chosen joint, except those that
/// the step shows. All three are drawn as a product.
fn matrices_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let show = on_page::matrices_not_shown(page);
    if show.is_empty() {
        return;
    }
    let cell = MatrixCell { product: show.len() == 3, show, ..MatrixCell::default() };
    ui.separator();
    ui.push_id("bench matrices", |ui| {
        with_held_page(page, |page| matrix::ui(ui, &cell, "bench matrices", page));
    });
}

// Sliders of the angles, the morph weights and the lesson's parameters that drive some of
// them, except those that have a slider on the page.

/// Height of a slider's row, in points.
const ANGLE_ROW_HEIGHT: f32 = 26.0;
/// Height of a slider's row on a touch screen, in points.
const TOUCH_ANGLE_ROW_HEIGHT: f32 = touch::MIN_TARGET_SIZE_PTS;

/// State of the list of angles that is kept between frames.
#[derive(Default)]
struct AngleList {
    search_text: String,
    /// Chosen joint when the list was last drawn.
    last_joint: Option<JointIndex>,
}

/// Returns the lesson's parameters that drive the rig, then all angles and morph weights
/// of the rig.
fn all_angles<'a>(page: &PageContext<'a>) -> Vec<SliderParam<'a>> {
    let driving = page.lesson.params.iter().filter(|param| drives_rig(page.lesson, &param.name));
    let rig = &page.derived.rig;
    driving
        .map(SliderParam::OfLesson)
        .chain(rig.angles().chain(rig.morphs()).map(SliderParam::OfRig))
        .collect()
}

/// Returns true if a formula that drives the rig uses the parameter.
fn drives_rig(lesson: &Lesson, param: &str) -> bool {
    let mut formulas = lesson.drive.iter().map(|drive| &drive.formula);
    formulas.any(|formula| formula.names().iter().any(|(name, _)| *name == param))
}

/// Draws the sliders of the angles. A long list scrolls and has a search field.
fn angles_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let all = all_angles(page);
    let listed = on_page::angles_without_slider(page, &all);
    page.with_state("bench", |list: &mut AngleList, page| {
        ui.horizontal(|ui| {
            let label = if listed.len() < all.len() { "Other angles" } else { "Angles" };
            ui.label(page.theme.label(label));
            joint_search_ui(ui, &mut list.search_text, listed.len());
        });
        let matches: Vec<SliderParam<'_>> = listed
            .iter()
            .copied()
            .filter(|param| matches_joint_query(&list.search_text, param.label(), param.joint()))
            .collect();
        if matches.is_empty() {
            let message = format!("No joint is called “{}”.", list.search_text.trim());
            ui.label(page.theme.label(message));
            return;
        }
        angle_rows_ui(ui, list, &matches, page);
    });
}

fn angle_rows_ui(
    ui: &mut Ui,
    list: &mut AngleList,
    params: &[SliderParam<'_>],
    page: &mut PageContext<'_>,
) {
    let row_height =
        if touch::is_touch_active(ui.ctx()) { TOUCH_ANGLE_ROW_HEIGHT } else { ANGLE_ROW_HEIGHT };
    // The sheet scrolls as a whole.
    if page.view.bench.as_sheet {
        for &param in params {
            angle_row_ui(ui, row_height, param, page);
        }
        return;
    }
    let row_step = row_height + ui.spacing().item_spacing.y;
    let chosen_joint = page.document.state.joint;
    let has_changed = list.last_joint.replace(chosen_joint) != Some(chosen_joint);
    let chosen_index = params.iter().position(|param| param.joint() == Some(chosen_joint));
    let mut area = ScrollArea::vertical()
        .id_salt(("bench angles", params.len()))
        .max_height(MAX_JOINTS_WITHOUT_SEARCH as f32 * row_step)
        .min_scrolled_height(MAX_JOINTS_WITHOUT_SEARCH as f32 * row_step)
        .auto_shrink([false, true]);
    // If another joint was chosen elsewhere, its slider is scrolled into view.
    if let Some(index) =
        chosen_index.filter(|_| has_changed && params.len() > MAX_JOINTS_WITHOUT_SEARCH)
    {
        let offset = index.saturating_sub(MAX_JOINTS_WITHOUT_SEARCH / 2) as f32 * row_step;
        // A list scrolled past its end would spring back for some frames.
        let max_offset = (params.len() - MAX_JOINTS_WITHOUT_SEARCH) as f32 * row_step
            - ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset(offset.min(max_offset.max(0.0)));
    }
    area.show_rows(ui, row_height, params.len(), |ui, rows| {
        for &param in &params[rows] {
            angle_row_ui(ui, row_height, param, page);
        }
    });
}

fn angle_row_ui(ui: &mut Ui, height: f32, param: SliderParam<'_>, page: &mut PageContext<'_>) {
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let builder = UiBuilder::new()
        .id_salt(param.name())
        .max_rect(rect)
        .layout(Layout::left_to_right(Align::Center));
    param_slider_ui(&mut ui.new_child(builder), page, param);
}

/// Draws the title, the snapshots and the close button, in one line or in several if
/// there is not enough room.
fn header_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let title = RichText::new("Bench").font(font::strong(INTERFACE_SIZE));
        ui.label(title.color(page.theme.ink));
        ui.add_space(8.0);
        snapshots_ui(ui, page);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, icons::X, "close the bench", true) {
                page.view.bench.is_open = false;
            }
        });
    });
}

/// Draws the buttons of the snapshots.
fn snapshots_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    snapshot_ui(ui, PageSnapshot::A, Command::KeepA, page);
    snapshot_ui(ui, PageSnapshot::B, Command::KeepB, page);
    flip_ui(ui, page);
    pictures_switch_ui(ui, page);
}

/// Draws the button that goes to a snapshot, if it exists, and the one that replaces it.
fn snapshot_ui(ui: &mut Ui, which: PageSnapshot, command: Command, page: &mut PageContext<'_>) {
    let rig = &page.derived.stored_rig;
    let snapshots = &page.view.bench.snapshots;
    let letter = if which == PageSnapshot::A { "A" } else { "B" };
    if let Some(snapshot) = snapshots.get(which, &page.document.lesson, rig) {
        let is_of_step = snapshot.document.step == page.document.step;
        let is_current = snapshots.is_at(which, page.document, rig);
        let (label, help) = if is_of_step {
            (letter.to_owned(), format!("Go to snapshot {letter}"))
        } else {
            let help = format!("Kept at step {}: its matrices can be compared here", snapshot.step);
            (format!("{letter} of step {}", snapshot.step), help)
        };
        let response = ui
            .add_enabled(is_of_step, option_button(is_current, label))
            .tip(&help)
            .tip_disabled(&help)
            .accessible_name(format!("go to snapshot {letter}"));
        if response.clicked() {
            go_to(which, page);
        }
    }
    let button = ui.add(small_button(command.text()));
    if button.tip(command.hint(ui.ctx(), None)).clicked() {
        let bench = &mut page.view.bench;
        bench.snapshots.keep(which, page.document, &page.derived.stored_rig);
    }
}

fn flip_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let rig = &page.derived.stored_rig;
    let snapshots = &page.view.bench.snapshots;
    let has_other_page = [PageSnapshot::A, PageSnapshot::B].into_iter().any(|which| {
        let snapshot = snapshots.get(which, &page.document.lesson, rig);
        let is_of_step =
            snapshot.is_some_and(|snapshot| snapshot.document.step == page.document.step);
        is_of_step && !snapshots.is_at(which, page.document, rig)
    });
    let can_flip = has_other_page || snapshots.can_go_back(page.document);
    let hint = Command::Flip.hint(ui.ctx(), None);
    let button = ui.add_enabled(can_flip, small_button(Command::Flip.text()));
    if button.tip(&hint).tip_disabled(&hint).clicked() {
        let snapshots = &mut page.view.bench.snapshots;
        if let Some((which, target)) = snapshots.flip(page.document, &page.derived.stored_rig) {
            page.requests.edits.push(Edit::Recall(which, Box::new(target)));
        }
    }
    if page.view.bench.snapshots.can_go_back(page.document) {
        let help = "The page as it was before you went to a snapshot";
        let button = ui.add(small_button("back to how it was"));
        if button.tip(help).clicked() {
            go_to(PageSnapshot::Before, page);
        }
    }
}

/// Draws the switch for the pictures of A, B and A − B, if both snapshots exist.
fn pictures_switch_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if on_page::snapshot_documents(page).is_none() {
        return;
    }
    let help = "A, B, and how far each vertex of B is from where A has it";
    let button = ui.add(option_button(page.view.bench.shows_pictures, "pictures of A, B, A − B"));
    if button.tip(help).clicked() {
        page.view.bench.shows_pictures = !page.view.bench.shows_pictures;
    }
}

fn go_to(which: PageSnapshot, page: &mut PageContext<'_>) {
    let snapshots = &mut page.view.bench.snapshots;
    if let Some(target) = snapshots.go(which, page.document, &page.derived.stored_rig) {
        page.requests.edits.push(Edit::Recall(which, Box::new(target)));
    }
}
