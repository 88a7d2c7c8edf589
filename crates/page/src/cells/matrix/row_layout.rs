//! Layout of a row of matrices: font size, digits, and the place of each matrix.

use std::collections::BTreeMap;

use bindpose_kit::theme::Theme;
use bindpose_kit::widgets::{
    Density, MatrixGrid, MatrixHeads, MatrixRoom, chip_size, digits_before_point,
};
use bindpose_lesson::{number_text, significant_digits};
use bindpose_notebook::Derived;
use bindpose_notebook::matrix::{MatrixOwner, OperatorBlock, OperatorRole};
use eframe::egui::{Color32, Pos2, Rect, Ui, Vec2, pos2, vec2};

/// Height of the chips above a grid, with the braces that join them.
pub(super) const HEADER_HEIGHT_PTS: f32 = 32.0;

/// Height of the buttons below an editable grid.
pub(super) const FOOTER_HEIGHT_PTS: f32 = 32.0;

/// Gap between matrices without an operator, and between lines.
const GAP_PTS: f32 = 16.0;

/// Font size below which listed matrices are stacked instead of set in one row.
const MIN_LIST_FONT_PTS: f32 = 12.0;

/// Largest widths of numbers that were needed so far, by the decimals of the four columns.
pub(super) type RoomByDecimals = BTreeMap<[usize; 4], MatrixRoom>;

/// A row of matrices that is laid out.
pub(super) struct RowLayout<'a> {
    /// Prefix of the ids of the grids.
    pub(super) id: &'a str,
    pub(super) blocks: &'a [OperatorBlock],
    pub(super) theme: &'a Theme,
    pub(super) derived: &'a Derived,
    pub(super) heads: MatrixHeads,
    /// Available width, in points.
    pub(super) width: f32,
    /// Updated by each density that is tried.
    pub(super) rooms: &'a mut RoomByDecimals,
}

impl<'a> RowLayout<'a> {
    /// Builds the grid of one matrix.
    pub(super) fn grid(&mut self, index: usize, density: Density) -> MatrixGrid<'a> {
        let block = &self.blocks[index];
        let decimals = block.magnitude.decimals(density.decimals);
        MatrixGrid {
            theme: self.theme,
            id: format!("{}/{index}", self.id),
            name: block.source.name(),
            matrix: block.source.named.mat,
            magnitude: block.magnitude,
            density,
            room: self.room_for_numbers(decimals, density.decimals),
            outline: outline_color(self.theme, block.source.owner),
            brackets: self.theme.ink,
            editable: block.source.editable.is_some(),
            heads: self.heads,
            row_count: 4,
        }
    }

    /// Computes the size of each matrix, with header and footer.
    pub(super) fn block_sizes(&mut self, ui: &Ui, density: Density) -> Vec<Vec2> {
        let mut sizes = Vec::with_capacity(self.blocks.len());
        for (index, block) in self.blocks.iter().enumerate() {
            let grid_size = self.grid(index, density).size(ui);
            sizes.push(block_size(ui, block, grid_size));
        }
        sizes
    }

    /// Returns the roomiest of these densities at which the matrices fit in one row with at least
    /// this font size, in points. If there is none, the roomiest at which each matrix fits by
    /// itself.
    pub(super) fn choose_density(
        &mut self,
        ui: &Ui,
        choices: &[Density],
        min_font: f32,
    ) -> Density {
        // Listed matrices can as well be stacked. A product is read along the line.
        let has_operators = self.blocks.iter().any(|block| !block.operator.is_empty());
        let min_font_in_row = if has_operators { min_font } else { MIN_LIST_FONT_PTS };
        for &density in choices {
            if density.font < min_font_in_row || !self.fits_in_row(ui, density, 0.0) {
                continue;
            }
            let airy = density.with_spacing();
            let is_airy_better = self.has_long_numbers(density)
                && airy.font >= min_font
                && density.pad < airy.pad
                && self.fits_in_row(ui, airy, 0.0);
            return if is_airy_better { airy } else { density };
        }
        for &density in choices {
            let max_width = self.width - density.operator;
            if self.block_sizes(ui, density).iter().all(|size| size.x <= max_width) {
                return density;
            }
        }
        choices.last().copied().unwrap_or(Density {
            decimals: 2,
            font: 12.0,
            pad: 3.0,
            bracket: 6.0,
            operator: 20.0,
        })
    }

    /// Returns the density with wider padding as far as the row has room, so that numbers of
    /// neighbouring columns are clearly apart. Unchanged if the row does not fit at all.
    pub(super) fn widen_padding(&mut self, ui: &Ui, density: Density) -> Density {
        const STEP_PTS: f32 = 0.5;
        const MAX_PAD_PTS: f32 = 5.0;
        /// Additional gap that stays free around each operator.
        const OPERATOR_MARGIN_PTS: f32 = 8.0;
        let max_steps = ((MAX_PAD_PTS - density.pad) / STEP_PTS).max(0.0) as u8;
        let mut widest = density;
        for step in 1..=max_steps {
            let wider = Density { pad: density.pad + STEP_PTS * f32::from(step), ..density };
            if !self.fits_in_row(ui, wider, OPERATOR_MARGIN_PTS) {
                break;
            }
            widest = wider;
        }
        widest
    }

    fn fits_in_row(&mut self, ui: &Ui, density: Density, operator_margin: f32) -> bool {
        let sizes = self.block_sizes(ui, density);
        row_width(&sizes, self.blocks, density.operator + operator_margin) <= self.width
    }

    /// Returns true if some column needs more decimals than usual.
    fn has_long_numbers(&self, density: Density) -> bool {
        self.blocks.iter().any(|block| {
            let decimals = block.magnitude.decimals(density.decimals);
            decimals.iter().any(|&count| count > density.decimals)
        })
    }

    /// Returns the room for numbers with these decimals by column, the same in each matrix of the
    /// row that has them. Numbers about 1 have `usual` decimals.
    ///
    /// Room that was needed once is kept, so that nothing moves while a slider is dragged.
    fn room_for_numbers(&mut self, decimals: [usize; 4], usual: usize) -> MatrixRoom {
        // Distances from the origin, which do not change when a joint rotates.
        let reach = self
            .derived
            .joints
            .world_from_joint
            .iter()
            .map(|matrix| matrix.w_axis.truncate().length())
            .fold(0.0, f32::max);
        // Other frames may have other units, for which the reach means nothing.
        let is_in_world_units = significant_digits::decimals(reach.into(), usual) == decimals[3];
        let reach_digits = if is_in_world_units {
            digits_before_point(&number_text::fixed(reach.into(), decimals[3]))
        } else {
            1
        };
        let known = self.rooms.get(&decimals).copied().unwrap_or_default();
        let mut room = known.union(MatrixRoom {
            signs: [true, true, false, false],
            digits: [1, 1, 1, reach_digits],
        });
        for block in self.blocks {
            if block.magnitude.decimals(usual) == decimals {
                room.grow(&block.source.named.mat, decimals);
            }
        }
        self.rooms.insert(decimals, room);
        room
    }
}

fn outline_color(theme: &Theme, owner: MatrixOwner) -> Color32 {
    match owner {
        MatrixOwner::Joint(joint) => theme.joint(joint),
        MatrixOwner::Vertex(_) => theme.accent,
        MatrixOwner::MeshNode => theme.caution,
    }
}

/// Gap before a matrix that follows another.
fn gap_before(block: &OperatorBlock, operator_gap: f32) -> f32 {
    if block.operator.is_empty() { GAP_PTS } else { operator_gap }
}

/// Computes the width of all matrices in one row.
pub(super) fn row_width(sizes: &[Vec2], blocks: &[OperatorBlock], operator_gap: f32) -> f32 {
    let gaps: f32 = blocks.iter().skip(1).map(|block| gap_before(block, operator_gap)).sum();
    sizes.iter().map(|size| size.x).sum::<f32>() + gaps
}

/// Breaks the row into lines. Returns the top left corner of each matrix, relative to that of the
/// row, and the height of all lines.
///
/// If there are several lines, all begin at the same x, with operators to their left.
pub(super) fn place_blocks(
    sizes: &[Vec2],
    blocks: &[OperatorBlock],
    width: f32,
    operator_gap: f32,
) -> (Vec<Pos2>, f32) {
    /// Tolerance of rounded widths.
    const TOLERANCE_PTS: f32 = 0.5;
    let has_operators = blocks.iter().any(|block| !block.operator.is_empty());
    let is_broken = row_width(sizes, blocks, operator_gap) > width + TOLERANCE_PTS;
    let indent = if has_operators && is_broken { operator_gap } else { 0.0 };
    let mut places = Vec::with_capacity(sizes.len());
    let mut x = indent;
    let mut y = 0.0_f32;
    let mut line_height = 0.0_f32;
    for (size, block) in sizes.iter().zip(blocks) {
        let gap = if x > indent { gap_before(block, operator_gap) } else { 0.0 };
        if x > indent && x + gap + size.x > width + TOLERANCE_PTS {
            y += line_height + GAP_PTS;
            line_height = 0.0;
            x = indent;
        } else {
            x += gap;
        }
        places.push(pos2(x, y));
        x += size.x;
        line_height = line_height.max(size.y);
    }
    (places, y + line_height)
}

/// Computes the size of a matrix with its header, note and buttons.
pub(super) fn block_size(ui: &Ui, block: &OperatorBlock, grid_size: Vec2) -> Vec2 {
    let chips_width = match block.role {
        OperatorRole::Difference => 60.0,
        _ => frame_chip_rects(ui, block, false).1.right(),
    };
    // With pins, there are several buttons at the right end, and a badge may precede them.
    let buttons_width = if block.source.pins { 104.0 } else { 28.0 };
    let is_editable = block.source.editable.is_some();
    let min_width = if is_editable { 172.0 } else { 0.0 };
    let footer = if is_editable { FOOTER_HEIGHT_PTS } else { 0.0 };
    let note = if block.source.note.is_some() { 22.0 } else { 0.0 };
    vec2(
        grid_size.x.max(chips_width + buttons_width).max(min_width).ceil(),
        HEADER_HEIGHT_PTS + grid_size.y + footer + note,
    )
}

/// Returns the rectangles of the left and the right frame chip, relative to the top left corner
/// of the matrix. The left chip is the target frame, or the source frame for row vectors.
pub(super) fn frame_chip_rects(ui: &Ui, block: &OperatorBlock, has_rows: bool) -> (Rect, Rect) {
    let named = &block.source.named;
    let (left, right) = if has_rows { (named.from, named.to) } else { (named.to, named.from) };
    let left_rect = Rect::from_min_size(Pos2::ZERO, chip_size(ui, &left.to_string()));
    let right_rect =
        Rect::from_min_size(pos2(left_rect.right() + 22.0, 0.0), chip_size(ui, &right.to_string()));
    (left_rect, right_rect)
}
