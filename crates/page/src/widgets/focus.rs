//! Keys that belong to the widget that has the focus, the ring around it, what is behind
//! what is lit; parts of the page by name, and the links that skip to them.

use bindpose_notebook::PageAddress;
use eframe::egui::{
    Context, CornerRadius, EventFilter, FontId, Id, Key, Modifiers, Rect, Response, Role, Sense,
    Shape, Stroke, StrokeKind, Ui, UiKind, WidgetInfo, accesskit, epaint::RectShape, vec2,
};

use super::PaintText as _;
use crate::theme::{SMALL, Theme};
use crate::touch;

/// Which arrow keys a widget uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// Left and right.
    Horizontal,
    /// All four.
    All,
}

/// While `id` has the focus, these arrow keys do not lead away from it.
pub fn keep_arrows(ui: &Ui, id: Id, arrows: Arrows) {
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: arrows == Arrows::All,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}

/// What typed keys go to, if not a text field.
#[derive(Clone, Copy)]
struct TypedInto(Id);

/// Says that what has the focus is written with letters and arrows, as a text is:
/// they are its own however it was reached.
pub fn take_letters(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.insert_temp(Id::NULL, TypedInto(id)));
}

/// Has [`take_letters`] been said of it?
pub fn is_typed_into(ctx: &Context, id: Id) -> bool {
    let typed = ctx.data(|data| data.get_temp::<TypedInto>(Id::NULL));
    typed.is_some_and(|TypedInto(typed)| typed == id)
}

/// What has an undo of its own.
#[derive(Clone, Copy)]
struct OwnUndo(Id);

/// Says that what has the focus undoes what is typed into it, and not the page.
pub fn keep_undo(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.insert_temp(Id::NULL, OwnUndo(id)));
}

/// Has [`keep_undo`] been said of it?
pub fn has_own_undo(ctx: &Context, id: Id) -> bool {
    let own = ctx.data(|data| data.get_temp::<OwnUndo>(Id::NULL));
    own.is_some_and(|OwnUndo(own)| own == id)
}

/// At the end of what scrolls: brings into view what Tab has led to there, and what
/// is typed when a keyboard has come up over the page.
pub fn reveal_focus(ui: &Ui) {
    let tab = ui.input(|input| input.key_pressed(Key::Tab));
    let moved = tab || touch::is_page_lower(ui.ctx());
    let focused = ui.memory(|memory| memory.focused()).filter(|_| moved);
    let response = focused.and_then(|id| ui.ctx().read_response(id));
    let here = response.filter(|response| {
        response.layer_id == ui.layer_id() && ui.min_rect().contains_rect(response.rect)
    });
    if let Some(response) = here {
        ui.scroll_to_rect(response.rect.expand(8.0), None);
    }
}

/// Was the key pressed alone? Takes it from the other widgets.
pub fn pressed(ui: &Ui, key: Key) -> bool {
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}

/// The place, of so many, that an arrow key leads to from `place` while `response`
/// has the focus.
pub fn place_by_arrows(ui: &Ui, response: &Response, place: usize, count: usize) -> Option<usize> {
    if !response.has_focus() {
        return None;
    }
    keep_arrows(ui, response.id, Arrows::Horizontal);
    if pressed(ui, Key::ArrowRight) {
        Some((place + 1).min(count.saturating_sub(1)))
    } else if pressed(ui, Key::ArrowLeft) {
        Some(place.saturating_sub(1))
    } else {
        None
    }
}

/// Behind what is lit by hovering: a wash, and an edge for those who cannot tell
/// the wash from the page.
pub fn lit_shape(theme: &Theme, rect: Rect, round: f32) -> Shape {
    let edge = Stroke::new(1.0, theme.lit_edge);
    RectShape::new(rect, round, theme.lit, edge, StrokeKind::Inside).into()
}

// The ring around what Tab has led to: one look for every control, outside it and
// with a gap, so that it is seen on filled buttons too.

/// Between a control and its ring, in points.
const GAP: f32 = 2.0;
const WIDTH: f32 = 2.0;

/// Draws it over everything that was laid out in this frame. A text field shows
/// its caret and needs none.
pub fn focus_ring(ctx: &Context, theme: &Theme, focused: Id) {
    let Some(response) = ctx.read_response(focused).filter(|_| !ctx.text_edit_focused()) else {
        return;
    };
    let reach = GAP + WIDTH;
    let seen = response.interact_rect;
    if seen.width() < 0.0 || seen.height() < 0.0 {
        return;
    }
    let painter = ctx.layer_painter(response.layer_id);
    // What has been scrolled away has no ring over the bar.
    let painter = painter.with_clip_rect(seen.expand(reach + 1.0));
    let rect = response.rect.expand(GAP);
    let inside_page = ctx.content_rect().shrink(WIDTH);
    let rect = rect.intersect(inside_page);
    let under = Stroke::new(GAP, theme.paper);
    painter.rect_stroke(rect, 6.0, under, StrokeKind::Inside);
    let ring = Stroke::new(WIDTH, theme.accent);
    painter.rect_stroke(rect, 6.0, ring, StrokeKind::Outside);
}

// Parts of the page by name, between which screen readers jump.

/// All that is shown in `ui`: a landmark, such as the navigation.
pub fn landmark(ui: &Ui, role: Role, name: &str) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

/// The dialog or window in which `ui` is; nothing outside of one.
pub fn name_dialog(ui: &Ui, name: &str) {
    let mut parents = ui.stack().iter();
    let is_one = |kind| matches!(kind, Some(UiKind::Modal | UiKind::Window));
    if let Some(dialog) = parents.find(|parent| is_one(parent.info.kind)) {
        ui.ctx().accesskit_node_builder(dialog.unique_id, |node| {
            node.set_role(Role::Dialog);
            node.set_label(name);
            if dialog.info.kind == Some(UiKind::Modal) {
                node.set_modal();
            }
        });
    }
}

/// Says where a click on `response` leads: a browser opens that in another tab, or copies
/// its address, as with any link.
pub fn leads_to(response: &Response, page: &PageAddress) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_url(page.link()));
}

// The first stops of the Tab key: past the bar and the contents, to the stage or to the
// text.

/// Where a skip link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipTarget {
    /// The pictures and what is beside them.
    Stage,
    /// The prose.
    Text,
}

impl SkipTarget {
    const ALL: [Self; 2] = [Self::Stage, Self::Text];

    /// Of the link, and of the stop to which it leads.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Stage => ("Skip to the stage", "Stage"),
            Self::Text => ("Skip to the text", "Text"),
        }
    }
}

/// Take their turn before all that is shown in `ui`; each is seen while it has the focus,
/// and nothing for the pointer. Whoever has laid out the rest calls [`paint_skip_links`].
pub fn offer_skip_links(ui: &Ui) -> [Response; 2] {
    let area = ui.max_rect();
    let size = vec2(150.0, 30.0).min(area.size());
    let rect = Rect::from_min_size(area.left_center() - vec2(0.0, size.y / 2.0), size);
    SkipTarget::ALL.map(|target| {
        let (words, _) = target.words();
        let id = Id::unique(words);
        let response = ui.interact(rect, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::Link, true, words));
        ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
        response
    })
}

/// Shows the one with the focus over the bar; which was followed?
pub fn paint_skip_links(ui: &Ui, theme: &Theme, links: &[Response; 2]) -> Option<SkipTarget> {
    let mut followed = None;
    for (target, link) in SkipTarget::ALL.into_iter().zip(links) {
        if link.has_focus() {
            let painter = ui.painter();
            // Nothing of what it covers is left beside it.
            let around = ui.max_rect().with_max_x(link.rect.right() + 80.0);
            painter.rect_filled(around, 0.0, theme.paper);
            painter.rect_filled(link.rect, CornerRadius::same(6), theme.accent);
            let font = FontId::proportional(SMALL);
            let (words, _) = target.words();
            painter.text_centered(link.rect.center(), words, font, theme.on_accent);
        }
        let pressed = link.has_focus()
            && ui.input(|input| input.key_pressed(Key::Enter) || input.key_pressed(Key::Space));
        let asked = |ui: &Ui| {
            ui.input(|input| input.has_accesskit_action_request(link.id, accesskit::Action::Click))
        };
        if pressed || asked(ui) {
            followed = Some(target);
        }
    }
    followed
}

/// Where a link leads: a stop before the first control of `target`, which is there only
/// while it has the focus. `followed`: the link that was; taken when it leads here.
pub fn arrive_by_skip_link(ui: &Ui, target: SkipTarget, followed: &mut Option<SkipTarget>) {
    let (_, words) = target.words();
    let id = Id::unique(words);
    if *followed == Some(target) {
        *followed = None;
        ui.memory_mut(|memory| memory.request_focus(id));
    } else if !ui.memory(|memory| memory.has_focus(id)) {
        return;
    }
    let rect = ui.max_rect().shrink(6.0);
    let response = ui.interact(rect, id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, words));
}
