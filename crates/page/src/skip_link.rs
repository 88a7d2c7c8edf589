//! The first stops of the Tab key: past the bar and the contents, to the stage or to the
//! text.

use eframe::egui::{
    CornerRadius, FontId, Id, Key, Rect, Response, Role, Sense, Ui, WidgetInfo, accesskit, vec2,
};

use crate::theme::{SMALL, Theme};
use crate::widgets::PaintText;

/// Where a link leads.
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
/// and nothing for the pointer. Whoever has laid out the rest calls [`paint`].
pub fn offer(ui: &Ui) -> [Response; 2] {
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
pub fn paint(ui: &Ui, theme: &Theme, links: &[Response; 2]) -> Option<SkipTarget> {
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
pub fn arrive(ui: &Ui, target: SkipTarget, followed: &mut Option<SkipTarget>) {
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
