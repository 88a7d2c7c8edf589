//! Keeps the elements in step with the page, and what is asked of them until the
//! page hears it.

use std::cell::RefCell;

use eframe::egui::accesskit::{Action, ActionData, ActionRequest, NodeId, TreeId, TreeUpdate};
use eframe::egui::{Context, Event, Key, Modifiers};
use eframe::wasm_bindgen::{JsCast as _, prelude::Closure};
use web_sys::Window;

use super::super::super::dom_mirror::{MirroredPage, changes, node_id};
use super::elements::{Elements, focus};
use crate::app::listener::Listener;

/// Between two updates at least, so that nothing that is dragged or plays waits for
/// them; the last one always comes.
const PAUSE_MS: f64 = 100.0;
/// The same while a button or a finger is down: nobody listens to every value of
/// a drag, and where frames are slow, each of them would be shown.
const HELD_PAUSE_MS: f64 = 1000.0;

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
        let pause_ms = if held { HELD_PAUSE_MS } else { PAUSE_MS };
        let due_ms = self.shown_ms + pause_ms;
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
