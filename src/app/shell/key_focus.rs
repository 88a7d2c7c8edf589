//! Whom keys belong to: the page, or the control that has the focus.
//!
//! The rule: arrows, Space and letters are the page's, unless Tab has led to a
//! control or one is being typed in. Whatever the pointer has done since gives
//! them back to the page.

use bindpose_page::widgets::{has_own_undo, is_typed_into};
use eframe::egui::{Context, Event, Id, Key, Modifiers, Popup, accesskit};

use super::super::keys::Owner;

/// The focus between two frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyFocus {
    /// What had it at the end of the last frame: egui drops it on Escape before
    /// anybody sees the key.
    held: Option<Id>,
    /// Has the pointer been used since Tab was pressed?
    pointer: bool,
    /// Where Tab goes on when nothing has the focus.
    last: Option<Id>,
}

impl KeyFocus {
    /// Before the page is laid out: who gets the keys of this frame.
    pub(super) fn begin(&mut self, ctx: &Context) -> Owner {
        let (tab, pointed) = ctx.input(|input| {
            let tab = input.events.iter().any(leads_by_keyboard);
            (tab, input.pointer.any_pressed())
        });
        self.pointer = (self.pointer || pointed) && !tab;
        let focused = ctx.memory(|memory| memory.focused());
        if tab && focused.is_none() {
            self.go_on(ctx);
        }
        let typing = ctx.text_edit_focused() || focused.is_some_and(|id| is_typed_into(ctx, id));
        Owner {
            control: focused.filter(|_| typing || !self.pointer),
            undo: typing && focused.is_some_and(|id| has_own_undo(ctx, id)),
            page: focused.filter(|_| !typing && self.pointer),
            escape: self.held.is_some() || Popup::is_any_open(ctx),
        }
    }

    /// After it.
    pub(super) fn end(&mut self, ctx: &Context) {
        self.held = ctx.memory(|memory| memory.focused());
        let clicked = ctx.interaction_snapshot(|seen| seen.clicked.or(seen.drag_stopped));
        let clicked = clicked.filter(|&id| {
            let response = ctx.read_response(id);
            response.is_some_and(|response| response.sense.is_focusable())
        });
        self.last = self.held.or(clicked).or(self.last);
    }

    /// Another page: Tab begins at its top.
    pub(super) fn forget(&mut self, ctx: &Context) {
        *self = Self { pointer: self.pointer, ..Self::default() };
        ctx.memory_mut(|memory| {
            if let Some(id) = memory.focused() {
                memory.surrender_focus(id);
            }
        });
    }

    /// What Tab has led to, which is to be seen.
    pub(super) fn shown(&self, ctx: &Context) -> Option<Id> {
        let focused = ctx.memory(|memory| memory.focused());
        focused.filter(|_| !self.pointer)
    }

    /// Tab leads to what follows the control that was used last.
    fn go_on(&self, ctx: &Context) {
        let last = self.last.filter(|&id| ctx.read_response(id).is_some());
        if let Some(id) = last {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

fn leads_by_keyboard(event: &Event) -> bool {
    match event {
        Event::Key { key: Key::Tab, pressed: true, modifiers, .. } => {
            modifiers.is_none() || *modifiers == Modifiers::SHIFT
        }
        Event::AccessKitActionRequest(request) => request.action == accesskit::Action::Focus,
        _ => false,
    }
}
