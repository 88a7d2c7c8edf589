//! Maps keys to commands, and decides which keys the page gets: the focused control can take them
//! instead. For keys that the browser takes, see `browser_keys.rs`.
//!
//! Arrows, Space and letters belong to the page, unless the focus was moved to a control by
//! Tab, or a text field has the focus. A press of the pointer gives them back to the page.

use std::cmp::Reverse;

use bindpose_kit::widgets::{has_own_undo, takes_letters};
use bindpose_page::command::{Command, KeyMap};
use eframe::egui::{Context, Event, Id, Key, KeyboardShortcut, Modifiers, Popup, accesskit};

/// Owner of the keys in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyOwner {
    /// Focused control that takes arrows, Space and letters.
    pub(super) control: Option<Id>,
    /// Focused control that leaves these keys to the page, because a pointer focused it.
    pub(super) passive_control: Option<Id>,
    /// True if the focused control has its own undo.
    pub(super) control_has_undo: bool,
    /// True if Escape leaves the focus or closes a menu before anything else.
    pub(super) escape_is_taken: bool,
    /// True if a window that takes text is open. Letters then never act on the page below it,
    /// even if its field has lost the focus.
    pub(super) is_window_typed_into: bool,
}

impl KeyOwner {
    /// Gives the keys to the focused control, whatever focused it. For a window without
    /// anything to drag.
    pub(super) fn focused_control(ctx: &Context) -> Self {
        Self { control: ctx.memory(|memory| memory.focused()), ..Self::default() }
    }

    /// Returns true if the page does not get the keys of a command.
    fn takes(&self, shortcut: KeyboardShortcut, command: Command) -> bool {
        self.control.is_some() && is_handled_by_controls(shortcut)
            || self.is_window_typed_into && is_typing(shortcut)
            || self.control_has_undo && matches!(command, Command::Undo | Command::Redo)
            || self.escape_is_taken && shortcut.logical_key == Key::Escape
    }
}

/// Returns the commands whose keys were pressed in this frame, and removes the key presses
/// from the input.
pub(super) fn take_pressed_commands(ctx: &Context, owner: KeyOwner) -> Vec<Command> {
    let map = KeyMap::from_context(ctx);
    let mut shortcuts = Vec::new();
    for &command in Command::ALL {
        for shortcut in command.shortcuts(map) {
            if !owner.takes(*shortcut, command) {
                shortcuts.push((*shortcut, command));
            }
        }
    }
    // egui ignores Shift for shortcuts without it, because some keyboards need Shift for `+`.
    // Shortcuts with Shift therefore come first.
    shortcuts.sort_by_key(|(keys, _)| Reverse(keys.modifiers.shift));
    ctx.input_mut(|input| {
        shortcuts.retain(|(keys, _)| input.consume_shortcut(keys));
    });
    if let Some(id) = owner.passive_control
        && shortcuts.iter().any(|(keys, _)| is_handled_by_controls(*keys))
    {
        // Otherwise an arrow would also move the focus.
        ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    shortcuts.into_iter().map(|(_, command)| command).collect()
}

/// Returns true for keys that text fields and sliders handle.
fn is_handled_by_controls(shortcut: KeyboardShortcut) -> bool {
    let key = shortcut.logical_key;
    let is_page_key = matches!(key, Key::PageUp | Key::PageDown | Key::Escape)
        || (Key::F1..=Key::F35).contains(&key);
    // Shift does not count, because letters with Shift are typed, too.
    let held = shortcut.modifiers;
    let has_modifier = held.command || held.ctrl || held.mac_cmd || held.alt;
    !has_modifier && !is_page_key
}

/// Returns true for keys that insert or delete text. Keys with Ctrl or Alt, Escape, function
/// keys and keys that move the cursor do not.
fn is_typing(shortcut: KeyboardShortcut) -> bool {
    use Key as K;
    let moves_cursor = matches!(
        shortcut.logical_key,
        K::ArrowLeft | K::ArrowRight | K::ArrowUp | K::ArrowDown | K::Home | K::End
    );
    is_handled_by_controls(shortcut) && !moves_cursor
}

/// Keyboard focus, tracked from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyFocus {
    /// Focused control at the end of the last frame. egui drops the focus on Escape before
    /// the page handles the key.
    focused: Option<Id>,
    /// True if the pointer was used since Tab was pressed.
    pointer_was_last: bool,
    /// Control after which Tab continues if nothing has the focus.
    last: Option<Id>,
}

impl KeyFocus {
    /// Updates the focus before the page is laid out, and returns the owner of this frame's
    /// keys.
    pub(super) fn begin_frame(&mut self, ctx: &Context) -> KeyOwner {
        let tab_pressed = ctx.input(|input| input.events.iter().any(moves_keyboard_focus));
        let pointer_pressed = ctx.input(|input| input.pointer.any_pressed());
        self.pointer_was_last = (self.pointer_was_last || pointer_pressed) && !tab_pressed;
        let focused = ctx.memory(|memory| memory.focused());
        if tab_pressed && focused.is_none() {
            self.focus_last(ctx);
        }
        let typing = ctx.text_edit_focused() || focused.is_some_and(|id| takes_letters(ctx, id));
        KeyOwner {
            control: focused.filter(|_| typing || !self.pointer_was_last),
            passive_control: focused.filter(|_| !typing && self.pointer_was_last),
            control_has_undo: typing && focused.is_some_and(|id| has_own_undo(ctx, id)),
            escape_is_taken: self.focused.is_some() || Popup::is_any_open(ctx),
            is_window_typed_into: false,
        }
    }

    /// Stores the focus after the page was laid out.
    pub(super) fn end_frame(&mut self, ctx: &Context) {
        self.focused = ctx.memory(|memory| memory.focused());
        let used =
            ctx.interaction_snapshot(|snapshot| snapshot.clicked.or(snapshot.drag_stopped)).filter(
                |&id| ctx.read_response(id).is_some_and(|response| response.sense.is_focusable()),
            );
        self.last = self.focused.or(used).or(self.last);
    }

    /// Drops the focus, so that Tab starts at the top of another page.
    pub(super) fn forget(&mut self, ctx: &Context) {
        *self = Self { pointer_was_last: self.pointer_was_last, ..Self::default() };
        ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }

    /// Returns the control that was focused by keyboard, which needs a visible ring.
    pub(super) fn visible_focus(&self, ctx: &Context) -> Option<Id> {
        let focused = ctx.memory(|memory| memory.focused());
        focused.filter(|_| !self.pointer_was_last)
    }

    /// Focuses the control that was used last, so that Tab continues after it.
    fn focus_last(&self, ctx: &Context) {
        if let Some(id) = self.last.filter(|&id| ctx.read_response(id).is_some()) {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

fn moves_keyboard_focus(event: &Event) -> bool {
    match event {
        Event::Key { key: Key::Tab, pressed: true, modifiers, .. } => {
            modifiers.is_none() || *modifiers == Modifiers::SHIFT
        }
        Event::AccessKitActionRequest(request) => request.action == accesskit::Action::Focus,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{Event, Modifiers, RawInput};

    /// The modifiers that the platform reports with Ctrl, or Command on a Mac.
    const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);
    const COMMAND_ON_A_MAC: Modifiers = Modifiers::MAC_CMD.plus(Modifiers::COMMAND);

    fn press(modifiers: Modifiers, key: Key, focused: bool) -> Vec<Command> {
        press_in(KeyMap::Window, modifiers, key, focused)
    }

    fn press_in(map: KeyMap, modifiers: Modifiers, key: Key, focused: bool) -> Vec<Command> {
        let owner = KeyOwner { control: focused.then_some(Id::NULL), ..KeyOwner::default() };
        press_for(owner, map, modifiers, key)
    }

    fn press_for(owner: KeyOwner, map: KeyMap, modifiers: Modifiers, key: Key) -> Vec<Command> {
        let ctx = Context::default();
        map.set_in(&ctx);
        let input = RawInput {
            events: vec![Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers,
            }],
            ..RawInput::default()
        };
        let mut commands = Vec::new();
        let mut output = ctx.run_ui(input, |ui| {
            commands.extend(take_pressed_commands(ui.ctx(), owner));
        });
        output.textures_delta.clear();
        commands
    }

    #[test]
    fn shift_distinguishes_redo_from_undo_and_is_ignored_for_other_shortcuts() {
        for held in [CTRL, COMMAND_ON_A_MAC] {
            let pressed = |modifiers, key| press(held | modifiers, key, false);
            assert_eq!(pressed(Modifiers::NONE, Key::Z), [Command::Undo]);
            assert_eq!(pressed(Modifiers::SHIFT, Key::Z), [Command::Redo]);
            assert_eq!(pressed(Modifiers::NONE, Key::Y), [Command::Redo]);
            for (key, command) in [
                (Key::Plus, Command::ZoomIn),
                (Key::Equals, Command::ZoomIn),
                (Key::Minus, Command::ZoomOut),
                (Key::Num0, Command::ZoomReset),
            ] {
                assert_eq!(pressed(Modifiers::NONE, key), [command]);
                assert_eq!(pressed(Modifiers::SHIFT, key), [command]);
            }
            assert_eq!(pressed(Modifiers::NONE, Key::P), [], "not a plain P");
        }
        assert_eq!(press(Modifiers::CTRL, Key::Z, false), [], "Control on a Mac is not Command");
    }

    #[test]
    fn in_a_browser_letters_with_shift_are_commands_unless_they_are_typed() {
        let press = |modifiers, key, focused| press_in(KeyMap::Browser, modifiers, key, focused);
        for (key, plain, with_shift) in [
            (Key::R, Command::ResetView, Command::Reset),
            (Key::L, Command::Loop, Command::CopyLink),
            (Key::P, Command::Play, Command::Present),
            (Key::D, Command::Pen, Command::Theme),
        ] {
            assert_eq!(press(Modifiers::NONE, key, false), [plain]);
            assert_eq!(press(Modifiers::SHIFT, key, false), [with_shift]);
            for held in [Modifiers::NONE, Modifiers::SHIFT] {
                assert_eq!(press(held, key, true), [], "{key:?} is typed");
            }
            assert_eq!(press(CTRL, key, false), [], "the browser's");
        }
        assert_eq!(press(Modifiers::NONE, Key::F5, false), []);
        let bigger = press(Modifiers::SHIFT, Key::Plus, false);
        assert_eq!(bigger, [Command::ZoomIn], "some keyboards need Shift for it");
    }

    #[test]
    fn a_control_with_the_focus_keeps_its_keys_but_not_those_of_the_page() {
        for (key, command) in
            [(Key::ArrowRight, Command::Next), (Key::Space, Command::GoOn), (Key::L, Command::Loop)]
        {
            assert_eq!(press(Modifiers::NONE, key, false), [command]);
            assert_eq!(press(Modifiers::NONE, key, true), [], "{key:?}");
        }
        for (key, command) in [
            (Key::PageDown, Command::ReadOn),
            (Key::F1, Command::Keys),
            (Key::F5, Command::Present),
            (Key::Escape, Command::Escape),
        ] {
            assert_eq!(press(Modifiers::NONE, key, true), [command]);
        }
        let letter = KeyboardShortcut::new(Modifiers::NONE, Key::F);
        assert!(is_handled_by_controls(letter), "F is a letter");
        assert_eq!(press(CTRL, Key::Z, true), [Command::Undo]);
    }

    #[test]
    fn typing_into_a_window_runs_no_commands_of_the_page() {
        let press_in_window = |map, modifiers, key| {
            let owner = KeyOwner { is_window_typed_into: true, ..KeyOwner::default() };
            press_for(owner, map, modifiers, key)
        };
        for map in [KeyMap::Window, KeyMap::Browser] {
            for &command in Command::ALL {
                for shortcut in command.shortcuts(map) {
                    let held = shortcut.modifiers;
                    let key = shortcut.logical_key;
                    let inserts_text = key.name().len() == 1 || key == Key::Space;
                    if inserts_text && !held.command {
                        assert_eq!(press_in_window(map, held, key), [], "{command:?} in {map:?}");
                    }
                }
            }
            assert_eq!(press_in_window(map, Modifiers::NONE, Key::ArrowRight), [Command::Next]);
            assert_eq!(press_in_window(map, Modifiers::NONE, Key::Escape), [Command::Escape]);
            assert_eq!(press_in_window(map, CTRL, Key::K), [Command::Search]);
        }
    }
}
