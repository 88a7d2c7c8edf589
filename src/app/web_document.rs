//! The page of the browser that the program runs in.

use wasm_bindgen::JsValue;
use web_sys::Document;

/// `Err`: there is none, as in a worker.
pub(super) fn document() -> Result<Document, JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    document.ok_or(JsValue::NULL)
}
