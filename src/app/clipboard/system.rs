//! The window gives what is copied to the system.

use eframe::egui::{Context, OutputCommand};

/// The system's.
#[derive(Debug)]
pub(in crate::app) struct Clipboard;

impl Clipboard {
    pub(in crate::app) const fn new() -> Self {
        Self
    }

    /// Was something copied in this frame?
    #[expect(clippy::unused_self, reason = "a browser's answers later")]
    pub(in crate::app) fn update(&mut self, ctx: &Context) -> bool {
        let copies = |command: &OutputCommand| matches!(command, OutputCommand::CopyText(_));
        ctx.output(|output| output.commands.iter().any(copies))
    }
}
