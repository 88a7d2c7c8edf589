//! In a picture in which nothing of the file is to be seen: why, and the way to the
//! doctor.

use std::sync::Arc;

use bindpose_lesson::LessonStep;
use bindpose_notebook::PageAddress;
use eframe::egui::{
    Align, Align2, FontId, Frame, Galley, Layout, Margin, Painter, Pos2, Rect, Ui, UiBuilder,
    text::LayoutJob, vec2,
};

use crate::PageContext;
use crate::diagnostic::page_link;
use crate::theme::{SMALL, Theme};

/// Height of the line with the link, in points.
const LINE: f32 = 22.0;
/// On either side of it.
const BESIDE: i8 = 6;

/// In the middle, below the joint that may stand there.
pub(super) fn paint(painter: &Painter, rect: Rect, theme: &Theme, words: &str) {
    let (galley, at, ground) = laid_out(painter, rect, theme, words);
    painter.rect_filled(ground.expand2(vec2(8.0, 4.0)), 6.0, theme.paper.gamma_multiply(0.88));
    painter.galley(at, galley, theme.quiet);
}

/// Below these words, where the open lesson has a doctor at another step.
pub(super) fn way_on(ui: &mut Ui, rect: Rect, words: &str, page: &mut PageContext<'_>) {
    let steps = &page.lesson.steps;
    let Some(there) =
        steps.iter().position(LessonStep::has_all_findings).filter(|&at| at != page.document.step)
    else {
        return;
    };
    let address = PageAddress::step(&page.lesson.slug, &steps[there].slug);
    let (_, _, ground) = laid_out(ui.painter(), rect, page.theme, words);
    let link = "See what the doctor finds".to_owned();
    let font = FontId::proportional(SMALL);
    let galley = ui.painter().layout_no_wrap(link.clone(), font, page.theme.accent);
    let size = vec2(galley.size().x + 2.0 * f32::from(BESIDE), LINE);
    let line = Align2::CENTER_TOP.anchor_size(ground.center_bottom() + vec2(0.0, 8.0), size);
    let place = UiBuilder::new().max_rect(line).layout(Layout::top_down(Align::Center));
    let mut below = ui.new_child(place.id_salt("nothing seen"));
    let paper = Frame::NONE.fill(page.theme.paper).inner_margin(Margin::symmetric(BESIDE, 1));
    paper.show(&mut below, |ui| page_link(ui, &link, address, page));
}

/// The words, where they are painted, and what they cover.
fn laid_out(
    painter: &Painter,
    rect: Rect,
    theme: &Theme,
    words: &str,
) -> (Arc<Galley>, Pos2, Rect) {
    let width = (rect.width() - 32.0).max(60.0);
    let font = FontId::proportional(SMALL);
    let mut job = LayoutJob::simple(words.to_owned(), font, theme.quiet, width);
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let at = rect.center() + vec2(0.0, 24.0);
    let ground = Align2::CENTER_TOP.anchor_size(at, galley.size());
    (galley, at, ground)
}
