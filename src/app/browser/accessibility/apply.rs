//! Does to the elements of the web page what the mirror says.

use eframe::wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement};

use super::super::super::dom_mirror::{Change, Value, dom_id, html};
use super::Mirror;

impl Mirror {
    /// `within`: the field that is being typed in, which keeps what stands there.
    pub(super) fn apply(&self, change: &Change, within: Option<&str>) {
        // Something else may have taken an element out of the page: then there is
        // nothing to do to it.
        let _ = self.try_apply(change, within);
    }

    fn try_apply(&self, change: &Change, within: Option<&str>) -> Option<()> {
        match change {
            Change::Remove { id } => self.element(*id)?.remove(),
            Change::Insert {
                parent,
                before,
                element,
            } => {
                let html = html(element);
                let (place, position) = match before {
                    Some(before) => (self.element(*before)?, "beforebegin"),
                    None => (self.element(*parent)?, "beforeend"),
                };
                place.insert_adjacent_html(position, &html).ok()?;
            }
            Change::Move { id, parent, before } => {
                let before = before.and_then(|id| self.element(id));
                let before = before.as_ref().map(AsRef::as_ref);
                let (parent, moved) = (self.element(*parent)?, self.element(*id)?);
                parent.insert_before(&moved, before).ok()?;
            }
            Change::Attribute { id, name, value } => {
                let element = self.element(*id)?;
                let done = match value {
                    Some(value) => element.set_attribute(name, value),
                    None => element.remove_attribute(name),
                };
                done.ok()?;
            }
            Change::Text { id, text } => self.element(*id)?.set_text_content(Some(text)),
            Change::Value { id, value } => {
                let element = self.element(*id)?;
                if within != Some(element.id().as_str()) {
                    set_value(&element, value);
                }
            }
        }
        Some(())
    }

    /// The field of the mirror that has the browser's focus, by its `id`.
    pub(super) fn field_with_focus(&self) -> Option<String> {
        let active = self.document.active_element()?;
        let inside = self.overlay.contains(Some(&active));
        inside.then(|| active.id())
    }

    /// What the field holds, after it was typed in.
    pub(super) fn refresh(&self, id: u64) {
        let value = self.shown.root.find(id).and_then(|it| it.value.as_ref());
        if let (Some(value), Some(element)) = (value, self.element(id)) {
            set_value(&element, value);
        }
    }

    /// Says at the canvas, and at the input into which eframe lets type, what has
    /// the focus.
    pub(super) fn tell_focus(&self) {
        let at = self.shown.active.or(self.shown.focus);
        let _ = set(&self.canvas, "aria-activedescendant", at.map(dom_id));
        let agent = self.canvas.next_element_sibling();
        let Some(agent) = agent.filter(|agent| agent.has_type::<HtmlInputElement>()) else {
            return;
        };
        let focused = self.shown.focused().filter(|it| it.is_field());
        let name = focused.and_then(|it| it.attributes.get("aria-label").cloned());
        let name = name.unwrap_or_else(|| "Text field".to_owned());
        let held = focused.and_then(|it| it.value.as_ref()).map(Value::text);
        let chosen = self.shown.active.map(dom_id);
        // Tab leads to the canvas alone.
        let _ = set(&agent, "tabindex", Some("-1".to_owned()))
            .and_then(|()| set(&agent, "aria-label", Some(name)))
            .and_then(|()| set(&agent, "aria-description", held))
            .and_then(|()| set(&agent, "aria-activedescendant", chosen));
    }

    fn element(&self, id: u64) -> Option<Element> {
        if id == self.shown.root.id {
            return Some(self.overlay.clone());
        }
        self.document.get_element_by_id(&dom_id(id))
    }
}

fn set(element: &Element, name: &str, value: Option<String>) -> Result<(), JsValue> {
    if element.get_attribute(name) == value {
        return Ok(());
    }
    match value {
        Some(value) => element.set_attribute(name, &value),
        None => element.remove_attribute(name),
    }
}

fn set_value(element: &Element, value: &Value) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        input.set_value(&value.text());
    } else if let Some(area) = element.dyn_ref::<HtmlTextAreaElement>() {
        area.set_value(&value.text());
    }
}
