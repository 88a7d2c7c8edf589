//! Touch input: whether the page is used by touch, the long press that replaces hovering,
//! drags that scroll the page, and the keyboard on the screen.
//!
//! This module tracks whether a finger or a mouse was used last, which widget a resting
//! finger points at, and whether a drag belongs to a number or scrolls the page. During
//! touch input, hit areas and buttons grow, all else is drawn as before. Things that appear
//! on hovering use [`is_pointed_at`].
//!
//! Double taps are detected by the browser's own timestamps (`app/host/browser/device.rs`),
//! because frames may be late. A keyboard on the screen is an inset of the page: the whole
//! layout moves up, and the focused text field scrolls into view.

use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    Context, Event, Id, InputOptions, InputState, Pos2, Rect, Response, Style, TouchDeviceId,
    TouchId, TouchPhase, Ui, vec2,
};

/// Minimum width and height of a touch target including the room around it, in points.
pub const MIN_TARGET_SIZE_PTS: f32 = 44.0;
/// Maximum distance between a touch and the widget that it hits, in points.
pub const MAX_HIT_DISTANCE_PTS: f32 = 12.0;
/// Maximum movement of a tap or a long press, in points.
const MAX_TAP_MOVEMENT: f32 = 9.0;
/// Maximum time between the taps of a double tap.
const MAX_DOUBLE_TAP_SECS: f64 = 0.4;
/// Drag distance, in points, at which its direction is decided.
const DIRECTION_DISTANCE: f32 = 4.0;

/// State of touch input that is kept between frames.
#[derive(Clone, Copy, Debug, Default)]
struct TouchState {
    /// True if a finger was used last, false if a mouse was.
    is_active: bool,
    long_press: Option<LongPress>,
    /// Height of the page in the last frame, in points.
    page_height: f32,
    /// True if the page has become lower in this frame, usually by a keyboard on the screen.
    is_page_lower: bool,
}

/// A long press. It remains until the next touch, because the finger covers what it shows.
#[derive(Clone, Copy, Debug)]
struct LongPress {
    pos: Pos2,
    /// Widget at the position that senses clicks or drags.
    widget: Option<Id>,
}

fn load_state(ctx: &Context) -> TouchState {
    ctx.data(|data| data.get_temp(Id::NULL)).unwrap_or_default()
}

/// Returns a cancelled touch event, which marks the screen as a touch screen.
pub fn cancelled_touch_event() -> Event {
    Event::Touch {
        device_id: TouchDeviceId(0),
        id: TouchId(0),
        phase: TouchPhase::Cancel,
        pos: Pos2::ZERO,
        force: None,
    }
}

/// Returns true if a finger was used last, and not a mouse.
pub fn is_touch_active(ctx: &Context) -> bool {
    load_state(ctx).is_active
}

/// Updates the state of touch input. Called at the start of each frame.
pub fn begin_frame(ctx: &Context) {
    let last_state = load_state(ctx);
    let mut state = last_state;
    let long_press_secs = ctx.options(|options| options.input_options.max_click_duration);
    state.page_height = ctx.content_rect().height();
    state.is_page_lower = state.page_height < last_state.page_height - MAX_TAP_MOVEMENT;
    let widget = ctx.interaction_snapshot(|snapshot| snapshot.long_touched);
    ctx.input(|input| {
        let has_touched = input.events.iter().any(|event| matches!(event, Event::Touch { .. }));
        let has_used_mouse = input
            .events
            .iter()
            .any(|event| matches!(event, Event::PointerMoved(_) | Event::MouseWheel { .. }));
        if input.any_touches() || has_touched {
            state.is_active = true;
        } else if has_used_mouse {
            state.is_active = false;
        }
        let pointer = &input.pointer;
        if pointer.any_pressed() || !state.is_active {
            state.long_press = None;
        }
        if state.is_active
            && state.long_press.is_none()
            && input.any_touches()
            && input.multi_touch().is_none()
            && let Some(pressed_secs) = pointer.press_start_time()
            && let Some(pos) = pointer.press_origin()
        {
            let current_pos = pointer.interact_pos().unwrap_or(pos);
            let is_still = current_pos.distance(pos) <= MAX_TAP_MOVEMENT;
            if is_still && input.time - pressed_secs >= long_press_secs {
                state.long_press = Some(LongPress { pos, widget });
            }
        }
    });
    if state.long_press.is_some() != last_state.long_press.is_some() {
        // Other widgets that a long press highlights may already have been drawn.
        ctx.request_repaint();
    }
    ctx.data_mut(|data| data.insert_temp(Id::NULL, state));
}

/// Returns true if the page has become lower in this frame, as when a keyboard appears on the
/// screen.
pub fn is_page_lower(ctx: &Context) -> bool {
    load_state(ctx).is_page_lower
}

/// Returns true if the last touch was a long press on the widget.
pub fn is_long_pressed(response: &Response) -> bool {
    let Some(long_press) = load_state(&response.ctx).long_press else {
        return false;
    };
    let sense = response.sense;
    if sense.senses_click() || sense.senses_drag() {
        return long_press.widget == Some(response.id);
    }
    let layer = response.ctx.layer_id_at(long_press.pos);
    response.interact_rect.contains(long_press.pos)
        && layer.is_none_or(|layer| layer == response.layer_id)
}

/// Returns true if a mouse or a long press points at the widget.
pub fn is_pointed_at(response: &Response) -> bool {
    response.hovered() || is_long_pressed(response)
}

/// Returns true if the widget must ignore this drag of a finger.
///
/// A vertical drag scrolls the page, which this function does. Before the direction of a drag
/// is decided, the widget ignores it, too.
pub fn scroll_page_instead(ui: &Ui, response: &Response) -> bool {
    if !is_touch_active(ui.ctx()) || !response.dragged() {
        return false;
    }
    let id = response.id.with("goes up or down");
    if response.drag_started() {
        ui.data_mut(|data| data.remove::<bool>(id));
    }
    let decided_vertical = ui.data(|data| data.get_temp::<bool>(id));
    let total_drag = response.total_drag_delta().unwrap_or_default();
    let (is_vertical, scroll_y) = match decided_vertical {
        Some(is_vertical) => (is_vertical, response.drag_delta().y),
        None if total_drag.length() < DIRECTION_DISTANCE => return true,
        None => (total_drag.y.abs() > total_drag.x.abs(), total_drag.y),
    };
    ui.data_mut(|data| data.insert_temp(id, is_vertical));
    if is_vertical {
        scroll_page_by(ui, scroll_y);
    }
    is_vertical
}

/// Scrolls the page by vertical drags on an area that only scrolls horizontally. Called after
/// the area with its id.
pub fn scroll_page_from(ui: &Ui, area: Id) {
    let background = ui.ctx().read_response(area.with("area"));
    if let Some(background) = background.filter(Response::dragged) {
        scroll_page_by(ui, background.drag_delta().y);
    }
}

/// Scrolls the page once a frame.
fn scroll_page_by(ui: &Ui, delta_y: f32) {
    if ui.ctx().current_pass_index() == 0 {
        ui.scroll_with_delta_animation(vec2(0.0, delta_y), ScrollAnimation::none());
    }
}

/// Enlarges hit areas and buttons for fingers. All else is drawn as before.
pub fn enlarge(style: &mut Style) {
    style.interaction.interact_radius = MAX_HIT_DISTANCE_PTS;
    style.spacing.interact_size = vec2(MIN_TARGET_SIZE_PTS, MIN_TARGET_SIZE_PTS - 8.0);
    style.spacing.button_padding = vec2(12.0, 8.0);
    style.spacing.scroll.bar_width = 4.0;
}

/// Sets the movement, duration and delay limits of clicks. A finger is less steady than a
/// mouse.
pub fn set_click_limits(options: &mut InputOptions, is_touch: bool) {
    let defaults = InputOptions::default();
    options.max_click_duration = defaults.max_click_duration;
    options.max_click_dist = if is_touch { MAX_TAP_MOVEMENT } else { defaults.max_click_dist };
    options.max_double_click_delay =
        if is_touch { MAX_DOUBLE_TAP_SECS } else { defaults.max_double_click_delay };
}

/// Zoom factor of a pinch that changes the type by one size.
const PINCH_FACTOR: f32 = 1.1;

/// Direction of a pinch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinch {
    /// The fingers move apart.
    Out,
    In,
}

/// Returns the direction of a pinch on `area` whenever it has zoomed by another
/// tenth.
///
/// `zoom` is the factor since the last one, or 0 without a pinch.
pub fn pinch(ui: &Ui, area: Rect, zoom: &mut f32) -> Option<Pinch> {
    let multi_touch = ui.input(InputState::multi_touch);
    let Some(touch) = multi_touch.filter(|touch| area.contains(touch.start_pos)) else {
        *zoom = 0.0;
        return None;
    };
    if *zoom == 0.0 {
        *zoom = 1.0;
    }
    *zoom *= touch.zoom_delta;
    let direction = if *zoom >= PINCH_FACTOR {
        Pinch::Out
    } else if *zoom <= 1.0 / PINCH_FACTOR {
        Pinch::In
    } else {
        return None;
    };
    *zoom = 1.0;
    Some(direction)
}
