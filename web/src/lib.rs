//! What the page of a browser calls.
#![cfg(target_arch = "wasm32")]

use bindpose::app::BrowserNotebook;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// The notebook on a canvas.
#[wasm_bindgen]
pub struct Notebook(BrowserNotebook);

#[wasm_bindgen]
impl Notebook {
    /// Opens it at the page that the address bar names.
    ///
    /// # Errors
    /// What the browser lacks.
    pub async fn start(canvas: HtmlCanvasElement) -> Result<Notebook, JsValue> {
        BrowserNotebook::start(canvas).await.map(Notebook)
    }

    /// What the program said when it broke off; `undefined` while it runs.
    pub fn panic_message(&self) -> Option<String> {
        self.0.panic_message()
    }

    /// Leaves the canvas alone from now on.
    pub fn end(&self) {
        self.0.end();
    }
}
