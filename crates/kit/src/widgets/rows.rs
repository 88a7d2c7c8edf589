//! Lists of rows that can be selected. Only the selected row is in the Tab order, and the arrow
//! keys select its neighbors.

use std::ops::Range;

use eframe::egui::scroll_area::{ScrollAreaOutput, State};
use eframe::egui::{AsIdSalt, Id, IdSalt, Key, Painter, Rect, Response, Role, Sense, Ui, vec2};

use super::card::scroll_box;
use super::focus::{Arrows, consume_key, highlight_shape, keep_arrows};
use crate::theme::Theme;

/// A scrolling list of rows of the same height.
#[must_use = "call show"]
pub struct RowList {
    id_salt: IdSalt,
    row_height: f32,
    row_count: usize,
    visible_count: usize,
    scroll_target: Option<ScrollTarget>,
    accessible: Option<(Role, &'static str)>,
}

#[derive(Clone, Copy)]
enum ScrollTarget {
    /// Index of the row at the top.
    Top(usize),
    /// Index of a row that is scrolled by as little as possible.
    IntoView(usize),
}

impl RowList {
    /// Creates a list of rows that are `row_height` points high. All of them are visible.
    pub fn new(id_salt: impl AsIdSalt, row_height: f32, row_count: usize) -> Self {
        Self {
            id_salt: IdSalt::new(id_salt),
            row_height,
            row_count,
            visible_count: row_count,
            scroll_target: None,
            accessible: None,
        }
    }

    /// Limits the number of rows that are visible at once. If there are more, half a row
    /// shows that the list scrolls.
    pub fn max_visible_rows(mut self, count: usize) -> Self {
        self.visible_count = count.min(self.row_count.max(1));
        self
    }

    /// Scrolls a row to the top.
    pub fn scroll_to_top(mut self, row: usize) -> Self {
        self.scroll_target = Some(ScrollTarget::Top(row));
        self
    }

    /// Scrolls until a row is visible as a whole, if it is not.
    pub fn scroll_into_view(mut self, row: usize) -> Self {
        self.scroll_target = Some(ScrollTarget::IntoView(row));
        self
    }

    /// Sets the role and the name of the list for screen readers.
    pub fn accessible(mut self, role: Role, name: &'static str) -> Self {
        self.accessible = Some((role, name));
        self
    }

    /// Draws the list. `add_rows` adds the rows of a range, without space between them.
    pub fn show(
        self,
        ui: &mut Ui,
        add_rows: impl FnOnce(&mut Ui, Range<usize>),
    ) -> ScrollAreaOutput<()> {
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let area = scroll_box(self.id_salt, self.height(), self.scroll_offset(ui));
            area.show_rows(ui, self.row_height, self.row_count, |ui, range| {
                if let Some((role, name)) = self.accessible {
                    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                        node.set_role(role);
                        node.set_label(name);
                    });
                }
                add_rows(ui, range);
            })
        })
        .inner
    }

    /// Height of the visible rows, in points.
    fn height(&self) -> f32 {
        let half_row = if self.visible_count < self.row_count { 0.5 } else { 0.0 };
        self.row_height * (self.visible_count as f32 + half_row)
    }

    /// Returns the distance to scroll to, in points. Returns `None` if the list stays where it
    /// is.
    fn scroll_offset(&self, ui: &Ui) -> Option<f32> {
        let row = match self.scroll_target? {
            ScrollTarget::Top(row) => row as f32,
            ScrollTarget::IntoView(row) => {
                let area_id = ui.make_persistent_id(IdSalt::new(self.id_salt));
                let offset = State::load(ui.ctx(), area_id).map_or(0.0, |s| s.clamped_offset().y);
                let first = offset / self.row_height;
                let last = first + self.visible_count as f32 - 1.0;
                let row = row as f32;
                if row < first {
                    row
                } else if row > last {
                    row - self.visible_count as f32 + 1.0
                } else {
                    return None;
                }
            }
        };
        // A list that is scrolled past its end would spring back for some frames.
        let max_offset = self.row_height * self.row_count as f32 - self.height();
        Some((self.row_height * row).min(max_offset))
    }
}

/// A row that a click selects, as wide as the available space. The caller paints its text.
#[must_use = "call show"]
pub struct SelectableRow {
    id: Id,
    height: f32,
    is_enabled: bool,
    is_selected: bool,
    is_lit: bool,
    requests_focus: bool,
}

impl SelectableRow {
    /// Creates a row that is `height` points high. The focus stays with the `id` if the row
    /// moves within the list.
    pub fn new(id: Id, height: f32) -> Self {
        Self {
            id,
            height,
            is_enabled: true,
            is_selected: false,
            is_lit: false,
            requests_focus: false,
        }
    }

    /// Sets whether the row can be selected, which is the default.
    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.is_enabled = is_enabled;
        self
    }

    pub fn selected(mut self, is_selected: bool) -> Self {
        self.is_selected = is_selected;
        self
    }

    /// Highlights the row as if the pointer were on it.
    pub fn lit(mut self, is_lit: bool) -> Self {
        self.is_lit = is_lit;
        self
    }

    /// Moves the focus to the row if `requests_focus` is true.
    pub fn request_focus(mut self, requests_focus: bool) -> Self {
        self.requests_focus = requests_focus;
        self
    }

    /// Draws the background of the row.
    pub fn show(self, ui: &mut Ui, theme: &Theme) -> Response {
        let size = vec2(ui.available_width(), self.height);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let sense = match (self.is_enabled, self.is_selected) {
            (false, _) => Sense::hover(),
            (true, true) => Sense::click(),
            (true, false) => Sense::CLICK,
        };
        let response = ui.interact(rect, self.id, sense);
        if self.requests_focus {
            response.request_focus();
        }
        let is_lit = self.is_lit || self.is_enabled && response.hovered();
        paint_row_background(ui.painter(), theme, rect, 4.0, is_lit, self.is_selected);
        response
    }
}

/// Paints the background of a row. If it is highlighted, that hides whether it is selected.
pub fn paint_row_background(
    painter: &Painter,
    theme: &Theme,
    rect: Rect,
    corner_radius: f32,
    is_lit: bool,
    is_selected: bool,
) {
    if is_lit {
        painter.add(highlight_shape(theme, rect, corner_radius));
    } else if is_selected {
        painter.rect_filled(rect, corner_radius, theme.accent_wash);
    }
}

/// Returns the row, out of `count`, to which an arrow key, Home or End leads from `row` while
/// the row with this `id` has the focus.
pub fn row_by_arrows(ui: &Ui, id: Id, row: usize, count: usize) -> Option<usize> {
    if !ui.memory(|memory| memory.has_focus(id)) {
        return None;
    }
    keep_arrows(ui, id, Arrows::All);
    if consume_key(ui, Key::ArrowDown) {
        Some(row + 1).filter(|&next| next < count)
    } else if consume_key(ui, Key::ArrowUp) {
        row.checked_sub(1)
    } else if consume_key(ui, Key::Home) {
        Some(0)
    } else if consume_key(ui, Key::End) {
        count.checked_sub(1)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::Modifiers;
    use egui_kittest::Harness;

    use super::*;

    const ROW_COUNT: usize = 20;
    const MAX_VISIBLE_ROWS: usize = 4;

    #[derive(Default)]
    struct ListState {
        selected: usize,
        /// Rows that were drawn in the last frame.
        drawn: Range<usize>,
        moved: bool,
    }

    fn list_ui(ui: &mut Ui, state: &mut ListState) {
        let id = Id::unique("rows");
        if let Some(next) = row_by_arrows(ui, id.with(state.selected), state.selected, ROW_COUNT) {
            state.selected = next;
            state.moved = true;
        }
        let mut list = RowList::new("rows", 20.0, ROW_COUNT).max_visible_rows(MAX_VISIBLE_ROWS);
        if state.moved {
            list = list.scroll_into_view(state.selected);
        }
        let output = list.show(ui, |ui, range| {
            state.drawn = range.clone();
            for row in range {
                let is_selected = row == state.selected;
                let response = SelectableRow::new(id.with(row), 20.0)
                    .selected(is_selected)
                    .request_focus(is_selected && std::mem::take(&mut state.moved))
                    .show(ui, &Theme::light());
                response.widget_info(|| {
                    eframe::egui::WidgetInfo::labeled(Role::ListItem, true, format!("row {row}"))
                });
                if response.clicked() {
                    state.selected = row;
                    state.moved = true;
                }
            }
        });
        assert!((output.inner_rect.height() - 90.0).abs() < 0.1, "half a row more");
    }

    #[test]
    fn keys_select_rows_and_scroll_them_into_view() {
        let mut harness = Harness::builder().build_ui_state(list_ui, ListState::default());
        harness.click_label("row 2");
        assert_eq!(harness.state().selected, 2);
        harness.press(Key::ArrowDown);
        assert_eq!((harness.state().selected, harness.state().drawn.start), (3, 0), "in view");
        harness.press(Key::End);
        assert_eq!(harness.state().selected, ROW_COUNT - 1);
        assert_eq!(harness.state().drawn.end, ROW_COUNT);
        for _ in 0..MAX_VISIBLE_ROWS - 1 {
            harness.press(Key::ArrowUp);
        }
        let drawn = harness.state().drawn.clone();
        assert_eq!(drawn.end, ROW_COUNT, "the fourth row from the end is in view");
        harness.press_with(Modifiers::NONE, Key::Home);
        assert_eq!((harness.state().selected, harness.state().drawn.start), (0, 0));
        harness.press(Key::ArrowUp);
        assert_eq!(harness.state().selected, 0, "there is no row above");
    }
}
