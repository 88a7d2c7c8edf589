//! Clipboard of a browser. Uses the Clipboard API, else `execCommand`, else a text field from
//! which the reader copies.

use std::sync::mpsc::{Receiver, Sender, channel};

use eframe::egui::{Context, OutputCommand};
use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, HtmlElement, HtmlTextAreaElement};

use super::web_document::document;

/// Shown with the text field.
const COPY_INSTRUCTION: &str = "The browser does not let this page copy. The text is selected: press \
    Ctrl+C (on a Mac ⌘C), or hold it and choose Copy.";

#[derive(Debug)]
pub(in crate::app) struct Clipboard {
    /// Cloned into each copy, which sends one message when it has succeeded.
    copied_sender: Sender<()>,
    copied_receiver: Receiver<()>,
}

impl Clipboard {
    pub(in crate::app) fn new() -> Self {
        let (copied_sender, copied_receiver) = channel();
        Self { copied_sender, copied_receiver }
    }

    /// Starts copying the texts of this frame. Returns true if a text was copied since the
    /// last frame.
    pub(in crate::app) fn update(&mut self, ctx: &Context) -> bool {
        for text in take_texts(ctx) {
            let ctx = ctx.clone();
            let copied_sender = self.copied_sender.clone();
            wasm_bindgen_futures::spawn_local(async move {
                if copy(text).await.unwrap_or(false) {
                    let _ = copied_sender.send(());
                    ctx.request_repaint();
                }
            });
        }
        self.copied_receiver.try_iter().count() > 0
    }
}

/// Takes the texts to copy out of egui's output. eframe would copy them without
/// reporting the result.
fn take_texts(ctx: &Context) -> Vec<String> {
    ctx.output_mut(|output| {
        let mut texts = Vec::new();
        output.commands.retain_mut(|command| match command {
            OutputCommand::CopyText(text) => {
                texts.push(std::mem::take(text));
                false
            }
            _ => true,
        });
        texts
    })
}

/// Copies a text. Returns false if the reader had to copy it from the text field.
async fn copy(text: String) -> Result<bool, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    // Other contexts have no clipboard object, although the bindings return one.
    if window.is_secure_context() {
        let write = JsFuture::from(window.navigator().clipboard().write_text(&text));
        if write.await.is_ok() {
            return Ok(true);
        }
    }
    let document = document()?;
    let field = CopyField::open(&document, &text)?;
    if exec_copy(&document) {
        field.close();
        return Ok(true);
    }
    field.wait_for_reader(&document).await?;
    Ok(false)
}

/// Copies the selection by the deprecated `execCommand`.
fn exec_copy(document: &Document) -> bool {
    js_sys::Reflect::get(document, &"execCommand".into())
        .and_then(JsCast::dyn_into::<js_sys::Function>)
        .and_then(|function| function.call1(document, &"copy".into()))
        .is_ok_and(|result| result.is_truthy())
}

/// A text field over the page, with its text selected.
struct CopyField {
    dialog: HtmlElement,
    focused_before: Option<HtmlElement>,
}

impl CopyField {
    fn open(document: &Document, text: &str) -> Result<Self, JsValue> {
        let focused_before = document.active_element().and_then(|element| element.dyn_into().ok());
        let dialog: HtmlElement = document.create_element("dialog")?.dyn_into()?;
        dialog.set_class_name("copy");
        let area: HtmlTextAreaElement = document.create_element("textarea")?.dyn_into()?;
        area.set_read_only(true);
        area.set_rows(6);
        area.set_value(text);
        area.set_attribute("aria-label", "Text to copy")?;
        dialog.append_child(&area)?;
        let body = document.body().ok_or(JsValue::NULL)?;
        body.append_child(&dialog)?;
        // `showModal` keeps keys and pointer from the page below.
        let show = js_sys::Reflect::get(&dialog, &"showModal".into())?;
        show.dyn_into::<js_sys::Function>()?.call0(&dialog)?;
        area.focus()?;
        area.select();
        Ok(Self { dialog, focused_before })
    }

    fn close(self) {
        self.dialog.remove();
        if let Some(element) = self.focused_before {
            let _ = element.focus();
        }
    }

    /// Adds an instruction, and waits until the reader closes the dialog.
    async fn wait_for_reader(self, document: &Document) -> Result<(), JsValue> {
        let instruction: Element = document.create_element("p")?;
        instruction.set_text_content(Some(COPY_INSTRUCTION));
        let close: HtmlElement = document.create_element("button")?.dyn_into()?;
        close.set_inner_text("Close");
        self.dialog.prepend_with_node_1(&instruction)?;
        self.dialog.append_child(&close)?;
        let closed = Promise::new(&mut |resolve, _| {
            let _ = close.add_event_listener_with_callback("click", &resolve);
            // Esc closes the dialog.
            let _ = self.dialog.add_event_listener_with_callback("close", &resolve);
        });
        JsFuture::from(closed).await?;
        self.close();
        Ok(())
    }
}
