//! The stage: pictures, which are always visible, and the other cells, which scroll if
//! they do not fit.

pub mod arrangement;
mod folding;

use std::collections::HashMap;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, font};
use bindpose_kit::widgets::{Tip as _, reveal_focus};
use bindpose_kit::{icons, touch};
use bindpose_lesson::{AnglesCell, Cell, CellKind, cells_in};
use bindpose_notebook::demonstration::{DemonstratedPart, Demonstration};
use bindpose_notebook::exercise_cells::{Exercise, cells_at};
use bindpose_notebook::{Document, rest_bounds};
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    Align, Button, Frame, Margin, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::PageContext;
use super::cells::{cell_ui, content_aspect};
use crate::view::placed::{MIN_LARGE_PICTURE_SHARE, MIN_PICTURE_SHARE, Region};
use crate::view::{EnlargedCells, EnlargedPart};
use arrangement::{
    AROUND_SLIDERS_WIDTH, AROUND_WIDTH, ASPECT, Arrangement, ArrangementSearch, CellHeights,
    CellsPlace, FoldableCell, LaidOutCells, MIN_BESIDE_WIDTH_PTS, MIN_CODE_WIDTH_PTS,
    MIN_TABLE_WIDTH_PTS, MIN_WEIGHTS_WIDTH_PTS, RoomMaker, StageLayout, TALL_ASPECT,
    divide_among_pictures, divide_stage,
};
use folding::{fold_button, foldable_cells, folded_ui, is_unfolded};

/// Gap between cells, in addition to the spacing of the page, in points.
const CELL_GAP_PTS: f32 = 6.0;
/// Margin around the stage, in points.
const MARGIN_PTS: f32 = 16.0;
/// Ratio of height to width from which a model counts as tall.
const MIN_TALL_RATIO: f32 = 1.5;
/// Width of the scroll bar, in points.
const SCROLL_BAR_WIDTH_PTS: f32 = 5.0;
/// Minimum share of the pictures while the bench is beside the stage.
const MIN_SHARE_BESIDE_BENCH: f32 = 0.5;
/// Minimum and maximum aspect ratio (width / height) of contents that the stage provides for.
const CONTENT_ASPECTS: (f32, f32) = (0.6, 2.6);
/// Margin around a narrow stage, in points.
const NARROW_MARGIN_PTS: f32 = 12.0;

/// Arrangements of the stage, by lesson and step.
#[derive(Debug, Default)]
struct StageSearches(HashMap<(String, usize), ArrangementSearch>);

impl StageSearches {
    fn of_step(&mut self, document: &Document) -> &mut ArrangementSearch {
        self.0.entry((document.lesson.clone(), document.step)).or_default()
    }
}

/// Returns the arrangement of the open step's stage on a page of this size.
pub fn arrangement(page: &mut PageContext<'_>, area: Vec2) -> Arrangement {
    let others: Vec<&Cell> = cells(page).filter(|cell| !cell.kind.draws_scene()).collect();
    let is_unfolded = is_unfolded(page);
    let search = page.view.parts.get::<StageSearches>().of_step(page.document);
    search.arrangement_at(area, is_unfolded, can_stand_around(&others))
}

/// Returns true if some cells are wide and others are not.
fn can_stand_around(cells: &[&Cell]) -> bool {
    cells.iter().any(|cell| is_wide(&cell.kind)) && !cells.iter().all(|cell| is_wide(&cell.kind))
}

/// Returns true for matrices side by side and for products of matrices, which need the
/// whole width of the stage.
fn is_wide(kind: &CellKind) -> bool {
    match kind {
        CellKind::Matrix(matrix) => matrix.show.len() + usize::from(matrix.difference) > 2,
        CellKind::Chain(_) => true,
        _ => false,
    }
}

/// Minimum width that these cells need beside a picture, in points. `has_whole_rows` is true
/// if rows of weights must not be cut.
fn min_width_beside(cells: &[&Cell], has_whole_rows: bool) -> f32 {
    let widths = cells.iter().map(|cell| match cell.kind {
        CellKind::Shader(_) | CellKind::Pose(_) => MIN_CODE_WIDTH_PTS,
        CellKind::Weights(_) if has_whole_rows => MIN_WEIGHTS_WIDTH_PTS,
        _ => MIN_BESIDE_WIDTH_PTS,
    });
    widths.fold(MIN_BESIDE_WIDTH_PTS, f32::max)
}

/// Minimum width that these cells need if wide cells are below. Rows of weights must not
/// scroll sideways.
fn min_width_around(cells: &[&Cell]) -> f32 {
    let has_table = cells.iter().any(|cell| matches!(cell.kind, CellKind::Weights(_)));
    min_width_beside(cells, false).max(if has_table { MIN_TABLE_WIDTH_PTS } else { 0.0 })
}

/// Width of pictures with these cells around them, as a fraction of the stage.
fn around_width(cells: &[&Cell]) -> f32 {
    let only_sliders =
        cells.iter().all(|cell| is_wide(&cell.kind) || matches!(cell.kind, CellKind::Angles(_)));
    if only_sliders { AROUND_SLIDERS_WIDTH } else { AROUND_WIDTH }
}

/// Aspect ratio (width / height) at which pictures show most of the model.
fn pictures_aspect(pictures: &[&Cell], page: &PageContext<'_>) -> f32 {
    let mut aspects = pictures.iter().filter_map(|cell| {
        let aspect = content_aspect(&cell.kind, page)?;
        let aspect = aspect.clamp(CONTENT_ASPECTS.0, CONTENT_ASPECTS.1);
        Some(joint_aspect(aspect, picture_count(&cell.kind)))
    });
    if let Some(first) = aspects.next() {
        return first;
    }
    // The lesson shows a part of the model.
    let (low, high) = rest_bounds(&page.derived.rig);
    let size = high - low;
    let is_tall = size.y > MIN_TALL_RATIO * size.x.max(size.z);
    let aspect = if is_tall { TALL_ASPECT } else { ASPECT };
    let count = pictures.iter().map(|cell| picture_count(&cell.kind)).max().unwrap_or(1);
    aspect * count as f32
}

/// Aspect ratio of several pictures of one aspect ratio together, in rows of which the whole is
/// closest to the shape of most stages.
fn joint_aspect(aspect: f32, count: usize) -> f32 {
    let distance = |joint: &f32| (joint / ASPECT).ln().abs();
    (1..=count.max(1))
        .map(|columns| aspect * columns as f32 / count.max(1).div_ceil(columns) as f32)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(aspect)
}

/// Margin around a stage, in points.
fn stage_margin(stage: Rect) -> f32 {
    if stage.width() > 400.0 { MARGIN_PTS } else { NARROW_MARGIN_PTS }
}

/// Draws the stage in all of `ui`.
pub fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    arrangement: Arrangement,
    room_maker: Option<RoomMaker>,
) {
    let area = ui.max_rect();
    page.view.item_rects.stage = Some(area);
    let inner = area.shrink(stage_margin(area));
    let (pictures, others): (Vec<&Cell>, Vec<&Cell>) =
        cells(page).partition(|cell| cell.kind.draws_scene());
    let heights = if others.is_empty() {
        Some(CellHeights::default())
    } else {
        page.view.parts.get::<StageSearches>().of_step(page.document).heights()
    };
    let aspect = pictures_aspect(&pictures, page);
    let min_picture_share = min_picture_share(page);
    let presented = page
        .view
        .presenting
        .then(|| Demonstration::at(page.lesson, page.document.step, &page.derived.rig));
    let has_whole_rows = page.view.bench.is_open || presented.as_ref().is_some_and(drags_row);
    let needs_whole_cells =
        presented.as_ref().is_some_and(|shown| needs_whole_cells(shown, &others));
    let room_maker = match room_maker {
        Some(RoomMaker::FoldedCells) if !needs_whole_cells => None,
        Some(RoomMaker::FoldedCells) if is_unfolded(page) => Some(RoomMaker::SmallPictures),
        room_maker => room_maker,
    };
    let foldable = match (&presented, room_maker) {
        (Some(demonstration), Some(RoomMaker::FoldedCells | RoomMaker::SmallPictures)) => {
            foldable_cells(&others, demonstration, page)
        }
        _ => Vec::new(),
    };
    let stage = StageLayout {
        size: area.size(),
        inner,
        room_maker,
        min_picture_share,
        min_width_beside: min_width_beside(&others, has_whole_rows),
        min_width_around: min_width_around(&others),
        around_width: around_width(&others),
        aspect,
        can_stand_around: can_stand_around(&others),
    };
    let mut rooms = divide_stage(&stage, arrangement, heights);
    if pictures.is_empty() {
        rooms.cells = inner;
    }
    let places = divide_among_pictures(rooms.pictures, pictures.len());
    for (cell, rect) in pictures.iter().zip(places) {
        pinned(ui, cell, page, rect);
    }
    let are_around = arrangement.cells == CellsPlace::Around && !pictures.is_empty();
    let (wide, beside): (Vec<&Cell>, Vec<&Cell>) =
        others.iter().copied().partition(|cell| are_around && is_wide(&cell.kind));
    let is_foldable = |cell: &Cell| foldable.iter().any(|foldable| foldable.id == cell.id);
    let laid_out = scrolled_cells_ui(ui, Region::Cells, &beside, &is_foldable, page, rooms.cells);
    let laid_out_wide = scrolled_cells_ui(ui, Region::Wide, &wide, &is_foldable, page, rooms.wide);
    if pictures.is_empty() {
        return;
    }
    let foldable: Vec<FoldableCell> = foldable
        .iter()
        .filter_map(|cell| {
            let find = |heights: &[(&str, f32)]| {
                heights.iter().find(|(id, _)| *id == cell.id).map(|(_, height)| *height)
            };
            let wide_height = find(&laid_out_wide.foldable_heights);
            let height = wide_height.or_else(|| find(&laid_out.foldable_heights))?;
            Some(FoldableCell { id: cell.id.clone(), height, is_wide: wide_height.is_some() })
        })
        .collect();
    let cells =
        LaidOutCells { size: laid_out.size, wide_size: laid_out_wide.size, foldable: &foldable };
    let search = page.view.parts.get::<StageSearches>().of_step(page.document);
    if search.record_frame(arrangement, &stage, cells) {
        // Lays the page out again at once, with the height that is now known.
        ui.ctx().request_discard("the stage's height became known");
    }
}

/// Returns true if a teacher needs all of one of these cells at once: a matrix, or a part of
/// the demonstration.
fn needs_whole_cells(demonstration: &Demonstration, cells: &[&Cell]) -> bool {
    drags_row(demonstration)
        || cells.iter().any(|cell| {
            matches!(cell.kind, CellKind::Matrix(_))
                || demonstration.watch.contains(&DemonstratedPart::Cell(cell.id.clone()))
        })
}

/// Returns true if the demonstration drags weights of a vertex or bytes.
fn drags_row(demonstration: &Demonstration) -> bool {
    demonstration
        .drag
        .iter()
        .any(|part| matches!(part, DemonstratedPart::Vertex(_) | DemonstratedPart::Bytes))
}

/// Minimum share of the pictures in the area of the stage.
fn min_picture_share(page: &PageContext<'_>) -> f32 {
    let step = page.lesson.steps.get(page.document.step);
    if page.view.bench.replaces_prose {
        // Beside the bench, the picture is what the teacher shows.
        MIN_SHARE_BESIDE_BENCH
    } else if step.is_some_and(|step| step.subject.is_some()) {
        MIN_PICTURE_SHARE
    } else {
        MIN_LARGE_PICTURE_SHARE
    }
}

fn picture_count(kind: &CellKind) -> usize {
    match kind {
        CellKind::Compare(compare) => {
            let pictures = if compare.model_b { 2 } else { compare.variants.len() };
            pictures + usize::from(compare.difference)
        }
        _ => 1,
    }
}

/// Draws a picture in its place. In a very low window, compared pictures need more height
/// than there is, and scroll.
pub fn pinned(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>, rect: Rect) {
    let mut child = child(ui, rect, &cell.id);
    page.view.item_rects.begin_region(Region::Pinned, rect);
    ScrollArea::vertical()
        .id_salt("picture")
        .auto_shrink([false, false])
        .show(&mut child, |ui| cell_ui(ui, cell, page, rect.height()));
}

/// Contents of a region of cells.
#[derive(Default)]
struct ScrolledCells<'a> {
    /// Zero without cells.
    size: Vec2,
    /// Ids and heights of the cells that can be folded.
    foldable_heights: Vec<(&'a str, f32)>,
}

/// Draws other cells, with a scroll bar if they do not fit.
fn scrolled_cells_ui<'a>(
    ui: &mut Ui,
    region: Region,
    cells: &[&'a Cell],
    is_foldable: &dyn Fn(&Cell) -> bool,
    page: &mut PageContext<'_>,
    room: Rect,
) -> ScrolledCells<'a> {
    if cells.is_empty() {
        return ScrolledCells::default();
    }
    let margin = stage_margin(ui.max_rect());
    // Extends to the edges of the stage, so that the scroll bar and focus rings fit.
    let mut outer =
        room.expand2(vec2(margin, 0.0)).intersect(ui.max_rect().with_min_x(room.left() - 6.0));
    // Wide cells below the others begin where these end.
    if room.bottom() + margin >= ui.max_rect().bottom() - 1.0 {
        outer = outer.with_max_y(room.bottom() + margin);
    }
    let salt = if region == Region::Wide { "wide cells" } else { "cells" };
    let mut child = child(ui, outer, salt);
    // The bar is beside the buttons that enlarge a cell.
    child.spacing_mut().scroll.bar_width = SCROLL_BAR_WIDTH_PTS;
    child.spacing_mut().scroll.bar_inner_margin = 0.0;
    page.view.item_rects.begin_region(region, outer);
    let step = (page.document.lesson.clone(), page.document.step);
    let search = page.view.parts.get::<StageSearches>().of_step(page.document);
    let is_settled = search.is_settled();
    let folded: Vec<bool> = cells.iter().map(|cell| search.is_folded(&cell.id)).collect();
    let has_fold_buttons = is_unfolded(page);
    let mut foldable_heights = Vec::new();
    let scroll = ScrollArea::vertical().id_salt((salt, &step)).auto_shrink([false, false]);
    let margins = Margin {
        left: (room.left() - outer.left()) as i8,
        right: (outer.right() - room.right()) as i8,
        ..Margin::ZERO
    };
    let scrolled = scroll.show(&mut child, |ui| {
        let frame = Frame::NONE.inner_margin(margins).show(ui, |ui| {
            let top = ui.cursor().top();
            for (index, cell) in cells.iter().enumerate() {
                // No gap after the last cell, for which nobody should have to scroll.
                if index > 0 {
                    ui.add_space(CELL_GAP_PTS);
                }
                if folded[index] {
                    folded_ui(ui, cell, page);
                    continue;
                }
                let from = ui.cursor().min;
                cell_ui(ui, cell, page, 320.0);
                let bottom_right = pos2(from.x + room.width(), ui.cursor().top());
                let rect = Rect::from_min_max(from, bottom_right);
                if is_larger_enlarged(&cell.kind) {
                    enlarge_button(ui, cell, page, rect);
                }
                if is_foldable(cell) {
                    let height = rect.height() - ui.spacing().item_spacing.y;
                    foldable_heights.push((cell.id.as_str(), height));
                    if has_fold_buttons {
                        fold_button(ui, cell, page, rect);
                    }
                }
            }
            let height = ui.cursor().top() - top - ui.spacing().item_spacing.y;
            if region == Region::Cells
                && is_settled
                && std::mem::take(&mut page.view.scroll.to_demonstration)
            {
                scroll_to_demonstration(ui, page, outer);
            }
            height
        });
        let sides = margins.leftf() + margins.rightf();
        reveal_focus(ui);
        vec2(frame.response.rect.width() - sides, frame.inner)
    });
    ScrolledCells { size: scrolled.inner, foldable_heights }
}

/// Scrolls to the parts of a demonstration that are below the visible cells, when the
/// step is entered.
fn scroll_to_demonstration(ui: &Ui, page: &PageContext<'_>, room: Rect) {
    let demonstration = Demonstration::at(page.lesson, page.document.step, &page.derived.rig);
    if let Some(bounds) = page.view.item_rects.among_cells(&demonstration)
        && bounds.bottom() > room.bottom()
        && bounds.height() <= room.height()
    {
        ui.scroll_to_rect_animation(bounds, Some(Align::BOTTOM), ScrollAnimation::none());
    }
}

// Cells that are enlarged to fill the page.

/// Height of the line above an enlarged cell, in points.
const HEAD_HEIGHT_PTS: f32 = 40.0;
/// Margin on both sides of an enlarged cell, in points.
const ENLARGED_MARGIN_PTS: f32 = 8.0;
/// Maximum width of a task that is shown alone, in points.
const MAX_TASK_WIDTH_PTS: f32 = 620.0;
/// Size of the button beside a cell, in points.
const ENLARGE_BUTTON_SIZE_PTS: f32 = 11.0;
/// Gap between a cell and its button, in points. Leaves space for signs at the edge of
/// the cell.
const ENLARGE_BUTTON_GAP_PTS: f32 = 2.0;

/// Returns the enlarged cells: one, all pictures, all tasks, or none.
pub fn enlarged_cells<'a>(page: &PageContext<'a>) -> Vec<&'a Cell> {
    let document = page.document;
    let Some(enlarged) =
        page.view.enlarged.as_ref().filter(|enlarged| {
            enlarged.lesson == document.lesson && enlarged.step == document.step
        })
    else {
        return Vec::new();
    };
    match &enlarged.cells {
        EnlargedCells::Pictures => cells(page).filter(|cell| cell.kind.draws_scene()).collect(),
        EnlargedCells::Tasks => cells_at(page.lesson, document.step)
            .filter(|cell| Exercise::from_cell(cell).is_some())
            .collect(),
        EnlargedCells::Cell(id) => {
            let intro_cells = cells_in(&page.lesson.intro);
            let step = page.lesson.steps.get(document.step);
            let step_cells = step.into_iter().flat_map(|step| cells_in(&step.blocks));
            let mut all_cells = cells(page).chain(intro_cells).chain(step_cells);
            all_cells.find(|cell| cell.id == *id).into_iter().collect()
        }
    }
}

/// Draws enlarged cells in all of `area`.
pub fn enlarge_ui(ui: &mut Ui, cells: &[&Cell], page: &mut PageContext<'_>, area: Rect) {
    let (head, rest) = area
        .shrink2(vec2(ENLARGED_MARGIN_PTS, 0.0))
        .split_top_bottom_at_y(area.top() + HEAD_HEIGHT_PTS);
    let mut head = ui.new_child(UiBuilder::new().max_rect(head).id_salt("head"));
    head.horizontal_centered(|ui| {
        let icon = RichText::new(icons::X).font(font::icon(SMALL_SIZE));
        let button = ui.add(Button::new(icon)).tip("Back to the page (Esc)");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Back to the page"));
        if button.clicked() {
            page.view.enlarged = None;
            ui.ctx().request_repaint();
        }
        ui.label(page.theme.caption("Esc leads back to the page"));
    });
    if cells.iter().all(|cell| cell.kind.draws_scene()) {
        page.view.item_rects.stage = Some(rest);
        let rest = rest.with_max_y(rest.bottom() - 12.0);
        for (cell, rect) in cells.iter().zip(divide_among_pictures(rest, cells.len())) {
            pinned(ui, cell, page, rect);
        }
        return;
    }
    page.view.item_rects.begin_region(Region::Cells, rest);
    let mut body = child(ui, rest, "enlarged");
    if page.view.shows_tasks_alone(&page.document.lesson, page.document.step) {
        tasks_alone_ui(&mut body, cells, page);
        return;
    }
    let height = rest.height() - 12.0;
    for cell in cells {
        ScrollArea::vertical().id_salt(("enlarged", &cell.id)).auto_shrink([false, false]).show(
            &mut body,
            |ui| {
                let margin = Margin { bottom: 12, ..Margin::ZERO };
                Frame::NONE.inner_margin(margin).show(ui, |ui| cell_ui(ui, cell, page, height));
            },
        );
    }
}

/// Draws the tasks of a step one below the other in the middle of the page. Below exercises
/// are the controls that solve them.
fn tasks_alone_ui(ui: &mut Ui, tasks: &[&Cell], page: &mut PageContext<'_>) {
    let side_margin = ((ui.available_width() - MAX_TASK_WIDTH_PTS) / 2.0).max(0.0);
    let has_exercise = tasks.iter().any(|cell| matches!(cell.kind, CellKind::Check(_)));
    let controls = if has_exercise { demonstrated_controls(page) } else { Vec::new() };
    ScrollArea::vertical().id_salt("tasks").auto_shrink([false, false]).show(ui, |ui| {
        let margin = Margin { bottom: 12, ..Margin::symmetric(side_margin as i8, 0) };
        Frame::NONE.inner_margin(margin).show(ui, |ui| {
            for cell in tasks.iter().copied().chain(&controls) {
                cell_ui(ui, cell, page, 320.0);
                ui.add_space(CELL_GAP_PTS);
            }
        });
        reveal_focus(ui);
    });
}

/// Returns the controls that the open step asks to drag: its cells, and a cell with sliders
/// for its parameters.
fn demonstrated_controls(page: &PageContext<'_>) -> Vec<Cell> {
    let step = page.document.step;
    let demonstration = Demonstration::at(page.lesson, step, &page.derived.rig);
    let mut params = Vec::new();
    let mut controls = Vec::new();
    for part in demonstration.drag {
        match part {
            DemonstratedPart::Param(name) => params.push(name),
            DemonstratedPart::Cell(id) => {
                controls.extend(cells_at(page.lesson, step).find(|cell| cell.id == id).cloned());
            }
            DemonstratedPart::Vertex(_) | DemonstratedPart::Bytes => {}
        }
    }
    if !params.is_empty() {
        let kind = CellKind::Angles(AnglesCell { params, ..AnglesCell::default() });
        controls.push(Cell { id: "task sliders".to_owned(), line: 0, kind });
    }
    controls
}

/// Returns true if a cell shows more when it is enlarged. Controls do not.
fn is_larger_enlarged(kind: &CellKind) -> bool {
    !matches!(
        kind,
        CellKind::Angles(_) | CellKind::Brush(_) | CellKind::Stages(_) | CellKind::Stops(_)
    )
}

/// Draws the button that enlarges a cell, in the margin to the right of it. Visible while
/// the pointer is over the cell.
pub fn enlarge_button(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>, rect: Rect) {
    let beside = rect.right() + ENLARGE_BUTTON_GAP_PTS;
    // A cell that is wider than its room would push the button out of the window.
    let max_left = ui.clip_rect().right() - ENLARGE_BUTTON_SIZE_PTS - ENLARGE_BUTTON_GAP_PTS;
    let button_rect = Rect::from_min_size(
        pos2(beside.min(max_left), rect.top() + 3.0),
        vec2(ENLARGE_BUTTON_SIZE_PTS, ENLARGE_BUTTON_SIZE_PTS),
    );
    let response =
        ui.interact(button_rect, ui.scope_id().with(("enlarge", &cell.id)), Sense::click());
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Enlarge {}", cell.id)));
    let is_hovered = ui.rect_contains_pointer(rect.with_max_x(button_rect.right()));
    if is_hovered || response.has_focus() || touch::is_touch_active(ui.ctx()) {
        let color = if response.hovered() || response.has_focus() {
            page.theme.accent
        } else {
            page.theme.quiet
        };
        let icon_font = font::icon(CAPTION_SIZE);
        ui.painter().text(
            button_rect.center(),
            eframe::egui::Align2::CENTER_CENTER,
            icons::CORNERS_OUT,
            icon_font,
            color,
        );
    }
    if response.tip("Enlarge; Esc leads back").clicked() {
        page.view.enlarged = Some(EnlargedPart {
            lesson: page.document.lesson.clone(),
            step: page.document.step,
            cells: EnlargedCells::Cell(cell.id.clone()),
        });
        ui.ctx().request_repaint();
    }
}

// Cells of the stage, and regions of the page.

/// Returns the cells on the stage at this step, in order.
pub fn cells<'a>(page: &PageContext<'a>) -> impl Iterator<Item = &'a Cell> + use<'a> {
    page.lesson.on_stage(page.document.step)
}

/// Creates a region of the page with its own id scope, clipped to `rect`.
pub fn child(ui: &mut Ui, rect: Rect, salt: &str) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(salt));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}
