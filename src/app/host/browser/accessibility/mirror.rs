//! The elements in the web page, which follow the notebook's accessibility tree, and the
//! requests of their users until egui receives them.

use std::cell::RefCell;

use eframe::egui::accesskit::{Action, ActionData, ActionRequest, NodeId, TreeId, TreeUpdate};
use eframe::egui::{Context, Event, Key, Modifiers};
use eframe::wasm_bindgen::{JsCast as _, JsValue, prelude::Closure};
use web_sys::{
    Document, Element, HtmlCanvasElement, HtmlElement, HtmlInputElement, HtmlTextAreaElement,
    Window,
};

use super::super::device::text_agent;
use super::super::web_document::Listener;
use crate::app::dom_mirror::{
    DomChange, FieldValue, MirroredPage, diff_elements, dom_id, element_html, node_id,
};

/// Minimum time between two updates, so that drags and playback do not wait for them. The last
/// change is always shown.
const MIN_UPDATE_INTERVAL_MS: f64 = 100.0;

/// Minimum time between two updates while a button or a finger is down. A reader does not need
/// every value of a drag, and if frames are slow, each would take an update.
const MIN_DRAG_UPDATE_INTERVAL_MS: f64 = 1000.0;

/// `id` of the element that contains all others.
const OVERLAY_ID: &str = "notebook-tree";

/// `id` of the element around the input in which eframe receives text.
const TYPING_ID: &str = "notebook-typing";

thread_local! {
    /// The mirror of the notebook. A page has only one.
    static MIRROR: RefCell<Option<Mirror>> = const { RefCell::new(None) };
}

pub(super) struct Mirror {
    ctx: Context,
    window: Window,
    pub(super) elements: MirrorElements,
    shown: MirroredPage,
    /// The newest tree, if it is not shown yet.
    pending: Option<PendingTree>,
    /// Time of the last update.
    shown_at_ms: f64,
    on_timer: Closure<dyn FnMut()>,
    timer: Option<UpdateTimer>,
    requests: MirrorRequests,
    /// The field that the reader types in, whose content is not overwritten.
    typed_field: Option<u64>,
    _listeners: Vec<Listener>,
}

struct PendingTree {
    tree: TreeUpdate,
    /// CSS pixels per point.
    scale: f64,
}

/// A timer that shows the pending tree.
struct UpdateTimer {
    handle: i32,
    due_ms: f64,
}

/// Requests for the next frame.
#[derive(Default)]
pub(super) struct MirrorRequests {
    pub(super) events: Vec<Event>,
    /// Whether the focus has left the canvas, so that egui gives up its own.
    pub(super) surrenders_focus: bool,
}

/// Installs a new mirror in place of an earlier one.
pub(super) fn install_mirror(
    ctx: &Context,
    window: Window,
    elements: MirrorElements,
    listeners: Vec<Listener>,
) {
    let mirror = Mirror {
        ctx: ctx.clone(),
        window,
        elements,
        shown: MirroredPage::empty(0),
        pending: None,
        shown_at_ms: f64::NEG_INFINITY,
        on_timer: Closure::new(|| {
            with_mirror(|mirror| {
                mirror.timer = None;
                mirror.show_pending();
            });
        }),
        timer: None,
        requests: MirrorRequests::default(),
        typed_field: None,
        _listeners: listeners,
    };
    MIRROR.set(Some(mirror));
}

/// Calls a function with the mirror. Returns `None` if there is none, or if it is in use:
/// elements that are removed or focused emit events during an update, which are ignored.
pub(super) fn with_mirror<T>(act: impl FnOnce(&mut Mirror) -> T) -> Option<T> {
    MIRROR.with(|mirror| mirror.try_borrow_mut().ok()?.as_mut().map(act))
}

impl Mirror {
    /// Shows a tree now, or at the end of the minimum interval. `scale` is in CSS pixels per
    /// point.
    pub(super) fn schedule(&mut self, tree: TreeUpdate, scale: f64, is_dragging: bool) {
        self.pending = Some(PendingTree { tree, scale });
        let due_ms = self.next_update_ms(is_dragging);
        let wait_ms = due_ms - self.now_ms();
        if wait_ms <= 0.0 {
            self.show_pending();
        } else if self.timer.as_ref().is_none_or(|timer| due_ms < timer.due_ms) {
            self.stop_timer();
            let started = self.window.set_timeout_with_callback_and_timeout_and_arguments_0(
                self.on_timer.as_ref().unchecked_ref(),
                wait_ms.ceil() as i32,
            );
            self.timer = started.ok().map(|handle| UpdateTimer { handle, due_ms });
        }
    }

    /// Returns true if a tree would be shown immediately.
    pub(super) fn is_due(&self, is_dragging: bool) -> bool {
        self.next_update_ms(is_dragging) <= self.now_ms()
    }

    fn next_update_ms(&self, is_dragging: bool) -> f64 {
        let interval_ms =
            if is_dragging { MIN_DRAG_UPDATE_INTERVAL_MS } else { MIN_UPDATE_INTERVAL_MS };
        self.shown_at_ms + interval_ms
    }

    fn stop_timer(&mut self) {
        if let Some(timer) = self.timer.take() {
            self.window.clear_timeout_with_handle(timer.handle);
        }
    }

    pub(super) fn take_requests(&mut self) -> MirrorRequests {
        std::mem::take(&mut self.requests)
    }

    pub(super) fn request(&mut self, node: u64, action: Action, data: Option<ActionData>) {
        let request =
            ActionRequest { action, target_tree: TreeId::ROOT, target_node: NodeId(node), data };
        self.requests.events.push(Event::AccessKitActionRequest(request));
        self.ctx.request_repaint();
    }

    /// Requests the focus for a node. Changes the pending tree too, because its older focus
    /// would take the focus back for a moment.
    pub(super) fn request_focus(&mut self, node: u64) {
        if let Some(pending) = &mut self.pending {
            pending.tree.focus = NodeId(node);
        }
        self.request(node, Action::Focus, None);
        self.request(node, Action::ScrollIntoView, None);
    }

    /// Requests the value typed into the field of a node.
    pub(super) fn set_typed_value(&mut self, node: u64, value: ActionData) {
        self.typed_field = Some(node);
        self.request(node, Action::SetValue, Some(value));
    }

    /// Requests a step up or down from the notebook's value.
    pub(super) fn step(&mut self, node: u64, is_up: bool) {
        self.typed_field = None;
        let action = if is_up { Action::Increment } else { Action::Decrement };
        self.request(node, action, None);
    }

    pub(super) fn press_key(&mut self, key: Key, modifiers: Modifiers) {
        for pressed in [true, false] {
            self.requests.events.push(Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            });
        }
        self.ctx.request_repaint();
    }

    /// Gives up the focus if it is at this end of the notebook. Returns true if it does.
    pub(super) fn leave_at_end(&mut self, backwards: bool) -> bool {
        let end = self.shown.ends.map(|(first, last)| if backwards { first } else { last });
        let leaves = end.is_some() && self.shown.focus == end;
        if leaves {
            self.requests.surrenders_focus = true;
            self.ctx.request_repaint();
        }
        leaves
    }

    /// Sets the field to the notebook's value when the reader has stopped typing in it.
    pub(super) fn end_typing(&mut self, node: u64) {
        self.typed_field = self.typed_field.filter(|&typed| typed != node);
        self.elements.reset_field(&self.shown, node);
    }

    fn show_pending(&mut self) {
        let Some(PendingTree { tree, scale }) = self.pending.take() else {
            return;
        };
        self.shown_at_ms = self.now_ms();
        let Some(page) = MirroredPage::from_tree(&tree, scale) else {
            return;
        };
        if self.shown.root.id != page.root.id {
            self.shown = MirroredPage::empty(page.root.id);
            self.elements.overlay.set_inner_html("");
        }
        let focused_field = self.elements.focused_element_id();
        for change in diff_elements(&self.shown.root, &page.root) {
            self.elements.apply(page.root.id, &change, self.typed_field);
        }
        let previous_focus = self.shown.focus;
        self.shown = page;
        self.elements.update_focus(&self.shown);
        // Take the focus back from a field that is gone, or that the notebook has left.
        if let Some(field) = focused_field {
            let node = node_id(&field);
            let has_moved = previous_focus == node && self.shown.focus != node;
            if has_moved || !self.elements.contains(&field) {
                focus(&self.elements.canvas);
                if let Some(node) = node {
                    self.end_typing(node);
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

/// The elements of the web page beside and over the canvas.
pub(super) struct MirrorElements {
    document: Document,
    pub(super) canvas: HtmlCanvasElement,
    /// The field in which eframe receives text.
    pub(super) agent: Option<HtmlInputElement>,
    pub(super) overlay: Element,
}

impl MirrorElements {
    /// Creates empty elements for this canvas. Removes those of an earlier one.
    pub(super) fn new(document: Document, canvas: &HtmlCanvasElement) -> Result<Self, JsValue> {
        for id in [OVERLAY_ID, TYPING_ID] {
            if let Some(old) = document.get_element_by_id(id) {
                old.remove();
            }
        }
        canvas.set_attribute("role", "application")?;
        canvas.set_attribute("aria-label", "Bindpose, the notebook")?;
        let parent = canvas.parent_node().ok_or("a canvas outside the page")?;
        let overlay = document.create_element("div")?;
        overlay.set_id(OVERLAY_ID);
        parent.append_child(&overlay)?;
        let agent = text_agent(canvas);
        if let Some(agent) = &agent {
            let typing = document.create_element("div")?;
            typing.set_id(TYPING_ID);
            typing.set_attribute("role", "region")?;
            typing.set_attribute("aria-label", "What is typed")?;
            parent.insert_before(&typing, Some(agent))?;
            typing.append_child(agent)?;
            // Tab moves to the canvas only.
            agent.set_attribute("tabindex", "-1")?;
            // The field had the focus, and lost it when it was moved.
            focus(canvas);
        }
        Ok(Self { document, canvas: canvas.clone(), agent, overlay })
    }

    /// Applies a change to the elements of a page with this root. Skips the value of
    /// `typed_field`, which the reader types in.
    fn apply(&self, root: u64, change: &DomChange, typed_field: Option<u64>) {
        // A browser extension may have removed the element, which then needs no change.
        let _ = self.try_apply(root, change, typed_field);
    }

    /// The element of a node, in a page with this root.
    fn element(&self, root: u64, node: u64) -> Option<Element> {
        if node == root {
            return Some(self.overlay.clone());
        }
        self.document.get_element_by_id(&dom_id(node))
    }

    /// Returns `None` if an element of the change is missing.
    fn try_apply(&self, root: u64, change: &DomChange, typed_field: Option<u64>) -> Option<()> {
        match change {
            DomChange::Remove { id } => self.element(root, *id)?.remove(),
            DomChange::Insert { parent, before, element } => {
                let (place, position) = match before {
                    Some(before) => (self.element(root, *before)?, "beforebegin"),
                    None => (self.element(root, *parent)?, "beforeend"),
                };
                place.insert_adjacent_html(position, &element_html(element)).ok()?;
            }
            DomChange::Move { id, parent, before } => {
                let next = before.and_then(|next| self.element(root, next));
                let parent = self.element(root, *parent)?;
                let moved = self.element(root, *id)?;
                parent.insert_before(&moved, next.as_ref().map(AsRef::as_ref)).ok()?;
            }
            DomChange::Attribute { id, name, value } => {
                set_attribute(&self.element(root, *id)?, name, value.clone()).ok()?;
            }
            DomChange::Text { id, text } => self.element(root, *id)?.set_text_content(Some(text)),
            DomChange::Value { id, value } => {
                if typed_field != Some(*id) {
                    set_value(&self.element(root, *id)?, value);
                }
            }
        }
        Some(())
    }

    /// `id` of the mirrored element that has the browser's focus.
    fn focused_element_id(&self) -> Option<String> {
        let active = self.document.active_element()?;
        let is_inside = self.overlay.contains(Some(&active));
        is_inside.then(|| active.id())
    }

    fn contains(&self, id: &str) -> bool {
        self.document.get_element_by_id(id).is_some()
    }

    /// Sets the field of a node to the page's value.
    fn reset_field(&self, page: &MirroredPage, node: u64) {
        let value = page.root.find(node).and_then(|element| element.value.as_ref());
        let field = self.document.get_element_by_id(&dom_id(node));
        if let (Some(value), Some(field)) = (value, field) {
            set_value(&field, value);
        }
    }

    /// Describes the focused element in the attributes of the canvas, and of the field in which
    /// eframe receives text.
    fn update_focus(&self, page: &MirroredPage) {
        let focus_id = page.active.or(page.focus).map(dom_id);
        // Browsers reject none of these names and values.
        let _ = set_attribute(&self.canvas, "aria-activedescendant", focus_id);
        if let Some(agent) = &self.agent {
            let _ = describe_agent(agent, page);
        }
    }
}

/// Describes the focused field in the attributes of the field in which eframe receives text.
/// Hides the latter from screen readers if no field has the focus.
fn describe_agent(agent: &HtmlInputElement, page: &MirroredPage) -> Result<(), JsValue> {
    let focused_field = page.focused().filter(|element| element.value.is_some());
    let label = focused_field
        .and_then(|field| field.attributes.get("aria-label").cloned())
        .unwrap_or_else(|| "Text field".to_owned());
    let value = focused_field.and_then(|field| field.value.as_ref()).map(FieldValue::to_text);
    let hidden = focused_field.is_none().then(|| "true".to_owned());
    set_attribute(agent, "aria-label", Some(label))?;
    set_attribute(agent, "aria-description", value)?;
    set_attribute(agent, "aria-activedescendant", page.active.map(dom_id))?;
    set_attribute(agent, "aria-hidden", hidden.clone())?;
    if let Some(wrapper) = agent.parent_element() {
        set_attribute(&wrapper, "aria-hidden", hidden)?;
    }
    Ok(())
}

/// Gives an element the browser's focus, without scrolling to it.
pub(super) fn focus(element: &HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    // Rejected while the page is in the background, where no element has the focus anyway.
    let _ = element.focus_with_options(&options);
}

/// Sets an attribute to a value, or removes it for `None`, if that changes it.
fn set_attribute(element: &Element, name: &str, value: Option<String>) -> Result<(), JsValue> {
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
        input.set_value(&value.to_text());
    } else if let Some(area) = element.dyn_ref::<HtmlTextAreaElement>() {
        area.set_value(&value.to_text());
    }
}
