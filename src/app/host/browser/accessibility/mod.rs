//! Shows the notebook's accessibility tree to screen readers and tests, as invisible elements
//! over the canvas, and turns what they do with these elements into egui events.
//!
//! The canvas keeps the browser's focus, so that the notebook receives all keys itself, and
//! refers to the element that has the notebook's focus (`aria-activedescendant`). Only a field
//! that a screen reader enters keeps the focus while text is typed, because screen readers
//! support the browser's own editing best.

mod mirror;

use eframe::egui::{
    self, Context, FullOutput, Key, Modifiers, Plugin, RawInput,
    accesskit::{Action, ActionData},
};
use eframe::wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    Element, Event, HtmlCanvasElement, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent,
};

use crate::app::dom_mirror::node_id;
use crate::app::host::browser::web_document::Listener;
use mirror::{Mirror, MirrorElements, focus, install_mirror, with_mirror};

/// Mirrors the notebook in this context, in place of any earlier one.
///
/// # Errors
///
/// The error of the browser if it rejects an element.
pub(super) fn install(ctx: &Context, canvas: &HtmlCanvasElement) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let document = window.document().ok_or("no document")?;
    let elements = MirrorElements::new(document, canvas)?;
    let listeners = listen_to_elements(&elements);
    install_mirror(ctx, window, elements, listeners);
    ctx.enable_accesskit();
    ctx.add_plugin(AccessibilityTree);
    Ok(())
}

/// Passes the accessibility tree to the mirror, and the mirror's events to egui.
struct AccessibilityTree;

impl Plugin for AccessibilityTree {
    fn debug_name(&self) -> &'static str {
        "tree in the web page"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let has_move =
            input.events.iter().any(|event| matches!(event, egui::Event::PointerMoved(_)));
        if has_move
            && is_pointer_down(ctx)
            && with_mirror(|mirror| !mirror.is_due(true)) == Some(true)
        {
            // The tree would not be shown. A frame without a move follows, and makes one.
            ctx.disable_accesskit();
        } else {
            ctx.enable_accesskit();
        }
        let Some(requests) = with_mirror(Mirror::take_requests) else {
            return;
        };
        input.events.extend(requests.events);
        if requests.surrenders_focus {
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
            with_mirror(|mirror| mirror.schedule(tree, scale, is_pointer_down(ctx)));
        }
    }
}

fn is_pointer_down(ctx: &Context) -> bool {
    ctx.input(|input| input.pointer.any_down())
}

// Events of the elements, from a screen reader or a script.

/// The element that an event refers to, and its node.
struct MirrorTarget {
    element: Element,
    node: u64,
}

type ElementEventHandler = fn(&MirrorTarget, &Event);

/// Listens to the elements as long as the returned listeners live.
fn listen_to_elements(elements: &MirrorElements) -> Vec<Listener> {
    let handlers: [(&'static str, ElementEventHandler); 5] = [
        ("click", handle_click),
        ("focusin", handle_focus),
        ("focusout", handle_blur),
        ("input", handle_input),
        ("keydown", handle_key_down),
    ];
    let mut listeners = Vec::new();
    for (event_name, handle) in handlers {
        listeners.push(Listener::new(&elements.overlay, event_name, move |event| {
            if let Some(target) = MirrorTarget::new(&event) {
                handle(&target, &event);
            }
        }));
    }
    listeners.push(let_tab_leave(&elements.canvas));
    if let Some(agent) = &elements.agent {
        listeners.push(let_tab_leave(agent));
    }
    listeners
}

fn handle_click(target: &MirrorTarget, _: &Event) {
    if target.is_interactive() && !target.is_field() {
        with_mirror(|mirror| mirror.request(target.node, Action::Click, None));
    }
}

fn handle_focus(target: &MirrorTarget, _: &Event) {
    let canvas = with_mirror(|mirror| {
        mirror.request_focus(target.node);
        if target.is_field() {
            return None;
        }
        // Immediately, so that nothing else is read out in between.
        let id = target.element.id();
        let _ = mirror.elements.canvas.set_attribute("aria-activedescendant", &id);
        Some(mirror.elements.canvas.clone())
    });
    if let Some(canvas) = canvas.flatten() {
        focus(&canvas);
    }
}

fn handle_blur(target: &MirrorTarget, _: &Event) {
    if target.is_field() {
        with_mirror(|mirror| mirror.end_typing(target.node));
    }
}

fn handle_input(target: &MirrorTarget, _: &Event) {
    if let Some(value) = target.value() {
        with_mirror(|mirror| mirror.set_typed_value(target.node, value));
    }
}

/// Handles keys in a field that the notebook acts on instead of the browser.
fn handle_key_down(target: &MirrorTarget, event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>().filter(|_| target.is_field()) else {
        return;
    };
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() {
        return;
    }
    let name = event.key();
    let key = match name.as_str() {
        "ArrowUp" | "ArrowRight" | "ArrowDown" | "ArrowLeft" if target.is_number() => {
            let is_up = matches!(name.as_str(), "ArrowUp" | "ArrowRight");
            event.prevent_default();
            with_mirror(|mirror| mirror.step(target.node, is_up));
            return;
        }
        "ArrowUp" | "ArrowDown" if target.is_single_line() => Key::from_name(&name),
        "Enter" if target.is_single_line() => Some(Key::Enter),
        "Tab" => Some(Key::Tab),
        "Escape" => Some(Key::Escape),
        _ => None,
    };
    let Some(key) = key else {
        return;
    };
    event.prevent_default();
    let modifiers = if event.shift_key() { Modifiers::SHIFT } else { Modifiers::NONE };
    let canvas = with_mirror(|mirror| {
        mirror.press_key(key, modifiers);
        mirror.elements.canvas.clone()
    });
    // These keys leave the field, so the notebook receives all further keys.
    if let Some(canvas) = canvas.filter(|_| matches!(key, Key::Tab | Key::Escape)) {
        focus(&canvas);
    }
}

/// Lets Tab after the last control of the notebook, and Shift+Tab before the first one, move the
/// focus out of it, as in other web pages. egui alone would start again at the other end.
fn let_tab_leave(element: &Element) -> Listener {
    Listener::new(element, "keydown", |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        let has_other_modifier = key.ctrl_key() || key.meta_key() || key.alt_key();
        if key.key() != "Tab" || has_other_modifier {
            return;
        }
        let leaves = with_mirror(|mirror| mirror.leave_at_end(key.shift_key()));
        if leaves == Some(true) {
            // eframe would hide the event from the browser.
            event.stop_immediate_propagation();
        }
    })
}

impl MirrorTarget {
    /// Returns `None` if the event is outside the mirrored elements.
    fn new(event: &Event) -> Option<Self> {
        let origin = event.target()?.dyn_into::<Element>().ok()?;
        let element = origin.closest("[id^='node-']").ok()??;
        let node = node_id(&element.id())?;
        Some(Self { element, node })
    }

    fn is_interactive(&self) -> bool {
        self.element.has_attribute("tabindex")
    }

    fn is_field(&self) -> bool {
        self.input().is_some() || self.element.has_type::<HtmlTextAreaElement>()
    }

    /// Returns true for a field in which Enter ends the input.
    fn is_single_line(&self) -> bool {
        self.input().is_some()
    }

    fn is_number(&self) -> bool {
        self.input().is_some_and(|input| matches!(input.type_().as_str(), "range" | "number"))
    }

    fn input(&self) -> Option<&HtmlInputElement> {
        self.element.dyn_ref()
    }

    /// Value of the field. Returns `None` for text that is not a number yet.
    fn value(&self) -> Option<ActionData> {
        if let Some(area) = self.element.dyn_ref::<HtmlTextAreaElement>() {
            return Some(ActionData::Value(area.value().into()));
        }
        let input = self.input()?;
        if self.is_number() {
            let number = input.value_as_number();
            return number.is_finite().then_some(ActionData::NumericValue(number));
        }
        Some(ActionData::Value(input.value().into()))
    }
}
