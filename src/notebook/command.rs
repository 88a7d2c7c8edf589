//! What can be done without a value: one enum for menus, keys and tests.

/// Something a reader can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// To the next step, or the next lesson after the last.
    Next,
    /// To the step before, or the last of the lesson before.
    Back,
    /// Take back the last change.
    Undo,
    /// Do it again.
    Redo,
    /// All values of the lesson as the step gives them.
    Reset,
    /// A model of the reader's own.
    Open,
    /// Save a picture, the model or its numbers as a file.
    Export,
    /// The link that reproduces the page, to the clipboard.
    CopyLink,
    /// Large type, nothing but the lesson; still editable.
    Present,
    /// Light or dark.
    Theme,
    /// Larger text and everything with it.
    ZoomIn,
    /// Smaller.
    ZoomOut,
    /// 100%.
    ZoomReset,
    /// Show or hide the list of lessons.
    Contents,
    /// Show or hide the teacher's notes.
    Notes,
    /// Show or hide the list of keys.
    Keys,
    /// Start or stop the clip, or `sin(t)·amplitude`.
    Play,
    /// Does the clip begin again after its end?
    Loop,
    /// One frame of the clip back.
    FrameBack,
    /// One frame of the clip on.
    FrameForward,
    /// Leave the presenter mode, close what is open.
    Escape,
}

/// A key with its modifiers, in words that the page maps to its toolkit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// Ctrl, or Command on a Mac.
    pub command: bool,
    /// Shift.
    pub shift: bool,
    /// Name of the key: `Z`, `F5`, `ArrowRight`, `+`.
    pub key: &'static str,
}

const fn key(key: &'static str) -> Shortcut {
    Shortcut {
        command: false,
        shift: false,
        key,
    }
}

const fn ctrl(key: &'static str) -> Shortcut {
    Shortcut {
        command: true,
        shift: false,
        key,
    }
}

impl Command {
    /// Every command.
    pub const ALL: [Self; 21] = [
        Self::Next,
        Self::Back,
        Self::Undo,
        Self::Redo,
        Self::Reset,
        Self::Open,
        Self::Export,
        Self::CopyLink,
        Self::Present,
        Self::Theme,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::ZoomReset,
        Self::Contents,
        Self::Notes,
        Self::Keys,
        Self::Play,
        Self::Loop,
        Self::FrameBack,
        Self::FrameForward,
        Self::Escape,
    ];

    /// On a button or in a menu.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Next => "Next",
            Self::Back => "Back",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::Reset => "Reset",
            Self::Open => "Open",
            Self::Export => "Export",
            Self::CopyLink => "Link",
            Self::Present => "Present",
            Self::Theme => "Theme",
            Self::ZoomIn => "Larger",
            Self::ZoomOut => "Smaller",
            Self::ZoomReset => "Normal size",
            Self::Contents => "Contents",
            Self::Notes => "Teacher’s notes",
            Self::Keys => "Keys",
            Self::Play => "Play or pause",
            Self::Loop => "Loop",
            Self::FrameBack => "Frame back",
            Self::FrameForward => "Frame on",
            Self::Escape => "Close",
        }
    }

    /// One sentence.
    #[must_use]
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Next => "To the next step",
            Self::Back => "To the step before",
            Self::Undo => "Take back the last change; a drag counts as one",
            Self::Redo => "Do again what was taken back",
            Self::Reset => "All values of this lesson as the step gives them",
            Self::Open => "Open a model of your own; a file can also be dropped anywhere",
            Self::Export => "Save a picture, the model or its numbers as a file",
            Self::CopyLink => "Copy a link that reproduces this page with its values",
            Self::Present => "Large type for the projector; everything stays editable",
            Self::Theme => "Light or dark",
            Self::ZoomIn => "Larger text and pictures, up to 300%",
            Self::ZoomOut => "Smaller, down to 75%",
            Self::ZoomReset => "Back to 100%",
            Self::Contents => "Show or hide the list of lessons",
            Self::Notes => "What the teacher should know about this lesson",
            Self::Keys => "All keys at a glance",
            Self::Play => "Play or pause the clip, or move the joints by sin(t)·amplitude",
            Self::Loop => "Let the clip begin again after its end, or stop there",
            Self::FrameBack => "One frame of the clip back: 1/30 s",
            Self::FrameForward => "One frame of the clip on: 1/30 s",
            Self::Escape => "Leave the presenter mode, close what is open",
        }
    }

    /// Keys that do it; the first is the one to show.
    #[must_use]
    pub fn shortcuts(self) -> &'static [Shortcut] {
        match self {
            Self::Next => const { &[key("ArrowRight"), key("PageDown")] },
            Self::Back => const { &[key("ArrowLeft"), key("PageUp")] },
            Self::Undo => const { &[ctrl("Z")] },
            Self::Redo => {
                const {
                    &[
                        ctrl("Y"),
                        Shortcut {
                            command: true,
                            shift: true,
                            key: "Z",
                        },
                    ]
                }
            }
            Self::Reset => const { &[ctrl("R")] },
            Self::Open => const { &[ctrl("O")] },
            Self::Export => const { &[ctrl("E")] },
            Self::CopyLink => const { &[ctrl("L")] },
            Self::Present => const { &[key("F5")] },
            Self::Theme => const { &[ctrl("D")] },
            Self::ZoomIn => const { &[ctrl("+"), ctrl("=")] },
            Self::ZoomOut => const { &[ctrl("-")] },
            Self::ZoomReset => const { &[ctrl("0")] },
            Self::Contents => const { &[ctrl("B")] },
            Self::Notes => const { &[ctrl("N")] },
            Self::Keys => const { &[key("F1")] },
            Self::Play => const { &[key("P"), key("Space")] },
            Self::Loop => const { &[key("L")] },
            Self::FrameBack => const { &[key(",")] },
            Self::FrameForward => const { &[key(".")] },
            Self::Escape => const { &[key("Escape")] },
        }
    }
}
