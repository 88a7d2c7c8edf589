//! Events of the browser, for as long as somebody listens.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// Listens until it is dropped: all that listens in a page does so by one of these,
/// so that nothing goes on hearing for a canvas that is gone.
pub(super) struct Listener {
    target: EventTarget,
    event: &'static str,
    heard: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Hears what comes to `target`, and what comes to an element in it before that
    /// element does.
    pub(super) fn new(
        target: &EventTarget,
        event: &'static str,
        heard: impl FnMut(Event) + 'static,
    ) -> Self {
        let listener = Self { target: target.clone(), event, heard: Closure::new(heard) };
        let function = listener.heard.as_ref().unchecked_ref();
        // A window takes every listener that is a function.
        let _ = target.add_event_listener_with_callback_and_bool(event, function, true);
        listener
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.heard.as_ref().unchecked_ref();
        let _ =
            self.target.remove_event_listener_with_callback_and_bool(self.event, function, true);
    }
}
