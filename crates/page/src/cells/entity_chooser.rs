//! Choosing a joint or a vertex: the same control wherever a cell follows the
//! choice.

use bindpose_lesson::Setting;
use bindpose_notebook::Entity;
use bindpose_notebook::number_text::grouped;
use bindpose_skin::JointIndex;
use eframe::egui::{ComboBox, RichText, Ui};

use crate::touch;
use crate::widgets::{Scrub, badge, combo, icon_button};
use crate::{PageContext, icons};

/// A joint's name, empty for one that does not exist.
pub(crate) fn joint_name<'a>(page: &'a PageContext<'_>, joint: JointIndex) -> &'a str {
    page.derived.rig.skeleton.joints().get(joint.index()).map_or("", |joint| joint.name.as_str())
}

/// `joint (1) ‹ neck ›`
pub(super) fn joint(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let chosen = page.document.state.joint;
    let joints: Vec<JointIndex> = page.derived.rig.skeleton.indices().collect();
    let to = ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("joint").color(page.theme.quiet));
        let name = joint_name(page, chosen).to_owned();
        if touch::is_pointed_at(&badge(ui, page.theme, chosen, &name)) {
            page.linked.hover(Entity::Joint(chosen));
        }
        stepped(ui, "joint", chosen.index(), joints.len(), |ui| {
            let list = ComboBox::from_id_salt((id, "joint"));
            let title = |&joint: &JointIndex| joint_title(joint, joint_name(page, joint));
            let chosen = combo(ui, list, "the joint shown", &chosen, joints, title);
            chosen.map(JointIndex::index)
        })
    });
    if let Some(to) = to.inner {
        page.choose(Setting::Joint(JointIndex(to as u16).into()));
    }
}

/// `1  neck`
fn joint_title(joint: JointIndex, name: &str) -> String {
    let number = format!("joint {}", joint.0);
    if name.is_empty() || name == joint.0.to_string() || name == number {
        number
    } else {
        format!("{}  {name}", joint.0)
    }
}

/// `vertex ‹ v2 ›`
pub(super) fn vertex(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let count = page.derived.rig.mesh.positions.len();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("vertex").color(page.theme.quiet));
        vertex_number(ui, id, page);
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        let last = format!("of 0 to {}", grouped(last));
        ui.label(RichText::new(last).color(page.theme.quiet));
    });
}

/// `‹ 2 ›`
pub(crate) fn vertex_number(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let chosen = page.document.state.vertex as usize;
    let count = page.derived.rig.mesh.positions.len();
    let to = stepped(ui, "vertex", chosen, count, |ui| {
        number(ui, (id, "vertex"), chosen, count, "the vertex shown")
    });
    if let Some(to) = to {
        page.choose(Setting::Vertex(to as u32));
    }
}

/// A place of so many: a step back, what `middle` shows, a step on. Answers with
/// the place that is wanted now.
pub(super) fn stepped(
    ui: &mut Ui,
    what: &str,
    now: usize,
    count: usize,
    middle: impl FnOnce(&mut Ui) -> Option<usize>,
) -> Option<usize> {
    let back = icon_button(ui, icons::CARET_LEFT, &format!("previous {what}"), now > 0);
    let put = middle(ui);
    let name = format!("next {what}");
    let on = icon_button(ui, icons::CARET_RIGHT, &name, now + 1 < count);
    let step = (back.then(|| now.saturating_sub(1))).or(on.then_some(now + 1));
    step.or(put)
}

/// The same place as a number to drag.
pub(super) fn number(
    ui: &mut Ui,
    id: (&str, &str),
    now: usize,
    count: usize,
    label: &str,
) -> Option<usize> {
    let last = count.saturating_sub(1);
    let scrub = Scrub::new(id, now as f64, label)
        .whole()
        .range(0.0..=last as f64)
        .steps_per_point(0.1)
        .chars(last.to_string().len());
    scrub.show(ui).map(|change| change.or(0.0) as usize)
}
