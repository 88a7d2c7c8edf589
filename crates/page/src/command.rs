//! Commands without arguments: one list for buttons, keys and tests.

use eframe::egui::{Context, Id, Key, KeyboardShortcut, Modifiers};

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

/// Shortcut with Ctrl, or Command on a Mac.
const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

/// Shortcut with Shift and Ctrl, or Command on a Mac.
const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

/// Defines the commands. Each has a name, a label, a tooltip and keys, and other keys in
/// a browser where the browser needs the first ones.
macro_rules! commands {
    (@keys $map:ident, [$($key:expr),+]) => {
        const { &[$($key),+] }
    };
    (@keys $map:ident, [$($key:expr),+], [$($other:expr),+]) => {
        match $map {
            KeyMap::Window => const { &[$($key),+] },
            KeyMap::Browser => const { &[$($other),+] },
        }
    };
    ($($name:ident: $text:literal, $tooltip:literal, $keys:tt $(in a browser $others:tt)?;)+) => {
        /// A command of the reader. The description that undo shows is that of the
        /// resulting edit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $tooltip] $name,)+
        }

        impl Command {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Label on a button or in a menu.
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            pub fn tooltip(self) -> &'static str {
                match self {
                    $(Self::$name => $tooltip,)+
                }
            }

            /// Keyboard shortcuts. Tooltips show the first.
            pub fn shortcuts(self, map: KeyMap) -> &'static [KeyboardShortcut] {
                match self {
                    $(Self::$name => commands!(@keys map, $keys $(, $others)?),)+
                }
            }
        }
    };
}

commands! {
    Next: "Next", "To the next step", [plain(Key::ArrowRight)];
    Back: "Back", "To the step before", [plain(Key::ArrowLeft)];
    ReadOn: "Read on", "When presenting: the answer to the question, then the next paragraph. Else reveal the guess, if one is made, or down the text. At its end to the next step", [plain(Key::PageDown)];
    ReadBack: "Read back", "Up the text; at its top, to the step before", [plain(Key::PageUp)];
    Skip: "Skip", "When presenting: on without the answer to the question", [shift(Key::PageDown), shift(Key::ArrowRight)];
    Undo: "Undo", "Take back the last change; a drag counts as one", [ctrl(Key::Z)];
    Redo: "Redo", "Do again what was taken back", [ctrl(Key::Y), ctrl_shift(Key::Z)];
    CarryOn: "Carry on with these values", "To the next step with the values of this one, where it sets none",
        [ctrl(Key::Enter)];
    Reset: "Reset", "All values and views of this step as it opens", [ctrl_shift(Key::R)]
        in a browser [shift(Key::R)];
    ResetView: "Put the view back", "The camera as the step has it; the values stay", [ctrl(Key::R)]
        in a browser [plain(Key::R)];
    BeginAnew: "Begin anew", "Forget all changes, answers, snapshots and steps seen, in every lesson; bookmarks and notes stay; can be undone",
        [ctrl_shift(Key::N)]
        in a browser [shift(Key::Delete)];
    Open: "Open", "Open a model of your own; a file can also be dropped anywhere", [ctrl(Key::O)];
    OpenModelB: "Compare models…", "Open a second model beside the one on the page, and see what differs", [ctrl_shift(Key::O)]
        in a browser [shift(Key::O)];
    Export: "Export", "Save a picture, the model or its numbers as a file", [ctrl(Key::E)]
        in a browser [plain(Key::E)];
    CopyLink: "Link", "Copy a link that reproduces this page with its values", [ctrl(Key::L)]
        in a browser [shift(Key::L)];
    Present: "Present", "Large type for the projector; everything stays editable", [plain(Key::F5)]
        in a browser [shift(Key::P)];
    GoOn: "Go on", "When presenting: the answer or the next paragraph, while one is hidden; else play or pause",
        [plain(Key::Space)];
    Paragraphs: "Paragraph by paragraph",
        "Show the prose paragraph by paragraph, or all of it: when presenting, and else",
        [ctrl_shift(Key::P)]
        in a browser [plain(Key::A)];
    Pen: "Pen", "When presenting: draw over the stage; the next step or Esc wipes it off",
        [plain(Key::D)];
    Spotlight: "Spotlight", "When presenting: light up the stage around the pointer alone",
        [plain(Key::S)];
    Freeze: "Freeze", "When presenting: hold pictures and numbers while values change, or let them go",
        [plain(Key::F)];
    Blank: "Blank", "When presenting: blank the screen; any key wakes it", [plain(Key::B)];
    InviteClass: "Invite", "A class on phones and laptops: show the address and the code, or put them away",
        [plain(Key::J)];
    CallClass: "Call all", "Bring the whole class to this page", [plain(Key::H)];
    EyesUp: "Eyes up", "Cover the pages of the whole class, or uncover them", [plain(Key::U)];
    AskClass: "Ask all", "Put the question of this step to the class; then let them talk, ask again, reveal",
        [plain(Key::Q)];
    ClassWall: "Pages", "The pages of all students as small pictures: to show, to send, to compare", [plain(Key::O)];
    PictureAlone: "Picture alone", "Give the pictures of this step all of the page, or take it back",
        [plain(Key::I)];
    TaskAlone: "Task", "Give the task of this step all of the page, in large type, or take it back",
        [plain(Key::Y)];
    Motion: "Less motion", "Without animations, or with them; at first as the system asks",
        [ctrl(Key::M)]
        in a browser [shift(Key::M)];
    Theme: "Theme", "Light or dark", [ctrl(Key::D)]
        in a browser [shift(Key::D)];
    ZoomIn: "Larger", "Larger text and pictures, up to 300%", [ctrl(Key::Plus), ctrl(Key::Equals)]
        in a browser [plain(Key::Plus), plain(Key::Equals)];
    ZoomOut: "Smaller", "Smaller, down to 75%", [ctrl(Key::Minus)]
        in a browser [plain(Key::Minus)];
    ZoomReset: "Normal size", "Back to 100%", [ctrl(Key::Num0)]
        in a browser [plain(Key::Num0)];
    Cover: "Cover", "To the whale, and the ways into the lessons", [plain(Key::Home)];
    Contents: "Contents", "Show or hide the list of lessons", [ctrl(Key::B)]
        in a browser [plain(Key::C)];
    Search: "Search", "Find a step, a word, a finding of the doctor, a command or a note of yours", [ctrl(Key::K)]
        in a browser [ctrl(Key::K), plain(Key::Slash)];
    Bookmark: "Bookmark", "Put a bookmark on this step, or take it away", [plain(Key::M)];
    OwnNote: "Your note", "Write a note on this step, or fold it away; it is kept on this machine",
        [plain(Key::N)];
    Notes: "Teacher’s notes", "Notes of this step, the next one and the time, in a window of their own", [ctrl(Key::N)]
        in a browser [plain(Key::T)];
    Bench: "Numbers", "The bench: angles, weights and matrices of any joint and vertex, on any page",
        [plain(Key::W)];
    KeepA: "Keep as A", "Keep the page as it is now, to compare and to come back to", [ctrl(Key::Num1)]
        in a browser [plain(Key::Num1)];
    KeepB: "Keep as B", "Keep the page as it is now as the other one", [ctrl(Key::Num2)]
        in a browser [plain(Key::Num2)];
    Flip: "Flip A and B", "Show the page as it was kept: A, B, and A again", [plain(Key::X)];
    Gizmo: "Gizmo", "Turn the chosen joint in the picture, move it, reach with it, or none of these",
        [plain(Key::G)];
    GizmoFrame: "Frame of the gizmo", "The joint’s own axes, those of its parent, or the world’s",
        [plain(Key::V)];
    Keys: "Keys", "All keys at a glance", [plain(Key::F1)]
        in a browser [plain(Key::Questionmark), plain(Key::F1)];
    Play: "Play or pause", "Play or pause the clip, or move the joints by sin(t)·amplitude",
        [plain(Key::P)];
    Loop: "Loop", "Let the clip begin again after its end, or stop there", [plain(Key::L)];
    FrameBack: "Frame back", "One frame of the clip back, as long as its file has it; else 1/30 s", [plain(Key::Comma)];
    FrameForward: "Frame on", "One frame of the clip on, as long as its file has it; else 1/30 s. When presenting without a clip: blank the screen, as clickers do", [plain(Key::Period)];
    Escape: "Close", "Leave one thing: what is typed, the focus, what is open, the pen, the presenter mode",
        [plain(Key::Escape)];
}

/// Purpose of commands, by which the list of keys is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    Page,
    Picture,
    Presenter,
    Class,
    File,
    Window,
}

impl CommandGroup {
    pub const ALL: [Self; 6] =
        [Self::Page, Self::Picture, Self::Presenter, Self::Class, Self::File, Self::Window];

    /// Heading of the group.
    pub fn label(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Picture => "Picture and numbers",
            Self::Presenter => "Presenting",
            Self::Class => "Class",
            Self::File => "Files and links",
            Self::Window => "Window",
        }
    }

    /// Returns the commands of the group, in the order of [`Command::ALL`].
    pub fn commands(self) -> impl Iterator<Item = Command> {
        Command::ALL.iter().copied().filter(move |command| command.group() == self)
    }
}

impl Command {
    pub fn group(self) -> CommandGroup {
        match self {
            Self::Next
            | Self::Back
            | Self::Undo
            | Self::Redo
            | Self::CarryOn
            | Self::Reset
            | Self::BeginAnew
            | Self::Cover
            | Self::Contents
            | Self::Search
            | Self::Bookmark
            | Self::OwnNote => CommandGroup::Page,
            Self::ResetView
            | Self::PictureAlone
            | Self::Gizmo
            | Self::GizmoFrame
            | Self::Play
            | Self::Loop
            | Self::FrameBack
            | Self::FrameForward
            | Self::Bench
            | Self::KeepA
            | Self::KeepB
            | Self::Flip => CommandGroup::Picture,
            Self::Present
            | Self::ReadOn
            | Self::ReadBack
            | Self::Skip
            | Self::GoOn
            | Self::Paragraphs
            | Self::Pen
            | Self::Spotlight
            | Self::Freeze
            | Self::Blank
            | Self::TaskAlone
            | Self::Notes => CommandGroup::Presenter,
            Self::InviteClass
            | Self::CallClass
            | Self::EyesUp
            | Self::AskClass
            | Self::ClassWall => CommandGroup::Class,
            Self::Open | Self::OpenModelB | Self::Export | Self::CopyLink => CommandGroup::File,
            Self::Motion
            | Self::Theme
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::ZoomReset
            | Self::Keys
            | Self::Escape => CommandGroup::Window,
        }
    }

    /// Returns the tooltip with the key, such as `Light or dark (Ctrl+D)`. `change` is
    /// the change that undo or redo would affect, which replaces their general
    /// description.
    pub fn hint(self, ctx: &Context, change: Option<&str>) -> String {
        let description = match change {
            Some(change) => self.with_change(change),
            None => self.tooltip().to_owned(),
        };
        match self.shortcuts(KeyMap::from_context(ctx)).first() {
            Some(shortcut) => format!("{description} ({})", shortcut_text(ctx, shortcut)),
            None => description,
        }
    }

    /// Returns the label of undo or redo with the affected change, such as `Undo: weight
    /// of v4`.
    pub fn with_change(self, change: &str) -> String {
        format!("{}: {change}", self.text())
    }
}

/// Formats a shortcut, such as `Ctrl+Z`, `→` or `F5`, with the usual symbols on a Mac.
pub fn shortcut_text(ctx: &Context, shortcut: &KeyboardShortcut) -> String {
    let key = shortcut.logical_key;
    let text = ctx.format_shortcut(shortcut);
    let modifiers = text
        .strip_suffix(key.name())
        .or_else(|| text.strip_suffix(key.symbol_or_name()))
        .unwrap_or_default();
    // egui spells some keys out (`Ctrl+Minus`), and uses symbols that our fonts lack.
    let key = match key {
        Key::ArrowRight => "→",
        Key::ArrowLeft => "←",
        Key::PageDown => "Page Down",
        Key::PageUp => "Page Up",
        Key::Escape => "Esc",
        key => key.symbol_or_name(),
    };
    format!("{modifiers}{key}")
}

// Key maps. A browser reserves some keys.

/// The keys available to the notebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMap {
    /// A native window, where all keys are free.
    Window,
    /// A browser, which reserves keys to reload, search, print and focus its address bar.
    Browser,
}

impl Default for KeyMap {
    fn default() -> Self {
        if cfg!(target_arch = "wasm32") { Self::Browser } else { Self::Window }
    }
}

impl KeyMap {
    /// Returns the key map of a context.
    pub fn from_context(ctx: &Context) -> Self {
        let map = ctx.data(|data| data.get_temp(Id::NULL));
        map.unwrap_or_default()
    }

    /// Sets the key map of a context.
    pub fn set_in(self, ctx: &Context) {
        ctx.data_mut(|data| data.insert_temp(Id::NULL, self));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{RawInput, os::OperatingSystem};

    fn format_all_shortcuts(os: OperatingSystem, map: KeyMap) -> Vec<String> {
        let ctx = Context::default();
        ctx.set_fonts(bindpose_kit::theme::fonts());
        ctx.set_os(os);
        let mut texts = Vec::new();
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            let shortcuts = Command::ALL.iter().flat_map(|command| command.shortcuts(map));
            texts = shortcuts.map(|shortcut| shortcut_text(ui.ctx(), shortcut)).collect();
        });
        output.textures_delta.clear();
        texts
    }

    #[test]
    fn shortcuts_are_formatted_as_on_the_keyboard() {
        let texts = format_all_shortcuts(OperatingSystem::Nix, KeyMap::Window);
        assert_eq!(
            texts.join(" "),
            "→ ← Page Down Page Up Shift+Page Down Shift+→ Ctrl+Z Ctrl+Y Ctrl+Shift+Z Ctrl+Enter Ctrl+Shift+R Ctrl+R \
             Ctrl+Shift+N Ctrl+O Ctrl+Shift+O Ctrl+E Ctrl+L F5 Space Ctrl+Shift+P D S F B J H U Q O I Y \
             Ctrl+M Ctrl+D Ctrl++ Ctrl+= Ctrl+− Ctrl+0 Home Ctrl+B Ctrl+K M N Ctrl+N W \
             Ctrl+1 Ctrl+2 X G V F1 P L , . Esc"
        );
        let on_a_mac = format_all_shortcuts(OperatingSystem::Mac, KeyMap::Window);
        for (text, mac) in texts.iter().zip(&on_a_mac) {
            assert_eq!(text.contains("Ctrl+"), mac != text, "{mac}");
            assert!(!mac.contains("Ctrl"), "{mac}");
        }
    }

    #[test]
    fn no_two_commands_share_a_key() {
        for map in [KeyMap::Window, KeyMap::Browser] {
            let mut seen = std::collections::HashMap::new();
            for command in Command::ALL {
                for shortcut in command.shortcuts(map) {
                    assert_eq!(seen.insert(*shortcut, command), None, "{shortcut:?}");
                }
            }
        }
    }

    /// Keys with Ctrl or Command that a browser reserves or that its users need.
    const BROWSER_KEYS: [Key; 16] = [
        Key::R,
        Key::L,
        Key::D,
        Key::N,
        Key::T,
        Key::W,
        Key::P,
        Key::F,
        Key::S,
        Key::E,
        Key::Plus,
        Key::Equals,
        Key::Minus,
        Key::Num0,
        Key::Num1,
        Key::Num2,
    ];

    #[test]
    fn keys_of_the_browser_are_not_used() {
        let keys = Command::ALL.iter().flat_map(|command| command.shortcuts(KeyMap::Browser));
        for shortcut in keys {
            let key = shortcut.logical_key;
            let with_ctrl = shortcut.modifiers.command;
            assert!(!with_ctrl || !BROWSER_KEYS.contains(&key), "{shortcut:?}");
            let is_function_key = (Key::F1..=Key::F35).contains(&key) && key != Key::F1;
            assert!(!is_function_key, "{shortcut:?}");
            assert!(!shortcut.modifiers.alt, "{shortcut:?}");
        }
    }

    #[test]
    fn hint_has_the_key_of_the_current_map() {
        let ctx = Context::default();
        let hints = [KeyMap::Window, KeyMap::Browser].map(|map| {
            map.set_in(&ctx);
            Command::Theme.hint(&ctx, None)
        });
        assert_eq!(hints, ["Light or dark (Ctrl+D)", "Light or dark (Shift+D)"]);
    }

    #[test]
    fn hint_of_undo_names_the_change() {
        let ctx = Context::default();
        let hint = Command::Undo.hint(&ctx, None);
        assert_eq!(hint, "Take back the last change; a drag counts as one (Ctrl+Z)");
        let hint = Command::Undo.hint(&ctx, Some("weight of v4"));
        assert_eq!(hint, "Undo: weight of v4 (Ctrl+Z)");
    }
}
