//! Clips over time: play, scrub, keys of every channel.

mod controls;
mod key_nodes;
mod key_words;
mod lane;
mod rows;
mod ruler;
#[cfg(test)]
mod tests;
mod time_axis;

use bindpose_lesson::TimelineCell;
use bindpose_notebook::Edit;
use bindpose_skin::JointIndex;
use eframe::egui::{Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

use crate::PageContext;
use crate::widgets::scroll_box;
use rows::TimelineRow;
use time_axis::TimeAxis;

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
    advance(ui, page);
    controls::clips(ui, cell, id, page);
    let length_secs = page.document.length_secs(&rig);
    if page.document.state.playback.clip.is_none() || length_secs <= 0.0 {
        let words = match page.document.state.playback.clip {
            None => "No clip plays: the model stands in its rest pose.",
            Some(_) => "This clip has one moment: there is nothing to play.",
        };
        ui.label(RichText::new(words).color(page.theme.quiet));
        return;
    }
    controls::transport(ui, id, page, length_secs);
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
    ruler::ui(ui, page, lanes);
    if !cell.no_keys {
        keys(ui, id, page, lanes, gutter);
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
    let dt_secs = f64::from(ui.input(|input| input.stable_dt)).min(0.1) * motion.speed;
    // From the end there is only the beginning to go to.
    let again = begins && document.time_secs() > length_secs - 1e-6;
    let (time_secs, stops) = if again { (0.0, false) } else { document.played_on(rig, dt_secs) };
    motion.playing = !stops;
    page.edits.push(Edit::PlayTo { time_secs, begins });
    ui.ctx().request_repaint();
}

/// The rows, in a box that scrolls where there are many.
fn keys(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, lanes: TimeAxis, gutter: f32) {
    let rig = std::sync::Arc::clone(&page.derived.rig);
    let rows = rows::timeline_rows(page.document, &rig);
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
        ruler::scrub(ui, &response, page, lanes);
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
