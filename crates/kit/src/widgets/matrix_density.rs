//! Space for the numbers of a matrix: type size, digits, and the space shared by matrices
//! in a row.

use glam::Mat4;

use bindpose_lesson::number_text;

/// Type size, spacing and number of digits of a matrix. They decrease with the available
/// space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// Decimals of numbers around 1.
    pub decimals: usize,
    /// Type size, in points.
    pub font: f32,
    /// Padding on both sides of a number, in points.
    pub pad: f32,
    /// Width of a bracket, in points.
    pub bracket: f32,
    /// Width of an operator between matrices, in points.
    pub operator: f32,
}

/// Font size up to which rows are set with wide spacing, in points.
const MAX_AIRY_FONT_PTS: f32 = 15.0;

impl Density {
    /// Returns the densities from spacious to dense, with at most `decimals` decimals.
    /// The type shrinks before digits are dropped, because matrices with different
    /// numbers of digits are hard to compare.
    pub fn choices(decimals: usize) -> impl Iterator<Item = Self> {
        Self::list([
            (decimals, 14.0, 8.0, 7.0, 26.0),
            (decimals, 14.0, 5.0, 7.0, 24.0),
            (decimals, 13.0, 4.0, 7.0, 22.0),
            (decimals, 12.0, 3.0, 6.0, 20.0),
            (decimals, 11.5, 2.0, 5.0, 16.0),
            (decimals, 11.0, 1.0, 5.0, 14.0),
            (decimals.min(2), 12.0, 1.0, 5.0, 14.0),
        ])
    }

    /// Returns larger densities, for a cell that fills the page.
    pub fn enlarged(decimals: usize) -> impl Iterator<Item = Self> {
        Self::list([
            (decimals, 26.0, 12.0, 9.0, 40.0),
            (decimals, 22.0, 10.0, 9.0, 34.0),
            (decimals, 18.0, 9.0, 8.0, 30.0),
            (decimals, 16.0, 7.0, 8.0, 28.0),
            (decimals, 14.0, 3.0, 6.0, 18.0),
            (decimals, 13.8, 0.5, 3.0, 10.0),
        ])
    }

    /// Returns the densities for a projector, in type of `font` points or less. Columns move
    /// together before the type shrinks.
    pub fn presented(decimals: usize, font: f32) -> impl Iterator<Item = Self> {
        let small = 0.72 * font;
        Self::list([
            (decimals, font, 6.0, 7.0, 24.0),
            (decimals, font, 3.0, 6.0, 18.0),
            (decimals, font, 1.5, 5.0, 14.0),
            (decimals, font, 1.0, 4.0, 12.0),
            (decimals, 0.85 * font, 2.0, 5.0, 14.0),
            (decimals, 0.85 * font, 1.0, 4.0, 12.0),
            (decimals, small, 2.0, 5.0, 14.0),
            (decimals, small, 1.0, 4.0, 12.0),
        ])
    }

    fn list<const N: usize>(rows: [(usize, f32, f32, f32, f32); N]) -> impl Iterator<Item = Self> {
        rows.into_iter().map(|(decimals, font, pad, bracket, operator)| Self {
            decimals,
            font,
            pad,
            bracket,
            operator,
        })
    }

    /// Returns a density of the same width with smaller type and more padding. Keeps
    /// unusually long numbers from touching.
    #[must_use]
    pub fn with_spacing(self) -> Self {
        Self { font: self.font.min(10.5), pad: self.pad.max(2.0), ..self }
    }

    /// Height of a row, in points. Large type needs less space between its lines.
    pub fn row_height(self) -> f32 {
        let lines = if self.font > MAX_AIRY_FONT_PTS { 1.45 } else { 1.65 };
        (self.font * lines).round()
    }
}

/// Space that matrices in a row with the same decimals reserve for their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixRoom {
    /// Columns that reserve space for a minus sign.
    pub signs: [bool; 4],
    /// Number of digits before the point, by column.
    pub digits: [usize; 4],
}

impl MatrixRoom {
    /// Reserves space for this matrix as well, with these decimals by column.
    pub fn grow(&mut self, matrix: &Mat4, decimals: [usize; 4]) {
        for (column, decimals) in decimals.into_iter().enumerate() {
            for number in matrix.col(column).to_array() {
                let text = number_text::fixed(number.into(), decimals);
                self.signs[column] |= text.starts_with(number_text::MINUS);
                self.digits[column] = self.digits[column].max(digits_before_point(&text));
            }
        }
    }

    /// Returns the space needed by both.
    #[must_use]
    pub fn union(mut self, other: Self) -> Self {
        for column in 0..4 {
            self.signs[column] |= other.signs[column];
            self.digits[column] = self.digits[column].max(other.digits[column]);
        }
        self
    }
}

/// Counts the digits before the point of a formatted number.
pub fn digits_before_point(text: &str) -> usize {
    let unsigned = text.trim_start_matches(number_text::MINUS);
    unsigned.split('.').next().unwrap_or_default().chars().count()
}
