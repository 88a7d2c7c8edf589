//! The stage: pictures that stay in sight, and the other cells, which alone
//! scroll where they do not fit.

pub mod arrangement;
pub mod placed;

use bindpose_lesson::{Cell, CellKind, cells_in};
use bindpose_notebook::demonstration::Demonstration;
use bindpose_notebook::rest_bounds;
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    Align, Button, Frame, Margin, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::PageContext;
use super::cells::cell_ui;
use crate::theme::{CAPTION, SMALL, font};
use crate::view::EnlargedPart;
use crate::widgets::{Tip as _, reveal_focus};
use crate::{icons, touch};
use arrangement::{
    AROUND, AROUND_SLIDERS, ASPECT, Arrangement, CellHeights, CellsPlace, LEAST_BESIDE,
    LEAST_FOR_CODE, LEAST_FOR_TABLE, Search, StageArrangement, TALL_ASPECT, rooms, share,
};
use placed::{LEAST_SHARE, Region};

/// Between the cells of the stage, beside the spacing of the page.
const GAP: f32 = 6.0;
/// Around the stage, in points.
const MARGIN: f32 = 16.0;
/// A model is tall that is so many times as high as it is wide.
const TALL: f32 = 1.5;
/// Width of the bar of cells that scroll, in points.
const SCROLL_BAR: f32 = 5.0;
/// The least share of pictures while the bench stands beside the stage.
const SHARE_BESIDE_BENCH: f32 = 0.5;
/// Around one that is narrow.
const NARROW_MARGIN: f32 = 12.0;

/// How the stage of the open step is arranged on a page of this size.
pub fn arrangement(page: &mut PageContext<'_>, area: Vec2) -> Arrangement {
    let key = (page.document.lesson.clone(), page.document.step);
    let others: Vec<&Cell> = cells(page).filter(|cell| !cell.kind.draws_scene()).collect();
    page.view.stages.entry(key).or_default().at(area, may_stand_around(&others))
}

/// Are some cells wide, and others not?
fn may_stand_around(cells: &[&Cell]) -> bool {
    cells.iter().any(|cell| is_wide(&cell.kind)) && !cells.iter().all(|cell| is_wide(&cell.kind))
}

/// Matrices that stand side by side, and products of them, want all of the stage.
fn is_wide(kind: &CellKind) -> bool {
    match kind {
        CellKind::Matrix(matrix) => matrix.show.len() + usize::from(matrix.difference) > 2,
        CellKind::Chain(_) => true,
        _ => false,
    }
}

/// How wide the room beside a picture is at least that these cells can use.
fn least_beside(cells: &[&Cell]) -> f32 {
    let has_code = |cell: &&Cell| matches!(cell.kind, CellKind::Shader(_) | CellKind::Pose(_));
    if cells.iter().any(has_code) { LEAST_FOR_CODE } else { LEAST_BESIDE }
}

/// The same where wide ones stand below: nothing is gained if rows of weights scroll
/// sideways for it.
fn least_around(cells: &[&Cell]) -> f32 {
    let has_table = cells.iter().any(|cell| matches!(cell.kind, CellKind::Weights(_)));
    least_beside(cells).max(if has_table { LEAST_FOR_TABLE } else { 0.0 })
}

/// Of the stage's width, what pictures have while these cells stand around them.
fn width_around(cells: &[&Cell]) -> f32 {
    let is_slider = |cell: &&Cell| is_wide(&cell.kind) || matches!(cell.kind, CellKind::Angles(_));
    if cells.iter().all(is_slider) { AROUND_SLIDERS } else { AROUND }
}

/// Width over height that shows most of the model, as it stands at rest.
fn aspect(page: &PageContext<'_>) -> f32 {
    let (low, high) = rest_bounds(&page.derived.rig);
    let size = high - low;
    if size.y > TALL * size.x.max(size.z) { TALL_ASPECT } else { ASPECT }
}

/// Shows the stage in all of `ui`. `may_narrow`: the prose can give way.
pub fn ui(ui: &mut Ui, page: &mut PageContext<'_>, arrangement: Arrangement, may_narrow: bool) {
    let area = ui.max_rect();
    page.view.placed.stage = Some(area);
    let margin = if area.width() > 400.0 { MARGIN } else { NARROW_MARGIN };
    let inner = area.shrink(margin);
    let (pictures, others): (Vec<&Cell>, Vec<&Cell>) =
        cells(page).partition(|cell| cell.kind.draws_scene());
    let key = (page.document.lesson.clone(), page.document.step);
    let known = page.view.stages.get(&key).and_then(Search::heights);
    let known = if others.is_empty() { Some(CellHeights::default()) } else { known };
    // Beside the bench, the picture is what the teacher shows.
    let least_share = if page.view.bench.for_prose { SHARE_BESIDE_BENCH } else { LEAST_SHARE };
    let width_around = width_around(&others);
    let mut room = rooms(area.size(), inner, arrangement, (known, least_share), width_around);
    if pictures.is_empty() {
        room.cells = inner;
    }
    for (cell, rect) in pictures.iter().zip(share(room.pictures, pictures.len())) {
        pinned(ui, cell, page, rect);
    }
    let around = arrangement.cells == CellsPlace::Around && !pictures.is_empty();
    let (wide, beside): (Vec<&Cell>, Vec<&Cell>) =
        others.iter().copied().partition(|cell| around && is_wide(&cell.kind));
    let rooms = [(Region::Cells, &beside, room.cells), (Region::Wide, &wide, room.wide)];
    let sizes = rooms.map(|(region, cells, room)| {
        if cells.is_empty() {
            return Vec2::ZERO;
        }
        scrolled(ui, (region, cells), page, room, margin)
    });
    let across = pictures.iter().map(|cell| side_by_side(&cell.kind)).max().unwrap_or(1);
    let stage = StageArrangement {
        size: area.size(),
        inner,
        may_narrow,
        share: least_share,
        least_beside: least_beside(&others),
        least_around: least_around(&others),
        around: width_around,
        aspect: aspect(page) * across as f32,
        may_stand_around: may_stand_around(&others),
    };
    let search = page.view.stages.entry(key).or_default();
    if !pictures.is_empty() && search.measured(arrangement, stage, sizes) {
        // Once more at once, with the height now known.
        ui.ctx().request_discard("the stage's height became known");
    }
}

/// How many pictures a cell has.
fn side_by_side(kind: &CellKind) -> usize {
    match kind {
        CellKind::Compare(compare) => {
            let pictures = if compare.model_b { 2 } else { compare.variants.len() };
            pictures + usize::from(compare.difference)
        }
        _ => 1,
    }
}

/// A picture in its place. In a very low window what is compared needs more than
/// there is, and scrolls.
pub fn pinned(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>, rect: Rect) {
    let mut child = child(ui, rect, &cell.id);
    page.view.placed.enter(Region::Pinned, rect);
    ScrollArea::vertical()
        .id_salt("picture")
        .auto_shrink([false, false])
        .show(&mut child, |ui| cell_ui(ui, cell, page, rect.height()));
}

/// The other cells, scrolled where they must be. Gives how much room they take.
fn scrolled(
    ui: &mut Ui,
    (region, cells): (Region, &[&Cell]),
    page: &mut PageContext<'_>,
    room: Rect,
    margin: f32,
) -> Vec2 {
    // To the edges of the stage, where the bar stands and rings have room.
    let whole = room.expand2(vec2(margin, 0.0));
    let whole = whole.intersect(ui.max_rect().with_min_x(room.left() - 6.0));
    // Where wide cells stand below, that is where they begin.
    let at_foot = room.bottom() + margin >= ui.max_rect().bottom() - 1.0;
    let whole = if at_foot { whole.with_max_y(room.bottom() + margin) } else { whole };
    let salt = if region == Region::Wide { "wide cells" } else { "cells" };
    let mut child = child(ui, whole, salt);
    // Beside the buttons that enlarge a cell.
    child.spacing_mut().scroll.bar_width = SCROLL_BAR;
    child.spacing_mut().scroll.bar_inner_margin = 0.0;
    page.view.placed.enter(region, whole);
    let step = (page.document.lesson.clone(), page.document.step);
    let settled = page.view.stages.get(&step).is_none_or(Search::is_settled);
    let scroll = ScrollArea::vertical().id_salt((salt, &step)).auto_shrink([false, false]);
    let margins = Margin {
        left: (room.left() - whole.left()) as i8,
        right: (whole.right() - room.right()) as i8,
        ..Margin::ZERO
    };
    let shown = scroll.show(&mut child, |ui| {
        let frame = Frame::NONE.inner_margin(margins).show(ui, |ui| {
            let top = ui.cursor().top();
            for (index, cell) in cells.iter().enumerate() {
                // Between them, not after the last: nobody scrolls to see a gap.
                if index > 0 {
                    ui.add_space(GAP);
                }
                let from = ui.cursor().min;
                cell_ui(ui, cell, page, 320.0);
                let corner = pos2(from.x + room.width(), ui.cursor().top());
                if is_larger_enlarged(&cell.kind) {
                    enlarge_button(ui, cell, page, Rect::from_min_max(from, corner));
                }
            }
            let height = ui.cursor().top() - top - ui.spacing().item_spacing.y;
            if region == Region::Cells
                && settled
                && std::mem::take(&mut page.view.scroll.to_demonstration)
            {
                scroll_to_demonstration(ui, page, whole);
            }
            height
        });
        let sides = margins.leftf() + margins.rightf();
        reveal_focus(ui);
        vec2(frame.response.rect.width() - sides, frame.inner)
    });
    shown.inner
}

/// What a step asks to drag and to watch may stand below the first cells: it is
/// brought into sight when the step is entered.
fn scroll_to_demonstration(ui: &Ui, page: &PageContext<'_>, room: Rect) {
    let wanted = Demonstration::at(page.lesson, page.document.step, &page.derived.rig);
    let all = page.view.placed.among_cells(&wanted);
    let below = |all: &Rect| all.bottom() > room.bottom() && all.height() <= room.height();
    if let Some(all) = all.filter(below) {
        ui.scroll_to_rect_animation(all, Some(Align::BOTTOM), ScrollAnimation::none());
    }
}

// A cell that takes the page while the reader asks for it.

/// Height of the line above an enlarged cell.
const HEAD: f32 = 40.0;
/// Size of the button beside a cell.
const BUTTON: f32 = 11.0;
/// From the cell, whose own signs may stand at its edge.
const BUTTON_GAP: f32 = 2.0;

/// A cell of the open step, or its pictures.
fn part(cell: Option<&Cell>, page: &PageContext<'_>) -> EnlargedPart {
    EnlargedPart {
        lesson: page.document.lesson.clone(),
        step: page.document.step,
        cell: cell.map(|cell| cell.id.clone()),
    }
}

/// The cells that are to have all of the page now: one, the pictures, or none.
pub fn enlarged_cells<'a>(page: &PageContext<'a>) -> Vec<&'a Cell> {
    let Some(wanted) = &page.view.enlarged else { return Vec::new() };
    if *wanted == part(None, page) {
        return cells(page).filter(|cell| cell.kind.draws_scene()).collect();
    }
    let lesson = page.lesson;
    let step = lesson.steps.get(page.document.step);
    let in_prose = step.into_iter().flat_map(|step| cells_in(&step.blocks));
    let in_prose = cells_in(&lesson.intro).chain(in_prose);
    let mut all = cells(page).chain(in_prose);
    all.find(|cell| part(Some(cell), page) == *wanted).into_iter().collect()
}

/// Shows them in all of `area`.
pub fn enlarge_ui(ui: &mut Ui, cells: &[&Cell], page: &mut PageContext<'_>, area: Rect) {
    let (head, rest) = area.shrink2(vec2(20.0, 0.0)).split_top_bottom_at_y(area.top() + HEAD);
    let mut head = ui.new_child(UiBuilder::new().max_rect(head).id_salt("head"));
    head.horizontal_centered(|ui| {
        let icon = RichText::new(icons::X).font(font::icon(SMALL));
        let button = ui.add(Button::new(icon)).tip("Back to the page (Esc)");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Back to the page"));
        if button.clicked() {
            page.view.enlarged = None;
            ui.ctx().request_repaint();
        }
        ui.label(page.theme.caption("Esc leads back to the page"));
    });
    if cells.iter().all(|cell| cell.kind.draws_scene()) {
        page.view.placed.stage = Some(rest);
        let rest = rest.with_max_y(rest.bottom() - 12.0);
        for (cell, rect) in cells.iter().zip(share(rest, cells.len())) {
            pinned(ui, cell, page, rect);
        }
        return;
    }
    page.view.placed.enter(Region::Cells, rest);
    let mut body = child(ui, rest, "enlarged");
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

/// Controls stay as they are: with more room, there is no more of them to see.
fn is_larger_enlarged(kind: &CellKind) -> bool {
    !matches!(
        kind,
        CellKind::Angles(_) | CellKind::Brush(_) | CellKind::Stages(_) | CellKind::Stops(_)
    )
}

/// The button in the margin to the right of a cell; quiet until the pointer is
/// over the cell.
pub fn enlarge_button(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>, rect: Rect) {
    let at = Rect::from_min_size(rect.right_top() + vec2(BUTTON_GAP, 3.0), vec2(BUTTON, BUTTON));
    let response = ui.interact(at, ui.scope_id().with(("enlarge", &cell.id)), Sense::click());
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Enlarge {}", cell.id)));
    let over = ui.rect_contains_pointer(rect.with_max_x(at.right()));
    if over || response.has_focus() || touch::is_at_work(ui.ctx()) {
        let color = if response.hovered() || response.has_focus() {
            page.theme.accent
        } else {
            page.theme.quiet
        };
        let icon = font::icon(CAPTION);
        ui.painter().text(
            at.center(),
            eframe::egui::Align2::CENTER_CENTER,
            icons::CORNERS_OUT,
            icon,
            color,
        );
    }
    if response.tip("Enlarge; Esc leads back").clicked() {
        page.view.enlarged = Some(part(Some(cell), page));
        ui.ctx().request_repaint();
    }
}

// Which cells stand on the stage, and the parts of the page that they stand in.

/// Cells on the stage at this step, in order.
pub fn cells<'a>(page: &PageContext<'a>) -> impl Iterator<Item = &'a Cell> + use<'a> {
    page.lesson.on_stage(page.document.step)
}

/// A part of the page with a scope of its own, clipped to `rect`.
pub fn child(ui: &mut Ui, rect: Rect, salt: &str) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(salt));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}
