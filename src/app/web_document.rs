//! The page of the browser that the program runs in, and its events.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Document, Event, EventTarget};

/// `Err`: there is none, as in a worker.
pub(super) fn document() -> Result<Document, JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    document.ok_or(JsValue::NULL)
}

/// Is all of the program here? `web/page/start.js` says so.
pub(super) fn is_whole() -> bool {
    let body = document().ok().and_then(|document| document.body());
    body.is_some_and(|body| body.class_name().split(' ').any(|name| name == "whole"))
}

/// Listens to events of the browser until it is dropped: all that listens in a page does
/// so by one of these, so that nothing goes on hearing for a canvas that is gone.
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
