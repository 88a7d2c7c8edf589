//! The ruler with the playhead, which can be dragged anywhere along it.

use bindpose_notebook::{Edit, TIME, number_text};
use eframe::egui::{
    Align2, CursorIcon, FontId, Key, Modifiers, Response, Role, Sense, Shape, Stroke, Ui, pos2,
    vec2,
};

use super::time_axis::{TimeAxis, put_time, reset_time};
use crate::PageContext;
use crate::theme::CAPTION;
use crate::widgets::{Arrows, Scrub, ScrubChange, keep_arrows};

const HEIGHT: f32 = 40.0;
/// Least distance of labels.
const APART: f32 = 56.0;
/// Distances of ticks, in seconds.
const STEPS: [f64; 13] =
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0];

/// Ticks in seconds, frames where there is room for them, and the playhead.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, lanes: TimeAxis) {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut hit = rect;
    (hit.min.x, hit.max.x) = (lanes.left - 8.0, lanes.right + 8.0);
    let response = ui
        .interact(hit, ui.scope_id().with("playhead"), Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::ResizeHorizontal);
    number(page.document.time_secs(), lanes).describe(ui, &response, Role::Slider);
    ticks(ui, page, lanes, rect.bottom());
    playhead(ui, page, lanes, rect.bottom(), &response);
    if !scrub(ui, &response, page, lanes) {
        asked(ui, &response, page, lanes);
    }
}

fn ticks(ui: &Ui, page: &PageContext<'_>, lanes: TimeAxis, bottom: f32) {
    let painter = ui.painter();
    let points_per_sec = f64::from(lanes.points()) / lanes.length_secs;
    let step = STEPS
        .into_iter()
        .find(|step| step * points_per_sec >= f64::from(APART))
        .unwrap_or(lanes.length_secs);
    let stroke = Stroke::new(1.0, page.theme.quiet);
    let faint = Stroke::new(1.0, page.theme.rule);
    let at = |secs: f64, height: f32, stroke: Stroke| {
        let x = lanes.x(secs);
        painter.line_segment([pos2(x, bottom - height), pos2(x, bottom)], stroke);
    };
    if points_per_sec * lanes.frame_secs >= 5.0 {
        let (_, last) = page.document.frames(&page.derived.rig);
        for frame in 0..=last.min(2000) {
            at(f64::from(frame) * lanes.frame_secs, 5.0, faint);
        }
    }
    let decimals = usize::from(step < 1.0);
    let count = (lanes.length_secs / step + 1e-6) as u32;
    for tick in 0..=count.min(500) {
        let secs = f64::from(tick) * step;
        at(secs, 8.0, stroke);
        let words = number_text::fixed(secs, decimals);
        let words = if tick == 0 { format!("{words} s") } else { words };
        let place = pos2(lanes.x(secs), bottom - 17.0);
        let font = FontId::proportional(CAPTION);
        painter.text(place, Align2::CENTER_BOTTOM, words, font, page.theme.quiet);
    }
    let line = [pos2(lanes.left, bottom), pos2(lanes.right, bottom)];
    painter.line_segment(line, stroke);
}

fn playhead(ui: &Ui, page: &PageContext<'_>, lanes: TimeAxis, bottom: f32, response: &Response) {
    let x = lanes.x(page.document.time_secs());
    let painter = ui.painter();
    let lit = response.hovered() || response.dragged() || response.has_focus();
    let wide = if lit { 8.0 } else { 6.5 };
    let corners = [pos2(x - wide, bottom - 14.0), pos2(x + wide, bottom - 14.0), pos2(x, bottom)];
    painter.add(Shape::convex_polygon(
        corners.to_vec(),
        page.theme.accent,
        Stroke::new(1.5, page.theme.paper),
    ));
}

/// The time as a number to drag; its step is a frame.
fn number(time_secs: f64, lanes: TimeAxis) -> Scrub {
    Scrub::new("playhead", time_secs, "time, in seconds")
        .suffix(" s")
        .range(0.0..=lanes.length_secs)
        .step(lanes.frame_secs)
}

/// Time to where the pointer is, with Ctrl to the key next to it; true if it was
/// put there.
pub(super) fn scrub(
    ui: &Ui,
    response: &Response,
    page: &mut PageContext<'_>,
    lanes: TimeAxis,
) -> bool {
    let to_key = ui.input(|input| input.modifiers.command);
    // On the way to a key, wherever the pointer is leads to one.
    let now = if to_key { f64::NAN } else { page.document.time_secs() };
    let change = number(now, lanes).pointed_at(ui, response, |x| lanes.secs(x), None);
    match change {
        Some(ScrubChange::Set(secs)) => {
            let key = response
                .interact_pointer_pos()
                .filter(|_| to_key)
                .and_then(|at| page.document.nearest_key(&page.derived.rig, lanes.secs(at.x)));
            put_time(page, key.unwrap_or(secs));
        }
        Some(ScrubChange::Reset) => reset_time(page),
        None => {}
    }
    change.is_some()
}

/// Arrows: a frame; with Ctrl a key.
fn asked(ui: &Ui, response: &Response, page: &mut PageContext<'_>, lanes: TimeAxis) {
    let number = number(page.document.time_secs(), lanes);
    let to = if response.has_focus() {
        keep_arrows(ui, response.id, Arrows::All);
        by_arrow(ui, page)
    } else {
        None
    };
    let change = to.map(ScrubChange::Set);
    match change.or_else(|| number.asked(ui, response)) {
        Some(ScrubChange::Set(secs)) => {
            page.view.playing.stop();
            page.edits.push(Edit::param(TIME, secs));
        }
        Some(ScrubChange::Reset) => reset_time(page),
        None => {}
    }
}

fn by_arrow(ui: &Ui, page: &PageContext<'_>) -> Option<f64> {
    let (document, rig) = (page.document, &page.derived.rig);
    let pressed = |modifiers: Modifiers, key: Key| {
        ui.input_mut(|input| input.count_and_consume_key(modifiers, key)) > 0
    };
    for (keys, forward) in
        [([Key::ArrowRight, Key::ArrowUp], true), ([Key::ArrowLeft, Key::ArrowDown], false)]
    {
        if keys.map(|key| pressed(Modifiers::COMMAND, key)).contains(&true) {
            return document.neighbour_key(rig, forward);
        }
        let finely = ui.input(|input| input.modifiers.shift);
        if !finely && keys.map(|key| pressed(Modifiers::NONE, key)).contains(&true) {
            return Some(document.stepped(rig, forward));
        }
    }
    None
}
