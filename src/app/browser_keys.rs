//! Owner of a key in a browser's page. The browser does not act on the notebook's keys, and the
//! notebook does not receive the browser's.

use bindpose_page::command::{Command, KeyMap};
use eframe::egui::{Key, Modifiers};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BrowserKeyOwner {
    /// The browser would scroll, search or show its help.
    Notebook,
    /// Keys to reload, for the address bar, to go back.
    Browser,
    /// Letters and arrows, copying and pasting. Neither is kept from the other.
    Both,
}

/// Returns the owner of a key. `typing` is true if a text field has the focus. `mac` is
/// true for the keys of a Mac, where Option and an arrow move by a word.
pub(super) fn browser_key_owner(
    key: Key,
    held: Modifiers,
    typing: bool,
    mac: bool,
) -> BrowserKeyOwner {
    let command = held.ctrl || held.command || held.mac_cmd;
    let mut shortcuts = Command::ALL.iter().flat_map(|command| command.shortcuts(KeyMap::Browser));
    let is_shortcut = shortcuts.any(|shortcut| {
        shortcut.logical_key == key
            && shortcut.modifiers.command == command
            && (held.shift || !shortcut.modifiers.shift)
            && !held.alt
    });
    let is_function_key = (Key::F1..=Key::F35).contains(&key);
    match key {
        // The browser sends events of their own for them.
        Key::A | Key::C | Key::V | Key::X if command => BrowserKeyOwner::Both,
        // Prints the handout: see `host/browser/page.rs`.
        Key::P if command && !held.shift && !held.alt => BrowserKeyOwner::Notebook,
        _ if is_shortcut && (command || is_function_key || !typing) => BrowserKeyOwner::Notebook,
        _ if held.alt && typing && mac => BrowserKeyOwner::Both,
        // They move the cursor or delete by words and lines within a text.
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
        _ if command || held.alt || is_function_key => BrowserKeyOwner::Browser,
        _ => BrowserKeyOwner::Both,
    }
}

/// Parses a browser's name of a key. Returns `None` if egui does not know the key.
pub(super) fn parse_key(name: &str) -> Option<Key> {
    let is_character = name.chars().count() == 1;
    match name {
        " " => Some(Key::Space),
        _ if is_character => Key::from_name(&name.to_uppercase()),
        _ => Key::from_name(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modifiers that the platform reports with Ctrl, or Command on a Mac.
    const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);

    fn owner_of_key_named(name: &str, held: Modifiers, typing: bool) -> BrowserKeyOwner {
        browser_key_owner(parse_key(name).expect("a key"), held, typing, false)
    }

    #[test]
    fn a_browser_keeps_its_keys() {
        for name in ["r", "l", "d", "n", "t", "w", "f", "s", "+", "-", "0", "1"] {
            for typing in [false, true] {
                assert_eq!(
                    owner_of_key_named(name, CTRL, typing),
                    BrowserKeyOwner::Browser,
                    "Ctrl+{name}"
                );
                let shift = CTRL.plus(Modifiers::SHIFT);
                assert_ne!(
                    owner_of_key_named(name, shift, typing),
                    BrowserKeyOwner::Notebook,
                    "{name}"
                );
            }
        }
        for name in ["F5", "F11", "F12"] {
            assert_eq!(owner_of_key_named(name, Modifiers::NONE, false), BrowserKeyOwner::Browser);
        }
        let back = owner_of_key_named("ArrowLeft", Modifiers::ALT, false);
        assert_eq!(back, BrowserKeyOwner::Browser, "one page back");
        assert_eq!(
            browser_key_owner(Key::ArrowLeft, Modifiers::ALT, true, true),
            BrowserKeyOwner::Both,
            "one word back"
        );
    }

    #[test]
    fn a_browser_does_nothing_with_the_notebook_s_keys() {
        for name in ["PageDown", "PageUp", "ArrowRight", " ", "F1", "/", "Escape"] {
            assert_eq!(
                owner_of_key_named(name, Modifiers::NONE, false),
                BrowserKeyOwner::Notebook,
                "{name}"
            );
        }
        for name in ["z", "y", "k", "p", "Enter"] {
            assert_eq!(owner_of_key_named(name, CTRL, false), BrowserKeyOwner::Notebook, "{name}");
            assert_eq!(owner_of_key_named(name, CTRL, true), BrowserKeyOwner::Notebook, "{name}");
        }
    }

    #[test]
    fn the_browser_and_the_notebook_both_get_typing_and_clipboard_keys() {
        for name in ["m", "/", "+", " ", "ArrowLeft", "Backspace"] {
            assert_eq!(
                owner_of_key_named(name, Modifiers::NONE, true),
                BrowserKeyOwner::Both,
                "{name}"
            );
        }
        assert_eq!(owner_of_key_named("R", Modifiers::SHIFT, true), BrowserKeyOwner::Both);
        for name in ["c", "v", "x", "a"] {
            assert_eq!(owner_of_key_named(name, CTRL, true), BrowserKeyOwner::Both, "{name}");
        }
        assert_eq!(parse_key("Dead"), None);
    }
}
