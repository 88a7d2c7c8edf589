//! Clipboard of a window. eframe copies the text to the system by itself.

use eframe::egui::{Context, OutputCommand};

#[derive(Debug)]
pub(in crate::app) struct Clipboard;

impl Clipboard {
    pub(in crate::app) const fn new() -> Self {
        Self
    }

    /// Returns true if a text was copied in this frame.
    #[expect(clippy::unused_self, reason = "a browser's clipboard answers later")]
    pub(in crate::app) fn update(&mut self, ctx: &Context) -> bool {
        ctx.output(|output| {
            output.commands.iter().any(|command| matches!(command, OutputCommand::CopyText(_)))
        })
    }
}
