//! Fingers: is the page worked with them, what does a finger that rests point at,
//! is a drag meant for a number or for the page, and has their keyboard come up.
//!
//! # Fingers, phones, keys
//!
//! `page/touch.rs` knows whether a finger or a mouse was used last, what a finger rests
//! on, and whether a drag is a number’s or the page’s; hit areas and buttons grow while
//! fingers are at work, the drawing stays. What hovering uncovers asks
//! `touch::is_pointed_at`. Which layout a page has follows from its width alone
//! (`page/page.rs`), on every platform: under 560 points it is a phone’s, with
//! `page/bench/sheet.rs` and `page/top_bar.rs`. Each command has its keys once,
//! and those in a browser beside them (`page/command.rs`); `app/keys.rs` says
//! whose a key is there. How soon a second tap came is told by the browser’s own times
//! (`app/browser/device.rs`), since frames may come late. A keyboard on the screen is an
//! inset of the page: all that is laid out moves up, and what is typed in scrolls into
//! sight.

use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    Context, Event, Id, InputOptions, InputState, Pos2, Rect, Response, Style, TouchDeviceId,
    TouchId, TouchPhase, Ui, vec2,
};

use crate::command::Command;

/// Least width and height of what is hit, drawing and room around it together, in
/// points.
pub const TARGET: f32 = 44.0;
/// How far from a finger something is still meant, in points.
pub const REACH: f32 = 12.0;
/// A finger that taps or rests moves no further than this, in points.
const STILL: f32 = 9.0;
/// A second tap comes as soon, in seconds.
const SECOND_TAP_SECS: f64 = 0.4;
/// Before this way, in points, nobody knows where a drag goes.
const UNDECIDED: f32 = 4.0;

/// What is known of fingers.
#[derive(Clone, Copy, Debug, Default)]
struct Fingers {
    at_work: bool,
    rest: Option<Rest>,
    /// Of the page in the last frame, in points.
    height: f32,
    /// Has something taken a part of the page in this frame: a keyboard, mostly?
    lower: bool,
}

/// A finger was held still there; what it points at stays shown until the next
/// touch, since the finger covers it.
#[derive(Clone, Copy, Debug)]
struct Rest {
    pos: Pos2,
    /// What would have been clicked, where something would.
    on: Option<Id>,
}

fn fingers(ctx: &Context) -> Fingers {
    ctx.data(|data| data.get_temp(Id::NULL)).unwrap_or_default()
}

/// The touch of no finger: says that the screen is one to be touched.
pub fn none() -> Event {
    Event::Touch {
        device_id: TouchDeviceId(0),
        id: TouchId(0),
        phase: TouchPhase::Cancel,
        pos: Pos2::ZERO,
        force: None,
    }
}

/// Was the last thing that moved a finger, and not a mouse?
pub fn is_at_work(ctx: &Context) -> bool {
    fingers(ctx).at_work
}

/// Once at the beginning of each frame.
pub fn begin_frame(ctx: &Context) {
    let before = fingers(ctx);
    let mut now = before;
    let long = ctx.options(|options| options.input_options.max_click_duration);
    let height = ctx.content_rect().height();
    now.lower = height < before.height - STILL;
    now.height = height;
    let on = ctx.interaction_snapshot(|seen| seen.long_touched);
    ctx.input(|input| {
        let is_touch = |event: &Event| matches!(event, Event::Touch { .. });
        let is_mouse =
            |event: &Event| matches!(event, Event::PointerMoved(_) | Event::MouseWheel { .. });
        if input.any_touches() || input.events.iter().any(is_touch) {
            now.at_work = true;
        } else if input.events.iter().any(is_mouse) {
            now.at_work = false;
        }
        let pointer = &input.pointer;
        if pointer.any_pressed() || !now.at_work {
            now.rest = None;
        }
        let began = pointer.press_start_time().zip(pointer.press_origin());
        if let Some((since_secs, pos)) = began.filter(|_| now.at_work && input.any_touches()) {
            let here = pointer.interact_pos().unwrap_or(pos);
            let rests = here.distance(pos) <= STILL && input.multi_touch().is_none();
            if rests && now.rest.is_none() && input.time - since_secs >= long {
                now.rest = Some(Rest { pos, on });
            }
        }
    });
    if now.rest.is_some() != before.rest.is_some() {
        // What is lit by it stands before and after it on the page.
        ctx.request_repaint();
    }
    ctx.data_mut(|data| data.insert_temp(Id::NULL, now));
}

/// Has the page become lower with this frame, as when a keyboard comes up?
pub fn is_page_lower(ctx: &Context) -> bool {
    fingers(ctx).lower
}

/// Does a finger rest on it, or did one until it was lifted?
pub fn rests_on(response: &Response) -> bool {
    let Some(rest) = fingers(&response.ctx).rest else {
        return false;
    };
    let sense = response.sense;
    if sense.senses_click() || sense.senses_drag() {
        return rest.on == Some(response.id);
    }
    let layer = response.ctx.layer_id_at(rest.pos);
    response.interact_rect.contains(rest.pos)
        && layer.is_none_or(|layer| layer == response.layer_id)
}

/// Is it pointed at, by a mouse or by a finger that rests?
pub fn is_pointed_at(response: &Response) -> bool {
    response.hovered() || rests_on(response)
}

/// Is this drag of a finger not meant for what it began on? Up and down, it scrolls
/// the page, which is done here; at its very beginning nobody knows.
pub fn scrolls_page(ui: &Ui, response: &Response) -> bool {
    if !is_at_work(ui.ctx()) || !response.dragged() {
        return false;
    }
    let id = response.id.with("goes up or down");
    if response.drag_started() {
        ui.data_mut(|data| data.remove::<bool>(id));
    }
    let decided = ui.data(|data| data.get_temp::<bool>(id));
    let way = response.total_drag_delta().unwrap_or_default();
    let (upright, by) = match decided {
        Some(upright) => (upright, response.drag_delta().y),
        None if way.length() < UNDECIDED => return true,
        None => (way.y.abs() > way.x.abs(), way.y),
    };
    ui.data_mut(|data| data.insert_temp(id, upright));
    if upright {
        follow(ui, by);
    }
    upright
}

/// After what scrolls only sideways: a finger that goes up or down there scrolls
/// the page. `area`: its id.
pub fn pass_on(ui: &Ui, area: Id) {
    let background = ui.ctx().read_response(area.with("area"));
    if let Some(background) = background.filter(Response::dragged) {
        follow(ui, background.drag_delta().y);
    }
}

/// The page goes with the finger, once a frame.
fn follow(ui: &Ui, by: f32) {
    if ui.ctx().current_pass_index() == 0 {
        ui.scroll_with_delta_animation(vec2(0.0, by), ScrollAnimation::none());
    }
}

/// What is hit grows, and buttons with it; what is drawn else stays.
pub fn enlarge(style: &mut Style) {
    style.interaction.interact_radius = REACH;
    style.spacing.interact_size = vec2(TARGET, TARGET - 8.0);
    style.spacing.button_padding = vec2(12.0, 8.0);
    style.spacing.scroll.bar_width = 4.0;
}

/// How far a click may move, how long it may last, and how soon a second one follows: a finger is less
/// steady than a mouse.
pub fn steady(options: &mut InputOptions, touched: bool) {
    let usual = InputOptions::default();
    options.max_click_duration = usual.max_click_duration;
    options.max_click_dist = if touched { STILL } else { usual.max_click_dist };
    options.max_double_click_delay =
        if touched { SECOND_TAP_SECS } else { usual.max_double_click_delay };
}

/// How far two fingers move apart until type is a size larger.
const PINCH: f32 = 1.1;

/// Two fingers on the prose change the size of type, by the steps that the commands have.
pub(crate) fn pinch(ui: &Ui, prose: Rect, pinched: &mut f32, commands: &mut Vec<Command>) {
    let fingers = ui.input(InputState::multi_touch);
    let Some(fingers) = fingers.filter(|fingers| prose.contains(fingers.start_pos)) else {
        *pinched = 0.0;
        return;
    };
    *pinched = if *pinched == 0.0 { 1.0 } else { *pinched } * fingers.zoom_delta;
    let size = match *pinched {
        apart if apart >= PINCH => Command::ZoomIn,
        apart if apart <= 1.0 / PINCH => Command::ZoomOut,
        _ => return,
    };
    commands.push(size);
    *pinched = 1.0;
}
