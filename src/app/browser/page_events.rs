//! What a browser tells its page beside what eframe passes on: files in folders,
//! what the reader asks of every page, keys for printing, the full screen.

use std::sync::mpsc::Receiver;

use eframe::egui::{Context, Key, Modifiers};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::Document;

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
    /// Was the notebook presented in the last frame?
    presented: bool,
    /// Has the page been on the full screen since it is presented?
    was_full: bool,
}

impl PageEvents {
    /// Listens from now on.
    pub(super) fn listen(ctx: &Context, shell: &Shell) -> Self {
        repaint_on_full_screen(ctx);
        let printed = PrintedLesson::default();
        printed.print_on_asking(&shell.notebook().set);
        Self {
            given: given_files::listen(ctx),
            system: system_settings::ask(ctx),
            printed,
            presented: false,
            was_full: false,
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

    /// Puts the page on the full screen while the notebook is presented. A reader who
    /// leaves the full screen, by a key that is the browser's, stops presenting.
    pub(super) fn after_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        let Some(document) = web_sys::window().and_then(|window| window.document()) else {
            return;
        };
        self.printed.set(&shell.notebook().lesson().slug);
        let (presented, full) = (shell.is_presenting(), is_full(&document));
        match (self.presented, presented) {
            (false, true) => {
                self.was_full = false;
                let root = document.document_element();
                // Refused where nobody has pressed anything, and on some phones.
                let _ = root.map(|root| root.request_fullscreen());
            }
            (true, false) if full => document.exit_fullscreen(),
            (true, true) if self.was_full && !full => {
                shell.stop_presenting(ctx);
                ctx.request_repaint();
            }
            _ => self.was_full |= full && presented,
        }
        self.presented = shell.is_presenting();
    }
}

fn is_full(document: &Document) -> bool {
    document.fullscreen_element().is_some()
}

fn repaint_on_full_screen(ctx: &Context) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    let ctx = ctx.clone();
    let changed = Closure::<dyn FnMut()>::new(move || ctx.request_repaint());
    let listener = changed.as_ref().unchecked_ref();
    let _ = document.add_event_listener_with_callback("fullscreenchange", listener);
    changed.forget();
}
