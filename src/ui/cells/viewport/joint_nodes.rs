//! The joints of a picture for those who do not see it: each a node with its
//! name, which can be chosen. The pointer and the Tab key pass them by.

use eframe::egui::{Id, Rect, Sense, Ui, Vec2, WidgetInfo, accesskit};

use super::overlay::Overlay;
use crate::notebook::Entity;
use crate::ui::PageContext;
use crate::ui::cells::entity_chooser::joint_words;

/// Joints that have nodes; with more, the lists of joints are the better way.
const MOST: usize = 200;
/// Side of a node, in points.
const SIDE: f32 = 20.0;

pub(super) fn ui(ui: &Ui, picture: &str, overlay: &Overlay<'_>, page: &mut PageContext<'_>) {
    for (joint, at) in overlay.joint_places().take(MOST) {
        // A joint beside the picture has its node at the edge.
        let at = overlay.rect.shrink(SIDE / 2.0).clamp(at);
        let rect = Rect::from_center_size(at, Vec2::splat(SIDE));
        let id = Id::unique(("joint in a picture", picture, joint));
        let response = ui.interact(rect, id, Sense::hover());
        let chosen = page.document.state.joint == joint;
        let name = joint_words(page, joint);
        response.widget_info(|| WidgetInfo::selected(accesskit::Role::Button, true, chosen, &name));
        ui.ctx()
            .accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
        let is_asked =
            ui.input(|input| input.has_accesskit_action_request(id, accesskit::Action::Click));
        if is_asked {
            page.choose_entity(Entity::Joint(joint));
        }
    }
}
