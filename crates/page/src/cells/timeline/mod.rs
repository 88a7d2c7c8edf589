//! Clips over time: playback, a ruler with a playhead, and the keys of every channel.

mod controls;
mod rows;
#[cfg(test)]
mod tests;
mod time_axis;

use std::sync::Arc;

use bindpose_kit::theme::CAPTION_SIZE;
use bindpose_kit::widgets::{Arrows, Scrub, ScrubChange, keep_arrows, scroll_box};
use bindpose_lesson::{TimelineCell, number_text};
use bindpose_notebook::{Edit, TIME_PARAM};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, CursorIcon, FontId, Key, Modifiers, Rangef, Rect, Response, RichText, Role, Sense,
    Shape, Stroke, Ui, pos2, vec2,
};

use crate::PageContext;
use crate::reader_presence::request_frame;
use crate::view::Autoplay;
use rows::TimelineRow;
use time_axis::{TimeAxis, reset_time, set_time};

/// Width of the gutter with the names, left of the axis.
const GUTTER_WIDTH_PTS: Rangef = Rangef { min: 96.0, max: 190.0 };
/// Space right of the axis, for half a tick label and the scroll bar.
const RIGHT_MARGIN_PTS: f32 = 18.0;

/// The joint that was selected when the rows were last drawn.
#[derive(Default)]
struct LastSelectedJoint(Option<JointIndex>);

pub(super) fn ui(ui: &mut Ui, cell: &TimelineCell, id: &str, page: &mut PageContext<'_>) {
    let rig = Arc::clone(&page.derived.rig);
    if rig.clips.is_empty() {
        let text = "This model came without clips: there is nothing to play.";
        ui.label(RichText::new(text).color(page.theme.quiet));
        return;
    }
    if cell.plays {
        update_autoplay(ui, page);
    }
    advance_time(ui, page);
    if cell.only_play {
        controls::play_ui(ui, page);
        return;
    }
    controls::clip_controls(ui, cell, id, page);
    let length_secs = page.document.length_secs(&rig);
    if page.document.state.playback.clip.is_none() || length_secs <= 0.0 {
        let text = match page.document.state.playback.clip {
            None => "No clip plays: the model is in its rest pose.",
            Some(_) => "This clip has one moment: there is nothing to play.",
        };
        ui.label(RichText::new(text).color(page.theme.quiet));
        return;
    }
    controls::transport_controls(ui, id, page, length_secs);
    let width = ui.available_width();
    let gutter_width = GUTTER_WIDTH_PTS.clamp(width * 0.28);
    let left = ui.available_rect_before_wrap().left();
    let axis = TimeAxis {
        left: left + gutter_width,
        right: left + (width - RIGHT_MARGIN_PTS).max(gutter_width + 40.0),
        length_secs,
        frame_secs: page.document.frame_secs(&rig),
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    ruler_ui(ui, page, axis);
    if !cell.no_keys {
        rows_ui(ui, id, page, axis, gutter_width);
    }
}

/// Starts the clip when its step is entered, and stops it after a while without input. If
/// the reader prefers no motion, the clip does not move until it is started.
fn update_autoplay(ui: &Ui, page: &mut PageContext<'_>) {
    let wants_motion = page.view.wants_motion(ui);
    let playing = &mut page.view.playing;
    let Some(autoplay) = &mut playing.autoplay else {
        if wants_motion && ui.input(|input| input.focused) {
            playing.autoplay = Some(Autoplay::default());
            playing.clip.playing = true;
        }
        return;
    };
    // A reader who stops the clip, or starts it again, takes control of it.
    autoplay.has_ended |= !playing.clip.playing;
    let continues = autoplay.reader.is_there(ui) && wants_motion;
    if !autoplay.has_ended && !continues {
        autoplay.has_ended = true;
        playing.clip.playing = false;
    }
}

/// Advances the time of a playing clip, once per frame even if the page has two timelines.
fn advance_time(ui: &Ui, page: &mut PageContext<'_>) {
    let document = page.document;
    let rig = &page.derived.rig;
    let length_secs = document.length_secs(rig);
    let is_driven = std::mem::replace(&mut page.view.playing.clip.driven, length_secs > 0.0);
    let motion = &mut page.view.playing.clip;
    if !motion.playing {
        motion.has_begun = false;
        return;
    }
    if is_driven || length_secs <= 0.0 || ui.ctx().current_pass_index() > 0 {
        return;
    }
    let begins = !std::mem::replace(&mut motion.has_begun, true);
    let dt_secs = f64::from(ui.input(|input| input.unstable_dt)).min(0.1) * motion.speed;
    let is_at_end = document.time_secs() > length_secs - 1e-6;
    let (time_secs, stops) = if begins && is_at_end {
        // Playing from the end starts over.
        (0.0, false)
    } else {
        document.played_on(rig, dt_secs)
    };
    motion.playing = !stops;
    let is_autoplay = page.view.playing.autoplay.is_some_and(|autoplay| !autoplay.has_ended);
    page.requests.edits.push(Edit::PlayTo { time_secs, begins: begins && !is_autoplay });
    if is_autoplay {
        request_frame(ui, page.limits);
    } else {
        ui.ctx().request_repaint();
    }
}

/// Draws the rows in a scroll box, and the legend below it.
fn rows_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, axis: TimeAxis, gutter_width: f32) {
    let rig = Arc::clone(&page.derived.rig);
    let rows = rows::timeline_rows(page.document, &rig);
    let height = (ui.ctx().content_rect().height() * 0.3).clamp(120.0, 340.0);
    let scroll_offset = scroll_to_selected_joint(page, id, &rows, height);
    scroll_box((id, "keys"), height, scroll_offset).show(ui, |ui| {
        let top = ui.next_widget_position().y;
        for (index, row) in rows.iter().enumerate() {
            rows::row_ui(ui, (id, index), row, page, axis, gutter_width);
        }
        let bottom = ui.next_widget_position().y;
        let x = axis.x(page.document.time_secs());
        let playhead = [pos2(x, top), pos2(x, bottom)];
        ui.painter().line_segment(playhead, Stroke::new(1.5, page.theme.accent));
        let curves = Rect::from_min_max(pos2(axis.left, top), pos2(axis.right, bottom));
        let visible = curves.expand2(vec2(6.0, 0.0)).intersect(ui.clip_rect());
        // Not focusable, because the ruler above does the same for the keyboard.
        let response = ui.interact(visible, ui.scope_id().with((id, "lanes")), Sense::DRAG);
        drag_playhead(ui, &response, page, axis);
    });
    legend_ui(ui, page, &rows);
}

/// Returns the scroll offset that brings the rows of a newly selected joint into view, in
/// points. Returns `None` in all other frames, and if all rows fit.
fn scroll_to_selected_joint(
    page: &mut PageContext<'_>,
    id: &str,
    rows: &[TimelineRow<'_>],
    visible_height: f32,
) -> Option<f32> {
    let joint = page.document.state.joint;
    let last_joint = page.state::<LastSelectedJoint>(id).0.replace(joint);
    let total_height: f32 = rows.iter().map(TimelineRow::height).sum();
    if last_joint == Some(joint) || total_height <= visible_height {
        return None;
    }
    let first = rows.iter().position(|row| row.joint() == Some(joint))?;
    let height_above: f32 = rows.iter().take(first).map(TimelineRow::height).sum();
    Some((height_above - 30.0).clamp(0.0, total_height - visible_height))
}

/// Explains the marks and curves of the open channels.
fn legend_ui(ui: &mut Ui, page: &PageContext<'_>, rows: &[TimelineRow<'_>]) {
    let mut parts: Vec<&str> = Vec::new();
    for row in rows {
        if let TimelineRow::Channel(channel) = row {
            let part = rows::interpolation_legend(channel.track.interpolation);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    parts.push("x red, y green, z blue, w grey");
    parts.push(if ui.ctx().os().is_mac() {
        "Command while dragging: from key to key"
    } else {
        "Ctrl while dragging: from key to key"
    });
    ui.add_space(4.0);
    ui.label(page.theme.caption(format!("{}.", parts.join(" · "))));
    ui.spacing_mut().item_spacing.y = 8.0;
}

// The ruler with the playhead, which can be dragged anywhere along it.

const RULER_HEIGHT_PTS: f32 = 40.0;
/// Minimum distance between two tick labels.
const MIN_TICK_DISTANCE_PTS: f32 = 56.0;
/// Intervals between ticks, in seconds.
const TICK_INTERVALS_SECS: [f64; 13] =
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0];

/// Draws ticks in seconds, frames if there is room for them, and the playhead.
fn ruler_ui(ui: &mut Ui, page: &mut PageContext<'_>, axis: TimeAxis) {
    let size = vec2(ui.available_width(), RULER_HEIGHT_PTS);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let hit_rect = Rect::from_x_y_ranges(axis.left - 8.0..=axis.right + 8.0, rect.y_range());
    let response = ui
        .interact(hit_rect, ui.scope_id().with("playhead"), Sense::click_and_drag())
        .on_hover_cursor(CursorIcon::ResizeHorizontal);
    playhead_scrub(page.document.time_secs(), axis).describe(ui, &response, Role::Slider);
    draw_ticks(ui, page, axis, rect.bottom());
    draw_playhead(ui, page, axis, rect.bottom(), &response);
    if !drag_playhead(ui, &response, page, axis) {
        handle_playhead_keys(ui, &response, page, axis);
    }
}

fn draw_ticks(ui: &Ui, page: &PageContext<'_>, axis: TimeAxis, bottom: f32) {
    let painter = ui.painter();
    let stroke = Stroke::new(1.0, page.theme.quiet);
    let points_per_sec = f64::from(axis.width()) / axis.length_secs;
    if points_per_sec * axis.frame_secs >= 5.0 {
        let (_, last) = page.document.frames(&page.derived.rig);
        for frame in 0..=last.min(2000) {
            let x = axis.x(f64::from(frame) * axis.frame_secs);
            painter.vline(x, bottom - 5.0..=bottom, Stroke::new(1.0, page.theme.rule));
        }
    }
    let interval_secs = TICK_INTERVALS_SECS
        .into_iter()
        .find(|secs| secs * points_per_sec >= f64::from(MIN_TICK_DISTANCE_PTS))
        .unwrap_or(axis.length_secs);
    let decimals = usize::from(interval_secs < 1.0);
    let count = (axis.length_secs / interval_secs + 1e-6) as u32;
    for tick in 0..=count.min(500) {
        let secs = f64::from(tick) * interval_secs;
        let x = axis.x(secs);
        painter.vline(x, bottom - 8.0..=bottom, stroke);
        let mut text = number_text::fixed(secs, decimals);
        if tick == 0 {
            text.push_str(" s");
        }
        let font = FontId::proportional(CAPTION_SIZE);
        let position = pos2(x, bottom - 17.0);
        painter.text(position, Align2::CENTER_BOTTOM, text, font, page.theme.quiet);
    }
    let line = [pos2(axis.left, bottom), pos2(axis.right, bottom)];
    painter.line_segment(line, stroke);
}

fn draw_playhead(
    ui: &Ui,
    page: &PageContext<'_>,
    axis: TimeAxis,
    bottom: f32,
    response: &Response,
) {
    let x = axis.x(page.document.time_secs());
    let is_lit = response.hovered() || response.dragged() || response.has_focus();
    let half_width = if is_lit { 8.0 } else { 6.5 };
    let top = bottom - 14.0;
    let corners = vec![pos2(x - half_width, top), pos2(x + half_width, top), pos2(x, bottom)];
    let stroke = Stroke::new(1.5, page.theme.paper);
    ui.painter().add(Shape::convex_polygon(corners, page.theme.accent, stroke));
}

/// The time as a number to drag, in steps of one frame.
fn playhead_scrub(time_secs: f64, axis: TimeAxis) -> Scrub {
    Scrub::new("playhead", time_secs, "time, in seconds")
        .suffix(" s")
        .range(0.0..=axis.length_secs)
        .step(axis.frame_secs)
}

/// Moves the playhead to the pointer, or with Ctrl to the key nearest to it. Returns true
/// if the pointer changed the time.
fn drag_playhead(ui: &Ui, response: &Response, page: &mut PageContext<'_>, axis: TimeAxis) -> bool {
    let snaps_to_key = ui.input(|input| input.modifiers.command);
    // A scrub reports a change only if its value differs from the pointer's, and the
    // pointer may be at the current time while the nearest key is not. NaN always differs.
    let time_secs = if snaps_to_key { f64::NAN } else { page.document.time_secs() };
    let change = playhead_scrub(time_secs, axis).drag_on_rail(ui, response, axis.rail(), None);
    match change {
        Some(ScrubChange::Set(secs)) => {
            let key_secs = response
                .interact_pointer_pos()
                .filter(|_| snaps_to_key)
                .and_then(|at| page.document.nearest_key(&page.derived.rig, axis.secs(at.x)));
            set_time(page, key_secs.unwrap_or(secs));
        }
        Some(ScrubChange::Reset) => reset_time(page),
        None => {}
    }
    change.is_some()
}

/// Moves the playhead by the keyboard or by a screen reader. An arrow moves it by one
/// frame, with Ctrl to the next key.
fn handle_playhead_keys(ui: &Ui, response: &Response, page: &mut PageContext<'_>, axis: TimeAxis) {
    let scrub = playhead_scrub(page.document.time_secs(), axis);
    let arrow_target_secs = if response.has_focus() {
        keep_arrows(ui, response.id, Arrows::All);
        time_after_arrow(ui, page)
    } else {
        None
    };
    let change = arrow_target_secs.map(ScrubChange::Set);
    match change.or_else(|| scrub.find_change(ui, response)) {
        Some(ScrubChange::Set(secs)) => {
            page.view.playing.stop();
            page.requests.edits.push(Edit::param(TIME_PARAM, secs));
        }
        Some(ScrubChange::Reset) => reset_time(page),
        None => {}
    }
}

/// Returns the time to which a pressed arrow key moves the playhead, in seconds.
fn time_after_arrow(ui: &Ui, page: &PageContext<'_>) -> Option<f64> {
    let rig = &page.derived.rig;
    for (keys, forward) in
        [([Key::ArrowRight, Key::ArrowUp], true), ([Key::ArrowLeft, Key::ArrowDown], false)]
    {
        if consume_any_key(ui, Modifiers::COMMAND, keys) {
            return page.document.neighbour_key(rig, forward);
        }
        // With Shift, the scrub moves by a tenth of a frame.
        let is_fine = ui.input(|input| input.modifiers.shift);
        if !is_fine && consume_any_key(ui, Modifiers::NONE, keys) {
            return Some(page.document.stepped(rig, forward));
        }
    }
    None
}

/// Consumes all presses of both keys. Returns true if there were any.
fn consume_any_key(ui: &Ui, modifiers: Modifiers, keys: [Key; 2]) -> bool {
    ui.input_mut(|input| {
        keys.map(|key| input.count_and_consume_key(modifiers, key)).iter().any(|count| *count > 0)
    })
}
