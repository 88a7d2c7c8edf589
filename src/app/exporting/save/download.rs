//! The browser keeps the file where it keeps downloads, or prints it.

use bindpose_notebook::export::media_type;
use bindpose_page::view::SaveRequest;
use eframe::egui::Context;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlIFrameElement, Url};

use crate::app::web_document::document;

/// How long the bytes stay to be fetched, in milliseconds: browsers ask before they
/// save, and some fetch only then.
const STAYS_MS: i32 = 120_000;

/// What came of requests since the last frame.
#[derive(Debug, Default)]
pub(in crate::app::exporting) struct Saving {
    outcomes: Vec<Result<String, String>>,
}

impl Saving {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "as the system's dialog, which holds it while it asks"
    )]
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

    pub(in crate::app::exporting) fn update(&mut self, _: &Context) -> Vec<Result<String, String>> {
        std::mem::take(&mut self.outcomes)
    }
}

/// A link to the bytes, clicked once.
fn download(request: &SaveRequest) -> Result<(), JsValue> {
    let url = url_of(request)?;
    let document = document()?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&url);
    link.set_download(&request.name);
    // Some browsers follow no link that is nowhere.
    document.body().ok_or(JsValue::NULL)?.append_child(&link)?;
    link.click();
    link.remove();
    forget_later(url)
}

/// Opens the browser’s dialog for printing a page.
pub(in crate::app::exporting) fn print(page: &SaveRequest) -> Result<(), JsValue> {
    let url = url_of(page)?;
    let document = document()?;
    let frame: HtmlIFrameElement = document.create_element("iframe")?.dyn_into()?;
    frame.set_attribute("style", "position:fixed;width:0;height:0;border:0;visibility:hidden")?;
    frame.set_attribute("aria-hidden", "true")?;
    frame.set_attribute("tabindex", "-1")?;
    let of_frame = frame.clone();
    let ready = Closure::once_into_js(move || {
        let printed = of_frame.content_window().map(|page| page.print());
        if !matches!(printed, Some(Ok(()))) {
            log::warn!("the browser does not print");
        }
    });
    frame.add_event_listener_with_callback("load", ready.unchecked_ref())?;
    frame.set_src(&url);
    let body = document.body().ok_or(JsValue::NULL)?;
    // The dialog of the last page is closed by now.
    if let Some(before) = document.get_element_by_id("printed") {
        before.remove();
    }
    frame.set_id("printed");
    body.append_child(&frame)?;
    forget_later(url)
}

fn url_of(request: &SaveRequest) -> Result<String, JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(request.bytes.as_slice()));
    let kind = BlobPropertyBag::new();
    kind.set_type(media_type(&request.name));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    Url::create_object_url_with_blob(&blob)
}

fn forget_later(url: String) -> Result<(), JsValue> {
    let forget = Closure::once_into_js(move || {
        let _ = Url::revoke_object_url(&url);
    });
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let function = forget.unchecked_ref();
    window.set_timeout_with_callback_and_timeout_and_arguments_0(function, STAYS_MS)?;
    Ok(())
}
