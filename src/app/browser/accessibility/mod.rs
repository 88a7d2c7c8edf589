//! Screen readers and tests see the notebook: what the page says of itself, as
//! elements over the canvas that nobody sees, and what is asked of them, as events
//! of the page.
//!
//! The canvas keeps the focus of the browser, and names the element that has that
//! of the page (`aria-activedescendant`), so that the notebook hears all keys
//! itself. Only a field to which a screen reader goes keeps it while it is typed
//! in: the browser's own editing reads best.

mod asked;
mod elements;
mod mirror;

use eframe::egui::{Context, FullOutput, Plugin, RawInput};
use eframe::wasm_bindgen::JsValue;
use web_sys::HtmlCanvasElement;

use elements::Elements;
use mirror::{Mirror, begin, with};

/// From now on, and for this notebook alone.
///
/// Fails when the browser refuses an element.
pub(super) fn install(ctx: &Context, canvas: &HtmlCanvasElement) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let document = window.document().ok_or("no document")?;
    let elements = Elements::new(document, canvas)?;
    let listeners = asked::listen(&elements);
    begin(ctx, window, elements, listeners);
    ctx.enable_accesskit();
    ctx.add_plugin(AccessibilityTree);
    Ok(())
}

/// Sees what the page says, and tells it what is asked.
struct AccessibilityTree;

impl Plugin for AccessibilityTree {
    fn debug_name(&self) -> &'static str {
        "tree in the web page"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let Some((mut asked, leaves)) = with(Mirror::take_asked) else {
            return;
        };
        input.events.append(&mut asked);
        if leaves {
            ctx.memory_mut(|memory| {
                if let Some(focused) = memory.focused() {
                    memory.surrender_focus(focused);
                }
            });
        }
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        if let Some(tree) = output.platform_output.accesskit_update.take() {
            let scale = f64::from(ctx.zoom_factor());
            let held = ctx.input(|input| input.pointer.any_down());
            with(|mirror| mirror.take(tree, scale, held));
        }
    }
}
