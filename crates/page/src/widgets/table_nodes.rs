//! What is painted as a table, as one for those who hear the page: rows and cells,
//! each where it stands.

use eframe::egui::{Id, Rect, Role, Ui, UiBuilder, accesskit};

/// The rows of a table whose own node is there already.
pub struct TableNodes {
    /// Empty where nobody hears the page.
    rows: Vec<Ui>,
}

impl TableNodes {
    /// In the table with this id, whose node gets the role and the size.
    pub fn begin(ui: &mut Ui, table: Id, rows: &[Rect], columns: usize) -> Self {
        if !ui.ctx().has_accesskit_node(table) {
            return Self { rows: Vec::new() };
        }
        ui.ctx().accesskit_node_builder(table, |node| {
            node.set_role(Role::Table);
            node.set_row_count(rows.len());
            node.set_column_count(columns);
        });
        let row = |(row, &rect): (usize, &Rect)| {
            let builder = UiBuilder::new()
                .scope_id(table.with(("row", row)))
                .max_rect(rect)
                .accessibility_parent(table)
                .accessibility_role(Role::Row);
            let child = ui.new_child(builder);
            let id = child.unique_id();
            child.ctx().accesskit_node_builder(id, |node| {
                node.set_bounds(bounds(rect));
                node.set_row_index(row);
            });
            child
        };
        let rows = rows.iter().enumerate().map(row).collect();
        Self { rows }
    }

    /// The next cell of this row, or its head, in which what can be used is put.
    /// `words`: what stands there; absent: others say it. Absent where nobody hears
    /// the page.
    pub fn cell(
        &mut self,
        (row, column): (usize, usize),
        role: Role,
        words: Option<&str>,
        rect: Rect,
    ) -> Option<Ui> {
        let line = self.rows.get_mut(row)?;
        let id = line.scope_id().with(("cell", column));
        let builder = UiBuilder::new().scope_id(id).max_rect(rect).accessibility_role(role);
        let cell = line.new_child(builder);
        let node = cell.unique_id();
        cell.ctx().accesskit_node_builder(node, |node| {
            node.set_bounds(bounds(rect));
            node.set_row_index(row);
            node.set_column_index(column);
            if let Some(words) = words {
                node.set_label(words);
            }
        });
        Some(cell)
    }
}

fn bounds(rect: Rect) -> accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    accesskit::Rect { x0, y0, x1, y1 }
}
