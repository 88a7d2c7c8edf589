//! Screen readers and tests see the notebook: what the page says of itself, as
//! elements over the canvas that nobody sees, and what is asked of them, as events
//! of the page.
//!
//! The canvas keeps the focus of the browser, and names the element that has that
//! of the page (`aria-activedescendant`), so that the notebook hears all keys
//! itself. Only a field to which a screen reader goes keeps it while it is typed
//! in: the browser's own editing reads best.

mod mirror;

use eframe::egui::{
    self, Context, FullOutput, Key, Modifiers, Plugin, RawInput,
    accesskit::{Action, ActionData},
};
use eframe::wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    Element, Event, HtmlCanvasElement, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent,
};

use super::super::dom_mirror::node_id;
use crate::app::web_document::Listener;
use mirror::{Elements, Mirror, begin, focus, with_mirror};

/// From now on, and for this notebook alone.
///
/// Fails when the browser refuses an element.
pub(super) fn install(ctx: &Context, canvas: &HtmlCanvasElement) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let document = window.document().ok_or("no document")?;
    let elements = Elements::new(document, canvas)?;
    let listeners = listen_for_readers(&elements);
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
        let moves = input.events.iter().any(|event| matches!(event, egui::Event::PointerMoved(_)));
        if moves && is_held(ctx) && with_mirror(|mirror| !mirror.is_due(true)) == Some(true) {
            // Nobody would see the tree; a frame without a move follows, which makes one.
            ctx.disable_accesskit();
        } else {
            ctx.enable_accesskit();
        }
        let Some((mut asked, leaves)) = with_mirror(Mirror::take_asked) else {
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
            with_mirror(|mirror| mirror.take(tree, scale, is_held(ctx)));
        }
    }
}

fn is_held(ctx: &Context) -> bool {
    ctx.input(|input| input.pointer.any_down())
}

// What a screen reader, or a script, does with the elements.

/// What is done to which element.
struct Target {
    element: Element,
    node: u64,
}

/// Hears all of it, as long as what is given back is kept.
fn listen_for_readers(elements: &Elements) -> Vec<Listener> {
    let on = |event, act: fn(&Target, &Event)| {
        Listener::new(&elements.overlay, event, move |event| {
            if let Some(target) = Target::of(&event) {
                act(&target, &event);
            }
        })
    };
    let mut listeners = vec![
        on("click", clicked),
        on("focusin", focused),
        on("focusout", left),
        on("input", typed),
        on("keydown", pressed),
        let_tab_leave(&elements.canvas),
    ];
    listeners.extend(elements.agent.as_ref().map(|agent| let_tab_leave(agent)));
    listeners
}

fn clicked(target: &Target, _: &Event) {
    if target.is_used() && !target.is_field() {
        with_mirror(|mirror| mirror.ask(target.node, Action::Click, None));
    }
}

fn focused(target: &Target, _: &Event) {
    let canvas = with_mirror(|mirror| {
        mirror.ask_for_focus(target.node);
        if target.is_field() {
            return None;
        }
        // At once, so that nothing else is read out in between.
        let at = target.element.id();
        let _ = mirror.elements.canvas.set_attribute("aria-activedescendant", &at);
        Some(mirror.elements.canvas.clone())
    });
    if let Some(canvas) = canvas.flatten() {
        focus(&canvas);
    }
}

fn left(target: &Target, _: &Event) {
    if target.is_field() {
        with_mirror(|mirror| mirror.refresh(target.node));
    }
}

fn typed(target: &Target, _: &Event) {
    if let Some(value) = target.typed() {
        with_mirror(|mirror| mirror.take_typed(target.node, value));
    }
}

fn pressed(target: &Target, event: &Event) {
    if target.is_field()
        && let Some(event) = event.dyn_ref::<KeyboardEvent>()
    {
        key(target, event);
    }
}

/// Tab after the last control of the page, and back before the first one, leads out
/// of it, as it does for other things in a web page. The page would begin anew.
fn let_tab_leave(element: &Element) -> Listener {
    Listener::new(element, "keydown", |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        let other = key.ctrl_key() || key.meta_key() || key.alt_key();
        if key.key() != "Tab" || other {
            return;
        }
        let leaves = with_mirror(|mirror| mirror.leave(key.shift_key()));
        if leaves == Some(true) {
            // Not for eframe, which would keep it from the browser.
            event.stop_immediate_propagation();
        }
    })
}

/// In a field: what the page has to do with a key, and not the browser.
fn key(target: &Target, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() {
        return;
    }
    let steps = target.is_number();
    let name = event.key();
    let pressed = match name.as_str() {
        "ArrowUp" | "ArrowRight" | "ArrowDown" | "ArrowLeft" if steps => {
            let up = matches!(name.as_str(), "ArrowUp" | "ArrowRight");
            event.prevent_default();
            with_mirror(|mirror| mirror.step(target.node, up));
            return;
        }
        "ArrowUp" | "ArrowDown" if target.is_line() => Key::from_name(&name),
        "Enter" if target.is_line() => Some(Key::Enter),
        "Tab" => Some(Key::Tab),
        "Escape" => Some(Key::Escape),
        _ => None,
    };
    let Some(key) = pressed else {
        return;
    };
    event.prevent_default();
    let modifiers = if event.shift_key() { Modifiers::SHIFT } else { Modifiers::NONE };
    let canvas = with_mirror(|mirror| {
        mirror.press(key, modifiers);
        mirror.elements.canvas.clone()
    });
    // From here on keys are the page's again.
    if let Some(canvas) = canvas.filter(|_| matches!(key, Key::Tab | Key::Escape)) {
        focus(&canvas);
    }
}

impl Target {
    fn of(event: &Event) -> Option<Self> {
        let element = event.target()?.dyn_into::<Element>().ok()?;
        let element = element.closest("[id^='node-']").ok()??;
        let node = node_id(&element.id())?;
        Some(Self { element, node })
    }

    fn is_used(&self) -> bool {
        self.element.has_attribute("tabindex")
    }

    fn is_field(&self) -> bool {
        self.input().is_some() || self.element.has_type::<HtmlTextAreaElement>()
    }

    /// Enter ends what is typed.
    fn is_line(&self) -> bool {
        self.input().is_some()
    }

    fn is_number(&self) -> bool {
        self.input().is_some_and(|input| matches!(input.type_().as_str(), "range" | "number"))
    }

    fn input(&self) -> Option<&HtmlInputElement> {
        self.element.dyn_ref()
    }

    /// What stands in the field; absent: no number yet.
    fn typed(&self) -> Option<ActionData> {
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
