//! Saves a file as a download of the browser, or prints it.

use bindpose_notebook::export::media_type;
use bindpose_page::view::SaveRequest;
use eframe::egui::Context;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlIFrameElement, Url};

use super::web_document::document;

/// Lifetime of a file's URL. Browsers may ask the reader before they save, and some fetch the
/// bytes only then.
const URL_LIFETIME_MS: i32 = 120_000;

/// Saves files as downloads.
#[derive(Debug, Default)]
pub(in crate::app) struct FileSaver {
    /// Messages since the last frame.
    outcomes: Vec<Result<String, String>>,
}

impl FileSaver {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "same signature as on the desktop, where the dialog keeps the request"
    )]
    pub(in crate::app) fn save(
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

    pub(in crate::app) fn take_outcomes(&mut self, _: &Context) -> Vec<Result<String, String>> {
        std::mem::take(&mut self.outcomes)
    }
}

/// Clicks a temporary link to the file.
fn download(request: &SaveRequest) -> Result<(), JsValue> {
    let url = object_url(request)?;
    let document = document()?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&url);
    link.set_download(&request.name);
    // Some browsers follow only links that are in the document.
    document.body().ok_or(JsValue::NULL)?.append_child(&link)?;
    link.click();
    link.remove();
    revoke_later(url)
}

/// Opens the browser’s print dialog for a page. Returns false if that fails.
pub(in crate::app) fn print_page(page: &SaveRequest) -> bool {
    try_print_page(page).is_ok()
}

fn try_print_page(page: &SaveRequest) -> Result<(), JsValue> {
    let url = object_url(page)?;
    let document = document()?;
    let frame: HtmlIFrameElement = document.create_element("iframe")?.dyn_into()?;
    frame.set_attribute("style", "position:fixed;width:0;height:0;border:0;visibility:hidden")?;
    frame.set_attribute("aria-hidden", "true")?;
    frame.set_attribute("tabindex", "-1")?;
    let loaded_frame = frame.clone();
    let on_load = Closure::once_into_js(move || {
        let result = loaded_frame.content_window().map(|page| page.print());
        if !matches!(result, Some(Ok(()))) {
            log::warn!("the browser does not print");
        }
    });
    frame.add_event_listener_with_callback("load", on_load.unchecked_ref())?;
    frame.set_src(&url);
    let body = document.body().ok_or(JsValue::NULL)?;
    // The dialog of the previous page is closed by now.
    if let Some(previous) = document.get_element_by_id("printed") {
        previous.remove();
    }
    frame.set_id("printed");
    body.append_child(&frame)?;
    revoke_later(url)
}

fn object_url(request: &SaveRequest) -> Result<String, JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(request.bytes.as_slice()));
    let options = BlobPropertyBag::new();
    options.set_type(media_type(&request.name));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options)?;
    Url::create_object_url_with_blob(&blob)
}

fn revoke_later(url: String) -> Result<(), JsValue> {
    let revoke = Closure::once_into_js(move || {
        let _ = Url::revoke_object_url(&url);
    });
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    window.set_timeout_with_callback_and_timeout_and_arguments_0(
        revoke.unchecked_ref(),
        URL_LIFETIME_MS,
    )?;
    Ok(())
}
