//! Screen readers and tests see the notebook: what the page says of itself, as
//! elements over the canvas that nobody sees, and what is asked of them, as events
//! of the page.
//!
//! The canvas keeps the focus of the browser, and names the element that has that
//! of the page (`aria-activedescendant`), so that the notebook hears all keys
//! itself. Only a field to which a screen reader goes keeps it while it is typed
//! in: the browser's own editing reads best.

mod apply;
mod asked;

use std::cell::RefCell;

use eframe::egui::{self, Context, FullOutput, Plugin, RawInput, accesskit::TreeUpdate};
use eframe::wasm_bindgen::{JsCast as _, JsValue, prelude::Closure};
use web_sys::{Document, Element, HtmlCanvasElement, HtmlElement, Window};

use super::super::dom_mirror::{MirroredPage, changes, node_id};

/// `id` of the element in which all others are.
const OVERLAY: &str = "notebook-tree";
/// Between two updates at least, so that nothing that is dragged or plays waits for
/// them; the last one always comes.
const PAUSE_MS: f64 = 100.0;

thread_local! {
    /// Of the notebook that is shown: a page has one.
    static MIRROR: RefCell<Option<Mirror>> = const { RefCell::new(None) };
}

struct Mirror {
    ctx: Context,
    window: Window,
    document: Document,
    canvas: HtmlCanvasElement,
    overlay: Element,
    shown: MirroredPage,
    /// The newest tree, with the size of a point in pixels of the web page, if it is
    /// not shown yet.
    waiting: Option<(TreeUpdate, f64)>,
    /// When something was last shown.
    shown_ms: f64,
    later: Closure<dyn FnMut()>,
    /// `later` is going to be called.
    is_timed: bool,
    /// What the next frame is to hear.
    asked: Vec<egui::Event>,
}

/// From now on, and for this notebook alone.
///
/// # Errors
/// When the browser refuses an element.
pub(super) fn install(ctx: &Context, canvas: &HtmlCanvasElement) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let document = window.document().ok_or("no document")?;
    if let Some(old) = document.get_element_by_id(OVERLAY) {
        old.remove();
    }
    let overlay = document.create_element("div")?;
    overlay.set_id(OVERLAY);
    canvas.set_attribute("role", "application")?;
    canvas.set_attribute("aria-label", "Bindpose, the notebook")?;
    let parent = canvas.parent_node().ok_or("a canvas outside the page")?;
    parent.append_child(&overlay)?;
    asked::listen(&overlay)?;
    let mirror = Mirror {
        ctx: ctx.clone(),
        window,
        document,
        canvas: canvas.clone(),
        overlay,
        shown: MirroredPage::empty(0),
        waiting: None,
        shown_ms: f64::NEG_INFINITY,
        later: Closure::new(|| {
            with(|mirror| {
                mirror.is_timed = false;
                mirror.show_waiting()
            });
        }),
        is_timed: false,
        asked: Vec::new(),
    };
    MIRROR.set(Some(mirror));
    ctx.enable_accesskit();
    ctx.add_plugin(Tap);
    Ok(())
}

/// Does something with the mirror. Elements that go or get the focus call back while
/// it is in use; those calls are for nobody.
fn with<T>(act: impl FnOnce(&mut Mirror) -> T) -> Option<T> {
    MIRROR.with(|mirror| mirror.try_borrow_mut().ok()?.as_mut().map(act))
}

impl Mirror {
    /// Now, or when the pause is over.
    fn take(&mut self, tree: TreeUpdate, scale: f64) {
        self.waiting = Some((tree, scale));
        let rest_ms = self.shown_ms + PAUSE_MS - self.now_ms();
        if rest_ms <= 0.0 {
            self.show_waiting();
        } else if !self.is_timed {
            let later = self.later.as_ref().unchecked_ref();
            let timed = self
                .window
                .set_timeout_with_callback_and_timeout_and_arguments_0(
                    later,
                    rest_ms.ceil() as i32,
                );
            self.is_timed = timed.is_ok();
        }
    }

    fn show_waiting(&mut self) {
        let Some((tree, scale)) = self.waiting.take() else {
            return;
        };
        self.shown_ms = self.now_ms();
        let Some(page) = MirroredPage::of(&tree, scale) else {
            return;
        };
        if self.shown.root.id != page.root.id {
            self.shown = MirroredPage::empty(page.root.id);
            self.overlay.set_inner_html("");
        }
        let within = self.field_with_focus();
        for change in changes(&self.shown.root, &page.root) {
            self.apply(&change, within.as_deref());
        }
        let focus_before = self.shown.focus;
        self.shown = page;
        self.tell_focus();
        // A field that is gone, or from which the page has moved on, gives the focus
        // back.
        if let Some(field) = within {
            let moved = focus_before != self.shown.focus && focus_before.is_some();
            if moved || self.document.get_element_by_id(&field).is_none() {
                focus(&self.canvas);
                if let Some(id) = node_id(&field) {
                    self.refresh(id);
                }
            }
        }
    }

    fn now_ms(&self) -> f64 {
        let clock = self.window.performance();
        clock.map_or(f64::INFINITY, |clock| clock.now())
    }
}

fn focus(element: &HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    // Refused while the page is not in front; then nothing has the focus anyway.
    let _ = element.focus_with_options(&options);
}

/// Sees what the page says, and tells it what is asked.
struct Tap;

impl Plugin for Tap {
    fn debug_name(&self) -> &'static str {
        "tree in the web page"
    }

    fn input_hook(&mut self, _ctx: &Context, input: &mut RawInput) {
        with(|mirror| input.events.append(&mut mirror.asked));
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        if let Some(tree) = output.platform_output.accesskit_update.take() {
            let scale = f64::from(ctx.zoom_factor());
            with(|mirror| mirror.take(tree, scale));
        }
    }
}
