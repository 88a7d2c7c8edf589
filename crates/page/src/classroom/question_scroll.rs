//! Scrolls every page of a class to its question, once in each phase.

use bindpose_class_protocol::QuestionPhase;
use eframe::egui::{Align, Rangef, Rect, Ui, style::ScrollAnimation};

use super::answers::address;
use crate::PageContext;
use crate::view::classroom::QuestionScroll;

/// Maximum number of frames that scroll. A question that cannot be scrolled into view
/// stays where it is.
const MAX_FRAMES: u8 = 8;
/// Room above and below the question's card, in points. More than egui leaves there.
const CARD_MARGIN: f32 = 12.0;
/// Tolerance of positions, in points.
const POSITION_TOLERANCE: f32 = 1.0;

/// Scrolls the card of a cell's question into view if the class has just been given the
/// question or the question has entered another phase.
///
/// `card` is the card's rectangle in this frame.
pub(crate) fn scroll_to_question(ui: &Ui, cell: &str, card: Rect, page: &mut PageContext<'_>) {
    let Some(question) = page.view.classroom.question() else { return };
    if question.address.cell != cell || question.address != address(page, cell) {
        return;
    }
    let phase = question.phase;
    let target = Some((question.address.clone(), phase));
    let scroll = &mut page.view.classroom.question_scroll;
    if scroll.target != target {
        *scroll = QuestionScroll { target, ..QuestionScroll::default() };
    }
    if scroll.is_done {
        return;
    }
    let view = ui.clip_rect().y_range();
    let (part, align) = part_to_show(card.y_range(), view.span(), phase);
    let is_visible =
        part.min >= view.min - POSITION_TOLERANCE && part.max <= view.max + POSITION_TOLERANCE;
    let is_settled = (scroll.card_height - card.height()).abs() < POSITION_TOLERANCE;
    scroll.is_done = is_visible && is_settled || scroll.frame_count >= MAX_FRAMES;
    scroll.card_height = card.height();
    scroll.frame_count += 1;
    if scroll.is_done {
        return;
    }
    if !is_visible {
        let rect = Rect::from_x_y_ranges(card.x_range(), part);
        ui.scroll_to_rect_animation(rect, Some(align), ScrollAnimation::none());
    }
    ui.ctx().request_repaint();
}

/// Returns the part of the card to scroll into view, and its alignment in the view.
///
/// If the card is higher than the view, this is the answer at its end or the question at
/// its start. The alignment is always given: without it, egui scrolls twice as far in a
/// frame of two passes.
fn part_to_show(card: Rangef, view_height: f32, phase: QuestionPhase) -> (Rangef, Align) {
    let height = view_height - 2.0 * CARD_MARGIN;
    if card.span() <= height {
        (card, Align::Center)
    } else if phase == QuestionPhase::Revealed {
        (Rangef::new(card.max - height, card.max), Align::BOTTOM)
    } else {
        (Rangef::new(card.min, card.min + height), Align::TOP)
    }
}
