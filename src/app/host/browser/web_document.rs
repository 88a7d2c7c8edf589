//! The web page that the program runs in, and its events.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Document, Event, EventTarget};

/// Returns the document of the page.
///
/// # Errors
///
/// `null` if there is no document, as in a worker.
pub(super) fn document() -> Result<Document, JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    document.ok_or(JsValue::NULL)
}

/// Returns true once all parts of the program are loaded. `web/page/start.js` then adds a class
/// to the body.
pub(super) fn is_whole() -> bool {
    let body = document().ok().and_then(|document| document.body());
    body.is_some_and(|body| body.class_name().split(' ').any(|name| name == "whole"))
}

/// Listens to events of the browser until it is dropped. All listeners of a page are of this
/// type, so that none outlives its canvas.
pub(super) struct Listener {
    target: EventTarget,
    event: &'static str,
    callback: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Calls `callback` for events of `target` and, before they reach them, for those of
    /// elements inside it.
    pub(super) fn new(
        target: &EventTarget,
        event: &'static str,
        callback: impl FnMut(Event) + 'static,
    ) -> Self {
        let listener = Self { target: target.clone(), event, callback: Closure::new(callback) };
        let function = listener.callback.as_ref().unchecked_ref();
        // Adding a function as a listener cannot fail.
        let _ = target.add_event_listener_with_callback_and_bool(event, function, true);
        listener
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.callback.as_ref().unchecked_ref();
        let _ =
            self.target.remove_event_listener_with_callback_and_bool(self.event, function, true);
    }
}
