//! Controls at the right edge, in the order in which they are read: a layout from
//! right to left would give them to the Tab key backwards.

use eframe::egui::{Align, Id, Layout, Rect, Ui, UiBuilder};

/// Controls in a line that ends at the right edge of what is left of a `Ui`. How
/// wide they are is known from the frame before; when that changes, the frame is
/// laid out once more.
pub struct RightGroup {
    id: Id,
    known: Option<f32>,
    /// What is left for others, to the left of them.
    pub rest: Rect,
    place: Rect,
}

impl RightGroup {
    /// `salt` tells it from other groups in `ui`.
    pub fn new(ui: &Ui, salt: &str) -> Self {
        let id = ui.scope_id().with(salt);
        let known = ui.data(|data| data.get_temp::<f32>(id));
        let room = ui.available_rect_before_wrap();
        // What has no room left goes over what stands before it, not off the page.
        let middle = room.right() - known.unwrap_or(room.width());
        let gap = ui.spacing().item_spacing.x;
        Self {
            id,
            known,
            rest: room.with_max_x((middle - gap).max(room.left())),
            place: room.with_min_x(middle),
        }
    }

    /// Shows them.
    pub fn show(self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
        let line = Layout::left_to_right(Align::Center);
        let child = UiBuilder::new().max_rect(self.place).layout(line);
        let mut child = ui.new_child(child.id_salt(self.id));
        add(&mut child);
        let used = child.min_rect();
        ui.advance_cursor_after_rect(used);
        let width = used.width();
        if self.known.is_none_or(|known| (known - width).abs() > 0.5) {
            ui.data_mut(|data| data.insert_temp(self.id, width));
            ui.ctx().request_discard("the width of a group became known");
        }
    }
}
