//! The connection to the class, which `web/page/class.js` holds. It is exchanged with the
//! program in message events of the window. Its functions are not inlined, so that a page
//! outside of a class need not fetch them (`xtask/src/web/called_later.rs`).

use std::cell::RefCell;
use std::rc::Rc;

use eframe::egui::Context;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{MessageEvent, MessageEventInit, Window};

use super::web_document::Listener;
use crate::app::shell::{ClassNews, Shell};

/// Event with a message of the server, as JSON, from `class.js`.
const NEWS_EVENT: &str = "bindpose-class-news";

/// Event with a message for the server, which `class.js` sends on.
const CLIENT_EVENT: &str = "bindpose-class-said";

pub(super) struct ClassLine {
    window: Window,
    /// Messages received since the last frame, as JSON.
    inbox: Rc<RefCell<Vec<String>>>,
    _listener: Listener,
}

impl ClassLine {
    /// Starts listening and notifies `class.js`, because earlier messages were lost. Returns
    /// `None` without a window.
    #[inline(never)]
    pub(super) fn listen(ctx: &Context) -> Option<Self> {
        let window = web_sys::window()?;
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let listener_inbox = Rc::clone(&inbox);
        let ctx = ctx.clone();
        let listener = Listener::new(&window, NEWS_EVENT, move |event| {
            let json = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
            listener_inbox.borrow_mut().extend(json);
            ctx.request_repaint();
        });
        let line = Self { window, inbox, _listener: listener };
        line.send("listening");
        Some(line)
    }

    #[inline(never)]
    pub(super) fn before_frame(&self, shell: &mut Shell) {
        let received = std::mem::take(&mut *self.inbox.borrow_mut());
        for json in received {
            // The server is our own, so a message that cannot be parsed is of another version.
            if let Ok(news) = serde_json::from_str::<ClassNews>(&json) {
                shell.handle_class_news(news);
            }
        }
    }

    #[inline(never)]
    pub(super) fn after_frame(&self, shell: &mut Shell) {
        if shell.take_leave_request() {
            self.send("leave");
        }
        for message in shell.take_client_messages() {
            if let Ok(json) = serde_json::to_string(&message) {
                self.send(&json);
            }
        }
    }

    fn send(&self, text: &str) {
        let init = MessageEventInit::new();
        init.set_data(&JsValue::from_str(text));
        if let Ok(event) = MessageEvent::new_with_event_init_dict(CLIENT_EVENT, &init) {
            let _ = self.window.dispatch_event(&event);
        }
    }
}
