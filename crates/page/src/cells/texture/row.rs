//! One row of the texture: a joint, and its four texels.

use bindpose_lesson::{Setting, SkinningFault};
use bindpose_notebook::Entity;
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_skin::JointIndex;
use eframe::egui::{Align2, Rect, Sense, Ui, WidgetInfo, accesskit::Role, pos2, vec2};

use super::grid::{TexelGrid, TexelGridState};
use super::texel;
use crate::PageContext;
use crate::cells::entity_chooser;
use crate::theme::{CAPTION, font};
use crate::touch;
use crate::widgets::Tip as _;
use crate::widgets::{badge_size, lit_shape, paint_badge};

/// The texel that is shown and edited while none is pointed at: of the chosen
/// joint, this column.
pub(super) fn chosen_column(page: &mut PageContext<'_>, id: &str) -> usize {
    page.state::<TexelGridState>(id).column.unwrap_or(3)
}

/// The row of a joint.
pub(super) struct TexelRow<'a> {
    /// Of its cell.
    pub(super) cell_id: &'a str,
    pub(super) grid: &'a TexelGrid,
    pub(super) palette: &'a PaletteTexture<'a>,
    pub(super) joint: JointIndex,
}

impl TexelRow<'_> {
    pub(super) fn ui(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let (grid, joint) = (self.grid, self.joint);
        let size = vec2(grid.width(), grid.row_height());
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let lit = match page.linked.hovered() {
            Some(Entity::Joint(lit) | Entity::Weight(_, lit)) => lit == joint,
            _ => false,
        };
        if lit {
            ui.painter().add(lit_shape(page.theme, rect, 8.0));
        } else if page.document.state.joint == joint {
            let wash = page.theme.accent_wash;
            ui.painter().rect_filled(rect, 8.0, wash);
        }
        self.head(ui, page, rect);
        for column in 0..4 {
            self.texel(ui, page, column, rect);
        }
    }

    /// The joint's number, and where its row is read.
    fn head(&self, ui: &mut Ui, page: &mut PageContext<'_>, row: Rect) {
        let (grid, joint) = (self.grid, self.joint);
        let size = badge_size(joint);
        let badge =
            Rect::from_min_size(pos2(row.left() + 4.0, row.center().y - size.y / 2.0), size);
        let response =
            ui.interact(badge.expand(3.0), ui.scope_id().with(("row", joint.0)), Sense::click());
        let name = entity_chooser::joint_name(page, joint);
        let own = name.is_empty() || name == format!("joint {}", joint.0);
        let label = if own {
            format!("joint {}, row {}", joint.0, joint.0)
        } else {
            format!("joint {}, row {}: {name}", joint.0, joint.0)
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        paint_badge(ui.painter(), page.theme, badge, joint);
        if grid.by_coordinates {
            let edge = page.document.state.faults.contains(&SkinningFault::Edge);
            let (y, anchor, color) = if edge {
                (row.top(), Align2::RIGHT_TOP, page.theme.wrong)
            } else {
                (row.center().y, Align2::RIGHT_CENTER, page.theme.accent)
            };
            ui.painter().text(
                pos2(row.left() + grid.gutter - 8.0, y),
                anchor,
                texel::coordinate(joint.index(), grid.rows, edge),
                font::strong(CAPTION),
                color,
            );
        }
        if response.has_focus() {
            page.linked.hover(Entity::Joint(joint));
        }
        page.link(&response.tip(label), Entity::Joint(joint));
    }

    /// One of its four texels; `row`: where the row stands.
    fn texel(&self, ui: &mut Ui, page: &mut PageContext<'_>, column: usize, row: Rect) {
        let Self { cell_id, grid, palette, joint } = *self;
        let value = palette.read(joint, column);
        let left = row.left() + grid.gutter + grid.pitch * column as f32;
        let cell = Rect::from_min_size(pos2(left, row.top()), vec2(grid.pitch, row.height()));
        let id = ui.scope_id().with(("texel", joint.0, column));
        let response = ui.interact(cell, id, Sense::click());
        let off = texel::is_off(palette, grid.shape.magnitude, joint, column);
        let edited = is_edited(page, joint, column);
        let words = texel::words(value, texel::decimals(grid.shape.magnitude, column));
        response.widget_info(|| {
            let mut label = format!("joint {}, texel {column}: {words}", joint.0);
            if off {
                label.push_str(", not what was meant");
            }
            if edited {
                label.push_str(", edited");
            }
            WidgetInfo::labeled(Role::Button, true, label)
        });
        let entity = Entity::Column(joint, column);
        let whole_row = matches!(page.linked.hovered(), Some(Entity::Joint(_)));
        let marks = texel::TexelMarks {
            lit: response.has_focus() || (page.linked.is_lit(entity) && !whole_row),
            chosen: page.document.state.joint == joint && chosen_column(page, cell_id) == column,
            off,
            edited,
        };
        let fill = texel::tint(column, value, grid.sizes);
        texel::paint(ui, page.theme, texel::inset(cell), fill, (column, value), grid.shape, marks);
        if touch::is_pointed_at(&response) || response.has_focus() {
            page.linked.hover(entity);
        }
        if response.clicked() {
            page.state::<TexelGridState>(cell_id).column = Some(column);
            if page.document.state.joint != joint {
                page.choose(Setting::Joint(joint.into()));
            }
        }
    }
}

/// Does a number of the reader's stand there?
pub(super) fn is_edited(page: &PageContext<'_>, joint: JointIndex, column: usize) -> bool {
    let edits = page.document.state.texels.get(&joint);
    edits.is_some_and(|edits| edits.0.get(column).is_some_and(Option::is_some))
}
