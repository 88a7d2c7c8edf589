//! The grid of texels: one row per joint, one texel per column of its matrix.

use bindpose_kit::theme::{CAPTION_SIZE, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{
    SCROLL_BAR_ROOM_PTS, Tip as _, badge_size, paint_badge, paint_row_background,
};
use bindpose_lesson::{Setting, SkinningFault, significant_digits};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::{Entity, size_in_world};
use bindpose_skin::JointIndex;
use eframe::egui::{Align2, Rect, Sense, Ui, WidgetInfo, accesskit::Role, pos2, vec2};

use super::texel::{self, ColorScale, TexelLayout, TexelMarks};
use crate::PageContext;
use crate::cells::entity_chooser;

/// Maximum width of a column. In wider ones, the numbers of a texel would be too far apart.
const MAX_COLUMN_WIDTH_PTS: f32 = 220.0;

/// Positions and sizes, the same in every row.
pub(super) struct TexelGrid {
    /// Number of rows: one per joint of the palette.
    pub(super) row_count: usize,
    /// Width of the joint badges and coordinates, left of the texels.
    pub(super) gutter_width: f32,
    /// Distance between the left edges of neighbouring texels, in points.
    pub(super) column_width: f32,
    pub(super) layout: TexelLayout,
    pub(super) scale: ColorScale,
    /// Whether the shader reads at coordinates instead of integer positions.
    pub(super) by_coordinates: bool,
}

/// State of the cell that is kept between frames.
#[derive(Default)]
pub(super) struct TexelGridState {
    /// Distance that the rows are scrolled by, in points.
    pub(super) scroll_offset: f32,
    /// Column of the selected texel. `None` until the reader selects one.
    pub(super) column: Option<usize>,
    /// The joint that was selected when the rows were last drawn.
    pub(super) last_joint: Option<JointIndex>,
}

/// Returns the column of the selected texel. Its row is that of the selected joint.
pub(super) fn selected_column(page: &mut PageContext<'_>, cell_id: &str) -> usize {
    page.state::<TexelGridState>(cell_id).column.unwrap_or(3)
}

/// Returns true if the reader changed a number of this texel.
pub(super) fn is_edited(page: &PageContext<'_>, joint: JointIndex, column: usize) -> bool {
    let edits = page.document.state.texels.get(&joint);
    edits.is_some_and(|edits| edits.0.get(column).is_some_and(Option::is_some))
}

impl TexelGrid {
    /// Computes the grid that fits into the available width.
    pub(super) fn fit(
        ui: &Ui,
        page: &PageContext<'_>,
        by_coordinates: bool,
        has_scroll_bar: bool,
    ) -> Self {
        let palette = &page.derived.joints.world_from_bind;
        let last_joint = JointIndex(palette.len().saturating_sub(1) as u16);
        let gutter_width = badge_size(last_joint).x + if by_coordinates { 62.0 } else { 14.0 };
        let bar_width = if has_scroll_bar { SCROLL_BAR_ROOM_PTS } else { 0.0 };
        let texels_width = ui.available_width() - gutter_width - bar_width;
        let column_width = (texels_width / 4.0).clamp(20.0, MAX_COLUMN_WIDTH_PTS);
        let model_size = size_in_world(&page.derived.rig);
        let texel_width = column_width - texel::GAP_PTS.x;
        let layout = TexelLayout::fit(ui, texel_width, palette, model_size);
        Self {
            row_count: palette.len(),
            gutter_width,
            column_width,
            layout,
            scale: ColorScale {
                axis: significant_digits::unit(layout.magnitude.linear) as f32,
                // From the model's size, so that colours do not change while it moves.
                origin: significant_digits::round_up(model_size) as f32,
            },
            by_coordinates,
        }
    }

    pub(super) fn row_height(&self) -> f32 {
        self.layout.height() + texel::GAP_PTS.y
    }

    pub(super) fn width(&self) -> f32 {
        self.gutter_width + 4.0 * self.column_width
    }

    /// Returns the distance from the left of the cell to the centre of a texel.
    pub(super) fn column_center(&self, column: usize) -> f32 {
        self.gutter_width + self.column_width * (column as f32 + 0.5)
    }
}

/// The row of a joint.
pub(super) struct TexelRow<'a> {
    pub(super) cell_id: &'a str,
    pub(super) grid: &'a TexelGrid,
    pub(super) palette: &'a PaletteTexture<'a>,
    pub(super) joint: JointIndex,
}

impl TexelRow<'_> {
    pub(super) fn ui(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let size = vec2(self.grid.width(), self.grid.row_height());
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let is_lit = match page.linked.hovered() {
            Some(Entity::Joint(joint) | Entity::Weight(_, joint)) => joint == self.joint,
            _ => false,
        };
        let is_selected = page.document.state.joint == self.joint;
        paint_row_background(ui.painter(), page.theme, rect, 8.0, is_lit, is_selected);
        self.gutter_ui(ui, page, rect);
        for column in 0..4 {
            self.texel_ui(ui, page, column, rect);
        }
    }

    /// Draws the joint's badge, and the coordinate at which its row is read.
    fn gutter_ui(&self, ui: &mut Ui, page: &mut PageContext<'_>, row_rect: Rect) {
        let joint = self.joint;
        let size = badge_size(joint);
        let badge_left_top = pos2(row_rect.left() + 4.0, row_rect.center().y - size.y / 2.0);
        let badge_rect = Rect::from_min_size(badge_left_top, size);
        let id = ui.scope_id().with(("row", joint.0));
        let response = ui.interact(badge_rect.expand(3.0), id, Sense::click());
        let name = entity_chooser::joint_name(page, joint);
        let is_unnamed = name.is_empty() || name == format!("joint {}", joint.0);
        let label = if is_unnamed {
            format!("joint {}, row {}", joint.0, joint.0)
        } else {
            format!("joint {}, row {}: {name}", joint.0, joint.0)
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        paint_badge(ui.painter(), page.theme, badge_rect, joint);
        if self.grid.by_coordinates {
            let at_edge = page.document.state.faults.contains(&SkinningFault::Edge);
            let (y, anchor, color) = if at_edge {
                (row_rect.top(), Align2::RIGHT_TOP, page.theme.wrong)
            } else {
                (row_rect.center().y, Align2::RIGHT_CENTER, page.theme.accent)
            };
            ui.painter().text(
                pos2(row_rect.left() + self.grid.gutter_width - 8.0, y),
                anchor,
                texel::format_coordinate(joint.index(), self.grid.row_count, at_edge),
                font::strong(CAPTION_SIZE),
                color,
            );
        }
        if response.has_focus() {
            page.linked.hover(Entity::Joint(joint));
        }
        page.link_response(&response.tip(label), Entity::Joint(joint));
    }

    fn texel_ui(&self, ui: &mut Ui, page: &mut PageContext<'_>, column: usize, row_rect: Rect) {
        let Self { cell_id, grid, palette, joint } = *self;
        let value = palette.read(joint, column);
        let left = row_rect.left() + grid.gutter_width + grid.column_width * column as f32;
        let cell_rect = Rect::from_min_size(
            pos2(left, row_rect.top()),
            vec2(grid.column_width, row_rect.height()),
        );
        let id = ui.scope_id().with(("texel", joint.0, column));
        let response = ui.interact(cell_rect, id, Sense::click());
        let magnitude = grid.layout.magnitude;
        let misread = texel::is_misread(palette, magnitude, joint, column);
        let edited = is_edited(page, joint, column);
        response.widget_info(|| {
            let numbers = texel::format_texel(value, texel::column_decimals(magnitude, column));
            let mut label = format!("joint {}, texel {column}: {numbers}", joint.0);
            if misread {
                label.push_str(", not what was meant");
            }
            if edited {
                label.push_str(", edited");
            }
            WidgetInfo::labeled(Role::Button, true, label)
        });
        let entity = Entity::Column(joint, column);
        let is_row_lit = matches!(page.linked.hovered(), Some(Entity::Joint(_)));
        let marks = TexelMarks {
            lit: response.has_focus() || (page.linked.is_lit(entity) && !is_row_lit),
            selected: page.document.state.joint == joint
                && selected_column(page, cell_id) == column,
            misread,
            edited,
        };
        let fill = texel::texel_color(column, value, grid.scale);
        let rect = cell_rect.shrink2(texel::GAP_PTS / 2.0);
        texel::draw_texel(ui, page.theme, rect, fill, column, value, grid.layout, marks);
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
