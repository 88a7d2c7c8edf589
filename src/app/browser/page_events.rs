//! What a browser tells its page beside what eframe passes on: files in folders,
//! what the reader asks of every page, keys for printing.

use std::sync::mpsc::Receiver;

use eframe::egui::{Context, Key, Modifiers};

use super::given_files::{self, Given};
use super::printing::PrintedLesson;
use crate::app::SystemSettings;
use crate::app::shell::Shell;
use crate::app::system_settings;

/// All of it.
pub(super) struct PageEvents {
    given: Option<Receiver<Given>>,
    system: Receiver<SystemSettings>,
    printed: PrintedLesson,
}

impl PageEvents {
    /// Listens from now on.
    pub(super) fn listen(ctx: &Context, shell: &Shell) -> Self {
        let printed = PrintedLesson::default();
        printed.print_on_asking(&shell.notebook().set);
        Self {
            given: given_files::listen(ctx),
            system: system_settings::ask(ctx),
            printed,
        }
    }

    /// Passes on what has come since the last frame, before the page is laid out.
    pub(super) fn before_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        if let Some(settings) = self.system.try_iter().last() {
            shell.follow_system(settings);
        }
        for given in self.given.iter().flat_map(Receiver::try_iter) {
            shell.open_given(ctx, given);
        }
        if ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::P)) {
            shell.print();
        }
    }

    /// What the browser would print is that of the page in sight.
    pub(super) fn after_frame(&mut self, shell: &Shell) {
        self.printed.set(&shell.notebook().lesson().slug);
    }
}
