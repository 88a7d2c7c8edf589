//! The elements in the web page, kept in step with what the notebook says of itself; and what
//! is asked of them, until the notebook hears it.

use std::cell::RefCell;

use eframe::egui::accesskit::{Action, ActionData, ActionRequest, NodeId, TreeId, TreeUpdate};
use eframe::egui::{Context, Event, Key, Modifiers};
use eframe::wasm_bindgen::{JsCast as _, JsValue, prelude::Closure};
use web_sys::{
    Document, Element, HtmlCanvasElement, HtmlElement, HtmlInputElement, HtmlTextAreaElement,
    Window,
};

use super::super::super::dom_mirror::{
    DomChange, FieldValue, MirroredPage, changes, dom_id, html, node_id,
};
use super::super::device::text_agent;
use crate::app::web_document::Listener;

/// Between two updates at least, so that nothing that is dragged or plays waits for
/// them; the last one always comes.
const PAUSE_MS: f64 = 100.0;
/// The same while a button or a finger is down: nobody listens to every value of
/// a drag, and where frames are slow, each of them would be shown.
const HELD_PAUSE_MS: f64 = 1000.0;

/// `id` of the element in which all others are.
const OVERLAY: &str = "notebook-tree";
/// `id` of what is around the input into which eframe lets type.
const TYPING: &str = "notebook-typing";

thread_local! {
    /// Of the notebook that is shown: a page has one.
    static MIRROR: RefCell<Option<Mirror>> = const { RefCell::new(None) };
}

pub(super) struct Mirror {
    ctx: Context,
    window: Window,
    pub(super) elements: Elements,
    shown: MirroredPage,
    /// The newest tree, with the size of a point in pixels of the web page, if it is
    /// not shown yet.
    waiting: Option<(TreeUpdate, f64)>,
    /// When something was last shown.
    shown_ms: f64,
    later: Closure<dyn FnMut()>,
    /// `later` is going to be called, by this timer, at this time.
    timer: Option<(i32, f64)>,
    /// What the next frame is to hear.
    asked: Vec<Event>,
    /// The field that is being typed in, which keeps what stands there.
    typed: Option<u64>,
    /// The focus has gone elsewhere in the browser: the page gives up its own.
    leaves: bool,
    _listeners: Vec<Listener>,
}

/// In the place of an earlier one.
pub(super) fn begin(ctx: &Context, window: Window, elements: Elements, listeners: Vec<Listener>) {
    let mirror = Mirror {
        ctx: ctx.clone(),
        window,
        elements,
        shown: MirroredPage::empty(0),
        waiting: None,
        shown_ms: f64::NEG_INFINITY,
        later: Closure::new(|| {
            with_mirror(|mirror| {
                mirror.timer = None;
                mirror.show_waiting();
            });
        }),
        timer: None,
        asked: Vec::new(),
        typed: None,
        leaves: false,
        _listeners: listeners,
    };
    MIRROR.set(Some(mirror));
}

/// Does something with the mirror. Elements that go or get the focus call back while
/// it is in use; those calls are for nobody.
pub(super) fn with_mirror<T>(act: impl FnOnce(&mut Mirror) -> T) -> Option<T> {
    MIRROR.with(|mirror| mirror.try_borrow_mut().ok()?.as_mut().map(act))
}

impl Mirror {
    /// Shows it now, or when the pause is over.
    pub(super) fn take(&mut self, tree: TreeUpdate, scale: f64, held: bool) {
        self.waiting = Some((tree, scale));
        let due_ms = self.due_ms(held);
        let rest_ms = due_ms - self.now_ms();
        if rest_ms <= 0.0 {
            self.show_waiting();
        } else if self.timer.is_none_or(|(_, at_ms)| due_ms < at_ms) {
            self.stop_timer();
            let later = self.later.as_ref().unchecked_ref();
            let timed = self.window.set_timeout_with_callback_and_timeout_and_arguments_0(
                later,
                rest_ms.ceil() as i32,
            );
            self.timer = timed.ok().map(|timer| (timer, due_ms));
        }
    }

    /// Would a tree be shown now?
    pub(super) fn is_due(&self, held: bool) -> bool {
        self.due_ms(held) <= self.now_ms()
    }

    fn due_ms(&self, held: bool) -> f64 {
        self.shown_ms + if held { HELD_PAUSE_MS } else { PAUSE_MS }
    }

    fn stop_timer(&mut self) {
        if let Some((timer, _)) = self.timer.take() {
            self.window.clear_timeout_with_handle(timer);
        }
    }

    /// What was asked since, and whether the focus has left.
    pub(super) fn take_asked(&mut self) -> (Vec<Event>, bool) {
        let asked = std::mem::take(&mut self.asked);
        (asked, std::mem::take(&mut self.leaves))
    }

    pub(super) fn ask(&mut self, node: u64, action: Action, data: Option<ActionData>) {
        let request =
            ActionRequest { action, target_tree: TreeId::ROOT, target_node: NodeId(node), data };
        self.asked.push(Event::AccessKitActionRequest(request));
        self.ctx.request_repaint();
    }

    /// The focus goes to a node. A tree from before, which still waits to be shown,
    /// would take it back for a moment.
    pub(super) fn ask_for_focus(&mut self, node: u64) {
        if let Some((tree, _)) = &mut self.waiting {
            tree.focus = NodeId(node);
        }
        self.ask(node, Action::Focus, None);
        self.ask(node, Action::ScrollIntoView, None);
    }

    /// What was typed into the field of a node.
    pub(super) fn take_typed(&mut self, node: u64, value: ActionData) {
        self.typed = Some(node);
        self.ask(node, Action::SetValue, Some(value));
    }

    /// A step up or down from what the page has.
    pub(super) fn step(&mut self, node: u64, up: bool) {
        self.typed = None;
        let action = if up { Action::Increment } else { Action::Decrement };
        self.ask(node, action, None);
    }

    pub(super) fn press(&mut self, key: Key, modifiers: Modifiers) {
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

    /// The focus goes out of the page by Tab, if it is at this end of it.
    pub(super) fn leave(&mut self, backwards: bool) -> bool {
        let end = self.shown.ends.map(|(first, last)| if backwards { first } else { last });
        let leaves = end.is_some() && self.shown.focus == end;
        if leaves {
            self.leaves = true;
            self.ctx.request_repaint();
        }
        leaves
    }

    /// The field has what the page has: nobody types in it any more.
    pub(super) fn refresh(&mut self, node: u64) {
        self.typed = self.typed.filter(|&typed| typed != node);
        self.elements.refresh(&self.shown, node);
    }

    fn show_waiting(&mut self) {
        let Some((tree, scale)) = self.waiting.take() else {
            return;
        };
        self.shown_ms = self.now_ms();
        let Some(page) = MirroredPage::of(&tree, scale) else {
            return;
        };
        if self.shown.root.id != page.root.id {
            self.shown = MirroredPage::empty(page.root.id);
            self.elements.overlay.set_inner_html("");
        }
        let within = self.elements.field_with_focus();
        for change in changes(&self.shown.root, &page.root) {
            self.elements.apply(page.root.id, &change, self.typed);
        }
        let focus_before = self.shown.focus;
        self.shown = page;
        self.elements.tell_focus(&self.shown);
        // A field that is gone, or from which the page has moved on, gives the focus
        // back.
        if let Some(field) = within {
            let node = node_id(&field);
            let moved = focus_before == node && self.shown.focus != node;
            if moved || !self.elements.is_there(&field) {
                focus(&self.elements.canvas);
                if let Some(id) = node {
                    self.refresh(id);
                }
            }
        }
    }

    fn now_ms(&self) -> f64 {
        let clock = self.window.performance();
        clock.map_or(f64::INFINITY, |clock| clock.now())
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.stop_timer();
    }
}

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
    fn apply(&self, root: u64, change: &DomChange, typed: Option<u64>) {
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
    fn field_with_focus(&self) -> Option<String> {
        let active = self.document.active_element()?;
        let inside = self.overlay.contains(Some(&active));
        inside.then(|| active.id())
    }

    fn is_there(&self, id: &str) -> bool {
        self.document.get_element_by_id(id).is_some()
    }

    /// What the field of a node holds, after it was typed in.
    fn refresh(&self, page: &MirroredPage, id: u64) {
        let value = page.root.find(id).and_then(|it| it.value.as_ref());
        let element = self.document.get_element_by_id(&dom_id(id));
        if let (Some(value), Some(element)) = (value, element) {
            set_value(&element, value);
        }
    }

    /// Says at the canvas, and at the input into which eframe lets type, what has
    /// the focus.
    fn tell_focus(&self, page: &MirroredPage) {
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
