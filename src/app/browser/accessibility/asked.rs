//! What a screen reader, or a script, does with the elements.

use eframe::egui::accesskit::{Action, ActionData};
use eframe::egui::{Key, Modifiers};
use eframe::wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::super::super::dom_mirror::node_id;
use super::elements::{Elements, focus};
use super::mirror::with;
use crate::app::listener::Listener;

/// What is done to which element.
struct Target {
    element: Element,
    node: u64,
}

/// Hears all of it, as long as what is given back is kept.
pub(super) fn listen(elements: &Elements) -> Vec<Listener> {
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
        with(|mirror| mirror.ask(target.node, Action::Click, None));
    }
}

fn focused(target: &Target, _: &Event) {
    let canvas = with(|mirror| {
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
        with(|mirror| mirror.refresh(target.node));
    }
}

fn typed(target: &Target, _: &Event) {
    if let Some(value) = target.typed() {
        with(|mirror| mirror.take_typed(target.node, value));
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
        let leaves = with(|mirror| mirror.leave(key.shift_key()));
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
            with(|mirror| mirror.step(target.node, up));
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
    let canvas = with(|mirror| {
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
