//! Words for a file in which there is nothing to see: an empty picture looks like
//! a fault of the program.

use bindpose_lesson::Show;
use bindpose_notebook::viewport::ViewportFrame;
use eframe::egui::{Align, Align2, FontId, Painter, Rect, text::LayoutJob, vec2};

use crate::theme::{SMALL, Theme};

/// `None` where there is something.
pub(super) fn words(frame: &ViewportFrame<'_>) -> Option<&'static str> {
    let rig = &frame.derived.rig;
    let origin = rig.origin.as_ref()?;
    if !rig.mesh.positions.is_empty() {
        let drawn = !(rig.mesh.triangles.is_empty() && rig.mesh.lines.is_empty());
        let words = "This file has neither triangles nor lines: there is nothing to draw.";
        return (!drawn).then_some(words);
    }
    Some(if origin.graph.skins.is_empty() {
        "This file has no mesh: there is nothing to draw."
    } else if frame.shows(Show::Joints) {
        "This file has a skin but no mesh: there is nothing to draw but its joints."
    } else {
        "This file has a skin but no mesh: there is nothing to draw."
    })
}

/// In the middle, below the joint that may stand there.
pub(super) fn paint(painter: &Painter, rect: Rect, theme: &Theme, words: &str) {
    let font = FontId::proportional(SMALL);
    let width = (rect.width() - 32.0).max(60.0);
    let mut job = LayoutJob::simple(words.to_owned(), font, theme.quiet, width);
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    let at = rect.center() + vec2(0.0, 24.0);
    let ground = Align2::CENTER_TOP.anchor_size(at, galley.size());
    let paper = theme.paper.gamma_multiply(0.88);
    painter.rect_filled(ground.expand2(vec2(8.0, 4.0)), 6.0, paper);
    painter.galley(at, galley, theme.quiet);
}
