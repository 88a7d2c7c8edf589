//! The elements in the web page.

use eframe::wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    Document, Element, HtmlCanvasElement, HtmlElement, HtmlInputElement, HtmlTextAreaElement,
};

use super::super::super::dom_mirror::{DomChange, FieldValue, MirroredPage, dom_id, html};
use super::super::device::text_agent;

/// `id` of the element in which all others are.
const OVERLAY: &str = "notebook-tree";
/// `id` of what is around the input into which eframe lets type.
const TYPING: &str = "notebook-typing";

/// What there is beside and over the canvas.
pub(super) struct Elements {
    document: Document,
    pub(super) canvas: HtmlCanvasElement,
    /// Into which eframe lets type.
    pub(super) agent: Option<HtmlInputElement>,
    pub(super) overlay: Element,
}

impl Elements {
    /// Those of this canvas, without anything in them; what is left of an earlier
    /// one goes.
    pub(super) fn new(document: Document, canvas: &HtmlCanvasElement) -> Result<Self, JsValue> {
        for id in [OVERLAY, TYPING] {
            if let Some(old) = document.get_element_by_id(id) {
                old.remove();
            }
        }
        canvas.set_attribute("role", "application")?;
        canvas.set_attribute("aria-label", "Bindpose, the notebook")?;
        let parent = canvas.parent_node().ok_or("a canvas outside the page")?;
        let overlay = document.create_element("div")?;
        overlay.set_id(OVERLAY);
        parent.append_child(&overlay)?;
        let agent = text_agent(canvas);
        if let Some(agent) = &agent {
            let typing = document.create_element("div")?;
            typing.set_id(TYPING);
            typing.set_attribute("role", "region")?;
            typing.set_attribute("aria-label", "What is typed")?;
            parent.insert_before(&typing, Some(agent))?;
            typing.append_child(agent)?;
            // Tab leads to the canvas alone.
            agent.set_attribute("tabindex", "-1")?;
            // It had the focus, and has lost it on its way.
            focus(canvas);
        }
        Ok(Self { document, canvas: canvas.clone(), agent, overlay })
    }

    /// To the elements of a page whose root is the node `root`. `typed`: whose field is
    /// being typed in, which keeps what stands there.
    pub(super) fn apply(&self, root: u64, change: &DomChange, typed: Option<u64>) {
        // Something else may have taken an element out of the page: then there is
        // nothing to do to it.
        let _ = self.try_apply(root, change, typed);
    }

    fn try_apply(&self, root: u64, change: &DomChange, typed: Option<u64>) -> Option<()> {
        let element = |id: u64| {
            if id == root {
                return Some(self.overlay.clone());
            }
            self.document.get_element_by_id(&dom_id(id))
        };
        match change {
            DomChange::Remove { id } => element(*id)?.remove(),
            DomChange::Insert { parent, before, element: new } => {
                let (place, position) = match before {
                    Some(before) => (element(*before)?, "beforebegin"),
                    None => (element(*parent)?, "beforeend"),
                };
                place.insert_adjacent_html(position, &html(new)).ok()?;
            }
            DomChange::Move { id, parent, before } => {
                let before = before.and_then(element);
                let before = before.as_ref().map(AsRef::as_ref);
                let (parent, moved) = (element(*parent)?, element(*id)?);
                parent.insert_before(&moved, before).ok()?;
            }
            DomChange::Attribute { id, name, value } => {
                set(&element(*id)?, name, value.clone()).ok()?;
            }
            DomChange::Text { id, text } => element(*id)?.set_text_content(Some(text)),
            DomChange::Value { id, value } => {
                if typed != Some(*id) {
                    set_value(&element(*id)?, value);
                }
            }
        }
        Some(())
    }

    /// The field that has the browser's focus, by its `id`.
    pub(super) fn field_with_focus(&self) -> Option<String> {
        let active = self.document.active_element()?;
        let inside = self.overlay.contains(Some(&active));
        inside.then(|| active.id())
    }

    pub(super) fn is_there(&self, id: &str) -> bool {
        self.document.get_element_by_id(id).is_some()
    }

    /// What the field of a node holds, after it was typed in.
    pub(super) fn refresh(&self, page: &MirroredPage, id: u64) {
        let value = page.root.find(id).and_then(|it| it.value.as_ref());
        let element = self.document.get_element_by_id(&dom_id(id));
        if let (Some(value), Some(element)) = (value, element) {
            set_value(&element, value);
        }
    }

    /// Says at the canvas, and at the input into which eframe lets type, what has
    /// the focus.
    pub(super) fn tell_focus(&self, page: &MirroredPage) {
        let at = page.active.or(page.focus);
        // Refused by no browser: names and values are plain.
        let _ = set(&self.canvas, "aria-activedescendant", at.map(dom_id));
        let Some(agent) = &self.agent else {
            return;
        };
        let focused = page.focused().filter(|it| it.is_field());
        let name = focused.and_then(|it| it.attributes.get("aria-label").cloned());
        let name = name.unwrap_or_else(|| "Text field".to_owned());
        let held = focused.and_then(|it| it.value.as_ref()).map(FieldValue::text);
        let chosen = page.active.map(dom_id);
        // Without a field there is nothing to be typed into.
        let hidden = focused.is_none().then(|| "true".to_owned());
        let _ = set(agent, "aria-label", Some(name))
            .and_then(|()| set(agent, "aria-description", held))
            .and_then(|()| set(agent, "aria-activedescendant", chosen))
            .and_then(|()| set(agent, "aria-hidden", hidden.clone()))
            .and_then(|()| match agent.parent_element() {
                Some(around) => set(&around, "aria-hidden", hidden),
                None => Ok(()),
            });
    }
}

/// Gives it the browser's focus, where it stands.
pub(super) fn focus(element: &HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    // Refused while the page is not in front; then nothing has the focus anyway.
    let _ = element.focus_with_options(&options);
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

fn set_value(element: &Element, value: &FieldValue) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        input.set_value(&value.text());
    } else if let Some(area) = element.dyn_ref::<HtmlTextAreaElement>() {
        area.set_value(&value.text());
    }
}
