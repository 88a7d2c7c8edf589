//! Events of the browser, for as long as somebody listens.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// Listens until it is dropped.
pub(super) struct Listener {
    target: EventTarget,
    event: &'static str,
    heard: Closure<dyn FnMut(Event)>,
}

impl Listener {
    pub(super) fn new(
        target: &EventTarget,
        event: &'static str,
        heard: impl FnMut(Event) + 'static,
    ) -> Self {
        let listener = Self {
            target: target.clone(),
            event,
            heard: Closure::new(heard),
        };
        let function = listener.heard.as_ref().unchecked_ref();
        // A window takes every listener that is a function.
        let _ = target.add_event_listener_with_callback(event, function);
        listener
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.heard.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback(self.event, function);
    }
}
