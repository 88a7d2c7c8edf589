//! Where the texels stand, and what the cell remembers of that.

use bindpose_notebook::significant_digits;
use bindpose_skin::JointIndex;
use eframe::egui::Ui;

use super::texel;
use crate::PageContext;
use crate::widgets::badge_size;

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
        let palette = &page.derived.world_from_bind;
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
