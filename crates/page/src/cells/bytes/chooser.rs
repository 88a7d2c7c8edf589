//! Which accessor is shown, and which of its elements.

use bindpose_asset::AccessorLayout;
use bindpose_notebook::Entity;
use eframe::egui::{ComboBox, RichText, Ui};

use super::selection::{BytesCellState, BytesView, choose, owner};
use crate::PageContext;
use crate::cells::entity_chooser::{number, stepped};
use crate::widgets::combo;

pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
) {
    let choose = |ui: &mut Ui, memory: &mut BytesCellState| {
        let list = ComboBox::from_id_salt((id, "accessor"))
            .width((ui.available_width() - 20.0).min(300.0))
            .truncate();
        let all = 0..view.layout.accessors.len();
        let title = |&index: &usize| title(index, &view.layout.accessors[index]);
        let chosen = combo(ui, list, "the accessor shown", &view.index, all, title);
        if chosen.is_some() {
            memory.accessor = chosen;
            memory.element = 0;
            memory.byte = None;
        }
    };
    if ui.available_width() < BESIDE {
        choose(ui, memory);
        ui.horizontal(|ui| element(ui, id, page, view, memory));
    } else {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            choose(ui, memory);
            element(ui, id, page, view, memory);
        });
    }
}

/// From this width on, the element is chosen beside the accessor.
const BESIDE: f32 = 520.0;

fn title(index: usize, accessor: &AccessorLayout) -> String {
    let used = accessor.uses.first().map_or("not used", String::as_str);
    format!("accessor {index}: {used}")
}

fn element(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
) {
    let count = view.accessor.count;
    if count == 0 {
        return;
    }
    // Where its number is the element's, it names it.
    let (title, after) = match owner(page, view, view.element) {
        Some(Entity::Vertex(vertex)) if vertex as usize == view.element => ("vertex", None),
        Some(Entity::Joint(joint)) if joint.index() == view.element => ("joint", None),
        Some(Entity::Vertex(vertex)) => ("element", Some(format!("of v{vertex}"))),
        Some(Entity::Joint(joint)) => ("element", Some(format!("of joint {}", joint.0))),
        _ => ("element", None),
    };
    ui.label(RichText::new(title).color(page.theme.quiet));
    let to = stepped(ui, "element", view.element, count, |ui| {
        let id = (id, "element");
        number(ui, id, view.element, count, "the element shown")
    });
    if let Some(words) = after {
        ui.label(RichText::new(words).color(page.theme.quiet));
    }
    if let Some(to) = to {
        choose(page, view, memory, to);
    }
}
