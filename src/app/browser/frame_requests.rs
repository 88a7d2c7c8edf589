//! Tells the page when egui wants a frame. eframe asks the browser for one after
//! the other, drawn or not; the page lets it sleep until then (`frames.js`).

use std::cell::RefCell;
use std::time::Duration;

use eframe::egui::Context;
use js_sys::Function;
use wasm_bindgen::JsValue;

thread_local! {
    /// Called with milliseconds.
    static WAKE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Has this called from now on.
pub(super) fn tell(wake: Function) {
    WAKE.with_borrow_mut(|told| *told = Some(wake));
}

/// Passes on what is asked of this context.
pub(super) fn observe(ctx: &Context) {
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
