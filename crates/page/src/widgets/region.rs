//! Parts of the page by name, between which screen readers jump.

use eframe::egui::{Role, Ui, UiKind};

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
