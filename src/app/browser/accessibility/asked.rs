//! What a screen reader, or a script, does with the elements.

use eframe::egui::accesskit::{Action, ActionData, ActionRequest, NodeId, TreeId};
use eframe::egui::{Event, Key, Modifiers};
use eframe::wasm_bindgen::{JsCast as _, JsValue, prelude::Closure};
use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::super::super::dom_mirror::node_id;
use super::{Mirror, focus, with};

/// What is done to which element.
struct Target {
    element: Element,
    node: u64,
}

/// Hears all of it from now on.
pub(super) fn listen(overlay: &Element) -> Result<(), JsValue> {
    on(overlay, "click", |event| {
        let Some(target) = Target::of(event) else {
            return;
        };
        if target.is_used() && !target.is_field() {
            with(|mirror| mirror.ask(target.node, Action::Click, None));
        }
    })?;
    on(overlay, "focusin", |event| {
        let Some(target) = Target::of(event) else {
            return;
        };
        let canvas = with(|mirror| {
            mirror.ask(target.node, Action::Focus, None);
            mirror.ask(target.node, Action::ScrollIntoView, None);
            if target.is_field() {
                return None;
            }
            // At once, so that nothing else is read out in between.
            let at = target.element.id();
            let _ = mirror.canvas.set_attribute("aria-activedescendant", &at);
            Some(mirror.canvas.clone())
        });
        if let Some(canvas) = canvas.flatten() {
            focus(&canvas);
        }
    })?;
    on(overlay, "focusout", |event| {
        if let Some(target) = Target::of(event).filter(Target::is_field) {
            with(|mirror| mirror.refresh(target.node));
        }
    })?;
    on(overlay, "input", |event| {
        if let Some(target) = Target::of(event)
            && let Some(value) = target.typed()
        {
            with(|mirror| mirror.ask(target.node, Action::SetValue, Some(value)));
        }
    })?;
    on(overlay, "keydown", |event| {
        if let Some(target) = Target::of(event).filter(Target::is_field)
            && let Some(event) = event.dyn_ref::<KeyboardEvent>()
        {
            key(&target, event);
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
            let action = if up {
                Action::Increment
            } else {
                Action::Decrement
            };
            event.prevent_default();
            with(|mirror| mirror.ask(target.node, action, None));
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
    let modifiers = if event.shift_key() {
        Modifiers::SHIFT
    } else {
        Modifiers::NONE
    };
    let canvas = with(|mirror| {
        mirror.press(key, modifiers);
        mirror.canvas.clone()
    });
    // From here on keys are the page's again.
    if let Some(canvas) = canvas.filter(|_| matches!(key, Key::Tab | Key::Escape)) {
        focus(&canvas);
    }
}

impl Mirror {
    fn ask(&mut self, node: u64, action: Action, data: Option<ActionData>) {
        let request = ActionRequest {
            action,
            target_tree: TreeId::ROOT,
            target_node: NodeId(node),
            data,
        };
        self.asked.push(Event::AccessKitActionRequest(request));
        self.ctx.request_repaint();
    }

    fn press(&mut self, key: Key, modifiers: Modifiers) {
        for pressed in [true, false] {
            self.asked.push(Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            });
        }
        self.ctx.request_repaint();
    }
}

impl Target {
    fn of(event: &web_sys::Event) -> Option<Self> {
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
        self.input()
            .is_some_and(|input| matches!(input.type_().as_str(), "range" | "number"))
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
            return number
                .is_finite()
                .then_some(ActionData::NumericValue(number));
        }
        Some(ActionData::Value(input.value().into()))
    }
}

/// Calls `act` for each event as long as the element is there.
fn on(
    element: &Element,
    name: &str,
    act: impl FnMut(&web_sys::Event) + 'static,
) -> Result<(), JsValue> {
    let mut act = act;
    let call = Closure::<dyn FnMut(web_sys::Event)>::new(move |event| act(&event));
    element.add_event_listener_with_callback(name, call.as_ref().unchecked_ref())?;
    // One notebook has one overlay; it lives as long as that.
    call.forget();
    Ok(())
}
