//! What a shader reads from the texel that is lit or chosen, and the four
//! numbers of the chosen one, to be changed.

use bindpose_lesson::{Setting, SkinningFault};
use bindpose_notebook::palette_texture::PaletteTexture;
use bindpose_notebook::{Edit, Entity, significant_digits};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, Align2, Frame, Layout, Margin, Rect, RichText, Sense, TextStyle, Ui, WidgetInfo,
    accesskit::Role, pos2, vec2,
};
use glam::Vec4;

use super::texel;
use crate::cells::entity_chooser;
use crate::theme::{CAPTION, font};
use crate::widgets::{
    Scrub, ScrubChange, Tip as _, badge_size, lit_shape, paint_badge, small_button,
};
use crate::{PageContext, touch};

/// The numbers of a texel by the names GLSL has for them.
const PARTS: [&str; 4] = ["x", "y", "z", "w"];
/// Room for one of them before its number.
const NAME: f32 = 14.0;

/// `steady`: has the same height whether what is read is what was meant or not.
pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    grid: &TexelGrid,
    palette: &PaletteTexture<'_>,
    steady: bool,
) {
    let lit = match page.linked.hovered() {
        Some(Entity::Column(joint, column) | Entity::Cell(joint, column, _)) => {
            Some((joint, column))
        }
        _ => None,
    };
    let chosen = (page.document.state.joint, chosen_column(page, id));
    let exists = |&(joint, column): &(JointIndex, usize)| joint.index() < grid.rows && column < 4;
    let Some(shown) = lit.filter(exists).or(Some(chosen)).filter(exists) else {
        return;
    };
    Frame::NONE
        .fill(page.theme.panel)
        .corner_radius(6)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 2.0;
            read(ui, page, grid, palette, shown, steady);
            if exists(&chosen) {
                ui.add_space(4.0);
                edit(ui, id, page, palette, grid, chosen);
            }
        });
}

/// `texelFetch(…) = (…)`, and what that means.
fn read(
    ui: &mut Ui,
    page: &PageContext<'_>,
    grid: &TexelGrid,
    palette: &PaletteTexture<'_>,
    (joint, column): (JointIndex, usize),
    steady: bool,
) {
    let value = palette.read(joint, column);
    let magnitude = grid.shape.magnitude;
    let off = texel::is_off(palette, magnitude, joint, column);
    let edge = palette.faults.contains(&SkinningFault::Edge);
    let call = if palette.transport.is_sampled() {
        texel::call_by_coordinates(joint, column, grid.rows, edge)
    } else {
        texel::call_by_place(joint, column)
    };
    // A 16-bit number differs in the fourth digit.
    let decimals = texel::decimals(magnitude, column) + if off { 2 } else { 0 };
    let result = format!("({})", texel::words(value, decimals));
    let width = ui.available_width();
    ui.label(texel::equation(page.theme, &call, &result, width));
    if off && let Some(meant) = palette.world_from_bind.get(joint.index()) {
        let meant = texel::words(meant.col(column), decimals);
        let words = format!("meant: ({meant})");
        ui.label(RichText::new(words).monospace().color(page.theme.wrong));
    } else if steady {
        let height = ui.text_style_height(&TextStyle::Monospace);
        ui.add_space(height + ui.spacing().item_spacing.y);
    }
    let words = texel::meaning(joint, column);
    ui.label(page.theme.label(words));
}

/// `texel 3 of joint 1:  x 2.00  y −3.46  z 0.00  w 1.00`
fn edit(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    palette: &PaletteTexture<'_>,
    grid: &TexelGrid,
    (joint, column): (JointIndex, usize),
) {
    let Some(texel) = palette.world_from_bind.get(joint.index()) else {
        return;
    };
    let texel: Vec4 = texel.col(column);
    let edited = is_edited(page, joint, column);
    let decimals = texel::decimals(grid.shape.magnitude, column);
    let step = 0.01 * significant_digits::unit(grid.shape.magnitude.of_column(column));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        let words = format!("change texel {column} of joint {}", joint.0);
        ui.label(page.theme.caption(words));
        for (part, name) in PARTS.into_iter().enumerate() {
            let label = format!("{name} of texel {column} of joint {}", joint.0);
            let scrub = Scrub::new((id, "texel", part), texel[part].into(), label)
                .step(step)
                .decimals(decimals)
                .changed(edited)
                .chars(grid.shape.digits);
            // The name does not part from its number at the end of a line.
            let size = scrub.size(ui) + vec2(NAME, 0.0);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.label(page.theme.caption(name));
                let edit = scrub.show(ui).map(|change| match change {
                    ScrubChange::Set(value) => {
                        Edit::Texel { joint, column, part, value: value as f32 }
                    }
                    ScrubChange::Reset => Edit::ResetTexel(joint, column),
                });
                page.edits.extend(edit);
            });
        }
        if edited && ui.add(small_button("Reset texel")).clicked() {
            page.edits.push(Edit::ResetTexel(joint, column));
        }
        let any = !page.document.state.texels.is_empty();
        if any && ui.add(small_button("Reset all texels")).clicked() {
            page.edits.push(Edit::ResetTexels(None));
        }
    });
}

// One row of the texture: a joint, and its four texels.

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

// Where the texels stand, and what the cell remembers of that.

/// Widest column: beyond it the numbers of a texel fall apart.
const WIDEST: f32 = 220.0;
/// Room for the bar of the box, where it scrolls.
const BAR: f32 = 14.0;

/// Where things are, the same in every row.
pub(super) struct TexelGrid {
    pub(super) rows: usize,
    pub(super) gutter: f32,
    /// From one texel to the next.
    pub(super) pitch: f32,
    pub(super) shape: texel::TexelShape,
    /// What numbers are divided by for their colour.
    pub(super) sizes: texel::Sizes,
    /// Read at coordinates, not by whole numbers.
    pub(super) by_coordinates: bool,
}

/// What the cell keeps from frame to frame.
#[derive(Default)]
pub(super) struct TexelGridState {
    /// How far the rows are scrolled, in points.
    pub(super) offset: f32,
    /// The chosen texel's; `None`: the origin's.
    pub(super) column: Option<usize>,
    /// The joint that was chosen when the rows were last drawn.
    pub(super) joint: Option<JointIndex>,
}

impl TexelGrid {
    pub(super) fn fitting(
        ui: &Ui,
        page: &PageContext<'_>,
        by_coordinates: bool,
        scrolls: bool,
    ) -> Self {
        let palette = &page.derived.joints.world_from_bind;
        let last = JointIndex(palette.len().saturating_sub(1) as u16);
        let gutter = badge_size(last).x + if by_coordinates { 62.0 } else { 14.0 };
        let bar = if scrolls { BAR } else { 0.0 };
        let pitch = ((ui.available_width() - gutter - bar) / 4.0).clamp(20.0, WIDEST);
        let size = significant_digits::size_in_world(&page.derived.rig);
        let shape = texel::TexelShape::fitting(ui, pitch - texel::GAP.x, palette, size);
        Self {
            rows: palette.len(),
            gutter,
            pitch,
            shape,
            sizes: texel::Sizes {
                axis: significant_digits::unit(shape.magnitude.linear) as f32,
                // It stays the same while the model moves.
                place: significant_digits::round_up(size) as f32,
            },
            by_coordinates,
        }
    }

    pub(super) fn row_height(&self) -> f32 {
        self.shape.height() + texel::GAP.y
    }

    pub(super) fn width(&self) -> f32 {
        self.gutter + 4.0 * self.pitch
    }

    /// From the left of the cell to the middle of a texel.
    pub(super) fn middle(&self, column: usize) -> f32 {
        self.gutter + self.pitch * (column as f32 + 0.5)
    }
}
