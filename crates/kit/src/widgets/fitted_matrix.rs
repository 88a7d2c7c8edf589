//! A read-only matrix in the largest type that fits.

use std::sync::Arc;

use bindpose_lesson::significant_digits::Magnitude;
use eframe::egui::{Color32, FontId, Galley, Sense, Ui, UiBuilder};
use glam::Mat4;

use super::matrix_density::{Density, MatrixRoom};
use super::matrix_grid::{MatrixGrid, MatrixHeads, NumberStyle};
use crate::theme::Theme;

/// A matrix that is drawn in the largest type that fits.
pub struct FittedMatrix<'a> {
    pub theme: &'a Theme,
    /// Used for the ids of its widgets.
    pub id: String,
    /// Accessible name.
    pub name: String,
    pub matrix: Mat4,
    /// Magnitude of the numbers, which determines their digits.
    pub magnitude: Magnitude,
    /// Decimals of numbers around 1.
    pub decimals: usize,
    pub heads: MatrixHeads,
}

impl FittedMatrix<'_> {
    /// Draws the matrix in the largest type that fits, or in the smallest one if none
    /// does.
    pub fn show(&self, ui: &mut Ui) {
        let available_width = ui.available_width();
        let fitting = Density::choices(self.decimals)
            .find(|density| self.grid(*density).size(ui).x <= available_width);
        let Some(density) = fitting.or_else(|| Density::choices(self.decimals).last()) else {
            return;
        };
        let grid = self.grid(density);
        let (rect, _) = ui.allocate_exact_size(grid.size(ui), Sense::hover());
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
        grid.show(&mut child, rect.min, |_, _| NumberStyle::default());
    }

    fn grid(&self, density: Density) -> MatrixGrid<'_> {
        let mut room = MatrixRoom { signs: [true; 4], ..MatrixRoom::default() };
        room.grow(&self.matrix, self.magnitude.decimals(density.decimals));
        MatrixGrid {
            theme: self.theme,
            id: self.id.clone(),
            name: self.name.clone(),
            matrix: self.matrix,
            magnitude: self.magnitude,
            density,
            room,
            outline: self.theme.accent,
            brackets: self.theme.ink,
            editable: false,
            heads: self.heads,
            row_count: 4,
        }
    }
}

// Text that is shortened to fit.

/// Lays out a name on one line, shortened in the middle if it is wider than `max_width`.
/// Names of joints often begin alike and differ at their ends.
pub fn fitted_text(
    ui: &Ui,
    text: &str,
    font: &FontId,
    max_width: f32,
    color: Color32,
) -> Arc<Galley> {
    let whole = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), color);
    if whole.size().x <= max_width {
        return whole;
    }
    let chars: Vec<char> = text.chars().collect();
    let kept_counts: Vec<usize> = (1..chars.len()).collect();
    let kept_count = kept_counts.partition_point(|&kept_count| {
        let shortened = shorten_middle(&chars, kept_count);
        ui.painter().layout_no_wrap(shortened, font.clone(), color).size().x <= max_width
    });
    ui.painter().layout_no_wrap(shorten_middle(&chars, kept_count), font.clone(), color)
}

/// Keeps this many characters, two fifths of them before the ellipsis.
fn shorten_middle(chars: &[char], kept_count: usize) -> String {
    let head_count = kept_count * 2 / 5;
    let tail_count = kept_count - head_count;
    let head = chars[..head_count].iter();
    let tail = chars[chars.len() - tail_count..].iter();
    head.chain(['…'].iter()).chain(tail).collect()
}
