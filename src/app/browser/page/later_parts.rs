//! What comes with later parts of the program, and what a page does that needs it sooner.

use web_sys::Event;

use super::Page;
use crate::app::web_document::is_whole;

impl Page {
    /// Takes up what has come, once all has: reading lessons again calls what no page calls
    /// before.
    pub(super) fn take_parts(&mut self) {
        if self.rest.is_some() && is_whole() {
            self.rest = None;
            self.shell.take_texts();
            self.shell.await_rest(false);
        }
    }

    /// The page is told of a lesson that waits for its text, once: it knows why that does not
    /// come.
    pub(super) fn tell_awaited(&mut self) {
        let awaited = self.shell.notebook().awaited();
        let lacks = awaited.is_some_and(|awaited| awaited.rig.is_none());
        if lacks
            && !self.told_lack
            && let (Some(window), Ok(event)) =
                (web_sys::window(), Event::new("bindpose-lacks-text"))
        {
            let _ = window.dispatch_event(&event);
        }
        self.told_lack = lacks;
    }
}
