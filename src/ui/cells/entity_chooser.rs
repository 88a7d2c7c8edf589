//! Choosing a joint or a vertex: the same control wherever a cell follows the
//! choice.

use eframe::egui::{Button, ComboBox, RichText, Ui};

use crate::lesson::Setting;
use crate::notebook::{Edit, Entity};
use crate::skin::JointIndex;
use crate::ui::theme::{SMALL, font};
use crate::ui::widgets::{Scrub, ScrubChange, badge};
use crate::ui::{PageContext, icons};

/// A joint's name, empty for one that does not exist.
pub(super) fn joint_name<'a>(page: &'a PageContext<'_>, joint: JointIndex) -> &'a str {
    page.derived
        .rig
        .skeleton
        .joints()
        .get(joint.index())
        .map_or("", |joint| joint.name.as_str())
}

/// `joint (1) ‹ neck ›`
pub(super) fn joint(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let chosen = page.document.state.joint;
    let count = page.derived.rig.skeleton.len();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("joint").color(page.theme.quiet));
        let name = joint_name(page, chosen).to_owned();
        if badge(ui, page.theme, chosen, &name).hovered() {
            page.linked.hover(Entity::Joint(chosen));
        }
        let before = chosen.0.checked_sub(1).map(JointIndex);
        step(
            ui,
            page,
            icons::CARET_LEFT,
            "previous joint",
            before.map(Setting::Joint),
        );
        ComboBox::from_id_salt((id, "joint"))
            .selected_text(title(chosen, &name))
            .show_ui(ui, |ui| {
                for index in page.derived.rig.skeleton.indices() {
                    let title = title(index, joint_name(page, index));
                    if ui.selectable_label(index == chosen, title).clicked() {
                        page.edits.push(Edit::set(Setting::Joint(index)));
                    }
                }
            })
            .response
            .accessible_name("the joint shown");
        let after = (chosen.index() + 1 < count).then(|| JointIndex(chosen.0.saturating_add(1)));
        step(
            ui,
            page,
            icons::CARET_RIGHT,
            "next joint",
            after.map(Setting::Joint),
        );
    });
}

fn title(joint: JointIndex, name: &str) -> String {
    if name.is_empty() || name == joint.0.to_string() {
        format!("joint {}", joint.0)
    } else {
        format!("{}  {name}", joint.0)
    }
}

/// `vertex ‹ v2 ›`
pub(super) fn vertex(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let chosen = page.document.state.vertex;
    let count = page.derived.rig.mesh.positions.len() as u32;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("vertex").color(page.theme.quiet));
        let before = chosen.checked_sub(1);
        step(
            ui,
            page,
            icons::CARET_LEFT,
            "previous vertex",
            before.map(Setting::Vertex),
        );
        let last = f64::from(count.saturating_sub(1));
        let scrub = Scrub::new((id, "vertex"), f64::from(chosen), "the vertex shown")
            .whole()
            .range(0.0..=last)
            .steps_per_point(0.1)
            .chars(last.to_string().len());
        match scrub.show(ui) {
            Some(ScrubChange::Set(value)) => {
                page.edits.push(Edit::set(Setting::Vertex(value as u32)));
            }
            Some(ScrubChange::Reset) => page.edits.push(Edit::set(Setting::Vertex(0))),
            None => {}
        }
        let after = (chosen + 1 < count).then_some(chosen + 1);
        step(
            ui,
            page,
            icons::CARET_RIGHT,
            "next vertex",
            after.map(Setting::Vertex),
        );
        ui.label(RichText::new(format!("of {}", count.saturating_sub(1))).color(page.theme.quiet));
    });
}

fn step(ui: &mut Ui, page: &mut PageContext<'_>, icon: &str, name: &str, choice: Option<Setting>) {
    if step_button(ui, icon, name, choice.is_some())
        && let Some(choice) = choice
    {
        page.edits.push(Edit::set(choice));
    }
}

/// A small button with one of [`icons`]; was it clicked?
pub(super) fn step_button(ui: &mut Ui, icon: &str, name: &str, enabled: bool) -> bool {
    let icon = RichText::new(icon).font(font::icon(SMALL));
    let button = Button::new(icon).frame_when_inactive(false);
    ui.add_enabled(enabled, button)
        .accessible_name(name)
        .on_hover_text(name)
        .clicked()
}
