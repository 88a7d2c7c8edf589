//! Files that a page of a browser fetches when they are first needed: it says where
//! they are, in its element `assets`, by their path below the folder of that name.

use std::collections::BTreeMap;
use std::rc::Rc;

use eframe::egui::Context;
use js_sys::{Array, Promise, Uint8Array};
use percent_encoding::percent_decode_str;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{Response, Url, Window};

use bindpose_shipped as shipped;

/// Where files are.
#[derive(Clone)]
pub(super) struct Fetching {
    window: Window,
    /// Relative to the page, or with their content.
    urls: Rc<BTreeMap<String, String>>,
}

impl Fetching {
    /// As the page says; `None`: there is no page.
    pub(super) fn new() -> Option<Self> {
        let window = web_sys::window()?;
        let element = window.document()?.get_element_by_id("assets");
        let text = element.and_then(|element| element.text_content());
        let urls = text.and_then(|text| serde_json::from_str(&text).ok());
        Some(Self { window, urls: Rc::new(urls.unwrap_or_default()) })
    }

    /// Fetches these, all at once; those that are here already, or were fetched in
    /// vain, stay as they are.
    ///
    /// Errors: in words, why one of them is not here.
    pub(super) async fn need(&self, paths: &[&'static str]) -> Result<(), String> {
        for &path in paths {
            shipped::try_again(path);
            let _ = shipped::file(path);
        }
        let promises = shipped::take_wanted().into_iter().map(|path| {
            let here = self.clone();
            future_to_promise(async move {
                here.fetch(path).await;
                Ok(JsValue::UNDEFINED)
            })
        });
        let all = Promise::all(&promises.collect::<Array>());
        // None of them fails: what goes wrong is noted with the file.
        let _ = JsFuture::from(all).await;
        let mut failures = paths.iter().filter_map(|path| shipped::failure(path));
        failures.next().map_or(Ok(()), Err)
    }

    /// Begins to fetch what was asked for since; another frame is painted when it
    /// has come.
    pub(super) fn fetch_wanted(&self, ctx: &Context) {
        for path in shipped::take_wanted() {
            let (here, ctx) = (self.clone(), ctx.clone());
            spawn_local(async move {
                here.fetch(path).await;
                ctx.request_repaint();
            });
        }
    }

    async fn fetch(&self, path: &'static str) {
        let bytes = self.bytes(path).await;
        shipped::arrived(path, bytes);
    }

    /// Does the page say where this file is?
    pub(super) fn names(&self, path: &str) -> bool {
        self.urls.contains_key(path)
    }

    /// The content of a file that the page names.
    ///
    /// Errors: in words, why it is not here.
    pub(super) async fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let url = self.urls.get(path).map(String::as_str);
        let url = url.ok_or_else(|| format!("this page does not say where {path} is"))?;
        self.content(url).await
    }

    /// The content of a file that an address names, from the page's own server alone.
    ///
    /// Errors: in words, why it is not here.
    pub(super) async fn bytes_beside(&self, address: &str) -> Result<Vec<u8>, String> {
        let decoded = percent_decode_str(address).decode_utf8_lossy();
        let location = self.window.location();
        let wrong = |_: JsValue| "it is no address".to_owned();
        let base = location.href().map_err(wrong)?;
        let url = Url::new_with_base(&decoded, &base).map_err(wrong)?;
        if url.origin() != location.origin().map_err(wrong)? {
            return Err("a course comes from the same server as this page".to_owned());
        }
        self.content(&url.href()).await
    }

    async fn content(&self, url: &str) -> Result<Vec<u8>, String> {
        let broken = |_: JsValue| "there is no answer from its server".to_owned();
        let response = JsFuture::from(self.window.fetch_with_str(url)).await;
        let response: Response = response.map_err(broken)?.unchecked_into();
        if !response.ok() {
            return Err(format!("its server answers {}", response.status()));
        }
        let buffer = response.array_buffer().map_err(broken)?;
        let buffer = JsFuture::from(buffer).await.map_err(broken)?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }
}
