//! Settings that every egui context needs before its first frame.
//!
//! They include a plugin that gives each move of the focus a frame of its own. egui finds the
//! next focused control while it draws, so further input of the same frame would reach the wrong
//! control or none, and a second Tab would be lost. This happens often if frames are slow.

use std::collections::HashMap;
use std::mem;

use bindpose_kit::theme;
use eframe::egui::{Context, Event, Key, Plugin, RawInput, ViewportId, accesskit};

/// Maximum number of layout passes per frame.
const MAX_PASSES: std::num::NonZeroUsize = std::num::NonZeroUsize::new(7).expect("not zero");

/// Sets fonts and options, which are the same for every context of a shell.
pub(super) fn prepare(ctx: &Context) {
    ctx.set_fonts(theme::fonts());
    // After all plugins that add events, so that it receives them.
    ctx.add_plugin(FocusMoveDelay::default());
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        // A stage tries several arrangements before it is first shown.
        options.max_passes = MAX_PASSES;
    });
}

/// Delays events after a move of the focus to the next frame.
#[derive(Default)]
pub(super) struct FocusMoveDelay {
    /// Delayed events of each window, in their order.
    delayed: HashMap<ViewportId, Vec<Event>>,
}

impl Plugin for FocusMoveDelay {
    fn debug_name(&self) -> &'static str {
        "moves of the focus, a frame each"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let delayed = self.delayed.entry(input.viewport_id).or_default();
        let earlier = mem::take(delayed);
        if earlier.is_empty() && !input.events.iter().any(moves_focus) {
            return;
        }
        // Requests of a screen reader come before keys, which are meant for the element that it
        // has focused.
        let (requests, others): (Vec<Event>, Vec<Event>) =
            mem::take(&mut input.events).into_iter().partition(is_accessibility_request);
        let mut has_moved = false;
        let mut has_press = false;
        for event in requests.into_iter().chain(earlier).chain(others) {
            let is_move = moves_focus(&event);
            let must_wait = has_moved || !delayed.is_empty() || (is_move && has_press);
            if must_wait && is_for_focused_control(&event) {
                delayed.push(event);
                continue;
            }
            has_moved |= is_move;
            has_press |= is_for_focused_control(&event) && !is_release(&event);
            input.events.push(event);
        }
        if !delayed.is_empty() {
            ctx.request_repaint_of(input.viewport_id);
        }
    }
}

/// Returns true for Tab, and for a focus request of a screen reader.
fn moves_focus(event: &Event) -> bool {
    match event {
        Event::Key { key: Key::Tab, pressed: true, modifiers, .. } => {
            !modifiers.alt && !modifiers.command
        }
        Event::AccessKitActionRequest(request) => request.action == accesskit::Action::Focus,
        _ => false,
    }
}

fn is_release(event: &Event) -> bool {
    matches!(event, Event::Key { pressed: false, .. })
}

fn is_accessibility_request(event: &Event) -> bool {
    matches!(event, Event::AccessKitActionRequest(_))
}

fn is_for_focused_control(event: &Event) -> bool {
    matches!(
        event,
        Event::Key { .. }
            | Event::Text(_)
            | Event::Paste(_)
            | Event::Copy
            | Event::Cut
            | Event::Ime(_)
    )
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Modifiers, Rect};
    use egui_kittest::{
        Harness,
        kittest::{NodeT as _, Queryable as _},
    };

    use super::*;

    fn key_press(key: Key) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }
    }

    fn five_buttons() -> Harness<'static, Vec<&'static str>> {
        Harness::builder()
            .with_context_setup(super::super::prepare_context::prepare)
            .build_ui_state(
                |ui, clicked: &mut Vec<_>| {
                    for name in ["first", "second", "third", "fourth", "fifth"] {
                        if ui.button(name).clicked() {
                            clicked.push(name);
                        }
                    }
                },
                Vec::new(),
            )
    }

    /// Sends all events in one frame, as on a slow machine.
    fn send_in_one_frame(harness: &mut Harness<'_, Vec<&'static str>>, events: Vec<Event>) {
        harness.input_mut().events.extend(events);
        harness.run_steps(9);
    }

    #[test]
    fn each_tab_moves_before_enter_acts() {
        let mut harness = five_buttons();
        let keys = [Key::Tab, Key::Tab, Key::Tab, Key::Enter, Key::Tab, Key::Space];
        send_in_one_frame(&mut harness, keys.map(key_press).to_vec());
        assert_eq!(harness.state(), &["third", "fourth"]);
    }

    #[test]
    fn tab_continues_from_focus_of_screen_reader() {
        let mut harness = five_buttons();
        let third = harness.get_by_label("third").accesskit_node().locate().0;
        let focus = accesskit::ActionRequest {
            action: accesskit::Action::Focus,
            target_tree: accesskit::TreeId::ROOT,
            target_node: third,
            data: None,
        };
        // In a browser, requests arrive after keys.
        let events =
            vec![key_press(Key::Tab), key_press(Key::Enter), Event::AccessKitActionRequest(focus)];
        send_in_one_frame(&mut harness, events);
        assert_eq!(harness.state(), &["fourth"]);
    }

    #[test]
    fn pointer_events_are_not_delayed() {
        let mut moves = FocusMoveDelay::default();
        let mut input = RawInput {
            screen_rect: Some(Rect::EVERYTHING),
            events: vec![key_press(Key::Tab), Event::PointerGone, key_press(Key::A)],
            ..RawInput::default()
        };
        let ctx = Context::default();
        moves.input_hook(&ctx, &mut input);
        assert_eq!(input.events, [key_press(Key::Tab), Event::PointerGone]);
        input.events.clear();
        moves.input_hook(&ctx, &mut input);
        assert_eq!(input.events, [key_press(Key::A)]);
    }
}
