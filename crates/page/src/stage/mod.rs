//! The stage: pictures that stay in sight, and the other cells, which alone
//! scroll where they do not fit.

pub mod arrangement;
pub mod enlarge;
pub mod placed;
mod stage_cells;

use bindpose_lesson::{Cell, CellKind};
use bindpose_notebook::demonstration::Demonstration;
use eframe::egui::{Align, Frame, Margin, Rect, ScrollArea, Ui, Vec2, pos2, vec2};

use super::PageContext;
use super::cells::cell_ui;
use crate::widgets::reveal_focus;
use arrangement::{
    Arrangement, LEAST_BESIDE, LEAST_FOR_CODE, Search, StageArrangement, rooms, share,
};
use placed::{LEAST_SHARE, Region};
pub use stage_cells::{cells, child};

/// Between the cells of the stage, beside the spacing of the page.
const GAP: f32 = 6.0;
/// Around the stage, in points.
const MARGIN: f32 = 16.0;
/// Width of the bar of cells that scroll, in points.
const SCROLL_BAR: f32 = 5.0;
/// The least share of pictures while the bench stands beside the stage.
const SHARE_BESIDE_BENCH: f32 = 0.5;
/// Around one that is narrow.
const NARROW_MARGIN: f32 = 12.0;

/// How the stage of the open step is arranged on a page of this size.
pub fn arrangement(page: &mut PageContext<'_>, area: Vec2) -> Arrangement {
    let key = (page.document.lesson.clone(), page.document.step);
    page.view.stages.entry(key).or_default().at(area)
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
    let known = page.view.stages.get(&key).and_then(Search::cells);
    let known = if others.is_empty() { Some(0.0) } else { known };
    // Beside the bench, the picture is what the teacher shows.
    let least_share = if page.view.bench.for_prose { SHARE_BESIDE_BENCH } else { LEAST_SHARE };
    let mut room = rooms(area.size(), inner, arrangement, (known, least_share));
    if pictures.is_empty() {
        room.cells = inner;
    }
    for (cell, rect) in pictures.iter().zip(share(room.pictures, pictures.len())) {
        pinned(ui, cell, page, rect);
    }
    let size = if others.is_empty() {
        Vec2::ZERO
    } else {
        scrolled(ui, &others, page, room.cells, margin)
    };
    let across = pictures.iter().map(|cell| side_by_side(&cell.kind)).max();
    let stage = StageArrangement {
        size: area.size(),
        inner,
        may_narrow,
        share: least_share,
        least_beside: if others
            .iter()
            .any(|cell| matches!(cell.kind, CellKind::Shader(_) | CellKind::Pose(_)))
        {
            LEAST_FOR_CODE
        } else {
            LEAST_BESIDE
        },
    };
    let search = page.view.stages.entry(key).or_default();
    if !pictures.is_empty() && search.measured(arrangement, stage, size, across.unwrap_or(1)) {
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
    cells: &[&Cell],
    page: &mut PageContext<'_>,
    room: Rect,
    margin: f32,
) -> Vec2 {
    // To the edges of the stage, where the bar stands and rings have room.
    let whole = room.expand2(vec2(margin, 0.0));
    let whole = whole.intersect(ui.max_rect().with_min_x(room.left() - 6.0));
    let whole = whole.with_max_y(room.bottom() + margin);
    let mut child = child(ui, whole, "cells");
    // Beside the buttons that enlarge a cell.
    child.spacing_mut().scroll.bar_width = SCROLL_BAR;
    child.spacing_mut().scroll.bar_inner_margin = 0.0;
    page.view.placed.enter(Region::Cells, whole);
    let step = (page.document.lesson.clone(), page.document.step);
    let settled = page.view.stages.get(&step).is_none_or(Search::is_settled);
    let scroll = ScrollArea::vertical().id_salt(("cells", &step)).auto_shrink([false, false]);
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
                enlarge::button(ui, cell, page, Rect::from_min_max(from, corner));
            }
            let height = ui.cursor().top() - top - ui.spacing().item_spacing.y;
            if settled && std::mem::take(&mut page.view.scroll.to_demonstration) {
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
        ui.scroll_to_rect(all, Some(Align::BOTTOM));
    }
}
