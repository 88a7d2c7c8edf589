//! Scrolls every page of a class to the question, once in each phase.

use bindpose_classroom::QuestionPhase;
use eframe::egui::{Align, Rangef, Rect, Ui, style::ScrollAnimation};

use super::answers::address;
use super::class_view::QuestionScroll;
use crate::PageContext;

/// Frames after which a question that can't be scrolled into sight is left where it is.
const MAX_FRAMES: u8 = 8;
/// Room above and below the question's card, in points: more than egui leaves there.
const AROUND: f32 = 12.0;
/// Rounding of places, in points.
const SLACK: f32 = 1.0;

/// Brings the card of a cell's question into sight, if that question has just come before
/// the class or into another phase. `card`: where it stands in this frame.
pub(crate) fn scroll_to_question(ui: &Ui, cell: &str, card: Rect, page: &mut PageContext<'_>) {
    let Some(question) = page.view.classroom.question().filter(|it| it.address.cell == cell) else {
        return;
    };
    if question.address != address(page, cell) {
        return;
    }
    let shown = Some((question.address.clone(), question.phase));
    let phase = question.phase;
    let scroll = &mut page.view.classroom.question_scroll;
    if scroll.shown != shown {
        *scroll = QuestionScroll { shown, ..QuestionScroll::default() };
    }
    if scroll.is_done {
        return;
    }
    let view = ui.clip_rect().y_range();
    let (part, align) = part_to_show(card.y_range(), view.span(), phase);
    let is_in_sight = part.min >= view.min - SLACK && part.max <= view.max + SLACK;
    let is_settled = (scroll.height - card.height()).abs() < SLACK;
    scroll.is_done = is_in_sight && is_settled || scroll.frame_count >= MAX_FRAMES;
    scroll.height = card.height();
    scroll.frame_count += 1;
    if scroll.is_done {
        return;
    }
    if !is_in_sight {
        let rect = Rect::from_x_y_ranges(card.x_range(), part);
        ui.scroll_to_rect_animation(rect, Some(align), ScrollAnimation::none());
    }
    ui.ctx().request_repaint();
}

/// The part of the card to bring into sight, and where in the view. Of a card that is higher
/// than the view, its end has the answer, its beginning the question. The place is always
/// named: egui moves twice as far where it is not, if a frame has two passes.
fn part_to_show(card: Rangef, view_height: f32, phase: QuestionPhase) -> (Rangef, Align) {
    let height = view_height - 2.0 * AROUND;
    if card.span() <= height {
        (card, Align::Center)
    } else if phase == QuestionPhase::Revealed {
        (Rangef::new(card.max - height, card.max), Align::BOTTOM)
    } else {
        (Rangef::new(card.min, card.min + height), Align::TOP)
    }
}
