//! Which accessor is shown, and which of its elements.

use eframe::egui::{ComboBox, RichText, Ui};

use super::selection::{Memory, View, choose, owner};
use crate::asset::AccessorLayout;
use crate::notebook::Entity;
use crate::ui::cells::entity_chooser::step_button;
use crate::ui::widgets::{Scrub, ScrubChange};
use crate::ui::{PageContext, icons};

pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &View<'_>,
    memory: &mut Memory,
) {
    let choose = |ui: &mut Ui, memory: &mut Memory| {
        let width = (ui.available_width() - 20.0).min(300.0);
        ComboBox::from_id_salt((id, "accessor"))
            .width(width)
            .truncate()
            .selected_text(title(view.index, view.accessor))
            .show_ui(ui, |ui| {
                for (index, accessor) in view.layout.accessors.iter().enumerate() {
                    let words = title(index, accessor);
                    if ui.selectable_label(index == view.index, words).clicked() {
                        memory.accessor = Some(index);
                        memory.element = 0;
                        memory.byte = None;
                    }
                }
            })
            .response
            .accessible_name("the accessor shown");
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
    view: &View<'_>,
    memory: &mut Memory,
) {
    let Some(last) = view.accessor.count.checked_sub(1) else {
        return;
    };
    let quiet = |words: String| RichText::new(words).color(page.theme.quiet);
    ui.label(quiet("element".to_owned()));
    let mut to = None;
    if step_button(ui, icons::CARET_LEFT, "previous element", view.element > 0) {
        to = view.element.checked_sub(1);
    }
    let scrub = Scrub::new((id, "element"), view.element as f64, "the element shown")
        .whole()
        .range(0.0..=last as f64)
        .steps_per_point(0.1)
        .chars(last.to_string().len());
    match scrub.show(ui) {
        Some(ScrubChange::Set(value)) => to = Some(value as usize),
        Some(ScrubChange::Reset) => to = Some(0),
        None => {}
    }
    if step_button(ui, icons::CARET_RIGHT, "next element", view.element < last) {
        to = Some(view.element + 1);
    }
    let whose = match owner(page, view, view.element) {
        Some(Entity::Vertex(vertex)) => format!("of v{vertex}"),
        Some(Entity::Joint(joint)) => format!("of joint {}", joint.0),
        _ => String::new(),
    };
    ui.label(RichText::new(whose).color(page.theme.quiet));
    if let Some(to) = to {
        choose(page, view, memory, to);
    }
}
