//! Keyboard focus: the keys that the focused widget keeps for itself, the focus ring,
//! landmarks, and skip links.

use eframe::egui::{
    Context, CornerRadius, EventFilter, FontId, Id, Key, Modifiers, Rect, Response, Role, Sense,
    Shape, Stroke, StrokeKind, Ui, UiKind, WidgetInfo, accesskit, epaint::RectShape, vec2,
};

use super::PaintText as _;
use crate::theme::{SMALL_SIZE, Theme};
use crate::touch;

/// The arrow keys that a widget handles itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    Horizontal,
    All,
}

/// Keeps these arrow keys from moving the focus away from `id`.
pub fn keep_arrows(ui: &Ui, id: Id, arrows: Arrows) {
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: arrows == Arrows::All,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}

/// The focused widget that takes typed keys without being a text field.
#[derive(Clone, Copy)]
struct LetterWidget(Id);

/// Marks the focused widget as taking letters and arrows, as a text field does.
pub fn take_letters(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.insert_temp(Id::NULL, LetterWidget(id)));
}

/// Returns true if `id` was marked by [`take_letters`].
pub fn takes_letters(ctx: &Context, id: Id) -> bool {
    let widget = ctx.data(|data| data.get_temp::<LetterWidget>(Id::NULL));
    widget.is_some_and(|widget| widget.0 == id)
}

/// The focused widget that has its own undo.
#[derive(Clone, Copy)]
struct UndoWidget(Id);

/// Marks the focused widget as having its own undo, so that the page does not undo.
pub fn keep_undo(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.insert_temp(Id::NULL, UndoWidget(id)));
}

/// Returns true if `id` was marked by [`keep_undo`].
pub fn has_own_undo(ctx: &Context, id: Id) -> bool {
    let widget = ctx.data(|data| data.get_temp::<UndoWidget>(Id::NULL));
    widget.is_some_and(|widget| widget.0 == id)
}

/// Scrolls to the focused widget after Tab was pressed, or after an on-screen keyboard
/// has covered part of the page. Called at the end of a scroll area.
pub fn reveal_focus(ui: &Ui) {
    let tab_pressed = ui.input(|input| input.key_pressed(Key::Tab));
    if !tab_pressed && !touch::is_page_lower(ui.ctx()) {
        return;
    }
    let focused = ui.memory(|memory| memory.focused());
    let Some(response) = focused.and_then(|id| ui.ctx().read_response(id)) else {
        return;
    };
    if response.layer_id == ui.layer_id() && ui.min_rect().contains_rect(response.rect) {
        ui.scroll_to_rect(response.rect.expand(8.0), None);
    }
}

/// Returns true if the key was pressed without modifiers, and consumes it.
pub fn consume_key(ui: &Ui, key: Key) -> bool {
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}

/// Returns the index, out of `count`, to which a left or right arrow key leads from
/// `index` while `response` has the focus.
pub fn index_by_arrows(ui: &Ui, response: &Response, index: usize, count: usize) -> Option<usize> {
    if !response.has_focus() {
        return None;
    }
    keep_arrows(ui, response.id, Arrows::Horizontal);
    if consume_key(ui, Key::ArrowRight) {
        Some((index + 1).min(count.saturating_sub(1)))
    } else if consume_key(ui, Key::ArrowLeft) {
        Some(index.saturating_sub(1))
    } else {
        None
    }
}

/// Returns the background of a highlighted area. Its edge is for readers who cannot
/// distinguish the wash from the page.
pub fn highlight_shape(theme: &Theme, rect: Rect, corner_radius: f32) -> Shape {
    let edge = Stroke::new(1.0, theme.lit_edge);
    RectShape::new(rect, corner_radius, theme.lit, edge, StrokeKind::Inside).into()
}

// The focus ring, which is the same for every control. A gap separates it from the
// control, so that it is visible on filled buttons too.

/// Gap between a control and its ring, in points.
const RING_GAP_PTS: f32 = 2.0;
const RING_WIDTH_PTS: f32 = 2.0;

/// Draws the focus ring over everything laid out in this frame. A text field shows its
/// caret and needs none.
pub fn focus_ring(ctx: &Context, theme: &Theme, focused: Id) {
    if ctx.text_edit_focused() {
        return;
    }
    let Some(response) = ctx.read_response(focused) else {
        return;
    };
    let visible = response.interact_rect;
    if visible.width() < 0.0 || visible.height() < 0.0 {
        return;
    }
    // The ring of a control that is scrolled away is not drawn over the bar.
    let clip_rect = visible.expand(RING_GAP_PTS + RING_WIDTH_PTS + 1.0);
    let painter = ctx.layer_painter(response.layer_id).with_clip_rect(clip_rect);
    let inside_page = ctx.content_rect().shrink(RING_WIDTH_PTS);
    let rect = response.rect.expand(RING_GAP_PTS).intersect(inside_page);
    let gap = Stroke::new(RING_GAP_PTS, theme.paper);
    painter.rect_stroke(rect, 6.0, gap, StrokeKind::Inside);
    let ring = Stroke::new(RING_WIDTH_PTS, theme.accent);
    painter.rect_stroke(rect, 6.0, ring, StrokeKind::Outside);
}

// Landmarks, between which screen readers jump.

/// Makes `ui` a landmark, such as the navigation.
pub fn landmark(ui: &Ui, role: Role, name: &str) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

/// Names the dialog or window that contains `ui`, if there is one.
pub fn name_dialog(ui: &Ui, name: &str) {
    let dialog = ui
        .stack()
        .iter()
        .find(|parent| matches!(parent.info.kind, Some(UiKind::Modal | UiKind::Window)));
    if let Some(dialog) = dialog {
        ui.ctx().accesskit_node_builder(dialog.unique_id, |node| {
            node.set_role(Role::Dialog);
            node.set_label(name);
            if dialog.info.kind == Some(UiKind::Modal) {
                node.set_modal();
            }
        });
    }
}

/// Attaches the address to which a click on `response` leads. A browser can then open it
/// in another tab or copy it, as with any link. `address` is called only if accessibility is
/// on, because each row of the contents has an address.
pub fn set_link_address(response: &Response, address: impl FnOnce() -> String) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_url(address()));
}

// Skip links: the first stops of the Tab key, past the bar and the contents.

/// Destination of a skip link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipTarget {
    /// The pictures and the cells beside them.
    Stage,
    Text,
}

impl SkipTarget {
    const ALL: [Self; 2] = [Self::Stage, Self::Text];

    fn link_label(self) -> &'static str {
        match self {
            Self::Stage => "Skip to the stage",
            Self::Text => "Skip to the text",
        }
    }

    fn stop_label(self) -> &'static str {
        match self {
            Self::Stage => "Stage",
            Self::Text => "Text",
        }
    }
}

/// Adds the skip links as the first focus stops of `ui`. They do not react to the
/// pointer, and each is visible only while it has the focus. The caller draws them with
/// [`paint_skip_links`] after the rest of the frame.
pub fn offer_skip_links(ui: &Ui) -> [Response; 2] {
    let area = ui.max_rect();
    let size = vec2(150.0, 30.0).min(area.size());
    let rect = Rect::from_min_size(area.left_center() - vec2(0.0, size.y / 2.0), size);
    SkipTarget::ALL.map(|target| {
        let label = target.link_label();
        let id = Id::unique(label);
        let response = ui.interact(rect, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::Link, true, label));
        ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
        response
    })
}

/// Draws the focused skip link over the bar. Returns the target of the link that was
/// followed.
pub fn paint_skip_links(ui: &Ui, theme: &Theme, links: &[Response; 2]) -> Option<SkipTarget> {
    let mut followed = None;
    for (target, link) in SkipTarget::ALL.into_iter().zip(links) {
        if link.has_focus() {
            let painter = ui.painter();
            // Covers everything beneath, so that no parts of it remain visible beside the
            // link.
            let cover = ui.max_rect().with_max_x(link.rect.right() + 80.0);
            painter.rect_filled(cover, 0.0, theme.paper);
            painter.rect_filled(link.rect, CornerRadius::same(6), theme.accent);
            let font = FontId::proportional(SMALL_SIZE);
            let label = target.link_label();
            painter.text_centered(link.rect.center(), label, font, theme.on_accent);
        }
        // `has_focus` locks the context, so it must not be called within `input`.
        let has_focus = link.has_focus();
        let was_followed = ui.input(|input| {
            let key_pressed = input.key_pressed(Key::Enter) || input.key_pressed(Key::Space);
            has_focus && key_pressed
                || input.has_accesskit_action_request(link.id, accesskit::Action::Click)
        });
        if was_followed {
            followed = Some(target);
        }
    }
    followed
}

/// Adds the focus stop of a skip link before the first control of `target`. It exists
/// only while it has the focus. Clears `followed` if the link that was followed leads
/// here.
pub fn arrive_by_skip_link(ui: &Ui, target: SkipTarget, followed: &mut Option<SkipTarget>) {
    let label = target.stop_label();
    let id = Id::unique(label);
    if *followed == Some(target) {
        *followed = None;
        ui.memory_mut(|memory| memory.request_focus(id));
    } else if !ui.memory(|memory| memory.has_focus(id)) {
        return;
    }
    let rect = ui.max_rect().shrink(6.0);
    let response = ui.interact(rect, id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, label));
}
