//! The page of the browser that the program runs in.

use wasm_bindgen::JsValue;
use web_sys::Document;

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
