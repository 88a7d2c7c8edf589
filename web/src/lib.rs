//! What the page of a browser calls.
#![cfg(target_arch = "wasm32")]

use bindpose::app::BrowserNotebook;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// The notebook, under its name in JavaScript.
#[wasm_bindgen(js_name = Notebook)]
pub struct NotebookOfPage(BrowserNotebook);

#[wasm_bindgen(js_class = Notebook)]
impl NotebookOfPage {
    /// Not shown yet. `site` is the address of the first page of the pages that this
    /// one belongs to, and is left out where one file is all of them. `wake` is called
    /// with milliseconds whenever a frame is wanted after so many of them; `failed`
    /// with what a panic says and the way there.
    #[wasm_bindgen(constructor)]
    pub fn new(site: Option<String>, wake: Function, failed: Function) -> Self {
        Self(BrowserNotebook::new(site, wake, failed))
    }

    /// Shows it on a canvas: at first at the page that the address bar names, later
    /// as it was when it left the canvas before.
    ///
    /// Errors: what the browser lacks.
    pub async fn show(&self, canvas: HtmlCanvasElement) -> Result<(), JsValue> {
        self.0.show(canvas).await
    }

    /// Leaves the canvas alone from now on, and keeps what is open.
    pub fn leave(&self) {
        self.0.leave();
    }
}
