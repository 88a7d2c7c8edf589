//! Tells the page that the program has broken off: after a panic nothing of it runs
//! any more, and the page says so and what to do (`failure.js`).

use std::cell::RefCell;

use js_sys::{Error, Function, Reflect};
use wasm_bindgen::JsValue;

thread_local! {
    /// Called with the words of the panic and the way there.
    static FAILED: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Has this called at the first panic, before the browser sees that the program
/// has ended.
pub(super) fn report_to(failed: Function) {
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
