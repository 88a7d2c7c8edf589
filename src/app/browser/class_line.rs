//! The line to the class, which `web/page/class.js` holds: news comes as messages to the
//! window, and what the page has to say goes the same way. Not inlined, so that a page
//! outside of a class need not fetch it (`xtask/src/web/called_later.rs`).

use std::cell::RefCell;
use std::rc::Rc;

use eframe::egui::Context;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{MessageEvent, MessageEventInit, Window};

use crate::app::shell::{ClassNews, Shell};
use crate::app::web_document::Listener;

/// What `class.js` sends, as JSON.
const NEWS: &str = "bindpose-class-news";
/// What it sends on.
const SAID: &str = "bindpose-class-said";

pub(super) struct ClassLine {
    window: Window,
    /// What came since the last frame.
    heard: Rc<RefCell<Vec<String>>>,
    _listener: Listener,
}

impl ClassLine {
    /// Listens from now on, and says so: what came before was not heard. `None`: there is
    /// no window.
    #[inline(never)]
    pub(super) fn listen(ctx: &Context) -> Option<Self> {
        let window = web_sys::window()?;
        let heard = Rc::new(RefCell::new(Vec::new()));
        let (ctx, hears) = (ctx.clone(), Rc::clone(&heard));
        let listener = Listener::new(&window, NEWS, move |event| {
            let text = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
            hears.borrow_mut().extend(text);
            ctx.request_repaint();
        });
        let line = Self { window, heard, _listener: listener };
        line.send("listening");
        Some(line)
    }

    /// Before a frame.
    #[inline(never)]
    pub(super) fn before_frame(&self, shell: &mut Shell) {
        let heard = std::mem::take(&mut *self.heard.borrow_mut());
        // Of our own server: what is not of this form is of another version.
        let news = heard.iter().filter_map(|text| serde_json::from_str::<ClassNews>(text).ok());
        news.for_each(|news| shell.hear_of_class(news));
    }

    /// After it.
    #[inline(never)]
    pub(super) fn after_frame(&self, shell: &mut Shell) {
        if shell.takes_leave() {
            self.send("leave");
        }
        for said in shell.take_said_to_class() {
            if let Ok(text) = serde_json::to_string(&said) {
                self.send(&text);
            }
        }
    }

    fn send(&self, text: &str) {
        let of = MessageEventInit::new();
        of.set_data(&JsValue::from_str(text));
        if let Ok(event) = MessageEvent::new_with_event_init_dict(SAID, &of) {
            let _ = self.window.dispatch_event(&event);
        }
    }
}
