//! What a browser tells its page beside what eframe passes on: files in folders,
//! what the reader asks of every page, keys for printing.

use eframe::egui::{Context, Key, Modifiers};

use super::given_files::GivenFiles;
use crate::app::shell::Shell;
use crate::app::system_settings::SystemSettingsEvents;

/// All of it.
pub(super) struct PageEvents {
    given: Option<GivenFiles>,
    system: SystemSettingsEvents,
}

impl PageEvents {
    /// Listens from now on.
    pub(super) fn listen(ctx: &Context) -> Self {
        Self { given: GivenFiles::listen(ctx), system: SystemSettingsEvents::listen(ctx) }
    }

    /// Passes on what has come since the last frame, before the page is laid out.
    pub(super) fn before_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        if let Some(settings) = self.system.last() {
            shell.follow_system(settings);
        }
        for given in self.given.iter().flat_map(GivenFiles::since_last) {
            shell.open_given(ctx, given);
        }
        if ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::P)) {
            shell.print();
        }
    }
}
