//! Keys to commands, and whom keys belong to: the page, or the control that has the focus;
//! or, in a page of a browser, the browser.
//!
//! The rule: arrows, Space and letters are the page's, unless Tab has led to a control or
//! one is being typed in. Whatever the pointer has done since gives them back to the page.

use std::cmp::Reverse;

use bindpose_page::command::{Command, KeyMap};
use bindpose_page::widgets::{has_own_undo, is_typed_into};
use eframe::egui::{Context, Event, Id, Key, KeyboardShortcut, Modifiers, Popup, accesskit};

/// Whom keys belong to in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyOwner {
    /// A control that takes arrows, Space and letters.
    pub(super) control: Option<Id>,
    /// One that has the focus and leaves these keys to the page.
    pub(super) page: Option<Id>,
    /// Does what has the focus undo what is typed into it?
    pub(super) undo: bool,
    /// Is there a focus or a menu that Escape leaves before all else?
    pub(super) escape: bool,
    /// Is a window open that is typed into? Letters then never act on the page below it, even
    /// if its field has lost the focus.
    pub(super) is_window_typed_into: bool,
}

impl KeyOwner {
    /// For a window with nothing to drag: what has the focus takes its keys.
    pub(super) fn whatever_has_the_focus(ctx: &Context) -> Self {
        Self { control: ctx.memory(|memory| memory.focused()), ..Self::default() }
    }
}

/// The commands whose keys were pressed in this frame; their key presses are
/// taken from the input.
pub(super) fn pressed(ctx: &Context, owner: KeyOwner) -> Vec<Command> {
    let is_the_pages = |(keys, command): &(KeyboardShortcut, Command)| {
        let taken = owner.control.is_some() && is_for_the_focused(*keys)
            || owner.is_window_typed_into && is_typed(*keys)
            || owner.undo && matches!(command, Command::Undo | Command::Redo)
            || owner.escape && keys.logical_key == Key::Escape;
        !taken
    };
    let map = KeyMap::of(ctx);
    let mut shortcuts: Vec<(KeyboardShortcut, Command)> = Command::ALL
        .iter()
        .flat_map(|&command| command.shortcuts(map).iter().map(move |keys| (*keys, command)))
        .filter(is_the_pages)
        .collect();
    // egui lets a shortcut match with Shift held that does not ask for it, since
    // some keyboards need Shift for `+`: those that do ask come first.
    shortcuts.sort_by_key(|(keys, _)| Reverse(keys.modifiers.shift));
    ctx.input_mut(|input| {
        shortcuts.retain(|(keys, _)| input.consume_shortcut(keys));
    });
    if let Some(id) = owner.page
        && shortcuts.iter().any(|(keys, _)| is_for_the_focused(*keys))
    {
        // Else an arrow would lead the focus on as well.
        ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    shortcuts.into_iter().map(|(_, command)| command).collect()
}

/// Keys that a field or slider understands itself.
fn is_for_the_focused(keys: KeyboardShortcut) -> bool {
    let key = keys.logical_key;
    let page_key = matches!(key, Key::PageUp | Key::PageDown | Key::Escape)
        || (Key::F1..=Key::F35).contains(&key);
    // With Shift, letters are letters still.
    let held = keys.modifiers;
    let chord = held.command || held.ctrl || held.mac_cmd || held.alt;
    !chord && !page_key
}

/// Keys that write or delete: all but those with Ctrl or Alt, those that lead on, Escape and
/// the function keys.
fn is_typed(keys: KeyboardShortcut) -> bool {
    use Key as K;
    let leads = matches!(
        keys.logical_key,
        K::ArrowLeft | K::ArrowRight | K::ArrowUp | K::ArrowDown | K::Home | K::End
    );
    is_for_the_focused(keys) && !leads
}

/// The focus between two frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyFocus {
    /// What had it at the end of the last frame: egui drops it on Escape before
    /// anybody sees the key.
    held: Option<Id>,
    /// Has the pointer been used since Tab was pressed?
    pointer: bool,
    /// Where Tab goes on when nothing has the focus.
    last: Option<Id>,
}

impl KeyFocus {
    /// Before the page is laid out: who gets the keys of this frame.
    pub(super) fn begin(&mut self, ctx: &Context) -> KeyOwner {
        let (tab, pointed) = ctx.input(|input| {
            let tab = input.events.iter().any(leads_by_keyboard);
            (tab, input.pointer.any_pressed())
        });
        self.pointer = (self.pointer || pointed) && !tab;
        let focused = ctx.memory(|memory| memory.focused());
        if tab && focused.is_none() {
            self.go_on(ctx);
        }
        let typing = ctx.text_edit_focused() || focused.is_some_and(|id| is_typed_into(ctx, id));
        KeyOwner {
            control: focused.filter(|_| typing || !self.pointer),
            undo: typing && focused.is_some_and(|id| has_own_undo(ctx, id)),
            page: focused.filter(|_| !typing && self.pointer),
            escape: self.held.is_some() || Popup::is_any_open(ctx),
            is_window_typed_into: false,
        }
    }

    /// After it.
    pub(super) fn end(&mut self, ctx: &Context) {
        self.held = ctx.memory(|memory| memory.focused());
        let clicked = ctx.interaction_snapshot(|seen| seen.clicked.or(seen.drag_stopped));
        let clicked = clicked.filter(|&id| {
            let response = ctx.read_response(id);
            response.is_some_and(|response| response.sense.is_focusable())
        });
        self.last = self.held.or(clicked).or(self.last);
    }

    /// Another page: Tab begins at its top.
    pub(super) fn forget(&mut self, ctx: &Context) {
        *self = Self { pointer: self.pointer, ..Self::default() };
        ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }

    /// What Tab has led to, which is to be seen.
    pub(super) fn shown(&self, ctx: &Context) -> Option<Id> {
        let focused = ctx.memory(|memory| memory.focused());
        focused.filter(|_| !self.pointer)
    }

    /// Tab leads to what follows the control that was used last.
    fn go_on(&self, ctx: &Context) {
        let last = self.last.filter(|&id| ctx.read_response(id).is_some());
        if let Some(id) = last {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

fn leads_by_keyboard(event: &Event) -> bool {
    match event {
        Event::Key { key: Key::Tab, pressed: true, modifiers, .. } => {
            modifiers.is_none() || *modifiers == Modifiers::SHIFT
        }
        Event::AccessKitActionRequest(request) => request.action == accesskit::Action::Focus,
        _ => false,
    }
}

/// Whose a key is in a page of a browser: the notebook's, which keeps the browser
/// from acting on it, or the browser's, which the notebook never sees.
#[cfg(any(target_arch = "wasm32", test))]
pub(super) mod browser {
    use super::{Command, Key, KeyMap, Modifiers};

    /// Who acts on a key.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(in crate::app) enum BrowserKeyOwner {
        /// The browser would scroll, search or show its help.
        Notebook,
        /// Reload, its address bar, going back.
        Browser,
        /// Letters and arrows, copying and pasting: as they come.
        Both,
    }

    /// `typing`: a text field has the focus. `mac`: keys are those of a Mac, where
    /// Option and an arrow go from word to word.
    pub(in crate::app) fn owner(
        key: Key,
        held: Modifiers,
        typing: bool,
        mac: bool,
    ) -> BrowserKeyOwner {
        let command = held.ctrl || held.command || held.mac_cmd;
        let commands = Command::ALL.iter();
        let ours = commands.flat_map(|command| command.shortcuts(KeyMap::Browser)).any(|ours| {
            let ours_held = ours.modifiers;
            ours.logical_key == key
                && ours_held.command == command
                && (held.shift || !ours_held.shift)
                && !held.alt
        });
        let function = (Key::F1..=Key::F35).contains(&key);
        match key {
            // They come as events of their own.
            Key::A | Key::C | Key::V | Key::X if command => BrowserKeyOwner::Both,
            // Prints the handout: see `browser/page.rs`.
            Key::P if command && !held.shift && !held.alt => BrowserKeyOwner::Notebook,
            _ if ours && (command || function || !typing) => BrowserKeyOwner::Notebook,
            _ if held.alt && typing && mac => BrowserKeyOwner::Both,
            // Within a text: to the next word, to its end.
            Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
            | Key::Home
            | Key::End
            | Key::Backspace
            | Key::Delete
                if typing && command =>
            {
                BrowserKeyOwner::Both
            }
            _ if command || held.alt || function => BrowserKeyOwner::Browser,
            _ => BrowserKeyOwner::Both,
        }
    }

    /// A key by the name that browsers give it; `None`: no key of ours.
    pub(in crate::app) fn key(name: &str) -> Option<Key> {
        let upper = name.to_uppercase();
        let letter = name.chars().count() == 1;
        match name {
            " " => Some(Key::Space),
            _ => Key::from_name(if letter { &upper } else { name }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::browser::{BrowserKeyOwner, key, owner};
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
        map.put(&ctx);
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
            commands.extend(pressed(ui.ctx(), owner));
        });
        output.textures_delta.clear();
        commands
    }

    #[test]
    fn shift_tells_redo_from_undo_and_is_allowed_where_a_keyboard_needs_it() {
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
        assert!(is_for_the_focused(letter), "F is a letter");
        assert_eq!(press(CTRL, Key::Z, true), [Command::Undo]);
    }

    #[test]
    fn a_window_that_is_typed_into_keeps_what_is_typed_from_the_page() {
        let typed = |map, modifiers, key| {
            let owner = KeyOwner { is_window_typed_into: true, ..KeyOwner::default() };
            press_for(owner, map, modifiers, key)
        };
        for map in [KeyMap::Window, KeyMap::Browser] {
            for command in Command::ALL {
                for keys in command.shortcuts(map) {
                    let (held, key) = (keys.modifiers, keys.logical_key);
                    let writes = key.name().len() == 1 || key == Key::Space;
                    if writes && !held.command {
                        assert_eq!(typed(map, held, key), [], "{command:?} in {map:?}");
                    }
                }
            }
            assert_eq!(typed(map, Modifiers::NONE, Key::ArrowRight), [Command::Next]);
            assert_eq!(typed(map, Modifiers::NONE, Key::Escape), [Command::Escape]);
            assert_eq!(typed(map, CTRL, Key::K), [Command::Search]);
        }
    }

    fn browser_pressed(name: &str, held: Modifiers, typing: bool) -> BrowserKeyOwner {
        owner(key(name).expect("a key"), held, typing, false)
    }

    #[test]
    fn a_browser_keeps_its_keys() {
        for name in ["r", "l", "d", "n", "t", "w", "f", "s", "+", "-", "0", "1"] {
            for typing in [false, true] {
                assert_eq!(
                    browser_pressed(name, CTRL, typing),
                    BrowserKeyOwner::Browser,
                    "Ctrl+{name}"
                );
                let shift = CTRL.plus(Modifiers::SHIFT);
                assert_ne!(
                    browser_pressed(name, shift, typing),
                    BrowserKeyOwner::Notebook,
                    "{name}"
                );
            }
        }
        for name in ["F5", "F11", "F12"] {
            assert_eq!(browser_pressed(name, Modifiers::NONE, false), BrowserKeyOwner::Browser);
        }
        let back = browser_pressed("ArrowLeft", Modifiers::ALT, false);
        assert_eq!(back, BrowserKeyOwner::Browser, "one page back");
        assert_eq!(
            owner(Key::ArrowLeft, Modifiers::ALT, true, true),
            BrowserKeyOwner::Both,
            "one word back"
        );
    }

    #[test]
    fn a_browser_does_nothing_with_the_notebook_s_keys() {
        for name in ["PageDown", "PageUp", "ArrowRight", " ", "F1", "/", "Escape"] {
            assert_eq!(
                browser_pressed(name, Modifiers::NONE, false),
                BrowserKeyOwner::Notebook,
                "{name}"
            );
        }
        for name in ["z", "y", "k", "p", "Enter"] {
            assert_eq!(browser_pressed(name, CTRL, false), BrowserKeyOwner::Notebook, "{name}");
            assert_eq!(browser_pressed(name, CTRL, true), BrowserKeyOwner::Notebook, "{name}");
        }
    }

    #[test]
    fn what_is_typed_and_copied_comes_as_it_does() {
        for name in ["m", "/", "+", " ", "ArrowLeft", "Backspace"] {
            assert_eq!(
                browser_pressed(name, Modifiers::NONE, true),
                BrowserKeyOwner::Both,
                "{name}"
            );
        }
        assert_eq!(browser_pressed("R", Modifiers::SHIFT, true), BrowserKeyOwner::Both);
        for name in ["c", "v", "x", "a"] {
            assert_eq!(browser_pressed(name, CTRL, true), BrowserKeyOwner::Both, "{name}");
        }
        assert_eq!(key("Dead"), None);
    }
}
