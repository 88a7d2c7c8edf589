//! What every context of egui needs before its first frame.
//!
//! A move of the focus has a frame for itself: egui finds where it goes while it draws, so
//! what is typed in the same frame would reach the wrong control or none, and a second Tab
//! would be lost. Where frames are slow, that is often.

use std::collections::HashMap;
use std::mem;

use bindpose_page::theme;
use eframe::egui::{Context, Event, Key, Plugin, RawInput, ViewportId, accesskit};

/// Layouts of one frame at most.
const MOST_PASSES: std::num::NonZeroUsize = std::num::NonZeroUsize::new(7).expect("not zero");

/// Fonts and options: the same for every context that a shell comes to.
pub(super) fn prepare(ctx: &Context) {
    ctx.set_fonts(theme::fonts());
    // Last of those that give events: it sees them all.
    ctx.add_plugin(FocusMoves::default());
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        // A stage tries some arrangements before it is first seen.
        options.max_passes = MOST_PASSES;
    });
}

/// Keeps for the frames that follow what cannot be in one with what came before.
#[derive(Default)]
pub(super) struct FocusMoves {
    /// By window, in the order in which it was typed.
    kept: HashMap<ViewportId, Vec<Event>>,
}

impl Plugin for FocusMoves {
    fn debug_name(&self) -> &'static str {
        "moves of the focus, a frame each"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let kept = self.kept.entry(input.viewport_id).or_default();
        let earlier = mem::take(kept);
        if earlier.is_empty() && !input.events.iter().any(moves_focus) {
            return;
        }
        // A screen reader asks before keys: of what it has gone to, they are meant.
        let (asked, typed): (Vec<Event>, Vec<Event>) =
            mem::take(&mut input.events).into_iter().partition(is_asked);
        let (mut moved, mut pressed) = (false, false);
        for event in asked.into_iter().chain(earlier).chain(typed) {
            let moves = moves_focus(&event);
            let waits = moved || !kept.is_empty() || (moves && pressed);
            if waits && is_typed(&event) {
                kept.push(event);
                continue;
            }
            moved |= moves;
            pressed |= is_typed(&event) && !is_release(&event);
            input.events.push(event);
        }
        if !kept.is_empty() {
            ctx.request_repaint_of(input.viewport_id);
        }
    }
}

/// Tab, or a screen reader that goes to an element.
fn moves_focus(event: &Event) -> bool {
    match event {
        Event::Key { key: Key::Tab, pressed: true, modifiers, .. } => {
            !modifiers.alt && !modifiers.command
        }
        Event::AccessKitActionRequest(asked) => asked.action == accesskit::Action::Focus,
        _ => false,
    }
}

fn is_release(event: &Event) -> bool {
    matches!(event, Event::Key { pressed: false, .. })
}

fn is_asked(event: &Event) -> bool {
    matches!(event, Event::AccessKitActionRequest(_))
}

/// Goes to the control that has the focus.
fn is_typed(event: &Event) -> bool {
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

    fn pressed(key: Key) -> Event {
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

    /// All that is typed comes in one frame, as on a slow machine.
    fn typed_at_once(harness: &mut Harness<'_, Vec<&'static str>>, events: Vec<Event>) {
        harness.input_mut().events.extend(events);
        harness.run_steps(9);
    }

    #[test]
    fn each_tab_moves_and_enter_is_for_where_the_last_one_led() {
        let mut harness = five_buttons();
        let keys = [Key::Tab, Key::Tab, Key::Tab, Key::Enter, Key::Tab, Key::Space];
        typed_at_once(&mut harness, keys.map(pressed).to_vec());
        assert_eq!(harness.state(), &["third", "fourth"]);
    }

    #[test]
    fn tab_goes_on_from_where_a_screen_reader_has_gone() {
        let mut harness = five_buttons();
        let third = harness.get_by_label("third").accesskit_node().locate().0;
        let focus = accesskit::ActionRequest {
            action: accesskit::Action::Focus,
            target_tree: accesskit::TreeId::ROOT,
            target_node: third,
            data: None,
        };
        // The browser's elements are asked after the keys have come.
        let events =
            vec![pressed(Key::Tab), pressed(Key::Enter), Event::AccessKitActionRequest(focus)];
        typed_at_once(&mut harness, events);
        assert_eq!(harness.state(), &["fourth"]);
    }

    #[test]
    fn a_pointer_does_not_wait() {
        let mut moves = FocusMoves::default();
        let mut input = RawInput {
            screen_rect: Some(Rect::EVERYTHING),
            events: vec![pressed(Key::Tab), Event::PointerGone, pressed(Key::A)],
            ..RawInput::default()
        };
        let ctx = Context::default();
        moves.input_hook(&ctx, &mut input);
        assert_eq!(input.events, [pressed(Key::Tab), Event::PointerGone]);
        input.events.clear();
        moves.input_hook(&ctx, &mut input);
        assert_eq!(input.events, [pressed(Key::A)]);
    }
}
