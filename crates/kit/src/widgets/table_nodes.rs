//! Accessibility nodes for a painted table: rows and cells with their bounds.

use eframe::egui::{Id, Rect, Role, Ui, UiBuilder, accesskit};

/// Nodes of the rows of a table. The node of the table itself exists already.
pub struct TableNodes {
    /// Empty if no screen reader is in use.
    rows: Vec<Ui>,
}

impl TableNodes {
    /// Turns the node of `table` into a table with these rows.
    pub fn new(ui: &mut Ui, table: Id, row_rects: &[Rect], column_count: usize) -> Self {
        if !ui.ctx().has_accesskit_node(table) {
            return Self { rows: Vec::new() };
        }
        ui.ctx().accesskit_node_builder(table, |node| {
            node.set_role(Role::Table);
            node.set_row_count(row_rects.len());
            node.set_column_count(column_count);
        });
        let mut rows = Vec::with_capacity(row_rects.len());
        for (row, &rect) in row_rects.iter().enumerate() {
            let builder = UiBuilder::new()
                .scope_id(table.with(("row", row)))
                .max_rect(rect)
                .accessibility_parent(table)
                .accessibility_role(Role::Row);
            let child = ui.new_child(builder);
            child.ctx().accesskit_node_builder(child.unique_id(), |node| {
                node.set_bounds(accesskit_rect(rect));
                node.set_row_index(row);
            });
            rows.push(child);
        }
        Self { rows }
    }

    /// Adds the next cell or heading of a row. Returns the `Ui` for interactive contents,
    /// or `None` if no screen reader is in use. `label` is `None` if the contents have
    /// their own label.
    pub fn add_cell(
        &mut self,
        row: usize,
        column: usize,
        role: Role,
        label: Option<&str>,
        rect: Rect,
    ) -> Option<Ui> {
        let row_ui = self.rows.get_mut(row)?;
        let id = row_ui.scope_id().with(("cell", column));
        let builder = UiBuilder::new().scope_id(id).max_rect(rect).accessibility_role(role);
        let cell = row_ui.new_child(builder);
        let node = cell.unique_id();
        cell.ctx().accesskit_node_builder(node, |node| {
            node.set_bounds(accesskit_rect(rect));
            node.set_row_index(row);
            node.set_column_index(column);
            if let Some(label) = label {
                node.set_label(label);
            }
        });
        Some(cell)
    }
}

fn accesskit_rect(rect: Rect) -> accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    accesskit::Rect { x0, y0, x1, y1 }
}
