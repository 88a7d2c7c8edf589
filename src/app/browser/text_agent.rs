//! The field in which eframe takes what is typed.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlCanvasElement, HtmlInputElement};

/// eframe puts it after its canvas; the elements for screen readers put one of theirs
/// around it. Absent before eframe has started.
pub(super) fn text_agent(canvas: &HtmlCanvasElement) -> Option<HtmlInputElement> {
    let beside = canvas.next_element_sibling()?;
    let inside = beside.first_element_child();
    let agent = beside.dyn_into::<HtmlInputElement>().ok();
    agent.or_else(|| inside?.dyn_into().ok())
}
