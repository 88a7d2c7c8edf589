//! The functions that a web page calls.
#![cfg(target_arch = "wasm32")]

use bindpose::app::BrowserNotebook;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// The notebook in a web page. Its name in JavaScript is `Notebook`.
#[wasm_bindgen(js_name = Notebook)]
pub struct NotebookOfPage(BrowserNotebook);

#[wasm_bindgen(js_class = Notebook)]
impl NotebookOfPage {
    /// Creates a notebook that is not shown yet. `site` is the address of the first page of
    /// the site, and is left out for a single file. `wake` is called with a delay in
    /// milliseconds whenever a frame is needed; `failed` with the message and the stack of a
    /// panic.
    #[wasm_bindgen(constructor)]
    pub fn new(site: Option<String>, wake: Function, failed: Function) -> Self {
        Self(BrowserNotebook::new(site, wake, failed))
    }

    /// Shows the notebook on a canvas. The first time, opens the page that the address bar
    /// names; later, continues with the open page.
    ///
    /// # Errors
    ///
    /// A message about the feature that the browser lacks.
    pub async fn show(&self, canvas: HtmlCanvasElement) -> Result<(), JsValue> {
        self.0.show(canvas).await
    }

    /// Releases the canvas, and keeps the page open.
    pub fn leave(&self) {
        self.0.leave();
    }
}
