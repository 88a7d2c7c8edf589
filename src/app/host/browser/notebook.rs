//! The notebook in a page of a browser.
//!
//! # In a browser
//!
//! `web/page/start.js` fetches and starts the program. `BrowserNotebook` owns the open notebook
//! independently of any canvas, because a GL context can be lost at any moment. The page then
//! makes a new canvas, and `Shell::move_to` continues there with the same notebook, view and
//! egui memory; only GL objects are made anew. Requests for a frame in the old egui context
//! lead to one in the new context. After a panic no part of the program runs any more: the
//! panic hook notifies the page, which shows what to do (`failure.js`). Everything that listens
//! to the browser uses a `Listener` (`web_document.rs`), which stops when its owner is dropped:
//! with the canvas, or with the notebook. eframe requests frame after frame; `frames.js` lets it
//! sleep until an event arrives or egui requests a frame.
//!
//! The program is loaded in parts. `cargo xtask web` runs a version that counts its calls in a
//! browser, and wasm-split separates the functions that not all pages call before they are live
//! (`xtask/src/web/split.rs`). `start.js` fetches the rest after the first picture, and
//! `parts.js` puts it back. A call of such a function before that waits for its part, while the
//! page stays as it is. Faces, formulas laid out in advance and the whale are files of
//! `crates/fetch`; a page whose rig or text is not loaded yet waits in `Notebook::awaited`.
//!
//! A part of the notebook, which is the stage in another page or the teacher's window, is the
//! same shell restricted to that part (`shell/part.rs`), and stores nothing. The teacher's page
//! and the notebook's page exchange their state in messages (`teachers_message.rs`).

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use eframe::egui::{self, Ui};
use eframe::wasm_bindgen::JsValue;
use eframe::{WebOptions, WebRunner};
use js_sys::{Error, Function, Reflect};
use web_sys::HtmlCanvasElement;

use super::page::Page;
use super::startup::Startup;
use super::web_document::Listener;
use super::{accessibility, printing};

/// A notebook on a canvas, or between two canvases. A driver may withdraw the GL context of a
/// canvas at any moment; the open notebook then continues on the next one.
pub struct BrowserNotebook {
    runner: WebRunner,
    /// `None` until the page opens on the first canvas.
    page: SharedPage,
    site: Option<String>,
    _listeners: Vec<Listener>,
}

type SharedPage = Rc<RefCell<Option<Page>>>;

impl BrowserNotebook {
    /// Creates a notebook that opens with [`Self::show`]. `site` is the address of the first
    /// page of the site that this page belongs to, or `None` for a single file. `wake` is
    /// called with a delay in milliseconds whenever a frame is needed. `failed` is called once,
    /// with the message and the stack of a panic.
    pub fn new(site: Option<String>, wake: Function, failed: Function) -> Self {
        report_panics_to(failed);
        WAKE.with_borrow_mut(|callback| *callback = Some(wake));
        let page = SharedPage::default();
        let listeners = listen_to_window(&Rc::downgrade(&page));
        Self { runner: WebRunner::new(), page, site, _listeners: listeners }
    }

    /// Opens the built-in lessons on `canvas`, at the page that the address bar names, or else
    /// at the page that was open last. On every later canvas, continues with the open page.
    ///
    /// # Errors
    ///
    /// A message about the feature that the browser lacks; a console would show it too late.
    /// The open page stays open, for another canvas.
    pub async fn show(&self, canvas: HtmlCanvasElement) -> Result<(), JsValue> {
        let startup = if self.page.borrow().is_none() {
            Some(Startup::load(self.site.clone()).await?)
        } else {
            None
        };
        let options = WebOptions {
            // The page needs no depth buffer; viewports have their own.
            depth_buffer: 0,
            ..WebOptions::default()
        };
        let shared_page = Rc::clone(&self.page);
        let page_canvas = canvas.clone();
        let app = Box::new(move |cc: &eframe::CreationContext<'_>| {
            pass_on_repaint_requests(&cc.egui_ctx);
            // Without these elements the page still works for readers who see it.
            if accessibility::install(&cc.egui_ctx, &page_canvas).is_err() {
                log::error!("no elements for screen readers");
            }
            let mut page = shared_page.borrow_mut();
            match (&mut *page, startup) {
                (Some(page), _) => page.move_to(cc, page_canvas)?,
                (slot, Some(startup)) => *slot = Some(Page::open(cc, page_canvas, startup)?),
                (None, None) => return Err("nothing is open".into()),
            }
            drop(page);
            Ok(Box::new(CanvasApp(shared_page)) as Box<dyn eframe::App>)
        });
        self.runner.start(canvas, options, app).await
    }

    /// Releases the canvas. The open page stays open, for the next canvas.
    pub fn leave(&self) {
        self.runner.destroy();
        if let Some(page) = &mut *self.page.borrow_mut() {
            page.leave_canvas();
        }
    }
}

type PageEventHandler = fn(&mut Page);

/// Listens to events of the page as a whole, with or without a canvas.
fn listen_to_window(page: &Weak<RefCell<Option<Page>>>) -> Vec<Listener> {
    let Some(window) = web_sys::window() else {
        return Vec::new();
    };
    let page_events: [(&'static str, PageEventHandler); 2] =
        [("pagehide", Page::close), ("beforeprint", Page::begin_printing)];
    let mut listeners = Vec::new();
    for (event, handle) in page_events {
        let page = Weak::clone(page);
        listeners.push(Listener::new(&window, event, move |_| {
            let Some(page) = page.upgrade() else { return };
            if let Ok(mut page) = page.try_borrow_mut()
                && let Some(page) = &mut *page
            {
                handle(page);
            }
        }));
    }
    listeners.push(Listener::new(&window, "afterprint", |_| printing::remove_printed_text()));
    listeners
}

/// The app that eframe runs on one canvas.
struct CanvasApp(SharedPage);

impl eframe::App for CanvasApp {
    fn raw_input_hook(&mut self, ctx: &egui::Context, input: &mut egui::RawInput) {
        if let Some(page) = &mut *self.0.borrow_mut() {
            page.adapt_input(ctx, input);
        }
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        if let Some(page) = &mut *self.0.borrow_mut() {
            page.ui(ui);
        }
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

thread_local! {
    /// Called with a delay in milliseconds when a frame is needed.
    static WAKE: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// Called with the message and the stack of a panic.
    static FAILED: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Passes egui's requests for frames to the web page.
fn pass_on_repaint_requests(ctx: &egui::Context) {
    ctx.set_repaint_observer(|request| {
        // If no frame is needed, the delay is very long.
        let delay_ms = request.delay.as_secs_f64() * 1000.0;
        WAKE.with_borrow(|callback| {
            if let Some(wake) = callback {
                let _ = wake.call1(&JsValue::NULL, &JsValue::from_f64(delay_ms));
            }
        });
    });
}

/// Calls `failed` at the first panic, before the browser notices that the program has ended.
fn report_panics_to(failed: Function) {
    FAILED.with_borrow_mut(|callback| *callback = Some(failed));
    let previous_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        previous_hook(info);
        let failed = FAILED.try_with(|callback| callback.try_borrow_mut().ok()?.take());
        if let Ok(Some(failed)) = failed {
            let message = JsValue::from_str(&info.to_string());
            let stack = Reflect::get(&Error::new(""), &JsValue::from_str("stack"));
            let _ = failed.call2(&JsValue::NULL, &message, &stack.unwrap_or_default());
        }
    }));
}
