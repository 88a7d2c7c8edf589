//! What is copied, on its way to the clipboard: the system takes it; a browser may
//! refuse, and then the reader copies it from a text field.

#[cfg(target_arch = "wasm32")]
pub(super) use browser::Clipboard;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use system::Clipboard;

/// The window gives what is copied to the system.
#[cfg(not(target_arch = "wasm32"))]
mod system {
    use eframe::egui::{Context, OutputCommand};

    /// The system's.
    #[derive(Debug)]
    pub(in crate::app) struct Clipboard;

    impl Clipboard {
        pub(in crate::app) const fn new() -> Self {
            Self
        }

        /// Was something copied in this frame?
        #[expect(clippy::unused_self, reason = "a browser's answers later")]
        pub(in crate::app) fn update(&mut self, ctx: &Context) -> bool {
            let copies = |command: &OutputCommand| matches!(command, OutputCommand::CopyText(_));
            ctx.output(|output| output.commands.iter().any(copies))
        }
    }
}

/// A browser's clipboard: by its own way where it has one; else by the old one; and
/// where it allows neither, as a text field to copy from.
#[cfg(target_arch = "wasm32")]
mod browser {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use eframe::egui::{Context, OutputCommand};
    use js_sys::Promise;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{Document, Element, HtmlElement, HtmlTextAreaElement};

    use crate::app::web_document::document;

    /// Below the text that the reader copies.
    const REFUSED: &str = "The browser does not let this page copy. The text is selected: press \
        Ctrl+C (on a Mac ⌘C), or hold it and choose Copy.";

    /// The browser's.
    #[derive(Debug)]
    pub(in crate::app) struct Clipboard {
        /// One message for each text that has come to the clipboard.
        copied: (Sender<()>, Receiver<()>),
    }

    impl Clipboard {
        pub(in crate::app) fn new() -> Self {
            Self { copied: channel() }
        }

        /// Begins to copy what was asked for in this frame; has a text come to the
        /// clipboard since the last one?
        pub(in crate::app) fn update(&mut self, ctx: &Context) -> bool {
            for text in taken(ctx) {
                let (ctx, done) = (ctx.clone(), self.copied.0.clone());
                wasm_bindgen_futures::spawn_local(async move {
                    if copy(text).await.unwrap_or(false) {
                        let _ = done.send(());
                        ctx.request_repaint();
                    }
                });
            }
            self.copied.1.try_iter().count() > 0
        }
    }

    /// Texts to copy, which eframe would copy without saying what comes of it.
    fn taken(ctx: &Context) -> Vec<String> {
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

    /// False: the reader was asked to do it.
    async fn copy(text: String) -> Result<bool, JsValue> {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        // Elsewhere there is no such object, whatever the bindings say.
        if window.is_secure_context() {
            let written = JsFuture::from(window.navigator().clipboard().write_text(&text));
            if written.await.is_ok() {
                return Ok(true);
            }
        }
        let document = document()?;
        let field = Field::open(&document, &text)?;
        if exec_copy(&document) {
            field.close();
            return Ok(true);
        }
        field.ask(&document).await?;
        Ok(false)
    }

    /// The way of before there was a clipboard for pages.
    fn exec_copy(document: &Document) -> bool {
        let command = js_sys::Reflect::get(document, &"execCommand".into());
        let command = command.and_then(JsCast::dyn_into::<js_sys::Function>);
        let copied = command.and_then(|command| command.call1(document, &"copy".into()));
        copied.is_ok_and(|copied| copied.is_truthy())
    }

    /// A text field over the page, with its text selected.
    struct Field {
        dialog: HtmlElement,
        before: Option<HtmlElement>,
    }

    impl Field {
        fn open(document: &Document, text: &str) -> Result<Self, JsValue> {
            let before = document.active_element();
            let before = before.and_then(|element| element.dyn_into().ok());
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
            // `showModal`, which keeps keys and pointer from the page below.
            let show = js_sys::Reflect::get(&dialog, &"showModal".into())?;
            show.dyn_into::<js_sys::Function>()?.call0(&dialog)?;
            area.focus()?;
            area.select();
            Ok(Self { dialog, before })
        }

        fn close(self) {
            self.dialog.remove();
            if let Some(before) = self.before {
                let _ = before.focus();
            }
        }

        /// Leaves it to the reader, until it is closed.
        async fn ask(self, document: &Document) -> Result<(), JsValue> {
            let words: Element = document.create_element("p")?;
            words.set_text_content(Some(REFUSED));
            let close: HtmlElement = document.create_element("button")?.dyn_into()?;
            close.set_inner_text("Close");
            self.dialog.prepend_with_node_1(&words)?;
            self.dialog.append_child(&close)?;
            let left = Promise::new(&mut |resolve, _| {
                let _ = close.add_event_listener_with_callback("click", &resolve);
                // Esc closes the dialog.
                let _ = self.dialog.add_event_listener_with_callback("close", &resolve);
            });
            JsFuture::from(left).await?;
            self.close();
            Ok(())
        }
    }
}
