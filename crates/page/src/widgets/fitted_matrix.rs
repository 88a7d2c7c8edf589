//! One matrix to be read, in the largest type that has room.

use std::sync::Arc;

use bindpose_notebook::significant_digits::Magnitude;
use eframe::egui::{Color32, FontId, Galley, Sense, Ui, UiBuilder};
use glam::Mat4;

use super::matrix_density::{Density, MatrixRoom};
use super::matrix_grid::{MatrixGrid, MatrixHeads, NumberLook};
use crate::theme::Theme;

/// What is shown, and how.
pub struct FittedMatrix<'a> {
    /// Colours.
    pub theme: &'a Theme,
    /// Of its nodes.
    pub id: String,
    /// What a screen reader calls it.
    pub name: String,
    /// Its numbers.
    pub matrix: Mat4,
    /// How many digits they need.
    pub magnitude: Magnitude,
    /// Digits after the point, of numbers about 1.
    pub decimals: usize,
    /// What its rows and columns are named.
    pub heads: MatrixHeads,
}

impl FittedMatrix<'_> {
    /// Draws it in the largest type in which it fits, or else in the smallest.
    pub fn show(&self, ui: &mut Ui) {
        let width = ui.available_width();
        let fits = |density: &Density| self.grid(*density).size(ui).x <= width;
        let choices = || Density::choices(self.decimals);
        let Some(density) = choices().find(fits).or_else(|| choices().last()) else {
            return;
        };
        let grid = self.grid(density);
        let (rect, _) = ui.allocate_exact_size(grid.size(ui), Sense::hover());
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
        grid.show(&mut child, rect.min, |_, _| NumberLook::default());
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
        }
    }
}

// Names in the room there is.

/// A name in one line. What does not fit is left out in the middle: names of
/// joints often begin alike and differ at their ends.
pub fn fitted_text(ui: &Ui, text: &str, font: &FontId, width: f32, color: Color32) -> Arc<Galley> {
    let line = |text: String| ui.painter().layout_no_wrap(text, font.clone(), color);
    let whole = line(text.to_owned());
    if whole.size().x <= width {
        return whole;
    }
    let chars: Vec<char> = text.chars().collect();
    let keeping = |kept: usize| {
        let (head, tail) = (kept * 2 / 5, kept - kept * 2 / 5);
        let head = chars[..head].iter();
        let tail = chars[chars.len() - tail..].iter();
        line(head.chain(['…'].iter()).chain(tail).collect())
    };
    let counts: Vec<usize> = (1..chars.len()).collect();
    let fits = counts.partition_point(|&kept| keeping(kept).size().x <= width);
    keeping(fits)
}
