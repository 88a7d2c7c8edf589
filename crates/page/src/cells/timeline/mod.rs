//! Clips over time: play, scrub, keys of every channel.

mod lane;
#[cfg(test)]
mod tests;
mod time_axis;

use bindpose_lesson::TimelineCell;
use bindpose_notebook::{Edit, TIME_PARAM, number_text};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, CursorIcon, FontId, Key, Modifiers, Rect, Response, RichText, Role, Sense, Shape,
    Stroke, Ui, pos2, vec2,
};

use crate::PageContext;
use crate::reader_presence::request_frame;
use crate::theme::CAPTION;
use crate::view::PlaysByItself;
use crate::widgets::{Arrows, Scrub, ScrubChange, keep_arrows, scroll_box};
use time_axis::{TimeAxis, TimelineRow, put_time, reset_time};

/// Left of the lanes, with the names.
const GUTTER: (f32, f32) = (96.0, 190.0);
/// Right of the lanes, for half a tick's text and the bar of the box.
const RIGHT: f32 = 18.0;

/// The joint that was chosen when the rows were last drawn.
#[derive(Default)]
struct SeenJoint(Option<JointIndex>);

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &TimelineCell, id: &str, page: &mut PageContext<'_>) {
    let rig = std::sync::Arc::clone(&page.derived.rig);
    if rig.clips.is_empty() {
        let words = "This model came without clips: there is nothing to play.";
        ui.label(RichText::new(words).color(page.theme.quiet));
        return;
    }
    if cell.plays {
        play_by_itself(ui, page);
    }
    advance(ui, page);
    if cell.only_play {
        time_axis::play_ui(ui, page);
        return;
    }
    time_axis::clip_controls(ui, cell, id, page);
    let length_secs = page.document.length_secs(&rig);
    if page.document.state.playback.clip.is_none() || length_secs <= 0.0 {
        let words = match page.document.state.playback.clip {
            None => "No clip plays: the model is in its rest pose.",
            Some(_) => "This clip has one moment: there is nothing to play.",
        };
        ui.label(RichText::new(words).color(page.theme.quiet));
        return;
    }
    time_axis::transport_controls(ui, id, page, length_secs);
    let wide = ui.available_width();
    let gutter = (wide * 0.28).clamp(GUTTER.0, GUTTER.1);
    let left = ui.available_rect_before_wrap().left();
    let lanes = TimeAxis {
        left: left + gutter,
        right: left + (wide - RIGHT).max(gutter + 40.0),
        length_secs,
        frame_secs: page.document.frame_secs(&rig),
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    ruler_ui(ui, page, lanes);
    if !cell.no_keys {
        keys(ui, id, page, lanes, gutter);
    }
}

/// Starts the clip when its step is entered, and stops it when nobody has done anything
/// for a while. Where no motion is wanted it stands still until it is started.
fn play_by_itself(ui: &Ui, page: &mut PageContext<'_>) {
    let wanted = page.view.wants_motion(ui);
    let playing = &mut page.view.playing;
    let Some(own) = &mut playing.by_itself else {
        if wanted && ui.input(|input| input.focused) {
            playing.by_itself = Some(PlaysByItself::default());
            playing.clip.playing = true;
        }
        return;
    };
    // A reader who stops it, or starts it again, has it in hand.
    own.over |= !playing.clip.playing;
    let goes_on = own.reader.is_there(ui) && wanted;
    if !own.over && !goes_on {
        own.over = true;
        playing.clip.playing = false;
    }
}

/// Moves time on while it plays.
fn advance(ui: &Ui, page: &mut PageContext<'_>) {
    let (document, rig) = (page.document, &page.derived.rig);
    let length_secs = document.length_secs(rig);
    let second = std::mem::replace(&mut page.view.playing.clip.driven, length_secs > 0.0);
    let motion = &mut page.view.playing.clip;
    if !motion.playing {
        motion.begun = false;
        return;
    }
    if second || length_secs <= 0.0 || ui.ctx().current_pass_index() > 0 {
        return;
    }
    let begins = !std::mem::replace(&mut motion.begun, true);
    let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(0.1) * motion.speed;
    // From the end there is only the beginning to go to.
    let again = begins && document.time_secs() > length_secs - 1e-6;
    let (time_secs, stops) = if again { (0.0, false) } else { document.played_on(rig, dt_secs) };
    motion.playing = !stops;
    let by_itself = page.view.playing.by_itself.is_some_and(|own| !own.over);
    page.edits.push(Edit::PlayTo { time_secs, begins: begins && !by_itself });
    if by_itself {
        request_frame(ui, page.limits);
    } else {
        ui.ctx().request_repaint();
    }
}

/// The rows, in a box that scrolls where there are many.
fn keys(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, lanes: TimeAxis, gutter: f32) {
    let rig = std::sync::Arc::clone(&page.derived.rig);
    let rows = time_axis::timeline_rows(page.document, &rig);
    let height = (ui.ctx().content_rect().height() * 0.3).clamp(120.0, 340.0);
    let jump = jump(page, id, &rows, height);
    scroll_box((id, "keys"), height, jump).show(ui, |ui| {
        let top = ui.next_widget_position();
        for (index, row) in rows.iter().enumerate() {
            lane::ui(ui, (id, index), row, page, lanes, gutter);
        }
        let bottom = ui.next_widget_position().y;
        let all = Rect::from_min_max(pos2(lanes.left, top.y), pos2(lanes.right, bottom));
        let x = lanes.x(page.document.time_secs());
        let line = [pos2(x, top.y), pos2(x, bottom)];
        ui.painter().line_segment(line, Stroke::new(1.5, page.theme.accent));
        let seen = all.expand2(vec2(6.0, 0.0)).intersect(ui.clip_rect());
        // No stop for Tab: the ruler above does the same.
        let response = ui.interact(seen, ui.scope_id().with((id, "lanes")), Sense::DRAG);
        scrub_ruler(ui, &response, page, lanes);
    });
    legend(ui, page, &rows);
}

/// Once, when another joint is chosen and its rows are not at the top: where to
/// scroll.
fn jump(
    page: &mut PageContext<'_>,
    id: &str,
    rows: &[TimelineRow<'_>],
    height: f32,
) -> Option<f32> {
    let joint = page.document.state.joint;
    let before = page.state::<SeenJoint>(id).0.replace(joint);
    let all: f32 = rows.iter().map(TimelineRow::height).sum();
    if before == Some(joint) || all <= height {
        return None;
    }
    let first = rows.iter().position(|row| row.joint() == Some(joint))?;
    let above: f32 = rows.iter().take(first).map(TimelineRow::height).sum();
    Some((above - 30.0).clamp(0.0, all - height))
}

/// What marks and lines are; only of what is shown.
fn legend(ui: &mut Ui, page: &PageContext<'_>, rows: &[TimelineRow<'_>]) {
    let mut words: Vec<&str> = Vec::new();
    for row in rows {
        if let TimelineRow::Channel(channel) = row {
            let of_kind = lane::words_for(channel.track.interpolation);
            if !words.contains(&of_kind) {
                words.push(of_kind);
            }
        }
    }
    words.push("x red, y green, z blue, w grey");
    let to_keys = if ui.ctx().os().is_mac() {
        "Command while dragging: from key to key"
    } else {
        "Ctrl while dragging: from key to key"
    };
    words.push(to_keys);
    ui.add_space(4.0);
    let words = format!("{}.", words.join(" · "));
    ui.label(page.theme.caption(words));
    ui.spacing_mut().item_spacing.y = 8.0;
}

// The ruler with the playhead, which can be dragged anywhere along it.

const HEIGHT: f32 = 40.0;
/// Least distance of labels.
const APART: f32 = 56.0;
/// Distances of ticks, in seconds.
const STEPS: [f64; 13] =
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0];

/// Ticks in seconds, frames where there is room for them, and the playhead.
fn ruler_ui(ui: &mut Ui, page: &mut PageContext<'_>, lanes: TimeAxis) {
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
    if !scrub_ruler(ui, &response, page, lanes) {
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
fn scrub_ruler(ui: &Ui, response: &Response, page: &mut PageContext<'_>, lanes: TimeAxis) -> bool {
    let to_key = ui.input(|input| input.modifiers.command);
    // On the way to a key, wherever the pointer is leads to one.
    let now = if to_key { f64::NAN } else { page.document.time_secs() };
    let change = number(now, lanes).pointed_at(ui, response, lanes.rail(), None);
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
            page.edits.push(Edit::param(TIME_PARAM, secs));
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
