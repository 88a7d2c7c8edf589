//! The browser keeps the file where it keeps downloads.

use eframe::egui::Context;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::ui::theme::Theme;
use crate::ui::view::SaveRequest;

/// What came of requests since the last frame.
#[derive(Debug, Default)]
pub(in crate::app::exporting) struct Saving {
    outcomes: Vec<Result<String, String>>,
}

impl Saving {
    pub(in crate::app::exporting) fn ask(
        &mut self,
        ctx: &Context,
        request: SaveRequest,
        _: Option<&std::path::Path>,
    ) {
        self.outcomes.push(match download(&request) {
            Ok(()) => Ok(format!("“{}” is among the downloads.", request.name)),
            Err(_) => Err(format!("The browser did not take “{}”.", request.name)),
        });
        ctx.request_repaint();
    }

    pub(in crate::app::exporting) fn update(
        &mut self,
        _: &Context,
        _: &Theme,
    ) -> Vec<Result<String, String>> {
        std::mem::take(&mut self.outcomes)
    }

    /// Nothing of ours is open.
    pub(in crate::app::exporting) fn close(&mut self) -> bool {
        false
    }
}

/// A link to the bytes, clicked once.
fn download(request: &SaveRequest) -> Result<(), JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(request.bytes.as_slice()));
    let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&url);
    link.set_download(&request.name);
    link.click();
    web_sys::Url::revoke_object_url(&url)
}
