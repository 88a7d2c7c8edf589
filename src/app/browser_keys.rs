//! Whose a key is in a page of a browser: the notebook's, which keeps the browser
//! from acting on it, or the browser's, which the notebook never sees.

use eframe::egui::{Key, Modifiers};

use bindpose_page::command::{Command, KeyMap};

/// Who acts on a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BrowserKeyOwner {
    /// The browser would scroll, search or show its help.
    Notebook,
    /// Reload, its address bar, going back.
    Browser,
    /// Letters and arrows, copying and pasting: as they come.
    Both,
}

/// `typing`: a text field has the focus. `mac`: keys are those of a Mac, where
/// Option and an arrow go from word to word.
pub(super) fn owner(key: Key, held: Modifiers, typing: bool, mac: bool) -> BrowserKeyOwner {
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
pub(super) fn key(name: &str) -> Option<Key> {
    let upper = name.to_uppercase();
    let letter = name.chars().count() == 1;
    match name {
        " " => Some(Key::Space),
        _ => Key::from_name(if letter { &upper } else { name }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);

    fn pressed(name: &str, held: Modifiers, typing: bool) -> BrowserKeyOwner {
        owner(key(name).expect("a key"), held, typing, false)
    }

    #[test]
    fn a_browser_keeps_its_keys() {
        for name in ["r", "l", "d", "n", "t", "w", "f", "s", "+", "-", "0", "1"] {
            for typing in [false, true] {
                assert_eq!(pressed(name, CTRL, typing), BrowserKeyOwner::Browser, "Ctrl+{name}");
                let shift = CTRL.plus(Modifiers::SHIFT);
                assert_ne!(pressed(name, shift, typing), BrowserKeyOwner::Notebook, "{name}");
            }
        }
        for name in ["F5", "F11", "F12"] {
            assert_eq!(pressed(name, Modifiers::NONE, false), BrowserKeyOwner::Browser);
        }
        let back = pressed("ArrowLeft", Modifiers::ALT, false);
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
            assert_eq!(pressed(name, Modifiers::NONE, false), BrowserKeyOwner::Notebook, "{name}");
        }
        for name in ["z", "y", "k", "p", "Enter"] {
            assert_eq!(pressed(name, CTRL, false), BrowserKeyOwner::Notebook, "{name}");
            assert_eq!(pressed(name, CTRL, true), BrowserKeyOwner::Notebook, "{name}");
        }
    }

    #[test]
    fn what_is_typed_and_copied_comes_as_it_does() {
        for name in ["m", "/", "+", " ", "ArrowLeft", "Backspace"] {
            assert_eq!(pressed(name, Modifiers::NONE, true), BrowserKeyOwner::Both, "{name}");
        }
        assert_eq!(pressed("R", Modifiers::SHIFT, true), BrowserKeyOwner::Both);
        for name in ["c", "v", "x", "a"] {
            assert_eq!(pressed(name, CTRL, true), BrowserKeyOwner::Both, "{name}");
        }
        assert_eq!(key("Dead"), None);
    }
}
