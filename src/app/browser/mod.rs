//! The notebook in a page of a browser.
//!
//! # In a browser
//!
//! `web/page/start.js` fetches and starts the program; `BrowserNotebook` owns what is
//! open, apart from any canvas. A context of GL can be lost at any moment: the page then
//! makes a new canvas, and `Shell::move_to` goes on there, with the notebook, the view
//! and egui's own memory as they were; only GL objects are made anew. Whoever still asks
//! the old context of egui for a frame gets one in the new one. After a panic nothing of
//! the program runs any more: the hook tells the page, which says what to do
//! (`failure.js`). Whatever listens to the browser does so by a `Listener`
//! (`src/app/web_document.rs`), which stops when its owner is dropped: with the canvas, or
//! with the notebook. eframe asks for frame after frame; `frames.js` lets it sleep until
//! an event comes or egui asks for a frame. The program comes in
//! parts: `cargo xtask web` shows a program that counts its calls in a browser, and
//! wasm-split takes out what not all pages call before they are live
//! (`xtask/src/web/split.rs`); `start.js` fetches the rest after the first picture and
//! `parts.js` puts it back. One of its functions that is called earlier waits for its part:
//! the page stands still, with its picture. Faces, formulas
//! laid out ahead and the whale are files that `shipped/` knows; a page whose rig or text
//! is yet to come waits in `Notebook::awaited`. A part of the notebook, the stage in somebody else's
//! page or the teacher's window, is the same shell that shows only that (`shell/part.rs`),
//! and remembers nothing; the teacher's page and the notebook's tell
//! each other what is open in messages (`teachers_message.rs`).

mod accessibility;
mod class_line;
mod device;
mod opened;
mod page;
mod printing;
mod teachers_popup;

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::time::Duration;

use eframe::egui::{self, Ui};
use eframe::wasm_bindgen::JsValue;
use eframe::{WebOptions, WebRunner};
use js_sys::{Error, Function, Reflect};
use web_sys::HtmlCanvasElement;

use crate::app::web_document::Listener;
use opened::Opened;
use page::Page;

/// A notebook, on a canvas or between two: a driver may take the GL of a canvas back
/// at any moment, and what is open goes on on the next.
pub struct BrowserNotebook {
    runner: WebRunner,
    /// Opened on the first canvas.
    open: Rc<RefCell<Option<Page>>>,
    site: Option<String>,
    _listeners: Vec<Listener>,
}

impl BrowserNotebook {
    /// Nothing is open before [`Self::show`]. `site` is the address of the first page
    /// of the pages that this one belongs to; absent where one file is all. `wake` is
    /// called with milliseconds whenever a frame is wanted after so many of them,
    /// `failed` with what a panic says and where, once.
    pub fn new(site: Option<String>, wake: Function, failed: Function) -> Self {
        report_panics_to(failed);
        WAKE.with_borrow_mut(|told| *told = Some(wake));
        let open = Rc::<RefCell<Option<Page>>>::default();
        let listeners = listen(&Rc::downgrade(&open));
        Self { runner: WebRunner::new(), open, site, _listeners: listeners }
    }

    /// Opens the built-in lessons on `canvas`, at the page that the address bar
    /// names; else, where the reader left off. On the second canvas and those after
    /// it, what is open goes on.
    ///
    /// Errors: what the browser lacks, in words; in a console they would be too late. What is
    /// open stays so, for another canvas.
    pub async fn show(&self, canvas: HtmlCanvasElement) -> Result<(), JsValue> {
        let opened = if self.open.borrow().is_none() {
            Some(Opened::read(self.site.clone()).await?)
        } else {
            None
        };
        let options = WebOptions {
            // The page has no depth of its own; viewports bring theirs.
            depth_buffer: 0,
            ..WebOptions::default()
        };
        let open = Rc::clone(&self.open);
        let shown_on = canvas.clone();
        let app = Box::new(move |cc: &eframe::CreationContext<'_>| {
            pass_requests_on(&cc.egui_ctx);
            // Without it the page works as before, for those who see it.
            if accessibility::install(&cc.egui_ctx, &shown_on).is_err() {
                log::error!("no elements for screen readers");
            }
            let mut page = open.borrow_mut();
            match (&mut *page, opened) {
                (Some(page), _) => page.move_to(cc, shown_on)?,
                (none, Some(opened)) => *none = Some(Page::open(cc, shown_on, opened)?),
                (None, None) => return Err("nothing is open".into()),
            }
            drop(page);
            Ok(Box::new(OnCanvas(open)) as Box<dyn eframe::App>)
        });
        self.runner.start(canvas, options, app).await
    }

    /// Leaves the canvas alone from now on; what is open stays for the next.
    pub fn leave(&self) {
        self.runner.destroy();
        if let Some(page) = &mut *self.open.borrow_mut() {
            page.leave();
        }
    }
}

/// What happens to the page as a whole, with or without a canvas.
fn listen(open: &Weak<RefCell<Option<Page>>>) -> Vec<Listener> {
    let Some(window) = web_sys::window() else {
        return Vec::new();
    };
    let when = |event, act: fn(&mut Page)| {
        let open = Weak::clone(open);
        Listener::new(&window, event, move |_| {
            let Some(open) = open.upgrade() else { return };
            if let Ok(mut open) = open.try_borrow_mut()
                && let Some(page) = &mut *open
            {
                act(page);
            }
        })
    };
    vec![
        when("pagehide", Page::end),
        when("beforeprint", Page::begin_printing),
        Listener::new(&window, "afterprint", |_| printing::end()),
    ]
}

/// What eframe runs on one canvas.
struct OnCanvas(Rc<RefCell<Option<Page>>>);

impl eframe::App for OnCanvas {
    fn raw_input_hook(&mut self, ctx: &egui::Context, input: &mut egui::RawInput) {
        if let Some(page) = &mut *self.0.borrow_mut() {
            page.take_input(ctx, input);
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
    /// Called with milliseconds when a frame is wanted.
    static WAKE: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// Called with the words of a panic and the way there.
    static FAILED: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Tells the page when egui wants a frame in this context.
fn pass_requests_on(ctx: &egui::Context) {
    ctx.set_repaint_observer(|asked| pass_on(asked.delay));
}

fn pass_on(delay: Duration) {
    // "Never" is a very long time.
    let milliseconds = delay.as_secs_f64() * 1000.0;
    WAKE.with_borrow(|told| {
        if let Some(wake) = told {
            let _ = wake.call1(&JsValue::NULL, &JsValue::from_f64(milliseconds));
        }
    });
}

/// Has this called at the first panic, before the browser sees that the program
/// has ended.
fn report_panics_to(failed: Function) {
    FAILED.with_borrow_mut(|told| *told = Some(failed));
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        let failed = FAILED.try_with(|told| told.try_borrow_mut().ok()?.take());
        if let Ok(Some(failed)) = failed {
            let words = JsValue::from_str(&info.to_string());
            let way = Reflect::get(&Error::new(""), &JsValue::from_str("stack"));
            let _ = failed.call2(&JsValue::NULL, &words, &way.unwrap_or_default());
        }
    }));
}
