//! The keys of an open channel for those who do not see them: each a node with its
//! time and value, which time can be put to. The pointer and the Tab key pass them
//! by.

use bindpose_skin::Track;
use eframe::egui::{Id, Rect, Sense, Ui, Vec2, WidgetInfo, accesskit, pos2};

use super::key_words::one_key;
use super::time_axis::{TimeAxis, put_time};
use crate::PageContext;

/// Keys of a channel that have nodes; of more, the channel tells in words.
const MOST: usize = 60;
/// Side of a node, in points.
const SIDE: f32 = 12.0;

/// `row` is where the channel stands; `id` tells it from others.
pub(super) fn ui(
    ui: &Ui,
    (id, row): ((&str, usize), Rect),
    track: &Track,
    page: &mut PageContext<'_>,
    lanes: TimeAxis,
) {
    if track.key_count() > MOST {
        return;
    }
    for (key, &secs) in track.key_times().iter().enumerate() {
        let at_secs = f64::from(secs);
        if !secs.is_finite() {
            continue;
        }
        let center = pos2(lanes.x(at_secs), row.center().y);
        let rect = Rect::from_center_size(center, Vec2::splat(SIDE));
        let id = Id::unique(("key of a channel", id, key));
        let response = ui.interact(rect, id, Sense::hover());
        let (here, count) = (page.document.time_secs() == at_secs, track.key_count());
        let words = format!("key {} of {count} at {}", key + 1, one_key(track, key));
        response.widget_info(|| WidgetInfo::selected(accesskit::Role::Button, true, here, &words));
        ui.ctx().accesskit_node_builder(id, |node| node.add_action(accesskit::Action::Click));
        let is_asked =
            ui.input(|input| input.has_accesskit_action_request(id, accesskit::Action::Click));
        if is_asked {
            put_time(page, at_secs);
        }
    }
}
